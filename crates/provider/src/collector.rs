//! Posts traces to an OpenTelemetry collector: OTLP over HTTP in its JSON encoding.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, Url};
use serde::Deserialize;

use crate::webhook::{Webhook, WebhookError};

/// Most bytes of an answer that are read: it is a few numbers and a sentence.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// A collector of traces.
#[derive(Debug)]
pub struct Collector(Webhook);

/// What became of spans that were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// They were taken, but for so many.
    Taken(u64),
    /// They were not taken, and may be after so many milliseconds.
    Later(u64),
}

/// An answer of the protocol, as far as anybody needs it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Answer {
    partial_success: Option<Partial>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Partial {
    rejected_spans: Count,
}

/// 64 bits, which the encoding writes as text; readers take numbers too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Text(String),
    Number(u64),
}

impl Default for Count {
    fn default() -> Count {
        Count::Number(0)
    }
}

impl Collector {
    /// The collector at the base address `address`; `v1/traces` is added. `headers` is a list `name=value,…`, as the environment variable
    /// of OpenTelemetry has it. Connects to nothing yet. The address must be `https`, or on this machine.
    ///
    /// # Errors
    /// The address or the headers cannot be used, or there is no client. No error shows a header.
    pub fn new(address: &str, headers: &str) -> Result<Collector, WebhookError> {
        let address = address.trim().trim_end_matches('/');
        Webhook::of("collector", &format!("{address}/v1/traces"), read(headers)?).map(Collector)
    }

    /// The host, for people.
    pub fn host(&self) -> String {
        self.0.host()
    }

    /// Sends one body, once.
    ///
    /// # Errors
    /// No answer came, or one that says that the same body will never be taken.
    pub async fn export(&self, body: String) -> Result<Exported, WebhookError> {
        let response = match self.0.send(body).await? {
            Ok(response) => response,
            Err(ms) => return Ok(Exported::Later(ms)),
        };
        // Whoever takes everything may as well say nothing.
        let answer: Answer = serde_json::from_slice(&beginning(response).await).unwrap_or_default();
        Ok(Exported::Taken(match answer.partial_success.unwrap_or_default().rejected_spans {
            Count::Text(text) => text.parse().unwrap_or(0),
            Count::Number(number) => number,
        }))
    }
}

async fn beginning(mut response: Response) -> Vec<u8> {
    let mut read = Vec::new();
    while let Ok(Some(piece)) = response.chunk().await {
        read.extend_from_slice(&piece);
        if read.len() > ANSWER_BYTES_MAX {
            return Vec::new();
        }
    }
    read
}

/// Headers as a list; values are percent-encoded.
fn read(list: &str) -> Result<HeaderMap, WebhookError> {
    let wrong =
        WebhookError::Address("collector", "has headers that cannot be read: write name=value,name=value");
    let mut headers = HeaderMap::new();
    for pair in list.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let header = pair.split_once('=').and_then(|(name, value)| {
            let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
            let mut value = HeaderValue::from_str(&decoded(value.trim())?).ok()?;
            value.set_sensitive(true);
            Some((name, value))
        });
        let (name, value) = header.ok_or_else(|| wrong.clone())?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// A value without its percent-encoding, which the parser of addresses knows.
fn decoded(value: &str) -> Option<String> {
    let url = Url::parse(&format!(
        "http://x/?v={}",
        value.replace('+', "%2B").replace('&', "%26").replace('#', "%23")
    ))
    .ok()?;
    url.query_pairs().next().map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_the_variable_of_opentelemetry_has_them_and_never_shown() {
        let headers = read("api-key=hunter2, Authorization=Basic%20YTpi+Q==").unwrap();
        assert_eq!(headers["authorization"], "Basic YTpi+Q==");
        assert!(!format!("{headers:?}").contains("hunter2"));
        for wrong in ["hunter2", "a b=hunter2", "x=hunter2%0a"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains("name=value") && !error.contains("hunter2"), "{error}");
        }
        let collector = Collector::new("http://127.0.0.1:4318/", "api-key=hunter2").unwrap();
        assert!(!format!("{collector:?}").contains("hunter2"));
    }
}
