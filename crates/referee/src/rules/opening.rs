//! How a campaign begins. A party that comes from another campaign needs no Session Zero.

use twicetold_event::{
    CampaignId, CampaignOpened, CharacterAccepted, Charter, ConditionAdded, Event, ExperienceGained,
    GoldChanged, HitPointsChanged, ImportantEventRecorded, ItemAdded, NpcCarried, Number, PartyCarried,
    PartyDocumentUpdated, Phase, PhaseBegan, Provenance, ScenarioSet, Seat, Text,
};
use twicetold_world::setup::{CarriedCharacter, CarriedParty};

use super::{encounter, turn, versions};
use crate::table::{Next, Table};

/// Opens a campaign: with Session Zero, or with the party that it was given.
pub(crate) fn open(table: &mut Table<'_>, charter: &Charter) -> Next {
    let players = table.state().setup().seats.players;
    table.emit(CampaignOpened { charter: CampaignOpened::digest_of(charter), players });
    if let Some(party) = table.state().setup().party.clone() {
        return with_party(table, &party);
    }
    table.emit(PhaseBegan { phase: Phase::Pitch });
    let opener = versions::opener(table.state());
    turn::begin(table, opener)
}

/// Takes in what the party brings along, and begins to play.
fn with_party(table: &mut Table<'_>, party: &CarriedParty) -> Next {
    let carried = carried(table.state().setup().seats.players, party);
    let sources = carried.iter().map(|(source, _)| Number(*source)).collect();
    let campaign = CampaignId::parse(&party.campaign).unwrap_or(CampaignId([0; 16]));
    table.emit(PartyCarried { campaign, title: party.title.clone(), next: Number(party.next), sources });
    carried.into_iter().for_each(|(_, event)| table.emit(event));
    let draft = &table.state().setup().campaign.scenario;
    let public = Text::Written(draft.public.trim().to_owned());
    let dm = Text::Written(draft.dm.trim().to_owned());
    table.emit(ScenarioSet { public, dm, origin: Provenance::Charter });
    table.emit(PhaseBegan { phase: Phase::Play });
    encounter::begin(table, 0);
    turn::begin(table, Seat::Dm)
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
            entry: 1,
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
        events.push((*number, ImportantEventRecorded { text: text.clone(), witnesses: Vec::new() }.into()));
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
