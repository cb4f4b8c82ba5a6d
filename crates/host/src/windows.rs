//! Does what a model is asked fit its window? The window is configured or asked from the server; the prompts are measured before
//! anything is written.

mod largest;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use twicetold_event::Seat;
use twicetold_provider::Provider;
use twicetold_world::setup::{Setup, SourceFile};

use crate::seats::Seated;
use crate::words::safe;
use crate::{Error, Kind};
use largest::{Largest, largest};

/// The shortest history that is worth playing with, in bytes: the last few messages, some 1,000 tokens.
const HISTORY_BYTES_MIN: u32 = 3_000;

/// The limit of the history in play.
pub(crate) const HISTORY: &str = "history_bytes_max";
/// The limit of the history in Session Zero.
pub(crate) const SESSION_ZERO: &str = "session_zero_history_bytes_max";

/// Limits with which every prompt fits its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorter {
    /// Which is to be what.
    limits: Vec<(&'static str, u32)>,
    /// The model that wants it.
    model: String,
    window: u32,
}

impl Shorter {
    /// Writes them into the files of a charter.
    pub fn put(&self, files: &mut [SourceFile]) {
        for (name, value) in &self.limits {
            put_limit(files, name, *value, "fits the windows of the models");
        }
    }
}

impl fmt::Display for Shorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = self.limits.iter().map(|(name, value)| format!("{name} = {value}"));
        let (limits, model) = (limits.collect::<Vec<_>>().join(" and "), safe(&self.model));
        write!(f, "The window of {model} is {} tokens: the campaign is opened with {limits}.", self.window)
    }
}

/// A limit of a campaign becomes part of its charter. It takes the place of the campaign's own.
pub(crate) fn put_limit(files: &mut [SourceFile], name: &str, value: u32, why: &str) {
    for file in files.iter_mut().filter(|file| ["campaign.toml", "limits.toml"].contains(&file.path.as_str()))
    {
        let first =
            if file.path == "limits.toml" { format!("{name} = {value}  # {why}\n") } else { String::new() };
        let is_it = |line: &str| line.split('=').next().is_some_and(|key| key.trim() == name);
        let kept = file.text.lines().filter(|line| !is_it(line));
        file.text = Arc::from(first + &kept.map(|line| format!("{line}\n")).collect::<String>());
    }
}

/// Tokens that so many take at the least, of 100 of the estimate: it counts three bytes for a token, and hardly a tokenizer gets more than
/// four out of English.
const LEAST_PERCENT: u64 = 75;

fn at_least(tokens: u64) -> u64 {
    tokens * LEAST_PERCENT / 100
}

/// Whether every prompt of a campaign fits the window of its model; where it fits with a shorter history only, the limits for that. A
/// window that nobody says is not checked.
///
/// # Errors
/// A prompt cannot fit, however short the history.
pub fn shorter(setup: &Setup, seated: &BTreeMap<Seat, Seated>) -> Result<Option<Shorter>, Error> {
    let windows = windows(setup, seated);
    if windows.is_empty() {
        return Ok(None);
    }
    let least = |limit: u32| limit.min(HISTORY_BYTES_MIN);
    let mut shorter: BTreeMap<&'static str, (u32, Seat, u32)> = BTreeMap::new();
    for one in largest(setup, least)? {
        let Some(window) = windows.get(&one.seat).copied() else { continue };
        let (name, most) = if one.before_play {
            (SESSION_ZERO, setup.limits.session_zero_history_bytes_max)
        } else {
            (HISTORY, setup.limits.history_bytes_max)
        };
        let room = u64::from(window).saturating_sub(u64::from(one.reply));
        if room < at_least(one.tokens) {
            return Err(too_small(setup, &one, window, least(most)));
        }
        let bytes = room.saturating_sub(one.tokens) * 300 / u64::from(factor(setup, one.seat).max(1));
        let fits = u32::try_from(u64::from(least(most)) + bytes).unwrap_or(u32::MAX);
        let before = shorter.get(name).map_or(most, |(bytes, ..)| *bytes);
        if one.has_history && fits < before {
            shorter.insert(name, (fits, one.seat, window));
        }
    }
    // The seat with the shortest history is the reason for all.
    let Some((_, seat, window)) = shorter.values().min().copied() else { return Ok(None) };
    let model = model_of(setup, seat);
    let limits = shorter.into_iter().map(|(name, (bytes, ..))| (name, bytes)).collect();
    Ok(Some(Shorter { limits, model, window }))
}

/// The same for seats of a campaign that has its limits already.
///
/// # Errors
/// A prompt does not fit with the history that the campaign shows.
pub fn check(setup: &Setup, seated: &BTreeMap<Seat, Seated>) -> Result<(), Error> {
    let Some(Shorter { limits, model, window }) = shorter(setup, seated)? else { return Ok(()) };
    let needed =
        limits.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(" and ");
    let message = format!(
        "the window of {:?} is {window} tokens: the prompts of this campaign fit into it only with {needed}; nothing was written",
        safe(&model)
    );
    let flags = limits.iter().map(|(name, value)| format!(" --limit {name}={value}")).collect::<String>();
    let help = format!(
        "add{flags} to `twicetold fork ID --model …`: the branch plays on with a shorter history; or use a model with a larger window"
    );
    Err(Error::new(Kind::Usage, message, help))
}

/// The window of each seat whose model has one that is known.
fn windows(setup: &Setup, seated: &BTreeMap<Seat, Seated>) -> BTreeMap<Seat, u32> {
    let told = |seat: Seat| setup.seats.of(seat).is_some_and(|model| model.protocol == "ollama");
    // What a server is told counts only as far as the model can read; everywhere else, what is configured is not asked.
    let unknown = seated.iter().filter(|(seat, one)| one.context.is_none() || told(**seat));
    // A server is asked once for each of its models, whoever is played by it.
    let key = |seat: Seat, one: &Seated| (one.address.clone(), model_of(setup, seat));
    let providers: BTreeMap<_, _> =
        unknown.map(|(seat, one)| (key(*seat, one), one.provider.clone())).collect();
    let asked = ask(&providers.values().cloned().collect::<Vec<_>>());
    let asked: BTreeMap<_, _> = providers.into_keys().zip(asked).collect();
    let windows = seated.iter().filter_map(|(seat, one)| {
        let answer =
            asked.get(&key(*seat, one)).copied().flatten().filter(|_| one.context.is_none() || told(*seat));
        let known = [one.context, answer].into_iter().flatten().min()?;
        Some((*seat, known))
    });
    windows.collect()
}

/// Asks each server, all at the same time. A runtime of its own: whoever opens a campaign need not have one, and may be in one.
fn ask(providers: &[Arc<dyn Provider>]) -> Vec<Option<u32>> {
    let asked = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
            Some(runtime.block_on(async {
                let mut asking = Vec::new();
                for provider in providers {
                    let provider = provider.clone();
                    asking.push(tokio::spawn(async move { provider.window()?.await }));
                }
                let mut windows = Vec::new();
                for one in asking {
                    windows.push(one.await.ok().flatten());
                }
                windows
            }))
        });
        asking.join().ok().flatten()
    });
    asked.unwrap_or_else(|| vec![None; providers.len()])
}

fn factor(setup: &Setup, seat: Seat) -> u32 {
    setup.seats.of(seat).map_or(100, |model| model.token_factor_percent)
}

fn model_of(setup: &Setup, seat: Seat) -> String {
    setup.seats.of(seat).map(|model| model.model.clone()).unwrap_or_default()
}

fn too_small(setup: &Setup, one: &Largest, window: u32, history: u32) -> Error {
    let (seat, needs) = (one.seat, at_least(one.tokens));
    let history_tokens = match one.has_history {
        true => at_least(u64::from(history) * u64::from(factor(setup, seat)) / 300).min(needs),
        false => 0,
    };
    let shown = match one.has_history {
        true => format!("{history_tokens} for the shortest history ({history} bytes), "),
        false => String::new(),
    };
    let when = if one.before_play { "in Session Zero" } else { "in play" };
    let message = format!(
        "the window of {:?}, which plays {}, is {window} tokens, but {when} it needs at least {}: {} for instructions, tools and state, \
         {shown}{} for the reply (tokens_max); nothing was written",
        safe(&model_of(setup, seat)),
        seat.slug(),
        needs + u64::from(one.reply),
        needs - history_tokens,
        one.reply,
    );
    let help = "use a model with a larger window, or start its server with one (llama.cpp: --ctx-size; Ollama: `context = N` in models.toml); `context = N` \
                also corrects a window that the server does not say, and `compat = { tool_calls = \"guided\" }` asks in short prompts";
    Error::new(Kind::Usage, message, help)
}
