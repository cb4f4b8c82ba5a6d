//! An export as its records, to change them and seal them again as somebody would who knows the format.

use std::collections::BTreeMap;

use twicetold_event::{BlobId, Entry, Number, body, entry};
use twicetold_journal::Source;
use twicetold_model::Digest;

const MAGIC: &[u8] = b"TWICETOLD JOURNAL 1\n";
const HEADER: u8 = 1;
const BLOB: u8 = 2;
const ENTRY: u8 = 3;
const END: u8 = 4;
/// Bytes of an entry's header.
const ENTRY_HEADER: usize = 125;

/// The records of an export, without their digests: [`bytes`](Records::bytes) computes them.
#[derive(Clone)]
pub struct Records(Vec<(u8, Vec<u8>)>);

impl Records {
    /// Takes a whole export apart.
    pub fn read(export: &[u8]) -> Records {
        let mut rest = export.strip_prefix(MAGIC).expect("an export");
        let mut records = Vec::new();
        while let Some((front, after)) = rest.split_first_chunk::<5>() {
            let length = u32::from_le_bytes([front[1], front[2], front[3], front[4]]) as usize;
            records.push((front[0], after[..length].to_vec()));
            rest = &after[length + 32..];
        }
        Records(records)
    }

    /// An export of these entries: numbered, under their digests, linked, each after the texts that it adds.
    pub fn of(forged: &Forged) -> Records {
        let mut records = vec![(HEADER, Vec::new())];
        let (mut first, mut blobs) = (Number(0), 0);
        for entry in &forged.entries {
            for digest in &entry.blobs {
                let text = forged.texts.get(digest).expect("the text of a blob");
                records.push((BLOB, [&[0], digest.0.as_slice(), text].concat()));
            }
            let mut encoded = Vec::new();
            body::encode_front(&mut encoded, BlobId(blobs), &entry.blobs);
            entry.input.encode(&mut encoded);
            entry.events.iter().for_each(|event| event.encode(&mut encoded));
            let count = 1 + u32::try_from(entry.events.len()).expect("few events");
            let header = entry::Header { first, count, ..entry.header };
            records.push((ENTRY, [header.encode().as_slice(), &encoded].concat()));
            blobs += u32::try_from(entry.blobs.len()).expect("few blobs");
            first = header.next();
        }
        records.push((END, Vec::new()));
        Records(records).chained().fitted()
    }

    /// The export, every record under its right digest, the end as it was.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for (kind, payload) in &self.0 {
            let record = record(*kind, payload);
            bytes.extend_from_slice(&record);
            bytes.extend_from_slice(&Digest::of("twicetold record 1", &record).0);
        }
        bytes
    }

    /// The places of the entries.
    pub fn entries(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|place| self.0[*place].0 == ENTRY).collect()
    }

    /// The places of the blobs.
    pub fn blobs(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|place| self.0[*place].0 == BLOB).collect()
    }

    /// One record's payload, to be changed.
    pub fn payload(&mut self, place: usize) -> &mut Vec<u8> {
        &mut self.0[place].1
    }

    /// Without one record.
    pub fn without(&self, place: usize) -> Records {
        let mut changed = self.clone();
        changed.0.remove(place);
        changed
    }

    /// Drops the entries after the one at this place, with their blobs.
    pub fn end_after(&mut self, place: usize) {
        let end = self.0.pop().expect("it has an end");
        self.0.truncate(place + 1);
        self.0.push(end);
    }

    /// With one record twice.
    pub fn doubled(&self, place: usize) -> Records {
        let mut changed = self.clone();
        changed.0.insert(place, self.0[place].clone());
        changed
    }

    /// With two records in each other's place.
    pub fn swapped(&self, one: usize, other: usize) -> Records {
        let mut changed = self.clone();
        changed.0.swap(one, other);
        changed
    }

    /// With every entry under the digest of its body and linked to the one before it, after entries were changed.
    pub fn chained(&self) -> Records {
        let mut changed = self.clone();
        let mut chain = Digest::ZERO;
        for place in self.entries() {
            let payload = changed.payload(place);
            payload[61..93].copy_from_slice(&chain.0);
            let body = Digest::of("twicetold body 1", &payload[ENTRY_HEADER..]);
            payload[93..ENTRY_HEADER].copy_from_slice(&body.0);
            chain = Digest::of("twicetold chain 1", &payload[..ENTRY_HEADER]);
        }
        changed
    }

    /// With a header and an end that fit the records: counts, the last number, the chain digest of the last entry.
    pub fn fitted(&self) -> Records {
        let mut changed = self.clone();
        let of = |kind| self.0.iter().filter(move |record| record.0 == kind).map(|record| &record.1);
        let last = of(ENTRY).next_back().expect("it has entries");
        let number = |at: usize| u64::from_le_bytes(last[at..at + 8].try_into().expect("eight bytes"));
        let count = u32::from_le_bytes(last[25..29].try_into().expect("four bytes"));
        let mut header = last[1..17].to_vec();
        header.extend_from_slice(&(of(ENTRY).count() as u64).to_le_bytes());
        header.extend_from_slice(&(of(BLOB).count() as u32).to_le_bytes());
        header.extend_from_slice(&(number(17) + u64::from(count)).to_le_bytes());
        header.extend_from_slice(&Digest::of("twicetold chain 1", &last[..ENTRY_HEADER]).0);
        for (kind, payload) in &mut changed.0 {
            if *kind == HEADER {
                payload.clone_from(&header);
            }
        }
        let before = changed.0.iter().filter(|record| record.0 != END);
        let seals: Vec<u8> = before
            .clone()
            .flat_map(|(kind, payload)| Digest::of("twicetold record 1", &record(*kind, payload)).0)
            .collect();
        let mut end = (before.count() as u64).to_le_bytes().to_vec();
        end.extend_from_slice(&Digest::of("twicetold export 1", &seals).0);
        for (kind, payload) in &mut changed.0 {
            if *kind == END {
                payload.clone_from(&end);
            }
        }
        changed
    }
}

/// A journal as entries and the texts of its blobs, to be changed and sealed anew.
#[derive(Clone)]
pub struct Forged {
    /// The entries, in order; numbers, digests and links are computed when they are sealed.
    pub entries: Vec<Entry>,
    /// The contents of blobs.
    pub texts: BTreeMap<Digest, Vec<u8>>,
    /// What is changed of the bytes, after the entries were sealed.
    pub bytes: Option<fn(&mut Records)>,
}

impl Forged {
    /// All of a journal.
    pub fn of(source: &dyn Source) -> Forged {
        let entries =
            twicetold_session::entries(source).expect("it can be read").map(|entry| entry.expect("an entry"));
        let blobs = (0..source.head().blobs).map(|blob| source.blob(BlobId(blob)).expect("it can be read"));
        let texts = blobs.flatten().map(|blob| (blob.digest, blob.content.to_vec())).collect();
        Forged { entries: entries.collect(), texts, bytes: None }
    }

    /// A text under its digest.
    pub fn text(&mut self, text: Vec<u8>) -> Digest {
        let digest = body::blob_digest(&text);
        self.texts.insert(digest, text);
        digest
    }

    /// As an export.
    pub fn sealed(&self) -> Vec<u8> {
        let mut records = Records::of(self);
        if let Some(change) = self.bytes {
            change(&mut records);
            records = records.chained().fitted();
        }
        records.bytes()
    }
}

fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a record of an export");
    [&[kind], length.to_le_bytes().as_slice(), payload].concat()
}
