//! The way to a PostgreSQL server: one connection, driven by whoever waits for an answer, on their own thread.
//!
//! Several questions may be on their way at once. They are answered in the order in which they were asked, and on a server
//! most of the time of a small question is the way there and back.

use postgres::Error;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A connection, whether it is encrypted or not.
type Link = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// How long a server may take to hear that we go.
const FAREWELL: Duration = Duration::from_secs(1);

/// A question that is on its way once it was polled.
pub(super) type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

/// A connection that may be let go of anywhere: it blocks when it hangs up, and an async runtime forbids that to its threads.
pub(super) struct Wire(Option<Line>);

struct Line {
    runtime: Runtime,
    client: Client,
    connection: Link,
}

impl Drop for Wire {
    fn drop(&mut self) {
        let Some(Line { runtime, client, connection }) = self.0.take() else { return };
        let hang_up = move || {
            drop(client);
            runtime.block_on(async { tokio::time::timeout(FAREWELL, connection).await.ok() })
        };
        let _ = std::thread::spawn(hang_up).join();
    }
}

impl Wire {
    pub(super) fn open(config: &Config, secrecy: MakeRustlsConnect) -> Opened<Wire> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (client, connection) = runtime.block_on(config.connect(secrecy))?;
        Ok(Wire(Some(Line { runtime, client, connection })))
    }

    fn line(&mut self) -> &mut Line {
        self.0.as_mut().expect("held until it is dropped")
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.as_ref().is_none_or(|line| line.client.is_closed())
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask<'w, T, F>(&'w mut self, question: impl FnOnce(&'w Client) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + 'w,
    {
        let Line { runtime, client, connection } = self.line();
        let mut asked = pin!(question(client));
        runtime.block_on(poll_fn(|cx| {
            if let Poll::Ready(answer) = asked.as_mut().poll(cx) {
                return Poll::Ready(answer);
            }
            // An answer that came with the server's last word was given all the same.
            let driven = drive(connection, cx);
            match (asked.as_mut().poll(cx), driven) {
                (Poll::Pending, Err(error)) => Poll::Ready(Err(error)),
                (polled, _) => polled,
            }
        }))
    }

    /// Asks, and does not wait: whoever asks next finds the answer before theirs.
    pub(super) fn tell<'w, T, F>(&'w mut self, question: impl FnOnce(&'w Client) -> F) -> Result<(), Error>
    where
        F: Future<Output = Result<T, Error>> + 'w,
    {
        let Line { runtime, client, connection } = self.line();
        let mut asked = pin!(question(client));
        runtime.block_on(poll_fn(|cx| match asked.as_mut().poll(cx) {
            Poll::Ready(answer) => Poll::Ready(answer.map(drop)),
            Poll::Pending => Poll::Ready(drive(connection, cx)),
        }))
    }

    /// Whether the server answers nothing at all in time.
    pub(super) fn answers_within(&mut self, pulse: Duration) -> bool {
        let answer = self.ask(|client| async move { Ok(tokio::time::timeout(pulse, client.simple_query("")).await) });
        matches!(answer, Ok(Ok(Ok(_))))
    }
}

/// A connection, or why there is none.
pub(crate) type Opened<T> = Result<T, OpenError>;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Server(#[from] Error),
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Writes what was asked and reads what was answered, as far as that goes without waiting.
fn drive(connection: &mut Link, cx: &mut Context<'_>) -> Result<(), Error> {
    loop {
        match connection.poll_message(cx) {
            // Notices: nobody reads them.
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Err(error),
            Poll::Ready(None) | Poll::Pending => return Ok(()),
        }
    }
}

/// The answers to all questions, which are on their way before the first of them is waited for.
pub(super) fn all<'a, T: 'a>(mut asked: Vec<Asked<'a, T>>) -> impl Future<Output = Result<Vec<T>, Error>> + 'a {
    let mut answers: Vec<Option<T>> = asked.iter().map(|_| None).collect();
    poll_fn(move |cx| {
        for (asked, answer) in asked.iter_mut().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
            match asked.as_mut().poll(cx) {
                Poll::Ready(Ok(given)) => *answer = Some(given),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {}
            }
        }
        match answers.iter().all(Option::is_some) {
            true => Poll::Ready(Ok(answers.iter_mut().filter_map(Option::take).collect())),
            false => Poll::Pending,
        }
    })
}
