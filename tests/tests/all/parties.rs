//! Promise: a party goes on to the next campaign with its characters, its document, the people it knows and what it must not forget.

use std::sync::Arc;

use twicetold_event::{CampaignId, Event, Phase, Seat};
use twicetold_projection::people::carried;
use twicetold_session::{Verdict, replay, why_goal};
use twicetold_tests::{Game, Home, Performance, Script, Who};
use twicetold_world::setup::SourceFile;

const SWORN: &str = "The party swore to come back for the bell.";

/// A campaign in which something happens that is worth carrying.
fn first() -> Performance {
    let game = || Game::new(71);
    let played = game().improvised();
    let name = &played.session.campaign().state().characters()[&Seat::Player(1)].sheet.name;
    let sworn = format!("{{\"kind\":\"important\",\"text\":{SWORN:?}}}");
    let learned = format!("{{\"character\":{name:?},\"xp_gained\":120}}");
    Script::of(game())
        .line(Who::Dm, "", &[("record_event", &sworn), ("update_character", &learned)])
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "I go over to Wren.", &[])
        .line(Who::Dm, "She waits.", &[("start_dialogue", "{\"character_id\":\"wren-pellow\"}")])
        .line(Who::Companion, "You again.", &[("update_relationship", "{\"trait\":\"trust\",\"change\":33}")])
        .line(Who::Companion, "Go.", &[("end_dialogue", "{}")])
        .line(Who::Memory, "She told them of her brother.\n- They keep promises.", &[])
        .play()
}

fn next(first: &Performance) -> Game {
    let campaign = first.played.session.campaign();
    let head = first.played.source().head().next;
    let party = carried(CampaignId([7; 16]), campaign.state(), campaign.replies(), head);
    let text = toml::to_string(&party).unwrap();
    let mut game = Game::new(72);
    game.files.push(SourceFile { path: "party.toml".into(), text: Arc::from(text) });
    game
}

#[test]
fn the_party_is_as_it_was_and_plays_at_once() {
    let first = first();
    let before = first.played.session.campaign().state();
    let goal =
        "{\"id\":\"laugh\",\"label\":\"Somebody laughs.\",\"isPrimary\":false,\"reason\":\"Why not.\"}";
    let second = Script::of(next(&first)).line(Who::Dm, "", &[("goal_register", goal)]).play();
    let state = second.played.session.campaign().state();
    for (seat, character) in before.characters() {
        let now = &state.characters()[seat];
        assert_eq!(
            (&now.sheet.name, now.hit_points, now.gold),
            (&character.sheet.name, character.hit_points, character.gold)
        );
        let items = |of: &twicetold_world::Character| -> Vec<(String, u32)> {
            of.inventory.values().map(|(name, count, _)| (name.clone(), *count)).collect()
        };
        assert_eq!(items(now), items(character));
    }
    assert_eq!(state.document().sections.len(), before.document().sections.len());
    let wren = state.npcs().get("wren-pellow").unwrap();
    assert_eq!(wren.trust, before.npcs().get("wren-pellow").unwrap().trust);
    assert!(wren.memories.iter().any(|memory| memory.carried.contains("They keep promises")));
    assert_eq!(state.facts().experience, 120);
    let phases =
        second.all(|event| if let Event::PhaseBegan(word) = event { Some(word.phase) } else { None });
    assert_eq!(phases, [Phase::Play], "nobody makes characters who exist");
    let prompt = second.asked(Who::Dm).next().unwrap();
    assert!(prompt.contains(SWORN) && prompt.contains("remembers: "));
    let told = replay(second.played.source(), None).unwrap();
    assert!(matches!(told.verdict, Verdict::Identical), "and it is replayed");

    let why = why_goal(second.played.source(), "laugh").unwrap().unwrap();
    let request = why.registered.expect("it was registered").request.expect("a model was asked");
    let span = request.spans.iter().find(|span| span.text.contains(SWORN)).unwrap();
    let (campaign, number) = span.carried.clone().expect("why crosses into the earlier campaign");
    assert_eq!(campaign, CampaignId([7; 16]).to_string());
    let line = first.played.transcript.iter().find(|line| line.text.contains(SWORN)).unwrap();
    assert_eq!(number, line.number, "to the very event there");
}

#[test]
fn a_party_that_plays_by_other_rules_is_refused() {
    let first = first();
    let game = next(&first).with("party.toml", "rules = \"emberlight\"", "rules = \"another\"");
    let read = twicetold_world::setup::Setup::read(1, twicetold_world::setup::RULES_VERSION, game.files);
    assert!(read.unwrap_err().to_string().contains("plays by \"another\""));
}

/// The origin of what a party carries over is a decision in the campaign that it comes from, not the creation of the new one.
#[test]
fn why_goes_on_in_the_campaign_that_a_thing_was_brought_along_from() {
    let home = Home::new();
    let first = home.play(73)["campaign"].as_str().unwrap().to_owned();
    home.succeed(["run", "the-weir-book", "--party", &first, "--seed", "74", "--turns", "4", "--quiet"]);
    let characters: serde_json::Value =
        serde_json::from_str(&home.succeed(["show", "last", "characters", "--json"])).unwrap();
    let name = characters["characters"][0]["name"].as_str().unwrap();
    for (what, name) in [("gold", name), ("hp", name), ("party", "goals")] {
        let text = home.succeed(["why", "last", what, name]);
        let brought = format!("imported with the party from {first:.8} #");
        assert!(text.contains(&brought), "{what}: {text}");
        let (_, there) =
            text.split_once(&format!("In {first:.8}, where it comes from\n")).expect("it goes on");
        assert!(
            there.contains("asked before it") && !there.contains("imported with the party"),
            "{what}: {text}"
        );
    }
    home.succeed(["rm", "--yes", &first]);
    assert!(home.succeed(["why", "last", "gold", name]).contains("is not in the data folder"));
}
