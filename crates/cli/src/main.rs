//! The twicetold command.

fn main() {}
