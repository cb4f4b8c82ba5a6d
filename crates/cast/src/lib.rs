//! The actors: table, DM, players, memory, supervisor. No rules.
