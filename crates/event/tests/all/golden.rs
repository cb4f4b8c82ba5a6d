//! Golden bytes: what was released once is written and read the same way for ever.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::PathBuf;

use twicetold_event::body::{self, Frame};
use twicetold_event::entry::{self, HEADER_LENGTH, Header};
use twicetold_event::{
    BlobId, CampaignOpened, Entry, Event, Input, Story, Unknown, WordError, encode_words, samples,
};
use twicetold_model::Digest;

const CHANGED: &str = "a released shape has changed: freeze the old struct, add a version";

/// What inputs and events have in common.
trait Word: Sized + Debug + PartialEq {
    const REGISTRY: &'static [(u16, u8, &'static str)];
    fn samples() -> Vec<Self>;
    fn kind(&self) -> u16;
    fn name(&self) -> &'static str;
    fn write(&self, out: &mut Vec<u8>);
    fn read(frame: &Frame<'_>) -> Result<Self, WordError>;
    fn unknown(unknown: Unknown) -> Self;
}

macro_rules! word {
    ($type:ident, $samples:ident) => {
        impl Word for $type {
            const REGISTRY: &'static [(u16, u8, &'static str)] = $type::REGISTRY;
            fn samples() -> Vec<$type> {
                samples::$samples()
            }
            fn kind(&self) -> u16 {
                self.kind()
            }
            fn name(&self) -> &'static str {
                self.name()
            }
            fn write(&self, out: &mut Vec<u8>) {
                self.encode(out);
            }
            fn read(frame: &Frame<'_>) -> Result<$type, WordError> {
                $type::decode(frame)
            }
            fn unknown(unknown: Unknown) -> $type {
                $type::Unknown(unknown)
            }
        }
    };
}
word!(Input, inputs);
word!(Event, events);

fn bytes<W: Word>(word: &W) -> Vec<u8> {
    let mut bytes = Vec::new();
    word.write(&mut bytes);
    bytes
}

fn only_frame(bytes: &[u8]) -> Frame<'_> {
    let frames: Vec<Frame<'_>> = body::frames(bytes).map(|frame| frame.unwrap()).collect();
    let [frame] = frames[..] else { panic!("{} frames instead of one", frames.len()) };
    frame
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    assert!(text.is_ascii() && text.len().is_multiple_of(2), "not hexadecimal: {text}");
    let byte = |place| u8::from_str_radix(&text[place..place + 2], 16).expect("a hexadecimal digit");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn golden_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// The golden lines of all words: the last block of the page that draws the journal.
fn golden_words() -> String {
    split_page(&std::fs::read_to_string(page_path()).unwrap()).1.to_owned()
}

fn page_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("FORMAT.md")
}

/// The page up to its golden lines, and these.
fn split_page(page: &str) -> (&str, &str) {
    let at = page.find("\n## Golden bytes\n").expect("the golden bytes");
    let start = at + page[at..].find("```text\n").expect("a block") + "```text\n".len();
    (&page[..start], page[start..].trim_end().trim_end_matches('`'))
}

#[expect(clippy::disallowed_methods, reason = "a person asks for new golden files by hand")]
fn is_written_anew() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// Every line that was released must still be made, in its order.
fn compare(name: &str, golden: &str, now: &str) {
    // In order: two variants that change places make the same lines, but not in the same places.
    let (mut released, mut new) = (golden.lines().peekable(), Vec::new());
    for made in now.lines() {
        if released.next_if_eq(&made).is_none() {
            new.push(made);
        }
    }
    let lost = released.next();
    assert!(
        lost.is_none(),
        "{CHANGED}\nno longer made, of {name}: {}\ninstead: {new:#?}",
        lost.unwrap_or("")
    );
    assert!(new.is_empty(), "new samples: write {name} with UPDATE_GOLDEN=1: {new:#?}");
}

/// Lines of versions that are no longer written: they stay for ever, and are read by an upcast.
fn older_lines(golden: &str) -> Vec<(u16, String)> {
    let current = |line: &str| {
        let registry = Input::REGISTRY.iter().chain(Event::REGISTRY);
        registry.into_iter().any(|(kind, version, _)| line.starts_with(&format!("{kind} v{version} ")))
    };
    let kind = |line: &str| line.split(' ').next().and_then(|kind| kind.parse().ok()).expect("a type number");
    golden.lines().filter(|line| !current(line)).map(|line| (kind(line), format!("{line}\n"))).collect()
}

/// `type number, version, name, payload`: one line for each sample, in order of type numbers.
fn lines<W: Word>() -> Vec<(u16, String)> {
    let line = |word: W| {
        let bytes = bytes(&word);
        let frame = only_frame(&bytes);
        let payload = if frame.payload.is_empty() { "-".into() } else { hex(frame.payload) };
        (frame.kind, format!("{} v{} {} {payload}\n", frame.kind, frame.version, word.name()))
    };
    W::samples().into_iter().map(line).collect()
}

#[test]
fn every_word_has_the_bytes_that_it_was_released_with() {
    let golden = golden_words();
    let mut all = [older_lines(&golden), lines::<Input>(), lines::<Event>()].concat();
    all.sort_by_key(|(kind, _)| *kind);
    let now: String = all.into_iter().map(|(_, line)| line).collect();
    if is_written_anew() {
        let page = std::fs::read_to_string(page_path()).unwrap();
        std::fs::write(page_path(), format!("{}{now}```\n", split_page(&page).0)).unwrap();
    }
    compare("FORMAT.md", &golden_words(), &now);
}

#[test]
fn released_bytes_are_read_as_the_words_that_were_written() {
    fn known<W: Word>(frame: &Frame<'_>) -> bool {
        let word = W::read(frame).expect(CHANGED);
        let is_current =
            W::REGISTRY.iter().any(|(kind, version, _)| (*kind, *version) == (frame.kind, frame.version));
        if is_current { W::samples().contains(&word) } else { word.name() != "Unknown" }
    }
    for line in golden_words().lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [kind, version, name, payload] = fields[..] else {
            panic!("not a line of the golden file: {line}")
        };
        let payload = unhex(payload.trim_matches('-'));
        let (kind, version) = (kind.parse().unwrap(), version[1..].parse().unwrap());
        let frame = Frame { kind, version, payload: &payload };
        let is_known = if kind < 100 { known::<Input>(&frame) } else { known::<Event>(&frame) };
        assert!(is_known, "{CHANGED} ({name})");
    }
}

fn registry_is_sampled<W: Word>(numbers: std::ops::RangeInclusive<u16>) {
    let sampled: BTreeSet<(u16, u8, &str)> = W::samples()
        .iter()
        .map(|word| {
            let bytes = bytes(word);
            let frame = only_frame(&bytes);
            assert_eq!(frame.kind, word.kind());
            (frame.kind, frame.version, word.name())
        })
        .collect();
    let registered: BTreeSet<(u16, u8, &str)> = W::REGISTRY.iter().copied().collect();
    assert_eq!(registered, sampled, "a word without a sample has no golden bytes");
    let distinct: BTreeSet<u16> = registered.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(distinct.len(), W::REGISTRY.len(), "two words share a type number");
    assert!(distinct.iter().all(|kind| numbers.contains(kind)));
}

#[test]
fn every_registered_word_has_a_sample_and_a_number_of_its_own() {
    registry_is_sampled::<Input>(1..=99);
    registry_is_sampled::<Event>(100..=u16::MAX);
}

fn decoding_is_strict<W: Word>() {
    for word in W::samples() {
        let bytes = bytes(&word);
        let frame = only_frame(&bytes);
        assert_eq!(W::read(&frame).as_ref(), Ok(&word));
        let longer = [frame.payload, &[0]].concat();
        let more = W::read(&Frame { payload: &longer, ..frame });
        assert!(more.unwrap_err().to_string().contains("1 bytes are left over"), "{word:?}");
        for length in 0..frame.payload.len() {
            let cut = W::read(&Frame { payload: &frame.payload[..length], ..frame });
            assert!(cut.is_err(), "{word:?} cut to {length} bytes was read as {cut:?}");
        }
    }
}

#[test]
fn a_word_is_read_back_and_one_byte_more_or_fewer_is_refused() {
    decoding_is_strict::<Input>();
    decoding_is_strict::<Event>();
}

fn damage_is_no_panic<W: Word>() {
    for word in W::samples() {
        let bytes = bytes(&word);
        let frame = only_frame(&bytes);
        let mut payload = frame.payload.to_vec();
        for place in 0..payload.len() {
            for value in [0, 0x7f, 0x80, 0xff, frame.payload[place] ^ 1] {
                payload[place] = value;
                let read = W::read(&Frame { payload: &payload, ..frame });
                assert!(
                    read != Ok(word_of(&frame)) || value == frame.payload[place] || overlong(&payload),
                    "{word:?}"
                );
            }
            payload[place] = frame.payload[place];
        }
    }

    fn word_of<W: Word>(frame: &Frame<'_>) -> W {
        W::read(frame).unwrap()
    }
    // A number may be written with a zero in a byte too many; no other change leaves a word as it was.
    fn overlong(payload: &[u8]) -> bool {
        payload.windows(2).any(|pair| pair[0] >= 0x80 && pair[1] == 0)
    }
}

#[test]
fn no_changed_byte_goes_unnoticed_or_stops_the_reader() {
    damage_is_no_panic::<Input>();
    damage_is_no_panic::<Event>();
}

fn unknown_stays<W: Word>(kind: u16, version: u8) {
    let mut written = Vec::new();
    body::encode_frame(&mut written, kind, version, b"\x00from a later build\xff");
    let word = W::read(&only_frame(&written)).unwrap();
    let payload = b"\x00from a later build\xff".to_vec();
    assert_eq!(word, W::unknown(Unknown { kind, version, payload }));
    assert_eq!(bytes(&word), written);
}

#[test]
fn a_word_of_a_later_build_stays_opaque_and_is_written_back_byte_for_byte() {
    unknown_stays::<Input>(60, 1);
    unknown_stays::<Event>(60_000, 3);
    unknown_stays::<Input>(2, 200);
    unknown_stays::<Event>(120, 200);
}

#[test]
fn an_entry_has_the_bytes_and_digests_that_it_was_released_with() {
    let bytes = samples::entry();
    let header = Header::decode(&bytes).unwrap();
    let (input, events) = (samples::entry_input(), samples::entry_events());
    let mut story = Story::default();
    story.add(&input, &events, &[]);
    let first = story.0;
    let mut recorded = Story::default();
    recorded.add(&input, &events, &encode_words(&input, &events));
    assert_eq!(recorded, story, "words that stand there already are the same words");
    story.add(&input, &events, &[]);
    let digests: [(&str, Digest); 7] = [
        ("body", header.body),
        ("chain", header.chain()),
        ("blob", body::blob_digest(samples::BLOB.as_bytes())),
        ("charter", CampaignOpened::digest_of(&samples::charter())),
        ("request", samples::request().digest()),
        ("story-of-one", first),
        ("story-of-two", story.0),
    ];
    let digests: String = digests.iter().map(|(name, digest)| format!("{name} {digest}\n")).collect();
    let now = format!("entry {}\n{digests}", hex(&bytes));
    if is_written_anew() {
        std::fs::write(golden_path("entry.txt"), &now).unwrap();
    }
    compare("golden/entry.txt", &std::fs::read_to_string(golden_path("entry.txt")).unwrap(), &now);
}

#[test]
fn the_golden_entry_is_read_back_whole() {
    let bytes = samples::entry();
    let entry = Entry::decode(&bytes).unwrap();
    assert_eq!(
        (entry.input.clone(), entry.events.clone()),
        (samples::entry_input(), samples::entry_events())
    );
    assert_eq!(entry.blobs, [body::blob_digest(samples::BLOB.as_bytes())]);
    assert_eq!(body::decode(&bytes[HEADER_LENGTH..]).unwrap().first_blob, BlobId(40));
    assert_eq!(entry::body_digest(&bytes[HEADER_LENGTH..]), entry.header.body);
    for length in 0..bytes.len() {
        assert!(Entry::decode(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
}

/// A text that the catalogue forgets would be lost with the reply that holds it.
#[test]
fn the_catalogue_lists_every_text_of_an_event() {
    for event in samples::events() {
        let json = serde_json::to_string(&event).unwrap();
        let held = json.matches("{\"Reply\":{\"call\"").count() + json.matches("{\"Written\":").count();
        assert_eq!(event.texts().len(), held, "{json}");
        let pointed: Vec<_> = event.texts().into_iter().filter_map(twicetold_event::Text::reply).collect();
        assert!(pointed.iter().all(|call| event.replies().any(|kept| kept == *call)));
    }
}
