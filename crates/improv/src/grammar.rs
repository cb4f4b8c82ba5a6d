//! Expands sentence patterns, and prefers those whose words were not heard lately.

use super::pick::Draw;
use super::words;

/// Four-word runs that were already said, as a set of 65,536 bits that may claim too much but never too little.
pub(super) struct Heard {
    bits: Vec<u64>,
}

const WORDS_IN_RUN: usize = 4;

impl Heard {
    /// Nothing was said yet.
    pub(super) fn new() -> Self {
        Heard { bits: vec![0; 1024] }
    }

    /// Remembers this text.
    pub(super) fn add(&mut self, text: &str) {
        for run in runs(text) {
            if let Some(word) = self.bits.get_mut(run >> 6) {
                *word |= 1 << (run & 63);
            }
        }
    }

    /// How much of this text was heard, in thousandths.
    fn share(&self, text: &str) -> usize {
        let (mut all, mut known) = (0, 0);
        for run in runs(text) {
            all += 1;
            known += usize::from(self.bits.get(run >> 6).is_some_and(|word| word & (1 << (run & 63)) != 0));
        }
        (known * 1000usize).checked_div(all).unwrap_or(0)
    }
}

/// The hashes of all runs of four words, letter case apart.
fn runs(text: &str) -> impl Iterator<Item = usize> + '_ {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let mut last = [0u64; WORDS_IN_RUN];
    let (mut hash, mut words) = (START, 0);
    // Bytes, not characters: this reads the whole visible history for every reply.
    text.bytes().chain([b' ']).filter_map(move |byte| {
        if byte.is_ascii_alphanumeric() || byte == b'\'' || byte >= 0x80 {
            hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3);
            return None;
        }
        if hash == START {
            return None;
        }
        last.rotate_left(1);
        last[WORDS_IN_RUN - 1] = hash;
        hash = START;
        words += 1;
        (words >= WORDS_IN_RUN).then(|| {
            let run = last.iter().fold(0u64, |run, word| run.rotate_left(17).wrapping_mul(31) ^ word);
            ((run ^ (run >> 32)) & 0xffff) as usize
        })
    })
}

/// Writes sentences: patterns with `[one|other]` alternatives and `{slots}`.
pub(super) struct Scribe {
    draw: Draw,
    heard: Heard,
    slots: Vec<(&'static str, Vec<String>)>,
    /// Patterns that this reply has already used.
    used: Vec<&'static str>,
    /// Which value a slot of several has in the pattern that is being written: it is one person throughout.
    chosen: Vec<(&'static str, usize)>,
    /// What the person in the scene does not do: no pattern that speaks of the person has these words.
    unable: &'static [&'static str],
}

/// Thousandths of a text that may have been heard before it is no longer as good as new.
const MOSTLY_NEW: usize = 300;
/// What a second use of a pattern in one reply counts for, in thousandths heard.
const USED: usize = 600;
/// How many patterns are tried for one sentence.
const TRIES: usize = 7;
/// The slots in which the person of a scene stands.
const PERSONS: &[&str] = &["{npc}", "{heard}"];
/// How a deed is done, behind the deed.
const MANNER: &str = "manner";
/// A shorter part of a pattern may stand anywhere.
const PART_BYTES_MIN: usize = 9;
/// How deep slots may stand within slots.
const DEPTH: usize = 4;

impl Scribe {
    /// A writer that draws from this stream and avoids what was heard.
    pub(super) fn new(draw: Draw, heard: Heard) -> Self {
        Scribe { draw, heard, slots: Vec::new(), used: Vec::new(), chosen: Vec::new(), unable: &[] }
    }

    /// The stream of draws, for choices beside sentences.
    pub(super) fn draw(&mut self) -> &mut Draw {
        &mut self.draw
    }

    /// True in about `percent` of 100 draws.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.draw.chance(percent)
    }

    /// Fills a slot; an empty value leaves it unfilled, so that patterns with it are passed over.
    pub(super) fn set(&mut self, slot: &'static str, value: impl Into<String>) {
        let value = value.into();
        let values = if value.is_empty() { Vec::new() } else { vec![value] };
        self.set_all(slot, values);
    }

    /// Fills a slot with several values; each use draws one.
    pub(super) fn set_all(&mut self, slot: &'static str, values: Vec<String>) {
        self.slots.retain(|(name, _)| *name != slot);
        if !values.is_empty() {
            self.slots.push((slot, values));
        }
    }

    /// Says nothing from here on in which the person of the scene does what these words tell of.
    pub(super) fn shun(&mut self, words: &'static [&'static str]) {
        self.unable = words;
    }

    /// The first value of this slot, if it is filled.
    pub(super) fn first(&self, slot: &str) -> Option<&str> {
        let (_, values) = self.slots.iter().find(|(name, _)| *name == slot)?;
        values.first().map(String::as_str)
    }

    /// Whether patterns with this slot can be said.
    pub(super) fn has(&self, slot: &str) -> bool {
        self.slots.iter().any(|(name, _)| *name == slot)
    }

    /// A sentence after one of these patterns; empty when none can be said.
    pub(super) fn say(&mut self, patterns: &[&'static str]) -> String {
        let mut best: Option<(usize, &'static str, String)> = None;
        if patterns.is_empty() {
            return String::new();
        }
        let mut index = self.draw.below(patterns.len());
        let mut tries = 0;
        for _ in 0..patterns.len().max(TRIES) * 2 {
            let pattern = patterns.get(index % patterns.len()).copied().unwrap_or("");
            index += 1 + self.draw.below(3);
            self.chosen.clear();
            let Some(text) = self.expand(pattern, DEPTH) else { continue };
            if self.shuns(pattern, &text) {
                continue;
            }
            let share = self.heard.share(&text) + if self.used.contains(&pattern) { USED } else { 0 };
            if best.as_ref().is_none_or(|(least, ..)| share < *least) {
                best = Some((share, pattern, text));
            }
            tries += 1;
            if share == 0 || tries >= TRIES {
                break;
            }
        }
        let Some((_, pattern, text)) = best else { return String::new() };
        self.used.push(pattern);
        let text = punctuated(&text);
        self.heard.add(&text);
        text
    }

    /// Does this tell of the person of the scene what they do not do? What is quoted is told of nobody.
    fn shuns(&self, pattern: &str, text: &str) -> bool {
        let tells = |word: &str| text.split('"').step_by(2).any(|plain| plain.contains(word));
        PERSONS.iter().any(|slot| pattern.contains(slot)) && self.unable.iter().any(|word| tells(word))
    }

    /// The least heard of these texts as it stands, if it is new enough.
    pub(super) fn quote(&mut self, texts: &[String]) -> Option<String> {
        let text = self.quietest(texts).filter(|(share, _)| *share <= 250)?.1;
        self.heard.add(text);
        Some(text.clone())
    }

    /// The least heard of these texts as it stands.
    pub(super) fn least_heard(&mut self, texts: &[String]) -> Option<String> {
        let text = self.quietest(texts)?.1;
        self.heard.add(text);
        Some(text.clone())
    }

    fn quietest<'t>(&mut self, texts: &'t [String]) -> Option<(usize, &'t String)> {
        let start = self.draw.below(texts.len());
        let turned = texts.iter().cycle().skip(start).take(texts.len());
        // A few words that have been heard are not the whole: what is mostly new is as good as what is all new.
        turned.map(|text| (self.heard.share(text), text)).min_by_key(|(share, _)| *share / MOSTLY_NEW)
    }

    fn expand(&mut self, pattern: &str, depth: usize) -> Option<String> {
        let mut text = String::with_capacity(pattern.len() * 2);
        let mut rest = pattern;
        while let Some(at) = rest.find(['[', '{']) {
            let (before, from) = rest.split_at(at);
            text.push_str(before);
            let close = if from.starts_with('[') { ']' } else { '}' };
            let end = from.find(close)?;
            let inner = from.get(1..end)?;
            rest = from.get(end + 1..)?;
            if close == ']' {
                let options: Vec<&str> = inner.split('|').collect();
                let option = self.draw.choose(&options).copied()?;
                text.push_str(&self.expand(option, depth)?);
            } else {
                let value = self.slot(inner, depth)?;
                if inner == MANNER && self.repeats(&text, &value) {
                    return None;
                }
                text.push_str(&within(&text, value));
            }
        }
        text.push_str(rest);
        Some(text)
    }

    /// Is somebody named in both? Nobody does a thing to somebody and pretends that the same person is not there.
    fn repeats(&self, text: &str, value: &str) -> bool {
        let people = self.slots.iter().filter(|(slot, _)| ["npc", "other"].contains(slot));
        people.flat_map(|(_, names)| names).any(|name| text.contains(name) && value.contains(name))
    }

    fn slot(&mut self, slot: &str, depth: usize) -> Option<String> {
        if depth == 0 {
            return None;
        }
        if let Some(name) = slot.strip_prefix("a ") {
            let text = self.slot(name, depth)?;
            return Some(format!("{} {text}", article(&text)));
        }
        if let Some(name) = slot.strip_prefix("Cap ") {
            return Some(capital(&self.slot(name, depth)?));
        }
        if let Some((name, values)) = self.slots.iter().find(|(name, _)| *name == slot) {
            let before = self.chosen.iter().find(|(known, _)| known == name).map(|(_, index)| *index);
            let index = before.unwrap_or_else(|| self.draw.below(values.len()));
            self.chosen.push((name, index));
            return values.get(index).cloned();
        }
        let list = words::list(slot)?;
        let entry = self.draw.choose(list).copied()?;
        self.expand(entry, depth - 1)
    }
}

/// The value of a slot as it stands behind this text: "The Conductor" is "the Conductor" within a sentence.
fn within(before: &str, value: String) -> String {
    let starts = before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', ':', '"']);
    match value.strip_prefix("The ") {
        Some(rest) if !starts => format!("the {rest}"),
        _ => value,
    }
}

/// The first of these patterns after which the text may have been made, by the longest part of it that has no slot.
pub(super) fn made_after(text: &str, patterns: &[&str]) -> Option<usize> {
    patterns.iter().position(|pattern| {
        let parts = pattern.split(['{', '[']).map(|part| part.rsplit(['}', ']']).next().unwrap_or(part));
        let longest = parts.map(str::trim).max_by_key(|part| part.len()).unwrap_or_default();
        longest.len() >= PART_BYTES_MIN && text.contains(longest)
    })
}

/// The text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let start = text.find(char::is_alphanumeric).unwrap_or(0);
    let (before, from) = text.split_at(start);
    let mut letters = from.chars();
    match letters.next() {
        Some(first) => format!("{before}{}{}", first.to_uppercase(), letters.as_str()),
        None => text.to_owned(),
    }
}

/// Every sentence with a capital, and a comma inside the marks before who says it: "Go," says somebody.
fn punctuated(text: &str) -> String {
    let mut capitals = String::with_capacity(text.len());
    let mut starts = true;
    let mut ended = false;
    for letter in text.chars() {
        if starts && letter.is_alphanumeric() {
            capitals.extend(letter.to_uppercase());
            starts = false;
        } else {
            capitals.push(letter);
        }
        starts |= ended && letter == ' ';
        ended = matches!(letter, '.' | '!' | '?');
    }
    let mut text = capitals;
    for speaker in ["says ", "I say", "I tell ", "I add"] {
        text = text.replace(&format!(".\" {speaker}"), &format!(",\" {speaker}"));
    }
    text
}

/// `a` or `an`, by how the next word sounds.
fn article(next: &str) -> &'static str {
    let lower = next.to_lowercase();
    let silent = ["hour", "honest", "heir", "honour"].iter().any(|start| lower.starts_with(start));
    let consonant = ["one", "uni", "use", "eu", "once"].iter().any(|start| lower.starts_with(start));
    if silent || (lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !consonant) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::super::pick::Pick;
    use super::*;

    fn scribe() -> Scribe {
        Scribe::new(Pick::new(1, &[]).draw("x"), Heard::new())
    }

    #[test]
    fn articles_follow_the_sound() {
        assert_eq!(["owl", "hour", "unicorn", "bell"].map(article), ["an", "an", "a", "a"]);
    }

    #[test]
    fn a_pattern_with_an_unfilled_slot_is_passed_over() {
        let mut scribe = scribe();
        scribe.set("npc", "");
        for _ in 0..10 {
            assert_eq!(scribe.say(&["{npc} waits.", "nobody waits."]), "Nobody waits.");
        }
        assert_eq!(scribe.say(&["{npc} waits."]), "");
    }

    #[test]
    fn what_was_heard_is_not_said_while_something_else_is_left() {
        for seed in 0..8 {
            let mut heard = Heard::new();
            heard.add("The old clock strikes four in the square.");
            let mut scribe = Scribe::new(Pick::new(seed, &[]).draw("x"), heard);
            let said =
                scribe.say(&["The old clock strikes four in the square.", "A dog barks near the mill."]);
            assert!(said.starts_with("A dog"));
        }
    }

    #[test]
    fn an_article_of_a_name_is_small_within_a_sentence() {
        let mut scribe = scribe();
        scribe.set("npc", "The Conductor");
        assert_eq!(
            scribe.say(&["Then {npc} waits. {npc} nods."]),
            "Then the Conductor waits. The Conductor nods."
        );
    }

    #[test]
    fn a_sentence_is_known_by_the_longest_part_of_its_pattern() {
        let patterns = [
            "\"Good,\" I say to {fellow}, and mean it.",
            "\"Sit down, {fellow}. I am not asking.\"",
            "{fellow}.",
        ];
        assert_eq!(made_after("\"Good,\" I say to Hob, and mean it. Then I go.", &patterns), Some(0));
        assert_eq!(made_after("\"Sit down, Hob. I am not asking.\"", &patterns), Some(1));
        assert_eq!(made_after("Hob.", &patterns), None);
    }

    #[test]
    fn nobody_does_a_thing_to_somebody_and_pretends_that_they_are_not_there() {
        for seed in 0..40 {
            let mut scribe = Scribe::new(Pick::new(seed, &[]).draw("x"), Heard::new());
            scribe.set("npc", "Tilda");
            scribe.set("try", "ask Tilda about it");
            let said = scribe.say(&["I {try}, {manner}."]);
            assert!(said.matches("Tilda").count() <= 1, "{said}");
        }
    }

    #[test]
    fn a_broken_pattern_says_nothing() {
        assert_eq!(scribe().say(&["[one|two", "{", "{nothing}"]), "");
    }
}
