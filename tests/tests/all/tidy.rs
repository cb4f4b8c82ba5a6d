//! What no file of the project may hold, and what every file must.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Lines of the longest source file: more than one sitting can hold.
const LINES_MAX: usize = 600;

/// Crates that decide; see `fences.rs`.
const PURE: &[&str] =
    &["model", "dialect", "event", "world", "tool", "projection", "referee", "audit", "improv"];

/// Words that a pure crate has no use for: clocks, the environment, files, the network, threads, orders that differ from run to run,
/// and floats, which no two machines need agree on.
const IMPURE: &[&str] = &[
    "SystemTime",
    "Instant",
    "HashMap",
    "HashSet",
    "RandomState",
    "f32",
    "f64",
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "env::",
    "fs::",
    "thread_local!",
];

/// Where a pure crate may use such a word: file, word, why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("crates/dialect/src/acceptable.rs", "f64", "a visitor refuses floats and must name what it refuses"),
    (
        "crates/referee/src/rules/tests/mod.rs",
        "std::fs",
        "all of it is a test that reads the bundled configuration",
    ),
    ("crates/referee/src/rules/tests/mod.rs", "fs::", "the same"),
    ("crates/referee/src/requests.rs", "HashMap", "digests are looked up one by one, never walked over"),
    ("crates/tool/src/schema.rs", "std::env", "a test writes the schemas where somebody asks for it"),
    ("crates/tool/src/schema.rs", "env::", "the same"),
    ("crates/tool/src/schema.rs", "std::fs", "the same"),
    ("crates/tool/src/schema.rs", "fs::", "the same"),
];

/// Programs of tests beside their crate's one: file, why.
const APART: &[(&str, &str)] = &[
    ("tests/tests/killed_anywhere/main.rs", "its kills come after a while, which other tests would use up"),
    (
        "crates/session/tests/replays.rs",
        "it is built again with a new field, and brings along little that is built with it",
    ),
    (
        "crates/journal/tests/processes.rs",
        "a process that is being started holds the locks of all files open here",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A text file: its path below the root, with forward slashes, and its content.
struct File {
    path: String,
    text: String,
}

impl File {
    fn is_source(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Its lines that are code, counted from 1.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Its lines that belong to tests: all of a file of tests, else those behind `cfg(test)`.
    fn tests(&self) -> impl Iterator<Item = (usize, &str)> {
        let whole = self.path.split('/').any(|part| part == "tests" || part == "tests.rs");
        self.code().skip_while(move |(_, line)| !whole && line.trim() != "#[cfg(test)]")
    }
}

/// All text files of the project. What tools leave behind is passed over.
fn files() -> Vec<File> {
    let mut files = Vec::new();
    walk(&root(), &mut files);
    assert!(
        files.iter().any(|file| file.path == "tests/tests/all/tidy.rs"),
        "the walk does not find this very file"
    );
    files
}

fn walk(folder: &Path, files: &mut Vec<File>) {
    const HIDDEN: [&str; 4] = [".cargo", ".ci", ".config", ".github"];
    // Cargo marks its target folders, wherever they are.
    if folder.join("CACHEDIR.TAG").exists() {
        return;
    }
    for item in std::fs::read_dir(folder).unwrap() {
        let item = item.unwrap();
        let (path, name) = (item.path(), item.file_name().to_string_lossy().into_owned());
        let kind = item.file_type().unwrap();
        // Mutated bytes are no text of ours.
        if path.ends_with("tests/fuzz/inputs") {
            continue;
        }
        if kind.is_dir() && name != "target" && (!name.starts_with('.') || HIDDEN.contains(&name.as_str())) {
            walk(&path, files);
        // In a worktree `.git` is a file and says where the repository lies.
        } else if kind.is_file()
            && name != ".git"
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            files.push(File { path, text });
        }
    }
}

/// Does `line` hold `word`, and not as a part of a longer name?
fn holds(line: &str, word: &str) -> bool {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next().filter(|_| word.ends_with(part_of_name));
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

fn none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn every_source_file_begins_by_saying_what_it_is() {
    let files = files();
    let silent = files.iter().filter(|file| file.is_source() && !file.text.starts_with("//! "));
    none(&silent.map(|file| file.path.clone()).collect::<Vec<_>>(), "no `//!` in the first line");
}

#[test]
fn each_crate_has_one_program_of_tests_and_every_file_is_part_of_it() {
    let files = files();
    let (mut found, mut programs) = (Vec::new(), BTreeMap::new());
    for file in files.iter().filter(|file| file.is_source()) {
        let Some((of, below)) = file.path.split_once("/tests/").filter(|(of, _)| !of.contains("/src")) else {
            continue;
        };
        let (folder, name) = below.trim_end_matches(".rs").rsplit_once('/').unwrap_or(("", below));
        if folder.is_empty() || name == "main" {
            let apart = APART.iter().any(|(path, _)| *path == file.path);
            let programs: &mut Vec<&str> = programs.entry(of).or_default();
            programs.extend((!apart).then_some(file.path.as_str()));
            continue;
        }
        // A module is named by a file of its own folder, or of the one above when it is its folder's `mod.rs`.
        let (folder, name) =
            if name == "mod" { folder.rsplit_once('/').unwrap_or(("", folder)) } else { (folder, name) };
        let (line, folder) = (format!("mod {name};"), format!("{of}/tests/{folder}"));
        let is_near = |other: &&File| {
            other.path.rsplit_once('/').is_some_and(|(of, _)| of == folder.trim_end_matches('/'))
        };
        if !files.iter().filter(is_near).any(|other| other.text.lines().any(|other| other == line)) {
            found.push(format!("{}: nobody says `{line}`", file.path));
        }
    }
    let several = programs.into_values().filter(|programs| programs.len() > 1);
    found.extend(several.map(|programs| programs.join(" and ")));
    none(&found, "tests that do not run, or are linked more than once");
    let gone = APART.iter().filter(|(path, _)| !files.iter().any(|file| file.path == *path));
    none(&gone.map(|line| format!("{line:?}")).collect::<Vec<_>>(), "programs apart that are not there");
}

#[test]
fn nothing_is_left_for_later() {
    let words = [
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("db", "g!"),
        concat!("#[ig", "nore"),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
    ];
    let mut found = Vec::new();
    for file in files().iter().filter(|file| file.is_source() || file.path.ends_with(".toml")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let word = words.iter().find(|word| holds(line, word));
            found.extend(word.map(|word| format!("{}:{number}: {word}", file.path)));
        }
    }
    none(&found, "unfinished");
}

#[test]
fn no_test_waits_for_time_to_pass() {
    let mut found = Vec::new();
    for file in files().iter().filter(|file| file.is_source()) {
        let waits = file.tests().filter(|(_, line)| holds(line, concat!("sle", "ep(")));
        found.extend(waits.map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim())));
    }
    none(&found, "tests wait for an event, never for a while");
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let places = ["root", "work", "home", "Users", "tmp"].map(|folder| format!("/{folder}/"));
    let mut found = Vec::new();
    for file in files() {
        for (number, line) in (1..).zip(file.text.lines()) {
            // `example.org/home/` is an address, not a place.
            let place = places.iter().find(|place| holds(line, place));
            found.extend(place.map(|place| format!("{}:{number}: {place}", file.path)));
        }
    }
    none(&found, "absolute paths");
}

#[test]
fn every_dependency_comes_from_the_public_registry_and_no_file_says_otherwise() {
    const PUBLIC: &str = r#"source = "registry+https://github.com/rust-lang/crates.io-index""#;
    let words = [
        concat!("replace", "-with"),
        concat!("[sou", "rce."),
        concat!("[regis", "tries"),
        concat!("sparse", "+http"),
        concat!("index", "-url"),
    ];
    let mut found = Vec::new();
    for file in files() {
        for (number, line) in (1..).zip(file.text.lines()) {
            let other = file.path == "Cargo.lock" && line.starts_with("source = ") && line != PUBLIC;
            if other || words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{number}: {line}", file.path));
            }
        }
    }
    none(&found, "another registry");
}

#[test]
fn no_source_file_is_longer_than_one_sitting() {
    let files = files();
    let sources = files.iter().filter(|file| file.is_source());
    let long = sources.filter(|file| file.text.lines().count() > LINES_MAX);
    let found: Vec<String> =
        long.map(|file| format!("{}: {} lines", file.path, file.text.lines().count())).collect();
    none(&found, &format!("more than {LINES_MAX} lines"));
}

#[test]
fn a_pure_crate_names_no_clock_no_environment_no_file_and_no_float() {
    let folders: Vec<String> = PURE.iter().map(|name| format!("crates/{name}/src/")).collect();
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for file in files().iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder))) {
        for (number, line) in file.code() {
            for word in IMPURE.iter().filter(|word| holds(line, word)) {
                match EXCEPTIONS.iter().find(|(path, excepted, _)| (*path, excepted) == (&file.path, word)) {
                    Some(exception) => drop(used.insert(*exception)),
                    None => found.push(format!("{}:{number}: {word}", file.path)),
                }
            }
        }
    }
    none(&found, "a pure crate has no use for it");
    let stale: Vec<String> = EXCEPTIONS
        .iter()
        .filter(|exception| !used.contains(*exception))
        .map(|line| format!("{line:?}"))
        .collect();
    none(&stale, "exceptions that are not needed any more");
}

fn manifest(path: &Path) -> toml::Table {
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn every_dependency_says_what_it_is_for() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, section) = text.split_once("[workspace.dependencies]\n").unwrap();
    let section = section.split("\n[").next().unwrap();
    let mut found = Vec::new();
    for (above, line) in section.lines().zip(section.lines().skip(1)) {
        let Some((name, value)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) else { continue };
        // Our own crates say so themselves.
        let explained = above.starts_with('#') || value.contains("path = ");
        found.extend((!explained).then(|| name.to_owned()));
    }
    none(&found, "dependencies in Cargo.toml without a comment above them");
}

#[test]
fn every_dependency_is_used_by_somebody() {
    let table = manifest(&root().join("Cargo.toml"));
    let stated = table["workspace"]["dependencies"].as_table().unwrap().keys();
    let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|folder| folder.unwrap().path());
    let members = crates.chain([root().join("tests")]).map(|folder| folder.join("Cargo.toml"));
    let mut used = BTreeSet::new();
    for member in members.filter(|path| path.is_file()) {
        let member = manifest(&member);
        let platforms = member.get("target").and_then(toml::Value::as_table);
        let platforms = platforms.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
        for table in platforms.chain([&member]) {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let names = table.get(kind).and_then(toml::Value::as_table);
                used.extend(names.into_iter().flat_map(toml::Table::keys).cloned());
            }
        }
    }
    let unused = stated.filter(|name| !used.contains(*name));
    none(&unused.cloned().collect::<Vec<_>>(), "dependencies in Cargo.toml that no crate names");
}

/// The headings and anchors of a page, as links name them.
fn anchors(page: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let text = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.to_lowercase();
        let kept = text.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        Some(kept.collect::<String>().replace(' ', "-"))
    };
    let named = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    page.lines().filter_map(heading).chain(named).collect()
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let is_page = |file: &File| file.path.ends_with(".md") && !file.path.starts_with("tests/pages/");
    let (mut found, mut seen) = (Vec::new(), 0);
    for file in files().iter().filter(|file| is_page(file)) {
        let links = file.text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        for link in links.filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let own = root().join(&file.path);
            let target = if path.is_empty() { own } else { own.with_file_name("").join(path) };
            let has_anchor =
                || std::fs::read_to_string(&target).is_ok_and(|page| anchors(&page).contains(anchor));
            if !target.exists() || (!anchor.is_empty() && !has_anchor()) {
                found.push(format!("{}: {link}", file.path));
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} links");
    none(&found, "links that lead nowhere");
}

/// Every test that `tests/REQUIREMENTS.md`, `tests/REMOVALS.md` and `SECURITY.md` name exists, in the file that they name.
#[test]
fn every_requirement_names_tests_that_exist() {
    let read = |name| std::fs::read_to_string(root().join("tests").join(name)).unwrap();
    let page = read("REQUIREMENTS.md") + &read("REMOVALS.md") + &read("../SECURITY.md");
    let sources: Vec<File> = files().into_iter().filter(File::is_source).collect();
    let mut named = 0;
    let mut file = String::new();
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|---")) {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let mut tests = 0;
        for name in cell.split('`').skip(1).step_by(2) {
            if name.ends_with(".rs") {
                name.clone_into(&mut file);
                continue;
            }
            let is_there = |source: &File| {
                source.path.rsplit('/').next() == Some(file.as_str())
                    && source.text.contains(&format!("fn {name}()"))
            };
            assert!(sources.iter().any(is_there), "{file} has no test {name}: {row}");
            tests += 1;
        }
        let is_heading =
            ["| requirement |", "| failure |", "| promise |"].iter().any(|heading| row.starts_with(heading));
        assert!(tests > 0 || is_heading, "no test is named: {row}");
        named += tests;
    }
    assert!(named > 50);
}

#[test]
fn no_command_names_another_command() {
    const COMMANDS: &str = "crates/cli/src/commands/";
    let files = files();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/cli/src/") && file.is_source()) {
        // A command's own files lie in the folder of its name; the program itself names them all.
        let own = file.path.strip_prefix(COMMANDS).map(|below| below.trim_end_matches(".rs"));
        let own = own.and_then(|below| below.split('/').next());
        if own == Some("mod") || file.path == "crates/cli/src/main.rs" {
            continue;
        }
        for (number, line) in file.code() {
            let others = line
                .split("commands::")
                .skip(1)
                .filter(|rest| own.is_none_or(|own| !rest.starts_with(&format!("{own}::"))));
            let is_file_of_commands = own.is_some() && file.path.matches('/').count() == 4;
            let above = is_file_of_commands && holds(line, "super::") && !line.contains("super::*");
            if others.count() > 0 || above {
                found.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    none(&found, "what several commands want lies beside their folder, or in `host`");
}
