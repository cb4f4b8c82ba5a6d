//! An encounter's specification.

use serde::Deserialize;

use super::{Setup, SetupError};

/// `encounters/<id>.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncounterSpec {
    /// Kebab-case name.
    pub id: String,
    /// What people read.
    pub title: String,
    /// One line that models read.
    pub tone: String,
    /// Messages after which the encounter ends by rule; the campaign's limit holds as well.
    #[serde(default)]
    pub messages_max: Option<u32>,
    /// Where and when.
    pub setting: SettingSpec,
    /// What the DM opens with; `{{keys}}` are filled in.
    pub opening: String,
    /// What the party knows that it wants.
    pub objective: String,
    /// The DM's characters.
    #[serde(default, rename = "npc")]
    pub npcs: Vec<NpcSpec>,
    /// Hidden goals.
    #[serde(rename = "goal")]
    pub goals: Vec<GoalSpec>,
    /// What holds here besides the rules.
    #[serde(default)]
    pub house_rules: Vec<String>,
    /// Named checks with their difficulty.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckSpec>,
    /// What an attentive character notices without trying.
    #[serde(default, rename = "reveal")]
    pub reveals: Vec<RevealSpec>,
    /// Details that the seed draws.
    #[serde(default, rename = "random")]
    pub randoms: Vec<RandomSpec>,
    /// What the DM alone reads.
    #[serde(default)]
    pub dm_notes: String,
    /// Tools offered here; empty: all that the rules of the table allow.
    #[serde(default)]
    pub allowed_tools: Vec<String>,
    /// For how many players it is meant.
    #[serde(default)]
    pub party_size: PartySize,
}

/// Where and when.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingSpec {
    /// Place.
    pub location: String,
    /// Time of day.
    #[serde(default)]
    pub time_of_day: String,
    /// Mood.
    pub mood: String,
    /// Ambient characters and details.
    #[serde(default)]
    pub ambient: Vec<String>,
}

/// A character of the DM's.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NpcSpec {
    /// Kebab-case id.
    pub id: String,
    /// Name, unless the seed draws it.
    #[serde(default)]
    pub name: Option<String>,
    /// Randomisable that gives the name.
    #[serde(default)]
    pub name_key: Option<String>,
    /// In a word or two.
    pub role: String,
    /// Voice, want, fear, secret.
    pub persona: String,
    /// Under which its memories are kept between encounters.
    #[serde(default)]
    pub memory_key: String,
}

/// A hidden goal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalSpec {
    /// Id.
    pub id: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    #[serde(default)]
    pub primary: bool,
}

/// A check by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// Lower-case words.
    pub name: String,
    /// An ability of the rules pack.
    pub ability: String,
    /// What has to be reached.
    pub difficulty: i32,
    /// When it is used.
    #[serde(default)]
    pub note: String,
}

/// Something to notice.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevealSpec {
    /// An ability of the rules pack.
    pub ability: String,
    /// Passive score (10 and the modifier) that is needed.
    pub threshold: i32,
    /// What is noticed.
    pub text: String,
}

/// A detail that the seed draws.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomSpec {
    /// Key, used as `{{key}}`.
    pub key: String,
    /// Choices.
    #[serde(default)]
    pub table: Vec<String>,
    /// `file.list` of the vocabulary, instead of a table.
    #[serde(default)]
    pub vocabulary: Option<String>,
    /// Used when the choices are empty.
    pub fallback: String,
}

/// For how many players.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartySize {
    /// Fewest.
    pub min: u8,
    /// Most.
    pub max: u8,
}

impl Default for PartySize {
    fn default() -> PartySize {
        PartySize { min: 1, max: twicetold_event::limits::PLAYERS_MAX }
    }
}

impl EncounterSpec {
    pub(crate) fn check(&self, setup: &Setup) -> Result<(), SetupError> {
        let path = format!("encounters/{}.toml", self.id);
        let fault = |message: String| Err(SetupError::invalid(&path, message));
        if !self.goals.iter().any(|goal| goal.primary) {
            return fault("no goal is primary: at least one must be, or nothing drives the encounter".into());
        }
        for (place, goal) in self.goals.iter().enumerate() {
            if self.goals[..place].iter().any(|earlier| earlier.id == goal.id) {
                return fault(format!("the goal {:?} stands here twice", goal.id));
            }
        }
        for (ability, what) in self
            .checks
            .iter()
            .map(|check| (&check.ability, format!("the check {:?}", check.name)))
            .chain(self.reveals.iter().map(|reveal| (&reveal.ability, "a reveal".to_owned())))
        {
            if setup.rules.ability_index(ability).is_none() {
                let known = setup.rules.pack.abilities.names.join(", ");
                return fault(format!("{what} asks for the ability {ability:?}; the rules pack has {known}"));
            }
        }
        for npc in &self.npcs {
            let known_key = |key: &String| self.randoms.iter().any(|random| random.key == *key);
            match (&npc.name, &npc.name_key) {
                (Some(_), _) => {}
                (None, Some(key)) if known_key(key) => {}
                (None, Some(key)) => {
                    return fault(format!(
                        "the npc {:?} takes its name from {key:?}, and no [[random]] has that key",
                        npc.id
                    ));
                }
                (None, None) => {
                    return fault(format!("the npc {:?} has neither a name nor a name_key", npc.id));
                }
            }
        }
        Ok(())
    }
}
