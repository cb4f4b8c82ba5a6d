//! Model servers that fail: late, twice, out of order, garbage, busy, silent, broken, cut off.

use twicetold_dialect::{RetryHeaders, Wire, sent_digest};
use twicetold_event::{CallId, Input};
use twicetold_improv::{improvise, improvise_chaos};
use twicetold_model::{Digest, Fault, FaultKind};
use twicetold_referee::{failed, received};

use crate::draws::Draws;
use crate::limits::FAULTS_MAX;
use crate::schedule::Schedule;

/// How long a whole call may take, as `seats.toml` says.
const TIMEOUT_MS: u64 = 120_000;

/// What comes of one call. The first is how the call ends; more is what a network does.
pub(crate) struct Delivery {
    /// Milliseconds after the call was made.
    pub(crate) after_ms: u64,
    /// What comes.
    pub(crate) input: Input,
}

/// Whoever answers for all seats.
pub(crate) struct Servers {
    draws: Draws,
    one_in: u64,
    faults_left: u32,
    chaos: bool,
    /// Calls made.
    pub(crate) made: u64,
    /// Calls of them that went wrong.
    pub(crate) faults: u64,
}

/// One call as it is made.
struct Asked {
    call: CallId,
    sent: Digest,
    whole: Input,
}

impl Servers {
    pub(crate) fn new(schedule: &Schedule) -> Servers {
        Servers {
            draws: Draws::of(schedule.seed, "servers"),
            one_in: schedule.server_faults,
            faults_left: FAULTS_MAX,
            chaos: schedule.chaos,
            made: 0,
            faults: 0,
        }
    }

    /// Makes a call: what will come of it, in order of what the seat hears first; and in a few words what went wrong.
    pub(crate) fn perform(&mut self, call: CallId, body: &str, wire: &Wire) -> (Vec<Delivery>, &'static str) {
        self.made += 1;
        let reply = if self.chaos { improvise_chaos(body) } else { improvise(body) };
        let asked =
            Asked { call, sent: sent_digest(body), whole: received(wire, call, sent_digest(body), reply) };
        let after_ms = self.draws.between(200, 5_000);
        if self.faults_left == 0 || !self.draws.one_in(self.one_in) {
            return (vec![Delivery { after_ms, input: asked.whole }], "answers");
        }
        self.faults_left -= 1;
        self.faults += 1;
        self.spoilt(asked, after_ms, wire)
    }

    fn spoilt(&mut self, asked: Asked, after_ms: u64, wire: &Wire) -> (Vec<Delivery>, &'static str) {
        // While the same call waits for its next attempt, or calls later.
        let later = if self.draws.one_in(2) { 2_000 } else { 200_000 };
        let later = self.draws.between(1, later);
        let at = |after_ms, input| Delivery { after_ms, input };
        let (call, sent) = (asked.call, asked.sent);
        let fails = |kind, message: &str| failed(call, sent, Fault::new(kind, message), "");
        match self.draws.below(13) {
            0 => {
                let timeout = fails(FaultKind::Timeout, "no answer in time");
                (
                    vec![at(TIMEOUT_MS, timeout), at(TIMEOUT_MS + later, asked.whole)],
                    "answers after its timeout",
                )
            }
            1 => {
                let again = at(after_ms + later, asked.whole.clone());
                (vec![at(after_ms, asked.whole), again], "answers twice")
            }
            2 => {
                let timeout = fails(FaultKind::Timeout, "no answer in time");
                (vec![at(after_ms, asked.whole), at(after_ms + later, timeout)], "answers, then times out")
            }
            3 => {
                let input = fails(FaultKind::Truncated, "cut off in the middle");
                let again = at(after_ms + later, input.clone());
                (vec![at(after_ms, input), again], "breaks off, and says so twice")
            }
            4 => (
                vec![at(after_ms, received(wire, call, sent, "<html>\u{0}bad gateway".into()))],
                "says garbage",
            ),
            5 => {
                let seconds = self.draws.between(0, 90).to_string();
                let headers = RetryHeaders { retry_after: Some(&seconds), ..RetryHeaders::default() };
                let fault = wire.protocol.classify(429, &headers, "{\"error\":{\"message\":\"slow down\"}}");
                (vec![at(after_ms, failed(call, sent, fault, ""))], "is busy")
            }
            6 => (vec![at(TIMEOUT_MS, fails(FaultKind::Timeout, "no answer in time"))], "says nothing"),
            7 => {
                let fault = wire.protocol.classify(503, &RetryHeaders::default(), "");
                (vec![at(after_ms, failed(call, sent, fault, ""))], "fails")
            }
            8 => (vec![at(after_ms, received(wire, call, sent, half(&asked.whole)))], "answers half a body"),
            9 => {
                (vec![at(after_ms, fails(FaultKind::Unreachable, "connection refused"))], "cannot be reached")
            }
            10 => {
                let fault = wire.protocol.classify(401, &RetryHeaders::default(), "");
                (vec![at(after_ms, failed(call, sent, fault, ""))], "rejects the key")
            }
            11 => (vec![at(after_ms, fails(FaultKind::Crashed, "a bug"))], "is asked by an actor that fails"),
            _ => (
                vec![at(after_ms, received(wire, call, sent, wire.protocol.reply_body("", &[])))],
                "answers nothing",
            ),
        }
    }
}

fn half(whole: &Input) -> String {
    match whole {
        Input::ModelReplied(word) => {
            word.body[..word.body.floor_char_boundary(word.body.len() / 2)].to_owned()
        }
        _ => String::new(),
    }
}
