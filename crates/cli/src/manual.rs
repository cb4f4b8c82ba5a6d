//! Manual pages: the texts of `--help`, and what else stands in one by custom.

use clap::{Arg, Command};
use clap_mangen::Man;
use twicetold_host::words::with_code;

use crate::examples;
use crate::help::EXIT_CODES;

/// The variables that the program reads besides those of options, and what they do.
const VARIABLES: [(&str, &str); 15] = [
    (
        "TWICETOLD_PAGER",
        "The pager for texts that are longer than the screen; empty for none. Otherwise PAGER, otherwise less \\-FRX",
    ),
    ("PAGER", "The pager where TWICETOLD_PAGER is not set"),
    (
        "TWICETOLD_LOG",
        "What the program does is logged to standard error, for example debug, or info,twicetold_cast=trace",
    ),
    (
        "TWICETOLD_MCP_TOKEN",
        "A secret of at least 16 characters, from which the tokens of mcp \\-\\-http are made",
    ),
    ("NO_COLOR", "No colours, unless \\-\\-color always is given"),
    ("FORCE_COLOR, CLICOLOR_FORCE", "Colours also where standard output is no terminal, unless they are 0"),
    ("CLICOLOR, TERM", "No colours where CLICOLOR is 0 or TERM is dumb"),
    ("COLUMNS", "How wide texts are where standard output is no terminal"),
    ("COMPLETE", "The shell that asks for completions; set by the script of twicetold completions"),
    ("USER", "The name of a person who plays, where \\-\\-name is not given"),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME", "In the place of ~/.local/share and ~/.config on Linux"),
    (
        "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
        "Proxies for calls to servers that are not on this machine",
    ),
    ("PGPASSWORD, PGPASSFILE", "The password of a database, as for PostgreSQL's own programs"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "Headers that are sent to the collector of traces, such as a key"),
    (
        "OPENAI_API_KEY, ANTHROPIC_API_KEY, ...",
        "Keys of model servers: models.toml names the variable of each in api_key_env",
    ),
];

/// The files that the program reads and writes.
const FILES: [(&str, &str); 9] = [
    (
        "~/.local/share/twicetold/",
        "The data folder on Linux, unless \\-\\-data names another; other platforms have theirs elsewhere",
    ),
    (
        "~/.local/share/twicetold/campaigns/ID.redb",
        "A campaign: one file, which can be copied or deleted independently of the others",
    ),
    ("~/.local/share/twicetold/rules/", "The rules packs of rules import"),
    ("~/.local/share/twicetold/sweeps/", "The plans of the sweeps that were run"),
    (
        "~/.local/share/twicetold/seats/, labels/, models/",
        "Which models play which campaign, the labels, and what was measured of models",
    ),
    ("~/.local/share/twicetold/views/", "Snapshots of campaigns: a cache, which rebuild makes anew"),
    ("~/.local/share/twicetold/typed.txt", "The last 500 lines that people typed; it can be deleted"),
    (
        "~/.config/twicetold/seats.key",
        "By this key the program knows the files in seats/ that it wrote itself; without it resume asks for models again",
    ),
    (
        "~/.config/twicetold/models.toml",
        "The models and their seats, unless \\-\\-config names another folder; without it the bundled one",
    ),
];

/// Pages that are read together, by the groups of what they are about.
const TOGETHER: [&[&str]; 8] = [
    &["run", "resume", "play", "watch", "serve", "list", "show"],
    &["sweep", "bench", "worker", "models", "views"],
    &["why", "why-not", "audit", "log", "history", "bisect"],
    &["replay", "verify", "attest", "rebuild"],
    &["fork", "undo", "tree", "diff"],
    &["export", "import", "report", "copy", "trace"],
    &["new", "init", "lint", "preview", "rules", "schema"],
    &["label", "rm"],
];

/// The name of a page's file and the page, for the program and all commands of it.
pub fn pages(program: Command) -> Vec<(String, String)> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    collect(&program, true, &mut pages);
    pages
}

fn collect(command: &Command, is_program: bool, pages: &mut Vec<(String, String)>) {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    pages.push((format!("{name}.1"), page(command, &name, is_program)));
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        collect(below, false, pages);
    }
}

fn page(command: &Command, name: &str, is_program: bool) -> String {
    let usage = usage(command);
    let sections = [
        ("EXIT STATUS", exit_status(is_program)),
        ("ENVIRONMENT", environment(command, is_program)),
        ("FILES", if is_program { items(&FILES) } else { String::new() }),
        ("EXAMPLES", shown(if is_program { examples::FIRST } else { examples::of(below_program(command)) })),
        ("SEE ALSO", see_also(command, name, is_program)),
    ];
    let version = command.get_version().unwrap_or(env!("CARGO_PKG_VERSION")).to_owned();
    let mut order: Vec<String> = command.get_arguments().map(key).collect();
    order.sort();
    let place = |one: &Arg| order.iter().position(|other| *other == key(one)).unwrap_or(0);
    // The texts behind the options are the sections, and the version stands at the foot of each page.
    let plain = command.clone().after_help("").after_long_help("").override_usage(usage);
    let plain = plain.mut_args(|one| {
        let place = place(&one);
        one.display_order(place)
    });
    let man =
        Man::new(plain).title(name.to_uppercase()).manual("Twicetold").source(format!("twicetold {version}"));
    let mut page = Vec::new();
    // Into memory it is always written.
    let _ = man.render(&mut page);
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for empty in [".SH EXTRA\n", ".SH VERSION\n"] {
        if let Some(begin) = page.find(empty) {
            page.truncate(begin);
        }
    }
    for (heading, text) in sections.iter().filter(|(_, text)| !text.is_empty()) {
        page += &format!(".SH \"{heading}\"\n{text}");
    }
    ascii(&with_bold_code(&page))
}

/// What an option is sorted by: its letters, in order of the alphabet.
fn key(argument: &Arg) -> String {
    argument.get_long().unwrap_or_else(|| argument.get_id().as_str()).to_lowercase()
}

/// The name of a command as it is typed behind that of the program.
fn below_program(command: &Command) -> &str {
    let typed = command.get_bin_name().unwrap_or_else(|| command.get_name());
    typed.split_once(' ').map_or(typed, |(_, below)| below)
}

/// The synopsis: each option with its value, in order of the alphabet, and then the arguments.
fn usage(command: &Command) -> String {
    let mut options: Vec<&Arg> =
        command.get_opts().chain(flags(command)).filter(|one| !one.is_hide_set()).collect();
    options.sort_by_key(|one| key(one));
    let one = |argument: &&Arg| {
        let named = argument.get_value_names().filter(|_| argument.get_action().takes_values());
        let value = named.map_or_else(String::new, |names| format!(" {}", names.join(" ")));
        let long = argument.get_long().map(|long| format!("--{long}"));
        let short = argument.get_short().map(|short| format!("-{short}"));
        let name = [short, long].into_iter().flatten().collect::<Vec<_>>().join("|");
        match argument.is_required_set() {
            true => format!("{name}{value}"),
            false => format!("[{name}{value}]"),
        }
    };
    let names = |argument: &Arg| {
        let many =
            if argument.get_num_args().is_some_and(|count| count.max_values() > 1) { "..." } else { "" };
        let name =
            argument.get_value_names().map_or_else(|| argument.get_id().to_string(), |names| names.join(" "));
        if argument.is_required_set() { format!("{name}{many}") } else { format!("[{name}]{many}") }
    };
    let arguments = command.get_positionals().filter(|one| !one.is_hide_set()).map(names);
    let below = command.has_subcommands().then(|| "COMMAND".to_owned());
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let words = [name].into_iter().chain(options.iter().map(one)).chain(arguments).chain(below);
    words.collect::<Vec<_>>().join(" ")
}

fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|one| !one.is_positional() && !one.get_action().takes_values())
}

fn exit_status(is_program: bool) -> String {
    match is_program {
        true => format!("Exit codes:\n{}", items(&EXIT_CODES)),
        false => "0 if it is done; the other codes are in\n.BR twicetold (1).\n".to_owned(),
    }
}

fn environment(command: &Command, is_program: bool) -> String {
    let of_option = |one: &Arg| {
        let variable = one.get_env().filter(|_| !one.is_hide_env_set())?.to_str()?;
        Some((variable.to_owned(), format!("The same as \\-\\-{}", one.get_long()?)))
    };
    let mut all: Vec<(String, String)> = command.get_arguments().filter_map(of_option).collect();
    if is_program {
        let below = command.get_subcommands().flat_map(|below| {
            let own = below.get_arguments().filter(|one| !one.is_global_set()).filter_map(of_option);
            own.map(|(name, text)| (name, format!("{text} of {}", below.get_name()))).collect::<Vec<_>>()
        });
        for (name, text) in below {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known += &format!(", {}", text.rsplit(' ').next().unwrap_or_default()),
                None => all.push((name, text)),
            }
        }
        all.extend(VARIABLES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
        return items(&all);
    }
    format!(
        "{}The variables of all commands are in\n.BR twicetold (1).\n",
        items(&all) + if all.is_empty() { "" } else { ".PP\n" }
    )
}

fn see_also(command: &Command, name: &str, is_program: bool) -> String {
    let others: Vec<&str> = match is_program {
        true => vec!["run", "why", "serve", "models"],
        false => {
            let group = TOGETHER.iter().find(|group| group.contains(&command.get_name()));
            group
                .into_iter()
                .flat_map(|group| group.iter().copied())
                .filter(|one| !name.ends_with(one))
                .collect()
        }
    };
    let first = (!is_program).then(|| "twicetold".to_owned());
    let pages = first.into_iter().chain(others.iter().map(|one| format!("twicetold-{one}")));
    let pages: Vec<String> = pages.map(|one| format!(".BR {} (1)", escaped(&one))).collect();
    pages.join(",\n") + "\n"
}

fn shown(examples: &[(&str, &str)]) -> String {
    let one = |(line, about): &(&str, &str)| {
        format!(".TP\n.B {}\n{}\n", escaped(&format!("twicetold {line}")), escaped(about))
    };
    examples.iter().map(one).collect()
}

fn items<A: AsRef<str>, B: AsRef<str>>(items: &[(A, B)]) -> String {
    items.iter().map(|(name, text)| format!(".TP\n.B {}\n{}\n", name.as_ref(), text.as_ref())).collect()
}

/// Hyphens that are typed, not the longer ones of a printer, and backslashes as they are.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

/// A page with what stands in backticks in bold, as manual pages have what is typed.
fn with_bold_code(page: &str) -> String {
    let piece = |(is_code, piece): (bool, &str)| match is_code {
        true => format!("\\fB{piece}\\fR"),
        false => piece.to_owned(),
    };
    page.split_inclusive('\n').flat_map(with_code).map(piece).collect()
}

/// A page in ASCII: some programs that print pages take no other bytes for letters, and the dots of an ellipsis are what all terminals have.
fn ascii(page: &str) -> String {
    let plain = |letter: char| match letter {
        '…' => "\\&...".to_owned(),
        letter if letter.is_ascii() => letter.to_string(),
        letter => format!("\\[u{:04X}]", u32::from(letter)),
    };
    page.chars().map(plain).collect()
}
