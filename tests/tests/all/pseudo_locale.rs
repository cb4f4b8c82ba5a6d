//! Promise: no word that a model reads stands in the code. Campaigns are played in a language that nobody speaks, and to their end.
//!
//! The language is English in letters of full width: every text, prompt, marker, tag, key and description of the charter. So a letter
//! of ASCII in a request is a value of the journal or of the charter, or else a word of the code. Whoever answers is the improviser,
//! which is shown the same request in its own letters; what it says by which replies are read is put into the campaign's.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use twicetold_dialect::sent_digest;
use twicetold_event::{
    ClosedBy, Detail, Event, Millis, Number, Phase, Provenance, Purpose, Seat, SpeakerRule,
};
use twicetold_improv::{improvise, improvise_chaos};
use twicetold_projection::prompt::{Asking, Content, Piece, render};
use twicetold_projection::words;
use twicetold_referee::{Effect, received};
use twicetold_tests::Game;
use twicetold_world::reading::program_reading;
use twicetold_world::setup::{EncounterSpec, Piece as Part, Setup, Template, TextEntry, known_texts};
use twicetold_world::{Life, State};

/// Campaigns of each kind.
const SEEDS: std::ops::Range<u64> = 500..520;

/// How far the letters of full width are from those of ASCII.
const WIDTH: u32 = 0xFEE0;

fn wide(text: &str) -> String {
    let letter = |c: char| match c.is_ascii_alphabetic() {
        true => char::from_u32(u32::from(c) + WIDTH).unwrap_or(c),
        false => c,
    };
    text.chars().map(letter).collect()
}

fn narrow(text: &str) -> String {
    let letter = |c: char| {
        let narrow = u32::from(c).checked_sub(WIDTH).and_then(char::from_u32);
        narrow.filter(char::is_ascii_alphabetic).unwrap_or(c)
    };
    text.chars().map(letter).collect()
}

fn has_letters(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_alphabetic())
}

/// The template with its literals in wide letters. The line breaks behind tags that stand alone are no part of its pieces: a name that
/// nobody knows keeps those that are from being taken for such.
fn translated(text: &str, pieces: &[Part]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Part::Literal { start, end } => {
                let literal = wide(&text[*start..*end]);
                out += if literal.starts_with('\n') { "{{}}" } else { "" };
                out += &literal;
            }
            Part::Name(name) => out += &format!("{{{{{name}}}}}"),
            Part::Section(name, inner) => {
                let inner = translated(text, inner);
                out += &format!("{{{{#{name}}}}}{inner}{{{{/{}}}}}", name);
            }
            Part::Unless(name, inner) => {
                let inner = translated(text, inner);
                out += &format!("{{{{^{name}}}}}{inner}{{{{/{name}}}}}");
            }
        }
    }
    out
}

/// The texts of the program as a file of a charter in wide letters.
fn texts() -> String {
    let mut out = String::new();
    let mut last = "";
    for (key, TextEntry { content, template, .. }) in known_texts().iter() {
        let (table, name) = key.split_once('.').expect("a key has a table");
        if table != last {
            out += &format!("[{table}]\n");
            last = table;
        }
        out += &format!("{name} = '''\n{}'''\n", translated(content, &template.pieces));
    }
    out
}

/// A tool's description and those of its fields.
fn described(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "description" => *text = wide(text),
                    member => described(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(described),
        _ => {}
    }
}

/// The campaign in the language that nobody speaks, for models that read the charter's texts.
fn game(seed: u64) -> Game {
    let mut game = if seed.is_multiple_of(2) { Game::new(seed) } else { Game::of("the-borrowed-boat", seed) };
    game.files.retain(|file| !(file.path.starts_with("prompts/") && file.path.ends_with(".toml")));
    for file in &mut game.files {
        let text = match file.path.as_str() {
            // Half of a value cannot be told from a word of the code: no old result is cut.
            "limits.toml" => {
                file.text.replace("old_result_bytes_max = 400 ", "old_result_bytes_max = 400000 ")
            }
            "seats.toml" => file.text.replace("protocol = \"improv\"", "protocol = \"chat-completions\""),
            path if path.starts_with("prompts/") => {
                let template = Template::parse(&file.text).expect("prompts can be read");
                translated(&file.text, &template.pieces)
            }
            path if path.starts_with("tools/") => {
                let mut tool: Value = serde_json::from_str(&file.text).expect("tools are JSON");
                described(&mut tool);
                tool.to_string()
            }
            _ => continue,
        };
        file.text = Arc::from(text);
    }
    let path = "prompts/texts.toml".to_owned();
    game.files.push(twicetold_world::setup::SourceFile { path, text: Arc::from(texts()) });
    game
}

/// A reply of the improviser with the words by which replies are read in the campaign's letters.
fn answered(body: &str) -> String {
    let Ok(mut reply) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let Some(message) = reply.pointer_mut("/choices/0/message") else { return body.to_owned() };
    if !message.is_object() {
        return body.to_owned();
    }
    if let Some(Value::String(text)) = message.get_mut("content") {
        *text = said(text);
    }
    for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::String(arguments)) = call.pointer_mut("/function/arguments") {
            *arguments = arguments.replace("\"DM\"", &format!("{:?}", wide("DM")));
        }
    }
    reply.to_string()
}

fn said(text: &str) -> String {
    let reading = program_reading();
    let mut text = text.to_owned();
    for phase in [Phase::Pitch, Phase::Converge, Phase::Lock] {
        let marker = reading.marker(phase).expect("the phase has a marker");
        text = text.replace(marker, &wide(marker));
    }
    for tag in ["SCENARIO", "PARTY_DOCUMENT", "CHARACTER", "DM ONLY"] {
        for bracket in ["[", "[/"] {
            text = text.replace(&format!("{bracket}{tag}]"), &format!("{bracket}{}]", wide(tag)));
        }
    }
    text = text.replace("Player ", &wide("Player "));
    let line = |line: &str| match line.split_once(':') {
        _ if line.starts_with('#') => wide(line),
        Some((key, rest)) if key.len() < 12 => format!("{}:{rest}", wide(key)),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

/// Values of the journal and of the charter: what may stand in a request as it is.
#[derive(Default)]
struct Values(BTreeSet<String>);

impl Values {
    fn add(&mut self, text: &str) {
        for text in
            [text.to_owned(), text.trim().to_owned(), text.split_whitespace().collect::<Vec<_>>().join(" ")]
        {
            self.0.insert(text);
        }
    }

    fn json(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Array(items) => items.iter().for_each(|item| self.json(item)),
            Value::Object(members) => members.values().for_each(|member| self.json(member)),
            _ => {}
        }
    }

    /// The words of a file; names of kinds are the program's.
    fn toml(&mut self, value: &toml::Value) {
        match value {
            toml::Value::String(text) => self.add(text),
            toml::Value::Array(items) => items.iter().for_each(|item| self.toml(item)),
            toml::Value::Table(members) => {
                let own = |(name, member): &(&String, &toml::Value)| {
                    !member.is_str() || !["kind", "archetype", "attack", "success"].contains(&name.as_str())
                };
                members.iter().filter(own).for_each(|(_, member)| self.toml(member));
            }
            _ => {}
        }
    }

    fn setup(&mut self, setup: &Setup) {
        let words = |path: &str| {
            !["prompts/", "tools/", "seats.toml", "limits.toml"].iter().any(|front| path.starts_with(front))
        };
        for file in setup.files.iter().filter(|file| words(&file.path) && file.path.ends_with(".toml")) {
            self.toml(&toml::from_str(&file.text).expect("the file is TOML"));
        }
        for (path, page) in &setup.rules.pages {
            self.add(path);
            self.add(&page.title);
            for detail in [Detail::Summary, Detail::Stats, Detail::Full] {
                let shown = page.shown(detail);
                self.add(shown.text);
                self.add(shown.more);
            }
        }
    }

    /// An encounter as it was drawn.
    fn encounter(&mut self, spec: &EncounterSpec) {
        let setting = &spec.setting;
        for text in [
            &spec.title,
            &spec.tone,
            &spec.opening,
            &spec.objective,
            &spec.dm_notes,
            &setting.location,
            &setting.mood,
        ] {
            self.add(text);
        }
        self.add(&setting.time_of_day);
        spec.house_rules.iter().chain(&setting.ambient).for_each(|text| self.add(text));
        for npc in &spec.npcs {
            [npc.name(), &npc.role, &npc.persona].into_iter().for_each(|text| self.add(text));
            npc.items.iter().for_each(|text| self.add(text));
        }
        spec.goals.iter().flat_map(|goal| [&goal.label, &goal.ending]).for_each(|text| self.add(text));
        for check in &spec.checks {
            let answers = [&check.answers.success, &check.answers.failure];
            let texts = [&check.note, &check.scene].into_iter().chain(answers).chain(&check.tries);
            texts.for_each(|text| self.add(text));
            // A check's result is followed by the part of its note that has come about.
            check.note.split("; on a failure ").for_each(|part| self.add(part));
        }
        spec.reveals.iter().for_each(|reveal| self.add(&reveal.text));
    }

    /// Is a piece nothing but values, numbers and signs? Lists of values stand with signs between.
    fn make(&self, piece: &str) -> bool {
        if !has_letters(piece) || self.0.contains(piece) {
            return true;
        }
        // An old result may be cut.
        let after = self.0.range(piece.to_owned()..).next();
        if piece.len() >= 60 && after.is_some_and(|value| value.starts_with(piece)) {
            return true;
        }
        [", ", "; ", "\n"].iter().any(|sign| {
            let mut places = piece.match_indices(sign);
            let is_value = |front: &str| !has_letters(front) || self.0.contains(front);
            places.any(|(at, _)| is_value(&piece[..at]) && self.make(&piece[at + sign.len()..]))
        })
    }
}

/// Words of the code in what a seat is asked.
fn words_of_the_code(
    values: &Values,
    state: &State,
    prompt: &twicetold_projection::prompt::Prompt,
) -> Vec<String> {
    let files = &state.setup().files;
    let written = |piece: &Piece| match piece {
        Piece::Text { content: Content::Written(text), .. } => (!values.make(text)).then(|| text.clone()),
        // What lies in these was put into wide letters.
        Piece::Text { content: Content::File(file, _), .. } => {
            (!files[*file].path.starts_with("prompts/")).then(|| files[*file].path.clone())
        }
        Piece::Text { content: Content::Reply(..), .. }
        | Piece::Message(_)
        | Piece::ToolCall { .. }
        | Piece::Opaque { .. }
        | Piece::ToolResult { .. }
        | Piece::ReplySchema
        | Piece::NoTools => None,
    };
    prompt.pieces.iter().filter_map(written).collect()
}

/// Plays a campaign to its end and looks at every request; gives its events.
fn play(seed: u64, model: fn(&str) -> String) -> Vec<Event> {
    let (mut session, _memory, first) = game(seed).session();
    let mut before: Option<((Seat, Purpose, u32), Number)> = None;
    let mut values = Values::default();
    values.setup(session.campaign().state().setup());
    let (mut next, mut clock, mut events) = (Some(first), 1_000_000, Vec::new());
    let mut found = BTreeSet::new();
    while let Some(input) = next {
        clock += 1_000;
        let committed = session.commit(Millis(clock), input).expect("memory takes every entry");
        // A request holds what was written into it, whoever wrote it.
        let told = |event: &&Event| !matches!(event, Event::ModelCallRequested(_));
        for event in committed.entry.events.iter().filter(told) {
            values.json(&serde_json::to_value(event).expect("events can be written"));
        }
        events.extend(committed.entry.events.iter().cloned());
        let campaign = session.campaign();
        for text in committed.entry.events.iter().flat_map(Event::texts) {
            values.add(words(campaign.replies(), text));
        }
        if let Some(spec) = campaign.state().encounter_spec() {
            values.encounter(spec);
            // An ending with its epilogue is several of its texts in one line.
            spec.goals.iter().for_each(|goal| values.add(&campaign.state().ending_of(goal)));
        }
        next = match campaign.plan() {
            None | Some(Effect::AskPerson { .. }) => None,
            Some(Effect::SetTimer { call, due }) => {
                clock = due.0;
                Some(twicetold_event::Input::TimerFired(twicetold_event::TimerFired { call, due }))
            }
            Some(Effect::CallModel { call, seat, .. }) => {
                let (request, _) = session.pending_request().expect("a pending call has a request");
                let state = campaign.state();
                let purpose = state.calls().pending.as_ref().expect("a call is pending").purpose;
                let offered: Vec<String> =
                    campaign.offered().into_iter().map(|tool| tool.name.to_string()).collect();
                let not_now = request.tools.iter().map(|tool| &*tool.name);
                let not_now: Vec<&str> =
                    not_now.filter(|name| !offered.iter().any(|one| one == name)).collect();
                not_now.iter().for_each(|name| values.add(name));
                let (turn, number) = (state.turn().number, campaign.next());
                let same = |(asked, number)| (asked == (seat, purpose, turn)).then_some(number);
                let since = before.replace(((seat, purpose, turn), number)).and_then(same);
                let prompt = render(
                    state,
                    campaign.replies(),
                    (seat, purpose),
                    Asking { not_now: &not_now, since, ..Asking::default() },
                );
                assert!(request.messages.ends_with(&prompt.messages), "what is looked at is what is sent");
                found.extend(words_of_the_code(&values, state, &prompt));
                assert!(
                    request.tools.iter().all(|tool| !has_letters(&tool.description)),
                    "{:?}",
                    request.tools
                );
                let body = campaign.wire(seat).encode(&request);
                let reply = answered(&model(&narrow(&body)));
                Some(received(&campaign.wire(seat), call, sent_digest(&body), reply))
            }
        };
    }
    assert!(found.is_empty(), "seed {seed}: words of the code: {found:#?}");
    let state = session.campaign().state();
    assert!(matches!(state.life(), Life::Ended { .. }), "seed {seed}: {:?}", state.life());
    assert_eq!(state.characters().len(), state.setup().players().count(), "seed {seed}");
    assert!(!state.encounters_over().is_empty(), "seed {seed}");
    events
}

#[test]
fn campaigns_are_played_in_a_language_that_the_code_does_not_speak() {
    let mut asked_before_play = 0;
    for seed in SEEDS {
        let events = play(seed, improvise);
        let closed =
            |event: &&Event| matches!(event, Event::PhaseClosed(word) if word.by == ClosedBy::Marker);
        assert_eq!(events.iter().filter(closed).count(), 3, "seed {seed}: the markers are read");
        let accepted: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::CharacterAccepted(word) => Some(word),
                _ => None,
            })
            .collect();
        for word in accepted {
            assert!(
                matches!(word.origin, Provenance::Reply(_)),
                "seed {seed}: the sheets are read: {word:?}"
            );
            assert!(!word.sheet.secret.is_empty(), "seed {seed}: {word:?}");
        }
        let told = |event: &Event| matches!(event, Event::ScenarioSet(word) if matches!(word.origin, Provenance::Reply(_)));
        assert!(events.iter().any(told), "seed {seed}: the scenario is read");
        let begun = events
            .iter()
            .position(|event| matches!(event, Event::PhaseBegan(word) if word.phase == Phase::Play));
        let asked = |event: &&Event| matches!(event, Event::SpeakerChosen(word) if word.rule == SpeakerRule::AskedByName && word.seat != Seat::Dm);
        asked_before_play += events[..begun.unwrap_or(0)].iter().filter(asked).count();
    }
    assert!(asked_before_play > 20, "the names of seats are read");
}

#[test]
fn so_are_those_with_all_the_vices_of_real_models() {
    for seed in SEEDS {
        play(seed, improvise_chaos);
    }
}
