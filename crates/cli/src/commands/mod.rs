//! One file per command: an arguments struct whose doc comments are the help, and one function.

pub mod attest;
pub mod audit;
pub mod diff;
pub mod export;
pub mod fork;
pub mod history;
pub mod import;
pub mod init;
pub mod lint;
pub mod list;
pub mod log;
pub mod models;
pub mod new;
pub mod play;
pub mod rebuild;
pub mod replay;
pub mod report;
pub mod resume;
pub mod rm;
pub mod rules;
pub mod run;
pub mod show;
pub mod tree;
pub mod verify;
pub mod watch;
pub mod why;
