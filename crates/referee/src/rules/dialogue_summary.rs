//! What is kept of a dialogue when it is over, which the memory seat writes.

use twicetold_event::{CallId, Channel, DialogueSummarised, Event, FactLearned, Text};
use twicetold_model::Reply;
use twicetold_projection::{speaker, words};
use twicetold_world::Pending;

use super::text::first_sentences;
use crate::table::{Next, Table};

/// Bytes of one fact.
const FACT_BYTES_MAX: usize = 400;

/// What is kept of a dialogue came, or did not.
pub(super) fn replied(table: &mut Table<'_>, call: CallId, reply: Option<&Reply>) -> Next {
    let pending = table.state().conversations().pending.front().cloned();
    let Some(Pending::DialogueSummary { dialogue, npc, seats }) = pending else { return Next::Stop };
    let most = table.state().setup().limits.dialogue_summary_bytes_max as usize;
    let read = reply.map(|reply| parts(&reply.text, most));
    match read.filter(|read| !read.summary.is_empty()) {
        Some(read) => {
            let text = |range: std::ops::Range<usize>| Text::Reply {
                call,
                start: range.start as u32,
                end: range.end as u32,
            };
            let summary = text(read.summary);
            table.emit(DialogueSummarised {
                dialogue,
                npc: npc.clone(),
                seats,
                text: summary,
                fallback: false,
            });
            let most = table.state().setup().limits.facts_learned_max as usize;
            for fact in read.facts.into_iter().take(most) {
                table.emit(FactLearned { dialogue, npc: npc.clone(), text: text(fact) });
            }
        }
        None => {
            let text = Text::Written(by_rule(table, &npc, dialogue, most));
            table.emit(DialogueSummarised { dialogue, npc, seats, text, fallback: true });
        }
    }
    Next::AfterTurn
}

/// What is kept of a dialogue without a model: who spoke, and the first sentence of each message.
fn by_rule(table: &Table<'_>, npc: &str, dialogue: u32, most: usize) -> String {
    let Some(npc) = table.state().npcs().get(npc) else { return String::new() };
    let ended = npc
        .history
        .kept
        .iter()
        .filter(|kept| matches!(&kept.event, Event::DialogueEnded(word) if word.dialogue != dialogue));
    let since = ended.map(|kept| kept.origin).next_back().unwrap_or_default();
    let said = npc.history.kept.iter().filter(|kept| kept.origin > since);
    let lines: Vec<String> = said
        .filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) if matches!(word.channel, Channel::Dialogue(_)) => {
                let text = first_sentences(words(table.replies(), &word.text), 120);
                Some(format!("{}: {text}", speaker(table.state(), word)))
            }
            _ => None,
        })
        .collect();
    first_sentences(&lines.join(" "), most)
}

/// A reply about a dialogue: the summary, and below it facts, each in a line that begins with a hyphen.
struct Parts {
    summary: std::ops::Range<usize>,
    facts: Vec<std::ops::Range<usize>>,
}

fn parts(text: &str, most: usize) -> Parts {
    let mut facts = Vec::new();
    let mut end = text.len();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let fact = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")).map(str::trim);
        if let Some(fact) = fact.filter(|fact| !fact.is_empty()) {
            end = end.min(at);
            let start = at + line.find(fact).unwrap_or(0);
            facts.push(start..start + fact.floor_char_boundary(FACT_BYTES_MAX).min(fact.len()));
        }
        at += line.len();
    }
    let whole = &text[..end];
    let start = whole.len() - whole.trim_start().len();
    let end = text.floor_char_boundary((start + whole.trim().len()).min(start + most));
    Parts { summary: start..end.max(start), facts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_about_a_dialogue_is_a_summary_and_the_facts_below_it() {
        let text = " They agreed.\nShe left.\n- Kira cannot swim.\n- \n* He owes her two boats.\n";
        let read = parts(text, 900);
        assert_eq!(&text[read.summary], "They agreed.\nShe left.");
        let facts: Vec<&str> = read.facts.into_iter().map(|fact| &text[fact]).collect();
        assert_eq!(facts, ["Kira cannot swim.", "He owes her two boats."]);
        assert_eq!(parts("Ünlängst", 1).summary.len(), 0);
    }
}
