//! Tool calls that fail repeatedly: the caller ignores the rejections.

use std::collections::BTreeMap;

use super::finding;
use crate::limits::{SAME_FAILURES_MIN, TOOL_FAILURES_MIN};
use crate::{Call, Severity, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(calls) = &transcript.calls else { return Verdict::NotRecorded("tool calls and how they ended") };
    if !calls.is_empty() && calls.iter().all(|call| call.good.is_none()) {
        return Verdict::NotRecorded("how tool calls ended");
    }
    let mut same: BTreeMap<(&str, &str, &str), Vec<&Call>> = BTreeMap::new();
    let mut rows: BTreeMap<(&str, &str), Vec<&Call>> = BTreeMap::new();
    let mut long: Vec<Vec<&Call>> = Vec::new();
    for call in calls {
        let row = rows.entry((&call.voice, &call.tool)).or_default();
        if call.good == Some(false) {
            same.entry((&call.voice, &call.tool, &call.key)).or_default().push(call);
            row.push(call);
        } else {
            long.push(std::mem::take(row));
        }
    }
    long.extend(rows.into_values());
    let mut findings = Vec::new();
    for failed in same.into_values().filter(|failed| failed.len() >= SAME_FAILURES_MIN) {
        findings.push(told(&failed, "the very same call", (Severity::Warning, 95)));
    }
    // A row of one and the same call was told of already.
    let differ = |failed: &Vec<&Call>| failed.iter().any(|call| call.key != failed[0].key);
    for failed in long.into_iter().filter(|failed| failed.len() >= TOOL_FAILURES_MIN && differ(failed)) {
        findings.push(told(&failed, "calls in a row", (Severity::Warning, 80)));
    }
    Verdict::Looked(findings)
}

fn told(failed: &[&Call], what: &str, sure: (Severity, u8)) -> crate::Finding {
    let (voice, tool, last) = (&failed[0].voice, &failed[0].tool, failed[failed.len() - 1]);
    let why = format!("{tool} by {voice} failed {} times, {what}; the last time: {}", failed.len(), last.why);
    finding("failing-calls", sure, failed.iter().map(|call| call.number), "", why)
}
