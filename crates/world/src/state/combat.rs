//! The combat being fought.

use serde::{Deserialize, Serialize};
use twicetold_event::{CombatOutcome, Foe, Initiative, Seat};

use super::{Origin, State};

/// A combat.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Combat {
    /// Round, counted from 1.
    pub round: u32,
    /// The place in the order of whoever acts now, or acted last.
    pub place: usize,
    /// Everybody who fights, in order.
    pub order: Vec<Initiative>,
    /// The foes.
    pub foes: Vec<FoeState>,
    /// Who acts now: a character's name, or foes' ids.
    pub acting: Vec<String>,
    /// Those of them who have attacked in this turn.
    pub attacked: Vec<String>,
    /// Was morale tried since half of the foes fell?
    pub tried: bool,
    /// Where it began.
    pub began: Origin,
}

/// A foe.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FoeState {
    /// As it entered.
    pub foe: Foe,
    /// Hit points now.
    pub hit_points: i64,
    /// Has it fled?
    pub fled: bool,
    /// Where its health last changed.
    pub changed: Origin,
}

/// A combat that is over.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CombatEnd {
    /// How it ended.
    pub outcome: CombatOutcome,
    /// Rounds that it took.
    pub rounds: u32,
    /// Where it ended.
    pub ended: Origin,
}

impl FoeState {
    /// Can it still act?
    pub fn stands(&self) -> bool {
        self.hit_points > 0 && !self.fled
    }
}

impl Combat {
    /// The foe with this id or name, in any case.
    pub fn foe(&self, name: &str) -> Option<&FoeState> {
        let wanted = name.trim();
        let by_id = self.foes.iter().find(|foe| foe.foe.id.eq_ignore_ascii_case(wanted));
        // Of several with the same name, the first that stands.
        let by_name = || {
            let mut named = self.foes.iter().filter(|foe| foe.foe.name.eq_ignore_ascii_case(wanted));
            let first = named.clone().next();
            named.find(|foe| foe.stands()).or(first)
        };
        by_id.or_else(by_name)
    }

    /// The foes who can still act.
    pub fn standing(&self) -> impl Iterator<Item = &FoeState> {
        self.foes.iter().filter(|foe| foe.stands())
    }
}

impl State {
    /// The players whose characters can act: alive, and here.
    pub fn able(&self) -> impl Iterator<Item = Seat> {
        let able = |(seat, character): (&Seat, &super::Character)| {
            (character.stands() && !character.conditions.contains_key(ABSENT)).then_some(*seat)
        };
        self.characters.iter().filter_map(able)
    }
}

/// The condition of a character who is elsewhere: it cannot join in, and hears nothing of dialogues.
pub const ABSENT: &str = "absent";
