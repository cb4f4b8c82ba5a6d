//! A campaign played in memory, synchronously: the referee and the journal without actors, so that thousands take seconds.

use std::sync::Arc;

use twicetold_dialect::sent_digest;
use twicetold_event::{Build, CampaignId, Event, Input, Millis, Number, OpeningAsked, Seat, TimerFired};
use twicetold_improv::{improvise, improvise_chaos};
use twicetold_journal::{Memory, Source};
use twicetold_projection::people::{Line, lines};
use twicetold_referee::{Campaign, Effect, charter, received};
use twicetold_session::Session;
use twicetold_world::setup::{RULES_VERSION, Setup, SourceFile};

use crate::configuration::{configuration, configuration_of};

/// Whoever answers a request body.
pub type Answer<'a> = &'a mut dyn FnMut(Seat, &str) -> String;

/// How a campaign is to be played.
pub struct Game {
    /// What the campaign is called in its journal.
    pub id: CampaignId,
    /// Where dice and draws come from.
    pub seed: u64,
    /// The charter's files.
    pub files: Vec<SourceFile>,
}

/// A campaign that was played.
pub struct Played {
    /// The campaign as it ended.
    pub session: Session,
    /// Its journal.
    pub memory: Memory,
    /// Everything that a person would have seen.
    pub transcript: Vec<Line>,
    /// Events by name and rule: what happened how often.
    pub events: Vec<Event>,
    /// Model calls that were made.
    pub calls: u32,
}

/// Steps after which a campaign that does not end counts as endless.
const STEPS_MAX: u64 = 20_000;

impl Game {
    /// The bundled campaign for three.
    pub fn new(seed: u64) -> Game {
        Game { id: CampaignId([1; 16]), seed, files: configuration(3) }
    }

    /// This bundled campaign for as many players as it is written for.
    pub fn of(campaign: &str, seed: u64) -> Game {
        Game { id: CampaignId([1; 16]), seed, files: configuration_of(campaign, None) }
    }

    /// Replaces a piece of a file; panics when it is not there, so that no test changes nothing by mistake.
    pub fn with(mut self, path: &str, from: &str, to: &str) -> Game {
        let file =
            self.files.iter_mut().find(|file| file.path == path).expect("the file is part of the charter");
        assert!(file.text.contains(from), "{path} does not hold {from:?}");
        file.text = Arc::from(file.text.replace(from, to));
        self
    }

    /// Without anything that ends an encounter by itself before its limit of messages.
    pub fn without_failures(mut self) -> Game {
        for file in self.files.iter_mut().filter(|file| file.path.starts_with("encounters/")) {
            let kept = file.text.lines().filter(|line| !line.starts_with("strikes = "));
            file.text = Arc::from(kept.collect::<Vec<_>>().join("\n"));
        }
        self
    }

    /// The setup of these files.
    pub fn setup(&self) -> Arc<Setup> {
        Arc::new(Setup::read(self.seed, RULES_VERSION, self.files.clone()).expect("the files can be read"))
    }

    /// Played by the improviser.
    pub fn improvised(self) -> Played {
        self.answered(&mut |_, body| improvise(body))
    }

    /// Played by the improviser with every vice.
    pub fn chaotic(self) -> Played {
        self.answered(&mut |_, body| improvise_chaos(body))
    }

    /// A session before its first entry, and the journal under it.
    pub fn session(&self) -> (Session, Memory, Input) {
        let charter = charter(self.seed, RULES_VERSION, &self.files);
        let campaign = Campaign::new(charter.clone(), self.setup()).expect("the charter is sound");
        let memory = Memory::new();
        let store = memory.open().expect("memory opens");
        let session = Session::new(campaign, Box::new(store), self.id, Build::new("test"));
        (session, memory, Input::OpeningAsked(OpeningAsked { charter }))
    }

    /// Plays with a given source of replies, until the campaign ends or is paused.
    pub fn answered(self, answer: Answer<'_>) -> Played {
        let (session, memory, first) = self.session();
        let mut played = Played { session, memory, transcript: Vec::new(), events: Vec::new(), calls: 0 };
        played.go_on(first, answer);
        played
    }
}

impl Played {
    /// Plays from `first` on.
    pub fn go_on(&mut self, first: Input, answer: Answer<'_>) {
        self.until(first, None, answer);
    }

    /// Plays from `first` on until the journal has so many numbers.
    pub fn until(&mut self, first: Input, numbers: Option<Number>, answer: Answer<'_>) {
        let mut next = Some(first);
        let mut clock = self.session.campaign().state().at().0.max(1_000_000);
        for _ in 0..numbers.map_or(STEPS_MAX, |numbers| numbers.0) {
            let Some(input) = next else { return };
            if numbers.is_some_and(|numbers| self.session.campaign().next() >= numbers) {
                return;
            }
            clock += 1_000;
            let committed = self.session.commit(Millis(clock), input).expect("memory takes every entry");
            let campaign = self.session.campaign();
            self.transcript.extend(lines(campaign.state(), campaign.replies(), &committed.entry));
            self.events.extend(committed.entry.events.iter().cloned());
            next = self.effect(answer, &mut clock);
        }
        panic!("the campaign does not end by itself");
    }

    fn effect(&mut self, answer: Answer<'_>, clock: &mut u64) -> Option<Input> {
        let campaign = self.session.campaign();
        match campaign.plan()? {
            Effect::CallModel { call, seat, .. } => {
                let (request, digest) = self.session.pending_request().expect("a pending call has a request");
                assert_eq!(request.digest(), digest, "the request sent is the request decided");
                let body = campaign.wire(seat).encode(&request);
                let sent = sent_digest(&body);
                self.calls += 1;
                let reply = answer(seat, &body);
                Some(received(&campaign.wire(seat), call, sent, reply))
            }
            Effect::SetTimer { call, due } => {
                *clock = due.0;
                Some(Input::TimerFired(TimerFired { call, due }))
            }
            Effect::AskPerson { .. } => None,
        }
    }

    /// The journal for reading.
    pub fn source(&self) -> &dyn Source {
        self.session.journal()
    }
}
