//! A party that comes from another campaign: it needs no Session Zero.

use twicetold_event::*;
use twicetold_world::setup::{CarriedCharacter, CarriedParty};

use crate::Campaign;

impl Campaign {
    /// Takes in what the party brings along, and begins to play.
    pub(crate) fn open_with_party(&mut self, party: &CarriedParty) {
        let carried = carried(self.state.setup().seats.players, party);
        let sources = carried.iter().map(|(source, _)| Number(*source)).collect();
        let campaign = CampaignId::parse(&party.campaign).unwrap_or(CampaignId([0; 16]));
        self.emit(PartyCarried { campaign, title: party.title.clone(), next: Number(party.next), sources });
        carried.into_iter().for_each(|(_, event)| self.emit(event));
        let draft = &self.state.setup().campaign.scenario;
        let public = Text::Written(draft.public.trim().to_owned());
        let dm = Text::Written(draft.dm.trim().to_owned());
        self.emit(ScenarioSet { public, dm, origin: Provenance::Charter });
        self.emit(PhaseBegan { phase: Phase::Play });
        self.begin_encounter(0);
        self.begin_turn(Seat::Dm);
    }
}

/// Every carried event with the number that it comes from.
fn carried(players: u8, party: &CarriedParty) -> Vec<(u64, Event)> {
    let mut events: Vec<(u64, Event)> = Vec::new();
    for (seat, character) in (1..=players).map(Seat::Player).zip(&party.characters) {
        events.extend(as_it_stands(seat, character).into_iter().map(|event| (character.number, event)));
    }
    for section in &party.sections {
        let updated = PartyDocumentUpdated {
            section: section.section,
            version: 1,
            text: Text::Written(section.text.clone()),
            reason: String::new(),
            origin: Provenance::Carried,
        };
        events.push((section.number, updated.into()));
    }
    for npc in &party.npcs {
        let carried = NpcCarried {
            npc: npc.npc.clone(),
            name: npc.name.clone(),
            memory_key: npc.memory_key.clone(),
            archetype: npc.archetype,
            role: npc.role,
            description: npc.description.clone(),
            persona: npc.persona.clone(),
            status: npc.status,
            trust: npc.trust,
            items: npc.items.clone(),
            memories: npc.memories.clone(),
        };
        events.push((npc.number, carried.into()));
    }
    for (number, text) in &party.important_events {
        events.push((*number, ImportantEventRecorded { text: text.clone() }.into()));
    }
    if party.experience > 0 {
        let (asked, applied, now) = (party.experience, party.experience, party.experience);
        events.push((party.next.saturating_sub(1), ExperienceGained { asked, applied, now }.into()));
    }
    events
}

/// A character as it stands now, from its sheet on.
fn as_it_stands(seat: Seat, character: &CarriedCharacter) -> Vec<Event> {
    let name = || character.sheet.name.clone();
    let sheet = character.sheet.clone();
    let mut events: Vec<Event> = vec![CharacterAccepted { seat, sheet, origin: Provenance::Carried }.into()];
    let at_first = i64::from(character.sheet.hit_points);
    if character.hit_points != at_first {
        let change = character.hit_points - at_first;
        let (asked, applied, now) = (change, change, character.hit_points);
        events.push(HitPointsChanged { character: name(), asked, applied, now }.into());
    }
    let (asked, applied, now) = (character.gold, character.gold, character.gold);
    events.push(GoldChanged { character: name(), asked, applied, now }.into());
    for (item, quantity) in &character.items {
        events.push(ItemAdded { character: name(), item: item.clone(), quantity: *quantity }.into());
    }
    for condition in &character.conditions {
        events.push(ConditionAdded { character: name(), condition: condition.clone() }.into());
    }
    events
}
