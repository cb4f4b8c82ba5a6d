//! Verification believes no source: whatever a store gets wrong is named.

use twicetold_event::{BlobId, Number};
use twicetold_journal::conformance::{append_sample, entry};
use twicetold_journal::{
    Blob, Blobs, Damage, Entries, Head, Memory, Part, Source, StoreError, verify, write_export,
};

/// A source that tells whatever it was given.
#[derive(Clone)]
struct Told {
    head: Head,
    entries: Vec<Vec<u8>>,
    blobs: Vec<Blob>,
}

impl Told {
    fn sample() -> Told {
        let mut journal = Memory::new().open().unwrap();
        for index in 0..9 {
            append_sample(&mut journal, index).unwrap();
        }
        let entries = journal.entries(Number(0)).unwrap().map(Result::unwrap).collect();
        let blobs = journal.blobs().unwrap().map(Result::unwrap).collect();
        Told { head: journal.head(), entries, blobs }
    }

    fn damaged(&self, change: impl FnOnce(&mut Told)) -> Damage {
        let mut changed = self.clone();
        change(&mut changed);
        verify(&changed).expect_err("it was changed")
    }
}

impl Source for Told {
    fn head(&self) -> Head {
        self.head
    }
    fn entries(&self, _from: Number) -> Result<Entries<'_>, StoreError> {
        Ok(Box::new(self.entries.iter().cloned().map(Ok)))
    }
    fn entry_holding(&self, _number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }
    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        Ok(Box::new(self.blobs.iter().cloned().map(Ok)))
    }
    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        Ok(self.blobs.get(id.0 as usize).cloned())
    }
}

#[test]
fn every_lie_of_a_source_is_named() {
    let told = Told::sample();
    verify(&told).unwrap();
    let blob = |id| Part::Blob(BlobId(id));
    assert_eq!(told.damaged(|told| told.blobs[3].content[0] ^= 1).part, blob(3));
    assert_eq!(told.damaged(|told| told.blobs[3] = told.blobs[4].clone()).part, blob(3));
    assert_eq!(told.damaged(|told| told.blobs.swap(0, 1)).part, blob(0));
    assert_eq!(told.damaged(|told| drop(told.blobs.pop())).part, blob(5));
    assert_eq!(told.damaged(|told| told.blobs.push(Blob::new("extra"))).part, blob(6));
    assert_eq!(told.damaged(|told| drop(told.entries.remove(2))).part, Part::Entry(Number(3)));
    assert_eq!(told.damaged(|told| told.entries.swap(1, 2)).part, Part::Entry(Number(1)));
    assert_eq!(
        told.damaged(|told| told.entries.insert(1, told.entries[0].clone())).part,
        Part::Entry(Number(1))
    );
    assert_eq!(told.damaged(|told| drop(told.entries.pop())).part, Part::Journal);
    assert_eq!(told.damaged(|told| told.head.next = Number(99)).part, Part::Journal);
    assert_eq!(told.damaged(|told| told.head.chain.0[0] ^= 1).part, Part::Journal);
    assert_eq!(told.damaged(|told| told.head.at.0 += 1).part, Part::Journal);
}

#[test]
fn an_entry_of_a_writer_that_had_lost_its_epoch_is_named() {
    let mut told = Told { head: Head::EMPTY, entries: Vec::new(), blobs: Vec::new() };
    for epoch in [1, 3, 3, 2] {
        let bytes = entry(&told.head, epoch, &[b"input"], &[]);
        let (header, body) = twicetold_event::entry::open(&bytes).unwrap();
        told.head = told.head.after(&header, &twicetold_event::body::decode(body).unwrap());
        told.entries.push(bytes);
    }
    let damage = verify(&told).unwrap_err();
    assert_eq!(damage.part, Part::Entry(Number(3)));
    assert!(damage.why.contains("epoch 2 is older than 3"), "{damage}");
}

#[test]
fn every_changed_byte_of_an_entry_is_noticed() {
    let told = Told::sample();
    for place in 0..told.entries[4].len() {
        let damage = told.damaged(|told| told.entries[4][place] ^= 0x10);
        // What the chain alone covers shows where the next entry builds on it.
        assert!(matches!(damage.part, Part::Entry(Number(10 | 11))), "byte {place}: {damage}");
    }
    let last = told.entries.len() - 1;
    for place in 0..told.entries[last].len() {
        let damage = told.damaged(|told| told.entries[last][place] ^= 0x10);
        assert!(matches!(damage.part, Part::Entry(_) | Part::Journal), "byte {place}: {damage}");
    }
}

#[test]
fn what_is_not_whole_is_not_exported() {
    let told = Told::sample();
    let mut missing = told.clone();
    missing.blobs.remove(2);
    let mut shorter = told.clone();
    shorter.entries.pop();
    let mut changed = told;
    changed.entries[1][200] ^= 1;
    for source in [missing, shorter, changed] {
        assert!(write_export(&source, &mut Vec::new()).is_err());
    }
}
