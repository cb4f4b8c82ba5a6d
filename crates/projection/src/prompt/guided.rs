//! The prompt of a model that is guided: who it is, what was said last, and one small question. Everything else is left out, for a
//! small model that reads much does what stands nearest.

use twicetold_event::{AbilityChecked, Audience, Event, Phase, Purpose, Seat, Values};
use twicetold_model::{Message, Role};
use twicetold_world::{Choice, Remembered, State};

use super::fill::at;
use super::history::left_out;
use super::{Prompt, View, told};
use crate::template::{Facts, Line, render};
use crate::{Replies, citable, words};

/// A move as it is shown.
pub struct Shown<'a> {
    /// The words by which it is chosen.
    pub key: &'a str,
    /// The key of the text that explains it, in `moves`; of what is to be filled in, in `fills`.
    pub text: &'static str,
    /// What that text speaks of.
    pub values: &'a Values,
}

/// Bytes of what is told of an event that nobody spoke: a line.
const EVENT_BYTES: u64 = 80;
/// Of a message that can be cited so much is shown beside the question: its beginning says what it is.
const EVIDENCE_BYTES_MAX: usize = 140;

/// Renders what a guided seat is asked: `asks` is the key of the question's text, in `guided`.
pub fn guided(
    state: &State,
    replies: &dyn Replies,
    seat: Seat,
    purpose: Purpose,
    asks: &str,
    moves: &[Shown<'_>],
) -> Prompt {
    let mut view = View::new(state, replies, (seat, purpose));
    let role = match (seat, view.companion) {
        (Seat::Dm, None) => "dm",
        (Seat::Dm, Some(_)) => "companion",
        _ => "player",
    };
    view.out.new_message(Role::System);
    view.template(&format!("guided-{role}"));
    view.out.message(Role::User);
    view.exchange();
    view.out.message(Role::User);
    view.question(role, asks, moves);
    let (pieces, messages) = view.out.finish();
    Prompt { messages, pieces, beside: String::new() }
}

/// What a guided seat is told of what was said and done last.
pub fn exchange(state: &State, replies: &dyn Replies, (seat, purpose): (Seat, Purpose)) -> Vec<Message> {
    let mut view = View::new(state, replies, (seat, purpose));
    view.out.new_message(Role::User);
    view.exchange();
    view.out.finish().1
}

impl View<'_> {
    /// What was said and done last, as much as its limit allows, and at least the last of it.
    fn exchange(&mut self) {
        let state = self.state;
        let in_play = state.phase() == Phase::Play;
        let talk = state.dialogue().filter(|_| in_play).and_then(|dialogue| state.npcs().get(&dialogue.npc));
        let window = match talk {
            Some(npc) => &npc.history.kept,
            None if in_play => &state.history().main,
            None => &state.history().session_zero,
        };
        // Whoever goes apart to talk has the scene before their eyes.
        if talk.is_some() && self.seat != Seat::Dm {
            let scene = state
                .history()
                .main
                .iter()
                .rev()
                .find(|kept| matches!(&kept.event, Event::MessageSpoken(word) if word.seat == Seat::Dm));
            scene.into_iter().for_each(|kept| self.told(kept));
        }
        let joined = state.dialogue().and_then(|dialogue| dialogue.joined.get(&self.seat).copied());
        let heard = |kept: &&Remembered| {
            let from = if self.seat == Seat::Dm { None } else { joined };
            talk.is_none() || from.is_none_or(|from| kept.origin >= from)
        };
        // What was refused, the numbers of dice and how people come and go, a small model would only repeat.
        let tells = |kept: &&Remembered| {
            !matches!(
                kept.event,
                Event::ReplyRejected(_)
                    | Event::ToolRejected(_)
                    | Event::AbilityChecked(_)
                    | Event::PhaseBegan(_)
                    | Event::CharacterAccepted(_)
                    | Event::NpcMet(_)
                    | Event::DialogueBegan(_)
                    | Event::DialogueEnded(_)
                    | Event::FactLearned(_)
            )
        };
        let shown: Vec<&Remembered> = window.iter().filter(heard).filter(tells).collect();
        let bytes = |kept: &&Remembered| match &kept.event {
            Event::MessageSpoken(word) => words(self.replies, &word.text).len() as u64,
            _ => EVENT_BYTES,
        };
        let bytes: Vec<u64> = shown.iter().map(bytes).collect();
        let from = left_out(&bytes, u64::from(state.setup().limits.guided_history_bytes_max));
        shown[from.min(shown.len().saturating_sub(1))..].iter().for_each(|kept| self.told(kept));
    }

    /// What players last did and said, by the labels by which it can be cited.
    fn evidence(&self) -> Vec<Facts> {
        let shown = |(label, kept): (u32, &Remembered)| {
            let (source, own) = (at(kept.origin), Audience::Seats([self.seat].into()));
            let facts = Facts::new(source, own.clone());
            let lines = match &kept.event {
                Event::MessageSpoken(word) => {
                    let text = words(self.replies, &word.text).trim();
                    let text = &text[..text.floor_char_boundary(EVIDENCE_BYTES_MAX)];
                    vec![Line::written(format!("{}: {text}", self.speaker(word)), source)]
                }
                event => told(&self.teller(), event, source, own)
                    .map_or_else(Vec::new, |(key, facts)| render(self.texts, key, &facts)),
            };
            facts.say("label", label).lines("text", lines)
        };
        citable(self.state).into_iter().map(shown).collect()
    }

    fn question(&mut self, role: &'static str, asks: &str, moves: &[Shown<'_>]) {
        let state = self.state;
        let table = if asks == "fill" { "fills" } else { "moves" };
        let here =
            |shown: &Shown<'_>| self.so().say("key", shown.key).text("text", table, shown.text, shown.values);
        let checks = state.encounter().into_iter().flat_map(|encounter| &encounter.recent_checks);
        let last = |(origin, check): &(twicetold_world::Origin, AbilityChecked)| {
            let what = if check.check.is_empty() { &check.ability } else { &check.check };
            Facts::new(at(*origin), Audience::All)
                .say("character", &check.character)
                .say("what", what)
                .flag("success", check.success)
        };
        let you = self.companion.map_or_else(|| self.seat_name(self.seat), |npc| npc.name.clone());
        let choice = state.turn().choice.as_ref();
        let intent = choice.map(|choice| choice.intent.as_str());
        let tries = |choice: &&Choice| choice.tool == "ability_check";
        let trying = choice.filter(tries).map(|choice| choice.key.as_str());
        let in_play = state.phase() == Phase::Play;
        let objective = state.facts().objective.as_ref().map(|(_, text)| text.as_str());
        let objective = objective.filter(|text| in_play && self.companion.is_none() && !text.is_empty());
        let with = state.dialogue().and_then(|dialogue| state.npcs().get(&dialogue.npc));
        let facts = self
            .so()
            .say("you", you)
            .flag(role, true)
            .flag("play", in_play)
            .flag("unwritten", state.setup().campaign.scenario.public.trim().is_empty())
            .flag("talk", state.dialogue().is_some())
            .term("phase", "phases", state.phase().name())
            .list("moves", moves.iter().map(here).collect())
            .list("evidence", if asks == "fill" { self.evidence() } else { Vec::new() })
            .list("checks", checks.map(last).collect())
            .say_some("objective", objective)
            .say_some("with", with.map(|npc| &npc.name))
            .say_some("trying", trying)
            .say_some("intent", intent.filter(|intent| !intent.is_empty()));
        self.text(&format!("guided.{asks}"), &facts);
    }
}
