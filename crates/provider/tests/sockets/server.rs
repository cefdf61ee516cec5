//! A server that plays a script over a real socket: bytes may be cut, held back and broken off wherever the script says.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// One thing the server does.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes in pieces of so many, each in a packet of its own.
    Pieces(Vec<u8>, usize),
    /// Says nothing more, until the other side is gone.
    Hold,
    /// Breaks the connection with a reset.
    Reset,
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    /// The value of a header, if it was sent.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = |line: &&str| line.split_once(": ").is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(line).and_then(|line| line.split_once(": ")).map(|(_, value)| value)
    }

    /// Method and path.
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default().trim_end_matches(" HTTP/1.1")
    }
}

/// A server that answers one request after another, each by the next script.
pub(crate) struct Server {
    port: u16,
    log: Arc<Mutex<Vec<Received>>>,
    /// Told when a script holds.
    pub(crate) holding: Arc<Notify>,
    /// Told when the client closed a connection that was held.
    pub(crate) closed: Arc<Notify>,
}

impl Server {
    pub(crate) async fn play(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (log, holding, closed) = (Arc::default(), Arc::new(Notify::new()), Arc::new(Notify::new()));
        let server = Server { port, log, holding, closed };
        let (log, holding, closed) = (server.log.clone(), server.holding.clone(), server.closed.clone());
        tokio::spawn(async move {
            for script in scripts {
                let Ok((mut stream, _)) = listener.accept().await else { return };
                stream.set_nodelay(true).expect("a socket");
                let received = read(&mut stream).await;
                log.lock().expect("a log").push(received);
                perform(stream, script, &holding, &closed).await;
            }
        });
        server
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.log.lock().expect("a log").clone()
    }
}

async fn read(stream: &mut TcpStream) -> Received {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            break bytes.len().saturating_sub(4);
        }
    };
    let received = |bytes: &[u8]| Received {
        head: String::from_utf8_lossy(&bytes[..head]).into_owned(),
        body: String::from_utf8_lossy(&bytes[head + 4..]).into_owned(),
    };
    let length: usize = received(&bytes).header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            break;
        }
    }
    received(&bytes)
}

async fn perform(mut stream: TcpStream, script: Vec<Act>, holding: &Notify, closed: &Notify) {
    for act in script {
        match act {
            // A client that is gone ends the script; the test sees it by what the client got.
            Act::Send(bytes) => drop(stream.write_all(&bytes).await),
            Act::Pieces(bytes, size) => {
                for piece in bytes.chunks(size) {
                    drop(stream.write_all(piece).await);
                    tokio::task::yield_now().await;
                }
            }
            Act::Hold => {
                holding.notify_one();
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.unwrap_or(0) > 0 {}
                closed.notify_one();
            }
            Act::Reset => {
                // Closing with unread time left to linger of zero sends a reset.
                stream.set_zero_linger().expect("a socket");
                return;
            }
        }
    }
}

/// A head without a length: the body ends with the connection.
pub(crate) fn ok() -> Act {
    head(200, "Content-Type: text/event-stream\r\n")
}

pub(crate) fn head(status: u16, more: &str) -> Act {
    Act::Send(format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{more}\r\n").into_bytes())
}

/// A whole answer with a JSON body.
pub(crate) fn answer(status: u16, more: &str, body: &str) -> Vec<Act> {
    vec![head(status, &format!("Content-Type: application/json\r\nContent-Length: {}\r\n{more}", body.len())), send(body)]
}

pub(crate) fn send(text: impl Into<Vec<u8>>) -> Act {
    Act::Send(text.into())
}

/// A recorded or hand-written stream.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/fixtures/streams/");
    std::fs::read(format!("{folder}{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}
