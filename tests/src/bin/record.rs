//! Records the golden journals that need no model: `record` writes those under `replays/` that are not there yet.

use std::fs::{self, File};
use std::io::BufWriter;

use twicetold_event::Seat;
use twicetold_improv::improvise;
use twicetold_journal::write_export;
use twicetold_tests::reply_body;
use twicetold_tests::{Game, Played, repository};

fn main() {
    write("improv", || Game::new(2026).improvised());
    write("improv-chaos", || Game::new(2027).chaotic());
    write("corner-cases", corner_cases);
    write("dialogues", || {
        first(
            3_000,
            Game::improvised,
            &["GoalRegistered", "DialogueSummarised", "FactLearned", "ItemExchanged"],
        )
    });
    write("combat-and-vices", || {
        first(
            3_000,
            Game::chaotic,
            &["CombatEnded", "AttackMade", "MoraleChecked", "DialogueEnded", "NpcProfiled"],
        )
    });
}

/// The first campaign from this seed on in which all of these happened.
fn first(seed: u64, play: fn(Game) -> Played, wanted: &[&str]) -> Played {
    let happened = |played: &Played, name: &str| played.events.iter().any(|event| event.name() == name);
    let mut seeds = (seed..seed + 500).map(|seed| play(Game::new(seed)));
    seeds
        .find(|played| wanted.iter().all(|name| happened(played, name)))
        .expect("one of 500 campaigns has it all")
}

fn write(name: &str, play: impl Fn() -> Played) {
    let folder = repository().join("replays").join(name);
    let path = folder.join("journal.twicetold");
    if path.exists() {
        println!("replays/{name} is there and is left as it is");
        return;
    }
    let played = play();
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut out = BufWriter::new(File::create(&path).expect("the file can be made"));
    write_export(played.source(), &mut out).expect("the journal is whole");
    println!("replays/{name} is written");
}

/// A DM that goes to the edge of every rule of its tools, one call a reply.
fn corner_cases() -> Played {
    let goal = |id: &str| {
        format!(
            "{{\"id\":{id:?},\"label\":\"The reeve laughs at {id}.\",\"isPrimary\":true,\"reason\":\"Nobody planned for it.\"}}"
        )
    };
    let resolve = |encounter: &str, outcome: &str| {
        format!(
            "{{\"encounterId\":{encounter:?},\"outcomeId\":{outcome:?},\"summary\":\"It is done, and the reeve laughs.\"}}"
        )
    };
    let turns: Vec<Vec<(&str, String)>> = vec![
        vec![
            ("encounter_resolve", resolve("gone-before-dusk", "shelf-full-and-quiet")),
            ("goal_register", goal("Not Legal")),
            ("goal_register", goal("first")),
            ("goal_register", goal("first")),
        ],
        vec![
            ("goal_register", goal("dynamic_second")),
            ("goal_register", goal("third")),
            (
                "update_game_state",
                "{\"xp_gained\":-5,\"important_events\":[\"One.\",\"Two.\"],\"milestone\":\"Three.\"}".into(),
            ),
            ("update_game_state", "{\"location\":\"The moon\",\"flags_delete\":[\"nothing\"]}".into()),
            (
                "update_party_document",
                "{\"section\":\"events\",\"text\":\"It went on.\",\"reason\":\"It did.\"}".into(),
            ),
        ],
        vec![
            ("roll_dice", "{\"dice\":\"2d6+1\",\"reason\":\"the weather\"}".into()),
            ("roll_dice", "{\"dice\":\"99d6\",\"reason\":\"greed\"}".into()),
            ("lookup_rules", "{\"path\":\"classes/wardn\"}".into()),
            ("search_rules", "{\"query\":\"fear of the dark\"}".into()),
            ("grant_wish", "{}".into()),
            ("encounter_resolve", resolve("gone-before-dusk", "a-miracle")),
        ],
        vec![("encounter_resolve", resolve("gone-before-dusk", "dynamic_second"))],
    ];
    let mut narrated = 0;
    Game::new(2028).answered(&mut |seat, body| {
        if seat != Seat::Dm || !body.contains("phase: play") {
            return improvise(body);
        }
        let place = narrated / 2;
        narrated += 1;
        // A reply with calls is followed by one without, which speaks and ends the turn.
        match (narrated % 2, turns.get(place)) {
            (1, Some(calls)) => {
                let calls: Vec<(&str, &str)> =
                    calls.iter().map(|(name, arguments)| (*name, arguments.as_str())).collect();
                reply_body("", &calls)
            }
            _ => reply_body("And on it goes. What now?", &[]),
        }
    })
}
