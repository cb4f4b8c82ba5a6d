//! Session Zero: phrases, closings, sheets, and what is made where something is missing.

use twicetold_event::{
    CallId, Channel, CharacterAccepted, ClosedBy, EncounterBegan, Event, MarkerFault, MarkerIgnored,
    PartyDocumentUpdated, Phase, PhaseBegan, PhaseClosed, Provenance, Purpose, ScenarioSet, Seat, Section,
    Sheet, Text, TurnBegan, TurnEnd, TurnEnded,
};
use twicetold_model::{Finish, Reply, Usage};
use twicetold_world::setup::Setup;

use super::{Given, given, given_by, given_with, in_play, pending, spoken};
use crate::rules::{reply, session_zero};

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);
const SECOND: Seat = Seat::Player(2);

fn began(phase: Phase) -> Event {
    PhaseBegan { phase }.into()
}

fn closed(phase: Phase, by: ClosedBy, rounds: u32) -> Event {
    PhaseClosed { phase, by, rounds }.into()
}

fn pitch(seat: Seat, words: &str) -> Event {
    spoken(seat, Channel::SessionZero, words)
}

/// What a message of a seat brings besides its words.
fn says(given: &mut Given, seat: Seat, text: &str) -> Vec<Event> {
    let (finish, usage) = (Finish::Stop, Usage::default());
    let reply = Reply {
        text: text.into(),
        thinking: String::new(),
        opaque: Vec::new(),
        tool_calls: Vec::new(),
        finish,
        usage,
    };
    given.when(|table| session_zero::message(table, seat, CallId(1), &reply, 0..text.len())).1
}

fn ignored(phrase: &str, seat: Seat, why: MarkerFault) -> Event {
    MarkerIgnored { phrase: phrase.into(), seat, why }.into()
}

/// Both players have pitched, or one of them.
fn pitched(seats: &[Seat]) -> Given {
    given([began(Phase::Pitch)]).and(seats.iter().map(|seat| pitch(*seat, "I am somebody.")))
}

#[test]
fn a_phrase_counts_only_from_the_dm_in_its_phase_unquoted_and_once() {
    use MarkerFault::*;
    const PITCH: &str = "PITCH COMPLETE";
    const CONVERGENCE: &str = "CONVERGENCE COMPLETE";
    let says = |seat, text: &str| says(&mut pitched(&[FIRST, SECOND]), seat, text);
    assert_eq!(says(FIRST, "So: PITCH COMPLETE"), [ignored(PITCH, FIRST, NotTheDm)]);
    assert_eq!(says(DM, "Say \"PITCH COMPLETE\"."), [ignored(PITCH, DM, Quoted)]);
    assert_eq!(says(DM, "CONVERGENCE COMPLETE"), [ignored(CONVERGENCE, DM, WrongPhase)]);
    assert_eq!(says(DM, "The pitch complete, we go on."), []);
    let closed = [closed(Phase::Pitch, ClosedBy::Marker, 1), began(Phase::Converge)];
    assert_eq!(says(DM, "`PITCH COMPLETE` means: PITCH COMPLETE"), closed);
    // A line that holds nothing else is one in any letters.
    assert_eq!(says(DM, "Well.\n\n**Pitch complete.**"), closed);
    let [ends, begins] = closed;
    let both = says(DM, "CONVERGENCE COMPLETE, and PITCH COMPLETE");
    assert_eq!(both, [ends, begins, ignored(CONVERGENCE, DM, SecondInMessage)]);
}

/// How much is missing, when a phrase is refused and nothing else happens.
fn refused(events: &[Event]) -> Option<usize> {
    match events {
        [Event::MarkerRejected(word)] => Some(word.missing.len()),
        _ => None,
    }
}

#[test]
fn a_phase_is_not_closed_before_everybody_has_spoken_in_it() {
    assert_eq!(refused(&says(&mut pitched(&[]), DM, "PITCH COMPLETE")), Some(2));
    let mut given = pitched(&[SECOND]);
    assert_eq!(refused(&says(&mut given, DM, "PITCH COMPLETE")), Some(1));
    assert_eq!(given.state().phase(), Phase::Pitch);
    let mut given = given.and([pitch(FIRST, "I am Odo.")]);
    let closed = [closed(Phase::Pitch, ClosedBy::Marker, 1), began(Phase::Converge)];
    assert_eq!(says(&mut given, DM, "PITCH COMPLETE"), closed);
    assert_eq!(refused(&says(&mut given, DM, "CONVERGENCE COMPLETE")), Some(2), "nobody has in this one");
}

/// Both characters of the campaign in play.
fn characters() -> impl Iterator<Item = Event> {
    in_play().into_iter().filter(|event| matches!(event, Event::CharacterAccepted(_)))
}

fn written(text: &str) -> Text {
    Text::Written(text.into())
}

fn scenario() -> Event {
    let (public, dm) = (written("A river."), written("A secret."));
    ScenarioSet { public, dm, origin: Provenance::Charter }.into()
}

fn document(section: Section, version: u32, text: Text, reason: &str, origin: Provenance) -> Event {
    PartyDocumentUpdated { section, version, entry: 1, text, reason: reason.into(), origin }.into()
}

fn section(section: Section) -> Event {
    document(section, 1, written("They met."), "", Provenance::Derived)
}

/// Nothing of an encounter is left to chance.
fn without_chance(setup: &mut Setup) {
    setup.encounters[0].randoms.clear();
}

fn encounter_began() -> Event {
    EncounterBegan { encounter: "the-landing-stage".into(), draws: Vec::new() }.into()
}

#[test]
fn session_zero_is_locked_with_all_its_artefacts_and_not_before() {
    let lock = |events: Vec<Event>| {
        let mut given = given_by(without_chance, [began(Phase::Lock)]).and(events);
        says(&mut given, DM, "SESSION ZERO LOCKED")
    };
    assert_eq!(refused(&lock(vec![])), Some(4), "two characters, the scenario, the document");
    assert_eq!(refused(&lock(characters().collect())), Some(2));
    let but_a_document: Vec<Event> = characters().chain([scenario(), section(Section::Secrets)]).collect();
    assert_eq!(refused(&lock(but_a_document)), Some(1), "secrets alone are no document");
    let all = characters().chain([scenario(), section(Section::Hooks)]).collect();
    let locked = [closed(Phase::Lock, ClosedBy::Marker, 1), began(Phase::Play), encounter_began()];
    assert_eq!(lock(all), locked);
}

/// A turn of the DM's is over: a round.
fn round(turn: u32) -> [Event; 2] {
    [TurnBegan { turn, seat: DM }.into(), TurnEnded { turn, why: TurnEnd::Spoken }.into()]
}

#[test]
fn a_phase_that_goes_on_and_on_is_closed_at_its_limit_of_rounds() {
    let rounds = |count| {
        let given = given_with(|limits| limits.session_zero_rounds_max = 2, [began(Phase::Pitch)]);
        let mut given = (1..=count).fold(given, |given, turn| given.and(round(turn)));
        given.when(session_zero::close_at_limit).1
    };
    assert_eq!(rounds(1), []);
    let events = rounds(2);
    assert!(
        matches!(events.as_slice(), [Event::PhaseClosed(closed), next]
            if (closed.phase, closed.by, closed.rounds) == (Phase::Pitch, ClosedBy::RoundLimit, 2) && *next == began(Phase::Converge)),
        "{events:?}"
    );
}

/// The last phase has had its only round; the dice of Player 2's sheet show the second of the free characters.
fn at_the_last_limit(events: impl IntoIterator<Item = Event>) -> (Given, Vec<Event>) {
    let change = |setup: &mut Setup| {
        without_chance(setup);
        setup.limits.session_zero_rounds_max = 1;
        setup.draws.insert(("player-2 sheet".into(), 0), vec![2]);
    };
    let mut given = given_by(change, events).and([began(Phase::Lock)]).and(round(1));
    let (_, events) = given.when(session_zero::close_at_limit);
    (given, events)
}

/// A character of the rules pack that is ready to play.
fn ready(name: &str) -> Sheet {
    let given = given([]);
    let rules = &given.state().setup().rules;
    rules.sheet(rules.pregenerated.iter().find(|ready| ready.name == name).unwrap())
}

#[test]
fn what_is_missing_at_the_last_limit_is_made_of_pitches_dice_and_the_charter() {
    let pitches = [began(Phase::Pitch), pitch(FIRST, "I am Odo, a bonesetter who cannot stand blood.")];
    let (given, events) = at_the_last_limit(pitches);
    let background = "I am Odo, a bonesetter who cannot stand blood.".to_owned();
    let bonesetter = Sheet { background: background.clone(), ..ready("Marrow Gantry") };
    let lamplighter = ready("Tobias Fenn");
    let hooks = format!("- Marrow Gantry: {background}\n- Tobias Fenn: {}", lamplighter.background);
    let draft = &given.state().setup().campaign.scenario;
    let (public, dm) = (written(draft.public.trim()), written(draft.dm.trim()));
    let derived = |section, text: &str| document(section, 1, written(text), "", Provenance::Derived);
    let expected = [
        CharacterAccepted { seat: FIRST, sheet: bonesetter, origin: Provenance::Derived }.into(),
        CharacterAccepted { seat: SECOND, sheet: lamplighter, origin: Provenance::Pregenerated }.into(),
        ScenarioSet { public, dm, origin: Provenance::Charter }.into(),
        derived(
            Section::Relationships,
            "- Marrow Gantry, Tobias Fenn have met and mean to see this through together.",
        ),
        derived(Section::Hooks, &hooks),
    ];
    assert_eq!(events[..5], expected);
    assert!(
        matches!(&events[5..], [Event::PhaseClosed(closed), play, encounter]
            if closed.by == ClosedBy::RoundLimit && *play == began(Phase::Play) && *encounter == encounter_began()),
        "{events:?}"
    );
}

#[test]
fn what_is_there_at_the_last_limit_stays_as_it_is() {
    let (_, events) = at_the_last_limit(characters().chain([scenario(), section(Section::Secrets)]));
    let names: Vec<&str> = events.iter().map(Event::name).collect();
    assert_eq!(names, ["PhaseClosed", "PhaseBegan", "EncounterBegan"]);
}

/// The sheet of a patient man.
fn sheet_text(name: &str) -> String {
    format!(
        "Mine:\n[CHARACTER]\nName: {name}\nClass: Warden\nStats: STR 14, DEX 10, CON 13, INT 9, WIS 12, CHA 8\n\
         HP: 8\nAC: 10\nEquipment: rope\nBackground: A patient man.\nSecret: He walks.\n[/CHARACTER]"
    )
}

fn patient(name: &str) -> Sheet {
    Sheet {
        name: name.into(),
        class: "warden".into(),
        abilities: vec![14, 10, 13, 9, 12, 8],
        hit_points: 8,
        armor_class: 10,
        equipment: vec!["rope".into()],
        background: "A patient man.".into(),
        secret: "He walks.".into(),
    }
}

fn accepted(seat: Seat, name: &str) -> Event {
    CharacterAccepted { seat, sheet: patient(name), origin: Provenance::Reply(CallId(1)) }.into()
}

#[test]
fn a_legal_sheet_is_accepted_as_it_was_sent_and_a_later_one_takes_its_place() {
    let mut given = given([began(Phase::Lock)]);
    assert_eq!(says(&mut given, FIRST, &sheet_text("Odo Marsh")), [accepted(FIRST, "Odo Marsh")]);
    assert_eq!(says(&mut given, FIRST, &sheet_text("ODO MARSH")), [accepted(FIRST, "ODO MARSH")]);
    assert_eq!(says(&mut given, FIRST, &sheet_text("Odo Moor")), [accepted(FIRST, "Odo Moor")]);
    assert_eq!(given.state().characters()[&FIRST].sheet.name, "Odo Moor");
}

/// The sheet that is accepted of a message, and nothing else.
fn read(text: &str) -> Sheet {
    match says(&mut given([began(Phase::Lock)]), FIRST, text).as_slice() {
        [Event::CharacterAccepted(word)] => word.sheet.clone(),
        events => panic!("{events:?}"),
    }
}

#[test]
fn a_sheet_is_read_with_what_the_rules_pack_knows_and_the_rest_as_written() {
    let text = "**[character]**\n**Name:** Odo Marsh\nClass: Lamplighter (novice)\nStats: STR 14 / DEX: 10, CON=13\n\
        Intelligence 9\nWIS (12) CHA 8\nHP: about 8\nAC: 10\nEquipment: a Lamp pole, 2 moon stones and chalk.\n\
        Background: A patient\nman.\nSecret: He walks.";
    let expected = Sheet {
        class: "lamplighter".into(),
        equipment: ["lamp-pole", "moon stones", "chalk"].map(str::to_owned).to_vec(),
        ..patient("Odo Marsh")
    };
    assert_eq!(read(text), expected);
}

#[test]
fn a_sheet_is_read_as_a_table_as_json_and_without_tags() {
    let rows = [
        ("Name", "Odo Marsh"),
        ("Class", "Lamplighter"),
        ("STR", "14"),
        ("DEX", "10"),
        ("CON", "13"),
        ("INT", "9"),
        ("WIS", "12"),
        ("CHA", "8"),
        ("HP", "8"),
        ("AC", "10"),
        ("Equipment", "lamp-pole, chalk"),
        ("Background", "A patient man."),
        ("Secret", "He walks."),
    ];
    let table = rows.map(|(key, value)| format!("| {key} | {value} |\n")).concat();
    let json = rows.map(|(key, value)| match value.parse::<u8>() {
        Ok(number) => format!("  \"{}\": {number}", key.to_lowercase()),
        Err(_) if key == "Equipment" => "  \"equipment\": [\"lamp-pole\", \"chalk\"]".to_owned(),
        Err(_) => format!("  \"{}\": {value:?}", key.to_lowercase()),
    });
    let json = format!("```json\n{{\n{}\n}}\n```", json.join(",\n"));
    let expected = Sheet {
        class: "lamplighter".into(),
        equipment: ["lamp-pole", "chalk"].map(str::to_owned).to_vec(),
        ..patient("Odo Marsh")
    };
    for text in [format!("<CHARACTER>\n{table}</CHARACTER>"), format!("Here I am.\n\n{table}"), json] {
        assert_eq!(read(&text), expected, "{text}");
    }
}

#[test]
fn what_is_endless_in_a_sheet_is_cut() {
    let sheet = read(&sheet_text(&"é".repeat(60)).replace("rope", &"a moon, ".repeat(99)));
    assert_eq!(sheet, Sheet { equipment: vec!["moon".into(); 24], ..patient(&"é".repeat(40)) });
}

#[test]
fn sheets_are_read_in_the_last_phase_and_from_players_alone() {
    for phase in [Phase::Pitch, Phase::Converge] {
        assert_eq!(says(&mut given([began(phase)]), FIRST, &sheet_text("Odo Marsh")), []);
    }
    let mut given = given([began(Phase::Lock)]);
    assert_eq!(says(&mut given, DM, &sheet_text("Odo Marsh")), [], "nobody sends a sheet for another");
}

/// Which attempt is refused, when nothing else happens.
fn attempt(events: &[Event]) -> Option<u32> {
    match events {
        [Event::CharacterRejected(word)] => Some(word.attempt),
        _ => None,
    }
}

const ILLEGAL: &str = "[CHARACTER]\nName: Odo\nClass: Dragonlord\nStats: STR 99\nHP: 400\nAC: 30\nEquipment: moon\n[/CHARACTER]";

#[test]
fn an_illegal_sheet_is_refused_three_times_and_then_one_is_derived() {
    let mut given = given([began(Phase::Pitch), pitch(SECOND, "A lamplighter, late."), began(Phase::Lock)]);
    assert_eq!(attempt(&says(&mut given, SECOND, ILLEGAL)), Some(1));
    assert_eq!(attempt(&says(&mut given, SECOND, ILLEGAL)), Some(2));
    let events = says(&mut given, SECOND, ILLEGAL);
    let sheet = Sheet { background: "A lamplighter, late.".into(), ..ready("Tobias Fenn") };
    let derived = CharacterAccepted { seat: SECOND, sheet, origin: Provenance::Derived };
    assert_eq!((attempt(&events[..1]), &events[1..]), (Some(3), &[derived.into()][..]));
}

#[test]
fn a_sheet_of_which_only_numbers_are_wrong_is_kept_with_the_right_ones_in_the_end() {
    let mut given = given([began(Phase::Lock)]);
    let text = sheet_text("Odo Marsh");
    let wrong = text.replace("AC: 10", "AC: 19").replace("HP: 8", "HP: 80");
    assert!(wrong.contains("AC: 19") && wrong.contains("HP: 80"), "{wrong}");
    assert_eq!(attempt(&says(&mut given, FIRST, &wrong)), Some(1));
    assert_eq!(attempt(&says(&mut given, FIRST, &wrong)), Some(2));
    let events = says(&mut given, FIRST, &wrong);
    let Event::CharacterAccepted(word) = events.last().unwrap() else { panic!("{events:?}") };
    let most = word.sheet.hit_points;
    assert!(most < 80 && word.origin == Provenance::Derived, "{word:?}");
    assert_eq!(word.sheet, Sheet { hit_points: most, ..patient("Odo Marsh") });
}

#[test]
fn whoever_has_a_character_keeps_it_however_many_sheets_are_refused() {
    let mut given = given([began(Phase::Lock)]);
    assert_eq!(says(&mut given, FIRST, &sheet_text("Odo Marsh")), [accepted(FIRST, "Odo Marsh")]);
    for number in 1..=4 {
        assert_eq!(attempt(&says(&mut given, FIRST, ILLEGAL)), Some(number));
    }
    assert_eq!(given.state().characters()[&FIRST].sheet, patient("Odo Marsh"));
}

#[test]
fn two_players_do_not_have_the_same_name() {
    let mut given = given([began(Phase::Lock)]);
    assert_eq!(says(&mut given, FIRST, &sheet_text("Odo Marsh")), [accepted(FIRST, "Odo Marsh")]);
    assert_eq!(attempt(&says(&mut given, SECOND, &sheet_text("ODO MARSH"))), Some(1));
    assert_eq!(says(&mut given, SECOND, &sheet_text("Ida Marsh")), [accepted(SECOND, "Ida Marsh")]);
}

#[test]
fn the_dms_scenario_and_document_are_taken_from_its_words() {
    let text = "[SCENARIO]\nA river.\n[DM ONLY]\nA secret.\n[/DM ONLY]\n[/SCENARIO]\n\
        [PARTY_DOCUMENT]\nRelationships:\n- met\nHooks:\n- a boat\n[/PARTY_DOCUMENT]";
    let at = |words: &str| {
        let start = text.find(words).unwrap() as u32;
        Text::Reply { call: CallId(1), start, end: start + words.len() as u32 }
    };
    let origin = || Provenance::Reply(CallId(1));
    let part = |section, version, words| document(section, version, at(words), "", origin());
    let parts = |version| {
        let set = ScenarioSet { public: at("A river."), dm: at("A secret."), origin: origin() }.into();
        [set, part(Section::Relationships, version, "- met"), part(Section::Hooks, version, "- a boat")]
    };
    let mut given = given([began(Phase::Lock)]);
    assert_eq!(says(&mut given, DM, text), parts(1));
    assert_eq!(says(&mut given, DM, text), parts(2), "written again");
    assert_eq!(says(&mut super::given([began(Phase::Converge)]), DM, text), [], "only in the last phase");
}

#[test]
fn a_scenario_without_a_part_for_the_dm_alone_gets_the_charters() {
    let mut given = given([began(Phase::Lock)]);
    let events = says(&mut given, DM, "[SCENARIO]A river.[/SCENARIO]");
    let dm = written(given.state().setup().campaign.scenario.dm.trim());
    let public = Text::Reply { call: CallId(1), start: 10, end: 18 };
    assert_eq!(events, [ScenarioSet { public, dm, origin: Provenance::Reply(CallId(1)) }.into()]);
}

/// The last phase, in which the DM has yet to write down what was agreed.
fn lacking_artefacts() -> Given {
    given_by(without_chance, [began(Phase::Lock)])
        .and(characters())
        .and([TurnBegan { turn: 3, seat: DM }.into()])
}

#[test]
fn a_lock_that_is_cut_anywhere_brings_the_same_artefacts_or_is_rejected_by_name() {
    let lock = "So be it.\n[SCENARIO]\nA river, and a boat that is gone.\n[DM ONLY]\nHanno sold it.\n[/DM ONLY]\n\
        [/SCENARIO]\n[PARTY_DOCUMENT]\n### Relationships\nThey share a bridge.\n### Goals\nBring it back.\n\
        [/PARTY_DOCUMENT]\nSESSION ZERO LOCKED";
    let come = |text: &str, is_cut: bool| {
        let given = lacking_artefacts().replied(1, text, &[]);
        let mut given = if is_cut { given.stopped(1) } else { given };
        let pending = pending(1, DM, Purpose::SessionZero);
        given.when(|table| reply::replied(table, &pending, CallId(1))).1
    };
    let artefacts = |events: &[Event]| -> Vec<Event> {
        let is_one = |event: &&Event| matches!(event, Event::ScenarioSet(_) | Event::PartyDocumentUpdated(_));
        events.iter().filter(is_one).cloned().collect()
    };
    let whole = artefacts(&come(lock, false));
    assert_eq!(whole.len(), 3);
    let (mut rejected, mut kept) = (0, 0);
    for end in 1..lock.len() {
        let events = come(&lock[..end], true);
        match events.as_slice() {
            [Event::ReplyRejected(word)] => {
                let artefact = word.values.get("artefact").unwrap();
                assert_eq!(word.rule, "artefact_cut");
                assert!(["SCENARIO", "PARTY_DOCUMENT"].contains(&artefact), "{artefact}");
                rejected += 1;
            }
            events => {
                assert_eq!(artefacts(events), whole, "cut at {end}");
                kept += 1;
            }
        }
    }
    assert!(rejected >= 200 && kept >= 20, "{rejected} {kept}");
}
