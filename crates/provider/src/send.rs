//! A send, as its caller sees it: an order goes in, events come out, then an outcome.
//!
//! Nothing runs in the background: the work is done while the caller waits for the next event, so what is not read is not
//! fetched, and a dropped [`Sending`] closes its connection.

use crate::attempt::{Resend, Retry};
use crate::drive::Drive;
use crate::error::{Failure, SendError};
use crate::head::{self, Head};
use crate::key::Key;
use crate::outcome::Outcome;
use crate::patience::Patience;
use crate::providers::Providers;
use crate::resolve::Target;
use crate::trace;
use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, RANGE};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use weftwork::decode::{Delta, Limits};
use weftwork::dialect::{self, Dialect};

/// How many bytes of an answer are kept.
const LARGEST_RAW: usize = 32 << 20;

/// How an answer comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As a stream.
    #[default]
    Streamed,
    /// As one document.
    Whole,
}

/// What of an answer is told while it comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relay {
    /// What it means.
    #[default]
    Deltas,
    /// Its bytes as well, before what they mean, for a caller whose own API this is. Bytes cannot be taken back: after the
    /// first of them nothing is sent again, whatever [`Order::resend`] says.
    Bytes,
}

/// What is to be sent, and how.
#[derive(Clone, Debug)]
pub struct Order {
    pub(crate) target: Target,
    pub(crate) dialect: Dialect,
    pub(crate) body: Bytes,
    pub(crate) form: Form,
    pub(crate) headers: HeaderMap,
    /// A key for this send alone, in place of the provider's own. Like that, it goes to the provider's address only.
    pub key: Option<Key>,
    /// Whether bytes are told too.
    pub relay: Relay,
    /// Tokens of the request as its assembly counted them. Used where the provider reports none; counted again if not given.
    pub input_tokens: Option<u64>,
    /// When to try again.
    pub retry: Retry,
    /// Whether to try again after content was handed on.
    pub resend: Resend,
    /// How long to wait; the provider's own patience at first.
    pub patience: Patience,
    /// How much a reply may hold.
    pub limits: Limits,
    /// How many bytes of the answer the outcome keeps.
    pub largest_raw: usize,
    /// Canceling it closes the connection and ends the send with what had come.
    pub cancel: CancellationToken,
}

impl Order {
    /// The request that the engine assembled in `dialect`, to be streamed.
    pub fn new(target: Target, dialect: Dialect, request: Vec<u8>) -> Self {
        Self::verbatim(target, dialect, dialect::streamed(request, dialect), Form::Streamed)
    }

    /// A request that is sent as it is. The caller knows how its answer comes: for most APIs the request says so itself.
    pub fn verbatim(target: Target, dialect: Dialect, request: impl Into<Bytes>, form: Form) -> Self {
        Self {
            patience: target.provider.patience,
            target,
            dialect,
            body: request.into(),
            form,
            headers: HeaderMap::new(),
            key: None,
            relay: Relay::default(),
            input_tokens: None,
            retry: Retry::DEFAULT,
            resend: Resend::default(),
            limits: Limits::DEFAULT,
            largest_raw: LARGEST_RAW,
            cancel: CancellationToken::new(),
        }
    }

    /// With those headers of its caller that a provider may see: which features are asked for, never who asks.
    #[must_use]
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        self.headers = head::outgoing(headers);
        // The body is ours to describe, and it is asked for all of the answer.
        self.headers.remove(CONTENT_ENCODING);
        self.headers.remove(RANGE);
        self
    }

    /// The bytes that will be sent.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// What happens during a send.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The answer begins. Told of an order that relays bytes, once, right before the first of them.
    Began(Head),
    /// The next bytes of the answer, as they came; before the deltas that they complete.
    Raw(Bytes),
    /// The next step of the reply.
    Delta(Delta),
    /// An attempt failed and another follows: the reply begins anew.
    Again {
        /// Why it failed.
        error: SendError,
        /// How long is waited before the next.
        after: Duration,
    },
}

/// A send under way. It begins when it is first asked for an event.
#[must_use = "nothing is sent until events are asked for"]
pub struct Sending {
    events: mpsc::Receiver<Event>,
    drive: Option<Pin<Box<dyn Future<Output = Ended> + Send>>>,
    ended: Option<Ended>,
}

type Ended = Result<Outcome, Box<Failure>>;

/// Events that wait to be read. The reader and the driver take turns, so a few are enough.
const QUEUE: usize = 16;

impl Providers {
    /// Sends an order.
    pub fn send(&self, order: Order) -> Sending {
        let (sender, events) = mpsc::channel(QUEUE);
        let client = order.target.provider.address.as_ref().map(|address| self.clients.reaching(address).clone());
        let span = trace::begin(&order);
        let drive = Drive { order, client, clock: self.clock.clone(), events: sender };
        let traced = async move {
            let ended = drive.run().await;
            trace::end(&tracing::Span::current(), &ended);
            ended
        };
        Sending { events, drive: Some(Box::pin(traced.instrument(span))), ended: None }
    }
}

impl Sending {
    /// The next event; none when the reply has ended. May be given up and called again: nothing is lost.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|context| self.poll_event(context)).await
    }

    /// Reads to the end and gives the outcome.
    pub async fn finish(mut self) -> Ended {
        while self.next().await.is_some() {}
        self.ended.expect("events end only after the driver")
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Poll::Ready(Some(event)) = self.events.poll_recv(context) {
            return Poll::Ready(Some(event));
        }
        if let Some(drive) = &mut self.drive
            && let Poll::Ready(ended) = drive.as_mut().poll(context)
        {
            self.ended = Some(ended);
            self.drive = None;
        }
        self.events.poll_recv(context)
    }
}

impl Stream for Sending {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.poll_event(context)
    }
}
