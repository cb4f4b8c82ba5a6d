//! Scenes in files under `scenes/`: a detector finds something in each one that is headed `=== found`, and nothing in others.
//!
//! `dm: …` and `ada: …` are lines (a line that begins with two spaces goes on), `# …` is said by a program, `! ada 1d20 [5] 7 vs 12`
//! is a recorded roll (`pass` or `fail` behind it states the outcome), and `> dm tool(arguments) = error: …` is a call and its answer.

use std::collections::BTreeSet;

use crate::{Call, Channel, Kind, Line, Roll, RollKind, Transcript, Voice, audit, sides};

/// Scenes of each kind for a detector that reads prose.
const SCENES_MIN: usize = 6;

/// The transcript of a scene.
pub(crate) fn scene(text: &str) -> Transcript {
    let mut made = Transcript { foreign: true, ..Transcript::default() };
    let mut turn = 0;
    for (number, row) in (1..).zip(text.lines()) {
        if let Some(more) = row.strip_prefix("  ") {
            if let Some(line) = made.lines.last_mut() {
                line.text += "\n";
                line.text += more;
            }
        } else if let Some(roll) = row.strip_prefix("! ") {
            made.rolls.get_or_insert_default().push(rolled(number, turn, roll));
        } else if let Some(call) = row.strip_prefix("> ") {
            made.calls.get_or_insert_default().push(called(number, turn, call));
        } else if let Some((voice, words)) =
            row.strip_prefix('#').map_or_else(|| row.split_once(':'), |words| Some(("system", words)))
        {
            let kind = match voice {
                "dm" | "gm" => Kind::Narrator,
                "system" => Kind::Other,
                _ => Kind::Player,
            };
            let capital = voice[..1].to_uppercase() + &voice[1..];
            made.voices
                .entry(voice.to_owned())
                .or_insert(Voice { kind, names: vec![voice.to_owned(), capital] });
            turn += 1;
            made.lines.push(Line {
                number,
                turn,
                voice: voice.to_owned(),
                channel: Channel::Table,
                audience: None,
                text: words.trim().to_owned(),
            });
        }
    }
    let names: BTreeSet<String> = made.voices.keys().cloned().collect();
    for roll in made.rolls.iter_mut().flatten() {
        roll.roller = roll.roller.take().filter(|roller| names.contains(roller));
    }
    made
}

fn rolled(number: u64, turn: u32, text: &str) -> Roll {
    let mut parts = text.split_whitespace();
    let (who, dice) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut roll = Roll {
        number,
        turn,
        kind: RollKind::Dice,
        roller: Some(who.to_owned()),
        asked_by: None,
        character: who.to_owned(),
        asked: String::new(),
        sides: sides(dice),
        faces: Vec::new(),
        total: None,
        difficulty: None,
        success: None,
        numbers: BTreeSet::new(),
        what: text.to_owned(),
    };
    let mut against = false;
    for part in parts {
        match part {
            "vs" => against = true,
            "pass" | "fail" => roll.success = Some(part == "pass"),
            face if face.starts_with('[') => roll
                .faces
                .extend(face.trim_matches(['[', ']']).split(',').filter_map(|face| face.parse::<u16>().ok())),
            number if against => roll.difficulty = number.parse().ok(),
            number => roll.total = number.parse().ok(),
        }
    }
    if let (None, Some(total), Some(difficulty)) = (roll.success, roll.total, roll.difficulty) {
        roll.success = Some(total >= difficulty);
    }
    if roll.success.is_some() {
        roll.kind = RollKind::Check;
    }
    roll.numbers
        .extend(roll.faces.iter().map(|face| i64::from(*face)).chain(roll.total).chain(roll.difficulty));
    roll
}

fn called(number: u64, turn: u32, text: &str) -> Call {
    let (voice, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (call, answer) = rest.rsplit_once(" = ").unwrap_or((rest, ""));
    let (tool, key) = call.trim_end_matches(')').split_once('(').unwrap_or((call, ""));
    let good = match answer {
        "" => None,
        answer if answer.starts_with("error") => Some(false),
        _ => None,
    };
    Call {
        number,
        turn,
        voice: voice.to_owned(),
        tool: tool.to_owned(),
        key: key.to_owned(),
        good,
        why: answer.to_owned(),
        answer: answer.to_owned(),
    }
}

/// Scenes of a detector, and how many there are of each kind.
fn judged(detector: &str, text: &str) -> Vec<String> {
    let (mut wrong, mut count) = (Vec::new(), [0, 0]);
    for part in text.split("=== ").skip(1) {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        let wanted = head.starts_with("found");
        assert!(wanted || head.starts_with("silent"), "{detector}: {head}");
        count[usize::from(wanted)] += 1;
        let report = audit(&scene(body), &[detector.to_owned()]);
        let found: Vec<_> = report.findings().collect();
        if found.is_empty() == wanted {
            wrong.push(format!("{detector}: {head}: {found:#?}\n"));
        }
    }
    let numbers = ["spotlight", "dice"].contains(&detector);
    let least = if numbers { 1 } else { SCENES_MIN };
    assert!(count.iter().all(|count| *count >= least), "{detector} has {count:?} scenes");
    wrong
}

macro_rules! scenes {
    ($($test:ident $detector:literal,)*) => {
        $(#[test]
        fn $test() {
            let wrong = judged($detector, include_str!(concat!("scenes/", $detector, ".txt")));
            assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.concat());
        })*
    };
}

scenes! {
    unrolled "unrolled",
    mechanics "mechanics",
    after_failure "after-failure",
    puppets "puppets",
    failing_calls "failing-calls",
    loops "loops",
    spotlight "spotlight",
    dice "dice",
    turn_order "turn-order",
    ending "ending",
    objective "objective",
    plot_loops "plot-loops",
    dormant "dormant",
}
