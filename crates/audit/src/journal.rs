//! A campaign's entries as a transcript.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use twicetold_event::{
    CallId, CampaignEnded, Edit, Ending, Entry, Event, FlagDeleted, FlagSet, Input, Item, Number, Phase,
    Seat, Source, Span,
};
use twicetold_projection::people::{observed, why_over};
use twicetold_projection::{Replies, describe, words};
use twicetold_world::State;

use crate::text;
use crate::{
    Allowance, Audience, Call, Channel, Kind, Line, Note, NoteKind, Roll, RollKind, Spent, Stop, Transcript,
    Voice,
};

/// Makes a transcript, entry by entry.
#[derive(Default)]
pub struct Recorder {
    transcript: Transcript,
    turn: u32,
    /// Is the game being played, or is it still Session Zero?
    play: bool,
    /// Who was asked by each call.
    asked: BTreeMap<CallId, Seat>,
    /// The number of each of the DM's notes, as it stands.
    flags: BTreeMap<String, u64>,
    /// Whose tool call is being answered.
    caller: Option<Seat>,
}

impl Recorder {
    /// A recorder that has heard nothing yet.
    pub fn new() -> Recorder {
        Recorder::default()
    }

    /// The next entry of a campaign, given the state after it.
    pub fn entry(&mut self, state: &State, replies: &dyn Replies, entry: &Entry) {
        if let Input::ModelReplied(word) = &entry.input
            && let Some(seat) = self.asked.get(&word.call)
        {
            let (number, voice) = (entry.header.first.0, seat.to_string());
            let (input, output) = (word.usage.input_tokens, word.usage.output_tokens);
            let spent = Spent { number, turn: self.turn, voice, input, output };
            self.transcript.spent.get_or_insert_default().push(spent);
        }
        for (number, event) in entry.numbered() {
            self.event(state, replies, number, event);
        }
    }

    /// The transcript.
    pub fn finish(self) -> Transcript {
        self.transcript
    }

    fn event(&mut self, state: &State, replies: &dyn Replies, number: Number, event: &Event) {
        if matches!(event, Event::EncounterBegan(_)) {
            self.written(state);
        }
        match event {
            Event::CampaignOpened(_) => self.opened(state),
            Event::TurnBegan(word) => self.turn = word.turn,
            Event::PhaseBegan(word) => self.play = word.phase == Phase::Play,
            Event::ModelCallRequested(word) => {
                self.asked.insert(word.call, word.seat);
                let added = word.manifest.edits.iter().filter_map(|edit| match edit {
                    Edit::Add(Item::Span(Span { source: Source::Event(number), .. })) => Some(number.0),
                    _ => None,
                });
                let shown = (number.0, added.collect());
                self.transcript.shown.get_or_insert_default().push(shown);
            }
            Event::ToolAccepted(word) => {
                self.caller = self.asked.get(&word.call).copied();
                self.call(number, word.call, &word.tool, word.fingerprint, None);
            }
            Event::ToolRejected(word) => {
                let why = format!("{}: {}", word.rule, observed(&word.rule, &word.values));
                self.call(number, word.call, &word.tool, word.fingerprint, Some(why));
            }
            Event::MessageSpoken(word) => {
                let channel = match word.channel {
                    twicetold_event::Channel::SessionZero => Channel::Before,
                    twicetold_event::Channel::Main => Channel::Table,
                    _ => Channel::Apart,
                };
                let text = words(replies, &word.text).to_owned();
                let audience = heard(&word.audience);
                let (turn, voice) = (self.turn, word.seat.to_string());
                let line = Line { number: number.0, turn, voice, channel, audience: Some(audience), text };
                self.transcript.lines.push(line);
            }
            Event::CharacterAccepted(word) => {
                let first = word.sheet.name.split_whitespace().next().unwrap_or_default();
                let mut names = vec![word.sheet.name.clone(), first.to_owned()];
                names.retain(|name| !name.is_empty());
                names.dedup();
                let voice = Voice { kind: Kind::Player, names };
                self.transcript.voices.insert(word.seat.to_string(), voice);
                self.note(number, NoteKind::Other, Audience::All, &word.sheet.background);
                self.note(number, NoteKind::Other, only([Seat::Dm, word.seat]), &word.sheet.secret);
            }
            Event::ScenarioSet(word) => {
                self.note(number, NoteKind::Other, Audience::All, words(replies, &word.public));
                self.note(number, NoteKind::Other, only([Seat::Dm]), words(replies, &word.dm));
            }
            Event::PartyDocumentUpdated(word) => {
                let audience = heard(&event.audience());
                self.note(number, NoteKind::Other, audience, words(replies, &word.text));
                self.changed();
            }
            Event::CampaignEnded(word) => self.ended(number, word),
            _ => {
                self.roll(state, number, event);
                self.told(state, replies, number, event);
            }
        }
    }

    fn written(&mut self, state: &State) {
        let Some(spec) = state.encounter_spec() else { return };
        let plain = |text: &str| text::words(text).join(" ");
        let (failures, successes) = &mut self.transcript.written;
        for check in &spec.checks {
            let failed = [check.came_of(false), Some(&check.again), Some(&check.twice)];
            failures.extend(failed.into_iter().flatten().map(plain));
            successes.extend(check.came_of(true).map(plain));
        }
        // What stands around checks is told whatever the dice say.
        let around = spec.checks.iter().flat_map(|check| iter::once(&check.scene).chain(&check.tries));
        let ends = spec.goals.iter().flat_map(|goal| goal.told().chain([&goal.later]));
        for text in around.chain(ends).filter(|text| !text.is_empty()) {
            failures.push(plain(text));
            successes.push(plain(text));
        }
    }

    fn opened(&mut self, state: &State) {
        let limits = &state.setup().limits;
        self.transcript.allowance = Some(Allowance {
            turns: u64::from(limits.turns_max),
            calls: u64::from(limits.calls_max),
            tokens: limits.tokens_max,
            stopped: None,
        });
        // From here on an empty list says that there was nothing, and not that nobody wrote it down.
        self.transcript.rolls = Some(Vec::new());
        self.transcript.calls = Some(Vec::new());
        self.transcript.notes = Some(Vec::new());
        self.transcript.shown = Some(Vec::new());
        self.transcript.spent = Some(Vec::new());
        self.transcript.eventful = Some(BTreeSet::new());
        let voice = |kind: Kind, seat: Seat| Voice { kind, names: vec![seat.to_string()] };
        let seats = state.setup().players().map(|seat| (seat, Kind::Player));
        let seats = seats.chain([(Seat::Dm, Kind::Narrator), (Seat::Memory, Kind::Other)]);
        self.transcript.voices.extend(seats.map(|(seat, kind)| (seat.to_string(), voice(kind, seat))));
    }

    fn ended(&mut self, number: Number, word: &CampaignEnded) {
        let limit = matches!(word.ending, Ending::TurnLimit | Ending::CallLimit | Ending::TokenLimit);
        if let Some(allowance) = self.transcript.allowance.as_mut().filter(|_| limit) {
            allowance.stopped = Some(Stop { number: number.0, observed: why_over(&word.reason) });
        }
    }

    fn call(&mut self, number: Number, call: CallId, tool: &str, fingerprint: u64, refused: Option<String>) {
        let voice = self.asked.get(&call).map_or_else(String::new, Seat::to_string);
        let (good, why) = (Some(refused.is_none()), refused.unwrap_or_default());
        let (turn, tool, key) = (self.turn, tool.to_owned(), format!("{fingerprint:016x}"));
        let call = Call { number: number.0, turn, voice, tool, key, good, why, answer: String::new() };
        self.transcript.calls.get_or_insert_default().push(call);
    }

    fn note(&mut self, number: Number, kind: NoteKind, audience: Audience, text: &str) {
        let (turn, text) = (self.turn, text.to_owned());
        let note = Note { number: number.0, turn, kind, audience, text };
        self.transcript.notes.get_or_insert_default().push(note);
    }

    /// A note of the DM's that is written over or struck out has nothing more to be shown: what counts is what it says last.
    fn noted_again(&mut self, number: Number, flag: &str) {
        let before = self.flags.insert(flag.to_owned(), number.0);
        let notes = self.transcript.notes.get_or_insert_default();
        if let Some(note) = before.and_then(|before| notes.iter_mut().find(|note| note.number == before)) {
            note.kind = NoteKind::Other;
        }
    }

    /// Something changed in this turn.
    pub(crate) fn changed(&mut self) {
        if self.play {
            self.transcript.eventful.get_or_insert_default().insert(self.turn);
        }
    }

    /// What an event puts into words.
    fn told(&mut self, state: &State, replies: &dyn Replies, number: Number, event: &Event) {
        let (kind, text) = match event {
            Event::ImportantEventRecorded(word) => (NoteKind::Fact, Some(word.text.clone())),
            Event::MilestoneReached(word) => (NoteKind::Fact, Some(word.text.clone())),
            Event::NotableEventRecorded(word) => (NoteKind::Fact, Some(word.text.clone())),
            Event::FactLearned(_) | Event::FlagSet(_) => (NoteKind::Fact, describe(state, replies, event)),
            Event::QuestAdded(word) => (NoteKind::Quest, Some(word.text.clone())),
            Event::QuestCompleted(word) => (NoteKind::QuestDone, Some(word.text.clone())),
            Event::DetailRevealed(word) => (NoteKind::Clue, Some(word.text.clone())),
            _ => (NoteKind::Other, describe(state, replies, event)),
        };
        let Some(text) = text else { return };
        if let Event::FlagSet(FlagSet { flag, .. }) | Event::FlagDeleted(FlagDeleted { flag, .. }) = event {
            self.noted_again(number, flag);
        }
        self.note(number, kind, heard(&event.audience()), &text);
        let idle = matches!(
            event,
            Event::SpeechCut(_)
                | Event::ReplyRejected(_)
                | Event::NudgeGiven(_)
                | Event::MarkerIgnored(_)
                | Event::MarkerRejected(_)
                | Event::SummaryWritten(_)
                | Event::RulesLookedUp(_)
                | Event::RulesSearched(_)
                | Event::MemoryQueried(_)
                | Event::CampaignQueried(_)
                | Event::MoveChosen(_)
                | Event::EvidenceCited(_)
        );
        if !idle {
            self.changed();
        }
    }

    /// Dice, and other numbers that an event puts before the table.
    fn roll(&mut self, state: &State, number: Number, event: &Event) {
        let pack = &state.setup().rules.pack;
        let dice = pack.check.dice.as_str();
        let (kind, who, dice, faces, success) = match event {
            Event::DiceRolled(word) => {
                (RollKind::Dice, &word.character, word.dice.as_str(), &word.faces, None)
            }
            Event::AbilityChecked(word) => {
                (RollKind::Check, &word.character, dice, &word.faces, Some(word.success))
            }
            Event::AttackMade(word) => (RollKind::Attack, &word.attacker, dice, &word.faces, Some(word.hit)),
            Event::SavingThrowMade(word) => {
                (RollKind::Defence, &word.combatant, dice, &word.faces, Some(word.success))
            }
            Event::MoraleChecked(word) => {
                (RollKind::Dice, &word.foe, pack.combat.morale_dice.as_str(), &word.faces, None)
            }
            _ => return self.numbers(number, event),
        };
        let (total, difficulty) = match event {
            Event::DiceRolled(word) => (word.total, None),
            Event::AbilityChecked(word) => (word.total, Some(word.difficulty)),
            Event::SavingThrowMade(word) => (word.total, Some(word.difficulty)),
            Event::MoraleChecked(word) => (word.total, Some(word.morale)),
            Event::AttackMade(word) => (word.total, Some(word.needed)),
            _ => return,
        };
        let numbers: Vec<i64> = match event {
            Event::DiceRolled(word) => vec![i64::from(word.total)],
            Event::AbilityChecked(word) => {
                [word.total, word.difficulty, word.modifier].map(i64::from).to_vec()
            }
            Event::SavingThrowMade(word) => {
                [word.total, word.difficulty, word.modifier].map(i64::from).to_vec()
            }
            Event::MoraleChecked(word) => [word.total, word.morale].map(i64::from).to_vec(),
            Event::AttackMade(word) => {
                let wounds = word.damage_faces.iter().map(|face| i64::from(*face));
                let plain = [i64::from(word.total), i64::from(word.needed), word.damage];
                plain.into_iter().chain(wounds).collect()
            }
            _ => Vec::new(),
        };
        let numbers = numbers.into_iter().chain(faces.iter().map(|face| i64::from(*face))).collect();
        let named = state.character_named(who).map(|(seat, _)| seat.to_string());
        let narrator = who.is_empty().then(|| Seat::Dm.to_string());
        self.push(Roll {
            number: number.0,
            turn: self.turn,
            kind,
            roller: named.or(narrator),
            asked_by: self.caller.map(|seat| seat.to_string()),
            character: String::new(),
            asked: String::new(),
            sides: sides(dice),
            faces: faces.clone(),
            total: Some(i64::from(total)),
            difficulty: difficulty.map(i64::from),
            success,
            numbers,
            what: what(event),
        });
    }

    /// Numbers that are no dice, and that people speak of as if they were: wounds, scores.
    fn numbers(&mut self, number: Number, event: &Event) {
        let numbers: Vec<i64> = match event {
            Event::HitPointsChanged(word) => vec![word.asked, word.applied, word.now],
            Event::NpcHitPointsChanged(word) => vec![word.asked, word.applied, word.now],
            Event::FoeHitPointsChanged(word) => vec![word.asked, word.applied, word.now],
            Event::DetailRevealed(word) => vec![i64::from(word.score), i64::from(word.threshold)],
            Event::CombatBegan(word) => word.order.iter().map(|place| i64::from(place.total)).collect(),
            _ => return,
        };
        let numbers: BTreeSet<i64> =
            numbers.iter().flat_map(|number| [*number, number.saturating_abs()]).collect();
        self.push(Roll {
            number: number.0,
            turn: self.turn,
            kind: RollKind::Dice,
            roller: None,
            asked_by: None,
            character: String::new(),
            asked: String::new(),
            sides: None,
            faces: Vec::new(),
            total: None,
            difficulty: None,
            success: None,
            numbers,
            what: event.name().to_owned(),
        });
    }

    pub(crate) fn push(&mut self, roll: Roll) {
        self.transcript.rolls.get_or_insert_default().push(roll);
        self.changed();
    }
}

/// What was rolled for, in a few words.
fn what(event: &Event) -> String {
    match event {
        Event::AbilityChecked(word) => {
            let what = if word.check.is_empty() { &word.reason } else { &word.check };
            format!("{what}: {} against {}", word.total, word.difficulty)
        }
        Event::AttackMade(word) => {
            format!("attack on {}: {} against {}", word.target, word.total, word.needed)
        }
        Event::SavingThrowMade(word) => {
            format!("{}: {} against {}", word.reason, word.total, word.difficulty)
        }
        Event::DiceRolled(word) => format!("{} for {}: {}", word.dice, word.reason, word.total),
        other => other.name().to_owned(),
    }
}

/// The sides of dice such as `2d6+1`.
pub fn sides(dice: &str) -> Option<u16> {
    let (_, rest) = dice.split_once(['d', 'D'])?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok().filter(|sides| *sides > 0)
}

fn only(seats: impl IntoIterator<Item = Seat>) -> Audience {
    Audience::Only(seats.into_iter().map(|seat| seat.to_string()).collect())
}

fn heard(audience: &twicetold_event::Audience) -> Audience {
    match audience {
        twicetold_event::Audience::All => Audience::All,
        twicetold_event::Audience::Dm => only([Seat::Dm]),
        twicetold_event::Audience::Seats(seats) => only(seats.iter().copied()),
    }
}
