//! `bench`: ranks models as DM and as players, by one bundled plan.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use twicetold_host::Library;
use twicetold_host::seats::Models;
use twicetold_host::spend::Spend;
use twicetold_host::sweeping::bench::{Bench, CAMPAIGN, MODELS_MAX, NAME, SEEDS, WITH};
use twicetold_host::sweeping::{NoSweep, Sweep};
use twicetold_sweep::{Better, PARALLEL_MAX, ROLES, Ranked, Role, rank, written};

use super::run::{Ended, played};
use super::shown::{Results, failed, write_page};
use crate::data::{self, BenchModel, BenchResults, BenchRole, BenchScore, WhichIsBetter};
use crate::failure::{Failure, code};
use crate::files::is_free;
use crate::pager::page;
use crate::play::say;
use crate::terminal::{BOLD, counted, hanging, safe, short};
use crate::traced::Traced;

/// Ranks models as DM and as players, by one bundled plan
///
/// Each model plays the same campaign under the same seeds twice: once as DM and once as all players. The
/// improviser (or the model of --with) plays the other seats, and is ranked too. A model is better where the 95 %
/// interval of the paired difference of a score says so. It is a sweep: `sweep show bench` shows all differences,
/// and the same command continues one that was stopped; with more models it plays only what is new.
///
/// All of this makes model calls, which may cost money: the program says how many before it begins, and does not
/// begin if --budget does not pay for all of them.
#[derive(clap::Args)]
pub struct Arguments {
    /// The models: names in models.toml, ollama:NAME, openai:NAME or URL#NAME
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<String>,

    /// The model at all other seats
    #[arg(long, value_name = "MODEL", default_value = WITH)]
    with: String,

    /// The campaign: the id of a bundled campaign or a campaign file
    #[arg(long, value_name = "CAMPAIGN", default_value = CAMPAIGN)]
    campaign: String,

    /// How many seeds to play; fewer than 10 give no ranking
    #[arg(long, value_name = "N", default_value_t = SEEDS, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    seeds: u64,

    /// Campaigns side by side
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=PARALLEL_MAX))]
    parallel: u64,

    /// Budget for all campaigns together, for example 400calls, 200ktok (k = 1000 tokens) or 0.50usd (needs prices in
    /// models.toml)
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    budget: Option<String>,

    /// The name of the sweep; another name begins anew
    #[arg(long, default_value = NAME)]
    name: String,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Also write the page of the sweep into this file, as `sweep show --html` does
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Replace the file of --html if it exists
    #[arg(long, requires = "html")]
    force: bool,

    #[command(flatten)]
    traced: Traced,
}

fn amount(text: &str) -> Result<String, String> {
    Spend::parse(text).map(|_| text.to_owned())
}

/// Runs the command.
pub fn run(library: Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    arguments.html.as_ref().map_or(Ok(()), |file| is_free(file, arguments.force))?;
    let models = wanted(arguments)?;
    let bench = Bench {
        name: &arguments.name,
        models: &models,
        with: &arguments.with,
        campaign: &arguments.campaign,
        seeds: arguments.seeds,
        parallel: usize::try_from(arguments.parallel).unwrap_or(1),
        budget: arguments.budget.as_deref(),
    };
    let sweep = Sweep::bench(&library, &bench, arguments.config.as_deref()).map_err(no_bench)?;
    say(&format!("{}: {}", counted(sweep.cells().len() as u64, "campaign"), sweep.estimate(&library)?));
    let library = Arc::new(library);
    let ended = Ended { again: "The same command".to_owned(), raise: "Raise --budget" };
    let traces = arguments.traced.afterwards(&library)?;
    played(&library, Arc::new(sweep), &ended, traces, |results| {
        let text = match arguments.json {
            true => data::document(whole(&bench, results)),
            false => text(&bench, results),
        };
        page(&text)?;
        if let Some(file) = &arguments.html {
            write_page(results, &results.sweep.plan.scores, file, arguments.force)?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// The models that are ranked beside the one at all other seats.
fn wanted(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let known = Models::of(arguments.config.as_deref())?;
    known.find(&arguments.with)?;
    let mut models: Vec<String> = Vec::new();
    for name in &arguments.models {
        known.find(name)?;
        if *name != arguments.with && !models.contains(name) {
            models.push(name.clone());
        }
    }
    if models.is_empty() {
        let message =
            format!("{} plays all other seats, and there is no other model to rank", arguments.with);
        let help =
            "name another model, for example improv:chaos, which needs no key; `twicetold models` lists them";
        return Err(Failure::new(code::USAGE, message, help));
    }
    if models.len() > MODELS_MAX {
        let message =
            format!("{} are too many for one ranking; at most {MODELS_MAX} are possible", models.len());
        return Err(Failure::new(code::USAGE, message, "rank them in parts, with --name for each"));
    }
    Ok(models)
}

fn no_bench(why: NoSweep) -> Failure {
    let mistakes = match why {
        NoSweep::Failed(error) => return error.into(),
        NoSweep::Mistakes(_, mistakes) => mistakes,
    };
    for mistake in mistakes.iter().skip(1) {
        say(&safe(&mistake.message));
    }
    let first = mistakes.into_iter().next();
    let (message, help) = first.map_or_else(Default::default, |first| (first.message, first.help));
    Failure::new(code::USAGE, format!("{message}; nothing was played"), help)
}

fn ranks<S: Deref<Target = Sweep>>(
    bench: &Bench<'_>,
    results: &Results<S>,
) -> Vec<(&'static Role, Vec<Ranked>)> {
    let (played, seed) = (results.played(), results.sweep.plan.interval_seed);
    let of = |(place, role)| (role, rank(role, &bench.variants(place), &played, seed));
    ROLES.iter().enumerate().map(of).collect()
}

fn text<S: Deref<Target = Sweep>>(bench: &Bench<'_>, results: &Results<S>) -> String {
    let (done, all) = (results.done(), counted(results.found.len() as u64, "campaign"));
    let mut out = format!("{BOLD}{}{BOLD:#}: {done} of {all} done\n", safe(bench.name));
    let (mut compared, mut is_known) = (0, false);
    for (role, ranked) in ranks(bench, results) {
        out += &format!("\n{BOLD}{}{BOLD:#}, all other seats {}\n", role.name, short(bench.with, 40));
        for one in &ranked {
            compared += one.compared;
            is_known |= one.rank.is_some();
            let place = one.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
            let model = short(bench.model(one.variant), 60);
            let verdict = match one.compared {
                0 => "too few pairs for a rank".to_owned(),
                compared => format!("better in {} of {compared}, worse in {}", one.better, one.worse),
            };
            out += &format!("  {place:>2}  {BOLD}{model}{BOLD:#}: {verdict}\n");
            let mean = |((score, _), mean): ((&'static twicetold_sweep::Score, Better), &Option<f64>)| {
                let mean = mean.map_or_else(|| "not known".to_owned(), |mean| written(score.unit, mean));
                // What belongs together stays on one line.
                format!("{} {mean}", score.name).replace(' ', "\u{a0}")
            };
            let means: Vec<String> = role.counted().zip(&one.means).map(mean).collect();
            out += &hanging(&means.join(", "), "      ", "      ").replace('\u{a0}', " ");
            out.push('\n');
        }
    }
    out.push('\n');
    if is_known {
        let note = format!(
            "Better and worse: the 95 % interval of the paired difference does not hold 0. Of {} comparisons one in \
             twenty may look like that by chance. accepted and primary are better when higher, the others when lower; \
             all are of the whole table.",
            compared / 2
        );
        out += &hanging(&note, "", "");
    } else {
        out += "Too few: a rank needs 10 pairs, each a campaign under a seed.";
    }
    out += &format!("\n`twicetold sweep show {}` shows the differences.\n", safe(bench.name));
    out + &failed(results)
}

fn whole<S: Deref<Target = Sweep>>(bench: &Bench<'_>, results: &Results<S>) -> BenchResults {
    let score = |(score, better): (&'static twicetold_sweep::Score, Better)| BenchScore {
        score: score.name,
        better: match better {
            Better::Higher => WhichIsBetter::Higher,
            Better::Lower => WhichIsBetter::Lower,
        },
    };
    let model = |role: &Role, one: &Ranked| BenchModel {
        model: bench.model(one.variant).to_owned(),
        rank: one.rank.map(|rank| rank as u64),
        better: one.better as u64,
        worse: one.worse as u64,
        compared: one.compared as u64,
        means: role
            .counted()
            .map(|(score, _)| score.name)
            .zip(one.means.iter().copied())
            .collect::<BTreeMap<_, _>>(),
    };
    let of = |(role, ranked): (&'static Role, Vec<Ranked>)| BenchRole {
        role: role.id,
        scores: role.counted().map(score).collect(),
        models: ranked.iter().map(|one| model(role, one)).collect(),
    };
    BenchResults {
        sweep: bench.name.to_owned(),
        with: bench.with.to_owned(),
        campaigns: results.found.len() as u64,
        done: results.done() as u64,
        roles: ranks(bench, results).into_iter().map(of).collect(),
    }
}
