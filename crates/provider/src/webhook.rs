//! Posts bodies to a webhook whose address is a secret, and to a collector of traces: here because only this crate speaks HTTP.

use std::fmt;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use thiserror::Error;
use twicetold_dialect::{RetryHeaders, visible};

use crate::http::{chain, install_crypto};
use crate::settings::is_loopback;

/// Longest time for one post, in milliseconds: a chat server that takes longer is not there.
const POST_MS_MAX: u64 = 15_000;

/// Milliseconds to wait where a server is busy and does not say for how long.
const WAIT_MS_DEFAULT: u64 = 1_000;

/// Most characters of a reason to show.
const SHOWN_CHARACTERS_MAX: usize = 200;

/// An address that takes messages. Whoever knows it may post, so nothing here ever shows more of it than its host.
pub struct Webhook {
    what: &'static str,
    url: Url,
    headers: HeaderMap,
    client: Client,
}

/// What became of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// It was taken.
    Taken,
    /// It was not taken, and may be after so many milliseconds.
    Later(u64),
}

/// Why a webhook cannot be posted to. No message shows its address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WebhookError {
    /// The address cannot be used.
    #[error("the address of the {0} {1}")]
    Address(&'static str, &'static str),
    /// The HTTP client could not be made, for instance for want of certificates.
    #[error("the HTTP client could not be made: {0}")]
    Client(String),
    /// There is no connection, so nothing was sent: to try again posts nothing twice.
    #[error("the {what} at {host} cannot be reached: {reason}")]
    Unreached {
        /// What takes messages there.
        what: &'static str,
        /// The host alone.
        host: String,
        /// What the client says.
        reason: String,
    },
    /// No answer came.
    #[error("the {what} at {host} gives no answer: {reason}")]
    Silent {
        /// What takes messages there.
        what: &'static str,
        /// The host alone.
        host: String,
        /// What the client says.
        reason: String,
    },
    /// It does not take the post.
    #[error("the {what} at {host} rejected the message with status {status}")]
    Refused {
        /// What takes messages there.
        what: &'static str,
        /// The host alone.
        host: String,
        /// The status.
        status: u16,
    },
}

impl Webhook {
    /// Connects to nothing yet. The address must be `https`, or on this machine.
    ///
    /// # Errors
    /// The address cannot be used, or there is no client.
    pub fn new(address: &str) -> Result<Webhook, WebhookError> {
        Webhook::of("webhook", address, HeaderMap::new())
    }

    /// The same for whatever else takes messages, with headers to send along.
    pub(crate) fn of(what: &'static str, address: &str, headers: HeaderMap) -> Result<Webhook, WebhookError> {
        let url = Url::parse(address.trim()).map_err(|_| WebhookError::Address(what, "is not a URL"))?;
        let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url));
        if !is_safe || url.host_str().is_none() {
            return Err(WebhookError::Address(what, "must begin with https://"));
        }
        let mut builder = Client::builder()
            .user_agent(concat!("twicetold/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .timeout(Duration::from_millis(POST_MS_MAX));
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        if url.scheme() == "http" {
            builder = builder.tls_certs_only([]);
        }
        install_crypto();
        let client = builder.build().map_err(|error| WebhookError::Client(chain(&error)))?;
        Ok(Webhook { what, url, headers, client })
    }

    /// Posts one body of JSON, once.
    ///
    /// # Errors
    /// No answer came, or one that says that the same body will never be taken.
    pub async fn post(&self, body: String) -> Result<Posted, WebhookError> {
        Ok(self.send(body).await?.map_or_else(Posted::Later, |_| Posted::Taken))
    }

    /// The same, with the answer of whatever took it, or the milliseconds after which it may be taken.
    pub(crate) async fn send(&self, body: String) -> Result<Result<Response, u64>, WebhookError> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body);
        let what = self.what;
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                let (host, is_connect) = (self.host(), error.is_connect());
                let reason = visible(&chain(&error.without_url()), SHOWN_CHARACTERS_MAX);
                return Err(match is_connect {
                    true => WebhookError::Unreached { what, host, reason },
                    false => WebhookError::Silent { what, host, reason },
                });
            }
        };
        let status = response.status();
        if status.is_success() {
            return Ok(Ok(response));
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Ok(Err(wait_ms(response.headers())));
        }
        Err(WebhookError::Refused { what, host: self.host(), status: status.as_u16() })
    }

    pub(crate) fn host(&self) -> String {
        visible(self.url.host_str().unwrap_or_default(), SHOWN_CHARACTERS_MAX)
    }
}

/// How long a server wants to be left alone.
fn wait_ms(headers: &HeaderMap) -> u64 {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let headers =
        RetryHeaders { retry_after: header("retry-after"), date: header("date"), ..RetryHeaders::default() };
    headers.wait_ms().unwrap_or(WAIT_MS_DEFAULT)
}

/// Without the address.
impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("host", &self.host()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_used_is_refused_without_being_shown() {
        for address in
            ["hunter2", "http://host.example/hunter2", "ftp://127.0.0.1/hunter2", "https://?hunter2"]
        {
            let error = Webhook::new(address).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
        let webhook = Webhook::new("https://host.example/api/webhooks/1/hunter2").unwrap();
        assert!(!format!("{webhook:?}").contains("hunter2"));
    }
}
