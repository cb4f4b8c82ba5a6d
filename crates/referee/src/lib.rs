//! The whole game as step, plan and replay.
