//! The owner's tools that act on campaigns: they are played within this server.

use std::time::Duration;

use rmcp::model::{JsonObject, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};
use twicetold_event::{CampaignId, Number};
use twicetold_host::Library;
use twicetold_host::branching::{Change, fork};
use twicetold_host::configuration::Configuration;
use twicetold_host::label::label;
use twicetold_host::mapping::split_wish;
use twicetold_host::opening::{Opening, open};
use twicetold_host::seats::Models;
use twicetold_host::tables::paused;
use twicetold_host::words::short;

use crate::failure::Failure;
use crate::house::House;
use crate::limits::{ARGUMENTS_MAX, REPLY_BYTES_MAX, WAIT_SECONDS_MAX};
use crate::page::{Answer, Part, answer};
use crate::reading::{find, load, standing};
use crate::tools::{acting, arguments};

/// A campaign that is to be played.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Run {
    /// The id of a bundled campaign; absent: one-lantern-short.
    campaign: Option<String>,
    /// Where dice and draws come from; absent: chance.
    seed: Option<u64>,
    /// Models by their names in models.toml: `NAME` for every seat, `SEAT=NAME` for one, `players=NAME` for all players.
    #[serde(default)]
    models: Vec<String>,
    /// Number of players; absent: as the campaign says.
    players: Option<u8>,
    /// Most turns; absent: as the campaign says.
    turns: Option<u32>,
    /// Seats that are kept for outside agents: `dm`, `player-1` …. `take_seat` takes one of them.
    #[serde(default)]
    seats: Vec<String>,
    /// A private note beside the campaign.
    label: Option<String>,
}

/// A campaign that is to go on.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Resume {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// Seats that are kept for outside agents: `dm`, `player-1` …. `take_seat` takes one of them.
    #[serde(default)]
    seats: Vec<String>,
}

/// A campaign that is to be paused.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Pause {
    /// The front of a campaign's id, or `last`.
    campaign: String,
}

/// A campaign that is waited for.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Wait {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// Seconds to wait at most, up to 50; 0: how it stands now.
    #[serde(default)]
    seconds: u64,
}

/// A branch that is to be made.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Fork {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// The last sequence number that the branch shares with it; absent: the end.
    at: Option<u64>,
    /// Another seed.
    seed: Option<u64>,
    /// Other models, as `NAME` or `SEAT=NAME`.
    #[serde(default)]
    models: Vec<String>,
    /// Other values of limits, as `KEY=VALUE`.
    #[serde(default)]
    limits: Vec<String>,
    /// Other results of random draws, as `STREAM:COUNTER=FACES`.
    #[serde(default)]
    draws: Vec<String>,
    /// A text that takes the place of the model reply at `at`.
    reply: Option<String>,
    /// Models are asked anew even where the campaign has a reply to the same request.
    #[serde(default)]
    resample: bool,
}

/// How a campaign stands.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Standing {
    /// Its id.
    id: String,
    /// What it is called.
    title: String,
    /// `over`, `paused` or `in progress`.
    state: String,
    /// More of that.
    detail: String,
    /// Does this server play it now?
    is_playing: bool,
    /// Turns.
    turns: u64,
    /// The sequence number after the last.
    next: u64,
    /// Seats of outside agents, and of people.
    seats: Vec<Held>,
    /// Why it is played no further, where that was a failure of this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// What all campaigns of this server have spent of its budget; absent: nothing may be spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<String>,
}

/// A seat that is not played by a model.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Held {
    /// The seat.
    seat: String,
    /// Who holds it.
    by: String,
    /// Is it asked now?
    is_asked: bool,
}

/// A branch that was made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Forked {
    /// Its id.
    id: String,
    /// The sequence number after the last that both share.
    shared: u64,
    /// What is to be known of how its models are asked.
    said: Vec<String>,
}

/// How a seat is called that is kept for an agent.
const EXPECTED: &str = "an outside agent";

/// The tools of this module.
pub(crate) fn tools() -> Vec<Tool> {
    vec![
        acting::<Run, Answer<Standing>>(
            "run",
            "Starts a new campaign, which this server plays in the background, and returns its id at once. What can cost money is refused unless the server was started with a budget.",
        ),
        acting::<Pause, Answer<Standing>>("pause", "Pauses a campaign that this server plays."),
        acting::<Resume, Answer<Standing>>(
            "resume",
            "Goes on with a campaign that is paused, in the background. What can cost money is refused unless the server was started with a budget.",
        ),
        acting::<Fork, Answer<Forked>>(
            "fork",
            "Makes a branch that shares a campaign up to a sequence number, with one thing changed or nothing. Nobody plays it yet; `resume` does.",
        ),
        acting::<Wait, Answer<Standing>>(
            "wait",
            "Waits until a campaign is over or paused, or the time is up, and returns how it stands.",
        ),
    ]
}

/// Calls a tool of this module; nothing when it has no such tool.
pub(crate) async fn call(
    house: &House,
    name: &str,
    given: Option<JsonObject>,
) -> Option<Result<Value, Failure>> {
    Some(match name {
        "run" => match arguments(given) {
            Ok(asked) => run(house, asked).await,
            Err(failure) => Err(failure),
        },
        "resume" => match arguments(given) {
            Ok(asked) => resume(house, asked).await,
            Err(failure) => Err(failure),
        },
        "pause" => match arguments(given) {
            Ok(asked) => pause(house, asked).await,
            Err(failure) => Err(failure),
        },
        "wait" => match arguments(given) {
            Ok(asked) => wait(house, asked).await,
            Err(failure) => Err(failure),
        },
        "fork" => match arguments(given) {
            Ok(asked) => house.blocking(move |house| forked(house, asked)).await,
            Err(failure) => Err(failure),
        },
        _ => return None,
    })
}

async fn run(house: &House, asked: Run) -> Result<Value, Failure> {
    few(&[("models", asked.models.len()), ("seats", asked.seats.len())])?;
    let game = house
        .blocking(move |house| {
            let Run { campaign, seed, models, players, turns, seats, label: note } = asked;
            // A path would name any file of this machine.
            let known = Configuration::bundled().campaigns();
            if let Some(unknown) = campaign.as_ref().filter(|id| !known.contains(id)) {
                let message = format!("there is no bundled campaign {:?}", short(unknown, 60));
                let help = format!(
                    "the bundled campaigns are {}; `twicetold run FILE` plays one of your own",
                    known.join(", ")
                );
                return Err(Failure::missing(message, help));
            }
            known_models(house, &models)?;
            let note = note.map(|note| label(&note)).transpose();
            let note = note.map_err(|what| Failure::usage(what, "give another `label`, or none"))?;
            let opening = Opening {
                campaign: campaign.as_deref(),
                who: house.who(models),
                seed,
                players,
                turns,
                label: note.as_deref(),
                seats: seats.iter().map(|seat| (seat.as_str(), EXPECTED)).collect(),
                ..Opening::default()
            };
            if house.tables().is_full() {
                return Err(full());
            }
            Ok(open(house.library(), opening, &mut |said| tracing::info!(said, "a campaign is opened"))?)
        })
        .await?;
    let id = house.begin(game).await?;
    stands(house, id).await
}

/// Models are named by the entries of models.toml alone: any other name may hold an address, and calls would go there.
fn known_models(house: &House, wanted: &[String]) -> Result<(), Failure> {
    let models = Models::of(house.settings().config.as_deref())?;
    let mut unknown = wanted.iter().map(|wish| split_wish(wish).1);
    let unknown = unknown.find(|name| !models.names().any(|known| known == *name));
    let Some(unknown) = unknown else { return Ok(()) };
    let known: Vec<&str> = models.names().collect();
    let message = format!("models.toml has no model {:?}", short(unknown, 60));
    Err(Failure::missing(message, format!("its models are {}", known.join(", "))))
}

fn full() -> Failure {
    let message = format!("this server plays {} campaigns already", crate::limits::TABLES_MAX);
    Failure::new("busy", message, "`pause` one of them first")
}

/// Lists of arguments have a limit.
fn few(lists: &[(&str, usize)]) -> Result<(), Failure> {
    match lists.iter().find(|(_, count)| *count > ARGUMENTS_MAX) {
        None => Ok(()),
        Some((name, count)) => {
            let message = format!("`{name}` has {count} items, at most {ARGUMENTS_MAX} are read");
            Err(Failure::usage(message, "give fewer"))
        }
    }
}

async fn resume(house: &House, asked: Resume) -> Result<Value, Failure> {
    few(&[("seats", asked.seats.len())])?;
    let id = found(house, asked.campaign).await?;
    if house.tables().is_playing(id) {
        let message = "this server plays the campaign already";
        return Err(Failure::new("busy", message, "`wait` says how it stands"));
    }
    if house.tables().is_full() {
        return Err(full());
    }
    let kept = asked.seats.into_iter().map(|seat| (seat, EXPECTED.to_owned())).collect();
    house.resume(id, kept).await?;
    stands(house, id).await
}

async fn pause(house: &House, asked: Pause) -> Result<Value, Failure> {
    let id = found(house, asked.campaign).await?;
    if !house.tables().tell(id, vec![paused("paused by an outside agent")]) {
        let message = "this server does not play the campaign now";
        return Err(Failure::new("late", message, "`wait` says how it stands"));
    }
    until_stopped(house, id, WAIT_SECONDS_MAX).await;
    stands(house, id).await
}

async fn wait(house: &House, asked: Wait) -> Result<Value, Failure> {
    let id = found(house, asked.campaign).await?;
    until_stopped(house, id, asked.seconds.min(WAIT_SECONDS_MAX)).await;
    stands(house, id).await
}

/// Waits until a campaign is played no more, or the time is up.
async fn until_stopped(house: &House, id: CampaignId, seconds: u64) {
    let until = Instant::now() + Duration::from_secs(seconds);
    if let Some(mut shown) = house.tables().watch(id) {
        let _ = timeout_at(until, shown.wait_for(|shown| !shown.is_playing)).await;
    }
}

fn forked(house: &House, asked: Fork) -> Result<Value, Failure> {
    let Fork { campaign, at, seed, models, limits, draws, reply, resample } = asked;
    few(&[("models", models.len()), ("limits", limits.len()), ("draws", draws.len())])?;
    if reply.as_ref().is_some_and(|reply| reply.len() > REPLY_BYTES_MAX) {
        let message = format!("the reply has more than {REPLY_BYTES_MAX} bytes");
        return Err(Failure::usage(message, "give a shorter one"));
    }
    if reply.is_some() && at.is_none() {
        return Err(Failure::usage(
            "`reply` needs `at`",
            "give the sequence number of the reply that it replaces",
        ));
    }
    known_models(house, &models)?;
    let id = find(house.library(), &campaign)?;
    let change = Change {
        at: at.map(Number),
        seed,
        model: models,
        config: house.settings().config.clone(),
        limit: limits,
        draw: draws,
        reply,
        resample,
        ..Change::default()
    };
    let made = fork(house.library(), &id.to_string(), &change)?;
    let forked = Forked { id: made.id.to_string(), shared: made.until.0, said: made.said };
    answer(&json!(forked), &Part::default())
}

async fn found(house: &House, name: String) -> Result<CampaignId, Failure> {
    house.blocking(move |house| find(house.library(), &name)).await
}

async fn stands(house: &House, id: CampaignId) -> Result<Value, Failure> {
    house.blocking(move |house| standing_of(house, house.library(), id)).await
}

fn standing_of(house: &House, library: &Library, id: CampaignId) -> Result<Value, Failure> {
    let shown = house.tables().shown(id).unwrap_or_default();
    let (source, loaded) = load(library, &id.to_string())?;
    let state = loaded.campaign.state();
    let (word, detail) = standing(state.life());
    let held = |(seat, by): (&twicetold_event::Seat, &String)| Held {
        seat: seat.slug(),
        by: by.clone(),
        is_asked: shown.asked.is_some_and(|(_, asked)| asked == *seat),
    };
    let standing = Standing {
        id: id.to_string(),
        title: state.setup().campaign.title.clone(),
        state: word.to_owned(),
        detail: if detail.is_empty() { state.phase().name().to_owned() } else { detail },
        is_playing: shown.is_playing,
        turns: state.turn().number.into(),
        next: source.head().next.0,
        seats: state.table().people.iter().map(held).collect(),
        failure: shown.failed.map(|(message, help)| format!("{message}: {help}")),
        spent: house.spent(),
    };
    answer(&json!(standing), &Part::default())
}
