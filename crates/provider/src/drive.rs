//! The driver of one send: makes attempts, hands on what comes, and asks [`Attempt`] what follows a failure.

use crate::attempt::{Attempt, Forwarded, Step, classify};
use crate::clock::Clock;
use crate::error::{Failure, SendError};
use crate::estimate::{self, Known};
use crate::outcome::{Kept, Outcome, Raw, Timing};
use crate::patience::Watch;
use crate::send::{Event, Order};
use crate::wire::{Answer, Wire};
use bytes::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use weftwork::decode::{DecodeError, Delta, Reply, Stop, StreamDecoder, provider_error};

/// After the end mark, how long the connection may take to end too, so that it can be used again.
const GRACE: Duration = Duration::from_millis(50);
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
struct Take {
    decoder: StreamDecoder,
    raw: Raw,
    headers: Kept,
    timing: Timing,
    forwarded: Forwarded,
    answered: bool,
}

impl Drive {
    /// Makes attempts until one gives a whole reply or none may follow.
    pub(crate) async fn run(self) -> Result<Outcome, Box<Failure>> {
        let began = self.clock.now();
        let mut attempt = Attempt::first(self.order.retry, self.order.resend);
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

    async fn tell(&self, event: Event) -> Result<(), SendError> {
        self.events.send(event).await.map_err(|_| SendError::Canceled)
    }

    /// One attempt, watched.
    async fn once(&self, take: &mut Take) -> Result<Reply, SendError> {
        let began: Instant = self.clock.now();
        let mut watch = Watch::new(&*self.clock, self.order.patience);
        let ended = self.exchange(take, &mut watch).await;
        take.timing.total = self.clock.now().duration_since(began);
        ended
    }

    async fn exchange(&self, take: &mut Take, watch: &mut Watch<'_>) -> Result<Reply, SendError> {
        let answer = self.guarded(watch, Wire::open(&self.order, self.client.as_ref(), &self.clock)).await?;
        let Answer { status, headers, mut wire } = answer;
        take.headers = Kept::of(&headers);
        if !status.is_success() {
            return Err(self.refusal(status.as_u16(), &headers, wire, take, watch).await);
        }
        wire.check_type(&headers)?;
        take.answered = true;
        while let Some(bytes) = self.chunk(&mut wire, take, watch).await? {
            self.forward(&bytes, take).await?;
            if take.decoder.is_done() {
                self.let_it_end(&mut wire).await;
                break;
            }
        }
        finished(take)
    }

    /// Waits for `work` unless the caller cancels or something is overdue.
    async fn guarded<T>(&self, watch: &mut Watch<'_>, work: impl Future<Output = Result<T, SendError>>) -> Result<T, SendError> {
        tokio::select! {
            biased;
            () = self.order.cancel.cancelled() => Err(SendError::Canceled),
            done = work => done,
            error = watch.overdue() => Err(error),
        }
    }

    async fn chunk(&self, wire: &mut Wire, take: &mut Take, watch: &mut Watch<'_>) -> Result<Option<Bytes>, SendError> {
        let came = take.raw.len();
        let bytes = self.guarded(watch, wire.chunk(came)).await?;
        if let Some(bytes) = &bytes {
            watch.hear();
            take.timing.first_byte.get_or_insert_with(|| watch.since_start());
            take.raw.add(bytes, self.order.largest_raw);
        }
        Ok(bytes)
    }

    /// Hands on what these bytes complete.
    async fn forward(&self, bytes: &[u8], take: &mut Take) -> Result<(), SendError> {
        for delta in take.decoder.push(bytes).map_err(decoding)? {
            if !matches!(delta, Delta::Usage(_)) {
                take.forwarded = Forwarded::Content;
            }
            self.tell(Event::Delta(delta)).await?;
        }
        // An error waits behind the deltas before it; not every server closes the connection after one.
        take.decoder.push(&[]).map_err(decoding).map(|_| ())
    }

    /// A connection whose body was read to its end can be used again.
    async fn let_it_end(&self, wire: &mut Wire) {
        tokio::select! {
            biased;
            _ = wire.chunk(0) => {}
            () = self.clock.sleep(GRACE) => {}
        }
    }

    /// What an answer without success says.
    async fn refusal(
        &self,
        status: u16,
        headers: &reqwest::header::HeaderMap,
        mut wire: Wire,
        take: &mut Take,
        watch: &mut Watch<'_>,
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
        Outcome { reply, raw: take.raw, usage, headers: take.headers, timing: take.timing, attempts }
    }
}

/// The reply when the answer has ended.
fn finished(take: &mut Take) -> Result<Reply, SendError> {
    let reply = take.decoder.clone().finish().map_err(decoding)?;
    match reply.stop {
        // What llama-cpp-python sends of a reply that another request broke off before its first word.
        Stop::End if reply.parts.is_empty() && reply.stop_reason.is_none() => {
            Err(SendError::Cut { bytes: take.raw.len(), why: "it ended without a word and without a reason".to_owned() })
        }
        Stop::Cut => Err(SendError::Cut { bytes: take.raw.len(), why: "the answer ended without an end mark".to_owned() }),
        Stop::End | Stop::MaxTokens | Stop::ToolCalls | Stop::StopText | Stop::Refused | Stop::Paused | Stop::Other => Ok(reply),
    }
}

fn decoding(error: DecodeError) -> SendError {
    match error {
        DecodeError::Provider(error) => classify(error, None),
        DecodeError::Empty => SendError::Overflow { error: None },
        DecodeError::TooLarge { limit } => SendError::TooLarge { limit },
        DecodeError::Malformed { .. } => SendError::Malformed { what: error.to_string() },
    }
}

/// Where a redirect points: the host and path, not a query that may hold something secret.
fn redirected(status: u16, headers: &reqwest::header::HeaderMap) -> SendError {
    let to = headers.get(reqwest::header::LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let to = to.split(['?', '#']).next().unwrap_or_default().chars().take(200).collect();
    SendError::Redirected { status, to }
}
