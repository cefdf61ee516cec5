//! Time and chance, as they come in from outside: a test brings its own.

use std::pin::Pin;
use std::time::{Duration, Instant};

/// A pause that can be waited for.
pub type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Time and chance.
pub trait Clock: Send + Sync + 'static {
    /// The time.
    fn now(&self) -> Instant;
    /// Passes time.
    fn sleep(&self, duration: Duration) -> Pause;
    /// A number from 0 up to, but not including, 1.
    fn dice(&self) -> f64;
}

/// The machine's clock, and dice of the operating system's seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn sleep(&self, duration: Duration) -> Pause {
        Box::pin(tokio::time::sleep(duration))
    }

    fn dice(&self) -> f64 {
        fastrand::f64()
    }
}
