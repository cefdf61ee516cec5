//! Taking connections: as many as there may be, each for as long as somebody asks something on it.
//!
//! Whoever connects and does not come to the end of a request's head is let go, so that nobody holds a connection by saying
//! little. When the house closes no more are taken, and those that are open come to the end of what is under way on them.

use super::house::House;
use axum::Router;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;

/// How long a connection may rest between two requests: longer than proxies and clients keep one, so that they close it first.
const IDLE: Duration = Duration::from_secs(120);
/// How long is waited when the system has no connection to give.
const SHORT: Duration = Duration::from_secs(1);

/// How connections are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Listening {
    /// How many there may be.
    pub(super) connections: usize,
    /// How long the head of the first request may take to come.
    pub(super) head: Duration,
}

impl Default for Listening {
    fn default() -> Listening {
        Listening { connections: 8192, head: Duration::from_secs(30) }
    }
}

/// Takes connections until the house closes, and comes back when the last one has ended.
pub(super) async fn listen(listener: TcpListener, router: Router, house: House) {
    let how = house.settings.listening;
    let (room, open) = (Arc::new(Semaphore::new(how.connections)), TaskTracker::new());
    loop {
        let came = tokio::select! {
            came = listener.accept() => came,
            () = house.closing.cancelled() => break,
        };
        match (came, room.clone().try_acquire_owned()) {
            (Ok((stream, _)), Ok(place)) => drop(open.spawn(attend(stream, router.clone(), house.clone(), place))),
            (Ok((stream, _)), Err(_)) => drop(tokio::spawn(tokio::time::timeout(SHORT, turn_away(stream)))),
            (Err(error), _) => rest(&error).await,
        }
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Answers what is asked on a connection.
async fn attend(stream: TcpStream, router: Router, house: House, _place: OwnedSemaphorePermit) {
    // What is streamed goes out as it comes.
    let _ = stream.set_nodelay(true);
    let asked = Arc::new(AtomicBool::new(false));
    let (answers, seen) = (TowerToHyperService::new(router), asked.clone());
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        seen.store(true, Ordering::Relaxed);
        answers.call(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(IDLE / 2);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut closing = pin!(house.closing.cancelled());
    let mut first = pin!(tokio::time::sleep(house.settings.listening.head));
    let (mut open, mut new) = (true, true);
    loop {
        tokio::select! {
            _ = connection.as_mut() => return,
            () = &mut closing, if open => {
                open = false;
                connection.as_mut().graceful_shutdown();
            }
            () = &mut first, if new => {
                new = false;
                if !asked.load(Ordering::Relaxed) {
                    return tracing::debug!("a connection asked for nothing");
                }
            }
        }
    }
}

/// Says that there are as many connections as there may be, whatever is asked.
async fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    stream.write_all(FULL).await?;
    stream.shutdown().await?;
    // What is left unread would break the connection before its end was heard.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Waits a little where the system cannot take a connection; one that was broken by its client is nothing to wait for.
async fn rest(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    tracing::error!(%error, "no connection can be taken");
    tokio::time::sleep(SHORT).await;
}
