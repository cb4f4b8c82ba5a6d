//! Numbers that are somebody's throw by the words around them: "that 23 of yours", "the 19 you got", "mine's an 18".

use super::Token;
use crate::cues::LISTS;

/// The largest number that somebody calls theirs.
const OWNED_MAX: i64 = 100;
/// The smallest spelt-out number that is no count of things.
const SPELT_MIN: i64 = 10;

/// Is the number at `place` a throw that somebody owns, or one that a sentence begins with and judges?
pub(super) fn is_owned(tokens: &[Token], place: usize) -> bool {
    let at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let back = |by: usize| place.checked_sub(by).map_or("", at);
    let Some(number) = tokens[place].number.filter(|number| (1..=OWNED_MAX).contains(number)) else {
        return false;
    };
    let digits = at(place).bytes().all(|byte| byte.is_ascii_digit());
    if !digits && number < SPELT_MIN {
        return false;
    }
    let person = |word: &str| matches!(word, "you" | "he" | "she" | "they" | "i");
    let threw = |word: &str| {
        matches!(
            word,
            "got"
                | "rolled"
                | "threw"
                | "made"
                | "scored"
                | "managed"
                | "drew"
                | "pulled"
                | "get"
                | "roll"
                | "throw"
                | "score"
                | "showed"
        )
    };
    // "that 23 of yours", "the 19 you got".
    let marked = matches!(back(1), "that" | "the" | "your" | "my" | "his" | "her" | "their" | "this");
    let of_theirs =
        at(place + 1) == "of" && matches!(at(place + 2), "yours" | "his" | "hers" | "theirs" | "mine");
    let ended = |next: usize| {
        !matches!(at(next), "with" | "from" | "out" | "up" | "off" | "over") || at(next) == "with"
    };
    let thrown = person(at(place + 1)) && threw(at(place + 2)) && ended(place + 3) && at(place + 3) != "with";
    if marked && (of_theirs || thrown) {
        return true;
    }
    // "your twenty-two there was", "your 41 you".
    let own = matches!(back(1), "your" | "my" | "his" | "her" | "their");
    let does = |word: &str| {
        matches!(
            word,
            "was"
                | "did"
                | "beat"
                | "beats"
                | "does"
                | "carried"
                | "carries"
                | "won"
                | "wins"
                | "saw"
                | "got"
                | "made"
                | "makes"
                | "told"
                | "covers"
                | "covered"
                | "settles"
                | "settled"
                | "counts"
                | "says"
                | "said"
        )
    };
    let there =
        matches!(at(place + 1), "there" | "just" | "earlier" | "before" | "then") && does(at(place + 2));
    if own && (there || does(at(place + 1)) || digits && back(2) == "with" && person(at(place + 1))) {
        return true;
    }
    // "Mine's an 18", "mine was 18".
    let mine = |by: usize| matches!(back(by), "mine" | "yours" | "hers" | "theirs");
    let linked = matches!(back(1), "is" | "was") && mine(2);
    let article = matches!(back(1), "a" | "an") && (mine(2) || matches!(back(2), "is" | "was") && mine(3));
    let closed = tokens.get(place + 1).is_none_or(Token::is_mark);
    if digits && closed && (linked || article) {
        return true;
    }
    // "Sixteen does it".
    let judged = match at(place + 1) {
        "does" | "did" => matches!(at(place + 2), "it" | "that" | "nicely" | "fine" | "the"),
        "will" | "won't" => at(place + 2) == "do",
        "is" | "isn't" => matches!(at(place + 2), "enough" | "plenty" | "good" | "short" | "over" | "under"),
        "makes" | "gets" => at(place + 2) == "it",
        verdict => {
            matches!(verdict, "hits" | "misses" | "passes" | "fails" | "succeeds" | "beats" | "clears")
                && LISTS.dice.verdict.contains(verdict)
        }
    };
    place == 0 && judged && number <= 40
}
