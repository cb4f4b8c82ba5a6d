//! The page that draws the journal, `FORMAT.md`, says what the code does.

use std::path::PathBuf;

use serde::Serialize;
use twicetold_event::entry::{HEADER_LENGTH, Header};
use twicetold_event::{Event, Input, Story, samples};
use twicetold_model::{Digest, Message, Parameters, Part, Request, Role};

fn page() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("FORMAT.md");
    std::fs::read_to_string(path).unwrap()
}

/// The part of the page below this heading, up to the next heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) =
        page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{heading} is missing"));
    rest.split("\n#").next().unwrap_or(rest)
}

/// The cells of a section's tables, heads left out.
fn rows(section: &str) -> Vec<Vec<&str>> {
    let lines = section.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect());
    cells.filter(|cells: &Vec<&str>| cells[0].parse::<u32>().is_ok()).collect()
}

/// What stands between backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names of a word's fields, in order: keys at the first level of its JSON.
fn fields(word: &impl Serialize) -> Vec<String> {
    let json = serde_json::to_string(word).unwrap();
    let (mut names, mut depth, mut text, mut rest) = (Vec::new(), 0, String::new(), json.chars());
    while let Some(letter) = rest.next() {
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 => names.push(text.clone()),
            '"' => {
                text.clear();
                while let Some(letter) = rest.next().filter(|letter| *letter != '"') {
                    text.push(letter);
                    if letter == '\\' {
                        text.extend(rest.next());
                    }
                }
            }
            _ => {}
        }
    }
    names
}

fn compare<W: Serialize>(
    heading: &str,
    registry: &[(u16, u8, &str)],
    samples: &[W],
    name: fn(&W) -> &'static str,
) {
    let page = page();
    let rows = rows(section(&page, heading));
    let drawn: Vec<(u16, u8, String)> = rows
        .iter()
        .map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap(), row[2].trim_matches('`').to_owned()))
        .collect();
    let mut registered: Vec<(u16, u8, String)> =
        registry.iter().map(|(kind, version, name)| (*kind, *version, (*name).to_owned())).collect();
    registered.sort();
    assert_eq!(drawn, registered, "{heading} of FORMAT.md");
    for row in &rows {
        let word = samples.iter().find(|word| name(word) == row[2].trim_matches('`')).unwrap();
        assert_eq!(names(row[3]), fields(word), "fields of {} in FORMAT.md", row[2]);
    }
}

#[test]
fn the_tables_of_words_are_the_registries() {
    compare("### Inputs", Input::REGISTRY, &samples::inputs(), Input::name);
    compare("### Events", Event::REGISTRY, &samples::events(), Event::name);
}

#[test]
fn the_table_of_events_says_who_may_know_them_as_the_catalogue_does() {
    let page = page();
    let words = |rule: &str| match rule {
        "all" => "all",
        "dm" => "the DM",
        "stated" => "as it states",
        "of_the_section" => "of `Secrets` the DM, else all",
        "owner_and_dm" => "its seat and the DM",
        "who_asked_memory" | "who_asked_campaign" | "who_chose" => "its seat",
        "those_who_talked" => "the DM and its `seats`",
        rule => panic!("FORMAT.md has no words for the audience {rule}"),
    };
    let rows = rows(section(&page, "### Events"));
    let mut drawn: Vec<(&str, &str)> = rows.iter().map(|row| (row[2].trim_matches('`'), row[4])).collect();
    let mut known: Vec<(&str, &str)> =
        Event::AUDIENCES.iter().map(|(name, rule)| (*name, words(rule))).collect();
    drawn.sort();
    known.sort();
    assert_eq!(drawn, known);
}

#[test]
fn the_fields_of_the_header_lie_one_behind_the_other() {
    let page = page();
    let mut end = 0;
    for row in rows(section(&page, "### Header")) {
        let (offset, length): (usize, usize) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        assert_eq!(offset, end, "{}", row[2]);
        end = offset + length;
    }
    assert_eq!(end, HEADER_LENGTH);
}

#[test]
fn the_worked_example_is_the_golden_entry() {
    let page = page();
    let section = section(&page, "## A worked example");
    let example = section.split("```").nth(1).expect("the bytes between fences");
    let bytes = example.lines().filter_map(|line| line.split_once('|')).map(|(bytes, _)| bytes);
    let drawn: String = bytes.flat_map(str::split_whitespace).collect();
    let entry = samples::entry();
    let hex: String = entry.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(drawn, hex);
    let header = Header::decode(&entry).unwrap();
    let mut story = Story::default();
    story.add(&samples::entry_input(), &samples::entry_events(), &[]);
    for digest in [header.body, header.chain(), story.0] {
        assert!(section.contains(&digest.to_string()), "{digest} is missing");
    }
}

#[test]
fn the_example_of_a_request_has_the_digest_that_the_page_says() {
    let parts = vec![Part::Text("Go.".to_owned())];
    let parameters = Parameters {
        model: "m".to_owned(),
        temperature_milli: Some(800),
        tokens_max: 100,
        parallel_tool_calls: true,
        ..Parameters::default()
    };
    let messages = vec![Message { role: Role::User, parts }];
    let digest = Request { messages, parameters, ..Request::default() }.digest();
    let page = page();
    let section = section(&page, "### The request digest");
    assert!(section.contains(&digest.to_string()), "{digest} is missing");
    // The bytes on the page are what the digest is taken over.
    let example = section.split("```").nth(3).expect("the bytes between fences");
    let is_byte = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
    let lines = example.lines().map(|line| line.split_whitespace().take_while(is_byte));
    let bytes: Vec<u8> = lines.flatten().map(|word| u8::from_str_radix(word, 16).unwrap()).collect();
    assert_eq!(Digest::of("twicetold request 1", &bytes), digest);
}
