//! Promise: the schemas that editors read are made of the types that read the files, and refuse no file that the program takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};
use twicetold_foreign::Mapping;
use twicetold_host::schemas::{FILES, FileSchema};
use twicetold_host::seats::{Models, problem};
use twicetold_sweep::Plan;
use twicetold_tests::forms::Checked;
use twicetold_tests::{Home, golden, repository};
use twicetold_world::setup::lint;

/// Every schema, by the name of its file.
fn made() -> BTreeMap<String, Value> {
    let generator = || SchemaSettings::draft07().into_generator();
    fn all(generator: impl Fn() -> SchemaGenerator) -> Vec<(&'static str, Schema)> {
        let mut all = twicetold_world::setup::schema::schemas(&generator);
        all.extend(twicetold_foreign::schemas(&generator));
        all.extend(twicetold_host::seats::schema::schemas(&generator));
        all.extend(twicetold_sweep::schemas(&generator));
        all
    }
    let headed = |(name, mut schema): (&'static str, Schema)| {
        schema.insert("$id".into(), format!("urn:twicetold:file:{name}").into());
        schema.insert("title".into(), format!("{name}.toml").into());
        let mut schema = schema.to_value();
        without_null(&mut schema);
        (name.to_owned(), schema)
    };
    all(generator).into_iter().map(headed).collect()
}

/// TOML has no null: what may be absent is just absent.
fn without_null(schema: &mut Value) {
    let is_null = |one: &Value| *one == json!("null") || *one == json!({ "type": "null" });
    match schema {
        Value::Array(list) => list.iter_mut().for_each(without_null),
        Value::Object(fields) => {
            fields.retain(|name, value| name != "default" || !value.is_null());
            if let Some(Value::Object(usual)) = fields.get_mut("default") {
                usual.retain(|_, value| !value.is_null());
            }
            for name in ["type", "anyOf"] {
                let Some(Value::Array(choices)) = fields.get_mut(name) else { continue };
                choices.retain(|one| !is_null(one));
                if choices.len() > 1 {
                    continue;
                }
                match (name, choices.pop()) {
                    ("anyOf", Some(Value::Object(one))) => {
                        fields.remove(name);
                        // Draft 7 reads nothing beside a reference.
                        match one.contains_key("$ref") && !fields.is_empty() {
                            true => drop(fields.insert("allOf".into(), json!([one]))),
                            false => fields.extend(one),
                        }
                    }
                    (_, one) => drop(fields.insert(name.into(), one.expect("a choice"))),
                }
            }
            fields.values_mut().for_each(without_null);
        }
        _ => {}
    }
}

fn folder() -> PathBuf {
    repository().join("config/schemas")
}

/// All TOML files of a configuration, by their paths below it.
fn files_below(root: &Path) -> BTreeMap<String, String> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "toml") {
                let below = entry.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
                files.insert(below, std::fs::read_to_string(&entry).expect("text"));
            }
        }
    }
    files
}

fn json_of(text: &str) -> Value {
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    serde_json::to_value(table).expect("a table is an object")
}

/// A schema as the program carries it.
fn text(file: FileSchema) -> String {
    let path = repository().join("config").join(file.path());
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All of them, ready to be used.
fn carried() -> BTreeMap<&'static str, Checked> {
    let ready = |file: FileSchema| {
        let schema =
            serde_json::from_str(&text(file)).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        (file.name, Checked::new(schema))
    };
    let common = FileSchema::at("mappings/common.toml");
    FILES.into_iter().chain(common).map(ready).collect()
}

const PLAN: &str = "name = \"players\"\ncampaigns = [\"the-borrowed-boat\"]\nseeds = \"1..20\"\n\
                    models = [\"improv\", { name = \"mixed\", dm = \"openai:x\", players = \"improv\" }]\n\
                    players = [2, 3]\nscores = [\"primary\"]\nbudget = \"400calls\"\nparallel = 2\n";

#[test]
fn a_schema_of_a_file_is_made_of_the_type_that_reads_it() {
    let made = made();
    for (name, schema) in &made {
        golden(&folder().join(format!("{name}.json")), &format!("{schema:#}\n"));
    }
    let kept = std::fs::read_dir(folder()).expect("a folder").count();
    assert_eq!(kept, made.len(), "a schema is kept of a file that nothing reads");
    // The program prints each, and lists all but that of what its own mappings share.
    let home = Home::new();
    for (name, schema) in made.iter().filter(|(name, _)| *name != "common") {
        let printed: Value =
            serde_json::from_str(&home.succeed(["schema", &format!("{name}.toml")])).unwrap();
        assert_eq!(printed, *schema, "{name}");
    }
    let listed = home.succeed(["schema"]);
    assert_eq!(listed.lines().filter(|line| line.contains(".toml  ")).count(), made.len() - 1, "{listed}");
    home.run(["schema", "encounter"]).failed(7, &["there is no form", "did you mean \"encounter.toml\"?"]);
}

#[test]
fn every_file_that_comes_along_is_as_its_schema_says() {
    let carried = carried();
    let mut tried = BTreeMap::new();
    for root in ["config", "tests/campaigns"] {
        for (path, text) in files_below(&repository().join(root)) {
            let file = FileSchema::at(&path).unwrap_or_else(|| panic!("{path} has no schema"));
            carried[file.name].fits(&json_of(&text)).unwrap_or_else(|why| panic!("{root}/{path}: {why}"));
            tried.insert(file.name, path);
        }
    }
    carried["plan.toml"].fits(&json_of(PLAN)).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(tried.len() + 1, carried.len(), "{tried:?}");
}

/// Does the program read it, whatever else there is to say of it?
fn is_read(path: &str, text: &str) -> bool {
    match path.split('/').next().unwrap_or_default() {
        "models.toml" => {
            let usable = |models: Models| {
                models
                    .names()
                    .all(|name| models.profile(name).is_ok_and(|profile| problem(&profile).is_none()))
            };
            // `lint` and `run` ask whether a seat exists.
            Models::parse(text).is_ok_and(usable) && !text.contains("[seat]\nmistyped")
        }
        "mappings" => {
            let common =
                std::fs::read_to_string(repository().join("config/mappings/common.toml")).expect("text");
            match path {
                "mappings/common.toml" => {
                    let mapping = "name = \"x\"\nabout = \"x\"\nspeaker = \"x\"\ntext = \"x\"\n";
                    Mapping::read(mapping.to_owned(), text).is_ok()
                }
                _ => Mapping::read(text.to_owned(), &common).is_ok(),
            }
        }
        "plan.toml" => Plan::read(text, &|_, _| None).1.is_empty(),
        _ => lint::file(path, text).is_empty(),
    }
}

/// The value with one thing changed: in each table a field more, one less, or one of another type. Of a list the first is changed.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Object(fields) => {
            let with = |name: &str, value: Value| {
                let mut fields = fields.clone();
                fields.insert(name.to_owned(), value);
                Value::Object(fields)
            };
            all.push(with("mistyped", json!("x")));
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(Value::Object(without));
                all.extend(changed(inner).into_iter().map(|inner| with(name, inner)));
                all.push(with(name, if inner.is_boolean() { json!(7) } else { json!(true) }));
            }
        }
        Value::Array(list) => {
            let inner = list.first().map(changed).unwrap_or_default();
            all.extend(inner.into_iter().map(|one| {
                let mut list = list.clone();
                list[0] = one;
                Value::Array(list)
            }));
        }
        _ => {}
    }
    all
}

#[test]
fn a_schema_and_the_reader_of_its_file_agree_on_what_is_mistyped() {
    let carried = carried();
    // The longest file of each kind shows most fields.
    let mut longest: BTreeMap<&str, (String, String)> = BTreeMap::new();
    longest.insert("plan.toml", ("plan.toml".into(), PLAN.into()));
    for (path, text) in files_below(&repository().join("config")) {
        let name = FileSchema::at(&path).expect("a schema").name;
        let known = longest.get(name).map_or(0, |(_, text)| text.len());
        if text.len() > known {
            longest.insert(name, (path, text));
        }
    }
    for (name, (path, text)) in longest {
        // Texts must stand in their file as they are: none that was written anew is read.
        let texts = path.starts_with("prompts/");
        let (mut refused, mut tried) = (0, 0);
        for value in changed(&json_of(&text)) {
            let table = toml::Table::try_from(&value).expect("TOML");
            let (fits, read) = (carried[name].fits(&value), texts || is_read(&path, &table.to_string()));
            tried += 1;
            refused += usize::from(fits.is_err());
            if texts {
                assert!(
                    fits.is_err(),
                    "{path} lacks a text or has one more, and its schema takes it:\n{table}"
                );
                continue;
            }
            if let (Err(why), true) = (&fits, read) {
                panic!("{path} is read, and its schema refuses it: {why}\n{table}");
            }
            // An address is needed where a provider has a server, which no schema knows.
            let lacks_an_address = name == "models.toml"
                && text.matches("base_url").count() > table.to_string().matches("base_url").count();
            assert!(
                fits.is_err() || read || lacks_an_address,
                "{path} is not read, and its schema takes it:\n{table}"
            );
        }
        assert!(refused > 0 && refused <= tried, "{path}: {refused} of {tried}");
    }
}

#[test]
fn files_that_are_written_for_authors_name_their_schema_and_are_as_it_says() {
    let home = Home::new();
    home.succeed(["init", "mine"]);
    home.succeed(["new", "campaign", "the-cold-oven"]);
    let mut seen = 0;
    for root in ["mine", "the-cold-oven"] {
        for (path, text) in files_below(&home.path(root)) {
            let line = text.lines().next().unwrap_or_default();
            let place = line.strip_prefix("#:schema ").unwrap_or_else(|| panic!("{root}/{path}: {line}"));
            let below = Path::new(root).join(&path);
            let schema = home.path(&below.parent().expect("a folder").join(place).to_string_lossy());
            let schema =
                std::fs::read_to_string(&schema).unwrap_or_else(|error| panic!("{schema:?}: {error}"));
            let schema = Checked::new(serde_json::from_str(&schema).expect("JSON"));
            schema.fits(&json_of(&text)).unwrap_or_else(|why| panic!("{root}/{path}: {why}"));
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
    let said = home.succeed(["lint", "mine"]);
    assert_eq!(said, "No problems found in 5 campaigns of mine.\n", "a comment changes nothing");
}

#[test]
fn new_takes_the_place_of_its_own_schemas_and_of_no_other_file() {
    let home = Home::new();
    home.succeed(["new", "campaign", "one", "--to", "mine"]);
    home.write("mine/schemas/encounter.json", "{\"$id\":\"urn:twicetold:file:encounter\"}");
    home.succeed(["new", "campaign", "two", "--to", "mine"]);
    let written = std::fs::read_to_string(home.path("mine/schemas/encounter.json")).expect("text");
    assert_eq!(written, text(FileSchema::at("encounters/x.toml").expect("a schema")));
    home.write("mine/schemas/campaign.json", "{}");
    home.run(["new", "campaign", "three", "--to", "mine"])
        .failed(2, &["campaign.json is another file: nothing was written", "choose another folder"]);
    assert!(!home.path("mine/encounters/three.toml").exists());
}
