//! What a model can do, found out by asking it.
//!
//! A [`Subject`] is asked one [`Probe`] after the other, and each answer becomes a [`Finding`]. How long a probe may take,
//! and when to stop, is the caller's business: nothing here knows a clock, a configuration or a terminal.

mod findings;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use twicetold_dialect::{Compat, ToolCalls, Wire, model_names, window};
use twicetold_model::{
    Fault, FaultKind, Finish, Message, Parameters, Part, Reply, ReplySchema, Request, Role, ToolSpec, Usage,
};
use twicetold_provider::Provider;

pub use findings::Findings;

/// Words of the long prompt, each about a token: as long as the longest prompts of a short campaign.
pub const LONG_WORDS: usize = 6_000;

/// Any seed; the one that a campaign sends is as large.
pub const SEED: u32 = 1_830_297_599;

/// Most characters of what was seen; the terminal shows less.
const SEEN_CHARACTERS_MAX: usize = 200;

/// What is found out, in the order in which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// Is anybody there?
    Reachable,
    /// Does it say something?
    Answers,
    /// Does it call a tool as the protocol says?
    CallsTools,
    /// Does it keep to a schema?
    StructuredOutput,
    /// Does it call a tool in a form of words?
    CallsToolsPrompted,
    /// Does it make two calls in one reply?
    ParallelCalls,
    /// May a seed be sent?
    Seed,
    /// Does it read a long prompt to its end?
    Context,
    /// Does it say that it has seen a prompt before?
    CachedTokens,
}

impl Probe {
    /// All of them in their order.
    pub const ALL: [Probe; 9] = [
        Probe::Reachable,
        Probe::Answers,
        Probe::CallsTools,
        Probe::StructuredOutput,
        Probe::CallsToolsPrompted,
        Probe::ParallelCalls,
        Probe::Seed,
        Probe::Context,
        Probe::CachedTokens,
    ];

    /// As text.
    pub fn name(self) -> &'static str {
        match self {
            Probe::Reachable => "reachable",
            Probe::Answers => "answers",
            Probe::CallsTools => "calls a tool",
            Probe::StructuredOutput => "structured output",
            Probe::CallsToolsPrompted => "prompted tool call",
            Probe::ParallelCalls => "parallel calls",
            Probe::Seed => "takes a seed",
            Probe::Context => "long prompts",
            Probe::CachedTokens => "cached tokens",
        }
    }
}

/// Whether it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// Nobody knows.
    Unknown,
}

/// What one probe found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// What was asked.
    pub probe: Probe,
    /// Whether it can.
    pub verdict: Verdict,
    /// One line.
    pub seen: String,
    /// The fault that it ended in.
    #[serde(skip)]
    pub fault: Option<FaultKind>,
    /// What the model may be told in models.toml because of it.
    #[serde(skip)]
    pub remedy: Option<(&'static str, toml::Value)>,
}

/// A verdict with what was seen.
type Seen = (Verdict, String);

/// A model to be tried.
pub struct Subject {
    /// How it is asked. A seed that is there is sent with every request but those that find out about seeds.
    pub parameters: Parameters,
    /// How it is spoken to.
    pub wire: Wire,
    /// Who asks it.
    pub provider: Arc<dyn Provider>,
}

impl Subject {
    /// Tries one thing, or says why there is no point in it after what was found before.
    pub async fn probe(&self, probe: Probe, before: &Findings) -> Finding {
        match self.needless(probe, before) {
            Some(why) => Finding::unknown(probe, format!("not tried: {why}")),
            None => self.try_one(probe, before).await,
        }
    }

    /// Why there is no point in a probe after what was found before.
    fn needless(&self, probe: Probe, before: &Findings) -> Option<&'static str> {
        let is = |probe, verdict| before.verdict(probe) == Some(verdict);
        match probe {
            Probe::Reachable => None,
            _ if is(Probe::Reachable, Verdict::No) => Some("it cannot be reached"),
            Probe::Answers => None,
            _ if !is(Probe::Answers, Verdict::Yes) => Some("it does not answer"),
            Probe::CallsToolsPrompted if self.wire.compat.tool_calls != ToolCalls::Native => {
                Some("it was just now")
            }
            Probe::CallsToolsPrompted if is(Probe::CallsTools, Verdict::Yes) => {
                Some("it calls tools as the protocol says")
            }
            Probe::ParallelCalls if !is(Probe::CallsTools, Verdict::Yes) => Some("it calls no tool"),
            Probe::ParallelCalls if !self.parameters.parallel_tool_calls => {
                Some("parallel_tool_calls is false")
            }
            Probe::CachedTokens if !is(Probe::Context, Verdict::Yes) => Some("the long prompt was not read"),
            _ => None,
        }
    }

    async fn try_one(&self, probe: Probe, before: &Findings) -> Finding {
        let found = match probe {
            Probe::Reachable => self.reachable().await,
            Probe::Answers => return self.answers().await,
            Probe::CallsTools => self.calls(&self.wire).await,
            Probe::StructuredOutput => self.structured_output().await,
            Probe::CallsToolsPrompted => return self.calls_prompted(before).await,
            Probe::ParallelCalls => self.parallel_calls().await,
            Probe::Seed => self.seed().await,
            Probe::Context => self.context().await,
            Probe::CachedTokens => self.cached_tokens().await,
        };
        match found {
            Ok((verdict, seen)) => finding(probe, verdict, seen),
            Err(fault) => failed(probe, &fault),
        }
    }

    /// One call, exactly as a campaign makes it.
    /// Its wire, as if its server supported other things.
    fn supporting(&self, change: impl FnOnce(&mut Compat)) -> Wire {
        let mut wire = self.wire.clone();
        change(&mut wire.compat);
        wire
    }

    async fn ask(&self, request: &Request, wire: &Wire) -> Result<Reply, Fault> {
        let body = wire.encode(request);
        let reply = self.provider.complete(&body).await?;
        wire.decode(&reply)
    }

    fn request(&self, system: &str, user: &str, tools: Vec<ToolSpec>) -> Request {
        let message = |role, text: &str| Message { role, parts: vec![Part::Text(text.to_owned())] };
        let messages = vec![message(Role::System, system), message(Role::User, user)];
        Request { messages, tools, reply_schema: None, parameters: self.parameters.clone() }
    }

    async fn reachable(&self) -> Result<Seen, Fault> {
        let Some(list) = self.provider.models() else {
            return Ok((Verdict::Yes, "it is part of this program".into()));
        };
        let model = &self.parameters.model;
        let (seen, said, more) = match list.await {
            Ok(list) => (listed(&list, model), window(&list, model), String::new()),
            Err(fault) if fault.status.is_some() => {
                ("it answers".into(), None, format!("; it keeps no list of models: {}", fault.message))
            }
            Err(fault) => return Err(fault),
        };
        let said = match (said, self.provider.window()) {
            (None, Some(asked)) => asked.await,
            (said, _) => said,
        };
        let said = said.map_or_else(String::new, |tokens| format!(", with a context of {tokens} tokens"));
        Ok((Verdict::Yes, seen + &said + &more))
    }

    async fn answers(&self) -> Finding {
        const PROBE: Probe = Probe::Answers;
        let reply = match self.ask(&self.request(PLAYER, PLAYER_ASKED, Vec::new()), &self.wire).await {
            Ok(reply) => reply,
            Err(fault) => return failed(PROBE, &fault),
        };
        let Usage { input_tokens, output_tokens, .. } = reply.usage;
        match (reply.text.trim(), reply.finish) {
            ("", Finish::Length) => {
                let most = self.parameters.tokens_max;
                let remedy = Some(("tokens_max", toml::Value::Integer(i64::from(most) * 4)));
                Finding {
                    remedy,
                    ..finding(PROBE, Verdict::No, format!("no words within tokens_max = {most}"))
                }
            }
            ("", _) => finding(PROBE, Verdict::No, "an empty reply".into()),
            (text, _) => {
                let seen = format!("\"{}\" ({input_tokens}+{output_tokens} tokens)", short(text, 24));
                finding(PROBE, Verdict::Yes, seen)
            }
        }
    }

    async fn calls(&self, wire: &Wire) -> Result<Seen, Fault> {
        let reply = self.ask(&self.request(DM, DM_ASKED, tools(&["record_met", "roll_dice"])), wire).await?;
        Ok(called(&reply))
    }

    /// Prompted calls first; a schema where the server can hold the reply to one.
    async fn calls_prompted(&self, before: &Findings) -> Finding {
        const PROBE: Probe = Probe::CallsToolsPrompted;
        let structured = before.verdict(Probe::StructuredOutput) == Some(Verdict::Yes);
        let mut last = Finding::unknown(PROBE, String::new());
        for (how, name) in [(ToolCalls::Prompted, "prompted"), (ToolCalls::Structured, "structured")] {
            if how == ToolCalls::Structured && !structured {
                continue;
            }
            let wire = self.supporting(|compat| compat.tool_calls = how);
            last = match self.calls(&wire).await {
                Ok((verdict, seen)) => finding(PROBE, verdict, format!("{name}: {seen}")),
                Err(fault) => failed(PROBE, &fault),
            };
            if last.verdict == Verdict::Yes {
                last.remedy = Some(("tool_calls", name.into()));
                break;
            }
        }
        last
    }

    async fn parallel_calls(&self) -> Result<Seen, Fault> {
        let reply = self.ask(&self.request(DM, DICE_ASKED, tools(&["roll_dice"])), &self.wire).await?;
        Ok(match reply.tool_calls.len() {
            0 => (Verdict::No, format!("text instead: \"{}\"", short(&reply.text, 60))),
            1 => (Verdict::No, format!("one call where two were asked for: {}", calls_shown(&reply))),
            count => (Verdict::Yes, format!("{count} in one reply: {}", calls_shown(&reply))),
        })
    }

    /// The request does not speak of JSON, so that a server that passes the schema over is found out.
    async fn structured_output(&self) -> Result<Seen, Fault> {
        let wire = self.supporting(|compat| compat.tool_calls = ToolCalls::Native);
        let form = ReplySchema { name: "goblin".into(), schema: GOBLIN_SCHEMA.into(), strict: true };
        let request = self.request(PLAYER, GOBLIN_ASKED, Vec::new());
        let reply = self.ask(&Request { reply_schema: Some(form), ..request }, &wire).await?;
        let goblin: Value = serde_json::from_str(reply.text.trim()).unwrap_or_default();
        let fits = goblin["name"].is_string() && goblin["hit_points"].is_u64();
        let seen = short(&reply.text, 60);
        Ok(if fits {
            (Verdict::Yes, seen)
        } else {
            (Verdict::No, format!("not what the schema says: \"{seen}\""))
        })
    }

    async fn seed(&self) -> Result<Seen, Fault> {
        let mut request = self.request(PLAYER, PLAYER_ASKED, Vec::new());
        request.parameters.seed = Some(SEED);
        let wire = self.supporting(|compat| compat.seed = true);
        let first = self.ask(&request, &wire).await?;
        let again = self.ask(&request, &wire).await?;
        let same = first.text == again.text;
        let words = if same { "the same words twice" } else { "other words the second time" };
        Ok((Verdict::Yes, format!("accepted; {words}")))
    }

    async fn context(&self) -> Result<Seen, Fault> {
        let reply = self.ask(&self.long(), &self.wire).await?;
        let read = reply.usage.input_tokens;
        Ok(match usize::try_from(read).unwrap_or(usize::MAX) {
            0 => (Verdict::Unknown, format!("{LONG_WORDS} words answered; it counts no tokens")),
            // A token may be longer than a word, but not by much: the rest was thrown away.
            count if count < LONG_WORDS * 3 / 4 => (
                Verdict::No,
                format!("it read only {read} tokens of {LONG_WORDS} words: it truncates prompts"),
            ),
            _ => (Verdict::Yes, format!("{LONG_WORDS} words, read as {read} tokens")),
        })
    }

    async fn cached_tokens(&self) -> Result<Seen, Fault> {
        let Usage { input_tokens, cached_tokens, .. } = self.ask(&self.long(), &self.wire).await?.usage;
        Ok(match cached_tokens {
            0 => (Verdict::No, "none reported when the long prompt came again".into()),
            _ => (Verdict::Yes, format!("{cached_tokens} of {input_tokens} when the long prompt came again")),
        })
    }

    /// A prompt of a known length.
    fn long(&self) -> Request {
        const WORDS: [&str; 16] = [
            "river", "stone", "lamp", "road", "bread", "winter", "horse", "song", "door", "paper", "market",
            "water", "bell", "garden", "silver", "night",
        ];
        // Each round begins one word further on, so that none repeats the one before.
        let words = (0..LONG_WORDS).map(|index| WORDS[(index + index / WORDS.len()) % WORDS.len()]);
        let words = words.collect::<Vec<_>>().join(" ");
        let user = format!("{words}\n\nThat was all. Answer with the one word: read.");
        self.request("You keep the memory of a tabletop game.", &user, Vec::new())
    }
}

impl Finding {
    /// Nothing was found out.
    pub fn unknown(probe: Probe, seen: String) -> Finding {
        finding(probe, Verdict::Unknown, seen)
    }

    /// No end came within this time.
    pub fn timed_out(probe: Probe, allowed_ms: u64) -> Finding {
        failed(probe, &Fault::new(FaultKind::Timeout, format!("no end within {allowed_ms} ms")))
    }
}

fn finding(probe: Probe, verdict: Verdict, seen: String) -> Finding {
    Finding { probe, verdict, seen: short(&seen, SEEN_CHARACTERS_MAX), fault: None, remedy: None }
}

/// Text on one line, with `…` where more followed.
fn short(text: &str, characters_max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(characters_max) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// What a fault says of the model: a rejection is a no, and a temporary fault says nothing; but a server that is unreachable or does not answer,
/// does not.
fn failed(probe: Probe, fault: &Fault) -> Finding {
    let must_come = matches!(probe, Probe::Reachable | Probe::Answers);
    let says_nothing = fault.kind.is_retryable() && !must_come;
    let verdict = if says_nothing { Verdict::Unknown } else { Verdict::No };
    let seen = format!("{}: {}", fault.kind.describe(), fault.message);
    let is_about_the_request =
        matches!(fault.kind, FaultKind::Refused | FaultKind::Server | FaultKind::ErrorInBody);
    let remedy = remedy(&fault.message).filter(|_| is_about_the_request);
    Finding { fault: Some(fault.kind), remedy, ..finding(probe, verdict, seen) }
}

/// The setting that a server's error message asks for.
fn remedy(message: &str) -> Option<(&'static str, toml::Value)> {
    const COMPLAINTS: [(&str, &str, Option<&str>); 7] = [
        ("max_completion_tokens", "tokens_field", Some("max_completion_tokens")),
        ("parallel_tool_calls", "parallel_tool_calls", None),
        ("tool_choice", "tool_choice", None),
        ("temperature", "temperature", None),
        ("seed", "seed", None),
        ("system role", "system_role", Some("user")),
        ("system message", "system_role", Some("user")),
    ];
    let message = message.to_lowercase();
    let (_, field, text) = COMPLAINTS.into_iter().find(|(words, ..)| message.contains(words))?;
    Some((field, text.map_or(toml::Value::Boolean(false), toml::Value::from)))
}

fn tools(names: &[&str]) -> Vec<ToolSpec> {
    names.iter().filter_map(|name| Some(twicetold_tool::named(name)?.spec())).collect()
}

/// A call with arguments that are an object is a call, whichever of the two tools it is of.
fn called(reply: &Reply) -> Seen {
    let is_object = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object());
    match reply.tool_calls.first() {
        Some(call) if is_object(&call.arguments) => (Verdict::Yes, calls_shown(reply)),
        Some(_) => (Verdict::No, format!("its arguments are no JSON object: {}", calls_shown(reply))),
        None => (Verdict::No, format!("words instead: \"{}\"", short(&reply.text, 60))),
    }
}

fn calls_shown(reply: &Reply) -> String {
    let calls = reply.tool_calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
    calls.collect::<Vec<_>>().join(", ")
}

/// What a server's list says of a model: that it is there.
fn listed(list: &str, model: &str) -> String {
    let names = model_names(list);
    match names.as_slice() {
        [] => "it answers".into(),
        names if names.iter().any(|name| name == model) => format!("it lists {model:?}"),
        // A server with one model serves it under any name.
        [only] => format!("it serves {only:?} under any name"),
        names => format!("it lists {} models, and {model:?} is none of them", names.len()),
    }
}

const PLAYER: &str = "You are a player in a tabletop game. Your character is Kira Ashford.";

const PLAYER_ASKED: &str = "\
DM: The ferry is about to leave without you, Kira. What do you do? Answer in one sentence.

<table_state version=\"1\">
phase: play
role: player
you: Kira Ashford
player: Player 1 | name=Kira Ashford | class=warden | spoken=yes | waited=1
encounter: the-ferry | title=The Ferry | opening=given
messages: 1 of 20
</table_state>
";

const DM: &str =
    "You are the DM of a tabletop game. What happens in it is recorded by tools and by nothing else.";

const DM_ASKED: &str = "\
<opening>
Tilda Marsh, who keeps the ferry, waves the party aboard.
</opening>

[table] The party has just met Tilda Marsh. Record it: call the tool record_met with people, a list with her id, tilda-marsh.

<table_state version=\"1\">
phase: play
role: dm
you: DM
player: Player 1 | name=Kira Ashford | class=warden | spoken=yes | waited=1
encounter: the-ferry | title=The Ferry | opening=needed
messages: 0 of 20
npc: tilda-marsh | name=Tilda Marsh | role=ferrywoman
</table_state>
";

const DICE_ASKED: &str = "\
[table] Two dice are wanted at once: call the tool roll_dice twice in this one reply, once for 1d20 and once for 1d6, each \
because the ferry leaves.
";

const GOBLIN_ASKED: &str = "Think of a goblin. What is its name, and how many hit points does it have?";

const GOBLIN_SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"hit_points":{"type":"integer"}},"required":["name","hit_points"],"additionalProperties":false}"#;
