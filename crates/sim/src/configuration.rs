//! The repository's configuration as the files of a charter.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twicetold_world::setup::SourceFile;

/// The root of the repository that this crate was built in.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The bundled configuration.
const CONFIGURATION: &str = "config";
/// Campaigns that were written apart from the improviser; they are played by the same rules.
const APART: &str = "tests/campaigns";

/// The files of a charter for a campaign, bundled or of `tests/campaigns`, with so many players or as many as it is written for, every
/// seat played by the improviser.
///
/// # Errors
/// A file of the configuration is missing or cannot be read.
pub fn configuration_of(campaign: &str, players: Option<u8>) -> io::Result<Vec<SourceFile>> {
    let mut files: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let root = repository().join(CONFIGURATION);
    collect(&root, &root, &mut files)?;
    let apart = repository().join(APART);
    if apart.join("campaigns").join(campaign).with_extension("toml").is_file() {
        files.retain(|path, _| !path.starts_with("encounters/"));
        collect(&apart, &apart, &mut files)?;
    }
    let written = files.get(&format!("campaigns/{campaign}.toml")).cloned().unwrap_or_default();
    let default = written.lines().find_map(|line| line.strip_prefix("players_default = ")?.parse().ok());
    let players = players.or(default).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("campaigns/{campaign}.toml does not say for how many it is; give players_default"),
        )
    })?;
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("there is no campaigns/{campaign}.toml"));
    twicetold_tool::charter_files(&files, campaign, seats(players)).ok_or_else(missing)
}

fn seats(players: u8) -> String {
    let seat = "protocol = \"improv\"\nwire = 1\nmodel = \"improv\"\ntokens_max = 1000\nparallel_tool_calls = true\nsend_seed = true\ntoken_factor_percent = 100\n";
    let slugs = ["dm".to_owned(), "memory".to_owned()].into_iter();
    let slugs = slugs.chain((1..=players).map(|player| format!("player-{player}")));
    slugs.fold(format!("players = {players}\n"), |seats, slug| seats + &format!("[seat.{slug}]\n{seat}"))
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Arc<str>>) -> io::Result<()> {
    for item in std::fs::read_dir(folder).map_err(|error| named(folder, &error))? {
        let path = item?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(name, read(&path)?);
        }
    }
    Ok(())
}

fn read(path: &Path) -> io::Result<Arc<str>> {
    std::fs::read_to_string(path).map(Arc::from).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
