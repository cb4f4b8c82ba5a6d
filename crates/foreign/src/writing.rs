//! Foreign words become a journal: in memory first, so that a file is there whole or not at all.

use std::path::Path;

use twicetold_event::{
    BlobId, Build, CampaignId, Charter, CharterFile, Event, ForeignOpened, Input, Millis, Number,
    OpeningAsked, body, entry,
};
use twicetold_journal::{Blob, Head, Journal, Memory, Shelf, Store};
use twicetold_model::Digest;

use crate::error::WriteError;
use crate::mapping::Mapping;
use crate::read::{Record, parts};

/// Where a foreign charter keeps its mapping, and what all mappings share.
const MAPPING: &str = "foreign/mapping.toml";
/// See [`MAPPING`].
const COMMON: &str = "foreign/common.toml";

/// Puts a journal of these records on a shelf, as `build` at the time `at`.
///
/// # Errors
/// See [`WriteError`]; nothing is there then.
pub fn write(
    (id, build, at): (CampaignId, Build, Millis),
    mapping: &Mapping,
    file: &Path,
    records: Vec<Record>,
    shelf: &dyn Shelf,
) -> Result<Head, WriteError> {
    Ok(shelf.import(&journal((id, build, at), mapping, file, records)?, id)?)
}

/// A journal of these records, in memory.
///
/// # Errors
/// An entry could not be made.
pub fn journal(
    (id, build, at): (CampaignId, Build, Millis),
    mapping: &Mapping,
    file: &Path,
    records: Vec<Record>,
) -> Result<Journal, WriteError> {
    let failed = |error: &dyn std::fmt::Display| WriteError::Entry(error.to_string());
    let memory = Memory::new();
    let mut store = memory.open().map_err(|error| failed(&error))?;
    let blobs: Vec<Blob> = [&mapping.common, &mapping.text].map(|text| Blob::new(text.as_bytes())).into();
    let places = [(COMMON, BlobId(0)), (MAPPING, BlobId(1))].into_iter().zip(&blobs);
    let files =
        places.map(|((path, blob), text)| CharterFile { path: path.into(), blob, digest: text.digest });
    let charter = Charter { seed: 0, rules: 0, files: files.collect() };
    let opened = ForeignOpened {
        file: file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        format: mapping.spec.name.clone(),
        parts: parts(&records),
    };
    let mut turn = 0;
    let opening = (Input::from(OpeningAsked { charter }), vec![Event::from(opened)], blobs);
    let lines = records.into_iter().map(|(line, events)| (Input::from(line), events, Vec::new()));
    for (input, events, blobs) in std::iter::once(opening).chain(lines) {
        let spoke =
            |event: &Event| matches!(event, Event::ForeignSpoke(word) if !word.text.trim().is_empty());
        turn += u32::from(events.iter().any(spoke));
        let bytes = sealed(&store, (id, build, at, turn), &input, &events, &blobs);
        store.append(&bytes, &blobs).map_err(|error| failed(&error))?;
    }
    Ok(store)
}

fn sealed(
    store: &impl Store,
    (id, build, at, turn): (CampaignId, Build, Millis, u32),
    input: &Input,
    events: &[Event],
    blobs: &[Blob],
) -> Vec<u8> {
    let head = store.head();
    let digests: Vec<Digest> = blobs.iter().map(|blob| blob.digest).collect();
    let mut body = Vec::new();
    body::encode_front(&mut body, BlobId(head.blobs), &digests);
    input.encode(&mut body);
    events.iter().for_each(|event| event.encode(&mut body));
    let header = entry::Header {
        campaign: id,
        first: Number(head.next.0),
        count: 1 + u32::try_from(events.len()).unwrap_or(u32::MAX),
        at,
        build,
        turn,
        epoch: store.epoch(),
        previous: head.chain,
        body: entry::body_digest(&body),
    };
    let mut bytes = header.encode().to_vec();
    bytes.append(&mut body);
    bytes
}
