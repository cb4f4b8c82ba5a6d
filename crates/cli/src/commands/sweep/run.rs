//! `sweep run`: plays what is left of a plan, with one line of progress for the whole.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::runtime::Builder;
use twicetold_host::Library;
use twicetold_host::sweeping::{News, NoSweep, Queued, Standing, Sweep, enqueue, play, results};
use twicetold_host::words::quoted;

use super::shown::{Results, print_results};
use crate::card::thousands;
use crate::failure::{Failure, code};
use crate::play::say;
use crate::signals::{StopSignals, threads};
use crate::terminal::{counted, print, safe};
use crate::traced::Afterwards;

/// How often the line of progress moves.
const TICK: Duration = Duration::from_millis(250);

/// Threads that wait for the disk, and for servers that campaigns are opened with. More of them take memory and make no disk faster.
const WAITING_MAX: usize = 64;

/// Runs the command.
pub(super) fn run(library: Library, arguments: &super::Run) -> Result<ExitCode, Failure> {
    arguments.output.page_is_free()?;
    let plan = &arguments.plan;
    if arguments.queue {
        library.queue()?;
    }
    let sweep = Sweep::read(&library, plan, arguments.config.as_deref());
    let sweep = sweep.map_err(|why| no_sweep(plan, why))?;
    if arguments.queue {
        let flags = format!("{}{}", config(arguments), arguments.traced.flag());
        return queue(&library, &sweep, &flags);
    }
    let ended = Ended {
        again: format!(
            "`twicetold sweep run {}{}{}`",
            quoted(&plan.display().to_string()),
            config(arguments),
            library.flag()
        ),
        raise: "Raise `budget` in the plan",
    };
    let library = Arc::new(library);
    let traces = arguments.traced.afterwards(&library)?;
    played(&library, Arc::new(sweep), &ended, traces, |results| {
        print_results(results, &arguments.output, None)
    })
}

fn config(arguments: &super::Run) -> String {
    let named = arguments.config.as_ref().map(|folder| folder.display().to_string());
    named.map_or_else(String::new, |folder| format!(" --config {}", quoted(&folder)))
}

/// Lets workers play the campaigns. They send the traces, as `traced` says.
fn queue(library: &Library, sweep: &Sweep, traced: &str) -> Result<ExitCode, Failure> {
    let mut told = BTreeSet::new();
    let mut say_once = |said: &str| {
        if told.insert(said.to_owned()) {
            say(said);
        }
    };
    let Queued { waiting, done } = enqueue(library, sweep, &mut say_once)?;
    let (name, flag) = (&sweep.plan.name, library.flag());
    print(&format!("{name}: {} queued, {done} done before\n", counted(waiting as u64, "campaign")))?;
    if waiting > 0 {
        say(&format!("`twicetold worker --same-models{traced}{flag}` plays them, on any machine."));
    }
    say(&format!("`twicetold sweep show {name}{flag}` shows the results."));
    Ok(ExitCode::SUCCESS)
}

/// What is said of a sweep that is not over.
pub(super) struct Ended {
    /// What continues it.
    pub again: String,
    /// What to do where its budget is used up.
    pub raise: &'static str,
}

/// Plays what is left of a sweep, prints its results, and says by the exit code how it ended.
pub(super) fn played(
    library: &Arc<Library>,
    sweep: Arc<Sweep>,
    ended: &Ended,
    traces: Option<Afterwards>,
    shows: impl FnOnce(&Results<Arc<Sweep>>) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    let total = sweep.cells().len();
    let mut runtime = Builder::new_multi_thread();
    let runtime = threads(runtime.worker_threads(2).max_blocking_threads(WAITING_MAX))?;
    let (played, is_stopped, mut signals) = runtime.block_on(async {
        let mut signals = StopSignals::heard()?;
        let bar = bar(total);
        let mut is_stopped = false;
        let stopped = async {
            signals.next().await;
            is_stopped = true;
            bar.set_prefix("pausing … ");
        };
        let shown = bar.clone();
        let first = std::sync::OnceLock::new();
        let over = traces.as_ref().map(Afterwards::over);
        let tell = move |news: News| match news {
            News::Over(id) => over.iter().for_each(|over| over(id)),
            News::Said(said) => shown.suspend(|| say(&said)),
            News::Stands { done, running, failed, tokens, money, .. } => {
                let mut parts = vec![format!("{done} of {total} done"), format!("{running} running")];
                parts.extend((failed > 0).then(|| format!("{failed} failed")));
                parts.push(format!("{} tokens", thousands(tokens)));
                parts.extend(money.map(|(money, currency)| format!("{} {currency}", money.rounded())));
                if running > 0 {
                    let before = *first.get_or_init(|| done);
                    parts.extend(left(shown.elapsed(), done - before.min(done), total - done - failed));
                }
                shown.set_position((done + failed) as u64);
                shown.set_message(parts.join(" · "));
            }
        };
        let played = play(library.clone(), sweep.clone(), tell, stopped).await;
        bar.finish_and_clear();
        Ok::<_, Failure>((played?, is_stopped, signals))
    })?;
    let mut found = results(library, &sweep, played.cards);
    // Why a campaign could not be opened stands in no journal.
    for (one, played) in found.iter_mut().zip(&played.standings) {
        if one.standing != Standing::Done && matches!(played, Standing::Failed(_)) {
            one.standing = played.clone();
        }
    }
    let open = found.iter().filter(|one| one.standing != Standing::Done).count();
    let failed = found.iter().filter(|one| matches!(one.standing, Standing::Failed(_))).count();
    let code = shows(&Results { sweep, found, flag: library.flag() })?;
    if let Some(traces) = traces {
        runtime.block_on(traces.finish(&mut signals));
    }
    let Ended { again, raise } = ended;
    if is_stopped && open > 0 {
        say(&format!("Stopped; {} left. {again} continues.", counted(open as u64, "campaign")));
        return Ok(ExitCode::from(code::INTERRUPTED));
    }
    if let Some(used_up) = played.used_up.filter(|_| open > 0) {
        let left = counted(open as u64, "campaign");
        say(&format!("The budget of {used_up} is used up; {left} left. {raise}; then {again} continues."));
        return Ok(ExitCode::from(code::PAUSED));
    }
    if failed > 0 {
        say(&format!("{} failed. {again} tries again.", counted(failed as u64, "campaign")));
        return Ok(ExitCode::from(code::PAUSED));
    }
    Ok(code)
}

/// All that is wrong with a plan, a line each, and then the failure.
fn no_sweep(plan: &Path, why: NoSweep) -> Failure {
    let (text, mistakes) = match why {
        NoSweep::Failed(error) => return error.into(),
        NoSweep::Mistakes(text, mistakes) => (text, mistakes),
    };
    let plan = plan.display();
    for mistake in &mistakes {
        say(&safe(&format!("{plan}:{}: {}", mistake.line(&text), mistake.message)));
        if !mistake.help.is_empty() {
            say(&safe(&format!("  help: {}", mistake.help)));
        }
    }
    let count = counted(mistakes.len() as u64, "mistake");
    Failure::new(code::USAGE, format!("{plan} has {count}; nothing was played"), "")
}

fn bar(total: usize) -> ProgressBar {
    let hidden = !std::io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(total as u64), target);
    let style = ProgressStyle::with_template("{spinner:.yellow} {elapsed:.dim} {prefix}{wide_msg:.dim}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    bar
}

/// How long the rest takes if it goes on as before; nothing before one campaign is over.
fn left(elapsed: Duration, done: usize, open: usize) -> Option<String> {
    let (done, open) = (u32::try_from(done).ok()?, u32::try_from(open).ok()?);
    let left = elapsed.checked_div(done)?.checked_mul(open)?.as_secs();
    Some(match left {
        0..60 => "less than a minute left".to_owned(),
        60..7_200 => format!("about {} min left", left / 60),
        _ => format!("about {} h left", left / 3_600),
    })
}
