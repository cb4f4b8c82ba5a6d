//! Each rule by *given events, when a rule, then events*. No campaign is played.

mod again;
mod combat;
mod control;
mod dialogue;
mod dialogue_summary;
mod encounter;
mod failure;
mod fate;
mod faults;
mod guided;
mod guided_play;
mod memory;
mod narrator;
mod opening;
mod passages;
mod profile;
mod reminders;
mod reply;
mod session_zero;
mod speaker;
mod speech;
mod structured;
mod summary;
mod text;
mod things;
mod turn;
mod versions;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use twicetold_event::{
    AbilityChecked, Archetype, Audience, CallId, Channel, CharacterAccepted, CharacterCreated, DialogueBegan,
    EncounterBegan, Event, Manifest, MessageSpoken, Millis, ModelCallRequested, ModelReplied, Number, Phase,
    PhaseBegan, Provenance, Purpose, Seat, Text, TurnBegan,
};
use twicetold_model::{Digest, Finish, Reply, ToolCall, Usage};
use twicetold_projection::Replies;
use twicetold_tool::charter_files;
use twicetold_world::setup::{Limits, RULES_VERSION, Setup, SourceFile};
use twicetold_world::{PendingCall, State, evolve};

use crate::requests::{OfferedTool, tools};
use crate::table::Table;

/// What stands before a rule: the bundled campaign for two players, and what has happened in it.
#[derive(Clone)]
pub(crate) struct Given {
    state: State,
    replies: Said,
    tools: Vec<OfferedTool>,
    next: Number,
}

/// What models replied.
#[derive(Clone, Default)]
struct Said(BTreeMap<CallId, Reply>);

impl Replies for Said {
    fn reply(&self, call: CallId) -> Option<&Reply> {
        self.0.get(&call)
    }
}

/// The files of the bundled campaign for two players.
pub(crate) fn files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let mut configuration = BTreeMap::new();
    collect(&root, &root, &mut configuration);
    let seat = "protocol = \"improv\"\nwire = 1\nmodel = \"improv\"\ntokens_max = 1000\nparallel_tool_calls = true\nsend_seed = true\ntoken_factor_percent = 100\n";
    charter_files(&configuration, "the-borrowed-boat", format!("players = 2\n[seat.dm]\n{seat}")).unwrap()
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Arc<str>>) {
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let below = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.insert(below, std::fs::read_to_string(&path).unwrap().into());
        }
    }
}

/// These events, in a campaign with the bundled limits.
pub(crate) fn given(events: impl IntoIterator<Item = Event>) -> Given {
    given_with(|_| {}, events)
}

/// These events, in a campaign with other limits.
pub(crate) fn given_with(change: impl FnOnce(&mut Limits), events: impl IntoIterator<Item = Event>) -> Given {
    given_by(|setup| change(&mut setup.limits), events)
}

/// These events, in a campaign that is played with something else than the bundled one.
pub(crate) fn given_by(change: impl FnOnce(&mut Setup), events: impl IntoIterator<Item = Event>) -> Given {
    let mut setup = Setup::read(7, RULES_VERSION, files()).unwrap();
    change(&mut setup);
    let tools = tools(&setup).unwrap();
    let state = State::new(Arc::new(setup));
    let given = Given { state, replies: Said::default(), tools, next: Number(1) };
    given.and(events)
}

impl Given {
    /// Then these happened.
    pub(crate) fn and(mut self, events: impl IntoIterator<Item = Event>) -> Given {
        for event in events {
            evolve(&mut self.state, self.next, Millis(self.next.0), &event);
            self.next = self.next.plus(1);
        }
        self
    }

    /// A model replied with these words and tool calls (name, arguments).
    pub(crate) fn replied(mut self, call: u32, text: &str, calls: &[(&str, &str)]) -> Given {
        let calls = calls.iter().enumerate().map(|(place, (name, arguments))| ToolCall {
            id: format!("c{place}"),
            name: (*name).to_owned(),
            arguments: (*arguments).to_owned(),
        });
        let (text, tool_calls) = (text.to_owned(), calls.collect());
        let reply = Reply {
            text,
            thinking: String::new(),
            opaque: Vec::new(),
            tool_calls,
            finish: Finish::Stop,
            usage: Usage::default(),
        };
        self.replies.0.insert(CallId(call), reply);
        self
    }

    /// The same of calls that were read from words: they have no id.
    pub(crate) fn wrote(self, call: u32, calls: &[(&str, &str)]) -> Given {
        let mut given = self.replied(call, "", calls);
        let reply = given.replies.0.get_mut(&CallId(call));
        reply.into_iter().flat_map(|reply| &mut reply.tool_calls).for_each(|call| call.id.clear());
        given
    }

    /// The model was stopped at its limit of tokens in this reply.
    pub(crate) fn stopped(mut self, call: u32) -> Given {
        self.replies.0.get_mut(&CallId(call)).unwrap().finish = Finish::Length;
        self
    }

    /// So many replies of this turn came already, each at this cost.
    pub(crate) fn charged(mut self, replies: u32, usage: Usage) -> Given {
        let seat = self.state.turn().seat.unwrap();
        for number in 0..replies {
            let (call, purpose, digest) = (CallId(900 + number), Purpose::Play, Digest([0; 32]));
            let manifest = Manifest::default();
            self = self.and([ModelCallRequested { call, seat, purpose, digest, tokens: 1, manifest }.into()]);
            let (body, finish) = (String::new(), Finish::Stop);
            let came = ModelReplied { call, sent: digest, body, usage, finish };
            self.state.receive(Millis(self.next.0), &came.into());
        }
        self
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// What a rule says and which events it emits.
    pub(crate) fn when<T>(&mut self, rule: impl FnOnce(&mut Table<'_>) -> T) -> (T, Vec<Event>) {
        let at = Millis(self.next.0);
        let mut table = Table::new(&mut self.state, &self.replies, &self.tools, self.next, at);
        let said = rule(&mut table);
        let events = table.into_events();
        self.next = self.next.plus(events.len() as u64);
        (said, events)
    }
}

/// Two characters, and the first encounter has begun.
pub(crate) fn in_play() -> Vec<Event> {
    let setup = Setup::read(7, RULES_VERSION, files()).unwrap();
    let ready = setup.rules.pregenerated.iter().take(2).map(|ready| setup.rules.sheet(ready));
    let accepted = |(seat, sheet)| CharacterAccepted { seat, sheet, origin: Provenance::Pregenerated }.into();
    let mut events: Vec<Event> = setup.players().zip(ready).map(accepted).collect();
    events.push(PhaseBegan { phase: Phase::Play }.into());
    let encounter = setup.encounters[0].id.clone();
    events.push(EncounterBegan { encounter, draws: Vec::new() }.into());
    events
}

/// A turn in which a seat says something.
pub(crate) fn turn(turn: u32, seat: Seat, words: &str) -> [Event; 2] {
    [TurnBegan { turn, seat }.into(), spoken(seat, Channel::Main, words)]
}

/// A seat says something that everybody hears.
pub(crate) fn spoken(seat: Seat, channel: Channel, words: &str) -> Event {
    let text = Text::Written(words.into());
    MessageSpoken { seat, channel, audience: Audience::All, text }.into()
}

/// A call that is pending for the first time.
pub(crate) fn pending(call: u32, seat: Seat, purpose: Purpose) -> PendingCall {
    let (digest, requested) = (Digest([0; 32]), Default::default());
    PendingCall { call: CallId(call), seat, purpose, digest, failed: 0, due: None, requested }
}

/// Somebody enters the story by `create_character`, and the memory agent has a profile to write.
/// A check of the encounter that somebody rolled for.
pub(crate) fn checked(check: &str, success: bool) -> Event {
    AbilityChecked {
        character: "Bettany Oake".into(),
        check: check.into(),
        ability: "WIS".into(),
        stream: "check/player-1".into(),
        counter: 0,
        faces: vec![12],
        modifier: 0,
        total: 12,
        difficulty: 10,
        success,
        reason: "to see".into(),
    }
    .into()
}

pub(crate) fn created(npc: &str, name: &str) -> Event {
    let (npc, name, location) = (npc.into(), name.into(), "The mill".into());
    CharacterCreated { npc, name, archetype: Archetype::Townsperson, location, trust: 0 }.into()
}

/// Player 1 talks with Tilda; Player 2 is near enough to join in.
pub(crate) fn dialogue(number: u32) -> Event {
    let (npc, seat, present) = ("tilda".into(), Seat::Player(1), vec![Seat::Player(2)]);
    DialogueBegan { dialogue: number, npc, seat, present }.into()
}

/// A turn of the dialogue with Tilda.
pub(crate) fn talk(turn: u32, seat: Seat, words: &str) -> [Event; 2] {
    [TurnBegan { turn, seat }.into(), spoken(seat, Channel::Dialogue("tilda".into()), words)]
}
