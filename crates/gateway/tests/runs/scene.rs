//! What the tests share: a store, a gateway on it with the model on board, spaces with people and agents, and a clock.

use crate::support::{Fresh, NOW, ent, entity};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, EntityId, EntityKind, Node, Part, Space, SpaceId};
use weftwork_gateway::tools::{self, Environment, Toolbox};
use weftwork_gateway::{Ended, Gateway, KeptPins, Message, Time, WorkerSettings};
use weftwork_provider::{Config, Providers};
use weftwork_store::runs::{Posted, Run, RunId, RunQuery, RunState};
use weftwork_store::{Access, CallsOf, Store};

/// Makes a test of each function, once on SQLite and once on PostgreSQL.
#[macro_export]
macro_rules! worlds {
    ($($(#[$meta:meta])* fn $name:ident($world:ident: World) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(unused_imports)]
            use $crate::scene::World;

            fn test(#[allow(unused_mut)] mut $world: World) $body

            #[test]
            fn sqlite() {
                test(World::new($crate::support::Fresh::bare_sqlite(), ""));
            }

            #[test]
            fn postgres() {
                test(World::new($crate::support::Fresh::bare_postgres(), ""));
            }
        }
    )*};
}

/// A store, a gateway on it, and the time.
pub(crate) struct World {
    pub(crate) gateway: Gateway,
    pub(crate) fresh: Fresh,
    pub(crate) time: Arc<AtomicI64>,
    pub(crate) settings: WorkerSettings,
    pub(crate) runtime: tokio::runtime::Runtime,
}

impl World {
    pub(crate) fn new(fresh: Fresh, config: &str) -> World {
        let time = Arc::new(AtomicI64::new(NOW));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let gateway = gateway(&runtime, &fresh, &time, config);
        World { gateway, fresh, time, settings: WorkerSettings::default(), runtime }
    }

    /// Does something that takes time.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// The same world with a model that does whatever any text tells it.
    pub(crate) fn obedient(self) -> World {
        self.configured("[providers.offline]\nkind = \"offline\"\nobedient = true")
    }

    /// The same world in a process that begins anew, with this configuration.
    pub(crate) fn configured(self, config: &str) -> World {
        let World { gateway, fresh, time, settings, runtime } = self;
        drop(gateway);
        let gateway = self::gateway(&runtime, &fresh, &time, config);
        World { gateway, fresh, time, settings, runtime }
    }

    pub(crate) fn store(&self) -> &Store {
        self.gateway.store()
    }

    /// Makes a space. A name in small letters is a person, one that begins with a capital an agent.
    pub(crate) fn space(&self, id: &str, members: &[&str]) -> SpaceId {
        self.space_with(id, members, |_| {})
    }

    pub(crate) fn space_with(&self, id: &str, members: &[&str], change: impl FnOnce(&mut Space)) -> SpaceId {
        let mut header = Conversation::new(Space::new(id, id));
        change(&mut header.space);
        let kind = |name: &str| if name.starts_with(char::is_uppercase) { EntityKind::Agent } else { EntityKind::Human };
        header.entities = members.iter().map(|name| entity(name, kind(name))).collect();
        self.store().create_space(&header, self.now()).expect("a space");
        header.space.id
    }

    pub(crate) fn now(&self) -> i64 {
        self.time.load(Ordering::SeqCst)
    }

    pub(crate) fn pass(&self, millis: i64) {
        self.time.fetch_add(millis, Ordering::SeqCst);
    }

    /// A person says something.
    pub(crate) fn post(&self, space: &SpaceId, who: &str, text: &str) -> Posted {
        self.send(space, who, Message::text(text))
    }

    pub(crate) fn send(&self, space: &SpaceId, who: &str, message: Message) -> Posted {
        self.pass(1_000);
        self.wait(self.gateway.post(space, &ent(who), message)).expect("posted")
    }

    /// Lets everybody work until nothing is due.
    pub(crate) fn settle(&self) -> Vec<(RunId, Ended)> {
        self.wait(self.gateway.work_off(&self.settings)).expect("worked off")
    }

    /// What was said in a space, a line each, as `name: text`.
    pub(crate) fn said(&self, space: &SpaceId) -> Vec<String> {
        let nodes = self.store().after(space, weftwork_store::Seq(0), 10_000).expect("nodes");
        nodes.iter().map(|(_, node)| format!("{}: {}", node.author, text(node))).collect()
    }

    pub(crate) fn runs(&self, agent: &str) -> Vec<Run> {
        let mut runs = self.store().runs(&RunQuery { agent: Some(ent(agent)), ..RunQuery::default() }).expect("runs");
        runs.reverse();
        runs
    }

    pub(crate) fn states(&self, agent: &str) -> Vec<RunState> {
        self.runs(agent).iter().map(|run| run.state).collect()
    }

    /// The requests of a run, in order, as text.
    pub(crate) fn requests(&self, run: &RunId) -> Vec<String> {
        let calls = self.store().calls(CallsOf::Run(run.as_str())).expect("calls");
        let request = |call: &weftwork_store::CallRecord| {
            let exchange = self.store().exchange(call.space.as_ref(), &call.id).expect("an exchange");
            String::from_utf8(exchange.request.expect("a request")).expect("text")
        };
        calls.iter().map(request).collect()
    }

    /// The system text of the last request of a run.
    pub(crate) fn system(&self, run: &RunId) -> String {
        let request: serde_json::Value = serde_json::from_str(self.requests(run).last().expect("a request")).expect("JSON");
        request["system"].as_str().expect("a system text").to_owned()
    }

    /// The results of the last request's tools, in order.
    pub(crate) fn results(&self, run: &RunId) -> Vec<String> {
        let request: serde_json::Value = serde_json::from_str(self.requests(run).last().expect("a request")).expect("JSON");
        let parts = request["messages"]
            .as_array()
            .expect("messages")
            .iter()
            .flat_map(|message| message["content"].as_array().cloned().unwrap_or_default());
        let results = parts.filter(|part| part["type"] == "toolResult");
        results.map(|part| part["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Nothing of what must always be true is broken.
    pub(crate) fn sound(&self) {
        assert_eq!(self.store().check_invariants(self.now()).expect("a check"), []);
    }

    pub(crate) fn cursor(&self, space: &SpaceId, who: &str) -> u64 {
        self.store().unread(space, &EntityId::from(who)).expect("a number")
    }
}

pub(crate) fn text(node: &Node) -> String {
    node.parts.iter().map(|part| if let Part::Text(text) = part { text.text.as_str() } else { "?" }).collect()
}

/// A gateway on a store that may be there already.
pub(crate) fn gateway(runtime: &tokio::runtime::Runtime, fresh: &Fresh, time: &Arc<AtomicI64>, config: &str) -> Gateway {
    let store = Arc::new(Store::open(&fresh.address, Access::Write, NOW).expect("a store"));
    let servers = tools::Config::parse(config).expect("a configuration");
    let config = Config::parse(config).expect("a configuration");
    let providers = Arc::new(Providers::new(&config, Catalogue::built_in(), |_| None).expect("providers"));
    let clock = time.clone();
    let now: Time = Arc::new(move || clock.load(Ordering::SeqCst));
    let pins = Arc::new(KeptPins::new(store.clone(), now.clone()));
    let tools = Toolbox::new(servers, std::env::vars().collect::<Environment>(), pins);
    runtime.block_on(Gateway::open(store, providers, tools, "offline", now)).expect("a gateway")
}
