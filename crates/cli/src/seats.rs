//! Who plays where: `models.toml` and the command line become the seats of a charter, and the seats become providers.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use twicetold_event::Seat;
use twicetold_provider::{Improvised, OpenAi, Provider, Recorded, Settings};
use twicetold_world::setup::{SeatSetup, SeatsFile, Setup};

use crate::configuration::Configuration;
use crate::failure::{Failure, code};

/// `models.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelsFile {
    default: String,
    #[serde(default)]
    seat: BTreeMap<String, String>,
    #[serde(default)]
    model: BTreeMap<String, ModelSpec>,
}

/// A model as a user configures it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelSpec {
    provider: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    api_key_env: Option<String>,
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default = "tokens_max")]
    tokens_max: u32,
    #[serde(default = "timeout_ms")]
    timeout_ms: u64,
    #[serde(default = "yes")]
    parallel_tool_calls: bool,
    #[serde(default = "yes")]
    send_seed: bool,
    #[serde(default = "token_factor_percent")]
    token_factor_percent: u32,
    #[serde(default)]
    quirks: toml::Table,
}

/// A reply of 300 words and some tool calls.
fn tokens_max() -> u32 {
    1_000
}

/// Two minutes: a large model that thinks first.
fn timeout_ms() -> u64 {
    120_000
}

fn token_factor_percent() -> u32 {
    100
}

fn yes() -> bool {
    true
}

/// The file, below the configuration folder.
pub const PATH: &str = "models.toml";

/// Where its fields are described.
const HELP: &str =
    "`twicetold init DIR` writes a models.toml that shows every field, and a README.md that describes them";

/// Most players that a table has room for.
pub const PLAYERS_MAX: u8 = 6;

/// The models that are configured, and who is played by which.
pub struct Models {
    file: ModelsFile,
}

impl Models {
    /// Reads `models.toml`; an error points into it.
    pub fn read(configuration: &Configuration) -> Result<Models, Failure> {
        let text = configuration.text(PATH).cloned().unwrap_or_else(|| Arc::from(""));
        Models::parse(&text).map_err(|error| {
            let span = error.span().map(|span| (span.start, span.end));
            let shown = configuration.shown("", PATH);
            Failure::at(error.message(), &shown, &text, span, HELP)
        })
    }

    /// The same of its text.
    pub fn parse(text: &str) -> Result<Models, toml::de::Error> {
        toml::from_str(text).map(|file| Models { file })
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.model.keys().map(String::as_str)
    }

    /// The model that is used where nothing else is said.
    pub fn default_name(&self) -> &str {
        &self.file.default
    }

    /// A model as a seat of a charter has it; or what is wrong with it.
    pub fn find(&self, name: &str) -> Result<SeatSetup, Failure> {
        let spec = self.file.model.get(name).ok_or_else(|| {
            let known = self.names().collect::<Vec<_>>().join(", ");
            let message = format!("there is no model {name:?} in models.toml");
            let help = format!("the models are {known}; `twicetold init DIR` writes models.toml to edit");
            Failure::new(code::USAGE, message, help)
        })?;
        setup(spec.clone()).map_err(|what| {
            let message = format!("models.toml, model {name:?}: {what}");
            Failure::new(code::USAGE, message, HELP)
        })
    }

    /// The same for whoever lists them all: a sentence instead of a failure.
    pub fn setup_of(&self, name: &str) -> Result<SeatSetup, String> {
        self.file
            .model
            .get(name)
            .map_or_else(|| Err("it is not there".to_owned()), |spec| setup(spec.clone()))
    }

    /// The seats that a model plays, in order, at a table with every chair taken.
    pub fn seats_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Seat> + 'a {
        chairs(PLAYERS_MAX).filter(move |seat| self.name_of(*seat) == name)
    }

    /// The name of the model that plays a seat.
    fn name_of(&self, seat: Seat) -> &str {
        let group = matches!(seat, Seat::Player(_)).then(|| self.file.seat.get("players")).flatten();
        self.file.seat.get(&seat.slug()).or(group).unwrap_or(&self.file.default)
    }
}

fn chairs(players: u8) -> impl Iterator<Item = Seat> {
    [Seat::Dm, Seat::Memory].into_iter().chain((1..=players).map(Seat::Player))
}

/// The seats of a new campaign. `model` puts one model on every seat.
pub fn seats(configuration: &Configuration, players: u8, model: Option<&str>) -> Result<SeatsFile, Failure> {
    let models = Models::read(configuration)?;
    let mut seat = BTreeMap::new();
    for chair in chairs(players) {
        seat.insert(chair.slug(), models.find(model.unwrap_or(models.name_of(chair)))?);
    }
    Ok(SeatsFile { players, seat })
}

fn setup(spec: ModelSpec) -> Result<SeatSetup, String> {
    if !["openai", "improv", "improv:chaos"].contains(&spec.provider.as_str()) {
        return Err(format!("the provider {:?} is none of openai, improv, improv:chaos", spec.provider));
    }
    if spec.provider == "openai" && spec.base_url.is_none() {
        return Err("base_url is missing: the address before /chat/completions".into());
    }
    let temperature_milli = match spec.temperature {
        None => None,
        Some(temperature) if (0.0..=2.0).contains(&temperature) => Some(milli(temperature)),
        Some(temperature) => return Err(format!("temperature {temperature} is not within 0 to 2")),
    };
    Ok(SeatSetup {
        model: spec.model.unwrap_or_else(|| spec.provider.clone()),
        provider: spec.provider,
        base_url: spec.base_url,
        api_key_env: spec.api_key_env,
        temperature_milli,
        tokens_max: spec.tokens_max,
        timeout_ms: spec.timeout_ms,
        parallel_tool_calls: spec.parallel_tool_calls,
        send_seed: spec.send_seed,
        token_factor_percent: spec.token_factor_percent,
        quirks: spec.quirks,
    })
}

/// Thousandths: the journal holds no floats.
#[allow(
    clippy::float_arithmetic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 2, checked"
)]
fn milli(temperature: f64) -> u32 {
    (temperature * 1000.0).round() as u32
}

/// A provider for every seat of a setup.
pub fn providers(setup: &Setup) -> Result<BTreeMap<Seat, Arc<dyn Provider>>, Failure> {
    let mut providers: BTreeMap<Seat, Arc<dyn Provider>> = BTreeMap::new();
    for seat in setup.players().chain([Seat::Dm, Seat::Memory]) {
        let Some(model) = setup.seats.of(seat) else { continue };
        let provider: Arc<dyn Provider> = match model.provider.as_str() {
            "improv" => Arc::new(Improvised::new(false)),
            "improv:chaos" => Arc::new(Improvised::new(true)),
            _ => Arc::new(open_ai(seat, model)?),
        };
        providers.insert(seat, provider);
    }
    Ok(providers)
}

/// The same for a branch: what its parent was answered is taken before anybody is asked anew.
pub fn providers_of_branch(
    setup: &Setup,
    mut replies: twicetold_session::Replies,
) -> Result<BTreeMap<Seat, Arc<dyn Provider>>, Failure> {
    let live = providers(setup)?.into_iter().map(|(seat, provider)| {
        let taken = replies.remove(&seat).unwrap_or_default();
        let recorded = Recorded::new(provider.name().to_owned(), taken).or(provider);
        (seat, Arc::new(recorded) as Arc<dyn Provider>)
    });
    Ok(live.collect())
}

fn open_ai(seat: Seat, model: &SeatSetup) -> Result<OpenAi, Failure> {
    OpenAi::new(&model.model, &settings(model), key).map_err(|error| {
        let help =
            "set the variable in the environment, or edit models.toml (`twicetold init DIR` writes it)";
        Failure::new(code::USAGE, format!("the model of {seat} cannot be used: {error}"), help)
    })
}

/// How the server of a model is reached.
pub fn settings(model: &SeatSetup) -> Settings {
    let mut settings = Settings::new(model.base_url.clone().unwrap_or_default());
    settings.timeout_ms = model.timeout_ms;
    settings.api_key_env.clone_from(&model.api_key_env);
    settings
}

/// The key in this environment variable.
pub fn key(variable: &str) -> Option<String> {
    #[allow(clippy::disallowed_methods, reason = "keys come from the environment and are recorded nowhere")]
    std::env::var(variable).ok()
}
