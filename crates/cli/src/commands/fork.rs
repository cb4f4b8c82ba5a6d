//! `fork`: a branch of a campaign, from any moment on, with something changed or nothing. `undo`: one from before the last turn.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use twicetold_dialect::sent_digest;
use twicetold_event::{
    AmendmentAsked, CampaignId, Charter, Entry, Event, ForkAsked, Input, ModelFailed, Number, limits,
};
use twicetold_journal::{Source, branch};
use twicetold_referee::{Campaign, received};
use twicetold_session::{Replies, Session, charter_of, entries, lineage, load_to, untaken};
use twicetold_tool::stream;
use twicetold_world::State;
use twicetold_world::setup::{SeatsFile, Setup, SetupError};

use crate::failure::{Failure, code};
use crate::terminal::{BOLD, json_line, print};
use twicetold_host::Library;
use twicetold_host::bounded;
use twicetold_host::mapping::Mapping;
use twicetold_host::seats::{Models, wishes};

/// Makes a branch of a campaign: the same up to a number, and from there on a campaign by itself
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    id: String,

    /// The last number that both share (`log` shows numbers); the end when left out
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// Dice and draws come from this seed from now on
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Another model for a seat: dm, memory, player-1 …, players; a name in models.toml
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// The folder whose models.toml is used [default: your configuration folder, else the bundled one]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Another value of a limit, for example turns_max=40
    #[arg(long, value_name = "KEY=VALUE")]
    limit: Vec<String>,

    /// Another text for a file of the charter, for example prompts/dm-play.md=mine.md
    #[arg(long, value_name = "PATH=FILE")]
    file: Vec<String>,

    /// Other faces for a draw, for example 'player-1 check DEX:3=20' (`log --json` shows streams and counters)
    #[arg(long, value_name = "STREAM:COUNTER=FACES")]
    draw: Vec<String>,

    /// The reply at --at is replaced by this file: words, or the whole body of a model reply
    #[arg(long, value_name = "FILE", requires = "at")]
    reply: Option<PathBuf>,

    /// Ask models anew even where the parent was answered the very same question
    #[arg(long)]
    resample: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Makes a branch from before a campaign's last turn
#[derive(clap::Args)]
pub struct UndoArguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fork`.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = library.source(&arguments.id)?;
    let source = source.as_ref();
    let replaced = arguments
        .reply
        .as_deref()
        .map(|path| bounded::text(path, limits::REPLY_BYTES_MAX as u64))
        .transpose()
        .map_err(|error| {
            Failure::new(
                code::USAGE,
                format!("the reply cannot be read: {error}"),
                "give a text file with --reply",
            )
        })?;
    let until = shared(source, arguments.at.map(Number), replaced.is_some())?;
    let loaded = load_to(source, Some(Number(until.0.saturating_sub(1))))?;
    if let twicetold_world::Life::Ended { observed, .. } = loaded.campaign.state().life() {
        let message = format!("the campaign is over at #{}: {observed}", until.0.saturating_sub(1));
        return Err(Failure::new(code::USAGE, message, "branch off earlier, with --at N"));
    }
    let setup = loaded.campaign.state().setup();
    let mut mapping = library.mapping(loaded.id).read()?.filter(|_| library.is_here(&arguments.id));
    let (amendments, mut notes) = amendments(arguments, setup, &mut mapping)?;
    drawable(&arguments.draw, loaded.campaign.state())?;
    if replaced.as_ref().is_some_and(|reply| reply.trim().is_empty()) {
        return Err(Failure::new(
            code::USAGE,
            "the reply is empty",
            "give words, or the whole body of a model reply",
        ));
    }
    sound(setup, arguments.seed, &amendments)?;
    notes.extend(arguments.seed.map(|seed| format!("seed {seed}")));
    notes.extend(replaced.as_ref().map(|_| "one reply replaced".to_owned()));
    let (seed, resample) = (arguments.seed, arguments.resample);
    let asked =
        ForkAsked { parent: loaded.id, at: until, seed, amendments, resample, note: notes.join(", ") };
    let id = make(library, source, asked, replaced, mapping)?;
    tell(id, arguments.at.map(Number), until, arguments.json)
}

/// Runs `undo`.
pub fn undo(library: &Library, arguments: &UndoArguments) -> Result<ExitCode, Failure> {
    let source = library.source(&arguments.id)?;
    let source = source.as_ref();
    // A transcript of another program is refused as such.
    charter_of(source)?;
    // A turn in which nobody has answered yet is not the last one that was played.
    let (mut begun, mut played) = (None, None);
    for entry in entries(source)? {
        let entry = entry?;
        if matches!(entry.input, Input::ModelReplied(_) | Input::PersonAnswered(_)) {
            played = begun;
        }
        if entry.events.iter().any(|event| matches!(event, Event::TurnBegan(_))) {
            begun = Some(entry.header.next());
        }
    }
    let Some(until) = played else {
        return Err(Failure::new(
            code::USAGE,
            "no turn was played: there is nothing to undo",
            "`twicetold resume` plays on",
        ));
    };
    if let Some((_, asked)) = lineage(source)?.last().filter(|(_, asked)| until < asked.at) {
        let message = "this branch has played no turn of its own: undoing one would undo the branching too";
        let help = format!(
            "`twicetold undo {:.8}` undoes a turn of the campaign that it branches off",
            asked.parent
        );
        return Err(Failure::new(code::USAGE, message, help));
    }
    let parent = load_to(source, Some(Number(until.0.saturating_sub(1))))?.id;
    let (seed, amendments, note) = (None, Vec::new(), "undo of the last turn".to_owned());
    let asked = ForkAsked { parent, at: until, seed, amendments, resample: true, note };
    let mapping = library.mapping(parent).read()?.filter(|_| library.is_here(&arguments.id));
    let id = make(library, source, asked, None, mapping)?;
    tell(id, None, until, arguments.json)
}

/// Says where the branch begins; also why not at the number that was asked for, where that is within an entry.
fn tell(id: CampaignId, at: Option<Number>, until: Number, json: bool) -> Result<ExitCode, Failure> {
    let last = until.0.saturating_sub(1);
    let why = match at.filter(|at| at.0 < last) {
        Some(at) => format!(", the end of the entry that holds {at}"),
        None => String::new(),
    };
    let text = match json {
        true => json_line(&serde_json::json!({"campaign": id.to_string(), "shared": until.0})),
        false => format!(
            "{BOLD}{id:.8}{BOLD:#} branches off after #{last}{why}\n\n  twicetold resume {id:.8}    plays it on\n  twicetold tree               shows the branches\n"
        ),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The number after the last that is shared: after the entry that holds `at`, or before it when its reply is replaced.
fn shared(source: &dyn Source, at: Option<Number>, replaces: bool) -> Result<Number, Failure> {
    let Some(at) = at else { return Ok(source.head().next) };
    let Some(bytes) = source.entry_holding(at)? else {
        let message =
            format!("there is no #{}; the last number is #{}", at.0, source.head().next.0.saturating_sub(1));
        return Err(Failure::new(code::MISSING, message, "`twicetold log` shows the numbers"));
    };
    let entry = Entry::decode(&bytes)
        .map_err(|error| Failure::new(code::DAMAGED, error.to_string(), "`twicetold verify` says more"))?;
    match (&entry.input, replaces) {
        (Input::ModelReplied(_), true) => Ok(entry.header.first),
        (input, true) => {
            let message = format!("#{} belongs to {}, not to a reply", at.0, input.name());
            Err(Failure::new(
                code::USAGE,
                message,
                "give the number of a ModelReplied (`twicetold log` shows them)",
            ))
        }
        (_, false) => Ok(entry.header.next()),
    }
}

/// What was asked for as files of the charter, and in words.
fn amendments(
    arguments: &Arguments,
    setup: &Setup,
    mapping: &mut Option<Mapping>,
) -> Result<(Vec<AmendmentAsked>, Vec<String>), Failure> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut notes = Vec::new();
    let charter =
        |path: &str| setup.files.iter().find(|file| file.path == path).map(|file| file.text.to_string());
    for asked in &arguments.file {
        let (path, from) = pair(asked, "--file PATH=FILE")?;
        let text = bounded::text(from.as_ref(), limits::FILE_BYTES_MAX as u64).map_err(|error| {
            Failure::new(code::USAGE, format!("{from} cannot be read: {error}"), "give a text file")
        })?;
        files.insert(path.to_owned(), text);
        notes.push(path.to_owned());
    }
    for asked in &arguments.limit {
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
    if !arguments.model.is_empty() {
        if files.contains_key("seats.toml") {
            let message = "--model writes seats.toml, and --file gives another one";
            return Err(Failure::new(code::USAGE, message, "give one of the two"));
        }
        files.insert("seats.toml".into(), seats(arguments, setup, mapping, &mut notes)?);
    }
    if !arguments.draw.is_empty() {
        let text = files.get("draws.toml").cloned().or_else(|| charter("draws.toml")).unwrap_or_default();
        files.insert("draws.toml".into(), draws(&arguments.draw, text, &mut notes)?);
    }
    let amendment = |(path, content)| AmendmentAsked { path, content };
    Ok((files.into_iter().map(amendment).collect(), notes))
}

fn pair<'a>(asked: &'a str, form: &str) -> Result<(&'a str, &'a str), Failure> {
    asked.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty()).ok_or_else(|| {
        Failure::new(code::USAGE, format!("{asked:?} is not understood"), format!("write {form}"))
    })
}

/// `seats.toml` with other models, which play the branch on this machine.
fn seats(
    arguments: &Arguments,
    setup: &Setup,
    mapping: &mut Option<Mapping>,
    notes: &mut Vec<String>,
) -> Result<String, Failure> {
    let models = Models::of(arguments.config.as_deref())?;
    let mut seats = SeatsFile { players: setup.seats.players, seat: setup.seats.seat.clone() };
    for (seat, name) in wishes(&arguments.model, seats.players)? {
        seats.seat.insert(seat.slug(), models.find(&name)?.setup);
        // A campaign that has no mapping was opened elsewhere; its branch is mapped as a whole, when it is first resumed.
        if let Some(mapping) = mapping {
            mapping.seat.insert(seat.slug(), models.player(&name));
        }
        notes.push(format!("{} played by {name}", seat.slug()));
    }
    toml::to_string(&seats).map_err(|error| Failure::new(code::FAILED, error.to_string(), ""))
}

/// A draw belongs to a stream that the campaign has, and was not made before the branch begins.
fn drawable(asked: &[String], state: &State) -> Result<(), Failure> {
    for row in asked {
        let place = row.split_once('=').and_then(|(place, _)| place.rsplit_once(':'));
        let Some((stream, counter)) = place else { continue };
        if !stream::is_known(state.setup(), stream) {
            let message = format!("the campaign has no stream of draws {stream:?}");
            let help = format!("streams are, for example: {}", stream::examples(state));
            return Err(Failure::new(code::USAGE, message, help));
        }
        let drawn = state.dice_counter(stream);
        if counter.trim().parse::<u32>().is_ok_and(|counter| counter < drawn) {
            let message = format!("draw {counter} of {stream:?} was made before the branch begins");
            let help = format!("its next draw is {drawn}; or branch off earlier, with --at N");
            return Err(Failure::new(code::USAGE, message, help));
        }
    }
    Ok(())
}

/// `draws.toml` with more rows.
fn draws(asked: &[String], mut text: String, notes: &mut Vec<String>) -> Result<String, Failure> {
    for row in asked {
        let form = "--draw STREAM:COUNTER=FACES, for example 'player-1 roll:3=4,6'";
        let (place, faces) = pair(row, form)?;
        let read =
            place.rsplit_once(':').and_then(|(stream, counter)| Some((stream, counter.parse::<u32>().ok()?)));
        let faces: Result<Vec<u16>, _> = faces.split(',').map(|face| face.trim().parse::<u16>()).collect();
        let (Some((stream, counter)), Ok(faces)) = (read, faces) else {
            return Err(Failure::new(
                code::USAGE,
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
fn sound(setup: &Setup, seed: Option<u64>, amendments: &[AmendmentAsked]) -> Result<(), Failure> {
    let unsound = |error: SetupError| Failure::new(code::USAGE, error.to_string(), "nothing was written");
    let mut changed =
        Setup::read(seed.unwrap_or(setup.seed), setup.rules_version, setup.files.clone()).map_err(unsound)?;
    for AmendmentAsked { path, content } in amendments {
        // This one comes into a charter by a branch alone.
        let is_new = path == "draws.toml";
        if changed.file_index(path).is_none() && !is_new {
            let known: Vec<&str> = setup.files.iter().map(|file| file.path.as_str()).collect();
            let message = format!("the charter has no file {path:?}");
            return Err(Failure::new(code::USAGE, message, format!("it has {}", known.join(", "))));
        }
        changed = changed.amended(path, Arc::from(content.as_str())).map_err(unsound)?;
    }
    // Tools and oddities of servers are read when somebody plays by them.
    let charter = Charter { seed: changed.seed, rules: changed.rules_version, files: Vec::new() };
    let changed = changed.sound().map_err(unsound)?;
    Campaign::new(charter, Arc::new(changed)).map_err(unsound).map(drop)
}

/// Writes the branch: the shared entries, the branching, and a replaced reply.
fn make(
    library: &Library,
    source: &dyn Source,
    asked: ForkAsked,
    reply: Option<String>,
    mapping: Option<Mapping>,
) -> Result<CampaignId, Failure> {
    let id = CampaignId(twicetold_host::random()?);
    let path = library.file(id)?;
    branch(source, asked.at, &path)?;
    let written = write(&path, id, asked, reply);
    if written.is_err() {
        let _ = std::fs::remove_file(&path);
    }
    written?;
    if let Some(mapping) = mapping {
        library.mapping(id).write(&mapping)?;
    }
    Ok(id)
}

fn write(
    path: &std::path::Path,
    id: CampaignId,
    asked: ForkAsked,
    reply: Option<String>,
) -> Result<(), Failure> {
    let store = twicetold_journal::open(path)?;
    let mut session = Session::recover(Box::new(store), twicetold_host::build())?.renamed(id);
    session
        .commit(twicetold_host::now(), Input::ForkAsked(asked))
        .map_err(|error| twicetold_host::Error::commit(&path.display().to_string(), &error))?;
    if let Some(reply) = reply {
        let campaign = session.campaign();
        let owed = campaign.state().calls().owed.as_ref().map(|owed| (owed.call, owed.seat));
        let (Some((call, seat)), Some((request, _))) = (owed, session.owed_request()) else {
            return Err(Failure::new(code::FAILED, "no reply is owed there", "nothing was written"));
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
            return Err(Failure::new(code::USAGE, message, "give words, or the whole body of a model reply"));
        }
        session
            .commit(twicetold_host::now(), input)
            .map_err(|error| twicetold_host::Error::commit(&path.display().to_string(), &error))?;
    }
    session.into_store().close()?;
    Ok(())
}

/// What a branch may take of its parent's answers before anybody is asked; nothing for a campaign that is no branch.
pub fn replies(library: &Library, journal: &dyn Source) -> Result<Replies, Failure> {
    let branches = lineage(journal)?;
    let Some((_, asked)) = branches.last().filter(|(_, asked)| !asked.resample) else {
        return Ok(Replies::new());
    };
    // A parent that is gone can answer nothing any more: models are asked.
    let Ok((_, parent)) = library.read(&asked.parent.to_string()) else { return Ok(Replies::new()) };
    Ok(untaken(&parent, journal, asked.at)?)
}
