//! Promise: what can be played and was probably meant otherwise is warned of, and a party of the wrong size is not played with.

use super::lint::{BOAT, Break, CLASSES, PACK, READY, STAGE, all_are_found, initialised};

const ODD: &[Break] = &[
    (
        STAGE,
        "failure = true\n",
        "failure = true\nprimary = true\n",
        "primary_failure",
        STAGE,
        "primary = true\nstrikes",
    ),
    (
        STAGE,
        "primary = true\n",
        "primary = true\nworsens = [\"It rains.\"]\n",
        "worsens_no_failure",
        STAGE,
        "worsens = [\"It rains.\"]",
    ),
    (
        STAGE,
        "unless = [\"follow the bent reeds\"]",
        "unless = [\"follow the reeds\"]",
        "passage_unknown",
        STAGE,
        "unless = [\"follow the reeds\"]",
    ),
    (
        STAGE,
        "[setting]",
        "[[prologue]]\nfailed = [\"follow the bent reeds\"]\ntext = \"It rains.\"\n\n[setting]",
        "passage_never",
        STAGE,
        "failed = [\"follow the bent reeds\"]",
    ),
    (
        STAGE,
        "[[goal]]\nid = \"the-bell-rings\"",
        "[[goal]]\nid = \"rain\"\nlabel = \"It rains.\"\n[[goal.epilogue]]\ntext = \"It pours.\"\n\n[[goal]]\nid = \"the-bell-rings\"",
        "epilogue_alone",
        STAGE,
        "text = \"It pours.\"",
    ),
    (STAGE, "\"help_up\", ", "", "no_help", STAGE, "allowed_tools = "),
    (STAGE, "messages = 22", "messages = 0", "strikes_at_once", STAGE, "strikes = {"),
    (
        STAGE,
        "until = [\"bring the ferry back before the bell\"]",
        "until = [\"follow the bent reeds\"]",
        "until_itself",
        STAGE,
        "until = [\"follow the bent reeds\"]",
    ),
    (STAGE, "person = \"tilda\"\nscene = \"Whoever", "scene = \"Whoever", "answers_of_nobody", STAGE, ""),
    (
        STAGE,
        "; on a failure the reeds",
        ", on failure the reeds",
        "on_failure",
        STAGE,
        ", on failure the reeds",
    ),
    (STAGE, "name = \"Old Hanno\"", "name = \"\"", "empty_name", STAGE, "name = \"\""),
    (
        STAGE,
        "name = \"Old Hanno\"",
        "name = \"Old Hanno\"\nname_key = \"weather\"",
        "two_names",
        STAGE,
        "name = \"Old Hanno\"",
    ),
    (PACK, "CHA = \"Charisma\"", "CHA = \"Charisma\"\nLUCK = \"Luck\"", "no_such_ability", PACK, "LUCK = "),
    (PACK, "up_to = 5\n", "up_to = 3\n", "modifier_order", PACK, ""),
    (PACK, "up_to = 99", "up_to = 17", "modifier_missing", PACK, ""),
    (
        CLASSES,
        "prime_ability = \"STR\"",
        "prime_ability = \"MIGHT\"",
        "no_such_ability",
        CLASSES,
        "\"MIGHT\"",
    ),
    (
        READY,
        "[character.abilities]\nSTR = ",
        "[character.abilities]\nMIGHT = ",
        "abilities_of_another_pack",
        READY,
        "",
    ),
];

#[test]
fn what_has_no_effect_or_another_one_than_it_seems_is_warned_of() {
    all_are_found(ODD, "warning", 0);
}

#[test]
fn a_party_that_an_encounter_is_not_for_does_not_begin() {
    let home = initialised();
    home.edit(&format!("mine/{STAGE}"), "[setting]", "[party_size]\nmin = 3\nmax = 4\n\n[setting]");
    let said = ["The Landing Stage is for 3 to 4 players, and there are 2", "--players from 3 to 4"];
    home.run(["run", &format!("mine/{BOAT}")]).failed(2, &said);
    home.succeed(["run", &format!("mine/{BOAT}"), "--players", "3", "--seed", "1"]);
}
