//! What was measured of a model at moments of a campaign: a file in the folder of data for each model on each server, and the tool mode
//! that it speaks for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twicetold_event::body::blob_digest;
use twicetold_world::setup::SeatSetup;

use crate::bounded;
use crate::error::OTHER_DATA;
use crate::moments::{Counts, Fitness, Kept, Mode, Role, fitness};
use crate::seats::{Profile, path};
use crate::whole;
use crate::words::{counted, short};
use crate::{Error, Kind};

/// Bytes of a file: some hundred times what is written.
const FILE_BYTES_MAX: u64 = 1 << 18;

/// Characters of a model's name in the name of its file, which is for people; the digest behind it tells models apart.
const NAME_MAX: usize = 40;

/// Characters of a name that is shown.
const SHOWN_MAX: usize = 60;

/// What is known of a model on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The model, as its server knows it.
    pub model: String,
    /// Where its requests go.
    pub address: String,
    /// What came of each mode.
    #[serde(default)]
    pub mode: BTreeMap<Mode, Kept>,
    /// What came of the memory agent's work, in whatever mode.
    #[serde(default)]
    pub memory: Counts,
}

impl Measured {
    /// Of this model nothing is known yet.
    pub fn new(profile: &Profile) -> Measured {
        let (model, address) = key(profile);
        Measured { model, address, ..Measured::default() }
    }

    /// The mode in which the model plays best: the first one that is good, as a model can do more in the first ones; otherwise the one whose
    /// interval begins highest. Nothing where it plays in none.
    pub fn best(&self) -> Option<Mode> {
        let good = self.mode.iter().find(|(_, kept)| kept.is_good());
        let highest = || {
            let playing = self.mode.iter().filter_map(|(mode, kept)| Some((kept.low()?, *mode)));
            // Of equals, the one in which it can do more.
            playing.max_by_key(|(low, mode)| (*low, std::cmp::Reverse(*mode))).map(|(_, mode)| mode)
        };
        good.map(|(mode, _)| *mode).or_else(highest)
    }

    /// For each role that was tried, what was counted in the best mode, and whether the model is fit for it.
    pub fn fitness(&self) -> Vec<(Role, Counts, Fitness)> {
        let first = || self.mode.keys().next().copied();
        let kept =
            self.best().or_else(first).and_then(|mode| self.mode.get(&mode)).cloned().unwrap_or_default();
        let all = [(Role::Dm, kept.dm), (Role::Player, kept.player), (Role::Memory, self.memory)];
        let tried = all.into_iter().filter(|(_, counts)| counts.moments > 0);
        tried.map(|(role, counts)| (role, counts, fitness(role, &counts, &kept.turns()))).collect()
    }
}

/// Where measurements lie.
#[derive(Clone)]
pub struct Measurements(PathBuf);

impl Measurements {
    /// Those below a folder of data, which need not exist.
    pub fn new(data: &Path) -> Measurements {
        Measurements(data.join("models"))
    }

    fn file(&self, profile: &Profile) -> PathBuf {
        let (model, address) = key(profile);
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
        let name: String = model.chars().map(plain).take(NAME_MAX).collect();
        let digest = blob_digest(format!("{model}\n{address}").as_bytes()).to_string();
        self.0.join(format!("{}-{digest:.12}.toml", name.trim_matches(['.', '-'])))
    }

    /// What is known of a model; nothing where it was never measured.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, profile: &Profile) -> Result<Option<Measured>, Error> {
        let file = self.file(profile);
        if !file.exists() {
            return Ok(None);
        }
        let failed = |what: String| {
            let message = format!("{}: {what}", file.display());
            Error::new(
                Kind::Usage,
                message,
                "delete the file; `twicetold models NAME` measures the model again",
            )
        };
        let text = bounded::text(&file, FILE_BYTES_MAX).map_err(|error| failed(error.to_string()))?;
        toml::from_str(&text).map(Some).map_err(|error| failed(error.message().to_owned()))
    }

    /// Writes it, whole or not at all; gives the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, profile: &Profile, measured: &Measured) -> Result<PathBuf, Error> {
        let file = self.file(profile);
        let text =
            toml::to_string(measured).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        whole::write(&file, text.as_bytes()).map_err(|error| Error::unwritable(&file, &error, OTHER_DATA))?;
        Ok(file)
    }

    /// How a model is asked from now on, as `name` was asked for: where its mode is `"auto"`, the best that was measured, or the native one.
    /// The second is what is to be said of that.
    pub(crate) fn settle(&self, name: &str, profile: Profile) -> (SeatSetup, Option<String>) {
        if !profile.auto_mode || profile.setup.is_embedded() {
            return (profile.setup, None);
        }
        let native = |why: &str| {
            format!(
                "The tool mode of {} is native, because {why}; `twicetold models {name}` finds out which mode suits it.",
                short(name, SHOWN_MAX)
            )
        };
        let (mode, said) = match self.read(&profile) {
            Ok(None) => (Mode::Native, native("it was not measured")),
            Ok(Some(measured)) => {
                match measured.best().and_then(|mode| Some((mode, measured.mode.get(&mode)?))) {
                    Some((mode, kept)) => (mode, why(name, mode, kept)),
                    None => (Mode::Native, native("it played well in no mode")),
                }
            }
            Err(error) => {
                (Mode::Native, native(&format!("its measurement cannot be read ({})", error.message)))
            }
        };
        (mode.put(&profile.setup), Some(said))
    }
}

/// Why a mode was taken.
fn why(name: &str, mode: Mode, kept: &Kept) -> String {
    let turns = kept.turns();
    let interval = turns.rate().unwrap_or_default();
    format!(
        "The tool mode of {} is {}: {} of {} were accepted at moments of {} ({} % to {} % with 95 % confidence).",
        short(name, SHOWN_MAX),
        mode.name(),
        turns.accepted,
        counted(turns.tool_calls, "tool call"),
        short(&kept.campaign, SHOWN_MAX),
        interval.low / 10,
        interval.high.div_ceil(10),
    )
}

/// What tells one model from another.
fn key(profile: &Profile) -> (String, String) {
    let address = profile.reach.address(&path(profile.protocol, &profile.setup));
    (profile.setup.model.clone(), address.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::Models;

    fn profile(compat: &str) -> Profile {
        let text = format!(
            "default = \"m\"\n[model.m]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"a/b:c\"\ncompat = {{ {compat} }}\n"
        );
        Models::parse(&text).expect("it is TOML").profile("m").expect("it is a model")
    }

    fn kept(accepted: u64, calls: u64) -> Kept {
        let dm = Counts {
            moments: 30,
            used: 30,
            calling: calls.min(30),
            tool_calls: calls,
            accepted,
            ..Counts::default()
        };
        Kept { at_ms: 1, campaign: "c".into(), dm, player: Counts::default() }
    }

    fn measured(modes: &[(Mode, Kept)]) -> Measured {
        Measured { mode: modes.iter().cloned().collect(), ..Measured::new(&profile("")) }
    }

    #[test]
    fn the_mode_with_most_freedom_is_taken_among_the_good_ones_and_the_surest_among_others() {
        let of = |modes: &[(Mode, Kept)]| measured(modes).best();
        let guided = (Mode::Guided, kept(30, 30));
        assert_eq!(of(&[(Mode::Native, kept(26, 30)), guided.clone()]), Some(Mode::Native));
        assert_eq!(of(&[(Mode::Native, kept(15, 30)), guided.clone()]), Some(Mode::Guided));
        assert_eq!(of(&[(Mode::Native, kept(3, 30)), (Mode::Prompted, kept(9, 30))]), Some(Mode::Prompted));
        assert_eq!(of(&[(Mode::Native, kept(9, 30)), (Mode::Prompted, kept(9, 30))]), Some(Mode::Native));
        // Five calls in thirty turns are hardly any.
        assert_eq!(of(&[(Mode::Native, kept(5, 5))]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn auto_takes_the_best_mode_of_what_was_kept_and_says_which_and_why() {
        let folder = tempfile::tempdir().expect("a folder");
        let measurements = Measurements::new(folder.path());
        let settled = || measurements.settle("m", profile("tool_calls = \"auto\", seed = false"));
        let (setup, said) = settled();
        assert_eq!(Mode::of(&setup), Mode::Native);
        assert!(said.is_some_and(|said| said.contains("not measured; `twicetold models m`")));
        let guided = measured(&[(Mode::Native, kept(3, 30)), (Mode::Guided, kept(40, 41))]);
        let file = measurements.write(&profile(""), &guided).expect("it is written");
        assert_eq!(measurements.read(&profile("")).ok(), Some(Some(guided)));
        let (setup, said) = settled();
        let compat = toml::Value::Table(setup.compat.clone()).to_string();
        assert_eq!(compat, "{ seed = false, stream = true, tool_calls = \"guided\" }");
        let said = said.unwrap_or_default();
        assert!(said.contains("is guided: 40 of 41 tool calls were accepted at moments of c (8"), "{said}");
        // A mode that the user chose stays, and nothing is said of it.
        let (setup, said) = measurements.settle("m", profile("tool_calls = \"prompted\""));
        assert_eq!((Mode::of(&setup), said), (Mode::Prompted, None));
        // What somebody else wrote there stops no campaign.
        for broken in ["mode = 3", "\u{0}", "[mode.native]\nat_ms = -1"] {
            std::fs::write(&file, broken).expect("it is written");
            let (setup, said) = settled();
            assert_eq!(Mode::of(&setup), Mode::Native);
            assert!(said.is_some_and(|said| said.contains("cannot be read")));
        }
    }
}
