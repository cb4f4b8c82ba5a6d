//! The events that nobody at the table is told of, each in a sentence: what `log`, `why` and a report show of them.

use twicetold_event::*;

use crate::people::{chosen, kept, observed, why_over, why_parked};

/// One sentence about an event that is only recorded; none for one that the table is told of, for which `describe` or the
/// event's own text has the words.
pub fn recorded(event: &Event) -> Option<String> {
    Some(match event {
        Event::CampaignOpened(word) => format!("the campaign is opened for {} players", word.players),
        Event::CampaignParked(word) => {
            format!("the campaign is parked: {}", why_parked(word.fault, &word.reason))
        }
        Event::CampaignResumed(_) => "the campaign goes on".to_owned(),
        Event::CampaignEnded(word) => {
            format!("the campaign is over: {} ({})", ending(word.ending), why_over(&word.reason))
        }
        Event::CharterAmended(word) => format!("{} is replaced", word.path),
        Event::SeatTaken(word) => format!("{} takes the seat of {}", word.person, who(word.seat)),
        Event::SeatReleased(word) => format!("the seat of {} is its model's again", who(word.seat)),
        Event::CampaignForked(word) => {
            let seed = word.seed.map_or_else(String::new, |seed| format!(", with the seed {seed}"));
            format!("a branch of {:.8} begins at {}{seed}", word.parent, word.at)
        }
        Event::CallWithdrawn(word) => format!("{} is withdrawn, to be asked anew", word.call),
        Event::TurnBegan(word) => format!("turn {} of {}", word.turn, who(word.seat)),
        Event::TurnEnded(word) => format!("turn {} is over: {}", word.turn, turn_end(word.why)),
        Event::SpeakerChosen(word) => format!("{} is next: {}", who(word.seat), chosen(word)),
        Event::StateDigested(word) => format!("the state has the digest {:.12}…", word.digest),
        Event::ModelCallRequested(word) => {
            let (seat, tokens) = (who(word.seat), word.tokens);
            format!("{} to {seat} for {}, about {tokens} tokens", word.call, purpose(word.purpose))
        }
        Event::RetryScheduled(word) => {
            format!("{} failed: {}; attempt {} follows", word.call, word.fault.describe(), word.attempt)
        }
        Event::CallAbandoned(word) => {
            format!("{} is given up: {}; the turn is passed over", word.call, word.fault.describe())
        }
        Event::ReplyIgnored(word) => {
            let owed = match word.owed {
                Some(owed) => format!("{owed} was waited for"),
                None => "no call was waited for".to_owned(),
            };
            format!("an answer to {} is ignored: {owed}", word.call)
        }
        Event::SummaryWritten(word) => {
            let by = if word.fallback { "by rule" } else { "by the keeper of memory" };
            format!("messages {} to {} are summarised {by}", word.from, word.to)
        }
        Event::PhaseClosed(word) => {
            format!(
                "the {} phase is closed {}, after {} rounds",
                word.phase.name(),
                closed_by(word.by),
                word.rounds
            )
        }
        Event::MarkerIgnored(word) => {
            format!("{:?} by {} does not count: {}", word.phrase, who(word.seat), marker_fault(word.why))
        }
        Event::ScenarioSet(word) => format!("the scenario is set{}", provenance(&word.origin)),
        Event::PartyDocumentUpdated(word) => {
            let (section, version) = (word.section.name(), word.version);
            format!("{section} of the party document stand at version {version}{}", provenance(&word.origin))
        }
        Event::ToolAccepted(word) => format!("{} was let through", word.tool),
        Event::ToolRejected(word) => {
            let observed = observed(&word.rule, &word.values);
            format!("{} was rejected by {}: {observed}", word.tool, word.rule)
        }
        Event::RulesLookedUp(word) => format!("reads {}", word.path),
        Event::EncounterBegan(word) => {
            let draws = word.draws.iter().map(|draw| format!("{} is {}", draw.key, draw.value));
            let draws = draws.collect::<Vec<_>>().join(", ");
            let drawn = if draws.is_empty() { draws } else { format!("; drawn by the seed: {draws}") };
            format!("the encounter {} begins{drawn}", word.encounter)
        }
        Event::NpcProfileKept(word) => {
            format!("the profile of {} stays as it was: {}", word.npc, kept(&word.reason))
        }
        Event::ForeignOpened(word) => {
            let parts: Vec<&str> = word.parts.iter().map(|part| foreign_part(*part)).collect();
            let told = if parts.is_empty() { "words alone".to_owned() } else { parts.join(", ") };
            format!("{} is read as {}; it tells of {told}", word.file, word.format)
        }
        Event::ForeignSpoke(word) => format!("{}: {}", word.speaker, word.text),
        Event::ForeignCalled(word) => format!("{} calls {}: {}", word.speaker, word.tool, word.arguments),
        Event::ForeignAnswered(word) => match word.failed {
            Some(true) => format!("a tool fails: {}", word.text),
            _ => format!("a tool answers: {}", word.text),
        },
        Event::Unknown(word) => {
            format!("a later build wrote this; its type {} is not known to this one", word.kind)
        }
        Event::ReplyRejected(_)
        | Event::MessageSpoken(_)
        | Event::SpeechCut(_)
        | Event::NudgeGiven(_)
        | Event::DialogueBegan(_)
        | Event::DialogueJoined(_)
        | Event::DialogueEnded(_)
        | Event::DialogueSummarised(_)
        | Event::FactLearned(_)
        | Event::PhaseBegan(_)
        | Event::MarkerRejected(_)
        | Event::CharacterAccepted(_)
        | Event::CharacterRejected(_)
        | Event::DiceRolled(_)
        | Event::AbilityChecked(_)
        | Event::RulesSearched(_)
        | Event::MemoryQueried(_)
        | Event::CampaignQueried(_)
        | Event::DetailRevealed(_)
        | Event::GoalRegistered(_)
        | Event::EncounterResolved(_)
        | Event::EncounterUnresolved(_)
        | Event::LocationChanged(_)
        | Event::TimeOfDayChanged(_)
        | Event::SceneChanged(_)
        | Event::ObjectiveSet(_)
        | Event::ItemAdded(_)
        | Event::ItemRemoved(_)
        | Event::HitPointsChanged(_)
        | Event::GoldChanged(_)
        | Event::ExperienceGained(_)
        | Event::ConditionAdded(_)
        | Event::ConditionRemoved(_)
        | Event::FlagSet(_)
        | Event::FlagDeleted(_)
        | Event::NotableEventRecorded(_)
        | Event::ImportantEventRecorded(_)
        | Event::MilestoneReached(_)
        | Event::QuestAdded(_)
        | Event::QuestCompleted(_)
        | Event::NpcMet(_)
        | Event::ItemExchanged(_)
        | Event::ItemUsed(_)
        | Event::CharacterCreated(_)
        | Event::SupportingNpcCreated(_)
        | Event::SupportingNpcUpdated(_)
        | Event::NpcProfiled(_)
        | Event::NpcStatusChanged(_)
        | Event::NpcHitPointsChanged(_)
        | Event::NpcConditionAdded(_)
        | Event::NpcConditionRemoved(_)
        | Event::TrustChanged(_)
        | Event::FeelingChanged(_)
        | Event::FeelingExpired(_)
        | Event::NpcRemembered(_)
        | Event::CombatBegan(_)
        | Event::CombatTurnBegan(_)
        | Event::AttackMade(_)
        | Event::FoeHitPointsChanged(_)
        | Event::SavingThrowMade(_)
        | Event::MoraleChecked(_)
        | Event::CombatEnded(_)
        | Event::SpellCast(_)
        | Event::PartyCarried(_)
        | Event::NpcCarried(_) => return None,
    })
}

/// A seat as it is spoken of.
fn who(seat: Seat) -> String {
    match seat {
        Seat::Memory => "the keeper of memory".to_owned(),
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
    }
}

fn turn_end(why: TurnEnd) -> &'static str {
    match why {
        TurnEnd::Spoken => "the reply asked for nothing more",
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
    }
}

fn marker_fault(fault: MarkerFault) -> &'static str {
    match fault {
        MarkerFault::NotTheDm => "only the DM closes a phase",
        MarkerFault::WrongPhase => "it does not close this phase",
        MarkerFault::Quoted => "it stands inside quotation marks or code",
        MarkerFault::SecondInMessage => "one message closes one phase",
    }
}

fn provenance(origin: &Provenance) -> String {
    match origin {
        Provenance::Reply(call) => format!(", written in the answer to {call}"),
        Provenance::Charter => ", taken from the charter".to_owned(),
        Provenance::Derived => ", made by rule from what was pitched".to_owned(),
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
