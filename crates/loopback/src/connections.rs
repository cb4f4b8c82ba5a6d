//! A listener that keeps to a number of connections: whoever comes when all are taken waits.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A listener on the loopback address.
pub struct Limited {
    listener: TcpListener,
    local: SocketAddr,
    places: Arc<Semaphore>,
}

impl Limited {
    /// Takes a port, within a runtime; 0 takes any that is free. At most `connections` are open at a time.
    ///
    /// # Errors
    /// The port is in use or may not be used: what happened, and what to do next.
    pub async fn bind(port: u16, connections: usize) -> Result<Limited, (String, &'static str)> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let refused = |error: io::Error| {
            let help = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    "another program uses this port; choose another one with --port N, or 0 for any free one"
                }
                _ => "choose another port with --port N",
            };
            (format!("cannot listen on {wanted}: {error}"), help)
        };
        let listener = TcpListener::bind(wanted).await.map_err(refused)?;
        let local = listener.local_addr().map_err(refused)?;
        Ok(Limited { listener, local, places: Arc::new(Semaphore::new(connections)) })
    }

    /// Its address, with the port that it took.
    pub fn local(&self) -> SocketAddr {
        self.local
    }
}

impl Listener for Limited {
    type Io = Held;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Held, SocketAddr) {
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, from) = Listener::accept(&mut self.listener).await;
        let wait = Box::pin(sleep(HEAD_WAIT));
        (Held { stream, wait, stage: Stage::Silent, ending: 0, is_stuck: false, _place: place }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// So long a connection may take until it has sent the head of a request: those who never do would hold all places.
const HEAD_WAIT: Duration = Duration::from_secs(10);
/// So long it may be silent after an answer, or within one. A stream says twice in that time that it is still there.
const IDLE_WAIT: Duration = Duration::from_secs(40);
/// What stands at the end of a request's head.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// A connection, and its place among the others.
pub struct Held {
    stream: TcpStream,
    /// Until when something must come.
    wait: Pin<Box<Sleep>>,
    stage: Stage,
    /// So many bytes of a head's end have come.
    ending: usize,
    /// Whether what is to be written cannot be, since nobody reads it.
    is_stuck: bool,
    _place: Option<OwnedSemaphorePermit>,
}

/// What is awaited of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The first byte of a request, or more of an answer.
    Silent,
    /// The end of a head.
    Head,
    /// An answer: nobody is hurried who has asked and may ask.
    Answer,
}

impl Held {
    /// Looks for the end of a head in what has come. Line breaks before it belong to none.
    fn came(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match self.stage {
                Stage::Answer => return,
                Stage::Silent if matches!(byte, b'\r' | b'\n') => continue,
                Stage::Silent => {
                    self.stage = Stage::Head;
                    self.wait.as_mut().reset(Instant::now() + HEAD_WAIT);
                }
                Stage::Head => {}
            }
            let goes_on = HEAD_END.get(self.ending) == Some(byte);
            self.ending = if goes_on { self.ending + 1 } else { usize::from(*byte == b'\r') };
            if self.ending == HEAD_END.len() {
                (self.stage, self.ending) = (Stage::Answer, 0);
            }
        }
    }
}

impl AsyncRead for Held {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, into);
        match polled {
            Poll::Pending if self.stage != Stage::Answer && self.wait.as_mut().poll(context).is_ready() => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "no request came")))
            }
            Poll::Pending => Poll::Pending,
            ready => {
                self.came(into.filled().get(before..).unwrap_or_default());
                ready
            }
        }
    }
}

impl AsyncWrite for Held {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_pending() {
            // Whoever asks and never reads keeps its place no longer than whoever never asks.
            if !self.is_stuck {
                self.is_stuck = true;
                self.wait.as_mut().reset(Instant::now() + IDLE_WAIT);
            }
            return match self.wait.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "nobody reads"))),
                Poll::Pending => Poll::Pending,
            };
        }
        self.is_stuck = false;
        if matches!(written, Poll::Ready(Ok(1..))) {
            (self.stage, self.ending) = (Stage::Silent, 0);
            self.wait.as_mut().reset(Instant::now() + IDLE_WAIT);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// How a connection is read that sends this and stays open, and what it sends after its answer.
    async fn read(sent: &[u8], answered: Option<&[u8]>) -> io::Result<()> {
        let mut server = Limited::bind(0, 1).await.expect("a port is free");
        let mut client = TcpStream::connect(server.local()).await?;
        client.write_all(sent).await?;
        let (mut held, _) = Listener::accept(&mut server).await;
        let mut bytes = [0; 64];
        while held.stage != Stage::Answer {
            if held.read(&mut bytes).await? == 0 {
                break;
            }
        }
        if let Some(more) = answered {
            held.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            client.write_all(more).await?;
            while held.stage != Stage::Answer && held.read(&mut bytes).await? > 0 {}
        }
        Ok(())
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_and_never_reads_is_given_up() {
        let mut server = Limited::bind(0, 1).await.expect("a port is free");
        let client = TcpStream::connect(server.local()).await.expect("it listens");
        let (mut held, _) = Listener::accept(&mut server).await;
        let answer = vec![b'a'; 1024 * 1024];
        let given_up = loop {
            if let Err(error) = held.write_all(&answer).await {
                break error;
            }
        };
        assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }

    #[tokio::test(start_paused = true)]
    async fn who_sends_no_whole_head_is_given_up_and_who_does_is_not() {
        let whole = &b"GET / HTTP/1.1\r\n\r\n"[..];
        for sent in [&b""[..], b"GET / HTTP/1.1\r\nHost: a\r\n", b"\r\n\n\r\n", b"\r\n\r\n"] {
            let given_up = read(sent, None).await.expect_err("it has no end");
            assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
            // Nor does one that was whole before keep the place.
            let given_up = read(whole, Some(sent)).await.expect_err("it has no end");
            assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
        }
        for sent in [whole, &[b"\r\n", whole].concat()] {
            read(sent, None).await.expect("it is whole");
            read(whole, Some(sent)).await.expect("both are whole");
        }
    }
}
