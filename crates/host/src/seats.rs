//! Who plays where: `models.toml` of whoever plays and the command line become the seats of a charter, and the seats become
//! providers. A charter says how a seat is asked; where its server is and which key it wants, the one who plays says.

mod file;
pub mod schema;
mod unreachable;
mod usable;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use twicetold_dialect::Protocol;
use twicetold_event::{Seat, limits};
use twicetold_model::Price;
use twicetold_provider::{Improvised, Provider, Servers, Settings};
use twicetold_referee::wire;
use twicetold_world::setup::{SeatSetup, SeatsFile, Setup, plain_message};

use crate::bounded;
use crate::bundle::BUNDLED;
use crate::configuration::MODELS;
use crate::mapping::{Mapping, Player, wishes};
use crate::measured::Measurements;
use crate::moments::mode;
use crate::prices::PriceSpec;
use crate::words::{did_you_mean, near};
use crate::{Error, Kind};
use file::{ModelSpec, ModelsFile};
pub use unreachable::{key_refused, unreachable};
pub use usable::key;
pub(crate) use usable::usable;
use usable::{server, unusable};

/// A server with a chat-completions API, as models.toml names it.
const CHAT: &str = "openai";
/// Ollama by its own protocol.
const OLLAMA: &str = "ollama";
/// The servers, as models.toml names them, and how they are spoken to.
const SERVERS: [(&str, Protocol); 5] = [
    (CHAT, Protocol::ChatCompletions),
    ("openai-responses", Protocol::Responses),
    ("anthropic", Protocol::Anthropic),
    ("gemini", Protocol::Gemini),
    (OLLAMA, Protocol::Ollama),
];
/// The tool mode that is chosen when a campaign is opened.
const AUTO: &str = "auto";
/// The improviser.
const IMPROV: &str = "improv";
/// The improviser with vices.
const CHAOS: &str = "improv:chaos";

/// Where its fields are described.
const HELP: &str =
    "`twicetold init DIR` writes a models.toml to begin with, and a README.md that describes every field";

/// The models that are configured, and who is played by which.
pub struct Models {
    file: ModelsFile,
    /// The file that they stand in, as it is shown; the bundled one has no folder.
    shown: String,
    /// The folder that `--config` named.
    folder: Option<PathBuf>,
}

/// A model that may play: how it is asked, and how it is reached.
#[derive(Clone)]
pub struct Profile {
    /// The provider, as models.toml says it.
    pub provider: String,
    /// By which protocol its server is spoken to.
    pub protocol: Protocol,
    /// What goes into a charter.
    pub setup: SeatSetup,
    /// What does not.
    pub reach: Settings,
    /// The window in tokens, where models.toml says it. It goes into a charter only where the server is told it.
    pub context: Option<u32>,
    /// What its tokens cost, where models.toml says so; it goes nowhere either.
    pub price: Option<Price>,
    /// Is its tool mode the best that was measured? The setup has the native one until that is settled.
    pub(crate) auto_mode: bool,
}

impl Profile {
    /// Is its tool mode the best that was measured?
    pub fn is_auto(&self) -> bool {
        self.auto_mode
    }

    /// The address of its server; nothing for an embedded model, or when the base URL cannot be used.
    pub fn address(&self) -> Option<String> {
        if self.setup.is_embedded() {
            None
        } else {
            self.reach.address(&path(self.protocol, &self.setup)).ok()
        }
    }
}

impl Models {
    /// The `models.toml` of whoever plays: in the folder that `--config` names, else in the user's configuration folder, else the
    /// bundled one. The folder of a campaign is not asked: a campaign that came from elsewhere must not say where calls and keys
    /// go.
    pub fn of(config: Option<&Path>) -> Result<Models, Error> {
        if let Some(folder) = config.filter(|folder| !folder.is_dir()) {
            if folder.is_file() {
                let message = format!("{} is a file, and --config takes a folder", folder.display());
                let help = format!("name the folder in which {MODELS} is");
                return Err(Error::new(Kind::Usage, message, help));
            }
            let message = format!("there is no folder {}", folder.display());
            return Err(Error::new(Kind::Usage, message, "`twicetold init DIR` writes one"));
        }
        for (folder, named) in config.map(|folder| (folder.to_owned(), true)).into_iter().chain(own_folder())
        {
            let path = folder.join(MODELS);
            if path.symlink_metadata().is_ok() {
                // Opening a pipe would wait for somebody to write into it.
                if !path.is_file() {
                    let message = format!("{} cannot be read: it is no file", path.display());
                    return Err(Error::new(Kind::Usage, message, "`twicetold init DIR` writes one"));
                }
                let text = bounded::text(&path, limits::FILE_BYTES_MAX as u64).map_err(|error| {
                    let message = format!("{} cannot be read: {error}", path.display());
                    Error::new(Kind::Usage, message, "check its permissions")
                })?;
                let folder = named.then(|| std::fs::canonicalize(&folder).unwrap_or(folder));
                return Models::parsed(&text, path.display().to_string(), folder);
            }
        }
        Models::parsed(bundled_models(), MODELS.to_owned(), None)
    }

    fn parsed(text: &str, shown: String, folder: Option<PathBuf>) -> Result<Models, Error> {
        match Models::parse(text) {
            Ok(models) => Ok(Models { shown, folder, ..models }),
            Err(error) => {
                let span = error.span().map(|span| (span.start, span.end));
                Err(Error::at(&plain_message(error.message()), &shown, text, span, HELP))
            }
        }
    }

    /// A seat that is played by one of them.
    pub fn player(&self, name: &str) -> Player {
        Player { model: name.to_owned(), config: self.folder.clone() }
    }

    /// The same of its text.
    pub fn parse(text: &str) -> Result<Models, toml::de::Error> {
        toml::from_str(text).map(|file| Models { file, shown: MODELS.to_owned(), folder: None })
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.model.keys().map(String::as_str)
    }

    /// The one model that is asked as a charter says: an entry, or else that model on the server of an entry. Nothing where several are,
    /// because a charter does not say by which server it was played. Where an entry chooses its tool mode, the charter's is taken.
    pub fn same_as(&self, wanted: &SeatSetup) -> Option<String> {
        let is_same = |name: &String| {
            let Ok(Profile { mut setup, auto_mode, .. }) = self.find(name) else { return false };
            if let Some(mode) = wanted.compat.get(mode::FIELD).filter(|_| auto_mode) {
                setup.compat.insert(mode::FIELD.to_owned(), mode.clone());
            }
            setup == *wanted
        };
        let only = |names: Vec<String>| match <[String; 1]>::try_from(names) {
            Ok([name]) => Ok(Some(name)),
            Err(names) if names.is_empty() => Ok(None),
            Err(_) => Err(()),
        };
        let own = only(self.names().map(str::to_owned).filter(is_same).collect()).ok()?;
        let others = || self.names().map(|name| format!("{name}:{}", wanted.model)).filter(is_same);
        own.or_else(|| only(others().collect()).ok().flatten())
    }

    /// The model that is used where nothing else is said.
    pub fn default_name(&self) -> &str {
        &self.file.default
    }

    /// A model by its name in models.toml, as `PROFILE:MODEL` or as `URL#MODEL`; or what is wrong with it.
    pub fn find(&self, name: &str) -> Result<Profile, Error> {
        if self.spec(name).is_none() {
            return Err(self.unknown(name));
        }
        self.profile(name)
            .map_err(|what| Error::new(Kind::Usage, format!("{}, model {name:?}: {what}", self.shown), HELP))
    }

    /// The same for a list of all: a sentence instead of a failure.
    pub fn profile(&self, name: &str) -> Result<Profile, String> {
        profile(self.spec(name).ok_or("it is not there")?)
    }

    /// What a name stands for: an entry of models.toml; `PROFILE:MODEL`, another model on the server of an entry, of the user's own or
    /// of the bundled file; or `URL#MODEL`, a model of a server without a key.
    fn spec(&self, name: &str) -> Option<ModelSpec> {
        if let Some(spec) = self.file.model.get(name) {
            return Some(spec.clone());
        }
        // It is part of the program, whatever stands in the file.
        if name == IMPROV || name == CHAOS {
            return Some(ModelSpec { provider: name.to_owned(), ..ModelSpec::default() });
        }
        if is_address(name) {
            let (base_url, model) = name.split_once('#').filter(|(_, model)| !model.is_empty())?;
            return Some(ModelSpec {
                model: Some(model.to_owned()),
                base_url: Some(base_url.to_owned()),
                ..ModelSpec::default()
            });
        }
        let (profile, model) = name.split_once(':').filter(|(_, model)| !model.is_empty())?;
        let bundled = || Models::parse(bundled_models()).ok()?.file.model.remove(profile);
        let spec = self.file.model.get(profile).cloned().or_else(bundled)?;
        SERVERS.iter().any(|(name, _)| *name == spec.provider).then(|| {
            // Another model of the same server has another price and another window, which nobody has said. The window that Ollama is
            // told is its own for any model.
            let same = spec.model.as_deref() == Some(model);
            let price = spec.price.clone().filter(|_| same);
            let context = spec.context.filter(|_| same || spec.provider == OLLAMA);
            ModelSpec { model: Some(model.to_owned()), price, context, ..spec }
        })
    }

    /// Every model in the file by its name on its server, with its price.
    pub(crate) fn priced(&self) -> impl Iterator<Item = (String, Price)> {
        self.names().filter_map(|name| {
            let profile = self.profile(name).ok()?;
            Some((profile.setup.model, profile.price?))
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let message = format!("there is no model {name:?} in {}", self.shown);
        if is_address(name) {
            return Error::new(
                Kind::Usage,
                message,
                format!("add the model's name after a #: {}#MODEL", name.trim_end_matches('#')),
            );
        }
        // Of `PROFILE:MODEL` the profile is known here, and the model to its server alone.
        let servers = self.names().filter(|known| !known.contains(':'));
        let of_server = name.split_once(':').and_then(|(profile, model)| {
            near(servers, profile).filter(|near| *near != profile).map(|near| format!("{near}:{model}"))
        });
        let near = did_you_mean(of_server.as_deref().into_iter().chain(self.names()), name);
        let known = self.names().collect::<Vec<_>>().join(", ");
        let help = format!(
            "{near}the models are {known}; ollama:MODEL, openai:MODEL, anthropic:MODEL, gemini:MODEL and http://ADDRESS/v1#MODEL need no entry"
        );
        Error::new(Kind::Usage, message, help)
    }

    /// The seats that a model plays, in order, at a table with every chair taken.
    pub fn seats_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Seat> + 'a {
        chairs(limits::PLAYERS_MAX).filter(move |seat| self.name_of(*seat) == name)
    }

    /// The name of the model that plays a seat.
    fn name_of(&self, seat: Seat) -> &str {
        let group = matches!(seat, Seat::Player(_)).then(|| self.file.seat.get("players")).flatten();
        self.file.seat.get(&seat.slug()).or(group).unwrap_or(&self.file.default)
    }
}

fn bundled_models() -> &'static str {
    BUNDLED.text(MODELS).unwrap_or_default()
}

fn is_address(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

/// The seats at a table.
pub(crate) fn chairs(players: u8) -> impl Iterator<Item = Seat> {
    [Seat::Dm, Seat::Memory].into_iter().chain((1..=players).map(Seat::Player))
}

/// The user's own configuration folder, by the platform's convention.
pub(crate) fn own_folder() -> Option<(PathBuf, bool)> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some((strategy.config_dir().join("twicetold"), false))
}

/// The models that play seats, each settled once: a tool mode that is chosen by what was measured becomes a concrete one.
pub(crate) struct Choosing<'a> {
    models: &'a Models,
    measurements: &'a Measurements,
    settled: BTreeMap<String, SeatSetup>,
    /// What is to be said of it, a sentence for each model.
    pub(crate) said: Vec<String>,
}

impl<'a> Choosing<'a> {
    pub(crate) fn new(models: &'a Models, measurements: &'a Measurements) -> Choosing<'a> {
        Choosing { models, measurements, settled: BTreeMap::new(), said: Vec::new() }
    }

    /// How a model is asked, for a charter.
    pub(crate) fn setup(&mut self, name: &str) -> Result<SeatSetup, Error> {
        if let Some(setup) = self.settled.get(name) {
            return Ok(setup.clone());
        }
        let (setup, said) = self.measurements.settle(name, self.models.find(name)?);
        self.said.extend(said);
        self.settled.insert(name.to_owned(), setup.clone());
        Ok(setup)
    }
}

/// The seats of a new campaign, and the models of this machine that play them. `say` is told how a model is asked where that was not said.
pub fn seats(
    models: &Models,
    measurements: &Measurements,
    players: u8,
    asked: &[String],
    say: &mut dyn FnMut(&str),
) -> Result<(SeatsFile, Mapping), Error> {
    let wishes = wishes(asked, players)?;
    let mut choosing = Choosing::new(models, measurements);
    let mut seat = BTreeMap::new();
    let mut mapping = Mapping::default();
    for chair in chairs(players) {
        let name = wishes.get(&chair).map_or(models.name_of(chair), String::as_str);
        seat.insert(chair.slug(), choosing.setup(name)?);
        mapping.seat.insert(chair.slug(), models.player(name));
    }
    choosing.said.iter().for_each(|said| say(said));
    Ok((SeatsFile { players, seat }, mapping))
}

fn profile(spec: ModelSpec) -> Result<Profile, String> {
    let protocol = match spec.provider.as_str() {
        IMPROV | CHAOS => Protocol::Improv,
        other => match SERVERS.into_iter().find(|(name, _)| *name == other) {
            Some((_, protocol)) => protocol,
            None => {
                let known = SERVERS.map(|(name, _)| name).join(", ");
                return Err(format!("the provider {other:?} is none of {known}, improv, improv:chaos"));
            }
        },
    };
    if protocol != Protocol::Improv && spec.base_url.is_none() {
        return Err(format!("base_url is missing: the address before {}", protocol.path("MODEL", false)));
    }
    let temperature_milli = match spec.temperature {
        None => None,
        Some(temperature) if (0.0..=2.0).contains(&temperature) => Some(milli(temperature)),
        Some(temperature) => return Err(format!("temperature {temperature} is not within 0 to 2")),
    };
    let reach = Settings {
        api_key_env: spec.api_key_env,
        allow_http: spec.allow_http,
        timeout_ms: spec.timeout_ms,
        ..Settings::new(spec.base_url.unwrap_or_default())
    };
    let price = spec.price.map(PriceSpec::read).transpose()?;
    let (mut compat, context) = windowed(spec.compat, spec.context, protocol)?;
    let auto_mode = compat.get(mode::FIELD).and_then(toml::Value::as_str) == Some(AUTO);
    if auto_mode {
        compat.remove(mode::FIELD);
    }
    let provider = spec.provider;
    let setup = SeatSetup {
        protocol: protocol.name().to_owned(),
        wire: protocol.version(),
        // The name of an embedded model says which it is.
        model: spec.model.filter(|_| protocol != Protocol::Improv).unwrap_or_else(|| provider.clone()),
        temperature_milli,
        tokens_max: spec.tokens_max,
        parallel_tool_calls: spec.parallel_tool_calls,
        send_seed: spec.send_seed,
        token_factor_percent: spec.token_factor_percent,
        compat: streamed(compat, protocol),
    };
    Ok(Profile { provider, protocol, setup, reach, context, price, auto_mode })
}

/// The window of a model. Ollama is told it with every request, so that there it is a part of `compat`.
fn windowed(
    mut compat: toml::Table,
    context: Option<u32>,
    protocol: Protocol,
) -> Result<(toml::Table, Option<u32>), String> {
    let told = compat.get("context").and_then(toml::Value::as_integer);
    if context == Some(0) || told == Some(0) {
        return Err("context is the window of the model in tokens, at least 1".to_owned());
    }
    if let Some(context) = context {
        if told.is_some() {
            return Err("context stands beside compat and in it; keep the first".to_owned());
        }
        if protocol == Protocol::Ollama {
            compat.insert("context".to_owned(), i64::from(context).into());
        }
    }
    let told = told.and_then(|told| u32::try_from(told).ok());
    Ok((compat, context.or(told)))
}

/// Answers come piece by piece where nothing else is said.
fn streamed(mut compat: toml::Table, protocol: Protocol) -> toml::Table {
    if protocol != Protocol::Improv {
        compat.entry("stream").or_insert(toml::Value::Boolean(true));
    }
    compat
}

/// Where the requests of a model go, behind the address of its server.
pub fn path(protocol: Protocol, setup: &SeatSetup) -> String {
    let streams = setup.compat.get("stream").and_then(toml::Value::as_bool).unwrap_or_default();
    protocol.path(&setup.model, streams)
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

/// The model that the program itself is, where it plays this seat: then no server is asked and no key is wanted.
pub fn embedded(model: &SeatSetup) -> Option<Improvised> {
    model.is_embedded().then(|| Improvised::new(model.model == CHAOS))
}

/// The seats of a campaign that this machine has given no model yet.
pub fn unmapped(seats: &SeatsFile, mapping: &Mapping) -> Vec<String> {
    let wants =
        chairs(seats.players).filter(|seat| seats.of(*seat).is_some_and(|model| !model.is_embedded()));
    wants.map(|seat| seat.slug()).filter(|slug| !mapping.seat.contains_key(slug)).collect()
}

/// Who plays a seat on this machine.
pub struct Seated {
    /// Who is asked.
    pub provider: Arc<dyn Provider>,
    /// The address of its server.
    pub address: Option<String>,
    /// The window of its model in tokens, where models.toml says it.
    pub context: Option<u32>,
    /// Host and port of its server.
    pub server: Option<String>,
    /// Is it a vendor's server, which answers many at the same time? One that wants a key and is not on this machine is taken for one.
    pub is_hosted: bool,
}

/// Who plays each seat of a setup: how it is asked is the charter's to say, how it is reached the mapping's.
pub fn seated(setup: &Setup, mapping: &Mapping) -> Result<BTreeMap<Seat, Seated>, Error> {
    // Seats that are played by one model share its connections.
    seated_among(&Servers::new(1), setup, mapping)
}

pub(crate) fn seated_among(
    servers: &Servers,
    setup: &Setup,
    mapping: &Mapping,
) -> Result<BTreeMap<Seat, Seated>, Error> {
    let mut read: BTreeMap<Option<&Path>, Models> = BTreeMap::new();
    let mut seated = BTreeMap::new();
    for seat in chairs(setup.seats.players) {
        let Some(model) = setup.seats.of(seat) else { continue };
        let one = match embedded(model) {
            Some(improvised) => {
                let provider = Arc::new(improvised);
                Seated { provider, address: None, context: None, server: None, is_hosted: false }
            }
            None => {
                let Some(player) = mapping.seat.get(&seat.slug()) else {
                    return Err(unusable(seat, "no model of this machine plays it"));
                };
                let config = player.config.as_deref();
                let models = match read.entry(config) {
                    Entry::Occupied(models) => models.into_mut(),
                    Entry::Vacant(place) => place.insert(Models::of(config)?),
                };
                let profile = models.find(&player.model)?;
                asked_as_it_is(seat, model, &profile)?;
                let (address, context) = (profile.address(), profile.context);
                let (server_of, is_hosted) = (profile.reach.server(), profile.reach.is_hosted());
                let path = path(profile.protocol, model);
                let reached = format!("{:?} {path} {} {:?}", profile.protocol, model.model, profile.reach);
                let make = || server(seat, model, profile, &path);
                Seated {
                    provider: servers.model(reached, make)?,
                    address,
                    context,
                    server: server_of,
                    is_hosted,
                }
            }
        };
        seated.insert(seat, one);
    }
    Ok(seated)
}

/// A provider for every seat of a setup.
pub fn providers(setup: &Setup, mapping: &Mapping) -> Result<BTreeMap<Seat, Arc<dyn Provider>>, Error> {
    Ok(seated(setup, mapping)?.into_iter().map(|(seat, one)| (seat, one.provider)).collect())
}

/// Is a model asked by the protocol that it is configured with?
fn asked_as_it_is(seat: Seat, model: &SeatSetup, profile: &Profile) -> Result<(), Error> {
    let (wanted, is) = (&model.protocol, &profile.setup.protocol);
    let what = || format!("the campaign asks it by {wanted}, and the model on it is {is}");
    (is == wanted).then_some(()).ok_or_else(|| unusable(seat, &what()))
}

/// What keeps a model from being used wherever it is, if anything does. Whoever wrote the key itself in the place of its variable
/// is told so without the key.
pub fn problem(profile: &Profile) -> Option<String> {
    let Profile { setup, reach, .. } = profile;
    let wire = wire(setup).err();
    if setup.is_embedded() {
        return wire;
    }
    let variable = reach.api_key_env.as_deref().unwrap_or_default();
    let key = (!is_variable(variable)).then(|| NO_VARIABLE.to_owned());
    let unreachable = reach.check_transport().err().map(|error| error.to_string());
    key.or(unreachable).or(wire)
}

/// What is said of an `api_key_env` that is none.
pub const NO_VARIABLE: &str = "api_key_env is not the name of an environment variable";

/// Could it be the name of an environment variable?
pub fn is_variable(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_improviser_is_there_whatever_models_a_file_has() {
        let text = "default = \"a\"\n[model.a]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"b\"\n";
        let models = Models::parse(text).expect("models");
        for name in [IMPROV, CHAOS] {
            assert_eq!(
                models.find(name).map(|profile| profile.setup.is_embedded()).ok(),
                Some(true),
                "{name}"
            );
        }
        assert!(models.find("improv:none").is_err());
    }

    #[test]
    fn a_model_is_the_same_where_one_entry_alone_is_asked_as_the_charter_says() {
        let entry = |name: &str, port: u16, model: &str, more: &str| {
            format!(
                "[model.{name}]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\nmodel = \"{model}\"\n{more}\n"
            )
        };
        let auto = "compat = { tool_calls = \"auto\" }";
        let text = ["default = \"a\"\n".to_owned(), entry("a", 1, "small", ""), entry("b", 2, "large", auto)]
            .concat();
        let models = Models::parse(&text).expect("models");
        let setup = |name: &str| models.find(name).expect("a model").setup;
        assert_eq!(models.same_as(&setup("a")).as_deref(), Some("a"));
        assert_eq!(
            models.same_as(&SeatSetup { model: "huge".to_owned(), ..setup("a") }),
            None,
            "a:huge and b:huge are"
        );
        let mut measured = setup("b");
        measured.compat.insert(mode::FIELD.to_owned(), "structured".into());
        assert_eq!(
            models.same_as(&measured).as_deref(),
            Some("b"),
            "whatever was measured where it was opened"
        );
        assert_eq!(models.same_as(&SeatSetup { tokens_max: 7, ..setup("a") }), None);
        let twice = Models::parse(&(text + &entry("c", 3, "small", ""))).expect("models");
        assert_eq!(twice.same_as(&setup("a")), None, "two servers have it");
    }
}
