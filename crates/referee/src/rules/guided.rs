//! The answer of a model that is guided: a choice, the words of what was chosen, or words. The engine makes the tool calls.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Map, Value};
use twicetold_dialect::CHOICE;
use twicetold_event::{
    CallId, CharacterAccepted, ClosedBy, MoveChosen, PartyDocumentUpdated, Provenance, ScenarioSet, Seat,
    Section, Text, TurnEnd, Values,
};
use twicetold_model::{Reply, ToolCall};
use twicetold_projection::{citable, missing};
use twicetold_tool::{Follow, Move, SUMMARY};
use twicetold_world::PendingCall;

use super::{narrator, reply, session_zero, turn};
use crate::echo::{Own, Told, assistant, repeats};
use crate::question::{BECAUSE, Question, free_characters, is_chosen, question};
use crate::table::{Next, Table};

/// The members of an answer that are texts.
type Answer = BTreeMap<String, String>;

/// A reply, and which of its words are the model's own.
struct Said<'a> {
    reply: &'a Reply,
    own: Range<usize>,
}

impl Said<'_> {
    fn words(&self) -> &str {
        &self.reply.text[self.own.clone()]
    }

    /// Are there no words? A small model may go on with the numbers of the lines that it was shown, `#10 #11 #12`, or name what it does
    /// as a program would, `start_talk`.
    fn is_silent(&self) -> bool {
        let words = self.words().trim();
        let is_name = words.contains('_') && !words.contains(char::is_whitespace);
        is_name || !words.chars().any(char::is_alphabetic)
    }
}

/// The reply of a guided model to a pending call came.
pub(crate) fn replied(table: &mut Table<'_>, pending: &PendingCall, call: CallId, reply: &Reply) -> Next {
    match answered(table, pending, call, reply) {
        Next::EndTurn(TurnEnd::Unusable) => without_words(table, pending.seat, call, reply),
        next => next,
    }
}

/// The turn is over, for no reply of it could be used. An ending that was chosen is reached all the same, and told as it is called.
fn without_words(table: &mut Table<'_>, seat: Seat, call: CallId, reply: &Reply) -> Next {
    let one = match question(table.state(), seat) {
        Question::Fill(one) if one.asks.is_empty() => one,
        _ => return Next::EndTurn(TurnEnd::Unusable),
    };
    let intent = intent(table);
    let mut arguments = one.arguments.clone();
    if let Some(label) = one.values.get("label").filter(|_| one.tells) {
        let label = label.to_owned();
        arguments.insert(SUMMARY.to_owned(), Value::String(as_argument(table, &label)));
        narrator::say(table, seat, label);
    }
    cite(table, &one, &Answer::default(), &mut arguments);
    let said = &Said { reply, own: 0..0 };
    match make(table, seat, call, said, &one, arguments, intent) {
        Next::EndTurn(end) => Next::EndTurn(end),
        _ => Next::EndTurn(TurnEnd::Unusable),
    }
}

fn answered(table: &mut Table<'_>, pending: &PendingCall, call: CallId, reply: &Reply) -> Next {
    let seat = pending.seat;
    let answer = answer(table, reply);
    let told = Told::guided(table.state(), table.replies(), (seat, pending.purpose));
    let mut members = answer.iter().filter(|(member, _)| !is_chosen(member));
    let own = match (members.find_map(|(_, text)| told.copied(text)), told.own(&reply.text)) {
        (None, Own::All) => 0..reply.text.len(),
        (None, Own::Part(own, _)) => own,
        (Some(copied), _) | (None, Own::Nothing(copied)) => {
            return refuse_with(table, call, "echoed_prompt", Values::default().quoting("copied", &copied));
        }
    };
    let said = &Said { reply, own };
    let most = table.state().setup().limits.message_bytes_max as usize;
    if let Some(passage) = repeats(said.words(), most) {
        return refuse_with(table, call, "repeated_itself", Values::default().quoting("passage", &passage));
    }
    if let Some(said) = assistant(said.words(), most) {
        return refuse_with(table, call, "left_its_part", Values::default().with("said", said));
    }
    match question(table.state(), seat) {
        Question::Choose(moves) => {
            let key = answer.get("do").map(String::as_str).unwrap_or_default();
            match moves.into_iter().find(|one| one.key == key) {
                Some(one) => choose(table, seat, call, one, said, &answer),
                // A server that holds nothing to a schema lets a model speak instead.
                None if !said.is_silent() => speak(table, seat, call, said),
                None => refuse(table, call, "unreadable_reply"),
            }
        }
        Question::Fill(one) => fill(table, seat, call, one, said, &answer),
        Question::Pitch(moves) => match moves.into_iter().find(|one| answer.get("do") == Some(&one.key)) {
            Some(one) => pitch(table, (seat, call), &one, answer.get("intent").cloned().unwrap_or_default()),
            None => refuse(table, call, "unreadable_reply"),
        },
        Question::Artefacts => artefacts(table, call, &answer),
        Question::Converse => converse(table, seat, call, said),
        Question::Speak => speak(table, seat, call, said),
    }
}

/// The members of an answer, trimmed, each as long as a text of a tool call may be: not every server holds to a schema.
fn answer(table: &Table<'_>, said: &Reply) -> Answer {
    let chosen = said.tool_calls.iter().find(|call| call.name == CHOICE);
    let members: Option<Map<String, Value>> =
        chosen.and_then(|call| serde_json::from_str(&call.arguments).ok());
    let texts = members.into_iter().flatten();
    texts.filter_map(|(name, value)| Some((name, as_argument(table, value.as_str()?.trim())))).collect()
}

/// As much of a text as a tool call may have.
fn as_argument(table: &Table<'_>, text: &str) -> String {
    let most = table.state().setup().limits.argument_bytes_max as usize;
    text[..text.floor_char_boundary(most)].to_owned()
}

fn choose(
    table: &mut Table<'_>,
    seat: Seat,
    call: CallId,
    one: Move,
    said: &Said<'_>,
    answer: &Answer,
) -> Next {
    let intent = answer.get("intent").cloned().unwrap_or_default();
    let mut arguments = one.arguments.clone();
    if let Some(name) = one.intent {
        let words = if intent.is_empty() { one.key.clone() } else { intent.clone() };
        arguments.insert(name.to_owned(), Value::String(words));
    }
    if one.is_asked_for() || one.tool.is_empty() {
        let complete = !one.is_asked_for();
        emit_choice(table, (seat, call), &one, &arguments, intent, complete);
        // Who wants to speak with somebody speaks with them, and not with everybody before.
        let wishes = one.tool.is_empty() && !one.arguments.is_empty();
        return match complete {
            true if wishes => Next::EndTurn(TurnEnd::Spoken),
            true => speaks(table, seat),
            false => turn::ask(table),
        };
    }
    make(table, seat, call, said, &one, arguments, intent)
}

/// Is it a name as programs have them, as `dialogue_with_tilda`, or a list of labels, as "#18 #19", and nothing that anybody would say? Letters
/// that are not ASCII may be a language without spaces.
fn is_identifier(text: &str) -> bool {
    let is_word = |word: &&str| word.bytes().any(|byte| byte.is_ascii_alphabetic());
    text.is_ascii() && text.split_whitespace().filter(is_word).nth(1).is_none()
}

fn fill(
    table: &mut Table<'_>,
    seat: Seat,
    call: CallId,
    one: Move,
    said: &Said<'_>,
    answer: &Answer,
) -> Next {
    let intent = intent(table);
    let mut arguments = one.arguments.clone();
    for ask in one.asks {
        match answer.get(ask.name).filter(|words| !is_identifier(words)) {
            Some(words) => arguments.insert(ask.name.to_owned(), Value::String(words.clone())),
            None => return refuse(table, call, "unreadable_reply"),
        };
    }
    cite(table, &one, answer, &mut arguments);
    if one.tells && said.is_silent() {
        return refuse(table, call, "empty_reply");
    }
    let spoken = match said.is_silent() {
        true => None,
        false => reply::speak(table, (seat, call), said.reply, said.reply.text.len(), said.own.clone()),
    };
    if one.tells {
        let words = spoken.map_or(said.words(), |spoken| &said.reply.text[spoken]);
        let summary = as_argument(table, words);
        arguments.insert(SUMMARY.to_owned(), Value::String(summary));
    }
    make(table, seat, call, said, &one, arguments, intent)
}

/// What the model said when it chose the move whose words are asked for.
fn intent(table: &Table<'_>) -> String {
    table.state().turn().choice.as_ref().map(|choice| choice.intent.clone()).unwrap_or_default()
}

/// What shows it, where the move wants that: a server that holds nothing to a schema may leave it out, and what happened last is nearest.
fn cite(table: &Table<'_>, one: &Move, answer: &Answer, arguments: &mut Map<String, Value>) {
    if one.cites {
        let last = || citable(table.state()).last().map(|(label, _)| format!("#{label}"));
        let label = answer.get(BECAUSE).cloned().or_else(last);
        arguments.extend(label.map(|label| (BECAUSE.to_owned(), Value::String(label))));
    }
}

/// Makes the tool call of a move. What it leads to is what a tool call leads to; without an end the model then speaks.
fn make(
    table: &mut Table<'_>,
    seat: Seat,
    call: CallId,
    said: &Said<'_>,
    one: &Move,
    arguments: Map<String, Value>,
    intent: String,
) -> Next {
    narrator::say(table, seat, one.written.clone());
    emit_choice(table, (seat, call), one, &arguments, intent, true);
    let index = said.reply.tool_calls.len() as u16;
    let made = ToolCall {
        id: String::new(),
        name: one.tool.to_owned(),
        arguments: Value::Object(arguments).to_string(),
    };
    match reply::tool_call(table, seat, call, index, &made) {
        Follow::Ends => Next::EndTurn(TurnEnd::Tool),
        Follow::Continues | Follow::Records => speaks(table, seat),
    }
}

/// What was chosen is done, and whoever has not spoken in this turn does, as it is written or else in the model's words.
fn speaks(table: &mut Table<'_>, seat: Seat) -> Next {
    if table.state().turn().messages > 0 {
        return Next::EndTurn(TurnEnd::Spoken);
    }
    narrator::says(table, seat).map_or_else(|| turn::ask(table), Next::EndTurn)
}

fn emit_choice(
    table: &mut Table<'_>,
    (seat, call): (Seat, CallId),
    one: &Move,
    arguments: &Map<String, Value>,
    intent: String,
    complete: bool,
) {
    table.emit(MoveChosen {
        seat,
        call,
        key: one.key.clone(),
        intent,
        tool: one.tool.to_owned(),
        arguments: Value::Object(arguments.clone()).to_string(),
        complete,
    });
}

fn speak(table: &mut Table<'_>, seat: Seat, call: CallId, said: &Said<'_>) -> Next {
    if said.is_silent() {
        return refuse(table, call, "empty_reply");
    }
    if reply::speak(table, (seat, call), said.reply, said.reply.text.len(), said.own.clone()).is_none() {
        return refuse(table, call, "spoke_for_another");
    }
    Next::EndTurn(TurnEnd::Spoken)
}

/// So often whoever is spoken to answers: then a small model goes round in circles, and the engine ends the talk.
const ANSWERS_MAX: u32 = 2;

/// Somebody who is spoken to answers.
fn converse(table: &mut Table<'_>, seat: Seat, call: CallId, said: &Said<'_>) -> Next {
    let had = table.state().dialogue().map_or(0, |dialogue| dialogue.exchanges);
    match speak(table, seat, call, said) {
        Next::EndTurn(TurnEnd::Spoken) if had + 1 >= ANSWERS_MAX => {
            make(table, seat, call, said, &Move::of_tool("end_dialogue"), Map::new(), String::new())
        }
        next => next,
    }
}

fn refuse(table: &mut Table<'_>, call: CallId, rule: &str) -> Next {
    refuse_with(table, call, rule, Values::default())
}

/// As for every reply that cannot be used; but a guided turn has requests of its own number.
fn refuse_with(table: &mut Table<'_>, call: CallId, rule: &str, values: Values) -> Next {
    let most = table.state().setup().limits.guided_calls_max;
    match reply::reject_with(table, call, rule, values) {
        Next::Ask(..) if table.state().turn().rounds >= most => Next::EndTurn(TurnEnd::Unusable),
        next => next,
    }
}

/// The character that was chosen, with the words that it is ready with.
fn pitch(table: &mut Table<'_>, (seat, call): (Seat, CallId), one: &Move, intent: String) -> Next {
    let free = free_characters(table.state());
    let ready = free.into_iter().find(|ready| ready.name == one.key);
    let Some(ready) = ready.cloned() else { return refuse(table, call, "unreadable_reply") };
    let rules = &table.state().setup().rules;
    let class = rules.class(&ready.class).map_or_else(|| ready.class.clone(), |class| class.name.clone());
    let values = Values::default().with("name", &ready.name).with("class", class).with("pitch", &ready.pitch);
    let sheet = rules.sheet(&ready);
    emit_choice(table, (seat, call), one, &Map::new(), intent, true);
    table.emit(CharacterAccepted { seat, sheet, origin: Provenance::Pregenerated });
    narrator::tell(table, seat, "guided.pitch_said", &values);
    Next::EndTurn(TurnEnd::Spoken)
}

fn artefacts(table: &mut Table<'_>, call: CallId, answer: &Answer) -> Next {
    let of = |name: &str| answer.get(name).cloned().unwrap_or_default();
    let written = table.state().setup().campaign.scenario.public.trim().to_owned();
    let is_written = !written.is_empty();
    let scenario = if is_written { written } else { of("scenario") };
    if scenario.is_empty() || of("relationships").is_empty() {
        return refuse(table, call, "unreadable_reply");
    }
    let own = table.state().setup().campaign.scenario.dm.trim().to_owned();
    let values = Values::default().with("scenario", &scenario);
    let origin = Provenance::Reply(call);
    table.emit(ScenarioSet {
        public: Text::Written(scenario),
        dm: Text::Written(own),
        origin: origin.clone(),
    });
    for (section, text) in [(Section::Relationships, of("relationships")), (Section::Goals, of("goals"))] {
        if !text.is_empty() {
            let (text, reason) = (Text::Written(text), String::new());
            table.emit(PartyDocumentUpdated {
                section,
                version: 1,
                entry: 1,
                text,
                reason,
                origin: origin.clone(),
            });
        }
    }
    if !is_written {
        narrator::tell(table, Seat::Dm, "guided.artefacts_said", &values);
    }
    if missing(table.state()).is_empty() {
        session_zero::close(table, ClosedBy::NothingMissing);
    }
    Next::EndTurn(TurnEnd::Spoken)
}
