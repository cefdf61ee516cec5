//! Reading an answer that began with success: decoded as it comes, and, where the caller wants them, its bytes handed on.
//!
//! Bytes that were handed on cannot be taken back. So the first of them are decoded before they go, which is when an answer
//! can still be asked for again; what comes later goes on as it came, also what cannot be decoded.

use crate::attempt::{Forwarded, classify};
use crate::drive::{Drive, Take};
use crate::error::SendError;
use crate::patience::Watch;
use crate::send::{Event, Relay};
use crate::wire::Wire;
use bytes::Bytes;
use std::time::Duration;
use weftwork::decode::{DecodeError, Delta, Reply, Stop, decode};

/// After the end mark, how long the connection may take to end too, so that it can be used again.
const GRACE: Duration = Duration::from_millis(50);

impl Drive {
    /// Reads a stream to its end.
    pub(crate) async fn stream(&self, wire: &mut Wire, take: &mut Take, watch: &mut Watch) -> Result<Reply, SendError> {
        while let Some(bytes) = self.chunk(wire, take, watch).await? {
            if let Err(error) = self.forward(bytes, take).await {
                self.pass_on_rest(&error, wire, take, watch).await?;
                return Err(error);
            }
            if take.decoder.is_done() {
                self.let_it_end(wire, take).await?;
                break;
            }
        }
        let reply = take.decoder.clone().finish().map_err(decoding)?;
        whole(reply, take.raw.len())
    }

    /// Reads a document, and hands it on when it is known to be a reply.
    pub(crate) async fn document(&self, wire: &mut Wire, take: &mut Take, watch: &mut Watch) -> Result<Reply, SendError> {
        let limit = self.order.limits.body.min(self.order.largest_raw);
        while self.chunk(wire, take, watch).await?.is_some() {
            if take.raw.len() > limit as u64 {
                return Err(SendError::TooLarge { limit });
            }
        }
        let reply = whole(decode(&take.raw.bytes, self.order.dialect).map_err(decoding)?, take.raw.len())?;
        match self.order.relay {
            Relay::Deltas => {}
            Relay::Bytes => self.hand_on(Bytes::copy_from_slice(&take.raw.bytes), take).await?,
        }
        Ok(reply)
    }

    /// Hands on bytes, if they are wanted, and what they complete.
    async fn forward(&self, bytes: Bytes, take: &mut Take) -> Result<(), SendError> {
        let deltas = take.decoder.push(&bytes).map_err(decoding);
        match self.order.relay {
            Relay::Deltas => {}
            Relay::Bytes if deltas.is_err() && take.forwarded == Forwarded::Nothing => {}
            Relay::Bytes => self.hand_on(bytes, take).await?,
        }
        for delta in deltas? {
            if !matches!(delta, Delta::Usage(_)) {
                take.forwarded = Forwarded::Content;
            }
            self.tell(Event::Delta(delta)).await?;
        }
        // An error waits behind the deltas before it; not every server closes the connection after one.
        take.decoder.push(&[]).map_err(decoding).map(|_| ())
    }

    async fn hand_on(&self, bytes: Bytes, take: &mut Take) -> Result<(), SendError> {
        if take.forwarded == Forwarded::Nothing {
            take.forwarded = Forwarded::Content;
            self.tell(Event::Began(take.head.clone().unwrap_or_default())).await?;
        }
        self.tell(Event::Raw(bytes)).await
    }

    /// Once bytes were handed on, a caller gets the others too: all of them if only we cannot read them.
    async fn pass_on_rest(
        &self,
        error: &SendError,
        wire: &mut Wire,
        take: &mut Take,
        watch: &mut Watch,
    ) -> Result<(), SendError> {
        if self.order.relay == Relay::Deltas || take.forwarded == Forwarded::Nothing {
            return Ok(());
        }
        if !matches!(error, SendError::Malformed { .. }) {
            return self.let_it_end(wire, take).await;
        }
        let limit = self.order.limits.body;
        while take.raw.len() <= limit as u64
            && let Some(bytes) = self.chunk(wire, take, watch).await?
        {
            self.hand_on(bytes, take).await?;
        }
        Ok(())
    }

    /// A connection whose body was read to its end can be used again.
    async fn let_it_end(&self, wire: &mut Wire, take: &mut Take) -> Result<(), SendError> {
        let mut grace = self.clock.sleep(GRACE);
        loop {
            let bytes = tokio::select! {
                biased;
                bytes = wire.chunk(0) => bytes,
                () = &mut grace => return Ok(()),
            };
            match (bytes, self.order.relay) {
                (Ok(Some(bytes)), Relay::Bytes) => {
                    take.raw.add(&bytes, self.order.largest_raw);
                    self.hand_on(bytes, take).await?;
                }
                (Ok(_) | Err(_), _) => return Ok(()),
            }
        }
    }
}

/// The reply, if nothing is missing of it.
fn whole(reply: Reply, bytes: u64) -> Result<Reply, SendError> {
    match reply.stop {
        // What llama-cpp-python sends of a reply that another request broke off before its first word.
        Stop::End if reply.parts.is_empty() && reply.stop_reason.is_none() => {
            Err(SendError::Cut { bytes, why: "it ended without a word and without a reason".to_owned() })
        }
        Stop::Cut => Err(SendError::Cut { bytes, why: "the answer ended without an end mark".to_owned() }),
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
