//! Whole campaigns and single requests against the improviser alone.

mod modes;
mod scenes;
mod table;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::grammar::made_after;
use super::narration::FAILURE_SAID;
use super::{improvise, improvise_chaos};
use table::Table;

#[test]
fn a_whole_campaign_needs_nobody_else() {
    for seed in 1..=20 {
        let table = Table::play(seed);
        assert_eq!(table.phase, "play", "seed {seed}");
        assert!(table.papers, "seed {seed}");
    }
}

#[test]
fn most_encounters_are_resolved_and_in_several_ways() {
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 100..160 {
        let table = Table::play(seed);
        let outcome = table.resolved.map_or("none".to_owned(), |(outcome, _)| outcome);
        let kind = if outcome.starts_with("dynamic_") {
            "own"
        } else if outcome.starts_with("bell") {
            "primary"
        } else {
            &outcome
        };
        *outcomes.entry(kind.to_owned()).or_default() += 1;
    }
    let share = |kind: &str| outcomes.get(kind).copied().unwrap_or(0);
    assert!((30..=48).contains(&share("primary")), "{outcomes:?}");
    assert!((4..=18).contains(&share("own")), "{outcomes:?}");
    assert!((3..=18).contains(&share("tam-in-chains")), "{outcomes:?}");
    assert!(share("none") <= 8, "{outcomes:?}");
}

#[test]
fn what_is_left_to_do_is_asked_for_once_and_ends_the_encounter() {
    let leads = [" is left is to ", " is left, which is to ", " is left but to "];
    let mut ended = 0;
    for seed in 300..420 {
        let table = Table::play(seed);
        let asked =
            table.said.iter().filter(|(_, text)| leads.iter().any(|lead| text.contains(lead))).count();
        assert!(asked <= 1, "seed {seed}: asked {asked} times");
        ended += usize::from(asked == 1 && table.resolved.is_some());
    }
    assert!(ended > 30, "{ended}");
}

#[test]
fn no_long_sentence_is_said_more_than_twice() {
    for seed in 200..225 {
        let table = Table::play(seed);
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, text) in &table.said {
            for sentence in super::read::sentences(text) {
                if sentence.len() > 40 && text.len() < 1500 {
                    *counted.entry(sentence).or_default() += 1;
                }
            }
        }
        let worn: Vec<_> = counted.iter().filter(|(_, count)| **count > 2).collect();
        assert!(worn.is_empty(), "seed {seed}: {worn:?}");
    }
}

#[test]
fn the_same_body_gets_the_same_answer_and_another_seed_another() {
    let request = Table::new(1).request(Some(0), &[]);
    assert_eq!(improvise(&request), improvise(&request));
    assert_eq!(improvise_chaos(&request), improvise_chaos(&request));
    assert_ne!(improvise(&request), improvise(&Table::new(2).request(Some(0), &[])));
}

#[test]
fn garbage_gets_a_short_valid_answer() {
    let bodies = [
        "",
        "null",
        "[]",
        "{",
        "{\"messages\": 7}",
        "{\"messages\": []}",
        "\u{0}\u{1b}",
        "{\"seed\": \"x\", \"messages\": [{}]}",
        "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"Hello.\"}]}]}",
        "{\"messages\": [{\"role\": \"user\", \"content\": \"<table_state version=\\\"1\\\">\\nphase: play\\nrole: dm\\ngoal:\\nmessages: 90 of 1\"}]}",
        "{\"messages\": [{\"role\": \"user\", \"content\": \"<table_state>\\nphase: lock\\nrole: player\\nclass: |||\\nproblem: HP\"}]}",
    ];
    for body in bodies {
        let reply: Value = serde_json::from_str(&improvise(body)).expect("JSON");
        assert!(!reply["choices"][0]["message"]["content"].as_str().unwrap_or("").is_empty(), "{body}");
        improvise_chaos(body);
    }
}

#[test]
fn no_cut_body_makes_it_panic() {
    let mut table = Table::new(3);
    table.phase = "play";
    table.messages = 9;
    table
        .said
        .push(("DM".to_owned(), "“Ærlig talt,” says nobody — beside the öl barrel. 中文 “x".to_owned()));
    let request = table.request(Some(1), &[]);
    for end in (0..request.len()).step_by(37).filter(|end| request.is_char_boundary(*end)) {
        let cut = &request[..end];
        improvise(cut);
        improvise(&cut.replace("\\n", " "));
        improvise_chaos(&format!("{cut}\"}}]}}"));
    }
}

#[test]
fn a_refused_sheet_is_mended_by_its_reasons() {
    let mut table = Table::new(5);
    table.phase = "lock";
    let request = table.request(Some(0), &[]).replace(
        "sheet: needed",
        "sheet: refused\\nproblem: HP 14 is above 3\\nproblem: rope is not allowed",
    );
    let reply: Value = serde_json::from_str(&improvise(&request)).expect("JSON");
    let text = reply["choices"][0]["message"]["content"].as_str().expect("words");
    assert!(text.contains("HP: 3\n"), "{text}");
    let gear = text.lines().find(|line| line.starts_with("Equipment:")).expect("equipment");
    assert!(!gear.contains("rope"), "{gear}");
}

#[test]
fn a_renamed_argument_is_found_and_an_unknown_one_left_out() {
    let mut table = Table::new(8);
    table.phase = "play";
    table.messages = 5;
    for seed in 0..40 {
        table.seed = seed;
        let request = table.request(Some(1), &[]).replace("\"check\":{}", "\"skill_check\":{}");
        let reply: Value = serde_json::from_str(&improvise(&request)).expect("JSON");
        if let Some(call) = reply["choices"][0]["message"]["tool_calls"].get(0) {
            let arguments: Value =
                serde_json::from_str(call["function"]["arguments"].as_str().expect("text")).expect("JSON");
            assert!(arguments["skill_check"].is_string(), "{arguments}");
            assert!(arguments.get("check").is_none());
            return;
        }
    }
    panic!("no check in forty requests");
}

#[test]
fn a_player_tells_a_failed_check_as_a_failure() {
    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "ability_check", "arguments": "{}"}});
    let told = |text: &str, patterns: &[&str]| {
        let starts = patterns.iter().filter_map(|pattern| pattern.split(['[', '{']).next());
        starts.filter(|start| start.len() > 9).any(|start| text.contains(start.trim_end()))
    };
    let mut found = 0;
    for seed in 0..30 {
        let mut table = Table::new(seed);
        table.phase = "play";
        table.messages = 5;
        for (outcome, right, wrong) in [
            ("failure", super::lines::CHECK_FAILURE, super::lines::CHECK_SUCCESS),
            ("success", super::lines::CHECK_SUCCESS, super::lines::CHECK_FAILURE),
        ] {
            let result = format!("[dice] Player 2: slip through the fog 4 against 12: {outcome}");
            let reply = improvise(&table.request(Some(1), &[(call.clone(), result)]));
            let reply: Value = serde_json::from_str(&reply).expect("JSON");
            let message = &reply["choices"][0]["message"];
            let text = message["content"].as_str().expect("words");
            assert!(message.get("tool_calls").is_none(), "the same call is not made again");
            assert!(text.contains("slip through the fog"), "{text}");
            assert!(!told(text, wrong), "{outcome}: {text}");
            found += i32::from(told(text, right));
        }
    }
    assert!(found > 25, "{found}");
}

#[test]
fn the_dm_never_grants_what_failed() {
    let mut told = 0;
    for seed in 0..60 {
        let mut table = Table::new(seed);
        table.phase = "play";
        table.messages = 5;
        table.said.push(("Player 2".to_owned(), "I slip through the fog, slowly.".to_owned()));
        table.last_checks.push("Player 2 | slip through the fog | failure | total=4".to_owned());
        let noted =
            json!({"id": "c1", "type": "function", "function": {"name": "record_event", "arguments": "{}"}});
        let reply = improvise(&table.request(None, &[(noted, "[event] It is noted.".to_owned())]));
        let granted = ["works", "comes off", "Well done", "succeeds", "it is done", "You could have"];
        assert!(!granted.iter().any(|words| reply.contains(words)), "{reply}");
        // The player has said what was tried.
        told += i32::from(made_after(&reply, FAILURE_SAID).is_some());
    }
    assert!(told > 25, "{told}");
}

#[test]
fn the_memory_keeper_tells_what_was_in_the_passage() {
    let block = "<table_state version=\"1\">\nphase: summary\nrole: memory\nyou: memory\nplayer: Player 1 | name=Kira Ashford\n</table_state>";
    let passage = "DM: The fog comes in over the long jetty, and the boats are gone. Kira Ashford, what do you do?\n\n\
        Kira Ashford: I tie the rope to my belt, twice.\n\n[check] Kira Ashford: climb the mast (DEX): 12+2 = 14 against 12: success\n\n[reminder] Tidy up.";
    let body = json!({"messages": [{"role": "user", "content": format!("{passage}\n\n{block}")}], "seed": 4})
        .to_string();
    let reply = improvise(&body);
    for fact in ["long jetty", "tie the rope to their belt", "Kira Ashford managed to climb the mast."] {
        assert!(reply.contains(fact), "{reply}");
    }
    assert!(!reply.contains("14 against 12") && !reply.contains("Tidy up"), "{reply}");
}

#[test]
fn a_summary_is_not_mistaken_for_somebody_speaking() {
    let block = "<table_state version=\"1\">\nphase: play\nrole: dm\nyou: DM\nplayer: Player 1 | name=Kira Ashford\n\
        player: Player 2 | name=Sam Reed\nmessages: 9 of 44\n</table_state>";
    let said = "Sam Reed: I tie the rope to my belt.\n\n<story_so_far>\nKira Ashford: it was long ago.\n</story_so_far>";
    let body = json!({"messages": [{"role": "user", "content": format!("{said}\n\n{block}")}], "seed": 4})
        .to_string();
    let reply = improvise(&body);
    assert!(reply.contains("Sam") && reply.contains("ie the rope to your belt"), "{reply}");
}

#[test]
fn whoever_the_reminders_name_is_recorded_as_met() {
    let reminders = "<memory>\nMet:\n- Old Tam\n</memory>\n<reminders>\n- Amity Rook has come up and is not recorded as met.\n</reminders>";
    for seed in 0..8 {
        let mut table = Table::new(seed);
        table.phase = "play";
        table.messages = 5;
        let request =
            table.request(None, &[]).replace("You sit at a table.", &reminders.replace('\n', "\\n"));
        let reply = improvise(&request);
        assert!(
            reply.contains("record_met") && reply.contains("amity-rook") && !reply.contains("old-tam"),
            "{reply}"
        );
    }
}

#[test]
fn chaos_spoils_every_third_reply_or_more_and_never_panics() {
    let mut table = Table::new(1);
    let mut spoilt = 0;
    for seed in 0..600 {
        table.seed = seed;
        table.phase = ["pitch", "converge", "lock", "play"][seed as usize % 4];
        let request = table.request(if seed % 3 == 0 { None } else { Some(1) }, &[]);
        spoilt += i32::from(improvise(&request) != improvise_chaos(&request));
    }
    assert!((180..=330).contains(&spoilt), "{spoilt}");
}

#[test]
fn forged_calls_follow_the_schema_of_an_offered_tool_or_are_told_apart_by_the_engine() {
    let mut table = Table::new(1);
    table.phase = "play";
    table.messages = 5;
    let (mut made, mut batches, mut objects) = (0, 0, 0);
    for seed in 0..600 {
        table.seed = seed;
        let request = table.request(if seed % 3 == 0 { None } else { Some(1) }, &[]);
        let Ok(reply) = serde_json::from_str::<Value>(&improvise_chaos(&request)) else { continue };
        let calls = reply["choices"][0]["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
        batches += i32::from(calls.len() >= 8);
        for call in calls {
            made += 1;
            let arguments = call["function"]["arguments"].as_str().unwrap_or("");
            objects +=
                i32::from(serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()));
        }
    }
    assert!(made > 300 && batches > 10, "{made} {batches}");
    assert!(objects * 100 > made * 75 && objects < made, "{objects} of {made}");
}
