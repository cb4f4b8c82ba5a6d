//! Combat: whose turn it is, when courage fails, and that it always ends.

use twicetold_event::*;
use twicetold_tool::combat::morale;

use crate::Campaign;

impl Campaign {
    /// The next who acts in the combat being fought; false when it is over, so that the story goes on.
    pub(crate) fn next_in_combat(&mut self) -> bool {
        if self.end_combat_if_decided() {
            return false;
        }
        self.try_morale();
        if self.end_combat_if_decided() {
            return false;
        }
        let Some((round, combatants)) = self.next_combatants() else {
            self.end_combat(CombatOutcome::BrokenOff, Check::new("nobody_able"));
            return false;
        };
        let most = self.state.setup().rules.pack.combat.rounds_max;
        if round > most {
            self.end_combat(
                CombatOutcome::BrokenOff,
                Check::new("rounds_max").with("rounds", most).with("most", most),
            );
            return false;
        }
        let seat = combatants.first().and_then(|name| self.state.character_named(name)).map(|(seat, _)| seat);
        let seat = seat.unwrap_or(Seat::Dm);
        let values = Values::default().with("round", round).with("combatants", combatants.join(", "));
        self.emit(CombatTurnBegan { round, combatants });
        self.emit(SpeakerChosen { seat, rule: SpeakerRule::Initiative, values });
        self.begin_turn(seat);
        true
    }

    /// The round and who acts next: a character, or all foes up to the next character.
    fn next_combatants(&self) -> Option<(u32, Vec<String>)> {
        let combat = self.state.combat()?;
        let able: Vec<Seat> = self.state.able().collect();
        let is_able = |name: &str| match combat.foe(name) {
            Some(foe) => foe.stands(),
            None => self.state.character_named(name).is_some_and(|(seat, _)| able.contains(&seat)),
        };
        let count = combat.order.len();
        let first = if combat.acting.is_empty() { 0 } else { combat.place + 1 };
        let mut acting: Vec<String> = Vec::new();
        let mut round = combat.round;
        for step in first..first + count {
            let wrapped = step >= count;
            let name = &combat.order.get(step % count)?.combatant;
            if !is_able(name) {
                continue;
            }
            // A round's end is everybody's: foes of two rounds do not act together.
            if !acting.is_empty() && wrapped && first < count {
                break;
            }
            if combat.foe(name).is_none() {
                if acting.is_empty() {
                    round += u32::from(wrapped);
                    acting.push(name.clone());
                }
                break;
            }
            if acting.is_empty() {
                round += u32::from(wrapped);
            }
            acting.push(name.clone());
        }
        (!acting.is_empty()).then_some((round, acting))
    }

    fn end_combat_if_decided(&mut self) -> bool {
        let Some(combat) = self.state.combat() else { return true };
        let fled = combat.foes.iter().filter(|foe| foe.fled).count();
        let standing = combat.standing().count();
        let able = self.state.able().count();
        let (outcome, reason) = match (standing, able) {
            (0, _) if fled > 0 => (CombatOutcome::FoesFled, "no_foe_left"),
            (0, _) => (CombatOutcome::Victory, "no_foe_left"),
            (_, 0) => (CombatOutcome::Defeat, "no_character_standing"),
            _ => return false,
        };
        self.end_combat(outcome, Check::new(reason));
        true
    }

    /// The combat being fought, if any, is over.
    pub(crate) fn end_combat(&mut self, outcome: CombatOutcome, reason: Check) {
        let Some(rounds) = self.state.combat().map(|combat| combat.round) else { return };
        self.emit(CombatEnded { outcome, rounds, reason });
    }

    /// Once, when half of the foes are down or gone, the others ask themselves whether it is worth it.
    fn try_morale(&mut self) {
        let Some(combat) = self.state.combat() else { return };
        let standing: Vec<String> = combat.standing().map(|foe| foe.foe.id.clone()).collect();
        if combat.tried || standing.len() * 2 > combat.foes.len() {
            return;
        }
        for foe in standing {
            if let Some(checked) = morale(&self.state, &foe) {
                self.emit(checked);
            }
        }
    }
}
