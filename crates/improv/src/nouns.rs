//! Finds what is sought.

/// What is sought, as a noun phrase out of an objective like "Find the bell before dusk".
pub(super) fn quarry(objective: &str) -> Option<String> {
    // What is to be seen to is a thing that happens, and none that is sought.
    if objective.starts_with("See ") || objective.starts_with("Make sure ") {
        return None;
    }
    let article = ["the ", "a ", "an "]
        .iter()
        .filter_map(|article| objective.find(&format!(" {article}")).map(|at| at + 1))
        .min();
    let owner = objective.find("'s ").and_then(|at| objective[..at].rfind(' ')).map(|at| at + 1);
    let at = [article, owner].into_iter().flatten().min()?;
    if at > 24 {
        return None;
    }
    let rest = objective.get(at..)?;
    let stops = [
        " and ",
        " before ",
        " by ",
        " without ",
        " from ",
        " to ",
        " back",
        " so ",
        " that ",
        " until ",
        " when ",
        " where ",
        " on ",
        " in ",
        " out",
        " at ",
        " with ",
        " who ",
        ",",
        ".",
        ";",
        ":",
    ];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let phrase = rest.get(..end)?.trim();
    // "Get the goat acquitted": what is to become of it is no part of its name.
    let phrase = match phrase.rsplit_once(' ') {
        Some((thing, last)) if last.ends_with("ed") && thing.contains(' ') => thing,
        _ => phrase,
    };
    (2..=8).contains(&phrase.split(' ').count()).then(|| phrase.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sought_thing_comes_from_the_objective() {
        assert_eq!(
            quarry("Find the pewter flood cup and bring it back to the Weighing House.").as_deref(),
            Some("the pewter flood cup")
        );
        assert_eq!(quarry("Bring Hanno's ferry back before the bell.").as_deref(), Some("Hanno's ferry"));
        assert_eq!(quarry("Get the six men out.").as_deref(), Some("the six men"));
        assert_eq!(quarry("Get the old goat acquitted.").as_deref(), Some("the old goat"));
        assert_eq!(quarry("See that Agnes leaves the green on her own four feet."), None);
        assert_eq!(quarry("Survive"), None);
    }
}
