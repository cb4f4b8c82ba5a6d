//! Reading what Session Zero leaves: what a sheet and a document are read as.

use twicetold_event::Section;

use super::given;
use crate::rules::artefacts;

/// The forms of blocks, tags and scores have their tests in the file itself; what comes of them, in those of `session_zero`.
#[test]
fn a_sheet_is_read_with_what_the_rules_pack_knows_and_the_rest_as_written() {
    let block = "**Name:** Odo Marsh\nClass: Lamplighter (novice)\nStats: STR 14 / DEX: 10, CON=13\nIntelligence 9\n\
        HP: about 8\nAC: 11\nEquipment: a Lamp pole, 2 moon stones and chalk.\nBackground: A patient\nman.\nSecret: He walks.";
    let sheet = artefacts::sheet(&given([]).state().setup().rules, block);
    assert_eq!((sheet.name.as_str(), sheet.class.as_str()), ("Odo Marsh", "lamplighter"));
    assert_eq!(sheet.abilities, [14, 10, 13, 9, 0, 0], "what is missing is never legal");
    assert_eq!((sheet.hit_points, sheet.armor_class), (8, 11));
    assert_eq!(sheet.equipment, ["lamp-pole", "moon stones", "chalk"]);
    assert_eq!((sheet.background.as_str(), sheet.secret.as_str()), ("A patient man.", "He walks."));
}

#[test]
fn what_cannot_be_read_of_a_sheet_is_left_empty_and_what_is_endless_is_cut() {
    let rules = &given([]);
    let rules = &rules.state().setup().rules;
    let empty = artefacts::sheet(rules, "I would rather not say.");
    assert_eq!((empty.name.as_str(), empty.class.as_str(), empty.hit_points), ("", "", 0));
    let block = format!("Name: {}\nEquipment: {}", "é".repeat(60), "a moon, ".repeat(99));
    let endless = artefacts::sheet(rules, &block);
    assert_eq!((endless.name.len(), endless.equipment.len()), (80, 24));
}

#[test]
fn of_a_heading_that_is_given_twice_the_longer_text_is_meant() {
    let text = "Goals:\n- a\nHooks:\n- b\nGoals:\n- the longer one";
    let found: Vec<(Section, &str)> = artefacts::sections(text, 0..text.len())
        .into_iter()
        .map(|(section, range)| (section, &text[range]))
        .collect();
    assert_eq!(found, [(Section::Goals, "- the longer one"), (Section::Hooks, "- b")]);
}
