//! What a request offers to be named in a call: every row of the table, every path and every name, each under a label.

use super::super::request::Request;
use super::super::state::things;

/// Values under labels: a label is a word that a schema may use for such a value.
pub(super) struct Harvest {
    labelled: Vec<(String, String)>,
    /// What refusals have advised to name instead.
    pub(super) advised: Vec<String>,
}

impl Harvest {
    pub(super) fn of(request: &Request<'_>) -> Harvest {
        let mut labelled: Vec<(String, String)> = Vec::new();
        for (key, row) in &request.state.rows {
            labelled.push((key.clone(), row.head.clone()));
            if ["npc", "person", "dialogue"].contains(&key.as_str()) {
                labelled.push(("people".to_owned(), row.head.clone()));
            }
            if ["npc", "person", "dialogue", "character"].contains(&key.as_str()) {
                labelled.push(("_id".to_owned(), row.head.clone()));
            }
            for (name, value) in &row.fields {
                if name == "name" {
                    labelled.push((key.clone(), value.clone()));
                    labelled.push((name.clone(), value.clone()));
                } else {
                    labelled.extend(things(value).into_iter().map(|thing| (name.clone(), thing)));
                }
            }
        }
        let records = request.records.join("\n");
        for word in request.material.split_whitespace().chain(records.split_whitespace()) {
            let path = word.trim_matches(|c: char| !c.is_alphanumeric());
            if let Some((folder, page)) = path.split_once('/')
                && path.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == '/')
            {
                labelled.push((folder.to_owned(), page.to_owned()));
                labelled.push(("path".to_owned(), path.to_owned()));
            }
        }
        let told = format!("{} {}", request.tagged("scenario_dm"), request.tagged("scenario"));
        for name in names(&told) {
            labelled.extend(["person", "name"].map(|label| (label.to_owned(), name.clone())));
        }
        let advised: Vec<(String, String)> = records.lines().flat_map(advised).collect();
        labelled.extend(advised.iter().cloned());
        labelled.push(("player".to_owned(), "DM".to_owned()));
        labelled.retain(|(label, value)| label.len() > 2 && !value.is_empty() && value.len() < 120);
        let mut advised: Vec<String> = advised.into_iter().map(|(_, value)| value).collect();
        advised.dedup();
        Harvest { labelled, advised }
    }

    /// The values whose label is spoken of in these words.
    pub(super) fn for_words(&self, words: &str) -> Vec<&str> {
        let folded = words.to_lowercase();
        let spoken = |label: &str| folded.contains(label) || folded.contains(label.trim_end_matches('s'));
        let fitting = self.labelled.iter().filter(|(label, _)| spoken(label));
        fitting.map(|(_, value)| value.as_str()).collect()
    }

    /// Every value.
    pub(super) fn all(&self) -> Vec<&str> {
        self.labelled.iter().map(|(_, value)| value.as_str()).collect()
    }
}

/// What a refusal advises to name instead: "refused (unknown_foe): … . the nearest are a, b." speaks of foes, by id or name.
fn advised(line: &str) -> Vec<(String, String)> {
    let Some((rule, rest)) = line.strip_prefix("refused (unknown_").and_then(|rest| rest.split_once("): "))
    else {
        return Vec::new();
    };
    let advice = rest.trim_end_matches('.').rsplit(". ").next().unwrap_or("");
    let leads = [" are ", " is ", "one of ", ": ", " carries ", "use "];
    let list = leads.iter().find_map(|lead| advice.split_once(lead)).map_or("", |(_, list)| list);
    let values =
        list.split([',', ';']).flat_map(|part| part.split(" or ")).map(|part| part.trim().to_owned());
    values
        .flat_map(|value| [rule, "monster", "name"].map(|label| (label.to_owned(), value.clone())))
        .collect()
}

/// Pairs of words with capitals, and "the" with one: who or what may have a name.
fn names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let proper = |word: &str| word.starts_with(char::is_uppercase) && word.len() > 2;
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut found: Vec<String> = Vec::new();
    for pair in words.windows(2) {
        if let [first, second] = pair
            && proper(second)
            && (proper(first) || *first == "the")
        {
            found.push(format!("{first} {}", bare(second)));
        }
    }
    found.sort();
    found.dedup();
    found
}
