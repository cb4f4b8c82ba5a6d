//! Promise: a journal that was changed by somebody who can seal it anew is not replayed as identical, wherever what was changed follows
//! from the rest. What does not follow from the rest (times, the campaign's id, a cut at an entry, a consistent rewriting) is what
//! attestations are for.

use twicetold_event::{
    Build, CallId, Edit, Entry, Event, Input, Item, Number, PauseAsked, ReplyIgnored, Source, StateDigested,
};
use twicetold_model::{Digest, Finish};
use twicetold_referee::Campaign;
use twicetold_referee::replay::{Divergence, DivergenceKind, Replayer};
use twicetold_session::{charter_of, entries};
use twicetold_tests::{Game, Home, Played, Records, repository};

/// The first divergence that a replay of these entries finds.
fn replayed(played: &Played, entries: &[Entry]) -> Option<Divergence> {
    let (charter, setup) = charter_of(played.source()).expect("it was opened");
    let mut replayer = Replayer::new(Campaign::new(charter, setup).expect("it is sound"));
    entries.iter().find_map(|entry| replayer.replay(entry).err())
}

/// An entry's input as a reply, from the last one back.
fn reply(entries: &mut [Entry], from_the_end: usize) -> &mut twicetold_event::ModelReplied {
    let mut replies = entries.iter_mut().rev().filter_map(|entry| match &mut entry.input {
        Input::ModelReplied(word) => Some(word),
        _ => None,
    });
    replies.nth(from_the_end).expect("a reply")
}

/// The first event that `wanted` takes, to be changed.
fn event<T>(entries: &mut [Entry], wanted: impl Fn(&mut Event) -> Option<&mut T>) -> &mut T {
    entries.iter_mut().flat_map(|entry| &mut entry.events).find_map(wanted).expect("there is such an event")
}

macro_rules! changed {
    ($entries:expr, $kind:ident) => {
        event($entries, |event| match event {
            Event::$kind(word) => Some(word),
            _ => None,
        })
    };
}

/// A change that a forger makes.
type Forgery = fn(&mut Vec<Entry>);

/// What was forged, how, and what the replay calls it.
const FORGERIES: [(&str, DivergenceKind, Forgery); 23] = [
    ("tokens read by the last reply", DivergenceKind::Record, |all| reply(all, 0).usage.input_tokens += 1),
    ("tokens read by a reply", DivergenceKind::Record, |all| reply(all, 9).usage.input_tokens += 1),
    ("tokens written by a reply", DivergenceKind::Record, |all| reply(all, 9).usage.output_tokens = 0),
    ("tokens cached for a reply", DivergenceKind::Record, |all| reply(all, 9).usage.cached_tokens += 40),
    ("why the last reply ended", DivergenceKind::Record, |all| reply(all, 0).finish = Finish::Length),
    ("the turn of an entry", DivergenceKind::Record, |all| all[20].header.turn = 77),
    ("the turn of every entry", DivergenceKind::Record, |all| {
        all.iter_mut().for_each(|entry| entry.header.turn = 77);
    }),
    ("the program of one entry", DivergenceKind::Record, |all| all[20].header.build = Build([7; 16])),
    ("a pause after the end", DivergenceKind::Record, |all| {
        let mut entry = all.last().expect("entries").clone();
        entry.input = Input::PauseAsked(PauseAsked { reason: "nobody asked".to_owned() });
        (entry.events, entry.blobs) = (Vec::new(), Vec::new());
        all.push(entry);
    }),
    ("the last entry twice", DivergenceKind::Record, |all| {
        let entry = all.last().expect("entries").clone();
        all.push(entry);
    }),
    ("a blob of an entry", DivergenceKind::Record, |all| {
        all.iter_mut().rev().find_map(|entry| entry.blobs.first_mut()).expect("a blob").0[0] ^= 1;
    }),
    ("an additional blob", DivergenceKind::Record, |all| all[20].blobs.push(Digest::ZERO)),
    ("the body that was sent", DivergenceKind::Body, |all| reply(all, 9).sent = Digest::ZERO),
    ("a word of a reply", DivergenceKind::Decision, |all| {
        let word = reply(all, 9);
        word.body = word.body.replacen(" the ", " teh ", 1);
    }),
    ("the source of a piece of a prompt", DivergenceKind::Prompt, |all| {
        let word = all
            .iter_mut()
            .flat_map(|entry| &mut entry.events)
            .filter_map(|event| match event {
                Event::ModelCallRequested(word) => Some(word),
                _ => None,
            })
            .nth(5)
            .expect("requests");
        let mut edits = word.manifest.edits.to_vec();
        let span = edits.iter_mut().find_map(|edit| match edit {
            Edit::Add(Item::Span(span)) => Some(span),
            _ => None,
        });
        span.expect("a span").source = Source::Event(Number(1));
        word.manifest.edits = edits.into();
    }),
    ("the digest of a request", DivergenceKind::Prompt, |all| {
        changed!(all, ModelCallRequested).digest = Digest::ZERO
    }),
    ("the total of a check", DivergenceKind::Decision, |all| changed!(all, AbilityChecked).total += 1),
    ("the number of a turn", DivergenceKind::Decision, |all| changed!(all, TurnBegan).turn = 90),
    ("a digest of the state", DivergenceKind::Decision, |all| {
        *changed!(all, StateDigested) = StateDigested { digest: Digest::ZERO };
    }),
    ("an additional event", DivergenceKind::Decision, |all| {
        all[20].events.push(ReplyIgnored { call: CallId(3), pending: None }.into());
    }),
    ("the last event dropped", DivergenceKind::Decision, |all| {
        all.last_mut().expect("entries").events.pop();
    }),
    ("an entry dropped", DivergenceKind::Decision, |all| drop(all.remove(9))),
    ("a file of the charter without its digest", DivergenceKind::Decision, |all| {
        let Input::OpeningAsked(word) = &mut all[0].input else { panic!("the first entry opens") };
        word.charter.files.pop();
    }),
];

#[test]
fn no_forgery_that_contradicts_the_rest_is_replayed_as_identical() {
    let played = Game::new(11).improvised();
    let recorded: Vec<Entry> = entries(played.source()).unwrap().map(Result::unwrap).collect();
    assert_eq!(replayed(&played, &recorded), None);
    for (what, kind, forge) in FORGERIES {
        let mut forged = recorded.clone();
        forge(&mut forged);
        let found = replayed(&played, &forged).unwrap_or_else(|| panic!("{what}: replayed as identical"));
        assert_eq!(found.kind, kind, "{what}: {found:?}");
        // Two values that differ are shown, in the texts or in the fields.
        let told = (&found.journal, &found.build);
        assert!(
            told.0 != told.1 || found.fields.iter().any(|(journal, build)| journal != build),
            "{what}: {found:?}"
        );
    }
}

#[test]
fn a_journal_that_contradicts_itself_is_not_imported_unless_it_is_trusted() {
    let home = Home::new();
    let golden =
        std::fs::read(repository().join("replays/dialogues/journal.twicetold")).expect("it is there");
    let mut records = Records::read(&golden);
    assert_eq!(records.chained().fitted().bytes(), golden, "sealed again it is what it was");
    let place = records.entries()[20];
    records.payload(place)[53..57].copy_from_slice(&77u32.to_le_bytes());
    std::fs::write(home.path("forged.twicetold"), records.chained().fitted().bytes()).expect("room for it");
    assert!(home.succeed(["verify", "forged.twicetold"]).contains("Intact"), "nothing is damaged");
    let replayed = home.run(["replay", "forged.twicetold"]);
    assert_eq!(replayed.code, Some(3), "{}", replayed.stdout);
    assert!(replayed.stdout.contains("the entry belongs to turn 77"), "{}", replayed.stdout);
    home.run(["import", "forged.twicetold"]).failed(
        3,
        &[
            "forged.twicetold contradicts itself at #",
            "the entry belongs to turn 77",
            "nothing was imported",
            "--trust",
        ],
    );
    assert!(home.campaigns().is_empty());
    home.succeed(["import", "forged.twicetold", "--trust"]);
    assert_eq!(home.campaigns().len(), 1);
}
