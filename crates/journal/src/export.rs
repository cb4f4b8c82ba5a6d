//! One campaign as one self-contained file, every byte of it covered by a digest.
//!
//! ```text
//! TWICETOLD JOURNAL 1\n
//! records:  u8 kind   u32 length   payload   32 bytes: digest over kind, length and payload
//!
//! 1 header  16 campaign   u64 entries   u32 blobs   u64 next number   32 chain digest of the last entry
//! 2 blob    u8 codec (0 plain, 1 zstd)   32 digest of the plain content   data
//! 3 entry   the entry as it is
//! 4 end     u64 records before this one   32 bytes: digest over their digests
//! ```
//! All integers are little-endian. The header comes first, the end last; between them entries in order, each after the
//! blobs that it is the first to use. Blobs and entries carry no names: their places name them, and an entry's
//! own header and its list of blobs must agree. So a record that is missing, doubled or moved is
//! noticed at its place, and a broken one is named even when its kind or length is what broke.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use twicetold_event::{BlobId, CampaignId, Number};
use twicetold_model::Digest;

use crate::codec;
use crate::file::{FileKind, failed, sniff};
use crate::{Blob, Blobs, Damage, Entries, ExportError, Head, OpenError, Part, Source, StoreError, check};

/// The first line of every export.
pub const EXPORT_MAGIC: &[u8] = b"TWICETOLD JOURNAL 1\n";

/// Bytes of an export that is read: it is read whole, and a campaign of 5,000 turns has four megabytes.
const EXPORT_BYTES_MAX: u64 = 1 << 30;
const RECORD_DOMAIN: &str = "twicetold record 1";
const EXPORT_DOMAIN: &str = "twicetold export 1";
const FRONT: usize = 5;
const SEAL: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Header = 1,
    Blob = 2,
    Entry = 3,
    End = 4,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Header, Kind::Blob, Kind::Entry, Kind::End];

    fn of(byte: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// Writes all of `source` as an export and returns its head. What is not whole is not exported.
pub fn write_export(source: &dyn Source, out: &mut dyn Write) -> Result<Head, ExportError> {
    let stated = source.head();
    let damage = |part: Part, why: String| Damage { part, byte: source.place(part), why };
    let Some(campaign) = stated.campaign else {
        return Err(damage(Part::Journal, "it has no entries: there is nothing to export".into()).into());
    };
    let mut writer = Writer { out, records: 0, seals: Vec::new() };
    writer.out.write_all(EXPORT_MAGIC).map_err(StoreError::from)?;
    writer.record(Kind::Header, &encode_header(campaign, &stated))?;
    let mut head = Head::EMPTY;
    let mut blobs = source.blobs()?;
    for entry in source.entries(Number(0))? {
        let entry = entry?;
        let (header, body) = check(&head, &entry)
            .map_err(|rejection| damage(Part::Entry(head.next), rejection.to_string()))?;
        for (id, listed) in (head.blobs..).zip(&body.blobs) {
            let blob = blobs.next().transpose()?.filter(|blob| blob.digest == *listed);
            let lost =
                || damage(Part::Blob(BlobId(id)), "it is missing, or another blob is at its position".into());
            writer.blob(&blob.ok_or_else(lost)?)?;
        }
        writer.record(Kind::Entry, &entry)?;
        head = head.after(&header, &body);
    }
    if head != stated {
        return Err(damage(Part::Journal, "its head is not that of its last entry".into()).into());
    }
    writer.end()?;
    Ok(head)
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    records: u64,
    seals: Vec<u8>,
}

impl Writer<'_> {
    fn record(&mut self, kind: Kind, payload: &[u8]) -> Result<(), StoreError> {
        let length = u32::try_from(payload.len())
            .map_err(|_| StoreError::Io(io::Error::other("a record has less than 4 GiB")))?;
        let mut record = Vec::with_capacity(FRONT + payload.len() + SEAL);
        record.push(kind as u8);
        record.extend_from_slice(&length.to_le_bytes());
        record.extend_from_slice(payload);
        let seal = Digest::of(RECORD_DOMAIN, &record);
        record.extend_from_slice(&seal.0);
        self.seals.extend_from_slice(&seal.0);
        self.records += 1;
        self.out.write_all(&record)?;
        Ok(())
    }

    fn blob(&mut self, blob: &Blob) -> Result<(), StoreError> {
        let mut data = Vec::new();
        let codec = codec::encode(&blob.content, &mut data)?;
        self.record(Kind::Blob, &[&[codec], blob.digest.0.as_slice(), &data].concat())
    }

    fn end(&mut self) -> Result<(), StoreError> {
        let payload = end_payload(self.records, &self.seals);
        self.record(Kind::End, &payload)?;
        self.out.flush()?;
        Ok(())
    }
}

const HEADER_LENGTH: usize = 68;

fn encode_header(campaign: CampaignId, head: &Head) -> [u8; HEADER_LENGTH] {
    let mut bytes = [0; HEADER_LENGTH];
    bytes[0..16].copy_from_slice(&campaign.0);
    bytes[16..24].copy_from_slice(&head.entries.to_le_bytes());
    bytes[24..28].copy_from_slice(&head.blobs.to_le_bytes());
    bytes[28..36].copy_from_slice(&head.next.0.to_le_bytes());
    bytes[36..68].copy_from_slice(&head.chain.0);
    bytes
}

fn end_payload(records: u64, seals: &[u8]) -> Vec<u8> {
    let mut payload = records.to_le_bytes().to_vec();
    payload.extend_from_slice(&Digest::of(EXPORT_DOMAIN, seals).0);
    payload
}

/// An export that was read and whose records, numbers, chain and lists of blobs were found right. It is held in memory, so
/// that nobody changes it between the check and its use. Blobs' contents are compared with their digests by
/// [`verify`](fn@crate::verify).
pub struct Export {
    bytes: Vec<u8>,
    head: Head,
    entries: Vec<(Number, Range<usize>)>,
    blobs: Vec<Range<usize>>,
}

impl Export {
    /// Reads an export from a file.
    pub fn open(path: &Path) -> Result<Export, OpenError> {
        let kind = sniff(path)?;
        let length = std::fs::metadata(path).map_err(|error| failed(path, error))?.len();
        if kind == FileKind::Export && length > EXPORT_BYTES_MAX {
            let why = format!("it has {length} bytes, and an export at most {EXPORT_BYTES_MAX}");
            return Err(OpenError::NotACampaign { path: path.into(), why });
        }
        // What is no export is read as far as it takes to say so.
        let most = if kind == FileKind::Export { EXPORT_BYTES_MAX } else { EXPORT_MAGIC.len() as u64 };
        let mut bytes = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
        read.map_err(|error| failed(path, error))?;
        Export::read(bytes).map_err(|damage| OpenError::Damage { path: path.into(), damage })
    }

    /// Reads an export from its bytes.
    pub fn read(bytes: Vec<u8>) -> Result<Export, Damage> {
        if !bytes.starts_with(EXPORT_MAGIC) {
            return Err(Damage {
                part: Part::Header,
                byte: Some(0),
                why: "the first line is not that of an export of this version".into(),
            });
        }
        let mut scan = Scan {
            bytes: &bytes,
            at: EXPORT_MAGIC.len(),
            records: 0,
            seals: Vec::new(),
            stated: None,
            head: Head::EMPTY,
            waiting: Vec::new(),
            entries: Vec::new(),
            blobs: Vec::new(),
        };
        scan.all()?;
        let Scan { head, entries, blobs, .. } = scan;
        Ok(Export { bytes, head, entries, blobs })
    }

    fn blob_at(&self, payload: &Range<usize>) -> Result<Blob, StoreError> {
        let cut = || StoreError::Damaged("a blob is cut".into());
        let (front, data) = self.bytes[payload.clone()].split_first_chunk::<33>().ok_or_else(cut)?;
        let (codec, digest) = front.split_first_chunk::<1>().ok_or_else(cut)?;
        let digest = Digest(digest.try_into().map_err(|_| cut())?);
        Ok(Blob { digest, content: codec::decode(codec[0], data)? })
    }
}

impl Source for Export {
    fn head(&self) -> Head {
        self.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        let start = self.entries.partition_point(|(first, _)| *first <= from).saturating_sub(1);
        let start = if from >= self.head.next { self.entries.len() } else { start };
        Ok(Box::new(
            self.entries[start..].iter().map(|(_, payload)| Ok(self.bytes[payload.clone()].to_vec())),
        ))
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.entries(number)?.next().transpose()
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        Ok(Box::new(self.blobs.iter().map(|payload| self.blob_at(payload))))
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.blobs.get(id.0 as usize).map(|payload| self.blob_at(payload)).transpose()
    }

    fn place(&self, part: Part) -> Option<u64> {
        let payload = match part {
            Part::Journal | Part::End => return None,
            Part::Header => return Some(EXPORT_MAGIC.len() as u64),
            Part::Entry(number) => {
                let place = self.entries.binary_search_by_key(&number, |(first, _)| *first).ok()?;
                &self.entries[place].1
            }
            Part::Blob(id) => self.blobs.get(id.0 as usize)?,
        };
        Some((payload.start - FRONT) as u64)
    }
}

/// A walk over the records.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    records: u64,
    seals: Vec<u8>,
    stated: Option<[u8; HEADER_LENGTH]>,
    head: Head,
    /// Blobs since the last entry: record's place, digest.
    waiting: Vec<(usize, Digest)>,
    entries: Vec<(Number, Range<usize>)>,
    blobs: Vec<Range<usize>>,
}

impl Scan<'_> {
    fn all(&mut self) -> Result<(), Damage> {
        loop {
            let at = self.at;
            let (kind, payload) = self.record()?;
            match (kind, self.stated) {
                (Kind::Header, None) => {
                    let stated = self.bytes[payload].try_into();
                    self.stated =
                        Some(stated.map_err(|_| self.damage(Part::Header, at, "its length is wrong"))?);
                }
                (_, None) => return Err(self.damage(Part::Header, at, "another record is at its position")),
                (Kind::Header, Some(_)) => {
                    return Err(self.damage(self.expected(), at, "a second header is at its position"));
                }
                (Kind::Blob, Some(_)) => self.blob(at, payload)?,
                (Kind::Entry, Some(_)) => self.entry(at, payload)?,
                (Kind::End, Some(stated)) => return self.end(at, payload, &stated),
            }
        }
    }

    fn blob(&mut self, at: usize, payload: Range<usize>) -> Result<(), Damage> {
        let digest = self.bytes[payload.clone()].get(1..33).and_then(|digest| digest.try_into().ok());
        let digest = digest.ok_or_else(|| self.damage(self.blob_part(), at, "it is too short for a blob"))?;
        self.waiting.push((at, Digest(digest)));
        self.blobs.push(payload);
        Ok(())
    }

    fn entry(&mut self, at: usize, payload: Range<usize>) -> Result<(), Damage> {
        let part = Part::Entry(self.head.next);
        if self.counted() {
            return Err(self.damage(Part::End, at, "another entry is at its position"));
        }
        let bytes = &self.bytes[payload.clone()];
        let (header, body) = match check(&self.head, bytes) {
            Ok(checked) => checked,
            Err(rejection) => return Err(self.damage(part, at, &rejection.to_string())),
        };
        for (place, listed) in body.blobs.iter().enumerate() {
            let blob =
                Part::Blob(BlobId(self.head.blobs.saturating_add(u32::try_from(place).unwrap_or(u32::MAX))));
            match self.waiting.get(place) {
                None => {
                    return Err(self.damage(
                        blob,
                        at,
                        &format!("it is missing before {part}, which uses it"),
                    ));
                }
                Some((at, digest)) if digest != listed => {
                    return Err(self.damage(blob, *at, "another blob is at its position"));
                }
                Some(_) => {}
            }
        }
        if let Some((at, _)) = self.waiting.get(body.blobs.len()) {
            let extra = self.head.blobs as usize + body.blobs.len();
            let blob = Part::Blob(BlobId(u32::try_from(extra).unwrap_or(u32::MAX)));
            return Err(self.damage(blob, *at, "no entry lists it here"));
        }
        self.waiting.clear();
        self.head = self.head.after(&header, &body);
        self.entries.push((header.first, payload));
        Ok(())
    }

    fn end(&mut self, at: usize, payload: Range<usize>, stated: &[u8; HEADER_LENGTH]) -> Result<(), Damage> {
        if let Some((at, _)) = self.waiting.first() {
            let blob = Part::Blob(BlobId(self.head.blobs));
            return Err(self.damage(blob, *at, "no entry lists it"));
        }
        if !self.counted() {
            return Err(self.damage(self.expected(), at, "the end record is at its position"));
        }
        let Some(campaign) = self.head.campaign else {
            return Err(self.damage(Part::Journal, at, "it has no entries"));
        };
        if encode_header(campaign, &self.head) != *stated {
            let why = "it belongs to another journal than the entries";
            return Err(self.damage(Part::Header, EXPORT_MAGIC.len(), why));
        }
        // The end's own seal is not under itself.
        let seals = &self.seals[..self.seals.len() - SEAL];
        if self.bytes[payload] != end_payload(self.records - 1, seals) {
            return Err(self.damage(Part::End, at, "it belongs to another export"));
        }
        if self.at != self.bytes.len() {
            let why = format!("{} bytes follow it", self.bytes.len() - self.at);
            return Err(self.damage(Part::End, at, &why));
        }
        Ok(())
    }

    /// The next record, its digest checked.
    fn record(&mut self) -> Result<(Kind, Range<usize>), Damage> {
        let at = self.at;
        let rest = &self.bytes[at..];
        if rest.is_empty() {
            return Err(self.damage(self.expected(), at, "the file ends before it"));
        }
        let part = self.part_of(Kind::of(rest[0]));
        let Some(front) = rest.first_chunk::<FRONT>() else {
            return Err(self.damage(part, at, "the file ends in the middle of it"));
        };
        let length = u32::from_le_bytes([front[1], front[2], front[3], front[4]]) as usize;
        let sealed = rest.split_at_checked(FRONT + length);
        let Some((record, seal)) =
            sealed.and_then(|(record, rest)| Some((record, rest.first_chunk::<SEAL>()?)))
        else {
            return Err(self.damage(part, at, "the file ends in the middle of it, or its length is damaged"));
        };
        let kind = match Kind::of(record[0]) {
            Some(kind) if Digest::of(RECORD_DOMAIN, record).0 == *seal => kind,
            _ => return Err(self.broken(at, record, seal)),
        };
        self.seals.extend_from_slice(seal);
        self.records += 1;
        self.at = at + record.len() + SEAL;
        Ok((kind, at + FRONT..at + record.len()))
    }

    /// A record with a wrong digest: if another kind would make it right, the kind is what broke.
    fn broken(&self, at: usize, record: &[u8], seal: &[u8; SEAL]) -> Damage {
        let mut retyped = record.to_vec();
        for kind in Kind::ALL {
            retyped[0] = kind as u8;
            if Digest::of(RECORD_DOMAIN, &retyped).0 == *seal {
                return self.damage(self.part_of(Some(kind)), at, "its kind was changed");
            }
        }
        self.damage(self.part_of(Kind::of(record[0])), at, "its content does not match its digest")
    }

    fn part_of(&self, kind: Option<Kind>) -> Part {
        match kind {
            _ if self.stated.is_none() => Part::Header,
            Some(Kind::Blob) => self.blob_part(),
            Some(Kind::Entry) if !self.counted() => Part::Entry(self.head.next),
            Some(Kind::End) => Part::End,
            _ => self.expected(),
        }
    }

    fn blob_part(&self) -> Part {
        let waiting = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        Part::Blob(BlobId(self.head.blobs.saturating_add(waiting)))
    }

    /// What must come next as far as it is known without reading it.
    fn expected(&self) -> Part {
        if self.stated.is_none() {
            Part::Header
        } else if self.counted() {
            Part::End
        } else {
            Part::Entry(self.head.next)
        }
    }

    fn counted(&self) -> bool {
        let stated = self.stated.and_then(|stated| stated[16..24].try_into().ok()).map(u64::from_le_bytes);
        stated == Some(self.head.entries)
    }

    fn damage(&self, part: Part, at: usize, why: &str) -> Damage {
        Damage { part, byte: Some(at as u64), why: why.into() }
    }
}
