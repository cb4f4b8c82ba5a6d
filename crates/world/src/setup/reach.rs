//! Difficulties and thresholds that nobody can reach under the rules of the campaign.

use super::Step::{At, Key};
use super::finding::Notes;
use super::rules::Success;
use super::{EncounterSpec, Setup};

/// What is added to the modifier of an ability when somebody notices a thing without trying.
const PASSIVE: i64 = 10;

/// Notes each check and each reveal of an encounter that no legal character can manage.
pub(super) fn note(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    let rules = &setup.rules;
    let (worst, best) = rules.modifiers();
    let check = &rules.pack.check;
    let named: Vec<String> =
        check.difficulties.iter().map(|(name, difficulty)| format!("{name} is {difficulty}")).collect();
    let named = if named.is_empty() { String::new() } else { format!("; here {}", named.join(", ")) };
    // What is wrong with the dice themselves is told of where the pack is read.
    if let Some((lowest, highest)) = rules.check_dice() {
        let (limit, modifier, edge, word) = match check.success {
            Success::TotalAtLeastDifficulty => (highest + i64::from(best), best, "highest", "most"),
            Success::TotalAtMostDifficulty => (lowest + i64::from(worst), worst, "lowest", "least"),
        };
        for (place, one) in encounter.checks.iter().enumerate() {
            let difficulty = i64::from(one.difficulty);
            let is_out_of_reach = match check.success {
                Success::TotalAtLeastDifficulty => difficulty > limit,
                Success::TotalAtMostDifficulty => difficulty < limit,
            };
            if is_out_of_reach {
                let message = format!(
                    "nobody can pass the check {:?}: its difficulty is {difficulty}, and the {edge} total is {limit} ({} with a modifier of {modifier:+})",
                    one.name, check.dice
                );
                let help = format!("write at {word} {limit}{named}");
                notes.warning("out_of_reach", &[Key("check"), At(place), Key("difficulty")], message, help);
            }
        }
    }
    let most = PASSIVE + i64::from(best);
    for (place, one) in encounter.reveals.iter().enumerate() {
        if i64::from(one.threshold) > most {
            let message = format!(
                "nobody can notice this: the threshold is {}, and the highest passive score is {most} ({PASSIVE} and a modifier of {best:+})",
                one.threshold
            );
            let help = format!("write at most {most}");
            notes.warning("out_of_reach", &[Key("reveal"), At(place), Key("threshold")], message, help);
        }
    }
}
