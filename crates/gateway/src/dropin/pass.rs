//! A client's request passed on untouched, and what becomes of it kept: the bytes of both sides are not changed.
//!
//! Like a relay, a passage that began is written down to its end, also if its client has gone: dropping a [`Passing`] closes
//! the connection to the provider and ends the call as canceled.

use super::record::Recorded;
use crate::error::GatewayError;
use crate::gateway::Gateway;
use bytes::Bytes;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;
use weftwork::catalogue::Model;
use weftwork::model::EntityId;
use weftwork_provider::{Expected, Failure, ForwardError, Head, Heard, Load, Outcome, Passage, Passed, SendError, Timing};
use weftwork_store::CallId;

/// Pieces of an answer that wait to be read.
const QUEUE: usize = 16;

/// What is to be passed on.
#[derive(Debug)]
pub struct PassAsk {
    /// The request, and to whom.
    pub passage: Passage,
    /// What its answer is.
    pub expected: Expected,
    /// The model that the request names. Without one, only the reply of a model is kept as a call.
    pub model: Option<Model>,
    /// Whose account it is on.
    pub account: Option<EntityId>,
}

/// Why nothing was passed on, or nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum NotPassed {
    /// By the provider, or on the way to it.
    #[error(transparent)]
    Forward(#[from] ForwardError),
    /// It could not be written down.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

/// An answer that has begun. Dropping it cancels what is left of it.
#[derive(Debug)]
pub struct Passing {
    /// How it begins.
    pub head: Head,
    /// The call that is kept of it, if one is.
    pub call: Option<CallId>,
    bytes: mpsc::Receiver<Result<Bytes, SendError>>,
    _cancel: DropGuard,
}

impl Passing {
    /// The next bytes; none at the end, and none after an error.
    pub async fn next(&mut self) -> Option<Result<Bytes, SendError>> {
        self.bytes.recv().await
    }
}

impl Gateway {
    /// Passes a request on, and comes back when its answer begins.
    pub async fn pass(&self, ask: PassAsk) -> Result<Passing, NotPassed> {
        let PassAsk { passage, expected, model, account } = ask;
        let request = match &passage.load {
            Load::Bytes(bytes) => bytes.clone(),
            Load::Nothing | Load::Stream { .. } => Bytes::new(),
        };
        let model = match (model, expected) {
            (None, Expected::Anything) => None,
            (None, Expected::Reply(_)) => Some(Model::unlisted(passage.provider.name())),
            (named, _) => named,
        };
        let book = match model {
            Some(model) => {
                let call = Recorded::begin_passed(self, &model, &request, account.as_ref()).await?;
                Some(Book { call, expected, request, model })
            }
            None => None,
        };
        let call = book.as_ref().map(|book| book.call.id.clone());
        let (sender, bytes) = mpsc::channel(QUEUE);
        let (begun, begins) = oneshot::channel();
        let cancel = CancellationToken::new();
        // Held while waiting for the beginning, too: a client that goes meanwhile cancels.
        let guard = cancel.clone().drop_guard();
        tokio::spawn(drive(self.clone(), passage, book, To { begun, sender, cancel }).in_current_span());
        match begins.await {
            Ok(Ok(head)) => Ok(Passing { head, call, bytes, _cancel: guard }),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(ForwardError::Unanswered(SendError::Canceled).into()),
        }
    }
}

/// What is kept of a passage.
struct Book {
    call: Recorded,
    expected: Expected,
    request: Bytes,
    model: Model,
}

/// Where an answer goes.
struct To {
    begun: oneshot::Sender<Result<Head, ForwardError>>,
    sender: mpsc::Sender<Result<Bytes, SendError>>,
    cancel: CancellationToken,
}

async fn drive(gateway: Gateway, passage: Passage, book: Option<Book>, to: To) {
    let began = Instant::now();
    let passed = tokio::select! {
        biased;
        () = to.cancel.cancelled() => Err(ForwardError::Unanswered(SendError::Canceled)),
        passed = gateway.providers.forward(passage) => passed,
    };
    let Passed { head, mut body } = match passed {
        Ok(passed) => passed,
        Err(error) => {
            if let Some(book) = book {
                book.unsent(&error, began.elapsed()).await;
            }
            let _ = to.begun.send(Err(error));
            return;
        }
    };
    let mut heard = Heard::new(head.clone());
    let _ = to.begun.send(Ok(head));
    loop {
        let next = tokio::select! {
            biased;
            () = to.cancel.cancelled() => Some(Err(SendError::Canceled)),
            next = body.next() => next,
        };
        let told = match next {
            None => break,
            Some(Ok(bytes)) => {
                heard.add(&bytes);
                to.sender.send(Ok(bytes)).await
            }
            Some(Err(error)) => {
                heard.break_off(error.clone());
                let _ = to.sender.send(Err(error)).await;
                break;
            }
        };
        if told.is_err() {
            heard.break_off(SendError::Canceled);
            break;
        }
    }
    // The provider's connection is free before the book is written.
    drop(body);
    if let Some(book) = book {
        book.end(heard, began.elapsed()).await;
    }
}

impl Book {
    async fn end(self, heard: Heard, took: Duration) {
        let refused = !heard.head().status.is_success();
        let mut ended = heard.understood(self.expected, &self.request, &self.model, took).await;
        // Of what is no reply only the numbers are kept: pictures and embeddings are large, and nobody reads them here.
        if self.expected == Expected::Anything && !refused {
            match &mut ended {
                Ok(outcome) => outcome.raw = Default::default(),
                Err(failure) => failure.outcome.raw = Default::default(),
            }
        }
        self.call.end(&ended).await;
    }

    /// It never came to an answer.
    async fn unsent(self, error: &ForwardError, took: Duration) {
        let error = match error {
            ForwardError::Unanswered(error) => error.clone(),
            refused => SendError::Unreachable { host: self.model.name.clone(), why: refused.to_string() },
        };
        let outcome = Outcome { timing: Timing { total: took, ..Timing::default() }, ..Outcome::default() };
        self.call.end(&Err(Box::new(Failure { error, outcome }))).await;
    }
}
