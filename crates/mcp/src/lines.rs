//! The protocol's stdio transport: one JSON-RPC message a line. Lines are read and written by threads of their own, so that a process
//! that stops never waits for its standard input.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::thread;

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::limits::{MESSAGE_BYTES_MAX, MESSAGES_WAITING_MAX};

/// A connection by lines.
pub struct Lines {
    incoming: mpsc::Receiver<Line>,
    outgoing: Option<mpsc::Sender<String>>,
    /// Was a request read? What comes before the first one is passed over.
    begun: bool,
}

/// A line that was read.
enum Line {
    Whole(Vec<u8>),
    /// It was longer than a message may be, and was dropped.
    TooLong,
}

impl Lines {
    /// Reads `input` and writes to `output` until either ends. The second value is ready when all that was sent is written.
    ///
    /// # Errors
    /// No thread could be started.
    pub fn open(
        input: impl Read + Send + 'static,
        mut output: impl Write + Send + 'static,
    ) -> std::io::Result<(Lines, mpsc::Receiver<()>)> {
        let (read, incoming) = mpsc::channel(MESSAGES_WAITING_MAX);
        let (outgoing, mut written) = mpsc::channel::<String>(MESSAGES_WAITING_MAX);
        let (done, finished) = mpsc::channel(1);
        thread::Builder::new().name("mcp-read".into()).spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(line) = next(&mut input) {
                if read.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        thread::Builder::new().name("mcp-write".into()).spawn(move || {
            while let Some(line) = written.blocking_recv() {
                let result = output.write_all(line.as_bytes()).and_then(|()| output.flush());
                if result.is_err() {
                    break;
                }
            }
            drop(done);
        })?;
        Ok((Lines { incoming, outgoing: Some(outgoing), begun: false }, finished))
    }

    /// Tells a client that its message was not understood. Nothing is known of it but that it came.
    async fn refuse(&self, code: ErrorCode, message: String, id: Option<rmcp::model::RequestId>) {
        let error = ServerJsonRpcMessage::error(ErrorData::new(code, message, None), id);
        if let (Some(outgoing), Ok(line)) = (&self.outgoing, serde_json::to_string(&error)) {
            let _ = outgoing.send(line + "\n").await;
        }
    }

    /// A message; nothing where the line holds none, which its sender was told.
    async fn read(&self, line: Line) -> Option<ClientJsonRpcMessage> {
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::TooLong => {
                let message = format!(
                    "a message was longer than {MESSAGE_BYTES_MAX} bytes and was dropped: send less at once"
                );
                self.refuse(ErrorCode::INVALID_REQUEST, message, None).await;
                return None;
            }
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let value: Value = match serde_json::from_slice(&bytes) {
            Ok(value) => value,
            Err(error) => {
                let message = format!("a line is not JSON ({error}): send one JSON-RPC message a line");
                self.refuse(ErrorCode::PARSE_ERROR, message, None).await;
                return None;
            }
        };
        let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
        let is_notification = value.get("method").is_some() && value.get("id").is_none();
        match serde_json::from_value(value) {
            Ok(message) => Some(message),
            // A notification gets no answer, whatever is wrong with it.
            Err(error) if is_notification => {
                tracing::debug!(%error, "a notification was not understood");
                None
            }
            Err(error) => {
                let message = format!("not a JSON-RPC 2.0 message of the Model Context Protocol ({error})");
                self.refuse(ErrorCode::INVALID_REQUEST, message, id).await;
                None
            }
        }
    }
}

/// The next line; nothing at the end of the input. A line without an end is none.
fn next(input: &mut impl BufRead) -> Option<Line> {
    let (mut line, mut too_long) = (Vec::new(), false);
    loop {
        let mut some = Vec::new();
        let room = MESSAGE_BYTES_MAX.saturating_sub(line.len()) as u64 + 1;
        let read = input.by_ref().take(room).read_until(b'\n', &mut some).ok()?;
        if read == 0 {
            return None;
        }
        let is_end = some.last() == Some(&b'\n');
        if !too_long {
            line.extend_from_slice(&some);
        }
        if line.len() > MESSAGE_BYTES_MAX {
            too_long = true;
            line.clear();
        }
        match (is_end, too_long) {
            (true, true) => return Some(Line::TooLong),
            (true, false) => return Some(Line::Whole(line)),
            (false, _) => {}
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let line = serde_json::to_string(&message)? + "\n";
            let closed = || std::io::Error::from(std::io::ErrorKind::NotConnected);
            outgoing.ok_or_else(closed)?.send(line).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let line = self.incoming.recv().await?;
            let Some(message) = self.read(line).await else { continue };
            self.begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outgoing = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
        let long = vec![b'x'; 3 * MESSAGE_BYTES_MAX];
        let mut input = BufReader::new(std::io::Cursor::new([&long[..], b"\n{}\nhalf"].concat()));
        assert!(matches!(next(&mut input), Some(Line::TooLong)));
        assert!(matches!(next(&mut input), Some(Line::Whole(line)) if line == b"{}\n"));
        assert!(next(&mut input).is_none());
    }
}
