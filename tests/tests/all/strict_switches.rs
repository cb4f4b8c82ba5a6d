//! Promise: whatever is switched on or off for a server, and whatever a model wrote, the request is one that its vendor takes.

use twicetold_dialect::{Compat, Protocol, SystemRole, TokensField, ToolCalls, Wire};
use twicetold_model::{
    Message, Parameters, Part, ReplySchema, Request, Role, ToolCall, ToolChoice, ToolResult, ToolSpec,
};
use twicetold_tests::strict::check;

use crate::strict_servers::PROTOCOLS;

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn call(number: u32, name: &str, arguments: &str) -> Part {
    let (name, arguments) = (name.to_owned(), arguments.to_owned());
    Part::ToolCall(ToolCall { id: ToolCall::own_id(number), name, arguments })
}

fn result(number: u32, content: &str) -> Part {
    Part::ToolResult(ToolResult { id: ToolCall::own_id(number), content: content.to_owned() })
}

/// A history with all that models do.
fn history() -> Vec<Message> {
    let calls = vec![
        call(1, "go", r#"{"how":"fast"}"#),
        call(2, "go on, \u{1f600}", "{\"how\": "),
        call(3, "", ""),
        call(4, &"long".repeat(40), "[1, 2]"),
        call(5, "7go", "\"fast\""),
        call(6, "go", r#"{"half":"\ud83d"}"#),
    ];
    let results = (1..=6).map(|number| result(number, if number == 2 { "" } else { "Gone.\n" })).collect();
    let messages = [
        (Role::System, vec![text("Be brief."), text("Be kind.")]),
        (Role::User, vec![text("Go.")]),
        (Role::User, vec![text("Go on.")]),
        (Role::Assistant, calls),
        (Role::Tool, results),
        (Role::User, vec![text("[state]")]),
        (Role::Assistant, vec![text("So be it. "), call(7, "go", "{}")]),
        (Role::Tool, vec![result(7, "{\"gone\":true}"), text("[state]")]),
        (Role::Assistant, vec![text("Gone. \u{0}\u{7f}\u{202e} \"quoted\" \\ ")]),
        (Role::Assistant, vec![text("Far.")]),
        (Role::System, vec![text("Be quick.")]),
        (Role::User, vec![text("And?")]),
    ];
    messages.map(|(role, parts)| Message { role, parts }).to_vec()
}

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, schema: &str| ToolSpec {
        name: name.into(),
        description: "Goes.\n\n## Not \"a\" tool".into(),
        schema: schema.into(),
    };
    vec![
        tool(
            "go",
            r#"{"type":"object","properties":{"how":{"type":"string","enum":["fast"]}},"required":["how"]}"#,
        ),
        tool("end", r#"{"properties":{},"type":"object"}"#),
    ]
}

fn form() -> ReplySchema {
    let schema = concat!(
        r#"{"type":"object","properties":{"words":{"type":"string","minLength":15,"maxLength":260}},"#,
        r#""required":["words"],"additionalProperties":false}"#
    );
    ReplySchema { name: "reply".into(), schema: schema.into(), strict: true }
}

/// What may be asked: with tools or with a form, under every choice, with and without bounds.
pub(crate) fn requests() -> Vec<Request> {
    let mut requests = Vec::new();
    for tool_choice in [ToolChoice::Auto, ToolChoice::Required, ToolChoice::None] {
        for several in [false, true] {
            for kind in 0..3 {
                let parameters = Parameters {
                    model: "m".into(),
                    temperature_milli: several.then_some(1_000),
                    seed: several.then_some(0x7fff_ffff),
                    tokens_max: if several { 1 } else { 0 },
                    parallel_tool_calls: several,
                    tool_choice,
                };
                requests.push(Request {
                    messages: history(),
                    tools: if kind == 0 { tools() } else { Vec::new() },
                    reply_schema: (kind == 1).then(form),
                    parameters,
                });
            }
        }
    }
    requests
}

/// Every switch of a server by itself, and all of them together.
pub(crate) fn servers() -> Vec<Compat> {
    let plain = Compat::default;
    let mut servers = vec![
        plain(),
        Compat { seed: false, ..plain() },
        Compat { tools: false, ..plain() },
        Compat { tool_choice: false, ..plain() },
        Compat { parallel_tool_calls: false, ..plain() },
        Compat { tool_messages: false, ..plain() },
        Compat { stream: true, ..plain() },
        Compat { tokens_field: TokensField::None, ..plain() },
        Compat { tokens_field: TokensField::MaxCompletionTokens, ..plain() },
        Compat { system_role: SystemRole::Developer, ..plain() },
        Compat { system_role: SystemRole::User, ..plain() },
        Compat { context: Some(4_096), stop: vec!["<end>".into()], ..plain() },
    ];
    servers.push(Compat {
        seed: false,
        tools: false,
        tool_choice: false,
        parallel_tool_calls: false,
        tool_messages: false,
        stream: true,
        system_role: SystemRole::User,
        ..plain()
    });
    let forms = [ToolCalls::Native, ToolCalls::Prompted, ToolCalls::Structured, ToolCalls::Guided];
    let all =
        servers.iter().flat_map(|compat| forms.map(|tool_calls| Compat { tool_calls, ..compat.clone() }));
    all.collect()
}

#[test]
fn whatever_is_switched_every_request_is_taken() {
    let (requests, servers) = (requests(), servers());
    let mut refused = Vec::new();
    for protocol in PROTOCOLS {
        for compat in &servers {
            // Anthropic's newer models take no temperature, and its configuration says so; Ollama calls nobody a developer.
            let foreign = protocol == Protocol::Ollama && compat.system_role == SystemRole::Developer;
            let temperature = protocol != Protocol::Anthropic;
            let wire = Wire { protocol, compat: Compat { temperature, ..compat.clone() } };
            for request in requests.iter().filter(|_| !foreign) {
                let body = wire.encode(request);
                let read = serde_json::from_str(&body).expect("a body is JSON");
                if let Err(why) = check(protocol, &read) {
                    refused.push(format!("{}: {why}\n{compat:?}\n{body}", protocol.name()));
                }
            }
        }
    }
    let count = refused.len();
    assert!(refused.is_empty(), "{count} are refused, such as {}", refused[0]);
}
