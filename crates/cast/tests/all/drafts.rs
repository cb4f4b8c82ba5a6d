//! What a model says while it says it: only in play, only what everybody may hear, and only of a model whose thinking can be told apart.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::mpsc;
use twicetold_cast::{Notice, Stop};
use twicetold_event::{Input, PauseAsked};
use twicetold_provider::{Completion, Heard, Improvised, Provider};

use super::actors::{block_on, game, started};

/// Improvises, and streams these words before each answer.
struct Streams {
    improvised: Improvised,
    words: String,
    heard: Arc<AtomicUsize>,
}

impl Provider for Streams {
    fn name(&self) -> &str {
        "streams"
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        self.improvised.complete(body)
    }

    fn complete_heard<'a>(&'a self, body: &'a str, heard: Heard<'a>) -> Completion<'a> {
        let content = serde_json::json!({"choices": [{"delta": {"content": self.words}}]});
        heard(format!("data: {content}\n\n{}", " ".repeat(600)).as_bytes());
        self.heard.fetch_add(1, Ordering::Relaxed);
        self.improvised.complete(body)
    }

    fn without_keys(&self, text: String) -> String {
        text.replace("KEY", "[key]")
    }
}

#[test]
fn drafts_are_told_in_play_alone_and_hold_no_thinking_and_no_key() {
    let (session, _memory, opening) = game(61).session();
    let heard = Arc::new(AtomicUsize::new(0));
    let words = "<think>SECRET</think>The door opens with KEY.".to_owned();
    let streams = Streams { improvised: Improvised::new(false), words, heard: heard.clone() };
    let (drafts, phases) = block_on(async {
        let (notices, mut watching) = mpsc::channel(4_096);
        let mut handle = started(session, vec![opening], Arc::new(streams), Some(notices)).await;
        let (mut drafts, mut in_play) = (Vec::new(), false);
        while let Some(notice) = watching.recv().await {
            match notice {
                Notice::Draft { words, .. } => drafts.push((in_play, words)),
                Notice::Committed(committed) => {
                    in_play |= committed.entry.events.iter().any(|event| event.name() == "EncounterBegan");
                }
                _ => {}
            }
        }
        let (stop, _) = handle.finished().await;
        assert_eq!(stop.expect("it stops as it should"), Stop::Ended);
        (drafts, in_play)
    });
    assert!(phases && drafts.len() > 4 && drafts.len() < heard.load(Ordering::Relaxed), "{}", drafts.len());
    for (in_play, words) in drafts {
        assert!(in_play, "Session Zero may hold secrets");
        assert_eq!(words, "The door opens with [key].");
    }
}

/// Improvises until it is told to say nothing more; the call that it then leaves unanswered is told of.
struct FallsSilent {
    improvised: Improvised,
    is_silent: Arc<AtomicBool>,
    asked: mpsc::UnboundedSender<()>,
}

impl Provider for FallsSilent {
    fn name(&self) -> &str {
        "falls silent"
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        if self.is_silent.load(Ordering::SeqCst) {
            self.asked.send(()).expect("the test waits");
            return Box::pin(pending());
        }
        self.improvised.complete(body)
    }
}

#[test]
fn a_call_in_play_that_hangs_keeps_nobody_waiting_for_the_last_notice() {
    /// Calls in play after which every seat is known to say nothing but words, so that there are drafts.
    const KNOWN: usize = 16;
    let (session, _memory, opening) = game(62).session();
    let (asked, mut asking) = mpsc::unbounded_channel();
    let is_silent = Arc::new(AtomicBool::new(false));
    let silent = FallsSilent { improvised: Improvised::new(false), is_silent: is_silent.clone(), asked };
    let stop = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let mut handle = started(session, vec![opening], Arc::new(silent), Some(notices)).await;
        let mut calls_in_play = None;
        loop {
            tokio::select! {
                notice = watching.recv() => match notice {
                    Some(Notice::Committed(committed)) => {
                        let events = &committed.entry.events;
                        if events.iter().any(|event| event.name() == "EncounterBegan") {
                            calls_in_play = Some(0);
                        }
                    }
                    Some(Notice::Calling { .. }) => {
                        calls_in_play = calls_in_play.map(|calls| calls + 1);
                        is_silent.store(calls_in_play.is_some_and(|calls| calls >= KNOWN), Ordering::SeqCst);
                    }
                    Some(_) => {}
                    None => break,
                },
                Some(()) = asking.recv() => {
                    handle.tell(vec![Input::PauseAsked(PauseAsked { reason: "enough".to_owned() })]);
                }
            }
        }
        handle.finished().await.0
    });
    assert_eq!(stop.expect("it stops as it should"), Stop::Paused);
}
