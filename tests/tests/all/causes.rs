//! Promise: the cause that `why` gives is what decided, not what happened to come last.

use std::collections::BTreeMap;

use twicetold_event::{Entry, Event, Input, Seat};
use twicetold_session::{Cause, Explainer, entries, load};
use twicetold_tests::Game;

/// The memory seat, which is asked in between, chooses nobody.
#[test]
fn a_speaker_is_chosen_by_the_words_that_asked_for_one_whoever_answered_last() {
    let mut seen = 0;
    for seed in [5, 7, 11] {
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
    for seed in [3, 5, 8] {
        let played = Game::new(seed).chaotic();
        let loaded = load(played.source()).unwrap();
        let explainer = Explainer::new(played.source(), &loaded).unwrap();
        for entry in entries(played.source()).unwrap().map(Result::unwrap) {
            let Input::ModelReplied(answer) = &entry.input else { continue };
            let words = loaded.campaign.replies().reply(answer.call).map(|reply| reply.text.clone());
            let words = words.unwrap_or_default();
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
