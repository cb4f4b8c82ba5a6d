//! What a model thought goes back beside its words and calls, in the field that its server takes it in.

use twicetold_dialect::{Compat, Protocol, ThinkingField, ToolCalls, Wire};
use twicetold_model::{Message, Opaque, Part, Request, Role, ToolCall, ToolResult};

const CALL: &str =
    r#""tool_calls":[{"id":"a","type":"function","function":{"name":"roll_dice","arguments":"{}"}}]"#;

fn chat(thinking_field: ThinkingField) -> Wire {
    Wire { protocol: Protocol::ChatCompletions, compat: Compat { thinking_field, ..Compat::default() } }
}

/// The request that goes on after a reply: its blocks and its calls, and the results of these.
fn follow_up(wire: &Wire, body: &str) -> String {
    let reply = wire.decode(body).unwrap();
    let vendor = wire.protocol.name();
    let blocks = reply.opaque.iter().map(|block| {
        assert_eq!(block.place, 0);
        Part::Opaque { vendor: vendor.into(), body: block.json.clone() }
    });
    let calls = reply.tool_calls.iter().map(|call| {
        Part::ToolCall(ToolCall { id: ToolCall::own_id(1), name: call.name.clone(), arguments: "{}".into() })
    });
    let own = Message { role: Role::Assistant, parts: blocks.chain(calls).collect() };
    let result = Part::ToolResult(ToolResult { id: ToolCall::own_id(1), content: "14".into() });
    let messages = vec![own, Message { role: Role::Tool, parts: vec![result] }];
    wire.encode(&Request { messages, ..Request::default() })
}

/// A body of chat completions with these members of its message.
fn answer(members: &str) -> String {
    format!(
        r#"{{"choices":[{{"message":{{"content":null,{members}{CALL}}},"finish_reason":"tool_calls"}}]}}"#
    )
}

#[test]
fn a_thought_goes_back_in_the_field_that_the_server_takes_it_in() {
    let details = r#""reasoning_details":[{"type":"reasoning.text","text":"He \"lies\".","signature":"s"},{"type":"reasoning.encrypted","data":"7Uo="}]"#;
    let bodies = [
        r#""reasoning_content":"He \"lies\".","#.to_owned(),
        r#""reasoning":"He \"lies\".","#.to_owned(),
        format!("{details},"),
    ];
    for body in bodies.iter().map(|members| answer(members)) {
        let said = |field| follow_up(&chat(field), &body);
        assert!(!said(ThinkingField::None).contains("lies"), "{body}");
        let content = said(ThinkingField::ReasoningContent);
        assert!(content.contains(r#"}}],"reasoning_content":"He \"lies\"."},{"role":"tool""#), "{content}");
        let reasoning = said(ThinkingField::Reasoning);
        assert!(reasoning.contains(r#"}}],"reasoning":"He \"lies\"."},{"role":"tool""#), "{reasoning}");
    }
    let said = follow_up(&chat(ThinkingField::ReasoningDetails), &answer(&bodies[2]));
    assert!(said.contains(&format!("}}}}],{details}}},{{\"role\":\"tool\"")), "{said}");
}

/// "The reasoning_content must be passed back": also of a person's call, and of one that was made without a thought.
#[test]
fn a_server_that_demands_the_field_gets_it_with_every_call() {
    for (field, nothing) in [
        (ThinkingField::ReasoningContent, r#","reasoning_content":"""#),
        (ThinkingField::ReasoningDetails, r#","reasoning_details":[]"#),
        (ThinkingField::Reasoning, ""),
        (ThinkingField::None, ""),
    ] {
        let wire = chat(field);
        assert_eq!(wire.needs_thinking_beside_calls(), !nothing.is_empty());
        let said = follow_up(&wire, &answer(""));
        assert!(said.contains(&format!("}}}}]{nothing}}},{{\"role\":\"tool\"")), "{said}");
        // Where calls are told as words, there is nothing to stand beside.
        let told = Wire { compat: Compat { tool_messages: false, ..wire.compat }, ..wire };
        let said = follow_up(&told, &answer(r#""reasoning_content":"He lies.","#));
        assert!(!said.contains("lies") && !said.contains("reasoning"), "{said}");
        assert!(!told.needs_thinking_beside_calls());
    }
}

#[test]
fn prompted_models_are_told_no_blocks() {
    for tool_calls in [ToolCalls::Prompted, ToolCalls::Structured, ToolCalls::Guided] {
        for protocol in Protocol::ALL {
            let thinking_field = ThinkingField::ReasoningContent;
            let wire = Wire { protocol, compat: Compat { tool_calls, thinking_field, ..Compat::default() } };
            let body = match protocol {
                Protocol::Ollama => r#"{"message":{"content":"Aye.","thinking":"He lies."},"done":true}"#,
                Protocol::Anthropic => {
                    r#"{"content":[{"type":"thinking","thinking":"He lies.","signature":"s"},{"type":"text","text":"Aye."}]}"#
                }
                _ => r#"{"choices":[{"message":{"content":"Aye.","reasoning_content":"He lies."}}]}"#,
            };
            if let Ok(reply) = wire.decode(body) {
                assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Aye.", "He lies."));
                assert!(reply.opaque.is_empty(), "{protocol:?}");
            }
            assert!(!wire.needs_thinking_beside_calls());
        }
    }
}

#[test]
fn ollama_takes_a_thought_back_by_the_name_that_it_gave_it() {
    let wire = Wire { protocol: Protocol::Ollama, compat: Compat::default() };
    let body = r#"{"message":{"content":"","thinking":"He \"lies\".","tool_calls":[{"function":{"name":"roll_dice","arguments":{}}}]},"done":true}"#;
    let said = follow_up(&wire, body);
    assert!(said.contains(r#"}}],"thinking":"He \"lies\"."},{"role":"tool""#), "{said}");
    assert!(!wire.needs_thinking_beside_calls());
}

#[test]
fn details_that_come_in_pieces_go_back_whole() {
    let chunk = |detail: &str| {
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"reasoning_details\":[{detail}]}}}}]}}\n\n")
    };
    let stream = [
        r#"{"type":"reasoning.text","index":0,"text":"He ","signature":null}"#,
        r#"{"type":"reasoning.text","index":0,"text":"lies."}"#,
        r#"{"type":"reasoning.text","index":0,"signature":"s"}"#,
        r#"{"type":"reasoning.encrypted","index":0,"data":"7Uo="}"#,
        r#"{"type":"reasoning.encrypted","index":0,"data":"8Vp="}"#,
        r#"{"type":"reasoning.text","text":"So?"}"#,
        r#"{"type":"reasoning.text","text":"So."}"#,
    ];
    let stream: String = stream.into_iter().map(chunk).collect();
    let end = format!(r#"data: {{"choices":[{{"delta":{{{CALL}}},"finish_reason":"tool_calls"}}]}}"#);
    let body = Protocol::ChatCompletions.assemble(&format!("{stream}{end}\n\ndata: [DONE]\n\n")).unwrap();
    let reply = chat(ThinkingField::ReasoningDetails).decode(&body).unwrap();
    let details: serde_json::Value = serde_json::from_str(&reply.opaque[0].json).unwrap();
    let expected = serde_json::json!({"reasoning_details": [
        {"type": "reasoning.text", "index": 0, "text": "He lies.", "signature": "s"},
        {"type": "reasoning.encrypted", "index": 0, "data": "7Uo="},
        {"type": "reasoning.encrypted", "index": 0, "data": "8Vp="},
        {"type": "reasoning.text", "text": "So?"},
        {"type": "reasoning.text", "text": "So."},
    ]});
    assert_eq!(details, expected);
    assert_eq!(reply.thinking, "He lies.So?So.");
    // Of a server that sends nonsense, or without end, no more is kept than a model thinks.
    for nonsense in ["7", "{}", "[]", r#"{"text":7}"#, "null"] {
        let stream = chunk(nonsense) + &end + "\n\ndata: [DONE]\n\n";
        Protocol::ChatCompletions
            .assemble(&stream)
            .map(|body| serde_json::from_str::<serde_json::Value>(&body))
            .unwrap()
            .unwrap();
    }
    let flood = chunk(r#"{"data":"x"}"#).repeat(3_000) + &end + "\n\ndata: [DONE]\n\n";
    assert_eq!(Protocol::ChatCompletions.assemble(&flood).unwrap().matches("\"data\"").count(), 1_024);
}

#[test]
fn a_vendor_that_is_told_to_think_first_refuses_calls_without() {
    let wire = |thinking: &str| {
        let extra_fields = [("thinking".to_owned(), thinking.to_owned())].into();
        Wire { protocol: Protocol::Anthropic, compat: Compat { extra_fields, ..Compat::default() } }
    };
    assert!(wire(r#"{"type":"enabled","budget_tokens":1024}"#).needs_thinking_beside_calls());
    for other in [r#"{"type":"adaptive"}"#, r#"{"type":"disabled"}"#, "{}", "7", r#"["enabled"]"#] {
        assert!(!wire(other).needs_thinking_beside_calls(), "{other}");
    }
    for protocol in Protocol::ALL {
        assert!(!Wire { protocol, compat: Compat::default() }.needs_thinking_beside_calls());
    }
    let kept = Opaque { place: 0, json: r#"{"type":"thinking","thinking":"","signature":"s"}"#.into() };
    let body = format!(r#"{{"content":[{},{{"type":"text","text":"Aye."}}]}}"#, kept.json);
    assert_eq!(wire("{}").decode(&body).unwrap().opaque, [kept]);
}
