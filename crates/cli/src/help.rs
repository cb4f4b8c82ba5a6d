//! The help of the whole program: commands in groups, what is used daily first.

use std::sync::LazyLock;

use clap::Command;
use clap::builder::Styles;

use crate::examples;
use crate::terminal::hanging;

/// The groups of commands, in the order in which they are shown.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Play", &["run", "resume", "play", "watch", "serve", "list", "show"]),
    ("Experiment", &["sweep", "bench", "worker", "views"]),
    ("Ask", &["why", "why-not", "audit", "log", "replay", "verify", "diff", "history", "bisect"]),
    ("Branch", &["fork", "undo", "tree"]),
    (
        "Share",
        &[
            "report",
            "export",
            #[cfg(feature = "otel")]
            "trace",
            "import",
            "copy",
            "attest",
            "mcp",
        ],
    ),
    ("Set up", &["models", "new", "preview", "init", "lint", "rules", "schema", "completions", "man"]),
    ("Tidy", &["label", "rm", "rebuild"]),
];

/// What `-h` says last.
const SHORT: &str =
    "`twicetold help COMMAND` describes a command; `twicetold --help` also lists the exit codes.";

/// The exit codes, for `--help` and the manual page.
pub const EXIT_CODES: [(&str, &str); 12] = [
    (
        "0",
        "done; also when a person leaves with /leave or ends the input, and when nobody reads the output any more",
    ),
    ("1", "something failed: a file, the disk, a bug"),
    ("2", "invalid command line or configuration, or the campaign does not allow the command"),
    ("3", "a replay differs from the record"),
    ("4", "a journal is damaged, or a file is no campaign"),
    (
        "5",
        "the campaign was paused: a model call failed or the budget is used up; `resume` continues it; or a model that `models` tested \
         does not answer; or campaigns of a sweep failed, or its budget is used up",
    ),
    ("6", "another process is playing the campaign"),
    (
        "7",
        "not found: a campaign, file, sequence number, goal or other item; or an attestation, or a campaign in one, no longer exists",
    ),
    ("8", "`audit --fail-on warning` found warnings but no errors"),
    ("9", "`audit --fail-on` found errors"),
    ("10", "a condition of `sweep --fail-if` is met"),
    ("130", "stopped by Ctrl-C or SIGTERM; the campaign is paused and `resume` continues it"),
];

/// What `--version` says: the version with its commit, and the features of this build.
pub fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let features = [
            ("serve", cfg!(feature = "serve")),
            ("mcp", cfg!(feature = "mcp")),
            ("import-rules", cfg!(feature = "import-rules")),
            ("postgres", twicetold_host::HAS_POSTGRES),
            ("otel", cfg!(feature = "otel")),
        ];
        let has: Vec<&str> = features.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
        format!(
            "{}\nfeatures: {}",
            env!("TWICETOLD_VERSION"),
            if has.is_empty() { "none".to_owned() } else { has.join(", ") }
        )
    });
    &TEXT
}

/// The heading of the options that every command has.
pub const GLOBAL: &str = "Global options";

/// The command line with its help in groups.
pub fn grouped(program: Command) -> Command {
    let styles = Styles::styled();
    let header = styles.get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{header}{GLOBAL}:{header:#}\n{{options}}{{after-help}}",
        groups(&program)
    );
    let program = with_negative_numbers(program);
    let program = program.help_template(template).after_help(SHORT).after_long_help(format!(
        "{}\n\n{}",
        shown(examples::FIRST),
        exit_codes()
    ));
    with_examples(program, "")
}

fn with_examples(command: Command, above: &str) -> Command {
    command.mut_subcommands(|below| {
        let name = format!("{above}{}", below.get_name());
        let shown = shown(examples::of(&name));
        let below = with_examples(below, &format!("{name} "));
        if shown.is_empty() { below } else { below.after_long_help(shown) }
    })
}

/// A negative number is read as a value, so that what is said of it is which numbers can be.
pub fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|one| match one.get_action().takes_values() {
        true => one.allow_negative_numbers(true),
        false => one,
    });
    command.mut_subcommands(with_negative_numbers)
}

fn exit_codes() -> String {
    let row = |(code, about): &(&str, &str)| {
        format!("\n{}", hanging(about, &format!("  {code:<3}  "), &" ".repeat(7)))
    };
    format!("Exit codes:{}", EXIT_CODES.iter().map(row).collect::<String>())
}

/// Examples for people: each line as it is typed, below it what it does.
fn shown(examples: &[(&str, &str)]) -> String {
    if examples.is_empty() {
        return String::new();
    }
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let row = |(line, about): &(&str, &str)| {
        let line = hanging(&format!("twicetold {line}"), "  ", "      ");
        // Clap forgets how wide a line is where a style begins behind a line break, and not before it.
        format!("{literal}\n{line}{literal:#}\n{}", hanging(about, "    ", "    "))
    };
    format!("{header}Examples:{header:#}{}", examples.iter().map(row).collect::<String>())
}

fn groups(program: &Command) -> String {
    let width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let row = |name: &&str| {
        let about = program.find_subcommand(name)?.get_about()?.to_string();
        let lines = hanging(&about, &format!("  {name:<width$}  "), &" ".repeat(width + 4));
        Some(lines.replacen(name, &format!("{literal}{name}{literal:#}"), 1) + "\n")
    };
    let group = |(heading, names): &(&str, &[&str])| {
        let rows: String = names.iter().filter_map(row).collect();
        format!("{header}{heading}:{header:#}\n{rows}\n")
    };
    GROUPS.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group_and_says_in_one_line_what_it_does() {
        let program = crate::Arguments::command();
        let mut commands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
        let text = anstream::adapter::strip_str(&groups(&program)).to_string();
        for line in text.lines() {
            assert!(line.chars().count() <= 80 && !line.starts_with("     "), "{line}");
        }
    }
}
