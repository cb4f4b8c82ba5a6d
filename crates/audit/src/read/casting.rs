//! Who plays whom, as prompts and first lines say it: "Tom plays Bren", "Bren the smith (player: Tom)", "You are Tom, playing Bren".

use super::people::is_generic;
use crate::text::{is_frequent, place_of};

/// What stands between a player's name and the character's.
const BEFORE_NAME: &[&str] = &[
    " plays ",
    " is playing ",
    " playing ",
    ", playing ",
    " (playing ",
    " (plays ",
    " (as ",
    " as ",
    " controls ",
    " runs ",
    " voices ",
    " portrays ",
    " will play ",
    "'ll play ",
    " will be playing ",
    " is ",
    ", he's got ",
    ", she's got ",
    ", they've got ",
    "'s got ",
    " has ",
    " brings ",
    " takes ",
    ", who plays ",
    ", who's playing ",
    ", who is playing ",
    " in the role of ",
    ", in the role of ",
    " stars as ",
    "'s character is ",
    "'s character: ",
    "'s character, ",
    "'s character ",
    "'s PC is ",
    "'s PC: ",
    "'s PC, ",
    ", you play ",
    ", you'll play ",
    ", you're playing ",
    ", you are playing ",
    ", you will play ",
    ": you play ",
    ", you are ",
    ", you're ",
    ": you are ",
    ": you're ",
    " → ",
    " -> ",
    " = ",
    " - ",
    " — ",
    " – ",
    " (",
];
/// What stands between a character's name and the player's.
const AFTER_NAME: &[&str] = &[
    "(played by ",
    ", played by ",
    " played by ",
    " is played by ",
    "(player: ",
    "(player ",
    "(player is ",
    "(run by ",
    ", run by ",
    "(controlled by ",
    ", controlled by ",
    "(voiced by ",
    "(",
    "[player: ",
    "[",
];
/// Words before a name that are no part of it, and that others have too.
const TITLES: &str = "mr mrs ms miss mister dr doctor doc sir lady lord dame captain cap'n lieutenant lt sergeant sgt corporal cpl private \
major colonel general commander admiral chief officer constable inspector detective agent special marshal sheriff deputy nurse matron \
sister brother father mother mama papa uncle aunt auntie granny grandma grandpa grandmother grandfather old young big little professor \
prof reverend rev saint st king queen prince princess duke duchess count countess baron baroness earl master mistress maître madame \
madam monsieur mademoiselle herr frau don doña señor señora widow bosun judge the a an of von van de du la le el al ibn mac \
engineer pilot navigator mlle mme knight squire friar abbot abbess bishop cardinal rabbi imam first second third mate";
/// Peoples and trades that sheets put in brackets, as if they were names.
const TRADES: &str = "human elf dwarf halfling gnome orc half-orc half-elf tiefling dragonborn goblin kobold fighter rogue wizard cleric ranger \
bard paladin druid monk sorcerer sorceress warlock barbarian thief mage priest warrior level lvl class race role hacker medic soldier \
scout smuggler investigator player players character narrator dm gm game keeper referee storyteller host npc pc you your they initiative \
round turn order objective goal";
/// What somebody may be to another without being their character.
const KIN: &str = "friend friends enemy rival brother sister father mother son daughter uncle aunt cousin husband wife lover partner boss \
master mistress servant dog cat horse neighbour neighbor old best last first next turn only own favourite favorite problem job to not";
/// Words between such a front and the name: "plays *the engineer* Tanaka".
const ROLE_WORDS: usize = 3;

/// The names of the characters that a text gives to a player, who is called by one of `called`.
pub(super) fn characters(text: &str, called: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for name in called {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| place_of(rest, name)).map(|at| from + at) {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            from = at + name.len();
            let plain = after.replace('’', "'");
            for front in BEFORE_NAME {
                if let Some(rest) = plain.strip_prefix(front) {
                    // Whoever is something is not somebody: "Ada is Dwarf-born" needs a name and nothing more.
                    let strict = matches!(
                        *front,
                        " is "
                            | " has "
                            | " takes "
                            | " brings "
                            | " - "
                            | " — "
                            | " – "
                            | " = "
                            | ", you are "
                            | ", you're "
                    );
                    let own = names_at(rest, if strict { 0 } else { ROLE_WORDS });
                    if !own.is_empty() {
                        found.extend(nickname(rest));
                    }
                    found.extend(own);
                }
            }
            found.extend(owned(&plain));
            found.extend(owned_by(before, &plain));
            // A row of a list: "- Tom: Bren the smith".
            let row = before.rsplit('\n').next().unwrap_or_default().trim_end();
            let listed = row.is_empty() || row.ends_with([',', ';', ':', '(', '-', '*', '•']);
            if let Some(rest) = plain.trim_start_matches('*').strip_prefix(": ").filter(|_| listed) {
                found.extend(names_at(rest, 0));
            }
            let closes = plain.starts_with([')', ']', ',', ';', '.']);
            for end in AFTER_NAME {
                let alone = matches!(*end, "(" | "[");
                let Some(front) =
                    before.strip_suffix(end).filter(|_| !alone || plain.starts_with([')', ']']))
                else {
                    continue;
                };
                if closes {
                    found.extend(names_before(front));
                }
            }
        }
    }
    found
}

/// "Kit's Sgt. Dunnock", "Wren's ranger, Fletch".
fn owned(after: &str) -> Vec<String> {
    let Some(rest) = after.strip_prefix("'s ") else { return Vec::new() };
    let first = rest.split_whitespace().next().unwrap_or_default();
    if is_title(first) && first.chars().next().is_some_and(char::is_uppercase) {
        return names_at(rest, 0);
    }
    let trade = first.strip_suffix(',').filter(|word| word.chars().all(char::is_lowercase));
    trade.map_or_else(Vec::new, |trade| names_at(rest[trade.len() + 1..].trim_start(), 0))
}

/// "Ott is Paul's soldier": whoever is somebody's of a trade is their character; of kin or friends it is not.
fn owned_by(before: &str, after: &str) -> Vec<String> {
    let Some(front) = before.strip_suffix(" is ") else { return Vec::new() };
    let Some(rest) = after.strip_prefix("'s ") else { return Vec::new() };
    let first = rest.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or_default();
    let trade = first.chars().next().is_some_and(char::is_lowercase)
        && !KIN.split_whitespace().any(|kin| kin == first);
    if trade { names_before(front) } else { Vec::new() }
}

/// The names that a text begins with, after at most so many words of what they are.
pub(super) fn names_at(text: &str, skip: usize) -> Vec<String> {
    let text = text.split('\n').next().unwrap_or_default();
    let mut spoken = text
        .split(' ')
        .map(|word| word.trim_matches(['*', '_', '"', '“', '”', '`', '\'', '‘']).trim_start_matches('('))
        .peekable();
    let mut skipped = 0;
    while let Some(word) = spoken.peek() {
        let small = word.chars().next().is_some_and(char::is_lowercase);
        if !small {
            break;
        }
        let leads = ["the", "a", "an", "your", "her", "his", "their", "our"].contains(word);
        if skipped >= skip.max(1) || (skipped == 0 && !leads) || word.ends_with([',', '.', ';', ':', ')']) {
            return Vec::new();
        }
        skipped += 1;
        spoken.next();
    }
    if skipped > skip {
        return Vec::new();
    }
    let mut name: Vec<&str> = Vec::new();
    for one in spoken {
        let plain = one.trim_end_matches(|c: char| !c.is_alphanumeric());
        let owned = plain.strip_suffix("'s").or_else(|| plain.strip_suffix("’s"));
        let plain = owned.unwrap_or(plain);
        if !plain.chars().next().is_some_and(char::is_uppercase) && (plain != "of" || name.is_empty()) {
            break;
        }
        // "Ada is Mara's friend": a name that owns something is somebody else's.
        if owned.is_some() {
            return Vec::new();
        }
        name.push(plain);
        let ends = plain.len() < one.len() && !(is_title(plain) && one.ends_with('.'));
        if ends {
            break;
        }
    }
    if name.last() == Some(&"of") {
        name.pop();
    }
    forms(&name)
}

/// What somebody with a longer name is called: "Two-Feathers-Falling, called Falls".
fn nickname(text: &str) -> Vec<String> {
    let fronts = [
        ", called ",
        " (called ",
        ", known as ",
        ", better known as ",
        " (known as ",
        " alias ",
        ", nicknamed ",
        ", a.k.a. ",
        " aka ",
        ", or just ",
        ", who goes by ",
        ", whom everybody calls ",
        ", whom everyone calls ",
        ", everyone calls him ",
        ", everyone calls her ",
    ];
    let end = text.find(['.', ';', '\n']).unwrap_or(text.len());
    let own = text[..end].find(" plays ").map_or(&text[..end], |next| &text[..next]);
    let found = fronts.iter().filter_map(|front| own.split_once(front)).map(|(_, rest)| rest);
    found.flat_map(|rest| names_at(rest, 0)).collect()
}

/// What a name does not go beyond.
const ENDS: [char; 13] = ['.', ',', ';', ':', '(', ')', '\n', '—', '!', '?', '*', '-', '•'];

/// The names at the end of a text: "You are guards: Nadira", "and Old Fezzik", "Bren the smith".
fn names_before(text: &str) -> Vec<String> {
    let text = text.trim_end();
    let start = text.rfind(ENDS);
    // The point of a title ends nothing: "Mr. Crisp".
    let start = start.filter(|at| {
        !text[..*at].rsplit([' ', '(']).next().is_some_and(is_title) || !text[*at..].starts_with('.')
    });
    // "Perrin, photographer": a trade in small letters may stand behind the name.
    let trade = start.filter(|at| {
        let behind = text[*at..].trim_start_matches(',').trim();
        text[*at..].starts_with(',')
            && !behind.is_empty()
            && behind.chars().all(|c| c.is_lowercase() || c == ' ')
    });
    let (text, start) = match trade {
        Some(at) => (&text[..at], text[..at].rfind(ENDS)),
        None => (text, start),
    };
    let piece = start.map_or(text, |at| text[at..].trim_start_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<&str> = piece.split_whitespace().collect();
    let capital = |at: &usize| words[*at].chars().next().is_some_and(char::is_uppercase);
    let Some(last) = (0..words.len()).rev().find(capital) else { return Vec::new() };
    // "Bren the smith": what somebody is may stand behind the name.
    if words.len() - last > ROLE_WORDS + 1 {
        return Vec::new();
    }
    let mut first = last;
    while let Some(before) = first.checked_sub(1).filter(|at| capital(at) || (words[*at] == "of" && *at > 0))
    {
        first = before;
    }
    names_at(&words[first..].join(" "), 0)
}

pub(crate) fn is_title(word: &str) -> bool {
    let plain = word.trim_end_matches('.').to_lowercase();
    TITLES.split_whitespace().any(|title| title == plain)
}

/// What somebody with such a name is called: the whole of it, it without a title, and each part that is theirs alone.
fn forms(name: &[&str]) -> Vec<String> {
    let own = name.iter().position(|word| !is_title(word));
    let Some(own) = own else { return Vec::new() };
    let single = |word: &&&str| {
        let plain = word.to_lowercase();
        let lower = word.chars().any(char::is_lowercase);
        lower
            && word.chars().count() > 1
            && !is_title(word)
            && !is_generic(word)
            && !is_frequent(&plain)
            && !TRADES.split_whitespace().any(|trade| trade == plain)
    };
    let singles: Vec<String> = name[own..].iter().filter(single).map(|word| (*word).to_owned()).collect();
    if singles.is_empty() {
        return Vec::new();
    }
    let mut forms = singles;
    // "Bishop of Tarn" is the Bishop to everybody.
    if let Some(at) = name.iter().position(|word| *word == "of").filter(|at| *at > 0) {
        forms.push(name[at - 1].to_owned());
    }
    if name.len() > 1 {
        forms.push(name.join(" "));
        forms.push(name[own..].join(" "));
    }
    forms.dedup();
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, called: &str) -> String {
        let mut found = characters(text, &[called.to_owned()]);
        found.sort_by_key(|name| (name.split(' ').count(), name.clone()));
        found.dedup();
        found.join("|")
    }

    #[test]
    fn a_cast_is_told_in_many_ways() {
        for (text, called, names) in [
            (
                "vesna plays Captain Vesna Roe, theo plays Lieutenant Theo Parr, pilot.",
                "theo",
                "Parr|Theo|Theo Parr",
            ),
            ("You are guards: Nadira (played by Imogen), a swordswoman.", "Imogen", "Nadira"),
            ("and Old Fezzik (played by Rahul), who's older", "Rahul", "Fezzik|Old Fezzik"),
            ("Fen plays Mr. Abelard Crisp; go.", "Fen", "Abelard|Crisp|Abelard Crisp"),
            ("Yuki plays the engineer Tanaka.", "Yuki", "Tanaka"),
            ("Brother Lull (player: owen) STR 10", "owen", "Lull|Brother Lull"),
            ("You are Tom, playing Bren the smith.", "Tom", "Bren"),
            ("Ben plays Scout Two-Feathers-Falling, called Falls. It is noon.", "Ben", "Falls"),
            ("Bren, you play Halfpenny, harbour thief.", "Bren", "Halfpenny"),
            ("rhea (Rhea Moss, poacher), ivo (Ivo, deserter)", "rhea", "Moss|Rhea|Rhea Moss"),
            ("Wren (Wren's ranger, Fletch) 10", "Wren", "Fletch"),
            ("Initiative: Kit's Sgt. Dunnock 17, Olu's Sgt. Bright 9", "Kit", "Dunnock|Sgt Dunnock"),
            (
                "the Duke of Orme (player: Casper), the Bishop of Tarn (player: Elke) and so on",
                "Elke",
                "Tarn|Bishop",
            ),
            ("Players:\n- **ada**: Corporal Thorne, tired\n", "ada", "Thorne"),
            ("Lark is Mina's goose-girl. Ott is Paul's soldier with one boot.", "Paul", "Ott"),
            ("Mlle Perrin, photographer (played by Noor). Aim: none.", "Noor", "Perrin"),
        ] {
            let found = of(text, called);
            let own = names.split('|').all(|name| found.split('|').any(|known| known == name));
            assert!(own, "{text}: {found}");
        }
    }

    #[test]
    fn what_a_player_does_or_is_gives_no_name() {
        for (text, called) in [
            ("Ada plays with her knife while Bo waits.", "Ada"),
            ("Ada (Human Fighter, level 3)", "Ada"),
            ("Ada (HP 12) is next", "Ada"),
            ("Petra's house is in Natchez.", "Petra"),
            ("Ada is Mara's friend, and Bo is Mara's last hope.", "Mara"),
            ("Round two: Ada. The wolves circle.", "Ada"),
        ] {
            assert_eq!(of(text, called), "", "{text}");
        }
    }
}
