//! An encounter among the campaigns, or a campaign among the encounters.

use super::{Finding, Severity};

/// Fields that only a campaign has.
const CAMPAIGN: [&str; 6] =
    ["encounters", "players_min", "players_max", "players_default", "scenario", "act"];
/// Fields that only an encounter has.
const ENCOUNTER: [&str; 9] =
    ["opening", "objective", "setting", "goal", "npc", "check", "reveal", "random", "dm_notes"];

/// The rule that such a file offends.
pub(super) const RULE: &str = "wrong_folder";

/// What is to be said of a file that lies in the folder of the other kind; nothing where it may be of its own.
pub(super) fn finding(path: &str, text: &str) -> Option<Finding> {
    let table = text.parse::<toml::Table>().ok()?;
    let has = |fields: &[&str]| fields.iter().filter(|field| table.contains_key(**field)).count();
    let (campaign, encounter) = (has(&CAMPAIGN), has(&ENCOUNTER));
    let (folder, name) = path.split_once('/').unwrap_or((path, ""));
    let (looks, message, help) = match folder {
        "campaign.toml" | "campaigns" => (
            encounter > campaign,
            "this looks like an encounter, and it lies where campaigns do",
            "move the file to encounters/, and list its id under encounters in a campaign".to_owned(),
        ),
        "encounters" => (
            campaign > encounter,
            "this looks like a campaign, and it lies where encounters do",
            format!("move the file to campaigns/; then `twicetold run FOLDER/campaigns/{name}` plays it"),
        ),
        _ => return None,
    };
    let (severity, path, message) = (Severity::Error, path.to_owned(), message.to_owned());
    looks.then_some(Finding { severity, rule: RULE, path, span: None, message, help })
}

#[cfg(test)]
mod tests {
    use super::finding;

    #[test]
    fn a_file_is_known_by_most_of_its_fields() {
        let encounter = "id = \"a\"\nopening = \"b\"\nobjective = \"c\"\n";
        let campaign = "id = \"a\"\nencounters = []\nplayers_min = 2\n";
        for (path, text, is_wrong) in [
            ("campaigns/a.toml", encounter, true),
            ("campaign.toml", encounter, true),
            ("encounters/a.toml", campaign, true),
            ("campaigns/a.toml", campaign, false),
            ("encounters/a.toml", encounter, false),
            ("campaigns/a.toml", "id = \"a\"", false),
            ("campaigns/a.toml", "encounters = 1\nopening = 1", false),
            ("encounters/a.toml", "not toml", false),
            ("limits.toml", encounter, false),
            ("", encounter, false),
        ] {
            assert_eq!(finding(path, text).is_some(), is_wrong, "{path}: {text}");
        }
    }
}
