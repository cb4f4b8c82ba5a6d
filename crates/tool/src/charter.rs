//! The files of a charter, chosen from those of a configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_world::setup::SourceFile;

use crate::{TOOLS, Tool};

/// Folders of which a charter takes files.
const FOLDERS: [&str; 4] = ["encounters/", "rules/", "vocabulary/", "prompts/"];

/// The files of a charter for a campaign: its own specification, the tools, and what `configuration` has that campaigns are made
/// of. `seats` is the text of its `seats.toml`. None where the configuration has no such campaign.
pub fn charter_files(
    configuration: &BTreeMap<String, Arc<str>>,
    campaign: &str,
    seats: String,
) -> Option<Vec<SourceFile>> {
    let spec = configuration.get(&format!("campaigns/{campaign}.toml"))?;
    let wanted = |path: &str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    let chosen = configuration.iter().filter(|(path, _)| wanted(path) || *path == "limits.toml");
    let mut files: BTreeMap<String, Arc<str>> =
        chosen.map(|(path, text)| (path.clone(), text.clone())).collect();
    files.insert("campaign.toml".into(), spec.clone());
    files.extend(TOOLS.iter().map(|tool| (format!("tools/{}.json", tool.name), Arc::from(tool_file(tool)))));
    files.insert("seats.toml".into(), Arc::from(seats));
    Some(files.into_iter().map(|(path, text)| SourceFile { path, text }).collect())
}

/// A tool as a charter holds it.
fn tool_file(tool: &Tool) -> String {
    let spec = tool.spec();
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let (name, description, schema) = (text(&spec.name), text(&spec.description), spec.schema);
    format!("{{\"name\":{name},\"description\":{description},\"schema\":{schema}}}\n")
}
