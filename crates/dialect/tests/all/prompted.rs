//! Prompted tool calling: the bytes that such a request has, and what is read as a call and what is not.

use serde_json::Value;
use twicetold_dialect::{Compat, SystemRole, ToolCalls, Wire, push_json_string, unread_call};
use twicetold_model::{
    Message, Parameters, Part, Reply, Request, Role, ToolCall, ToolChoice, ToolResult, ToolSpec,
};

const PROMPTED: ToolCalls = ToolCalls::Prompted;
const STRUCTURED: ToolCalls = ToolCalls::Structured;

fn wire(tool_calls: ToolCalls) -> Wire {
    Wire { compat: compat(tool_calls), ..Wire::default() }
}

fn compat(tool_calls: ToolCalls) -> Compat {
    Compat { tool_calls, ..Compat::default() }
}

/// A body whose reply says this.
fn body(text: &str) -> String {
    let mut body = String::from("{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":");
    push_json_string(&mut body, text);
    body + "}}]}"
}

fn read(how: ToolCalls, text: &str) -> Reply {
    wire(how).decode(&body(text)).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

/// The words of a reply and its calls, each as its name and its arguments.
fn shown(how: ToolCalls, text: &str) -> (String, Vec<String>) {
    let reply = read(how, text);
    let calls = reply.tool_calls.iter().map(|call| format!("{}{}{}", call.id, call.name, call.arguments));
    (reply.text, calls.collect())
}

fn calls(how: ToolCalls, text: &str) -> Vec<String> {
    shown(how, text).1
}

fn text(role: Role, text: &str) -> Message {
    Message { role, parts: vec![Part::Text(text.into())] }
}

fn called(id: &str, name: &str, arguments: &str) -> Part {
    Part::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() })
}

fn result(id: &str, content: &str) -> Message {
    let result = ToolResult { id: id.into(), content: content.into() };
    Message { role: Role::Tool, parts: vec![Part::ToolResult(result)] }
}

/// A turn with everything in it.
fn request() -> Request {
    let tool = ToolSpec {
        name: "roll_dice".into(),
        description: "Roll \"dice\".".into(),
        schema: r#"{"type":"object","properties":{"dice":{"type":"string"}}}"#.into(),
    };
    let own = vec![
        Part::Text("I roll.".into()),
        called("c1", "roll_dice", r#"{"dice":"1d20"}"#),
        called("c2", "look up", "{broken"),
    ];
    let messages = vec![
        text(Role::System, "Be the DM."),
        text(Role::User, "Kira:\nI jump."),
        Message { role: Role::Assistant, parts: own },
        result("c1", "14"),
        result("c2", "refused"),
        text(Role::User, "Go on."),
        text(Role::Assistant, "You land."),
    ];
    let parameters = Parameters { model: "m".into(), ..Parameters::default() };
    Request { messages, tools: vec![tool], reply_schema: None, parameters }
}

fn sent(request: &Request, compat: &Compat) -> (String, Value) {
    let body = Wire { compat: compat.clone(), ..Wire::default() }.encode(request);
    let value = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"));
    (body, value)
}

#[test]
fn a_prompted_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"model":"m","messages":[{"role":"system","content":"Be the DM.\n\n# Tools\n\n"#,
        r"You can use tools. To use one, write a block of exactly this form, on lines of its own:\n\n",
        r#"```json\n{\"tool\": \"name of the tool\", \"arguments\": {}}\n```\n\n"#,
        r"Everything outside of the block is what you say. Nothing happens by saying that you use a tool: ",
        r"only the block counts. The result comes in the next message; do not make it up. A reply may hold ",
        r#"one such block. These are the tools:\n\n## roll_dice\nRoll \"dice\".\nArguments (JSON Schema): "#,
        r#"{\"type\":\"object\",\"properties\":{\"dice\":{\"type\":\"string\"}}}"},"#,
        r#"{"role":"user","content":"Kira:\nI jump."},"#,
        r#"{"role":"assistant","content":"I roll.\n\n```json\n{\"tool\": \"roll_dice\", \"arguments\": "#,
        r#"{\"dice\":\"1d20\"}}\n```\n\n```json\n{\"tool\": \"look up\", \"arguments\": "#,
        r#"{\"malformed\":\"{broken\"}}\n```"},"#,
        r#"{"role":"user","content":"[result of roll_dice] 14\n\n[result of look up] refused\n\nGo on."},"#,
        r#"{"role":"assistant","content":"You land."}]}"#,
    );
    assert_eq!(sent(&request(), &compat(PROMPTED)).0, expected);
}

#[test]
fn a_turn_held_to_a_schema_has_these_bytes() {
    let (body, value) = sent(&request(), &compat(STRUCTURED));
    let expected = concat!(
        r#"{"role":"assistant","content":"{\"say\": \"I roll.\", \"calls\": [{\"tool\": \"roll_dice\", "#,
        r#"\"arguments\": {\"dice\":\"1d20\"}}, {\"tool\": \"look up\", \"arguments\": "#,
        r#"{\"malformed\":\"{broken\"}}]}"},"#,
        r#"{"role":"user","content":"[result of roll_dice] 14\n\n[result of look up] refused\n\nGo on."},"#,
        r#"{"role":"assistant","content":"{\"say\": \"You land.\", \"calls\": []}"}],"#,
        r#""response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object","#,
        r#""properties":{"say":{"type":"string"},"calls":{"type":"array","maxItems":1,"items":{"anyOf":["#,
        r#"{"type":"object","properties":{"tool":{"type":"string","enum":["roll_dice"]},"arguments":"#,
        r#"{"type":"object","properties":{"dice":{"type":"string"}}}},"required":["tool","arguments"],"#,
        r#""additionalProperties":false}]}}},"required":["say","calls"],"additionalProperties":false}}}}"#,
    );
    assert!(body.ends_with(expected), "{body}");
    let instructions = value["messages"][0]["content"].as_str().unwrap();
    assert!(instructions.contains("{\"say\": \"what you say\", \"calls\": ["), "{instructions}");
}

#[test]
fn what_a_model_is_told_of_its_own_replies_is_read_as_those_replies() {
    for how in [PROMPTED, STRUCTURED] {
        let (_, value) = sent(&request(), &compat(how));
        let told = |index: usize| shown(how, value["messages"][index]["content"].as_str().unwrap());
        let expected = [r#"roll_dice{"dice":"1d20"}"#, r#"look up{"malformed":"{broken"}"#];
        assert_eq!(told(2), ("I roll.".into(), expected.map(str::to_owned).to_vec()));
        assert_eq!(told(4), ("You land.".into(), vec![]));
    }
}

#[test]
fn no_field_of_tool_calling_is_ever_sent() {
    for how in [PROMPTED, STRUCTURED] {
        for tool_choice in [ToolChoice::Auto, ToolChoice::Required, ToolChoice::None] {
            let mut request = request();
            request.parameters.tool_choice = tool_choice;
            request.parameters.parallel_tool_calls = true;
            let (body, value) = sent(&request, &compat(how));
            for field in ["tools", "tool_choice", "parallel_tool_calls"] {
                assert_eq!(value.get(field), None, "{body}");
            }
            for message in value["messages"].as_array().unwrap() {
                assert!(message["content"].is_string() && message["role"] != "tool", "{body}");
                assert_eq!(message.as_object().unwrap().len(), 2, "{body}");
            }
            // That no tool may be called for once is no reason to read the instructions anew.
            assert!(body.contains("# Tools") && body.contains("several"), "{body}");
            assert_eq!(value.get("response_format").is_some(), how == STRUCTURED);
            assert_eq!(body.contains("must use at least one tool"), tool_choice == ToolChoice::Required);
        }
    }
}

#[test]
fn a_request_without_tools_says_nothing_of_them() {
    let request =
        Request { messages: vec![text(Role::System, "Sum up."), text(Role::User, "…")], ..request() };
    let request = Request { tools: Vec::new(), ..request };
    for how in [PROMPTED, STRUCTURED] {
        assert_eq!(sent(&request, &compat(how)).0, sent(&request, &Compat::default()).0);
    }
}

#[test]
fn roles_take_turns_also_where_nobody_gives_instructions_or_a_user_gives_them() {
    let roles = |request: &Request, compat: &Compat| -> Vec<String> {
        let (_, value) = sent(request, compat);
        let messages = value["messages"].as_array().unwrap();
        messages.iter().map(|message| message["role"].as_str().unwrap().to_owned()).collect()
    };
    let user = Compat { system_role: SystemRole::User, ..compat(PROMPTED) };
    assert_eq!(roles(&request(), &user), ["user", "assistant", "user", "assistant"]);
    let mut bare = request();
    bare.messages.remove(0);
    assert_eq!(roles(&bare, &compat(PROMPTED)), ["system", "user", "assistant", "user", "assistant"]);
    assert_eq!(roles(&bare, &user), ["user", "assistant", "user", "assistant"]);
}

#[test]
fn a_block_among_words_is_a_call_and_the_words_around_it_are_two_paragraphs() {
    let block = "```json\n{\"tool\": \"roll_dice\", \"arguments\": { \"dice\": \"1d20\" }}\n```";
    let call = r#"roll_dice{ "dice": "1d20" }"#;
    let table = [
        (block.to_owned(), "", 1),
        (format!("I roll.\n\n{block}"), "I roll.", 1),
        (format!("I roll.\n{block}\nWatch."), "I roll.\n\nWatch.", 1),
        (format!("  I roll.\n\n\n{block}\r\n\n  Watch.\n"), "I roll.\n\nWatch.", 1),
        (format!("One.\n{block}\nTwo.\n{block}\n{block}"), "One.\n\nTwo.", 3),
        (block.replace('\n', "\r\n"), "", 1),
        (block.replace("```json", "   ````JSON  ").replace("\n```", "\n  ````` "), "", 1),
    ];
    for (written, words, count) in table {
        assert_eq!(shown(PROMPTED, &written), (words.to_owned(), vec![call.to_owned(); count]), "{written}");
    }
}

#[test]
fn a_list_is_several_calls_in_order() {
    let list =
        "```json\n[{\"tool\":\"b\",\"arguments\":{}},\n {\"arguments\":{\"x\":[1]},\"tool\":\"a\"}]\n```";
    assert_eq!(shown(PROMPTED, list), (String::new(), vec!["b{}".to_owned(), r#"a{"x":[1]}"#.to_owned()]));
}

#[test]
fn a_tool_that_nobody_knows_is_a_call_all_the_same() {
    assert_eq!(calls(PROMPTED, "```json\n{\"tool\":\"fly away\",\"arguments\":{}}\n```"), ["fly away{}"]);
}

#[test]
fn calls_as_the_protocol_has_them_come_first() {
    let body = concat!(
        r#"{"choices":[{"message":{"content":"```json\n{\"tool\":\"b\",\"arguments\":{}}\n```","#,
        r#""tool_calls":[{"id":"x","function":{"name":"a","arguments":"{}"}}]}}]}"#,
    );
    let reply = wire(PROMPTED).decode(body).unwrap();
    let names: Vec<&str> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!((names, reply.text.as_str()), (vec!["a", "b"], ""));
}

#[test]
fn a_call_is_read_in_every_form_that_models_write() {
    let call = r#"{"tool": "x", "arguments": {"a": 1}}"#;
    let fenced = |content: &str| format!("```json\n{content}\n```");
    let one = [
        // Fences of any kind, also one that does not end, and none at all.
        call.to_owned(),
        format!("```\n{call}\n```"),
        format!("```tool_call\n{call}\n```"),
        format!("~~~json\n{call}\n~~~"),
        format!("  ```json\n  {call}\n  ```"),
        format!("    ```json\n    {call}\n    ```"),
        format!("```json\n{call}"),
        format!("```json\n{call}\n"),
        // What models were trained with.
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("<tool_call>{call}</tool_call>"),
        format!("<tool_call>\n{call}"),
        format!("[TOOL_CALLS] [{call}]"),
        fenced(&format!("<tool_call>{call}</tool_call>")),
        // Other names, more members, arguments as a text.
        fenced(r#"{"name": "x", "arguments": {"a": 1}}"#),
        fenced(r#"{"tool_name": "x", "args": {"a": 1}}"#),
        fenced(r#"{"name": "x", "parameters": {"a": 1}}"#),
        fenced(r#"{"id": 1, "tool": "x", "arguments": {"a": 1}, "why": "because"}"#),
        fenced(r#"{"tool": "x", "arguments": "{\"a\": 1}"}"#),
        fenced(r#"{"type": "function", "function": {"name": "x", "arguments": {"a": 1}}}"#),
        fenced(r#"{"function": "x", "arguments": {"a": 1}}"#),
        fenced(r#"{"tool_calls": [{"tool": "x", "arguments": {"a": 1}}]}"#),
        fenced(&format!("{call},")),
    ];
    for written in one {
        let expected = vec![r#"x{"a": 1}"#.to_owned()];
        assert_eq!(shown(PROMPTED, &written), (String::new(), expected.clone()), "{written}");
        // A server with tool calling of its own may hand on as words what the model wrote as a call.
        assert_eq!(shown(ToolCalls::Native, &written), (String::new(), expected.clone()), "{written}");
        assert!(unread_call(&written).is_some(), "{written}");
        // But words with a call among them are words there: somebody may have said them.
        let among = format!("I try.\n\n{written}");
        assert_eq!(shown(PROMPTED, &among), ("I try.".to_owned(), expected), "{among}");
        assert_eq!(shown(ToolCalls::Native, &among), (among.clone(), vec![]), "{among}");
    }
    let two = vec![r#"x{"a": 1}"#.to_owned(); 2];
    for written in [
        fenced(&format!("{call}\n{call}")),
        format!("{call} {call}"),
        format!("{call}\n{call}"),
        format!("<tool_call>{call}</tool_call>\n<tool_call>{call}</tool_call>"),
        fenced(&format!("[{call}, {call}]")),
    ] {
        assert_eq!(shown(PROMPTED, &written), (String::new(), two.clone()), "{written}");
    }
}

#[test]
fn a_call_by_marks_is_read_in_the_forms_that_models_were_trained_on() {
    let object = r#"{"a": 1}"#;
    let texts = r#"{"a":"1","b":"two\nlines"}"#;
    let forms = [
        (format!("[TOOL_CALLS]x[ARGS]{object}"), object),
        (format!("<|tool_calls_section_begin|><|tool_call_begin|>x:0<|tool_call_argument_begin|>{object}<|tool_call_end|><|tool_calls_section_end|>"), object),
        (format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>x<｜tool▁sep｜>{object}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"), object),
        (format!("<function=x>{object}</function>"), object),
        ("<tool_call>\n<function=x>\n<parameter=b>\ntwo\nlines\n</parameter>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>".to_owned(), texts),
        ("<function_calls>\n<invoke name=\"x\">\n<parameter name=\"a\">1</parameter>\n<parameter name=\"b\">two\nlines</parameter>\n</invoke>\n</function_calls>".to_owned(), texts),
        ("<tool_call>x\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>b</arg_key>\n<arg_value>two\nlines</arg_value>\n</tool_call>".to_owned(), texts),
        ("<function=x>\n</function>".to_owned(), "{}"),
    ];
    for (written, arguments) in forms {
        let call = format!("x{arguments}");
        let twice = format!("{written}\n{written}");
        for how in [PROMPTED, ToolCalls::Native] {
            assert_eq!(shown(how, &written), (String::new(), vec![call.clone()]), "{written}");
            assert_eq!(shown(how, &twice), (String::new(), vec![call.clone(); 2]), "{twice}");
        }
        let among = format!("I try.\n{twice}");
        assert_eq!(shown(PROMPTED, &among), ("I try.".to_owned(), vec![call.clone(); 2]), "{among}");
        assert_eq!(shown(ToolCalls::Native, &among), (among.clone(), vec![]), "{among}");
        // One that was cut is none, however much of it came; up to an object, it is one without its end too.
        let end = match written.find(object).filter(|_| !written.contains("</function>")) {
            Some(at) => at + object.len() - 1,
            None => {
                ["</function>", "</invoke>", "</tool_call>"].iter().find_map(|end| written.find(end)).unwrap()
            }
        };
        for cut in (1..end).filter(|cut| written.is_char_boundary(*cut)) {
            assert_eq!(shown(PROMPTED, &written[..cut]), (written[..cut].to_owned(), vec![]));
        }
    }
    for written in [
        "<function=x><parameter=a>1</parameter><parameter=a>2</parameter></function>",
        "<function=fly away>{}</function>",
        "<function=x>[1]</function>",
        "<invoke name=\"x\"><parameter name=\"a\">1</invoke>",
        "[TOOL_CALLS]x[ARGS]a",
        "<tool_call>x\n<arg_key>a</arg_key>\n</tool_call>",
        "<|channel|>commentary to=functions.x <|constrain|>json<|message|>{}",
        "```tool_code\nx(a=1)\n```",
    ] {
        assert_eq!(shown(PROMPTED, written), (written.to_owned(), vec![]));
        assert!(unread_call(written).is_some(), "{written}");
    }
}

#[test]
fn a_call_of_the_servers_own_leaves_the_words_alone() {
    let body = r#"{"choices":[{"message":{"content":"{\"tool\":\"b\",\"arguments\":{}}","tool_calls":[{"id":"x","function":{"name":"a","arguments":"{}"}}]}}]}"#;
    let reply = wire(ToolCalls::Native).decode(body).unwrap();
    assert_eq!(reply.tool_calls.len(), 1);
    assert_eq!(reply.text, r#"{"tool":"b","arguments":{}}"#);
}

#[test]
fn what_cannot_be_read_as_a_call_stays_in_the_words_to_the_letter_and_is_known() {
    let call = r#"{"tool": "x", "arguments": {}}"#;
    let fenced = |content: &str| format!("Look:\n```json\n{content}\n```\n");
    let known = [
        format!("`{call}`"),
        format!("I say {call}"),
        format!("> {call}"),
        format!("```json {call}```"),
        format!("```json\n{call}\n~~~"),
        format!("````json\n{call}\n```"),
        format!("```json\n{call}\n```json"),
        format!("```json\n{call} ```"),
        // A block within another block.
        format!("````markdown\n```json\n{call}\n```\n````"),
        format!("~~~\n```json\n{call}\n```\n~~~"),
        format!("```text\n```json\n{call}\n```"),
        fenced(r#"{"tool": "x"}"#),
        fenced(r#"{"arguments": {}}"#),
        fenced(r#"{"tool": "x", "tool": "y", "arguments": {}}"#),
        fenced(r#"{"name": "x", "tool": "x", "arguments": {}}"#),
        fenced(r#"{"tool": "", "arguments": {}}"#),
        fenced(r#"{"tool": " ", "arguments": {}}"#),
        fenced(r#"{"tool": 7, "arguments": {}}"#),
        fenced(r#"{"tool": null, "arguments": {}}"#),
        fenced(r#"{"tool": "\ud800", "arguments": {}}"#),
        fenced(r#"{"tool": "x", "arguments": null}"#),
        fenced(r#"{"tool": "x", "arguments": [1]}"#),
        fenced(r#"{"tool": "x", "arguments": "a"}"#),
        fenced(r#"{"tool": "x", "arguments": {"a": }}"#),
        fenced(&format!("// a call\n{call}")),
        fenced(
            r#"{"tool": "x", // because
"arguments": {}}"#,
        ),
        fenced("{'tool': 'x', 'arguments': {}}"),
        fenced(&format!("[{call}, 7]")),
        fenced(&format!("[[{call}]]")),
        fenced(&call.replace("{}", "{…}")),
        r#"{"say": "I go.", "calls": 7}"#.to_owned(),
        "<tool_call>fly</tool_call>".to_owned(),
    ];
    for written in known {
        for how in [PROMPTED, ToolCalls::Native] {
            assert_eq!(shown(how, &written), (written.clone(), vec![]));
        }
        assert!(unread_call(&written).is_some(), "{written}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines = "[\n".repeat(100_000);
    let plain = [
        "```json\n".into(),
        "```json\n```".into(),
        fenced(""),
        fenced("null"),
        fenced("[]"),
        fenced("{}"),
        fenced(r#"{"name": "Goblin", "hp": 7}"#),
        fenced(r#"["x", {}]"#),
        fenced(&deep),
        lines,
        r#"My best "tool": patience. "Arguments", she says: none."#.to_owned(),
        r#"{"name": "Ana", "tool": "lockpick"}"#.to_owned(),
        String::new(),
        " \n".into(),
    ];
    for written in plain {
        for how in [PROMPTED, ToolCalls::Native] {
            assert_eq!(shown(how, &written), (written.clone(), vec![]));
        }
        assert_eq!(unread_call(&written), None, "{written}");
    }
}

#[test]
fn a_call_has_a_bounded_depth_and_stands_behind_a_bounded_number_of_lines_that_look_like_one() {
    let nested = |levels: usize| format!("{{\"a\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    let calls = |written: &str| shown(PROMPTED, written).1.len();
    for (levels, found) in [(125, 1), (126, 0), (401, 0), (100_000, 0)] {
        let call = format!("{{\"tool\": \"x\", \"arguments\": {}}}", nested(levels));
        assert_eq!(calls(&call), found, "an object in {levels} lists");
        let text = serde_json::to_string(&nested(levels + 1)).unwrap();
        assert_eq!(
            calls(&format!("{{\"tool\": \"x\", \"arguments\": {text}}}")),
            found,
            "the same as a text"
        );
    }
    assert_eq!(calls(&format!("{{\"tool\": \"x\", \"arguments\": {{\"a\": \"{}\"}}}}", "[".repeat(200))), 1);
    for (mistaken, found) in [(31, 1), (32, 0), (33, 0)] {
        let written = format!("{}{{\"tool\": \"x\", \"arguments\": {{}}}}", "[no call]\n".repeat(mistaken));
        assert_eq!(calls(&written), found, "behind {mistaken} lines");
    }
}

#[test]
fn what_was_not_read_is_shown_from_where_it_is_known_to_the_end_of_its_line() {
    let written = "I try.\n{'tool': 'x', 'arguments': {}}\nWell?";
    assert_eq!(unread_call(written), Some((7, "'tool': 'x', 'arguments': {}}")));
}

#[test]
fn the_lines_that_lead_to_what_was_not_read_belong_to_it() {
    let begins = |written: &str| unread_call(written).map(|(at, _)| at);
    assert_eq!(begins("I try.\n\n```json\n{\n  \"name\": \"x\",\n  \"arguments\": {\n"), Some(8));
    assert_eq!(begins("She turns.\n\"Stop,\" says Amity.\n[/CHARACTER]\n<tool_call>"), Some(44));
    assert_eq!(begins("I try: <tool_call>x"), Some(0), "a line is not divided");
    assert_eq!(begins("I try.\nAnd again.\n<tool_call>"), Some(18));
}

#[test]
fn a_block_is_read_wherever_it_begins_anew_and_one_bad_block_spoils_no_other() {
    let call = "```json\n{\"tool\":\"x\",\"arguments\":{}}\n```";
    let bad = "```json\n{\"tool\":\"x\"\n```";
    assert_eq!(shown(PROMPTED, &format!("{bad}\n{call}")), (bad.to_owned(), vec!["x{}".to_owned()]));
    assert_eq!(shown(PROMPTED, &format!("{call}\n{bad}")), (bad.to_owned(), vec!["x{}".to_owned()]));
    assert_eq!(calls(PROMPTED, &format!("~~~\n```\n~~~\n{call}")), ["x{}"]);
    assert_eq!(calls(PROMPTED, &format!("> quoted ```\n{call}")), ["x{}"]);
}

#[test]
fn an_object_that_holds_words_and_calls_is_both_and_nothing_else_is() {
    let good = r#"{"calls":[{"tool":"x","arguments":{"a":1}}],"say":"I \"go\".\n"}"#;
    let expected = ("I \"go\".\n".to_owned(), vec![r#"x{"a":1}"#.to_owned()]);
    for written in [good.to_owned(), format!("\n {good} "), format!("```json\n{good}\n```")] {
        assert_eq!(shown(STRUCTURED, &written), expected, "{written}");
    }
    assert_eq!(shown(STRUCTURED, r#"{"say":"","calls":[]}"#), (String::new(), vec![]));
    // The schema of a reply without calls has none.
    assert_eq!(shown(STRUCTURED, r#"{"say":"I go."}"#), ("I go.".to_owned(), vec![]));
    let table = [
        "I go.",
        "",
        "```",
        "``````",
        r#"["I go.", []]"#,
        r#"{"calls":[]}"#,
        r#"{"say":"I go.","calls":null}"#,
        r#"{"say":"I go.","calls":{}}"#,
        r#"{"say":"I go.","calls":[7]}"#,
        r#"{"say":"I go.","calls":[{"tool":"x"}]}"#,
        r#"{"say":"I go.","calls":[],"more":1}"#,
        r#"{"say":"I go.","calls":[]} And so on."#,
        r#"{"say":7,"calls":[]}"#,
    ];
    for written in table {
        assert_eq!(shown(STRUCTURED, written), (written.to_owned(), vec![]));
    }
}

#[test]
fn of_an_object_that_was_cut_what_was_said_counts() {
    let whole = r#"{ "say" : "I \"go\" \ud83d\ude00 home.\n", "calls": [{"tool":"x","arguments":{}}]}"#;
    let said = "I \"go\" 😀 home.\n";
    let begins = whole.find("I ").unwrap();
    for end in begins..whole.len() {
        let (words, calls) = shown(STRUCTURED, &whole[..end]);
        assert!(said.starts_with(&words) && calls.is_empty(), "{end}: {words:?} {calls:?}");
        let most = said.len().min((end - begins).saturating_sub(18));
        assert!(words.len() >= most, "{end}: too little is left: {words:?}");
    }
    // Of a number, too, in every place.
    let number = r#"{"say": "I go.", "calls": [{"tool":"x","arguments":{"n":[-1.5e-7,2E+1]}}]}"#;
    for end in number.find(", \"calls").unwrap()..number.len() {
        assert_eq!(shown(STRUCTURED, &number[..end]), ("I go.".to_owned(), vec![]), "{end}");
    }
    for wrong in ["-x", "1.-", "1e+e", "[]-", "-\""] {
        let written = format!(r#"{{"say":"I go.","calls":[{wrong}"#);
        assert_eq!(shown(STRUCTURED, &written), (written.clone(), vec![]), "that is no JSON");
    }
    for none in [r#"{"calls":[],"say":"I go"#, r#"{"say"#, r#"{"say":7"#, "{"] {
        assert_eq!(shown(STRUCTURED, none), (none.to_owned(), vec![]));
    }
}

#[test]
fn a_call_may_name_its_tool_as_the_protocol_does() {
    assert_eq!(calls(PROMPTED, "```json\n{\"name\": \"x\", \"arguments\": {}}\n```"), ["x{}"]);
}

#[test]
fn whatever_a_model_writes_is_read_without_a_panic_and_always_as_the_same() {
    const PIECES: [&str; 24] = [
        "```",
        "````",
        "~~~",
        "```json",
        "json",
        "\n",
        "\n",
        "\r\n",
        " ",
        "    ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"tool\":",
        "\"x\"",
        "\"arguments\":",
        "{}",
        "\"say\":",
        "\"calls\":",
        "é\u{1F409}",
        "\\",
        "words",
    ];
    let whole = "{\"tool\":\"x\",\"arguments\":{}}";
    let mut random: u64 = 1;
    let mut next = |most: usize| {
        // Knuth's MMIX generator: the same texts in every run.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 40).unwrap_or_default() % most
    };
    let mut found = 0;
    for _ in 0..20_000 {
        let mut written = String::new();
        for _ in 0..next(24) {
            match next(10) {
                0 => written.push_str(&format!("\n```json\n{whole}\n```\n")),
                1 => written.push_str(whole),
                _ => written.push_str(PIECES[next(PIECES.len())]),
            }
        }
        for how in [PROMPTED, STRUCTURED] {
            let reply = read(how, &written);
            assert_eq!(reply, read(how, &written));
            found += reply.tool_calls.len();
            if reply.tool_calls.is_empty() && how == PROMPTED {
                assert_eq!(reply.text, written);
            }
            for call in &reply.tool_calls {
                assert!(serde_json::from_str::<Value>(&call.arguments).unwrap().is_object());
                assert!(!call.name.is_empty() && call.id.is_empty());
            }
        }
    }
    assert!(found > 1_000, "the texts must hold calls to be of use: {found}");
}
