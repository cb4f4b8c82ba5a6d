//! How a model server is reached: settings as configuration has them, and their checks.

use std::collections::BTreeMap;
use std::net::IpAddr;

use reqwest::Url;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use twicetold_dialect::Protocol;

/// How one model server is reached. No secrets: the key is named, not held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The URL before the protocol's own path, for example `http://localhost:11434/v1`. It is used as it is, so a server
    /// that wants `/v1` needs it here; a slash at the end or the path itself does no harm.
    pub base_url: String,
    /// The environment variable that holds the key. `None`: the server wants no key.
    #[serde(default)]
    pub api_key_env: Option<String>,
    /// May the key travel unencrypted to another machine? Without it a key goes by https, or to this machine.
    #[serde(default)]
    pub allow_http: bool,
    /// Longest time in milliseconds for which a server may send nothing. Before the first byte it is longer by the length of the request.
    #[serde(default = "default_timeout_ms")]
    pub timeout_ms: u64,
    /// Longest time for connecting, in milliseconds.
    #[serde(default = "default_connect_timeout_ms")]
    pub connect_timeout_ms: u64,
    /// Further headers by name, sent with every request. They are written into logs and recordings like any setting, so
    /// keys have no place here.
    #[serde(default)]
    pub extra_headers: BTreeMap<String, String>,
}

/// A model on a processor without a graphics card writes a few words a second.
fn default_timeout_ms() -> u64 {
    300_000
}

fn default_connect_timeout_ms() -> u64 {
    10_000
}

impl Settings {
    /// Does a vendor keep the server, as far as its settings tell: does it want a key, and is it on another machine?
    pub fn is_hosted(&self) -> bool {
        self.api_key_env.is_some() && base(&self.base_url).is_ok_and(|url| !is_loopback(&url))
    }

    /// Host and port: what two addresses of one server have in common. `None` where the base URL cannot be used.
    pub fn server(&self) -> Option<String> {
        let url = base(&self.base_url).ok()?;
        let host = if is_loopback(&url) { "localhost" } else { url.host_str()? };
        Some(format!("{host}:{}", url.port_or_known_default()?))
    }

    /// A server without a key, with the default times.
    pub fn new(base_url: impl Into<String>) -> Settings {
        Settings {
            base_url: base_url.into(),
            api_key_env: None,
            allow_http: false,
            timeout_ms: default_timeout_ms(),
            connect_timeout_ms: default_connect_timeout_ms(),
            extra_headers: BTreeMap::new(),
        }
    }

    /// The address that stands before the path of every request: it holds no key and may be shown.
    ///
    /// # Errors
    /// The base URL cannot be used.
    pub fn address(&self, path: &str) -> Result<String, SettingsError> {
        let url = endpoint(&self.base_url, path, "")?;
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }

    /// Would a key be sent unencrypted to another machine?
    ///
    /// # Errors
    /// It would, and `allow_http` does not say that it may; or the base URL cannot be used.
    pub fn check_transport(&self) -> Result<(), SettingsError> {
        let url = base(&self.base_url)?;
        let is_safe = url.scheme() == "https" || is_loopback(&url) || self.allow_http;
        if self.api_key_env.is_some() && !is_safe {
            return Err(SettingsError::Unencrypted { host: url.host_str().unwrap_or_default().to_owned() });
        }
        Ok(())
    }

    /// Whether a key is sent. `lookup` gives the value of an environment variable.
    ///
    /// # Errors
    /// A key is wanted and cannot be used, or is not there.
    pub fn has_key(&self, lookup: impl FnOnce(&str) -> Option<String>) -> Result<bool, SettingsError> {
        key(self, lookup).map(|key| key.is_some())
    }
}

/// Why settings cannot be used. No message shows a key, or a URL that might hold one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// The base URL is not one.
    #[error("base_url {reason}")]
    BaseUrl {
        /// What is wrong with it.
        reason: String,
    },
    /// The variable is not set, or empty.
    #[error("the environment variable {variable}, which api_key_env names, is not set")]
    NoKey {
        /// The variable's name.
        variable: String,
    },
    /// The key cannot stand in a header.
    #[error("the key in the environment variable {variable} holds characters that no key has")]
    BadKey {
        /// The variable's name.
        variable: String,
    },
    /// The key would travel unencrypted.
    #[error("its key would travel to {host} unencrypted; use https, or set allow_http = true for this model")]
    Unencrypted {
        /// The server's host.
        host: String,
    },
    /// A header cannot be sent.
    #[error("extra_headers: `{name}` {reason}")]
    Header {
        /// The header's name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A time of zero would end every call before it begins.
    #[error("{field} must be at least 1")]
    ZeroTime {
        /// The field's name.
        field: &'static str,
    },
    /// The HTTP client could not be made, for instance for want of certificates.
    #[error("the HTTP client could not be made: {reason}")]
    Client {
        /// What the client says.
        reason: String,
    },
}

/// A base URL that can be used.
fn base(base_url: &str) -> Result<Url, SettingsError> {
    let refuse = |reason: &str| Err(SettingsError::BaseUrl { reason: reason.to_owned() });
    let url = match Url::parse(base_url.trim()) {
        Ok(url) => url,
        Err(_) if !base_url.trim().is_empty() && !base_url.contains("://") => {
            return refuse("is not a URL: it must begin with http:// or https://");
        }
        Err(error) => return refuse(&format!("is not a URL: {error}")),
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("must begin with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse(
            "holds a user name or password; put a key into an environment variable and name it in api_key_env",
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("must end with its path: no `?` and no `#`");
    }
    Ok(url)
}

/// The URL with this end: `base_url` may already have the path that requests go to.
pub(crate) fn endpoint(base_url: &str, path: &str, end: &str) -> Result<Url, SettingsError> {
    let mut url = base(base_url)?;
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let base = url.path().trim_end_matches('/');
    let base = base.strip_suffix(path).unwrap_or(base).trim_end_matches('/');
    let (end, query) = end.split_once('?').map_or((end, None), |(end, query)| (end, Some(query)));
    let full = format!("{base}{end}");
    url.set_path(&full);
    url.set_query(query);
    Ok(url)
}

/// The key that the settings name.
pub(crate) fn key(
    settings: &Settings,
    lookup: impl FnOnce(&str) -> Option<String>,
) -> Result<Option<String>, SettingsError> {
    let Some(variable) = &settings.api_key_env else {
        return Ok(None);
    };
    // A key that was read from a file ends with a line break.
    let key = lookup(variable).unwrap_or_default().trim().to_owned();
    if key.is_empty() {
        Err(SettingsError::NoKey { variable: variable.clone() })
    } else if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Err(SettingsError::BadKey { variable: variable.clone() })
    } else {
        Ok(Some(key))
    }
}

/// The headers of every request.
pub(crate) fn headers(
    settings: &Settings,
    protocol: Protocol,
    key: Option<&str>,
) -> Result<HeaderMap, SettingsError> {
    let mut headers = HeaderMap::new();
    let protocols_own = protocol.headers(Some(""));
    for (name, text) in &settings.extra_headers {
        let refuse = |reason| SettingsError::Header { name: name.clone(), reason };
        let header = HeaderName::try_from(name.as_str()).map_err(|_| refuse("is not a header's name"))?;
        if protocols_own.iter().any(|(name, _)| header == *name) {
            return Err(refuse(
                "is written by the protocol; a key's environment variable is named in api_key_env",
            ));
        }
        if [CONTENT_TYPE, CONTENT_LENGTH, HOST].contains(&header) {
            return Err(refuse("follows from the request and cannot be set"));
        }
        let value = HeaderValue::try_from(text.as_str())
            .map_err(|_| refuse("has a value that a header cannot hold"))?;
        headers.insert(header, value);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, text) in protocol.headers(key) {
        let variable = || settings.api_key_env.clone().unwrap_or_default();
        let mut value =
            HeaderValue::try_from(text).map_err(|_| SettingsError::BadKey { variable: variable() })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

/// Is the server on this machine?
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAT: &str = "/chat/completions";

    #[test]
    fn the_path_is_added_to_the_base_url_once() {
        let table = [
            ("http://localhost:8080/v1", "http://localhost:8080/v1/chat/completions"),
            ("http://localhost:8080/v1/", "http://localhost:8080/v1/chat/completions"),
            (" https://host ", "https://host/chat/completions"),
            ("https://host/", "https://host/chat/completions"),
            ("https://host/api/v1//", "https://host/api/v1/chat/completions"),
            ("https://host/v1/chat/completions", "https://host/v1/chat/completions"),
            ("https://host/v1/chat/completions/", "https://host/v1/chat/completions"),
        ];
        for (base_url, expected) in table {
            assert_eq!(endpoint(base_url, CHAT, CHAT).unwrap().as_str(), expected);
            let address = Settings::new(base_url).address(CHAT).unwrap();
            assert_eq!(format!("{address}/chat/completions"), expected);
        }
    }

    #[test]
    fn a_base_url_that_cannot_be_used_is_refused_without_being_shown() {
        let table = [
            ("", "is not a URL"),
            ("hunter2", "is not a URL"),
            ("localhost:8080/v1?hunter2", "must begin with http://"),
            ("ftp://hunter2/v1", "must begin with http://"),
            ("https://user:hunter2@host/v1", "api_key_env"),
            ("https://hunter2@host/v1", "api_key_env"),
            ("https://:hunter2@host/v1", "api_key_env"),
            ("https://host/v1?key=hunter2", "no `?`"),
            ("https://host/v1#hunter2", "no `#`"),
            ("https://hunter2:port/", "is not a URL"),
        ];
        for (base_url, expected) in table {
            let message = endpoint(base_url, CHAT, CHAT).unwrap_err().to_string();
            assert!(message.starts_with("base_url ") && message.contains(expected), "{base_url}: {message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn a_key_is_trimmed_and_one_that_is_absent_or_broken_is_refused() {
        let settings = Settings { api_key_env: Some("KEY".into()), ..Settings::new("http://host") };
        let with =
            |value: Option<&str>| key(&settings, |name| value.filter(|_| name == "KEY").map(str::to_owned));
        assert_eq!(with(Some(" sk-1\n")), Ok(Some("sk-1".into())));
        for absent in [None, Some(""), Some(" \n")] {
            assert_eq!(with(absent), Err(SettingsError::NoKey { variable: "KEY".into() }));
        }
        for broken in ["sk 1", "sk-\u{e9}", "sk\n1"] {
            let error = with(Some(broken)).unwrap_err();
            assert!(error.to_string().contains("KEY") && !error.to_string().contains("sk"));
        }
        assert_eq!(key(&Settings::new("http://host"), |_| Some("unasked".into())), Ok(None));
        assert_eq!(settings.has_key(|_| Some("sk-1".into())), Ok(true));
        assert_eq!(Settings::new("http://host").has_key(|_| None), Ok(false));
    }

    #[test]
    fn a_key_travels_by_https_or_to_this_machine_unless_it_is_allowed_to() {
        let with_key =
            |url: &str| Settings { api_key_env: Some("KEY".into()), ..Settings::new(url) }.check_transport();
        for safe in ["https://host/v1", "http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]/v1"] {
            assert_eq!(with_key(safe), Ok(()), "{safe}");
        }
        for unsafe_url in ["http://192.0.2.2/v1", "http://localhost.example/v1", "http://10.0.0.1:8080"] {
            let host = unsafe_url[7..].split(['/', ':']).next().unwrap().to_owned();
            assert_eq!(with_key(unsafe_url), Err(SettingsError::Unencrypted { host }));
        }
        let open = Settings::new("http://192.0.2.2/v1");
        assert_eq!(open.check_transport(), Ok(()), "without a key there is nothing to protect");
        let allowed = Settings { api_key_env: Some("KEY".into()), allow_http: true, ..open };
        assert_eq!(allowed.check_transport(), Ok(()));
    }

    #[test]
    fn headers_that_are_ours_or_none_at_all_are_refused_by_name() {
        for (name, value) in
            [("Authorization", "x"), ("content-type", "x"), ("Host", "x"), ("a b", "x"), ("x", "a\nb")]
        {
            let settings = Settings {
                extra_headers: [(name.into(), value.into())].into(),
                ..Settings::new("http://host")
            };
            assert!(
                headers(&settings, Protocol::ChatCompletions, None).unwrap_err().to_string().contains(name)
            );
        }
    }

    #[test]
    fn the_key_is_hidden_in_the_debug_form_of_the_headers() {
        let shown = format!(
            "{:?}",
            headers(&Settings::new("http://host"), Protocol::ChatCompletions, Some("sk-secret")).unwrap()
        );
        assert!(shown.contains("authorization") && !shown.contains("sk-secret"), "{shown}");
    }

    #[test]
    fn servers_on_this_machine_are_known_as_such() {
        let is_local = |url: &str| is_loopback(&Url::parse(url).unwrap());
        for url in [
            "http://localhost:1",
            "http://LOCALHOST.",
            "http://a.localhost",
            "http://127.9.9.9",
            "http://[::1]:8",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in ["http://localhost.example", "http://10.0.0.1", "http://[::2]", "http://127.0.0.1.example"]
        {
            assert!(!is_local(url), "{url}");
        }
    }

    #[test]
    fn settings_are_read_from_toml_with_defaults_and_unknown_fields_are_refused() {
        let settings: Settings = toml::from_str("base_url = \"http://host/v1\"").unwrap();
        assert_eq!(settings, Settings::new("http://host/v1"));
        assert!(toml::from_str::<Settings>("base_url = \"x\"\napi_key = \"sk\"").is_err());
    }
}
