//! Tries a model at moments of a campaign, mode by mode, and shows what came of each.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use twicetold_host::measured::{Measured, Measurements};
use twicetold_host::moments::{Counts, Fitness, Kept, Mode, Moment, Moments, Purse, Role, Trial};
use twicetold_host::now;
use twicetold_host::seats::Profile;
use twicetold_host::spend::Spend;
use twicetold_model::{Fault, FaultKind};
use twicetold_probe::{Findings, LONG_WORDS, Probe, Verdict};
use twicetold_projection::people::grouped;
use twicetold_provider::Provider;

use crate::data::{self, TriedMode};
use crate::failure::Failure;
use crate::signals::StopSignals;
use crate::terminal::{DIM, counted, hanging, paragraphs, print, safe, short};

/// What is to be tried.
pub struct Wish<'a> {
    /// The campaign.
    pub campaign: &'a str,
    /// Turns in each mode.
    pub turns: usize,
    /// The modes; where none is named, all that the quick tests leave.
    pub modes: &'a [Mode],
    /// How much may be spent on it.
    pub budget: Spend,
}

/// A model that is tried.
pub struct Tried<'a> {
    /// How it is asked and reached.
    pub profile: &'a Profile,
    /// Who asks it.
    pub provider: &'a dyn Provider,
    /// Where the result is kept.
    pub measurements: &'a Measurements,
    /// Is the result printed as JSON, at the end?
    pub json: bool,
}

/// What the quick tests found.
pub struct Found<'a> {
    /// The findings.
    pub findings: &'a Findings,
    /// Milliseconds in which the long prompt was answered, if it was.
    pub long_ms: Option<u64>,
    /// The same of one sentence.
    pub short_ms: Option<u64>,
}

/// Moments in a row that end in a fault before a mode is given up: one may be bad luck.
const FAULTS_MAX: u32 = 2;

/// Model calls of ten turns, for the estimate: as models of half a billion to eight billion parameters make them.
const CALLS_OF_TEN: u64 = 20;
/// The same of a model that is guided: it chooses, fills in and speaks.
const CALLS_OF_TEN_GUIDED: u64 = 25;
/// Tokens of an answer, for the estimate: a few sentences.
const ANSWER_TOKENS: u64 = 120;

/// The same in sentences of the length of a quick test's.
const SENTENCES: u64 = 8;

/// What came of one mode.
struct Row {
    mode: Mode,
    kept: Kept,
    /// Why it was not tried to its end.
    ended: Option<String>,
}

/// What came of all modes.
pub struct Played {
    campaign: String,
    rows: Vec<Row>,
    /// With what was known before of modes that were not tried now.
    pub measured: Measured,
    /// The window of the model in tokens, where somebody says it.
    pub window: Option<u32>,
    /// The file that keeps it.
    file: Option<PathBuf>,
    /// Did a signal end it?
    pub interrupted: bool,
    /// Did its server cease to answer?
    pub silent: bool,
}

/// Plays the moments in each mode that is worth it.
pub async fn play(
    tried: &Tried<'_>,
    wish: &Wish<'_>,
    moments: &Moments,
    found: &Found<'_>,
    signals: &mut StopSignals,
) -> Result<Played, Failure> {
    let profile = tried.profile;
    let before = tried.measurements.read(profile);
    // A file that cannot be read is replaced.
    let measured = before.ok().flatten().unwrap_or_else(|| Measured::new(profile));
    let mut played = Played {
        campaign: wish.campaign.to_owned(),
        rows: Vec::new(),
        measured,
        window: window(tried).await,
        file: None,
        interrupted: false,
        silent: false,
    };
    // Of those that were asked for, each is tried; else those that the quick tests leave.
    let named = |mode: &Mode| wish.modes.is_empty() || wish.modes.contains(mode);
    let why = |mode| needless(mode, profile, found.findings).filter(|_| wish.modes.is_empty());
    let modes: Vec<_> = Mode::ALL.into_iter().filter(named).map(|mode| (mode, why(mode))).collect();
    let worth: Vec<Mode> = modes.iter().filter(|(_, why)| why.is_none()).map(|(mode, _)| *mode).collect();
    let mut purse = Purse::new(wish.budget.clone(), profile.price.clone())?;
    if !tried.json {
        print(&announcement(tried, wish, &worth, (moments, &purse), found))?;
    }
    let (mut over, mut has_memory) = (None, false);
    for (mode, needless) in modes {
        let row = match needless.map(str::to_owned).or_else(|| over.clone()) {
            None => {
                // All modes ask the memory agent the same: once is enough.
                let memory: &[Moment] = if has_memory { &[] } else { &moments.memory };
                let one = OneMode { tried, mode, moments: moments.turns.iter().chain(memory).collect() };
                let bar = bar(tried.json);
                let (row, memory, stop) = one.play(wish.campaign, &mut purse, signals, &bar).await?;
                bar.finish_and_clear();
                played.interrupted = matches!(stop, Some(Stop::Signal(_)));
                played.silent = matches!(stop, Some(Stop::Server(_)));
                has_memory |= memory.moments > 0;
                played.keep(&row, memory);
                over = stop.map(|stop| stop.why());
                row
            }
            Some(why) => Row { mode, kept: Kept::default(), ended: Some(format!("not tried: {why}")) },
        };
        if !tried.json {
            print(&row.line())?;
        }
        played.rows.push(row);
    }
    if played.is_measured() && !profile.setup.is_embedded() {
        played.file = Some(tried.measurements.write(profile, &played.measured)?);
    }
    Ok(played)
}

/// The window of a model, configured or asked for.
async fn window(tried: &Tried<'_>) -> Option<u32> {
    match (tried.profile.context, tried.provider.window()) {
        (None, Some(asked)) => asked.await,
        (known, _) => known,
    }
}

/// Why there is no point in a mode after what the quick tests found.
fn needless(mode: Mode, profile: &Profile, findings: &Findings) -> Option<&'static str> {
    let is = |probe, verdict| findings.verdict(probe) == Some(verdict);
    match mode {
        Mode::Native if profile.setup.is_embedded() => None,
        _ if profile.setup.is_embedded() => Some("the built-in improviser has one mode"),
        Mode::Native if Mode::of(&profile.setup) == Mode::Native && is(Probe::CallsTools, Verdict::No) => {
            Some("it called no tool in the test above")
        }
        Mode::Structured | Mode::Guided if !is(Probe::StructuredOutput, Verdict::Yes) => {
            Some("its server holds no reply to a schema")
        }
        _ => None,
    }
}

/// What will be done, and what it will cost, before it is done.
fn announcement(
    tried: &Tried<'_>,
    wish: &Wish<'_>,
    modes: &[Mode],
    (moments, purse): (&Moments, &Purse),
    found: &Found<'_>,
) -> String {
    let tokens = |of: &[Moment], mode: &Mode| {
        let model = mode.put(&tried.profile.setup);
        of.iter().map(|moment| u64::from(moment.tokens(&model))).sum::<u64>()
    };
    let mut calls = moments.memory.len() as u64;
    let mut read = modes.first().map_or(0, |mode| tokens(&moments.memory, mode));
    for mode in modes {
        let of_ten = if *mode == Mode::Guided { CALLS_OF_TEN_GUIDED } else { CALLS_OF_TEN };
        calls += moments.turns.len() as u64 * of_ten / 10;
        read += tokens(&moments.turns, mode) * of_ten / 10;
    }
    let cost = purse.cost(read, calls * ANSWER_TOKENS);
    let cost = cost.map_or_else(String::new, |cost| format!(" ({cost} without the server's cache)"));
    let time = found.long_ms.zip(found.short_ms).map(|(long_ms, short_ms)| {
        let reads = read.saturating_mul(long_ms) / LONG_WORDS as u64;
        reads.saturating_add(calls.saturating_mul(short_ms).saturating_mul(SENTENCES)) / 60_000 + 1
    });
    let time = time.map_or_else(String::new, |minutes| format!(", and some {} min", rounded(minutes)));
    let names = modes.iter().map(|mode| mode.name()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "Next it plays {} of {} in each of these tool modes: {names}. That takes about {} and {} tokens{cost}{time}. \
         Ctrl-C ends it and shows what was measured by then.",
        counted(wish.turns as u64, "moment"),
        safe(wish.campaign),
        counted(rounded(calls), "model call"),
        grouped(rounded(read), ','),
    );
    let head = format!(
        "  {:<10} {:<31} {:>12} {:>7} {:>7} {:>6}",
        "mode", "tool calls accepted (95 %)", "turns usable", "a call", "tokens", "cached"
    );
    format!("\n{}\n\n{DIM}{head}{DIM:#}\n", paragraphs(&text, "  "))
}

/// Two digits of an estimate: it knows no more.
fn rounded(number: u64) -> u64 {
    let step = 10u64.pow(number.checked_ilog10().unwrap_or_default().saturating_sub(1));
    number.div_ceil(step) * step
}

/// What ends more than a moment.
enum Stop {
    /// A signal.
    Signal(&'static str),
    /// Nothing is left of the budget.
    Budget,
    /// Its server does not answer any more.
    Server(String),
}

impl Stop {
    fn why(&self) -> String {
        match self {
            Stop::Signal(signal) => (*signal).to_owned(),
            Stop::Budget => "the budget is used up".into(),
            Stop::Server(why) => why.clone(),
        }
    }
}

/// One mode of a model.
struct OneMode<'a> {
    tried: &'a Tried<'a>,
    mode: Mode,
    moments: Vec<&'a Moment>,
}

impl OneMode<'_> {
    async fn play(
        &self,
        campaign: &str,
        purse: &mut Purse,
        signals: &mut StopSignals,
        bar: &ProgressBar,
    ) -> Result<(Row, Counts, Option<Stop>), Failure> {
        let mut kept = Kept { at_ms: now().0, campaign: campaign.to_owned(), ..Kept::default() };
        let (mut memory, mut faults) = (Counts::default(), 0);
        let setup = self.mode.put(&self.tried.profile.setup);
        let row = |kept, ended| Row { mode: self.mode, kept, ended };
        let trial = match Trial::new(self.tried.provider, setup) {
            Ok(trial) => trial,
            Err(error) => {
                return Ok((row(kept, Some(format!("not tried: {}", error.message))), memory, None));
            }
        };
        let began = now().0;
        for (place, moment) in self.moments.iter().enumerate() {
            bar.set_message(self.progress(place, now().0.saturating_sub(began)));
            let stop = if purse.is_empty() {
                Some(Stop::Budget)
            } else {
                let mut goes_on = |usage: &_| {
                    purse.pay(usage);
                    !purse.is_empty()
                };
                tokio::select! {
                    biased;
                    signal = signals.next() => Some(Stop::Signal(signal)),
                    played = trial.play(moment, &mut goes_on) => {
                        let (counts, fault) = played?;
                        kept.add(moment.role, counts);
                        if moment.role == Role::Memory {
                            memory = memory.plus(counts);
                        }
                        faults = if fault.is_some() { faults + 1 } else { 0 };
                        match fault.filter(|_| faults >= FAULTS_MAX) {
                            Some(fault) if is_about_the_request(fault.kind) => {
                                let why = stopped(place, &described(&fault));
                                return Ok((row(kept, Some(why)), memory, None));
                            }
                            fault => fault.map(|fault| Stop::Server(described(&fault))),
                        }
                    }
                }
            };
            if let Some(stop) = stop {
                return Ok((row(kept, Some(stopped(place, &stop.why()))), memory, Some(stop)));
            }
        }
        Ok((row(kept, None), memory, None))
    }

    fn progress(&self, place: usize, took_ms: u64) -> String {
        let (place, all) = (place as u64, self.moments.len() as u64);
        let left = (took_ms / 1_000 * (all - place)).checked_div(place);
        let left = left.map_or_else(String::new, |seconds| match seconds {
            0..90 => format!(", about {seconds} s left"),
            _ => format!(", about {} min left", seconds.div_ceil(60)),
        });
        format!("{}: moment {} of {all}{left}", self.mode.name(), place + 1)
    }
}

fn stopped(place: usize, why: &str) -> String {
    format!("stopped at moment {}: {why}", place + 1)
}

fn described(fault: &Fault) -> String {
    format!("{}: {}", fault.kind.describe(), fault.message)
}

/// Would the next request of another mode perhaps be taken?
fn is_about_the_request(kind: FaultKind) -> bool {
    use FaultKind::*;
    !matches!(kind, Unreachable | Timeout | Unauthorized | RateLimited | OutOfCredit)
}

/// A line for people on a terminal; who reads a file wants none.
fn bar(json: bool) -> ProgressBar {
    let target = match !json && std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("  {spinner} {msg} ({elapsed})");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

impl Row {
    /// The mode on one line, and why it ended on others.
    fn line(&self) -> String {
        let name = self.mode.name();
        let turns = self.kept.turns();
        let why = self.ended.as_ref().map(|why| short(why, 400));
        if turns.moments == 0 {
            let first = format!("  {name:<10} ");
            return format!("{}\n", hanging(&why.unwrap_or_default(), &first, &" ".repeat(13)));
        }
        let calls = match turns.rate() {
            None => "none made".to_owned(),
            Some(rate) => format!(
                "{} of {}, {} % ({} to {} %)",
                turns.accepted,
                turns.tool_calls,
                (rate.rate + 5) / 10,
                rate.low / 10,
                rate.high.div_ceil(10)
            ),
        };
        let per_answer = |sum: u64| sum.checked_div(turns.answers).unwrap_or_default();
        let tenths = per_answer(turns.ms) / 100;
        let seconds = format!("{}.{} s", tenths / 10, tenths % 10);
        let tokens = match per_answer(turns.input_tokens) {
            0 => "–".to_owned(),
            tokens => grouped(tokens, ','),
        };
        let cached = turns.cached_percent().map_or_else(|| "–".to_owned(), |percent| format!("{percent} %"));
        let usable = format!("{} of {}", turns.used, turns.moments);
        let line = format!("  {name:<10} {calls:<31} {usable:>12} {seconds:>7} {tokens:>7} {cached:>6}\n");
        let why = why.map(|why| format!("{}\n", hanging(&why, &" ".repeat(13), &" ".repeat(13))));
        line + &why.unwrap_or_default()
    }

    fn data(&self) -> TriedMode {
        let turns = self.kept.turns();
        TriedMode {
            mode: self.mode,
            turns,
            accepted_permille: turns.rate(),
            usable_permille: turns.use_rate(),
            dm: self.kept.dm,
            player: self.kept.player,
            ended: self.ended.clone(),
        }
    }
}

impl Played {
    /// What was tried to its end takes the place of what was known.
    fn keep(&mut self, row: &Row, memory: Counts) {
        if row.ended.is_none() {
            self.measured.mode.insert(row.mode, row.kept.clone());
        }
        if memory.moments > 0 {
            self.measured.memory = memory;
        }
    }

    /// Was a mode tried to its end?
    fn is_measured(&self) -> bool {
        self.rows.iter().any(|row| row.ended.is_none() && row.kept.turns().moments > 0)
    }

    /// The mode in which the model plays best, if it plays well in any and one was tried to its end.
    pub fn best(&self) -> Option<Mode> {
        self.measured.best().filter(|_| self.is_measured())
    }

    /// For each role whether the model is fit for it, where that is known, and what was counted.
    pub fn seats(&self) -> Vec<(Role, Option<bool>, String)> {
        if !self.is_measured() {
            return Vec::new();
        }
        let shown = |counts: &Counts| {
            let usable = format!("{} of {} usable", counts.used, counted(counts.moments, "turn"));
            match counts.tool_calls {
                0 => usable,
                calls => format!("{} of {} accepted, {usable}", counts.accepted, counted(calls, "tool call")),
            }
        };
        let all = self.measured.fitness().into_iter();
        all.map(|(role, counts, fitness)| {
            let shown = shown(&counts);
            match fitness {
                Fitness::Fit => (role, Some(true), shown),
                Fitness::Unfit(why) => (role, Some(false), format!("{why} ({shown})")),
                Fitness::Unsure(why) => (role, None, format!("{why} ({shown})")),
            }
        })
        .collect()
    }

    /// The best mode and the window, for people.
    pub fn conclusion(&self) -> String {
        let best = match self.best() {
            _ if !self.is_measured() => "No mode was tried to its end: nothing was kept.".to_owned(),
            Some(mode) => format!("Best tool mode: {}.", mode.name()),
            None => "It plays well in none of these modes.".to_owned(),
        };
        let window = self.window.map(|window| format!(" Window: {} tokens.", grouped(window.into(), ',')));
        let text = paragraphs(&(best + &window.unwrap_or_default()), "  ");
        let kept = self.file.as_ref().map(|file| {
            format!(
                "\n  `tool_calls = \"auto\"` uses what is kept in\n  {}",
                safe(&file.display().to_string())
            )
        });
        format!("{text}{}\n", kept.unwrap_or_default())
    }

    /// The same for programs.
    pub fn data(&self) -> data::Moments {
        data::Moments {
            campaign: self.campaign.clone(),
            modes: self.rows.iter().map(Row::data).collect(),
            memory: self.measured.memory,
            best: self.best(),
            window: self.window,
            file: self.file.clone(),
        }
    }
}
