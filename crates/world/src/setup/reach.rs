//! Difficulties and thresholds that nobody can reach, or nobody can miss, under the rules of the campaign.

use super::Step::{At, Key};
use super::finding::Notes;
use super::rules::Success;
use super::{EncounterSpec, Setup};

/// What is added to the modifier of an ability when somebody notices a thing without trying.
const PASSIVE: i64 = 10;

/// Notes each check and each reveal of an encounter that no legal character can manage, and each check that none can fail.
pub(super) fn note(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    let rules = &setup.rules;
    let (worst, best) = rules.modifiers();
    let check = &rules.pack.check;
    let named: Vec<String> =
        check.difficulties.iter().map(|(name, difficulty)| format!("{name} is {difficulty}")).collect();
    let named = if named.is_empty() { String::new() } else { format!("; here {}", named.join(", ")) };
    // What is wrong with the dice themselves is told of where the pack is read.
    if let Some((lowest, highest)) = rules.check_dice() {
        let (lowest, highest) = (lowest + i64::from(worst), highest + i64::from(best));
        for (place, one) in encounter.checks.iter().enumerate() {
            let difficulty = i64::from(one.difficulty);
            // The difficulties that somebody can pass and somebody can fail.
            let (least, most) = match check.success {
                Success::TotalAtLeastDifficulty => (lowest + 1, highest),
                Success::TotalAtMostDifficulty => (lowest, highest - 1),
            };
            if (least..=most).contains(&difficulty) {
                continue;
            }
            let is_above = difficulty > most;
            let is_hard = is_above == matches!(check.success, Success::TotalAtLeastDifficulty);
            let (rule, does) = if is_hard { ("out_of_reach", "pass") } else { ("no_risk", "fail") };
            let (edge, total, modifier, help) = match is_above {
                true => ("highest", highest, best, format!("write at most {most}{named}")),
                false => ("lowest", lowest, worst, format!("write at least {least}{named}")),
            };
            let message = format!(
                "nobody can {does} the check {:?}: its difficulty is {difficulty}, and the {edge} total is {total} ({} with a modifier of {modifier:+})",
                one.name, check.dice
            );
            notes.warning(rule, &[Key("check"), At(place), Key("difficulty")], message, help);
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
