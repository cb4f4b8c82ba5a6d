//! A model server over HTTP, by whatever protocol.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use rustls::crypto::CryptoProvider;
use tracing::debug;
use twicetold_dialect::{Protocol, RetryHeaders, visible};
use twicetold_model::{Fault, FaultKind};

use crate::redact::Redactor;
use crate::settings::{Settings, SettingsError, endpoint, headers, is_loopback, key};
use crate::{Completion, Provider};

/// Most bytes of a reply that are read, after decompression: 2 MiB.
pub const BODY_BYTES_MAX: usize = 2 << 20;

/// Maximum bytes that are read of an error body: the message is at its beginning.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Most characters of a broken answer to show.
const SHOWN_CHARACTERS_MAX: usize = 200;

/// One endpoint of a model server.
///
/// It sends one request per call: no retries, no redirects, for these are decided and recorded elsewhere. Proxies are
/// taken from the environment as usual (`HTTPS_PROXY`, `NO_PROXY`, …), but never for a server on this machine.
pub struct HttpModel {
    name: String,
    protocol: Protocol,
    url: Url,
    models_url: Url,
    client: Client,
    redactor: Redactor,
    settings: Settings,
}

impl HttpModel {
    /// Connects to nothing yet. Requests go to `path` behind the address of the settings; `lookup` gives the value of an environment variable.
    ///
    /// # Errors
    /// When a setting cannot be used, or the key is not there.
    pub fn new(
        name: impl Into<String>,
        protocol: Protocol,
        path: &str,
        settings: &Settings,
        lookup: impl FnOnce(&str) -> Option<String>,
    ) -> Result<HttpModel, SettingsError> {
        let url = endpoint(&settings.base_url, path, path)?;
        let models_url = endpoint(&settings.base_url, path, protocol.models_path())?;
        settings.check_transport()?;
        let key = key(settings, lookup)?;
        let timeout = |field, milliseconds| match milliseconds {
            0 => Err(SettingsError::ZeroTime { field }),
            _ => Ok(Duration::from_millis(milliseconds)),
        };
        let mut builder = Client::builder()
            .default_headers(headers(settings, protocol, key.as_deref())?)
            .user_agent(concat!("twicetold/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .timeout(timeout("timeout_ms", settings.timeout_ms)?)
            .connect_timeout(timeout("connect_timeout_ms", settings.connect_timeout_ms)?);
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        if url.scheme() == "http" {
            // Nothing to verify: a machine without certificates can still use the model server beside it.
            builder = builder.tls_certs_only([]);
        }
        install_crypto();
        let client = builder.build().map_err(|error| SettingsError::Client { reason: chain(&error) })?;
        let redactor = Redactor::new(key.as_deref());
        let (name, settings) = (name.into(), settings.clone());
        Ok(HttpModel { name, protocol, url, models_url, client, redactor, settings })
    }

    async fn list(&self) -> Result<String, Fault> {
        self.send(self.client.get(self.models_url.clone()), &self.models_url).await
    }

    async fn call(&self, body: &str) -> Result<String, Fault> {
        self.send(self.client.post(self.url.clone()).body(body.to_owned()), &self.url).await
    }

    async fn send(&self, request: RequestBuilder, url: &Url) -> Result<String, Fault> {
        let response = request.send().await.map_err(|error| self.fault_of_send(error, url))?;
        let status = response.status();
        let headers = response.headers().clone();
        let limit = if status.is_success() { BODY_BYTES_MAX } else { ERROR_BYTES_MAX };
        let (bytes, end) = read(response, limit).await;
        debug!(provider = %self.name, status = status.as_u16(), bytes = bytes.len(), "answer received");
        if status.is_success() {
            self.body_of(status, bytes, end)
        } else {
            Err(self.fault_of(status, &headers, &bytes, url))
        }
    }

    /// The body of a success, whole or not at all.
    fn body_of(&self, status: StatusCode, bytes: Vec<u8>, end: End) -> Result<String, Fault> {
        let length = bytes.len();
        let beginning = |bytes: &[u8]| {
            let text = self.redactor.redact(String::from_utf8_lossy(bytes).into_owned());
            visible(&text, SHOWN_CHARACTERS_MAX)
        };
        let (kind, message) = match end {
            End::Whole => match String::from_utf8(bytes) {
                Ok(body) => return Ok(self.redactor.redact(body)),
                Err(error) => {
                    let (at, shown) = (error.utf8_error().valid_up_to(), beginning(error.as_bytes()));
                    let message = format!("byte {at} of {length} is not UTF-8; what came: {shown}");
                    (FaultKind::Unreadable, message)
                }
            },
            End::TooLarge => (FaultKind::TooLarge, format!("more than {BODY_BYTES_MAX} bytes")),
            End::Broken(error) if error.is_timeout() => {
                let allowed = self.settings.timeout_ms;
                (
                    FaultKind::Timeout,
                    format!("{length} bytes came within the {allowed} ms allowed, but not the end"),
                )
            }
            End::Broken(error) => {
                let reason = self.redactor.redact(chain(&error.without_url()));
                let shown = beginning(&bytes);
                (FaultKind::Truncated, format!("cut off after {length} bytes: {reason}; what came: {shown}"))
            }
        };
        Err(Fault { kind, status: Some(status.as_u16()), retry_after_ms: None, message })
    }

    /// What a status other than 2xx means. What came of its body will do, whole or not.
    fn fault_of(&self, status: StatusCode, headers: &HeaderMap, bytes: &[u8], url: &Url) -> Fault {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let retry = RetryHeaders {
            retry_after_ms: header("retry-after-ms"),
            retry_after: header("retry-after"),
            date: header("date"),
        };
        let body = self.redactor.redact(String::from_utf8_lossy(bytes).into_owned());
        let mut fault = self.protocol.classify(status.as_u16(), &retry, &body);
        if status.is_redirection() {
            let target = self.redactor.redact(header(LOCATION.as_str()).unwrap_or("nowhere").to_owned());
            let target = visible(&target, SHOWN_CHARACTERS_MAX);
            fault.message = format!("{url} redirects to {target}; base_url must be the final address");
        } else if matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) {
            fault.message = format!("{} ({url} was asked)", fault.message);
        }
        fault
    }

    /// What it means when no answer began.
    fn fault_of_send(&self, error: reqwest::Error, url: &Url) -> Fault {
        let kind = if error.is_connect() {
            FaultKind::Unreachable
        } else if error.is_timeout() {
            FaultKind::Timeout
        } else {
            FaultKind::Truncated
        };
        let reason = self.redactor.redact(chain(&error.without_url()));
        let message = match kind {
            FaultKind::Timeout => {
                format!("no answer from {url} within {} ms", self.settings.timeout_ms)
            }
            FaultKind::Unreachable => format!("no connection to {url}: {reason}"),
            _ => format!("cut off after 0 bytes by {url}: {reason}"),
        };
        Fault::new(kind, visible(&message, 2 * SHOWN_CHARACTERS_MAX))
    }
}

impl Provider for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(self.call(body))
    }

    fn models(&self) -> Option<Completion<'_>> {
        Some(Box::pin(self.list()))
    }
}

/// Without the client, whose headers hold the key.
impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel")
            .field("name", &self.name)
            .field("protocol", &self.protocol)
            .field("url", &self.url.as_str())
            .finish_non_exhaustive()
    }
}

/// How a body ended.
enum End {
    Whole,
    TooLarge,
    Broken(reqwest::Error),
}

/// Reads piece by piece, so that what came before a break is kept and what is too much is never held.
async fn read(mut response: Response, limit: usize) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > limit => {
                bytes.extend_from_slice(&chunk[..limit - bytes.len()]);
                return (bytes, End::TooLarge);
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return (bytes, End::Whole),
            Err(error) => return (bytes, End::Broken(error)),
        }
    }
}

/// reqwest panics when it builds a client and finds no cryptography.
pub(crate) fn install_crypto() {
    if CryptoProvider::get_default().is_none() {
        // An error says that another thread was faster, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

/// An error with its causes: reqwest's own words alone say little. Those that only say that one was sending are left out where a
/// cause says more.
pub(crate) fn chain(error: &dyn Error) -> String {
    const SAYS_LITTLE: [&str; 2] = ["error sending request", "client error (Connect)"];
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        texts.push(error.to_string());
        cause = error.source();
    }
    let last = texts.len() - 1;
    let says_more = texts.iter().position(|text| !SAYS_LITTLE.contains(&text.as_str())).unwrap_or(last);
    texts[says_more..].join(": ")
}
