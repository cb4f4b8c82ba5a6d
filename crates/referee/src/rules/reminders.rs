//! Reminders of housekeeping that the DM gets at the beginning of its turn.

use twicetold_event::{Event, Nudge, NudgeGiven, Seat};
use twicetold_projection::{is_document_stale, words};

use crate::table::Table;

/// Reminders of housekeeping: one mechanism, several reminders, each with a cooldown.
pub(super) fn give(table: &mut Table<'_>) {
    if let Some(dialogue) = table.state().dialogue() {
        let (had, most) = (dialogue.exchanges, table.state().setup().limits.dialogue_exchanges_max);
        if had * 3 >= most * 2 {
            let text = format!(
                "This conversation has had {had} of {most} answers. Bring it to its end with end_dialogue."
            );
            remind_once(table, Nudge::DialogueLeftOpen, text);
        }
        return;
    }
    if is_document_stale(table.state()) {
        let text =
            "Something major has happened since the party document was last written. Bring it up to date.";
        remind_once(table, Nudge::PartyDocumentStale, text.into());
    }
    if let Some(name) = unrecorded_npc(table) {
        let text = format!(
            "{name} has come up in play and is not recorded as met. Record it with update_game_state."
        );
        remind_once(table, Nudge::NpcNotRecorded, text);
    }
}

fn remind_once(table: &mut Table<'_>, nudge: Nudge, text: String) {
    let cooldown = table.state().setup().limits.nudge_cooldown_turns;
    let last = table.state().table().nudged.get(&(nudge as u8)).copied();
    if last.is_none_or(|last| table.state().turn().number.saturating_sub(last) >= cooldown) {
        table.emit(NudgeGiven { nudge, text });
    }
}

/// An NPC of the encounter whom the DM has named lately and nobody has recorded.
fn unrecorded_npc(table: &Table<'_>) -> Option<String> {
    let spec = table.state().encounter_spec()?;
    let recent = table.state().history().main.iter().rev().take(12);
    let spoken: Vec<&str> = recent
        .filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) if word.seat == Seat::Dm => Some(words(table.replies(), &word.text)),
            _ => None,
        })
        .collect();
    let unmet = spec.npcs.iter().filter(|npc| !table.state().facts().npcs.contains_key(&npc.id));
    unmet.map(|npc| npc.name()).find(|name| spoken.iter().any(|text| text.contains(name))).map(str::to_owned)
}
