//! Each event in one line: what the others at the table see of it, and what a tool answers. Rendered from what was accepted.

use twicetold_event::*;
use twicetold_world::setup::Setup;

/// One line about an event, or nothing where there is nothing to tell at the table.
pub fn describe(setup: &Setup, event: &Event) -> Option<String> {
    let line = match event {
        Event::DiceRolled(word) => {
            let who = if word.character.is_empty() { "DM" } else { &word.character };
            format!(
                "[dice] {who}: {} = {} ({}), for {}",
                word.dice,
                word.total,
                faces(&word.faces),
                word.reason
            )
        }
        Event::AbilityChecked(word) => {
            let what = if word.check.is_empty() { &word.reason } else { &word.check };
            let outcome = if word.success { "success" } else { "failure" };
            let (face, bonus) = (faces(&word.faces), word.modifier);
            format!(
                "[check] {}: {what} ({}): {face}{bonus:+} = {} against {}: {outcome}",
                word.character, word.ability, word.total, word.difficulty
            )
        }
        Event::RulesLookedUp(word) => {
            let page = setup.rules.pages.get(&word.path)?;
            format!("[rules] {}\n{}", word.path, page.text(word.detail))
        }
        Event::RulesSearched(word) => {
            format!("[rules] {:?} is spoken of in {}", word.query, word.paths.join(", "))
        }
        Event::PartyDocumentUpdated(word) => match word.origin {
            Provenance::Tool(_) => {
                format!("[party document] {} now stands at version {}", word.section.name(), word.version)
            }
            _ => return None,
        },
        Event::GoalRegistered(word) => {
            let kind = if word.primary { "primary" } else { "secondary" };
            format!("[TOOL] New hidden goal registered on the fly: - {}: {} ({kind})", word.id, word.label)
        }
        Event::EncounterResolved(word) => {
            format!("[encounter] {} is resolved: {}", word.encounter, word.outcome)
        }
        Event::EncounterUnresolved(word) => {
            format!("[encounter] {} ended unresolved: {}", word.encounter, word.reason)
        }
        Event::DetailRevealed(word) => {
            format!("[noticed] {} ({} against {}): {}", word.character, word.score, word.threshold, word.text)
        }
        _ => return describe_fact(event).or_else(|| describe_table(event)),
    };
    Some(line)
}

fn describe_fact(event: &Event) -> Option<String> {
    Some(match event {
        Event::LocationChanged(word) => format!("[place] {}", word.text),
        Event::TimeOfDayChanged(word) => format!("[time] {}", word.text),
        Event::SceneChanged(word) => format!("[scene] {}", word.text),
        Event::ObjectiveSet(word) => format!("[objective] {}", word.text),
        Event::ItemAdded(word) => {
            format!("[item] {} gains {}", word.character, counted(&word.item, word.quantity))
        }
        Event::ItemRemoved(word) => {
            let asked = if word.asked == word.applied {
                String::new()
            } else {
                format!(" (asked for {})", word.asked)
            };
            format!("[item] {} loses {}{asked}", word.character, counted(&word.item, word.applied))
        }
        Event::HitPointsChanged(word) => number("hp", &word.character, word.asked, word.applied, word.now),
        Event::GoldChanged(word) => number("gold", &word.character, word.asked, word.applied, word.now),
        Event::ExperienceGained(word) => {
            number("experience", "the party", word.asked, word.applied, word.now)
        }
        Event::ConditionAdded(word) => format!("[condition] {} is {}", word.character, word.condition),
        Event::ConditionRemoved(word) => {
            format!("[condition] {} is no longer {}", word.character, word.condition)
        }
        Event::FlagSet(word) => format!("[note] {} = {}", word.flag, word.value),
        Event::FlagDeleted(word) => format!("[note] {} is struck out", word.flag),
        Event::NotableEventRecorded(word) => format!("[event] {}", word.text),
        Event::ImportantEventRecorded(word) => format!("[important] {}", word.text),
        Event::MilestoneReached(word) => format!("[milestone] {}", word.text),
        Event::QuestAdded(word) => format!("[quest] {}", word.text),
        Event::QuestCompleted(word) => format!("[quest done] {}", word.text),
        Event::NpcMet(word) => format!("[met] {}", word.name),
        _ => return None,
    })
}

fn describe_table(event: &Event) -> Option<String> {
    Some(match event {
        Event::ReplyRejected(word) => {
            format!("[table] That reply could not be used ({}): {}", word.rule, word.advice)
        }
        Event::SpeechCut(word) => match word.rule {
            CutRule::SpokeForAnother => {
                let seat = word.seat;
                format!(
                    "[table] {seat} went on in the name of {}; only {} speaks for {}.",
                    word.observed, word.observed, word.observed
                )
            }
            CutRule::TooLong => format!("[table] The message was cut ({}); say less at once.", word.observed),
        },
        Event::NudgeGiven(word) => format!("[reminder] {}", word.text),
        Event::PhaseBegan(word) if word.phase == Phase::Play => "[table] The game begins.".to_owned(),
        Event::PhaseBegan(word) => format!("[table] The {} phase begins.", word.phase.name()),
        Event::MarkerRefused(word) => {
            format!("[table] {} is not accepted yet: {}", word.phrase, word.missing.join("; "))
        }
        Event::CharacterRefused(word) => {
            format!("[table] The sheet of {} is not legal: {}", word.seat, word.reasons.join("; "))
        }
        Event::CharacterAccepted(word) => format!("[table] {} plays {}.", word.seat, word.sheet.name),
        _ => return None,
    })
}

fn faces(faces: &[u16]) -> String {
    faces.iter().map(u16::to_string).collect::<Vec<_>>().join("+")
}

fn counted(item: &str, quantity: u32) -> String {
    if quantity == 1 { item.to_owned() } else { format!("{quantity} × {item}") }
}

fn number(what: &str, who: &str, asked: i64, applied: i64, now: i64) -> String {
    let asked = if asked == applied { String::new() } else { format!(" (asked {asked:+})") };
    format!("[{what}] {who}: {applied:+}{asked}, now {now}")
}
