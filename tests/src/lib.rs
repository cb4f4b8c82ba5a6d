//! Helpers shared by the promises under `tests/`.
