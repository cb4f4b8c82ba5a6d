//! A server on loopback that answers every request with the same bytes, whatever HTTP makes of them.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does with a request.
#[derive(Clone)]
pub enum Answer {
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
    /// Sends these bytes, then this many bytes of nothing in particular.
    Flood(Vec<u8>, usize),
    /// Sends these bytes and then nothing more, with the connection open.
    Stall(Vec<u8>),
    /// Answers each request by the path that it is for; 404 where it stands in no row.
    ByPath(Vec<(&'static str, Answer)>),
}

/// A server that runs until it is dropped.
pub struct Server {
    /// Its base URL, `http://127.0.0.1:PORT/v1`.
    pub base_url: String,
    requests: Arc<Mutex<Vec<String>>>,
    sent: Arc<Mutex<usize>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server.
    pub async fn start(answer: Answer) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let sent: Arc<Mutex<usize>> = Arc::default();
        let (seen, count) = (requests.clone(), sent.clone());
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read_request(&mut stream).await;
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                seen.lock().unwrap().push(request);
                let answer = match answer.clone() {
                    Answer::ByPath(rows) => {
                        let row = rows.into_iter().find(|(known, _)| *known == path);
                        row.map_or_else(|| http("404 Not Found", "", "nothing here"), |(_, answer)| answer)
                    }
                    answer => answer,
                };
                give(&mut stream, answer, &count).await;
            }
        });
        Server { base_url, requests, sent, task }
    }

    /// The requests so far: head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// How many bytes of a flood the client took in before it hung up.
    pub fn sent(&self) -> usize {
        *self.sent.lock().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap() == 0 {
            return text;
        }
    }
}

async fn give(stream: &mut TcpStream, answer: Answer, sent: &Mutex<usize>) {
    match answer {
        Answer::Bytes(bytes) => stream.write_all(&bytes).await.unwrap(),
        Answer::Flood(head, length) => {
            stream.write_all(&head).await.unwrap();
            let block = [b' '; 1 << 16];
            for _ in 0..length / block.len() {
                if stream.write_all(&block).await.is_err() {
                    break;
                }
                *sent.lock().unwrap() += block.len();
            }
        }
        Answer::Stall(bytes) => {
            stream.write_all(&bytes).await.unwrap();
            std::future::pending().await
        }
        Answer::ByPath(_) => {}
    }
}

/// An answer with a status line such as `200 OK`, headers that each end with `\r\n`, and a body of the stated length.
pub fn http(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    Answer::Bytes(http_bytes(status, headers, body.as_ref().len(), body))
}

/// The same as bytes, with a length that need not be true.
pub fn http_bytes(status: &str, headers: &str, length: usize, body: impl AsRef<[u8]>) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), body.as_ref()].concat()
}
