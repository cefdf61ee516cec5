//! Where a simulation happens: a store, a gateway whose models lose no time, and a clock that goes where it is told.

use super::hand::Hand;
use crate::support::{Fresh, NOW, ent, entity};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, EntityKind, Space, SpaceId};
use weftwork_gateway::tools::{self, Environment, Toolbox};
use weftwork_gateway::{Gateway, KeptPins, Time};
use weftwork_provider::{Clock, Config, Pause, Providers};
use weftwork_store::runs::{Caps, Run};
use weftwork_store::{Access, Store};

/// A clock of providers by which no pause lasts.
struct Hurry;

impl Clock for Hurry {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, duration: Duration) -> Pause {
        // What guards against a provider that hangs is a sleep too: it must not end before the answer is there.
        if duration >= Duration::from_secs(30) { Box::pin(std::future::pending()) } else { Box::pin(async {}) }
    }

    fn dice(&self) -> f64 {
        0.5
    }
}

pub(crate) struct Stage {
    pub(crate) gateway: Gateway,
    pub(crate) caps: Caps,
    time: Arc<AtomicI64>,
    runtime: tokio::runtime::Runtime,
    _fresh: Fresh,
}

impl Stage {
    pub(crate) fn new(fresh: Fresh, caps: Caps) -> Stage {
        let time = Arc::new(AtomicI64::new(NOW));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let gateway = gateway(&runtime, &fresh, &time, "");
        Stage { gateway: gateway.with_caps(caps.clone()), caps, time, runtime, _fresh: fresh }
    }

    pub(crate) fn store(&self) -> &Store {
        self.gateway.store()
    }

    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    pub(crate) fn now(&self) -> i64 {
        self.time.load(Ordering::SeqCst)
    }

    /// Lets time pass, forwards or back.
    pub(crate) fn pass(&self, millis: i64) {
        self.time.fetch_add(millis, Ordering::SeqCst);
    }

    pub(crate) fn hand(&self, owner: &str) -> Hand {
        Hand::new(owner, &self.gateway, self.runtime.handle())
    }

    /// A name in small letters is a person, one that begins with a capital an agent.
    pub(crate) fn space(&self, id: &str, members: &[&str]) -> SpaceId {
        let mut header = Conversation::new(Space::new(id, id));
        header.entities = members.iter().map(|name| entity(name, kind(name))).collect();
        self.store().create_space(&header, self.now()).expect("a space");
        header.space.id
    }

    pub(crate) fn claim(&self, owner: &str) -> Option<Run> {
        self.store().claim(owner, 1, &self.caps, self.now()).expect("a claim").pop()
    }

    pub(crate) fn reclaim(&self) -> usize {
        self.store().reclaim(&self.caps, self.now()).expect("reclaimed")
    }

    /// How far somebody has read in a space; none if they do not belong to it.
    pub(crate) fn cursor(&self, space: &SpaceId, who: &str) -> Option<i64> {
        let page = self.store().page(space, &ent(who), None, 1).expect("a page");
        page.map(|page| page.cursor.0)
    }
}

/// A gateway whose models lose no time.
pub(crate) fn gateway(runtime: &tokio::runtime::Runtime, fresh: &Fresh, time: &Arc<AtomicI64>, config: &str) -> Gateway {
    let store = Arc::new(Store::open(&fresh.address, Access::Write, NOW).expect("a store"));
    let providers = Providers::new(&Config::parse(config).expect("a configuration"), Catalogue::built_in(), |_| None);
    let providers = Arc::new(providers.expect("providers").with_clock(Arc::new(Hurry)));
    let clock = time.clone();
    let now: Time = Arc::new(move || clock.load(Ordering::SeqCst));
    let pins = Arc::new(KeptPins::new(store.clone(), now.clone()));
    let tools = Toolbox::new(tools::Config::parse("").expect("a configuration"), Environment::default(), pins);
    runtime.block_on(Gateway::open(store, providers, tools, "offline", now)).expect("a gateway")
}

pub(crate) fn kind(name: &str) -> EntityKind {
    if name.starts_with(char::is_uppercase) { EntityKind::Agent } else { EntityKind::Human }
}
