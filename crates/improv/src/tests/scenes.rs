//! What fits into a scene, and what is carried from one to the next: single requests as the table makes them.

use serde_json::{Value, json};

use super::modes::{answer, calls};

/// What the DM is asked at the mill.
struct Mill<'t> {
    tone: &'t str,
    location: &'t str,
    notes: &'t str,
    /// What stands before the history in the material.
    memory: &'t str,
    history: &'t str,
    /// What Kira said last.
    words: &'t str,
    /// The last check: whose, which, how.
    last: &'t str,
    /// Lines of the table state: how far it has come, and more.
    state: &'t str,
    tools: &'t [(&'t str, &'t [&'t str])],
}

const QUIET: Mill<'_> = Mill {
    tone: "A quiet morning.",
    location: "The mill of Nether Pound",
    notes: "",
    memory: "",
    history: "I said: The wheel turns. Kira Ashford, what do you do?\n\n",
    words: "I take a broom, too.",
    last: "Kira Ashford | talk to the miller | failure",
    state: "opening=given\nmessages: 8 of 44",
    tools: &[],
};

impl Mill<'_> {
    fn told(&self, seed: u64) -> Value {
        self.told_after(seed, &[])
    }

    /// What the DM says once these calls and their results stand in the request.
    fn told_after(&self, seed: u64, more: &[Value]) -> Value {
        let system = format!(
            "You are the DM.\n<encounter>\nThe Mill. {}\nMood: Flour.\n<npcs>\n- Amity Rook (miller, id amity-rook): Wants quiet.\n\
             - Old Tam (carter, id old-tam): Wants rum.\n</npcs>\n<checks>\n\
             - talk to the miller (CHA, 11, with Amity Rook): she looks up (easier by 2) and nods twice; on a failure she goes on sweeping \
             | before: Amity Rook sweeps the floor. | again: Amity Rook sweeps the same floor. | failure: Mind your feet.\n\
             - find the lost key (WIS, 11, with Old Tam): the key lies in the oats; on a failure there are only oats \
             | before: Old Tam feeds the horse from a bag of oats. | again: The bag of oats is half empty.\n\
             - open the sluice (STR, 11): the water runs; on a failure it sticks | before: The sluice is rusty. | again: The sluice drips.\n\
             - ask for the old song (CHA, 11, with Old Tam): he sings; on a failure he hums \
             | before: Old Tam whistles. | again: Old Tam has stopped whistling.\n</checks>\n</encounter>\n\
             <dm_notes>\n{}\n</dm_notes>\n<hidden_goals>\n- mill-runs: The mill runs. (primary) | ending: The stones turn.\n\
             - song-sung: The song is sung. (secondary) | ending: Everybody hums.\n</hidden_goals>\n\
             <characters>\n- Kira Ashford (Player 1), Warden. Kira wants to have a dog again.\n</characters>\n\
             <opening>\nThe wheel turns.\n</opening>\n{}",
            self.tone, self.notes, self.memory
        );
        let (opening, state) = self.state.split_once('\n').unwrap_or((self.state, ""));
        let last =
            if self.last.is_empty() { String::new() } else { format!("last_check: {} | total=9", self.last) };
        let block = format!(
            "phase: play\nrole: dm\nyou: DM\nturns_left: 70\nplayer: Player 1 | name=Kira Ashford | class=warden | waited=0\n\
             player: Player 2 | name=Bram Tull | class=warden | waited=2\n\
             encounter: mill | title=The Mill | {opening}\nlocation: {}\n{state}\n\
             npc: amity-rook | name=Amity Rook | role=miller\nnpc: old-tam | name=Old Tam | role=carter\n\
             person: amity-rook | status=active | trust=-20 | hp=4/4\n\
             goal: mill-runs | primary | needs=talk to the miller; open the sluice | label=The mill runs.\n\
             goal: song-sung | secondary | needs=ask for the old song | label=The song is sung.\n\
             check: talk to the miller | ability=CHA | difficulty=11\ncheck: find the lost key | ability=WIS | difficulty=11\n\
             check: open the sluice | ability=STR | difficulty=11\ncheck: ask for the old song | ability=CHA | difficulty=11\n{last}",
            self.location
        );
        let said = match self.last {
            "" => self.history.to_owned(),
            _ => format!("{}Kira Ashford: {}", self.history, self.words),
        };
        answer(&system, said.trim_end(), &block, self.tools, seed, more)
    }

    fn text(&self, seed: u64) -> String {
        self.told(seed)["content"].as_str().unwrap_or("").to_owned()
    }

    /// In how many of 300 stories this tool is called.
    fn times(&self, tool: &str) -> usize {
        (0..300).filter(|seed| calls(&self.told(*seed)).iter().any(|(name, _)| name == tool)).count()
    }
}

#[test]
fn nobody_steps_aside_in_a_chase_or_in_the_middle_of_a_storm() {
    let talks = Mill { tools: &[("start_dialogue", &["character_id"])], ..QUIET };
    assert!(talks.times("start_dialogue") > 50, "{}", talks.times("start_dialogue"));
    assert_eq!(Mill { tone: "A chase through the fields.", ..talks }.times("start_dialogue"), 0);
    let hurt = "[hp] Bram Tull: -1, now 5\n\n";
    assert_eq!(Mill { history: hurt, ..talks }.times("start_dialogue"), 0, "a wound is fresh");
    let late = Mill { state: "opening=given\nmessages: 8 of 44\nchecks: passed=0 | failed=3", ..talks };
    assert_eq!(late.times("start_dialogue"), 0, "what must not happen is near");
}

#[test]
fn strangers_walk_up_only_where_anybody_may_walk_by() {
    let tools: &[(&str, &[&str])] = &[("create_character", &["archetype", "name_hint"])];
    let indoors = Mill { tools, ..QUIET };
    let square = Mill { location: "The market square of Nether Pound", ..indoors };
    assert!(square.times("create_character") > 2, "{}", square.times("create_character"));
    assert_eq!(indoors.times("create_character"), 0);
    assert_eq!(Mill { tone: "A funeral.", ..square }.times("create_character"), 0);
}

/// A call of this tool that was answered like this.
fn answered(tool: &str, result: &str) -> [Value; 2] {
    let call = json!({"id": "c1", "type": "function", "function": {"name": tool, "arguments": "{}"}});
    [
        json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": result}),
    ]
}

#[test]
fn a_bystander_with_a_trade_is_noted_as_the_rules_know_it() {
    let history =
        "I said: A watch constable named Tench drinks by the mill. Kira Ashford, what do you do?\n\n";
    let memory = "<ambient>\n- A watch constable named Tench drinks by the mill.\n</ambient>";
    let tools: &[(&str, &[&str])] = &[
        ("search_rules", &["query"]),
        ("create_supporting_npc", &["name", "role", "context", "combat_slug?"]),
    ];
    let mill = Mill { history, memory, tools, ..QUIET };
    let sought = |seed: &u64| {
        calls(&mill.told(*seed)).contains(&("search_rules".to_owned(), json!({"query": "watch constable"})))
    };
    let found = "[rules] \"watch constable\" is spoken of in monsters/watch-constable, guides/law";
    let other = "[rules] \"watch constable\" is spoken of in guides/law, monsters/watch";
    let seeds: Vec<u64> = (0..20).filter(sought).collect();
    assert!(seeds.len() > 5, "{seeds:?}");
    for seed in seeds {
        let noted = |result: &str| calls(&mill.told_after(seed, &answered("search_rules", result)));
        let (name, arguments) = noted(found).remove(0);
        assert_eq!(
            (name.as_str(), &arguments["combat_slug"]),
            ("create_supporting_npc", &json!("watch-constable"))
        );
        for none in [other, "rejected (nothing_found): \"watch constable\". near: guides/law."] {
            let (name, arguments) = noted(none).remove(0);
            assert_eq!(
                (name.as_str(), arguments.get("combat_slug")),
                ("create_supporting_npc", None),
                "{none}"
            );
        }
        // Other calls of the same reply are answered after it.
        let mut both = answered("search_rules", found).to_vec();
        both.extend([json!({"role": "tool", "tool_call_id": "c2", "content": "[quest] Catch the thief."})]);
        assert_eq!(calls(&mill.told_after(seed, &both))[0].0, "create_supporting_npc");
    }
}

#[test]
fn whoever_has_only_talked_may_look_about_and_sees_what_is_there() {
    let history =
        "I said: The wheel turns. Kira Ashford, what do you do?\n\nKira Ashford: I wait for a while.\n\n";
    let memory = "<ambient>\n- A cat with one ear is asleep on the warm flour sacks.\n</ambient>";
    let tools: &[(&str, &[&str])] = &[("ability_check", &["character", "ability", "difficulty", "reason"])];
    let mill = Mill { history, memory, tools, last: "", ..QUIET };
    let looks = |seed: &u64| calls(&mill.told(*seed)).iter().any(|(name, _)| name == "ability_check");
    let seeds: Vec<u64> = (0..300).filter(looks).collect();
    assert!(!seeds.is_empty());
    for seed in seeds {
        let (_, arguments) = calls(&mill.told(seed)).remove(0);
        let asked = json!({"character": "Kira Ashford", "ability": "WIS", "difficulty": 11, "reason": "what is to be seen next"});
        assert_eq!(arguments, asked);
        let told = |how: &str| {
            let result =
                format!("[check] Kira Ashford: what is to be seen next (WIS): 14+1 = 15 against 11: {how}");
            let reply = mill.told_after(seed, &answered("ability_check", &result));
            reply["content"].as_str().unwrap_or("").to_owned()
        };
        assert!(told("success").contains("A cat with one ear"), "{}", told("success"));
        assert!(!told("failure").contains("A cat with one ear"), "{}", told("failure"));
    }
    assert_eq!(
        Mill { last: QUIET.last, history: QUIET.history, ..mill }.times("ability_check"),
        0,
        "a deed was tried"
    );
}

#[test]
fn dice_behind_the_screen_choose_what_is_told() {
    let seen =
        ["A cat with one ear is asleep on the sacks.", "A ladder leans on the mill and leads nowhere."];
    let memory = format!("<ambient>\n- {}\n- {}\n</ambient>", seen[0], seen[1]);
    let mill = Mill { memory: &memory, ..QUIET };
    for seed in 0..20 {
        for (place, other) in [(0, 1), (1, 0)] {
            let total = place + 1;
            let result = format!("[dice] DM: 1d4 = {total} ({total}), for what is to be seen next");
            let reply = mill.told_after(seed, &answered("roll_dice", &result));
            let text = reply["content"].as_str().unwrap_or("");
            assert!(text.contains(seen[place]) && !text.contains(seen[other]), "{seed}, {total}: {text}");
        }
    }
}

#[test]
fn it_comes_to_blows_only_where_the_material_has_people_who_fight() {
    let tools: &[(&str, &[&str])] = &[("start_combat", &["foes"])];
    let peaceful = Mill { tools, ..QUIET };
    assert_eq!(peaceful.times("start_combat"), 0);
    let rough = Mill { notes: "If steel is drawn, start the fight.", ..peaceful };
    assert!(rough.times("start_combat") > 2, "{}", rough.times("start_combat"));
}

#[test]
fn what_stands_behind_brackets_in_a_note_is_told() {
    let won = Mill { last: "Kira Ashford | talk to the miller | success", ..QUIET };
    for seed in 0..8 {
        let text = won.text(seed);
        assert!(text.contains("he looks up and nods twice."), "{text}");
        assert!(!text.contains("easier"), "{text}");
    }
}

#[test]
fn what_was_noticed_leads_to_the_check_that_it_speaks_of() {
    let noticed = "[noticed] Kira Ashford (11 against 11): Somebody has oiled the rusty sluice.\n\n\
        I said: The wheel turns. Kira Ashford, what do you do?\n\n";
    let words = "Somebody has oiled the rusty sluice. I say so.";
    let won = Mill { last: "Kira Ashford | talk to the miller | success", ..QUIET };
    let mut led = 0;
    for seed in 0..30 {
        let text = Mill { history: noticed, words, ..won }.text(seed);
        led += i32::from(text.contains("The sluice is rusty."));
        let plain = won.text(seed);
        assert!(!plain.contains("The sluice is rusty."), "without it the story goes elsewhere: {plain}");
    }
    assert!(led > 15, "{led}");
}

#[test]
fn what_was_begun_is_tried_again_before_anything_else() {
    let failed = "I said: Old Tam feeds the horse from a bag of oats. Kira Ashford, what do you do?\n\n\
        [event] Kira Ashford failed to find the lost key.\n\n";
    for seed in 0..20 {
        let text =
            Mill { history: failed, last: "Kira Ashford | find the lost key | failure", ..QUIET }.text(seed);
        assert!(text.contains("The bag of oats is half empty."), "seed {seed}: {text}");
    }
}

#[test]
fn names_in_a_record_may_have_their_capitals() {
    let failed = "[event] Kira Ashford failed to find the Lost Key.\n\n".repeat(2);
    let plain = failed.to_lowercase().replace("kira ashford", "Kira Ashford");
    for history in [&failed, &plain] {
        let text = Mill { history, last: "Kira Ashford | find the lost key | failure", ..QUIET }.text(3);
        assert!(
            text.contains("Amity Rook sweeps the floor."),
            "after two failures it goes elsewhere: {text}"
        );
    }
}

#[test]
fn what_the_players_have_reached_by_a_way_of_their_own_is_reached() {
    let history = "[important] Kira Ashford managed to find the lost key.\n\n";
    let tools: &[(&str, &[&str])] =
        &[("encounter_resolve", &["encounterId", "outcomeId", "summary", "because"])];
    let last = "Kira Ashford | ask for the old song | success";
    for seed in 0..20 {
        let told = Mill { history, last, tools, ..QUIET }.told(seed);
        let ended = calls(&told).into_iter().find(|(name, _)| name == "encounter_resolve");
        let (_, arguments) = ended.expect("both checks of the song have passed");
        assert_eq!(arguments["outcomeId"], "song-sung", "seed {seed}");
    }
}

#[test]
fn an_opening_tells_once_what_the_party_brings() {
    let memory = "<memory>\nNot to be forgotten:\n- Kira Ashford managed to cross the river.\n</memory>";
    let opening = Mill { last: "", history: "", state: "opening=needed\nmessages: 0 of 44", ..QUIET };
    let promised = "[learned] Widow Quill now knows: Bram Tull said: \"I promise to help you.\"";
    for seed in 0..12 {
        assert!(!opening.text(seed).contains("Kira has"), "there is nothing to bring yet");
        let text = Mill { memory, history: promised, ..opening }.text(seed);
        assert!(text.starts_with("The wheel turns.\n\n"), "{text}");
        assert!(!text.contains("cross the river"), "what a deed leaves behind, the material says: {text}");
        assert!(text.contains("Bram") && text.contains("promise") && text.contains("Widow"), "{text}");
        assert!(!text.contains("waiting") && !text.contains("owed"), "who is not here may be dead: {text}");
        assert!(!Mill { memory, history: promised, ..QUIET }.text(seed).contains("promise"), "told once");
    }
}

const PLAYER: &str = "phase: play\nrole: player\nyou: Kira Ashford\nplayer: Player 1 | name=Kira Ashford | class=warden\n\
    player: Player 2 | name=Bram Tull | class=warden\nmessages: 4 of 44\n\
    check: climb the tower | ability=DEX\ncheck: ring the bell | ability=STR\n\
    character: Kira Ashford | hp=6/6 | items=Rope x1";
const MATERIAL: &str = "You are a player.\n<checks>\n- climb the tower: | I throw the hook. | before: The tower leans.\n\
    - ring the bell: | I pull. | before: The bell has no clapper.\n</checks>";

fn climbed(said: &str, block: &str, seed: u64) -> String {
    climbed_by(MATERIAL, said, block, seed)
}

fn climbed_by(material: &str, said: &str, block: &str, seed: u64) -> String {
    let made = [
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ability_check", "arguments": "{}"}}]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": "[check] Kira Ashford: climb the tower (DEX): 14+1 = 15 against 11: success"}),
    ];
    let reply = answer(material, said, block, &[], seed, &made);
    reply["content"].as_str().unwrap_or("").to_owned()
}

#[test]
fn a_clue_is_said_at_once_where_it_belongs_and_never_in_another_encounter() {
    let asked = "DM: The tower leans. Kira Ashford, what do you do?";
    let own = |text: &str| format!("[noticed] Kira Ashford (11 against 11): {text}\n\n");
    for seed in 0..12 {
        let of_it = own("The tower has one crack.");
        assert!(climbed(&format!("{of_it}{asked}"), PLAYER, seed).contains("one crack"));
        // It belongs elsewhere.
        let other = own("Somebody has oiled the bell.");
        assert!(!climbed(&format!("{other}{asked}"), PLAYER, seed).contains("oiled"));
        // Later it is said only where it is of use.
        let later = "DM: Go on.\n\nI said: I wait.\n\n";
        assert!(climbed(&format!("{of_it}{later}{asked}"), PLAYER, seed).contains("one crack"));
        let aside = own("The ladder of the loft is new.");
        assert!(!climbed(&format!("{aside}{later}{asked}"), PLAYER, seed).contains("loft"));
        // More has been told since than in this encounter.
        let long = "DM: It rains.\n\nBram Tull: I wait.\n\n".repeat(6);
        assert!(!climbed(&format!("{of_it}{long}{asked}"), PLAYER, seed).contains("one crack"));
    }
}

#[test]
fn a_player_answers_what_another_has_just_done_or_seen() {
    let asked = "DM: The tower leans. Kira Ashford, what do you do?";
    let deed = |how: &str| {
        format!(
            "[check] Bram Tull: ring the bell (STR): 9+1 = 10 against 11: {how}\n\nBram Tull: I pull.\n\n{asked}"
        )
    };
    let mut spoken = [0, 0];
    for seed in 0..60 {
        for (place, how) in ["success", "failure"].into_iter().enumerate() {
            let text = climbed(&deed(how), PLAYER, seed);
            assert!(text.contains("I throw the hook."), "{text}");
            spoken[place] += usize::from(text.contains("Bram"));
        }
        let alone =
            format!("[check] Kira Ashford: ring the bell (STR): 9+1 = 10 against 11: failure\n\n{asked}");
        assert!(!climbed(&alone, PLAYER, seed).contains("Bram"), "nobody answers their own deed");
        let seen = "[noticed] Bram Tull (11 against 11): The tower has one crack.\n\nDM: Well?\n\n\
            Bram Tull: The tower has one crack. I pull.\n\n";
        let text = climbed(&format!("{seen}{asked}"), PLAYER, seed);
        assert!(text.contains("Bram"), "whoever has seen something is answered: {text}");
    }
    assert!(spoken.iter().all(|spoken| (10..40).contains(spoken)), "now and then: {spoken:?}");
}

#[test]
fn beside_a_written_way_to_try_something_nobody_tells_of_themselves_unless_it_touches_them() {
    let asked = "I said: I want to have a dog again.\n\nDM: The tower leans. Kira Ashford, what do you do?";
    for seed in 0..6 {
        for turn in 10..130 {
            let text = climbed(asked, &format!("{PLAYER}\nturn: {turn}"), seed);
            assert_eq!(text, "I throw the hook.", "seed {seed}, turn {turn}");
        }
        let touched = climbed(
            &asked.replace("have a dog again", "find an honest use for a dishonest pair of hands"),
            PLAYER,
            seed,
        );
        assert_eq!(touched, "I throw the hook.", "no lock is near: {touched}");
        let locked = MATERIAL.replace("I throw the hook.", "I throw the hook over the lock.");
        let own = "I said: I want to find an honest use for a dishonest pair of hands.\n\n";
        let text =
            climbed_by(&locked, &format!("{own}{}", &asked[asked.find("DM: ").unwrap_or(0)..]), PLAYER, seed);
        assert!(text.starts_with("I throw the hook over the lock. ") && text.contains("hands"), "{text}");
        let again = format!("{own}I said: {text}\n\n{}", &asked[asked.find("DM: ").unwrap_or(0)..]);
        assert_eq!(
            climbed_by(&locked, &again, PLAYER, seed),
            "I throw the hook over the lock.",
            "once is enough"
        );
    }
}

#[test]
fn what_another_has_just_done_is_remarked_on_once() {
    let remarked = MATERIAL
        .replace("The bell has no clapper.", "The bell has no clapper. | remark: \"It is cracked,\" I say.");
    let asked = "DM: The tower leans. Kira Ashford, what do you do?";
    let deed = |how: &str| {
        format!(
            "[check] Bram Tull: ring the bell (STR): 9+1 = 10 against 10: {how}\n\nBram Tull: I pull.\n\n"
        )
    };
    for seed in 0..12 {
        let text = climbed_by(&remarked, &format!("{}{asked}", deed("success")), PLAYER, seed);
        assert_eq!(text, "\"It is cracked,\" I say.\n\nI throw the hook.");
        let failed = climbed_by(&remarked, &format!("{}{asked}", deed("failure")), PLAYER, seed);
        assert!(!failed.contains("cracked"), "{failed}");
        let said = format!("{}I said: \"It is cracked,\" I say. I wait.\n\n{asked}", deed("success"));
        let again = climbed_by(&remarked, &said, PLAYER, seed);
        assert!(!again.contains("cracked"), "{again}");
    }
}

#[test]
fn whoever_has_had_a_word_in_one_ear_still_acts() {
    let made = [
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "whisper", "arguments": "{}"}}]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": "[whisper] Kira Ashford to DM: Hush."}),
    ];
    let asked = "DM: The tower leans. Kira Ashford, what do you do?";
    let tools: &[(&str, &[&str])] = &[("ability_check", &["character", "ability", "check", "reason"])];
    for seed in 0..20 {
        let reply = answer(MATERIAL, asked, PLAYER, tools, seed, &made);
        assert_eq!(calls(&reply).first().map(|(name, _)| name.as_str()), Some("ability_check"), "{reply}");
    }
}

#[test]
fn what_was_shown_last_is_tried_also_where_nothing_says_how() {
    let material = "You are a player.\n<checks>\n- climb the tower: | I throw the hook. | before: The tower leans.\n\
        - ring the bell: | before: The bell has no clapper.\n</checks>";
    let asked = "DM: The tower leans. Bram Tull, what do you do?\n\nBram Tull: I throw the hook.\n\n\
        DM: The bell has no clapper. Kira Ashford, what do you do?";
    let tools: &[(&str, &[&str])] = &[("ability_check", &["character", "ability", "check", "reason"])];
    let mut tried = 0;
    for seed in 0..20 {
        let reply = answer(material, asked, PLAYER, tools, seed, &[]);
        for (name, arguments) in calls(&reply).into_iter().filter(|(name, _)| name == "ability_check") {
            assert_eq!((name.as_str(), &arguments["check"]), ("ability_check", &json!("ring the bell")));
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn a_companion_who_took_something_for_it_tells() {
    let written = "Patient.\n\ntells: I sold the clapper.\nrefuses: Ask the gulls.";
    let system = format!("You are Amity Rook.\n<who_you_are>\n{written}\n</who_you_are>");
    let block = "phase: play\nrole: companion\nyou: Amity Rook\nplayer: Player 1 | name=Kira Ashford | class=warden\nmode: dialogue\n\
         dialogue: amity-rook | name=Amity Rook | role=miller\nexchanges: 6 of 10\nwith: Kira Ashford\ntrust: 0\nitems: ";
    for seed in 0..30 {
        let told = |said: &str| {
            let reply = answer(&system, said, block, &[], seed, &[]);
            reply["content"].as_str().unwrap_or("").to_owned()
        };
        let paid = "[item] Kira Ashford gives Rope to Amity Rook\n\nKira Ashford: Goodbye.";
        assert!(told(paid).contains("I sold the clapper."));
        let cold = "I said: That does not make me like you.\n\nKira Ashford: Goodbye.";
        assert!(told(cold).contains("Ask the gulls."), "whoever was not won over tells nothing");
    }
}

#[test]
fn whoever_cannot_speak_says_nothing_that_the_material_does_not() {
    let told = |persona: &str, name: &str, seed: u64| {
        let system = format!(
            "You are the DM.\n<npcs>\n- {name} (ferryman, id tam): {persona} Wants rum.\n</npcs>\n<checks>\n\
             - row across (CHA, 11, with {name}): the boat moves; on a failure an oar breaks\n</checks>"
        );
        let block = format!(
            "phase: play\nrole: dm\nyou: DM\nturns_left: 70\nplayer: Player 1 | name=Kira Ashford | class=warden | spoken=yes | waited=0\n\
             player: Player 2 | name=Bram Tull | class=warden | spoken=yes | waited=2\n\
             encounter: ford | title=The Ford | opening=given | last=yes\nmessages: 6 of 40\nnpc: tam | name={name} | role=ferryman\n\
             goal: over | primary | needs=row across; land | label=They are over.\ncheck: row across | ability=CHA | difficulty=11\ncheck: land | ability=STR | difficulty=11\n\
             checks: passed=0 | failed=1\nlast_check: Kira Ashford | row across | failure | total=4"
        );
        let tools: &[(&str, &[&str])] = &[("start_dialogue", &["character_id"])];
        answer(&system, "Kira Ashford: I pull.", &block, tools, seed, &[])
    };
    let speaks = |reply: &Value| reply["content"].as_str().unwrap_or("").contains('"');
    let (mut spoke, mut talked) = (0, 0);
    for seed in 0..60 {
        let mute = told("Cannot speak.", "Old Tam", seed);
        assert!(!speaks(&mute) && calls(&mute).is_empty(), "{mute}");
        let usual = told("Patient.", "Old Tam", seed);
        spoke += usize::from(speaks(&usual));
        talked += calls(&usual).len();
        let blind = told("Blind from birth.", "Old Tam", seed);
        let said = blind["content"].as_str().unwrap_or("");
        let looks = said
            .split('"')
            .step_by(2)
            .any(|plain| ["Tam looks", "Tam sees", "Tam saw"].iter().any(|sees| plain.contains(sees)));
        assert!(!looks, "{said}");
        let unnamed = told("Patient.", "the old man in the boat", seed);
        let said = unnamed["content"].as_str().unwrap_or("");
        assert!(
            ![". the old man", "! the old man", "? the old man"].iter().any(|begins| said.contains(begins)),
            "{said}"
        );
    }
    assert!(spoke > 20 && talked > 0, "{spoke} {talked}");
}
