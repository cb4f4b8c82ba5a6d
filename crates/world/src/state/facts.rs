//! What is known of the world: each fact with the event that wrote it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Origin;

/// Facts about the world. Prompts show the last few of each list; nothing is ever deleted from one.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Facts {
    /// Where the party is.
    pub location: Option<(Origin, String)>,
    /// Time of day.
    pub time_of_day: Option<(Origin, String)>,
    /// The scene.
    pub scene: Option<(Origin, String)>,
    /// What the party wants.
    pub objective: Option<(Origin, String)>,
    /// Experience of the party.
    pub experience: i64,
    /// The DM's notes.
    pub flags: BTreeMap<String, (Origin, String)>,
    /// Worth remembering for a while.
    pub notable: Log,
    /// Worth remembering for ever.
    pub important: Log,
    /// Turning points.
    pub milestones: Log,
    /// Quests: text, done?
    pub quests: Vec<(Origin, String, bool)>,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// People whom the party met, by id.
    pub npcs: BTreeMap<String, Met>,
    /// The turn of the last important event or milestone.
    pub major_event_turn: u32,
}

/// Somebody whom the party met.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Met {
    /// The name as written.
    pub name: String,
    /// Where they met.
    pub met: Origin,
}

/// A list that only grows. Its digest runs along, so that the state's digest costs the same however long it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Log {
    pub(super) entries: Vec<(Origin, String)>,
    pub(super) running: u64,
}

impl Log {
    pub(crate) fn push(&mut self, origin: Origin, text: &str) {
        let mut digester = twicetold_model::Digester::new("twicetold log 1");
        digester.number(self.running);
        digester.text(text);
        let digest = digester.finish();
        self.running = u64::from_le_bytes(digest.0[..8].try_into().unwrap_or_default());
        self.entries.push((origin, text.to_owned()));
    }

    /// All entries, oldest first.
    pub fn all(&self) -> &[(Origin, String)] {
        &self.entries
    }

    /// The last `most` entries.
    pub fn last(&self, most: u32) -> &[(Origin, String)] {
        let skip = self.entries.len().saturating_sub(most as usize);
        &self.entries[skip..]
    }
}
