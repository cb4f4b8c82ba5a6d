//! What can be said of campaigns at once, for a shell that completes a command: nobody waits for a network, a lock or a repair, and
//! nothing is written. What cannot be read so is left out.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use twicetold_event::{CampaignId, Event, Input, Seat};
use twicetold_journal::{Source, open_at_once};
use twicetold_session::{Loaded, entries};
use twicetold_world::Life;

use crate::Library;
use crate::database::is_address;
use crate::words::safe;

/// The part of a campaign's file that is read here.
#[derive(Deserialize)]
struct Titled {
    title: String,
}

/// The library in this folder; none where campaigns lie in a database, which would have to be asked.
pub fn library(data: Option<PathBuf>) -> Option<Library> {
    let is_database = data.as_ref().is_some_and(|data| is_address(&data.to_string_lossy()));
    if is_database { None } else { Library::new(data).ok() }
}

/// The campaigns whose files were written last, at most so many, the last one first.
pub fn newest(library: &Library, most: usize) -> Vec<CampaignId> {
    let written = |id: CampaignId| {
        let about = std::fs::metadata(library.file(id)?).ok()?;
        Some((about.modified().ok()?, id))
    };
    let mut known: Vec<_> = library.list().unwrap_or_default().into_iter().filter_map(written).collect();
    known.sort_unstable_by_key(|one| std::cmp::Reverse(*one));
    known.truncate(most);
    known.into_iter().map(|(_, id)| id).collect()
}

/// What a campaign is called, or the file of a transcript of another program.
pub fn title(library: &Library, id: CampaignId) -> Option<String> {
    let source = open_at_once(&library.file(id)?).ok()?;
    let first = entries(&*source).ok()?.next()?.ok()?;
    if let Some(Event::ForeignOpened(word)) = first.events.into_iter().next() {
        return Some(safe(&word.file));
    }
    let Input::OpeningAsked(opening) = first.input else { return None };
    let file = opening.charter.files.into_iter().find(|file| file.path == "campaign.toml")?;
    let text = String::from_utf8(source.blob(file.blob).ok()??.content).ok()?;
    toml::from_str::<Titled>(&text).ok().map(|campaign| safe(&campaign.title))
}

/// A journal by a prefix of its id, by `last` or by its file, and the campaign as it stands. `last` is looked for among the `most` that
/// were written last.
pub fn load(library: &Library, name: &str, most: usize) -> Option<(Box<dyn Source>, Loaded)> {
    let path = Path::new(name);
    if path.components().count() > 1 || path.is_file() {
        let source = open_at_once(path).ok()?;
        let loaded = twicetold_session::load(&*source).ok()?;
        return Some((source, loaded));
    }
    let id = match name {
        "last" => newest(library, most).into_iter().max_by_key(|id| library.opened_at_once(*id))?,
        name => library.find(name).ok()?,
    };
    let source = open_at_once(&library.file(id)?).ok()?;
    let loaded = library.view(id).load(&*source).ok()?;
    Some((source, loaded))
}

/// Does a campaign hold what somebody who plays it may not know: is it not over, and has a person sat at another seat than the DM's?
pub fn has_secrets(source: &dyn Source, loaded: &Loaded) -> bool {
    let is_over = matches!(loaded.campaign.state().life(), Life::Ended { .. });
    let sat = |event: &Event| matches!(event, Event::SeatTaken(word) if word.seat != Seat::Dm);
    let sat_down = || match entries(source) {
        Ok(mut entries) => entries.any(|entry| entry.map_or(true, |entry| entry.events.iter().any(sat))),
        Err(_) => true,
    };
    !is_over && sat_down()
}
