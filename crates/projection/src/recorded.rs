//! The events that are only recorded, each as a sentence for `log`, `why` and a report.

use twicetold_event::family::{Calls, Encounter, Family, Foreign, People, SessionZero, Speech, Table, Tools};
use twicetold_event::{
    ClosedBy, CutRule, Ending, Event, ForeignPart, MarkerFault, Provenance, Purpose, Seat, TurnEnd,
};

use crate::people::{after_giving_up, chosen, kept, observed, why_over, why_paused};

/// One sentence about an event that is only recorded; none for one that the table is told of, for which `describe` or the
/// event's own text has the words.
pub fn recorded(event: &Event) -> Option<String> {
    match event.family() {
        Family::Table(word) => Some(table(word)),
        Family::Calls(word) => calls(word),
        Family::Speech(word) => speech(word),
        Family::SessionZero(word) => session_zero(word),
        Family::Tools(word) => tools(word),
        Family::Encounter(word) => encounter(word),
        Family::People(word) => people(word),
        Family::Foreign(word) => Some(foreign(word)),
        Family::Unknown(word) => {
            Some(format!("a later build wrote this; its type {} is not known to this one", word.kind))
        }
        Family::Dialogue(_)
        | Family::Facts(_)
        | Family::Characters(_)
        | Family::Combat(_)
        | Family::Party(_) => None,
    }
}

fn table(word: Table<'_>) -> String {
    match word {
        Table::CampaignOpened(word) => format!("the campaign is opened for {} players", word.players),
        Table::CampaignPaused(word) => {
            format!("the campaign is paused: {}", why_paused(word.fault, &word.reason))
        }
        Table::CampaignResumed(_) => "the campaign is resumed".to_owned(),
        Table::CampaignEnded(word) => {
            format!("the campaign is over: {} ({})", ending(word.ending), why_over(&word.reason))
        }
        Table::CharterAmended(word) => format!("{} is replaced", word.path),
        Table::SeatTaken(word) => format!("{} takes the seat of {}", word.person, who(word.seat)),
        Table::SeatReleased(word) => format!("the seat of {} is returned to its model", who(word.seat)),
        Table::CampaignForked(word) => {
            let seed = word.seed.map_or_else(String::new, |seed| format!(", with the seed {seed}"));
            format!("a branch of {:.8} begins at {}{seed}", word.parent, word.at)
        }
        Table::TurnBegan(word) => format!("turn {} of {}", word.turn, who(word.seat)),
        Table::TurnEnded(word) => format!("turn {} is over: {}", word.turn, turn_end(word.why)),
        Table::SpeakerChosen(word) => format!("{} is next: {}", who(word.seat), chosen(word)),
        Table::StateDigested(word) => format!("the state has the digest {:.12}…", word.digest),
    }
}

fn calls(word: Calls<'_>) -> Option<String> {
    Some(match word {
        Calls::CallWithdrawn(word) => format!("{} is cancelled and will be requested again", word.call),
        Calls::HistoryShortened(word) => {
            let (call, seat, bytes) = (word.call, who(word.seat), word.bytes);
            format!(
                "{call} was too long for its model and is requested again; {seat} sees at most {bytes} bytes of history from now on"
            )
        }
        Calls::ModelCallRequested(word) => {
            let (seat, tokens) = (who(word.seat), word.tokens);
            format!("{} to {seat} for {}, about {tokens} tokens", word.call, purpose(word.purpose))
        }
        Calls::RetryScheduled(word) => {
            format!("{} failed: {}; attempt {} follows", word.call, word.fault.describe(), word.attempt)
        }
        Calls::CallAbandoned(word) => {
            let (call, fault, then) = (word.call, word.fault.describe(), after_giving_up(word.fault));
            format!("{call} failed for the last time: {fault}; {then}")
        }
        Calls::ReplyIgnored(word) => {
            let pending = match word.pending {
                Some(pending) => format!("{pending} is pending"),
                None => "no call was pending".to_owned(),
            };
            format!("the reply to {} is ignored: {pending}", word.call)
        }
        Calls::ReplyRejected(_) => return None,
    })
}

fn speech(word: Speech<'_>) -> Option<String> {
    match word {
        Speech::SummaryWritten(word) => {
            let by = if word.fallback { "by rule" } else { "by the memory agent" };
            Some(format!("messages {} to {} are summarised {by}", word.from, word.to))
        }
        Speech::SpeechCut(word) if word.rule == CutRule::Unfinished => {
            let bytes = word.values.get("bytes").unwrap_or_default();
            Some(format!("the reply was stopped; {bytes} bytes of a sentence without its end are not spoken"))
        }
        Speech::SpeechCut(word) if word.rule == CutRule::Repeats => {
            let bytes = word.values.get("bytes").unwrap_or_default();
            Some(format!("the reply says the same over and over; {bytes} bytes of it are not spoken"))
        }
        Speech::SpeechCut(word) if word.rule == CutRule::Copied => {
            let bytes = word.values.get("bytes").unwrap_or_default();
            Some(format!("{bytes} bytes of the reply are copied from its prompt and not spoken"))
        }
        Speech::SpeechCut(word) if word.rule == CutRule::CallText => {
            let bytes = word.values.get("bytes").unwrap_or_default();
            Some(format!("{bytes} bytes of the reply are the text of a tool call and not spoken"))
        }
        Speech::SpeechCut(word) if word.rule == CutRule::EndMark => {
            let bytes = word.values.get("bytes").unwrap_or_default();
            Some(format!("{bytes} bytes of the reply stand behind a mark that ends it and are not spoken"))
        }
        Speech::MessageSpoken(_) | Speech::SpeechCut(_) | Speech::NudgeGiven(_) => None,
    }
}

fn session_zero(word: SessionZero<'_>) -> Option<String> {
    Some(match word {
        SessionZero::PhaseClosed(word) => {
            let (phase, by, rounds) = (word.phase.name(), closed_by(word.by), word.rounds);
            format!("the {phase} phase is closed {by}, after {rounds} rounds")
        }
        SessionZero::MarkerIgnored(word) => {
            format!("{:?} by {} does not count: {}", word.phrase, who(word.seat), marker_fault(word.why))
        }
        SessionZero::ScenarioSet(word) => format!("the scenario is set{}", provenance(&word.origin)),
        SessionZero::PartyDocumentUpdated(word) => {
            let (section, version) = (word.section.name(), word.version);
            format!("section {section} of the party document: version {version}{}", provenance(&word.origin))
        }
        SessionZero::PhaseBegan(_)
        | SessionZero::MarkerRejected(_)
        | SessionZero::CharacterAccepted(_)
        | SessionZero::CharacterRejected(_) => return None,
    })
}

fn tools(word: Tools<'_>) -> Option<String> {
    Some(match word {
        Tools::ToolAccepted(word) => format!("{} was accepted", word.tool),
        Tools::ToolRejected(word) => {
            let observed = observed(&word.rule, &word.values);
            format!("{} was rejected by {}: {observed}", word.tool, word.rule)
        }
        Tools::RulesLookedUp(word) => format!("reads {}", word.path),
        Tools::MoveChosen(word) => match word.tool.as_str() {
            "" => format!("chooses {:?}", word.key),
            tool if word.complete => format!("chooses {:?}, which is a call of {tool}", word.key),
            tool => format!("chooses {:?}, which wants words for {tool}", word.key),
        },
        Tools::EvidenceCited(word) => {
            let labels = word.evidence.iter().map(|one| one.label.to_string());
            match (labels.collect::<Vec<_>>().join(", "), word.supported) {
                (labels, true) => format!("points to evidence {labels}"),
                (labels, false) if labels.is_empty() => "points to nothing that happened".into(),
                (labels, false) => format!("points to evidence {labels} and to what did not happen"),
            }
        }
        Tools::DiceRolled(_)
        | Tools::AbilityChecked(_)
        | Tools::RulesSearched(_)
        | Tools::MemoryQueried(_)
        | Tools::CampaignQueried(_)
        | Tools::ItemUsed(_) => return None,
    })
}

fn encounter(word: Encounter<'_>) -> Option<String> {
    match word {
        Encounter::EncounterBegan(word) => {
            let draws = word.draws.iter().map(|draw| format!("{} is {}", draw.key, draw.value));
            let draws = draws.collect::<Vec<_>>().join(", ");
            let drawn = if draws.is_empty() { draws } else { format!("; drawn by the seed: {draws}") };
            Some(format!("the encounter {} begins{drawn}", word.encounter))
        }
        Encounter::DetailRevealed(_)
        | Encounter::GoalRegistered(_)
        | Encounter::EncounterResolved(_)
        | Encounter::EncounterUnresolved(_)
        | Encounter::EncounterFailed(_) => None,
        Encounter::FailureStruck(word) => {
            Some(format!("what must not happen has happened ({}): {}", why_over(&word.reason), word.label))
        }
    }
}

fn people(word: People<'_>) -> Option<String> {
    match word {
        People::NpcProfileKept(word) => {
            Some(format!("the profile of {} stays as it was: {}", word.npc, kept(&word.reason)))
        }
        People::CharacterCreated(_)
        | People::SupportingNpcCreated(_)
        | People::SupportingNpcUpdated(_)
        | People::NpcProfiled(_)
        | People::NpcStatusChanged(_)
        | People::NpcHitPointsChanged(_)
        | People::NpcConditionAdded(_)
        | People::NpcConditionRemoved(_)
        | People::TrustChanged(_)
        | People::FeelingChanged(_)
        | People::FeelingExpired(_)
        | People::NpcRemembered(_) => None,
    }
}

fn foreign(word: Foreign<'_>) -> String {
    match word {
        Foreign::ForeignOpened(word) => {
            let parts: Vec<&str> = word.parts.iter().map(|part| foreign_part(*part)).collect();
            let told = if parts.is_empty() { "text only".to_owned() } else { parts.join(", ") };
            format!("{} is read as {}; it tells of {told}", word.file, word.format)
        }
        Foreign::ForeignSpoke(word) => format!("{}: {}", word.speaker, word.text),
        Foreign::ForeignCalled(word) => format!("{} calls {}: {}", word.speaker, word.tool, word.arguments),
        Foreign::ForeignAnswered(word) => match word.failed {
            Some(true) => format!("a tool fails: {}", word.text),
            _ => format!("a tool answers: {}", word.text),
        },
        Foreign::ForeignRolled(word) => {
            let total = word.roll.total.map_or_else(String::new, |total| format!(": {total}"));
            format!("{} tells of dice, {}{total}", word.speaker, word.roll.dice)
        }
        Foreign::ForeignPassedOver(word) => {
            format!("passed over, {} times: {} ({})", word.times, word.what, word.why)
        }
    }
}

/// A seat as it is spoken of.
fn who(seat: Seat) -> String {
    match seat {
        Seat::Memory => "the memory agent".to_owned(),
        seat => seat.to_string(),
    }
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "all encounters are over",
        Ending::TurnLimit => "the limit of turns was reached",
        Ending::CallLimit => "the limit of model calls was reached",
        Ending::TokenLimit => "the limit of tokens was reached",
        Ending::ModelUnavailable => "model calls failed again and again",
        Ending::PartyLost => "nobody of the party is left alive",
    }
}

fn turn_end(why: TurnEnd) -> &'static str {
    match why {
        TurnEnd::Spoken => "the seat has spoken",
        TurnEnd::Tool => "a tool was used that ends a reply",
        TurnEnd::RoundLimit => "its tool rounds were used up",
        TurnEnd::Unusable => "the replies could not be used",
        TurnEnd::Abandoned => "the call was given up",
    }
}

fn purpose(purpose: Purpose) -> String {
    match purpose {
        Purpose::SessionZero => "a turn of Session Zero".to_owned(),
        Purpose::Play => "a turn".to_owned(),
        Purpose::Summary { from, to } => format!("a summary of messages {from} to {to}"),
        Purpose::Dialogue => "a turn of a dialogue".to_owned(),
        Purpose::DialogueSummary { dialogue } => format!("a summary of dialogue {dialogue}"),
        Purpose::Profile { .. } => "a profile of a character".to_owned(),
    }
}

fn closed_by(by: ClosedBy) -> &'static str {
    match by {
        ClosedBy::Marker => "by the DM's marker",
        ClosedBy::RoundLimit => "at its limit of rounds",
        ClosedBy::NothingMissing => "when nothing was missing any more",
    }
}

fn marker_fault(fault: MarkerFault) -> &'static str {
    match fault {
        MarkerFault::NotTheDm => "only the DM closes a phase",
        MarkerFault::WrongPhase => "it does not close this phase",
        MarkerFault::Quoted => "the marker is inside quotation marks or code",
        MarkerFault::SecondInMessage => "a message can close only one phase",
    }
}

fn provenance(origin: &Provenance) -> String {
    match origin {
        Provenance::Reply(call) => format!(", written in the answer to {call}"),
        Provenance::Charter => ", taken from the charter".to_owned(),
        Provenance::Derived => ", built by the referee from the pitch messages".to_owned(),
        Provenance::Pregenerated => ", drawn by the seed".to_owned(),
        Provenance::Tool(call) => format!(", changed in the answer to {call}"),
        Provenance::Carried => ", brought along from an earlier campaign".to_owned(),
    }
}

fn foreign_part(part: ForeignPart) -> &'static str {
    match part {
        ForeignPart::Calls => "tool calls",
        ForeignPart::Rolls => "dice",
        ForeignPart::Usage => "tokens",
        ForeignPart::Audience => "who could hear what",
    }
}

#[cfg(test)]
mod tests {
    use twicetold_event::samples;

    use super::*;

    /// A word with a capital letter behind a small one: the name of a type or of one of its values.
    fn is_name_of_code(word: &str) -> bool {
        word.chars().zip(word.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase())
    }

    #[test]
    fn no_event_is_worded_in_the_names_of_the_code() {
        let mut worded = 0;
        for event in samples::events() {
            // What another program wrote is shown as it stands.
            if matches!(event, Event::ForeignCalled(_) | Event::ForeignAnswered(_)) {
                continue;
            }
            let Some(text) = recorded(&event) else { continue };
            for form in ["::", "Some(", "None", "{", "_("] {
                assert!(!text.contains(form), "{}: {text}", event.name());
            }
            assert!(
                !text.split(|c: char| !c.is_alphanumeric()).any(is_name_of_code),
                "{}: {text}",
                event.name()
            );
            assert!(text.len() > 8, "{}: {text:?}", event.name());
            worded += 1;
        }
        assert!(worded > 60, "{worded}");
    }
}
