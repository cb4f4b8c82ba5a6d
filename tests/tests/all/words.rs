//! Promise: sources, documents, help and messages use the words that people in this field know.

use std::path::Path;

/// A word that is no longer used, and the word to use instead. Case does not matter; a name with an underscore counts as several words.
const OLD: &[(&str, &str)] = &[
    ("told again", "replayed"),
    ("tell it again", "replay"),
    ("tells it again", "replays"),
    ("tells a campaign again", "replays a campaign"),
    ("keeper of memory", "memory agent"),
    ("tool refused", "tool call rejected"),
    ("refused tool call", "rejected tool call"),
    ("refusal", "rejection; a refusal is a model that declines"),
    ("refusals", "rejections; a refusal is a model that declines"),
    ("checkpoint", "attestation; a checkpoint is state to resume from"),
    ("checkpoints", "attestations; a checkpoint is state to resume from"),
    ("park", "pause"),
    ("parks", "pauses"),
    ("parked", "paused"),
    ("parking", "pausing"),
    ("quirk", "compat"),
    ("quirks", "compat"),
    ("owed", "pending"),
    ("owes", "has pending"),
    ("in words", "prompted, for tool calling; as text, otherwise"),
    ("deed", "tool call, effect or action"),
    ("deeds", "tool calls, effects or actions"),
    ("whys", "reasons"),
    ("nothing to complain of", "no problems found"),
    ("mend", "fix"),
    ("let through", "accepted"),
    ("led to by", "caused by"),
];

/// Folders and files that are not searched: their front, and why.
const NOT_SEARCHED: &[(&str, &str)] = &[
    ("tests/tests/all/words.rs", "the list itself"),
    ("config/campaigns/", "stories"),
    ("config/encounters/", "stories"),
    ("config/rules/", "stories"),
    ("config/vocabulary/", "stories"),
    ("crates/audit/src/cues/", "turns of speech of stories"),
    ("crates/improv/", "ordinary code that tells stories: its texts are part of them"),
    ("crates/world/src/setup/improv-1/", "texts of recorded campaigns"),
    ("replays/", "recorded campaigns"),
    ("tests/campaigns/", "stories"),
    ("tests/fuzz/inputs/", "mutated bytes"),
    ("tests/samples/forms/preview.1.jsonl", "a prompt with a story"),
    ("tests/transcripts/", "stories in the formats of other programs"),
    ("LICENSE", "texts of others"),
];

/// Lines that use such a word in another sense: the file, a part of the line, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("tests/benches/", "langgraph-checkpoint-sqlite", "the name of another's package"),
    ("tests/benches/peers/", "wal_checkpoint", "a command of SQLite"),
    ("tests/benches/peers/", "langgraph.checkpoint", "the same package"),
    ("crates/", " in words.windows", "a loop over a list"),
    ("crates/", " in words.iter", "a loop over a list"),
    ("crates/world/src/setup/check.rs", " in words {", "a loop over a list"),
    ("tests/", " in words {", "a loop over a list"),
    ("crates/dialect/", "refusal", "the field of chat completions in which a model declines"),
    ("crates/event/FORMAT.md", "refusal", "the same"),
    ("tests/verifier/reply.py", "refusal", "the same"),
    ("tests/samples/odd-replies.txt", "refusal", "the same"),
    ("config/mappings/openai-", "refusal", "the field of OpenAI's protocols in which a model declines"),
    ("tests/samples/openai-", "refusal", "the same"),
    ("crates/event/src/event/", "Owes the ", "a text of a sample"),
    ("crates/referee/src/rules/dialogue_summary.rs", "owes her two boats", "a text of a story"),
    ("tests/src/mutations.rs", "The miller owes the party", "a text of a story"),
    ("tests/tests/all/session_zero.rs", "owes the reeve", "a text of a story"),
    ("tests/tests/all/rules_import.rs", "mend", "a spell"),
    ("Cargo.lock", "parking_lot", "the name of a dependency"),
    ("CHANGELOG.md", "`quirks` in `models.toml`", "says what it is called now"),
    // What models read is changed together with the golden journals.
    ("config/prompts/", "", "changes with the golden journals"),
];

/// All text files of the project, with the part of the path below its folder.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(found.iter().any(|(path, _)| path == "README.md"), "the project's files are not found");
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    // Cargo marks its target folders, wherever they are.
    if folder.join("CACHEDIR.TAG").exists() {
        return;
    }
    for item in std::fs::read_dir(folder).unwrap() {
        let item = item.unwrap();
        let (path, name) = (item.path(), item.file_name().to_string_lossy().into_owned());
        if item.file_type().unwrap().is_dir() {
            if name != "target" && name != ".git" {
                collect(root, &path, found);
            }
        } else if name != ".git"
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            found.push((path, text));
        }
    }
}

/// A line as words: lower case, names split at underscores and capitals, one space between words.
fn plain(line: &str) -> String {
    let mut out = String::from(" ");
    let mut before = ' ';
    for letter in line.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        let gap = !letter.is_alphanumeric() || begins;
        if gap && !out.ends_with(' ') {
            out.push(' ');
        }
        if letter.is_alphanumeric() {
            out.extend(letter.to_lowercase());
        }
        before = letter;
    }
    out + " "
}

fn is_excepted(path: &str, line: &str) -> bool {
    EXCEPTIONS.iter().any(|(file, part, _)| path.starts_with(file) && line.contains(part))
}

#[test]
fn no_file_uses_an_old_word() {
    let mut found = Vec::new();
    for (path, text) in files() {
        if NOT_SEARCHED.iter().any(|(front, _)| path.starts_with(front)) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            let words = plain(line);
            let old = OLD.iter().find(|(old, _)| words.contains(&format!(" {old} ")));
            if let Some((old, instead)) = old.filter(|_| !is_excepted(&path, line)) {
                found.push(format!("{path}:{number}: {old:?} (write {instead}): {}", line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "old words:\n{}", found.join("\n"));
}

#[test]
fn every_exception_is_needed() {
    let files = files();
    for (front, part, _) in EXCEPTIONS {
        let holds = |text: &str| {
            text.lines().any(|line| {
                line.contains(part) && OLD.iter().any(|(old, _)| plain(line).contains(&format!(" {old} ")))
            })
        };
        assert!(
            files.iter().any(|(path, text)| path.starts_with(front) && holds(text)),
            "no line of {front} with {part:?} uses an old word"
        );
    }
}
