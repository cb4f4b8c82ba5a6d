//! The owner's reading tools: what campaigns there are, and what is in each.

use rmcp::model::{JsonObject, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_audit::{DETECTORS, Recorder, Severity, audit};
use twicetold_event::{CampaignId, Entry, Number, Story};
use twicetold_host::attestation::last_attested;
use twicetold_host::reading::{ledger, walk, within};
use twicetold_host::{Library, words::short};
use twicetold_journal::{Live, Source, verify_with};
use twicetold_projection::people;
use twicetold_referee::replay::DivergenceKind;
use twicetold_report::JsonLines;
use twicetold_session::{Drift, FactValue, Loaded, Verdict, diff, facts, history, load_to, replay_to};
use twicetold_world::Life;

use crate::failure::Failure;
use crate::limits::ITEMS_MAX;
use crate::page::{Answer, Part, answer};
use crate::tools::{arguments, tool};

/// Which part of a long result is wanted.
#[derive(Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
struct Listing {
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    from: usize,
}

/// A document of a campaign.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Shown {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// Which document.
    what: What,
    /// The document as of this sequence number; absent: as it stands.
    at: Option<u64>,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// The documents.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum What {
    /// The scenario and the party document.
    Party,
    /// Goals, hidden ones included.
    Goals,
    /// The NPCs.
    Npcs,
    /// The player characters.
    Characters,
    /// Place, time, objective, summaries and important events.
    Memory,
    /// Messages, dice rolls and effects, in order.
    Transcript,
    /// Calls, tokens and money by seat and purpose.
    Cost,
}

/// A range of a journal.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Logged {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// The first sequence number.
    #[serde(default)]
    first: u64,
    /// Most inputs and events, at most 100.
    count: Option<usize>,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// A state field of a campaign.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Fields {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// A state field or the front of its path, for example npcs.wren-pellow.trust; absent: all fields as they stand.
    field: Option<String>,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// Two campaigns.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Two {
    /// The front of a campaign's id, or `last`.
    one: String,
    /// The same of the other one.
    other: String,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// What is to be looked for in a campaign.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Audited {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// Only these detectors; none: all.
    #[serde(default)]
    detectors: Vec<String>,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// How far a campaign is to be replayed.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Replayed {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// The last sequence number that is replayed; absent: all.
    to: Option<u64>,
}

/// One campaign.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct One {
    /// The front of a campaign's id, or `last`.
    campaign: String,
}

/// The campaigns that there are, the newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Campaigns {
    campaigns: Vec<Row>,
}

/// A campaign as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row {
    /// Its id.
    id: String,
    /// What it is called.
    title: String,
    /// `over`, `paused` or `in progress`; `foreign` for the transcript of another program; `unreadable`.
    state: String,
    /// More of that.
    detail: String,
    /// When it was opened, in milliseconds since 1970.
    opened_ms: u64,
    /// Turns, or lines of a transcript.
    turns: u64,
    /// Model calls.
    calls: u64,
}

/// A part of a journal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Log {
    /// Inputs and events: number, kind, type, turn, seat, text and all fields.
    rows: Vec<Value>,
    /// The `first` of the next call; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

/// A transcript.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Transcript {
    /// Lines: number, kind, speaker and text.
    lines: Vec<Value>,
}

/// The values of state fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Changes {
    /// Each value with the sequence number of the event that set it; without a number where all fields are listed.
    changes: Vec<FieldChange>,
}

/// A value of a state field.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FieldChange {
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    /// The field.
    field: String,
    /// The value; absent when the field is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<FactValue>,
}

/// What was checked of a journal's bytes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Verified {
    /// No byte was changed, lost or reordered.
    intact: bool,
    /// Entries.
    entries: u64,
    /// Inputs and events.
    numbers: u64,
    /// The digest of its last entry.
    chain: String,
    /// The digest of its story.
    story: String,
    /// How the journal compares with the last attestation of this campaign, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    attestation: Option<String>,
}

/// The tools of this module.
pub fn tools() -> Vec<Tool> {
    vec![
        tool::<Listing, Answer<Campaigns>>("list_campaigns", "Lists the campaigns, the newest first."),
        tool::<Shown, Answer<Value>>(
            "show",
            "Returns a document of a campaign: party, goals (hidden ones included), npcs, characters, memory, transcript or cost.",
        ),
        tool::<Logged, Answer<Log>>(
            "log",
            "Returns the inputs and events of a campaign by their sequence numbers, up to 100 at once.",
        ),
        tool::<Fields, Answer<Changes>>(
            "history",
            "Returns every value that a state field had, each with the sequence number of the event that set it.",
        ),
        tool::<Two, Answer<Value>>(
            "diff",
            "Compares two campaigns: the first entry that differs, what was changed there, the messages that differ after it, and the final states.",
        ),
        tool::<Audited, Answer<Value>>(
            "audit",
            "Looks for contradictions in a campaign: narration against dice results, speech for another seat, facts that no prompt showed.",
        ),
        tool::<Replayed, Answer<Value>>(
            "replay",
            "Recomputes a campaign from its recorded inputs, compares every event and request with the record, and reports the first difference. It calls no model.",
        ),
        tool::<One, Answer<Verified>>(
            "verify",
            "Checks that no byte of a campaign's journal was changed, lost or reordered.",
        ),
    ]
}

/// Calls a tool of this module; nothing when it has no such tool.
pub fn call(library: &Library, name: &str, given: Option<JsonObject>) -> Option<Result<Value, Failure>> {
    Some(match name {
        "list_campaigns" => arguments(given).and_then(|asked| listed(library, &asked)),
        "show" => arguments(given).and_then(|asked| shown(library, &asked)),
        "log" => arguments(given).and_then(|asked| logged(library, &asked)),
        "history" => arguments(given).and_then(|asked| fields(library, &asked)),
        "diff" => arguments(given).and_then(|asked| compared(library, &asked)),
        "audit" => arguments(given).and_then(|asked| audited(library, &asked)),
        "replay" => arguments(given).and_then(|asked| replayed(library, &asked)),
        "verify" => arguments(given).and_then(|asked| verified(library, &asked)),
        _ => return None,
    })
}

/// The campaign that is meant, opened for reading. Unlike on a command line, no file can be named: an agent reads campaigns alone.
pub(crate) fn source(library: &Library, name: &str) -> Result<(CampaignId, Box<dyn Live>), Failure> {
    let id = find(library, name)?;
    Ok((id, library.read(id)?))
}

/// The id of the campaign that is meant.
pub(crate) fn find(library: &Library, name: &str) -> Result<CampaignId, Failure> {
    library.find(&short(name, 40)).map_err(|error| match error.kind {
        twicetold_host::Kind::Missing => {
            Failure::missing(error.message, "`list_campaigns` lists the campaigns")
        }
        _ => error.into(),
    })
}

/// A campaign as it stands.
pub(crate) fn load(library: &Library, name: &str) -> Result<(Box<dyn Live>, Loaded), Failure> {
    let (id, source) = source(library, name)?;
    let loaded = library.view(id).load(&*source)?;
    Ok((source, loaded))
}

pub(crate) fn part<'a>(part: &'a Option<String>, from: usize) -> Part<'a> {
    Part { part: part.as_deref(), from }
}

fn listed(library: &Library, asked: &Listing) -> Result<Value, Failure> {
    let mut campaigns: Vec<Row> = library.list()?.into_iter().map(|id| row(library, id)).collect();
    campaigns.sort_by(|one, other| (other.opened_ms, &other.id).cmp(&(one.opened_ms, &one.id)));
    answer(&json!(Campaigns { campaigns }), &part(&asked.part, asked.from))
}

fn row(library: &Library, campaign: CampaignId) -> Row {
    let id = campaign.to_string();
    read_row(library, campaign).unwrap_or_else(|failure| Row {
        id,
        title: String::new(),
        state: "unreadable".into(),
        detail: failure.message,
        opened_ms: 0,
        turns: 0,
        calls: 0,
    })
}

fn read_row(library: &Library, campaign: CampaignId) -> Result<Row, Failure> {
    let (id, source) = (campaign.to_string(), library.read(campaign)?);
    if let Some(opened) = twicetold_session::foreign(&*source)? {
        let head = source.head();
        let (state, turns) = ("foreign".into(), head.entries.saturating_sub(1));
        let row = Row {
            id,
            title: opened.file,
            state,
            detail: opened.format,
            opened_ms: head.at.0,
            turns,
            calls: 0,
        };
        return Ok(row);
    }
    let loaded = library.view(campaign).load(&*source)?;
    let state = loaded.campaign.state();
    let (standing, detail) = standing(state.life());
    Ok(Row {
        id,
        title: state.setup().campaign.title.clone(),
        state: standing.into(),
        detail: if detail.is_empty() { state.phase().name().to_owned() } else { detail },
        opened_ms: loaded.opened.0,
        turns: state.turn().number.into(),
        calls: state.calls().total().calls.into(),
    })
}

/// How a campaign stands: a word for it, and why.
pub(crate) fn standing(life: &Life) -> (&'static str, String) {
    match life {
        Life::Ended { reason, .. } => ("over", people::why_over(reason)),
        Life::Paused { fault, reason, .. } => ("paused", people::why_paused(*fault, reason)),
        Life::Running | Life::Unopened => ("in progress", String::new()),
    }
}

fn shown(library: &Library, asked: &Shown) -> Result<Value, Failure> {
    let at = asked.at.map(Number);
    let (id, source) = source(library, &asked.campaign)?;
    let document = match asked.what {
        What::Transcript => json!(Transcript { lines: lines(&*source, at)? }),
        What::Cost => {
            let ledger = ledger(&*source, at)?;
            let loaded = load_to(&*source, at)?;
            json!(people::cost(loaded.campaign.state(), &ledger, &library.prices(&*source)))
        }
        what => {
            let loaded = match at {
                Some(_) => load_to(&*source, at)?,
                None => library.view(id).load(&*source)?,
            };
            let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
            match what {
                What::Party => json!(people::party(state, replies)),
                What::Goals => json!(people::goals(state)),
                What::Npcs => json!(people::npcs(state, replies)),
                What::Characters => json!(people::characters(state)),
                _ => json!(people::memory(state, replies)),
            }
        }
    };
    answer(&document, &part(&asked.part, asked.from))
}

/// The transcript up to a number, of a campaign or of another program.
fn lines(source: &dyn Source, at: Option<Number>) -> Result<Vec<Value>, Failure> {
    within(source, at)?;
    let mut all = Vec::new();
    let mut add = |lines: Vec<people::Line>| {
        let wanted = lines.into_iter().filter(|line| at.is_none_or(|at| line.number <= at.0));
        all.extend(wanted.map(|line| json!(line)));
    };
    if twicetold_session::foreign(source)?.is_some() {
        for entry in twicetold_session::entries(source)? {
            add(twicetold_foreign::lines(&entry?));
        }
    } else {
        walk(source, at, |campaign, entry| {
            add(people::lines(campaign.state(), campaign.replies(), entry));
            true
        })?;
    }
    Ok(all)
}

fn logged(library: &Library, asked: &Logged) -> Result<Value, Failure> {
    let (_, source) = source(library, &asked.campaign)?;
    let count = asked.count.unwrap_or(ITEMS_MAX).clamp(1, ITEMS_MAX);
    within(&*source, Some(Number(asked.first)))?;
    let (mut made, mut rows) = (JsonLines::default(), Vec::new());
    let mut add = |lines: Vec<people::Line>, entry: &Entry| {
        let text =
            |number: Number| lines.iter().find(|line| line.number == number.0).map(|line| line.text.clone());
        let more = made.of(entry, text);
        rows.extend(
            more.iter().map(|line| json!(line)).filter(|row| row["number"].as_u64() >= Some(asked.first)),
        );
        rows.len() <= count
    };
    if twicetold_session::foreign(&*source)?.is_some() {
        for entry in twicetold_session::entries(&*source)? {
            let entry = entry?;
            if !add(twicetold_foreign::lines(&entry), &entry) {
                break;
            }
        }
    } else {
        walk(&*source, None, |campaign, entry| {
            // What is not shown needs no words.
            let shown = entry.header.next().0 > asked.first;
            let lines =
                if shown { people::lines(campaign.state(), campaign.replies(), entry) } else { Vec::new() };
            add(lines, entry)
        })?;
    }
    let next = rows.get(count).and_then(|row| row["number"].as_u64());
    rows.truncate(count);
    let numbers: Vec<Value> = rows.iter().map(|row| row["number"].clone()).collect();
    let mut found = answer(&json!(Log { rows, next }), &part(&asked.part, asked.from))?;
    // Rows that a full page has no room for begin the next one: whoever follows `next` misses none.
    let kept = found["data"]["rows"].as_array().map_or(0, Vec::len);
    if let Some(number) = numbers.get(kept).filter(|_| kept > 0) {
        found["data"]["next"] = number.clone();
        if let Some(cuts) = found["cut"].as_array_mut() {
            cuts.retain(|cut| cut["part"] != "/rows");
        }
    }
    Ok(found)
}

fn fields(library: &Library, asked: &Fields) -> Result<Value, Failure> {
    let (source, loaded) = load(library, &asked.campaign)?;
    let changes = match &asked.field {
        None => {
            let known = facts(&loaded.campaign).into_iter();
            known.map(|(field, value)| FieldChange { number: None, field, value: Some(value) }).collect()
        }
        Some(field) => {
            let changes = history(&*source, field, |_| false)?;
            let change = |one: twicetold_session::Change| FieldChange {
                number: Some(one.number),
                field: one.path,
                value: one.value,
            };
            let changes: Vec<FieldChange> = changes.into_iter().map(change).collect();
            if changes.is_empty() {
                let message =
                    format!("no state field is named {:?}, and none lies below it", short(field, 80));
                return Err(Failure::missing(message, "`history` without `field` lists the state fields"));
            }
            changes
        }
    };
    answer(&json!(Changes { changes }), &part(&asked.part, asked.from))
}

fn compared(library: &Library, asked: &Two) -> Result<Value, Failure> {
    let (_, one) = source(library, &asked.one)?;
    let (_, other) = source(library, &asked.other)?;
    answer(&json!(diff(&*one, &*other)?), &part(&asked.part, asked.from))
}

fn audited(library: &Library, asked: &Audited) -> Result<Value, Failure> {
    if let Some(unknown) =
        asked.detectors.iter().find(|name| !DETECTORS.iter().any(|one| one.name == name.as_str()))
    {
        let names: Vec<&str> = DETECTORS.iter().map(|one| one.name).collect();
        let message = format!("there is no detector {:?}", short(unknown, 40));
        return Err(Failure::usage(message, format!("the detectors are {}", names.join(", "))));
    }
    let (_, source) = source(library, &asked.campaign)?;
    let transcript = if twicetold_session::foreign(&*source)?.is_some() {
        let entries: Result<Vec<Entry>, _> = twicetold_session::entries(&*source)?.collect();
        twicetold_foreign::transcript(&entries?)
    } else {
        let mut recorder = Recorder::new();
        walk(&*source, None, |campaign, entry| {
            recorder.entry(campaign.state(), campaign.replies(), entry);
            true
        })?;
        recorder.finish()
    };
    let report = audit(&transcript, &asked.detectors);
    let document = json!({
        "findings": report.findings().collect::<Vec<_>>(),
        "detectors": report.outcomes.iter().map(|one| json!({
            "name": one.detector, "about": one.about, "findings": one.findings.len(), "left_out": one.left_out,
            "not_recorded": one.not_recorded, "measures": one.measures,
        })).collect::<Vec<_>>(),
        "worst": report.worst().map(Severity::name),
    });
    answer(&document, &part(&asked.part, asked.from))
}

fn replayed(library: &Library, asked: &Replayed) -> Result<Value, Failure> {
    let (_, source) = source(library, &asked.campaign)?;
    let report = replay_to(&*source, None, asked.to.map(Number))?;
    let divergence = |drift: &Drift| {
        let found = &drift.divergence;
        let kind = match found.kind {
            DivergenceKind::Prompt => "prompt",
            DivergenceKind::Decision => "decision",
            DivergenceKind::Body => "body",
            DivergenceKind::Record => "record",
        };
        json!({
            "number": found.number.0, "kind": kind, "journal": found.journal, "this_build": found.build,
            "fields": found.fields, "recorded_by": drift.recorded_by.to_string(),
        })
    };
    let document = json!({
        "identical": matches!(report.verdict, Verdict::Identical),
        "entries": report.entries, "numbers": report.numbers, "requests": report.requests,
        "story": report.told_story.to_string(), "over": report.over,
        "divergence": match &report.verdict { Verdict::Identical => None, Verdict::Diverged(at) => Some(divergence(at)) },
    });
    answer(&document, &Part::default())
}

fn verified(library: &Library, asked: &One) -> Result<Value, Failure> {
    let (_, source) = source(library, &asked.campaign)?;
    let mut story = Story::default();
    let found = verify_with(&*source, |header, body| {
        let entry = Entry::of_parts(*header, body).map_err(|error| error.to_string())?;
        story.add(&entry.input, &entry.events, body.frames);
        Ok(())
    })?;
    let attested = last_attested(library, &*source)?;
    let verified = Verified {
        intact: true,
        entries: found.entries,
        numbers: found.numbers,
        chain: found.head.to_string(),
        story: story.0.to_string(),
        attestation: attested.map(|attested| attested.verdict.text().to_owned()),
    };
    answer(&json!(verified), &Part::default())
}
