//! What a model points to: labels of what players did and said in the encounter.

use serde::{Deserialize, Deserializer};
use twicetold_event::{Evidence, EvidenceCited, Seat};
use twicetold_world::{Encounter, State};

use crate::menu::{Form, list, number};
use crate::tool::{Rejection, is_asked_once};

/// So many things show anything that can be shown; the first of a longer list count.
const CITED_MAX: usize = 8;
/// So many of the newest labels are named to a model that cited none.
const NAMED_MAX: usize = 10;

/// Labels as models write them: 7, "7", "#7", alone or in a list. What is no label is 0, which nothing has.
pub(crate) fn labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Label {
        Number(u32),
        Text(String),
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Labels {
        One(Label),
        Many(Vec<Label>),
    }
    let read = |label: Label| match label {
        Label::Number(number) => vec![number],
        Label::Text(text) => text
            .split(|letter: char| " ,[]\"'".contains(letter))
            .filter(|part| !part.is_empty())
            .map(|part| part.trim_start_matches('#').parse().unwrap_or(0))
            .collect(),
    };
    Ok(match Option::<Labels>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Labels::One(label)) => read(label),
        Some(Labels::Many(labels)) => labels.into_iter().flat_map(read).collect(),
    })
}

/// The event of these citations. Where one of them did not happen, or none is given, the model is asked once more; then it counts,
/// unsupported. Where players have not done anything yet, there is nothing to ask for.
pub(crate) fn cited(
    state: &State,
    encounter: &Encounter,
    labels: &[u32],
) -> Result<EvidenceCited, Rejection> {
    let evidence = known(encounter, labels);
    let exists = |label: &u32| (1..=encounter.evidence.len()).contains(&(*label as usize));
    let supported = !labels.is_empty() && labels.iter().all(exists);
    if !supported && is_asked(state, encounter) {
        let last = encounter.evidence.len();
        let named = |label: usize| format!("#{label}");
        let known: Vec<String> = (last.saturating_sub(NAMED_MAX) + 1..=last).map(named).collect();
        let wrong = labels.iter().filter(|label| !exists(label)).take(CITED_MAX);
        let wrong: Vec<String> = wrong.map(|label| named(*label as usize)).collect();
        let rejection = Rejection::new("evidence_missing").with("known", known.join(", "));
        return Err(rejection.with("wrong", wrong.join(", ")));
    }
    Ok(EvidenceCited { evidence, supported })
}

/// What these labels stand for, each once; what did not happen is left out.
fn known(encounter: &Encounter, labels: &[u32]) -> Vec<Evidence> {
    let mut evidence: Vec<Evidence> = Vec::new();
    for label in labels {
        let place = (*label as usize).checked_sub(1);
        let known = place.and_then(|place| encounter.evidence.get(place));
        if let Some((_, call)) = known.filter(|_| evidence.iter().all(|one| one.label != *label)) {
            evidence.push(Evidence { label: *label, call: *call });
        }
    }
    evidence.truncate(CITED_MAX);
    evidence
}

/// Is whoever cites nothing asked once more? A person is not: the screen shows no labels. What the rules have decided needs no evidence.
fn is_asked(state: &State, encounter: &Encounter) -> bool {
    !encounter.evidence.is_empty()
        && encounter.struck.is_none()
        && is_asked_once(state, Seat::Dm, "evidence_missing")
}

/// Adds the labels that can be cited: some must be, unless the model was asked before.
pub(crate) fn citing(state: &State, encounter: &Encounter, form: Form) -> Form {
    let labels = list(CITED_MAX, number(1, encounter.evidence.len() as i64));
    if is_asked(state, encounter) { form.must("because", labels) } else { form.may("because", labels) }
}

/// The labels that count, as the menu has them; nothing where none does.
pub(crate) fn because(state: &State, labels: &[u32]) -> Option<Vec<u32>> {
    let known = known(state.encounter()?, labels);
    Some(known.iter().map(|one| one.label).collect()).filter(|labels: &Vec<u32>| !labels.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Arguments {
        #[serde(default, deserialize_with = "labels")]
        because: Vec<u32>,
    }

    #[test]
    fn labels_are_read_as_models_write_them() {
        let read = |json: &str| serde_json::from_str::<Arguments>(json).map(|arguments| arguments.because);
        for (json, labels) in [
            ("{}", vec![]),
            (r#"{"because": null}"#, vec![]),
            (r#"{"because": 7}"#, vec![7]),
            (r##"{"because": "#7, #9"}"##, vec![7, 9]),
            (r#"{"because": "[7, 9]"}"#, vec![7, 9]),
            (r##"{"because": ["#7", 9, "12"]}"##, vec![7, 9, 12]),
            (r#"{"because": ["the check"]}"#, vec![0, 0]),
        ] {
            assert_eq!(read(json).unwrap(), labels, "{json}");
        }
        assert!(read(r#"{"because": {"label": 7}}"#).is_err());
    }
}
