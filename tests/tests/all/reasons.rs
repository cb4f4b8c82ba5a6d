//! Promise: every prompt is accounted for to the byte: what is in it has a source, and every source is there.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use twicetold_event::{
    CallId, Event, Item, Number, PersonAnswered, Place, Seat, SeatAsked, Section, Source as SpanSource,
};
use twicetold_journal::{Source, open_source};
use twicetold_model::Part;
use twicetold_referee::Effect;
use twicetold_session::{Explainer, JournalCursor, Rebuilt, Subject, entries, load, rebuild_in};
use twicetold_tests::{CAMPAIGNS, Game, Home, golden, repository};

/// Was it the recipe that asked?
pub(crate) fn asked_for() -> bool {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var_os("TWICETOLD_LAWS").is_some()
}

/// Random campaigns, half of them with every vice; the recipe `just laws` takes hundreds.
fn count() -> usize {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var("TWICETOLD_LAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

/// Every golden journal and some random campaigns, on every core.
pub(crate) fn every_journal(each: impl Fn(&str, &dyn Source) + Sync) {
    let folders = std::fs::read_dir(repository().join("replays")).unwrap();
    let files = folders.map(|folder| folder.unwrap().path().join("journal.twicetold"));
    let files: Vec<_> = files.filter(|file| file.is_file()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if let Some(journal) = files.get(index) {
                each(&journal.display().to_string(), open_source(journal).unwrap().as_ref());
                continue;
            }
            let seed = index - files.len();
            if seed >= count() {
                return;
            }
            let game = Game::of(CAMPAIGNS[seed % CAMPAIGNS.len()], 7_000 + seed as u64);
            let played = if (seed / 4).is_multiple_of(2) { game.improvised() } else { game.chaotic() };
            each(&format!("seed {}", 7_000 + seed), played.source());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

/// All calls that were requested.
pub(crate) fn calls(source: &dyn Source) -> Vec<CallId> {
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
    let schema = rebuilt.request.reply_schema.as_ref().map_or(0, |form| form.schema.len());
    parts.map(bytes).sum::<usize>() + schema
}

#[test]
fn every_byte_of_every_prompt_has_a_source_that_is_there() {
    let requests = AtomicUsize::new(0);
    every_journal(|name, source| {
        let loaded = load(source).unwrap();
        let cursor = JournalCursor::new(source, loaded.campaign.amended()).unwrap();
        for call in calls(source) {
            let rebuilt = rebuild_in(&cursor, call).unwrap().expect("a call that was requested is found");
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
                    let entry = cursor.entry(number).unwrap().expect("the entry is there");
                    let is_event = entry.numbered().any(|(at, _)| at == number);
                    assert!(is_event && number < rebuilt.number, "{name}: {call} points to {number}");
                }
                if let Place::Reply(reply, _) = span.place {
                    assert!(cursor.answer(reply).unwrap().is_some(), "{name}: {call} points to {reply}");
                }
            }
            assert_eq!(sum, text_bytes(&rebuilt), "{name}: {call}");
            requests.fetch_add(1, Ordering::Relaxed);
        }
    });
    let requests = requests.into_inner();
    assert!(requests > 1_000, "{requests}");
}

/// They are listed without their causes, which takes a hundred times as long to find.
#[test]
fn every_rejection_is_listed_with_the_text_that_its_cause_has() {
    let listed = AtomicUsize::new(0);
    every_journal(|name, source| {
        let loaded = load(source).unwrap();
        let explainer = Explainer::new(source, &loaded).unwrap();
        let rejections = explainer.rejections().unwrap();
        let mut after = loaded.campaign.next();
        for (number, text) in rejections.iter().rev() {
            // Whoever goes back from the end finds the same ones.
            let before = |back| explainer.number_of(&Subject::Rejection(Number(after.0 - back))).unwrap();
            // The number of an input stands for what came of it.
            let found = before(1).filter(|found| *found < after).or_else(|| before(2));
            assert_eq!(found, Some(*number), "{name}: before {after}");
            let why = explainer.why(*number, 0).unwrap().expect("it is there");
            assert_eq!(why.text, *text, "{name}: {number}");
            after = *number;
        }
        let earlier = Subject::Rejection(Number(after.0.saturating_sub(2)));
        let earlier = explainer.number_of(&earlier).unwrap().filter(|found| *found < after);
        assert_eq!(earlier, None, "{name}: before the first");
        listed.fetch_add(rejections.len(), Ordering::Relaxed);
    });
    let listed = listed.into_inner();
    assert!(listed > 100, "{listed}");
}

/// A rejection, a roll, a purse, a trust, an item, a speaker: whatever is asked about, the answer leads to a reply and a prompt.
#[test]
fn whatever_the_state_shows_has_a_why_that_leads_back_to_the_opening() {
    let played = Game::of("one-lantern-short", 7_100).improvised();
    let loaded = load(played.source()).unwrap();
    let explainer = Explainer::new(played.source(), &loaded).unwrap();
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
            explainer.number_of(&subject).unwrap().unwrap_or_else(|| panic!("{subject:?} has an answer"));
        let why = explainer.why(number, 2).unwrap().expect("the number is there");
        assert!(!why.text.is_empty(), "{subject:?}: {why:?}");
        let (number, what) = why.triggers.last().expect("a way back");
        assert_eq!((*number, what.starts_with("the campaign was opened")), (0, true), "{subject:?}");
        assert!(why.request.is_none_or(|request| request.exact));
    }
    for nobody in [Subject::Gold("nobody".into()), Subject::Item("nothing".into()), Subject::Trust("".into())]
    {
        assert_eq!(explainer.number_of(&nobody).unwrap(), None, "{nobody:?}");
    }
    assert!(explainer.why(Number(end.0 + 1), 1).unwrap().is_none(), "there is nothing past the end");
}

/// A golden journal.
fn golden_journal(name: &str) -> PathBuf {
    repository().join("replays").join(name).join("journal.twicetold")
}

/// The events of a golden journal with their numbers.
fn numbered(journal: &Path) -> Vec<(u64, Event)> {
    let source = open_source(journal).unwrap();
    let all = entries(source.as_ref()).unwrap().map(|entry| entry.unwrap());
    let own = |entry: twicetold_event::Entry| {
        entry.numbered().map(|(number, event)| (number.0, event.clone())).collect::<Vec<_>>()
    };
    all.flat_map(own).collect()
}

/// The id of a goal that was registered while the golden journal `dialogues` was played.
fn registered() -> String {
    let goal = numbered(&golden_journal("dialogues")).into_iter().find_map(|(_, event)| match event {
        Event::GoalRegistered(word) => Some(word.id),
        _ => None,
    });
    goal.expect("it is recorded for that")
}

#[test]
fn the_answer_about_a_goal_is_what_it_was() {
    let journal = golden_journal("dialogues");
    let text = Home::new().succeed(["why", journal.to_str().unwrap(), "goal", &registered()]);
    golden(&journal.with_file_name("why-goal.txt"), &text);
}

#[test]
fn why_not_tells_a_rejected_goal_from_one_that_nobody_asked_for() {
    let home = Home::new();
    let corner_cases = repository().join("replays/corner-cases/journal.twicetold");
    let journal = corner_cases.to_str().unwrap();
    let steps = home.succeed(["show", journal, "goals", "--history"]);
    assert!(steps.contains("rejected by dynamic_goals_max"), "{steps}");
    let rejected =
        steps.lines().zip(steps.lines().skip(1)).find(|(_, what)| what.contains("dynamic_goals_max"));
    let goal = rejected.and_then(|(head, _)| head.split_whitespace().nth(1)).expect("its line names it");
    let text = home.succeed(["why-not", journal, "goal", goal]);
    assert!(text.contains("it was proposed") && text.contains("rejected by dynamic_goals_max"), "{text}");
    assert!(text.contains("rebuilt exactly"), "{text}");
    let text = home.succeed(["why-not", journal, "goal", "a-dragon"]);
    assert!(text.contains("no proposal: the DM had the tool goal_register in"), "{text}");
}

#[test]
fn history_finds_a_fact_whichever_way_round_it_is_written() {
    let home = Home::new();
    let path = golden_journal("dialogues");
    let journal = path.to_str().unwrap();
    let loaded = load(open_source(&path).unwrap().as_ref()).unwrap();
    let npc = loaded.campaign.state().npcs().all().next().expect("somebody is there");
    let long = home.succeed(["history", journal, &format!("npcs.{}.trust", npc.id)]);
    assert_eq!(home.succeed(["history", journal, &format!("trust:{}", npc.name)]), long);
    let character = loaded.campaign.state().characters().values().next().expect("somebody plays");
    let first = character.first_name().to_lowercase();
    assert!(home.succeed(["history", journal, &format!("gold:{first}")]).contains("gold = "));
    home.run(["history", journal, "trust:nobody"]).failed(7, &["trust:nobody"]);
}

/// The page that walks one why by hand is written from the journal that it speaks of.
#[test]
fn the_page_that_walks_a_why_by_hand_is_right() {
    let mut page = std::fs::read_to_string(repository().join("tests/pages/why.md")).unwrap();
    let file = golden_journal("dialogues");
    let (bytes, source) = (std::fs::read(&file).unwrap(), open_source(&file).unwrap());
    let loaded = load(source.as_ref()).unwrap();
    let explainer = Explainer::new(source.as_ref(), &loaded).unwrap();
    let goal = registered();
    let why = explainer.goal(&goal, 1).unwrap().unwrap().registered.unwrap();
    let twicetold_session::Cause::Tool { call, checks, .. } = &why.cause else { panic!("it was registered") };
    let request = why.request.as_ref().unwrap();
    let at = |needle: &[u8]| bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    let (asked, bare) = requested(source.as_ref(), Number(request.number));
    let digest = request.digest.clone();
    let log = Home::new().succeed(["log", file.to_str().unwrap()]);
    let line = |number: u64| {
        let line = log.lines().find(|line| line.starts_with(&format!("#{number} "))).expect("it is logged");
        format!("    {}", line.chars().take(100).collect::<String>().trim_end())
    };
    let checks: Vec<String> = checks.iter().map(|(rule, seen)| format!("* `{rule}`: {seen}")).collect();
    for (name, value) in [
        ("goal", goal.clone()),
        ("effect", why.number.to_string()),
        ("accepted", (why.number - 2).to_string()),
        ("log", format!("{}\n{}", line(why.number - 2), line(why.number))),
        ("checks", checks.join("\n")),
        ("reply", call.reply.to_string()),
        ("call", asked.0.to_string()),
        ("index", call.index.to_string()),
        ("byte", call.byte.unwrap().to_string()),
        ("place", at(goal.as_bytes()).to_string()),
        ("request", request.number.to_string()),
        ("front", digest[..16].to_owned()),
        ("digest", digest.clone()),
        ("digest_place", at(&bare).to_string()),
        ("before", why.triggers[0].0.to_string()),
        ("earlier", why.triggers[1].0.to_string()),
    ] {
        page = page.replace(&format!("{{{{{name}}}}}"), &value);
    }
    assert!(!page.contains("{{"), "{page}");
    golden(&repository().join("replays/WHY.md"), &page);
}

/// The call and the digest of a request.
fn requested(source: &dyn Source, number: Number) -> (CallId, [u8; 32]) {
    let entry = twicetold_event::Entry::decode(&source.entry_holding(number).unwrap().unwrap()).unwrap();
    let digest = entry.numbered().find_map(|(at, event)| match event {
        Event::ModelCallRequested(word) if at == number => Some((word.call, word.digest.0)),
        _ => None,
    });
    digest.expect("it is a request")
}

/// A newcomer asked for the wounds of a foe and was shown the beginning of the encounter; for a thing of the first equipment, and was told that
/// nobody ever had it; and for words of the first act, and was shown the file of the third.
#[test]
fn foes_first_equipment_and_the_encounter_being_played_are_answered_for_too() {
    let home = Home::new();
    let path = golden_journal("combat-and-vices");
    let (journal, events) = (path.to_str().unwrap(), numbered(&path));
    let loaded = load(open_source(&path).unwrap().as_ref()).unwrap();
    // One who fought, was wounded, is known by a name and was not tended to afterwards.
    let is_tended = |foe: &str, since: u64| {
        let mut after = events.iter().filter(|(number, _)| *number > since);
        after.any(|(_, event)| matches!(event, Event::NpcHitPointsChanged(word) if word.npc == foe))
    };
    let wounded = events.iter().rev().find_map(|(number, event)| match event {
        Event::FoeHitPointsChanged(word) if !is_tended(&word.foe, *number) => {
            loaded.campaign.state().npcs().get(&word.foe).map(|npc| (*number, npc, word.now))
        }
        _ => None,
    });
    let (number, npc, now) = wounded.expect("somebody of the DM's is wounded");
    let text = home.succeed(["why", journal, "hp", &npc.name]);
    assert!(text.starts_with(&format!("{} has {now} of ", npc.name)), "{text}");
    assert!(text.contains(&format!("FoeHitPointsChanged #{number}")), "{text}");
    let state = loaded.campaign.state();
    let items = state.characters().values().flat_map(|character| &character.sheet.equipment);
    let names = items.filter_map(|id| state.setup().rules.items.iter().find(|item| item.id == *id));
    let handed = |name: &str| {
        events.iter().any(|(_, event)| match event {
            Event::ItemAdded(word) => word.item == name,
            Event::ItemRemoved(word) => word.item == name,
            Event::ItemExchanged(word) => word.item == name,
            Event::ItemUsed(word) => word.item == name,
            _ => false,
        })
    };
    let kept = names.map(|item| &item.name).find(|name| !handed(name)).expect("something is only carried");
    let text = home.succeed(["why", journal, "item", &kept.to_uppercase()]);
    assert_eq!(
        home.succeed(["why", journal, "item", &kept[..kept.len() - 1]]),
        home.succeed(["why", journal, "item", kept.as_str()])
    );
    home.run(["why", journal, "item", &kept[1..]]).failed(7, &["no item"]);
    assert!(text.starts_with("CharacterAccepted"), "{text}");
    let call =
        events.iter().find(|(_, event)| matches!(event, Event::MessageSpoken(_))).unwrap().0.to_string();
    home.run(["why", journal, "number", &call, "--shown", "99999"]).failed(7, &["there is no #99999"]);
    // A call that failed and is tried again: the wait that ends between is an input and nothing else.
    let retried = repository().join("replays/qwen-0.5b/journal.twicetold");
    let (source, retried) = (open_source(&retried).unwrap(), retried.to_str().unwrap());
    let barren = entries(source.as_ref()).unwrap().map(|entry| entry.unwrap());
    let barren = barren.into_iter().find(|entry| entry.events.is_empty()).expect("a wait has ended");
    home.run(["why", retried, "number", &barren.header.first.0.to_string()])
        .failed(7, &["is an input, and no event came of it"]);
    home.run(["why", journal, "number", &call, "--words", "nobody said so"])
        .failed(7, &["does not contain the text"]);
    let talks = golden_journal("dialogues");
    let changed = numbered(&talks).into_iter().find_map(|(number, event)| match event {
        Event::TrustChanged(word) if word.applied != 0 => Some((number, word)),
        _ => None,
    });
    let (number, word) = changed.expect("somebody's trust changes");
    let than = if word.applied < 0 { "<=" } else { ">=" };
    let asked = format!("trust:{} {than} {}", word.npc, word.now);
    let found = home.succeed(["bisect", talks.to_str().unwrap(), &asked]);
    assert!(found.starts_with(&format!("#{number} ")), "{found}");

    home.succeed(["run", "the-weir-book", "--seed", "4", "--turns", "24", "--quiet"]);
    let told = home.succeed(["show", "last", "transcript", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let lines = told["lines"].as_array().unwrap();
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
    let explainer = Explainer::new(source.as_ref(), &loaded).unwrap();
    let whole = explainer.why(end, 1).unwrap().unwrap();
    assert_eq!(whole.left_out, 0);
    let explainer = explainer.with_causes_max(5);
    let why = explainer.why(end, 1).unwrap().unwrap();
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
    let explainer = Explainer::new(played.source(), &loaded).unwrap();
    let request = explainer.why(Number(said.number), 1).unwrap().unwrap().request.expect("Ada was asked");
    assert_eq!((request.person.as_deref(), request.model.as_str()), (Some("Ada"), ""));
    assert_eq!(request.settings, (None, None, 0));
    let model = explainer.why(Number(20), 1).unwrap().unwrap().request.expect("a model was asked");
    assert_eq!((model.person, model.model.as_str()), (None, "improv"));
}

#[test]
fn a_reply_is_told_whole_with_what_became_of_each_of_its_tool_calls() {
    let home = Home::new();
    let path = golden_journal("corner-cases");
    let journal = path.to_str().unwrap();
    let source = open_source(&path).unwrap();
    let mut all = entries(source.as_ref()).unwrap().map(|entry| entry.unwrap());
    let is_goal = |event: &Event| matches!(event, Event::GoalRegistered(_));
    let entry = all.find(|entry| entry.events.iter().any(is_goal)).expect("a goal is registered");
    let (goal, _) = entry.numbered().find(|(_, event)| is_goal(event)).unwrap();
    let (reply, goal) = (entry.header.first.0, goal.0);
    let request = numbered(&path).into_iter().rev().find_map(|(number, event)| match event {
        Event::ModelCallRequested(_) if number < reply => Some(number),
        _ => None,
    });
    let request = request.expect("a reply was asked for");
    let text = home.succeed(["why", journal, "reply", &goal.to_string()]);
    assert!(
        text.starts_with(&format!("reply #{reply} of DM, turn {}", entry.turn_of(Number(goal)))),
        "{text}"
    );
    for words in [
        "tool call 1: encounter_resolve",
        "rejected by nobody_has_acted",
        "tool call 3: goal_register",
        &format!("accepted at #{}", goal - 2),
        &format!("#{goal} GoalRegistered"),
        &format!("request #{request} to DM"),
        "the campaign was opened",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = home.succeed(["why", journal, "reply", &reply.to_string(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["calls"][2]["accepted"]["effects"][1]["number"], goal);
    assert_eq!(json["request"]["number"], request);
}

#[test]
fn everything_that_rejects_or_cuts_is_a_rejection_and_an_earlier_one_is_said_to_be_earlier() {
    let home = Home::new();
    let path = golden_journal("improv-chaos");
    let (journal, events) = (path.to_str().unwrap(), numbered(&path));
    let by_player = |event: &Event| matches!(event, Event::MarkerIgnored(word) if word.why == twicetold_event::MarkerFault::NotTheDm);
    let ignored = events.iter().position(|(_, event)| by_player(event)).expect("a player says a marker");
    let number = events[ignored].0;
    let text = home.succeed(["why", journal, "rejection", &number.to_string()]);
    assert!(text.starts_with(&format!("MarkerIgnored #{number}, turn ")), "{text}");
    assert!(text.contains("only the DM closes a phase"), "{text}");
    let (later, event) = &events[ignored + 1];
    assert!(!matches!(event, Event::MarkerIgnored(_) | Event::MarkerRejected(_) | Event::ToolRejected(_)));
    let text = home.succeed(["why", journal, "rejection", &later.to_string()]);
    let earlier = format!("Nothing was rejected at #{later}; the last rejection before it is #{number}.");
    assert!(text.starts_with(&earlier), "{text}");
    let log = home.succeed(["log", journal]);
    assert!(log.contains("does not count: only the DM closes a phase"), "{log}");
    for name in ["NotTheDm", "DmSpeaksLast", "WaitedLongest", "Some("] {
        assert!(!log.contains(name), "{name}");
    }
}

#[test]
fn the_turn_of_what_ends_a_turn_is_that_turn_and_a_diagram_has_no_loop() {
    let home = Home::new();
    let path = golden_journal("combat-and-vices");
    let (journal, events) = (path.to_str().unwrap(), numbered(&path));
    // A player speaks, and the DM is next.
    let place = events.windows(3).position(|three| {
        let [(_, said), (_, ended), ..] = three else { return false };
        matches!(said, Event::MessageSpoken(_)) && matches!(ended, Event::TurnEnded(_))
    });
    let place = place.expect("somebody speaks and that ends the turn");
    let Event::TurnEnded(ended) = &events[place + 1].1 else { panic!("it ends") };
    let number = events[place].0;
    let text = home.succeed(["why", journal, "number", &number.to_string()]);
    assert!(text.starts_with(&format!("MessageSpoken #{number}, turn {}\n", ended.turn)), "{text}");
    let chosen = events.iter().find_map(|(number, event)| match event {
        Event::SpeakerChosen(word) if word.rule == twicetold_event::SpeakerRule::DmSpeaksLast => {
            Some(*number)
        }
        _ => None,
    });
    let chosen = chosen.expect("the DM speaks after a player");
    let began = events.iter().find_map(|(number, event)| match event {
        Event::TurnBegan(word) if *number > chosen => Some(word.turn),
        _ => None,
    });
    let text = home.succeed(["why", journal, "number", &chosen.to_string()]);
    let said = format!("SpeakerChosen #{chosen}, turn {}\n  DM is next: the DM speaks last", began.unwrap());
    assert!(text.starts_with(&said), "{text}");
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
    let explainer = Explainer::new(played.source(), &loaded).unwrap();
    let state = loaded.campaign.state();
    let party: Vec<&String> =
        state.characters().values().flat_map(|one| one.inventory.values()).map(|(name, ..)| name).collect();
    let mut owned = state.npcs().all().flat_map(|npc| npc.inventory.values());
    let (name, ..) =
        owned.find(|(name, ..)| !party.contains(&name)).expect("somebody has something of their own");
    let number = explainer.number_of(&Subject::Item(name.clone())).unwrap().expect("it is known");
    let why = explainer.why(number, 1).unwrap().unwrap();
    assert!(["EncounterBegan", "ItemExchanged"].contains(&why.event), "{name}: {why:?}");
}
