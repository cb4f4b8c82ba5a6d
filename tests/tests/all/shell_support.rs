//! Promise: shells complete every command, and every command has a manual page.

use twicetold_tests::{Home, Outcome};

/// Some commands with the subcommands below them.
const COMMANDS: [&str; 8] =
    ["run", "show", "why-not", "audit", "completions", "man", "new campaign", "rules list"];

#[test]
fn every_shell_gets_a_script_that_knows_every_command() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = home.succeed(["completions", shell]);
        let mut asked = home.command([""; 0]);
        let asked = Outcome::of(asked.env("COMPLETE", shell).output()).succeeded();
        assert_eq!(script, asked.stdout, "{shell} is asked by one script, wherever it comes from");
        assert!(script.contains("COMPLETE") && script.contains("twicetold"), "{shell}: {script}");
        // The script knows nothing by itself: it asks the program.
        let lines = COMMANDS.iter().map(|command| command.split(' ').collect::<Vec<_>>());
        for line in lines.chain([vec!["show", "last", "transcript"], vec!["show", "--data"]]) {
            let mut command = home.command(["--", "twicetold"]);
            command.args(&line).env("COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", line.len().to_string());
            let word = line.last().expect("a word");
            let answer = Outcome::of(command.output()).succeeded().stdout;
            assert!(answer.contains(word), "{shell} does not know {word}");
        }
    }
    home.run(["completions", "bsh"]).failed(2, &["a similar value exists: 'bash'"]);
    let completed =
        "eval \"$(\"$TWICETOLD\" completions bash)\"; COMP_WORDS=(twicetold why last rep); COMP_CWORD=3
        _twicetold twicetold rep last; echo \"${COMPREPLY[@]}\"";
    home.write("complete.sh", completed);
    assert_eq!(
        home.shell("command -v bash >/dev/null || { echo reply; exit; }; bash complete.sh").stdout,
        "reply\n"
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    assert!(home.succeed(["man", "pages/man1"]).contains("pages/man1/twicetold.1"));
    for command in COMMANDS {
        let page = home.path(&format!("pages/man1/twicetold-{}.1", command.replace(' ', "-")));
        let page = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{page:?}: {error}"));
        let name = command.rsplit(' ').next().expect("a name");
        assert!(
            page.starts_with(".ie") && page.contains(".SH NAME") && page.contains(&name.replace('-', "\\-"))
        );
    }
    let page = home.succeed(["man"]);
    assert!(page.contains("Exit codes:") && page.contains("twicetold\\-why(1)"), "{page}");
    assert_eq!(page, std::fs::read_to_string(home.path("pages/man1/twicetold.1")).expect("the main page"));
    home.succeed(["man", "pages/man1"]);
    home.write("file", "");
    home.run(["man", "file"]).failed(1, &["file cannot be written", "choose another name or folder"]);
}

#[test]
fn a_manual_page_shows_values_options_in_order_variables_examples_and_what_to_read_next() {
    let home = Home::new();
    home.succeed(["man", "man1"]);
    let page = |name: &str| {
        let text = std::fs::read_to_string(home.path(&format!("man1/{name}.1"))).expect("a page");
        assert!(text.is_ascii(), "{name}: not every program that prints pages takes other letters");
        text.replace("\\-", "-")
    };
    let run = page("twicetold-run");
    for text in [
        "[--data DIR]",
        "[--model [SEAT=]NAME]",
        "[-q|--quiet]",
        ".SH \"EXIT STATUS\"",
        ".SH \"ENVIRONMENT\"",
        ".B TWICETOLD_WEBHOOK",
        ".SH \"EXAMPLES\"",
        ".B twicetold run the-borrowed-boat --seed 7",
        ".SH \"SEE ALSO\"",
        ".BR twicetold-play (1)",
    ] {
        assert!(run.contains(text), "{text}: {run}");
    }
    let own = run.split(".SH OPTIONS").nth(1).and_then(|rest| rest.split(".SH").next()).expect("options");
    let named = |line: &str| Some(line.split("--").nth(1)?.split("\\f").next()?.to_owned());
    let options: Vec<String> =
        own.lines().filter(|line| line.starts_with("\\fB-")).filter_map(named).collect();
    assert!(options.len() > 10 && options.is_sorted(), "{options:?}");
    let main = page("twicetold");
    for text in [
        "TWICETOLD_DATA",
        "TWICETOLD_PAGER",
        "TWICETOLD_LOG",
        "TWICETOLD_MCP_TOKEN",
        "TWICETOLD_WEBHOOK",
        "TWICETOLD_ATTEST",
        ".SH \"FILES\"",
        ".B 130",
        "models.toml",
    ] {
        assert!(main.contains(text), "{text}: {main}");
    }
    let warnings = home.shell(
        "command -v groff >/dev/null || exit 0
        for page in man1/*.1; do for to in ascii utf8; do groff -ww -man -T$to $page 2>&1 >/dev/null; done; done",
    );
    assert_eq!((warnings.stdout.as_str(), warnings.stderr.as_str()), ("", ""));
}
