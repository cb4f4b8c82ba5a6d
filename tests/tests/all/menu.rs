//! Promise: the complete menu is sound and complete. Whatever it lists is accepted, and whatever is accepted is listed, wherever a
//! campaign stands. A schema validator decides what is listed, and no tool.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use twicetold_event::{CallId, Event, Input, Millis, Number, Seat};
use twicetold_referee::Campaign;
use twicetold_session::entries;
use twicetold_tests::{CAMPAIGNS, Game, Moments, Played, Random, check_schema, valid};
use twicetold_tool::{Caller, Decision, Legal, TOOLS, canonical, legal, menu, named};
use twicetold_world::{State, evolve};

/// What no schema of the common part can say.
const EXCEPTIONS: [&str; 2] = [
    // Whether any page of the rules has the words of a search.
    "nothing_found",
    // That nobody is named twice in one list.
    "foe_twice",
];

/// How many campaigns, if the recipe `just menu` asks: it takes hundreds.
fn asked_for() -> Option<usize> {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var("TWICETOLD_MENU").ok().and_then(|count| count.parse().ok())
}

/// How often each tool's calls were tried: chosen from the menu, accepted in a campaign, accepted when drawn apart.
#[derive(Default)]
struct Tried(BTreeMap<&'static str, [u64; 3]>);

impl Tried {
    fn count(&mut self, tool: &str, place: usize) {
        let tool = named(tool).expect("a tool that is known").name;
        self.0.entry(tool).or_default()[place] += 1;
    }

    fn add(&mut self, other: Tried) {
        for (tool, counts) in other.0 {
            let known = self.0.entry(tool).or_default();
            known.iter_mut().zip(counts).for_each(|(known, count)| *known += count);
        }
    }
}

fn decide(state: &State, seat: Seat, tool: &str, arguments: &str) -> Decision {
    named(tool).unwrap().decide(state, Caller { seat, call: CallId(9_999) }, arguments)
}

/// As much of a text as a failure needs.
fn brief(text: &str) -> String {
    text.replace("xxxxxxxx", "").chars().take(600).collect()
}

/// The calls that `choice` makes of a schema, with as many digits as there are choices in it.
struct Choice {
    digits: usize,
    longest: bool,
    all: bool,
}

impl Choice {
    fn digit(&mut self, base: usize) -> usize {
        let digit = self.digits % base;
        self.digits /= base;
        digit
    }

    fn value(&mut self, name: &str, schema: &Value) -> Value {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
        match schema["type"].as_str().unwrap() {
            "object" => {
                let required = schema.get("required").and_then(Value::as_array);
                let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
                let properties = schema["properties"].as_object().unwrap();
                let given = properties.iter().filter(|(name, _)| self.all || is_required(name));
                let given: Vec<_> = given.collect();
                given.into_iter().map(|(name, schema)| (name.clone(), self.value(name, schema))).collect()
            }
            "array" => {
                let count = bound(if self.longest { "maxItems" } else { "minItems" }).unwrap();
                (0..count).map(|_| self.value(name, &schema["items"])).collect()
            }
            "boolean" => (self.digit(2) == 0).into(),
            "integer" => {
                let least = bound("minimum").unwrap_or(if self.longest { i64::MIN } else { -7 });
                let most = bound("maximum").unwrap_or(if self.longest { i64::MAX } else { 7 });
                if self.digit(2) == 0 { least.into() } else { most.into() }
            }
            "string" => match schema.get("enum").and_then(Value::as_array) {
                Some(values) => values[self.digit(values.len())].clone(),
                // How dice are written is nothing that a schema could say.
                None if name == "dice" => (if self.longest { "20d1000-1000" } else { "d2" }).into(),
                None => {
                    let length = bound(if self.longest { "maxLength" } else { "minLength" }).unwrap_or(0);
                    "x".repeat(length as usize).into()
                }
            },
            kind => panic!("a schema of {kind}"),
        }
    }
}

/// In how many ways a choice can fall out, over enums and truths.
fn ways(schema: &Value) -> usize {
    let own = match schema["type"].as_str().unwrap() {
        "boolean" | "integer" => 2,
        _ => schema.get("enum").and_then(Value::as_array).map_or(1, Vec::len),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let within = properties.into_iter().flat_map(|all| all.values()).chain(schema.get("items"));
    within.map(ways).fold(own, usize::saturating_mul)
}

/// A deterministic sample of the calls that a schema allows.
fn chosen(schema: &Value, random: &mut Random, samples: usize) -> Vec<Value> {
    let ways = ways(schema);
    let mut digits: Vec<usize> = match ways {
        ways if ways <= samples => (0..ways).collect(),
        _ => (0..samples).map(|_| random.below(ways)).collect(),
    };
    digits.extend([0, ways - 1]);
    let calls =
        digits.into_iter().zip([(false, false), (true, true), (false, true), (true, false)].iter().cycle());
    calls
        .map(|(digits, (longest, all))| Choice { digits, longest: *longest, all: *all }.value("", schema))
        .collect()
}

/// Sound: what the menu lists is accepted, alone.
fn check_sound(state: &State, seat: Seat, menu: &[Legal], random: &mut Random, tried: &mut Tried) {
    for one in menu {
        check_schema(&one.schema);
        for call in chosen(&one.schema, random, 6) {
            valid(&one.schema, &call).unwrap();
            tried.count(one.tool, 0);
            match decide(state, seat, one.tool, &call.to_string()) {
                Err(rejection) if !EXCEPTIONS.contains(&rejection.rule) => {
                    let turn = state.turn().number;
                    let what = brief(&format!("{call}: {rejection:?} by {}", one.schema));
                    panic!("turn {turn}, {seat}: {} {what}", one.tool)
                }
                _ => {}
            }
        }
    }
}

/// Complete: each part of an accepted call is on the menu that the parts before it leave, and is accepted there.
fn check_complete(state: &State, seat: Seat, tool: &str, arguments: &str) {
    let turn = state.turn().number;
    let place = || format!("turn {turn}, {seat}: {tool} {}", brief(arguments));
    let parts = canonical(state, seat, tool, arguments).unwrap_or_else(|| panic!("{}", place()));
    assert!(!parts.is_empty(), "{} is nothing", place());
    let mut now = state.clone();
    for (number, part) in (0..).zip(&parts) {
        let listed = legal(&now, seat, named(tool).unwrap());
        if !listed.iter().any(|one| valid(&one.schema, part).is_ok()) {
            let near: Vec<String> =
                listed.iter().map(|one| brief(&valid(&one.schema, part).unwrap_err())).collect();
            panic!("{}: part {number} is not listed: {}: {near:#?}", place(), brief(&part.to_string()));
        }
        let accepted = decide(&now, seat, tool, &part.to_string());
        let accepted = accepted
            .unwrap_or_else(|rejection| panic!("{}: {}: {rejection:?}", place(), brief(&part.to_string())));
        if number + 1 < parts.len() {
            accepted.events.iter().for_each(|event| evolve(&mut now, Number(1), Millis(1), event));
        }
    }
}

/// Words of all kinds that a call could name: of now, of before, of others, in other letters, and nothing.
fn pool(state: &State) -> Vec<String> {
    let mut pool: Vec<String> =
        ["", "  ", "\u{1} \u{2}", "x\u{7}\n", "TRUST", "dm", "player 2", "FIST", "d20", "+2d006 + 1"]
            .map(str::to_owned)
            .into();
    let setup = state.setup();
    for npc in state.npcs().all() {
        pool.extend([npc.id.clone(), npc.name.clone()]);
        pool.extend(npc.inventory.values().map(|(item, ..)| item.clone()));
        pool.extend(npc.conditions.iter().cloned());
    }
    for spec in &setup.encounters {
        pool.extend([spec.id.clone(), spec.title.clone()]);
        pool.extend(spec.npcs.iter().map(|npc| npc.id.clone()));
        pool.extend(spec.checks.iter().map(|check| check.name.clone()));
        pool.extend(spec.goals.iter().map(|goal| goal.id.clone()));
    }
    for character in state.characters().values() {
        pool.extend([character.sheet.name.clone(), character.first_name().to_owned()]);
        pool.extend(character.inventory.values().map(|(item, ..)| item.clone()));
        pool.extend(character.conditions.keys().cloned());
    }
    pool.extend(state.combat().into_iter().flat_map(|combat| &combat.foes).map(|foe| foe.foe.name.clone()));
    pool.extend(setup.rules.spells.iter().map(|spell| spell.name.clone()));
    pool.extend(setup.rules.monsters.iter().map(|monster| monster.name.clone() + "s"));
    pool.extend(setup.rules.pack.abilities.full.values().cloned());
    pool.extend(setup.campaign.acts.iter().map(|act| act.title.clone()));
    pool.extend(state.facts().quests.iter().map(|(_, text, _)| text.clone()));
    pool.extend(state.facts().flags.keys().cloned());
    pool
}

/// A value that is not quite the one that it was.
fn changed(value: &mut Value, pool: &[String], random: &mut Random) {
    match value {
        Value::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            let Some(name) = names.get(random.below(names.len().max(1))) else { return };
            match random.below(12) {
                0 => drop(members.remove(name)),
                1 => drop(members.insert(name.clone(), Value::Null)),
                _ => changed(&mut members[name.as_str()], pool, random),
            }
        }
        Value::Array(items) => match (random.below(4), items.first().cloned()) {
            (0, Some(first)) => items.push(first),
            (1, _) => drop(items.pop()),
            (_, Some(_)) => {
                let place = random.below(items.len());
                changed(&mut items[place], pool, random);
            }
            _ => {}
        },
        Value::String(text) => {
            *text = match random.below(8) {
                0 => text.to_uppercase(),
                1 => text.to_lowercase(),
                2 => format!(" {text}\t"),
                3 => text.replace('-', " "),
                4 => text.split(' ').next().unwrap_or_default().to_owned(),
                5 => format!("{text}{text}"),
                _ => pool[random.below(pool.len())].clone(),
            }
        }
        Value::Number(_) => {
            let numbers = [i64::MIN, -101, -1, 0, 1, 2, 8, 9, 40, 41, 200, 201, 10_000, 10_001, i64::MAX];
            *value = numbers[random.below(numbers.len())].into();
        }
        _ => {}
    }
}

/// Complete, for calls that nobody made: those of the menu, changed once or twice, and several of one tool put together.
fn check_apart(state: &State, seat: Seat, menu: &[Legal], random: &mut Random, tried: &mut Tried) {
    let pool = pool(state);
    let mut apart: Vec<(&str, Value)> = Vec::new();
    for one in menu {
        for mut call in chosen(&one.schema, random, 1) {
            (0..=random.below(2)).for_each(|_| changed(&mut call, &pool, random));
            apart.push((one.tool, call));
        }
    }
    let joined: Vec<(&str, Value)> =
        apart.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(join).collect();
    for tool in TOOLS.iter().filter(|tool| tool.is_offered(state, seat)) {
        apart.push((tool.name, drawn(&tool.spec().schema, &pool, random)));
    }
    for (tool, call) in apart.into_iter().chain(joined) {
        let arguments = call.to_string();
        if decide(state, seat, tool, &arguments).is_ok() {
            tried.count(tool, 2);
            check_complete(state, seat, tool, &arguments);
        }
    }
}

/// Two calls of one tool as one: lists one after the other, of other members the second's.
fn join(pair: &[(&'static str, Value)]) -> (&'static str, Value) {
    let empty = Map::new();
    let mut all = pair[0].1.as_object().unwrap_or(&empty).clone();
    for (name, value) in pair[1].1.as_object().unwrap_or(&empty) {
        match (all.get_mut(name), value) {
            (Some(Value::Array(before)), Value::Array(more)) => before.extend(more.iter().cloned()),
            _ => drop(all.insert(name.clone(), value.clone())),
        }
    }
    (pair[0].0, all.into())
}

/// Arguments that know nothing of the menu.
fn drawn(schema: &str, pool: &[String], random: &mut Random) -> Value {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let mut call = Map::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let is_required = schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|all| all.iter().any(|one| one == name));
        if !is_required && random.below(3) > 0 {
            continue;
        }
        let value = match (property["type"].as_str().unwrap(), property.get("enum")) {
            (_, Some(Value::Array(values))) => values[random.below(values.len())].clone(),
            ("integer", _) => ([-1, 0, 1, 40, 41][random.below(5)]).into(),
            ("boolean", _) => true.into(),
            ("array", _) => json!([pool[random.below(pool.len())]]),
            _ => pool[random.below(pool.len())].clone().into(),
        };
        call.insert(name.clone(), value);
    }
    call.into()
}

/// Both laws over a campaign, at one of `every` turns; completeness of what it accepted, at all of them.
fn laws(played: &Played, (first, every): (u32, u32), random: &mut Random) -> Tried {
    let mut tried = Tried::default();
    let entries: Vec<_> = entries(played.source()).unwrap().map(Result::unwrap).collect();
    let charter = entries.iter().find_map(|entry| match &entry.input {
        Input::OpeningAsked(word) => Some(word.charter.clone()),
        _ => None,
    });
    let setup = played.session.campaign().state().shared_setup();
    let mut campaign = Campaign::new(charter.unwrap(), setup).unwrap();
    let mut last = (0, false, false);
    for entry in &entries {
        accepted(&campaign, entry, &mut tried);
        campaign.fold(entry).unwrap();
        let state = campaign.state();
        // A dialogue or a combat that begins within a turn is a moment of its own.
        let now = (state.turn().number, state.dialogue().is_some(), state.combat().is_some());
        if now == last || now.0 % every != first % every {
            continue;
        }
        last = now;
        laws_at(state, random, &mut tried);
    }
    tried
}

/// What an entry accepted was on the menu of the state just before it.
fn accepted(campaign: &Campaign, entry: &twicetold_event::Entry, tried: &mut Tried) {
    let is_accepted = |event: &Event| matches!(event, Event::ToolAccepted(_));
    let Input::ModelReplied(word) = &entry.input else { return };
    let Some(pending) = campaign.state().calls().pending.clone() else { return };
    if !entry.events.iter().any(is_accepted) {
        return;
    }
    let reply = campaign.wire(pending.seat).decode(&word.body).expect("a reply of which a call was accepted");
    let mut state = campaign.state().clone();
    state.receive(entry.header.at, &entry.input);
    for (number, event) in entry.numbered() {
        if let Event::ToolAccepted(accepted) = event {
            let arguments = &reply.tool_calls[usize::from(accepted.index)].arguments;
            tried.count(&accepted.tool, 1);
            check_complete(&state, pending.seat, &accepted.tool, arguments);
        }
        evolve(&mut state, number, entry.header.at, event);
    }
}

/// Both laws at one moment, for every seat.
fn laws_at(state: &State, random: &mut Random, tried: &mut Tried) {
    for seat in std::iter::once(Seat::Dm).chain(state.setup().players()).chain([Seat::Memory]) {
        let menu = menu(state, seat);
        check_sound(state, seat, &menu, random, tried);
        check_apart(state, seat, &menu, random, tried);
    }
}

#[test]
fn the_menu_lists_what_is_accepted_and_nothing_else() {
    // Most of the time goes into playing the campaigns, two of three with every vice: five short ones, unless more are asked for.
    let (count, every) = asked_for().map_or((6, 32), |count| (count, 4));
    let is_long =
        |seed: usize| ["the-weir-book", "the-bell-road"].contains(&CAMPAIGNS[seed % CAMPAIGNS.len()]);
    let all = Mutex::new(Tried::default());
    let moments = Moments::played();
    let fights = moments.fighters.iter().map(|(state, _)| state).chain([&moments.foes_turn]);
    // Few campaigns have a fight, and a fight has few calls.
    for (state, seed) in fights.clone().flat_map(|state| [(state, 1), (state, 2), (state, 3)]) {
        laws_at(state, &mut Random(seed), &mut all.lock().unwrap());
    }
    for state in
        fights.chain([&moments.session_zero, &moments.narrative, &moments.somebody_down, &moments.dialogue])
    {
        laws_at(state, &mut Random(7), &mut all.lock().unwrap());
    }
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= count {
                return;
            }
            if is_long(seed) && asked_for().is_none() {
                continue;
            }
            let game = Game::of(CAMPAIGNS[seed % CAMPAIGNS.len()], 40_000 + seed as u64);
            let played = if seed.is_multiple_of(3) { game.improvised() } else { game.chaotic() };
            // Another campaign is looked at in other turns.
            let tried = laws(&played, (seed as u32 / 4, every), &mut Random(seed as u64));
            all.lock().unwrap().add(tried);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let all = all.into_inner().unwrap().0;
    for tool in TOOLS {
        let counts = all.get(tool.name).copied().unwrap_or_default();
        println!("{:24} {counts:?}", tool.name);
        // A few campaigns do not use every tool by themselves.
        assert!(counts[0] > 0 && counts[1] + counts[2] > 0, "{}: {counts:?}", tool.name);
        assert!(asked_for().is_none() || (counts[1] > 0 && counts[2] > 0), "{}: {counts:?}", tool.name);
    }
}
