//! Every store passes the conformance suite.

use std::sync::Arc;

use twicetold_journal::conformance::{Place, conform};
use twicetold_journal::{Memory, Store, create, open};

#[test]
fn a_campaign_file_conforms() {
    conform(&|| {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Box::new(move || {
            let path = folder.path().join("campaign.redb");
            let journal = if path.exists() { open(&path) } else { create(&path) };
            Ok(Box::new(journal?) as Box<dyn Store>)
        }) as Place
    });
}

#[test]
fn a_campaign_in_memory_conforms() {
    conform(&|| {
        let memory = Memory::new();
        Box::new(move || Ok(Box::new(memory.open()?) as Box<dyn Store>)) as Place
    });
}
