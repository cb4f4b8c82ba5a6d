//! What people type, for `--help` and the manual pages. A test reads each line as the program would.

/// A command and its examples: what is typed after `twicetold`, and what that does.
pub type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// The examples of the commands that people use daily: two or three each, so that they are read.
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
];

/// The examples of a command, if it has any.
pub fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| *examples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    /// Letters of a line that still fits a narrow terminal when it is broken once.
    const LINE_MAX: usize = 60;

    #[test]
    fn every_example_is_read_as_a_command_line() {
        let program = crate::Arguments::command();
        for (command, examples) in EXAMPLES {
            if program.find_subcommand(command).is_none() {
                // A build without the feature lacks the command.
                assert!(*command == "serve" && cfg!(not(feature = "serve")), "{command}");
                continue;
            }
            assert!((2..=3).contains(&examples.len()), "{command}");
            for (line, about) in *examples {
                assert!(line.split(' ').next() == Some(*command), "{line}");
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
