//! Words, numbers, dice and marks of a text, with their places.

use super::numbers::spelt;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(i64),
    Dice(i64, u16),
    Word,
    Mark(char),
}

/// A word, a number, dice or a mark.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub text: String,
    pub start: usize,
    pub end: usize,
    /// Is it written in digits, or begins with a capital?
    pub plain: bool,
}

impl Token {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.text.as_str())
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn is_dice(&self) -> bool {
        matches!(self.kind, Kind::Dice(..))
    }
}

/// Words, numbers, dice and marks outside of quotation marks, with their places.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut quoted = false;
    let mut start: Option<usize> = None;
    let end_of = text.len();
    for (at, letter) in text.char_indices().chain([(end_of, ' ')]) {
        let inside = letter.is_alphanumeric() || matches!(letter, '\'' | '’') && start.is_some();
        if inside {
            start = start.or(Some(at));
            continue;
        }
        if let Some(from) = start.take().filter(|_| !quoted) {
            push(&text[from..at], from, &mut out);
        }
        match letter {
            '"' | '“' | '”' | '«' | '»' => quoted = !quoted,
            // A quotation that nobody closed ends with its paragraph.
            '\n' => {
                quoted = false;
                out.push(mark(letter, at));
            }
            ' ' | '*' | '_' | '`' => {}
            _ if quoted => {}
            '>' if out.last().is_some_and(|last| last.text == "-") => {
                out.pop();
                out.push(mark('→', at));
            }
            '.' if out.last().is_some_and(|last| last.text == "…" && last.end == at) => {
                if let Some(last) = out.last_mut() {
                    last.end = at + 1;
                }
            }
            '.' if text[at..].starts_with("..") => out.push(mark('…', at)),
            '−' | '–'
                if text[at + letter.len_utf8()..]
                    .trim_start()
                    .starts_with(|next: char| next.is_ascii_digit()) =>
            {
                out.push(mark('-', at));
            }
            c if c.is_whitespace() => {}
            c => out.push(mark(c, at)),
        }
    }
    out
}

fn mark(letter: char, at: usize) -> Token {
    Token {
        kind: Kind::Mark(letter),
        text: letter.to_string(),
        start: at,
        end: at + letter.len_utf8(),
        plain: false,
    }
}

fn push(word: &str, start: usize, out: &mut Vec<Token>) {
    let end = start + word.len();
    let lower = word.to_lowercase().replace('’', "'");
    let lower = lower.trim_end_matches('\'');
    let lower = lower
        .strip_suffix("'s")
        .filter(|front| !["it", "that", "he", "she"].contains(front))
        .unwrap_or(lower);
    if let Some((count, sides)) = dice(lower) {
        out.push(Token { kind: Kind::Dice(count, sides), text: lower.to_owned(), start, end, plain: true });
        return;
    }
    // "DC15", "nat20", "18hp".
    let cut = lower
        .find(|c: char| c.is_ascii_digit())
        .filter(|at| *at > 0 && lower[*at..].bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(at) = cut.filter(|at| ["nat", "dc", "ac", "tn"].contains(&&lower[..*at])) {
        out.push(Token {
            kind: Kind::Word,
            text: lower[..at].to_owned(),
            start,
            end: start + at,
            plain: false,
        });
        let number = lower[at..].parse().unwrap_or(0);
        out.push(Token {
            kind: Kind::Number(number),
            text: lower[at..].to_owned(),
            start: start + at,
            end,
            plain: true,
        });
        return;
    }
    let digits = lower.parse::<i64>().ok();
    let kind = digits.or_else(|| spelt(lower)).map_or(Kind::Word, Kind::Number);
    let plain = digits.is_some() || kind == Kind::Word && word.starts_with(char::is_uppercase);
    out.push(Token { kind, text: lower.to_owned(), start, end, plain });
}

/// `d20`, `2d6`, `d20s` are none of a roll.
fn dice(word: &str) -> Option<(i64, u16)> {
    let (count, sides) = word.split_once('d')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(count) || sides.is_empty() || !digits(sides) {
        return None;
    }
    Some((if count.is_empty() { 1 } else { count.parse().ok()? }, sides.parse().ok()?))
}
