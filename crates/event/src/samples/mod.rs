//! One sample of every word of the journal and of every variant inside it: what golden bytes are taken over.
//!
//! Samples hold no zeros, no empty texts and no `None` where something else is possible, so that a field that is lost,
//! moved, narrowed or widened shows in the bytes: a byte is 128 or more, a larger number takes several bytes. A changed sample is a changed golden file: add samples, leave those that are here.

pub(crate) mod events;

use twicetold_model::{
    Digest, Fault, FaultKind, Finish, Message, Parameters, Part, Request, Role, ToolCall, ToolChoice,
    ToolResult, ToolSpec, Usage,
};

use crate::{entry, *};

pub use crate::event::samples as events;

/// Declares a function that gives every variant of an enum once. A variant without a sample does not compile.
macro_rules! every {
    ($name:ident: $type:ident {
        $($variant:ident $(($($value:expr),*))? $({ $($field:ident: $inner:expr),* })?,)*
    }) => {
        pub(crate) fn $name() -> Vec<$type> {
            let _ = |value: &$type| match value {
                $($type::$variant { .. } => (),)*
            };
            vec![$($type::$variant $(($($value),*))? $({ $($field: $inner),* })?,)*]
        }
    };
}
pub(crate) use every;

every!(finishes: Finish { Stop, ToolCalls, Length, Filtered, Other, });
every!(faults: FaultKind {
    Unreachable, Timeout, Truncated, TooLarge, Unauthorized, RateLimited, Server, Refused, ContextTooLong, Unreadable,
    ErrorInBody, NoChoices, OutOfScript, Crashed, OutOfCredit, CallsUnread, Unusable,
});
every!(seats: Seat { Dm, Player(200), Memory, });

/// Every input at least once.
pub fn inputs() -> Vec<Input> {
    let mut inputs = vec![
        OpeningAsked { charter: charter() }.into(),
        TimerFired { call: CallId(300), due: Millis(1_700_000_000_250) }.into(),
        ResumeAsked { interrupted: Some(CallId(300)) }.into(),
        ResumeAsked { interrupted: None }.into(),
        PauseAsked { reason: "Ctrl-C".into() }.into(),
        PersonAnswered {
            call: CallId(301),
            text: "I knock twice.".into(),
            tool_calls: vec![PersonCall { tool: "roll_dice".into(), arguments: "{\"dice\":\"2d6\"}".into() }],
        }
        .into(),
        AmendmentAsked { path: "limits.toml".into(), content: "turns_max = 80\n".into() }.into(),
        SeatAsked { seat: Seat::Player(2), person: None }.into(),
        ForkAsked {
            parent: CampaignId([0x51; 16]),
            at: Number(70_000),
            seed: Some(0x0102_0304_0506_0708),
            amendments: vec![AmendmentAsked {
                path: "limits.toml".into(),
                content: "turns_max = 80\n".into(),
            }],
            resample: true,
            note: "fewer turns".into(),
        }
        .into(),
    ];
    inputs.push(ForeignLine { line: 300, text: "{\"name\":\"Ada\"}".into() }.into());
    inputs.extend(seats().into_iter().map(|seat| SeatAsked { seat, person: Some("Ada".into()) }.into()));
    inputs.extend(finishes().into_iter().map(|finish| replied("{\"choices\":[]}", finish).into()));
    inputs.extend(faults().into_iter().map(|kind| failed(kind).into()));
    inputs
}

/// A charter of two files.
pub fn charter() -> Charter {
    let file = |path: &str, blob, digest| CharterFile { path: path.into(), blob, digest };
    Charter {
        seed: 0x0102_0304_0506_0708,
        rules: 130,
        files: vec![
            file("limits.toml", BlobId(1), Digest([0x21; 32])),
            file("prompts/dm-play.md", BlobId(2), Digest([0x22; 32])),
        ],
    }
}

fn replied(body: &str, finish: Finish) -> ModelReplied {
    ModelReplied {
        call: CallId(300),
        sent: Digest([0x31; 32]),
        body: body.into(),
        usage: Usage { input_tokens: 4_000, cached_tokens: 3_000, output_tokens: 200, ..Usage::default() },
        finish,
    }
}

fn failed(kind: FaultKind) -> ModelFailed {
    let fault = Fault { kind, status: Some(503), retry_after_ms: Some(2_000), message: "busy".into() };
    ModelFailed { call: CallId(300), sent: Digest([0x32; 32]), fault, body: "<html>".into() }
}

/// The content of the blob that [`entry`] adds.
pub const BLOB: &str = "The lantern swings above an empty counter. A ledger lies open at yesterday's page, and the ink is still wet.";

/// The input of [`entry`].
pub fn entry_input() -> Input {
    replied(
        "{\"choices\":[{\"message\":{\"content\":\"The door is open.\"},\"finish_reason\":\"stop\"}]}",
        Finish::Stop,
    )
    .into()
}

/// The events of [`entry`]: the words are spoken, the turn ends, the next seat is asked.
pub fn entry_events() -> Vec<Event> {
    let text = Text::Reply { call: CallId(300), start: 0, end: 17 };
    let span = Span { place: Place::Blob(BlobId(40), 0), length: BLOB.len() as u32, source: Source::State };
    let edits = vec![Edit::Keep { from: 0, count: 2 }, Edit::Add(Item::Span(span))];
    vec![
        MessageSpoken { seat: Seat::Dm, channel: Channel::Main, audience: Audience::All, text }.into(),
        TurnEnded { turn: 3, why: TurnEnd::Spoken }.into(),
        ModelCallRequested {
            call: CallId(301),
            seat: Seat::Player(2),
            purpose: Purpose::Play,
            digest: Digest([0x41; 32]),
            tokens: 1_234,
            manifest: Manifest { base: Some(CallId(298)), edits: edits.into() },
        }
        .into(),
    ]
}

/// The bytes of a whole entry: header, list of blobs, one input and three events.
pub fn entry() -> Vec<u8> {
    let (input, events) = (entry_input(), entry_events());
    let mut body = Vec::new();
    body::encode_front(&mut body, BlobId(40), &[body::blob_digest(BLOB.as_bytes())]);
    input.encode(&mut body);
    events.iter().for_each(|event| event.encode(&mut body));
    let header = entry::Header {
        campaign: CampaignId([0xc0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xcf]),
        first: Number(1_500),
        count: 1 + events.len() as u32,
        at: Millis(1_700_000_000_000),
        build: Build::new("0.1.0"),
        turn: 3,
        epoch: 2,
        previous: Digest([0x51; 32]),
        body: entry::body_digest(&body),
    };
    let mut bytes = header.encode().to_vec();
    bytes.append(&mut body);
    bytes
}

/// A request with a part of every kind.
pub fn request() -> Request {
    let call = ToolCall { id: "c1".into(), name: "roll_dice".into(), arguments: "{\"dice\":\"2d6\"}".into() };
    let result = ToolResult { id: "c1".into(), content: "2d6: 4, 3 = 7".into() };
    let block = Part::Opaque { vendor: "openai_chat".into(), body: "{\"signature\":\"s\"}".into() };
    let message = |role, parts| Message { role, parts };
    Request {
        messages: vec![
            message(Role::System, vec![Part::Text("You are the DM.".into())]),
            message(Role::User, vec![Part::Text("I knock.".into()), Part::Text("Twice.".into())]),
            message(Role::Assistant, vec![block, Part::ToolCall(call)]),
            message(Role::Tool, vec![Part::ToolResult(result)]),
        ],
        tools: vec![ToolSpec {
            name: "roll_dice".into(),
            description: "Roll dice.".into(),
            schema: "{\"type\":\"object\"}".into(),
        }],
        reply_schema: None,
        parameters: Parameters {
            model: "some-model".into(),
            temperature_milli: Some(700),
            seed: Some(7),
            tokens_max: 800,
            parallel_tool_calls: true,
            tool_choice: ToolChoice::Required,
        },
    }
}
