//! Who tells the story where neither a name nor a mapping says so: by what is said.

use std::collections::BTreeMap;

/// Messages of a teller at least: two are a scene and its end.
const MESSAGES_MIN: usize = 3;
/// Times as often as anybody else a teller says "you" to the others outside of quotation marks.
const TIMES: usize = 2;
/// Times that it is said at least.
const SAID_MIN: usize = 4;

/// What somebody has said so far.
#[derive(Clone, Debug, Default)]
pub struct Said {
    messages: usize,
    bytes: usize,
    addressed: usize,
    /// Of the first message: does it name others who speak?
    names: Vec<String>,
    first: Option<usize>,
}

impl Said {
    /// Takes up a message; `place` is its place among all.
    pub fn take(&mut self, place: usize, text: &str) {
        self.messages += 1;
        self.bytes += text.len();
        let mut quoted = false;
        let plain: String = text
            .chars()
            .filter(|letter| {
                quoted ^= matches!(letter, '"' | '“' | '”');
                !quoted
            })
            .collect();
        let words = plain.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
        self.addressed += words.filter(|word| word == "you" || word == "your").count();
        if self.first.is_none() {
            self.first = Some(place);
            self.names = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        }
    }
}

/// The speaker who tells the story to the others, if exactly one of these does.
pub fn teller<'s>(said: &BTreeMap<&'s str, Said>) -> Option<&'s str> {
    if said.len() < 2 {
        return None;
    }
    let opens = said.iter().min_by_key(|(_, said)| said.first)?.0;
    let (name, most) = said.iter().max_by_key(|(_, said)| said.addressed)?;
    let next = said.iter().filter(|(other, _)| *other != name).map(|(_, said)| said.addressed).max()?;
    let others = said.keys().filter(|other| *other != name);
    let named = others.filter(|other| most.names.contains(&other.to_lowercase())).count();
    // Whoever opens by naming those who play, or speaks more than anybody, tells what is.
    let longest = said.iter().max_by_key(|(_, said)| said.bytes).is_some_and(|(other, _)| other == name);
    let leads = opens == name && (named > 0 || longest) || longest && named > 0;
    let addresses = most.addressed >= SAID_MIN && most.addressed >= TIMES * next.max(1);
    (leads && addresses && most.messages >= MESSAGES_MIN).then_some(*name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[(&'static str, &str)]) -> Option<&'static str> {
        let mut said: BTreeMap<&'static str, Said> = BTreeMap::new();
        for (place, (name, text)) in lines.iter().enumerate() {
            said.entry(*name).or_default().take(place, text);
        }
        teller(&said)
    }

    #[test]
    fn whoever_tells_the_others_what_they_see_tells_the_story() {
        let lines = [
            (
                "Warden",
                "An iron fort in the sea. Leif plays Dagg. You are at the door, and your lamp is out.",
            ),
            ("Leif", "I open it."),
            ("Warden", "It opens for you. You smell paraffin, and your hands shake."),
            ("Leif", "\"Are you there?\" I ask."),
            ("Warden", "You hear nothing."),
        ];
        assert_eq!(told(&lines), Some("Warden"));
        let talk = [
            ("Ada", "Are you well? You look pale."),
            ("Bo", "And you? You too."),
            ("Ada", "You know."),
            ("Bo", "You do."),
        ];
        assert_eq!(told(&talk), None);
    }
}
