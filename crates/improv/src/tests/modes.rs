//! Conversations, fights and the keeper's other tasks: single requests as the table makes them.

use serde_json::{Value, json};

use super::super::improvise;

const PERSONA: &str = "Patient and damp. She wants the bell back before noon, and fears being blamed. She saw Old Tam \
    on the third step at six, and has told nobody.";

/// The message that answers a request of these parts.
pub(super) fn answer(
    system: &str,
    said: &str,
    block: &str,
    tools: &[(&str, &[&str])],
    seed: u64,
    more: &[Value],
) -> Value {
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, fields)| {
            // A question mark says that a field may be left out.
            let properties: serde_json::Map<String, Value> =
                fields.iter().map(|field| (field.trim_end_matches('?').to_owned(), json!({}))).collect();
            let required: Vec<&&str> = fields.iter().filter(|field| !field.ends_with('?')).collect();
            let parameters = json!({"type": "object", "properties": properties, "required": required});
            json!({"type": "function", "function": {"name": name, "parameters": parameters}})
        })
        .collect();
    let block = format!("<table_state version=\"1\">\n{block}\n</table_state>");
    let mut messages = vec![json!({"role": "system", "content": system})];
    // What the seat that is asked said itself stands in messages of its own.
    messages.extend(said.split("\n\n").map(|text| match text.strip_prefix("I said: ") {
        Some(own) => json!({"role": "assistant", "content": own}),
        None => json!({"role": "user", "content": text}),
    }));
    messages.push(json!({"role": "user", "content": block}));
    messages.extend_from_slice(more);
    let body = json!({"messages": messages, "tools": tools, "seed": seed}).to_string();
    let reply: Value = serde_json::from_str(&improvise(&body)).expect("JSON");
    reply["choices"][0]["message"].clone()
}

pub(super) fn calls(message: &Value) -> Vec<(String, Value)> {
    let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
    let read = |call: &Value| {
        let arguments = call["function"]["arguments"].as_str().unwrap_or("");
        let name = call["function"]["name"].as_str().unwrap_or("").to_owned();
        (name, serde_json::from_str(arguments).expect("arguments are JSON"))
    };
    calls.iter().map(read).collect()
}

const TALKING: &[(&str, &[&str])] = &[
    ("end_dialogue", &[]),
    ("update_relationship", &["trait", "change", "duration"]),
    ("exchange_item", &["item_name", "giver_id", "receiver_id"]),
];

fn companion(said: &str, exchanges: i64, items: &str, seed: u64) -> Value {
    companion_of(PERSONA, said, exchanges, items, seed)
}

pub(super) fn companion_of(persona: &str, said: &str, exchanges: i64, items: &str, seed: u64) -> Value {
    let system = format!("You are Amity Rook.\n<who_you_are>\n{persona}\n</who_you_are>");
    let block = format!(
        "phase: play\nrole: companion\nyou: Amity Rook\nplayer: Player 1 | name=Kira Ashford | class=warden\nmode: dialogue\n\
         dialogue: amity-rook | name=Amity Rook | role=harbour mistress\nexchanges: {exchanges} of 10\nwith: Kira Ashford\n\
         trust: 0\nfeelings: \nitems: {items}\ncharacter: Kira Ashford | items=Rope x1"
    );
    answer(&system, &format!("Kira Ashford: {said}"), &block, TALKING, seed, &[])
}

#[test]
fn a_companion_tells_a_little_at_a_time_and_ends_its_dialogue() {
    let mut revealed = 0;
    for seed in 0..20 {
        let first = companion("What do you know?", 0, "", seed);
        assert!(calls(&first).is_empty(), "{first}");
        assert!(first["content"].as_str().is_some_and(|text| text.contains("the bell back before noon")));
        assert!(!first.to_string().contains("third step"), "the secret is not the first thing that is said");
        let last = companion("Thank you. Goodbye.", 6, "", seed);
        assert!(calls(&last).iter().any(|(name, _)| name == "end_dialogue"), "{last}");
        assert!(last["content"].as_str().is_some_and(|text| text.contains("Kira")), "a farewell in words");
        revealed += i32::from(last.to_string().contains("I saw Old Tam on the third step"));
    }
    assert!((8..=20).contains(&revealed), "{revealed}");
}

#[test]
fn a_companion_says_what_the_material_lets_it_say() {
    let written = format!(
        "{PERSONA}\n\ngreets: Mind the rope.\nwants: Quiet, and a kettle.\nfears: Gulls.\ntells: I sold the clapper.\n\
         refuses: Ask the gulls.\nparts: Shut the door."
    );
    let mut told = 0;
    for seed in 0..20 {
        let said = |heard: &str, exchanges: i64| {
            let reply = companion_of(&written, heard, exchanges, "", seed);
            reply["content"].as_str().unwrap_or("").to_owned()
        };
        assert_eq!(said("What do you know?", 0), "Mind the rope. Quiet, and a kettle.");
        let last = said("Thank you. Goodbye.", 6);
        assert!(last.ends_with("Shut the door."), "{last}");
        assert!(last.contains("I sold the clapper.") != last.contains("Ask the gulls."), "{last}");
        assert!(!last.contains("third step"), "{last}");
        told += i32::from(last.contains("I sold the clapper."));
    }
    assert!((8..=20).contains(&told), "{told}");
}

#[test]
fn a_companion_answers_to_what_somebody_wants() {
    for seed in 0..20 {
        let told = "What I want is to have a dog again. I promise you my help for yours.";
        let reply = companion(told, 1, "", seed);
        assert!(reply["content"].as_str().unwrap_or("").contains("You'll want a plain one."), "{reply}");
    }
}

#[test]
fn what_is_promised_changes_what_a_companion_feels() {
    let mut changed = 0;
    for seed in 0..20 {
        let warm = companion("I promise to help you.", 1, "", seed);
        let cold = companion("Tell me now.", 1, "", seed);
        for (reply, grows) in [(&warm, true), (&cold, false)] {
            for (_, change) in calls(reply).iter().filter(|(name, _)| name == "update_relationship") {
                let trust = change["trait"] == "trust";
                let up = change["change"].as_i64().is_some_and(|change| change > 0);
                assert!(!trust || up == grows, "{reply}");
                changed += 1;
            }
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn a_thing_that_is_offered_is_taken_and_one_of_ones_own_is_given() {
    let (mut taken, mut given) = (0, 0);
    for seed in 0..40 {
        for (_, exchange) in calls(&companion("Take my rope, as a sign that I mean it.", 1, "", seed)) {
            if exchange["item_name"] == "Rope" {
                assert_eq!(
                    (&exchange["giver_id"], &exchange["receiver_id"]),
                    (&json!("Kira Ashford"), &json!("amity-rook"))
                );
                taken += 1;
            }
        }
        // What has an article is the story's, and stays.
        for (_, exchange) in
            calls(&companion("I promise to help you.", 1, "the seal x1; Tin whistle x1", seed))
        {
            assert_ne!(exchange["item_name"], "the seal");
            if exchange["item_name"] == "Tin whistle" {
                assert_eq!(exchange["giver_id"], json!("amity-rook"));
                given += 1;
            }
        }
    }
    assert!(taken == 40 && given > 5, "{taken} {given}");
}

#[test]
fn a_player_in_a_dialogue_speaks_to_whoever_is_there_and_says_goodbye() {
    let ask = |exchanges: i64| {
        let block = format!(
            "phase: play\nrole: player\nyou: Kira Ashford\nplayer: Player 1 | name=Kira Ashford | class=warden\nmode: dialogue\n\
             dialogue: amity-rook | name=Amity Rook | role=harbour mistress\nexchanges: {exchanges} of 10\nwith: Kira Ashford\n\
             character: Kira Ashford | items=Rope x1"
        );
        let said = "DM: Kira Ashford, you have to find out who took the bell now: what do you try?\n\nAmity Rook: I saw nothing.";
        answer("You are a player.", said, &block, &[], 3, &[])["content"].as_str().unwrap_or("").to_owned()
    };
    // A check is for the dice, and no business of a talk.
    assert!(
        ask(0).contains("Amity")
            && !ask(0).contains("Amity Rook")
            && !ask(0).contains("find out who took the bell"),
        "{}",
        ask(0)
    );
    assert!(ask(8).contains("oodbye"), "{}", ask(8));
}

#[test]
fn what_is_kept_of_a_dialogue_is_what_was_said_in_it() {
    let said = "<dialogue with=\"Amity Rook\" of=\"Kira Ashford\">\nKira Ashford: I promise to keep it to myself. Who was it?\n\n\
        Amity Rook: Sit down. I saw Old Tam on the third step at six. Now go.\n\n[item] Amity Rook gives a whistle to Kira Ashford\n\n</dialogue>";
    let kept =
        answer("You keep the memory.", said, "phase: dialogue\nrole: memory\nyou: Memory", &[], 1, &[]);
    let kept = kept["content"].as_str().unwrap_or("");
    assert!(kept.contains("Amity Rook said: \"I saw Old Tam on the third step at six.\""), "{kept}");
    assert!(kept.contains("gives a whistle to Kira Ashford."), "{kept}");
    assert!(kept.contains("\n- Kira Ashford said: \"I promise to keep it to myself.\""), "{kept}");
}

#[test]
fn a_profile_is_one_json_object() {
    let about = "<character>\nname: Pip Marsh\nrole: neutral\nplace: the market\nwhat the Dungeon Master said: A boy with a penny.\n</character>";
    let block = "phase: profile\nrole: memory\nyou: Memory\nanswer: one JSON object";
    let told = answer("You keep the memory.", about, block, &[], 1, &[]);
    let profile: Value =
        serde_json::from_str(told["content"].as_str().unwrap_or("")).expect("one JSON object");
    for field in ["appearance", "personality", "location", "notes"] {
        assert!(profile[field].as_str().is_some_and(|text| !text.is_empty()), "{profile}");
    }
    assert_eq!(profile["location"], "the market");
    assert_eq!(profile["motivations"].as_array().map(Vec::len), Some(1));
}

const FIGHTING: &[(&str, &[&str])] = &[("attack", &["target"]), ("end_combat", &["outcome"])];

fn fight(role: &str, round: i64, acting: &str, seed: u64, more: &[Value]) -> Value {
    let you = if role == "dm" { "DM" } else { "Kira Ashford" };
    let block = format!(
        "phase: play\nrole: {role}\nyou: {you}\nplayer: Player 1 | name=Kira Ashford | class=warden\nmode: narrative\nmessages: 9 of 44\n\
         combat: round {round} of 12\nacting: {acting}\nfoe: rough-1 | name=River rough 1 | health=down\n\
         foe: rough-2 | name=River rough 2 | health=hurt\nfoe: rough-3 | name=River rough 3 | health=unhurt\n\
         character: Kira Ashford | player=Player 1 | hp=6/8 | items=Rope x1; Boat-hook x1"
    );
    let mut tools = FIGHTING.to_vec();
    tools[0].1 = if role == "dm" { &["attacker", "target"] } else { &["target", "with"] };
    answer("You sit at a table.", "Kira Ashford: I wait.", &block, &tools, seed, more)
}

#[test]
fn the_dm_attacks_with_each_foe_whose_turn_it_is() {
    for seed in 0..10 {
        let made = calls(&fight("dm", 1, "rough-1, rough-2, rough-3", seed, &[]));
        let attackers: Vec<&Value> = made.iter().map(|(_, blow)| &blow["attacker"]).collect();
        assert_eq!(attackers, [&json!("rough-2"), &json!("rough-3")], "whoever is down does not strike");
        assert!(made.iter().all(|(name, blow)| name == "attack" && blow["target"] == "Kira Ashford"));
        let late = calls(&fight("dm", 4, "rough-2", seed, &[]));
        assert_eq!(late.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["end_combat"]);
    }
}

#[test]
fn whether_a_foe_who_is_badly_hurt_goes_on_is_thrown_for() {
    let block = "phase: play\nrole: dm\nyou: DM\nplayer: Player 1 | name=Kira Ashford | class=warden\nmode: narrative\nmessages: 9 of 44\n\
                 check: open the door | ability=STR | difficulty=13\ncheck: ask kindly | ability=CHA | difficulty=11\n\
                 combat: round 2 of 12\nacting: rough-1\nfoe: rough-1 | name=River rough | health=badly hurt\n\
                 character: Kira Ashford | player=Player 1 | hp=6/8 | items=Rope x1";
    let thrown = ["character", "ability", "difficulty", "reason"];
    let tools: &[(&str, &[&str])] =
        &[("attack", &["attacker", "target"]), ("end_combat", &["outcome"]), ("saving_throw", &thrown)];
    let asked = |more: &[Value]| {
        calls(&answer("You sit at a table.", "Kira Ashford: I wait.", block, tools, 3, more))
    };
    let throw = json!({
        "character": "rough-1", "ability": "CHA", "difficulty": 11, "reason": "going on with it, hurt",
    });
    assert_eq!(asked(&[]), [("saving_throw".to_owned(), throw)]);
    for (outcome, then) in [("success", "attack"), ("failure", "end_combat")] {
        let result =
            format!("[save] River rough: going on with it, hurt (CHA): 9+0 = 9 against 11: {outcome}");
        let made = [
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "saving_throw", "arguments": "{}"}}]}),
            json!({"role": "tool", "tool_call_id": "c1", "content": result}),
        ];
        let names: Vec<String> = asked(&made).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [then], "after {outcome}");
    }
}

#[test]
fn a_player_strikes_a_foe_who_stands_with_what_is_at_hand() {
    for seed in 0..10 {
        for (_, blow) in calls(&fight("player", 1, "Kira Ashford", seed, &[])) {
            assert!(["rough-2", "rough-3"].contains(&blow["target"].as_str().unwrap_or("")), "{blow}");
            assert_eq!(blow["with"], "Boat-hook");
        }
    }
}

#[test]
fn a_blow_is_told_as_the_dice_had_it() {
    let hits = super::super::talk_lines::STRIKE_HITS.iter();
    let hits: Vec<String> = hits.map(|line| line.replace("{target}", "River rough 2")).collect();
    for (outcome, hit) in [("hits for 3 (1d4 3)", true), ("misses", false)] {
        for seed in 0..10 {
            let result = format!(
                "[attack] Kira Ashford against River rough 2 with Boat-hook: 14+1 = 15 against 11: {outcome}"
            );
            let made = [
                json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "attack", "arguments": "{}"}}]}),
                json!({"role": "tool", "tool_call_id": "c1", "content": result}),
            ];
            let reply = fight("player", 1, "Kira Ashford", seed, &made);
            let text = reply["content"].as_str().unwrap_or("");
            assert!(text.contains("River rough 2") && text.contains("boat-hook"), "{text}");
            assert_eq!(hits.iter().any(|line| text.contains(line.as_str())), hit, "{text}");
        }
    }
}

/// The tower and its bell, as the material tells them: where `last` is the check that has just been tried, and how it went.
fn tower(last: &str, passed: i64, tools: &[(&str, &[&str])], seed: u64) -> Value {
    let climbed = "[important] Kira Ashford managed to climb the tower.\n\n";
    tower_after(if last.starts_with("climb") { "" } else { climbed }, last, passed, tools, seed)
}

/// The same after this history.
fn tower_after(history: &str, last: &str, passed: i64, tools: &[(&str, &[&str])], seed: u64) -> Value {
    let failed = history.matches(" failed to ").count() + usize::from(last.ends_with("failure"));
    let system = "You are the DM.\n<npcs>\n- Amity Rook (harbour mistress, id amity-rook): Wants quiet.\n  tells: He is my brother.\n\
        - Old Tam (sailor, id old-tam): Wants rum.\n</npcs>\n<checks>\n\
        - climb the tower (DEX, 11, with Amity Rook): the rope holds; on a failure the rope slips | before: The tower has no stairs. \
        | again: Amity Rook coils up the rope. \
        | success: Now ring it. | failure: Try the ladder.\n\
        - ring the bell (STR, 12): the whole harbour hears it | before: The rope is stiff with frost.\n</checks>\n\
        <hidden_goals>\n- bell-rung: The bell is rung. (primary) | ending: Nobody on the quay says a word.\n\
        - tower-shut: The tower is shut. (secondary) | worse: Somebody looks for a key. | worse: The key is found. | ending: It is shut.\n\
        </hidden_goals>\n<characters>\n- Kira Ashford (Player 1), Warden. Kira wants to have a dog again.\n</characters>";
    let block = format!(
        "phase: play\nrole: dm\nyou: DM\nturns_left: 70\nplayer: Player 1 | name=Kira Ashford | class=warden | spoken=yes | waited=0\n\
         player: Player 2 | name=Bram Tull | class=warden | spoken=yes | waited=2\n\
         encounter: tower | title=The Tower | opening=given | last=yes\nmessages: 6 of 40\n\
         npc: amity-rook | name=Amity Rook | role=harbour mistress\nnpc: old-tam | name=Old Tam | role=sailor\n\
         goal: bell-rung | primary | needs=climb the tower; ring the bell | label=The bell is rung.\n\
         goal: tower-shut | failure | label=The tower is shut.\n\
         check: climb the tower | ability=DEX | difficulty=11\ncheck: ring the bell | ability=STR | difficulty=12\n\
         checks: passed={passed} | failed={failed}\nlast_check: Kira Ashford | {last} | total=14"
    );
    let said = format!("{history}Kira Ashford: I go up with the line in my teeth.");
    answer(system, &said, &block, tools, seed, &[])
}

#[test]
fn the_dm_tells_the_scene_of_what_comes_next_and_the_right_person_answers() {
    for seed in 0..12 {
        let won = tower("climb the tower | success", 1, &[], seed);
        let text = won["content"].as_str().unwrap_or("");
        assert!(text.to_lowercase().contains("the rope holds"), "{text}");
        assert!(text.contains("The rope is stiff with frost."), "{text}");
        assert!(!text.contains("Old Tam") && !text.contains("The tower has no stairs"), "{text}");
        let lost = tower("climb the tower | failure", 0, &[], seed);
        let text = lost["content"].as_str().unwrap_or("");
        assert!(text.to_lowercase().contains("the rope slips") && !text.contains("Now ring it"), "{text}");
        // A failure draws nearer with each check that fails, and with no other.
        assert!(text.contains("Somebody looks for a key.") && !text.contains("The key is found"), "{text}");
        assert!(!won.to_string().contains("looks for a key"), "{won}");
    }
}

#[test]
fn the_dm_shows_what_has_become_of_a_check_that_failed() {
    for seed in 0..12 {
        let told = "I said: The tower has no stairs. What do you do, Kira Ashford?\n\n[event] Kira Ashford failed to climb the tower.\n\n";
        let lost = tower_after(told, "climb the tower | failure", 0, &[], seed);
        let text = lost["content"].as_str().unwrap_or("");
        assert!(text.contains(" coils up the rope.") && !text.contains("no stairs"), "{text}");
        assert!(!text.contains("He coils"), "what she says is of somebody else: {text}");
        assert!(!text.contains("to climb the tower"), "what has just been shown needs no name: {text}");
        let twice = format!("{told}I said: Amity Rook coils up the rope. {}", &told["I said: ".len()..]);
        let stuck = tower_after(&twice, "climb the tower | failure", 0, &[], seed);
        assert!(!stuck.to_string().contains("coils up the rope"), "it is shown once: {stuck}");
    }
}

#[test]
fn after_the_ending_that_the_material_tells_comes_only_what_becomes_of_a_wish() {
    let tools: &[(&str, &[&str])] =
        &[("encounter_resolve", &["encounterId", "outcomeId", "summary", "because"])];
    for seed in 0..12 {
        let reply = tower("ring the bell | success", 2, tools, seed);
        let text = reply["content"].as_str().unwrap_or("");
        assert!(text.to_lowercase().contains("the whole harbour hears it"), "{text}");
        let parts: Vec<&str> = text.split("\n\n").collect();
        let wish = "Something with three good legs follows Kira home, and will not be discouraged.";
        assert_eq!(parts[1..], ["Nobody on the quay says a word.", wish], "it is the last encounter: {text}");
        assert!(calls(&reply).iter().any(|(name, _)| name == "encounter_resolve"), "{reply}");
        let first = tower("climb the tower | success", 1, tools, seed);
        assert!(!first.to_string().contains("Nobody on the quay"), "{first}");
    }
}

#[test]
fn an_ending_is_told_as_things_stand_when_it_is_at_hand() {
    let tools: &[(&str, &[&str])] =
        &[("encounter_resolve", &["encounterId", "outcomeId", "summary", "because"])];
    // Behind the line of the last check.
    let near = "\nending: bell-rung | Nobody on the quay says a word. The rope is still wet.\nmood: calm";
    for seed in 0..12 {
        let reply = tower("ring the bell | success", 2, tools, seed);
        assert!(!reply.to_string().contains("still wet"), "{reply}");
        let reply = tower(&format!("ring the bell | success{near}"), 2, tools, seed);
        let text = reply["content"].as_str().unwrap_or("");
        assert!(text.contains("\n\nNobody on the quay says a word. The rope is still wet.\n\n"), "{text}");
    }
}

#[test]
fn what_was_promised_in_a_talk_is_not_forgotten_at_the_end() {
    let tools: &[(&str, &[&str])] =
        &[("encounter_resolve", &["encounterId", "outcomeId", "summary", "because"])];
    let promised = "[important] Kira Ashford managed to climb the tower.\n\n\
        [learned] Amity Rook now knows: Kira Ashford said: \"I give you my word, Amity.\"\n\n";
    for seed in 0..12 {
        let reply = tower_after(promised, "ring the bell | success", 2, tools, seed);
        let parts: Vec<&str> = reply["content"].as_str().unwrap_or("").split("\n\n").collect();
        let after = parts[2..].join("\n\n");
        assert!(after.contains("Amity") && after.contains("promise"), "{after}");
        let reply = tower("ring the bell | success", 2, tools, seed);
        assert!(!reply.to_string().contains("promise"), "{reply}");
    }
}

#[test]
fn what_was_noticed_is_said_once_and_as_seen_by_whoever_saw_it() {
    let block = "phase: play\nrole: player\nyou: Kira Ashford\nplayer: Player 1 | name=Kira Ashford | class=warden\n\
         player: Player 2 | name=Bram Tull | class=warden\n\
         check: climb the tower | ability=DEX\ncharacter: Kira Ashford | items=Rope x1";
    let system = "You are a player.\n<checks>\n- climb the tower: | I throw the hook.\n</checks>";
    let made = [
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ability_check", "arguments": "{}"}}]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": "[check] Kira Ashford: climb the tower (DEX): 14+1 = 15 against 11: success"}),
    ];
    for (seed, name) in (0..12).flat_map(|seed| [(seed, "Kira Ashford"), (seed, "Bram Tull")]) {
        let noticed = format!("[noticed] {name} (11 against 11): Somebody did climb the tower lately.");
        let said = |before: &str| {
            let said = format!(
                "{before}{noticed}\n\nDM: Kira Ashford, you have to climb the tower now: what do you try?"
            );
            answer(system, &said, block, &[], seed, &made)["content"].as_str().unwrap_or("").to_owned()
        };
        let told = said("");
        assert_eq!(told.contains("Somebody did climb the tower lately."), name == "Kira Ashford", "{told}");
        assert!(told.contains("I throw the hook."), "{told}");
        assert!(!said("Bram Tull: Somebody did climb the tower lately. I say so.\n\n").contains("lately"));
        // Where one may be heard, one says it for another.
        let aloud = block.replace("ability=DEX", "ability=CHA");
        let said =
            format!("{noticed}\n\nDM: Kira Ashford, you have to climb the tower now: what do you try?");
        let told = answer(system, &said, &aloud, &[], seed, &made)["content"].to_string();
        let is_seers = ["Bram saw", "Bram has whispered", "Bram has just looked", "Bram has nudged"]
            .iter()
            .any(|by| told.contains(by));
        assert!(told.contains("Somebody did climb the tower lately."), "{told}");
        assert_eq!(is_seers, name == "Bram Tull", "{told}");
    }
}

#[test]
fn a_player_does_what_the_material_says_of_a_check() {
    let system = "You are a player.\n<checks>\n- climb the tower: | I put one foot into the ivy. | I throw the hook.\n</checks>";
    let block = "phase: play\nrole: player\nyou: Kira Ashford\nplayer: Player 1 | name=Kira Ashford | class=warden\n\
         check: climb the tower | ability=DEX\ncharacter: Kira Ashford | items=Rope x1";
    let made = [
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ability_check", "arguments": "{}"}}]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": "[check] Kira Ashford: climb the tower (DEX): 14+1 = 15 against 11: success"}),
    ];
    for seed in 0..12 {
        let said = "DM: Kira Ashford, you have to climb the tower now: what do you try?";
        let reply = answer(system, said, block, &[], seed, &made);
        let text = reply["content"].as_str().unwrap_or("");
        assert!(
            text.contains("I put one foot into the ivy.") || text.contains("I throw the hook."),
            "{text}"
        );
        assert!(!text.contains("climb the tower"), "{text}");
    }
}
