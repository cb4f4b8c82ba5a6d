//! What servers on this machine share: they listen on the loopback address alone, keep to a number of connections, answer to their own
//! names, and compare tokens so that the time it takes says nothing.

mod connections;

pub use connections::{Held, Limited};

/// Is it one of the names of the server at this port? Another site's name may lead here too.
pub fn is_own(port: u16, host: &str) -> bool {
    let (name, named) = host.rsplit_once(':').unwrap_or((host, "80"));
    matches!(name, "127.0.0.1" | "localhost" | "[::1]") && named.parse() == Ok(port)
}

/// Is it the origin of a page of the server at this port?
pub fn is_own_origin(port: u16, origin: &str) -> bool {
    origin.strip_prefix("http://").is_some_and(|host| is_own(port, host))
}

/// Are they equal? The time that it takes says nothing about where they differ.
pub fn equal(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}
