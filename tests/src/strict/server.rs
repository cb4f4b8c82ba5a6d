//! A server within this process that speaks any protocol, refuses what the vendor refuses, and has the improviser play.

use serde_json::{Value, json};
use twicetold_dialect::{Protocol, Wire};
use twicetold_event::Seat;
use twicetold_improv::{improvise, improvise_chaos};
use twicetold_model::Digest;

use super::thoughts::Thoughts;
use super::{as_chat, check, guided};
use crate::prompted::{fenced, with_tools};
use crate::{Game, Random};

/// How the models at the table call tools, and how well they do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// As the protocol says.
    Native,
    /// The same, before a server that refuses a call without what was thought before it, where the protocol has such servers.
    Thinking,
    /// As the protocol says, with every vice.
    Chaos,
    /// In blocks among its words.
    Prompted,
    /// In one object with its words.
    Structured,
    /// Not at all: it answers small questions.
    Guided,
}

impl Model {
    /// This game with such models in all seats, spoken to by this protocol.
    pub fn seated(self, game: Game, protocol: Protocol) -> Game {
        let (name, compat) = match protocol {
            Protocol::ChatCompletions | Protocol::Improv => ("gpt-5.4-mini", "stop = [\"<end>\"]"),
            Protocol::Responses => ("gpt-5.4-mini", "temperature = true"),
            // Newer models refuse a temperature.
            Protocol::Anthropic => ("claude-haiku-5-5", "temperature = false, stop = [\"<end>\"]"),
            Protocol::Gemini => ("gemini-3.8-flash", "stop = [\"<end>\"]"),
            Protocol::Ollama => ("llama3.1", "context = 16384, stop = [\"<end>\"]"),
        };
        let calls = match self {
            Model::Native | Model::Thinking | Model::Chaos => "native",
            Model::Prompted => "prompted",
            Model::Structured => "structured",
            Model::Guided => "guided",
        };
        let thinking = match (self, protocol) {
            (Model::Thinking, Protocol::ChatCompletions) => ", thinking_field = \"reasoning_content\"",
            (Model::Thinking, Protocol::Anthropic) => {
                r#", extra_fields = { thinking = '{"type":"enabled","budget_tokens":1024}' }"#
            }
            _ => "",
        };
        // The vendor wants room for words beside the thoughts.
        let game = game.with("seats.toml", "tokens_max = 1000", "tokens_max = 2000");
        let compat = compat.to_owned() + thinking;
        let compat = format!("compat = {{ tool_calls = \"{calls}\", {compat} }}\ntemperature_milli = 800\n");
        game.with("seats.toml", "protocol = \"improv\"", &format!("protocol = \"{}\"", protocol.name()))
            .with("seats.toml", "model = \"improv\"", &format!("model = \"{name}\""))
            .with("seats.toml", "token_factor_percent", &(compat + "token_factor_percent"))
    }
}

/// A request of a turn.
#[derive(PartialEq)]
struct Asked {
    seat: Seat,
    turn: String,
    /// Instructions and tools.
    fixed: Vec<Value>,
    messages: Vec<Value>,
}

/// A server of one protocol for one campaign, and what it was asked.
pub struct StrictServer {
    protocol: Protocol,
    model: Model,
    /// Every body, in order.
    pub bodies: Vec<String>,
    /// What they ask, whatever the protocol: a digest of each as a request of chat completions.
    pub asked: Vec<Digest>,
    /// Why bodies were refused: the number of each, and the rule.
    pub refused: Vec<String>,
    /// Requests that go on a turn: the model was asked in it before.
    pub follow_ups: usize,
    /// Those of them that do not begin with all that the request before said, or have other instructions or tools.
    pub reread: Vec<String>,
    /// Does the last of them go on a turn?
    pub goes_on: bool,
    /// Does the model think as its vendor's do? If not, whoever asks may plant thoughts of their own.
    pub thinks: bool,
    before: Option<Asked>,
    thoughts: Thoughts,
}

impl StrictServer {
    /// A server that nobody has asked yet.
    pub fn new(protocol: Protocol, model: Model) -> StrictServer {
        StrictServer {
            protocol,
            model,
            bodies: Vec::new(),
            asked: Vec::new(),
            refused: Vec::new(),
            follow_ups: 0,
            reread: Vec::new(),
            goes_on: false,
            thinks: match model {
                Model::Thinking => true,
                // OpenAI's chat completions show no thoughts.
                Model::Native => protocol != Protocol::ChatCompletions,
                _ => false,
            },
            before: None,
            thoughts: Thoughts::default(),
        }
    }

    /// Takes a request, notes what is wrong with it, and answers it all the same.
    pub fn answer(&mut self, seat: Seat, body: &str) -> String {
        let number = self.bodies.len();
        self.bodies.push(body.to_owned());
        let request: Value = serde_json::from_str(body).unwrap_or_default();
        if let Err(why) = check(self.protocol, &request) {
            self.refused.push(format!("request {number}: {why}"));
        }
        let now = self.asked(seat, request.clone());
        let before = self.before.replace(now);
        let [before, now] = [before.as_ref(), self.before.as_ref()];
        let goes_on =
            before.zip(now).filter(|(before, now)| (before.seat, &before.turn) == (now.seat, &now.turn));
        // What the memory agent is asked is no turn.
        let goes_on = goes_on.filter(|(_, now)| now.seat != Seat::Memory);
        self.goes_on = goes_on.is_some();
        if self.thinks
            && let Err(why) = self.thoughts.check(self.protocol, &request, self.goes_on)
        {
            self.refused.push(format!("request {number}: {why}"));
        }
        if let Some((before, now)) = goes_on {
            self.follow_ups += 1;
            // Ollama's server cannot be told not to call: it gets no tools then.
            let without = self.protocol == Protocol::Ollama && now.fixed.iter().all(Value::is_null);
            if (before.fixed != now.fixed && !without) || !now.messages.starts_with(&before.messages) {
                self.reread.push(format!("request {number}: {seat}, turn {}", now.turn));
            }
        }
        let mut asked = as_chat(self.protocol, &request);
        let form = asked.as_object_mut().and_then(|asked| asked.remove("form"));
        self.asked.push(Digest::of("strict", asked.to_string().as_bytes()));
        let (text, calls) = match self.reply(asked, form) {
            Ok(reply) => reply,
            // What no server would send is sent as it is.
            Err(broken) => return broken,
        };
        let calls: Vec<(&str, &str)> =
            calls.iter().map(|(name, arguments)| (&**name, &**arguments)).collect();
        let reply = self.protocol.reply_body(&text, &calls);
        match self.thinks {
            true => self.thoughts.think(self.protocol, &reply, &format!("{number:08}")),
            false => reply,
        }
    }

    /// A request as the vendor compares it: marks for its cache do not count.
    fn asked(&self, seat: Seat, mut request: Value) -> Asked {
        let turn = request
            .to_string()
            .rsplit_once("turn: ")
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect());
        let list = match self.protocol {
            Protocol::Gemini => &mut request["contents"],
            Protocol::Responses => &mut request["input"],
            _ => &mut request["messages"],
        };
        let mut messages = list.as_array().cloned().unwrap_or_default();
        let system = request["system"].as_array_mut().into_iter().flatten();
        system.for_each(|block| drop(block.as_object_mut().map(|block| block.remove("cache_control"))));
        for message in &mut messages {
            for block in message["content"].as_array_mut().into_iter().flatten() {
                block.as_object_mut().map(|block| block.remove("cache_control"));
            }
        }
        let fixed = ["system", "instructions", "systemInstruction", "tools"].map(|key| request[key].take());
        Asked { seat, turn: turn.unwrap_or_default(), fixed: fixed.into(), messages }
    }

    /// The words and the calls of the improviser; in guided requests an object that the schema allows.
    fn reply(&self, asked: Value, form: Option<Value>) -> Result<(String, Vec<(String, String)>), String> {
        if self.model == Model::Guided {
            let digest = self.asked.last().unwrap_or(&Digest::ZERO);
            let seed = digest.0.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
            let filled = guided::fill(form.as_ref().unwrap_or(&Value::Null), &mut Random(seed));
            let words = filled.as_str().map(str::to_owned);
            return Ok((words.unwrap_or_else(|| filled.to_string()), Vec::new()));
        }
        let is_told = matches!(self.model, Model::Prompted | Model::Structured);
        let asked = if is_told { with_tools(asked) } else { asked }.to_string();
        let body = if self.model == Model::Chaos { improvise_chaos(&asked) } else { improvise(&asked) };
        let Ok(reply) = Wire::default().decode(&body) else { return Err(body) };
        let calls: Vec<(String, String)> =
            reply.tool_calls.into_iter().map(|call| (call.name, call.arguments)).collect();
        Ok(match self.model {
            Model::Prompted => (fenced(&reply.text, &calls), Vec::new()),
            Model::Structured if form.is_some() => {
                let calls = calls.iter().map(|(name, arguments)| {
                    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
                    json!({"tool": name, "arguments": arguments})
                });
                (json!({"say": reply.text, "calls": calls.collect::<Vec<_>>()}).to_string(), Vec::new())
            }
            _ => (reply.text, calls),
        })
    }
}
