//! Things that a check brings, and that it takes.

use twicetold_event::{Event, Holder, ItemAdded, ItemExchanged, ItemRemoved, Seat};
use twicetold_world::setup::Setup;

use super::reply::{began, comes};
use super::{Given, checked, created, given_by, in_play, turn};

const CHECK: &str = "follow the bent reeds";
const LETTERS: &str = "the groom's four letters";

/// A player's turn in the bundled encounter, where nobody can fail, and where this brings and takes things.
fn turn_with(gains: &str, gives: &str, person: &str) -> Given {
    turn_after(gains, gives, person, in_play())
}

fn turn_after(gains: &str, gives: &str, person: &str, before: Vec<Event>) -> Given {
    let change = |setup: &mut Setup| {
        let checks = &mut setup.encounters[0].checks;
        let check = checks.iter_mut().find(|check| check.name == CHECK).unwrap();
        (check.gains, check.gives) = (gains.into(), gives.into());
        (check.person, check.difficulty) = (Some(person.into()).filter(|_| !person.is_empty()), 1);
    };
    given_by(change, before).and(turn(1, Seat::Dm, "Well?")).and([began(Seat::Player(1))])
}

/// What follows the dice, where Bettany tries it.
fn follows(given: Given) -> Vec<Event> {
    let roll = format!("{{\"character\":\"Bettany\",\"check\":\"{CHECK}\",\"reason\":\"to see\"}}");
    let mut given = given.replied(1, "", &[("ability_check", roll.as_str())]);
    let mut events = comes(&mut given, 1).1.into_iter();
    events.find(|event| matches!(event, Event::AbilityChecked(word) if word.success)).expect("it passes");
    events.take_while(|event| !matches!(event, Event::ModelCallRequested(_))).collect()
}

fn bettany() -> String {
    "Bettany Oake".into()
}

fn has(item: &str) -> Event {
    ItemAdded { character: bettany(), item: item.into(), quantity: 1 }.into()
}

#[test]
fn what_a_check_brings_comes_from_whoever_carries_it_or_from_where_it_lay() {
    let (giver, receiver) = (Holder::Npc("tilda".into()), Holder::Character(bettany()));
    let from_tilda: Event = ItemExchanged { item: LETTERS.into(), quantity: 1, giver, receiver }.into();
    assert_eq!(follows(turn_with(LETTERS, "", "")), std::slice::from_ref(&from_tilda));
    let too = turn_with(LETTERS, "", "").and([has(LETTERS)]);
    assert_eq!(follows(too), std::slice::from_ref(&from_tilda), "others have letters too");
    // Somebody of an earlier encounter has some as well, and is not here.
    let mut before = in_play();
    let begins = before.pop().unwrap();
    let (giver, receiver) = (Holder::Character(bettany()), Holder::Npc("aldo".into()));
    let given = ItemExchanged { item: LETTERS.into(), quantity: 1, giver, receiver };
    before.extend([created("aldo", "Aldo"), has(LETTERS), given.into(), begins]);
    assert_eq!(follows(turn_after(LETTERS, "", "", before)), [from_tilda]);
    assert_eq!(follows(turn_with("an oar", "", "")), [has("an oar")]);
    assert_eq!(follows(turn_with("hand-bell", "", "")), [has("Hand bell")], "an id of the pack");
    assert_eq!(follows(turn_with("", "", "")), []);
    assert_eq!(follows(turn_with("an oar", "", "").and([has("an oar")])), [], "the party has it");
    let again = turn_with("an oar", "", "").and([checked(CHECK, true)]).and(turn(3, Seat::Dm, "So."));
    let mut again = again.and([began(Seat::Player(1))]);
    let roll = format!("{{\"character\":\"Bettany\",\"check\":\"{CHECK}\",\"reason\":\"to see\"}}");
    again = again.replied(1, "", &[("ability_check", roll.as_str())]);
    let (_, events) = comes(&mut again, 1);
    assert!(!events.contains(&has("an oar")), "it was passed before: {events:?}");
}

#[test]
fn what_a_check_takes_goes_to_its_person_or_for_good_and_nothing_goes_that_is_not_there() {
    let holds = |person: &str| turn_with("", "an oar", person).and([has("an oar")]);
    let (giver, receiver) = (Holder::Character(bettany()), Holder::Npc("hanno".into()));
    let to_hanno = ItemExchanged { item: "an oar".into(), quantity: 1, giver, receiver }.into();
    assert_eq!(follows(holds("hanno")), [to_hanno]);
    let gone = ItemRemoved { character: bettany(), item: "an oar".into(), asked: 1, applied: 1 };
    assert_eq!(follows(holds("")), [gone.into()]);
    assert_eq!(follows(turn_with("", "an oar", "hanno")), []);
}
