//! Where a database is, and who may enter: `postgres://USER@HOST:PORT/DATABASE`. Never a password, which everybody would read who lists
//! processes or looks at a shell's history.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use crate::limits::{CONNECT_MAX, PASSWORD_FILE_MAX};

/// A database's address, with the password where there is one.
#[derive(Clone)]
pub struct Address {
    config: Config,
    text: String,
}

/// Why an address is none.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It cannot be read.
    #[error("{address:?} is no address of a database: {why}")]
    Malformed {
        /// What was given.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// It contains a password.
    #[error("the address of the database contains a password, which other users of this machine can read")]
    Password,
    /// The password file cannot be read.
    #[error("the password file {} cannot be read: {error}", path.display())]
    PasswordFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

/// What the environment says of passwords: `PGPASSWORD`, and the password file.
#[derive(Clone, Default)]
pub struct Passwords {
    /// The password itself.
    pub password: Option<String>,
    /// A file with lines `HOST:PORT:DATABASE:USER:PASSWORD`; it need not be there.
    pub file: Option<PathBuf>,
}

impl Address {
    /// Is this the address of a database, and not the name of a folder?
    pub fn is_one(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads an address, and looks the password up.
    ///
    /// # Errors
    /// It cannot be read, it contains a password, or the password file cannot be read.
    pub fn read(text: &str, passwords: &Passwords) -> Result<Address, AddressError> {
        let malformed =
            |why: &str| AddressError::Malformed { address: without_password(text), why: why.into() };
        let mut config = Config::from_str(text).map_err(|error| malformed(&told(&error)))?;
        if config.get_password().is_some() {
            return Err(AddressError::Password);
        }
        let Some(host) = config.get_hosts().first().cloned() else {
            return Err(malformed("it names no host; write postgres://USER@HOST/DATABASE"));
        };
        if config.get_user().is_none() {
            return Err(malformed("it names no user; write postgres://USER@HOST/DATABASE"));
        }
        if config.get_dbname().is_none() {
            return Err(malformed("it names no database; write postgres://USER@HOST/DATABASE"));
        }
        // What goes over a network is encrypted unless somebody says otherwise.
        let addresses = config.get_hostaddrs().iter().all(|address| address.is_loopback());
        let is_local = config.get_hosts().iter().all(is_local) && addresses;
        if !is_local && !text.contains("sslmode=") {
            config.ssl_mode(SslMode::Require);
        }
        config.connect_timeout(CONNECT_MAX).application_name("twicetold");
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let found = match (&passwords.password, &passwords.file) {
            (Some(password), _) => Some(password.clone()),
            // A password of the file is for one host, and no other is to be told it.
            (None, Some(_)) if config.get_hosts().len() > 1 || !config.get_hostaddrs().is_empty() => None,
            (None, Some(file)) => from_file(file, &config, &host)?,
            (None, None) => None,
        };
        if let Some(password) = found {
            config.password(password);
        }
        Ok(Address { config, text: text.to_owned() })
    }

    /// The address as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }
}

/// The whole of an error, with what caused it.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The address with stars for what may be a password: what stands between the first colon and the last `@`, and every parameter.
fn without_password(text: &str) -> String {
    let (address, parameters) = match text.split_once('?') {
        Some((address, _)) => (address, "?***"),
        None => (text, ""),
    };
    let Some((scheme, rest)) = address.split_once("://") else { return format!("{address}{parameters}") };
    let shown = match rest.rsplit_once('@') {
        Some((user, rest)) => match user.split_once(':') {
            Some((user, _)) => format!("{user}:***@{rest}"),
            None => format!("{user}@{rest}"),
        },
        None => rest.to_owned(),
    };
    format!("{scheme}://{shown}{parameters}")
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// The password of the first line that fits, as PostgreSQL's own programs find it.
fn from_file(path: &Path, config: &Config, host: &Host) -> Result<Option<String>, AddressError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(PASSWORD_FILE_MAX).read_to_string(&mut text));
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(AddressError::PasswordFile { path: path.into(), error }),
    }
    let host = match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(_) => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let wanted = [
        host.as_str(),
        &port,
        config.get_dbname().unwrap_or_default(),
        config.get_user().unwrap_or_default(),
    ];
    Ok(text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let (password, names) = fields.split_last()?;
        let fits = names.len() == wanted.len()
            && names.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
        fits.then(|| password.clone())
    }))
}

/// The fields of a line; a backslash takes the next character as it is.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let last = fields.len() - 1;
        match character {
            ':' => fields.push(String::new()),
            '\\' => fields[last].extend(characters.next()),
            other => fields[last].push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Passwords {
        Passwords::default()
    }

    #[test]
    fn an_address_names_host_user_and_database_and_no_password() {
        for (address, why) in [
            ("postgres://user@host", "no database"),
            ("postgres:///campaigns?user=user", "no host"),
            ("postgres://host/campaigns", "no user"),
            ("postgres://user@host:many/campaigns", "port"),
        ] {
            let error = Address::read(address, &none()).err().expect(address).to_string();
            assert!(error.contains(why), "{address}: {error}");
        }
        let error =
            Address::read("postgres://user:secret@host/campaigns", &none()).err().unwrap().to_string();
        assert!(error.contains("password") && !error.contains("secret"), "{error}");
        let error = Address::read("postgres://user:secret@host:many/x", &none()).err().unwrap().to_string();
        assert!(!error.contains("secret"), "{error}");
        for address in [
            "postgres://user@host:many/x?password=secret",
            "postgres://user:se@secret@host:many/x",
            "postgres://user@host:many/x?sslpassword=secret&user=secret",
        ] {
            let error = Address::read(address, &none()).err().expect(address).to_string();
            assert!(!error.contains("secret") && error.contains("host:many"), "{error}");
        }
    }

    #[test]
    fn what_leaves_this_machine_is_encrypted_unless_somebody_says_otherwise() {
        for (address, mode) in [
            ("postgres://user@db.example/campaigns", SslMode::Require),
            ("postgres://user@db.example/campaigns?sslmode=prefer", SslMode::Prefer),
            ("postgres://user@localhost/campaigns", SslMode::Prefer),
            ("postgres://user@127.0.0.1/campaigns", SslMode::Prefer),
            // Whichever of them answers is told the password.
            ("postgres://user@localhost:1,db.example:2/campaigns", SslMode::Require),
            ("postgres://user@localhost/campaigns?hostaddr=192.0.2.1", SslMode::Require),
            ("postgres://user@localhost/campaigns?hostaddr=127.0.0.1", SslMode::Prefer),
        ] {
            assert_eq!(Address::read(address, &none()).unwrap().config().get_ssl_mode(), mode, "{address}");
        }
    }

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pgpass");
        std::fs::write(&file, "# mine\nother:*:*:*:no\n*:5433:campaigns:user:a\\:b\\\\c\n*:*:*:*:last\n")
            .unwrap();
        let passwords = Passwords { password: None, file: Some(file) };
        for (address, password) in [
            ("postgres://user@host:5433/campaigns", "a:b\\c"),
            ("postgres://user@host/campaigns", "last"),
            ("postgres://user@other/campaigns", "no"),
        ] {
            let read = Address::read(address, &passwords).unwrap();
            assert_eq!(read.config().get_password(), Some(password.as_bytes()), "{address}");
        }
        let two = Address::read("postgres://user@other:1,host:2/campaigns", &passwords).unwrap();
        assert_eq!(two.config().get_password(), None);
        let asked = Passwords { password: Some("from the environment".into()), ..passwords };
        let read = Address::read("postgres://user@other/campaigns", &asked).unwrap();
        assert_eq!(read.config().get_password(), Some(b"from the environment".as_slice()));
    }
}
