//! `ability_check`: a character tries something uncertain.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{AbilityChecked, Event, Holder, ItemAdded, ItemExchanged, ItemRemoved, Seat};
use twicetold_world::setup::{CheckSpec, Success};
use twicetold_world::{State, Turn};

use crate::dice::thrown;
use crate::effects::{pack_dice, thrown_for};
use crate::exchange_item::has_room;
use crate::menu::{Form, abilities, ability_name, bare, call, checks, number, one_of, words};
use crate::roll_dice::{rolled_for, roller, roller_names, rollers};
use crate::stream::{self, Throw};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, character, clean, is_asked_once, telling,
    text, unknown_character,
};

/// No check needs more; higher numbers are nobody's to reach.
pub(crate) const DIFFICULTY_MAX: i32 = 40;

pub(crate) struct AbilityCheck;

/// Arguments of `ability_check`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    character: String,
    /// Without check: for example DEX.
    ability: Option<String>,
    /// For the DM, without check.
    difficulty: Option<i32>,
    /// One of this encounter's checks.
    check: Option<String>,
    /// What is tried.
    reason: String,
}

impl Definition for AbilityCheck {
    const NAME: &'static str = "ability_check";
    const DESCRIPTION: &'static str =
        "Let a character try something uncertain. The engine rolls; tell it as it falls.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        telling(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let name = roller(state, caller, Some(&arguments.character))?;
        if name.is_empty() {
            return Err(unknown_character(state, ""));
        }
        let (seat, character) = character(state, &name)?;
        let reason = text(state, "reason", &arguments.reason)?;
        let spec = meant_check(state, &arguments)?;
        if let Some(spec) = spec.filter(|spec| is_untold(state, &name, &spec.name)) {
            let rejection = Rejection::new("check_untold").with("character", &name);
            return Err(rejection.with("check", &spec.name));
        }
        if let Some(spec) = spec.filter(|spec| is_passed(state, caller.seat, &spec.name)) {
            return Err(Rejection::new("check_passed").with("check", &spec.name));
        }
        let asked = spec.map(|spec| spec.ability.as_str()).or_else(|| asked_ability(state, &arguments));
        let rules = &state.setup().rules;
        let known = || rules.pack.abilities.names.join(", ");
        let Some(asked) = asked else {
            return Err(Rejection::new("ability_missing").with("known", known()));
        };
        let Some(ability) = rules.ability_index(asked) else {
            let rejection = Rejection::new("unknown_ability").quoting("ability", asked, 40);
            return Err(rejection.with("known", known()));
        };
        // How hard something is, the DM and the encounter say; what a player thinks of it counts for nothing.
        let thought = arguments.difficulty.filter(|_| caller.seat == Seat::Dm);
        let difficulty = match (spec, thought) {
            (Some(spec), _) => spec.difficulty,
            (None, Some(difficulty)) if (1..=DIFFICULTY_MAX).contains(&difficulty) => difficulty,
            (None, Some(difficulty)) => {
                let rejection = Rejection::new("difficulty_out_of_range").with("difficulty", difficulty);
                return Err(rejection.with("most", DIFFICULTY_MAX));
            }
            (None, None) if caller.seat == Seat::Dm => {
                return Err(Rejection::new("difficulty_missing"));
            }
            (None, None) => rules.pack.check.difficulties.get("moderate").copied().unwrap_or(12),
        };
        let checked = rolled(state, (seat, character), spec, ability, difficulty, reason)?;
        let harm = spec.filter(|_| !checked.success).and_then(|spec| Some((spec, spec.harm.as_deref()?)));
        let things =
            spec.filter(|_| checked.success).map_or_else(Vec::new, |spec| things(state, spec, &name));
        let mut accepted = Accepted::one(checked);
        accepted.events.extend(things);
        if let Some((spec, harm)) = harm {
            let throw = Throw::Harm(&spec.name);
            accepted.events.extend(thrown_for(state, character, throw, (harm, -1), spec.name.clone())?);
        }
        Ok(accepted)
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let tries = |who| Form::new().must("character", who).must("reason", words(state));
        let is_found = |name: &&String| {
            named_check(state, Some(name)).is_ok_and(|found| found.is_some_and(|found| found.name == **name))
        };
        let checks = checks(state).iter().map(|check| &check.name).filter(is_found);
        let checks: Vec<&String> = checks.filter(|check| !is_passed(state, seat, check)).collect();
        let difficulty = number(1, i64::from(DIFFICULTY_MAX));
        let free = tries(rollers(state, seat)).must("ability", one_of(abilities(state)));
        let free = match seat {
            Seat::Dm => free.must("difficulty", difficulty),
            _ => free,
        };
        // Each has tried other ones.
        let named = roller_names(state, seat).map(|who| {
            let open = checks.iter().copied().filter(|check| !is_untold(state, who, check));
            tries(one_of([who])).must("check", one_of(open))
        });
        named.chain([free]).collect()
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let character = rolled_for(state, seat, &arguments.character);
        let reason = clean(&arguments.reason);
        if let Ok(Some(check)) = meant_check(state, &arguments) {
            return vec![json!({"character": character, "check": check.name, "reason": reason})];
        }
        let ability = asked_ability(state, &arguments);
        let difficulty = arguments.difficulty.filter(|_| seat == Seat::Dm);
        let check = bare(arguments.check.as_deref()).filter(|check| ability != Some(check));
        let ability = ability.map(|name| ability_name(state, name));
        vec![call(json!({
            "character": character, "check": check, "ability": ability, "difficulty": difficulty, "reason": reason,
        }))]
    }
}

/// Has this character just tried it, and has nobody told yet how it fell? Dice are not thrown until they please.
pub(crate) fn is_untold(state: &State, character: &str, check: &str) -> bool {
    let recent = state.encounter().map_or(&[][..], |encounter| &encounter.recent_checks);
    recent.iter().any(|(_, word)| word.character == character && word.check == check)
}

/// What changes hands where a check passes for the first time, as the encounter has it: what its winner comes by, and what the party lets go
/// of. Nothing happens to what is not there to be given, and to what nobody has room for.
fn things(state: &State, spec: &CheckSpec, winner: &str) -> Vec<Event> {
    if state.encounter().is_some_and(|encounter| encounter.achieved.contains_key(&spec.name)) {
        return Vec::new();
    }
    let named = |thing: &str| {
        let known = state.setup().rules.items.iter().find(|item| item.id == thing);
        known.map_or(thing, |item| item.name.as_str()).to_owned()
    };
    let carrier = |item: &str| state.characters().values().find(|one| one.inventory.get(item).is_some());
    let (gained, given) = (named(&spec.gains), named(&spec.gives));
    let receiver = Holder::Character(winner.to_owned());
    // Whoever has stayed behind in an earlier encounter gives it only where nobody here can.
    let here = state.encounter().map_or("", |encounter| &encounter.id);
    let carriers = state.npcs().all().filter(|npc| npc.inventory.get(&gained).is_some());
    let giver = carriers.min_by_key(|npc| npc.encounter != here);
    // What lay somewhere lies there once.
    let is_there = giver.is_some() || carrier(&gained).is_none();
    let is_free = !gained.is_empty() && is_there && has_room(state, &receiver, &gained).is_ok();
    let gained = is_free.then(|| match giver {
        Some(npc) => exchange(&gained, Holder::Npc(npc.id.clone()), receiver),
        None => ItemAdded { character: winner.to_owned(), item: gained, quantity: 1 }.into(),
    });
    let given = carrier(&given).filter(|_| !given.is_empty()).map(|one| {
        let character = one.sheet.name.clone();
        let person = spec.person.as_deref().and_then(|person| state.npcs().get(person));
        match person.map(|npc| Holder::Npc(npc.id.clone())) {
            Some(receiver) => exchange(&given, Holder::Character(character), receiver),
            None => ItemRemoved { character, item: given.clone(), asked: 1, applied: 1 }.into(),
        }
    });
    gained.into_iter().chain(given).collect()
}

fn exchange(item: &str, giver: Holder, receiver: Holder) -> Event {
    ItemExchanged { item: item.to_owned(), quantity: 1, giver, receiver }.into()
}

/// Has this check of the encounter passed, and is to be asked whether somebody rolls for it all the same?
fn is_passed(state: &State, seat: Seat, check: &str) -> bool {
    let has_passed = state.encounter().is_some_and(|encounter| encounter.achieved.contains_key(check));
    has_passed && is_asked_once(state, seat, &Turn::warning("check_passed", check))
}

/// The check that is named. Where none is, the only one whose name stands in what is tried, unless another ability than its own is
/// asked for: small models write it there. Where no ability is asked for either, the one that what is tried speaks of most.
fn meant_check<'a>(state: &'a State, arguments: &Arguments) -> Result<Option<&'a CheckSpec>, Rejection> {
    let asked = asked_ability(state, arguments);
    if asked != bare(arguments.check.as_deref())
        && let Some(check) = named_check(state, arguments.check.as_deref())?
    {
        return Ok(Some(check));
    }
    let index = |name: &str| state.setup().rules.ability_index(name);
    let tried = arguments.reason.to_ascii_lowercase();
    let mut named = checks(state).iter().filter(|check| {
        let is_meant = asked.is_none_or(|asked| index(asked) == index(&check.ability));
        is_meant && tried.contains(&check.name.to_ascii_lowercase())
    });
    match (named.next(), named.next()) {
        (None, _) => Ok(most_alike(state, &tried).filter(|_| asked.is_none())),
        (Some(check), None) => Ok(Some(check)),
        // Which of them?
        (Some(_), Some(_)) => Ok(None),
    }
}

/// So many words of a check's name, and more than half of them, must be said for it to be meant.
const WORDS_MIN: usize = 2;
/// Shorter words say nothing.
const LETTERS_MIN: usize = 4;

/// The check that these words speak of more than of any other: small models name a check as they like.
fn most_alike<'a>(state: &'a State, said: &str) -> Option<&'a CheckSpec> {
    let telling = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| word.chars().count() >= LETTERS_MIN);
        words.map(str::to_lowercase).collect()
    };
    // "Follows" is "follow", and "reed" is "reeds".
    let is_like = |one: &str, other: &str| {
        let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
        long.starts_with(short) && long.len() - short.len() <= 2
    };
    let said = telling(said);
    let alike = |check: &'a CheckSpec| {
        let name = telling(&check.name);
        let found = name.iter().filter(|word| said.iter().any(|other| is_like(word, other))).count();
        (found >= WORDS_MIN && found * 2 > name.len()).then_some((found, check))
    };
    let mut alike: Vec<_> = checks(state).iter().filter_map(alike).collect();
    alike.sort_by_key(|(found, _)| std::cmp::Reverse(*found));
    match alike.as_slice() {
        [(_, check)] => Some(check),
        [(most, check), (next, _), ..] if most > next => Some(check),
        _ => None,
    }
}

/// The ability that is asked for. Small models write it as a check, too.
fn asked_ability<'a>(state: &State, arguments: &'a Arguments) -> Option<&'a str> {
    let is_one = |name: &&str| state.setup().rules.ability_index(name).is_some();
    bare(arguments.ability.as_deref()).or_else(|| bare(arguments.check.as_deref()).filter(is_one))
}

fn named_check<'a>(state: &'a State, name: Option<&str>) -> Result<Option<&'a CheckSpec>, Rejection> {
    let Some(name) = bare(name) else { return Ok(None) };
    let checks = checks(state);
    let found = checks.iter().find(|check| check.name.eq_ignore_ascii_case(name));
    found.or_else(|| most_alike(state, name)).map(Some).ok_or_else(|| {
        let known: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
        Rejection::new("unknown_check").quoting("check", name, 80).with("known", known.join("; "))
    })
}

fn rolled(
    state: &State,
    (seat, character): (Seat, &twicetold_world::Character),
    spec: Option<&CheckSpec>,
    ability: usize,
    difficulty: i32,
    reason: String,
) -> Result<AbilityChecked, Rejection> {
    let setup = state.setup();
    let rule = &setup.rules.pack.check;
    let dice = pack_dice(state, &rule.dice)?;
    let name = character.sheet.name.clone();
    let named = setup.rules.pack.abilities.names.get(ability).cloned().unwrap_or_default();
    let what = spec.map_or(named.as_str(), |spec| spec.name.as_str());
    let stream = Throw::Check(what).of(&stream::seat(seat));
    let counter = state.dice_counter(&stream);
    let faces = thrown(setup, &stream, counter, dice);
    let score = character.sheet.abilities.get(ability).copied().unwrap_or_default();
    let modifier = setup.rules.modifier(score);
    let total = faces.iter().map(|face| i32::from(*face)).sum::<i32>() + dice.modifier + modifier;
    let success = match rule.success {
        Success::TotalAtLeastDifficulty => total >= difficulty,
        Success::TotalAtMostDifficulty => total <= difficulty,
    };
    Ok(AbilityChecked {
        character: name,
        check: spec.map(|spec| spec.name.clone()).unwrap_or_default(),
        ability: named,
        stream,
        counter,
        faces,
        modifier,
        total,
        difficulty,
        success,
        reason,
    })
}
