//! How the models of a charter are spoken to, and what comes back as an input.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use twicetold_dialect::{Compat, Wire};
use twicetold_event::{CallId, Input, ModelFailed, ModelReplied, Seat, limits};
use twicetold_model::{Digest, Fault, Reply};
use twicetold_world::setup::{SeatSetup, Setup, SetupError};

use crate::requests::invalid;

/// How the models of all seats are spoken to.
///
/// # Errors
/// A seat of the charter names a wire that this build does not speak.
pub fn wires(setup: &Setup) -> Result<BTreeMap<Seat, Arc<Wire>>, SetupError> {
    let mut wires = BTreeMap::new();
    for seat in setup.players().chain([Seat::Dm, Seat::Memory]) {
        let Some(model) = setup.seats.of(seat) else { continue };
        let wire = wire(model).map_err(|message| invalid("seats.toml", message))?;
        wires.insert(seat, Arc::new(wire));
    }
    Ok(wires)
}

/// How a model is spoken to.
///
/// # Errors
/// A sentence that names the field: this build does not speak such a wire.
pub fn wire(model: &SeatSetup) -> Result<Wire, String> {
    let compat = Compat::deserialize(model.compat.clone());
    let compat = compat.map_err(|error| format!("compat: {}", error.message()))?;
    Wire::new(&model.protocol, model.wire, compat)
}

/// The input that a body is: a reply, or a fault when it cannot be read.
pub fn received(wire: &Wire, call: CallId, sent: Digest, body: String) -> Input {
    match wire.decode(&body) {
        Ok(Reply { usage, finish, .. }) => {
            Input::ModelReplied(ModelReplied { call, sent, body, usage, finish })
        }
        Err(fault) => failed(call, sent, fault, &body),
    }
}

/// The input that a fault is, with the beginning of what came.
pub fn failed(call: CallId, sent: Digest, fault: Fault, body: &str) -> Input {
    let body = body[..body.floor_char_boundary(limits::FAULT_TEXT_BYTES_MAX)].to_owned();
    Input::ModelFailed(ModelFailed { call, sent, fault, body })
}
