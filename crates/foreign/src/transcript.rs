//! A foreign transcript's entries as a transcript: what it does not tell stays `None`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use twicetold_audit::{
    Audience, Call, Channel, Kind, Line, Roll, RollKind, SourceFile, Spent, Transcript, Voice, sides,
};
use twicetold_event::{
    Entry, Event, ForeignAnswered, ForeignCalled, ForeignPart, ForeignRole, ForeignRoll, ForeignRolled,
    ForeignSpoke, Input, Number,
};

/// The entries of a foreign transcript as what detectors read.
pub fn transcript<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Transcript {
    let mut recorder = Recorder::default();
    entries.into_iter().for_each(|entry| recorder.entry(entry));
    recorder.resolve();
    recorder.transcript
}

/// What mappings call a record that tells a model what to do.
const SYSTEM_PROMPT: &str = "system prompt";

/// The longest text of a record: of one that holds a prompt, the prompt.
fn longest(record: &Value) -> Option<&str> {
    match record {
        Value::String(text) => Some(text),
        Value::Array(items) => items.iter().filter_map(longest).max_by_key(|text| text.len()),
        Value::Object(fields) => fields.values().filter_map(longest).max_by_key(|text| text.len()),
        _ => None,
    }
}

/// What is known of a transcript so far.
#[derive(Default)]
struct Recorder {
    transcript: Transcript,
    turn: u32,
    /// Calls by their ids, as places in the list of calls.
    calls: BTreeMap<String, usize>,
    /// The last call that nobody has answered.
    last: Option<usize>,
    /// What it tells of.
    parts: BTreeSet<ForeignPart>,
}

impl Recorder {
    fn entry(&mut self, entry: &Entry) {
        for (number, event) in entry.numbered() {
            if let (Input::ForeignLine(line), Some(file)) = (&entry.input, &mut self.transcript.file) {
                file.lines.insert(number.0, line.line);
            }
            match event {
                Event::ForeignOpened(word) => {
                    self.transcript.foreign = true;
                    self.transcript.file =
                        Some(SourceFile { name: word.file.clone(), ..SourceFile::default() });
                    self.parts = word.parts.iter().copied().collect();
                    let tells = |part: ForeignPart| word.parts.contains(&part);
                    self.transcript.rolls = tells(ForeignPart::Rolls).then(Vec::new);
                    self.transcript.calls = tells(ForeignPart::Calls).then(Vec::new);
                    self.transcript.eventful = tells(ForeignPart::Calls).then(BTreeSet::new);
                    self.transcript.spent = tells(ForeignPart::Usage).then(Vec::new);
                }
                Event::ForeignSpoke(word) => self.spoke(number, word),
                Event::ForeignCalled(word) => self.called(number, word),
                Event::ForeignAnswered(word) => self.answered(number, word),
                Event::ForeignRolled(word) => self.rolled(number, word),
                Event::ForeignPassedOver(word) if word.what == SYSTEM_PROMPT => {
                    let Input::ForeignLine(line) = &entry.input else { continue };
                    let record = serde_json::from_str(&line.text).unwrap_or_default();
                    self.transcript.prompts.extend(longest(&record).map(|text| (number.0, text.to_owned())));
                }
                _ => {}
            }
        }
    }

    fn spoke(&mut self, number: Number, word: &ForeignSpoke) {
        let kind = match word.role {
            ForeignRole::Narrator => Kind::Narrator,
            ForeignRole::Player => Kind::Player,
            ForeignRole::Other => Kind::Other,
        };
        let voice = || Voice { kind, names: called(&word.speaker) };
        self.transcript.voices.entry(word.speaker.clone()).or_insert_with(voice);
        if !word.text.trim().is_empty() {
            self.turn = self.turn.saturating_add(1);
            let everybody = |names: &Vec<String>| match names.is_empty() {
                true => Audience::All,
                false => Audience::Only(names.iter().chain([&word.speaker]).cloned().collect()),
            };
            let channel = match &word.audience {
                Some(names) if !names.is_empty() => Channel::Apart,
                _ => Channel::Table,
            };
            let tells = self.parts.contains(&ForeignPart::Audience);
            // Where a transcript tells of audiences at all, a line that states none is everybody's.
            let audience = tells.then(|| word.audience.as_ref().map_or(Audience::All, everybody));
            let (voice, text) = (word.speaker.clone(), word.text.clone());
            self.transcript.lines.push(Line {
                number: number.0,
                turn: self.turn,
                voice,
                channel,
                audience,
                text,
            });
        }
        if let (Some(spent), Some(usage)) = (&mut self.transcript.spent, &word.usage) {
            let (input, output) = (usage.input_tokens, usage.output_tokens);
            spent.push(Spent {
                number: number.0,
                turn: self.turn,
                voice: word.speaker.clone(),
                input,
                output,
            });
        }
    }

    fn called(&mut self, number: Number, word: &ForeignCalled) {
        let Some(calls) = &mut self.transcript.calls else { return };
        self.last = Some(calls.len());
        if !word.id.is_empty() {
            self.calls.insert(word.id.clone(), calls.len());
        }
        calls.push(Call {
            number: number.0,
            turn: self.turn,
            voice: word.speaker.clone(),
            tool: word.tool.clone(),
            key: word.arguments.clone(),
            good: None,
            why: String::new(),
            answer: String::new(),
        });
    }

    fn answered(&mut self, number: Number, word: &ForeignAnswered) {
        let place = if word.id.is_empty() { self.last } else { self.calls.get(&word.id).copied() };
        let call = place.and_then(|place| self.transcript.calls.as_mut()?.get_mut(place));
        let (mut asked_by, mut asked) = (None, String::new());
        if let Some(call) = call {
            call.answer.clone_from(&word.text);
            asked = format!("{} {}", call.tool, call.key);
            call.good = word.failed.map(|failed| !failed);
            if word.failed == Some(true) {
                call.why.clone_from(&word.text);
            }
            asked_by = Some(call.voice.clone());
        }
        if let Some(eventful) = self.transcript.eventful.as_mut().filter(|_| word.failed != Some(true)) {
            eventful.insert(self.turn);
        }
        if let Some(roll) = &word.roll {
            self.roll(number, roll, (asked_by, asked), None);
        }
    }

    /// Dice that words tell of are their speaker's, unless they name somebody; a program that only rolls asks for nothing.
    fn rolled(&mut self, number: Number, word: &ForeignRolled) {
        let kind = self.transcript.kind(&word.speaker);
        let asked_by = Some(word.speaker.clone()).filter(|_| kind != Kind::Other);
        let roller = Some(word.speaker.clone()).filter(|_| kind == Kind::Player);
        self.roll(number, &word.roll, (asked_by, String::new()), roller);
    }

    fn roll(
        &mut self,
        number: Number,
        roll: &ForeignRoll,
        (asked_by, asked): (Option<String>, String),
        roller: Option<String>,
    ) {
        let Some(rolls) = &mut self.transcript.rolls else { return };
        let named = Some(roll.character.clone()).filter(|name| !name.is_empty());
        let kind = if roll.success.is_some() { RollKind::Check } else { RollKind::Dice };
        let sums = [roll.total, roll.difficulty].into_iter().flatten();
        rolls.push(Roll {
            number: number.0,
            turn: self.turn,
            kind,
            roller: named.or(roller).or_else(|| asked_by.clone()),
            asked_by,
            character: roll.character.clone(),
            asked,
            sides: sides(&roll.dice),
            faces: roll.faces.clone(),
            total: roll.total,
            difficulty: roll.difficulty,
            success: roll.success,
            numbers: sums.chain(roll.faces.iter().map(|face| i64::from(*face))).collect(),
            what: match (roll.total, roll.difficulty) {
                (Some(total), Some(difficulty)) => format!("{total} against {difficulty}"),
                (Some(total), None) => total.to_string(),
                _ => roll.dice.clone(),
            },
        });
    }

    /// Characters by whom rolls are named become the voices that play them.
    fn resolve(&mut self) {
        let voices = &self.transcript.voices;
        let known = |name: &str| {
            let same = |known: &String| known.eq_ignore_ascii_case(name);
            // "Then Old Mara rolls": what stands before a name in its sentence is no part of it.
            let last = |known: &String| {
                let end =
                    name.len().checked_sub(known.len()).filter(|end| *end > 0 && name.is_char_boundary(*end));
                end.is_some_and(|end| name[end..].eq_ignore_ascii_case(known) && name[..end].ends_with(' '))
            };
            let voice = voices.iter().find(|(voice, known)| same(voice) || known.names.iter().any(same));
            let voice = voice
                .or_else(|| voices.iter().find(|(voice, known)| last(voice) || known.names.iter().any(last)));
            voice.map(|(voice, _)| voice.clone())
        };
        for roll in self.transcript.rolls.iter_mut().flatten() {
            roll.roller = roll.roller.as_deref().and_then(known);
        }
    }
}

/// What a speaker is called in prose: the name as written, with a capital, and its first word alone.
fn called(speaker: &str) -> Vec<String> {
    let plain = speaker.replace(['_', '-'], " ");
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
    };
    let whole: Vec<String> = plain.split_whitespace().map(capital).collect();
    let mut names = vec![speaker.to_owned(), whole.join(" ")];
    names.extend(whole.into_iter().next());
    names.retain(|name| !name.is_empty());
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_is_the_longest_text_of_its_record() {
        let record = serde_json::json!({ "role": "system", "content": [{ "type": "text", "text": "You are the DM. Find the bell." }] });
        assert_eq!(longest(&record), Some("You are the DM. Find the bell."));
        assert_eq!(longest(&serde_json::json!({ "n": [1, null] })), None);
    }
}
