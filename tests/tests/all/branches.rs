//! Promise: any moment can be returned to: a branch is the same up to it, goes on as its parent did unless something was changed, and
//! pays nobody for an answer that its parent has.

use std::collections::BTreeMap;

use twicetold_event::{
    AmendmentAsked, Build, CampaignId, Ending, Entry, Event, ForkAsked, Input, Millis, Number,
};
use twicetold_improv::improvise;
use twicetold_journal::{Memory, Source, branch, open_source, verify};
use twicetold_session::{
    Branched, FactValue, Nothing, Session, Verdict, diff, entries, facts, history, lineage, load, replay,
    untaken,
};
use twicetold_tests::{Game, Home, Played, Script, Who, flat, last_line};
use twicetold_tool::stream;
use twicetold_world::Life;

const BRANCH: CampaignId = CampaignId([9; 16]);

pub(crate) fn asked(at: Number) -> ForkAsked {
    let (seed, amendments, note) = (None, Vec::new(), String::new());
    ForkAsked { parent: CampaignId([1; 16]), at, seed, amendments, resample: false, note }
}

/// A branch of `parent` with this change, played to its end; and how many answers were not its parent's.
pub(crate) fn branched(parent: &Played, folder: &std::path::Path, asked: ForkAsked) -> (Played, u32) {
    let path = folder.join(format!("{}-{}.redb", asked.at.0, asked.note.len()));
    let store = branch(parent.source(), asked.at, &path).unwrap();
    let session = Session::recover(Box::new(store), Build::new("test")).unwrap().renamed(BRANCH);
    let mut replies = untaken(parent.source(), session.journal(), asked.at).unwrap();
    let mut played =
        Played { session, memory: Memory::new(), transcript: Vec::new(), events: Vec::new(), calls: 0 };
    let mut live = 0;
    played.go_on(Input::ForkAsked(asked), &mut |seat, body| {
        let sent = twicetold_dialect::sent_digest(body);
        let known = replies.get_mut(&seat);
        let place = known.as_ref().and_then(|known| known.iter().position(|(digest, _)| *digest == sent));
        match (known, place) {
            (Some(known), Some(place)) => known.remove(place).1,
            _ => {
                live += 1;
                improvise(body)
            }
        }
    });
    (played, live)
}

fn all(source: &dyn Source) -> Vec<Entry> {
    entries(source).unwrap().map(|entry| entry.unwrap()).collect()
}

fn assert_replayed(played: &Played) {
    verify(played.source()).unwrap();
    let told = replay(played.source(), None).unwrap();
    assert!(matches!(told.verdict, Verdict::Identical));
}

#[test]
fn a_branch_without_a_change_goes_on_as_its_parent_at_every_entry() {
    let parent = Game::new(101).improvised();
    let story = parent.session.campaign().story();
    let folder = tempfile::tempdir().unwrap();
    let all_entries = all(parent.source());
    for entry in &all_entries[..all_entries.len() - 1] {
        let at = entry.header.next();
        let (played, live) = branched(&parent, folder.path(), asked(at));
        assert_eq!(live, 0, "nobody is asked what was answered, after #{}", at.0);
        assert_eq!(played.session.campaign().story(), story, "after #{}", at.0);
        let own = all(played.source());
        let shared = own.iter().take_while(|entry| entry.header.campaign == CampaignId([1; 16])).count();
        let same = all_entries.iter().take_while(|entry| entry.header.first < at).count();
        assert_eq!(shared, same);
        assert_eq!(own[..shared], all_entries[..shared], "byte for byte, chain and all");
    }
}

#[test]
fn a_branch_is_replayed_and_knows_where_it_comes_from() {
    let parent = Game::new(102).improvised();
    let folder = tempfile::tempdir().unwrap();
    let at = all(parent.source())[20].header.next();
    let (played, _) = branched(&parent, folder.path(), asked(at));
    assert_replayed(&played);
    let lineage = lineage(played.source()).unwrap();
    assert_eq!(lineage.len(), 1);
    assert_eq!((lineage[0].0, lineage[0].1.at), (BRANCH, at));
}

/// Faces by stream and counter.
fn faces(events: &[Event]) -> BTreeMap<(String, u32), Vec<u16>> {
    let face = |event: &Event| match event {
        Event::AbilityChecked(word) => Some(((word.stream.clone(), word.counter), word.faces.clone())),
        Event::DiceRolled(word) => Some(((word.stream.clone(), word.counter), word.faces.clone())),
        _ => None,
    };
    events.iter().filter_map(face).collect()
}

#[test]
fn one_draw_replaced_changes_that_draw_and_leaves_everybody_elses_dice_alone() {
    let parent = Game::new(103).improvised();
    let before = faces(&parent.events);
    let first = all(parent.source()).into_iter().find_map(|entry| {
        let check = entry.events.iter().find_map(|event| match event {
            Event::AbilityChecked(word) => Some(word.clone()),
            _ => None,
        });
        check.map(|check| (entry.header.first, check))
    });
    let (number, check) = first.expect("somebody tries something");
    let other = if check.faces[0] == 20 { 1 } else { 20 };
    let content =
        format!("[[draw]]\nstream = {:?}\ncounter = {}\nfaces = [{other}]\n", check.stream, check.counter);
    let amendments = vec![AmendmentAsked { path: "draws.toml".into(), content }];
    let folder = tempfile::tempdir().unwrap();
    let (played, _) =
        branched(&parent, folder.path(), ForkAsked { amendments, note: "draw".into(), ..asked(number) });
    assert_replayed(&played);
    let after = faces(&played.events);
    assert_eq!(after[&(check.stream.clone(), check.counter)], [other]);
    for (place, faces) in &after {
        if *place != (check.stream.clone(), check.counter)
            && let Some(known) = before.get(place)
        {
            assert_eq!(faces, known, "{place:?}");
        }
    }
    assert_ne!(played.session.campaign().story(), parent.session.campaign().story());
}

#[test]
fn a_roll_of_the_dms_can_be_replaced_too() {
    let roll = ("roll_dice", "{\"dice\":\"d20\",\"reason\":\"the weather\"}");
    let parent = Script::of(Game::new(107)).line(Who::Dm, "", &[roll]).play().played;
    let is_roll = |event: &Event| matches!(event, Event::DiceRolled(_));
    let entry = all(parent.source()).into_iter().find(|entry| entry.events.iter().any(is_roll));
    let number = entry.expect("the DM rolls").header.first;
    let (weather, rolled) = (("dm roll".to_owned(), 0), faces(&parent.events));
    let other = if rolled[&weather] == [20] { 1 } else { 20 };
    let content = format!("[[draw]]\nstream = \"dm roll\"\ncounter = 0\nfaces = [{other}]\n");
    let amendments = vec![AmendmentAsked { path: "draws.toml".into(), content }];
    let folder = tempfile::tempdir().unwrap();
    let (played, _) = branched(&parent, folder.path(), ForkAsked { amendments, ..asked(number) });
    assert_replayed(&played);
    assert_eq!(faces(&played.events)[&weather], [other]);
}

#[test]
fn another_limit_seed_or_prompt_counts_from_there_on_and_the_pending_call_is_asked_anew() {
    let parent = Game::new(105).improvised();
    let at = all(parent.source())[30].header.next();
    let folder = tempfile::tempdir().unwrap();
    let text = |path: &str| {
        let setup = parent.session.campaign().state().setup();
        setup.files.iter().find(|file| file.path == path).unwrap().text.to_string()
    };
    let prompt = text("prompts/dm-play.md").replace("At most 150 words", "At most 40 words");
    let limits = text("limits.toml").replace("turns_max = 200", "turns_max = 24");
    let amend = |path: &str, content: String| vec![AmendmentAsked { path: path.into(), content }];
    let changes = [
        ForkAsked { amendments: amend("prompts/dm-play.md", prompt), note: "p".into(), ..asked(at) },
        ForkAsked { amendments: amend("limits.toml", limits), note: "li".into(), ..asked(at) },
        ForkAsked { seed: Some(7), note: "see".into(), ..asked(at) },
    ];
    for change in changes {
        let (played, _) = branched(&parent, folder.path(), change.clone());
        assert_replayed(&played);
        let withdrawn = played.events.iter().filter(|event| matches!(event, Event::CallWithdrawn(_))).count();
        assert_eq!(withdrawn, 1, "{}", change.note);
        let state = played.session.campaign().state();
        match change.note.as_str() {
            "li" => assert!(
                matches!(state.life(), Life::Ended { ending: Ending::TurnLimit, .. }),
                "{:?}",
                state.life()
            ),
            "see" => assert_eq!(state.setup().seed, 7),
            _ => assert_ne!(played.session.campaign().story(), parent.session.campaign().story()),
        }
    }
}

#[test]
fn a_journal_that_changes_its_name_without_a_branching_is_refused() {
    let parent = Game::new(105).improvised();
    let at = all(parent.source())[10].header.next();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.redb");
    let store = branch(parent.source(), at, &path).unwrap();
    let mut session = Session::recover(Box::new(store), Build::new("test")).unwrap().renamed(BRANCH);
    let paused = Input::PauseAsked(twicetold_event::PauseAsked { reason: "x".into() });
    assert!(session.commit(Millis(9_000_000_000), paused).is_err(), "the store itself refuses it");
}

#[test]
fn two_branches_are_compared_where_they_part_and_in_the_end() {
    let parent = Game::new(106).improvised();
    let folder = tempfile::tempdir().unwrap();
    let at = all(parent.source())[25].header.next();
    let (same, _) = branched(&parent, folder.path(), asked(at));
    let difference = diff(parent.source(), same.source()).unwrap();
    assert_eq!((difference.shared, difference.facts.len()), (at.0, 0), "{:?}", difference.facts);
    assert_eq!(difference.parting.1, Some((at.0, "ForkAsked".to_owned())));
    let changed =
        Branched { what: "nothing".into(), used_at: None, why_nothing: vec![Nothing::NothingChanged] };
    assert_eq!(difference.changed, (None, Some(changed)));
    assert_eq!(difference.told_differing, 0, "{:?}", difference.told);

    let (other, _) =
        branched(&parent, folder.path(), ForkAsked { seed: Some(9), note: "seed".into(), ..asked(at) });
    let difference = diff(parent.source(), other.source()).unwrap();
    assert_eq!(difference.shared, at.0);
    let changed = difference.changed.1.unwrap();
    assert_eq!((changed.what.as_str(), changed.why_nothing), ("seed", Vec::new()));
    assert!(changed.used_at.is_some_and(|number| number > at.0), "{:?}", changed.used_at);
    assert!(!difference.told.is_empty() && !difference.facts.is_empty());
    for (one, other) in &difference.told {
        assert!(one.as_ref().or(other.as_ref()).is_some_and(|line| line.number >= at.0));
        let text = |line: &Option<twicetold_projection::people::Line>| {
            line.as_ref().map(|line| (line.speaker.clone(), line.text.clone()))
        };
        assert_ne!(text(one), text(other));
    }
    for (path, one, other) in &difference.facts {
        assert_ne!(one, other, "{path}");
    }
}

#[test]
fn a_comparison_begins_with_the_change_and_says_why_nothing_came_of_it() {
    let home = Home::new();
    let parent = home.play(3)["campaign"].as_str().unwrap().to_owned();
    let log = home.succeed(["log", "last", "--json"]);
    let checks =
        log.lines().map(twicetold_tests::last_line).filter(|event| event["type"] == "AbilityChecked");
    let checks: Vec<_> = checks.collect();
    let draws =
        |stream: &serde_json::Value| checks.iter().filter(|other| other["data"]["stream"] == *stream).count();
    // A stream of one draw.
    let check = checks.iter().find(|check| draws(&check["data"]["stream"]) == 1).unwrap();
    let stream = check["data"]["stream"].as_str().unwrap();
    let at = check["number"].as_u64().unwrap() - 20;
    let compared = |change: &[&str], is_played: bool| {
        let fork = ["fork", &parent, "--at", &at.to_string(), "--json"];
        let made = last_line(&home.succeed(fork.iter().chain(change)));
        let branch = made["campaign"].as_str().unwrap().to_owned();
        if is_played {
            home.succeed(["resume", &branch, "--quiet"]);
        }
        let told = home.succeed(["diff", &parent, &branch]);
        home.succeed(["rm", "--yes", &branch]);
        (flat(&told), branch)
    };
    let never = format!("{stream}:40=5");
    let (told, branch) = compared(&["--draw", &never], true);
    assert!(
        told.starts_with(&format!("{branch} changed: draw 40 of {stream}: [5] It had no effect: ")),
        "{told}"
    );
    assert!(
        told.contains(&format!("draw 40 of {stream} was never made; the branch made draw 0 only.")),
        "{told}"
    );
    let (told, _) = compared(&["--draw", &never], false);
    assert!(told.contains("the branch has not been played yet; `twicetold resume"), "{told}");
    let same = format!("{stream}:0={}", check["data"]["faces"][0]);
    let (told, _) = compared(&["--draw", &same], true);
    assert!(told.contains("was made in #") && told.contains("and changed no outcome."), "{told}");
    let (told, _) = compared(&["--limit", "tokens_max=9000000"], true);
    assert!(told.contains("no request and no result of a rule depends on it."), "{told}");
    let (told, _) = compared(&["--resample"], true);
    assert!(told.contains("differently or again, and the answers led to the same."), "{told}");
    let other = format!("{stream}:0={}", if check["data"]["faces"][0] == 20 { 1 } else { 20 });
    let (told, _) = compared(&["--draw", &other], true);
    assert!(told.contains("It is used first in #") && !told.contains("no effect"), "{told}");
}

#[test]
fn every_value_of_a_fact_is_found_with_the_event_that_gave_it() {
    let played = Game::new(107).improvised();
    let turns = history(played.source(), "turn", |_| false).unwrap();
    let last = turns.last().unwrap().value.clone();
    let turn = i64::from(played.session.campaign().state().turn().number);
    assert_eq!(last, Some(FactValue::Number(turn)));
    assert!(turns.windows(2).all(|pair| pair[0].number < pair[1].number));
    let tenth =
        history(played.source(), "turn", |change| change.value == Some(FactValue::Number(10))).unwrap();
    let found = tenth.last().unwrap();
    let mut began = Vec::new();
    for entry in all(played.source()) {
        let is_tenth = |event: &Event| matches!(event, Event::TurnBegan(word) if word.turn == 10);
        began.extend(entry.numbered().filter(|(_, event)| is_tenth(event)).map(|(number, _)| number.0));
    }
    assert_eq!(began, [found.number], "the event itself");
}

#[test]
fn a_fact_is_what_was_written_and_not_where() {
    let played = Game::new(107).improvised();
    let known = facts(played.session.campaign());
    let head = played.source().head().next.0;
    for document in ["memory", "npcs", "characters"] {
        let changes = history(played.source(), document, |_| false).unwrap();
        for pair in changes.iter().filter_map(|change| Some((change, change.value.as_ref()?))) {
            assert!(pair.0.number < head);
        }
        let mut last: BTreeMap<&str, Option<&FactValue>> = BTreeMap::new();
        for change in &changes {
            let before = last.insert(&change.path, change.value.as_ref());
            assert_ne!(before, Some(change.value.as_ref()), "{} did not change", change.path);
        }
    }
    assert!(!known.contains_key("memory.scene.0"));
    assert!(known.get("memory.scene").is_none_or(|scene| matches!(scene, FactValue::Text(_))));
    let strength = known.iter().find(|(path, _)| path.ends_with(".abilities.STR"));
    assert!(strength.is_some_and(|(_, score)| matches!(score, FactValue::Number(_))), "{known:?}");
    assert!(known.keys().any(|path| path.ends_with(".hit_points.now")));
}

#[test]
fn a_branch_that_has_asked_nobody_warns_of_nothing() {
    let home = Home::new();
    home.play(3);
    home.succeed(["fork", "last", "--at", "150", "--seed", "9"]);
    let resumed = home.run(["resume", "last", "--quiet"]).succeeded();
    assert!(!resumed.stderr.contains("in flight"), "the branch has asked nobody yet: {}", resumed.stderr);
}

#[test]
fn every_draw_comes_from_a_stream_that_no_model_named() {
    let games = (120..124).map(|seed| Game::new(seed).improvised());
    let games = games.chain((120..124).map(|seed| Game::new(seed).chaotic()));
    let mut streams: BTreeMap<String, u32> = BTreeMap::new();
    for played in games {
        let state = played.session.campaign().state();
        for event in &played.events {
            let drawn: Vec<&str> = match event {
                Event::DiceRolled(word) => vec![&word.stream],
                Event::AbilityChecked(word) => vec![&word.stream],
                Event::AttackMade(word) => vec![&word.stream],
                Event::SavingThrowMade(word) => vec![&word.stream],
                Event::MoraleChecked(word) => vec![&word.stream],
                Event::CombatBegan(word) => word.order.iter().map(|place| place.stream.as_str()).collect(),
                _ => continue,
            };
            for stream in drawn {
                assert!(stream::is_known(state.setup(), stream), "{stream:?}");
                *streams.entry(stream.to_owned()).or_default() += 1;
            }
        }
        assert!(state.streams().all(|stream| stream::is_known(state.setup(), stream)));
    }
    for purpose in [" roll", " check ", " attack", " initiative"] {
        assert!(streams.keys().any(|stream| stream.contains(purpose)), "{purpose}: {streams:?}");
    }
}

#[test]
fn a_branch_that_could_not_be_played_as_it_says_is_refused_before_anything_is_written() {
    let home = Home::new();
    home.play(3);
    let seat = "protocol=\"improv\"\nwire=1\nmodel=\"m\"\ntokens_max=1000\nparallel_tool_calls=true\nsend_seed=true\ntoken_factor_percent=100\n";
    home.write("more.toml", format!("players = 3\n[seat.dm]\n{seat}"));
    home.write("nobody.toml", format!("players = 2\n[seat.player-1]\n{seat}"));
    home.write("odd.toml", format!("players = 2\n[seat.dm]\n{seat}compat = {{ nope = 1 }}\n"));
    home.write("smoke.toml", format!("players = 2\n[seat.dm]\n{}", seat.replace("\"improv\"", "\"smoke\"")));
    home.write("later.toml", format!("players = 2\n[seat.dm]\n{}", seat.replace("wire=1", "wire=2")));
    home.write("nonsense.json", "nonsense");
    home.write("whole.toml", format!("players = 2\n[seat.dm]\n{seat}"));
    let rows: [(&[&str], &str); 7] = [
        (&["--file", "seats.toml=more.toml"], "3 players instead of 2"),
        (&["--file", "seats.toml=nobody.toml"], "every campaign needs a model for the DM"),
        (&["--file", "seats.toml=odd.toml"], "nope"),
        (
            &["--file", "seats.toml=smoke.toml"],
            "none of chat-completions, responses, anthropic-messages, gemini, ollama, improv",
        ),
        (&["--file", "seats.toml=later.toml"], "speaks version 1 of improv, not 2"),
        (&["--file", "tools/roll_dice.json=nonsense.json"], "tools/roll_dice.json"),
        (&["--file", "seats.toml=whole.toml", "--model", "improv"], "give one of the two"),
    ];
    for (change, says) in rows {
        home.run([&["fork", "last", "--at", "100"], change].concat()).failed(2, &[says]);
    }
    assert_eq!(home.campaigns().len(), 1);
    // What a file and an option say of draws is put together.
    home.write("draws.toml", "[[draw]]\nstream = \"dm roll\"\ncounter = 1\nfaces = [1]\n");
    home.succeed([
        "fork",
        "last",
        "--at",
        "100",
        "--file",
        "draws.toml=draws.toml",
        "--draw",
        "player-1 save DEX:2=3",
    ]);
    let both = |path: &std::path::PathBuf| {
        let campaign = load(open_source(path).unwrap().as_ref()).unwrap().campaign;
        campaign.state().setup().draws.len() == 2
    };
    assert!(home.campaigns().iter().any(both));
}

#[test]
fn undo_goes_back_turn_by_turn_and_never_past_the_branching() {
    let home = Home::new();
    home.play(3);
    home.succeed(["fork", "last", "--at", "150", "--seed", "9"]);
    home.run(["undo", "last"]).failed(2, &["has no turn of its own yet", "undo"]);
    home.succeed(["resume", "last", "--quiet"]);
    let shared = |json: &str| twicetold_tests::last_line(json)["shared"].as_u64().expect("a number");
    let first = shared(&home.succeed(["undo", "last", "--json"]));
    let tree = home.succeed(["tree"]);
    assert!(tree.contains("undo of the last turn"), "{tree}");
    assert!(first > 150);
    let second = shared(&home.succeed(["undo", "last", "--json"]));
    assert!(150 < second && second < first, "the turn before it: {second}, {first}");
    home.succeed(["resume", "last", "--quiet"]);
    assert!(home.succeed(["replay", "last"]).contains("Identical"));
}

#[test]
fn a_limit_that_has_passed_and_a_number_that_is_no_reply_are_refused() {
    let home = Home::new();
    home.play(3);
    let log = home.succeed(["log", "last", "--json"]);
    let mut lines = log.lines().map(twicetold_tests::last_line);
    let began =
        lines.find(|line| line["type"] == "TurnBegan" && line["data"]["turn"] == 12).expect("it is longer");
    let at = began["number"].to_string();
    home.run(["fork", "last", "--at", &at, "--limit", "turns_max=5"])
        .failed(2, &["turns_max = 5 has passed: 12 are used", "would end at once"]);
    let spoken = lines.find(|line| line["type"] == "MessageSpoken").expect("somebody speaks");
    home.write("words.txt", "I wait.");
    home.run(["fork", "last", "--at", &spoken["number"].to_string(), "--reply", "words.txt"])
        .failed(2, &["is not a reply; it came of the reply #", "--at"]);
    assert_eq!(home.campaigns().len(), 1, "nothing was written");
}

#[test]
fn a_draw_that_was_made_before_the_branch_and_an_empty_reply_are_refused() {
    let home = Home::new();
    home.play(3);
    let log = home.succeed(["log", "last", "--json"]);
    let drawn =
        log.lines().map(twicetold_tests::last_line).find(|event| event["type"] == "AbilityChecked").unwrap();
    let (stream, counter) = (drawn["data"]["stream"].as_str().unwrap(), &drawn["data"]["counter"]);
    let at = (drawn["number"].as_u64().unwrap() + 20).to_string();
    let draw = format!("{stream}:{counter}=4");
    home.run(["fork", "last", "--at", &at, "--draw", &draw]).failed(2, &["is older than the branch"]);
    let named = drawn["data"]["character"].as_str().unwrap();
    for unknown in [named, "player-9 roll", "player-1 check Luck", "foe:nobody-1 morale", "dm"] {
        home.run(["fork", "last", "--at", &at, "--draw", &format!("{unknown}:0=4")])
            .failed(2, &["no stream of draws", unknown, stream]);
    }
    for impossible in ["0", "21", "25", "4,4"] {
        home.run(["fork", "last", "--at", "0", "--draw", &format!("{stream}:0={impossible}")])
            .failed(2, &["throws 1d20, which cannot show", "give one face from 1 to 20"]);
    }
    home.run(["fork", "last", "--at", "0", "--draw", "dm roll:0=0"])
        .failed(2, &["no dice of this campaign show [0]"]);
    home.write("empty.txt", "");
    let reply =
        log.lines().map(twicetold_tests::last_line).find(|event| event["type"] == "ModelReplied").unwrap();
    let at = reply["number"].to_string();
    home.run(["fork", "last", "--at", &at, "--reply", "empty.txt"]).failed(2, &["the reply is empty"]);
    assert_eq!(home.campaigns().len(), 1, "nothing was written");
}
