//! What every store and every shelf must do, and valid entries to do it with.
//!
//! A new store adds one test that calls [`conform`] with a factory, a new shelf one that calls [`conform_shelf`].

use twicetold_event::body::{blob_digest, encode_frame, encode_front};
use twicetold_event::entry::{Header, body_digest};
use twicetold_event::{BlobId, Build, CampaignId, Millis, Number};
use twicetold_model::Digest;

use crate::{AppendError, Blob, Head, OpenError, Rejection, Shelf, Source, Store, verify};

/// The campaign of all entries that are built here.
pub const CAMPAIGN: CampaignId = CampaignId([0x7e; 16]);

/// Opens the same place again and again.
pub type Place = Box<dyn Fn() -> Result<Box<dyn Store>, OpenError>>;

/// A valid entry after `head`: one frame per event, and `blobs` as the ones that it is the first to use.
pub fn entry(head: &Head, epoch: u32, frames: &[&[u8]], blobs: &[Blob]) -> Vec<u8> {
    let mut body = Vec::new();
    let digests: Vec<Digest> = blobs.iter().map(|blob| blob.digest).collect();
    encode_front(&mut body, BlobId(head.blobs), &digests);
    for (place, frame) in frames.iter().enumerate() {
        encode_frame(&mut body, if place == 0 { 1 } else { 100 }, 1, frame);
    }
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    build(&header(head, epoch, count), &body)
}

/// The header that [`entry`] writes; its body digest is that of no body yet.
pub fn header(head: &Head, epoch: u32, count: u32) -> Header {
    Header {
        campaign: head.campaign.unwrap_or(CAMPAIGN),
        first: head.next,
        count,
        at: Millis(head.at.0 + 1),
        build: Build::new("0.1.0"),
        turn: u32::try_from(head.entries / 4).unwrap_or(u32::MAX),
        epoch,
        previous: head.chain,
        body: Digest::ZERO,
    }
}

/// Header and body as an entry, the body's digest filled in.
pub fn build(header: &Header, body: &[u8]) -> Vec<u8> {
    let header = Header { body: body_digest(body), ..*header };
    [header.encode().as_slice(), body].concat()
}

/// Prose of about `length` bytes that differs from `seed` to `seed` as the turns of a game do.
pub fn prose(seed: u64, length: usize) -> String {
    const WORDS: [&str; 32] = [
        "the", "lantern", "swings", "over", "wet", "stone", "and", "somebody", "whispers", "a", "name",
        "that", "nobody", "has", "said", "since", "winter", "gold", "rings", "behind", "an", "iron", "door",
        "goblin", "ferry", "captain", "smiles", "too", "long", "roll", "again", "dawn",
    ];
    let mut text = String::new();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(WORDS[(state >> 59) as usize]);
        text.push(' ');
    }
    text
}

/// Appends the `index`-th of a series of entries: one to four numbers, and two blobs with every third entry.
pub fn append_sample(store: &mut dyn Store, index: u64) -> Result<(Vec<u8>, Vec<Blob>, Head), AppendError> {
    let text = prose(index, 300);
    let frames: Vec<&[u8]> = (0..=index % 4).map(|_| text.as_bytes()).collect();
    let blobs: Vec<Blob> = match index % 3 {
        0 => vec![Blob::new(prose(index + 1_000, 700)), Blob::new(format!("short {index}"))],
        _ => Vec::new(),
    };
    let bytes = entry(&store.head(), store.epoch(), &frames, &blobs);
    let head = store.append(&bytes, &blobs)?;
    Ok((bytes, blobs, head))
}

/// Everything below, each on a place of its own.
///
/// # Panics
/// When the store does not conform.
pub fn conform(fresh: &dyn Fn() -> Place) {
    a_new_store_is_empty(fresh());
    what_was_appended_is_read_back(fresh());
    what_does_not_follow_is_refused(fresh());
    blobs_are_bound_to_their_entry(fresh());
    a_store_opened_again_goes_on_where_it_stopped(fresh());
    only_the_newest_writer_writes(fresh());
}

fn opened(place: &Place) -> Box<dyn Store> {
    place().unwrap_or_else(|error| panic!("the store opens: {error}"))
}

fn a_new_store_is_empty(place: Place) {
    let store = opened(&place);
    assert_eq!(store.head(), Head::EMPTY);
    assert_eq!(store.entries(Number(0)).unwrap().count(), 0);
    assert_eq!(store.entry_holding(Number(0)).unwrap(), None);
    assert_eq!(store.blob(BlobId(0)).unwrap(), None);
    assert!(verify(&*store).is_err(), "an empty journal is not a whole one");
}

fn what_was_appended_is_read_back(place: Place) {
    let mut store = opened(&place);
    let (mut entries, mut blobs) = (Vec::new(), Vec::new());
    // Enough for several packs and a tail.
    for index in 0..150 {
        let (entry, added, head) = append_sample(&mut *store, index).unwrap();
        assert_eq!(head, store.head());
        entries.push(entry);
        blobs.extend(added);
    }
    let read = |from| store.entries(from).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(read(Number(0)), entries);
    let ends: Vec<Number> = entries.iter().map(|entry| Header::decode(entry).unwrap().next()).collect();
    for number in (0..store.head().next.0).map(Number) {
        let holding = ends.partition_point(|end| *end <= number);
        assert_eq!(store.entry_holding(number).unwrap().as_ref(), entries.get(holding), "{number}");
        if number.0 % 7 == 0 {
            assert_eq!(read(number), entries[holding..], "from {number}");
        }
    }
    assert_eq!(store.entry_holding(store.head().next).unwrap(), None);
    assert!(read(store.head().next).is_empty());
    assert_eq!(store.blobs().unwrap().map(Result::unwrap).collect::<Vec<_>>(), blobs);
    for (id, blob) in (0..).zip(&blobs) {
        assert_eq!(store.blob(BlobId(id)).unwrap().as_ref(), Some(blob));
    }
    assert_eq!(store.blob(BlobId(store.head().blobs)).unwrap(), None);
    let verified = verify(&*store).unwrap();
    assert_eq!(
        (verified.entries, verified.numbers, verified.head),
        (150, store.head().next.0, store.head().chain)
    );
}

fn what_does_not_follow_is_refused(place: Place) {
    let mut store = opened(&place);
    for index in 0..3 {
        append_sample(&mut *store, index).unwrap();
    }
    let (head, epoch) = (store.head(), store.epoch());
    let right = header(&head, epoch, 1);
    let mut body = Vec::new();
    encode_front(&mut body, BlobId(head.blobs), &[]);
    encode_frame(&mut body, 1, 1, b"input");
    let wrong = [
        ("gap", Header { first: head.next.plus(1), ..right }),
        ("overlap", Header { first: Number(head.next.0 - 1), ..right }),
        ("previous", Header { previous: Digest::ZERO, ..right }),
        ("campaign", Header { campaign: CampaignId([1; 16]), ..right }),
        ("time", Header { at: Millis(head.at.0 - 1), ..right }),
        ("count", Header { count: 2, ..right }),
    ];
    for (name, header) in wrong {
        let refused = store.append(&build(&header, &body), &[]);
        assert!(matches!(refused, Err(AppendError::Refused(_))), "{name}: {refused:?}");
    }
    let mut changed = build(&right, &body);
    if let Some(last) = changed.last_mut() {
        *last ^= 1;
    }
    assert!(matches!(store.append(&changed, &[]), Err(AppendError::Refused(Rejection::Entry(_)))));
    assert!(matches!(store.append(&changed[..50], &[]), Err(AppendError::Refused(Rejection::Entry(_)))));
    assert_eq!(store.head(), head, "nothing refused was written");
    let same_moment = Header { at: head.at, ..right };
    store.append(&build(&same_moment, &body), &[]).unwrap();
}

fn blobs_are_bound_to_their_entry(place: Place) {
    let mut store = opened(&place);
    let blobs = [Blob::new("one"), Blob::new("two")];
    let bytes = entry(&store.head(), store.epoch(), &[b"input"], &blobs);
    let forged = Blob { digest: blob_digest(b"one"), content: b"another".to_vec() };
    let [one, two] = blobs.clone();
    let wrong = [
        vec![],
        vec![one.clone()],
        vec![two.clone(), one.clone()],
        vec![one, two.clone(), Blob::new("three")],
        vec![forged, two],
    ];
    for wrong in wrong {
        let refused = store.append(&bytes, &wrong);
        assert!(matches!(refused, Err(AppendError::Blob(_))), "{refused:?}");
    }
    store.append(&bytes, &blobs).unwrap();
    let skipping = Head { blobs: 3, ..store.head() };
    let refused = store.append(&entry(&skipping, store.epoch(), &[b"input"], &[]), &[]);
    assert!(matches!(refused, Err(AppendError::Refused(Rejection::FirstBlob { .. }))));
    assert_eq!(store.blob_digests().unwrap().len(), 2);
}

fn a_store_opened_again_goes_on_where_it_stopped(place: Place) {
    let mut head = Head::EMPTY;
    let mut epoch = 0;
    for round in 0..4 {
        let mut store = opened(&place);
        assert_eq!(store.head(), head);
        assert!(store.epoch() > epoch, "each writer has a new epoch");
        epoch = store.epoch();
        for index in 0..30 {
            head = append_sample(&mut *store, round * 30 + index).unwrap().2;
        }
        if round % 2 == 0 {
            store.close().unwrap();
        }
    }
    assert_eq!(verify(&*opened(&place)).unwrap().entries, 120);
}

fn only_the_newest_writer_writes(place: Place) {
    let mut first = opened(&place);
    append_sample(&mut *first, 0).unwrap();
    let (head, epoch) = (first.head(), first.epoch());
    let refused = first.append(&entry(&head, epoch + 1, &[b"input"], &[]), &[]);
    assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
    // A store either keeps a second writer out or takes the pen from the first.
    if let Ok(mut second) = place() {
        let refused = append_sample(&mut *first, 1);
        assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
        append_sample(&mut *second, 1).unwrap();
        return;
    }
    drop(first);
    let mut second = opened(&place);
    let refused = second.append(&entry(&second.head(), epoch, &[b"late"], &[]), &[]);
    assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
    append_sample(&mut *second, 1).unwrap();
}

/// What every shelf must do, on one that holds nothing yet.
///
/// # Panics
/// When the shelf does not conform.
pub fn conform_shelf(shelf: &dyn Shelf) {
    let (first, second, third) = (CAMPAIGN, CampaignId([1; 16]), CampaignId([2; 16]));
    nothing_lies_there(shelf, first);
    let mut store = shelf.create(first).unwrap();
    assert_eq!(store.head(), Head::EMPTY);
    nothing_lies_there(shelf, first);
    append_sample(&mut *store, 0).unwrap();
    assert_eq!(shelf.list().unwrap(), [first]);
    assert!(shelf.place(first) != shelf.place(second), "every campaign has a place of its own");
    assert!(matches!(shelf.create(first), Err(OpenError::Exists(_))), "nothing is replaced");

    // A reader stands still until it is told to move on.
    for index in 1..5 {
        append_sample(&mut *store, index).unwrap();
    }
    let mut reader = shelf.read(first).unwrap();
    let (before, until) = (reader.head(), store.head());
    assert_eq!(before, until);
    for index in 5..9 {
        append_sample(&mut *store, index).unwrap();
    }
    assert_eq!(reader.head(), before);
    assert_eq!(reader.refresh().unwrap(), store.head());
    assert_eq!(entries_of(&*reader), entries_of(&*store));

    // One writer, whom nobody takes the campaign away from.
    assert!(matches!(shelf.open(first), Err(OpenError::Locked { .. })));
    assert!(matches!(shelf.remove(first), Err(OpenError::Locked { .. })));
    store.close().unwrap();

    // A branch begins with the same bytes, and goes on by itself; a copy is the whole of it.
    let whole = entries_of(&*reader);
    drop(shelf.branch(&*reader, until.next, second).unwrap());
    nothing_lies_there(shelf, second);
    let mut branch = shelf.branch(&*reader, until.next, second).unwrap();
    assert_eq!((branch.head(), entries_of(&*branch)), (until, whole[..5].to_vec()));
    assert!(branch.epoch() > until.epoch);
    append_sample(&mut *branch, 5).unwrap();
    nothing_lies_there(shelf, second);
    branch.close().unwrap();
    assert_eq!(entries_of(&*shelf.read(second).unwrap())[..5], whole[..5]);
    let mut branch = shelf.open(second).unwrap();
    append_sample(&mut *branch, 6).unwrap();
    assert_eq!(shelf.import(&*reader, third).unwrap(), reader.head());
    assert_eq!(entries_of(&*shelf.read(third).unwrap()), whole);
    assert!(shelf.import(&*reader, third).is_err(), "nothing is replaced");
    let mut listed = shelf.list().unwrap();
    listed.sort();
    assert_eq!(listed, [second, third, first]);

    shelf.remove(third).unwrap();
    nothing_lies_there(shelf, third);
    assert!(shelf.list().unwrap().contains(&first));
}

fn nothing_lies_there(shelf: &dyn Shelf, id: CampaignId) {
    assert!(!shelf.list().unwrap().contains(&id));
    assert!(matches!(shelf.read(id), Err(OpenError::Missing(_))));
    assert!(matches!(shelf.open(id), Err(OpenError::Missing(_))));
    assert!(matches!(shelf.remove(id), Err(OpenError::Missing(_))));
}

fn entries_of(source: &dyn Source) -> Vec<Vec<u8>> {
    source.entries(Number(0)).unwrap().map(Result::unwrap).collect()
}
