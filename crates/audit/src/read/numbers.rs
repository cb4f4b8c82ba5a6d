//! Numbers that a sentence presents as results of dice, as damage or as difficulties; and rolls that are written out.

mod leading;
mod owned;
mod wounds;

pub(crate) use self::leading::leading;
use self::wounds::is_damage;
use crate::cues::LISTS;

/// The largest number that dice at a table show: what is larger is a year, a price or a page.
const NUMBER_MAX: i64 = 200;
/// The least that has to be reached, where somebody spells it out.
const SPELT_DIFFICULTY_MIN: i64 = 5;
/// Words between a verb of rolling and its number.
const BETWEEN_MAX: usize = 4;

/// What a number is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ClaimKind {
    /// What dice showed, or their sum.
    Result,
    /// What had to be reached.
    Difficulty,
    /// What was lost or healed.
    Damage,
}

/// A number as a sentence presents it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim {
    pub kind: ClaimKind,
    pub number: i64,
}

/// A word, a number or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    number: Option<i64>,
}

impl Token {
    fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.text.as_str())
    }

    fn is_mark(&self) -> bool {
        self.text.chars().all(|c| !c.is_alphanumeric())
    }
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

pub(super) fn spelt(word: &str) -> Option<i64> {
    let place = |list: &[&str]| list.iter().position(|known| *known == word);
    let number = place(&SMALL).or_else(|| place(&TENS).map(|tens| 20 + 10 * tens))?;
    i64::try_from(number).ok()
}

/// The words of a text, each with the number that it is, in digits or spelt out.
pub(super) fn numbered(text: &str) -> Vec<(String, Option<i64>)> {
    let said = tokens(text).into_iter().filter(|token| !token.is_mark());
    said.map(|token| (token.text, token.number)).collect()
}

/// Words, numbers and marks; `nat20`, `DC15` and `18hp` fall apart, `2d6` and `d20` stay whole.
fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut word = String::new();
    let plain = |text: &str| Token { text: text.to_owned(), number: None };
    let text = text.to_lowercase().replace('’', "'").replace("->", "→").replace("=>", "→");
    let mut letters = text.chars().chain([' ']).peekable();
    while let Some(letter) = letters.next() {
        if letter.is_alphanumeric() || (letter == '\'' && !word.is_empty()) {
            word.push(letter);
            continue;
        }
        flush(&mut word, &mut out);
        let follows = letters.peek().copied().unwrap_or(' ');
        match letter {
            // "twenty-one", "well-known": a hyphen within words is none of our marks.
            '-' | '–' | '−' if follows.is_ascii_digit() => out.push(plain("-")),
            '-' if follows.is_alphanumeric() => {}
            '*' | '_' | '`' | '"' | '“' | '”' => {}
            c if c.is_whitespace() => {}
            c => out.push(plain(&c.to_string())),
        }
    }
    join_tens(out)
}

fn flush(word: &mut String, out: &mut Vec<Token>) {
    let text = std::mem::take(word);
    let text = text.trim_end_matches('\'');
    let text = text.strip_suffix("'s").unwrap_or(text);
    if text.is_empty() {
        return;
    }
    let mut push = |text: &str| {
        let number = text.parse().ok().or_else(|| spelt(text));
        out.push(Token { text: text.to_owned(), number });
    };
    let cut = text.find(|c: char| c.is_ascii_digit());
    match cut {
        Some(at) if at > 0 && ["nat", "dc", "ac", "tn"].contains(&&text[..at]) => {
            push(&text[..at]);
            push(&text[at..]);
        }
        Some(0) => match text.find(|c: char| !c.is_ascii_digit()) {
            Some(at) if ["hp", "dmg", "vs"].contains(&&text[at..]) => {
                push(&text[..at]);
                push(&text[at..]);
            }
            _ => push(text),
        },
        _ => push(text),
    }
}

/// "twenty" and "one" are 21.
fn join_tens(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let one =
            token.number.filter(|number| (1..10).contains(number) && SMALL.contains(&token.text.as_str()));
        match (one, out.last_mut()) {
            (Some(one), Some(last)) if TENS.contains(&last.text.as_str()) => {
                last.number = last.number.map(|tens| tens + one);
                last.text.push('-');
            }
            _ => out.push(token),
        }
    }
    out
}

/// `d20`, `2d6`, `1d8`.
fn is_dice(word: &str) -> bool {
    sides(word).is_some()
}

fn sides(word: &str) -> Option<u16> {
    let (count, sides) = word.split_once('d')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(count) && digits(sides)).then(|| sides.parse().ok()).flatten()
}

/// Numbers that a sentence presents as results of dice, damage or difficulties.
pub(crate) fn claims(sentence: &str) -> Vec<Claim> {
    let tokens = tokens(sentence);
    let mut claims: Vec<Claim> = Vec::new();
    for place in 0..tokens.len() {
        let Some(number) = tokens[place].number.filter(|number| (0..=NUMBER_MAX).contains(number)) else {
            continue;
        };
        let Some(kind) = kind(&tokens, place) else { continue };
        let claim = Claim { kind, number };
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    claims
}

fn kind(tokens: &[Token], place: usize) -> Option<ClaimKind> {
    let lists = &LISTS.dice;
    let at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let back = |by: usize| place.checked_sub(by).map_or("", at);
    let digits = tokens[place].text.bytes().all(|byte| byte.is_ascii_digit());
    // What is added to a roll is no roll, and "1/2" or "3.5" are no whole numbers.
    if matches!(back(1), "+" | "-" | "/" | "#" | "." | "$" | "£" | "€")
        || matches!(at(place + 1), "/" | "%" | "'")
    {
        return None;
    }
    if is_damage(tokens, place) {
        return Some(ClaimKind::Damage);
    }
    let gap = usize::from(matches!(back(1), "of" | "is" | ":" | "was" | "class" | "number" | "rating"));
    let gap = gap + usize::from(gap > 0 && matches!(back(2), "class" | "number" | "rating"));
    if matches!(back(1 + gap), "dc" | "difficulty" | "ac" | "tn" | "armour" | "armor" | "target") && digits {
        return Some(ClaimKind::Difficulty);
    }
    if matches!(back(1), "vs" | "versus" | "against")
        && tokens[..place].iter().any(|token| token.number.is_some())
        && digits
    {
        return Some(ClaimKind::Difficulty);
    }
    // "she needed to beat a sixteen".
    let beaten = matches!(back(1), "a" | "an") && back(2) == "beat" && back(3) == "to";
    if beaten && tokens[place].number >= Some(SPELT_DIFFICULTY_MIN) {
        return Some(ClaimKind::Difficulty);
    }
    let is_result = |place: usize| {
        tokens.get(place + 1).is_none_or(|next| {
            (next.is_mark() && !next.is(&["/", "%", "-"])) || lists.after.contains(&next.text)
        })
    };
    if matches!(at(place + 1), "times" | "or" | "minutes" | "years" | "o'clock") {
        return None;
    }
    // "rolls a clean 17", "natural 20", "the die comes up 4", "1d20+3 = 11".
    let mut from = place;
    let mut passed = 0;
    while let Some(before) = from.checked_sub(1) {
        let token = &tokens[before];
        let skip = token.is(&[":", "=", "→", "(", "[", "…"]) || lists.between.contains(&token.text);
        if (lists.before.contains(&token.text) || (is_dice(&token.text) && digits)) && is_result(place) {
            return is_roll_word(tokens, before, place).then_some(ClaimKind::Result);
        }
        // "Perception check: 14", "Stealth 17 vs 12".
        let named = lists.checks.contains(&token.text) && digits;
        if named
            && (at(before + 1) == ":"
                || at(before + 1) == "("
                || matches!(at(place + 1), "vs" | "versus" | "against"))
        {
            return is_result(place).then_some(ClaimKind::Result);
        }
        if !skip || passed >= BETWEEN_MAX {
            break;
        }
        (from, passed) = (before, passed + 1);
    }
    // "Your 18 is enough", "that 7 misses", "with a 14 against".
    let owner =
        matches!(back(1), "your" | "his" | "her" | "their" | "my" | "that" | "a" | "an" | "the" | "with")
            || (!back(1).is_empty()
                && place >= 1
                && !tokens[place - 1].is_mark()
                && tokens[place - 1].number.is_none()
                && digits);
    let noun = matches!(
        at(place + 1),
        "blows" | "cuts" | "lands" | "hits" | "misses" | "passes" | "cut" | "hit" | "matches" | "ties"
    );
    let owner = owner && (digits || !noun || !matches!(back(1), "with" | "the" | "a" | "an"));
    if owner && lists.verdict.contains(at(place + 1)) && verdict_holds(tokens, place) {
        return Some(ClaimKind::Result);
    }
    if owned::is_owned(tokens, place) {
        return Some(ClaimKind::Result);
    }
    let front =
        |next: usize| tokens.get(next).is_none_or(|next| next.is_mark() && !next.is(&["/", "%", "-"]));
    if is_shown(tokens, place) {
        return Some(ClaimKind::Result);
    }
    // "paws at the wheel, with a 19, and", "And that's a six!"
    if matches!(back(1), "a" | "an") && front(place + 1) && number_fits(tokens, place) {
        let with = matches!(back(2), "with" | "on") && (digits || tokens[place].number > Some(9));
        let shown = matches!(back(2), "that" | "it's" | "that's" | "another")
            && (digits
                || place <= 4
                || tokens.iter().any(|token| token.is(&["trouble", "roll", "rolled", "dice", "die"])));
        if with || shown {
            return Some(ClaimKind::Result);
        }
    }
    // "Your 17 on that lock was plenty."
    let owned = matches!(back(1), "your" | "his" | "her" | "their" | "my" | "that")
        && digits
        && number_fits(tokens, place);
    let judged = (place + 2..place + 9).any(|next| {
        matches!(
            at(next),
            "plenty"
                | "enough"
                | "fine"
                | "good"
                | "beat"
                | "beats"
                | "did"
                | "does"
                | "cleared"
                | "clears"
                | "missed"
                | "failed"
                | "passed"
                | "made"
        )
    });
    if owned && matches!(at(place + 1), "on" | "for" | "to" | "at" | "against" | "with") && judged {
        return Some(ClaimKind::Result);
    }
    let told_by_name = matches!(at(place + 1), "beats" | "clears" | "misses" | "isn't" | "falls");
    if told_by_name && place > 0 && !tokens[place - 1].is_mark() && verdict_holds(tokens, place) {
        return Some(ClaimKind::Result);
    }
    let named = matches!(at(place + 1), "on" | "for" | "in")
        && (place + 2..place + 5).any(|next| {
            lists.checks.contains(at(next))
                && !matches!(
                    at(next),
                    "charm"
                        | "search"
                        | "luck"
                        | "notice"
                        | "spot"
                        | "history"
                        | "nature"
                        | "medicine"
                        | "climb"
                        | "repair"
                        | "fate"
                        | "courage"
                        | "performance"
                )
        });
    if named
        && matches!(
            back(1),
            "a" | "an"
                | "the"
                | "your"
                | "my"
                | "his"
                | "her"
                | "with"
                | "got"
                | "is"
                | ":"
                | ""
                | "that"
                | "this"
                | "their"
                | "another"
        )
    {
        return Some(ClaimKind::Result);
    }
    let dice_follow = matches!(at(place + 1), "on" | "with" | "from")
        && (place + 2..place + 5).any(|next| is_dice(at(next)) || matches!(at(next), "die" | "dice"));
    let wanted =
        matches!(back(1), "need" | "needs" | "needed" | "require" | "requires" | "takes" | "on" | "wants");
    let to_hit = !wanted && at(place + 1) == "to" && at(place + 2) == "hit";
    let versus = matches!(at(place + 1), "vs" | "versus")
        && tokens.get(place + 2).is_some_and(|next| {
            next.number.is_some() || next.is(&["dc", "ac", "difficulty", "tn", "a", "the", "your"])
        });
    let against = at(place + 1) == "against"
        && (matches!(at(place + 2), "dc" | "ac" | "a" | "the" | "your" | "difficulty" | "tn")
            || tokens.get(place + 2).is_some_and(|next| next.number.is_some()))
        && digits;
    (dice_follow || to_hit || versus || against).then_some(ClaimKind::Result)
}

/// "Your twenty-one tells you everything", "With a 17 you hear them", "A 19! Nice one."
fn is_shown(tokens: &[Token], place: usize) -> bool {
    let at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let back = |by: usize| place.checked_sub(by).map_or("", at);
    let digits = tokens[place].text.bytes().all(|byte| byte.is_ascii_digit());
    let large = digits || tokens[place].number > Some(9);
    let does = [
        "tells",
        "told",
        "gets",
        "got",
        "finds",
        "found",
        "shows",
        "showed",
        "gives",
        "gave",
        "lets",
        "let",
        "takes",
        "took",
        "brings",
        "brought",
        "opens",
        "opened",
        "wins",
        "won",
        "sees",
        "saw",
        "holds",
        "held",
        "persuades",
        "convinces",
        "fools",
        "picks",
    ];
    let owned = matches!(back(1), "your" | "his" | "her" | "their" | "that") && does.contains(&at(place + 1));
    let with = matches!(back(1), "a" | "an") && matches!(back(2), "with" | "on");
    let followed = matches!(at(place + 1), "you" | "he" | "she" | "they" | "it" | "i" | "we");
    let ended = tokens.get(place + 1).is_none_or(|next| next.is(&["!", ",", ".", ";", "?", ":"]));
    let alone = place == 1 && matches!(back(1), "a" | "an") && ended;
    large && number_fits(tokens, place) && (owned || with && followed) || alone && number_fits(tokens, place)
}

/// Could a die have shown it, or a sum of some?
fn number_fits(tokens: &[Token], place: usize) -> bool {
    tokens[place].number.is_some_and(|number| (1..=40).contains(&number))
}

/// Words such as "up", "got" and "hits" speak of dice only beside something that does.
fn is_roll_word(tokens: &[Token], before: usize, place: usize) -> bool {
    let word = tokens[before].text.as_str();
    let weak = [
        "up", "got", "gets", "get", "reads", "read", "shows", "show", "showed", "lands", "landed", "land",
        "hits", "hit", "hitting", "score", "scores", "scored", "attack", "check", "save", "throw", "total",
        "totals", "result", "results",
    ];
    if !weak.contains(&word) {
        return !matches!(word, "die" | "dice")
            || tokens.get(before + 1).is_some_and(|next| !next.is(&["to", "at", "on", "of"]));
    }
    let strong = |token: &Token| {
        is_dice(&token.text)
            || matches!(
                token.text.as_str(),
                "die"
                    | "dice"
                    | "roll"
                    | "rolls"
                    | "rolled"
                    | "check"
                    | "save"
                    | "dc"
                    | "ac"
                    | "vs"
                    | "versus"
                    | "natural"
                    | "modifier"
            )
    };
    let own_mark = tokens.get(before + 1).is_some_and(|next| next.is(&[":", "="]));
    let next = tokens.get(place + 1).map_or("", |token| token.text.as_str());
    let ended = next.is_empty() || matches!(next, "." | "!" | "," | ";" | "—" | ")" | "]");
    match word {
        "check" | "save" | "throw" | "attack" => {
            own_mark
                || tokens.get(before + 1).is_some_and(|next| {
                    next.is(&["of", "result", "total", "is", "was", "comes", "came", "("])
                })
        }
        "total" | "totals" | "result" | "results" => {
            own_mark
                || tokens.get(before + 1).is_some_and(|next| next.is(&["of", "is", "was", "("])) && ended
                || tokens.iter().any(strong)
        }
        "hits" | "hit" | "hitting" => {
            tokens.get(before + 1).is_some_and(|next| next.is(&["with", "on"]))
                && (ended || next == "against")
        }
        "got" | "gets" | "get" => {
            tokens.iter().any(strong)
                || (tokens.get(before + 1).is_some_and(|next| next.is(&["a", "an"]))
                    && (ended
                        || matches!(next, "on" | "for" | "total" | "against" | "vs" | "under" | "over")))
        }
        _ => tokens.iter().any(strong),
    }
}

/// "The 12 is enough for all": a number alone does something only a roll does.
fn verdict_holds(tokens: &[Token], place: usize) -> bool {
    let at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let counted = at(place.wrapping_sub(1)) == "the" || at(place.wrapping_sub(1)) == "with";
    match at(place + 1) {
        "is" | "was" | "does" | "will" | "doesn't" | "won't" | "isn't" | "wasn't" | "didn't" | "did" => {
            (place + 2..place + 6).any(|next| {
                matches!(
                    at(next),
                    "enough"
                        | "not"
                        | "plenty"
                        | "short"
                        | "do"
                        | "it"
                        | "good"
                        | "cut"
                        | "more"
                        | "sufficient"
                        | "beat"
                        | "shy"
                )
            })
        }
        "just" | "barely" | "easily" | "comfortably" | "narrowly" | "handily" => true,
        "more" => matches!(at(place + 2), "than" | "or"),
        "hit" | "clear" | "fail" | "miss" | "meet" | "pass" | "beat" => !counted,
        "gets" | "lands" | "makes" | "earns" | "buys" | "carries" | "ties" | "matches" | "cut" | "cuts" => {
            matches!(at(place.wrapping_sub(1)), "your" | "his" | "her" | "their" | "my" | "that" | "a" | "an")
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sentence: &str) -> Vec<(ClaimKind, i64)> {
        claims(sentence).into_iter().map(|claim| (claim.kind, claim.number)).collect()
    }

    #[test]
    fn numbers_of_dice_are_told_from_counts_of_things() {
        use ClaimKind::{Damage, Difficulty, Result};
        let cases: &[(&str, &[(ClaimKind, i64)])] = &[
            ("She rolled a 17 on her search, a natural 20!", &[(Result, 17), (Result, 20)]),
            ("The ogre deals 12 points of damage, then 7 damage.", &[(Damage, 12), (Damage, 7)]),
            ("[1d20: 14] against DC 15", &[(Result, 14), (Difficulty, 15)]),
            ("Your 18 is enough to fool the porter.", &[(Result, 18)]),
            ("With a roll of nineteen you sail over the wall.", &[(Result, 19)]),
            ("The die comes up 4 and Ada winces.", &[(Result, 4)]),
            ("Ouch: a measly 3 on the d20.", &[(Result, 3)]),
            ("That 22 beats his AC of 15 handily.", &[(Result, 22), (Difficulty, 15)]),
            ("Bren takes eight slashing damage.", &[(Damage, 8)]),
            ("You lose 5 hit points, and the rope.", &[(Damage, 5)]),
            ("Stealth check: 14. Not bad.", &[(Result, 14)]),
            ("A 9 won't do it, I am afraid.", &[(Result, 9)]),
            ("Twenty-one to hit? That lands.", &[(Result, 21)]),
            ("I got a 16 on Perception.", &[(Result, 16)]),
            ("nat20 for the old lady!", &[(Result, 20)]),
            ("With that 23 of yours he'd have carried it.", &[(Result, 23)]),
            ("Your twenty-two there was ever so neat.", &[(Result, 22)]),
            ("With the 19 you got on your nursing the fever falls.", &[(Result, 19)]),
            ("Mine's an 18, so I am faster.", &[(Result, 18)]),
            ("Sixteen does it, up you go.", &[(Result, 16)]),
            ("Eleven points off him.", &[(Damage, 11)]),
            ("He brings the mace down on your arm for 9.", &[(Damage, 9)]),
            ("Bo gets back 6 hit points.", &[(Damage, 6)]),
        ];
        for (sentence, wanted) in cases {
            assert_eq!(found(sentence), *wanted, "{sentence}");
        }
        for sentence in [
            "He rolls 3 barrels to the 2 carts and pays 12 gold. Roll 2d6 at noon.",
            "Roll a d20, please, and add 3.",
            "There are fourteen steps, and 7 of them are broken.",
            "The tower was built 120 years ago, in the year 18 of the queen.",
            "You have 12 HP left.",
            "Room 12 is on the third floor, past 4 doors.",
            "At 9 the bell rings; by 10 the shops are open.",
            "She is 19, and looks it.",
            "The 12 of them meet at the gate.",
            "It costs 15 silver, or 20 with breakfast.",
            "Bay 7 reads empty. Dock 94 shows two ships.",
            "You get 30 credits for the lot.",
            "He sells you the lot for 9.",
            "Your fourteen men wait, and his 12 hounds.",
            "Eleven of them fly up. Two left.",
            "That 12 of clubs was mine, and the fourteen you had lunch with.",
        ] {
            assert_eq!(found(sentence), [], "{sentence}");
        }
    }
}
