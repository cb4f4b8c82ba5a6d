//! Promise: a journal that was changed by somebody who can seal it anew is found out: by a replay or by the second verifier, wherever what
//! was changed follows from the rest, and else (times, the campaign's id, a cut at an entry, a consistent rewriting) by an attestation.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use twicetold_event::{
    Audience, Build, CallId, CampaignId, CampaignOpened, Check, Edit, Ending, Event, Input, Item, Manifest,
    Millis, Number, PauseAsked, Place, ReplyIgnored, Seat, Source, Span, StateDigested, Text,
};
use twicetold_journal::{Export, Source as _, verify};
use twicetold_model::{Digest, Finish};
use twicetold_referee::Campaign;
use twicetold_referee::replay::{Divergence, DivergenceKind, Replayer};
use twicetold_session::{charter_of, entries};
use twicetold_tests::{Forged, Game, Home, Records, golden, repository, skipped};

use crate::independent_verifier::reports;

/// The first divergence that a replay of a journal finds; an error where it cannot be replayed at all.
fn replayed(export: &Export) -> Result<Option<Divergence>, String> {
    let (charter, setup) = charter_of(export).map_err(|error| error.to_string())?;
    let mut replayer = Replayer::new(Campaign::new(charter, setup).map_err(|error| error.to_string())?);
    for entry in entries(export).map_err(|error| error.to_string())? {
        if let Err(found) = replayer.replay(&entry.map_err(|error| error.to_string())?) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// An entry's input as a reply, from the last one back.
fn reply(forged: &mut Forged, from_the_end: usize) -> &mut twicetold_event::ModelReplied {
    let mut replies = forged.entries.iter_mut().rev().filter_map(|entry| match &mut entry.input {
        Input::ModelReplied(word) => Some(word),
        _ => None,
    });
    replies.nth(from_the_end).expect("a reply")
}

/// Replaces a piece of a reply's body by one of the same length.
fn reword(forged: &mut Forged, from_the_end: usize, from: &str, to: &str) {
    let word = reply(forged, from_the_end);
    assert!(from.len() == to.len() && word.body.contains(from), "{}", word.body);
    word.body = word.body.replacen(from, to, 1);
}

/// The events of a kind, to be changed.
macro_rules! all {
    ($forged:expr, $kind:ident) => {
        $forged.entries.iter_mut().flat_map(|entry| &mut entry.events).filter_map(|event| match event {
            Event::$kind(word) => Some(word),
            _ => None,
        })
    };
}

/// The first of them.
macro_rules! first {
    ($forged:expr, $kind:ident) => {
        all!($forged, $kind).next().expect("there is such an event")
    };
}

/// The edits of a request, to be changed.
fn edits(forged: &mut Forged, request: usize, change: impl FnOnce(&mut Vec<Edit>)) {
    let word = all!(forged, ModelCallRequested).nth(request).expect("requests");
    let mut edits = word.manifest.edits.to_vec();
    change(&mut edits);
    word.manifest = Manifest { base: word.manifest.base, edits: edits.into() };
}

/// The first span of a request that is wanted, to be changed.
fn span(forged: &mut Forged, request: usize, wanted: fn(&Span) -> bool, change: fn(&mut Span)) {
    edits(forged, request, |edits| {
        let spans = edits.iter_mut().filter_map(|edit| match edit {
            Edit::Add(Item::Span(span)) => Some(span),
            _ => None,
        });
        change(spans.into_iter().find(|span| wanted(span)).expect("such a span"));
    });
}

/// How far a change of a charter's file is carried on.
#[derive(PartialEq, PartialOrd)]
enum Carried {
    /// Its blob alone.
    Blob,
    /// The digest in the list of files, too.
    Listed,
    /// And the charter's digest in the event.
    Opened,
}

/// Replaces a piece of a file of the charter.
fn refile(forged: &mut Forged, path: &str, from: &str, to: &str, carried: Carried) {
    let entry = &mut forged.entries[0];
    let Input::OpeningAsked(word) = &mut entry.input else { panic!("the first entry opens") };
    let file = word.charter.files.iter_mut().find(|file| file.path == path).expect("such a file");
    let text = String::from_utf8(forged.texts[&file.digest].clone()).expect("a text");
    assert!(text.contains(from), "{path} does not hold {from:?}");
    let (before, text) = (file.digest, text.replacen(from, to, 1).into_bytes());
    let digest = twicetold_event::body::blob_digest(&text);
    forged.texts.insert(digest, text);
    entry.blobs.iter_mut().filter(|blob| **blob == before).for_each(|blob| *blob = digest);
    if carried >= Carried::Listed {
        file.digest = digest;
    }
    if carried == Carried::Opened {
        let charter = CampaignOpened::digest_of(&word.charter);
        first!(forged, CampaignOpened).charter = charter;
    }
}

/// The first event of a kind in a sealed journal, by its type number, with another payload.
fn reframe(records: &mut Records, kind: u16, change: fn(&[u8]) -> Vec<u8>) {
    for place in records.entries() {
        let payload = records.payload(place);
        let mut at = 125 + 6 + 32 * usize::from(u16::from_le_bytes([payload[129], payload[130]]));
        while at < payload.len() {
            let length = u32::from_le_bytes(payload[at + 3..at + 7].try_into().expect("four bytes")) as usize;
            let (start, end) = (at + 7, at + 7 + length);
            if payload[at..at + 2] == kind.to_le_bytes() {
                let changed = change(&payload[start..end]);
                payload[at + 3..at + 7].copy_from_slice(&(changed.len() as u32).to_le_bytes());
                payload.splice(start..end, changed);
                return;
            }
            at = end;
        }
    }
    panic!("there is no event {kind}");
}

const DECISION: Option<DivergenceKind> = Some(DivergenceKind::Decision);
const PROMPT: Option<DivergenceKind> = Some(DivergenceKind::Prompt);
const RECORD: Option<DivergenceKind> = Some(DivergenceKind::Record);
const BODY: Option<DivergenceKind> = Some(DivergenceKind::Body);

/// A change that a forger makes.
type Forgery = fn(&mut Forged);

/// What was forged, what the replay calls it (nothing: it is replayed as identical, or cannot be replayed), and how.
const FORGERIES: &[(&str, Option<DivergenceKind>, Forgery)] = &[
    ("tokens read by the last reply", RECORD, |all| reply(all, 0).usage.input_tokens += 1),
    ("tokens read by a reply", RECORD, |all| reply(all, 9).usage.input_tokens += 1),
    ("tokens written by a reply", RECORD, |all| reply(all, 9).usage.output_tokens = 0),
    ("tokens cached for a reply", RECORD, |all| reply(all, 9).usage.cached_tokens += 40),
    ("why the last reply ended", RECORD, |all| reply(all, 0).finish = Finish::Length),
    ("the turn of an entry", RECORD, |all| all.entries[20].header.turn = 77),
    ("the turn of every entry", RECORD, |all| {
        all.entries.iter_mut().for_each(|entry| entry.header.turn = 77)
    }),
    ("the program of one entry", RECORD, |all| all.entries[20].header.build = Build([7; 16])),
    ("a pause after the end", RECORD, |all| {
        let mut entry = all.entries.last().expect("entries").clone();
        entry.input = Input::PauseAsked(PauseAsked { reason: "nobody asked".to_owned() });
        (entry.events, entry.blobs) = (Vec::new(), Vec::new());
        all.entries.push(entry);
    }),
    ("the last entry twice", RECORD, |all| {
        let mut entry = all.entries.last().expect("entries").clone();
        entry.blobs.clear();
        all.entries.push(entry);
    }),
    ("a text of an entry", RECORD, |all| {
        let entry = all.entries.iter().rposition(|entry| !entry.blobs.is_empty()).expect("a blob");
        let before = all.entries[entry].blobs[0];
        let mut text = all.texts[&before].clone();
        text[0] ^= 1;
        all.entries[entry].blobs[0] = all.text(text);
    }),
    ("an additional text", RECORD, |all| {
        let digest = all.text(b"nobody needs it".to_vec());
        all.entries[20].blobs.push(digest);
    }),
    ("the body that was sent", BODY, |all| reply(all, 9).sent = Digest::ZERO),
    ("a word of a reply", PROMPT, |all| {
        let replies = all.entries.iter_mut().filter_map(|entry| match &mut entry.input {
            Input::ModelReplied(word) => Some(word),
            _ => None,
        });
        // Of one that calls nothing: a call would be another one.
        let said = |word: &&mut twicetold_event::ModelReplied| {
            !word.body.contains("tool_calls\":") && word.body.contains(" the ")
        };
        let word = replies.into_iter().find(said).expect("something is said");
        word.body = word.body.replacen(" the ", " teh ", 1);
    }),
    ("a word of a tool call", DECISION, |all| {
        let replies = all.entries.iter_mut().filter_map(|entry| match &mut entry.input {
            Input::ModelReplied(word) => Some(word),
            _ => None,
        });
        let called = |word: &mut twicetold_event::ModelReplied| {
            let text = word.body.find(r#"\"text\":\""#)?;
            let at = text + word.body[text..].find(" the ")?;
            word.body.replace_range(at..at + 5, " teh ");
            Some(())
        };
        replies.into_iter().find_map(called).expect("something is recorded");
    }),
    ("the source of a piece of a prompt", PROMPT, |all| {
        span(all, 5, |_| true, |span| span.source = Source::Event(Number(1)));
    }),
    ("another message as the source of a piece", PROMPT, |all| {
        let is_reply = |span: &Span| matches!(span.place, Place::Reply(..));
        span(all, 12, is_reply, |span| span.source = Source::Event(Number(12)));
    }),
    ("the place of a piece of a prompt", PROMPT, |all| {
        let is_late = |span: &Span| matches!(span.place, Place::Reply(_, start) if start == 0);
        span(all, 12, is_late, |span| span.length -= 1);
    }),
    ("a piece of a prompt split in two", PROMPT, |all| {
        edits(all, 5, |edits| {
            let is_long = |edit: &Edit| match edit {
                Edit::Add(Item::Span(Span { place: Place::Inline(text), .. })) => {
                    text.is_ascii() && text.len() > 3
                }
                _ => false,
            };
            let at = edits.iter().position(is_long).expect("a short text");
            let Edit::Add(Item::Span(Span { place: Place::Inline(text), source, .. })) = edits[at].clone()
            else {
                return;
            };
            let (front, back) = text.split_at(2);
            let piece = |text: &str| {
                let (place, length) = (Place::Inline(text.into()), text.len() as u32);
                Edit::Add(Item::Span(Span { place, length, source }))
            };
            edits.splice(at..=at, [piece(front), piece(back)]);
        });
    }),
    ("a step of a manifest split in two", PROMPT, |all| {
        edits(all, 12, |edits| {
            let is_long = |edit: &Edit| matches!(edit, Edit::Keep { count: 2.., .. });
            let at = edits.iter().position(is_long).expect("it keeps something");
            let Edit::Keep { from, count } = edits[at] else { return };
            let (front, back) =
                (Edit::Keep { from, count: 1 }, Edit::Keep { from: from + 1, count: count - 1 });
            edits.splice(at..=at, [front, back]);
        });
    }),
    ("the digest of a request", PROMPT, |all| first!(all, ModelCallRequested).digest = Digest::ZERO),
    ("the tokens of a request", PROMPT, |all| first!(all, ModelCallRequested).tokens += 1),
    ("the total of a check", DECISION, |all| first!(all, AbilityChecked).total += 1),
    ("the dice of a check", DECISION, |all| {
        let word = first!(all, AbilityChecked);
        word.faces[0] = if word.faces[0] == 20 { 19 } else { 20 };
    }),
    ("the dice of a check, and its total", DECISION, |all| {
        let word = first!(all, AbilityChecked);
        let face = if word.faces[0] == 20 { 19 } else { 20 };
        (word.total, word.faces[0]) = (word.total + face - i32::from(word.faces[0]), face as u16);
    }),
    ("the counter of a draw", DECISION, |all| first!(all, AbilityChecked).counter += 1),
    ("what the seed drew for an encounter", DECISION, |all| {
        first!(all, EncounterBegan).draws[0].value = "a clear night".to_owned();
    }),
    ("the number of a turn", DECISION, |all| first!(all, TurnBegan).turn = 90),
    ("who speaks next", DECISION, |all| first!(all, SpeakerChosen).seat = Seat::Memory),
    ("who may know a message", DECISION, |all| {
        let shown = |word: &&mut twicetold_event::MessageSpoken| {
            word.audience == Audience::All && word.seat != Seat::Dm
        };
        all!(all, MessageSpoken).find(shown).expect("a player speaks").audience = Audience::Dm;
    }),
    ("where a message ends", DECISION, |all| {
        let ends = all!(all, MessageSpoken).find_map(|word| match &mut word.text {
            Text::Reply { end, .. } => Some(end),
            Text::Written(_) => None,
        });
        *ends.expect("somebody speaks") -= 1;
    }),
    ("what is remembered", DECISION, |all| {
        first!(all, ImportantEventRecorded).text = "The bridge fell.".to_owned()
    }),
    ("a digest of the state", DECISION, |all| {
        *first!(all, StateDigested) = StateDigested { digest: Digest::ZERO };
    }),
    ("why the campaign ended", DECISION, |all| {
        let reason = Check { rule: "turns_max".to_owned(), values: Default::default() };
        (first!(all, CampaignEnded).ending, first!(all, CampaignEnded).reason) = (Ending::TurnLimit, reason);
    }),
    ("an additional event", DECISION, |all| {
        all.entries[20].events.push(ReplyIgnored { call: CallId(3), pending: None }.into());
    }),
    ("the last event dropped", DECISION, |all| {
        all.entries.last_mut().expect("entries").events.pop();
    }),
    ("an entry dropped", DECISION, |all| drop(all.entries.remove(9))),
    ("a file of the charter without its digest", DECISION, |all| {
        let Input::OpeningAsked(word) = &mut all.entries[0].input else { panic!("the first entry opens") };
        word.charter.files.pop();
    }),
    ("the text of a file that nobody reads", None, |all| {
        refile(all, "rules/emberlight/spells.toml", "hedge magic", "hedge dance", Carried::Blob);
    }),
    ("the same, and its digest in the charter", DECISION, |all| {
        refile(all, "rules/emberlight/spells.toml", "hedge magic", "hedge dance", Carried::Listed);
    }),
    ("the same, and the charter's digest", None, |all| {
        refile(all, "rules/emberlight/spells.toml", "hedge magic", "hedge dance", Carried::Opened);
    }),
    ("a prompt of the charter, with all digests", PROMPT, |all| {
        refile(all, "prompts/dm-play.md", "150 words", "151 words", Carried::Opened);
    }),
    ("the model of a seat, with all digests", PROMPT, |all| {
        refile(all, "seats.toml", "tokens_max = 1000", "tokens_max = 1001", Carried::Opened);
    }),
    ("the digest of the charter", DECISION, |all| first!(all, CampaignOpened).charter = Digest::ZERO),
    ("the seed", DECISION, |all| {
        let Input::OpeningAsked(word) = &mut all.entries[0].input else { panic!("the first entry opens") };
        word.charter.seed += 1;
    }),
    ("the seed, and the charter's digest", PROMPT, |all| {
        let Input::OpeningAsked(word) = &mut all.entries[0].input else { panic!("the first entry opens") };
        word.charter.seed += 1;
        let charter = CampaignOpened::digest_of(&word.charter);
        first!(all, CampaignOpened).charter = charter;
    }),
    ("an event of a type that nobody knows", DECISION, |all| {
        all.bytes = Some(|records| {
            let last = *records.entries().last().expect("entries");
            let payload = records.payload(last);
            payload.extend_from_slice(&[0xe7, 3, 1, 0, 0, 0, 0]);
            payload[25] += 1;
        });
    }),
    ("a number in more bytes than it needs", None, |all| {
        all.bytes = Some(|records| {
            reframe(records, 111, |payload| [&[payload[0] | 0x80, 0], &payload[1..]].concat())
        });
    }),
    ("the last reply's words", None, |all| reword(all, 0, " the ", " teh ")),
    ("who wrote the replies", None, |all| {
        for place in 0..9 {
            reword(all, place, "\"model\":\"improv\"", "\"model\":\"gpt-9!\"");
        }
    }),
    ("the times, three years later", None, |all| {
        all.entries.iter_mut().for_each(|entry| entry.header.at = Millis(entry.header.at.0 + 94_608_000_000));
    }),
    ("the program of every entry", None, |all| {
        all.entries.iter_mut().for_each(|entry| entry.header.build = Build([7; 16]));
    }),
    ("the epoch of every entry", None, |all| {
        all.entries.iter_mut().for_each(|entry| entry.header.epoch += 1)
    }),
    ("the campaign's id", None, |all| {
        all.entries.iter_mut().for_each(|entry| entry.header.campaign = CampaignId([7; 16]));
    }),
    ("cut after thirty entries", None, |all| all.entries.truncate(30)),
];

/// What only a replay finds, for it needs the rules of the game, the state or the templates of prompts.
const NEEDS_RULES: &[&str] = &[
    "who speaks next",
    "what is remembered",
    "a digest of the state",
    "why the campaign ended",
    "the last event dropped",
];

/// The campaign that is forged: its journal, its id, and where an attestation says that it ended, with which chain digest.
fn genuine() -> (Forged, Export) {
    let played = Game::new(11).improvised();
    let forged = Forged::of(played.source());
    let export = Export::read(forged.sealed()).expect("it is whole");
    assert_eq!(export.head().chain, played.source().head().chain, "sealed again it is what it was");
    (forged, export)
}

fn forge(genuine: &Forged, forgery: Forgery) -> Vec<u8> {
    let mut forged = genuine.clone();
    forgery(&mut forged);
    forged.sealed()
}

#[test]
fn no_forgery_that_contradicts_the_rest_is_replayed_as_identical() {
    let (genuine, export) = genuine();
    assert_eq!(replayed(&export), Ok(None));
    for (what, kind, forgery) in FORGERIES.iter().filter(|(_, kind, _)| kind.is_some()) {
        let export = Export::read(forge(&genuine, *forgery)).expect("it is sealed");
        let found = replayed(&export).expect("it can be replayed");
        let found = found.unwrap_or_else(|| panic!("{what}: replayed as identical"));
        assert_eq!(Some(found.kind), *kind, "{what}: {found:?}");
        // Two values that differ are shown, in the texts or in the fields.
        let told = (&found.journal, &found.build);
        assert!(
            told.0 != told.1 || found.fields.iter().any(|(journal, build)| journal != build),
            "{what}: {found:?}"
        );
    }
}

/// Does a journal begin with what was attested of the genuine one: the same campaign, and an entry that ends where it ended?
fn is_attested(export: &Export, genuine: &Export) -> bool {
    let (head, attested) = (export.head(), genuine.head());
    let last = export.entry_holding(Number(attested.next.0 - 1)).ok().flatten();
    let header = last.and_then(|bytes| twicetold_event::entry::Header::decode(&bytes).ok());
    head.campaign == attested.campaign
        && header.is_some_and(|header| header.next() == attested.next && header.chain() == attested.chain)
}

#[test]
fn every_forgery_is_found_by_somebody_and_the_page_says_by_whom() {
    let (genuine, export) = genuine();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |place: usize| folder.path().join(format!("{place}.twicetold"));
    let forged: Vec<Vec<u8>> = FORGERIES.iter().map(|(_, _, forgery)| forge(&genuine, *forgery)).collect();
    for (place, bytes) in forged.iter().enumerate() {
        fs::write(path(place), bytes).expect("room for it");
    }
    let paths: Vec<PathBuf> = (0..forged.len()).map(path).collect();
    let Some((verifier, _)) = reports(&[], &paths) else { return };
    // With a real attestation the verifier finds what it does not find by itself.
    let home = Home::new();
    fs::write(home.path("genuine.twicetold"), genuine.sealed()).expect("room for it");
    home.succeed(["import", "genuine.twicetold"]);
    home.succeed(["attest", "-o", "attestation.txt"]);
    let unseen = verifier.iter().zip(&paths).filter(|(report, _)| report["whole"] == true);
    let unseen: Vec<PathBuf> = unseen.map(|(_, path)| path.clone()).collect();
    let note = home.path("attestation.txt");
    let Some((again, _)) = reports(&[Path::new("--attestation"), &note], &unseen) else { return };
    for (path, report) in unseen.iter().zip(again) {
        let found = Export::open(path).expect("it is sealed");
        assert_eq!(report["whole"] == true, is_attested(&found, &export), "{report}");
    }
    let mut rows = String::new();
    for (((what, kind, _), bytes), report) in FORGERIES.iter().zip(forged).zip(verifier) {
        if report["blobs_not_unpacked"].as_u64().is_some_and(|left| left > 0) {
            return skipped("the forgeries' page", "there is no zstd for Python");
        }
        let read = Export::read(bytes);
        let whole = read.as_ref().is_ok_and(|export| verify(export).is_ok());
        let replay = match read.as_ref().map(replayed) {
            Ok(Ok(None)) => None,
            Ok(Ok(Some(found))) => {
                assert_eq!(Some(found.kind), *kind, "{what}");
                Some(format!("{:?}", found.kind).to_lowercase())
            }
            Ok(Err(_)) | Err(_) => Some("not readable".to_owned()),
        };
        let attested = read.as_ref().is_ok_and(|forged| is_attested(forged, &export));
        let contradicts = report["whole"] == false;
        assert!(!whole || replay.is_some() || !attested || contradicts, "{what} is found by nobody");
        if replay.is_some() {
            assert_ne!(contradicts, NEEDS_RULES.contains(what), "{what}: {report}");
        }
        let cell = |found: bool| if found { "found" } else { "–" };
        let replay = replay.unwrap_or_else(|| "–".to_owned());
        let (verify, attestation, verifier) = (cell(!whole), cell(!attested), cell(contradicts));
        writeln!(rows, "| {what} | {verify} | {replay} | {attestation} | {verifier} |").expect("a text");
    }
    let page = format!("{HEAD}{rows}");
    golden(&repository().join("tests/FORGERIES.md"), &page);
    assert!(FORGERIES.len() >= 26);
    let names: BTreeMap<&str, ()> = FORGERIES.iter().map(|(what, ..)| (*what, ())).collect();
    assert_eq!(names.len(), FORGERIES.len(), "each once");
    assert!(NEEDS_RULES.iter().all(|what| names.contains_key(what)));
}

const HEAD: &str = "# Forgeries\n
A finished campaign was changed in one place, and its journal sealed and chained again with correct digests, as somebody can do who knows
[the format](../crates/event/FORMAT.md). Who finds it:

* `verify`: the bytes, the chain and the digests. All of them fit in a journal that was sealed anew.
* `replay`: every decision, every prompt, every body and what an entry says of itself are computed again. The word is what it calls it.
* the attestation: a signed head of the genuine journal, which was kept where the forger cannot write.
* the second verifier: `tests/verifier/verify.py`, by the page of the format alone, without the rules of the game.

`tests/tests/all/forgeries.rs` makes them all and writes this page (`UPDATE_GOLDEN=1`). Each is found by somebody. What can be rewritten
without a contradiction (times, the last words, a file that nobody reads, a cut at an entry) is found by the attestation alone; what was
appended to a finished campaign is the only thing that it cannot find.

| forged | `verify` | `replay` | attestation | second verifier |
|---|---|---|---|---|
";

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
