//! Plans that are right, and all that can be wrong with one.

use super::*;
use crate::plan::Cell;

fn near(known: &[&str], typed: &str) -> Option<String> {
    known.iter().find(|name| name.starts_with(&typed[..typed.len().min(3)])).map(|name| (*name).to_owned())
}

fn read(text: &str) -> Result<Plan, Vec<Mistake>> {
    match Plan::read(text, &near) {
        (Some(plan), mistakes) if mistakes.is_empty() => Ok(plan),
        (_, mistakes) => Err(mistakes),
    }
}

const SMALL: &str = "name = \"small\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..3\"\n";

#[test]
fn a_plan_is_every_combination_of_what_it_lists() {
    let text = "name = \"all\"\ncampaigns = [\"a\", \"b\"]\nseeds = [4, 9]\nrepetitions = 2\nplayers = [2, 3]\n\
                models = [\"improv\", { dm = \"x\", players = \"y\" }]\nbaseline = \"improv, 3 players\"\n";
    let plan = read(text).expect("it is right");
    let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    let mixed = "dm=x,players=y";
    assert_eq!(
        names,
        [
            "improv, 2 players",
            "improv, 3 players",
            &format!("{mixed}, 2 players"),
            &format!("{mixed}, 3 players")
        ]
    );
    assert_eq!((plan.baseline, plan.count()), (1, 2 * 4 * 2 * 2));
    let cells: Vec<Cell> = plan.cells().collect();
    assert_eq!(cells.len() as u64, plan.count());
    assert_eq!(cells[5], Cell { campaign: 0, seed: 4, repetition: 2, variant: 1 });
    assert_eq!(plan.label(cells[5]), "all: improv, 3 players, seed 4.2");
}

#[test]
fn a_small_plan_has_one_variant_and_defaults() {
    let plan = read(SMALL).expect("it is right");
    assert_eq!((plan.seeds.as_slice(), plan.repetitions, plan.parallel), ([1, 2, 3].as_slice(), 1, 4));
    assert_eq!((plan.variants.len(), plan.variants[0].name.as_str()), (1, "default"));
    assert!(plan.scores.len() > 5);
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_line() {
    let text = "name = \"a/b\"\ncampains = [\"x\"]\nseeds = \"9..3\"\nscores = [\"accpted\", \"calls\"]\n\
                players = [2, 7]\nparallel = 0\nmodels = [\"m\", \"m\"]\nbaseline = \"zzz\"\n";
    let mistakes = read(text).expect_err("it is wrong");
    let told: Vec<(usize, &str)> =
        mistakes.iter().map(|mistake| (mistake.line(text), mistake.message.as_str())).collect();
    let wanted = [
        (1, "campaigns is missing"),
        (1, "cannot be that of a file"),
        (2, "there is no setting \"campains\""),
        (3, "holds no seed"),
        (4, "there is no score \"accpted\""),
        (5, "from 1 to 6"),
        (6, "from 1 to 200"),
        (7, "two entries of models are called \"m\""),
        (8, "there is no variant \"zzz\""),
    ];
    assert_eq!(told.len(), wanted.len(), "{told:?}");
    for ((line, said), (wanted_line, words)) in told.iter().zip(wanted) {
        assert!(*line == wanted_line && said.contains(words), "{line}: {said} is not {wanted_line}: {words}");
    }
    assert!(mistakes[2].help.starts_with("did you mean \"campaigns\"?"), "{}", mistakes[2].help);
}

#[test]
fn an_empty_matrix_and_one_that_is_too_large_are_mistakes() {
    for (text, wanted) in [
        ("name = \"a\"\ncampaigns = []\nseeds = [1]", "campaigns is empty"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = []", "seeds is empty"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = [1]\nmodels = []", "models is empty"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = [1, 1]", "holds 1 twice"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = \"1..6000\"\nrepetitions = 2", "are 12000"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = \"0..18446744073709551615\"", "more than 10000 seeds"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = true", "whole number"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = \"three\"", "no range of seeds"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = 1\nmodels = {}", "no seat has a model"),
        ("name = \"a\"\ncampaigns = \"x\"\nseeds = 1\nmodels = { dn = \"x\" }", "there is no seat \"dn\""),
        ("name = \"a\"\ncampaigns = \" \"\nseeds = 1", "empty text"),
        (
            "name = \"a\"\ncampaigns = \"x\"\nseeds = 1\nmodels = [{ name = \"A\", dm = \"m\" }, { name = \"B\", dm = \"m\" }]",
            "played by the same models",
        ),
    ] {
        let mistakes = read(text).expect_err(text);
        assert!(mistakes.iter().any(|mistake| mistake.message.contains(wanted)), "{text}: {mistakes:?}");
    }
}

#[test]
fn what_is_no_toml_is_told_with_its_line_and_a_file_without_end_is_not_read() {
    let text = "name = \"a\"\ncampaigns = [\n";
    assert!(read(text).expect_err("it is wrong")[0].line(text) >= 2);
    assert!(read(&" ".repeat(PLAN_BYTES_MAX + 1)).expect_err("too long")[0].message.contains("65536 bytes"));
}
