//! Branches of campaigns: from any moment on, with something changed or nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twicetold_dialect::sent_digest;
use twicetold_event::{
    AmendmentAsked, CampaignId, Charter, Entry, Event, ForkAsked, Input, ModelFailed, Number, limits,
};
use twicetold_journal::{Source, Store};
use twicetold_projection::people::why_over;
use twicetold_referee::{Campaign, received};
use twicetold_session::{Replies, Session, charter_of, entries, lineage, load_to, untaken};
use twicetold_tool::stream;
use twicetold_world::State;
use twicetold_world::setup::{SeatsFile, Setup, SetupError};

use crate::mapping::{Mapping, wishes};
use crate::measured::Measurements;
use crate::seats::{Choosing, Models, seated};
use crate::words::did_you_mean;
use crate::{Error, Kind, Library, bounded, build, now, random, windows};

/// Where a branch begins, and what is other in it.
#[derive(Default)]
pub struct Change {
    /// The last number that both share; nothing: the end.
    pub at: Option<Number>,
    /// Dice and draws come from this seed from there on.
    pub seed: Option<u64>,
    /// Other models for seats, as `SEAT=NAME` or `NAME`.
    pub model: Vec<String>,
    /// The folder whose models.toml is used.
    pub config: Option<PathBuf>,
    /// Other values of limits, as `KEY=VALUE`.
    pub limit: Vec<String>,
    /// Other texts for files of the charter, as `PATH=FILE`.
    pub file: Vec<String>,
    /// Other faces for draws, as `STREAM:COUNTER=FACES`.
    pub draw: Vec<String>,
    /// What takes the place of the reply at `at`: plain text or a complete response body.
    pub reply: Option<String>,
    /// Models are asked anew even where the parent was answered the very same question.
    pub resample: bool,
}

/// The reply that a file holds.
///
/// # Errors
/// It cannot be read, or is longer than a reply may be.
pub fn reply_in(path: &Path) -> Result<String, Error> {
    bounded::text(path, limits::REPLY_BYTES_MAX as u64).map_err(|error| {
        let message = format!("the reply {} cannot be read: {error}", path.display());
        Error::new(Kind::of_named_file(&error), message, "give a text file with --reply")
    })
}

/// A branch that was made.
pub struct Branched {
    /// Its id.
    pub id: CampaignId,
    /// The number after the last that both share.
    pub until: Number,
    /// What is to be said of how its models are asked.
    pub said: Vec<String>,
}

/// Makes a branch of the campaign `name` with a change, or with none.
///
/// # Errors
/// The branch could not be played; nothing was written.
pub fn fork(library: &Library, name: &str, change: &Change) -> Result<Branched, Error> {
    let (source, here) = library.source_here(name)?;
    let source = source.as_ref();
    let replaced = change.reply.clone();
    let until = shared(source, change.at, replaced.is_some())?;
    let loaded = load_to(source, Some(Number(until.0.saturating_sub(1))))?;
    if let twicetold_world::Life::Ended { reason, .. } = loaded.campaign.state().life() {
        let (at, reason) = (until.0.saturating_sub(1), why_over(reason));
        let message = format!("the campaign ended at #{at}: {reason}");
        return Err(Error::new(Kind::Usage, message, "branch off earlier, with --at N"));
    }
    let setup = loaded.campaign.state().setup();
    let mut mapping = library.mapping(loaded.id).read()?.filter(|_| here.is_some());
    let mut notes = Notes::default();
    let amendments = amendments(change, setup, (&mut mapping, &library.measurements()), &mut notes)?;
    let Notes { mut notes, said } = notes;
    drawable(&change.draw, loaded.campaign.state())?;
    if replaced.as_ref().is_some_and(|reply| reply.trim().is_empty()) {
        return Err(Error::new(
            Kind::Usage,
            "the reply is empty",
            "give a file with plain text or a complete model response body",
        ));
    }
    let changed = sound(setup, change.seed, &amendments)?;
    passed(change, loaded.campaign.state(), &changed)?;
    fits(change, &changed, mapping.as_ref())?;
    notes.extend(change.seed.map(|seed| format!("seed {seed}")));
    notes.extend(replaced.as_ref().map(|_| "one reply replaced".to_owned()));
    let (seed, resample) = (change.seed, change.resample);
    let asked =
        ForkAsked { parent: loaded.id, at: until, seed, amendments, resample, note: notes.join(", ") };
    let id = make(library, source, asked, replaced, mapping)?;
    Ok(Branched { id, until, said })
}

/// What a branch is told of.
#[derive(Default)]
struct Notes {
    /// What was changed, for its journal.
    notes: Vec<String>,
    /// What is to be said to whoever asked for it.
    said: Vec<String>,
}

/// What a branch that takes back a turn says of itself.
const UNDONE: &str = "undo of the last turn";

/// Makes a branch from before the last turn of the campaign `name`.
///
/// # Errors
/// There is none to undo.
pub fn undo(library: &Library, name: &str) -> Result<Branched, Error> {
    let (source, here) = library.source_here(name)?;
    let source = source.as_ref();
    // A transcript of another program is refused as such.
    charter_of(source)?;
    // A turn in which nobody has answered yet is not the last one that was played.
    let (mut begun, mut played) = (None, None);
    for entry in entries(source)? {
        let entry = entry?;
        let is_late = entry.events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
        if matches!(entry.input, Input::ModelReplied(_) | Input::PersonAnswered(_)) && !is_late {
            played = begun;
        }
        if entry.events.iter().any(|event| matches!(event, Event::TurnBegan(_))) {
            begun = Some(entry.header.next());
        }
    }
    let Some(until) = played else {
        return Err(Error::new(
            Kind::Usage,
            "no turn was played: there is nothing to undo",
            "`twicetold resume` plays on",
        ));
    };
    // What was changed for a branch would be lost with its first turn; an undo that was undone once more has changed nothing.
    let is_change = |asked: &ForkAsked| asked.note != UNDONE;
    if let Some((_, asked)) = lineage(source)?.iter().rfind(|(_, asked)| until < asked.at && is_change(asked))
    {
        let message = "this branch has no turn of its own yet, so there is no turn to undo";
        let help = format!(
            "`twicetold undo {:.8}` undoes a turn of the campaign that it branches off",
            asked.parent
        );
        return Err(Error::new(Kind::Usage, message, help));
    }
    let parent = load_to(source, Some(Number(until.0.saturating_sub(1))))?.id;
    let (seed, amendments, note) = (None, Vec::new(), UNDONE.to_owned());
    let asked = ForkAsked { parent, at: until, seed, amendments, resample: true, note };
    let mapping = library.mapping(parent).read()?.filter(|_| here.is_some());
    let id = make(library, source, asked, None, mapping)?;
    Ok(Branched { id, until, said: Vec::new() })
}

/// The number after the last that is shared: after the entry that holds `at`, or before it when its reply is replaced.
fn shared(source: &dyn Source, at: Option<Number>, replaces: bool) -> Result<Number, Error> {
    let Some(at) = at else { return Ok(source.head().next) };
    let Some(bytes) = source.entry_holding(at)? else {
        let message =
            format!("there is no #{}; the last number is #{}", at.0, source.head().next.0.saturating_sub(1));
        return Err(Error::new(Kind::Missing, message, "`twicetold log` shows the numbers"));
    };
    let entry = Entry::decode(&bytes)
        .map_err(|error| Error::new(Kind::Damaged, error.to_string(), "`twicetold verify` says more"))?;
    match (&entry.input, replaces) {
        (Input::ModelReplied(_), true) if entry.header.first == at => Ok(at),
        (Input::ModelReplied(_), true) => {
            let reply = entry.header.first;
            let message = format!("{at} is not a reply; it came of the reply {reply}");
            Err(Error::new(Kind::Usage, message, format!("`--at {}` replaces that reply", reply.0)))
        }
        (input, true) => {
            let message = format!("#{} belongs to {}, not to a reply", at.0, input.name());
            Err(Error::new(
                Kind::Usage,
                message,
                "give the number of a ModelReplied (`twicetold log` shows them)",
            ))
        }
        (_, false) => Ok(entry.header.next()),
    }
}

/// The requested changes as files of the charter, and as text.
fn amendments(
    change: &Change,
    setup: &Setup,
    mapping: (&mut Option<Mapping>, &Measurements),
    told: &mut Notes,
) -> Result<Vec<AmendmentAsked>, Error> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let notes = &mut told.notes;
    let charter =
        |path: &str| setup.files.iter().find(|file| file.path == path).map(|file| file.text.to_string());
    for asked in &change.file {
        let (path, from) = pair(asked, "--file PATH=FILE")?;
        let text = bounded::text(from.as_ref(), limits::FILE_BYTES_MAX as u64).map_err(|error| {
            Error::new(
                Kind::of_named_file(&error),
                format!("{from} cannot be read: {error}"),
                "give a text file",
            )
        })?;
        files.insert(path.to_owned(), text);
        notes.push(path.to_owned());
    }
    for asked in &change.limit {
        let (key, value) = pair(asked, "--limit KEY=VALUE")?;
        for path in ["limits.toml", "campaign.toml"] {
            let text = files.get(path).cloned().or_else(|| charter(path)).unwrap_or_default();
            let first = if path == "limits.toml" { format!("{key} = {value}\n") } else { String::new() };
            let is_it = |line: &str| line.split('=').next().is_some_and(|name| name.trim() == key);
            let kept: String =
                text.lines().filter(|line| !is_it(line)).map(|line| format!("{line}\n")).collect();
            if path == "limits.toml" || kept.len() < text.len() {
                files.insert(path.to_owned(), first + &kept);
            }
        }
        notes.push(format!("{key} = {value}"));
    }
    if !change.model.is_empty() {
        if files.contains_key("seats.toml") {
            let message = "--model and --file seats.toml=… both replace seats.toml";
            return Err(Error::new(Kind::Usage, message, "give one of the two"));
        }
        files.insert("seats.toml".into(), seats(change, setup, mapping, told)?);
    }
    if !change.draw.is_empty() {
        let text = files.get("draws.toml").cloned().or_else(|| charter("draws.toml")).unwrap_or_default();
        files.insert("draws.toml".into(), draws(&change.draw, text, &mut told.notes)?);
    }
    let amendment = |(path, content)| AmendmentAsked { path, content };
    Ok(files.into_iter().map(amendment).collect())
}

fn pair<'a>(asked: &'a str, form: &str) -> Result<(&'a str, &'a str), Error> {
    asked
        .split_once('=')
        .filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .ok_or_else(|| Error::new(Kind::Usage, format!("cannot parse {asked:?}"), format!("write {form}")))
}

/// `seats.toml` with other models, which play the branch on this machine.
fn seats(
    change: &Change,
    setup: &Setup,
    (mapping, measurements): (&mut Option<Mapping>, &Measurements),
    told: &mut Notes,
) -> Result<String, Error> {
    let models = Models::of(change.config.as_deref())?;
    let mut seats = SeatsFile { players: setup.seats.players, seat: setup.seats.seat.clone() };
    let mut choosing = Choosing::new(&models, measurements);
    for (seat, name) in wishes(&change.model, seats.players)? {
        seats.seat.insert(seat.slug(), choosing.setup(&name)?);
        // A campaign that has no mapping was opened elsewhere; its branch is mapped as a whole, when it is first resumed.
        if let Some(mapping) = mapping {
            mapping.seat.insert(seat.slug(), models.player(&name));
        }
        told.notes.push(format!("{} played by {name}", seat.slug()));
    }
    told.said.append(&mut choosing.said);
    toml::to_string(&seats).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))
}

/// A draw belongs to a stream that the campaign has, was not made before the branch begins, and shows faces that its dice have.
fn drawable(asked: &[String], state: &State) -> Result<(), Error> {
    for row in asked {
        let read = row.split_once('=').and_then(|(place, faces)| Some((place.rsplit_once(':')?, faces)));
        let Some(((stream, counter), faces)) = read else { continue };
        if !stream::is_known(state.setup(), stream) {
            let message = format!("the campaign has no stream of draws {stream:?}");
            let help = format!("streams are, for example: {}", stream::examples(state));
            return Err(Error::new(Kind::Usage, message, help));
        }
        let drawn = state.dice_counter(stream);
        if counter.trim().parse::<u32>().is_ok_and(|counter| counter < drawn) {
            let message =
                format!("draw {counter} of {stream:?} is older than the branch and cannot be replaced");
            let help = format!("its next draw is {drawn}; or branch off earlier, with --at N");
            return Err(Error::new(Kind::Usage, message, help));
        }
        thrown_so(stream, faces, state.setup())?;
    }
    Ok(())
}

/// Dice that show what they cannot show would be passed over when they are thrown.
fn thrown_so(stream: &str, faces: &str, setup: &Setup) -> Result<(), Error> {
    let faces: Vec<u32> = faces.split(',').filter_map(|face| face.trim().parse().ok()).collect();
    let (message, help) = match stream::dice(setup, stream) {
        Some((written, dice)) => {
            let shown = |face: &u32| (1..=dice.sides).contains(face);
            if faces.len() == dice.count as usize && faces.iter().all(shown) {
                return Ok(());
            }
            let message = format!("{stream:?} throws {written}, which cannot show {faces:?}");
            let help = match dice.count {
                1 => format!("give one face from 1 to {}", dice.sides),
                count => format!("give {count} faces from 1 to {}, with commas", dice.sides),
            };
            (message, help)
        }
        None => {
            let (dice, sides) = (setup.limits.dice_max, setup.limits.dice_sides_max);
            if faces.len() <= dice as usize && faces.iter().all(|face| (1..=sides).contains(face)) {
                return Ok(());
            }
            let message = format!("no dice of this campaign show {faces:?}");
            (message, format!("give at most {dice} faces from 1 to {sides}"))
        }
    };
    Err(Error::new(Kind::Usage, message, help))
}

/// `draws.toml` with more rows.
fn draws(asked: &[String], mut text: String, notes: &mut Vec<String>) -> Result<String, Error> {
    for row in asked {
        let form = "--draw STREAM:COUNTER=FACES, for example 'player-1 roll:3=4,6'";
        let (place, faces) = pair(row, form)?;
        let read =
            place.rsplit_once(':').and_then(|(stream, counter)| Some((stream, counter.parse::<u32>().ok()?)));
        let faces: Result<Vec<u16>, _> = faces.split(',').map(|face| face.trim().parse::<u16>()).collect();
        let (Some((stream, counter)), Ok(faces)) = (read, faces) else {
            return Err(Error::new(
                Kind::Usage,
                format!("{row:?} is not understood"),
                format!("write {form}"),
            ));
        };
        text += &format!("[[draw]]\nstream = {stream:?}\ncounter = {counter}\nfaces = {faces:?}\n");
        notes.push(format!("draw {counter} of {stream}: {faces:?}"));
    }
    Ok(text)
}

/// A branch that could not be played is told of before anything is written.
fn sound(setup: &Setup, seed: Option<u64>, amendments: &[AmendmentAsked]) -> Result<Arc<Setup>, Error> {
    let unsound = |error: SetupError| Error::new(Kind::Usage, error.to_string(), "nothing was written");
    let mut changed =
        Setup::read(seed.unwrap_or(setup.seed), setup.rules_version, setup.files.clone()).map_err(unsound)?;
    for AmendmentAsked { path, content } in amendments {
        // This one comes into a charter by a branch alone.
        let is_new = path == "draws.toml";
        if changed.file_index(path).is_none() && !is_new {
            let known: Vec<&str> = setup.files.iter().map(|file| file.path.as_str()).collect();
            let message = format!("the charter has no file {path:?}");
            let near = did_you_mean(known.iter().copied(), path);
            return Err(Error::new(Kind::Usage, message, format!("{near}it has {}", known.join(", "))));
        }
        changed = changed.amended(path, Arc::from(content.as_str())).map_err(unsound)?;
    }
    // Tools and oddities of servers are read when somebody plays by them.
    let charter = Charter { seed: changed.seed, rules: changed.rules_version, files: Vec::new() };
    let changed = Arc::new(changed.sound().map_err(unsound)?);
    Campaign::new(charter, changed.clone()).map_err(unsound)?;
    Ok(changed)
}

/// A limit that has passed already would end the branch at once.
fn passed(change: &Change, state: &State, changed: &Setup) -> Result<(), Error> {
    let (spent, limits) = (state.calls().total(), &changed.limits);
    let tokens = spent.input_tokens.saturating_add(spent.output_tokens);
    let rows = [
        ("turns_max", u64::from(state.turn().number), u64::from(limits.turns_max)),
        ("calls_max", spent.calls.into(), limits.calls_max.into()),
        ("tokens_max", tokens, limits.tokens_max),
    ];
    let is_asked = |key: &str| {
        change.limit.iter().filter_map(|asked| asked.split_once('=')).any(|(asked, _)| asked == key)
    };
    let Some((key, used, most)) = rows.into_iter().find(|(key, used, most)| is_asked(key) && used >= most)
    else {
        return Ok(());
    };
    let message = format!(
        "{key} = {most} has passed: {used} are used where the branch begins, so that it would end at once"
    );
    Err(Error::new(Kind::Usage, message, "give a higher limit, or branch off earlier, with --at N"))
}

/// Do the prompts of a branch fit the windows of its new models? Who cannot be asked here is not checked.
fn fits(change: &Change, setup: &Setup, mapping: Option<&Mapping>) -> Result<(), Error> {
    let changed = wishes(&change.model, setup.seats.players)?;
    let Some(mut seated) = mapping.and_then(|mapping| seated(setup, mapping).ok()) else { return Ok(()) };
    seated.retain(|seat, _| changed.contains_key(seat));
    windows::check(setup, &seated)
}

/// Writes the branch: the shared entries, the branching, and a replaced reply.
fn make(
    library: &Library,
    source: &dyn Source,
    asked: ForkAsked,
    reply: Option<String>,
    mapping: Option<Mapping>,
) -> Result<CampaignId, Error> {
    let id = CampaignId(random()?);
    let store = library.ready()?.branch(source, asked.at, id)?;
    // Whoever sees the branch finds its models.
    if let Some(mapping) = mapping {
        library.mapping(id).write(&mapping)?;
    }
    let written = write(library, store, id, asked, reply);
    written.inspect_err(|_| library.mapping(id).remove())?;
    Ok(id)
}

fn write(
    library: &Library,
    store: Box<dyn Store>,
    id: CampaignId,
    asked: ForkAsked,
    reply: Option<String>,
) -> Result<(), Error> {
    let failed = |error| Error::commit(&library.place(id), &error);
    let mut session = Session::recover(store, build())?.renamed(id);
    session.commit(now(), Input::ForkAsked(asked)).map_err(failed)?;
    if let Some(reply) = reply {
        let campaign = session.campaign();
        let pending = campaign.state().calls().pending.as_ref().map(|pending| (pending.call, pending.seat));
        let (Some((call, seat)), Some((request, _))) = (pending, session.pending_request()) else {
            return Err(Error::new(
                Kind::Failed,
                "no model call is pending at that number",
                "nothing was written",
            ));
        };
        let wire = campaign.wire(seat);
        let sent = sent_digest(&wire.encode(&request));
        let body = if reply.trim_start().starts_with('{') {
            reply
        } else {
            wire.protocol.reply_body(reply.trim(), &[])
        };
        let input = received(&wire, call, sent, body);
        if let Input::ModelFailed(ModelFailed { fault, .. }) = &input {
            let message = format!("the reply cannot be read: {}", fault.message);
            return Err(Error::new(
                Kind::Usage,
                message,
                "give a file with plain text or a complete model response body",
            ));
        }
        session.commit(now(), input).map_err(failed)?;
    }
    session.into_store().close()?;
    Ok(())
}

/// What a branch may take of its parent's answers before anybody is asked; nothing for a campaign that is no branch.
pub(crate) fn replies(library: &Library, journal: &dyn Source) -> Result<Replies, Error> {
    let branches = lineage(journal)?;
    let Some((_, asked)) = branches.last().filter(|(_, asked)| !asked.resample) else {
        return Ok(Replies::new());
    };
    // A parent that is gone can answer nothing any more: models are asked.
    let Ok(parent) = library.read(asked.parent) else { return Ok(Replies::new()) };
    Ok(untaken(&*parent, journal, asked.at)?)
}
