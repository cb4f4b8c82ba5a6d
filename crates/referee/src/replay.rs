//! Replay: the referee decides again from the recorded inputs, and every event, request and body is compared.

use std::convert::Infallible;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use twicetold_dialect::sent_digest;
use twicetold_event::*;
use twicetold_model::{Digest, Request, Usage};
use twicetold_projection::describe;
use twicetold_projection::people::observed;
use twicetold_world::Life;

use crate::{Campaign, Step, received};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceKind {
    /// The same call is asked in other words.
    Prompt,
    /// Something else is decided.
    Decision,
    /// The same request is encoded as another HTTP body.
    Body,
    /// What the entry says of its input, or of itself, does not follow from what stands in the journal.
    Record,
}

/// Replays a campaign, entry by entry.
pub struct Replayer {
    campaign: Campaign,
    request: Option<(Seat, Arc<Request>)>,
    /// The recorded configuration was replaced: openings and blobs differ by design, prompts may.
    against: bool,
    /// The first difference of prompts that was passed over, and how many there were.
    drift: Option<Divergence>,
    drifted: u64,
    requests: u64,
    story: Story,
    /// The writer of the entry before: its epoch and its program.
    writer: Option<(u32, Build)>,
}

impl Replayer {
    /// A replay under the recorded charter: any difference is a divergence.
    pub fn new(campaign: Campaign) -> Replayer {
        let (request, drift, story, writer) = (None, None, Story::default(), None);
        Replayer { campaign, request, against: false, drift, drifted: 0, requests: 0, story, writer }
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

    /// The first prompt that drifted, and how many did.
    pub fn drift(&self) -> Option<(&Divergence, u64)> {
        self.drift.as_ref().map(|first| (first, self.drifted))
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
        let frames = encode_words(&entry.input, &entry.events);
        let Ok(told) = self.replay_bytes(entry, &frames, || Ok::<_, Infallible>(entry.clone()));
        told
    }

    /// The same, where an entry lies as bytes: of `front` no event is looked at, and what this build decides is compared with `frames`, in
    /// which they are. Only where those differ is the entry read by `whole`.
    ///
    /// # Errors
    /// The first difference, within what `whole` gave back. The replay must not go on after either.
    pub fn replay_bytes<E>(
        &mut self,
        front: &Entry,
        frames: &[u8],
        whole: impl FnOnce() -> Result<Entry, E>,
    ) -> Result<Result<(), Divergence>, E> {
        if let Err(divergence) = self.compare_record(front).and_then(|()| self.compare_body(front)) {
            return whole().map(|_| Err(divergence));
        }
        let step = self.step(front);
        if self.against || step.frames != frames || step.events.len() + 1 != front.header.count as usize {
            let entry = whole()?;
            return Ok(self.compare_step(&entry, &step));
        }
        self.story = self.campaign.story;
        Ok(self.compare_kept(front, &step))
    }

    /// What this build decides from an entry's input.
    fn step(&mut self, entry: &Entry) -> Step {
        let step = self.campaign.step(entry.header.at, &entry.input);
        if let Some(request) = &step.request {
            let seat =
                self.campaign.state().calls().pending.as_ref().map_or(Seat::Dm, |pending| pending.seat);
            self.request = Some((seat, request.clone()));
            self.requests += 1;
        }
        step
    }

    fn compare_step(&mut self, entry: &Entry, step: &Step) -> Result<(), Divergence> {
        let told = self.compare_events(entry, step).and_then(|()| self.compare_kept(entry, step));
        if told.is_ok() && !self.against {
            // The same input and the same events: both stories are one.
            self.story = self.campaign.story;
        } else {
            self.story.add(&entry.input, &entry.events, &[]);
        }
        told
    }

    fn compare_events(&mut self, entry: &Entry, step: &Step) -> Result<(), Divergence> {
        let mut numbered = entry.numbered();
        let mut decided = step.events.iter();
        loop {
            let (journal, build) = (numbered.next(), decided.next());
            let number = journal.map_or(entry.header.next(), |(number, _)| number);
            match (journal.map(|(_, event)| event), build) {
                (None, None) => break,
                (Some(journal), Some(build)) => self.compare(number, journal, build)?,
                (journal, build) => return Err(self.decision(number, journal, build)),
            }
        }
        Ok(())
    }

    /// The texts that an entry keeps, and its turn.
    fn compare_kept(&self, entry: &Entry, step: &Step) -> Result<(), Divergence> {
        let digests: Vec<Digest> = step.blobs.iter().map(|(digest, _)| *digest).collect();
        if !self.against && digests != entry.blobs {
            return Err(recorded(entry, kept(&entry.blobs), kept(&digests), Vec::new()));
        }
        let turn = self.campaign.state().turn().number;
        if !self.against && entry.header.turn != turn {
            let of = |turn| format!("the entry belongs to turn {turn}");
            return Err(recorded(entry, of(entry.header.turn), of(turn), Vec::new()));
        }
        Ok(())
    }

    /// What an entry says of itself and of its input, as far as the rest of the journal says it too: nothing follows the end, a writer
    /// is one program, and token counts and the reason to stop stand in the reply's own body.
    fn compare_record(&mut self, entry: &Entry) -> Result<(), Divergence> {
        let (header, name) = (&entry.header, entry.input.name());
        if matches!(self.campaign.state().life(), Life::Ended { .. }) {
            let (journal, build) = (format!("{name} after the end"), "nothing follows the end".to_owned());
            return Err(recorded(entry, journal, build, Vec::new()));
        }
        if let Some((epoch, build)) = self.writer
            && epoch == header.epoch
            && build != header.build
        {
            let of = |build| format!("writer {epoch} is build {build}");
            return Err(recorded(entry, of(header.build), of(build), Vec::new()));
        }
        self.writer = Some((header.epoch, header.build));
        let pending = self.campaign.state().calls().pending.as_ref();
        if let Input::ModelReplied(journal) = &entry.input
            && let Some(pending) = pending.filter(|pending| !self.against && pending.call == journal.call)
        {
            let wire = self.campaign.wire(pending.seat);
            match received(&wire, journal.call, journal.sent, journal.body.clone()) {
                Input::ModelReplied(build) if build == *journal => {}
                Input::ModelReplied(build) => {
                    let said = |word: &ModelReplied| {
                        let Usage { input_tokens, output_tokens, .. } = word.usage;
                        let finish =
                            serde_json::to_value(word.finish).map_or(String::new(), |value| plain(&value));
                        format!(
                            "the reply to {} used {input_tokens} and {output_tokens} tokens and ended with {finish}",
                            word.call
                        )
                    };
                    let (journal, fields) = (said(journal), differing(journal, &build));
                    return Err(recorded(entry, journal, said(&build), fields));
                }
                _ => {
                    let journal = format!("a reply to {}", journal.call);
                    return Err(recorded(
                        entry,
                        journal,
                        "a body that cannot be read".to_owned(),
                        Vec::new(),
                    ));
                }
            }
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
                let tokens = |word: &ModelCallRequested| {
                    format!("the words are the same, estimated at {} tokens", word.tokens)
                };
                let fields = match journal.digest == build.digest {
                    true if journal.manifest == build.manifest => vec![(tokens(journal), tokens(build))],
                    true => sources(journal, build),
                    false => Vec::new(),
                };
                let (journal, build) = (shown(journal), shown(build));
                let drift = Divergence { number, kind, journal, build, fields };
                if !self.against {
                    return Err(drift);
                }
                self.drifted += 1;
                self.drift.get_or_insert(drift);
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

/// A divergence of what an entry says of itself or of its input.
fn recorded(entry: &Entry, journal: String, build: String, fields: Vec<(String, String)>) -> Divergence {
    Divergence { number: entry.header.first, kind: DivergenceKind::Record, journal, build, fields }
}

/// The texts that an entry keeps, by the beginnings of their digests.
fn kept(digests: &[Digest]) -> String {
    let shown: Vec<String> = digests.iter().take(FIELDS_MAX).map(|digest| format!("{digest:.12}")).collect();
    match digests.len() {
        0 => "no text is kept with this entry".to_owned(),
        count => format!("{count} kept with this entry, texts with the digests {}", shown.join(", ")),
    }
}

/// Where the words of two requests are the same: the first of their pieces that has another source.
fn sources(journal: &ModelCallRequested, build: &ModelCallRequested) -> Vec<(String, String)> {
    let (journal, build) = (&journal.manifest.edits, &build.manifest.edits);
    let at = journal.iter().zip(build.iter()).position(|(journal, build)| journal != build);
    let at = at.unwrap_or_else(|| journal.len().min(build.len()));
    let shown = |edit: Option<&Edit>| {
        let value = edit.and_then(|edit| serde_json::to_value(edit).ok());
        let what = value.map_or_else(|| "nothing".to_owned(), |value| plain(&value));
        format!("the words are the same, edit {at} of the prompt has other sources: {what}")
    };
    vec![(shown(journal.get(at)), shown(build.get(at)))]
}

/// The fields of a reply's record in which two differ.
fn differing(journal: &ModelReplied, build: &ModelReplied) -> Vec<(String, String)> {
    let (Ok(Value::Object(journal)), Ok(Value::Object(build))) =
        (serde_json::to_value(journal), serde_json::to_value(build))
    else {
        return Vec::new();
    };
    let pairs = journal.iter().zip(build.iter()).filter(|(journal, build)| journal != build);
    let shown = |(name, value): (&String, &Value)| format!("{name}: {}", plain(value));
    pairs.map(|(journal, build)| (shown(journal), shown(build))).take(FIELDS_MAX).collect()
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
