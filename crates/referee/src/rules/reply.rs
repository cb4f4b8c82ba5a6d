//! A reply: is it pending, what of it is spoken, which of its tool calls are accepted, what follows.

use std::ops::Range;

use twicetold_event::{
    CallId, CutRule, Event, MessageSpoken, Phase, ReplyRejected, Seat, SpeechCut, Text, ToolAccepted,
    ToolRejected, TurnEnd, Values,
};
use twicetold_model::{Finish, Reply, ToolCall};
use twicetold_tool::{Accepted, Caller, Follow, Rejection, Tool, fingerprint};
use twicetold_world::setup::SeatSetup;
use twicetold_world::{PendingCall, letters};

use super::{memory, session_zero, speech, turn};
use crate::echo::{self, Own, Told};
use crate::question;
use crate::table::{Next, Table};

/// The reply to a pending call came.
pub(crate) fn replied(table: &mut Table<'_>, pending: &PendingCall, call: CallId) -> Next {
    let reply = table.replies().reply(call);
    if !pending.purpose.is_turn() {
        return memory::replied(table, pending.purpose, call, reply);
    }
    let Some(reply) = reply else { return reject(table, call, "unreadable_reply") };
    if reply.text.trim().is_empty() && reply.tool_calls.is_empty() {
        return reject(table, call, "empty_reply");
    }
    let (seat, phase) = (pending.seat, table.state().phase());
    if let Some(artefact) = session_zero::cut_artefact(table.state(), seat, reply) {
        return reject_with(table, call, "artefact_cut", Values::default().with("artefact", artefact));
    }
    let who = (seat, pending.purpose);
    if let Some(said) = assistant(table, seat, &reply.text) {
        return reject_with(table, call, "left_its_part", Values::default().with("said", said));
    }
    let unread = unread_call(table, seat, &reply.text);
    let writes = writes_calls(table, seat);
    let words = match unread {
        // Some servers leave the text of a call among the words of the reply that has it.
        Some((at, _)) if !writes && !reply.tool_calls.is_empty() => &reply.text[..at],
        Some((_, values)) => return reject_with(table, call, "unread_call", values),
        None => &reply.text,
    };
    let is_said = phase == Phase::Play && echo::is_said(table, seat, words);
    let told = Told::beside_history(table, who, words).filter(|_| !is_said);
    let own = match told.map_or(Own::All, |told| told.own(words)) {
        // What it has said in this turn already stands.
        Own::All if is_said => 0..0,
        Own::All => 0..words.len(),
        // Before play, what is agreed on is written in blocks and closed by phrases: nothing of that is left out.
        Own::Part(own, _) if phase == Phase::Play => own,
        // What is copied is not spoken; what is called beside it is meant all the same.
        Own::Nothing(_) if phase == Phase::Play && !reply.tool_calls.is_empty() => 0..0,
        Own::Part(_, copied) | Own::Nothing(copied) => {
            return reject_with(table, call, "echoed_prompt", Values::default().quoting("copied", &copied));
        }
    };
    let spoken = speak(table, (seat, call), reply, words.len(), own);
    if spoken.is_none() && reply.tool_calls.is_empty() {
        return if is_said {
            Next::EndTurn(TurnEnd::Spoken)
        } else {
            reject(table, call, "spoke_for_another")
        };
    }
    if let Some(spoken) = spoken.filter(|_| phase != Phase::Play) {
        session_zero::message(table, seat, call, reply, spoken);
        // What closed a phase leaves nothing of the reply to do.
        if table.state().phase() != phase {
            return Next::EndTurn(TurnEnd::Spoken);
        }
    }
    let told = table.state().turn().messages > 0;
    // Whoever is asked for words alone, writes calls as words and does so in vain would do it until the rounds are used up. What was read
    // from words has no id.
    let is_written = reply.tool_calls.iter().all(|call| call.id.is_empty());
    let wants_words = table.state().wants_words() && !table.state().is_person(seat);
    let is_asked_in_vain = wants_words && is_written && !writes;
    let again = |called: &ToolCall| tried(table, fingerprint(&called.name, &called.arguments)).is_some();
    if is_asked_in_vain && !reply.tool_calls.is_empty() && reply.tool_calls.iter().all(again) {
        // Nothing was offered that it could have called: its text has no words, and it is not asked for the third time.
        table.emit(ReplyRejected { call, rule: "words_wanted".into(), values: Values::default() });
        return Next::EndTurn(if told { TurnEnd::Spoken } else { TurnEnd::Unusable });
    }
    let follow = tool_calls(table, seat, call, &reply.tool_calls);
    let is_accepted = |event: &Event| matches!(event, Event::ToolAccepted(word) if word.call == call);
    if is_asked_in_vain && follow.is_some() && !table.events().iter().any(is_accepted) {
        return Next::EndTurn(if told { TurnEnd::Spoken } else { TurnEnd::Unusable });
    }
    match follow {
        Some(Follow::Records) if told => Next::EndTurn(TurnEnd::Spoken),
        Some(Follow::Continues | Follow::Records) => {
            let has_rounds = table.state().turn().rounds < table.state().setup().limits.tool_rounds_max;
            if has_rounds { turn::ask(table) } else { Next::EndTurn(TurnEnd::RoundLimit) }
        }
        Some(Follow::Ends) => Next::EndTurn(TurnEnd::Tool),
        None => Next::EndTurn(TurnEnd::Spoken),
    }
}

/// What a model says that has left its part; people may say it.
fn assistant(table: &Table<'_>, seat: Seat, words: &str) -> Option<&'static str> {
    let most = table.state().setup().limits.message_bytes_max as usize;
    if table.state().is_person(seat) { None } else { echo::assistant(words, most) }
}

/// A call that a model wrote among its words and that nobody could read, and where: nobody at the table says such a thing, but for
/// people, who may.
fn unread_call(table: &Table<'_>, seat: Seat, words: &str) -> Option<(usize, Values)> {
    if table.state().is_person(seat) {
        return None;
    }
    let (at, written) = twicetold_dialect::unread_call(words).or_else(|| named_call(table, words))?;
    let written = &written[..written.floor_char_boundary(CALL_SHOWN_BYTES_MAX)];
    let writes = if writes_calls(table, seat) { "true" } else { "" };
    Some((at, Values::default().quoting("written", written).with("writes", writes)))
}

/// Where the words name a tool as programs call it: `record_met(`, `"record_met": {`. Where its line begins, and the line. "The attack (if it
/// is one)" calls nothing.
fn named_call<'w>(table: &Table<'_>, words: &'w str) -> Option<(usize, &'w str)> {
    let is_called = |name: &str, after: &str| {
        let bare = after.trim_start_matches(['"', '\'', '`']);
        let is_word = !name.contains('_') && bare.len() == after.len();
        let is_open = bare.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with('{'));
        !is_word && (bare.starts_with('(') || is_open)
    };
    let names = table.tools().iter().map(|tool| tool.tool.name);
    let at = names.filter_map(|name| {
        let mut found = words.match_indices(name);
        found.find(|(at, _)| is_called(name, &words[at + name.len()..])).map(|(at, _)| at)
    });
    let line = words[..at.min()?].rfind('\n').map_or(0, |end| end + 1);
    Some((line, words[line..].lines().next()?))
}

/// Does a model sit here that writes its calls as text?
fn writes_calls(table: &Table<'_>, seat: Seat) -> bool {
    table.state().setup().seats.of(seat).is_some_and(SeatSetup::writes_calls)
}

/// A reply that cannot be used is charged; after too many the turn is over.
fn reject(table: &mut Table<'_>, call: CallId, rule: &str) -> Next {
    reject_with(table, call, rule, Values::default())
}

/// The same, with what the rule observed.
pub(super) fn reject_with(table: &mut Table<'_>, call: CallId, rule: &str, values: Values) -> Next {
    table.emit(ReplyRejected { call, rule: rule.into(), values });
    let limits = &table.state().setup().limits;
    let turn = table.state().turn();
    if turn.unusable > limits.unusable_replies_max || turn.rounds >= limits.tool_rounds_max {
        return Next::EndTurn(TurnEnd::Unusable);
    }
    turn::ask(table)
}

/// What of the reply's words is the seat's own is spoken; where it stands, when there is any. What stands outside of `own` is copied, and
/// what stands behind the `words` is the text of a call.
pub(super) fn speak(
    table: &mut Table<'_>,
    (seat, call): (Seat, CallId),
    reply: &Reply,
    words: usize,
    own: Range<usize>,
) -> Option<Range<usize>> {
    let is_guided = table.state().setup().seats.of(seat).is_some_and(SeatSetup::is_guided);
    let is_stopped = reply.finish == Finish::Length || (is_guided && question::is_full(&reply.text));
    let is_stopped = is_stopped && own.end == reply.text.len();
    let speech = speech::read(table.state(), seat, &reply.text[own.clone()], is_stopped).behind(own.start);
    let spoken = Some(speech.spoken).filter(|spoken| !spoken.is_empty());
    if let Some(spoken) = spoken.clone() {
        let (channel, audience) = speech::channel(table);
        for (range, private) in passages(table, seat, &reply.text, spoken) {
            let text = Text::Reply { call, start: range.start as u32, end: range.end as u32 };
            let (channel, audience) = (channel.clone(), audience.clone());
            let audience = if private { Event::secret_audience(seat) } else { audience };
            table.emit(MessageSpoken { seat, channel, audience, text });
        }
    }
    if let Some((rule, at, values)) = speech.cut {
        table.emit(SpeechCut { seat, call, rule, at: at as u32, values });
    }
    let copied = [0..own.start, own.end..words].map(|range| (CutRule::Copied, range));
    for (rule, range) in copied.into_iter().chain([(CutRule::CallText, words..reply.text.len())]) {
        if !reply.text[range.clone()].trim().is_empty() {
            let values = Values::default().with("bytes", range.len());
            table.emit(SpeechCut { seat, call, rule, at: range.start as u32, values });
        }
    }
    spoken
}

/// The passages of a message, and whether they are between the seat and the DM: sheets and other artefacts hold secrets.
fn passages(table: &Table<'_>, seat: Seat, text: &str, spoken: Range<usize>) -> Vec<(Range<usize>, bool)> {
    let found = table.state().setup().reading_of(seat).blocks(&text[spoken.clone()]);
    let Some(found) = found else { return vec![(spoken, false)] };
    let found = spoken.start + found.start..spoken.start + found.end;
    let parts = [(spoken.start..found.start, false), (found.clone(), true), (found.end..spoken.end, false)];
    parts.into_iter().filter(|(range, _)| !text[range.clone()].trim().is_empty()).collect()
}

/// Decides every tool call of a reply, in order. What follows is the strictest of what they ask for.
fn tool_calls(table: &mut Table<'_>, seat: Seat, call: CallId, calls: &[ToolCall]) -> Option<Follow> {
    let mut follow = None;
    for (index, called) in calls.iter().enumerate() {
        let index = u16::try_from(index).unwrap_or(u16::MAX);
        if u32::from(index) > table.state().setup().limits.tool_calls_per_reply_max {
            // One rejection says it; a thousand would only repeat it.
            break;
        }
        follow = follow.max(Some(tool_call(table, seat, call, index, called)));
    }
    follow
}

pub(super) fn tool_call(
    table: &mut Table<'_>,
    seat: Seat,
    call: CallId,
    index: u16,
    tool_call: &ToolCall,
) -> Follow {
    let fingerprint = fingerprint(&tool_call.name, &tool_call.arguments);
    match decide_tool(table, seat, call, index, tool_call, fingerprint) {
        Ok((tool, accepted)) => {
            let effects = accepted.events.len() as u16;
            let name = tool.name.to_owned();
            table.emit(ToolAccepted {
                call,
                index,
                tool: name,
                fingerprint,
                checks: accepted.checks,
                effects,
            });
            accepted.events.into_iter().for_each(|event| table.emit(event));
            tool.follow
        }
        Err(rejection) => {
            let name = &tool_call.name;
            // What was done stands: there is nothing to correct.
            let is_done =
                rejection.rule == "repeated_call" && rejection.values.get("accepted") == Some("true");
            table.emit(ToolRejected {
                call,
                index,
                tool: name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)].to_owned(),
                fingerprint,
                rule: rejection.rule.into(),
                values: rejection.values,
            });
            if is_done { Follow::Records } else { Follow::Continues }
        }
    }
}

/// Was this call made earlier in the turn, and was it accepted?
fn tried(table: &Table<'_>, fingerprint: u64) -> Option<bool> {
    let mut tools = table.state().turn().tools.iter();
    tools.find(|(known, _)| *known == fingerprint).map(|(_, accepted)| *accepted)
}

fn decide_tool(
    table: &Table<'_>,
    seat: Seat,
    call: CallId,
    index: u16,
    tool_call: &ToolCall,
    fingerprint: u64,
) -> Result<(&'static Tool, Accepted), Rejection> {
    let most = table.state().setup().limits.tool_calls_per_reply_max;
    if u32::from(index) >= most {
        return Err(Rejection::new("tool_calls_per_reply_max").with("most", most));
    }
    let earlier = tried(table, fingerprint);
    let mut offered = table.tools().iter().filter(|tool| tool.tool.is_offered(table.state(), seat));
    let name = meant(table, &tool_call.name);
    let Some(tool) = offered.find(|tool| &*tool.spec.name == name) else {
        let rejection = not_offered(table, seat, name);
        // A server can be told that no tool may be called; a model that writes its calls is told which there are.
        return Err(match (rejection.rule, earlier) {
            ("unknown_tool", Some(_)) if !writes_calls(table, seat) => {
                Rejection::new("repeated_call").flag("accepted", false)
            }
            _ => rejection,
        });
    };
    if let Some(accepted) = earlier.filter(|_| !adds_up(table, call, tool.tool, fingerprint)) {
        return Err(Rejection::new("repeated_call").flag("accepted", accepted));
    }
    let accepted = tool.tool.decide(table.state(), Caller { seat, call }, &tool_call.arguments)?;
    // No conversation breaks off and no story ends without a word, unless a model cannot be brought to say one.
    let turn = table.state().turn();
    if tool.tool.tells && turn.messages == 0 && !turn.warned.contains("nothing_told") {
        return Err(Rejection::new("nothing_told"));
    }
    Ok((tool.tool, accepted))
}

/// What some models put before the name of a tool: the word for it, or the place where it stood in what they were trained on.
const BEFORE_NAMES: [&str; 6] =
    ["functions.", "function.", "function_", "functions_", "default_api.", "tools."];

/// The name of the tool that is meant: as it is written, or without what stands before the name of a tool of this campaign.
fn meant<'n>(table: &Table<'_>, written: &'n str) -> &'n str {
    let known = |name: &&str| table.tools().iter().any(|tool| &*tool.spec.name == *name);
    if known(&written) {
        return written;
    }
    let bare = BEFORE_NAMES.iter().find_map(|before| written.strip_prefix(before)).unwrap_or(written);
    if known(&bare) {
        return bare;
    }
    // "abilityCheck" and "ability-check" are one tool.
    let wanted = letters(bare);
    table.tools().iter().map(|tool| tool.tool.name).find(|tool| letters(tool) == wanted).unwrap_or(written)
}

/// Is a call of this reply that was accepted already meant once more? In a later reply it would be a model that loops.
fn adds_up(table: &Table<'_>, call: CallId, tool: &Tool, fingerprint: u64) -> bool {
    let is_same = |event: &Event| matches!(event, Event::ToolAccepted(word) if word.call == call && word.fingerprint == fingerprint);
    let here = table.events().iter().any(is_same);
    here && tool.adds_up
}

fn not_offered(table: &Table<'_>, seat: Seat, name: &str) -> Rejection {
    let offered = table.tools().iter().filter(|tool| tool.tool.is_offered(table.state(), seat));
    let offered: Vec<&str> = offered.map(|tool| tool.tool.name).collect();
    let shown = &name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)];
    // A tool that the campaign's charter does not have is none of its tools, whatever this build knows.
    let known = table.tools().iter().any(|tool| &*tool.spec.name == name);
    let rule = if known { "not_offered" } else { "unknown_tool" };
    let mode = match (table.state().dialogue(), table.state().combat()) {
        (Some(_), _) => "dialogue",
        (_, Some(_)) => "combat",
        _ => table.state().phase().name(),
    };
    let rejection = Rejection::new(rule).quoting("tool", shown, TOOL_NAME_BYTES_MAX);
    rejection.with("seat", seat).with("mode", mode).with("offered", offered.join(", "))
}

/// Of a call that could not be read, this much: enough to find it by.
const CALL_SHOWN_BYTES_MAX: usize = 120;

/// Of a tool's name as a model wrote it, this much is kept.
const TOOL_NAME_BYTES_MAX: usize = 64;
