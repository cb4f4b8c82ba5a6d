//! Finds in other people's prose what a reply can take up: actions, names, wants.

/// Who an action is told to or about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Second,
    Third,
}

/// Words before a name whose full stop ends no sentence.
const TITLES: [&str; 4] = ["Mrs", "Mr", "Dr", "St"];

/// Sentences of a text, trimmed, without line breaks.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut letters = line.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let title = letter == '.' && TITLES.iter().any(|title| line[..at].ends_with(title));
            let ends = matches!(letter, '.' | '!' | '?') && !title;
            let closing = letters.peek().is_some_and(|(_, next)| matches!(next, '"' | '”' | '\'' | ')'));
            let at_end = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
            let after_quote = letter == '"' && line[..at].ends_with(['.', '!', '?']);
            if (ends && at_end && !closing) || (after_quote && at_end) {
                found.push(line[start..at + letter.len_utf8()].trim());
                start = at + letter.len_utf8();
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Stands for a speech that its speaker is named after: "I tell him" is no deed then.
const SPEECH: &str = " Said";

/// A text without what stands in quotation marks.
fn outside_quotes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut named = false;
    for (index, part) in text.split(['"', '“', '”']).enumerate() {
        if index % 2 == 1 {
            named = part.ends_with(',');
        } else {
            plain.push_str(if named { SPEECH } else { " " });
            plain.push_str(part);
        }
    }
    plain
}

/// The last thing that somebody says aloud in this text, when it is short.
pub(super) fn last_quote(text: &str) -> Option<&str> {
    let quotes: Vec<&str> = text.split(['"', '“', '”']).skip(1).step_by(2).collect();
    let last = quotes
        .iter()
        .rev()
        .map(|quote| sentences(quote))
        .find_map(|parts| parts.into_iter().find(|part| (3..=6).contains(&part.split(' ').count())))?;
    Some(last.trim_end_matches(['.', ',', '!', '?']))
}

const NO_ACTION: &[&str] = &[
    "hope", "add", "nod", "repeat", "wonder", "guess", "shrug", "thought", "owe", "am", "have", "had", "was",
    "know", "think", "remember", "want", "don't", "do", "did", "cannot", "can't", "would", "will", "never",
    "wish", "suppose", "could", "should", "may", "might", "used", "like", "love", "need", "mean", "believe",
    "notice", "feel", "once", "still", "can", "seem", "must", "shall", "nearly", "leave", "whisper", "show",
    "hiss", "wave", "knew",
];

/// What may stand before the "I" of a deed when there is no comma.
const LEADS: [&str; 5] = ["", "So", "Then", "And", "But"];

/// What the speaker declares to do: the longest phrase after an "I" that tells of a deed, in the first person.
pub(super) fn action(text: &str) -> Option<String> {
    let plain = outside_quotes(text);
    let deeds = sentences(&plain).into_iter().rev().filter_map(deed);
    deeds.max_by_key(|deed| deed.split(' ').count()).map(str::to_owned)
}

/// The words after "I" up to the end of the clause, when they tell of a deed: "All I can think of" does not.
fn deed(sentence: &str) -> Option<&str> {
    let leads = |at: &usize| {
        let before = sentence[..*at].trim();
        LEADS.contains(&before) || (before.ends_with([',', ':', ';']) && sentence[..*at].ends_with(' '))
    };
    let start = sentence.match_indices("I ").map(|(at, _)| at).find(leads)?;
    let mut rest = &sentence[start + 2..];
    for opener in ["try to ", "will ", "am going to ", "decide to ", "quietly ", "simply "] {
        rest = rest.strip_prefix(opener).unwrap_or(rest);
    }
    let is_title = |at: usize| TITLES.iter().any(|title| rest[..at].ends_with(title));
    let stops = rest.match_indices([',', ';', ':', '.', '!', '?', '—', '(']);
    let end = stops.map(|(at, _)| at).find(|at| !is_title(*at)).unwrap_or(rest.len());
    let phrase = rest[..end].trim();
    let first = phrase.split(' ').next().unwrap_or("");
    let plausible = first.chars().all(|c| c.is_ascii_lowercase()) && !NO_ACTION.contains(&first);
    (plausible && (2..=24).contains(&phrase.split(' ').count()) && phrase.len() <= 140).then_some(phrase)
}

/// The deed in which somebody tries this check, else any deed.
pub(super) fn attempt(text: &str, check: &str) -> Option<String> {
    let plain = outside_quotes(text);
    let tried = sentences(&plain).into_iter().filter_map(|sentence| {
        let at = sentence.find(check).filter(|_| check.contains(' '))?;
        deed(&format!("I {}", sentence.get(at..)?)).map(str::to_owned)
    });
    tried.into_iter().next().or_else(|| action(text))
}

/// The action in the second ("your hand") or the third person ("their hand").
pub(super) fn shift(action: &str, person: Person) -> String {
    let or =
        |second: &'static str, third: &'static str| if person == Person::Second { second } else { third };
    let mut after_i = false;
    let shifted = action.split(' ').map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        let new = match bare {
            "I" | "we" => or("you", "they"),
            "me" | "us" => or("you", "them"),
            "my" | "our" => or("your", "their"),
            "mine" | "ours" => or("yours", "theirs"),
            "myself" => or("yourself", "themself"),
            "I'm" => or("you're", "they're"),
            "I've" => or("you've", "they've"),
            "I'll" => or("you'll", "they'll"),
            "am" => "are",
            "was" if after_i => "were",
            _ => bare,
        };
        after_i = bare == "I";
        if new == bare { word.to_owned() } else { word.replacen(bare, new, 1) }
    });
    shifted.collect::<Vec<_>>().join(" ")
}

/// The words after `lead` up to the end of the clause, as in "wants the shelf full by dusk".
pub(super) fn clause_after<'t>(text: &'t str, leads: &[&str]) -> Option<&'t str> {
    let (at, lead) = leads.iter().filter_map(|lead| text.find(lead).map(|at| (at, lead))).min()?;
    let rest = text.get(at + lead.len()..)?;
    let end = rest.find([',', ';', '.', '\n', ':']).unwrap_or(rest.len());
    let clause = rest.get(..end)?;
    let end = [" and fears", " and is afraid", " because ", " but "]
        .iter()
        .filter_map(|stop| clause.find(stop))
        .min();
    let clause = clause.get(..end.unwrap_or(clause.len()))?.trim();
    (2..=22).contains(&clause.split_whitespace().count()).then_some(clause)
}

/// The text with the capitals that names have elsewhere: "talk gently to tilda" where Tilda is spoken of.
pub(super) fn proper(text: &str, told: &str) -> String {
    let named = |word: &str| {
        let name = super::grammar::capital(word);
        word.len() > 2
            && !["the", "old", "mrs"].contains(&word)
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && told.match_indices(&name).any(|(at, _)| {
                let inside = told[..at].ends_with(' ')
                    && told[..at].trim_end().ends_with(|c: char| c.is_lowercase() || c == ',');
                // "The Three Herrings" is no name of three.
                let of_a_thing = told[..at].trim_end().ends_with("the");
                inside && !of_a_thing && !told[at + name.len()..].starts_with(char::is_alphanumeric)
            })
    };
    let before = std::iter::once("").chain(text.split(' '));
    let words = text.split(' ').zip(before).enumerate().map(|(index, (word, before))| {
        // "His kettle" is no person.
        let of_a_thing = ["the", "a", "an", "his", "her", "its", "their", "my", "your"].contains(&before);
        if index > 0 && !of_a_thing && named(word) { super::grammar::capital(word) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the word stands in the text with no letter beside it.
pub(super) fn names(text: &str, name: &str) -> bool {
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
}

/// The name that friends use: the first word, unless it is a title.
pub(super) fn short(name: &str) -> &str {
    let mut parts = name.split(' ');
    let first = parts.next().unwrap_or(name);
    let title = [
        "The",
        "Old",
        "Player",
        "Captain",
        "Mother",
        "Father",
        "Brother",
        "Sister",
        "Mistress",
        "Master",
        "Big",
        "Little",
        "Reeve",
        "Lady",
        "Lord",
        "Sir",
        "Dame",
        "Doctor",
        "Aunt",
        "Uncle",
        "Granny",
        "Mrs",
        "Mrs.",
        "Mr",
        "Mr.",
        "Miss",
        "Dr",
        "Dr.",
        "Justice",
        "Judge",
        "Widow",
        "Widower",
        "Beadle",
        "Professor",
        "Reverend",
        "Inspector",
        "Constable",
        "Sergeant",
        "Corporal",
        "Lieutenant",
        "Major",
        "Colonel",
        "General",
        "Admiral",
        "Count",
        "Countess",
        "Baron",
        "Baroness",
        "Duke",
        "Duchess",
        "King",
        "Queen",
        "Prince",
        "Princess",
        "Saint",
        "St",
        "St.",
        "Madam",
        "Madame",
        "Abbot",
        "Abbess",
        "Bishop",
        "Cousin",
        "Squire",
        "Mayor",
        "Mayoress",
    ]
    .iter()
    .any(|title| title.eq_ignore_ascii_case(first));
    if title { name } else { first }
}

/// A sentence's start in lower case, unless it begins with one of these names or "I".
pub(super) fn lower(text: &str, keep: &[&str]) -> String {
    let first = text.split(' ').next().unwrap_or("");
    let proper = [
        "The",
        "A",
        "An",
        "It",
        "They",
        "She",
        "He",
        "You",
        "One",
        "There",
        "Something",
        "Both",
        "Two",
        "Three",
        "All",
        "His",
        "Her",
        "Its",
        "Their",
        "Your",
        "This",
        "That",
        "Now",
        "Down",
        "With",
        "Under",
        "Half",
        "Not",
        "We",
        "Water",
        "On",
        "From",
        "When",
        "Until",
        "Nobody",
        "Somebody",
        "Everybody",
        "Whoever",
        "At",
        "By",
        "In",
        "No",
        "Some",
    ];
    let kept = keep.iter().any(|name| name.split(' ').any(|word| word == first));
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if proper.contains(&first) && !kept => {
            format!("{}{}", letter.to_lowercase(), letters.as_str())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::nouns::quarry;
    use super::*;

    #[test]
    fn a_declared_action_is_found_and_turned_to_the_listener() {
        let said =
            "\"I never liked geese,\" says nobody. I know that goose. I lift my hat to the goose, slowly.";
        let found = action(said).unwrap_or_default();
        assert_eq!(found, "lift my hat to the goose");
        assert_eq!(shift(&found, Person::Second), "lift your hat to the goose");
        assert_eq!(shift(&found, Person::Third), "lift their hat to the goose");
    }

    #[test]
    fn a_thought_is_no_deed() {
        assert_eq!(action("All I can think of is the sound of a cart. If I am wrong, so be it."), None);
        assert_eq!(action("With a rope for cover, I climb the wall.").as_deref(), Some("climb the wall"));
    }

    #[test]
    fn a_name_in_small_letters_gets_its_capital_where_it_is_a_name() {
        let told = "His niece Tilda studies the river. Gently does it.";
        assert_eq!(proper("talk gently to tilda", told), "talk gently to Tilda");
        let told = "and Imogen Kettle, who is late, and Tilda";
        assert_eq!(proper("talk tilda out of his kettle", told), "talk Tilda out of his kettle");
        assert_eq!(
            proper("haggle in three languages", "We met at the Three Herrings."),
            "haggle in three languages"
        );
    }

    #[test]
    fn a_title_is_no_name_whatever_its_case() {
        assert_eq!([short("Edda Crane"), short("the Countess of Marle")], ["Edda", "the Countess of Marle"]);
    }

    #[test]
    fn sentences_end_after_the_closing_quotation_mark() {
        assert_eq!(sentences("\"Go.\" She goes. Why?"), ["\"Go.\"", "She goes.", "Why?"]);
        assert_eq!(sentences("Ask Mrs. Quill. Go."), ["Ask Mrs. Quill.", "Go."]);
    }

    #[test]
    fn text_of_many_bytes_per_letter_is_safe() {
        for text in ["“é” — I löse ü", "I —", "ß.ß? “", "the 中 on the 中文 I 文"] {
            let _ = (sentences(text), action(text), last_quote(text), quarry(text));
            let _ = (clause_after(text, &["é"]), names(text, "文"));
        }
    }
}
