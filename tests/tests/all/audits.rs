//! Promise: what does not agree is found, what agrees is left alone, and what was not recorded is said to be so.

use std::path::PathBuf;

use serde_json::Value;
use twicetold_audit::{DETECTORS, Finding, Roll, RollKind, Severity, Transcript, audit};
use twicetold_tests::{Game, Home, MUTATIONS, Random, last_line, repository, transcript};

/// Ways of spoiling a campaign that are tried until a detector sees one: some are beyond it, and its README says how many.
const TRIES: u64 = 20;

fn findings(transcript: &Transcript, detector: &str) -> Vec<Finding> {
    audit(transcript, &[detector.to_owned()]).findings().cloned().collect()
}

fn golden(name: &str) -> PathBuf {
    repository().join("replays").join(name).join("journal.twicetold")
}

#[test]
fn each_detector_finds_what_was_planted_and_nothing_of_it_in_the_clean_twin() {
    let clean = transcript(Game::of("the-bell-road", 7).improvised().source());
    assert_eq!(
        DETECTORS.iter().map(|detector| detector.name).collect::<Vec<_>>(),
        MUTATIONS.iter().map(|mutation| mutation.detector).collect::<Vec<_>>()
    );
    for mutation in MUTATIONS {
        let before = findings(&clean, mutation.detector);
        let seen = (0..TRIES).any(|seed| {
            let mut spoiled = clean.clone();
            let number =
                (mutation.spoil)(&mut spoiled, &mut Random(seed)).expect("there is something to spoil");
            let of_it = |finding: &&Finding| finding.numbers.contains(&number);
            assert_eq!(before.iter().find(of_it), None, "the clean twin is accused of {}", mutation.what);
            findings(&spoiled, mutation.detector).iter().any(|finding| of_it(&finding))
        });
        assert!(seen, "{} does not see that {}", mutation.detector, mutation.what);
    }
}

#[test]
fn a_well_behaved_campaign_is_not_accused() {
    for (campaign, seed) in [
        ("one-lantern-short", 3),
        ("the-borrowed-boat", 7),
        ("the-weir-book", 9),
        // A second failure, and a failed look, in the author's words.
        ("the-last-tram-but-one", 1),
        ("the-weir-book", 7),
    ] {
        let report = audit(&transcript(Game::of(campaign, seed).improvised().source()), &[]);
        let accused: Vec<&Finding> =
            report.findings().filter(|found| found.severity > Severity::Info).collect();
        assert!(accused.is_empty(), "{campaign}, seed {seed}: {accused:#?}");
    }
}

#[test]
fn what_was_not_recorded_is_not_looked_for() {
    let report = audit(&Transcript { foreign: true, ..Transcript::default() }, &[]);
    let silent = report.outcomes.iter().filter(|outcome| outcome.not_recorded.is_some());
    let silent: Vec<&str> = silent.map(|outcome| outcome.detector).collect();
    let wanted = [
        "unrolled",
        "mechanics",
        "after-failure",
        "turn-order",
        "idle-roll",
        "failing-calls",
        "unseen",
        "objective",
        "dice",
        "budget",
    ];
    assert_eq!(silent, wanted);
    assert_eq!(report.findings().count(), 0);
}

#[test]
fn the_exit_code_tells_the_worst_finding_when_it_is_asked_to() {
    let home = Home::new();
    let of = |file: &std::path::Path, more: &[&str]| {
        let arguments =
            ["audit", file.to_str().expect("a path in UTF-8")].into_iter().chain(more.iter().copied());
        home.run(arguments).code
    };
    let code = |name: &str, more: &[&str]| of(&golden(name), more);
    // A labelled transcript, whose findings do not change with the improviser.
    let labelled = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/a/autogen04-01.jsonl");
    assert_eq!(of(&labelled, &[]), Some(0));
    assert_eq!(of(&labelled, &["--fail-on", "error"]), Some(9));
    assert_eq!(code("combat-and-vices", &[]), Some(0));
    assert_eq!(code("qwen-0.5b", &["--fail-on", "warning"]), Some(8));
    assert_eq!(code("qwen-0.5b", &["--fail-on", "error"]), Some(0));
    assert_eq!(code("qwen-0.5b", &["--detector", "dice", "--fail-on", "warning"]), Some(0));
    assert_eq!(code("improv", &["--fail-on", "warning"]), Some(0));
    assert_eq!(code("improv", &["--detector", "luck"]), Some(2));
}

#[test]
fn a_report_fits_eighty_columns_and_its_json_holds_the_same() {
    let home = Home::new();
    let file = golden("qwen-0.5b-prompted");
    let file = file.to_str().expect("a path in UTF-8");
    let text = home.succeed(["audit", file]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("failing-calls: tool calls that fail again and again"), "{text}");
    let report: Value = last_line(&home.succeed(["audit", file, "--json"]));
    assert_eq!(report["worst"], "warning");
    let listed = report["detectors"].as_array().expect("a list of detectors");
    assert_eq!(listed.len(), DETECTORS.len());
    let found = report["findings"].as_array().expect("a list of findings");
    assert!(!found.is_empty());
    for finding in found {
        for field in ["severity", "confidence", "detector", "numbers", "sentence", "why"] {
            assert!(!finding[field].is_null(), "{field} is missing in {finding}");
        }
        assert!(finding["confidence"].as_u64().is_some_and(|percent| percent <= 100));
    }
}

#[test]
fn shares_silences_and_dice_are_measured_also_where_nothing_is_found() {
    let home = Home::new();
    // Somebody rolls once.
    home.play(3);
    let report = last_line(&home.succeed(["audit", "last", "--json"]));
    let measures = |name: &str| {
        let all = report["detectors"].as_array().expect("detectors");
        let of = all.iter().find(|detector| detector["name"] == name).expect("it is listed");
        of["measures"].as_array().expect("a list").clone()
    };
    let shares: u64 = measures("spotlight")
        .iter()
        .map(|measure| measure["numbers"]["share_percent"].as_u64().expect("a number"))
        .sum();
    assert!((97..=100).contains(&shares), "{report}");
    let dice = measures("dice");
    assert!(dice.iter().any(|measure| measure["of"] == "everybody"), "{report}");
    assert!(dice.iter().all(|measure| measure["numbers"]["chi_square_thousandths"].is_u64()), "{report}");
    let text = home.succeed(["audit", "last"]);
    assert!(text.contains("Statistics of spotlight: ") && text.contains("Statistics of dice: "), "{text}");
    assert!(text.contains(": 1 roll, "), "{text}");
}

/// Plain dice in a character's name decide what becomes of it as much as a check does.
#[test]
fn plain_dice_for_somebody_silent_are_found_too() {
    let mut transcript = transcript(Game::of("the-weir-book", 1).improvised().source());
    let player = transcript.players().next().expect("a player").0.to_owned();
    let (last, turn) = transcript.lines.last().map(|line| (line.number, line.turn)).expect("a line");
    let dice = |number: u64, kind: RollKind| Roll {
        number,
        turn: turn + 100,
        kind,
        roller: Some(player.clone()),
        character: String::new(),
        asked: String::new(),
        asked_by: Some("DM".into()),
        sides: Some(6),
        faces: vec![3],
        total: None,
        difficulty: None,
        success: None,
        numbers: [3].into(),
        what: "1d6 for the cold: 3".into(),
    };
    let rolls = [dice(last + 100, RollKind::Dice), dice(last + 101, RollKind::Defence)];
    transcript.rolls.as_mut().expect("rolls").extend(rolls);
    let found = findings(&transcript, "idle-roll");
    assert!(found.iter().any(|finding| finding.numbers == [last + 100]), "{found:?}");
    assert!(found.iter().all(|finding| finding.numbers != [last + 101]), "what befalls somebody asks nobody");
}
