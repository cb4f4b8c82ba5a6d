//! A listener that keeps to a number of connections: whoever comes when all are taken waits.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
        (Held { stream, _place: place }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection, and its place among the others.
pub struct Held {
    stream: TcpStream,
    _place: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Held {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
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
