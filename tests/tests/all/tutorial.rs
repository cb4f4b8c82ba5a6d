//! Promise: whoever does what the tutorial says, word for word, sees what it shows; so it is with the first campaign of the README.

use std::path::PathBuf;

use twicetold_tests::{Home, flat, golden, repository};

/// What stands for an id, and for a moment.
const ID: &str = "5eed0010";
const MOMENT: &str = "2026-11-24 12:08";

fn path() -> PathBuf {
    repository().join("config/TUTORIAL.md")
}

/// The text with the same id and the same moment everywhere.
fn plain(text: &str) -> String {
    let is_id = |word: &str| {
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        word.len() == ID.len() && word.chars().all(is_hex) && word.contains(|c: char| c.is_ascii_digit())
    };
    let is_moment = |at: &str| {
        at.len() == MOMENT.len()
            && at.bytes().zip(MOMENT.bytes()).all(|(found, form)| match form {
                b'0'..=b'9' => found.is_ascii_digit(),
                _ => found == form,
            })
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back().is_some_and(char::is_alphanumeric);
        let word = rest.find(|c: char| !c.is_alphanumeric()).map_or(rest, |end| &rest[..end]);
        if !before && is_id(word) {
            out += ID;
            rest = &rest[word.len()..];
        } else if !before && rest.get(..MOMENT.len()).is_some_and(is_moment) {
            out += MOMENT;
            rest = &rest[MOMENT.len()..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// What is shown of what a command printed: as many lines as were shown before stand above and below the lines that are left out.
fn shown(printed: &str, before: &[&str]) -> Vec<String> {
    let lines: Vec<String> = plain(printed).trim_end().lines().map(str::to_owned).collect();
    let Some(gap) =
        before.iter().position(|line| line.trim_end_matches(|c: char| c.is_numeric()).trim() == "…")
    else {
        return lines;
    };
    let below = match before[gap].trim_start_matches('…').trim().parse() {
        // A number behind the dots asks for so many lines at the end.
        Ok(below) => below,
        Err(_) => before.len() - gap - 1,
    };
    if lines.len() <= gap + below {
        return lines;
    }
    let mut shown = lines[..gap].to_vec();
    shown.push("…".to_owned());
    shown.extend_from_slice(&lines[lines.len() - below..]);
    shown
}

/// Changes a file as a block of differences says.
fn change(home: &Home, block: &[&str]) {
    let file = block[0].strip_prefix("--- ").unwrap_or_else(|| panic!("{} names no file", block[0]));
    let side = |without: char| -> String {
        let lines = block[1..].iter().filter(|line| !line.starts_with(without));
        lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    home.edit(file, &side('+'), &side('-'));
}

#[test]
fn every_command_of_the_tutorial_prints_what_stands_under_it() {
    let home = Home::new();
    let text = std::fs::read_to_string(path()).expect("the tutorial");
    let mut out: Vec<String> = Vec::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let kind = line.strip_prefix("```").unwrap_or_default();
        if kind.is_empty() {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind {
            "console" => {
                let command = block[0].strip_prefix("$ twicetold ").expect("a command of the program");
                let printed = home.run(command.split(' '));
                out.push(block[0].to_owned());
                out.extend(shown(&(printed.stdout + &printed.stderr), &block[1..]));
                commands += 1;
            }
            "diff" => {
                change(&home, &block);
                out.extend(block.iter().map(|line| (*line).to_owned()));
            }
            _ => out.extend(block.iter().map(|line| (*line).to_owned())),
        }
        out.push("```".to_owned());
    }
    assert!(commands > 6, "{commands} commands are there");
    let found = out.iter().map(|line| format!("{line}\n")).collect::<String>();
    golden(&path(), &found);
    // Another seed does it where this one does not.
    assert!(
        found.contains("resolved by the-crock-is-back"),
        "the seed of the tutorial does not reach its goal"
    );
}

#[test]
fn the_first_campaign_of_the_readme_prints_what_stands_there() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("the README");
    let (_, part) = readme.split_once("## What it looks like").expect("its first campaign");
    let (part, _) = part.split_once("\n## ").expect("a part after it");
    let commands = prints_what_is_shown(&Home::new(), part);
    assert!(commands >= 3, "{commands} commands are there");
}

#[test]
fn the_first_two_examples_of_the_page_on_experiments_print_what_stands_there() {
    let page = std::fs::read_to_string(repository().join("crates/sweep/EXPERIMENTS.md")).expect("the page");
    let (page, _) = page.split_once("\n## An example").expect("its examples of real models");
    let (_, plan) = page.split_once("```toml\n").expect("a plan");
    let (plan, _) = plan.split_once("```").expect("it ends");
    let home = Home::new();
    home.write("plan.toml", plan);
    assert!(prints_what_is_shown(&home, page) >= 3);
}

/// How many commands a page shows, each of which prints what stands under it.
fn prints_what_is_shown(home: &Home, part: &str) -> usize {
    let blocks: Vec<&str> = part.split("```console\n$ twicetold ").skip(1).collect();
    let mut commands = 0;
    for block in blocks {
        let (block, _) = block.split_once("```").expect("a block ends");
        for told in block.split("\n$ twicetold ") {
            let (command, shown) = told.split_once('\n').expect("a command prints something");
            let outcome = home.run(command.split(' ')).succeeded();
            let printed = flat(&plain(&(outcome.stderr + &outcome.stdout)));
            // What is left out stands as three dots in a line of their own.
            let passages = shown.lines().collect::<Vec<_>>();
            for passage in passages.split(|line| line.trim() == "…") {
                let passage = flat(&plain(&passage.join("\n")));
                assert!(printed.contains(&passage), "{command} does not print {passage:?}, but {printed}");
            }
            commands += 1;
        }
    }
    commands
}
