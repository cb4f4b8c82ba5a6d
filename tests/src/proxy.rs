//! Between a program and a database: cuts connections at appends, or holds them.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

/// What an append's statement contains and no other does.
const APPEND: &[u8] = b"INSERT INTO twicetold.entry";

/// What happens to an append.
pub enum Cut {
    /// It arrives, and its answer too.
    Pass,
    /// The connection breaks, and the database never hears of it.
    Before,
    /// It arrives, and the connection breaks at once.
    During,
    /// It was carried out, and the connection breaks before the answer is read.
    After,
    /// Says so and waits to be released, and then arrives.
    Hold(Sender<()>, Receiver<()>),
}

#[derive(Default)]
struct Plan {
    cuts: VecDeque<Cut>,
    appends: usize,
}

/// A proxy on loopback.
pub struct Proxy {
    address: SocketAddr,
    plan: Arc<Mutex<Plan>>,
}

impl Proxy {
    /// In front of a port of 127.0.0.1.
    pub fn before(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let plan: Arc<Mutex<Plan>> = Arc::default();
        let shared = plan.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                join(client, server, &shared);
            }
        });
        Proxy { address, plan }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What happens to the next appends; those after them pass.
    pub fn plan(&self, cuts: impl IntoIterator<Item = Cut>) {
        self.locked().cuts.extend(cuts);
    }

    /// How many appends it has seen.
    pub fn appends(&self) -> usize {
        self.locked().appends
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn join(client: TcpStream, server: TcpStream, plan: &Arc<Mutex<Plan>>) {
    let both = |stream: &TcpStream| stream.try_clone().expect("a stream has two ends");
    let (from_client, to_client) = (both(&client), client);
    let (from_server, to_server) = (both(&server), server);
    // Set where the next answer is not to be read.
    let muted = Arc::new(Mutex::new(false));
    let (plan, mute) = (plan.clone(), muted.clone());
    std::thread::spawn(move || {
        let end = (both(&from_client), both(&to_server));
        forward(from_client, to_server, |bytes| {
            if !bytes.windows(APPEND.len()).any(|window| window == APPEND) {
                return Some(true);
            }
            let cut = {
                let mut plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
                plan.appends += 1;
                plan.cuts.pop_front().unwrap_or(Cut::Pass)
            };
            match cut {
                Cut::Pass => Some(true),
                Cut::Before => None,
                Cut::During => Some(false),
                Cut::After => {
                    *mute.lock().unwrap_or_else(PoisonError::into_inner) = true;
                    Some(true)
                }
                Cut::Hold(held, released) => {
                    let _ = held.send(());
                    let _ = released.recv();
                    Some(true)
                }
            }
        });
        let _ = (end.0.shutdown(Shutdown::Both), end.1.shutdown(Shutdown::Both));
    });
    std::thread::spawn(move || {
        let end = (both(&from_server), both(&to_client));
        forward(from_server, to_client, |_| {
            let muted = *muted.lock().unwrap_or_else(PoisonError::into_inner);
            if muted { None } else { Some(true) }
        });
        let _ = (end.0.shutdown(Shutdown::Both), end.1.shutdown(Shutdown::Both));
    });
}

/// Forwards what arrives: `look` says whether it goes on afterwards, or that it is thrown away and nothing goes on.
fn forward(mut from: TcpStream, mut to: TcpStream, mut look: impl FnMut(&[u8]) -> Option<bool>) {
    let mut buffer = vec![0; 1 << 20];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let Some(goes_on) = look(&buffer[..read]) else { return };
        if to.write_all(&buffer[..read]).is_err() || !goes_on {
            return;
        }
    }
}
