//! Combat: who fights, in which order, what every blow did, and how it ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{combat_outcomes, each};
use crate::{Check, Event};

family! {
    ($) combat
    /// Combats.
    Combat {
        210 v 1 CombatBegan: all, story, [];
        211 v 1 CombatTurnBegan: all, story, [];
        212 v 1 AttackMade: all, story, [];
        213 v 1 FoeHitPointsChanged: all, story, [];
        214 v 1 SavingThrowMade: all, story, [];
        215 v 1 MoraleChecked: all, story, [];
        216 v 1 CombatEnded: all, story, [];
        217 v 1 SpellCast: all, story, [];
    }
}

/// Somebody whom the party fights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Foe {
    /// Unique in the combat, for example `marsh-wolf-2`.
    pub id: String,
    /// What people read.
    pub name: String,
    /// Id of its monster in the rules pack; empty when it fights by the pack's rule for people.
    pub monster: String,
    /// Id of the DM's character that it is; empty when it is nobody in particular.
    pub npc: String,
    /// Armour class.
    pub armor_class: i32,
    /// Hit points at the start.
    pub hit_points: i64,
    /// What its morale dice must not exceed.
    pub morale: i32,
}

/// A place in the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Initiative {
    /// A character's name or a foe's id.
    pub combatant: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// With the modifier.
    pub total: i32,
}

/// A combat began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CombatBegan {
    /// The foes.
    pub foes: Vec<Foe>,
    /// Everybody who fights, in the order of play.
    pub order: Vec<Initiative>,
}

/// It is somebody's turn in a combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CombatTurnBegan {
    /// Round, counted from 1.
    pub round: u32,
    /// A character's name, or the ids of the foes who act together.
    pub combatants: Vec<String>,
}

/// Somebody attacked; the wound, if any, follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttackMade {
    /// A character's name or a foe's id.
    pub attacker: String,
    /// The same.
    pub target: String,
    /// The weapon, spell or natural attack.
    pub with: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// Added to them.
    pub bonus: i32,
    /// Faces and bonus.
    pub total: i32,
    /// What had to be reached, or not exceeded, as the pack has it.
    pub needed: i32,
    /// Did it hit?
    pub hit: bool,
    /// The damage dice; empty after a miss.
    pub damage_dice: String,
    /// What they showed.
    pub damage_faces: Vec<u16>,
    /// Their sum with all modifiers, at least 1 after a hit.
    pub damage: i64,
}

/// A foe's hit points changed, within their limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoeHitPointsChanged {
    /// Id in the combat.
    pub foe: String,
    /// The change that was asked for.
    pub asked: i64,
    /// The change that was made.
    pub applied: i64,
    /// Hit points now.
    pub now: i64,
}

/// A character tried to withstand something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavingThrowMade {
    /// A character's name or a foe's id.
    pub combatant: String,
    /// The ability.
    pub ability: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// The modifier.
    pub modifier: i32,
    /// Faces and modifier.
    pub total: i32,
    /// What had to be reached.
    pub difficulty: i32,
    /// Was it?
    pub success: bool,
    /// Against what.
    pub reason: String,
}

/// A character cast a spell; what it did follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpellCast {
    /// Who.
    pub character: String,
    /// Id of the spell in the rules pack.
    pub spell: String,
    /// On whom: a character's name or a foe's id.
    pub target: String,
}

/// A foe's courage was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoraleChecked {
    /// Id in the combat.
    pub foe: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// Their sum.
    pub total: i32,
    /// What they must not exceed.
    pub morale: i32,
    /// Does it fight on?
    pub stays: bool,
}

/// How a combat ended. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CombatOutcome {
    /// No foe is left standing.
    Victory,
    /// No character is left standing.
    Defeat,
    /// The foes gave up or ran.
    FoesFled,
    /// The party got away.
    PartyFled,
    /// Both sides stopped.
    Truce,
    /// The last round was over and nobody had won.
    BrokenOff,
}

impl CombatOutcome {
    /// Every outcome.
    pub const ALL: [CombatOutcome; 6] = [
        CombatOutcome::Victory,
        CombatOutcome::Defeat,
        CombatOutcome::FoesFled,
        CombatOutcome::PartyFled,
        CombatOutcome::Truce,
        CombatOutcome::BrokenOff,
    ];

    /// Its name as tools write it.
    pub fn name(self) -> &'static str {
        match self {
            CombatOutcome::Victory => "victory",
            CombatOutcome::Defeat => "defeat",
            CombatOutcome::FoesFled => "foes_fled",
            CombatOutcome::PartyFled => "party_fled",
            CombatOutcome::Truce => "truce",
            CombatOutcome::BrokenOff => "broken_off",
        }
    }
}

/// A combat ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CombatEnded {
    /// How.
    pub outcome: CombatOutcome,
    /// Rounds that it took.
    pub rounds: u32,
    /// What ended it.
    pub reason: Check,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let wolf = || String::from("marsh-wolf-2");
    let foe = Foe {
        id: wolf(),
        name: "Marsh wolf".into(),
        monster: "marsh-wolf".into(),
        npc: "old-mara".into(),
        armor_class: 200,
        hit_points: 200,
        morale: 7,
    };
    let place = Initiative {
        combatant: wolf(),
        stream: "foe:marsh-wolf-2 initiative".into(),
        counter: 7,
        faces: vec![4, 300],
        total: -2,
    };
    let mut events = vec![
        CombatBegan { foes: vec![foe], order: vec![place] }.into(),
        CombatTurnBegan { round: 3, combatants: vec![wolf(), "marsh-wolf-3".into()] }.into(),
        AttackMade {
            attacker: "Brannoc".into(),
            target: wolf(),
            with: "Spear".into(),
            stream: "player-2 attack".into(),
            counter: 8,
            faces: vec![11, 300],
            bonus: -1,
            total: 16,
            needed: 13,
            hit: true,
            damage_dice: "1d6+1".into(),
            damage_faces: vec![5, 300],
            damage: 200,
        }
        .into(),
        SpellCast { character: "Brannoc".into(), spell: "kindle".into(), target: wolf() }.into(),
        FoeHitPointsChanged { foe: wolf(), asked: -30, applied: -7, now: 200 }.into(),
        SavingThrowMade {
            combatant: "Brannoc".into(),
            ability: "WIT".into(),
            stream: "player-2 save WIT".into(),
            counter: 8,
            faces: vec![11, 300],
            modifier: -1,
            total: 16,
            difficulty: 13,
            success: true,
            reason: "the cold".into(),
        }
        .into(),
        MoraleChecked {
            foe: wolf(),
            stream: "foe:marsh-wolf-2 morale".into(),
            counter: 9,
            faces: vec![4, 300],
            total: 304,
            morale: 7,
            stays: true,
        }
        .into(),
    ];
    events.extend(each(combat_outcomes(), |outcome| CombatEnded {
        outcome,
        rounds: 3,
        reason: Check::new("no_foe_left"),
    }));
    events
}
