//! Plays a campaign and shows it: the story on standard output, progress on standard error, a card at the end.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::mpsc;
use twicetold_cast::{Casting, Handle, Notice, PlayError, Stop, play};
use twicetold_event::{Build, Entry, Event, Input, Millis, Seat, limits};
use twicetold_projection::people::lines;
use twicetold_provider::Provider;
use twicetold_referee::Campaign;
use twicetold_session::Session;
use twicetold_world::{Life, State};

use crate::failure::{Failure, code};
use crate::signals::StopSignals;
use crate::story;
use crate::terminal::{BOLD, DIM, GOOD, json_line, safe};

/// How much of the story is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// The story, for people.
    Story,
    /// The card at the end alone.
    Card,
    /// One JSON object a line for each event, and one for the end.
    Json,
}

/// This program's version, as entries state it.
pub fn build() -> Build {
    Build::new(env!("CARGO_PKG_VERSION"))
}

/// The clock: the edge of the program.
#[allow(
    clippy::disallowed_methods,
    reason = "the one clock of the program; logic sees only what the journal says"
)]
pub fn now() -> Millis {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Plays from `first` on until the campaign is over or parked. `view` is the campaign as it stands before.
pub fn run(session: Session, view: Campaign, first: Input, show: Show) -> Result<ExitCode, Failure> {
    let providers = crate::seats::providers(view.state().setup())?;
    run_with(session, view, first, show, providers)
}

/// The same with these providers.
pub fn run_with(
    session: Session,
    view: Campaign,
    first: Input,
    show: Show,
    providers: BTreeMap<Seat, Arc<dyn Provider>>,
) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(code::FAILED, format!("no threads: {error}"), ""))?;
    let id = session.id();
    runtime.block_on(async {
        let signals = StopSignals::listen().map_err(|error| {
            Failure::new(code::FAILED, format!("signals cannot be listened to: {error}"), "")
        })?;
        let (notices, watching) = mpsc::channel(limits::OBSERVER_QUEUE_MAX);
        let casting = Casting { session, providers, clock: Arc::new(now), first, notices: Some(notices) };
        let mut handle = play(casting).await.map_err(failure)?;
        let mut watcher = Watcher { view, show, bar: bar(show), broken: false };
        let interrupted = watch(&mut handle, &mut watcher, watching, signals).await;
        let (result, session) = handle.finished().await;
        watcher.bar.finish_and_clear();
        if let Some(session) = session {
            // Compacting is a courtesy; a campaign that is not closed is whole all the same.
            let _ = session.into_store().close();
        }
        let stop = result.map_err(failure)?;
        card(&watcher.view, &id.to_string(), show, watcher.broken);
        Ok(ExitCode::from(match (stop, interrupted) {
            (Stop::Ended, _) => 0,
            (Stop::Parked, true) => code::INTERRUPTED,
            (Stop::Parked, false) => code::PARKED,
        }))
    })
}

fn failure(error: PlayError) -> Failure {
    Failure::new(code::FAILED, error.to_string(), "`twicetold resume` goes on from what is in the journal")
}

/// Shows what happens until nothing more does; true when Ctrl-C parked the campaign.
async fn watch(
    handle: &mut Handle,
    watcher: &mut Watcher,
    mut watching: mpsc::Receiver<Notice>,
    mut signals: StopSignals,
) -> bool {
    let mut interrupted = false;
    loop {
        tokio::select! {
            biased;
            notice = watching.recv() => match notice {
                Some(notice) => watcher.notice(notice),
                None => return interrupted,
            },
            signal = signals.next(), if !interrupted => {
                interrupted = true;
                watcher.bar.set_message("parking …");
                // The table may be waiting for this watcher: keep reading while it parks.
                let mut parking = Box::pin(handle.park(signal));
                loop {
                    tokio::select! {
                        biased;
                        notice = watching.recv() => match notice {
                            Some(notice) => watcher.notice(notice),
                            None => break,
                        },
                        () = &mut parking => break,
                    }
                }
            }
        }
    }
}

struct Watcher {
    view: Campaign,
    show: Show,
    bar: ProgressBar,
    /// Standard output was closed: the campaign is played on in silence.
    broken: bool,
}

impl Watcher {
    fn notice(&mut self, notice: Notice) {
        let Notice::Committed(committed) = notice else { return };
        let entry = committed.entry;
        if let Err(error) = self.view.fold(&entry) {
            tracing::error!(%error, "the view cannot follow the journal");
            return;
        }
        let text = match self.show {
            Show::Card => String::new(),
            Show::Story => {
                let state = self.view.state();
                lines(state, self.view.replies(), &entry)
                    .iter()
                    .map(|line| story::rendered(state, line))
                    .collect()
            }
            Show::Json => json(&self.view, &entry),
        };
        if !text.is_empty() && !self.broken {
            let broken = &mut self.broken;
            self.bar.suspend(|| {
                let mut out = anstream::stdout().lock();
                *broken = out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err();
            });
        }
        self.bar.set_message(progress(self.view.state()));
        self.bar.tick();
    }
}

fn bar(show: Show) -> ProgressBar {
    let hidden = show == Show::Json || !std::io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("{spinner:.yellow} {wide_msg:.dim}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn progress(state: &State) -> String {
    let total = state.calls().total();
    let tokens = total.input_tokens + total.output_tokens;
    let turn = state.turn();
    let who = turn.seat.map(|seat| safe(&state.seat_name(seat))).unwrap_or_default();
    format!(
        "{} · turn {} · {who} · {} calls · {} tokens",
        state.phase().name(),
        turn.number,
        total.calls,
        thousands(tokens)
    )
}

/// `34.1k`, without floats.
pub fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        _ => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}

/// The events of an entry, a JSON object a line.
pub fn json(campaign: &Campaign, entry: &Entry) -> String {
    let spoken = lines(campaign.state(), campaign.replies(), entry);
    let mut out = String::new();
    for (number, event) in entry.numbered() {
        if matches!(event, Event::StateDigested(_)) {
            continue;
        }
        let line = spoken.iter().find(|line| line.number == number.0);
        let object = serde_json::json!({
            "number": number.0,
            "at_ms": entry.header.at.0,
            "turn": entry.header.turn,
            "event": event.name(),
            "speaker": line.map(|line| &line.speaker).filter(|speaker| !speaker.is_empty()),
            "text": line.map(|line| &line.text),
            "fields": event,
        });
        out += &json_line(&object);
    }
    out
}

/// The card at the end: outcome, goals, what to try next.
fn card(campaign: &Campaign, id: &str, show: Show, broken: bool) {
    if broken {
        return;
    }
    let state = campaign.state();
    let total = state.calls().total();
    let (life, next) = match state.life() {
        Life::Ended { observed, .. } => (format!("over: {observed}"), false),
        Life::Parked { reason } => (format!("parked: {}", safe(reason)), true),
        _ => ("interrupted".to_owned(), true),
    };
    let short = &id[..8];
    if show == Show::Json {
        let goals = twicetold_projection::people::goals(state);
        let object = serde_json::json!({
            "campaign": id, "state": life, "turns": state.turn().number, "calls": total.calls,
            "input_tokens": total.input_tokens, "output_tokens": total.output_tokens,
            "story": campaign.story().to_string(), "seed": state.setup().seed, "goals": goals,
        });
        let _ = anstream::stdout().write_all(json_line(&object).as_bytes());
        return;
    }
    let mut out = format!("\n{BOLD}{}{BOLD:#} is {life}\n", safe(&state.setup().campaign.title));
    for page in twicetold_projection::people::goals(state) {
        out += &format!("\n  {BOLD}{}{BOLD:#}\n", safe(&page.title));
        for goal in &page.goals {
            let mark = if goal.reached { format!("{GOOD}✔{GOOD:#}") } else { "·".to_owned() };
            let how = if goal.registered.is_some() { " (registered during play)" } else { "" };
            out += &format!("  {mark} {}{how}\n", crate::terminal::short(&goal.label, 100));
        }
        if let Some(ended) = &page.ended {
            out += &format!(
                "{}\n",
                crate::terminal::paragraphs(&format!("{ended} ({} messages)", page.messages), "    ")
            );
        }
    }
    let tokens = thousands(total.input_tokens + total.output_tokens);
    let (turns, calls, seed) = (state.turn().number, total.calls, state.setup().seed);
    out += &format!(
        "\n  {DIM}{turns} turns, {calls} calls, {tokens} tokens; seed {seed}; story {:.12}{DIM:#}\n",
        campaign.story()
    );
    if next {
        out += &format!("\n  twicetold resume {short}            goes on\n");
    }
    let goal = twicetold_projection::people::goals(state)
        .iter()
        .flat_map(|page| &page.goals)
        .rev()
        .find(|goal| goal.registered.is_some() || goal.reached)
        .map(|goal| goal.id.clone());
    out += &format!(
        "\n  twicetold replay {short}            tells it again and compares every event and request\n"
    );
    out += &format!(
        "  twicetold show {short} party        the party document (also goals, npcs, characters, memory, transcript, cost)\n"
    );
    if let Some(goal) = goal {
        out += &format!("  twicetold why {short} goal {goal}\n");
    }
    let _ = anstream::stdout().write_all(out.as_bytes());
}
