//! How a model may be asked for tool calls, as models.toml names it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_world::setup::SeatSetup;

/// The field of `compat`.
pub(crate) const FIELD: &str = "tool_calls";

/// A way to ask for tool calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As the protocol says.
    Native,
    /// One JSON object, held to a schema.
    Structured,
    /// Blocks of JSON among the words.
    Prompted,
    /// One small question at a time.
    Guided,
}

impl Mode {
    /// All of them: those first in which a model can do more.
    pub const ALL: [Mode; 4] = [Mode::Native, Mode::Structured, Mode::Prompted, Mode::Guided];

    /// As models.toml names it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Native => "native",
            Mode::Structured => "structured",
            Mode::Prompted => "prompted",
            Mode::Guided => "guided",
        }
    }

    /// The mode of this name.
    ///
    /// # Errors
    /// The names that there are.
    pub fn parse(name: &str) -> Result<Mode, String> {
        let found = Mode::ALL.into_iter().find(|mode| mode.name() == name);
        found.ok_or_else(|| format!("the modes are {}", Mode::ALL.map(Mode::name).join(", ")))
    }

    /// The mode in which a seat is asked.
    pub fn of(model: &SeatSetup) -> Mode {
        let name = model.compat.get(FIELD).and_then(toml::Value::as_str).unwrap_or_default();
        Mode::parse(name).unwrap_or(Mode::Native)
    }

    /// The same model, asked in this mode.
    #[must_use]
    pub fn put(self, model: &SeatSetup) -> SeatSetup {
        let mut model = model.clone();
        match self {
            Mode::Native => model.compat.remove(FIELD),
            _ => model.compat.insert(FIELD.to_owned(), self.name().into()),
        };
        model
    }
}
