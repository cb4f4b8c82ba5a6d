//! The whole state as bytes and back: a cache of a long fold, thrown away whenever it does not fit.

use std::sync::Arc;

use thiserror::Error;

use super::State;
use crate::setup::Setup;

/// Bytes that are no state of this build.
#[derive(Debug, Error)]
#[error("the snapshot cannot be read: {0}")]
pub struct SnapshotError(String);

impl State {
    /// All of it but the setup, which the journal's charter holds.
    ///
    /// # Errors
    /// A field has a shape that the encoding refuses.
    pub fn to_snapshot(&self) -> Result<Vec<u8>, SnapshotError> {
        let table =
            (self.at, &self.life, &self.table, &self.turn, &self.calls, &self.session_zero, &self.history);
        let party = (&self.characters, &self.document, &self.encounter, &self.encounters_over, &self.facts);
        let people = (
            &self.npcs,
            &self.conversations,
            &self.combat,
            &self.combats_over,
            &self.spells_used,
            &self.dice,
        );
        let written = postcard::to_extend(&(table, party, people), Vec::with_capacity(64 * 1024));
        written.map_err(|error| SnapshotError(error.to_string()))
    }

    /// The state that [`State::to_snapshot`] wrote down.
    ///
    /// # Errors
    /// The bytes were written by a build whose state has another shape.
    pub fn from_snapshot(setup: Arc<Setup>, bytes: &[u8]) -> Result<State, SnapshotError> {
        let read = postcard::from_bytes(bytes);
        let (table, party, people) = read.map_err(|error| SnapshotError(error.to_string()))?;
        let (at, life, table, turn, calls, session_zero, history) = table;
        let (characters, document, encounter, encounters_over, facts) = party;
        let (npcs, conversations, combat, combats_over, spells_used, dice) = people;
        let mut state = State {
            setup,
            at,
            life,
            table,
            turn,
            calls,
            session_zero,
            history,
            characters,
            document,
            encounter,
            spec: None,
            encounters_over,
            facts,
            npcs,
            conversations,
            combat,
            combats_over,
            spells_used,
            dice,
        };
        state.fill_encounter();
        Ok(state)
    }
}
