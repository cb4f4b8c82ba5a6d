//! Performs a model call: HTTP, improvised, scripted, recorded.
