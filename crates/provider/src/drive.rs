//! The driver of one send: makes attempts, hands on what comes, and asks [`Attempt`] what follows a failure.

use crate::attempt::{Attempt, Forwarded, Resend, Step, classify};
use crate::clock::Clock;
use crate::error::{Failure, SendError};
use crate::estimate::{self, Known};
use crate::head::Head;
use crate::outcome::{Kept, Outcome, Raw, Timing};
use crate::patience::Watch;
use crate::send::{Event, Form, Order, Relay};
use crate::wire::{Answer, Wire};
use bytes::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use weftwork::decode::{Reply, StreamDecoder, provider_error};

/// How much of an error's body is read.
const LARGEST_ERROR: usize = 64 << 10;

/// The driver of one send.
pub(crate) struct Drive {
    pub(crate) order: Order,
    pub(crate) client: Option<reqwest::Client>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) events: mpsc::Sender<Event>,
}

/// What one attempt took in.
pub(crate) struct Take {
    pub(crate) decoder: StreamDecoder,
    pub(crate) raw: Raw,
    pub(crate) head: Option<Head>,
    headers: Kept,
    timing: Timing,
    pub(crate) forwarded: Forwarded,
    answered: bool,
}

impl Drive {
    /// Makes attempts until one gives a whole reply or none may follow.
    pub(crate) async fn run(self) -> Result<Outcome, Box<Failure>> {
        let began = self.clock.now();
        let resend = match self.order.relay {
            Relay::Deltas => self.order.resend,
            Relay::Bytes => Resend::BeforeContent,
        };
        let mut attempt = Attempt::first(self.order.retry, resend);
        loop {
            let number = attempt.number();
            let mut take = self.take(self.clock.now().duration_since(began));
            let error = match self.once(&mut take).await {
                Ok(reply) => return Ok(self.outcome(take, reply, number).await),
                Err(error) => error,
            };
            let step = attempt.failed(&error, take.forwarded, self.clock.dice());
            let ended = match step {
                Step::GiveUp => Some(error),
                Step::Again { after } => self.wait(error, after).await.err(),
            };
            if let Some(error) = ended {
                let reply = take.decoder.so_far();
                let outcome = self.outcome(take, reply, number).await;
                return Err(Box::new(Failure { error, outcome }));
            }
        }
    }

    fn take(&self, before: Duration) -> Take {
        Take {
            decoder: StreamDecoder::with_limits(self.order.dialect, self.order.limits),
            raw: Raw::default(),
            head: None,
            headers: Kept::default(),
            timing: Timing { before, ..Timing::default() },
            forwarded: Forwarded::Nothing,
            answered: false,
        }
    }

    /// Tells the caller and lets time pass.
    async fn wait(&self, error: SendError, after: Duration) -> Result<(), SendError> {
        self.tell(Event::Again { error, after }).await?;
        tokio::select! {
            biased;
            () = self.order.cancel.cancelled() => Err(SendError::Canceled),
            () = self.clock.sleep(after) => Ok(()),
        }
    }

    pub(crate) async fn tell(&self, event: Event) -> Result<(), SendError> {
        self.events.send(event).await.map_err(|_| SendError::Canceled)
    }

    /// One attempt, watched.
    async fn once(&self, take: &mut Take) -> Result<Reply, SendError> {
        let began: Instant = self.clock.now();
        let mut watch = Watch::new(self.clock.clone(), self.order.patience);
        let ended = self.exchange(take, &mut watch).await;
        take.timing.total = self.clock.now().duration_since(began);
        ended
    }

    async fn exchange(&self, take: &mut Take, watch: &mut Watch) -> Result<Reply, SendError> {
        let answer = self.guarded(watch, Wire::open(&self.order, self.client.as_ref(), &self.clock)).await?;
        let Answer { status, headers, mut wire } = answer;
        take.headers = Kept::of(&headers);
        take.head = Some(Head::of(status, &headers));
        if !status.is_success() {
            return Err(self.refusal(status.as_u16(), &headers, wire, take, watch).await);
        }
        wire.check_type(&headers)?;
        take.answered = true;
        match (self.order.form, &wire) {
            // The model on board answers line by line, whatever it is asked for.
            (Form::Streamed, _) | (_, Wire::Offline(_)) => self.stream(&mut wire, take, watch).await,
            (Form::Whole, Wire::Http(_)) => self.document(&mut wire, take, watch).await,
        }
    }

    /// Waits for `work` unless the caller cancels or something is overdue.
    async fn guarded<T>(&self, watch: &mut Watch, work: impl Future<Output = Result<T, SendError>>) -> Result<T, SendError> {
        tokio::select! {
            biased;
            () = self.order.cancel.cancelled() => Err(SendError::Canceled),
            done = work => done,
            error = watch.overdue() => Err(error),
        }
    }

    pub(crate) async fn chunk(&self, wire: &mut Wire, take: &mut Take, watch: &mut Watch) -> Result<Option<Bytes>, SendError> {
        let came = take.raw.len();
        let bytes = self.guarded(watch, wire.chunk(came)).await?;
        if let Some(bytes) = &bytes {
            watch.hear();
            take.timing.first_byte.get_or_insert_with(|| watch.since_start());
            take.raw.add(bytes, self.order.largest_raw);
        }
        Ok(bytes)
    }

    /// What an answer without success says.
    async fn refusal(
        &self,
        status: u16,
        headers: &reqwest::header::HeaderMap,
        mut wire: Wire,
        take: &mut Take,
        watch: &mut Watch,
    ) -> SendError {
        if (300..400).contains(&status) {
            return redirected(status, headers);
        }
        while take.raw.len() < LARGEST_ERROR as u64 {
            match self.chunk(&mut wire, take, watch).await {
                Ok(Some(_)) => {}
                Err(SendError::Canceled) => return SendError::Canceled,
                // The status is known: what is missing of its text is not worth another error.
                Ok(None) | Err(_) => break,
            }
        }
        let wait = crate::retry_after::retry_after(headers, &take.raw.bytes);
        classify(provider_error(status, &take.raw.bytes), wait)
    }

    async fn outcome(&self, take: Take, reply: Reply, attempts: u32) -> Outcome {
        let known = Known { body: &self.order.body, model: &self.order.target.model, input: self.order.input_tokens };
        let usage = if take.answered { Some(estimate::measure(&reply, known).await) } else { None };
        let Take { raw, head, headers, timing, .. } = take;
        Outcome { reply, head, raw, usage, headers, timing, attempts }
    }
}

/// Where a redirect points: the host and path, not a query that may hold something secret.
pub(crate) fn redirected(status: u16, headers: &reqwest::header::HeaderMap) -> SendError {
    let to = headers.get(reqwest::header::LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let to = to.split(['?', '#']).next().unwrap_or_default().chars().take(200).collect();
    SendError::Redirected { status, to }
}
