//! Replay: the referee decides again from the recorded inputs, and every event, request and body is compared.

use std::sync::Arc;

use serde_json::Value;
use twicetold_dialect::sent_digest;
use twicetold_event::*;
use twicetold_model::{Digest, Request};
use twicetold_projection::describe;
use twicetold_projection::people::observed;

use crate::Campaign;

/// Where and how two tellings part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the event (or of the input whose body differs).
    pub number: Number,
    /// What kind of difference.
    pub kind: DivergenceKind,
    /// What the journal says.
    pub journal: String,
    /// What this build says.
    pub build: String,
    /// Where both say the same kind of event: the fields that differ, as the journal and as this build has them.
    pub fields: Vec<(String, String)>,
}

/// Fields of an event that a divergence names at most: the first ones tell where to look.
const FIELDS_MAX: usize = 8;

/// What kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivergenceKind {
    /// The same call is asked in other words.
    Prompt,
    /// Something else is decided.
    Decision,
    /// The same request is encoded as another HTTP body.
    Body,
}

/// Replays a campaign, entry by entry.
pub struct Replayer {
    campaign: Campaign,
    request: Option<(Seat, Arc<Request>)>,
    /// The recorded configuration was replaced: openings and blobs differ by design, prompts may.
    against: bool,
    /// Differences of prompts that were passed over.
    drifts: Vec<Divergence>,
    drifted: u64,
    requests: u64,
    story: Story,
}

impl Replayer {
    /// A replay under the recorded charter: any difference is a divergence.
    pub fn new(campaign: Campaign) -> Replayer {
        let (drifts, story) = (Vec::new(), Story::default());
        Replayer { campaign, request: None, against: false, drifts, drifted: 0, requests: 0, story }
    }

    /// A replay under another configuration: prompts may drift, a decision may not.
    pub fn against(campaign: Campaign) -> Replayer {
        Replayer { against: true, ..Replayer::new(campaign) }
    }

    /// The campaign as it stands after the entries so far.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// How many requests were recomputed.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The first few prompts that drifted, and how many there were.
    pub fn drifts(&self) -> (&[Divergence], u64) {
        (&self.drifts, self.drifted)
    }

    /// The digest of the story as it was recorded.
    pub fn recorded_story(&self) -> Digest {
        self.story.0
    }

    /// The request that this build last decided.
    pub fn request(&self) -> Option<&Request> {
        self.request.as_ref().map(|(_, request)| request.as_ref())
    }

    /// Tells one entry again.
    ///
    /// # Errors
    /// The first difference. The replay must not go on after it.
    pub fn replay(&mut self, entry: &Entry) -> Result<(), Divergence> {
        self.compare_body(entry)?;
        self.story.add(&entry.input, &entry.events);
        let step = self.campaign.step(entry.header.at, &entry.input);
        if let Some(request) = &step.request {
            let seat =
                self.campaign.state().calls().pending.as_ref().map_or(Seat::Dm, |pending| pending.seat);
            self.request = Some((seat, request.clone()));
            self.requests += 1;
        }
        let mut recorded = entry.numbered();
        let mut decided = step.events.iter();
        loop {
            let (journal, build) = (recorded.next(), decided.next());
            let number = journal.map_or(entry.header.next(), |(number, _)| number);
            match (journal.map(|(_, event)| event), build) {
                (None, None) => break,
                (Some(journal), Some(build)) => self.compare(number, journal, build)?,
                (journal, build) => return Err(self.decision(number, journal, build)),
            }
        }
        let digests: Vec<Digest> = step.blobs.iter().map(|(digest, _)| *digest).collect();
        if !self.against && digests != entry.blobs {
            let kind = DivergenceKind::Prompt;
            let (journal, build) = (
                format!("{} new blobs", entry.blobs.len()),
                format!("{} new blobs, or others", digests.len()),
            );
            let fields = Vec::new();
            return Err(Divergence { number: entry.header.first, kind, journal, build, fields });
        }
        Ok(())
    }

    fn compare(&mut self, number: Number, journal: &Event, build: &Event) -> Result<(), Divergence> {
        if journal == build {
            return Ok(());
        }
        match (journal, build) {
            (Event::CampaignOpened(_), Event::CampaignOpened(_)) if self.against => Ok(()),
            (Event::ModelCallRequested(journal), Event::ModelCallRequested(build)) => {
                let same_call = journal.call == build.call
                    && journal.seat == build.seat
                    && journal.purpose == build.purpose;
                if !same_call {
                    return Err(self.decision(
                        number,
                        Some(&journal.clone().into()),
                        Some(&build.clone().into()),
                    ));
                }
                if self.against && journal.digest == build.digest {
                    return Ok(());
                }
                let shown = |word: &ModelCallRequested| {
                    format!(
                        "{} to {} asks {:.12} with {} edits",
                        word.call,
                        word.seat,
                        word.digest,
                        word.manifest.edits.len()
                    )
                };
                let kind = DivergenceKind::Prompt;
                let (journal, build, fields) = (shown(journal), shown(build), Vec::new());
                let drift = Divergence { number, kind, journal, build, fields };
                if !self.against {
                    return Err(drift);
                }
                self.drifted += 1;
                if self.drifts.is_empty() {
                    self.drifts.push(drift);
                }
                Ok(())
            }
            // What a check observed speaks of limits, which may differ; that it was passed is what was decided.
            (Event::ToolAccepted(journal), Event::ToolAccepted(build)) if self.against => {
                let bare = |word: &ToolAccepted| ToolAccepted { checks: Vec::new(), ..word.clone() };
                if bare(journal) == bare(build) {
                    return Ok(());
                }
                Err(self.decision(number, Some(&journal.clone().into()), Some(&build.clone().into())))
            }
            // Under another configuration the state holds other texts; what was decided is compared event by event.
            (Event::StateDigested(_), Event::StateDigested(_)) if self.against => Ok(()),
            _ => Err(self.decision(number, Some(journal), Some(build))),
        }
    }

    /// The HTTP body that was sent is the one that this build would send.
    fn compare_body(&self, entry: &Entry) -> Result<(), Divergence> {
        let (call, sent) = match &entry.input {
            Input::ModelReplied(word) => (word.call, word.sent),
            Input::ModelFailed(word) => (word.call, word.sent),
            _ => return Ok(()),
        };
        let pending = self.campaign.state().calls().pending.as_ref();
        let Some((seat, request)) = self
            .request
            .as_ref()
            .filter(|_| !self.against && pending.is_some_and(|pending| pending.call == call))
        else {
            return Ok(());
        };
        let body = self.campaign.wire(*seat).encode(request);
        let build = sent_digest(&body);
        if build == sent {
            return Ok(());
        }
        let shown = |digest: Digest| format!("the body of {call} has the digest {digest:.16}");
        let (number, kind, fields) = (entry.header.first, DivergenceKind::Body, Vec::new());
        Err(Divergence { number, kind, journal: shown(sent), build: shown(build), fields })
    }

    fn decision(&self, number: Number, journal: Option<&Event>, build: Option<&Event>) -> Divergence {
        let nothing = || "nothing more in this entry".to_owned();
        let shown = |event: Option<&Event>| event.map_or_else(nothing, |event| self.worded(event));
        let fields = journal.zip(build).map_or_else(Vec::new, |(journal, build)| fields(journal, build));
        let kind = DivergenceKind::Decision;
        Divergence { number, kind, journal: shown(journal), build: shown(build), fields }
    }

    /// An event for whoever reads of a divergence: as the table is told of it, else its name and fields.
    fn worded(&self, event: &Event) -> String {
        let told = match event {
            Event::ToolAccepted(word) => Some(format!("{} was accepted", word.tool)),
            Event::ToolRejected(word) => {
                let observed = observed(&word.rule, &word.values);
                Some(format!("{} was rejected: {}, {observed}", word.tool, word.rule))
            }
            _ => describe(self.campaign.state(), self.campaign.replies(), event),
        };
        told.unwrap_or_else(|| match event_fields(event) {
            fields if fields.is_empty() => event.name().to_owned(),
            fields => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name} {}", or_nothing(value))).collect();
                format!("{} with {}", event.name(), fields.join(", "))
            }
        })
    }
}

/// The fields in which two events of one kind differ. Events of two kinds have no fields in common.
fn fields(journal: &Event, build: &Event) -> Vec<(String, String)> {
    if journal.name() != build.name() {
        return Vec::new();
    }
    let (journal, build) = (event_fields(journal), event_fields(build));
    let pairs = journal.iter().zip(&build).filter(|(journal, build)| journal != build);
    let shown = |(name, value): &(String, String)| format!("{name}: {}", or_nothing(value));
    pairs.map(|(journal, build)| (shown(journal), shown(build))).take(FIELDS_MAX).collect()
}

fn or_nothing(value: &str) -> &str {
    if value.is_empty() { "nothing" } else { value }
}

/// The fields of an event by their names, with their values as text; empty fields are left out.
pub fn event_fields(event: &Event) -> Vec<(String, String)> {
    match serde_json::to_value(event) {
        Ok(Value::Object(fields)) => {
            fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        _ => Vec::new(),
    }
}

/// A value without the marks of JSON; an id or a digest as its beginning in hexadecimal digits.
fn plain(value: &Value) -> String {
    let is_byte = |value: &Value| value.as_u64().is_some_and(|number| number < 256);
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if matches!(items.len(), 16 | 32) && items.iter().all(is_byte) => {
            let bytes = items.iter().take(6).filter_map(Value::as_u64);
            bytes.map(|byte| format!("{byte:02x}")).collect()
        }
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => match (fields.get("key"), fields.get("value")) {
            (Some(key), Some(value)) if fields.len() == 2 => format!("{} is {}", plain(key), plain(value)),
            _ => {
                let shown = fields.iter().map(|(name, value)| format!("{name} {}", plain(value)));
                shown.collect::<Vec<_>>().join(", ")
            }
        },
        other => other.to_string(),
    }
}
