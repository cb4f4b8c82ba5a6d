//! The promises of the dialects.

mod decode;
mod encode;
mod recordings;
mod told;
