//! An export as its records, to change them and seal them again as somebody would who knows the format.

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

fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a record of an export");
    [&[kind], length.to_le_bytes().as_slice(), payload].concat()
}
