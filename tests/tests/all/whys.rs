//! Promise: every prompt is accounted for to the byte: what is in it has a source, every source is there, the sources are enough to
//! make it again, and none of them can be taken away unseen.

use std::collections::BTreeMap;

use twicetold_event::entry::Header;
use twicetold_event::{
    BlobId, CallId, Event, Item, Number, PersonAnswered, Place, Seat, SeatAsked, Section,
    Source as SpanSource,
};
use twicetold_journal::{Blob, Blobs, Entries, Head, Source, StoreError, open_source};
use twicetold_model::Part;
use twicetold_referee::Effect;
use twicetold_session::{Asker, Closure, Rebuilt, Subject, Walk, entries, load, rebuild_in};
use twicetold_tests::{Game, Home, golden, repository};

/// Was it the recipe that asked?
fn asked_for() -> bool {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var_os("TWICETOLD_LAWS").is_some()
}

/// Random campaigns, half of them with every vice; the recipe `just laws` takes hundreds.
fn count() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var("TWICETOLD_LAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

/// Requests of one campaign of which the closure is cut out and rebuilt apart: evenly over the campaign.
const APART: usize = 6;

/// Every golden journal and some random campaigns.
fn every_journal(mut each: impl FnMut(&str, &dyn Source)) {
    let mut folders: Vec<_> = std::fs::read_dir(repository().join("replays"))
        .unwrap()
        .map(|folder| folder.unwrap().path())
        .collect();
    folders.sort();
    for journal in folders.iter().map(|folder| folder.join("journal.twicetold")).filter(|file| file.is_file())
    {
        each(&journal.display().to_string(), open_source(&journal).unwrap().as_ref());
    }
    let campaigns = ["one-lantern-short", "the-weir-book", "the-borrowed-boat", "the-last-tram-but-one"];
    for seed in 0..count() {
        let game = Game::of(campaigns[seed as usize % campaigns.len()], 7_000 + seed);
        let played = if seed / 4 % 2 == 0 { game.improvised() } else { game.chaotic() };
        each(&format!("seed {}", 7_000 + seed), played.source());
    }
}

/// All calls that were requested.
fn calls(source: &dyn Source) -> Vec<CallId> {
    let all = entries(source).unwrap().map(|entry| entry.unwrap());
    let requested = |event: &Event| match event {
        Event::ModelCallRequested(word) => Some(word.call),
        _ => None,
    };
    all.flat_map(|entry| entry.events.iter().filter_map(requested).collect::<Vec<_>>()).collect()
}

/// The bytes of a request that are text: what spans have to add up to.
fn text_bytes(rebuilt: &Rebuilt) -> usize {
    let parts = rebuilt.request.messages.iter().flat_map(|message| &message.parts);
    let bytes = |part: &Part| match part {
        Part::Text(text) => text.len(),
        Part::ToolResult(result) => result.content.len(),
        _ => 0,
    };
    parts.map(bytes).sum()
}

#[test]
fn every_byte_of_every_prompt_has_a_source_that_is_there() {
    let mut requests = 0;
    every_journal(|name, source| {
        let loaded = load(source).unwrap();
        let walk = Walk::new(source, loaded.campaign.amended()).unwrap();
        for call in calls(source) {
            let rebuilt = rebuild_in(&walk, call).unwrap().expect("a call that was requested is found");
            assert!(rebuilt.is_exact(), "{name}: {call} has another digest");
            // Coverage: the lengths of the spans, as they are recorded, add up to the text that was sent.
            let spans = rebuilt.parts.iter().filter_map(|part| match &part.item {
                Item::Span(span) => Some((span, &part.text)),
                _ => None,
            });
            let mut sum = 0;
            for (span, text) in spans {
                assert_eq!(text.len(), span.length as usize, "{name}: {call}: {span:?}");
                sum += text.len();
                // Closure: whatever a span points to is in the journal, and lies before the request.
                if let SpanSource::Event(number) = span.source {
                    let entry = walk.entry(number).unwrap().expect("the entry is there");
                    let is_event = entry.numbered().any(|(at, _)| at == number);
                    assert!(is_event && number < rebuilt.number, "{name}: {call} points to {number}");
                }
                if let Place::Reply(reply, _) = span.place {
                    assert!(walk.answer(reply).unwrap().is_some(), "{name}: {call} points to {reply}");
                }
            }
            assert_eq!(sum, text_bytes(&rebuilt), "{name}: {call}");
            requests += 1;
        }
    });
    assert!(requests > 1_000, "{requests}");
}

/// A store that was empty, and into which some entries and blobs were put.
struct Cut {
    head: Head,
    entries: BTreeMap<Number, Vec<u8>>,
    blobs: BTreeMap<BlobId, Blob>,
}

impl Cut {
    fn of(source: &dyn Source, closure: &Closure) -> Cut {
        let entry = |first: &Number| (*first, source.entry_holding(*first).unwrap().unwrap());
        let blob = |id: &BlobId| (*id, source.blob(*id).unwrap().unwrap());
        Cut {
            head: source.head(),
            entries: closure.entries.iter().map(entry).collect(),
            blobs: closure.blobs.iter().map(blob).collect(),
        }
    }
}

impl Source for Cut {
    fn head(&self) -> Head {
        self.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        Ok(Box::new(self.entries.range(from..).map(|(_, bytes)| Ok(bytes.clone()))))
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.entries.range(..=number).next_back();
        let holds = |bytes: &&Vec<u8>| number < Header::decode(bytes).unwrap().next();
        Ok(found.map(|(_, bytes)| bytes).filter(holds).cloned())
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        Ok(Box::new(self.blobs.values().map(|blob| Ok(blob.clone()))))
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        Ok(self.blobs.get(&id).cloned())
    }
}

#[test]
fn the_sources_of_a_prompt_are_enough_to_make_it_again_and_each_of_them_is_needed() {
    let (mut requests, mut removals) = (0, 0);
    every_journal(|name, source| {
        let loaded = load(source).unwrap();
        let amended = loaded.campaign.amended();
        let walk = Walk::new(source, amended).unwrap();
        let calls = calls(source);
        // Golden journals give every request; of random ones the recipe takes every one, and CI some.
        let step = if name.starts_with("seed") && !asked_for() { calls.len().div_ceil(APART) } else { 1 };
        for (turn, call) in calls.iter().enumerate().step_by(step) {
            let closure = Closure::of(&walk, amended, *call).unwrap().expect("it was requested");
            let mut cut = Cut::of(source, &closure);
            assert!(closure.holds_in(&cut), "{name}: {call}");
            requests += 1;
            // One source after the other is taken away, another one from each request.
            let entry = *closure.entries.iter().nth(turn % closure.entries.len()).expect("there are some");
            cut.entries.remove(&entry);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without the entry {entry}");
            removals += 1;
        }
        let Some(call) = calls.get(calls.len() * 2 / 3) else { return };
        let closure = Closure::of(&walk, amended, *call).unwrap().unwrap();
        for entry in &closure.entries {
            let mut cut = Cut::of(source, &closure);
            cut.entries.remove(entry);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without the entry {entry}");
            removals += 1;
        }
        for blob in closure.blobs.iter().step_by(9) {
            let mut cut = Cut::of(source, &closure);
            cut.blobs.remove(blob);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without {blob:?}");
            removals += 1;
        }
    });
    println!(
        "{requests} requests were made again from their closures; {removals} were not without one of their sources"
    );
    assert!(requests > 300 && removals > 600, "{requests} {removals}");
}

/// A refusal, a roll, a purse, a trust, an item, a speaker: whatever is asked about, the answer leads to a reply and a prompt.
#[test]
fn whatever_the_state_shows_has_a_why_that_leads_back_to_the_opening() {
    let played = Game::of("one-lantern-short", 7_100).improvised();
    let loaded = load(played.source()).unwrap();
    let asker = Asker::new(played.source(), &loaded).unwrap();
    let state = loaded.campaign.state();
    let character = state.characters().values().next().unwrap();
    let (name, item) = (&character.sheet.name, character.inventory.values().next().unwrap().0.clone());
    let npc = state.npcs().all().next().unwrap();
    let end = Number(loaded.campaign.next().0 - 1);
    let subjects = [
        Subject::HitPoints(name.clone()),
        Subject::Gold(name.to_uppercase()),
        Subject::Item(item.to_uppercase()),
        Subject::Npc(npc.id.clone()),
        Subject::Trust(npc.name.to_lowercase()),
        Subject::Party(Section::Goals),
        Subject::Speaker(end),
        Subject::Reply(Number(end.0 / 2)),
    ];
    for subject in subjects {
        let number =
            asker.number_of(&subject).unwrap().unwrap_or_else(|| panic!("{subject:?} has an answer"));
        let why = asker.why(number, 2).unwrap().expect("the number is there");
        assert!(!why.text.is_empty(), "{subject:?}: {why:?}");
        let (number, what) = why.triggers.last().expect("a way back");
        assert_eq!((*number, what.starts_with("the campaign was opened")), (0, true), "{subject:?}");
        assert!(why.request.is_none_or(|request| request.exact));
    }
    for nobody in [Subject::Gold("nobody".into()), Subject::Item("nothing".into()), Subject::Trust("".into())]
    {
        assert_eq!(asker.number_of(&nobody).unwrap(), None, "{nobody:?}");
    }
    assert!(asker.why(Number(end.0 + 1), 1).unwrap().is_none(), "there is nothing past the end");
}

#[test]
fn the_answer_about_a_goal_is_what_it_was() {
    let journal = repository().join("replays/dialogues/journal.twicetold");
    let home = Home::new();
    let text = home.succeed(["why", journal.to_str().unwrap(), "goal", "the-truth-is-told"]);
    golden(&journal.with_file_name("why-goal.txt"), &text);
}

#[test]
fn why_not_tells_a_refused_goal_from_one_that_nobody_asked_for() {
    let home = Home::new();
    let corner_cases = repository().join("replays/corner-cases/journal.twicetold");
    let journal = corner_cases.to_str().unwrap();
    let steps = home.succeed(["show", journal, "goals", "--history"]);
    assert!(steps.contains("refused by dynamic_goals_max"), "{steps}");
    let refused =
        steps.lines().zip(steps.lines().skip(1)).find(|(_, what)| what.contains("dynamic_goals_max"));
    let goal = refused.and_then(|(head, _)| head.split_whitespace().nth(1)).expect("its line names it");
    let text = home.succeed(["why-not", journal, "goal", goal]);
    assert!(text.contains("it was proposed") && text.contains("refused by dynamic_goals_max"), "{text}");
    assert!(text.contains("rebuilt exactly"), "{text}");
    let text = home.succeed(["why-not", journal, "goal", "a-dragon"]);
    assert!(text.contains("nobody asked for it: the DM could have registered it in"), "{text}");
}

#[test]
fn history_finds_a_fact_whichever_way_round_it_is_written() {
    let home = Home::new();
    let journal = repository().join("replays/dialogues/journal.twicetold");
    let journal = journal.to_str().unwrap();
    let long = home.succeed(["history", journal, "npcs.wren-pellow.trust"]);
    assert_eq!(home.succeed(["history", journal, "trust:Wren Pellow"]), long);
    assert!(home.succeed(["history", journal, "gold:merrin"]).contains("gold = "));
    home.run(["history", journal, "trust:nobody"]).failed(7, &["trust:nobody"]);
}

/// The page that walks one why by hand says numbers; they are those of the journal that it speaks of.
#[test]
fn the_page_that_walks_a_why_by_hand_is_right() {
    let page = std::fs::read_to_string(repository().join("replays/WHY.md")).unwrap();
    let file = repository().join("replays/dialogues/journal.twicetold");
    let (bytes, source) = (std::fs::read(&file).unwrap(), open_source(&file).unwrap());
    let loaded = load(source.as_ref()).unwrap();
    let asker = Asker::new(source.as_ref(), &loaded).unwrap();
    let why = asker.goal("the-truth-is-told", 1).unwrap().unwrap().registered.unwrap();
    let twicetold_session::Cause::Tool { call, checks } = &why.cause else { panic!("it was registered") };
    let request = why.request.as_ref().unwrap();
    let at = |needle: &[u8]| bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    let digest = loaded_digest(source.as_ref(), Number(request.number));
    for said in [
        format!("the event **#{}**", why.number),
        format!("**#{}** `ToolAccepted`", why.number - 1),
        format!("**#{}**, is `ModelReplied`", call.reply),
        format!("**#{}** `ModelCallRequested`", request.number),
        format!("byte {} of that body", call.byte.unwrap()),
        format!("tool call {}.", call.index),
        format!("{}:the-truth-is-told", at(b"the-truth-is-told")),
        format!("at byte {}", at(&digest)),
        format!("digest {} (as recorded)", request.digest),
        format!("`{}`", checks[1].1),
        format!("in the entry #{}, when player 3", why.triggers[0].0),
        format!("in the entry #{}; and so on", why.triggers[1].0),
    ] {
        assert!(page.contains(&said), "the page does not say {said:?}");
    }
}

fn loaded_digest(source: &dyn Source, number: Number) -> [u8; 32] {
    let entry = twicetold_event::Entry::decode(&source.entry_holding(number).unwrap().unwrap()).unwrap();
    let digest = entry.numbered().find_map(|(at, event)| match event {
        Event::ModelCallRequested(word) if at == number => Some(word.digest.0),
        _ => None,
    });
    digest.expect("it is a request")
}

/// A newcomer asked for the wounds of a foe and was shown the beginning of the encounter; for a thing of the first equipment, and was told that
/// nobody ever had it; and for words of the first act, and was shown the file of the third.
#[test]
fn foes_first_equipment_and_the_encounter_being_played_are_answered_for_too() {
    let home = Home::new();
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    let journal = journal.to_str().unwrap();
    let text = home.succeed(["why", journal, "hp", "Ottilie Brack"]);
    assert!(
        text.starts_with("Ottilie Brack has 0 of 4 hit points now, since\nFoeHitPointsChanged #754"),
        "{text}"
    );
    let text = home.succeed(["why", journal, "item", "cherry BRANDY"]);
    assert!(text.starts_with("CharacterAccepted"), "{text}");
    home.run(["why", journal, "number", "754", "--shown", "99999"]).failed(7, &["there is no #99999"]);
    home.run(["why", journal, "number", "754", "--words", "nobody said so"]).failed(7, &["does not hold"]);
    assert!(home.succeed(["bisect", journal, "trust:ottilie-brack <= -1"]).starts_with("#800 "));

    home.succeed(["run", "the-weir-book", "--seed", "4", "--turns", "24", "--quiet"]);
    let told = home.succeed(["show", "last", "transcript", "--json"]);
    let lines: Vec<serde_json::Value> = serde_json::from_str(&told).unwrap();
    let mut lines = lines.iter().filter(|line| line["text"].as_str().unwrap().contains("Nan Gudgeon"));
    let number = lines.next().expect("somebody speaks of her")["number"].to_string();
    let text = home.succeed(["why", "last", "number", &number, "--words", "Nan Gudgeon"]);
    assert!(!text.contains("low-water") && !text.contains("the-fast-packet"), "{text}");
}

/// The way back of a long campaign ended in its middle, as if it had been opened there.
#[test]
fn the_way_back_always_ends_with_the_opening_and_says_how_many_steps_it_leaves_out() {
    let journal = repository().join("replays/dialogues/journal.twicetold");
    let source = open_source(&journal).unwrap();
    let loaded = load(source.as_ref()).unwrap();
    let end = Number(loaded.campaign.next().0 - 1);
    let asker = Asker::new(source.as_ref(), &loaded).unwrap();
    let whole = asker.why(end, 1).unwrap().unwrap();
    assert_eq!(whole.left_out, 0);
    let asker = asker.telling(5);
    let why = asker.why(end, 1).unwrap().unwrap();
    assert_eq!(why.triggers.len(), 6);
    assert_eq!(why.triggers[..5], whole.triggers[..5], "the newest are kept");
    assert_eq!(why.triggers.last(), whole.triggers.last(), "and the opening");
    assert_eq!(why.left_out as usize + why.triggers.len(), whole.triggers.len(), "{why:?}");
}

/// Somebody who took the DM's seat was called a model, with a model's temperature.
#[test]
fn a_person_who_answered_is_named_and_has_no_settings() {
    let game = Game::of("one-lantern-short", 7_101);
    let (session, memory, first) = game.session();
    let (transcript, events) = (Vec::new(), Vec::new());
    let mut played = twicetold_tests::Played { session, memory, transcript, events, calls: 0 };
    let mut improvise = |_: Seat, body: &str| twicetold_improv::improvise(body);
    played.until(first, Some(Number(30)), &mut improvise);
    let sits = SeatAsked { seat: Seat::Dm, person: Some("Ada".into()) };
    played.go_on(sits.into(), &mut improvise);
    let Some(Effect::AskPerson { call, .. }) = played.session.campaign().plan() else {
        panic!("Ada is asked")
    };
    let text = "Somebody knocks at the shutter, three times.".to_owned();
    let answer = PersonAnswered { call, text: text.clone(), tool_calls: Vec::new() };
    played.go_on(answer.into(), &mut improvise);
    let said = played.transcript.iter().find(|line| line.text == text).expect("it was said");

    let loaded = load(played.source()).unwrap();
    let asker = Asker::new(played.source(), &loaded).unwrap();
    let request = asker.why(Number(said.number), 1).unwrap().unwrap().request.expect("Ada was asked");
    assert_eq!((request.person.as_deref(), request.model.as_str()), (Some("Ada"), ""));
    assert_eq!(request.settings, (None, None, 0));
    let model = asker.why(Number(20), 1).unwrap().unwrap().request.expect("a model was asked");
    assert_eq!((model.person, model.model.as_str()), (None, "improv"));
}

#[test]
fn a_reply_is_told_whole_with_what_became_of_each_of_its_tool_calls() {
    let home = Home::new();
    let journal = repository().join("replays/corner-cases/journal.twicetold");
    let journal = journal.to_str().unwrap();
    let text = home.succeed(["why", journal, "reply", "164"]);
    assert!(text.starts_with("reply #160 of DM, turn 20"), "{text}");
    for words in [
        "tool call 1: encounter_resolve",
        "refused by nobody_has_acted",
        "tool call 3: goal_register",
        "let through at #163",
        "#164 GoalRegistered",
        "request #159 to DM",
        "the campaign was opened",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&home.succeed(["why", journal, "reply", "160", "--json"])).unwrap();
    assert_eq!(json["calls"][2]["accepted"]["effects"][0]["number"], 164);
    assert_eq!(json["request"]["number"], 159);
}

#[test]
fn everything_that_refuses_or_cuts_is_a_refusal_and_an_earlier_one_is_said_to_be_earlier() {
    let home = Home::new();
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    let journal = journal.to_str().unwrap();
    let text = home.succeed(["why", journal, "refusal", "45"]);
    assert!(text.starts_with("MarkerIgnored #45, turn 4"), "{text}");
    assert!(text.contains("only the DM closes a phase"), "{text}");
    let text = home.succeed(["why", journal, "refusal", "47"]);
    assert!(text.starts_with("Nothing was refused at #47; the last refusal before it is #45."), "{text}");
    let log = home.succeed(["log", journal]);
    assert!(log.contains("does not count: only the DM closes a phase"), "{log}");
    for name in ["NotTheDm", "DmSpeaksLast", "WaitedLongest", "Some("] {
        assert!(!log.contains(name), "{name}");
    }
}

#[test]
fn the_turn_of_what_ends_a_turn_is_that_turn_and_a_diagram_has_no_loop() {
    let home = Home::new();
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    let journal = journal.to_str().unwrap();
    let text = home.succeed(["why", journal, "number", "58"]);
    assert!(text.starts_with("MessageSpoken #58, turn 4\n"), "{text}");
    let text = home.succeed(["why", journal, "number", "61"]);
    assert!(text.starts_with("SpeakerChosen #61, turn 5\n  DM is next: the DM speaks last"), "{text}");
    let diagram = home.succeed(["why", journal, "number", "1", "--mermaid"]);
    assert!(!diagram.contains("i0 -->|goes back to| i0"), "{diagram}");
    let steps = home.succeed(["show", journal, "goals", "--history"]);
    assert!(steps.contains(" requests: #"), "{steps}");
}

/// A thing that one of the DM's people has had from the first scene on was unknown.
#[test]
fn what_the_dms_people_own_from_the_beginning_has_a_why() {
    let played = Game::of("the-weir-book", 7_102).improvised();
    let loaded = load(played.source()).unwrap();
    let asker = Asker::new(played.source(), &loaded).unwrap();
    let state = loaded.campaign.state();
    let party: Vec<&String> =
        state.characters().values().flat_map(|one| one.inventory.values()).map(|(name, ..)| name).collect();
    let mut owned = state.npcs().all().flat_map(|npc| npc.inventory.values());
    let (name, ..) =
        owned.find(|(name, ..)| !party.contains(&name)).expect("somebody has something of their own");
    let number = asker.number_of(&Subject::Item(name.clone())).unwrap().expect("it is known");
    let why = asker.why(number, 1).unwrap().unwrap();
    assert!(["EncounterBegan", "ItemExchanged"].contains(&why.event), "{name}: {why:?}");
}
