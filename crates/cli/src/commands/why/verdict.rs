//! The answer about a goal in one or two sentences.

use twicetold_session::{Cause, Chain, EndedWhy, EvidenceWhy, GoalWhy, NeedWhy};

use crate::terminal::{counted, safe};

/// The answer in short, where there is one.
pub(super) fn verdict(goal: &GoalWhy) -> Option<String> {
    let checks = goal.needs.len();
    let passed = goal.needs.iter().filter(|need| need.passed.is_some()).count();
    let named = match checks {
        1 => "the one check that the encounter's file names for it".to_owned(),
        _ => format!("the {checks} checks that the encounter's file names for it"),
    };
    let were = |count| if count == 1 { "was" } else { "were" };
    if let Some(why) = &goal.registered {
        let became = match (&goal.resolved, &goal.ended) {
            (Some(_), _) => " It resolved the encounter.".to_owned(),
            (None, Some(ended)) => format!(" {}", otherwise(ended)),
            (None, None) => String::new(),
        };
        let proposed = format!("the DM proposed it in turn {}, and {}", why.turn, pointed_to(why));
        return Some(format!("In short: {proposed}.{became}"));
    }
    let Some(why) = goal.resolution.as_ref() else {
        let ended = goal.ended.as_ref().map_or_else(String::new, |ended| format!(" {}", otherwise(ended)));
        let tried = goal.needs.iter().filter(|need| need.passed.is_some() || need.failed.is_some()).count();
        let tried = match (checks, tried) {
            (0, _) => String::new(),
            (1, 0) => format!("; {named} was never tried"),
            (1, _) => format!("; {named} was tried, and {}", if passed == 1 { "passed" } else { "failed" }),
            (_, 0) => format!("; none of {named} was ever tried"),
            (_, tried) => format!("; of {named}, {tried} {} tried and {passed} passed", were(tried)),
        };
        let is_open = goal.resolved.is_none() && (checks > 0 || goal.ended.is_some());
        return is_open.then(|| format!("In short: not reached{tried}.{ended}"));
    };
    if let Some(struck) = &goal.struck {
        let told = match why.cause {
            Cause::Tool { .. } => "the DM was asked to end it, and did",
            _ => "the DM was asked to end it and did not, so the referee did",
        };
        let reason = safe(&struck.reason);
        return Some(format!("In short: the encounter was lost by a rule in its file ({reason}); {told}."));
    }
    if checks == 0 {
        return Some(format!("In short: the DM declared it reached, and {}.", pointed_to(why)));
    }
    let overtaken = |need: &&NeedWhy| need.passed.is_none() && need.overtaken.is_some();
    let needless = goal.needs.iter().filter(overtaken).count();
    if passed + needless == checks {
        let but = match needless {
            0 => String::new(),
            _ => format!(", but {needless} that {} not needed any more", were(needless)),
        };
        return Some(format!("In short: reached; passed: {named}{but}."));
    }
    let missed = goal.needs.iter().filter(|need| need.passed.is_none() && need.overtaken.is_none());
    let recorded = evidence_of(why).map_or(&[][..], |evidence| &evidence.recorded);
    let instead = missed.filter(|need| recorded.iter().any(|(_, text)| text.contains(&need.check))).count();
    let mut parts = vec![format!("{passed} {} passed", were(passed))];
    if instead > 0 {
        let others = if instead == 1 { "other" } else { "others" };
        parts.push(format!("the DM's notes speak of {instead} {others}"));
    }
    if needless > 0 {
        parts.push(format!("{needless} {} not needed any more", were(needless)));
    }
    if passed + instead + needless < checks {
        parts.push(format!("nothing is recorded of {}", checks - passed - instead - needless));
    }
    Some(format!("In short: the DM declared it reached. Of {named}, {}.", parts.join("; ")))
}

/// How the encounter of a goal ended that did not resolve it.
pub(super) fn otherwise(ended: &EndedWhy) -> String {
    let number = ended.number;
    match (&ended.goal, &ended.limit) {
        (Some(other), _) => format!("The encounter ended at #{number} with {}.", safe(other)),
        (None, Some(limit)) => format!("The encounter ended at #{number} without a goal: {}.", safe(limit)),
        (None, None) => format!("The encounter ended at #{number} without a goal."),
    }
}

fn pointed_to(why: &Chain) -> String {
    let cited = evidence_of(why).map_or(&[][..], |evidence| &evidence.cited);
    let said = match cited.len() {
        0 => return "pointed to nothing that happened".into(),
        count => format!("pointed to {} of what happened", counted(count as u64, "line")),
    };
    match cited.iter().all(|one| one.shares_words == Some(false)) {
        true => said + ", which by its words does not show it",
        false => said,
    }
}

/// What the model pointed to.
pub(super) fn evidence_of(why: &Chain) -> Option<&EvidenceWhy> {
    match &why.cause {
        Cause::Tool { evidence, .. } => evidence.as_ref(),
        _ => None,
    }
}
