//! Reads the label of a goal as the deed that reaches it: "The bell is rung at noon" is to ring the bell at noon.

use super::read::lower;

/// Who does it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One of the DM's people; what they do stands beside the name, as in "tells the truth".
    Person(String, String),
    /// A player's character.
    Other,
}

/// The deed of a player that reaches a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Deed {
    pub(super) kind: Kind,
    /// As after "to": "read the name out".
    pub(super) base: String,
    /// As after a name: "read the name out".
    pub(super) past: String,
    /// Whether whoever hears of the deed has heard all that the label says.
    pub(super) tells_all: bool,
}

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
    ["done", "do", "did"],
    ["made", "make", "made"],
    ["left", "leave", "left"],
    ["won", "win", "won"],
    ["lost", "lose", "lost"],
    ["found", "find", "found"],
    ["seen", "see", "saw"],
    ["heard", "hear", "heard"],
    ["sworn", "swear", "swore"],
    ["sent", "send", "sent"],
    ["drawn", "draw", "drew"],
    ["written", "write", "wrote"],
    ["caught", "catch", "caught"],
    ["hidden", "hide", "hid"],
    ["let", "let", "let"],
    ["begun", "begin", "began"],
    ["bought", "buy", "bought"],
    ["built", "build", "built"],
    ["bound", "bind", "bound"],
    ["chosen", "choose", "chose"],
    ["eaten", "eat", "ate"],
    ["forgotten", "forget", "forgot"],
    ["forgiven", "forgive", "forgave"],
    ["led", "lead", "led"],
    ["lent", "lend", "lent"],
    ["met", "meet", "met"],
    ["stood", "stand", "stood"],
    ["stolen", "steal", "stole"],
    ["thrown", "throw", "threw"],
    ["torn", "tear", "tore"],
    ["taught", "teach", "taught"],
    ["withdrawn", "withdraw", "withdrew"],
    ["woken", "wake", "woke"],
    ["gone", "go", "went"],
    ["come", "come", "came"],
    ["struck", "strike", "struck"],
    ["admitted", "admit", "admitted"],
    ["confessed", "confess", "confessed"],
    ["promised", "promise", "promised"],
    ["agreed", "agree", "agreed"],
    ["raised", "raise", "raised"],
    ["chased", "chase", "chased"],
    ["dropped", "drop", "dropped"],
    ["owned", "own", "owned"],
    ["signed", "sign", "signed"],
    ["answered", "answer", "answered"],
    ["asked", "ask", "asked"],
    ["thanked", "thank", "thanked"],
    ["helped", "help", "helped"],
    ["crossed", "cross", "crossed"],
    ["mended", "mend", "mended"],
    ["finished", "finish", "finished"],
    ["delivered", "deliver", "delivered"],
    ["elected", "elect", "elected"],
    ["married", "marry", "married"],
    ["forbidden", "forbid", "forbade"],
    ["cleared", "clear", "cleared"],
    ["turned", "turn", "turned"],
];

/// What is done in words.
const SPEAKING: &[&str] = &["tells ", "says ", "promises ", "admits ", "swears "];
/// How the deed begins that is all that a goal says.
pub(super) const WHOLE: &str = "see to it that ";
/// What a player says of such a deed.
const LEFT: &str = "what is left to do";

impl Deed {
    /// Does somebody who says this do it?
    pub(super) fn is_declared(&self, said: &str) -> bool {
        said.contains(&self.base) || (self.is_whole() && said.contains(LEFT))
    }

    /// Is it all that the goal says?
    pub(super) fn is_whole(&self) -> bool {
        self.base.starts_with(WHOLE)
    }

    /// The deed behind this label.
    pub(super) fn of(label: &str, people: &[String]) -> Deed {
        let clause = first_clause(label);
        let tells_all = clause.len() == label.trim().trim_end_matches('.').len();
        let acts = |clause: &str| people.iter().find_map(|name| Some((name, subject(clause, name)?)));
        // "Has said before the dealer that …" is more than to say.
        let is_cut = |(_, does): &(&String, String)| !does.contains(' ');
        let longer = || acts(label.trim().trim_end_matches('.').split(", ").next().unwrap_or_default());
        // What somebody tells comes behind "that", however far.
        let whole = label.trim().trim_end_matches('.');
        let tells = |(_, does): &(&String, String)| SPEAKING.iter().any(|verb| does.starts_with(verb));
        let is_late = whole.contains(" that ") && !clause.contains(" that ");
        let told = acts(clause).filter(|acts| is_late && tells(acts)).and_then(|_| acts(whole));
        let is_whole = told.is_some();
        if let Some((name, does)) = told.or_else(|| acts(clause).filter(|acts| !is_cut(acts))).or_else(longer)
        {
            let tells_all = tells_all || is_whole || !label.contains(", ");
            let kind = Kind::Person(name.clone(), does);
            let (base, past) = (format!("stand by {name}"), format!("stood by {name}"));
            return Deed { kind, base, past, tells_all };
        }
        if let Some((base, past)) = passive(clause, people) {
            return Deed { kind: Kind::Other, base, past, tells_all };
        }
        // A part of it may be no clause: "Hanna, Aldous and Marget have spoken".
        let that = |verb: &str| format!("{verb} to it that {}", small(whole, people));
        Deed { kind: Kind::Other, base: that("see"), past: that("saw"), tells_all: false }
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
            _ if let Some([_, base, _]) = VERBS.iter().find(|[_, base, _]| third(base) == verb) => base,
            _ => verb.strip_suffix('s').unwrap_or(verb),
        };
        format!("{base} {rest}").trim().to_owned()
    }
}

/// The label up to where it says when, or that something else is so as well.
pub(super) fn first_clause(label: &str) -> &str {
    let label = label.trim().trim_end_matches('.');
    let stops = [", ", "; ", " before ", " and ", " when ", " until ", " by dusk", " again"];
    let end = stops.iter().filter_map(|stop| label.find(stop)).min().unwrap_or(label.len());
    label.get(..end).unwrap_or(label)
}

/// What this person does in the clause, when it begins with the name or a part of it; what the person has done then is done now.
fn subject(clause: &str, name: &str) -> Option<String> {
    let parts = name.split(' ').rev().filter(|part| part.starts_with(char::is_uppercase));
    let does =
        std::iter::once(name).chain(parts).find_map(|name| clause.strip_prefix(name)?.strip_prefix(' '))?;
    let verb = does.split(' ').next().unwrap_or("");
    if let Some(done) = does.strip_prefix("has ") {
        let (participle, rest) = done.split_once(' ').unwrap_or((done, ""));
        let [_, base, _] = VERBS.iter().find(|[known, ..]| *known == participle)?;
        return Some(format!("{} {rest}", third(base)).trim_end().to_owned());
    }
    (verb.ends_with('s') && !["is", "was"].contains(&verb)).then(|| does.to_owned())
}

/// The verb as after "she".
fn third(base: &str) -> String {
    match base {
        "go" | "do" => format!("{base}es"),
        _ if let Some(stem) = base.strip_suffix('y').filter(|stem| stem.ends_with(['r', 'l'])) => {
            format!("{stem}ies")
        }
        _ if ["ss", "sh", "ch", "x"].iter().any(|end| base.ends_with(end)) => format!("{base}es"),
        _ => format!("{base}s"),
    }
}

/// "The name is read out", and "has been", as to read the name out: the verb after "to", and as it was done.
fn passive(clause: &str, people: &[String]) -> Option<(String, String)> {
    let is = [" has been ", " have been ", " is ", " are "];
    let (subject, rest) = is.iter().find_map(|is| clause.split_once(is))?;
    let (done, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let [_, base, past] = VERBS.iter().find(|[participle, ..]| *participle == done)?;
    // "To marry they" is nothing that one does.
    let is_somebody = ["They", "He", "She", "It", "We", "You", "Everybody", "Everyone", "Nobody", "Somebody"]
        .contains(&subject);
    if is_somebody {
        return None;
    }
    let subject = small(subject, people);
    let told = |verb: &str| format!("{verb} {subject} {rest}").trim_end().to_owned();
    Some((told(base), told(past)))
}

/// The text with a small first letter, unless it begins with a name.
pub(super) fn small(text: &str, people: &[String]) -> String {
    let keep: Vec<&str> = people.iter().map(String::as_str).collect();
    lower(text, &keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people() -> Vec<String> {
        vec!["Amity Rook".into(), "Old Tam".into()]
    }

    #[test]
    fn labels_are_read_as_deeds() {
        for (label, base, past) in [
            (
                "The fog bell is back in the tower by dusk.",
                "see to it that the fog bell is back in the tower by dusk",
                "saw to it that the fog bell is back in the tower by dusk",
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
            ("Old Tam rings the bell himself.", "stand by Old Tam", "stood by Old Tam"),
            ("Old Tam is home.", "see to it that Old Tam is home", "saw to it that Old Tam is home"),
            (
                "They are married at dusk.",
                "see to it that they are married at dusk",
                "saw to it that they are married at dusk",
            ),
            ("Nobody sails.", "see to it that nobody sails", "saw to it that nobody sails"),
        ] {
            let deed = Deed::of(label, &people());
            assert_eq!((deed.base.as_str(), deed.past.as_str()), (base, past), "{label}");
        }
    }

    #[test]
    fn what_has_been_done_is_a_deed_as_well() {
        let deed = |label: &str| Deed::of(label, &people());
        let said = deed("Amity Rook has said before the dealer that he will not bid.");
        assert_eq!(
            said.kind,
            Kind::Person("Amity Rook".into(), "says before the dealer that he will not bid".into())
        );
        assert_eq!(said.promised(), "say before the dealer that he will not bid");
        assert_eq!(deed("Old Tam has carried the bell home.").promised(), "carry the bell home");
        assert_eq!(deed("The lamp has been lit.").base, "light the lamp");
        assert!(deed("The kelp boats have seen the smoke.").is_whole());
        assert!(said.tells_all && !deed("The lamp is lit, and all is well.").tells_all);
    }

    #[test]
    fn what_somebody_tells_is_told_whole() {
        let deed = Deed::of(
            "Amity Rook tells Old Tam, before witnesses, that his name will be on the sign.",
            &people(),
        );
        let does = "tells Old Tam, before witnesses, that his name will be on the sign";
        assert_eq!(deed.kind, Kind::Person("Amity Rook".into(), does.into()));
        assert!(deed.tells_all);
    }

    #[test]
    fn a_person_can_promise_the_deed() {
        let deed = Deed::of("Old Tam rings the bell himself, in front of the council.", &people());
        assert_eq!(deed.promised(), "ring the bell himself");
    }
}
