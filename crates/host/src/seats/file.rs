//! `models.toml`, as it is read.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::CHAT;
use crate::prices::PriceSpec;

/// `models.toml`: the models that may play, and their seats.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelsFile {
    /// The model of every seat that `[seat]` does not name.
    pub(super) default: String,
    /// The model of a seat: `dm`, `memory`, `player-1` to `player-6`, or `players` for all of these.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::chairs")]
    pub(super) seat: BTreeMap<String, String>,
    /// The models, by name.
    #[serde(default)]
    pub(super) model: BTreeMap<String, ModelSpec>,
}

/// A model: how it is asked, and where its server is.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelSpec {
    /// The server's API: `openai` for any server with a chat-completions API, `ollama` for Ollama's own, or `improv` for the built-in improviser.
    #[schemars(schema_with = "super::schema::providers")]
    pub(super) provider: String,
    /// The model's name on its server; the provider's where it is absent.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// The address before `/chat/completions`, `/responses`, `/messages`, `/models/MODEL:generateContent` or `/api/chat`, without a name, password or key in it.
    #[serde(default)]
    pub(super) base_url: Option<String>,
    /// The environment variable that holds the key; without it no key is sent.
    #[serde(default)]
    pub(super) api_key_env: Option<String>,
    /// May a key travel to another machine unencrypted?
    #[serde(default)]
    pub(super) allow_http: bool,
    /// 0 to 2; the server's own where it is absent.
    #[serde(default)]
    #[schemars(range(min = 0, max = 2))]
    pub(super) temperature: Option<f64>,
    /// Most tokens of a reply. A reasoning model needs several times the default.
    #[serde(default = "tokens_max")]
    pub(super) tokens_max: u32,
    /// Milliseconds for which the server may send nothing; then the call has failed and is made again.
    #[serde(default = "timeout_ms")]
    pub(super) timeout_ms: u64,
    /// May one reply hold several tool calls?
    #[serde(default = "yes")]
    pub(super) parallel_tool_calls: bool,
    /// Send a seed that is derived from the campaign's seed?
    #[serde(default = "yes")]
    pub(super) send_seed: bool,
    /// Tokens of a prompt are estimated as a third of its bytes, times this many hundredths.
    #[serde(default = "token_factor_percent")]
    pub(super) token_factor_percent: u32,
    /// The model's window in tokens, for prompt and reply together.
    #[serde(default)]
    pub(super) context: Option<u32>,
    /// What the server supports; the defaults suit most servers.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::compat")]
    pub(super) compat: toml::Table,
    /// What its tokens cost.
    #[serde(default)]
    pub(super) price: Option<PriceSpec>,
}

impl Default for ModelSpec {
    /// A model of a server of which nothing is known but its address.
    fn default() -> ModelSpec {
        ModelSpec {
            provider: CHAT.to_owned(),
            model: None,
            base_url: None,
            api_key_env: None,
            allow_http: false,
            temperature: None,
            tokens_max: tokens_max(),
            timeout_ms: LOCAL_TIMEOUT_MS,
            parallel_tool_calls: true,
            send_seed: true,
            token_factor_percent: token_factor_percent(),
            context: None,
            compat: toml::Table::new(),
            price: None,
        }
    }
}

/// A reply of 300 words and some tool calls.
fn tokens_max() -> u32 {
    1_000
}

/// Two minutes: a large model that thinks first.
fn timeout_ms() -> u64 {
    120_000
}

/// Five minutes: a local model that reads a long prompt on a processor.
const LOCAL_TIMEOUT_MS: u64 = 300_000;

fn token_factor_percent() -> u32 {
    100
}

fn yes() -> bool {
    true
}
