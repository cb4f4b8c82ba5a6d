//! The promises of the durable words.

mod format_page;
mod golden;
