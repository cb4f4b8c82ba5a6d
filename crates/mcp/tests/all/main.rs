//! Outside agents act: each test is a client of a real server, over pipes.

mod acting;
mod knowledge;
mod party;
mod seats;
