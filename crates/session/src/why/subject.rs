//! What a person asks about, and the number of the event that answers.

use std::rc::Rc;

use twicetold_event::{Entry, Event, Number, Section};
use twicetold_world::{Npc, State, fold};

use super::{Explainer, rejected};
use crate::LoadError;

/// What can be asked about by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// How one of the DM's characters came to be.
    Npc(String),
    /// Why somebody has, or had, a thing.
    Item(String),
    /// The newest version of a section of the party document.
    Party(Section),
    /// The last change of somebody's hit points.
    HitPoints(String),
    /// The last change of somebody's gold.
    Gold(String),
    /// The last change of the trust that one of the DM's characters has in the party.
    Trust(String),
    /// Why somebody spoke at a number.
    Speaker(Number),
    /// The answer to the call that was requested or answered at a number.
    Reply(Number),
    /// The rejection at a number, or the last one before it.
    Rejection(Number),
}

impl Explainer<'_> {
    /// The number of the event that answers for a subject; none when nothing in the journal does.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn number_of(&self, subject: &Subject) -> Result<Option<Number>, LoadError> {
        self.number_until(subject, Number(self.campaign.next().0.saturating_sub(1)))
    }

    /// The same of what lies at a number or before it.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn number_until(&self, subject: &Subject, end: Number) -> Result<Option<Number>, LoadError> {
        let state = self.campaign.state();
        match subject {
            Subject::Npc(name) => {
                let id = named(state, name).map_or(name.as_str(), |npc| npc.id.as_str());
                let entered = state.npcs().get(id).map_or(end, |npc| npc.entered.0);
                let created = self.find(entered, |event| match event {
                    Event::CharacterCreated(word) => word.npc == id,
                    Event::SupportingNpcCreated(word) => word.npc == id,
                    Event::NpcCarried(word) => word.npc == id,
                    _ => false,
                })?;
                if created.is_some() {
                    return Ok(created);
                }
                // One of an encounter's own was there from its beginning; when the party met them is what was decided.
                match self.find(end, |event| matches!(event, Event::NpcMet(word) if word.npc == id))? {
                    Some(met) => Ok(Some(met)),
                    None => self.of_encounter(state, id),
                }
            }
            Subject::Item(name) => {
                let name = fold(name);
                let found = self.find(end, |event| concerns_item(state, event, &name))?;
                Ok(found.or_else(|| owned_from_the_beginning(state, &name).filter(|number| *number <= end)))
            }
            Subject::Party(section) => Ok(state.document().sections.get(section).map(|text| text.changed().0)),
            Subject::HitPoints(name) => self.change(state, end, name, |event, who| match event {
                Event::HitPointsChanged(word) => word.character == who.character && word.applied != 0,
                Event::CharacterRecovered(word) => word.character == who.character,
                Event::NpcHitPointsChanged(word) => word.npc == who.npc && word.applied != 0,
                Event::FoeHitPointsChanged(word) => word.foe == who.npc && word.applied != 0,
                _ => false,
            }),
            Subject::Gold(name) => self.change(
                state,
                end,
                name,
                |event, who| matches!(event, Event::GoldChanged(word) if word.character == who.character && word.applied != 0),
            ),
            Subject::Trust(name) => self.change(
                state,
                end,
                name,
                |event, who| matches!(event, Event::TrustChanged(word) if word.npc == who.npc && word.applied != 0),
            ),
            Subject::Speaker(number) => self.find(*number, |event| matches!(event, Event::SpeakerChosen(_))),
            Subject::Reply(number) => self.reply_at(*number),
            Subject::Rejection(number) => self.rejection_at(*number),
        }
    }

    fn find(&self, from: Number, is_meant: impl Fn(&Event) -> bool) -> Result<Option<Number>, LoadError> {
        let end = Number(self.campaign.next().0.saturating_sub(1));
        Ok(self.cursor.last(from.min(end), is_meant)?.map(|(number, _)| number))
    }

    /// The last event that changed somebody, or that brought them in: what was never changed is as it was then.
    fn change(
        &self,
        state: &State,
        end: Number,
        name: &str,
        is_meant: impl Fn(&Event, &Who) -> bool,
    ) -> Result<Option<Number>, LoadError> {
        let npc = named(state, name);
        let character = state.character_named(name).map(|(_, character)| character);
        let last = match character {
            // Nothing that concerns a character lies after what the state names as its last change.
            Some(character) => character.changed.0.max(character.accepted.0),
            // One of the DM's may have been a foe meanwhile, and foes may be nobody in particular.
            None => end,
        };
        let who = Who {
            npc: npc.map_or_else(|| fold(name).replace(' ', "-"), |npc| npc.id.clone()),
            character: character.map(|character| character.sheet.name.clone()).unwrap_or_default(),
        };
        let begins = |event: &Event| match event {
            Event::CharacterAccepted(word) => word.sheet.name == who.character,
            Event::CharacterCreated(word) => word.npc == who.npc,
            Event::SupportingNpcCreated(word) => word.npc == who.npc,
            Event::NpcCarried(word) => word.npc == who.npc,
            _ => false,
        };
        let found = self.find(last.min(end), |event| is_meant(event, &who) || begins(event))?;
        match (found, npc) {
            (None, Some(npc)) => self.of_encounter(state, &npc.id),
            (found, _) => Ok(found),
        }
    }

    /// The beginning of the encounter whose specification has this character.
    fn of_encounter(&self, state: &State, id: &str) -> Result<Option<Number>, LoadError> {
        match state.npcs().get(id) {
            Some(npc) => self.find(npc.entered.0, |event| matches!(event, Event::EncounterBegan(_))),
            None => Ok(None),
        }
    }

    /// The rejection at a number, or the last one before it; the number of an input stands for what came of it.
    fn rejection_at(&self, number: Number) -> Result<Option<Number>, LoadError> {
        if let Some(entry) = self.cursor.entry(number)?.filter(|entry| entry.header.first == number)
            && let Some((first, _)) = entry.numbered().find(|(_, event)| rejected::rejects(event))
        {
            return Ok(Some(first));
        }
        self.find(number, rejected::rejects)
    }

    /// The first thing that came of an answer.
    fn reply_at(&self, number: Number) -> Result<Option<Number>, LoadError> {
        Ok(self.answer_at(number)?.map(|entry| entry.header.first.plus(1)))
    }

    /// The answer to the call that was requested or answered at a number.
    pub(super) fn answer_at(&self, number: Number) -> Result<Option<Rc<Entry>>, LoadError> {
        let Some(entry) = self.cursor.entry(number)? else { return Ok(None) };
        let asked = entry.numbered().find_map(|(at, event)| match event {
            Event::ModelCallRequested(word) if at == number => Some(word.call),
            _ => None,
        });
        match asked.or(entry.input.call()) {
            Some(call) => self.cursor.answer(call),
            None => Ok(None),
        }
    }
}

/// Somebody by the names that events have for them; empty where they have none of that kind.
struct Who {
    npc: String,
    character: String,
}

/// One of the DM's characters, by id or by name in any case.
fn named<'s>(state: &'s State, name: &str) -> Option<&'s Npc> {
    state.npcs().get(name).or_else(|| state.npcs().named(name))
}

/// Where a thing comes from that one of the DM's characters has owned from the beginning of its encounter on.
fn owned_from_the_beginning(state: &State, item: &str) -> Option<Number> {
    let mut owned = state.npcs().all().flat_map(|npc| npc.inventory.values());
    owned.find(|(name, ..)| is_item(state, name, item)).map(|(.., origin)| origin.0)
}

/// Is this the thing with the name that was asked for? Equipment may go by its id in the rules pack.
fn is_item(state: &State, kept: &str, item: &str) -> bool {
    let known = state.setup().rules.item(kept);
    fold(kept) == item || known.is_some_and(|known| fold(&known.name) == item || known.id == item)
}

fn concerns_item(state: &State, event: &Event, item: &str) -> bool {
    match event {
        Event::ItemAdded(word) => fold(&word.item) == item,
        Event::ItemRemoved(word) => fold(&word.item) == item,
        Event::ItemExchanged(word) => fold(&word.item) == item,
        Event::ItemUsed(word) => fold(&word.item) == item,
        Event::CharacterAccepted(word) => word.sheet.equipment.iter().any(|kept| is_item(state, kept, item)),
        Event::NpcCarried(word) => word.items.iter().any(|(kept, _)| is_item(state, kept, item)),
        _ => false,
    }
}
