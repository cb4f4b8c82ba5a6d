//! A small rules document of our own, in the shape of the source of SRD 5.2.

use serde_json::Value;

/// Its files by their paths: one for each record.
pub fn reference_document() -> Vec<(String, Vec<u8>)> {
    let records: Value =
        serde_json::from_str(include_str!("../samples/srd-5.2.json")).expect("the sample is JSON");
    let records = records.as_object().expect("the sample is an object");
    let file = |(name, record): (&String, &Value)| {
        (format!("tiny/canonical/{name}.json"), record.to_string().into_bytes())
    };
    records.iter().map(file).collect()
}
