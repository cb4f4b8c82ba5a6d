//! One simulation: a queue of happenings by simulated time, the process that they happen to, and the judge who watches.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use thiserror::Error;
use twicetold_event::{
    Build, CallId, CampaignId, Charter, Input, Millis, OpeningAsked, PauseAsked, PersonAnswered, ResumeAsked,
    Seat, SeatAsked, TimerFired,
};
use twicetold_journal::{AppendError, Source};
use twicetold_model::Digest;
use twicetold_referee::{Campaign, Effect, charter};
use twicetold_session::{Action, CommitError, InFlight, Session, Verdict, load, rebuild, replay};
use twicetold_world::Life;
use twicetold_world::setup::{RULES_VERSION, Setup, SetupError};

use crate::disk::{Disk, later};
use crate::draws::Draws;
use crate::judge::{Found, Judge, Oracle, Violation, planned};
use crate::limits::{DEATHS_MAX, HAPPENINGS_MAX, TRACE_LINES_MAX};
use crate::process::{Perform, Process};
use crate::schedule::{Flaw, Schedule};
use crate::servers::Servers;

/// Entries between two snapshots, on average.
const SNAPSHOT_ENTRIES: u64 = 10;
/// Simulated time when a campaign is opened.
const OPENED: Millis = Millis(1_000_000);

/// How a simulation ended when every promise was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The digest over all bytes of the journal.
    pub chain: Digest,
    /// The digest of the story.
    pub story: Digest,
    /// How the campaign ended.
    pub ending: String,
    /// Entries of the journal.
    pub entries: u64,
    /// Things that happened.
    pub happenings: u64,
    /// Model calls that were made.
    pub calls: u64,
    /// Model calls that went wrong.
    pub server_faults: u64,
    /// Times that the campaign was opened.
    pub lives: u32,
    /// What happened, a line each.
    pub trace: Vec<String>,
}

/// Why a simulation did not end well.
#[derive(Debug, Error)]
pub enum Failure {
    /// A promise was broken.
    #[error("{0}")]
    Broken(Violation, Vec<String>),
    /// The repository's configuration cannot be read.
    #[error("the configuration cannot be read: {0}; run this in the repository that it was built in")]
    Configuration(#[from] io::Error),
    /// The configuration is not sound under the schedule's limits.
    #[error("the configuration is invalid: {0}; fix the schedule's limits")]
    Setup(#[from] SetupError),
}

impl Failure {
    /// The broken promise, if that is what it was.
    pub fn violation(&self) -> Option<&Violation> {
        if let Failure::Broken(violation, _) = self { Some(violation) } else { None }
    }
}

/// Something that happens at a simulated time.
enum Happening {
    /// How a call ended, as the seat that made it hears it.
    Ended(Seat, Input),
    /// The time of a timer has come.
    Fires(TimerFired),
    /// What a network delivers besides; a person's line.
    Told(Input),
    /// A flawed seat makes a call once more.
    Again(Perform),
    /// A person sits down somewhere.
    SitsDown(Seat),
    /// A person gives the seat back.
    StandsUp(Seat),
    /// The memory seat's model has made what it was asked beside a turn.
    EndedAhead(Digest, Input),
    /// Somebody wants to stop for now.
    Pauses,
    /// The process dies.
    Dies,
    /// Somebody starts the program.
    Starts,
}

/// Runs one schedule to its end, judged at every step.
///
/// # Errors
/// A promise was broken, or there is no configuration to play.
pub fn run(schedule: &Schedule) -> Result<Outcome, Failure> {
    let files = schedule.files()?;
    let setup = Arc::new(Setup::read(schedule.seed, RULES_VERSION, files.clone())?.sound()?);
    let charter = charter(schedule.seed, RULES_VERSION, &files);
    let disk = Disk::new(schedule);
    let judge = Judge::new(disk.clone(), Campaign::new(charter.clone(), setup.clone())?);
    let mut simulation = Simulation {
        schedule,
        charter,
        setup,
        judge,
        disk,
        servers: Servers::new(schedule),
        people: Draws::of(schedule.seed, "people"),
        fate: Draws::of(schedule.seed, "fate"),
        clock: OPENED,
        queue: BTreeMap::new(),
        scheduled: 0,
        happenings: 0,
        lives: 0,
        ends_left: DEATHS_MAX,
        process: None,
        snapshot: None,
        kept: None,
        paid_ahead: BTreeSet::new(),
        over: false,
        trace: Vec::new(),
    };
    match simulation.run() {
        Ok(outcome) => Ok(outcome),
        Err((oracle, seen)) => {
            let (happening, at) = (simulation.happenings, simulation.clock);
            Err(Failure::Broken(Violation { oracle, seen, happening, at }, simulation.trace))
        }
    }
}

struct Simulation<'a> {
    schedule: &'a Schedule,
    charter: Charter,
    setup: Arc<Setup>,
    judge: Judge,
    disk: Disk,
    servers: Servers,
    people: Draws,
    fate: Draws,
    clock: Millis,
    /// By time, and among equals in the order in which they were scheduled.
    queue: BTreeMap<(Millis, u64), Happening>,
    scheduled: u64,
    happenings: u64,
    lives: u32,
    ends_left: u32,
    process: Option<Process>,
    /// The last snapshot that a process took.
    snapshot: Option<Vec<u8>>,
    /// The reply that came ahead, as it is kept beside the journal.
    kept: Option<Vec<u8>>,
    /// Requests that were answered ahead.
    paid_ahead: BTreeSet<Digest>,
    over: bool,
    trace: Vec<String>,
}

impl Simulation<'_> {
    fn run(&mut self) -> Result<Outcome, Found> {
        self.schedule_in(0, Happening::Starts);
        while !self.over {
            let Some(((at, _), happening)) = self.queue.pop_first() else {
                let pending = planned(self.judge.folded().plan().as_ref());
                return Err((Oracle::Ends, format!("nothing more will happen, and {pending} is pending")));
            };
            self.happenings += 1;
            if self.happenings > HAPPENINGS_MAX {
                return Err((Oracle::Ends, format!("it continues after {HAPPENINGS_MAX} steps")));
            }
            self.clock = self.clock.max(at);
            self.happens(happening)?;
        }
        self.finish()
    }

    fn happens(&mut self, happening: Happening) -> Result<(), Found> {
        match happening {
            Happening::Starts => return self.start(),
            Happening::Dies => {
                self.say("the process dies");
                self.die();
            }
            Happening::Ended(seat, input) => {
                self.next_of(seat)?;
                return self.hear(vec![input]);
            }
            Happening::EndedAhead(digest, input) => {
                let Some(process) = self.process.as_mut() else { return Ok(()) };
                process.in_flight.made_ahead(input);
                // From here on it is paid, and kept.
                if let Some(kept) = process.in_flight.kept() {
                    self.kept = Some(kept);
                    self.paid_ahead.insert(digest);
                }
                return self.act();
            }
            Happening::Fires(timer) => {
                if let Some(process) = self.process.as_mut() {
                    process.in_flight.fired(&timer);
                }
                return self.hear(vec![Input::TimerFired(timer)]);
            }
            Happening::Told(input) => return self.hear(vec![input]),
            Happening::Again(perform) => return self.perform(&perform),
            Happening::Pauses => {
                let reason = "a test pauses the campaign".to_owned();
                return self.hear(vec![Input::PauseAsked(PauseAsked { reason })]);
            }
            Happening::SitsDown(seat) => {
                let after = self.people.between(1, self.schedule.people_ms);
                self.schedule_in(after, Happening::StandsUp(seat));
                return self.hear(vec![sits(seat, Some("Robin"))]);
            }
            Happening::StandsUp(seat) => {
                self.somebody_sits_down();
                return self.hear(vec![sits(seat, None)]);
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) {
        if self.trace.len() < TRACE_LINES_MAX {
            self.trace.push(format!("{:>10} {line}", self.clock.0));
        }
    }

    fn schedule_in(&mut self, milliseconds: u64, happening: Happening) {
        self.scheduled += 1;
        self.queue.insert((later(self.clock, milliseconds), self.scheduled), happening);
    }

    /// The process is gone, with all that it waited for; somebody starts the program again.
    fn die(&mut self) {
        self.process = None;
        self.queue.clear();
        let wait = self.fate.between(1, 60_000);
        self.schedule_in(wait, Happening::Starts);
    }

    fn start(&mut self) -> Result<(), Found> {
        self.lives += 1;
        let store = self.disk.open().map_err(|error| (Oracle::StoreTakesIt, error.to_string()))?;
        let build = Build::new("simulation");
        let empty = store.head().entries == 0;
        let session = if empty {
            let campaign = Campaign::new(self.charter.clone(), self.setup.clone())
                .map_err(|error| (Oracle::StoreTakesIt, error.to_string()))?;
            Session::new(campaign, store, CampaignId([1; 16]), build)
        } else {
            // A snapshot may be older than the journal, or not there at all.
            let snapshot = self.snapshot.as_deref().filter(|_| self.fate.one_in(2));
            Session::recover_with(store, build, snapshot)
                .map_err(|error| (Oracle::StoreTakesIt, error.to_string()))?
        };
        self.judge.recovered(&session)?;
        self.say(&format!("life {} begins at {}", self.lives, session.campaign().next()));
        let first = match empty {
            true => vec![Input::OpeningAsked(OpeningAsked { charter: self.charter.clone() })],
            false => self.resumed(session.campaign()),
        };
        if let Life::Ended { .. } = session.campaign().state().life() {
            self.over = true;
            return Ok(());
        }
        let in_flight = InFlight::default().with_kept(self.kept.as_deref().unwrap_or_default());
        self.process = Some(Process { session, in_flight, mailboxes: BTreeMap::new() });
        self.fates();
        self.hear(first)
    }

    /// The inputs with which somebody goes on: a person who left gives the seat back.
    fn resumed(&mut self, campaign: &Campaign) -> Vec<Input> {
        let state = campaign.state();
        let people = &state.table().people;
        let pending = state.calls().pending.as_ref().filter(|pending| !people.contains_key(&pending.seat));
        let interrupted = pending.filter(|_| *state.life() == Life::Running).map(|pending| pending.call);
        let mut first: Vec<Input> = people.keys().map(|seat| sits(*seat, None)).collect();
        first.push(Input::ResumeAsked(ResumeAsked { interrupted }));
        first
    }

    /// When this life ends, and who comes by.
    fn fates(&mut self) {
        let Schedule { crashes_ms, pauses_ms, .. } = *self.schedule;
        for (every, happening) in [(crashes_ms, Happening::Dies), (pauses_ms, Happening::Pauses)] {
            let after = self.fate.between(1, 2 * every);
            if every > 0 && self.ends_left > 0 {
                self.schedule_in(after, happening);
            }
        }
        self.ends_left = self.ends_left.saturating_sub(1);
        self.somebody_sits_down();
    }

    fn somebody_sits_down(&mut self) {
        let every = self.schedule.people_ms;
        if every > 0 {
            let seat = Seat::Player(self.people.between(1, self.schedule.players.into()) as u8);
            let after = self.people.between(1, 2 * every);
            self.schedule_in(after, Happening::SitsDown(seat));
        }
    }

    /// The table hears what happened: each input is one step and one append, then the pending effect starts.
    fn hear(&mut self, inputs: Vec<Input>) -> Result<(), Found> {
        for input in inputs {
            let input = self.spoilt(input);
            if self.schedule.flaw == Some(Flaw::PerformsBeforeTheAppend) {
                self.perform_ahead(&input)?;
            }
            let before = self.judge.before();
            let Some(process) = self.process.as_mut() else { return Ok(()) };
            let committed = process.session.commit(self.clock, input.clone());
            self.clock = later(self.clock, self.disk.taken_ms());
            if let Some(fault) = self.disk.last_fault() {
                self.say(fault);
            }
            match committed {
                Ok(committed) => {
                    let names: Vec<&str> = committed.entry.events.iter().map(|event| event.name()).collect();
                    self.say(&format!("{} -> {}", told(&input), names.join(", ")));
                    let Some(process) = self.process.as_mut() else { return Ok(()) };
                    self.judge.committed(&process.session, &input, &before)?;
                    if self.fate.one_in(SNAPSHOT_ENTRIES) {
                        self.snapshot = process.session.snapshot();
                    }
                }
                Err(CommitError::Append(
                    error @ (AppendError::Refused(_) | AppendError::Blob(_) | AppendError::TooLarge { .. }),
                )) => {
                    return Err((Oracle::StoreTakesIt, error.to_string()));
                }
                Err(error) => {
                    self.say(&format!("{} is not acknowledged: {error}", told(&input)));
                    self.die();
                    return Ok(());
                }
            }
        }
        self.act()
    }

    /// A flawed table takes a late reply for the reply to the pending call.
    fn spoilt(&self, mut input: Input) -> Input {
        let pending = self.judge.folded().state().calls().pending.as_ref().map(|pending| pending.call);
        if let (Some(Flaw::TakesLateReplies), Input::ModelReplied(word), Some(pending)) =
            (self.schedule.flaw, &mut input, pending)
        {
            word.call = pending;
        }
        input
    }

    /// Starts the pending effect, and what can be asked beside it.
    fn act(&mut self) -> Result<(), Found> {
        let Some(process) = self.process.as_mut() else { return Ok(()) };
        match process.in_flight.next(process.session.campaign()) {
            Action::Wait => {}
            Action::Answered(input) => {
                self.hear(vec![input])?;
                // A process that died meanwhile takes it again.
                self.kept = self.kept.take().filter(|_| self.process.is_none());
                return Ok(());
            }
            Action::Begin(Effect::CallModel { call, seat, .. }) => {
                let Some((request, digest)) = process.session.pending_request() else {
                    return Err((Oracle::FoldEqualsLive, format!("{call} is pending without a request")));
                };
                self.cast(Perform { call, seat, request, digest })?;
            }
            Action::Begin(Effect::SetTimer { call, due }) => {
                let flawed = self.schedule.flaw == Some(Flaw::CannotWait);
                let wait = if flawed { 0 } else { due.0.saturating_sub(self.clock.0) };
                self.schedule_in(wait, Happening::Fires(TimerFired { call, due }));
            }
            Action::Begin(Effect::AskPerson { call, seat }) => {
                self.ask(call, seat);
            }
            Action::Stop => {
                self.stops();
            }
        }
        self.act_ahead()
    }

    /// The memory seat is asked beside a turn.
    fn act_ahead(&mut self) -> Result<(), Found> {
        let Some(process) = self.process.as_mut().filter(|_| self.schedule.asks_ahead) else { return Ok(()) };
        let campaign = process.session.campaign();
        let Some((seat, request)) = process.in_flight.begin_ahead(campaign) else { return Ok(()) };
        let (call, digest, wire) = (campaign.state().calls().next, request.digest(), campaign.wire(seat));
        self.not_paid_ahead(digest)?;
        let (deliveries, how) = self.servers.perform(call, &wire.encode(&request), &wire);
        self.say(&format!("{seat} is asked beside the turn: the server {how}"));
        // A seat tells once what came of it.
        if let Some(delivery) = deliveries.into_iter().next() {
            self.schedule_in(delivery.after_ms, Happening::EndedAhead(digest, delivery.input));
        }
        Ok(())
    }

    fn not_paid_ahead(&self, request: Digest) -> Result<(), Found> {
        if self.paid_ahead.contains(&request) {
            return Err((Oracle::PaidOnce, "what was answered beside a turn is asked again".into()));
        }
        Ok(())
    }

    /// The table has nothing to do: the campaign is over, or paused until it is resumed.
    fn stops(&mut self) {
        self.over = matches!(self.judge.folded().state().life(), Life::Ended { .. });
        self.process = None;
        self.queue.clear();
        if !self.over && self.schedule.flaw != Some(Flaw::NeverResumes) {
            let wait = self.fate.between(1_000, 3_600_000);
            self.schedule_in(wait, Happening::Starts);
        }
    }

    /// A request goes to a seat, which makes its calls one after the other.
    fn cast(&mut self, perform: Perform) -> Result<(), Found> {
        let Some(process) = self.process.as_mut() else { return Ok(()) };
        let mailbox = process.mailboxes.entry(perform.seat).or_default();
        mailbox.push_back(perform.clone());
        if mailbox.len() == 1 { self.perform(&perform) } else { Ok(()) }
    }

    /// A seat has made its call: the next one.
    fn next_of(&mut self, seat: Seat) -> Result<(), Found> {
        let Some(process) = self.process.as_mut() else { return Ok(()) };
        process.in_flight.made(seat);
        let mailbox = process.mailboxes.entry(seat).or_default();
        let made = mailbox.pop_front();
        let next = mailbox.front().cloned();
        if self.schedule.flaw == Some(Flaw::CallsAgain)
            && let Some(made) = made
            && self.fate.one_in(10)
        {
            self.schedule_in(1_000, Happening::Again(made));
        }
        next.map_or(Ok(()), |next| self.perform(&next))
    }

    fn perform(&mut self, perform: &Perform) -> Result<(), Found> {
        let Perform { call, seat, request, digest } = perform;
        if request.digest() != *digest {
            let seen = format!("the request of {call} is not the one that was decided");
            return Err((Oracle::FoldEqualsLive, seen));
        }
        self.judge.performs(self.clock, *call, *digest)?;
        self.not_paid_ahead(*digest)?;
        let wire = self.judge.folded().wire(*seat);
        let body = wire.encode(request);
        let (deliveries, how) = self.servers.perform(*call, &body, &wire);
        self.say(&format!("{call} to {seat}: the server {how}"));
        for (place, delivery) in deliveries.into_iter().enumerate() {
            let input = delivery.input;
            let happening = if place == 0 { Happening::Ended(*seat, input) } else { Happening::Told(input) };
            self.schedule_in(delivery.after_ms, happening);
        }
        Ok(())
    }

    /// A person thinks, and answers; some press the key twice.
    fn ask(&mut self, call: CallId, seat: Seat) {
        let text = format!("I look at it for the {}th time and go on.", call.0);
        let answer = Input::PersonAnswered(PersonAnswered { call, text, tool_calls: Vec::new() });
        let thinks = self.people.between(500, 90_000);
        self.say(&format!("{call} is asked of the person at {seat}"));
        if self.people.one_in(5) {
            self.schedule_in(thinks + 300, Happening::Told(answer.clone()));
        }
        self.schedule_in(thinks, Happening::Told(answer));
    }

    /// Everything that is judged once a campaign is over.
    fn finish(&mut self) -> Result<Outcome, Found> {
        self.judge.over()?;
        if let Some(lost) = self.paid_ahead.iter().find(|request| !self.judge.was_answered(**request)) {
            return Err((
                Oracle::PaidOnce,
                format!("what was answered beside a turn was never asked for: {lost:?}"),
            ));
        }
        let store = self.disk.open().map_err(|error| (Oracle::StoreTakesIt, error.to_string()))?;
        let loaded = load(&*store).map_err(|error| (Oracle::StoreTakesIt, error.to_string()))?;
        let (state, story) = (loaded.campaign.state(), loaded.campaign.story());
        if state.digest() != self.judge.folded().state().digest() {
            return Err((Oracle::FoldEqualsLive, "folding the whole journal gives another state".into()));
        }
        let told = replay(&*store, None).map_err(|error| (Oracle::ReplaysExactly, error.to_string()))?;
        if let Verdict::Diverged(drift) = &told.verdict {
            return Err((Oracle::ReplaysExactly, format!("{:?}", drift.divergence)));
        }
        if told.told_story != story || told.recorded_story != story || !told.over {
            return Err((Oracle::ReplaysExactly, "the replayed story differs".into()));
        }
        self.rebuilds(&*store, state.calls().next)?;
        let Life::Ended { reason, .. } = state.life() else {
            return Err((Oracle::Ends, format!("its life is {:?}", state.life())));
        };
        Ok(Outcome {
            chain: store.head().chain,
            story,
            ending: reason.to_string(),
            entries: store.head().entries,
            happenings: self.happenings,
            calls: self.servers.made,
            server_faults: self.servers.faults,
            lives: self.lives,
            trace: std::mem::take(&mut self.trace),
        })
    }
}

/// Some of the requests, the last among them: each costs a walk through the journal.
const REBUILT: u32 = 3;

impl Simulation<'_> {
    fn rebuilds(&mut self, source: &dyn Source, calls: CallId) -> Result<(), Found> {
        let last = calls.0.saturating_sub(1);
        let drawn = (1..REBUILT).map(|_| self.fate.below(calls.0.into()) as u32);
        let wanted: Vec<u32> = drawn.chain([last]).collect();
        for call in wanted.into_iter().map(CallId) {
            match rebuild(source, call) {
                Ok(Some(rebuilt)) if rebuilt.is_exact() => {}
                Ok(_) => return Err((Oracle::Rebuilds, format!("{call} is rebuilt as another request"))),
                Err(error) => return Err((Oracle::Rebuilds, format!("{call}: {error}"))),
            }
        }
        Ok(())
    }
}

/// What a flawed process does.
impl Simulation<'_> {
    /// Decides a step in a campaign of its own, and starts its effect before the step is appended.
    fn perform_ahead(&mut self, input: &Input) -> Result<(), Found> {
        let Some(process) = self.process.as_ref() else { return Ok(()) };
        let Ok(loaded) = load(process.session.journal()) else { return Ok(()) };
        let mut ahead = loaded.campaign;
        let request = ahead.step(self.clock, input).request;
        match (ahead.plan(), request) {
            (Some(Effect::CallModel { call, seat, .. }), Some(request)) => {
                let digest = request.digest();
                self.perform(&Perform { call, seat, request, digest })
            }
            _ => Ok(()),
        }
    }
}

fn sits(seat: Seat, person: Option<&str>) -> Input {
    Input::SeatAsked(SeatAsked { seat, person: person.map(str::to_owned) })
}

fn told(input: &Input) -> String {
    let name = match input {
        Input::OpeningAsked(_) => "a campaign is created",
        Input::ModelReplied(_) => "a model replies",
        Input::ModelFailed(_) => "a model fails",
        Input::TimerFired(_) => "a timer fires",
        Input::ResumeAsked(_) => "a resume is requested",
        Input::PauseAsked(_) => "a pause is requested",
        Input::SeatAsked(_) => "a seat changes hands",
        Input::PersonAnswered(_) => "a person answers",
        _ => "something else comes",
    };
    match input.call() {
        Some(call) => format!("{name} to {call}"),
        None => name.to_owned(),
    }
}
