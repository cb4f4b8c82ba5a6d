//! A shelf in a database, where this build has one.

use std::path::{Path, PathBuf};

use twicetold_journal::Shelf;

use crate::Error;

/// Is this the address of a database, and not the name of a folder?
pub fn is_address(name: &str) -> bool {
    name.starts_with("postgres://") || name.starts_with("postgresql://")
}

/// The folder, below that for data, of what belongs to the campaigns of a database and stays on this machine: which models play them
/// here, labels, snapshots.
pub fn folder(base: &Path, address: &str) -> PathBuf {
    let named = address.split_once("://").map_or(address, |(_, rest)| rest);
    let named = named.split_once('?').map_or(named, |(named, _)| named);
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' };
    base.join("databases").join(named.chars().map(plain).collect::<String>())
}

/// Connects to a database.
///
/// # Errors
/// It cannot be used, or this build has none.
#[cfg(feature = "postgres")]
pub fn shelf(address: &str) -> Result<Box<dyn Shelf + Send + Sync>, Error> {
    Ok(Box::new(postgres(address)?))
}

/// The same, with what only a database has.
///
/// # Errors
/// It cannot be used.
#[cfg(feature = "postgres")]
pub fn postgres(address: &str) -> Result<twicetold_postgres::Postgres, Error> {
    use crate::Kind;
    use twicetold_postgres::{Address, AddressError, ConnectError, Postgres};

    let read = Address::read(address, &passwords()).map_err(|error| {
        let help = match &error {
            AddressError::Malformed { .. } => "for example postgres://me@localhost/campaigns",
            AddressError::Password => {
                "set PGPASSWORD, or write it into ~/.pgpass as PostgreSQL's own programs read it"
            }
            AddressError::PasswordFile { .. } => "check who owns it, or set PGPASSWORD",
        };
        Error::new(Kind::Usage, error.to_string(), help)
    })?;
    Postgres::connect(read, &holder()).map_err(|error| {
        let help = match &error {
            ConnectError::Unreachable { .. } => {
                "check that the server runs, the address, and the password (PGPASSWORD or ~/.pgpass)"
            }
            ConnectError::Unfit { .. } => "change the setting for this database, or use another server",
            ConnectError::Foreign { .. } => "use another database",
            ConnectError::Later { .. } => "install a newer version of twicetold",
            ConnectError::Unmade { .. } => "use a database that this user may make tables in",
        };
        Error::new(Kind::Failed, error.to_string(), help)
    })
}

/// As above.
#[cfg(not(feature = "postgres"))]
pub fn shelf(_: &str) -> Result<Box<dyn Shelf + Send + Sync>, Error> {
    Err(Error::new(
        crate::Kind::Usage,
        "this build cannot keep campaigns in a database",
        "install one that can: cargo install --path crates/cli --features postgres",
    ))
}

/// What the environment says of passwords: the same variables and the same file as PostgreSQL's own programs.
#[cfg(feature = "postgres")]
#[allow(
    clippy::disallowed_methods,
    reason = "an address contains no password; the environment and a file do"
)]
fn passwords() -> twicetold_postgres::Passwords {
    let named = std::env::var_os("PGPASSFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".pgpass"));
    twicetold_postgres::Passwords { password: std::env::var("PGPASSWORD").ok(), file: named.or_else(home) }
}

/// What others are told who want to write a campaign that this process writes.
#[cfg(feature = "postgres")]
fn holder() -> String {
    let process = std::process::id();
    match std::fs::read_to_string("/proc/sys/kernel/hostname") {
        Ok(name) => format!("process {process} on {}", name.trim()),
        Err(_) => format!("process {process}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_has_a_folder_of_its_own_whatever_its_address_contains() {
        let folder = |address| folder(Path::new("/data"), address).display().to_string();
        assert_eq!(
            folder("postgres://me@db.example:5433/games?sslmode=require"),
            "/data/databases/me_db.example_5433_games"
        );
        assert_eq!(folder("postgres://me@%2Ftmp/../.."), "/data/databases/me__2Ftmp_.._..");
    }
}
