//! Promise: `lint` says of a configuration all that is wrong with it and what probably is, where, and what to do; the bundled
//! one is clean.

use serde_json::Value;
use twicetold_tests::{Home, flat, last_line};

pub(super) const BOAT: &str = "campaigns/the-borrowed-boat.toml";
pub(super) const STAGE: &str = "encounters/the-landing-stage.toml";
const WEIR: &str = "campaigns/the-weir-book.toml";
const LOW_WATER: &str = "encounters/low-water.toml";
pub(super) const PACK: &str = "rules/emberlight/pack.toml";
pub(super) const CLASSES: &str = "rules/emberlight/classes.toml";
const ITEMS: &str = "rules/emberlight/equipment.toml";
const MONSTERS: &str = "rules/emberlight/monsters.toml";
const SPELLS: &str = "rules/emberlight/spells.toml";
const READING: &str = "prompts/reading.toml";
pub(super) const READY: &str = "rules/emberlight/pregenerated.toml";

/// A configuration broken in one place: file, what stands there, what is written instead, and the finding: severity, rule and
/// the text on whose line it is (empty: the file as a whole), in the file of the second entry.
pub(super) type Break = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// What cannot be played.
const ERRORS: &[Break] = &[
    // Files by themselves.
    (BOAT, "players_min = 2", "colour = 1", "unreadable", BOAT, "colour = 1"),
    (BOAT, "players_min = 2", "players_min = 0", "players_range", BOAT, "players_min = 0"),
    (STAGE, "{{weather}} over", "{{weather} over", "open_key", STAGE, "{{weather} over"),
    (STAGE, "difficulty = 11", "difficulty = \"hard\"", "unreadable", STAGE, "difficulty = \"hard\""),
    ("limits.toml", "turns_max ", "turns_most ", "unreadable", "limits.toml", "turns_most "),
    (
        "vocabulary/foods.toml",
        "stalls = [",
        "stalls = [3,",
        "unreadable",
        "vocabulary/foods.toml",
        "stalls = [3,",
    ),
    (
        "prompts/dm-play-now.md",
        "{{/reminders}}",
        "",
        "unreadable",
        "prompts/dm-play-now.md",
        "{{#reminders}}",
    ),
    (READING, "pitch = 'PITCH COMPLETE'", "pitch = ''", "empty_text", READING, "pitch = ''"),
    (READING, "'CHARACTER'", "'Party-document'", "same_words", READING, "'PARTY_DOCUMENT'"),
    (READING, "'SESSION ZERO LOCKED'", "'COMPLETE'", "same_words", READING, "lock = 'COMPLETE'"),
    (READING, "'Player {{number}}'", "'Player'", "nameless_seats", READING, "player = 'Player'"),
    (READING, "secret = 'Secret'", "", "missing_text", READING, ""),
    (READING, "name = 'Name'", "name = 'Name'\nage = 'Age'", "unknown_text", READING, "age = 'Age'"),
    (PACK, "base = 10", "base = \"ten\"", "unreadable", PACK, "base = \"ten\""),
    (ITEMS, "armor_bonus = 1", "damage = \"1d4\"", "unreadable", ITEMS, ""),
    // Campaigns.
    (BOAT, "id = \"the-borrowed-boat\"", "id = \"boat\"", "id_and_file", BOAT, "id = \"boat\""),
    (BOAT, "[\"the-landing-stage\"]", "[]", "no_encounters", BOAT, "encounters = []"),
    (BOAT, "[\"the-landing-stage\"]", "[\"the-ferry\"]", "missing_file", BOAT, "[\"the-ferry\"]"),
    (BOAT, "rules = \"emberlight\"", "rules = \"starlight\"", "missing_file", BOAT, "rules = \"starlight\""),
    (BOAT, "players_default = 2", "players_default = 5", "players", BOAT, "players_default = 5"),
    (BOAT, "turns_max = 60", "turns_most = 40", "wrong_limit", BOAT, "turns_most = 40"),
    (
        WEIR,
        "id = \"downriver\"",
        "id = \"harvest\"",
        "duplicate_id",
        WEIR,
        "id = \"harvest\"\ntitle = \"Down",
    ),
    (
        WEIR,
        "encounters = [\"low-water\"]",
        "encounters = [\"tide\"]",
        "unknown_encounter",
        WEIR,
        "[\"tide\"]",
    ),
    // Encounters.
    (STAGE, "id = \"the-landing-stage\"", "id = \"stage\"", "id_and_file", STAGE, "id = \"stage\""),
    (STAGE, "primary = true", "primary = false", "no_primary_goal", STAGE, "[[goal]]"),
    (
        STAGE,
        "id = \"truth-before-the-bell\"",
        "id = \"boat-back-in-time\"",
        "duplicate_id",
        STAGE,
        "id = \"boat-back-in-time\"\nlabel = \"Tilda",
    ),
    (
        STAGE,
        "label = \"The ferry is back at the landing stage before the bell.\"",
        "label = \" \"",
        "empty_label",
        STAGE,
        "label = \" \"",
    ),
    (STAGE, "id = \"boat-back-in-time\"", "id = \"\"", "empty_id", STAGE, "id = \"\""),
    (
        STAGE,
        "id = \"boat-back",
        "id = \"dynamic_boat-back",
        "reserved_goal_id",
        STAGE,
        "id = \"dynamic_boat-back",
    ),
    (STAGE, "ability = \"WIS\"", "ability = \"LUCK\"", "unknown_ability", STAGE, "ability = \"LUCK\""),
    (
        STAGE,
        "name = \"bring the ferry back before the bell\"",
        "name = \"Follow the bent reeds\"",
        "duplicate_check",
        STAGE,
        "name = \"Follow",
    ),
    (
        STAGE,
        "\"bring the ferry back before the bell\"]",
        "\"wade out\"]",
        "unknown_check",
        STAGE,
        "\"wade out\"]",
    ),
    (
        STAGE,
        "until = [\"bring the ferry",
        "until = [\"bring a ferry",
        "unknown_check",
        STAGE,
        "until = [\"bring a ferry",
    ),
    (STAGE, "harm = \"1d4\"", "harm = \"plenty\"", "not_a_roll", STAGE, "harm = \"plenty\""),
    (STAGE, "person = \"tilda\"", "person = \"bride\"", "unknown_npc", STAGE, "person = \"bride\""),
    (STAGE, "id = \"tilda\"", "id = \"hanno\"", "duplicate_id", STAGE, "id = \"hanno\"\nname = \"Tilda\""),
    (STAGE, "name = \"Tilda\"", "name_key = \"nobody\"", "unknown_key", STAGE, "name_key"),
    (STAGE, "name = \"Tilda\"\n", "", "nameless_npc", STAGE, "id = \"tilda\""),
    (STAGE, "her {{shoes}}", "her {{shoe}}", "unknown_key", STAGE, "her {{shoe}}"),
    (STAGE, "note = \"Tilda shows you", "note = \"Tilda shows {{why}}", "unknown_key", STAGE, "{{why}}"),
    (
        STAGE,
        "key = \"shoes\"",
        "key = \"weather\"",
        "duplicate_key",
        STAGE,
        "key = \"weather\"\ntable = [\"shoes",
    ),
    (STAGE, "fallback = \"shoes\"", "fallback = \"\"", "no_fallback", STAGE, "fallback = \"\""),
    (STAGE, "\"goal_register\"]", "\"goal_registr\"]", "unknown_tool", STAGE, "goal_registr"),
    (
        STAGE,
        "table = [\"shoes\", \"toes\", \"boots\", \"fingernails\"]",
        "vocabulary = \"shoes.muddy\"",
        "unknown_vocabulary",
        STAGE,
        "shoes.muddy",
    ),
    (STAGE, "[setting]", "[party_size]\nmin = 3\nmax = 5\n\n[setting]", "party_size", STAGE, "[party_size]"),
    (
        LOW_WATER,
        "monster = \"hired-blade\"",
        "monster = \"hired-hand\"",
        "unknown_monster",
        LOW_WATER,
        "hired-hand",
    ),
    (
        LOW_WATER,
        "archetype = \"companion\"",
        "archetype = \"friend\"",
        "unreadable",
        LOW_WATER,
        "archetype = \"friend\"",
    ),
    // Rules packs.
    (PACK, "id = \"emberlight\"", "id = \"ember\"", "id_and_file", PACK, "id = \"ember\""),
    (PACK, "ability = \"STR\"", "ability = \"LUCK\"", "unknown_ability", PACK, "ability = \"LUCK\""),
    (PACK, "unarmed_damage = \"1d2\"", "unarmed_damage = \"little\"", "not_a_roll", PACK, "little"),
    (PACK, "rounds_max = 10", "rounds_max = 0", "rounds", PACK, "rounds_max = 0"),
    (
        PACK,
        "names = [\"STR\", \"DEX\", \"CON\", \"INT\", \"WIS\", \"CHA\"]",
        "names = []",
        "empty_pack",
        PACK,
        "[abilities]",
    ),
    (
        CLASSES,
        "id = \"bonesetter\"",
        "id = \"warden\"",
        "duplicate_id",
        CLASSES,
        "id = \"warden\"\nname = \"Bone",
    ),
    (ITEMS, "damage = \"1d8\"", "damage = \"plenty\"", "not_a_roll", ITEMS, "plenty"),
    (ITEMS, "heal = \"1d4+1\"", "heal = \"some\"", "not_a_roll", ITEMS, "heal = \"some\""),
    (ITEMS, "ability = \"DEX\"", "ability = \"AIM\"", "unknown_ability", ITEMS, "ability = \"AIM\""),
    (
        MONSTERS,
        "id = \"bailiff\"",
        "id = \"wrecker\"",
        "duplicate_id",
        MONSTERS,
        "id = \"wrecker\"\nname = \"Bailiff\"",
    ),
    (MONSTERS, "hit_points = 12", "hit_points = 0", "no_hit_points", MONSTERS, "hit_points = 0"),
    (MONSTERS, "saves = { WIS = 3 }", "saves = { WIT = 3 }", "unknown_ability", MONSTERS, "{ WIT = 3 }"),
    (
        MONSTERS,
        "[[monster.attack]]\nname = \"wings in the eyes\"\nbonus = 0\ndamage = \"1d2\"",
        "attack = []",
        "no_attack",
        MONSTERS,
        "[[monster]]\nid = \"candle-moths\"",
    ),
    (SPELLS, "classes = [\"lamplighter\"", "classes = [\"linkboy\"", "unknown_class", SPELLS, "linkboy"),
    (SPELLS, "heal = \"1d6\"", "heal = \"lots\"", "not_a_roll", SPELLS, "lots"),
    (
        "rules/emberlight/topics.toml",
        "path = \"combat/morale\"",
        "path = \"monsters/wrecker\"",
        "duplicate_page",
        "rules/emberlight/topics.toml",
        "[[topic]]",
    ),
    (READY, "hp = 10", "hp = 30", "illegal_character", READY, "[[character]]"),
    // Prompts and models.
    ("prompts/dm-play.md", "{{tone}}", "{{ton}}", "unknown_name", "prompts/dm-play.md", "{{ton}}"),
    (
        "models.toml",
        "default = \"improv\"",
        "default = \"nobody\"",
        "unknown_model",
        "models.toml",
        "default = \"nobody\"",
    ),
    (
        "models.toml",
        "\n[seat]\n",
        "\n[seat]\ndm = \"nobody\"\n",
        "unknown_model",
        "models.toml",
        "dm = \"nobody\"",
    ),
    (
        "models.toml",
        "\n[seat]\n",
        "\n[seat]\nplayer-9 = \"improv\"\n",
        "unknown_seat",
        "models.toml",
        "player-9",
    ),
    (
        "models.toml",
        "default = \"improv\"",
        "default = improv",
        "unreadable",
        "models.toml",
        "default = improv",
    ),
    (
        "models.toml",
        "timeout_ms = 300000\n\n[model.openai]",
        "timeout = 3\n[model.openai]",
        "unreadable",
        "models.toml",
        "timeout = 3",
    ),
    (
        "models.toml",
        "base_url = \"http://127.0.0.1:8080/v1\"\n",
        "",
        "unusable_model",
        "models.toml",
        "[model.local]",
    ),
    (
        "models.toml",
        "base_url = \"http://127.0.0.1:8080/v1\"",
        "base_url = \"127.0.0.1:8080\"",
        "unusable_model",
        "models.toml",
        "[model.local]",
    ),
    ("models.toml", "\"prompted\"", "\"shouted\"", "unusable_model", "models.toml", "[model.prompted]"),
];

/// What is probably meant otherwise.
const WARNINGS: &[Break] = &[
    (
        WEIR,
        "encounters = [\"low-water\"]",
        "encounters = []",
        "encounter_in_no_act",
        WEIR,
        "encounters = [\"the-harvest",
    ),
    (
        WEIR,
        "\"the-fast-packet\", \"low-water\"]",
        "\"the-fast-packet\", \"low-water\", \"low-water\"]",
        "encounter_twice",
        WEIR,
        "encounters = [\"the-harvest",
    ),
    (STAGE, "difficulty = 11", "difficulty = 24", "out_of_reach", STAGE, "difficulty = 24"),
    (STAGE, "difficulty = 11", "difficulty = -3", "no_risk", STAGE, "difficulty = -3"),
    (STAGE, "{{weather}} over", "Rain over", "unused_key", STAGE, "key = \"weather\""),
    (
        STAGE,
        "key = \"weather\"",
        "key = \"weather\"\nvocabulary = \"weather.mornings\"",
        "two_sources",
        STAGE,
        "weather.mornings",
    ),
    (
        STAGE,
        "table = [\"shoes\", \"toes\", \"boots\", \"fingernails\"]\n",
        "",
        "nothing_to_draw",
        STAGE,
        "key = \"shoes\"",
    ),
    (
        STAGE,
        "persona = \"Slow, proud, hurt. Wants his boat and not to be laughed at. Fears that his niece is unhappy.\"",
        "persona = \"\"",
        "no_persona",
        STAGE,
        "persona = \"\"",
    ),
    (STAGE, "[setting]", "[party_size]\nmin = 2\nmax = 3\n\n[setting]", "party_size", STAGE, "[party_size]"),
    (STAGE, "until = [\"bring", "gains = \"an-oar\"\nuntil = [\"bring", "unknown_item", STAGE, "an-oar"),
    (LOW_WATER, "\"hand-lantern\"", "\"hand-lantren\"", "unknown_item", LOW_WATER, "hand-lantren"),
    (CLASSES, "\"hand-bell\"", "\"hand-bel\"", "unknown_item", CLASSES, "\"hand-bel\""),
    (BOAT, "[\"the-landing-stage\"]", "[\"gone-before-dusk\"]", "unreachable_encounter", STAGE, ""),
    (
        "campaigns/the-last-tram-but-one.toml",
        "rules = \"small-hours\"\nencounters = [\"the-ten-past-three\"]",
        "rules = \"emberlight\"\nencounters = [\"the-landing-stage\"]",
        "unused_rules",
        "rules/small-hours/pack.toml",
        "",
    ),
    (
        "rules/small-hours/pack.toml",
        "ability = \"GRIT\"\nunarmed",
        "unarmed",
        "combat_ability",
        "rules/small-hours/pack.toml",
        "[combat]",
    ),
];

/// A home with a configuration of its own.
pub(super) fn initialised() -> Home {
    let home = Home::new();
    home.succeed(["init", "mine"]);
    home
}

fn findings(report: &Value) -> &Vec<Value> {
    report["findings"].as_array().expect("a report has findings")
}

/// Every break is found, at its place, with help; the exit code is `code`.
pub(super) fn all_are_found(breaks: &[Break], severity: &str, code: i32) {
    let home = initialised();
    for (file, from, to, rule, at, place) in breaks {
        let path = format!("mine/{file}");
        let before = std::fs::read(home.path(&path)).expect("the file is there");
        home.edit(&path, from, to);
        let outcome = home.run(["lint", "mine", "--json"]);
        let report = last_line(&outcome.stdout);
        let said = |finding: &&Value| {
            let file = finding["file"].as_str().unwrap_or_default();
            finding["rule"] == *rule && finding["severity"] == severity && file.ends_with(at)
        };
        let found: Vec<&Value> = findings(&report).iter().filter(said).collect();
        assert!(!found.is_empty(), "{file}: {to:?} should be {rule} in {at}: {report:#}");
        if !place.is_empty() {
            let text = std::fs::read_to_string(home.path(&format!("mine/{at}"))).expect("the file is there");
            let line = 1 + text[..text.find(place).expect("it was written")].matches('\n').count();
            let lines: Vec<&Value> = found.iter().map(|finding| &finding["line"]).collect();
            assert!(lines.iter().any(|found| **found == line), "{rule} is on line {line}: {lines:?}");
        }
        for finding in findings(&report) {
            let words = |field: &str| !finding[field].as_str().unwrap_or_default().trim().is_empty();
            assert!(words("help") && words("message") && words("file"), "{finding:#}");
        }
        assert_eq!(outcome.code, Some(code), "{rule}: {report:#}");
        home.write(&path, before);
    }
    home.succeed(["lint", "mine"]);
}

#[test]
fn the_bundled_configuration_is_clean_and_so_is_what_init_writes() {
    let home = initialised();
    for arguments in [&["lint", "--json"][..], &["lint", "mine", "--json"]] {
        let report = last_line(&home.succeed(arguments));
        assert_eq!((&report["errors"], &report["warnings"]), (&0.into(), &0.into()), "{report:#}");
    }
    let said = home.succeed(["lint"]);
    assert!(said.contains("No problems found in "), "{said}");
}

#[test]
fn every_error_is_found_at_its_place_with_what_to_do() {
    all_are_found(ERRORS, "error", 2);
}

#[test]
fn every_warning_is_found_at_its_place_and_does_no_harm() {
    all_are_found(WARNINGS, "warning", 0);
}

#[test]
fn one_mistake_hides_no_other() {
    let home = initialised();
    for (file, from, to) in [
        (STAGE, "her {{shoes}}", "her {{shoe}}"),
        (STAGE, "\"goal_register\"]", "\"goal_registr\"]"),
        (BOAT, "turns_max = 60", "turns_most = 40"),
        (LOW_WATER, "monster = \"hired-blade\"", "monster = \"hired-hand\""),
        ("models.toml", "default = \"improv\"", "default = \"nobody\""),
    ] {
        home.edit(&format!("mine/{file}"), from, to);
    }
    let report = last_line(&home.run(["lint", "mine", "--json"]).stdout);
    for rule in ["unknown_key", "unknown_tool", "wrong_limit", "unknown_monster", "unknown_model"] {
        assert!(findings(&report).iter().any(|finding| finding["rule"] == rule), "{rule}: {report:#}");
    }
    assert_eq!(report["errors"], findings(&report).iter().filter(|one| one["severity"] == "error").count());
}

#[test]
fn every_field_that_should_not_be_there_is_told_with_the_one_that_was_meant() {
    let home = initialised();
    let file = format!("mine/{STAGE}");
    for (right, wrong) in
        [("title = ", "titel = "), ("objective = ", "objctive = "), ("dm_notes = ", "dm_note = ")]
    {
        home.edit(&file, right, wrong);
    }
    home.edit(&file, "house_rules = ", "colour = \"green\"\nhouse_rules = ");
    let outcome = home.run(["lint", "mine", "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let found: Vec<(&str, &str)> = findings(&report)
        .iter()
        .map(|found| (found["message"].as_str().unwrap(), found["help"].as_str().unwrap()))
        .collect();
    for (typed, meant) in [("titel", "\"title\""), ("objctive", "\"objective\""), ("dm_note", "\"dm_notes\"")]
    {
        let told = found.iter().find(|(message, _)| message.starts_with(&format!("unknown field `{typed}`")));
        assert!(told.is_some_and(|(_, help)| help.contains(&format!("did you mean {meant}?"))), "{found:?}");
    }
    let green = found.iter().find(|(message, _)| message.starts_with("unknown field `colour`"));
    assert!(green.is_some_and(|(_, help)| !help.contains("did you mean")), "{found:?}");
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn a_file_by_itself_is_told_of_by_itself() {
    let home = initialised();
    home.edit(&format!("mine/{STAGE}"), "her {{shoes}}", "her {{shoe}}");
    home.edit(&format!("mine/{LOW_WATER}"), "monster = \"hired-blade\"", "monster = \"hired-hand\"");
    let outcome = home.run(["lint", &format!("mine/{STAGE}")]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stdout);
    let at = "mine/encounters/the-landing-stage.toml:16: error[unknown_key]: {{shoe}} is undefined";
    assert!(outcome.stdout.contains(at), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n  help: add a [[random]]"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("hired-hand"), "{}", outcome.stdout);
    let outcome = home.run(["lint", &format!("mine/{WEIR}")]);
    assert_eq!(outcome.code, Some(2), "a campaign comes with its encounters");
    assert!(
        outcome.stdout.contains("hired-hand") && !outcome.stdout.contains("{{shoe}}"),
        "{}",
        outcome.stdout
    );
    home.succeed(["lint", "mine/limits.toml"]);
    home.succeed(["lint", "the-borrowed-boat"]);
}

#[test]
fn what_nobody_can_reach_is_told_with_what_the_rules_allow() {
    let home = initialised();
    home.edit(&format!("mine/{STAGE}"), "difficulty = 11", "difficulty = 23");
    home.succeed(["lint", "mine"]);
    home.edit(&format!("mine/{STAGE}"), "difficulty = 23", "difficulty = 24");
    let tram = "mine/encounters/the-ten-past-three.toml";
    let text = std::fs::read_to_string(home.path(tram)).expect("the file is there");
    let line = text.lines().find(|line| line.starts_with("threshold = ")).expect("a reveal");
    home.edit(tram, line, "threshold = 14");
    let outcome = home.run(["lint", "mine"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stdout);
    for words in [
        "its difficulty is 24, and the highest total is 23 (1d20 with a modifier of +3)",
        "help: write at most 23; here easy is 8, hard is 16,",
        "the threshold is 14, and the highest passive score is 13 (10 and a modifier of +3)",
        "help: write at most 13",
    ] {
        assert!(outcome.stdout.contains(words), "{words}: {}", outcome.stdout);
    }
    home.edit(&format!("mine/{STAGE}"), "difficulty = 24", "difficulty = -3");
    let told = home.succeed(["lint", "mine"]);
    assert!(told.contains("nobody can fail the check") && told.contains("help: write at least "), "{told}");
}

#[test]
fn a_file_in_the_wrong_folder_is_told_where_it_belongs() {
    let home = Home::new();
    home.succeed(["new", "campaign", "mine"]);
    let read = |file: &str| std::fs::read(home.path(file)).expect("it was written");
    home.write("mine/campaigns/other.toml", read("mine/encounters/mine.toml"));
    home.write("mine/encounters/another.toml", read("mine/campaigns/mine.toml"));
    let outcome = home.run(["lint", "mine", "--json"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    let report = last_line(&outcome.stdout);
    let told: Vec<(&str, &str)> = findings(&report)
        .iter()
        .map(|found| (found["file"].as_str().unwrap(), found["rule"].as_str().unwrap()))
        .collect();
    let wanted =
        [("mine/campaigns/other.toml", "wrong_folder"), ("mine/encounters/another.toml", "wrong_folder")];
    assert_eq!(told, wanted, "{report:#}");
    let helps: String = findings(&report).iter().map(|found| found["help"].to_string()).collect();
    assert!(helps.contains("move the file to encounters/") && helps.contains("move the file to campaigns/"));
    home.run(["lint", "mine/campaigns/other.toml"]);
}

#[test]
fn what_is_counted_is_ones_own() {
    let home = Home::new();
    home.succeed(["new", "campaign", "mine"]);
    let said = home.succeed(["lint", "mine"]);
    assert_eq!(said, "No problems found in 1 campaign of mine.\n");
    std::fs::create_dir(home.path("limits")).expect("a folder");
    home.write("limits/limits.toml", std::fs::read(initialised().path("mine/limits.toml")).expect("limits"));
    let said = home.succeed(["lint", "limits"]);
    assert_eq!(said, "No problems found in limits, which has no campaign of its own.\n");
}

#[test]
fn without_a_folder_the_models_that_the_user_has_configured_are_checked() {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".config/twicetold")).expect("a folder");
    let own = ".config/twicetold/models.toml";
    // What needs no entry may have a seat.
    let seats =
        "[seat]\ndm = \"improv\"\nmemory = \"ollama:qwen3\"\nplayers = \"http://127.0.0.1:1/v1#it\"\n";
    home.write(own, format!("default = \"mine\"\n[model.mine]\nprovider = \"improv\"\n{seats}"));
    let said = home.succeed(["lint"]);
    assert!(said.ends_with(&format!(" campaigns and {}.\n", home.path(own).display())), "{said}");
    home.edit(own, "provider = \"improv\"", "provider = \"improve\"");
    let outcome = home.run(["lint", "--json"]);
    assert_eq!(outcome.code, Some(2));
    let found = &last_line(&outcome.stdout)["findings"][0];
    assert_eq!((&found["rule"], &found["line"]), (&"unusable_model".into(), &2.into()), "{found:#}");
    assert_eq!(found["file"].as_str(), home.path(own).to_str());
}

#[test]
fn what_is_no_configuration_is_said_to_be_none() {
    let home = Home::new();
    home.run(["lint", "nowhere"]).failed(7, &["\"nowhere\"", "the-borrowed-boat"]);
    std::fs::create_dir(home.path("empty")).expect("a folder");
    home.run(["lint", "empty"]).failed(2, &["empty holds no configuration"]);
    home.succeed(["init", "mine"]);
    home.edit("mine/models.toml", "timeout_ms = 300000", "timeout = 3");
    for path in ["mine", "mine/models.toml"] {
        let outcome = home.run(["lint", path]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(
            outcome.stdout.contains(": error[unreadable]: unknown field `timeout`"),
            "{}",
            outcome.stdout
        );
    }
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_one_that_is_and_with_nothing_that_follows_from_it() {
    for (file, from, to, near) in [
        (BOAT, "[\"the-landing-stage\"]", "[\"the-landing-stge\"]", "did you mean \"the-landing-stage\"?"),
        (BOAT, "rules = \"emberlight\"", "rules = \"emberlihgt\"", "did you mean \"emberlight\"?"),
        (BOAT, "title = ", "titel = ", "did you mean \"title\"?"),
        ("models.toml", "default = \"improv\"", "default = \"impov\"", "did you mean \"improv\"?"),
    ] {
        let home = Home::new();
        home.succeed(["init", "mine"]);
        home.edit(&format!("mine/{file}"), from, to);
        let linted = home.run(["lint", "mine"]);
        let said = flat(&(linted.stdout + &linted.stderr));
        assert!(linted.code == Some(2) && said.contains(file) && said.contains(near), "{said}");
        assert!(!said.contains("unreachable_encounter"), "{said}");
        home.run(["run", "mine/campaigns/the-borrowed-boat.toml", "--config", "mine"]).failed(2, &[]);
    }
}
