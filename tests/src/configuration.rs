//! The repository's configuration as a charter's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twicetold_world::setup::SourceFile;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a charter for the bundled campaign, with these players, all played by `provider`.
pub fn configuration(players: u8, provider: &str) -> Vec<SourceFile> {
    configuration_of("one-lantern-short", Some(players), provider)
}

/// The files of a charter for this campaign, with so many players or as many as it is written for.
pub fn configuration_of(campaign: &str, players: Option<u8>, provider: &str) -> Vec<SourceFile> {
    let root = repository().join("config");
    let mut files: BTreeMap<String, Arc<str>> = BTreeMap::new();
    for folder in ["encounters", "rules", "vocabulary", "prompts"] {
        collect(&root, &root.join(folder), &mut files);
    }
    let read = |path: &str| {
        Arc::<str>::from(std::fs::read_to_string(root.join(path)).expect("the configuration is complete"))
    };
    files.insert("limits.toml".into(), read("limits.toml"));
    let written = read(&format!("campaigns/{campaign}.toml"));
    let default = || {
        let line = written.lines().find_map(|line| line.strip_prefix("players_default = "));
        line.and_then(|count| count.parse().ok()).expect("the campaign says for how many it is")
    };
    let players: u8 = players.unwrap_or_else(default);
    files.insert("campaign.toml".into(), written);
    for tool in twicetold_tool::TOOLS {
        let spec = tool.spec();
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let file = format!(
            "{{\"name\":{},\"description\":{},\"schema\":{}}}\n",
            text(&spec.name),
            text(&spec.description),
            spec.schema
        );
        files.insert(format!("tools/{}.json", tool.name), Arc::from(file));
    }
    let seat = format!(
        "provider = {provider:?}\nmodel = {provider:?}\ntokens_max = 1000\ntimeout_ms = 120000\nparallel_tool_calls = true\nsend_seed = true\ntoken_factor_percent = 100\n"
    );
    let mut seats = format!("players = {players}\n");
    for slug in
        ["dm".to_owned(), "memory".to_owned()].into_iter().chain((1..=players).map(|n| format!("player-{n}")))
    {
        seats += &format!("[seat.{slug}]\n{seat}");
    }
    files.insert("seats.toml".into(), Arc::from(seats));
    files.into_iter().map(|(path, text)| SourceFile { path, text }).collect()
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Arc<str>>) {
    for item in std::fs::read_dir(folder).expect("the folder is there") {
        let path = item.expect("the folder can be read").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            files.insert(name, Arc::from(std::fs::read_to_string(&path).expect("text")));
        }
    }
}
