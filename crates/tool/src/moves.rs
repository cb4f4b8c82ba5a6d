//! The menu of a model that is guided: a few moves that make sense now, each with the legal values that the state knows.
//!
//! Law, tested over random campaigns: the tool call of a move is accepted, when what is asked for it is filled in within its limits.

mod checks;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use twicetold_event::{Channel, Event, MessageSpoken, NpcStatus, Phase, Seat, Text, Values};
use twicetold_world::setup::{EncounterSpec, GoalSpec};
use twicetold_world::{Character, Exchange, Goal, Npc, State};

use checks::{behind, next_step, open_checks, presses, tries};

use crate::ability_check::is_untold;
use crate::attack::may_act;
use crate::tool::{Tool, narrating, player_in_play};
use crate::{TOOLS, effects};

/// Most moves of a menu. A small model chooses well among few.
const MOVES_MAX: usize = 5;
/// Most of one kind, so that the others have room.
const KIND_MAX: usize = 3;
/// An encounter is not to be ended before something was tried and so many messages were spoken in it.
const ENDING_MESSAGES_MIN: u32 = 6;
/// So many messages before its last one an encounter is ended, if anything was achieved in it.
const ENDING_MESSAGES_LEFT: u32 = 6;
/// After so many turns of an encounter in which a model chose to register a goal and could not say which, it is not offered any more: a model
/// of half a billion parameters spent every third call on that.
const UNPLANNED_MAX: u32 = 2;

/// How an ending came about, an argument of the tool that ends an encounter.
pub const SUMMARY: &str = "summary";
/// The argument of a player's wish to speak with somebody, as of the tool that grants it.
const WITH_WHOM: &str = "character_id";

/// Something that a seat may do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The words by which a model chooses it: they differ from those of every other move.
    pub key: String,
    /// The key of the charter's text that explains it, in `moves`.
    pub text: &'static str,
    /// What the text speaks of.
    pub values: Values,
    /// The tool; empty when it only speaks.
    pub tool: &'static str,
    /// The arguments that the state knows.
    pub arguments: Map<String, Value>,
    /// The arguments that must be asked for.
    pub asks: &'static [Ask],
    /// The argument that takes what the model says it wants.
    pub intent: Option<&'static str>,
    /// Is something told aloud with it, which is the tool's argument `summary` as well? The tool call leaves no turn to do so.
    pub tells: bool,
    /// What the engine tells aloud with it instead, as the campaign's author wrote it; empty for nothing.
    pub written: String,
    /// Must it be said what shows it? Its argument `because` takes labels.
    pub cites: bool,
}

/// An argument in the model's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The argument.
    pub name: &'static str,
    /// Least and most characters.
    pub length: (u32, u32),
}

const GOAL: &[Ask] = &[Ask { name: "label", length: (15, 140) }, Ask { name: "reason", length: (15, 140) }];

impl Move {
    fn new(key: impl Into<String>, text: &'static str, tool: &'static str, arguments: Value) -> Move {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        Move {
            key: key.into(),
            text,
            values: Values::default(),
            tool,
            arguments,
            asks: &[],
            intent: None,
            tells: false,
            written: String::new(),
            cites: false,
        }
    }

    /// A move that is this tool and wants nothing.
    pub fn of_tool(tool: &'static str) -> Move {
        Move::new(tool, tool, tool, Value::Null)
    }

    /// A move that uses no tool.
    pub fn saying(key: &str, text: &'static str) -> Move {
        Move::new(key, text, "", Value::Null)
    }

    /// Adds what the text speaks of.
    #[must_use]
    pub fn with(self, name: &str, value: impl ToString) -> Move {
        Move { values: self.values.with(name, value), ..self }
    }

    /// Must something be asked for, before it can be made?
    pub fn is_asked_for(&self) -> bool {
        self.tells || self.cites || !self.asks.is_empty()
    }

    fn asking(self, asks: &'static [Ask]) -> Move {
        Move { asks, ..self }
    }

    /// An end of the encounter: told as its author wrote it, where they did.
    fn ending(state: &State, key: String, text: &'static str, goal: (&str, &str), arguments: Value) -> Move {
        let (id, label) = goal;
        let known = state.encounter_spec().and_then(|spec| spec.goals.iter().find(|known| known.id == id));
        let written = known.map(|goal| state.ending_of(goal)).unwrap_or_default();
        let mut one = Move::new(key, text, "encounter_resolve", arguments).with("label", label);
        if written.is_empty() {
            one.values = one.values.with("told", "yes");
        } else {
            let most = state.setup().limits.argument_bytes_max as usize;
            let summary = written[..written.floor_char_boundary(most)].to_owned();
            one.arguments.insert(SUMMARY.to_owned(), Value::String(summary));
        }
        Move { tells: written.is_empty(), written, ..one }
    }
}

/// What a seat may do now, apart from speaking in a dialogue. In play the DM may always go on, but where a failure is to be told or a goal has
/// been reached, and a player who could do no two things otherwise may speak. In a dialogue that is about to end, the DM may say how it was taken.
pub fn moves(state: &State, seat: Seat) -> Vec<Move> {
    if state.phase() != Phase::Play || state.encounter().is_none() {
        return Vec::new();
    }
    let mut moves = match seat {
        Seat::Dm if state.dialogue().is_some() => feelings(state),
        _ if state.dialogue().is_some() => return Vec::new(),
        Seat::Dm if state.combat().is_some() => foes(state),
        Seat::Dm => narrator(state),
        _ => player(state, seat),
    };
    let is_offered = |tool: &Tool, name| tool.name == name && tool.is_offered(state, seat);
    moves.retain(|one| one.tool.is_empty() || TOOLS.iter().any(|tool| is_offered(tool, one.tool)));
    // A small model that may say anything says nothing, and the story stands still.
    if seat != Seat::Dm && state.combat().is_none() && moves.len() > 2 {
        moves.pop();
    }
    // What uses no tool stands last, and stays.
    let speaks = moves.pop_if(|one| one.tool.is_empty());
    moves.truncate(MOVES_MAX - usize::from(speaks.is_some()));
    moves.extend(speaks);
    moves
}

/// What is there to be seen before the next step is tried, where a check that has just passed was the one before it.
pub fn next_scene<'a>(state: &'a State, passed: &str) -> Option<&'a str> {
    let (encounter, spec) = (state.encounter()?, state.encounter_spec()?);
    let leads = |goal: &&GoalSpec| goal.needs.iter().any(|need| need == passed);
    let (next, _) = spec.goals.iter().filter(leads).find_map(|goal| next_step(encounter, goal))?;
    let check = spec.checks.iter().find(|check| check.name == next)?;
    Some(check.scene.trim()).filter(|scene| !scene.is_empty())
}

/// What is there to be seen before each check that can be tried now, those that a goal needs next first.
pub fn scenes(state: &State) -> impl Iterator<Item = &str> {
    open_checks(state).into_iter().map(|check| check.scene.trim()).filter(|scene| !scene.is_empty())
}

/// The goals that the players may have reached, nearest first: those whose checks have all passed, then those registered in play and
/// those that name no checks, if a check has passed since and it was the last one. What has just failed brings nobody to a goal.
fn within_reach(state: &State) -> Vec<Goal> {
    let (Some(encounter), Some(spec)) = (state.encounter(), state.encounter_spec()) else {
        return Vec::new();
    };
    let last = state.history().main.iter().rev().find_map(|kept| match &kept.event {
        Event::AbilityChecked(word) => Some((kept.origin, word.success)),
        _ => None,
    });
    let passed =
        last.filter(|(origin, success)| *success && *origin > encounter.began).map(|(origin, _)| origin);
    let has_ways = spec.goals.iter().any(|goal| !goal.needs.is_empty());
    let mut goals: Vec<(u8, Goal)> = Vec::new();
    for goal in state.goals().into_iter().filter(|goal| !goal.failure) {
        let needs = needs_of(spec, &goal.id);
        if !needs.is_empty() {
            goals.extend(encounter.has_achieved(needs).then_some((0, goal)));
        } else if goal.registered.is_some() && has_ways && !is_late(state) {
            // What a small model has written down ends no story that can still be won as it is written.
        } else if passed.is_some_and(|passed| goal.registered.is_none_or(|since| passed > since)) {
            let rank = if goal.registered.is_some() { 1 } else { 2 + u8::from(!goal.primary) };
            goals.push((rank, goal));
        }
    }
    goals.sort_by_key(|(rank, _)| *rank);
    goals.into_iter().map(|(_, goal)| goal).collect()
}

/// The checks that lead to a goal.
fn needs_of<'a>(spec: &'a EncounterSpec, goal: &str) -> &'a [String] {
    spec.goals.iter().find(|known| known.id == goal).map_or(&[], |goal| &goal.needs)
}

/// The labels of the checks that show a goal, as far as they can be cited.
fn shown_by(state: &State, goal: &Goal) -> Vec<String> {
    let (Some(encounter), Some(spec)) = (state.encounter(), state.encounter_spec()) else {
        return Vec::new();
    };
    let origins: BTreeSet<_> =
        needs_of(spec, &goal.id).iter().filter_map(|check| encounter.achieved.get(check)).collect();
    origins.into_iter().filter_map(|origin| Some(format!("#{}", encounter.label(*origin)?))).collect()
}

fn narrator(state: &State) -> Vec<Move> {
    let Some(encounter) = state.encounter().filter(|_| narrating(state, Seat::Dm)) else { return Vec::new() };
    let limits = &state.setup().limits;
    let acts = encounter.messages.saturating_sub(encounter.narrations);
    let talks = state.conversations().in_encounter;
    let go_on = Move::saying("go on", "go_on");
    if acts == 0 {
        return vec![go_on];
    }
    if let Some(struck) = &encounter.struck {
        let arguments = json!({"encounterId": encounter.id, "outcomeId": struck.goal});
        let goal = (struck.goal.as_str(), struck.label.as_str());
        // A small model that may go on goes on.
        return vec![Move::ending(state, format!("lost {}", struck.goal), "lost", goal, arguments)];
    }
    let here = people_here(state);
    let may_talk = may_talk(state);
    let talk = |npc: &Npc| {
        let arguments = json!({WITH_WHOM: npc.id});
        Move::new(format!("talk {}", npc.name), "talk", "start_dialogue", arguments).with("name", &npc.name)
    };
    let mut moves = Vec::new();
    if encounter.messages >= ENDING_MESSAGES_MIN {
        let reached = |goal: Goal| {
            let shown = shown_by(state, &goal);
            let mut arguments = json!({"encounterId": encounter.id, "outcomeId": goal.id});
            if !shown.is_empty() {
                arguments["because"] = json!(shown);
            }
            let named = (goal.id.as_str(), goal.label.as_str());
            let reached = Move::ending(state, format!("reached {}", goal.id), "reached", named, arguments);
            Move { cites: shown.is_empty(), ..reached }
        };
        moves.extend(within_reach(state).into_iter().take(KIND_MAX).map(reached));
    }
    // Where the checks that a goal needs have passed, nothing is put before the end, and where little time is left, only a first talk.
    let is_shown = moves.iter().any(|one| !one.cites);
    moves.retain(|one| !one.cites || !is_shown);
    let is_late = is_late(state);
    let must_end = is_late && !moves.is_empty();
    let has_spoken = state.turn().before.as_ref().is_none_or(|before| before.tool.is_empty());
    let is_wished = talks == 0 || has_spoken;
    // A small model that may go on behind the win goes on.
    if is_shown {
        return moves;
    }
    if may_talk && is_wished && (moves.is_empty() || (talks == 0 && !is_late)) {
        moves.extend(here.into_iter().take(KIND_MAX - 1).map(talk));
    }
    if must_end {
        moves.push(go_on);
        return moves;
    }
    let registered = encounter.registered.len() as u32;
    let has_plans =
        if talks > 0 { has_just_talked(state) } else { encounter.messages >= ENDING_MESSAGES_MIN };
    let may_plan = encounter.messages < limits.goal_messages_max && encounter.unplanned < UNPLANNED_MAX;
    if registered < limits.dynamic_goals_max && may_plan && has_plans {
        let arguments = json!({"id": format!("plan-{}", registered + 1), "isPrimary": true});
        let plan = Move::new("new plan", "new_plan", "goal_register", arguments).asking(GOAL);
        moves.push(Move { cites: true, ..plan });
    }
    moves.push(go_on);
    moves
}

/// Is there little time left in the encounter?
fn is_late(state: &State) -> bool {
    state
        .encounter()
        .is_some_and(|encounter| encounter.messages + ENDING_MESSAGES_LEFT >= state.messages_max())
}

/// By how much somebody comes to trust the party by a talk, or less.
const TRUST: i64 = 10;

/// How somebody takes a talk that is about to end, as it is written.
fn feelings(state: &State) -> Vec<Move> {
    let is_written =
        |exchange: &Exchange<'_>| exchange.is_last && exchange.said.iter().any(|said| !said.is_empty());
    let npc = state.dialogue().and_then(|dialogue| state.npcs().get(&dialogue.npc));
    let Some(npc) = npc.filter(|_| state.exchange().is_some_and(|exchange| is_written(&exchange))) else {
        return Vec::new();
    };
    let change = |key: &str, text, by| {
        let arguments = json!({"trait": "trust", "change": by});
        Move::new(key, text, "update_relationship", arguments).with("name", &npc.name)
    };
    vec![
        change("trust more", "trusts_more", TRUST),
        change("trust less", "trusts_less", -TRUST),
        Move::saying("as before", "as_before").with("name", &npc.name),
    ]
}

/// Had the DM told nothing since a talk was over, when its turn began? Plans are made in talks; offered every turn, a small model tries
/// in vain to write one down as often.
fn has_just_talked(state: &State) -> bool {
    let began = state.turn().began;
    let events = state.history().main.iter().rev().filter(|kept| kept.origin < began).map(|kept| &kept.event);
    let last = events.filter(|event| match event {
        Event::MessageSpoken(word) => word.seat == Seat::Dm && word.channel == Channel::Main,
        event => matches!(event, Event::DialogueEnded(_)),
    });
    last.take(1).any(|event| matches!(event, Event::DialogueEnded(_)))
}

/// Those of the DM's people with whom nobody has talked yet: a small model would begin the same talk again and again.
fn people_here(state: &State) -> Vec<&Npc> {
    let encounter = state.encounter().map(|encounter| encounter.id.as_str());
    let is_here = |npc: &&Npc| npc.status == NpcStatus::Active && Some(npc.encounter.as_str()) == encounter;
    state.npcs().all().filter(is_here).filter(|npc| npc.dialogues.is_empty()).collect()
}

/// Has the encounter room for a dialogue?
fn may_talk(state: &State) -> bool {
    let talks = state.conversations().in_encounter;
    talks < state.setup().limits.dialogues_per_encounter_max && state.able().next().is_some()
}

/// The call of `start_dialogue` that the player who acted last has asked for or won: the engine makes it for a guided DM.
pub fn next_talk(state: &State) -> Option<Value> {
    wished_talk(state).or_else(|| won_talk(state))
}

/// The call that grants a wish to speak with somebody.
fn wished_talk(state: &State) -> Option<Value> {
    let before = state.turn().before.as_ref().filter(|before| before.tool.is_empty())?;
    let arguments: Map<String, Value> = serde_json::from_str(&before.arguments).ok()?;
    let with = arguments.get(WITH_WHOM)?;
    let is_here = people_here(state).iter().any(|npc| with.as_str() == Some(npc.id.as_str()));
    (is_here && may_talk(state)).then(|| json!({WITH_WHOM: with}))
}

/// The call that lets somebody tell what they have told nobody, to the player whose check with them has just passed, where the encounter
/// is not over by it.
fn won_talk(state: &State) -> Option<Value> {
    let before = state.turn().before.as_ref().filter(|before| before.tool == "ability_check")?;
    let (encounter, spec) = (state.encounter()?, state.encounter_spec()?);
    let check = spec.checks.iter().find(|check| check.name == before.key)?;
    let person = check.person.as_ref().filter(|_| encounter.achieved.contains_key(&check.name))?;
    let says = &spec.npcs.iter().find(|npc| npc.id == *person)?.says;
    let npc = state.npcs().get(person).filter(|npc| npc.status == NpcStatus::Active)?;
    let mut kept = npc.history.kept.iter().filter_map(|kept| match &kept.event {
        Event::MessageSpoken(MessageSpoken { text: Text::Written(said), .. }) => Some(said),
        _ => None,
    });
    let has_more = !says.tells.trim().is_empty() && !kept.any(|said| said.contains(says.tells.trim()));
    let is_over = encounter.struck.is_some()
        || spec.goals.iter().any(|goal| !goal.needs.is_empty() && encounter.has_achieved(&goal.needs));
    (has_more && !is_over && may_talk(state)).then(|| json!({WITH_WHOM: person}))
}

/// Each foe that acts now, with somebody to strike at.
fn foes(state: &State) -> Vec<Move> {
    let Some(combat) = state.combat() else { return Vec::new() };
    let acting = combat
        .standing()
        .filter(|foe| combat.acting.contains(&foe.foe.id) && !combat.attacked.contains(&foe.foe.id));
    let names: Vec<String> = state.able().map(|seat| state.seat_name(seat)).collect();
    let mut moves: Vec<Move> = acting
        .flat_map(|foe| names.iter().map(move |name| (foe, name)))
        .map(|(foe, name)| {
            let arguments = json!({"attacker": foe.foe.id, "target": name});
            Move::new(format!("{} attacks {name}", foe.foe.name), "foe_attacks", "attack", arguments)
                .with("foe", &foe.foe.name)
                .with("name", name)
        })
        .collect();
    moves.sort_by(|one, other| one.key.cmp(&other.key));
    moves.dedup_by(|one, other| one.key == other.key);
    moves.push(Move::saying("go on", "go_on"));
    moves
}

fn player(state: &State, seat: Seat) -> Vec<Move> {
    let Some(character) = state.characters().get(&seat).filter(|_| player_in_play(state, seat)) else {
        return Vec::new();
    };
    let name = character.sheet.name.as_str();
    let mut moves = Vec::new();
    if !character.stands() {
        return vec![Move::saying("talk", "speak")];
    }
    let may_act = may_act(state, name);
    if let Some(combat) = state.combat() {
        let foes = combat.standing().filter(|_| may_act).take(KIND_MAX);
        moves.extend(foes.map(|foe| {
            let arguments = json!({"target": foe.foe.id});
            Move::new(format!("attack {}", foe.foe.name), "attack", "attack", arguments)
                .with("name", &foe.foe.name)
        }));
        moves.dedup_by(|one, other| one.key == other.key);
    }
    let is_down = |one: &&Character| one.hit_points <= 0 && one.lost.is_none() && may_act;
    let down = state.characters().values().filter(is_down);
    moves.extend(down.take(1).map(|one| {
        let (name, arguments) = (&one.sheet.name, json!({"character": one.sheet.name}));
        Move::new(format!("help {name}"), "help_up", "help_up", arguments).with("name", name)
    }));
    let usable = character.inventory.values().map(|(item, ..)| item);
    let usable =
        usable.filter(|item| effects::of_item(state, character, item).is_ok_and(|effect| effect.spent));
    let uses = usable.take(1).map(|item| {
        Move::new(format!("use {item}"), "use_item", "use_item", json!({"item": item})).with("item", item)
    });
    let uses: Vec<Move> = uses.collect();
    if state.combat().is_none() {
        let mut tries = tries(state);
        // What has just been tried is told first.
        tries.retain(|check| !is_untold(state, name, &check.name));
        // Who is worse at it leaves it to the others, as long as there is something else.
        let least = tries.iter().map(|check| behind(state, character, check)).min();
        tries.retain(|check| Some(behind(state, character, check)) == least);
        moves.extend(tries.into_iter().take(KIND_MAX).map(|check| {
            Move {
                intent: Some("reason"),
                ..Move::new(
                    check.name.clone(),
                    "check",
                    "ability_check",
                    json!({"character": name, "check": check.name}),
                )
                .with("ability", &check.ability)
            }
        }));
    }
    moves.extend(uses);
    let talks = state.conversations().in_encounter;
    let may_grant =
        TOOLS.iter().any(|tool| tool.name == "start_dialogue" && tool.is_offered(state, Seat::Dm));
    // Nor is there time for a talk when it presses and something can be tried.
    let has_time = !presses(state) || !moves.iter().any(|one| one.tool == "ability_check");
    if may_grant && has_time && talks < state.setup().limits.dialogues_per_encounter_max {
        let here = people_here(state);
        let turn = state.turn().number as usize / 2;
        moves.extend(here.get(turn % here.len().max(1)).map(|npc| {
            Move::new(format!("speak with {}", npc.name), "speak_with", "", json!({WITH_WHOM: npc.id}))
                .with("name", &npc.name)
        }));
    }
    moves.push(Move::saying("talk", "speak"));
    moves
}
