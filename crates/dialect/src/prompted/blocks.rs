//! Calls in fenced blocks of JSON among the words.
//!
//! Fences are those of CommonMark: a line of three or more backticks or tildes opens a block, and a line of at least as
//! many of the same closes it. So a block that is shown within another block is no call, and one that is not closed is
//! none either.

use twicetold_model::ToolCall;

use super::{call, calls};
use crate::push_json_string;

/// How a call is to be written.
pub(super) fn form(several: bool) -> String {
    let most = if several {
        "A reply may hold several such blocks, one for each call."
    } else {
        "A reply may hold one such block."
    };
    format!(
        "You can use tools. To use one, write a block of exactly this form, on lines of its own:\n\n\
         ```json\n{{\"tool\": \"name of the tool\", \"arguments\": {{}}}}\n```\n\n\
         Everything outside of the block is what you say. Nothing happens by saying that you use a tool: only the block \
         counts. The result comes in the next message; do not make it up. {most}"
    )
}

/// Words and calls as the model should have written them.
pub(super) fn reply(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = text.to_owned();
    for (name, arguments) in calls {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str("```json\n{\"tool\": ");
        push_json_string(&mut out, name);
        out.push_str(", \"arguments\": ");
        out.push_str(arguments);
        out.push_str("}\n```");
    }
    out
}

/// The words without the blocks that are calls, and the calls in order; nothing when there is no call. What stood before
/// and after a block becomes two paragraphs.
pub(super) fn read(text: &str) -> Option<(String, Vec<ToolCall>)> {
    let mut found = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut kept_from = 0;
    let mut open: Option<Open<'_>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        open = match open {
            None => Fence::of(line).map(|fence| Open { fence, block: start, content: end }),
            Some(open) if open.fence.is_closed_by(line) => {
                let calls = open.fence.calls(&text[open.content..start]);
                if !calls.is_empty() {
                    found.extend(calls);
                    words.push(&text[kept_from..open.block]);
                    kept_from = end;
                }
                None
            }
            Some(open) => Some(open),
        };
    }
    if found.is_empty() {
        return None;
    }
    words.push(&text[kept_from..]);
    let words: Vec<&str> = words.into_iter().map(str::trim).filter(|words| !words.is_empty()).collect();
    Some((words.join("\n\n"), found))
}

/// A block that is not closed yet: its fence, where it begins, where its content begins.
struct Open<'a> {
    fence: Fence<'a>,
    block: usize,
    content: usize,
}

/// The line that opens a block.
struct Fence<'a> {
    mark: char,
    length: usize,
    /// What stands behind the marks: the language.
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Fence<'a>> {
        let marks = line.trim_start_matches(' ');
        // Four spaces make a line of code.
        let mark =
            marks.chars().next().filter(|mark| ['`', '~'].contains(mark) && line.len() - marks.len() < 4)?;
        let info = marks.trim_start_matches(mark);
        let length = marks.len() - info.len();
        let info = info.trim();
        // Backticks further on make it code within a line.
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence { mark, length, info })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let other = Fence::of(line);
        other.is_some_and(|other| {
            other.mark == self.mark && other.length >= self.length && other.info.is_empty()
        })
    }

    fn calls(&self, content: &str) -> Vec<ToolCall> {
        if self.mark != '`' || !self.info.eq_ignore_ascii_case("json") {
            return Vec::new();
        }
        call(content).map(|call| vec![call]).or_else(|| calls(content)).unwrap_or_default()
    }
}
