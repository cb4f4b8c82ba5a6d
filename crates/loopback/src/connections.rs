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
use tokio::time::{Sleep, sleep};

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
        let head = Some(Box::pin(sleep(HEAD_WAIT)));
        (Held { stream, head, ending: 0, _place: place }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// So long a connection may take until it has sent the head of its first request: those who never do would hold all places.
const HEAD_WAIT: Duration = Duration::from_secs(10);
/// What stands at the end of a request's head.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// A connection, and its place among the others.
pub struct Held {
    stream: TcpStream,
    /// As long as the head of the first request is awaited.
    head: Option<Pin<Box<Sleep>>>,
    /// So many bytes of its end have come.
    ending: usize,
    _place: Option<OwnedSemaphorePermit>,
}

impl Held {
    /// Looks for the end of the head in what has come.
    fn came(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let goes_on = HEAD_END.get(self.ending) == Some(byte);
            self.ending = if goes_on { self.ending + 1 } else { usize::from(*byte == b'\r') };
            if self.ending == HEAD_END.len() {
                self.head = None;
                return;
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
        let Some(head) = &mut self.head else { return polled };
        match polled {
            Poll::Pending if head.as_mut().poll(context).is_ready() => {
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
        Pin::new(&mut self.stream).poll_write(context, bytes)
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

    /// What a connection is read as that sends this and stays open.
    async fn read(sent: &[u8]) -> io::Result<usize> {
        let mut server = Limited::bind(0, 1).await.expect("a port is free");
        let mut client = TcpStream::connect(server.local()).await?;
        client.write_all(sent).await?;
        let (mut held, _) = Listener::accept(&mut server).await;
        let mut bytes = [0; 64];
        while held.head.is_some() {
            if held.read(&mut bytes).await? == 0 {
                break;
            }
        }
        Ok(held.ending)
    }

    #[tokio::test(start_paused = true)]
    async fn who_sends_no_whole_head_is_given_up_and_who_does_is_not() {
        for sent in [&b""[..], b"GET / HTTP/1.1\r\nHost: a\r\n", b"\r\n\n\r\n"] {
            let given_up = read(sent).await.expect_err("it has no end");
            assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
        }
        assert_eq!(read(b"GET / HTTP/1.1\r\n\r\n").await.expect("it is whole"), HEAD_END.len());
    }
}
