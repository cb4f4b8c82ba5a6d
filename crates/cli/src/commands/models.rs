//! `models`: the models that are configured, and what each of them can do.

mod moments;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use twicetold_event::Seat;
use twicetold_host::configuration::{Configuration, DEFAULT_CAMPAIGN};
use twicetold_host::moments::{MOMENTS, MOMENTS_MAX, Mode, Moments, Purse};
use twicetold_host::seats::{Models, NO_VARIABLE, Profile, embedded, is_variable, key, path, problem};
use twicetold_host::spend::Spend;
use twicetold_host::{Library, now};
use twicetold_model::{Parameters, ToolChoice};
use twicetold_probe::{Finding, Probe, SEED, Subject};
use twicetold_provider::{HttpModel, Provider};
use twicetold_referee::wire;

use crate::data::{self, ListedModel as Listed, document};
use crate::failure::{Failure, code};
use crate::signals::{StopSignals, threads};
use crate::terminal::{BOLD, DIM, TROUBLE, did_you_mean, print, safe};
use moments::{Found, Tried, Wish};
use report::Report;

/// Lists the configured models, or measures one of them
///
/// Without a name it lists them. With a name it first makes about ten quick tests, two of them with a prompt of
/// 6,000 words. Then the model plays moments of a campaign in each tool mode that the tests allow, and the rules
/// judge it. It prints how many tool calls were accepted, the best mode, the seats that the model suits and the
/// settings for models.toml. All of this makes model calls, which may cost money: the program says how many
/// before it begins. A small model on a processor takes several minutes for each mode. The exit code is 5 if a
/// tested model does not answer.
#[derive(clap::Args)]
pub struct Arguments {
    /// The model to test: a name in models.toml, ollama:NAME, openai:NAME or URL#NAME
    #[arg(group = "tested")]
    name: Option<String>,

    /// Test every model that has its key set (or needs none). They play no moments unless --moments is given
    #[arg(long, conflicts_with = "name", group = "tested")]
    all: bool,

    /// How many moments to play in each mode; 0 makes only the quick tests [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=MOMENTS_MAX as i64), requires = "tested")]
    moments: Option<u16>,

    /// Play only in this tool mode: native, structured, prompted or guided. It can be given several times
    /// [default: each mode that the quick tests allow]
    #[arg(long, value_name = "MODE", value_parser = Mode::parse, requires = "tested")]
    mode: Vec<Mode>,

    /// The campaign whose moments are played: the id of a bundled campaign or a campaign file. The prompts of
    /// the-borrowed-boat are half as long as those of one-lantern-short
    #[arg(long, value_name = "CAMPAIGN", default_value = DEFAULT_CAMPAIGN)]
    campaign: String,

    /// Budget for the moments of each model, for example 400calls, 200ktok, 30min or 0.50usd (needs a price in
    /// models.toml)
    #[arg(long, value_name = "AMOUNT", value_parser = Spend::parse, requires = "tested")]
    budget: Option<Spend>,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Print JSON: a list, or one object per line for each tested model
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let models = Models::of(arguments.config.as_deref())?;
    let names: Vec<&str> = match &arguments.name {
        Some(name) => vec![name],
        None if arguments.all => models.names().collect(),
        None => {
            let listed: Vec<Listed> = models.names().map(|name| listed(&models, name)).collect();
            print(&if arguments.json { document(data::Models { models: listed }) } else { list(&listed) })?;
            let default = models.default_name();
            if !models.names().any(|known| known == default) {
                let message = format!("default names the model {default:?}, which does not exist");
                let near = did_you_mean(models.names(), default);
                let help = format!("{near}`twicetold lint` says where, and what else is wrong");
                return Err(Failure::new(code::USAGE, message, help));
            }
            return Ok(ExitCode::SUCCESS);
        }
    };
    threads(&mut Builder::new_current_thread())?.block_on(try_all(library, &models, &names, arguments))
}

async fn try_all(
    library: &Library,
    models: &Models,
    names: &[&str],
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    let (mut configuration, campaign) = Configuration::for_campaign(Some(&arguments.campaign))?;
    configuration.take_packs(library.data(), std::slice::from_ref(&campaign))?;
    let wish = Wish {
        campaign: &campaign,
        turns: arguments.moments.map_or(if arguments.all { 0 } else { MOMENTS }, usize::from),
        modes: &arguments.mode,
        budget: arguments.budget.clone().unwrap_or_default(),
    };
    // What cannot be spent is told of before anything is.
    if wish.turns > 0 && !arguments.all {
        names
            .iter()
            .try_for_each(|name| Purse::new(wish.budget.clone(), models.find(name)?.price).map(drop))?;
    }

    let mut signals = StopSignals::heard()?;
    let mut silent = false;
    for (place, name) in names.iter().enumerate() {
        if arguments.all
            && let Some(problem) = listed(models, name).problem
        {
            print(&report::passed_over(name, &problem, arguments.json))?;
            continue;
        }
        let profile = models.find(name)?;
        if let Err(error) = Purse::new(wish.budget.clone(), profile.price.clone())
            && arguments.all
            && wish.turns > 0
        {
            print(&report::passed_over(name, &error.message, arguments.json))?;
            continue;
        }
        if place > 0 && !arguments.json {
            print("\n")?;
        }
        let subject = subject(name, &profile)?;
        // A campaign that cannot be played is told of before any call is made.
        let moments = match wish.turns {
            0 => None,
            turns => Some(Moments::of(&configuration, &campaign, &profile.setup, turns)?),
        };
        let mut report = Report::new(name, &profile, arguments.json);
        report.begin()?;
        let mut interrupted = probe(&subject, profile.reach.timeout_ms, &mut signals, &mut report).await?;
        if let Some(moments) = moments.filter(|_| !interrupted && report.findings().answers()) {
            let measurements = &library.measurements();
            let provider = subject.provider.as_ref();
            let tried = Tried { profile: &profile, provider, measurements, json: arguments.json };
            let found =
                Found { findings: report.findings(), long_ms: report.long_ms(), short_ms: report.short_ms() };
            let played = moments::play(&tried, &wish, &moments, &found, &mut signals).await?;
            interrupted = played.interrupted;
            silent |= played.silent;
            report.played(played);
        }
        report.end()?;
        if interrupted {
            return Ok(ExitCode::from(code::INTERRUPTED));
        }
        silent |= !report.findings().answers();
    }
    Ok(if silent { ExitCode::from(code::PAUSED) } else { ExitCode::SUCCESS })
}

/// A model as it is asked. Connects to nothing yet.
fn subject(name: &str, profile: &Profile) -> Result<Subject, Failure> {
    let Profile { setup, reach, .. } = profile;
    let wrong = |what: String| {
        let help =
            "set the variable in the environment, or edit models.toml (`twicetold init DIR` writes it)";
        Failure::new(code::USAGE, format!("the model {name:?} cannot be used: {what}"), help)
    };
    let wire = wire(setup).map_err(wrong)?;
    if !is_variable(reach.api_key_env.as_deref().unwrap_or_default()) {
        return Err(wrong(NO_VARIABLE.into()));
    }
    let provider: Arc<dyn Provider> = match embedded(setup) {
        Some(improvised) => Arc::new(improvised),
        None => {
            let server = HttpModel::new(&setup.model, wire.protocol, &path(wire.protocol, setup), reach, key);
            Arc::new(server.map_err(|error| wrong(error.to_string()))?)
        }
    };
    let parameters = Parameters {
        model: setup.model.clone(),
        temperature_milli: setup.temperature_milli,
        seed: setup.send_seed.then_some(SEED),
        tokens_max: setup.tokens_max,
        parallel_tool_calls: setup.parallel_tool_calls,
        tool_choice: ToolChoice::Auto,
    };
    Ok(Subject { parameters, wire, provider })
}

/// Probes one thing after the other and reports each. True when a signal ended it: what was not tried by then stays unknown.
async fn probe(
    subject: &Subject,
    timeout_ms: u64,
    signals: &mut StopSignals,
    report: &mut Report<'_>,
) -> Result<bool, Failure> {
    let allowed = Duration::from_millis(timeout_ms.max(1));
    let mut stopped = false;
    for probe in Probe::ALL {
        if stopped {
            report.found(Finding::unknown(probe, "not tried: stopped".into()))?;
            continue;
        }
        let began = now();
        let finding = tokio::select! {
            biased;
            signal = signals.next() => {
                stopped = true;
                Finding::unknown(probe, format!("stopped: {signal}"))
            }
            finding = tokio::time::timeout(allowed, subject.probe(probe, report.findings())) => {
                finding.unwrap_or_else(|_| Finding::timed_out(probe, timeout_ms))
            }
        };
        report.took(probe, now().0.saturating_sub(began.0));
        report.found(finding)?;
    }
    Ok(stopped)
}

fn listed(models: &Models, name: &str) -> Listed {
    let seats = models.seats_of(name).collect();
    let mut listed = Listed {
        name: name.to_owned(),
        provider: String::new(),
        model: String::new(),
        address: None,
        key_variable: None,
        key_is_set: None,
        context: None,
        seats,
        is_default: models.default_name() == name,
        problem: None,
    };
    match models.profile(name) {
        Ok(profile) => describe(&mut listed, &profile),
        Err(problem) => listed.problem = Some(problem),
    }
    listed
}

fn describe(listed: &mut Listed, profile: &Profile) {
    let Profile { setup, reach, .. } = profile;
    listed.provider.clone_from(&profile.provider);
    listed.model.clone_from(&setup.model);
    listed.problem = problem(profile);
    if setup.is_embedded() {
        return;
    }
    listed.address = profile.address();
    listed.context = profile.context;
    let Some(variable) = reach.api_key_env.as_ref().filter(|variable| is_variable(variable)) else { return };
    listed.key_variable = Some(variable.clone());
    let has_key = reach.has_key(key);
    listed.key_is_set = Some(has_key.is_ok());
    if let (Err(error), None) = (has_key, &listed.problem) {
        listed.problem = Some(error.to_string());
    }
}

fn list(models: &[Listed]) -> String {
    if models.is_empty() {
        return "models.toml has no [model.NAME].\n".into();
    }
    let mut out = String::new();
    for model in models {
        let default = if model.is_default { " (default)" } else { "" };
        out += &format!("{BOLD}{}{BOLD:#}{default}\n", safe(&model.name));
        if !model.provider.is_empty() {
            let of = if model.provider == model.model { String::new() } else { format!(", {}", model.model) };
            out += &format!("  {}{}\n", model.provider, safe(&of));
        }
        out += &match (&model.address, model.provider.as_str()) {
            (Some(address), _) => format!("  {}\n", safe(address)),
            (None, "improv" | "improv:chaos") => "  embedded: no address, no key\n".into(),
            (None, _) => String::new(),
        };
        out += &match (&model.key_variable, model.key_is_set) {
            (Some(variable), Some(true)) => format!("  key: {variable}, set\n"),
            (Some(variable), _) => format!("  key: {variable}, not set\n"),
            (None, _) if model.address.is_some() => "  key: none\n".into(),
            (None, _) => String::new(),
        };
        if let Some(context) = model.context {
            out += &format!("  window: {context} tokens\n");
        }
        let seats = seats(&model.seats);
        out += &format!("  seats: {seats}\n");
        // That the key is not set was said above.
        if let Some(problem) = model.problem.as_ref().filter(|_| model.key_is_set != Some(false)) {
            out += &format!("{}\n", crate::terminal::paragraphs(&format!("cannot be used: {problem}"), "  "))
                .replacen("cannot be used", &format!("{TROUBLE}cannot be used{TROUBLE:#}"), 1);
        }
        out.push('\n');
    }
    out += &format!("{DIM}`twicetold models NAME` tests one model; `--all` tests every model.{DIM:#}\n");
    out
}

/// Seats in as few words as possible.
fn seats(seats: &[Seat]) -> String {
    let (players, others): (Vec<&Seat>, Vec<&Seat>) =
        seats.iter().partition(|seat| matches!(seat, Seat::Player(_)));
    let mut words: Vec<String> = others.into_iter().map(|seat| seat.slug()).collect();
    if players.len() == usize::from(twicetold_event::limits::PLAYERS_MAX) {
        words.push("players".into());
    } else {
        words.extend(players.into_iter().map(|seat| seat.slug()));
    }
    if words.is_empty() { "none".into() } else { words.join(", ") }
}
