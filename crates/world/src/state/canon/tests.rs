//! What the digest promises about fields that it does not know yet, and about those that it does.

use super::{Canon, Lines, quoted, table};

/// A character sheet of today, and the same with fields that a later build added.
#[derive(Default)]
struct Old {
    name: String,
    trust: i64,
    friends: Vec<Old>,
}

#[derive(Default)]
struct New {
    name: String,
    colour: Option<String>,
    trust: i64,
    is_tired: bool,
    debts: Vec<u32>,
    friends: Vec<New>,
}

canon! {
    Old = Old { name, trust, friends } => {
        "name": name,
        "trust": trust,
        "friends": friends,
    }
    New = New { name, colour, trust, is_tired, debts, friends } => {
        "name": name,
        "colour": colour,
        "trust": trust,
        "tired": is_tired,
        "debts": debts,
        "friends": friends,
    }
}

fn old() -> Old {
    let friend = Old { name: "Wren".into(), trust: -3, friends: vec![Old::default()] };
    Old { name: "Bram \"the\" Tall\n".into(), trust: 0, friends: vec![friend, Old::default()] }
}

fn new() -> New {
    let grown = |name: &str, trust, friends| New { name: name.into(), trust, friends, ..New::default() };
    let friend = grown("Wren", -3, vec![New::default()]);
    grown("Bram \"the\" Tall\n", 0, vec![friend, New::default()])
}

fn text(document: &impl Canon) -> String {
    let mut lines = Lines { path: "sheet".into(), ..Lines::default() };
    document.lines(&mut lines);
    lines.text
}

#[test]
fn a_line_is_a_path_and_a_value() {
    let lines = r#"sheet.name = "Bram \"the\" Tall\n"
sheet.friends[0] = {}
sheet.friends[0].name = "Wren"
sheet.friends[0].trust = -3
sheet.friends[0].friends[0] = {}
sheet.friends[1] = {}
"#;
    assert_eq!(text(&old()), lines);
    assert_eq!(text(&Old::default()), "");
}

#[test]
fn a_new_field_at_its_default_changes_no_digest() {
    assert_eq!(text(&old()), text(&new()));
    assert_eq!(Lines::of("sheet", &old()), Lines::of("sheet", &new()));
    assert_eq!(Lines::of("sheet", &New::default()), None);
    let one = Some(twicetold_model::Digest::ZERO);
    assert_eq!(Lines::state([("sheet", one), ("new", None)]), Lines::state([("sheet", one)]));
}

#[test]
fn a_new_field_with_a_value_does() {
    let changes: [fn(&mut New); 5] = [
        |new| new.colour = Some(String::new()),
        |new| new.is_tired = true,
        |new| new.debts.push(0),
        |new| new.friends[1].debts.push(0),
        |new| new.friends[1].is_tired = true,
    ];
    let mut seen = vec![text(&new())];
    for change in changes {
        let mut changed = new();
        change(&mut changed);
        assert!(!seen.contains(&text(&changed)));
        seen.push(text(&changed));
    }
}

#[test]
fn a_text_stays_on_its_line() {
    let mut out = String::new();
    quoted("a\\b\n\n\"c\" = {}", &mut out);
    assert_eq!(out, r#""a\\b\n\n\"c\" = {}""#);
}

/// The list may only grow: journals hold digests over these paths. A path that is gone, has another name, another default or
/// another place makes old journals diverge.
#[test]
fn every_path_that_ever_was_is_still_there() {
    let found = table::paths();
    let known: Vec<&str> = include_str!("paths.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let mut rest = found.iter();
    for path in &known {
        assert!(
            rest.any(|found| found == path),
            "`{path}` is gone, or is not where it was: old digests change"
        );
    }
    let missing: Vec<&String> = found.iter().filter(|path| !known.contains(&path.as_str())).collect();
    assert!(
        missing.is_empty(),
        "new paths, to be added to paths.txt in their places: {missing:#?}\n{}",
        found.join("\n")
    );
}
