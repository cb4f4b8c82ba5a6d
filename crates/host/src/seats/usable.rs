//! Whether a model can be asked from this machine, and who asks it.

use std::sync::Arc;

use twicetold_event::Seat;
use twicetold_provider::{HttpModel, Provider};
use twicetold_world::setup::SeatSetup;

use super::{Models, Profile};
use crate::{Error, Kind};

pub(super) fn server(
    seat: Seat,
    model: &SeatSetup,
    profile: Profile,
    path: &str,
) -> Result<Arc<dyn Provider>, Error> {
    let model = HttpModel::new(&model.model, profile.protocol, path, &profile.reach, key);
    Ok(Arc::new(model.map_err(|error| unusable(seat, &error.to_string()))?))
}

/// Is there a model of this name, and its key?
///
/// # Errors
/// Why it cannot be used.
pub(crate) fn usable(models: &Models, name: &str) -> Result<(), Error> {
    let profile = models.find(name)?;
    if profile.setup.is_embedded() {
        return Ok(());
    }
    let setup = profile.setup.clone();
    server(Seat::Dm, &setup, profile, "").map(drop)
}

pub(super) fn unusable(seat: Seat, what: &str) -> Error {
    let message = format!("the model of {seat} cannot be used: {what}");
    let first =
        if what.contains("environment variable") { "set the variable in the environment, " } else { "" };
    let help = format!("{first}edit models.toml, or give the seat another model with --model SEAT=NAME");
    Error::new(Kind::Usage, message, help)
}

/// The key in this environment variable.
pub fn key(variable: &str) -> Option<String> {
    #[allow(clippy::disallowed_methods, reason = "keys come from the environment and are recorded nowhere")]
    std::env::var(variable).ok()
}
