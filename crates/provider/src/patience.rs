//! How long a reply is waited for.
//!
//! One alarm for a whole attempt: it is set to the earliest moment at which something could be overdue, and set anew when
//! it rings too early. A byte costs a look at the clock, not a timer.

use crate::clock::{Clock, Pause};
use crate::error::SendError;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// How long a reply is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the request to the first byte of the answer's body: some servers send the head at once and then read the prompt.
    pub first_byte: Duration,
    /// From one byte to the next.
    pub stall: Duration,
    /// From the request to the last byte.
    pub total: Duration,
}

impl Patience {
    /// For servers elsewhere.
    pub const DEFAULT: Patience =
        Patience { first_byte: Duration::from_secs(60), stall: Duration::from_secs(60), total: Duration::from_secs(600) };

    /// For servers on this machine: they load a model and read a long prompt before they say anything.
    pub const LOCAL: Patience = Patience { first_byte: Duration::from_secs(600), ..Patience::DEFAULT };
}

/// Watches one attempt.
pub(crate) struct Watch {
    clock: Arc<dyn Clock>,
    patience: Patience,
    began: Instant,
    /// From when on a first byte is waited for.
    silent_since: Instant,
    heard: Option<Instant>,
    alarm: Pause,
}

impl Watch {
    /// Begins now.
    pub(crate) fn new(clock: Arc<dyn Clock>, patience: Patience) -> Self {
        let alarm = clock.sleep(patience.first_byte.min(patience.total));
        let began = clock.now();
        Self { patience, began, silent_since: began, heard: None, alarm, clock }
    }

    /// A byte came. From the first on, less silence is allowed than before, so the alarm is set anew.
    pub(crate) fn hear(&mut self) {
        if self.heard.replace(self.clock.now()).is_none() {
            self.alarm = self.clock.sleep(self.patience.stall.min(self.patience.total));
        }
    }

    /// Our own bytes went out meanwhile: the silence begins anew.
    pub(crate) fn go_on(&mut self) {
        self.silent_since = self.clock.now();
        self.alarm = self.clock.sleep(self.patience.first_byte.min(self.patience.total));
    }

    /// How long the attempt has lasted.
    pub(crate) fn since_start(&self) -> Duration {
        self.clock.now().duration_since(self.began)
    }

    /// Ends when something is overdue, and says what.
    pub(crate) async fn overdue(&mut self) -> SendError {
        std::future::poll_fn(|context| self.poll_overdue(context)).await
    }

    /// The same, to be polled.
    pub(crate) fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<SendError> {
        while self.alarm.as_mut().poll(context).is_ready() {
            match self.judge() {
                Ok(left) => self.alarm = self.clock.sleep(left),
                Err(error) => return Poll::Ready(error),
            }
        }
        Poll::Pending
    }

    /// How long nothing can be overdue, or what is.
    fn judge(&self) -> Result<Duration, SendError> {
        let now = self.clock.now();
        let total = now.duration_since(self.began);
        let silent = now.duration_since(self.heard.unwrap_or(self.silent_since));
        let allowed = if self.heard.is_some() { self.patience.stall } else { self.patience.first_byte };
        if total >= self.patience.total {
            Err(SendError::TooSlow { allowed: self.patience.total })
        } else if silent >= allowed {
            Err(SendError::Stalled { silent: allowed })
        } else {
            Ok((allowed - silent).min(self.patience.total - total))
        }
    }
}
