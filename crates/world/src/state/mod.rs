//! The state of a campaign: hot fields, the windows that prompts need, and compact indexes. Small, and a cache of the journal.

mod canon;
mod combat;
mod conversation;
mod doc;
mod encounter;
mod evolve;
mod facts;
mod history;
mod npcs;
mod party;
mod snapshot;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twicetold_event::{CallId, Input, Millis, Number, Phase, Seat};
use twicetold_model::Digest;

use crate::setup::{EncounterSpec, GoalSpec, Setup};
use canon::Lines;
pub use combat::{ABSENT, Combat, CombatEnd, FoeState};
pub use conversation::{Conversations, Dialogue, Exchange, Pending, Whisper};
use doc::Doc;
pub use encounter::{Encounter, EncounterEnd, Goal, Struck};
pub use evolve::{evolve, is_citable};
pub use facts::{Facts, Log, Met};
pub use history::{History, Remembered, Summary};
pub use npcs::{Feeling, Memory, Npc, NpcKind, Npcs, PastDialogue, Profile, Window};
pub use party::{Character, Inventory, PartyDocument, SectionEntry, SectionText, fold, letters};
pub use snapshot::SnapshotError;
pub use table::{Calls, Choice, Life, PendingCall, SessionZero, Spent, Table, Turn};

/// Where in the journal something comes from. Left out of the state's digest: a resumed telling has other numbers and the
/// same state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Origin(pub Number);

/// Everything that rules and prompts ask of a campaign. Only [`evolve`] changes it.
#[derive(Clone, Debug)]
pub struct State {
    setup: Arc<Setup>,
    at: Millis,
    life: Life,
    table: Doc<Table>,
    turn: Doc<Turn>,
    calls: Doc<Calls>,
    session_zero: Doc<SessionZero>,
    history: Doc<History>,
    characters: Doc<BTreeMap<Seat, Character>>,
    document: Doc<PartyDocument>,
    encounter: Doc<Option<Encounter>>,
    /// Its specification, filled in: made of `setup` and `encounter`, and no part of what is digested or written down.
    spec: Option<Arc<EncounterSpec>>,
    encounters_over: Doc<Vec<EncounterEnd>>,
    facts: Doc<Facts>,
    npcs: Doc<Npcs>,
    conversations: Doc<Conversations>,
    combat: Doc<Option<Combat>>,
    combats_over: Doc<Vec<CombatEnd>>,
    spells_used: Doc<BTreeMap<(String, String), u32>>,
    dice: Doc<BTreeMap<String, u32>>,
}

impl State {
    /// Does a person sit at this seat?
    pub fn is_person(&self, seat: Seat) -> bool {
        self.table.people.contains_key(&seat)
    }

    /// The state before the first event of a campaign with this setup.
    pub fn new(setup: Arc<Setup>) -> State {
        State {
            setup,
            at: Millis::default(),
            life: Life::default(),
            table: Doc::default(),
            turn: Doc::default(),
            calls: Doc::default(),
            session_zero: Doc::default(),
            history: Doc::default(),
            characters: Doc::default(),
            document: Doc::default(),
            encounter: Doc::default(),
            spec: None,
            encounters_over: Doc::default(),
            facts: Doc::default(),
            npcs: Doc::default(),
            conversations: Doc::default(),
            combat: Doc::default(),
            combats_over: Doc::default(),
            spells_used: Doc::default(),
            dice: Doc::default(),
        }
    }

    /// What the campaign is played with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The same, to be held on to.
    pub fn shared_setup(&self) -> Arc<Setup> {
        self.setup.clone()
    }

    /// Is the campaign running, paused or over?
    pub fn life(&self) -> &Life {
        &self.life
    }

    /// The phase and who has spoken.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.table.phase
    }

    /// The turn being played.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Is the seat whose turn it is asked for words alone for the rest of it? One whose model has repeated a look-up before is, after its
    /// first look-up, and a player whose model has repeated a check, after its first check: to repeat it costs a call each time.
    pub fn wants_words(&self) -> bool {
        let is_in = |seats: &BTreeSet<Seat>| self.turn.seat.is_some_and(|seat| seats.contains(&seat));
        self.turn.wants_words()
            || (self.turn.lookups > 0 && is_in(&self.calls.repeats_lookups))
            || (self.turn.checks > 0 && is_in(&self.calls.repeats_checks))
    }

    /// The pending model call and the calls made.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// What Session Zero has brought so far.
    pub fn session_zero(&self) -> &SessionZero {
        &self.session_zero
    }

    /// What was said.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The characters by their players' seats.
    pub fn characters(&self) -> &BTreeMap<Seat, Character> {
        &self.characters
    }

    /// The party document.
    pub fn document(&self) -> &PartyDocument {
        &self.document
    }

    /// The encounter being played.
    pub fn encounter(&self) -> Option<&Encounter> {
        self.encounter.as_ref()
    }

    /// The specification of the encounter being played, its `{{keys}}` filled in by what the seed drew.
    pub fn encounter_spec(&self) -> Option<&EncounterSpec> {
        self.spec.as_deref()
    }

    /// The goals of the encounter being played: those of its specification, then those registered since.
    pub fn goals(&self) -> Vec<Goal> {
        let of_spec = self.spec.iter().flat_map(|spec| &spec.goals).map(|goal| Goal {
            id: goal.id.clone(),
            label: goal.label.clone(),
            primary: goal.primary,
            failure: goal.failure,
            registered: None,
        });
        let registered = self.encounter.iter().flat_map(|encounter| &encounter.registered);
        let mut goals: Vec<Goal> = of_spec.chain(registered.cloned()).collect();
        // Where nobody is left standing, an encounter is lost also if it does not say how.
        let struck = self.encounter.as_ref().and_then(|encounter| encounter.struck.as_ref());
        if let Some(struck) = struck.filter(|struck| goals.iter().all(|goal| goal.id != struck.goal)) {
            let (id, label) = (struck.goal.clone(), struck.label.clone());
            goals.push(Goal { id, label, primary: true, failure: true, registered: Some(struck.origin) });
        }
        goals
    }

    /// Messages after which the encounter being played ends by rule.
    pub fn messages_max(&self) -> u32 {
        let most = self.setup().limits.encounter_messages_max;
        self.encounter_spec().and_then(|spec| spec.messages_max).map_or(most, |own| own.min(most))
    }

    /// For how many turns a seat has waited to speak. Private dialogues of others do not count.
    pub fn waited(&self, seat: Seat) -> u32 {
        let since = self.table.last_spoke.get(&seat).copied().unwrap_or(0);
        let apart = self.table.apart.get(&seat).copied().unwrap_or(0);
        self.turn.number.saturating_sub(since).saturating_sub(apart)
    }

    /// For how many turns a player may wait while the DM asks nobody by name: each player's turn is followed by one of the DM's.
    pub fn wait_max(&self) -> u32 {
        let both = 2 * self.setup.players().count() as u32;
        self.setup.limits.waiting_rounds_max.saturating_mul(both).max(2)
    }

    /// Fills in the specification of the encounter being played, once, because every prompt shows it. It opens with what is left of the
    /// encounter before, and with what the earlier ones have brought about.
    fn fill_encounter(&mut self) {
        let later = self.encounters_over.last().map_or("", |end| end.later.as_str());
        self.spec = self.encounter.as_ref().and_then(|encounter| {
            let mut spec = self.setup.encounters.get(encounter.index)?.filled(&encounter.draws);
            let prologue = spec.prologue.iter();
            let prologue = prologue.filter(|passage| passage.holds(|name| self.came_before(name), |_| false));
            let told: Vec<&str> = prologue.map(|passage| passage.text.as_str()).collect();
            spec.opening = [later, &spec.opening, &told.join(" ")]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join("\n\n");
            Some(Arc::new(spec))
        });
    }

    /// Has a check of this name passed in an earlier encounter, or has one ended by the goal of this id?
    fn came_before(&self, name: &str) -> bool {
        self.encounters_over.iter().any(|end| {
            end.passed.iter().any(|check| check == name)
                || end.outcome.as_ref().is_some_and(|(goal, _)| goal == name)
        })
    }

    /// How the goal's end is told as things stand: its ending, and what of its epilogue holds. Empty where it has no ending.
    #[must_use]
    pub fn ending_of(&self, goal: &GoalSpec) -> String {
        let tried = |name: &str| self.encounter.as_ref().and_then(|encounter| encounter.tried.get(name));
        let came = |name: &str| tried(name) == Some(&true) || self.came_before(name);
        let failed = |name: &str| tried(name) == Some(&false);
        let ending = goal.ending.trim();
        let epilogue =
            goal.epilogue.iter().filter(|passage| !ending.is_empty() && passage.holds(came, failed));
        let told: Vec<&str> = iter::once(ending).chain(epilogue.map(|passage| passage.text.trim())).collect();
        told.join(" ")
    }

    /// Encounters that are over.
    pub fn encounters_over(&self) -> &[EncounterEnd] {
        &self.encounters_over
    }

    /// What is known of the world.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The DM's characters.
    pub fn npcs(&self) -> &Npcs {
        &self.npcs
    }

    /// What goes on beside the main story.
    pub fn conversations(&self) -> &Conversations {
        &self.conversations
    }

    /// The dialogue being held.
    pub fn dialogue(&self) -> Option<&Dialogue> {
        self.conversations.dialogue.as_ref()
    }

    /// The combat being fought.
    pub fn combat(&self) -> Option<&Combat> {
        self.combat.as_ref()
    }

    /// Combats of this encounter that are over.
    pub fn combats_over(&self) -> &[CombatEnd] {
        &self.combats_over
    }

    /// Hit points of one of the DM's characters when it is well: its monster's, or those that the pack gives to people.
    pub fn npc_hit_points(&self, npc: &Npc) -> i64 {
        let rules = &self.setup.rules;
        let monster = rules.monsters.iter().find(|monster| monster.id == npc.monster);
        i64::from(monster.map_or(rules.pack.combat.npc_hit_points, |monster| monster.hit_points))
    }

    /// How often a character has cast a spell in this encounter.
    pub fn spells_used(&self, character: &str, spell: &str) -> u32 {
        self.spells_used.get(&(character.to_owned(), spell.to_owned())).copied().unwrap_or(0)
    }

    /// How many draws a stream of dice has given so far.
    pub fn dice_counter(&self, stream: &str) -> u32 {
        self.dice.get(stream).copied().unwrap_or(0)
    }

    /// The streams that were drawn from so far.
    pub fn streams(&self) -> impl Iterator<Item = &str> {
        self.dice.keys().map(String::as_str)
    }

    /// The character with this name, full or first, in any case.
    pub fn character_named(&self, name: &str) -> Option<(Seat, &Character)> {
        let wanted = name.trim();
        let exact =
            self.characters.iter().find(|(_, character)| character.sheet.name.eq_ignore_ascii_case(wanted));
        let by_first = || {
            self.characters.iter().find(|(_, character)| character.first_name().eq_ignore_ascii_case(wanted))
        };
        // Beyond ASCII letters have cases, too.
        let folded = |name: &str| crate::fold(name) == crate::fold(wanted);
        let by_fold = || {
            let is_called =
                |character: &Character| folded(&character.sheet.name) || folded(character.first_name());
            self.characters.iter().find(|(_, character)| is_called(character))
        };
        exact.or_else(by_first).or_else(by_fold).map(|(seat, character)| (*seat, character))
    }

    /// The important events that a character of the DM's was part of, oldest first.
    pub fn witnessed<'a>(&'a self, npc: &'a Npc) -> impl DoubleEndedIterator<Item = &'a (Origin, String)> {
        npc.witnessed.iter().filter_map(|place| self.facts.important.all().get(*place as usize))
    }

    /// What a seat is called at the table: the character's name once there is one.
    pub fn seat_name(&self, seat: Seat) -> String {
        match self.characters.get(&seat) {
            Some(character) => character.sheet.name.clone(),
            None => seat.to_string(),
        }
    }

    /// Every reply that a prompt may still show something of. A new place that holds a text does not compile until it is named here.
    pub fn replies(&self) -> BTreeSet<CallId> {
        let State {
            session_zero,
            history,
            document,
            npcs,
            setup: _,
            at: _,
            life: _,
            table: _,
            turn: _,
            calls: _,
            characters: _,
            encounter: _,
            spec: _,
            encounters_over: _,
            facts: _,
            conversations: _,
            combat: _,
            combats_over: _,
            spells_used: _,
            dice: _,
        } = self;
        let PartyDocument { sections, turn: _ } = &**document;
        let entries = sections.values().flat_map(|section| &section.entries);
        let sections = entries.filter_map(|entry| entry.text.reply());
        let replies = session_zero.replies().chain(history.replies()).chain(sections);
        replies.chain(npcs.all().flat_map(Npc::replies)).collect()
    }

    /// The digest over all that two tellings of one tale agree on at every turn's end.
    pub fn digest(&self) -> Digest {
        Lines::state(self.documents())
    }

    /// Takes an input in, before the events that are decided from it: the clock, the pending call, the costs.
    pub fn receive(&mut self, at: Millis, input: &Input) {
        evolve::receive(self, at, input);
    }

    /// Plays on with another setup, after `CharterAmended`.
    pub fn amend(&mut self, setup: Arc<Setup>) {
        self.setup = setup;
        self.fill_encounter();
    }

    /// Time of the last input.
    pub fn at(&self) -> Millis {
        self.at
    }
}
