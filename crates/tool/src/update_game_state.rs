//! `update_game_state`: every field given becomes its own event, all or none.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::*;
use twicetold_world::setup::NpcSpec;
use twicetold_world::{State, fold};

use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, character, clean, narrating, npc, text,
};

/// Entries of one list: more is a novel, not an update.
const LIST_MAX: usize = 20;
/// Pieces of one kind that a character may carry.
const QUANTITY_MAX: i64 = 10_000;
/// Gold of a character, and experience of the party.
const WEALTH_MAX: i64 = 10_000_000;

pub(crate) struct UpdateGameState;

/// Something that a character gains or loses.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ItemChange {
    /// The party's character.
    character: String,
    /// The item's name.
    item: String,
    /// How many; 1 when left out.
    quantity: Option<i64>,
}

/// A change of a number.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumberChange {
    /// The party's character.
    character: String,
    /// The change: negative takes away.
    amount: i64,
}

/// A condition of a character.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionChange {
    /// The party's character.
    character: String,
    /// The condition, for example frightened.
    condition: String,
}

/// A note of the DM's own.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flag {
    /// Its name.
    name: String,
    /// Its value.
    value: String,
}

/// Arguments of `update_game_state`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Where the party is now.
    location: Option<String>,
    /// The time of day now.
    time_of_day: Option<String>,
    /// The scene now, in one sentence.
    scene: Option<String>,
    /// What the party wants now.
    objective: Option<String>,
    /// What characters gained.
    inventory_add: Option<Vec<ItemChange>>,
    /// What characters lost or used up.
    inventory_remove: Option<Vec<ItemChange>>,
    /// Wounds (negative) and healing.
    hp_delta: Option<Vec<NumberChange>>,
    /// Gold gained or spent.
    gold_delta: Option<Vec<NumberChange>>,
    /// Experience that the whole party gained.
    xp_gained: Option<i64>,
    /// Conditions that began.
    conditions_add: Option<Vec<ConditionChange>>,
    /// Conditions that ended.
    conditions_remove: Option<Vec<ConditionChange>>,
    /// Notes for yourself.
    flags_set: Option<Vec<Flag>>,
    /// Names of notes to strike out.
    flags_delete: Option<Vec<String>>,
    /// Something worth remembering for a while.
    notable_event: Option<String>,
    /// Things worth remembering for ever: alliances, discoveries, promises. The whole table knows them from then on.
    important_events: Option<Vec<String>>,
    /// A turning point of the story.
    milestone: Option<String>,
    /// What somebody asked of the party.
    quests_added: Option<Vec<String>>,
    /// Which of those are done.
    quests_completed: Option<Vec<String>>,
    /// Ids or names of people whom the party met; create_supporting_npc brings in those who have none.
    npcs_met: Option<Vec<String>>,
}

impl Definition for UpdateGameState {
    const NAME: &'static str = "update_game_state";
    const DESCRIPTION: &'static str = "Record what changed in the world: place, time, wounds, gold, things, people met, events worth remembering. Prose alone changes nothing.";
    const FOLLOW: Follow = Follow::Continues;
    const ADDS_UP: bool = true;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let mut update = Update { state, events: Vec::new(), pending: BTreeMap::new() };
        update.world(&arguments)?;
        update.things(&arguments)?;
        update.numbers(&arguments)?;
        update.conditions(&arguments)?;
        update.memory(&arguments)?;
        if update.events.is_empty() {
            return Err(Rejection::new("nothing_to_update"));
        }
        Ok(Accepted { checks: Vec::new(), events: update.events })
    }
}

/// Builds the events; the first rejection throws all of them away.
struct Update<'a> {
    state: &'a State,
    events: Vec<Event>,
    /// Numbers as they will be after the events so far: two changes in one call add up.
    pending: BTreeMap<(&'static str, String), i64>,
}

impl Update<'_> {
    fn push(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    fn text_field<E: Into<Event>>(
        &mut self,
        field: &'static str,
        value: &Option<String>,
        event: fn(String) -> E,
    ) -> Result<(), Rejection> {
        if let Some(value) = value {
            let words = text(self.state, field, value)?;
            self.push(event(words));
        }
        Ok(())
    }

    fn text_list<E: Into<Event>>(
        &mut self,
        field: &'static str,
        values: &Option<Vec<String>>,
        event: fn(String) -> E,
    ) -> Result<(), Rejection> {
        for value in list(field, values)? {
            let words = text(self.state, field, value)?;
            self.push(event(words));
        }
        Ok(())
    }

    fn world(&mut self, arguments: &Arguments) -> Result<(), Rejection> {
        self.text_field("location", &arguments.location, |text| LocationChanged { text })?;
        self.text_field("time_of_day", &arguments.time_of_day, |text| TimeOfDayChanged { text })?;
        self.text_field("scene", &arguments.scene, |text| SceneChanged { text })?;
        self.text_field("objective", &arguments.objective, |text| ObjectiveSet { text })
    }

    fn things(&mut self, arguments: &Arguments) -> Result<(), Rejection> {
        for change in list("inventory_add", &arguments.inventory_add)? {
            let (name, item, quantity) = self.item(change)?;
            let held = self.held(&name, &item);
            let kinds_max = self.state.setup().limits.inventory_kinds_max as usize;
            let kinds =
                self.state.character_named(&name).map_or(0, |(_, character)| character.inventory.len());
            if held == 0 && kinds >= kinds_max {
                let rejection = Rejection::new("inventory_kinds_max").with("carrier", name);
                return Err(rejection.with("kinds", kinds).with("most", kinds_max));
            }
            self.pending.insert(("item", format!("{name}/{}", fold(&item))), held + quantity);
            self.push(ItemAdded { character: name, item, quantity: quantity as u32 });
        }
        for change in list("inventory_remove", &arguments.inventory_remove)? {
            let (name, item, quantity) = self.item(change)?;
            let held = self.held(&name, &item);
            if held == 0 {
                let rejection = Rejection::new("item_not_there").with("character", name);
                return Err(rejection.quoting("item", &item, 60));
            }
            let applied = quantity.min(held);
            self.pending.insert(("item", format!("{name}/{}", fold(&item))), held - applied);
            self.push(ItemRemoved { character: name, item, asked: quantity as u32, applied: applied as u32 });
        }
        Ok(())
    }

    fn item(&self, change: &ItemChange) -> Result<(String, String, i64), Rejection> {
        let (_, character) = character(self.state, &change.character)?;
        let item = text(self.state, "item", &change.item)?;
        let quantity = change.quantity.unwrap_or(1);
        if !(1..=QUANTITY_MAX).contains(&quantity) {
            let rejection = Rejection::new("quantity_out_of_range").with("quantity", quantity);
            return Err(rejection.with("most", QUANTITY_MAX));
        }
        Ok((character.sheet.name.clone(), item, quantity))
    }

    fn held(&self, name: &str, item: &str) -> i64 {
        let key = ("item", format!("{name}/{}", fold(item)));
        self.pending.get(&key).copied().unwrap_or_else(|| {
            let character = self.state.character_named(name).map(|(_, character)| character);
            character
                .and_then(|character| character.inventory.get(&fold(item)))
                .map_or(0, |kept| i64::from(kept.1))
        })
    }

    fn numbers(&mut self, arguments: &Arguments) -> Result<(), Rejection> {
        for change in list("hp_delta", &arguments.hp_delta)? {
            let (_, found) = character(self.state, &change.character)?;
            let (name, most) = (found.sheet.name.clone(), i64::from(found.sheet.hit_points));
            let (applied, now) = self.clamp("hp", &name, found.hit_points, change.amount, most);
            self.push(HitPointsChanged { character: name, asked: change.amount, applied, now });
        }
        for change in list("gold_delta", &arguments.gold_delta)? {
            let (_, found) = character(self.state, &change.character)?;
            let name = found.sheet.name.clone();
            let (applied, now) = self.clamp("gold", &name, found.gold, change.amount, WEALTH_MAX);
            self.push(GoldChanged { character: name, asked: change.amount, applied, now });
        }
        if let Some(asked) = arguments.xp_gained {
            let before = self.state.facts().experience;
            let now = before.saturating_add(asked.max(0)).min(WEALTH_MAX);
            self.push(ExperienceGained { asked, applied: now - before, now });
        }
        Ok(())
    }

    /// The change that is made and the number after it: never below zero, never above `most`.
    fn clamp(&mut self, what: &'static str, name: &str, current: i64, amount: i64, most: i64) -> (i64, i64) {
        let key = (what, name.to_owned());
        let before = self.pending.get(&key).copied().unwrap_or(current);
        let now = before.saturating_add(amount).clamp(0, most.max(before));
        self.pending.insert(key, now);
        (now - before, now)
    }

    fn conditions(&mut self, arguments: &Arguments) -> Result<(), Rejection> {
        for change in list("conditions_add", &arguments.conditions_add)? {
            let (_, found) = character(self.state, &change.character)?;
            let condition = fold(&text(self.state, "condition", &change.condition)?);
            self.push(ConditionAdded { character: found.sheet.name.clone(), condition });
        }
        for change in list("conditions_remove", &arguments.conditions_remove)? {
            let (_, found) = character(self.state, &change.character)?;
            let condition = fold(&text(self.state, "condition", &change.condition)?);
            if !found.conditions.contains_key(&condition) {
                let rejection = Rejection::new("condition_not_there").with("name", &found.sheet.name);
                return Err(rejection.quoting("condition", &condition, 60));
            }
            self.push(ConditionRemoved { character: found.sheet.name.clone(), condition });
        }
        for flag in list("flags_set", &arguments.flags_set)? {
            let (name, value) = (fold(&text(self.state, "name", &flag.name)?), clean(&flag.value));
            self.push(FlagSet { flag: name, value });
        }
        for flag in list("flags_delete", &arguments.flags_delete)? {
            let name = fold(flag);
            if !self.state.facts().flags.contains_key(&name) {
                return Err(Rejection::new("flag_not_there").quoting("flag", &name, 60));
            }
            self.push(FlagDeleted { flag: name });
        }
        Ok(())
    }

    fn memory(&mut self, arguments: &Arguments) -> Result<(), Rejection> {
        self.text_field("notable_event", &arguments.notable_event, |text| NotableEventRecorded { text })?;
        self.text_list("important_events", &arguments.important_events, |text| ImportantEventRecorded {
            text,
        })?;
        self.text_field("milestone", &arguments.milestone, |text| MilestoneReached { text })?;
        self.text_list("quests_added", &arguments.quests_added, |text| QuestAdded { text })?;
        for quest in list("quests_completed", &arguments.quests_completed)? {
            let wanted = fold(quest);
            let quests = &self.state.facts().quests;
            let Some((_, known, _)) = quests.iter().find(|(_, known, _)| fold(known) == wanted) else {
                let open: Vec<&str> =
                    quests.iter().filter(|quest| !quest.2).map(|quest| quest.1.as_str()).collect();
                let rejection = Rejection::new("unknown_quest").quoting("quest", quest, 80);
                return Err(rejection.with("open", open.join("; ")));
            };
            let text = known.clone();
            self.push(QuestCompleted { text });
        }
        for name in list("npcs_met", &arguments.npcs_met)? {
            let (npc, name) = self.met(name)?;
            let is_known = |event: &Event| matches!(event, Event::NpcMet(word) if word.npc == npc);
            if !self.events.iter().any(is_known) {
                self.push(NpcMet { npc, name });
            }
        }
        Ok(())
    }

    /// Somebody by id or name: one of the encounter's people, or one who came up before.
    fn met(&self, named: &str) -> Result<(String, String), Rejection> {
        let written = text(self.state, "npcs_met", named)?;
        let is_meant = |npc: &&NpcSpec| npc.id == written || fold(npc.name()) == fold(&written);
        let listed = self.state.encounter_spec().and_then(|spec| spec.npcs.iter().find(is_meant));
        if let Some(listed) = listed {
            return Ok((listed.id.clone(), listed.name().to_owned()));
        }
        npc(self.state, &written).map(|known| (known.id.clone(), known.name.clone()))
    }
}

fn list<'a, T>(field: &'static str, values: &'a Option<Vec<T>>) -> Result<&'a [T], Rejection> {
    let values = values.as_deref().unwrap_or_default();
    if values.len() > LIST_MAX {
        let rejection = Rejection::new("list_too_long").with("field", field);
        return Err(rejection.with("entries", values.len()).with("most", LIST_MAX));
    }
    Ok(values)
}
