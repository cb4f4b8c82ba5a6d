//! `worker`: plays campaigns that wait in a database.

use std::process::ExitCode;
use std::sync::Arc;

use tokio::runtime::Builder;
use twicetold_host::spend::{Spend, Spending};
use twicetold_host::working::{News, Outcome, WORKER_PARALLEL_MAX, Work, waiting, work};
use twicetold_host::{Library, mapping};

use crate::failure::{Failure, code};
use crate::play::say;
use crate::signals::{StopSignals, threads};
use crate::terminal::{GOLD, GOOD, TROUBLE, counted, print, safe};
use crate::traced::{Afterwards, Traced};

/// Plays the campaigns that wait in a database
///
/// Start as many workers as you like, on as many machines. Each takes campaigns that nobody plays (`run --queue` and `sweep run --queue` put
/// them there), plays them and takes the next ones. When a worker dies, another one continues its campaigns after 15
/// seconds. Ctrl-C or SIGTERM pauses them: they stay in the queue. A campaign that fails is tried three times.
#[derive(clap::Args)]
pub struct Arguments {
    /// Campaigns side by side
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parallel)]
    parallel: usize,

    /// Calls in flight at one model server [default: as --parallel]
    #[arg(long, value_name = "N", value_parser = parallel)]
    per_server: Option<usize>,

    /// Stop when no campaign waits any more
    #[arg(long)]
    until_empty: bool,

    /// The model for every seat (a name in models.toml, ollama:NAME, openai:NAME or URL#NAME), or
    /// SEAT=NAME for one seat: dm, memory, player-1 … or players [default: those that this machine knows for the
    /// campaign]
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// Play a seat that this machine has given no model with the model of models.toml that is set up as the campaign
    /// says, so that campaigns of a sweep are played by the models of its plan
    #[arg(long, conflicts_with = "model")]
    same_models: bool,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled
    /// models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<std::path::PathBuf>,

    /// Budget for all campaigns of this worker together, for example 400calls, 200ktok (k = 1000 tokens) or
    /// 0.50usd (needs prices in models.toml)
    #[arg(long, value_name = "AMOUNT", value_parser = Spend::parse)]
    budget: Option<Spend>,

    #[command(flatten)]
    traced: Traced,
}

fn parallel(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=WORKER_PARALLEL_MAX).contains(number));
    number.ok_or_else(|| format!("give a number from 1 to {WORKER_PARALLEL_MAX}"))
}

/// Runs the command.
pub fn run(library: Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let before = waiting(&library)?;
    let budget = arguments.budget.as_ref().map(Spend::shared).transpose()?.map(Arc::new);
    let spending = budget.clone().map_or(Spending::Each, Spending::Shared);
    let same = arguments.same_models;
    let who =
        mapping::WhoPlays { model: arguments.model, config: arguments.config, same, budget: None, spending };
    let plan = Work {
        who,
        parallel: arguments.parallel,
        per_server: arguments.per_server.unwrap_or(arguments.parallel),
        until_empty: arguments.until_empty,
    };
    say(&format!("{} in the queue of {}", counted(before.queued, "campaign"), library.name()));
    let library = Arc::new(library);
    let traces = arguments.traced.afterwards(&library)?;
    let over = traces.as_ref().map(Afterwards::over);
    let told = move |news: News| {
        if let (News::Ended(id, Outcome::Over(_)), Some(over)) = (&news, &over) {
            over(*id);
        }
        told(news);
    };
    let runtime = threads(Builder::new_multi_thread().worker_threads(THREADS))?;
    let is_stopped = runtime.block_on(async {
        let mut signals = StopSignals::heard()?;
        let mut is_stopped = false;
        let stopped = async {
            signals.next().await;
            is_stopped = true;
            say("Pausing what is being played …");
        };
        work(library.clone(), plan, told, stopped).await?;
        if let Some(traces) = traces {
            traces.finish(&mut signals).await;
        }
        Ok::<_, Failure>(is_stopped)
    })?;
    let after = waiting(&library).unwrap_or_default();
    if after.given_up > 0 {
        let flag = library.flag();
        for (id, why) in &after.reasons {
            say(&safe(&format!("{id:.8}  given up: {why}")));
        }
        say(&format!(
            "{} failed three times and {} tried no more; `twicetold resume ID{flag}` plays one here",
            counted(after.given_up, "campaign"),
            if after.given_up == 1 { "is" } else { "are" }
        ));
    }
    if let Some(budget) = budget.filter(|budget| budget.is_used_up()) {
        say(&format!("The budget is used up: {}", budget.spent()));
        return Ok(ExitCode::from(code::PAUSED));
    }
    let has_failed = arguments.until_empty && after.given_up > before.given_up;
    Ok(ExitCode::from(match is_stopped {
        true => code::INTERRUPTED,
        false if has_failed => code::PAUSED,
        false => 0,
    }))
}

/// Threads that wait for the database at the same time, as many as there are connections to it.
const THREADS: usize = 8;

fn told(news: News) {
    let line = match news {
        News::Said(said) => return say(&safe(&said)),
        News::Took(id, title) => format!("{id:.8}  playing {}\n", safe(&title)),
        News::Ended(id, outcome) => {
            let (style, word, why) = match outcome {
                Outcome::Over(why) => (GOOD, "over", why),
                Outcome::Paused(why) => (GOLD, "paused", why),
                Outcome::Back(why) => (GOLD, "back in the queue", why),
                Outcome::Failed(why) => (TROUBLE, "failed", why),
                Outcome::Lacking(why) => (TROUBLE, "left to others", why),
            };
            format!("{id:.8}  {style}{word}: {}{style:#}\n", safe(&why))
        }
    };
    // Whoever closed the output does not want to know.
    let _ = print(&line);
}
