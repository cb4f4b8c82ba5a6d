//! The command line `twicetold`: arguments, wiring and output. The only crate that prints.

mod attested;
mod card;
mod commands;
mod completing;
mod cost;
mod data;
mod documents;
mod examples;
mod failure;
mod files;
mod following;
mod help;
mod listing;
mod manual;
mod names;
mod pace;
mod pager;
mod person;
mod play;
mod progress;
mod restored;
mod signals;
mod story;
mod table;
mod terminal;
mod told;
#[cfg(feature = "otel")]
mod traced;
#[cfg(not(feature = "otel"))]
#[path = "untraced.rs"]
mod traced;
mod unknown;
mod unnamed;
mod webhook;
mod who;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::{Layer as _, layer::SubscriberExt as _, util::SubscriberInitExt as _};
use twicetold_host::DATA;

/// Plays tabletop campaigns with language models, replays each campaign exactly, and explains the cause of
/// every event.
///
/// `twicetold run` plays a campaign without a key, a network or a configuration. Each campaign is one file in
/// the data folder (see `--data`). Refer to a campaign by a prefix of its id, or use `last` for the newest one.
#[derive(Parser)]
#[command(name = "twicetold", version = env!("TWICETOLD_VERSION"), long_version = help::version(), max_term_width = 100)]
struct Arguments {
    /// The data folder, which stores the campaigns, or a database: postgres://USER@HOST/DATABASE [default: the
    /// platform's data folder, e.g. ~/.local/share/twicetold on Linux]
    #[arg(long, global = true, help_heading = help::GLOBAL, env = DATA, value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    data: Option<PathBuf>,

    /// When to use colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, hide_possible_values = true, help_heading = help::GLOBAL, value_enum, default_value_t = ColorWhen::Auto)]
    color: ColorWhen,

    /// Print texts that are longer than the screen without a pager
    #[arg(long, global = true, help_heading = help::GLOBAL)]
    no_pager: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, ValueEnum)]
enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand)]
enum Command {
    Run(commands::run::Arguments),
    Play(commands::play::Arguments),
    Resume(commands::resume::Arguments),
    List(commands::list::Arguments),
    Show(commands::show::Arguments),
    Log(commands::log::Arguments),
    Watch(commands::watch::Arguments),
    Sweep(commands::sweep::Arguments),
    Bench(commands::sweep::bench::Arguments),
    #[cfg(feature = "serve")]
    Serve(commands::serve::Arguments),
    Replay(commands::replay::Arguments),
    Verify(commands::verify::Arguments),
    Attest(commands::attest::Arguments),
    Why(commands::why::Arguments),
    WhyNot(commands::why::NotArguments),
    Audit(commands::audit::Arguments),
    Fork(commands::fork::Arguments),
    Undo(commands::fork::UndoArguments),
    Tree(commands::tree::Arguments),
    Diff(commands::diff::Arguments),
    History(commands::history::Arguments),
    Bisect(commands::history::BisectArguments),
    Report(commands::report::Arguments),
    Export(commands::export::Arguments),
    #[cfg(feature = "otel")]
    Trace(commands::trace::Arguments),
    Import(commands::import::Arguments),
    Copy(commands::copy::Arguments),
    Worker(commands::worker::Arguments),
    Views(commands::views::Arguments),
    Rebuild(commands::rebuild::Arguments),
    Label(commands::label::Arguments),
    Rm(commands::rm::Arguments),
    New(commands::new::Arguments),
    Preview(commands::preview::Arguments),
    Init(commands::init::Arguments),
    Lint(commands::lint::Arguments),
    Rules(commands::rules::Arguments),
    Models(commands::models::Arguments),
    Schema(commands::schema::Arguments),
    #[cfg(feature = "mcp")]
    Mcp(commands::mcp::Arguments),
    Completions(commands::completions::Arguments),
    Man(commands::man::Arguments),
}

/// What the shell of the program does is logged to standard error, as far as `TWICETOLD_LOG` asks: `debug`, or `info,twicetold_cast=trace`.
fn log_to_stderr() {
    #[allow(clippy::disallowed_methods, reason = "what is logged decides nothing")]
    let named = std::env::var("TWICETOLD_LOG").ok().filter(|text| !text.is_empty());
    let asked = named.and_then(|text| match text.parse::<Targets>() {
        Ok(asked) => Some(asked),
        Err(error) => {
            play::say(&format!(
                "TWICETOLD_LOG is not understood ({error}): write a level, for example debug"
            ));
            None
        }
    });
    let colours = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let lines = tracing_subscriber::fmt::layer().with_ansi(colours).with_writer(|| progress::LogLines);
    let wanted = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::ERROR));
    tracing_subscriber::registry().with(lines.with_filter(wanted)).init();
}

fn main() -> ExitCode {
    let known = completing::Known {
        forms: commands::schema::names,
        causes: commands::why::suggested,
        rejected: commands::why::suggested_rejected,
    };
    if completing::answered(known) {
        return ExitCode::SUCCESS;
    }
    quiet_caught_panics();
    // Errors about the command line and its help have the colours that it asks for, too.
    match color_asked() {
        Some(ColorWhen::Always) => anstream::ColorChoice::Always.write_global(),
        Some(ColorWhen::Never) => anstream::ColorChoice::Never.write_global(),
        Some(ColorWhen::Auto) | None => {}
    }
    keep_names_whole();
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(failure) => return failure.report(),
    };
    if arguments.no_pager {
        pager::turn_off();
    }
    log_to_stderr();
    let is_set = arguments.data.as_deref().is_some_and(by_variable);
    let library = data(arguments.data)
        .and_then(|data| Ok(twicetold_host::Library::new(data)?.named_by_the_environment(is_set)));
    let result = library.and_then(|library| match arguments.command {
        Command::Run(arguments) => commands::run::run(&library, arguments),
        Command::Play(arguments) => commands::play::run(&library, &arguments),
        Command::Resume(arguments) => commands::resume::run(&library, &arguments),
        Command::List(arguments) => commands::list::run(&library, &arguments),
        Command::Show(arguments) => commands::show::run(&library, &arguments),
        Command::Log(arguments) => commands::log::run(&library, &arguments),
        Command::Watch(arguments) => commands::watch::run(&library, &arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => commands::serve::run(library, arguments),
        Command::Sweep(arguments) => commands::sweep::run(library, arguments),
        Command::Bench(arguments) => commands::sweep::bench::run(library, &arguments),
        Command::Replay(arguments) => commands::replay::run(&library, &arguments),
        Command::Verify(arguments) => commands::verify::run(&library, &arguments),
        Command::Attest(arguments) => commands::attest::run(&library, &arguments),
        Command::Audit(arguments) => commands::audit::run(&library, &arguments),
        Command::Why(arguments) => commands::why::run(&library, &arguments),
        Command::WhyNot(arguments) => commands::why::not(&library, &arguments),
        Command::Fork(arguments) => commands::fork::run(&library, arguments),
        Command::Undo(arguments) => commands::fork::undo(&library, &arguments),
        Command::Tree(arguments) => commands::tree::run(&library, &arguments),
        Command::Diff(arguments) => commands::diff::run(&library, &arguments),
        Command::History(arguments) => commands::history::run(&library, &arguments),
        Command::Bisect(arguments) => commands::history::bisect(&library, &arguments),
        Command::Report(arguments) => commands::report::run(&library, &arguments),
        Command::Export(arguments) => commands::export::run(&library, &arguments),
        #[cfg(feature = "otel")]
        Command::Trace(arguments) => commands::trace::run(&library, &arguments),
        Command::Import(arguments) => commands::import::run(&library, &arguments),
        Command::Worker(arguments) => commands::worker::run(library, arguments),
        Command::Views(arguments) => commands::views::run(&library, &arguments),
        Command::Copy(arguments) => commands::copy::run(&library, &arguments),
        Command::Rebuild(arguments) => commands::rebuild::run(&library, &arguments),
        Command::Label(arguments) => commands::label::run(&library, &arguments),
        Command::Rm(arguments) => commands::rm::run(&library, &arguments),
        Command::Preview(arguments) => commands::preview::run(&library, &arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Lint(arguments) => commands::lint::run(&library, &arguments),
        Command::Rules(arguments) => commands::rules::run(&library, &arguments),
        Command::Models(arguments) => commands::models::run(&library, &arguments),
        Command::Schema(arguments) => commands::schema::run(&arguments),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => commands::mcp::run(library, arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(help::grouped(Arguments::command()), &arguments),
    });
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// Is this what the environment says, and was not typed?
#[allow(clippy::disallowed_methods, reason = "whether a name is the variable's or was typed")]
fn by_variable(path: &Path) -> bool {
    std::env::var_os(DATA).is_some_and(|value| value == path.as_os_str())
}

/// The data folder that the user named. An empty environment variable names none.
fn data(named: Option<PathBuf>) -> Result<Option<PathBuf>, failure::Failure> {
    let is_empty = |path: &PathBuf| path.as_os_str().is_empty();
    match named {
        Some(path) if is_empty(&path) && by_variable(&path) => Ok(None),
        Some(path) if is_empty(&path) => {
            let message = "--data is empty";
            Err(failure::Failure::new(failure::code::USAGE, message, "give a folder, or omit --data"))
        }
        named => Ok(named),
    }
}

/// The command line. What clap has to say of a mistake in it is said here, and the program ends.
fn arguments() -> Result<Arguments, failure::Failure> {
    let color = match color_asked() {
        Some(ColorWhen::Always) => clap::ColorChoice::Always,
        Some(ColorWhen::Never) => clap::ColorChoice::Never,
        Some(ColorWhen::Auto) | None => clap::ColorChoice::Auto,
    };
    let read = help::with_negative_numbers(Arguments::command()).color(color).try_get_matches();
    let read = match read {
        // Formatting the help of all commands takes half of a start, and most command lines ask for none.
        Err(error) if is_help(&error) => help::grouped(Arguments::command()).color(color).try_get_matches(),
        read => read,
    };
    let read = read.and_then(|matches| Arguments::from_arg_matches(&matches));
    let again = || Arguments::command().ignore_errors(true).try_get_matches().ok();
    read.map_err(|error| {
        let program = Arguments::command().color(color);
        match unnamed::failure(&error, again).or_else(|| unknown::failure(&error, &program)) {
            Some(failure) => failure,
            None => mistake(unknown::with_plain_reason(unknown::with_tips(error, &program, again))),
        }
    })
}

/// A mistake in the command line, told as all failures are. Where clap has no mistake to tell but a help or a version, the program ends.
fn mistake(error: clap::Error) -> failure::Failure {
    let is_told = error.use_stderr() && !is_help(&error);
    if is_told { failure::Failure::of_command_line(&error.render().to_string()) } else { error.exit() }
}

fn is_help(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// What `--color` says, wherever it stands: also in a command line that cannot be read. Otherwise the variable that other programs obey.
fn color_asked() -> Option<ColorWhen> {
    #[allow(clippy::disallowed_methods, reason = "colours decide nothing")]
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_forced =
        || variable("NO_COLOR").is_none() && variable("FORCE_COLOR").is_some_and(|value| value != "0");
    color_said().or_else(|| is_forced().then_some(ColorWhen::Always))
}

fn color_said() -> Option<ColorWhen> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let before = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let said = words[..before].iter().enumerate().filter_map(|(place, word)| match word.as_str() {
        "--color" => words.get(place + 1).map(String::as_str),
        word => word.strip_prefix("--color="),
    });
    said.filter_map(|when| ColorWhen::from_str(when, true).ok()).next_back()
}

/// Error messages break only between words, so that an id or a path can be copied whole.
fn keep_names_whole() {
    let handler = || {
        let choice = anstream::AutoStream::choice(&std::io::stderr());
        let options = miette::MietteHandlerOpts::new().break_words(false);
        let options = options.color(choice != anstream::ColorChoice::Never);
        let options = options.word_separator(textwrap::WordSeparator::AsciiSpace);
        options.word_splitter(textwrap::WordSplitter::NoHyphenation).build()
    };
    // Nobody else in this program sets one.
    let _ = miette::set_hook(Box::new(move |_| Box::new(handler())));
}

/// The journal catches panics of its storage over damaged files and reports them as damage; their message would be
/// noise.
fn quiet_caught_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !twicetold_journal::panics_are_caught() {
            default(panic);
        }
    }));
}
