//! The judge: follows the disk alone, and says after every step which promise was broken.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use twicetold_event::{CallId, Entry, Event, Input, Millis, Number, Phase, Seat, SpeakerRule};
use twicetold_model::Digest;
use twicetold_referee::{Campaign, Effect};
use twicetold_session::Session;
use twicetold_world::Life;

use crate::disk::Disk;

/// A promise that the judge watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Folding what lies on the disk gives the live state.
    FoldEqualsLive,
    /// Nothing is done before the entry that decides it is on the disk.
    DurableFirst,
    /// Nobody is asked before the time that a retry waits for.
    InGoodTime,
    /// A call that was answered is never made again.
    PaidOnce,
    /// What nobody waits for is journaled as ignored, and changes nothing.
    IgnoredIfNotPending,
    /// Every limit of the charter is kept.
    LimitsKept,
    /// Every player gets a turn, and nobody waits too long for one.
    EverybodysTurn,
    /// The campaign ends.
    Ends,
    /// The journal is replayed exactly.
    ReplaysExactly,
    /// Each request that was made is rebuilt from the journal.
    Rebuilds,
    /// Faults of the store and of the process leave the story as it is.
    TwinAgrees,
    /// The same seed gives the same bytes.
    SameBytes,
    /// Entries always fit the store, and a store can always be opened again.
    StoreTakesIt,
}

impl Oracle {
    /// The promise as text.
    pub fn promise(self) -> &'static str {
        match self {
            Oracle::FoldEqualsLive => "folding the stored journal gives the live state",
            Oracle::DurableFirst => "nothing is done before the entry that decides it is on the disk",
            Oracle::InGoodTime => "no call is made before its retry is due",
            Oracle::PaidOnce => "a call that was answered is never made again",
            Oracle::IgnoredIfNotPending => {
                "a reply that is not pending is journaled as ignored and changes nothing"
            }
            Oracle::LimitsKept => "every limit of the charter is kept",
            Oracle::EverybodysTurn => "every player gets a turn",
            Oracle::Ends => "the campaign ends",
            Oracle::ReplaysExactly => "the journal is replayed exactly",
            Oracle::Rebuilds => "each request is rebuilt from the journal",
            Oracle::TwinAgrees => "faults of the store and of the process leave the story as it is",
            Oracle::SameBytes => "the same seed gives the same bytes",
            Oracle::StoreTakesIt => "entries fit the store, and it can be opened again",
        }
    }
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which promise.
    pub oracle: Oracle,
    /// What was seen.
    pub seen: String,
    /// The happening at which it was seen.
    pub happening: u64,
    /// The simulated time.
    pub at: Millis,
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { oracle, seen, happening, at } = self;
        write!(out, "not so: {}; {seen} (happening {happening}, {} ms)", oracle.promise(), at.0)
    }
}

/// A broken promise before anybody wrote down when.
pub(crate) type Found = (Oracle, String);

/// Follows the disk with a campaign of its own, which only ever folds.
pub(crate) struct Judge {
    disk: Disk,
    folded: Campaign,
    next: Number,
    requested: BTreeMap<CallId, Digest>,
    answered: BTreeSet<CallId>,
    due: BTreeMap<CallId, Millis>,
    /// Turns of others in the story since each player's last one.
    waits: BTreeMap<Seat, u32>,
    seen: BTreeSet<Seat>,
}

/// What was pending before a step, and what the campaign was.
pub(crate) struct Before {
    pending: Option<CallId>,
    state: Digest,
    story: Digest,
}

impl Judge {
    /// A judge of a campaign that is as it was before its first entry.
    pub(crate) fn new(disk: Disk, folded: Campaign) -> Judge {
        let waits = folded.state().setup().players().map(|seat| (seat, 0)).collect();
        Judge {
            disk,
            folded,
            next: Number(0),
            requested: BTreeMap::new(),
            answered: BTreeSet::new(),
            due: BTreeMap::new(),
            waits,
            seen: BTreeSet::new(),
        }
    }

    /// Remembers what a step must not change if nobody waits for its input.
    pub(crate) fn before(&self) -> Before {
        Before {
            pending: self.folded.state().calls().pending.as_ref().map(|pending| pending.call),
            state: self.folded.state().digest(),
            story: self.folded.story(),
        }
    }

    /// A step was acknowledged: is it on the disk, and is it what is played?
    pub(crate) fn committed(
        &mut self,
        session: &Session,
        input: &Input,
        before: &Before,
    ) -> Result<(), Found> {
        let entries = self.catch_up()?;
        if self.next < session.campaign().next() {
            let seen = format!("{} was acknowledged and is not there", session.campaign().next());
            return Err((Oracle::DurableFirst, seen));
        }
        self.agrees(session)?;
        if let [entry] = entries.as_slice() {
            self.ignored(entry, input, before)?;
        }
        Ok(())
    }

    /// A process looked at what an earlier one left.
    pub(crate) fn recovered(&mut self, session: &Session) -> Result<(), Found> {
        self.catch_up()?;
        self.agrees(session)
    }

    /// A request leaves the process.
    pub(crate) fn performs(&mut self, now: Millis, call: CallId, request: Digest) -> Result<(), Found> {
        self.catch_up()?;
        if self.requested.get(&call) != Some(&request) {
            return Err((Oracle::DurableFirst, format!("{call} is made and its request is not there")));
        }
        if self.answered.contains(&call) {
            return Err((Oracle::PaidOnce, format!("{call} is made although its answer is there")));
        }
        if let Some(due) = self.due.get(&call).filter(|due| now < **due) {
            return Err((Oracle::InGoodTime, format!("{call} is made at {}, not before {}", now.0, due.0)));
        }
        Ok(())
    }

    /// The campaign is over.
    pub(crate) fn over(&self) -> Result<(), Found> {
        match self.waits.keys().find(|seat| !self.seen.contains(seat)) {
            Some(seat) => Err((Oracle::EverybodysTurn, format!("{seat} never had a turn"))),
            None => Ok(()),
        }
    }

    /// Is there a reply to this request on the disk?
    pub(crate) fn was_answered(&self, request: Digest) -> bool {
        self.requested.iter().any(|(call, digest)| *digest == request && self.answered.contains(call))
    }

    /// The campaign as it is on the disk.
    pub(crate) fn folded(&self) -> &Campaign {
        &self.folded
    }

    fn catch_up(&mut self) -> Result<Vec<Entry>, Found> {
        let damage = |error: String| (Oracle::StoreTakesIt, error);
        let bytes = self.disk.entries(self.next).map_err(|error| damage(error.to_string()))?;
        let mut entries = Vec::with_capacity(bytes.len());
        for bytes in bytes {
            let entry = Entry::decode(&bytes).map_err(|error| damage(error.to_string()))?;
            self.folded.fold(&entry).map_err(|error| (Oracle::FoldEqualsLive, error.to_string()))?;
            self.next = entry.header.next();
            self.note(&entry);
            self.limits(&entry)?;
            self.turns(&entry)?;
            entries.push(entry);
        }
        Ok(entries)
    }

    fn agrees(&self, session: &Session) -> Result<(), Found> {
        let (live, folded) = (session.campaign(), &self.folded);
        let differs = [
            ("number", live.next() != folded.next()),
            ("state", live.state().digest() != folded.state().digest()),
            ("story", live.story() != folded.story()),
            ("pending call", live.state().calls().pending != folded.state().calls().pending),
            ("cost", live.state().calls().spent != folded.state().calls().spent),
            ("life", live.state().life() != folded.state().life()),
            ("plan", live.plan() != folded.plan()),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((what, _)) => {
                let seen = format!("the {what} differs at {} / {}", live.next(), folded.next());
                Err((Oracle::FoldEqualsLive, seen))
            }
            None => Ok(()),
        }
    }

    fn note(&mut self, entry: &Entry) {
        let ignored = entry.events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
        match &entry.input {
            Input::ModelReplied(word) if !ignored => drop(self.answered.insert(word.call)),
            Input::PersonAnswered(word) if !ignored => drop(self.answered.insert(word.call)),
            // Whoever resumes asks again at once.
            Input::ResumeAsked(_) => self.due.clear(),
            _ => {}
        }
        for event in &entry.events {
            match event {
                Event::ModelCallRequested(word) => drop(self.requested.insert(word.call, word.digest)),
                Event::RetryScheduled(word) => drop(self.due.insert(word.call, word.due)),
                _ => {}
            }
        }
    }

    fn ignored(&self, entry: &Entry, input: &Input, before: &Before) -> Result<(), Found> {
        let Some(call) = input.call() else { return Ok(()) };
        let ignored = matches!(entry.events.as_slice(), [Event::ReplyIgnored(word)] if word.call == call);
        if ignored == (before.pending == Some(call)) {
            let seen = format!(
                "{call} arrived while {:?} was pending, and {} events were decided",
                before.pending,
                entry.events.len()
            );
            return Err((Oracle::IgnoredIfNotPending, seen));
        }
        let after = self.before();
        if ignored
            && (after.state, after.story, after.pending) != (before.state, before.story, before.pending)
        {
            return Err((
                Oracle::IgnoredIfNotPending,
                format!("{call} was ignored and changed the campaign all the same"),
            ));
        }
        Ok(())
    }

    fn limits(&self, entry: &Entry) -> Result<(), Found> {
        let state = self.folded.state();
        let limits = &state.setup().limits;
        let (turn, calls) = (state.turn(), state.calls());
        let mut broken = Vec::new();
        let mut most = |what: &str, found: u64, most: u64| {
            if found > most {
                broken.push(format!("{found} {what}, at most {most}"));
            }
        };
        // A summary is no reply of the turn that it follows.
        let is_summary = entry.events.iter().any(|event| matches!(event, Event::SummaryWritten(_)));
        let rounds = turn.rounds.saturating_sub(u32::from(is_summary));
        most("replies of a turn", rounds.into(), limits.tool_rounds_max.into());
        most("look-ups of a turn", turn.lookups.into(), limits.lookups_per_turn_max.into());
        most(
            "calls given up in a row",
            calls.abandoned.into(),
            limits.abandoned_calls_max.saturating_sub(1).into(),
        );
        let accepted = entry.events.iter().filter(|event| matches!(event, Event::ToolAccepted(_))).count();
        most("tool calls of a reply", accepted as u64, limits.tool_calls_per_reply_max.into());
        if state.phase() != Phase::Play {
            most(
                "rounds of Session Zero",
                state.table().rounds.into(),
                limits.session_zero_rounds_max.into(),
            );
        }
        for event in &entry.events {
            if let Event::RetryScheduled(word) = event {
                most("attempts", word.attempt.into(), limits.attempts_max.into());
                most("ms to wait", word.due.0.saturating_sub(entry.header.at.0), limits.retry_wait_ms_max);
            }
        }
        // What follows from the end of a turn is decided when its summary is written.
        let awaits = calls.pending.as_ref().is_some_and(|pending| pending.seat == Seat::Memory);
        let has_ended = entry.events.iter().any(|event| matches!(event, Event::TurnEnded(_)));
        // A turn that begins says that the one before it was not the last, whatever became of its summary.
        let has_begun = entry.events.iter().any(|event| matches!(event, Event::TurnBegan(_)));
        let ended = is_summary || has_begun || (has_ended && !awaits);
        if ended && state.phase() == Phase::Play && !matches!(state.life(), Life::Ended { .. }) {
            let began = entry.events.iter().any(|event| matches!(event, Event::PhaseBegan(_)));
            let last = turn_ended(entry).unwrap_or(turn.number - u32::from(has_begun));
            let spent = calls.total();
            // The turn that closes Session Zero is not one of play.
            if !began {
                most("turns", last.into(), u64::from(limits.turns_max).saturating_sub(1));
                most("calls", spent.calls.into(), u64::from(limits.calls_max).saturating_sub(1));
                most("tokens", spent.input_tokens + spent.output_tokens, limits.tokens_max.saturating_sub(1));
            }
        }
        match broken.is_empty() {
            true => Ok(()),
            false => Err((Oracle::LimitsKept, broken.join("; "))),
        }
    }

    fn turns(&mut self, entry: &Entry) -> Result<(), Found> {
        let state = self.folded.state();
        let limits = &state.setup().limits;
        let players = self.waits.len() as u32;
        // After so many turns only a player whom the DM asks by name goes before.
        let most = (limits.waiting_rounds_max * 2 * players).max(2);
        let apart = state.dialogue().is_some() || state.combat().is_some();
        for event in &entry.events {
            if let Event::SpeakerChosen(word) = event
                && let SpeakerRule::AddressedFirst | SpeakerRule::OnlyNameInBold | SpeakerRule::WaitedLongest =
                    word.rule
                && let Some((seat, waited)) = self.waits.iter().find(|(seat, waited)| {
                    state.characters().get(seat).is_none_or(|found| found.stands())
                        && **seat != word.seat
                        && **waited > most
                })
            {
                let found =
                    format!("{seat} has waited for {waited} turns, at most {most}, and {} speaks", word.seat);
                return Err((Oracle::EverybodysTurn, found));
            }
            let Event::TurnBegan(word) = event else { continue };
            self.seen.insert(word.seat);
            let counts = !apart && state.phase() == Phase::Play;
            for (seat, waited) in &mut self.waits {
                *waited = if *seat == word.seat { 0 } else { *waited + u32::from(counts) };
            }
        }
        Ok(())
    }
}

fn turn_ended(entry: &Entry) -> Option<u32> {
    entry.events.iter().find_map(|event| match event {
        Event::TurnEnded(word) => Some(word.turn),
        _ => None,
    })
}

/// What is pending, in a few words.
pub(crate) fn planned(effect: Option<&Effect>) -> String {
    match effect {
        Some(Effect::CallModel { call, seat, .. }) => format!("{call} to {seat}"),
        Some(Effect::AskPerson { call, seat }) => format!("{call} to the person at {seat}"),
        Some(Effect::SetTimer { call, due }) => format!("{call} at {} ms", due.0),
        None => "nothing".to_owned(),
    }
}
