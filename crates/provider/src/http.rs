//! A model server over HTTP, by whatever protocol.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use rustls::crypto::CryptoProvider;
use tokio::time::{Instant, timeout, timeout_at};
use tracing::debug;
use twicetold_dialect::{Compat, Protocol, Question, RetryHeaders, Wire, model_names, visible, window};
use twicetold_model::{Fault, FaultKind};

use crate::redact::Redactor;
use crate::settings::{Settings, SettingsError, endpoint, headers, is_loopback, key};
use crate::{AskedWindow, Completion, Heard, Provider};

/// Most bytes of a reply, after decompression: 2 MiB. Of a stream, those of the reply that it amounts to.
pub const BODY_BYTES_MAX: usize = 2 << 20;

/// Most bytes of an answer that are read: a stream takes some 300 bytes for each token, of which a reply that thinks has tens of thousands.
const STREAM_BYTES_MAX: usize = 16 << 20;

/// Maximum bytes that are read of an error body: the message is at its beginning.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// A request of so many bytes is read at once; for each one more a server may say nothing for so long. A slow processor reads some 20 tokens
/// a second, and a token has some four bytes.
const READ_AT_ONCE: usize = 4 << 10;
const READING_PER_BYTE: Duration = Duration::from_millis(13);

/// A stream is searched for repetition whenever so many bytes more have come (some twenty words), and of a long one an eighth: each time
/// it is read from its beginning.
const LOOKED_AT_BYTES: usize = 4 << 10;

/// Longest time for one answer: 2,000 tokens at one a second, and some more.
const WHOLE_MAX: Duration = Duration::from_secs(3_600);

/// Longest time for what a server is asked beside its calls: nothing depends on it.
const ASIDE_MAX: Duration = Duration::from_secs(2);

/// Names of a server's models that are told where it has none of the name that was asked for.
const NAMES_SHOWN_MAX: usize = 8;

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
    /// The address before the paths of the protocol.
    address: Url,
    client: Client,
    redactor: Redactor,
    /// How long a server may say nothing.
    silence: Duration,
}

impl HttpModel {
    /// Connects to nothing yet. `name` is the model's name on its server. Requests go to `path` behind the address of the settings; `lookup`
    /// gives the value of an environment variable.
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
        let address = endpoint(&settings.base_url, path, "")?;
        settings.check_transport()?;
        let key = key(settings, lookup)?;
        let time = |field, milliseconds| match milliseconds {
            0 => Err(SettingsError::ZeroTime { field }),
            _ => Ok(Duration::from_millis(milliseconds)),
        };
        let silence = time("timeout_ms", settings.timeout_ms)?;
        let mut builder = Client::builder()
            .default_headers(headers(settings, protocol, key.as_deref())?)
            .user_agent(concat!("twicetold/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(time("connect_timeout_ms", settings.connect_timeout_ms)?);
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
        let name = name.into();
        Ok(HttpModel { name, protocol, url, address, client, redactor, silence })
    }

    async fn list(&self) -> Result<String, Fault> {
        let path = self.protocol.models_path().to_owned();
        self.ask(&Question { path, body: None }).await
    }

    /// Asks what is no call of a model.
    async fn ask(&self, question: &Question) -> Result<String, Fault> {
        let url = self.at(&question.path);
        let request = match &question.body {
            Some(body) => self.client.post(url.clone()).body(body.clone()),
            None => self.client.get(url.clone()),
        };
        self.send(request, &url, 0, &|_| {}).await
    }

    /// The address with this end.
    fn at(&self, end: &str) -> Url {
        let mut url = self.address.clone();
        let path = format!("{}{end}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }

    async fn ask_window(&self, model: &str) -> Option<u32> {
        for question in self.protocol.window_questions(model) {
            // A server that is slow to say nothing is not asked more.
            let answer = timeout(ASIDE_MAX, self.ask(&question)).await.ok()?;
            if let Some(tokens) = answer.ok().and_then(|answer| window(&answer, model)) {
                return Some(tokens);
            }
        }
        None
    }

    /// What a server that does not know a model could be asked instead, where it says so.
    async fn other_models(&self, model: &str) -> Option<String> {
        let list = timeout(ASIDE_MAX, self.list()).await.ok()?.ok()?;
        let mut names = model_names(&list);
        let count = names.len();
        if count == 0 || names.iter().any(|name| name == model) {
            return None;
        }
        let alike =
            |name: &str| name.chars().zip(model.chars()).take_while(|(one, other)| one == other).count();
        names.sort_by_key(|name| std::cmp::Reverse(alike(name)));
        let shown = names.iter().take(NAMES_SHOWN_MAX).map(|name| visible(name, SHOWN_CHARACTERS_MAX / 2));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = if count > NAMES_SHOWN_MAX {
            format!(" and {} more", count - NAMES_SHOWN_MAX)
        } else {
            String::new()
        };
        Some(format!("; the server has the models {shown}{more}"))
    }

    async fn call(&self, body: &str, heard: Heard<'_>) -> Result<String, Fault> {
        let request = self.client.post(self.url.clone()).body(body.to_owned());
        let answer = match self.send(request, &self.url, body.len(), heard).await {
            Err(mut fault) if fault.status == Some(StatusCode::NOT_FOUND.as_u16()) => {
                fault.message += &self.other_models(&self.name).await.unwrap_or_default();
                return Err(fault);
            }
            answer => answer?,
        };
        // What was streamed is kept as the body that it amounts to; another answer stays as it is.
        // A key that came in two pieces is one now.
        let body = self.protocol.assemble(&answer).map(|body| self.redactor.redact(body))?;
        if body.len() > BODY_BYTES_MAX {
            return Err(Fault::new(FaultKind::TooLarge, format!("more than {BODY_BYTES_MAX} bytes")));
        }
        match self.joins_the_key(&body) {
            true => {
                let message = "the server sends the key back in pieces that are one text when they are read; \
                               give it a key of its own, or use another server";
                Err(Fault::new(FaultKind::Unreadable, message))
            }
            false => Ok(body),
        }
    }

    /// Does the key stand in what a body is read as, and not in its bytes?
    fn joins_the_key(&self, body: &str) -> bool {
        let wire = Wire { protocol: self.protocol, compat: Compat::default() };
        let Ok(reply) = wire.decode(body) else { return false };
        let calls = reply.tool_calls.iter().flat_map(|call| [&call.id, &call.name, &call.arguments]);
        calls.chain([&reply.text, &reply.thinking]).any(|text| self.redactor.finds(text))
    }

    async fn send(
        &self,
        request: RequestBuilder,
        url: &Url,
        sent: usize,
        heard: Heard<'_>,
    ) -> Result<String, Fault> {
        let allowed =
            self.silence + READING_PER_BYTE * u32::try_from(sent.saturating_sub(READ_AT_ONCE)).unwrap_or(0);
        let response = match timeout(allowed, request.send()).await {
            Ok(response) => response.map_err(|error| self.fault_of_send(error, url))?,
            Err(_) => {
                let message = format!("no answer from {url} within {} ms", allowed.as_millis());
                return Err(Fault::new(FaultKind::Timeout, visible(&message, 2 * SHOWN_CHARACTERS_MAX)));
            }
        };
        let status = response.status();
        let headers = response.headers().clone();
        let limit = match response.headers().get(CONTENT_TYPE) {
            _ if !status.is_success() => ERROR_BYTES_MAX,
            Some(kind) if kind.as_bytes().starts_with(b"text/event-stream") => STREAM_BYTES_MAX,
            Some(kind) if kind.as_bytes().starts_with(b"application/x-ndjson") => STREAM_BYTES_MAX,
            _ => BODY_BYTES_MAX,
        };
        let heard: Heard<'_> = if status.is_success() { heard } else { &|_| {} };
        let (bytes, end) = self.read(response, (limit, allowed), heard).await;
        debug!(provider = %self.name, status = status.as_u16(), bytes = bytes.len(), "answer received");
        if status.is_success() {
            self.body_of(status, bytes, (end, sent))
        } else {
            Err(self.fault_of(status, &headers, &bytes, url))
        }
    }

    /// Reads piece by piece, so that what came before a break is kept and what is too much is never held. A reply that says the same over
    /// and over is read no further: the server sees that nobody listens, and stops.
    /// Before its first word a server may be silent as long as it may read: some send the headers at once.
    async fn read(
        &self,
        mut response: Response,
        (limit, allowed): (usize, Duration),
        heard: Heard<'_>,
    ) -> (Vec<u8>, End) {
        let mut bytes = Vec::new();
        let whole = Instant::now() + WHOLE_MAX;
        let mut silence = allowed;
        let mut quiet = Instant::now() + silence;
        let mut looked_at = 0;
        loop {
            match timeout_at(quiet.min(whole), response.chunk()).await {
                Err(_) if whole <= quiet => return (bytes, End::Endless),
                Err(_) => return (bytes, End::Silent(silence)),
                Ok(Ok(Some(chunk))) if bytes.len() + chunk.len() > limit => {
                    bytes.extend_from_slice(&chunk[..limit - bytes.len()]);
                    return (bytes, End::TooLarge);
                }
                Ok(Ok(Some(chunk))) => {
                    if !is_ping(&chunk) {
                        silence = self.silence;
                        quiet = Instant::now() + silence;
                    }
                    bytes.extend_from_slice(&chunk);
                    heard(&bytes);
                    if bytes.len() >= looked_at + LOOKED_AT_BYTES.max(looked_at / 8) {
                        looked_at = bytes.len();
                        if str::from_utf8(&bytes).is_ok_and(|stream| self.protocol.repeats_itself(stream)) {
                            return (bytes, End::Repeats);
                        }
                    }
                }
                Ok(Ok(None)) => return (bytes, End::Whole),
                Ok(Err(error)) => return (bytes, End::Broken(error)),
            }
        }
    }

    /// The body of a success, whole or not at all, to a request of `sent` bytes.
    fn body_of(
        &self,
        status: StatusCode,
        bytes: Vec<u8>,
        (end, sent): (End, usize),
    ) -> Result<String, Fault> {
        let length = bytes.len();
        // A stream that said all that belongs to a reply is one, however its connection ends: it is paid.
        let is_whole = |stream: &str| self.protocol.assemble(stream).is_ok_and(|body| body != stream);
        let end = match end {
            End::Silent(_) | End::Endless | End::Broken(_) if str::from_utf8(&bytes).is_ok_and(is_whole) => {
                End::Whole
            }
            end => end,
        };
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
            End::Repeats => {
                let body =
                    str::from_utf8(&bytes).ok().and_then(|stream| self.protocol.given_up(stream, sent));
                match body {
                    Some(body) => return Ok(body),
                    None => (FaultKind::Unreadable, format!("{length} bytes that repeat themselves")),
                }
            }
            End::TooLarge => (FaultKind::TooLarge, format!("more than {length} bytes")),
            End::Silent(allowed) => {
                let allowed = allowed.as_millis();
                (
                    FaultKind::Timeout,
                    format!("{length} bytes came, and then nothing for the {allowed} ms allowed"),
                )
            }
            End::Endless => (FaultKind::Timeout, format!("not finished within {} s", WHOLE_MAX.as_secs())),
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
        let of_limits = headers.iter().filter(|(name, _)| RetryHeaders::is_of_limits(name.as_str()));
        let limits: Vec<(&str, &str)> =
            of_limits.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?))).collect();
        let retry = RetryHeaders {
            retry_after_ms: header("retry-after-ms"),
            retry_after: header("retry-after"),
            date: header("date"),
            limits: &limits,
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
        let kind = if error.is_connect() { FaultKind::Unreachable } else { FaultKind::Truncated };
        let reason = self.redactor.redact(chain(&error.without_url()));
        let message = match kind {
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
        Box::pin(self.call(body, &|_| {}))
    }

    fn complete_heard<'a>(&'a self, body: &'a str, heard: Heard<'a>) -> Completion<'a> {
        Box::pin(self.call(body, heard))
    }

    fn without_keys(&self, text: String) -> String {
        self.redactor.redact(text)
    }

    fn models(&self) -> Option<Completion<'_>> {
        Some(Box::pin(self.list()))
    }

    fn window(&self) -> Option<AskedWindow<'_>> {
        Some(Box::pin(self.ask_window(&self.name)))
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
    /// Nothing came for this long, which is too long.
    Silent(Duration),
    /// It came for too long.
    Endless,
    /// It says the same over and over.
    Repeats,
    Broken(reqwest::Error),
}

/// Does a server only say that it is still there?
fn is_ping(chunk: &[u8]) -> bool {
    let says_nothing = |line: &[u8]| {
        let line = line.trim_ascii();
        line.is_empty()
            || line.starts_with(b":")
            || line == b"event: ping"
            || line == b"data: {\"type\": \"ping\"}"
    };
    chunk.split(|byte| *byte == b'\n').all(says_nothing)
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
