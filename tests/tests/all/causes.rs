//! Promise: the cause that `why` gives is what decided, not what happened to come last.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use twicetold_event::{Entry, Event, Input, Seat};
use twicetold_journal::open_source;
use twicetold_session::{Cause, Explainer, entries, load, why_goal};
use twicetold_tests::{Game, recorded, repository};

/// The memory seat, which is asked in between, chooses nobody.
#[test]
fn a_speaker_is_chosen_by_the_words_that_asked_for_one_whoever_answered_last() {
    let mut seen = 0;
    for seed in 5..40 {
        if seen >= 3 {
            break;
        }
        let played = Game::new(seed).improvised();
        let loaded = load(played.source()).unwrap();
        let explainer = Explainer::new(played.source(), &loaded).unwrap();
        let all: Vec<Entry> = entries(played.source()).unwrap().map(Result::unwrap).collect();
        let mut asked = BTreeMap::new();
        let mut spoken = 0;
        for entry in &all {
            let seat = entry.input.call().and_then(|call| asked.get(&call).copied());
            for (number, event) in entry.numbered() {
                match event {
                    Event::ModelCallRequested(word) => drop(asked.insert(word.call, word.seat)),
                    Event::MessageSpoken(_) => spoken = entry.header.first.0,
                    Event::SpeakerChosen(_) if seat == Some(Seat::Memory) => {
                        let why = explainer.why(number, 1).unwrap().unwrap();
                        let Cause::Rule { input, what } = &why.cause else { panic!("{:?}", why.cause) };
                        assert_eq!(*input, spoken, "seed {seed}, {number}: {what}");
                        assert!(why.request.is_some_and(|request| request.number < spoken), "{number}");
                        seen += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen >= 3, "{seen} after an answer of the memory seat");
}

/// Whatever is rejected or cut without a tool call names the reply that it stood in, and its words.
#[test]
fn what_is_cut_or_rejected_names_its_reply_and_the_words() {
    let (mut cut, mut rejected) = (0, 0);
    for seed in 3..20 {
        if cut > 3 && rejected > 3 {
            break;
        }
        let played = Game::new(seed).chaotic();
        let loaded = load(played.source()).unwrap();
        let explainer = Explainer::new(played.source(), &loaded).unwrap();
        for entry in entries(played.source()).unwrap().map(Result::unwrap) {
            let Input::ModelReplied(answer) = &entry.input else { continue };
            let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
            let words = body["choices"][0]["message"]["content"].as_str().unwrap_or_default();
            for (number, event) in entry.numbered() {
                let from = match event {
                    Event::SpeechCut(word) => word.at as usize,
                    Event::ReplyRejected(_) | Event::MarkerIgnored(_) | Event::MarkerRejected(_) => 0,
                    _ => continue,
                };
                let why = explainer.why(number, 1).unwrap().unwrap();
                let Cause::Rejected { said: Some(said), .. } = &why.cause else {
                    panic!("{number}: {:?}", why.cause)
                };
                assert_eq!(said.reply, entry.header.first.0, "seed {seed}, {number}");
                assert_eq!(said.words, words[from..].trim(), "seed {seed}, {number}");
                match event {
                    Event::SpeechCut(_) => cut += 1,
                    _ => rejected += 1,
                }
            }
        }
    }
    assert!(cut > 3 && rejected > 3, "{cut} cut and {rejected} rejected");
}

/// Words of a text as people compare them: a word and its forms are one.
fn stems(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(|word| word.to_lowercase().chars().take(6).collect()).collect()
}

/// The nearest events of a prompt are those that share a word with what came of it, no others, each once.
#[test]
fn the_events_named_first_are_those_that_share_words_with_what_came_of_the_prompt() {
    let (mut near, mut far) = (0, 0);
    for seed in [5, 7] {
        let played = Game::new(seed).improvised();
        let loaded = load(played.source()).unwrap();
        let explainer = Explainer::new(played.source(), &loaded).unwrap();
        for entry in entries(played.source()).unwrap().map(Result::unwrap) {
            for (number, _) in entry.numbered() {
                let why = explainer.why(number, 1).unwrap().unwrap();
                let (Cause::Tool { call, .. }, Some(request)) = (&why.cause, &why.request) else { continue };
                let about = stems(&format!("{} {}", why.text, call.arguments));
                let mut shared = BTreeMap::<u64, bool>::new();
                for span in &request.spans {
                    *shared.entry(span.number).or_default() |= !stems(&span.text).is_disjoint(&about);
                }
                let nearest = request.nearest();
                let weights: Vec<u32> = nearest.iter().map(|span| span.weight).collect();
                assert!(weights.is_sorted_by(|one, next| one >= next), "{weights:?}");
                let mut named: Vec<u64> = nearest.iter().map(|span| span.number).collect();
                named.sort_unstable();
                let expected = shared.iter().filter(|(_, shared)| **shared).map(|(number, _)| *number);
                assert_eq!(named, expected.collect::<Vec<u64>>(), "seed {seed}, {number}");
                near += named.len();
                far += shared.len() - named.len();
            }
        }
    }
    assert!(near > 10 && far > 10, "{near} share words, {far} do not");
}

/// What checks and words have brought stands beside what the model pointed to: the last of it in the encounter.
#[test]
fn what_was_recorded_last_stands_beside_the_evidence() {
    let mut seen = 0;
    for seed in [5, 7] {
        let played = Game::new(seed).improvised();
        let loaded = load(played.source()).unwrap();
        let explainer = Explainer::new(played.source(), &loaded).unwrap();
        let mut recorded = Vec::new();
        for entry in entries(played.source()).unwrap().map(Result::unwrap) {
            for (number, event) in entry.numbered() {
                match event {
                    Event::EncounterBegan(_) => recorded.clear(),
                    Event::ImportantEventRecorded(_)
                    | Event::ItemExchanged(_)
                    | Event::ConditionAdded(_)
                    | Event::NpcConditionAdded(_)
                    | Event::CombatEnded(_) => recorded.push(number.0),
                    Event::EncounterResolved(_) | Event::GoalRegistered(_) => {
                        let why = explainer.why(number, 1).unwrap().unwrap();
                        let Cause::Tool { evidence: Some(evidence), .. } = &why.cause else { continue };
                        let named: Vec<u64> = evidence.recorded.iter().map(|(number, _)| *number).collect();
                        assert_eq!(
                            named,
                            recorded[recorded.len().saturating_sub(4)..],
                            "seed {seed}, {number}"
                        );
                        seen += named.len();
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen > 3, "{seen}");
}

/// Words have come through every event of the prompt that has them, not only through the earliest.
#[test]
fn every_event_of_a_prompt_that_has_the_words_is_named() {
    let played = Game::new(7).improvised();
    let loaded = load(played.source()).unwrap();
    let explainer = Explainer::new(played.source(), &loaded).unwrap();
    let (mut one, mut many) = (0, 0);
    for entry in entries(played.source()).unwrap().map(Result::unwrap) {
        let Some(call) = entry.input.call() else { continue };
        for (number, event) in entry.numbered() {
            let Event::MessageSpoken(_) = event else { continue };
            let text = explainer.why(number, 1).unwrap().unwrap().text;
            let words = text.split(|c: char| !c.is_alphanumeric()).max_by_key(|word| word.len()).unwrap();
            let trace = explainer.trace(number, words).unwrap();
            let request = explainer.request(call).unwrap().unwrap();
            let has = |text: &str| text.to_lowercase().contains(&words.to_lowercase());
            let holding: BTreeSet<u64> =
                request.spans.iter().filter(|span| has(&span.text)).map(|span| span.number).collect();
            let expected: Vec<u64> = holding.into_iter().take(12).collect();
            assert_eq!(trace.steps[0].shown_in, expected, "{number}: {words}");
            match expected.len() {
                0 => {}
                1 => one += 1,
                _ => many += 1,
            }
        }
    }
    assert!(one > 0 && many > 0, "{one} in one event, {many} in several");
}

/// A small model registered a goal after a talk. Here it points to a line that has nothing to do with it.
#[test]
fn what_the_model_pointed_to_in_vain_is_followed_by_what_shows_the_goal_most() {
    let mut replies = recorded::replies("qwen-1.5b-guided");
    let game = Game::of("one-lantern-short", 604);
    let guided = recorded::seated(game, "a model", (2, 200), "tool_calls = \"guided\"\n");
    let played = guided.answered(&mut |seat, _| {
        recorded::next(&mut replies, seat).replace(r##"\"because\": \"#6\""##, r##"\"because\": \"#1\""##)
    });
    let why = why_goal(played.source(), "plan-1").unwrap().expect("it is a goal");
    let Some(Cause::Tool { evidence: Some(evidence), .. }) = why.registered.map(|why| why.cause) else {
        panic!("a tool registered it");
    };
    assert!(evidence.cited.iter().all(|one| one.shares_words == Some(false)), "{:?}", evidence.cited);
    let (_, closest) = evidence.closest.expect("something shows it");
    assert!(closest.contains("I read the names aloud under my breath"), "{closest}");
}

#[test]
fn a_failure_says_which_checks_every_other_goal_lacked() {
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    let journal = open_source(&journal).unwrap();
    let why = why_goal(journal.as_ref(), "the-shelf-is-empty").unwrap().expect("it is a goal");
    let others = why.struck.expect("the rules decided it").others;
    assert_eq!(others.len(), 3, "{others:?}");
    let paid = others.iter().find(|other| other.goal == "somebody-pays-for-it").expect("it needs checks");
    // What passed is what the dice say, in the order of the file.
    let made: BTreeSet<String> = entries(journal.as_ref())
        .unwrap()
        .flat_map(|entry| entry.unwrap().events)
        .filter_map(|event| match event {
            Event::AbilityChecked(word) if word.success => Some(word.check),
            _ => None,
        })
        .collect();
    let needs = [
        "shove barrels and bargemen aside",
        "follow somebody through the stalls",
        "look somebody in the eye and wait",
        "have somebody locked up for the theft by the first lantern",
    ];
    let (passed, missed): (Vec<&str>, Vec<&str>) = needs.into_iter().partition(|need| made.contains(*need));
    assert!(!passed.is_empty() && !missed.is_empty(), "the journal shows both: {made:?}");
    assert_eq!((&paid.passed, &paid.missed), (&owned(&passed), &owned(&missed)));
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
