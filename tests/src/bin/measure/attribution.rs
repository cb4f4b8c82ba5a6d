//! Plants faults in campaigns by machine and asks `why` who did it and in which step: `attribution [COUNT]`.
//!
//! A model that is shown a planted word repeats it now and then, as models do; so the word goes from hand to hand, and the effect
//! that is asked about may lie many turns and several seats behind the fault. The question knows the damaged effect and what is
//! wrong with it, and nothing of the fault.

use std::collections::BTreeMap;

use twicetold_event::{CallId, Channel, Event, Input, Number, Seat};
use twicetold_improv::improvise;
use twicetold_session::{Explainer, Origin, entries, load};
use twicetold_tests::{Game, Played};

/// The word that no text of the bundle holds.
const WORD: &str = "Quillonby";
/// Of a hundred replies to a request that shows the word, so many repeat it.
const REPEATS_PERCENT: u64 = 30;

/// What was planted, and what came of it.
struct Outcome {
    fault: &'static str,
    /// Hands that the words went through.
    hands: usize,
    seat: bool,
    step: bool,
}

pub fn main(words: &[String]) {
    let count: u64 = words.first().and_then(|count| count.parse().ok()).unwrap_or(200);
    let mut rows: BTreeMap<&str, (u64, u64, u64, usize)> = BTreeMap::new();
    let mut without = 0;
    for seed in 0..count {
        let outcome = match seed % 3 {
            0 => changed_reply(seed),
            1 => wrong_template(seed),
            _ => dropped_fact(seed),
        };
        let Some(outcome) = outcome else {
            without += 1;
            continue;
        };
        let row = rows.entry(outcome.fault).or_default();
        row.0 += 1;
        row.1 += u64::from(outcome.seat);
        row.2 += u64::from(outcome.step);
        row.3 += outcome.hands;
    }
    println!(
        "{:<18}{:>10}{:>12}{:>12}{:>16}",
        "fault", "campaigns", "seat named", "step named", "hands, mean"
    );
    let mut all = (0, 0, 0);
    for (fault, (campaigns, seats, steps, hands)) in &rows {
        let mean = hands * 10 / *campaigns as usize;
        let mean = format!("{}.{}", mean / 10, mean % 10);
        println!(
            "{fault:<18}{campaigns:>10}{:>12}{:>12}{mean:>16}",
            share(*seats, *campaigns),
            share(*steps, *campaigns)
        );
        all = (all.0 + campaigns, all.1 + seats, all.2 + steps);
    }
    println!("{:<18}{:>10}{:>12}{:>12}", "all", all.0, share(all.1, all.0), share(all.2, all.0));
    println!("{without} campaigns ended before the fault had an effect.");
    println!(
        "Models that guess from a log name the seat in 53.5 % and the step in 14.2 % of failures (arXiv 2505.00212)."
    );
    std::process::exit(i32::from(all.0 == 0 || all.2 * 100 < all.0 * 95));
}

fn share(part: u64, whole: u64) -> String {
    let tenths = part * 1_000 / whole.max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A number below `most` that depends on the seed, what it is for and the body alone.
fn pick(seed: u64, what: &str, body: &str, most: u64) -> u64 {
    let mut digester = twicetold_model::Digester::new("twicetold attribution 1");
    digester.number(seed);
    digester.text(what);
    digester.text(body);
    u64::from_le_bytes(digester.finish().0[..8].try_into().expect("eight bytes")) % most
}

/// A model that repeats the word when it has been shown it; and which says it by itself once, in the reply `at`.
fn played(game: Game, seed: u64, at: Option<u64>) -> Played {
    let mut turns = 0;
    game.answered(&mut |_, body| {
        let reply = improvise(body);
        if !body.contains("phase: play") {
            return reply;
        }
        turns += 1;
        let by_itself = at == Some(turns);
        let repeats = body.contains(WORD) && pick(seed, "repeat", body, 100) < REPEATS_PERCENT;
        if by_itself || repeats { with_word(&reply) } else { reply }
    })
}

/// The same reply with a sentence more.
fn with_word(body: &str) -> String {
    let Ok(mut read) = serde_json::from_str::<serde_json::Value>(body) else { return body.to_owned() };
    let message = &mut read["choices"][0]["message"]["content"];
    let said = message.as_str().unwrap_or_default();
    *message = format!("{said} Somebody speaks of {WORD}.").trim_start().into();
    read.to_string()
}

/// Every event whose own text has the word, by the reply that it came of.
fn damaged(played: &Played) -> Vec<(Number, CallId)> {
    let mut found = Vec::new();
    for entry in entries(played.source()).expect("memory is whole") {
        let entry = entry.expect("memory is whole");
        let Input::ModelReplied(word) = &entry.input else { continue };
        if word.body.contains(WORD) {
            let spoken = entry.numbered().find(|(_, event)| matches!(event, Event::MessageSpoken(_)));
            found.extend(spoken.map(|(number, _)| (number, word.call)));
        }
    }
    found
}

/// Somebody says something out of nothing; what is asked about is the last that came of it.
fn changed_reply(seed: u64) -> Option<Outcome> {
    let at = 3 + pick(seed, "at", "", 12);
    let played = played(Game::of("one-lantern-short", seed), seed, Some(at));
    let effects = damaged(&played);
    let ((first, _), (effect, _)) = (effects.first()?, effects.last()?);
    let loaded = load(played.source()).ok()?;
    let explainer = Explainer::new(played.source(), &loaded).ok()?;
    let trace = explainer.trace(*effect, WORD).ok()?;
    let truth = explainer.why(*first, 1).ok()??;
    let (Origin::Reply { number, seat }, Some(request)) = (&trace.origin, truth.request) else {
        return Some(Outcome { fault: "changed reply", hands: trace.steps.len(), seat: false, step: false });
    };
    let step = loaded_first(&played, *first)? == *number;
    Some(Outcome { fault: "changed reply", hands: trace.steps.len(), seat: *seat == request.seat, step })
}

/// The number of the reply that an event came of.
fn loaded_first(played: &Played, number: Number) -> Option<u64> {
    let bytes = played.source().entry_holding(number).ok()??;
    twicetold_event::entry::Header::decode(&bytes).ok().map(|header| header.first.0)
}

/// A template tells one kind of seat something that is not so.
fn wrong_template(seed: u64) -> Option<Outcome> {
    let (path, place) =
        [("prompts/player-play.md", "How to do it well:"), ("prompts/dm-play.md", "How to do it well:")]
            [pick(seed, "template", "", 2) as usize];
    let wrong = format!("You have heard of {WORD}.\n\n{place}");
    let game = Game::of("one-lantern-short", seed);
    if !game.files.iter().any(|file| file.path == path && file.text.contains(place)) {
        return None;
    }
    let played = played(game.with(path, place, &wrong), seed, None);
    let effects = damaged(&played);
    let (effect, _) = effects.last()?;
    let loaded = load(played.source()).ok()?;
    let trace = Explainer::new(played.source(), &loaded).ok()?.trace(*effect, WORD).ok()?;
    let (seat, step) = match &trace.origin {
        Origin::File { path: named, seat, .. } => {
            let dm = *seat == Seat::Dm;
            (dm == path.contains("/dm-"), named == path)
        }
        _ => (false, false),
    };
    Some(Outcome { fault: "wrong template", hands: trace.steps.len(), seat, step })
}

/// A template forgets to show something to one kind of seat, and somebody there acts without knowing it.
fn dropped_fact(seed: u64) -> Option<Outcome> {
    let dm = pick(seed, "template", "", 2) == 1;
    let path = if dm { "prompts/dm-play-context.md" } else { "prompts/player-play-context.md" };
    let key = "{{party_document}}";
    let game = Game::of("one-lantern-short", seed);
    if !game.files.iter().any(|file| file.path == path && file.text.contains(key)) {
        return None;
    }
    let played = played(game.with(path, key, ""), seed, None);
    let mut fact = None;
    let mut effects = Vec::new();
    for entry in entries(played.source()).ok()? {
        for (number, event) in entry.ok()?.numbered() {
            match event {
                Event::PartyDocumentUpdated(word) if word.section == twicetold_event::Section::Goals => {
                    fact.get_or_insert(number);
                }
                // Talks apart have templates of their own, which never show the document.
                Event::MessageSpoken(word) if fact.is_some() && word.channel == Channel::Main => {
                    effects.push((number, word.seat));
                }
                _ => {}
            }
        }
    }
    let fact = fact?;
    let loaded = load(played.source()).ok()?;
    let explainer = Explainer::new(played.source(), &loaded).ok()?;
    // Whoever is asked about: those of the forgotten kind were not shown it, the others were.
    let in_play = |number: Number| number.0 > fact.0 + 10;
    effects.retain(|(number, _)| in_play(*number));
    let effect = effects.get(pick(seed, "effect", "", effects.len().max(1) as u64) as usize)?;
    let shown = explainer.shown(fact, effect.0).ok()??;
    let forgotten = (effect.1 == Seat::Dm) == dm;
    let seat = shown.seat == effect.1;
    let step = shown.shown != forgotten && (!forgotten || shown.last_shown.is_none());
    Some(Outcome { fault: "dropped fact", hands: 1, seat, step })
}
