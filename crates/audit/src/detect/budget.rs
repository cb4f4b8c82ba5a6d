//! Turns, calls and tokens: what is nearly used up, and prompts that grow without end.

use super::finding;
use crate::limits::{ALLOWANCE_PERCENT, GROWTH_CALLS_MIN, GROWTH_TIMES};
use crate::{Finding, Severity, Spent, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(spent) = &transcript.spent else { return Verdict::NotRecorded("tokens") };
    let mut findings = Vec::new();
    let number = spent.last().map(|last| last.number);
    if let Some(allowance) = &transcript.allowance {
        let tokens =
            spent.iter().map(|call| call.input.saturating_add(call.output)).fold(0, u64::saturating_add);
        let used = [
            ("turns", u64::from(transcript.last_turn()), allowance.turns),
            ("calls", spent.len() as u64, allowance.calls),
            ("tokens", tokens, allowance.tokens),
        ];
        if let Some(stop) = &allowance.stopped {
            let why = format!("a limit ended it before its end: {}", stop.observed);
            findings.push(finding("budget", (Severity::Warning, 100), [stop.number], "", why));
        } else {
            for (what, used, most) in used {
                if most > 0 && u128::from(used) * 100 >= u128::from(most) * u128::from(ALLOWANCE_PERCENT) {
                    let why = format!("{used} of {most} {what} are used up");
                    findings.push(finding("budget", (Severity::Warning, 100), number, "", why));
                }
            }
        }
    }
    findings.extend(growth(spent));
    Verdict::Looked(findings)
}

/// Prompts at the end against prompts of the second quarter, by what is usual in each.
fn growth(spent: &[Spent]) -> Option<Finding> {
    if spent.len() < GROWTH_CALLS_MIN {
        return None;
    }
    let quarter = spent.len() / 4;
    let (early, late) = (usual(&spent[quarter..2 * quarter]), usual(&spent[3 * quarter..]));
    if early == 0 || late < early * GROWTH_TIMES {
        return None;
    }
    let numbers = [spent[3 * quarter].number, spent[spent.len() - 1].number];
    let why = format!("prompts grew from about {early} tokens to about {late}");
    Some(finding("budget", (Severity::Warning, 85), numbers, "", why))
}

fn usual(calls: &[Spent]) -> u64 {
    let mut tokens: Vec<u64> = calls.iter().map(|call| call.input).collect();
    tokens.sort_unstable();
    tokens.get(tokens.len() / 2).copied().unwrap_or(0)
}
