//! The state of a campaign and the only function that changes it.
