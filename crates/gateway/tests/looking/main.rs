//! What people are shown: the demo, and what an agent would be sent. Each test runs on both databases.

#[path = "../../../store/tests/suite/support.rs"]
#[allow(dead_code, unused_macros)]
mod support;

mod demo;
mod preview;

use std::sync::Arc;
use support::{Fresh, NOW};
use tokio::runtime::Runtime;
use weftwork::catalogue::Catalogue;
use weftwork_gateway::tools::{self, Environment, Toolbox};
use weftwork_gateway::{Gateway, KeptPins, Time};
use weftwork_provider::{Config, Providers};
use weftwork_store::{Access, Store};

/// A gateway on a store of its own.
struct World {
    gateway: Gateway,
    runtime: Runtime,
    _fresh: Fresh,
}

impl World {
    fn new(fresh: Fresh, time: Time) -> World {
        let runtime = Runtime::new().expect("a runtime");
        let store = Arc::new(Store::open(&fresh.address, Access::Write, NOW).expect("a store"));
        let providers = Providers::new(&Config::default(), Catalogue::built_in(), |_| None).expect("providers");
        let pins = Arc::new(KeptPins::new(store.clone(), time.clone()));
        let tools = Toolbox::new(tools::Config::default(), Environment::default(), pins);
        let open = Gateway::open(store, Arc::new(providers), tools, "offline", time);
        let gateway = runtime.block_on(open).expect("a gateway");
        World { gateway, runtime, _fresh: fresh }
    }

    fn store(&self) -> &Store {
        self.gateway.store()
    }
}
