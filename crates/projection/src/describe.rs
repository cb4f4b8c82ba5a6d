//! Each event in one line: what the others at the table see of it, and what a tool answers. Rendered from what was accepted.

use twicetold_event::*;
use twicetold_world::State;

use crate::people::{advice, answer, observed, otherwise, page as words_of};
use crate::{Replies, words};

/// One line about an event, or nothing where there is nothing to tell at the table.
pub fn describe(state: &State, replies: &dyn Replies, event: &Event) -> Option<String> {
    line(state, replies, event).map(otherwise)
}

fn line(state: &State, replies: &dyn Replies, event: &Event) -> Option<String> {
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
            let page = state.setup().rules.pages.get(&word.path)?;
            format!("[rules] {}\n{}", word.path, words_of(page, word.detail))
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
        Event::MemoryQueried(word) => format!("[memory] {}", answer(&word.answer)),
        Event::CampaignQueried(word) => format!("[campaign] {}", answer(&word.answer)),
        _ => {
            return describe_fact(event)
                .or_else(|| describe_person(state, replies, event))
                .or_else(|| describe_combat(state, event))
                .or_else(|| describe_table(event));
        }
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

/// What an NPC is called.
fn called(state: &State, id: &str) -> String {
    state.npcs().get(id).map_or_else(|| id.to_owned(), |npc| npc.name.clone())
}

fn describe_person(state: &State, replies: &dyn Replies, event: &Event) -> Option<String> {
    let name = |id: &String| called(state, id);
    Some(match event {
        Event::MessageSpoken(MessageSpoken { channel: Channel::Whisper(from, to), text, .. }) => {
            let (from, to) = (state.seat_name(*from), state.seat_name(*to));
            format!("[whisper] {from} to {to}: {}", words(replies, text))
        }
        Event::DialogueBegan(word) => {
            format!("[dialogue] {} and {} talk apart", state.seat_name(word.seat), name(&word.npc))
        }
        Event::DialogueJoined(word) => format!("[dialogue] {} joins in", state.seat_name(word.seat)),
        Event::DialogueEnded(word) => {
            let why = match word.why {
                DialogueEnd::Tool => "",
                DialogueEnd::ExchangeLimit => "; it has gone on long enough",
                DialogueEnd::EncounterOver => "; the encounter is over",
            };
            format!("[dialogue] The talk with {} is over{why}", name(&word.npc))
        }
        Event::DialogueSummarised(word) => {
            format!("[dialogue] Of the talk with {}: {}", name(&word.npc), words(replies, &word.text).trim())
        }
        Event::FactLearned(word) => {
            format!("[learned] {} now knows: {}", name(&word.npc), words(replies, &word.text).trim())
        }
        Event::ItemExchanged(word) => {
            let who = |holder: &Holder| match holder {
                Holder::Character(name) => name.clone(),
                Holder::Npc(id) => called(state, id),
            };
            let item = counted(&word.item, word.quantity);
            format!("[item] {} gives {item} to {}", who(&word.giver), who(&word.receiver))
        }
        Event::ItemUsed(word) => {
            let spent = if word.spent { ", which is used up" } else { "" };
            let effect = if word.effect.is_empty() { String::new() } else { format!(": {}", word.effect) };
            format!("[item] {} uses {}{spent}{effect}", word.character, word.item)
        }
        Event::CharacterCreated(word) => {
            format!("[new] {} ({}), id {}", word.name, word.archetype.name().replace('_', " "), word.npc)
        }
        Event::SupportingNpcCreated(word) => {
            format!("[new] {} ({}), id {}", word.name, word.role.name().replace('_', " "), word.npc)
        }
        Event::SupportingNpcUpdated(word) => {
            format!("[known] {} ({}): {}", name(&word.npc), word.role.name().replace('_', " "), word.context)
        }
        Event::NpcProfiled(word) => {
            format!("[profile] {}: {} {}", name(&word.npc), word.appearance, word.personality)
        }
        Event::NpcStatusChanged(word) => format!("[status] {} is {}", name(&word.npc), word.status.name()),
        Event::NpcHitPointsChanged(word) => {
            number("hp", &name(&word.npc), word.asked, word.applied, word.now)
        }
        Event::NpcConditionAdded(word) => format!("[condition] {} is {}", name(&word.npc), word.condition),
        Event::NpcConditionRemoved(word) => {
            format!("[condition] {} is no longer {}", name(&word.npc), word.condition)
        }
        Event::TrustChanged(word) => number("trust", &name(&word.npc), word.asked, word.applied, word.now),
        Event::FeelingChanged(word) => {
            let turns = word.turns.map_or_else(String::new, |turns| format!(" for {turns} turns"));
            format!("[feeling] {}: {} {}{turns}", name(&word.npc), word.feeling, word.now)
        }
        Event::FeelingExpired(word) => {
            format!("[feeling] {} feels no {} any more", name(&word.npc), word.feeling)
        }
        Event::NpcRemembered(word) => format!("[remembers] {}: {}", name(&word.npc), word.text),
        Event::PartyCarried(word) => format!("[party] It comes from {:?}.", word.title),
        Event::NpcCarried(word) => format!("[party] {} is known to it.", word.name),
        _ => return None,
    })
}

fn describe_combat(state: &State, event: &Event) -> Option<String> {
    let name = |id: &String| {
        let foe = state.combat().and_then(|combat| combat.foe(id));
        foe.map_or_else(|| id.clone(), |foe| foe.foe.name.clone())
    };
    Some(match event {
        Event::CombatBegan(word) => {
            let foes: Vec<String> =
                word.foes.iter().map(|foe| format!("{} ({})", foe.name, foe.id)).collect();
            let order: Vec<&str> = word.order.iter().map(|place| place.combatant.as_str()).collect();
            format!("[combat] Against {}. Order: {}", foes.join(", "), order.join(", "))
        }
        Event::CombatTurnBegan(word) => {
            format!("[combat] Round {}: {}", word.round, word.combatants.join(", "))
        }
        Event::AttackMade(word) => {
            let (who, whom) = (name(&word.attacker), name(&word.target));
            let outcome = match word.hit {
                true => {
                    format!("hits for {} ({} {})", word.damage, word.damage_dice, faces(&word.damage_faces))
                }
                false => "misses".to_owned(),
            };
            let (face, bonus) = (faces(&word.faces), word.bonus);
            let sum = format!("{face}{bonus:+} = {} against {}", word.total, word.needed);
            format!("[attack] {who} against {whom} with {}: {sum}: {outcome}", word.with)
        }
        Event::FoeHitPointsChanged(word) => {
            number("hp", &name(&word.foe), word.asked, word.applied, word.now)
        }
        Event::SavingThrowMade(word) => {
            let outcome = if word.success { "success" } else { "failure" };
            let (face, bonus) = (faces(&word.faces), word.modifier);
            let (who, ability, reason) = (name(&word.combatant), &word.ability, &word.reason);
            let sum = format!("{face}{bonus:+} = {} against {}", word.total, word.difficulty);
            format!("[save] {who}: {reason} ({ability}): {sum}: {outcome}")
        }
        Event::SpellCast(word) => {
            let spell = state.setup().rules.spell(&word.spell);
            let spell = spell.map_or(word.spell.as_str(), |spell| &spell.name);
            format!("[spell] {} casts {spell} on {}", word.character, name(&word.target))
        }
        Event::MoraleChecked(word) => {
            let outcome = if word.stays { "fights on" } else { "flees" };
            let (face, most) = (faces(&word.faces), word.morale);
            format!("[morale] {}: {face} = {} against {most}: {outcome}", name(&word.foe), word.total)
        }
        Event::CombatEnded(word) => {
            let (outcome, rounds) = (word.outcome.name().replace('_', " "), word.rounds);
            format!("[combat] Over after {rounds} rounds: {outcome} ({})", word.reason)
        }
        _ => return None,
    })
}

fn describe_table(event: &Event) -> Option<String> {
    Some(match event {
        Event::ReplyRejected(word) => {
            let (observed, advice) = (observed(&word.rule, &word.values), advice(&word.rule, &word.values));
            format!("[table] That reply could not be used ({}): {observed}; {advice}", word.rule)
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
