//! Tool calls and look-ups that fail repeatedly: the caller ignores the rejections.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::LISTS;
use crate::limits::{FAILURE_WORDS_MAX, SAME_FAILURES_MIN, TOOL_FAILURES_MIN};
use crate::text::words;
use crate::{Call, Finding, Kind, Severity, Transcript, Verdict};

/// Bytes of a command to a program: more are words.
const COMMAND_BYTES_MAX: usize = 60;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let told = told_failures(transcript);
    let Some(calls) = &transcript.calls else {
        return match told.is_empty() {
            true => Verdict::NotRecorded("tool calls and how they ended"),
            false => Verdict::Looked(told),
        };
    };
    if !calls.is_empty() && calls.iter().all(|call| failed(call).is_none()) && told.is_empty() {
        return Verdict::NotRecorded("how tool calls ended");
    }
    let mut same: BTreeMap<(&str, &str, String), Vec<&Call>> = BTreeMap::new();
    let mut rows: BTreeMap<(&str, &str), Vec<&Call>> = BTreeMap::new();
    let (mut long, mut repeated): (Vec<Vec<&Call>>, Vec<Vec<&Call>>) = (Vec::new(), Vec::new());
    for call in calls {
        let row = rows.entry((&call.voice, &call.tool)).or_default();
        // One and the same failure answers one and the same question, however it was written.
        let key = if call.answer.len() > 4 && failed(call) == Some(true) && names_what(call) {
            words(&call.answer).join(" ")
        } else {
            plain(&call.key)
        };
        let again = same.entry((&call.voice, &call.tool, key)).or_default();
        if failed(call) == Some(true) {
            again.push(call);
            row.push(call);
        } else {
            long.push(std::mem::take(row));
            repeated.push(std::mem::take(again));
        }
    }
    long.extend(rows.into_values());
    repeated.extend(same.into_values());
    let mut findings = told;
    for failed in repeated.into_iter().filter(|failed| failed.len() >= SAME_FAILURES_MIN) {
        findings.push(found(&failed, "the very same call", (Severity::Warning, 95)));
    }
    // A row of one and the same call was told of already.
    let differ = |failed: &Vec<&Call>| failed.iter().any(|call| plain(&call.key) != plain(&failed[0].key));
    for failed in long.into_iter().filter(|failed| failed.len() >= TOOL_FAILURES_MIN && differ(failed)) {
        findings.push(found(&failed, "calls in a row", (Severity::Warning, 80)));
    }
    Verdict::Looked(findings)
}

/// Did a call fail? By its record, or else by a short answer that says so.
fn failed(call: &Call) -> Option<bool> {
    if call.good == Some(false) {
        return Some(true);
    }
    let said = words(&call.why);
    // Programs mark an answer as good that says that nothing was found.
    let answer = words(&call.answer);
    let none = ["[]", "{}", "null", "None", "[ ]"].contains(&call.answer.trim());
    let broken = answer.len() <= FAILURE_WORDS_MAX && LISTS.tools.broken.hold(&answer);
    if none || broken || is_status(&answer) {
        return Some(true);
    }
    match said.is_empty() {
        true => call.good.map(|good| !good),
        false => Some(said.len() <= FAILURE_WORDS_MAX && LISTS.tools.failed.hold(&said)),
    }
}

/// `503 uplink lost`: the status of a server that did not answer, and words.
fn is_status(answer: &[String]) -> bool {
    let code = answer.first().and_then(|first| first.parse::<u16>().ok());
    let worded = answer.len() > 1 && answer[1..].iter().all(|word| word.parse::<i64>().is_err());
    code.is_some_and(|code| (400..600).contains(&code)) && worded && answer.len() <= FAILURE_WORDS_MAX
}

/// Does an answer name what was asked for? Then the same answer is about the same thing.
fn names_what(call: &Call) -> bool {
    let asked = words(&call.key);
    let said = words(&call.answer);
    let asked = asked.iter().skip(1).filter(|word| !["name", "who", "id", "query"].contains(&word.as_str()));
    asked.into_iter().any(|word| said.contains(word))
}

/// Arguments as they are compared: spaces, quotation marks and case are no difference.
fn plain(key: &str) -> String {
    let mut parts: Vec<String> =
        key.trim_matches(['{', '}', ' ']).split(',').map(|part| words(part).join(" ")).collect();
    parts.sort();
    parts.join(",")
}

fn found(failed: &[&Call], what: &str, sure: (Severity, u8)) -> Finding {
    let (voice, tool, last) = (&failed[0].voice, &failed[0].tool, failed[failed.len() - 1]);
    let why = format!("{tool} by {voice} failed {} times, {what}; the last time: {}", failed.len(), last.why);
    finding("failing-calls", sure, failed.iter().map(|call| call.number), "", why)
}

/// The command to which a program's line is the answer: `/roll 2d6+luck`, at the end of the line before it.
fn command(transcript: &Transcript, number: u64) -> Option<&str> {
    let at = transcript.lines.partition_point(|line| line.number < number);
    let before = &transcript.lines[at.checked_sub(1)?];
    let mark = before.text.rfind(['/', '!'])?;
    let alone = before.text[..mark].chars().next_back().is_none_or(char::is_whitespace);
    let rest = before.text[mark + 1..].trim();
    (alone && rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.len() <= COMMAND_BYTES_MAX)
        .then_some(rest)
}

/// Answers of programs that stand in the talk: the same one, at least as often as a call may fail.
fn told_failures(transcript: &Transcript) -> Vec<Finding> {
    let mut same: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in transcript.lines.iter().filter(|_| transcript.foreign) {
        let said = words(&line.text);
        let front = said.get(..said.len().min(4)).unwrap_or_default();
        let program = transcript.kind(&line.voice) == Kind::Other;
        let marked = line.text.trim_start().starts_with(['[', '{', '⚠', '❌', '('])
            || front.first().is_some_and(|word| word == "error");
        // Whatever a program says to one and the same command again and again, if it throws no dice for it: nothing came of it.
        let refused = || {
            program
                && !said.iter().any(|word| word.parse::<i64>().is_ok())
                && command(transcript, line.number).is_some()
        };
        if said.len() <= FAILURE_WORDS_MAX
            && (program || marked)
            && (LISTS.tools.failed.hold(&said) || refused())
        {
            same.entry(said.join(" ")).or_default().push(line.number);
        }
    }
    let often = same.into_iter().filter(|(said, numbers)| {
        let asked: BTreeSet<Option<&str>> =
            numbers.iter().map(|number| command(transcript, *number)).collect();
        let failed = LISTS.tools.failed.hold(&words(said));
        numbers.len() >= SAME_FAILURES_MIN && (failed || asked.len() == 1)
    });
    let told = often.map(|(said, numbers)| {
        let why = format!("the same failure was answered {} times", numbers.len());
        finding("failing-calls", (Severity::Warning, 85), numbers, &said, why)
    });
    told.collect()
}
