//! Patterns: how a program writes dice, results or the beginning of a message into a text.
//!
//! A pattern is the text itself, with fields in braces where something differs: `{who} rolls {dice}: {total}`. A part between `<` and `>`
//! may be missing, `<a|b>` is one of these or nothing, and `<!a|b>` is one of these. Case does not matter; a blank stands for any number of
//! blanks, none included. `\` makes the next letter an ordinary one. What a field may hold follows from its name, see [`Field`].

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::limits::{FACES_MAX, NAME_BYTES_MAX, PATTERN_DEPTH_MAX, PATTERN_STEPS_MAX, TEXT_STEPS_MAX};

/// What a program writes, with fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern {
    parts: Vec<Part>,
}

/// A text, as far as a file is concerned.
impl schemars::JsonSchema for Pattern {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The text that a program writes, with fields in braces where it differs: `{who} rolls {dice}: {total}`.",
            "type": "string",
        })
    }
}

/// What fields hold, by their names.
pub type Found<'t> = BTreeMap<String, &'t str>;

#[derive(Clone, Debug)]
enum Part {
    Letter(char),
    Blank,
    Field(String, Field),
    /// One of these; where it may be missing, the last of them is empty.
    Choice(Vec<Vec<Part>>),
}

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// `dice`: `1d20`, `d20+3`, `2d6 - 1`.
    Dice,
    /// `faces`: `14`, `14, 3`, `14 + 3`.
    Faces,
    /// `total`, `difficulty`, `sides`, `count`: a whole number, with or without a sign.
    Number,
    /// `modifier`: a whole number with a sign, a blank between them or none.
    Signed,
    /// `outcome`: a word that says whether it succeeded.
    Outcome,
    /// `rest`: everything to the end of the text.
    Rest,
    /// `line`: everything to the end of the line.
    Line,
    /// `id`: anything without a blank.
    Id,
    /// Anything else, `who` for one: a name of at most a few words, within a line.
    Name,
}

/// Words that say that something succeeded, and those that say that it did not.
pub const WON: [&str; 11] = [
    "critical success",
    "critical hit",
    "successful",
    "succeeded",
    "succeeds",
    "success",
    "passed",
    "passes",
    "pass",
    "hits",
    "hit",
];
/// See [`WON`].
pub const LOST: [&str; 12] = [
    "critical failure",
    "critical miss",
    "critical fail",
    "unsuccessful",
    "failure",
    "failed",
    "fails",
    "fail",
    "fumble",
    "missed",
    "misses",
    "miss",
];
/// Words of a name.
const NAME_WORDS_MAX: usize = 6;

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        let mut letters = text.trim().chars().peekable();
        let mut choices = choices(&mut letters, 0)?;
        let parts = choices
            .pop()
            .filter(|_| choices.is_empty())
            .ok_or("a `|` outside of `<` and `>`; write `\\|` for the letter")?;
        match is_empty(&parts) {
            false => Ok(Pattern { parts }),
            true => Err(format!("the pattern {text:?} fits every text")),
        }
    }
}

/// Could these parts fit nothing at all?
fn is_empty(parts: &[Part]) -> bool {
    parts.iter().all(|part| match part {
        Part::Blank => true,
        Part::Choice(choices) => choices.iter().any(|parts| is_empty(parts)),
        Part::Letter(_) | Part::Field(..) => false,
    })
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Parts up to the end of the pattern or of a choice, divided by `|`.
fn choices(letters: &mut Letters<'_>, depth: usize) -> Result<Vec<Vec<Part>>, String> {
    let mut choices: Vec<Vec<Part>> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => parts.push(Part::Letter(letters.next().ok_or("a pattern ends with a backslash")?)),
            '{' => {
                let mut name = String::new();
                let ends = letters.by_ref().any(|letter| {
                    name.extend(Some(letter).filter(|letter| *letter != '}'));
                    letter == '}'
                });
                if !ends
                    || name.is_empty()
                    || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                {
                    return Err(format!("{{{name}}} is no field: small letters between braces"));
                }
                let kind = field(&name);
                parts.push(Part::Field(name, kind));
            }
            '<' if depth >= PATTERN_DEPTH_MAX => {
                return Err(format!("parts within parts, at most {PATTERN_DEPTH_MAX} deep"));
            }
            '<' => {
                let required = letters.next_if_eq(&'!').is_some();
                let mut inner = self::choices(letters, depth + 1)?;
                if !required {
                    inner.push(Vec::new());
                }
                parts.push(Part::Choice(inner));
            }
            '>' if depth > 0 => {
                choices.push(parts);
                return Ok(choices);
            }
            '>' => return Err("a `>` without its `<`; write `\\>` for the letter".into()),
            '|' => choices.push(std::mem::take(&mut parts)),
            blank if blank.is_whitespace() => {
                if !matches!(parts.last(), Some(Part::Blank)) {
                    parts.push(Part::Blank);
                }
            }
            letter => parts.push(Part::Letter(letter)),
        }
    }
    match depth {
        0 => {
            choices.push(parts);
            Ok(choices)
        }
        _ => Err("a `<` without its `>`; write `\\<` for the letter".into()),
    }
}

fn field(name: &str) -> Field {
    match name {
        "dice" => Field::Dice,
        "faces" => Field::Faces,
        "total" | "difficulty" | "sides" | "count" => Field::Number,
        "modifier" => Field::Signed,
        "outcome" => Field::Outcome,
        "rest" => Field::Rest,
        "line" => Field::Line,
        "id" => Field::Id,
        _ => Field::Name,
    }
}

impl Pattern {
    /// What the fields hold where the pattern fits at the very beginning of a text, and how many bytes it takes. `steps` are those that are
    /// left for this text.
    fn front<'t>(&self, text: &'t str, whole: bool, steps: &mut usize) -> Option<(Found<'t>, usize)> {
        let mut matcher =
            Matcher { text, whole, left: PATTERN_STEPS_MAX.min(*steps), found: Vec::new(), end: 0 };
        let before = matcher.left;
        let parts: Vec<&Part> = self.parts.iter().collect();
        let fits = matcher.fits(&parts, 0);
        *steps -= before - matcher.left;
        fits.then(|| {
            let found = matcher.found.into_iter().map(|(name, from, to)| (name.to_owned(), &text[from..to]));
            (found.collect(), matcher.end)
        })
    }

    /// Does it fit only where dice are written as `1d20`?
    fn needs_dice(&self) -> bool {
        fn within(parts: &[Part]) -> bool {
            parts.iter().any(|part| match part {
                Part::Field(_, kind) => *kind == Field::Dice,
                Part::Choice(choices) => choices.iter().all(|parts| within(parts)),
                Part::Letter(_) | Part::Blank => false,
            })
        }
        within(&self.parts)
    }

    /// What the fields hold where the pattern fits all of a text.
    pub fn whole<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        self.front(text.trim(), true, &mut PATTERN_STEPS_MAX.clone()).map(|(found, _)| found)
    }
}

/// Bytes of a text before its dice in which a pattern may begin: a name and some words.
const DICE_WITHIN: usize = 2 * NAME_BYTES_MAX;

/// Every place of a text where one of these patterns fits, from left to right; the pattern that is named first wins, and no two overlap.
pub fn places<'t>(patterns: &[Pattern], text: &'t str) -> Vec<Found<'t>> {
    // Most patterns tell of dice by their notation, and most texts have none: only what stands shortly before one is worth an attempt.
    let notations: Vec<usize> = text.match_indices(['d', 'D']).map(|(place, _)| place).collect();
    let is_notation = |place: &usize| {
        text[place + 1..].starts_with(|letter: char| letter.is_ascii_digit() || letter == '%')
    };
    let notations: Vec<usize> = notations.into_iter().filter(is_notation).collect();
    let needs: Vec<bool> = patterns.iter().map(Pattern::needs_dice).collect();
    let mut places = Vec::new();
    let (mut at, mut before, mut steps) = (0, ' ', TEXT_STEPS_MAX);
    while at < text.len() && steps > 0 {
        // A pattern begins with a word or a mark, never within a word.
        let letter = text[at..].chars().next().unwrap_or(' ');
        let within = letter.is_alphanumeric() && before.is_alphanumeric();
        let begins = !(letter.is_whitespace() || within);
        let next = notations.get(notations.partition_point(|place| *place < at));
        let is_near = next.is_some_and(|place| place - at <= DICE_WITHIN);
        let worth = patterns.iter().zip(&needs).filter(|(_, needs)| is_near || !**needs);
        let mut front =
            || worth.clone().find_map(|(pattern, _)| pattern.front(&text[at..], false, &mut steps));
        let found = if begins { front() } else { None };
        match found.filter(|(_, length)| *length > 0) {
            Some((found, length)) => {
                places.push(found);
                at += length;
            }
            None => at += letter.len_utf8(),
        }
        before = text[..at].chars().next_back().unwrap_or(' ');
    }
    places
}

/// Does a word say that it succeeded?
pub fn won(word: &str) -> Option<bool> {
    let word = word.to_lowercase();
    match (WON.contains(&word.as_str()), LOST.contains(&word.as_str())) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

struct Matcher<'p, 't> {
    text: &'t str,
    /// Must it fit to the end of the text?
    whole: bool,
    /// Attempts that are left: a hostile text must not take for ever.
    left: usize,
    found: Vec<(&'p str, usize, usize)>,
    end: usize,
}

impl<'p> Matcher<'p, '_> {
    /// Do these parts fit at a place? Then `end` is where they end.
    fn fits(&mut self, parts: &[&'p Part], at: usize) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Some((part, after)) = parts.split_first() else {
            self.end = at;
            return !self.whole || at == self.text.len();
        };
        let rest = &self.text[at..];
        match part {
            Part::Letter(letter) => {
                let Some(next) = rest.chars().next() else { return false };
                let same = next == *letter || next.to_lowercase().eq(letter.to_lowercase());
                same && self.fits(after, at + next.len_utf8())
            }
            Part::Blank => {
                let blank = rest.len() - rest.trim_start().len();
                self.fits(after, at + blank)
            }
            Part::Choice(choices) => {
                for choice in choices {
                    let with: Vec<&Part> = choice.iter().chain(after.iter().copied()).collect();
                    let known = self.found.len();
                    if self.fits(&with, at) {
                        return true;
                    }
                    self.found.truncate(known);
                }
                false
            }
            Part::Field(name, kind) => {
                for length in lengths(*kind, rest, after.is_empty()) {
                    let known = self.found.len();
                    self.found.push((name, at, at + length));
                    if self.fits(after, at + length) {
                        return true;
                    }
                    self.found.truncate(known);
                }
                false
            }
        }
    }
}

/// How long a field may be at the front of a text, in the order in which that is tried.
fn lengths(kind: Field, text: &str, last: bool) -> Vec<usize> {
    let one = |length: Option<usize>| length.into_iter().collect();
    match kind {
        Field::Dice => {
            let Some(plain) = dice(text) else { return Vec::new() };
            let blank = |at: usize| text[at..].len() - text[at..].trim_start_matches(' ').len();
            let signed = signed(&text[plain + blank(plain)..]);
            let with = signed.map(|length| plain + blank(plain) + length);
            with.into_iter().chain([plain]).collect()
        }
        Field::Faces => {
            let mut ends = Vec::new();
            let mut at = 0;
            while let Some(length) = digits(&text[at..]) {
                at += length;
                ends.push(at);
                // A page of numbers is no roll, and each of them would begin one.
                if ends.len() == FACES_MAX {
                    break;
                }
                let gap = text[at..].len() - text[at..].trim_start_matches([' ', ',', '+', ';']).len();
                at += gap;
                if gap == 0 {
                    break;
                }
            }
            ends.reverse();
            ends
        }
        Field::Number => {
            let sign = usize::from(text.starts_with(['-', '+']));
            one(digits(&text[sign..]).map(|length| sign + length))
        }
        Field::Signed => one(signed(text)),
        Field::Outcome => {
            let lower = |word: &&str| {
                let front = text.get(..word.len());
                let ends = !text[word.len().min(text.len())..].starts_with(char::is_alphanumeric);
                front.is_some_and(|front| front.eq_ignore_ascii_case(word)) && ends
            };
            WON.iter()
                .chain(&LOST)
                .find(|word| text.is_char_boundary(word.len()) && lower(word))
                .map_or_else(Vec::new, |word| vec![word.len()])
        }
        Field::Rest => vec![text.len()],
        Field::Line => vec![text.find('\n').unwrap_or(text.len())],
        Field::Id => {
            let end = text.find(char::is_whitespace).unwrap_or(text.len()).min(NAME_BYTES_MAX);
            (1..=end).filter(|end| text.is_char_boundary(*end)).collect()
        }
        Field::Name => names(text, last),
    }
}

/// `1d20`, `d20`, `d%`.
fn dice(text: &str) -> Option<usize> {
    let count = digits(text).unwrap_or(0);
    let sides = text[count..].strip_prefix(['d', 'D'])?;
    let length = if sides.starts_with('%') { 1 } else { digits(sides)? };
    let end = count + 1 + length;
    (!text[end..].starts_with(char::is_alphanumeric)).then_some(end)
}

/// A sign, a blank or none, and digits.
fn signed(text: &str) -> Option<usize> {
    let after = text.strip_prefix(['+', '-', '−'])?;
    let number = after.trim_start_matches(' ');
    let length = digits(number)?;
    // `+ 1d4` are further dice.
    (!number[length..].starts_with(['d', 'D'])).then(|| text.len() - number.len() + length)
}

/// Digits of a number that people write; a year of them is none.
fn digits(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=6).contains(&length).then_some(length)
}

/// Ends of a name: as short as possible, at most some words of a line, and not within a word.
fn names(text: &str, last: bool) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut words = 0;
    let mut before = ' ';
    if !text.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@' | '#' | '\''))
    {
        return ends;
    }
    for (place, letter) in text.char_indices() {
        let word =
            letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\'' | '’' | '.' | '/' | '#' | '@');
        if place > 0 && !(word && before.is_alphanumeric()) && !before.is_whitespace() {
            ends.push(place);
        }
        if letter == '\n' || place > NAME_BYTES_MAX || !(word || matches!(letter, ' ' | '[' | ']')) {
            return ends;
        }
        words += usize::from(
            word && !(before.is_alphanumeric() || matches!(before, '_' | '-' | '\'' | '’' | '.')),
        );
        if words > NAME_WORDS_MAX {
            return ends;
        }
        before = letter;
    }
    if !text.is_empty() && (last || !before.is_whitespace()) {
        ends.push(text.len());
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::try_from(text.to_owned()).unwrap()
    }

    fn fields(wanted: &str, text: &str) -> Option<String> {
        let found = places(&[pattern(wanted)], text);
        let shown = |found: &Found<'_>| {
            found.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(" ")
        };
        (!found.is_empty()).then(|| found.iter().map(shown).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn fields_hold_what_their_names_say() {
        let check = r"{dice} = \[{faces}\] < {modifier}> = {total}< vs DC {difficulty}><: {outcome}>";
        assert_eq!(
            fields(check, "Roll: 1d20+3 = [14] + 3 = 17 vs DC 15: Success!").as_deref(),
            Some("dice=1d20+3 difficulty=15 faces=14 modifier=+ 3 outcome=Success total=17")
        );
        assert_eq!(fields(check, "2d6 = [3, 4] = 7").as_deref(), Some("dice=2d6 faces=3, 4 total=7"));
        assert_eq!(
            fields(
                "{who} rolls a {dice} and gets: {total} ({faces})",
                "Then Old Mara rolls a 1d20 and gets: 7 (7)."
            )
            .as_deref(),
            Some("dice=1d20 faces=7 total=7 who=Then Old Mara")
        );
        assert_eq!(fields("rolls {dice}: {total}", "he rolls d20s: 4, trolls d20: 5"), None);
        assert_eq!(
            fields("{dice}: {total}", "1d6: 4, 1d8: 7").as_deref(),
            Some("dice=1d6 total=4; dice=1d8 total=7")
        );
        assert_eq!(
            fields("{dice}<!:|=| is> {total}", "2d6 3, 2d6 is 4, d4=1").as_deref(),
            Some("dice=2d6 total=4; dice=d4 total=1")
        );
        assert_eq!(fields("{outcome}", "passengers, hit!").as_deref(), Some("outcome=hit"));
    }

    #[test]
    fn a_pattern_is_of_all_of_a_text_or_of_its_front() {
        let header = pattern("{speaker} (to {to}):");
        let found = header.whole("Game_Master (to chat_manager):").unwrap();
        assert_eq!((found["speaker"], found["to"]), ("Game_Master", "chat_manager"));
        assert!(header.whole("Ada (to everybody): and runs").is_none());
        assert!(pattern("{who} not found").whole("The page 12 not found").is_some());
        let long = "He looked for days and days in the old house and it was not found";
        assert!(pattern("{who} not found").whole(long).is_none());
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_the_reason() {
        for (text, wanted) in [
            ("{Total}", "is no field"),
            ("{total", "is no field"),
            ("<a", "without its `>`"),
            ("a>", "without its `<`"),
            ("", "fits every text"),
            ("<a>", "fits every text"),
            ("<!a| >", "fits every text"),
            ("a|b", "outside"),
            ("a\\", "ends with a backslash"),
            (&"<".repeat(50), "deep"),
        ] {
            let said = Pattern::try_from(text.to_owned()).map(|_| ()).unwrap_err();
            assert!(said.contains(wanted), "{text}: {said}");
        }
    }

    #[test]
    fn a_hostile_text_ends_the_search() {
        let slow = pattern("<{a}<{b}<{c}<{d}>>>>!");
        let text = "a b ".repeat(2_000);
        assert!(places(&[slow], &text).is_empty());
        for text in ["é1d20 = [", "1d20 = [𝟙𝟚]", "💀: 1d20", "−"] {
            drop(places(&[pattern(r"{who}: {dice} = \[{faces}\]"), pattern("{outcome}")], text));
        }
    }
}
