//! A relay under way: events of the provider become bytes for the client.
//!
//! The driver has a task of its own, so that the end of a call is written down also when its client is gone. It waits where
//! the client does not read.

use super::error::{NotSent, unsent};
use super::record::Recorded;
use super::weave::{Handling, Woven};
use super::{Client, RelayError};
use crate::chat::sent;
use crate::gateway::Gateway;
use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;
use weftwork::encode::{Api, Encoder, Heading, whole};
use weftwork::intake::Answer;
use weftwork_provider::{self as provider, Event, Failure, Form, Head, Order, Retry, SendError, Sending, Target};
use weftwork_store::CallId;

/// Pieces of an answer that wait to be read.
const QUEUE: usize = 16;

/// An answer that has begun. Dropping it cancels what is left of it.
#[derive(Debug)]
pub struct Relay {
    /// Whether the bytes are events of a stream or one body.
    pub answer: Answer,
    /// The call, which has the report.
    pub call: CallId,
    /// The model that answers, as `provider/model`.
    pub model: String,
    /// What was done with the request.
    pub handling: Handling,
    /// Fields that the provider's API has nothing for.
    pub left_out: Vec<String>,
    /// How the provider's own answer began, where it is handed on byte for byte.
    pub head: Option<Head>,
    bytes: mpsc::Receiver<Bytes>,
    _cancel: DropGuard,
}

impl Relay {
    /// The next bytes for the client; none when the answer has ended.
    pub async fn next(&mut self) -> Option<Bytes> {
        self.bytes.recv().await
    }

    /// All that is left of the answer.
    pub async fn rest(mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(bytes) = self.next().await {
            all.extend(bytes);
        }
        all
    }
}

/// Turns a send into an answer.
pub(super) struct Driver {
    sending: Sending,
    api: Api,
    heading: Heading,
    answer: Answer,
    model: String,
    call: Recorded,
    cancel: CancellationToken,
    way: Way,
}

/// Who writes the bytes that the client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The provider: it speaks the client's API.
    Through,
    /// We do.
    Written,
}

/// How an answer is told. The one place where it is decided what bytes a client gets for what its provider says.
enum Telling {
    /// As the provider says it.
    Through,
    Streamed(Encoder),
    Whole,
}

impl Driver {
    pub(super) fn new(gateway: &Gateway, client: Client, target: &Target, woven: &Woven, call: Recorded) -> Driver {
        let Client { api, heading, answer, headers, key, .. } = client;
        // The model on board writes its own lines, whatever it is asked for.
        let (mut order, way) = match woven.wished.clone().filter(|_| target.provider().address().is_some()) {
            Some(wished) => {
                let form = match answer {
                    Answer::Streamed => Form::Streamed,
                    Answer::Whole => Form::Whole,
                };
                let mut order = Order::verbatim(target.clone(), target.dialect(), wished, form);
                order.relay = provider::Relay::Bytes;
                (order, Way::Through)
            }
            None => (Order::new(target.clone(), target.dialect(), woven.request.clone()), Way::Written),
        };
        order = order.with_headers(&headers);
        order.key = key;
        // Clients try again by themselves, and know best how long they want to wait.
        order.retry = Retry::NEVER;
        if let Handling::Assembled(report) = &woven.handling {
            order.input_tokens = Some(sent(report));
        }
        let cancel = order.cancel.clone();
        let model = target.model.name.clone();
        Driver { sending: gateway.providers.send(order), api, heading, answer, model, call, cancel, way }
    }

    /// Sends, and gives the answer when it begins.
    pub(super) async fn start(self, woven: &Woven) -> Result<Relay, RelayError> {
        let (sender, bytes) = mpsc::channel(QUEUE);
        let (begun, begins) = oneshot::channel();
        let (answer, call, model) = (self.answer, self.call.id.clone(), self.model.clone());
        // Held while waiting for the beginning, too: a client that goes meanwhile cancels.
        let cancel = self.cancel.clone().drop_guard();
        tokio::spawn(self.drive(Told { begun: Some(begun), sender }).in_current_span());
        match begins.await {
            Ok(Ok(head)) => {
                let (handling, left_out) = (woven.handling.clone(), woven.left_out.clone());
                Ok(Relay { answer, call, model, handling, left_out, head, bytes, _cancel: cancel })
            }
            Ok(Err(failed)) => Err(RelayError::Send(failed)),
            Err(_) => Err(RelayError::Send(Box::new(NotSent { error: SendError::Canceled, said: None }))),
        }
    }

    async fn drive(mut self, mut to: Told) {
        let mut telling = match self.answer {
            _ if self.way == Way::Through => Telling::Through,
            Answer::Streamed => Telling::Streamed(Encoder::new(self.api, self.heading.clone())),
            Answer::Whole => Telling::Whole,
        };
        while let Some(event) = self.sending.next().await {
            match (&mut telling, event) {
                (Telling::Through, Event::Began(head)) => to.begin(Some(head)),
                (Telling::Through, Event::Raw(bytes)) => to.tell(bytes).await,
                (Telling::Streamed(encoder), Event::Delta(delta)) => to.tell(encoder.push(&delta).into()).await,
                // Another attempt begins only as long as nothing was told.
                (Telling::Through | Telling::Streamed(_), _) | (Telling::Whole, _) => {}
            }
        }
        let ended = self.sending.finish().await;
        self.call.end(&ended).await;
        match (telling, ended) {
            (Telling::Through, Ok(_)) => {}
            (Telling::Streamed(encoder), Ok(outcome)) => to.tell(encoder.finish(&outcome.reply).into()).await,
            (Telling::Streamed(encoder), Err(failure)) if to.has_begun() => {
                to.tell(encoder.fail(&unsent(&failure.error)).into()).await;
            }
            // What we cannot read went through whole: nothing is to be said about it.
            (Telling::Through, Err(failure)) if to.has_begun() && matches!(failure.error, SendError::Malformed { .. }) => {}
            // A stream that broke off is told in its own words, so that it is not taken for whole. It may have broken off inside
            // an event, which ends here.
            (Telling::Through, Err(failure)) if to.has_begun() && self.answer == Answer::Streamed => {
                let mut end = b"\n\n".to_vec();
                end.extend(Encoder::new(self.api, self.heading.clone()).fail(&unsent(&failure.error)));
                to.tell(end.into()).await;
            }
            (Telling::Whole, Ok(outcome)) => to.tell(whole(self.api, &self.heading, &outcome.reply).into()).await,
            (telling, Err(failure)) => {
                let Failure { error, outcome } = *failure;
                let said = outcome.head.filter(|head| matches!(telling, Telling::Through) && !head.status.is_success());
                to.fail(NotSent { error, said: said.map(|head| (head, outcome.raw.bytes)) });
            }
        }
    }
}

/// Where an answer goes.
struct Told {
    /// Told once, when the answer begins or is known never to.
    begun: Option<oneshot::Sender<Result<Option<Head>, Box<NotSent>>>>,
    sender: mpsc::Sender<Bytes>,
}

impl Told {
    fn has_begun(&self) -> bool {
        self.begun.is_none()
    }

    fn begin(&mut self, head: Option<Head>) {
        if let Some(begun) = self.begun.take() {
            let _ = begun.send(Ok(head));
        }
    }

    async fn tell(&mut self, bytes: Bytes) {
        if bytes.is_empty() {
            return;
        }
        self.begin(None);
        // Nobody reads any more: the call is canceled by then, and comes to its end.
        let _ = self.sender.send(bytes).await;
    }

    fn fail(&mut self, failed: NotSent) {
        if let Some(begun) = self.begun.take() {
            let _ = begun.send(Err(Box::new(failed)));
        }
    }
}
