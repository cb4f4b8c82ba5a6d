//! Reads the label of a goal as the deed that reaches it: "The bell is rung at noon" is to ring the bell at noon.

use super::cast::Cast;
use super::read::{lower, names};

/// What kind of ending a goal is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// What is sought comes back.
    Return,
    /// Something is said that everybody hears.
    Speech,
    /// One of the DM's people does it; what they do stands beside the name, as in "tells the truth".
    Person(String, String),
    /// Somebody is punished.
    Custody,
    /// Anything else that people have to agree to.
    Agreement,
}

/// The deed of a player that reaches a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Deed {
    pub(super) kind: Kind,
    /// As after "to": "read the name out".
    pub(super) base: String,
    /// As after a name: "read the name out".
    pub(super) past: String,
}

const PUNISHED: &[&str] = &[
    "lock-up",
    "locked up",
    "custody",
    "chains",
    "prison",
    "gaol",
    "jail",
    "a cell",
    "arrest",
    "stocks",
    "irons",
];

/// Participle, base and past.
const VERBS: &[[&str; 3]] = &[
    ["read", "read", "read"],
    ["spoken", "speak", "spoke"],
    ["said", "say", "said"],
    ["told", "tell", "told"],
    ["sung", "sing", "sang"],
    ["rung", "ring", "rang"],
    ["named", "name", "named"],
    ["called", "call", "called"],
    ["shown", "show", "showed"],
    ["given", "give", "gave"],
    ["put", "put", "put"],
    ["laid", "lay", "laid"],
    ["brought", "bring", "brought"],
    ["taken", "take", "took"],
    ["returned", "return", "returned"],
    ["carried", "carry", "carried"],
    ["handed", "hand", "handed"],
    ["set", "set", "set"],
    ["held", "hold", "held"],
    ["hung", "hang", "hung"],
    ["lit", "light", "lit"],
    ["opened", "open", "opened"],
    ["closed", "close", "closed"],
    ["shared", "share", "shared"],
    ["sold", "sell", "sold"],
    ["paid", "pay", "paid"],
    ["broken", "break", "broke"],
    ["burned", "burn", "burned"],
    ["buried", "bury", "buried"],
    ["freed", "free", "freed"],
    ["proved", "prove", "proved"],
    ["kept", "keep", "kept"],
    ["stopped", "stop", "stopped"],
    ["saved", "save", "saved"],
];

/// Verbs that are heard.
const SPOKEN: &[&str] = &["read", "speak", "say", "tell", "sing", "name", "call", "prove"];

impl Deed {
    /// The deed behind this label.
    pub(super) fn of(label: &str, cast: &Cast) -> Deed {
        let clause = first_clause(label);
        if PUNISHED.iter().any(|word| clause.contains(word)) {
            let to = |verb: &str| format!("{verb} {} up to {}", cast.suspect, cast.officer);
            return Deed { kind: Kind::Custody, base: to("give"), past: to("gave") };
        }
        if let Some((name, does)) = cast.people.iter().find_map(|name| Some((name, subject(clause, name)?))) {
            let kind = Kind::Person(name.clone(), does.to_owned());
            return Deed { kind, base: format!("stand by {name}"), past: format!("stood by {name}") };
        }
        let sought = names(clause, cast.quarry_noun());
        if let Some((_, place)) =
            clause.split_once(" back ").filter(|_| sought && clause.contains(" is back "))
        {
            return returned(place, cast);
        }
        if let Some(deed) = passive(clause, cast) {
            return deed;
        }
        if sought {
            return returned(&format!("at {}", cast.destination), cast);
        }
        let that = |verb: &str| format!("{verb} everybody to agree that {}", cast.lower(clause));
        Deed { kind: Kind::Agreement, base: that("get"), past: that("got") }
    }

    /// What the person of this ending does, as after "to"; empty for other endings.
    pub(super) fn promised(&self) -> String {
        let Kind::Person(_, does) = &self.kind else { return String::new() };
        let (verb, rest) = does.split_once(' ').unwrap_or((does, ""));
        let base = match verb {
            "is" => "be",
            "has" => "have",
            "goes" => "go",
            "does" => "do",
            _ => verb.strip_suffix('s').unwrap_or(verb),
        };
        format!("{base} {rest}").trim().to_owned()
    }
}

/// The label up to where it says when, or that something else is so as well.
fn first_clause(label: &str) -> &str {
    let label = label.trim().trim_end_matches('.');
    let stops = [", ", "; ", " before ", " and ", " when ", " until ", " by dusk", " again"];
    let end = stops.iter().filter_map(|stop| label.find(stop)).min().unwrap_or(label.len());
    label.get(..end).unwrap_or(label)
}

/// What this person does in the clause, when it begins with the name or a part of it.
fn subject<'c>(clause: &'c str, name: &str) -> Option<&'c str> {
    let parts = name.split(' ').rev().filter(|part| part.starts_with(char::is_uppercase));
    let does =
        std::iter::once(name).chain(parts).find_map(|name| clause.strip_prefix(name)?.strip_prefix(' '))?;
    let verb = does.split(' ').next().unwrap_or("");
    verb.ends_with('s').then_some(does)
}

fn returned(place: &str, cast: &Cast) -> Deed {
    let quarry = &cast.quarry;
    let (base, past, place) = match place.split_once(' ') {
        Some(("with", who)) => ("give", "gave", format!("to {who}")),
        Some(("at", place)) => ("bring", "brought", format!("to {place}")),
        _ => ("put", "put", place.to_owned()),
    };
    Deed {
        kind: Kind::Return,
        base: format!("{base} {quarry} back {place}"),
        past: format!("{past} {quarry} back {place}"),
    }
}

/// "The name is read out" as to read the name out.
fn passive(clause: &str, cast: &Cast) -> Option<Deed> {
    let (subject, rest) = [" is ", " are "].iter().find_map(|is| clause.split_once(is))?;
    let (done, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let [_, base, past] = VERBS.iter().find(|[participle, ..]| *participle == done)?;
    let sought = [&cast.quarry, &cast.brief()].iter().any(|thing| subject.eq_ignore_ascii_case(thing));
    let subject = if sought { cast.quarry.clone() } else { cast.lower(subject) };
    let told = |verb: &str| format!("{verb} {subject} {rest}").trim_end().to_owned();
    let kind = if SPOKEN.contains(base) {
        Kind::Speech
    } else if sought {
        Kind::Return
    } else {
        Kind::Agreement
    };
    Some(Deed { kind, base: told(base), past: told(past) })
}

impl Cast {
    /// The text with a small first letter, unless it begins with a name.
    pub(super) fn lower(&self, text: &str) -> String {
        let keep: Vec<&str> = self.people.iter().map(String::as_str).collect();
        lower(text, &keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast() -> Cast {
        Cast {
            people: vec!["Amity Rook".into(), "Old Tam".into()],
            quarry: "the fog bell".into(),
            suspect: "Old Tam".into(),
            officer: "Amity Rook".into(),
            destination: "the tower".into(),
            ..Cast::default()
        }
    }

    #[test]
    fn labels_are_read_as_deeds() {
        for (label, base, past) in [
            (
                "The fog bell is back in the tower by dusk.",
                "put the fog bell back in the tower",
                "put the fog bell back in the tower",
            ),
            (
                "The bell is back at the mole before dawn.",
                "bring the fog bell back to the mole",
                "brought the fog bell back to the mole",
            ),
            (
                "The bell hangs in the tower again.",
                "bring the fog bell back to the tower",
                "brought the fog bell back to the tower",
            ),
            (
                "Joss's name is read out on the bridge, and all is well.",
                "read Joss's name out on the bridge",
                "read Joss's name out on the bridge",
            ),
            (
                "The truth about the bell is told at noon.",
                "tell the truth about the bell at noon",
                "told the truth about the bell at noon",
            ),
            ("The feast is held here.", "hold the feast here", "held the feast here"),
            (
                "Somebody is in chains for it.",
                "give Old Tam up to Amity Rook",
                "gave Old Tam up to Amity Rook",
            ),
            ("Old Tam rings the bell himself.", "stand by Old Tam", "stood by Old Tam"),
            (
                "Nobody sails.",
                "get everybody to agree that nobody sails",
                "got everybody to agree that nobody sails",
            ),
        ] {
            let deed = Deed::of(label, &cast());
            assert_eq!((deed.base.as_str(), deed.past.as_str()), (base, past), "{label}");
        }
    }

    #[test]
    fn a_person_can_promise_the_deed() {
        let deed = Deed::of("Old Tam rings the bell himself, in front of the council.", &cast());
        assert_eq!(deed.promised(), "ring the bell himself");
    }
}
