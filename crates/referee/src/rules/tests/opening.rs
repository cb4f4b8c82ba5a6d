//! How a campaign begins, with Session Zero and with a party that comes along.

use twicetold_event::{
    Archetype, CampaignId, CampaignOpened, CharacterAccepted, Charter, ConditionAdded, Event,
    ExperienceGained, GoldChanged, HitPointsChanged, ImportantEventRecorded, ItemAdded, NpcCarried,
    NpcStatus, Number, PartyCarried, PartyDocumentUpdated, Phase, PhaseBegan, Provenance, Purpose, Seat,
    Section, Sheet, Text, TurnBegan,
};
use twicetold_world::setup::{CarriedCharacter, CarriedNpc, CarriedParty, CarriedSection, Setup};

use super::{given, given_by};
use crate::rules::opening;
use crate::table::Next;

fn charter() -> Charter {
    Charter { seed: 7, rules: 1, files: Vec::new() }
}

fn opened() -> Event {
    CampaignOpened { charter: CampaignOpened::digest_of(&charter()), players: 2 }.into()
}

#[test]
fn a_campaign_opens_with_the_first_phase_of_session_zero_and_the_dm() {
    let (next, events) = given([]).when(|table| opening::open(table, &charter()));
    let began = [PhaseBegan { phase: Phase::Pitch }.into(), TurnBegan { turn: 1, seat: Seat::Dm }.into()];
    assert_eq!((&events[0], &events[1..]), (&opened(), &began[..]));
    assert_eq!(next, Next::Ask(Seat::Dm, Purpose::SessionZero));
}

fn sheet(name: &str) -> Sheet {
    Sheet { name: name.into(), class: "warden".into(), hit_points: 9, ..Sheet::default() }
}

fn character(number: u64, name: &str, hit_points: i64) -> CarriedCharacter {
    CarriedCharacter {
        number,
        sheet: sheet(name),
        hit_points,
        gold: 3,
        items: vec![("rope".into(), 2)],
        conditions: vec!["soaked".into()],
    }
}

fn party(characters: Vec<CarriedCharacter>) -> CarriedParty {
    CarriedParty {
        campaign: "0a".repeat(16),
        title: "The Weir Book".into(),
        next: 90,
        rules: "emberlight".into(),
        characters,
        sections: vec![CarriedSection { number: 40, section: Section::Hooks, text: "They swore.".into() }],
        npcs: vec![CarriedNpc {
            number: 50,
            npc: "nan".into(),
            name: "Nan".into(),
            memory_key: "nan".into(),
            archetype: Archetype::Companion,
            role: None,
            description: "keeper".into(),
            persona: "Calm.".into(),
            status: NpcStatus::Active,
            trust: 20,
            items: Vec::new(),
            memories: vec!["The weir stands.".into()],
        }],
        important_events: vec![(60, "The weir stands.".into())],
        experience: 70,
    }
}

fn with_party(party: CarriedParty) -> (Next, Vec<Event>) {
    let change = |setup: &mut Setup| {
        setup.party = Some(party);
        setup.encounters[0].randoms.clear();
    };
    given_by(change, []).when(|table| opening::open(table, &charter()))
}

/// Everything of a character as it stands, but for its hit points.
fn things(name: &str) -> [Event; 3] {
    let name = || name.to_owned();
    [
        GoldChanged { character: name(), asked: 3, applied: 3, now: 3 }.into(),
        ItemAdded { character: name(), item: "rope".into(), quantity: 2 }.into(),
        ConditionAdded { character: name(), condition: "soaked".into() }.into(),
    ]
}

fn accepted(seat: Seat, name: &str) -> Event {
    CharacterAccepted { seat, sheet: sheet(name), origin: Provenance::Carried }.into()
}

#[test]
fn a_party_that_comes_along_is_taken_in_as_it_stands_and_plays_at_once() {
    let (next, events) = with_party(party(vec![character(10, "Ada", 4), character(20, "Bo", 9)]));
    assert_eq!(next, Next::Ask(Seat::Dm, Purpose::Play));
    let sources = [10, 10, 10, 10, 10, 20, 20, 20, 20, 40, 50, 60, 89].map(Number).to_vec();
    let (campaign, title) = (CampaignId([10; 16]), "The Weir Book".to_owned());
    let mut expected = vec![opened(), PartyCarried { campaign, title, next: Number(90), sources }.into()];
    expected.push(accepted(Seat::Player(1), "Ada"));
    expected.push(HitPointsChanged { character: "Ada".into(), asked: -5, applied: -5, now: 4 }.into());
    expected.extend(things("Ada"));
    expected.push(accepted(Seat::Player(2), "Bo"));
    expected.extend(things("Bo"));
    let (text, reason) = (Text::Written("They swore.".into()), String::new());
    let (section, origin) = (Section::Hooks, Provenance::Carried);
    expected.push(PartyDocumentUpdated { section, version: 1, entry: 1, text, reason, origin }.into());
    let nan = NpcCarried {
        npc: "nan".into(),
        name: "Nan".into(),
        memory_key: "nan".into(),
        archetype: Archetype::Companion,
        role: None,
        description: "keeper".into(),
        persona: "Calm.".into(),
        status: NpcStatus::Active,
        trust: 20,
        items: Vec::new(),
        memories: vec!["The weir stands.".into()],
    };
    expected.push(nan.into());
    expected.push(ImportantEventRecorded { text: "The weir stands.".into(), witnesses: vec![] }.into());
    expected.push(ExperienceGained { asked: 70, applied: 70, now: 70 }.into());
    assert_eq!(events[..expected.len()], expected);
    let rest: Vec<&str> = events[expected.len()..].iter().map(Event::name).collect();
    assert_eq!(rest, ["ScenarioSet", "PhaseBegan", "EncounterBegan", "TurnBegan"]);
}

#[test]
fn only_as_many_come_along_as_there_are_seats() {
    let three = ["Ada", "Bo", "Cy"].map(|name| character(10, name, 9)).to_vec();
    let (_, events) = with_party(party(three));
    let accepted = events.iter().filter(|event| matches!(event, Event::CharacterAccepted(_))).count();
    assert_eq!(accepted, 2);
}

#[test]
fn a_party_without_experience_gains_none() {
    let (_, events) = with_party(CarriedParty { experience: 0, ..party(Vec::new()) });
    let gained = |event: &&Event| matches!(event, Event::ExperienceGained(_));
    assert_eq!(events.iter().find(gained), None);
}
