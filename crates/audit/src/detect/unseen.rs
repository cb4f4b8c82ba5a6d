//! Facts that were written down, and that no later prompt ever showed.

use std::collections::BTreeSet;

use super::finding;
use crate::limits::PROMPTS_WITHOUT_FACT_MIN;
use crate::{NoteKind, Severity, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let (Some(notes), Some(shown)) = (&transcript.notes, &transcript.shown) else {
        return Verdict::NotRecorded("facts, and what prompts showed");
    };
    let ever: BTreeSet<u64> = shown.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
    let facts = notes.iter().filter(|note| matches!(note.kind, NoteKind::Fact | NoteKind::Quest));
    let unseen = facts.filter(|fact| !ever.contains(&fact.number)).filter_map(|fact| {
        let after = shown.iter().filter(|(asked, _)| *asked > fact.number).count();
        if after < PROMPTS_WITHOUT_FACT_MIN {
            return None;
        }
        let why = format!("it was written down, and none of the {after} prompts after it showed it");
        Some(finding("unseen", (Severity::Warning, 90), [fact.number], &fact.text, why))
    });
    Verdict::Looked(unseen.collect())
}
