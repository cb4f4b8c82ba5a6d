//! The DM's characters as the campaign knows them, from their first appearance on, across encounters.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::history::running;
use super::{Doc, Inventory, Origin, Remembered, fold, letters};
use serde::{Deserialize, Serialize};
use twicetold_event::{Archetype, CallId, Event, NpcRole, NpcStatus, Seat, Text, Values};

/// All of the DM's characters.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Npcs {
    pub(super) by_id: BTreeMap<String, Doc<Npc>>,
    pub(super) order: Vec<String>,
}

/// How a character came into the story.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum NpcKind {
    /// An encounter's specification has it.
    #[default]
    Campaign,
    /// By `create_character`.
    Created,
    /// By `create_supporting_npc`.
    Supporting,
}

/// What a character keeps in mind of an encounter that is over.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Memory {
    /// Where it was written down.
    pub origin: Origin,
    /// Which encounter; empty for one of an earlier campaign.
    pub encounter: String,
    /// What, for the text `memory.encounter`.
    pub values: Values,
    /// The text, if it comes from an earlier campaign.
    pub carried: String,
}

/// A character of the DM's.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Npc {
    /// Kebab-case id.
    pub id: String,
    /// The name as written.
    pub name: String,
    /// How it came into the story.
    pub kind: NpcKind,
    /// In a word or two.
    pub description: String,
    /// What it is to the story, if that was said.
    pub role: Option<NpcRole>,
    /// What it is to the party.
    pub archetype: Option<Archetype>,
    /// Who it is: its persona, or the DM's words about it.
    pub persona: String,
    /// Under which its memories are kept.
    pub memory_key: String,
    /// The monster of the rules pack that it fights as; empty for none.
    pub monster: String,
    /// Where it is usually found.
    pub location: String,
    /// What the memory agent wrote of it.
    pub profile: Option<Profile>,
    /// What became of it.
    pub status: NpcStatus,
    /// Trust in the party, −100 to 100.
    pub trust: i64,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// Feelings towards the party.
    pub feelings: BTreeMap<String, Feeling>,
    /// What it carries.
    pub inventory: Inventory,
    /// Hit points now, once something changed them.
    pub hit_points: Option<i64>,
    /// Conditions.
    pub conditions: BTreeSet<String>,
    /// Dialogues with it that are over.
    pub dialogues: Vec<PastDialogue>,
    /// What it learned of the party.
    pub learned: Vec<(Origin, Text)>,
    /// What it keeps in mind of encounters that are over.
    pub memories: Vec<Memory>,
    /// Places in the list of important events that it was part of.
    pub witnessed: Vec<u32>,
    /// What was said in dialogues with it, the newest.
    pub history: Window,
    /// The encounter that it was last part of.
    pub encounter: String,
    /// Where it entered the story.
    pub entered: Origin,
    /// Where trust, feelings, things or health last changed.
    pub changed: Origin,
}

impl Npc {
    /// What it is to the story, where that is one of the program's own kinds: the name of its role or archetype.
    pub fn kind_name(&self) -> Option<&'static str> {
        match self.kind {
            NpcKind::Campaign => None,
            NpcKind::Created => self.archetype.map(|archetype| archetype.name()),
            NpcKind::Supporting => self.role.map(|role| role.name()),
        }
    }
}

/// A feeling towards the party.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Feeling {
    /// 1 to 100.
    pub strength: i64,
    /// The last turn in which it is felt; `None` for as long as nobody changes it.
    pub until: Option<u32>,
    /// Where it last changed.
    pub origin: Origin,
}

/// What the memory agent wrote of a character.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Profile {
    /// How it looks.
    pub appearance: String,
    /// What it is like.
    pub personality: String,
    /// What it wants.
    pub motivations: Vec<String>,
    /// Anything else.
    pub notes: String,
    /// Where it was written.
    pub origin: Origin,
}

/// A dialogue that is over.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PastDialogue {
    /// Its number in the campaign.
    pub number: u32,
    /// The players who were part of it.
    pub seats: Vec<Seat>,
    /// What is kept of it, once it was summed up.
    pub text: Option<Text>,
    /// Where it ended, or was summed up.
    pub origin: Origin,
}

/// The newest part of a history of its own.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Window {
    /// The events.
    pub kept: VecDeque<Remembered>,
    /// Messages ever spoken in it.
    pub messages: u32,
    pub(super) running: u64,
}

impl Window {
    /// Adds an event and forgets what goes beyond `most` events.
    pub(crate) fn remember(&mut self, remembered: Remembered, most: usize) {
        self.running = running(self.running, &remembered.event);
        if matches!(remembered.event, Event::MessageSpoken(_)) {
            self.messages = self.messages.saturating_add(1);
        }
        self.kept.push_back(remembered);
        // Only whole turns go, so that no tool call loses its result.
        while self.kept.len() > most {
            let turn = self.kept.front().map(|kept| kept.turn);
            if self.kept.back().map(|kept| kept.turn) == turn {
                break;
            }
            while self.kept.front().map(|kept| kept.turn) == turn {
                self.kept.pop_front();
            }
        }
    }
}

impl Npc {
    /// The replies that prompts show something of when they tell of it.
    pub(crate) fn replies(&self) -> impl Iterator<Item = CallId> {
        let Npc {
            dialogues,
            learned,
            history,
            id: _,
            name: _,
            kind: _,
            description: _,
            role: _,
            archetype: _,
            persona: _,
            memory_key: _,
            monster: _,
            location: _,
            profile: _,
            status: _,
            trust: _,
            #[cfg(feature = "new-field")]
                new_field: _,
            feelings: _,
            inventory: _,
            hit_points: _,
            conditions: _,
            memories: _,
            witnessed: _,
            encounter: _,
            entered: _,
            changed: _,
        } = self;
        let texts = dialogues.iter().filter_map(|past| past.text.as_ref());
        let texts = texts.chain(learned.iter().map(|(_, text)| text)).filter_map(Text::reply);
        texts.chain(history.kept.iter().flat_map(|kept| kept.event.replies()))
    }
}

impl Npcs {
    /// The character with this id.
    pub fn get(&self, id: &str) -> Option<&Npc> {
        self.by_id.get(id).map(|npc| &**npc)
    }

    /// The character with this id or name, in any case; a first name will do when it is only one's.
    pub fn named(&self, name: &str) -> Option<&Npc> {
        let wanted = fold(name);
        if let Some(npc) = self.get(&wanted.replace(' ', "-")) {
            return Some(npc);
        }
        if let Some(npc) = self.values().find(|npc| fold(&npc.name) == wanted) {
            return Some(npc);
        }
        let bare = letters(wanted.strip_prefix("the ").unwrap_or(&wanted));
        let is_called =
            |npc: &&Npc| !bare.is_empty() && [&npc.id, &npc.name].iter().any(|own| letters(own) == bare);
        let mut called = self.values().filter(is_called);
        if let (Some(npc), None) = (called.next(), called.next()) {
            return Some(npc);
        }
        let first = |npc: &&Npc| fold(&npc.name).split(' ').next() == Some(wanted.as_str());
        let mut by_first = self.values().filter(first);
        by_first.next().filter(|_| by_first.next().is_none())
    }

    /// All of them, in the order in which they entered the story.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Npc> {
        self.order.iter().filter_map(|id| self.get(id))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// A character's place in that order.
    pub fn place(&self, id: &str) -> Option<u32> {
        self.order.iter().position(|known| known == id).map(|place| place as u32)
    }

    /// The character at a place in that order.
    pub fn at(&self, place: u32) -> Option<&Npc> {
        self.order.get(place as usize).and_then(|id| self.get(id))
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut Npc> {
        self.by_id.get_mut(id).map(|npc| &mut **npc)
    }

    fn values(&self) -> impl Iterator<Item = &Npc> {
        self.by_id.values().map(|npc| &**npc)
    }

    /// The character, new or known: by its id, else by the key of its memories.
    pub(crate) fn enter(&mut self, id: &str, memory_key: &str, origin: Origin) -> &mut Npc {
        if !self.by_id.contains_key(id) {
            let known = self.values().find(|npc| !memory_key.is_empty() && npc.memory_key == memory_key);
            let known = known.map(|npc| npc.id.clone());
            match known.and_then(|known| self.by_id.remove(&known).map(|npc| (known, npc))) {
                // The same person under another id: what it remembers comes along.
                Some((known, npc)) => {
                    self.order
                        .iter_mut()
                        .filter(|entry| **entry == known)
                        .for_each(|entry| *entry = id.into());
                    self.by_id.insert(id.into(), Npc { id: id.into(), ..npc.into_inner() }.into());
                }
                None => {
                    self.order.push(id.into());
                    let npc = Npc { id: id.into(), entered: origin, changed: origin, ..Npc::default() };
                    self.by_id.insert(id.into(), npc.into());
                }
            }
        }
        self.by_id.entry(id.into()).or_default()
    }
}
