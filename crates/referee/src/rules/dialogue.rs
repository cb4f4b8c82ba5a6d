//! Dialogues: who speaks in one, when others may join, when it ends by rule.

use twicetold_event::{
    DialogueEnd, DialogueEnded, DialogueJoined, FeelingExpired, Seat, SpeakerChosen, SpeakerRule, Values,
};
use twicetold_world::{Dialogue, State};

use super::speaker;
use crate::table::Table;

/// Chooses the next speaker of the dialogue being held; none when there is no dialogue.
pub(super) fn next(table: &mut Table<'_>) -> Option<Seat> {
    let dialogue = table.state().dialogue()?;
    let dm_spoke = table.state().turn().seat == Some(Seat::Dm);
    let (seat, rule, values) = match (dm_spoke, dialogue.exchanges) {
        (true, 0) => first(table, dialogue),
        (true, _) => next_player(table, dialogue),
        (false, _) => (Seat::Dm, SpeakerRule::CompanionAnswers, Values::default()),
    };
    table.emit(SpeakerChosen { seat, rule, values });
    let joins = table.state().dialogue().filter(|dialogue| dialogue.present.contains(&seat));
    if let Some(dialogue) = joins.map(|dialogue| dialogue.number) {
        table.emit(DialogueJoined { dialogue, seat });
    }
    Some(seat)
}

/// Who of the party may speak in a dialogue: whoever is part of it, or may join it by now, and is able to.
fn speakers(state: &State, dialogue: &Dialogue) -> Vec<Seat> {
    let may_join = dialogue.exchanges >= state.setup().limits.dialogue_join_after;
    let is_part = |seat: &Seat| {
        *seat == dialogue.partner
            || dialogue.joined.contains_key(seat)
            || (may_join && dialogue.present.contains(seat))
    };
    state.able().filter(is_part).collect()
}

/// Whom the DM asked by name, as it let the dialogue begin; else whoever spoke last before it.
fn first(table: &Table<'_>, dialogue: &Dialogue) -> (Seat, SpeakerRule, Values) {
    let message = speaker::last_words_of_the_dm(table);
    let asked = speaker::asked_or_addressed(table.state(), &message);
    match asked.filter(|(seat, _)| *seat != dialogue.partner && dialogue.present.contains(seat)) {
        Some((seat, sentence)) => {
            (seat, SpeakerRule::AskedByName, Values::default().with("sentence", sentence))
        }
        None => (dialogue.partner, SpeakerRule::BeginsDialogue, Values::default()),
    }
}

/// Whom the character asked by name; else, of those who are part of it and able, the one who has waited longest.
fn next_player(table: &Table<'_>, dialogue: &Dialogue) -> (Seat, SpeakerRule, Values) {
    let speakers = speakers(table.state(), dialogue);
    let message = speaker::last_words_of_the_dm(table);
    if let Some((seat, sentence)) =
        speaker::asked_or_addressed(table.state(), &message).filter(|(seat, _)| speakers.contains(seat))
    {
        return (seat, SpeakerRule::AskedByName, Values::default().with("sentence", sentence));
    }
    let last = |seat: &Seat| table.state().table().last_spoke.get(seat).copied().unwrap_or(0);
    let joined = dialogue.joined.keys().copied().filter(|seat| speakers.contains(seat));
    let seat = joined.min_by_key(|seat| (last(seat), *seat));
    (seat.unwrap_or(dialogue.partner), SpeakerRule::InDialogue, Values::default())
}

/// A dialogue that has had as many answers as it may have is over.
pub(super) fn end_at_limit(table: &mut Table<'_>) {
    let most = table.state().setup().limits.dialogue_exchanges_max;
    if table.state().dialogue().is_some_and(|dialogue| dialogue.exchanges >= most) {
        end(table, DialogueEnd::ExchangeLimit);
    }
}

/// A dialogue is over when of the party nobody is left who could speak in it.
pub(super) fn end_without_speakers(table: &mut Table<'_>) {
    if table.state().dialogue().is_some_and(|dialogue| speakers(table.state(), dialogue).is_empty()) {
        end(table, DialogueEnd::NobodyAble);
    }
}

/// The dialogue being held, if any, is over.
pub(super) fn end(table: &mut Table<'_>, why: DialogueEnd) {
    let Some(dialogue) = table.state().dialogue() else { return };
    let (npc, exchanges, dialogue) = (dialogue.npc.clone(), dialogue.exchanges, dialogue.number);
    table.emit(DialogueEnded { dialogue, npc, why, exchanges });
}

/// Feelings whose time is over.
pub(super) fn expire_feelings(table: &mut Table<'_>) {
    let turn = table.state().turn().number;
    let over: Vec<FeelingExpired> = table
        .state()
        .npcs()
        .all()
        .flat_map(|npc| {
            npc.feelings.iter().map(|(name, feeling)| (npc.id.clone(), name.clone(), feeling.until))
        })
        .filter(|(.., until)| until.is_some_and(|until| turn >= until))
        .map(|(npc, feeling, _)| FeelingExpired { npc, feeling })
        .collect();
    over.into_iter().for_each(|event| table.emit(event));
}
