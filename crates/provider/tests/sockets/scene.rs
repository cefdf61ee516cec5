//! What the tests share: a clock of their own, providers at a scripted server, and one function that sends.

use crate::server::Server;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use weftwork::catalogue::Catalogue;
use weftwork_provider::{Clock, Config, Event, Failure, Order, Outcome, Pause, Providers};

/// Short waits pass at once and are remembered. Long ones, the patience of a send, last until the test lets time pass.
#[derive(Default)]
pub(crate) struct TestClock {
    pub(crate) waits: Mutex<Vec<Duration>>,
    ahead: Mutex<Duration>,
    lapse: Notify,
    begun: Mutex<Option<Instant>>,
}

const LONG: Duration = Duration::from_secs(60);

impl TestClock {
    /// Lets so much time pass.
    pub(crate) fn pass(&self, time: Duration) {
        *self.ahead.lock().expect("a clock") += time;
        self.lapse.notify_waiters();
    }

    pub(crate) fn waits(&self) -> Vec<Duration> {
        self.waits.lock().expect("a clock").clone()
    }
}

/// A clock behind an `Arc`, because a sleep outlives the call that asked for it.
pub(crate) struct Shared(pub(crate) Arc<TestClock>);

impl Clock for Shared {
    fn now(&self) -> Instant {
        let begun = *self.0.begun.lock().expect("a clock").get_or_insert_with(Instant::now);
        begun + *self.0.ahead.lock().expect("a clock")
    }

    fn sleep(&self, duration: Duration) -> Pause {
        let clock = self.0.clone();
        let until = self.now() + duration;
        Box::pin(async move {
            if duration < LONG {
                clock.waits.lock().expect("a clock").push(duration);
                return;
            }
            loop {
                let lapsed = clock.lapse.notified();
                if Shared(clock.clone()).now() >= until {
                    return;
                }
                lapsed.await;
            }
        })
    }

    fn dice(&self) -> f64 {
        0.5
    }
}

/// Providers of one kind at a server, and the clock they go by.
pub(crate) struct Scene {
    pub(crate) providers: Providers,
    pub(crate) clock: Arc<TestClock>,
}

impl Scene {
    pub(crate) fn new(kind: &str, base_url: &str) -> Self {
        let text = format!("[providers.test]\nkind = \"{kind}\"\nbase_url = \"{base_url}\"\napi_key_env = \"TEST_KEY\"");
        Self::configured(&text)
    }

    pub(crate) fn configured(text: &str) -> Self {
        let config = Config::parse(text).expect("a configuration");
        let env = |name: &str| (name == "TEST_KEY").then(|| "sk-test".to_owned());
        let clock = Arc::new(TestClock::default());
        let providers = Providers::new(&config, Catalogue::built_in(), env).expect("providers");
        Self { providers: providers.with_clock(Arc::new(Shared(clock.clone()))), clock }
    }

    pub(crate) fn at(kind: &str, server: &Server) -> Self {
        Self::new(kind, &server.address(if kind == "openai" || kind == "responses" { "/v1" } else { "" }))
    }

    pub(crate) fn order(&self) -> Order {
        self.order_of("test/m", r#"{"messages":[{"role":"user","content":"Hi there"}]}"#)
    }

    pub(crate) fn order_of(&self, model: &str, body: &str) -> Order {
        let target = self.providers.resolve(model).expect("a model");
        let dialect = target.dialect();
        Order::new(target, dialect, body.into())
    }

    pub(crate) async fn send(&self, order: Order) -> (Vec<Event>, Result<Outcome, Box<Failure>>) {
        let mut sending = self.providers.send(order);
        let mut events = Vec::new();
        while let Some(event) = sending.next().await {
            events.push(event);
        }
        (events, sending.finish().await)
    }

    /// Sends the usual request and expects a whole reply.
    pub(crate) async fn reply(&self) -> Outcome {
        self.send(self.order()).await.1.unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    /// Sends the usual request and expects a failure.
    pub(crate) async fn failure(&self) -> Failure {
        *self.send(self.order()).await.1.expect_err("a failure")
    }
}
