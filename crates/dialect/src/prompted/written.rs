//! Calls that stand in the words of a reply: in blocks of JSON as models are told to write them, and in the other forms that models write.
//!
//! A call is an object with the name of a tool and its arguments, or has marks for both (`marked`). It stands in a fenced block of any kind,
//! also in one that is not closed, between the tags that models were trained with, or at the beginning of a line. Within another call's texts,
//! in a line of words or in a block that shows another block it is none: then it is only talked about.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::ToolCall;

use super::marked;

/// What models were trained to write before a call, beside fences.
const OPENERS: [&str; 13] = [
    "<tool_call>",
    "<tool_calls>",
    "<function_call>",
    "<tools>",
    "<|tool_call|>",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "<function_calls>",
    "<minimax:tool_call>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
];

/// And behind it.
const CLOSERS: [&str; 12] = [
    "</tool_call>",
    "</tool_calls>",
    "</function_call>",
    "</tools>",
    "<|/tool_call|>",
    "[/TOOL_CALLS]",
    "</function_calls>",
    "</minimax:tool_call>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
];

/// What else is written before a call, or within one, in forms that are not all read.
const MARKS: [&str; 6] =
    ["<function=", "<invoke name=", "<tool_call ", "to=functions.", "```tool_code", "<|tool_call>"];

/// Lines of words that begin like a call and are none: each is read to its end, which may be the end of the reply, and a reply with more of
/// them is no reply of words and calls.
const MISTAKEN_LINES_MAX: usize = 32;

/// Levels of lists and objects that a call may have: as many as parsers of other programs read, which have a stack to lose. No tool takes
/// more than a few.
const LEVELS_MAX: usize = 127;

/// The words without the calls, and the calls in order; nothing when there is no call. What stood before and after a call becomes two
/// paragraphs.
pub(super) fn read(text: &str) -> Option<(String, Vec<ToolCall>)> {
    let mut found = Found { text, calls: Vec::new(), words: Vec::new(), kept_from: 0 };
    let mut open: Option<Open<'_>> = None;
    let mut mistaken = 0;
    let mut at = 0;
    while at < text.len() {
        let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
        let end = at + line.len();
        let mut next = end;
        open = match open {
            None if may_begin(line) => match Fence::of(line) {
                Some(fence) => Some(Open { fence, block: at, content: end }),
                None if mistaken < MISTAKEN_LINES_MAX => {
                    match calls_at(&text[at..]) {
                        Some((calls, length)) => {
                            next = at + length;
                            found.take(calls, at..next);
                        }
                        None => mistaken += 1,
                    }
                    None
                }
                None => None,
            },
            None => None,
            Some(open) if open.fence.is_closed_by(line) => {
                found.block(&open, at, end);
                None
            }
            Some(open) => Some(open),
        };
        at = next;
    }
    if let Some(open) = open {
        found.block(&open, text.len(), text.len());
    }
    found.end()
}

/// What in the words of a reply is written as a call and was not read as one: no server's tool call, and in no form that is understood.
/// Where its text begins, and the passage, from where it is known to the end of its line.
pub fn unread_call(words: &str) -> Option<(usize, &str)> {
    let tagged = OPENERS.iter().chain(&MARKS).filter_map(|opener| words.find(opener));
    let keyed = ["\"arguments\"", "'arguments'", "\"parameters\"", "\"args\"", "\"tool_calls\""].into_iter();
    let keyed = keyed.filter_map(|key| member(words, key, 0));
    let first = ["\"tool\"", "'tool'", "\"say\"", "\"calls\""].into_iter();
    let first = first.filter_map(|key| first_member(words, key));
    let at = tagged.chain(keyed).chain(first).min()?;
    let line = words[..at].rfind('\n').map_or(0, |end| end + 1);
    // A call may fill several lines: members lead from where it opens, or its fence, to the passage.
    let (mut begins, mut above) = (line, line);
    let before = &words[..line];
    for line in before.split_inclusive('\n').rev() {
        above -= line.len();
        let text = line.trim();
        if ["{", "[{", "```", "~~~"].iter().any(|opener| text.starts_with(opener)) || text == "[" {
            begins = above;
        } else if !is_member(text) {
            break;
        }
    }
    Some((begins, words[at..].lines().next()?))
}

/// Is it a line such as `"name": "x",`? What somebody says in quotation marks is none.
fn is_member(line: &str) -> bool {
    let Some(quote) = line.chars().next().filter(|first| ['"', '\''].contains(first)) else { return false };
    line[1..].split_once(quote).is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
}

/// Where a member of an object with this quoted name begins.
fn member(words: &str, key: &str, from: usize) -> Option<usize> {
    let is_key = |at: &usize| words[at + key.len()..].trim_start().starts_with(':');
    words[from..].match_indices(key).map(|(at, _)| from + at).find(is_key)
}

/// The same where it is the first of the object.
fn first_member(words: &str, key: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = member(words, key, from) {
        if words[..at].trim_end().ends_with('{') {
            return Some(at);
        }
        from = at + key.len();
    }
    None
}

/// Can a call or the fence of a block begin here? Most lines of words cannot.
pub(crate) fn may_begin(line: &str) -> bool {
    line.trim_start().starts_with(['{', '[', '<', '`', '~'])
}

/// Does a line, as far as it came, look so much like one that it is not shown before the reply is whole? A bell that rings in brackets
/// does not.
pub(crate) fn leads_to_call(line: &str) -> bool {
    let line = line.trim();
    let begins = |mark: &&str| line.starts_with(*mark) || mark.starts_with(line);
    match line.chars().next() {
        Some('{' | '`' | '~') => true,
        Some('[') => {
            let inner = line[1..].trim_start();
            inner.is_empty() || inner.starts_with(['{', '[']) || OPENERS.iter().any(begins)
        }
        Some('<') => OPENERS.iter().chain(&MARKS).any(begins),
        _ => false,
    }
}

/// What is found of a text so far.
struct Found<'a> {
    text: &'a str,
    calls: Vec<ToolCall>,
    words: Vec<&'a str>,
    kept_from: usize,
}

impl Found<'_> {
    /// A block whose content ends at `content_end`, and itself at `end`.
    fn block(&mut self, open: &Open<'_>, content_end: usize, end: usize) {
        let content = &self.text[open.content..content_end];
        if let Some((calls, _)) = calls_at(content).filter(|(_, length)| *length == content.len()) {
            self.take(calls, open.block..end);
        }
    }

    fn take(&mut self, calls: Vec<ToolCall>, range: std::ops::Range<usize>) {
        self.calls.extend(calls);
        self.words.push(&self.text[self.kept_from..range.start]);
        self.kept_from = range.end;
    }

    fn end(mut self) -> Option<(String, Vec<ToolCall>)> {
        if self.calls.is_empty() {
            return None;
        }
        self.words.push(&self.text[self.kept_from..]);
        let words: Vec<&str> =
            self.words.into_iter().map(str::trim).filter(|words| !words.is_empty()).collect();
        Some((words.join("\n\n"), self.calls))
    }
}

/// The calls that a text begins with, one after another, and how many bytes they are with the tags and the space around them.
fn calls_at(text: &str) -> Option<(Vec<ToolCall>, usize)> {
    let mut found = Vec::new();
    let mut left = behind(text, &OPENERS);
    while let Some((calls, length)) = next_calls(left) {
        found.extend(calls);
        left = behind(&left[length..], &CLOSERS);
        left = behind(left.trim_start_matches([',', ';']), &OPENERS);
    }
    (!found.is_empty()).then(|| (found, text.len() - left.len()))
}

/// The calls of the JSON value or the call by marks that a text begins with, and how many bytes that is.
fn next_calls(text: &str) -> Option<(Vec<ToolCall>, usize)> {
    if !text.starts_with(['{', '[']) {
        return marked::call(text).map(|(call, length)| (vec![call], length));
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let calls = values.next()?.ok().and_then(|value| calls(value.get()))?;
    Some((calls, values.byte_offset()))
}

/// What follows such marks, if any, and space.
fn behind<'a>(text: &'a str, marks: &[&str]) -> &'a str {
    let mut left = text.trim_start();
    while let Some(behind) = marks.iter().find_map(|mark| left.strip_prefix(mark)) {
        left = behind.trim_start();
    }
    left
}

/// A call as models write it, by the names that they use. Two of one meaning are no call: nobody knows which is meant.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(alias = "name", alias = "tool_name")]
    tool: Option<String>,
    #[serde(borrow, alias = "args", alias = "parameters")]
    arguments: Option<&'a RawValue>,
    /// The name, or a call within the call, as protocols have it.
    #[serde(borrow)]
    function: Option<&'a RawValue>,
    #[serde(borrow, alias = "calls")]
    tool_calls: Option<Vec<&'a RawValue>>,
}

/// The calls that a JSON value is: an object that is one or holds a list of them, or a list of nothing else.
pub(super) fn calls(json: &str) -> Option<Vec<ToolCall>> {
    let list = |items: Vec<&RawValue>| items.into_iter().map(|item| call(item.get())).collect();
    if is_too_deep(json) {
        return None;
    }
    if json.starts_with('[') {
        return list(serde_json::from_str(json).ok()?);
    }
    let written: Written<'_> = serde_json::from_str(json).ok()?;
    match written {
        Written { tool: None, arguments: None, function: None, tool_calls: Some(items) } => list(items),
        _ => call(json).map(|call| vec![call]),
    }
}

/// One call, from the JSON of an object.
fn call(json: &str) -> Option<ToolCall> {
    // A derived `Deserialize` would take a list for an object.
    if !json.starts_with('{') {
        return None;
    }
    let written: Written<'_> = serde_json::from_str(json).ok()?;
    let named = match written.function.map(RawValue::get) {
        Some(function) if function.starts_with('{') => {
            let inner: Written<'_> = serde_json::from_str(function).ok()?;
            let is_alone = written.tool.is_none() && written.arguments.is_none();
            (inner.tool.filter(|_| is_alone)?, inner.arguments?)
        }
        Some(function) => {
            let name = serde_json::from_str(function).ok();
            (name.filter(|_| written.tool.is_none())?, written.arguments?)
        }
        None => (written.tool?, written.arguments?),
    };
    let (name, arguments) = named;
    let arguments = arguments.get();
    // Protocols send them as a text, and so do some models.
    let arguments = match arguments.starts_with('"') {
        true => serde_json::from_str::<String>(arguments).ok()?,
        false => arguments.to_owned(),
    };
    let is_object = arguments.trim_start().starts_with('{') && !is_too_deep(&arguments);
    let is_object = is_object && serde_json::from_str::<&RawValue>(&arguments).is_ok();
    let is_call = is_object && !name.trim().is_empty();
    is_call.then(|| ToolCall { id: String::new(), name, arguments })
}

/// Does a JSON text have more levels than a call may have?
pub(super) fn is_too_deep(json: &str) -> bool {
    let (mut levels, mut is_text, mut is_escaped) = (0usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => levels += 1,
            b'}' | b']' if !is_text => levels = levels.saturating_sub(1),
            _ => {}
        }
        if levels > LEVELS_MAX {
            return true;
        }
    }
    false
}

/// A block that is not closed yet: its fence, where it begins, where its content begins.
struct Open<'a> {
    fence: Fence<'a>,
    block: usize,
    content: usize,
}

/// The line that opens a block, as in CommonMark but for the space before it: a line of three or more backticks or tildes; a line of at
/// least as many of the same closes it. So a block that is shown within another block is no call.
struct Fence<'a> {
    mark: char,
    length: usize,
    /// What stands behind the marks: the language.
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Fence<'a>> {
        let marks = line.trim_start();
        let mark = marks.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
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
}
