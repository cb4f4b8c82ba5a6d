//! What this machine wrote into a folder of data: known by a key that lies beside the user's configuration, and never in that folder.
//!
//! A folder of data can be given away, and its files say who is called at what price. Those that another machine wrote are not believed.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use twicetold_event::CampaignId;
use twicetold_model::Digester;

use crate::edge::random;
use crate::seats::own_folder;
use crate::{Error, Kind, bounded, whole};

/// Bytes of the key.
const KEY_BYTES: usize = 32;
pub(crate) type Key = [u8; KEY_BYTES];

/// Where the key lies; nothing where the system knows no folder of the user.
fn place() -> Option<PathBuf> {
    own_folder().map(|(folder, _)| folder.join("seats.key"))
}

/// The key of this machine, if it has one.
///
/// # Errors
/// It is there and cannot be read, or is no key.
pub(crate) fn known() -> Result<Option<Key>, Error> {
    let Some(file) = place() else { return Ok(None) };
    let failed = |what: String| {
        let help = "delete it: a new one is made, and campaigns that go on have to be given models with --model again";
        Error::new(Kind::Failed, format!("{}: {what}", file.display()), help)
    };
    match bounded::bytes(&file, KEY_BYTES as u64 + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
        Ok(bytes) => Key::try_from(bytes).map(Some).map_err(|_| failed("it is no key".into())),
    }
}

/// The key of this machine, made when it is first needed and readable by its owner alone. Nothing where it cannot be kept: what is written
/// without it is not believed later.
///
/// # Errors
/// It is there and cannot be read, or is no key.
pub(crate) fn own() -> Result<Option<Key>, Error> {
    // Of two threads that make it one would find a file that is not whole yet.
    static MAKING: Mutex<()> = Mutex::new(());
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(key) = known()? {
        return Ok(Some(key));
    }
    let Some(file) = place() else { return Ok(None) };
    let key: Key = random()?;
    let made = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| whole::create_private(&file, &key));
    match made {
        Ok(()) => Ok(Some(key)),
        // Another process was faster, and its key is the one.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => known(),
        Err(error) => {
            tracing::warn!(file = %file.display(), %error, "cannot be kept: to go on with a campaign, name its models with --model");
            Ok(None)
        }
    }
}

/// What stands before a text that was written here for this campaign.
pub(crate) fn of(key: &Key, campaign: CampaignId, text: &str) -> String {
    let mut digester = Digester::new("twicetold seats 1");
    digester.bytes(key);
    digester.text(&campaign.to_string());
    digester.text(text);
    digester.finish().to_string()
}
