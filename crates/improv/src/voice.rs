//! What the DM's people say: their wants, fears and secrets in the first person.

use super::read::{clause_after, names, sentences};
use super::request::Request;
use super::story::{about, called};

/// A person of the DM's, as far as the material tells.
pub(super) struct Voice {
    /// "She" or "He"; nothing when the material says neither.
    pub(super) pronoun: Option<&'static str>,
    /// What this person wants, in the first person.
    pub(super) want: String,
    /// What this person fears, in the first person.
    pub(super) fear: String,
    /// What this person did or saw, in the first person.
    pub(super) secrets: Vec<String>,
}

/// Verbs that tell of the past and do not end in "ed".
const PAST: &[&str] = &[
    "has", "had", "was", "took", "hid", "saw", "made", "told", "knew", "heard", "kept", "sold", "gave",
    "lost", "wrote", "left", "found", "swore", "lent", "sent", "met", "paid", "broke", "drew", "let",
    "bought",
];

/// What may follow "me", and no noun of which it could be "my".
const AFTER_ME: &[&str] = &[
    "", "to", "and", "or", "by", "in", "on", "at", "from", "with", "for", "if", "as", "again", "alone",
    "when", "before", "after",
];

impl Voice {
    /// How this person speaks; `quarry` is not spoken of as a secret.
    pub(super) fn of(request: &Request<'_>, name: &str, quarry: &str) -> Voice {
        let row = request.state.npcs.iter().find(|row| called(row) == name);
        let about = row.map_or("", |row| about(request, row));
        Voice::out_of(about, pronoun(request, about, name), quarry)
    }

    /// How somebody speaks of whom these words are; `quarry` is not spoken of as a secret unless it is empty.
    pub(super) fn out_of(about: &str, pronoun: Option<&'static str>, quarry: &str) -> Voice {
        let pronoun = pronoun.or_else(|| pronoun_in(about));
        let own = |text: &str| first_person(text, pronoun);
        let clause = |leads: &[&str]| clause_after(about, leads).map(own).unwrap_or_default();
        let kept = |line: &&str| (quarry.is_empty() || !line.contains(quarry)) && line.len() < 160;
        let told = sentences(about).into_iter().filter(kept);
        let secrets = told.filter(|line| {
            let mut words = line.split(' ');
            let by_name = matches!(words.next(), Some("She" | "He"));
            by_name && words.next().is_some_and(|verb| verb.ends_with("ed") || PAST.contains(&verb))
        });
        Voice {
            pronoun,
            want: clause(&[" wants ", "Wants "]),
            fear: Some(clause(&[" fears ", "Fears ", " is afraid of "]))
                .filter(|fear| is_thing(fear))
                .unwrap_or_default(),
            secrets: secrets.map(own).collect(),
        }
    }
}

/// What can stand after "of": no clause.
fn is_thing(fear: &str) -> bool {
    !["that ", "to ", "what ", "whether "].iter().any(|lead| fear.starts_with(lead))
}

/// The pronoun that comes first in what is said of somebody.
fn pronoun_in(about: &str) -> Option<&'static str> {
    let first = |words: &[&str]| words.iter().filter_map(|word| about.find(word)).min();
    let she = first(&[" she ", "She ", " her ", " woman"]);
    let he = first(&[" he ", "He ", " his ", " man "]);
    match (she, he) {
        (Some(she), Some(he)) => Some(if she < he { "She" } else { "He" }),
        (Some(_), None) => Some("She"),
        (None, Some(_)) => Some("He"),
        (None, None) => None,
    }
}

/// "She" or "He" as the material says of this person.
fn pronoun(request: &Request<'_>, about: &str, name: &str) -> Option<&'static str> {
    if let Some(pronoun) = pronoun_in(about) {
        return Some(pronoun);
    }
    let told = sentences(&request.material);
    let after = told.windows(2).filter(|pair| pair.first().is_some_and(|line| names(line, name)));
    let mut pronouns = after.filter_map(|pair| {
        let next = pair.get(1)?;
        ["She", "He"]
            .into_iter()
            .find(|word| next.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
    });
    pronouns.next()
}

/// The text as its person would say it: "She counted her hens and has sold two" is "I counted my hens and have sold two". Whoever is
/// spoken of as "he" speaks of somebody else as "her".
pub(super) fn first_person(text: &str, pronoun: Option<&str>) -> String {
    let she = ["She ", " she ", "Her ", " her "].iter().filter_map(|word| text.find(word)).min();
    let he = ["He ", " he ", "His ", " his "].iter().filter_map(|word| text.find(word)).min();
    let told = match (she, he) {
        (Some(she), Some(he)) => she < he,
        (she, _) => she.is_some() || (text.starts_with("her ") && he.is_none()),
    };
    let woman = pronoun.map_or(told, |pronoun| pronoun == "She");
    let next = text.split(' ').skip(1).chain([""]);
    let mut last = String::new();
    let said = text.split(' ').zip(next).map(|(word, next)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let ends = word.ends_with(|c: char| !c.is_alphanumeric());
        let new = match (bare, woman) {
            ("She" | "she", true) | ("He" | "he", false) => "I",
            ("her", true) if ends || AFTER_ME.contains(&next) => "me",
            ("her", true) | ("his", false) => "my",
            ("Her", true) | ("His", false) => "My",
            ("him", false) => "me",
            ("herself", true) | ("himself", false) => "myself",
            ("has", _) if last == "I" || last == "and" => "have",
            ("is", _) if last == "I" => "am",
            ("does", _) if last == "I" => "do",
            ("goes", _) if last == "I" => "go",
            // What she knows, I know.
            (verb, _) if last == "I" && is_present(verb) => &verb[..verb.len() - 1],
            _ => bare,
        };
        last = new.to_owned();
        if new == bare { word.to_owned() } else { word.replacen(bare, new, 1) }
    });
    said.collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// "knows", "wants": a verb of one who is spoken of.
fn is_present(verb: &str) -> bool {
    let ends = verb.ends_with('s')
        && !["ss", "us", "ies", "shes", "ches", "xes"].iter().any(|end| verb.ends_with(end));
    ends && !["was", "always", "perhaps", "sometimes", "afterwards"].contains(&verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persona_is_turned_to_the_first_person() {
        for (told, said) in [
            (
                "She counted twelve, and has said eleven ever since.",
                "I counted twelve, and have said eleven ever since",
            ),
            (
                "He had the barge loaded over her mark, and has not slept.",
                "I had the barge loaded over her mark, and have not slept",
            ),
            ("her brother's name read out", "my brother's name read out"),
            ("that his niece is unhappy", "that my niece is unhappy"),
            ("He knows every bell by its note", "I know every bell by its note"),
            ("She was always late", "I was always late"),
            (
                "her sister to forgive her, and to write to her again",
                "my sister to forgive me, and to write to me again",
            ),
        ] {
            assert_eq!(first_person(told, None), said);
        }
    }

    #[test]
    fn somebody_else_is_not_taken_for_who_speaks() {
        for (told, pronoun, said) in [
            ("her to resign", "He", "her to resign"),
            ("her knitting", "He", "her knitting"),
            ("his brother and her own name cleared", "She", "his brother and my own name cleared"),
        ] {
            assert_eq!(first_person(told, Some(pronoun)), said);
        }
    }
}
