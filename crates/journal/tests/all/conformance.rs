//! Every store and every shelf passes its conformance suite.

use std::sync::Arc;

use twicetold_journal::conformance::{Place, conform, conform_shelf};
use twicetold_journal::{Folder, Memory, Store, create, open};

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

#[test]
fn a_folder_of_campaigns_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conform_shelf(&Folder::new(folder.path().join("campaigns")));
}
