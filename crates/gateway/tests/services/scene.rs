//! A gateway with two services in a folder of its own, and one function that delivers something and tells what came of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, Entity, EntityKind, Space};
use weftwork_gateway::services::{Headers, NotReceived, Received, SigningSecret, sign};
use weftwork_gateway::tools::{self, Environment, MemoryPins, Toolbox};
use weftwork_gateway::{Gateway, Seal, Time};
use weftwork_provider::{Config, Providers};
use weftwork_store::runs::RunQuery;
use weftwork_store::{Access, Address, Store};

/// A summer morning.
pub(crate) const NOW: i64 = 1_780_000_000_000;

pub(crate) struct Scene {
    pub(crate) gateway: Gateway,
    time: Arc<AtomicI64>,
    folder: PathBuf,
}

/// Something that is sent.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) service: String,
    pub(crate) headers: Headers,
    pub(crate) body: Vec<u8>,
}

impl Sent {
    /// Signed now, with the secret of a letter.
    pub(crate) fn new(service: &str, letter: char, id: &str, body: &str) -> Sent {
        Sent::at(service, letter, id, NOW / 1_000, body)
    }

    pub(crate) fn at(service: &str, letter: char, id: &str, seconds: i64, body: &str) -> Sent {
        let headers = Headers {
            id: Some(id.to_owned()),
            timestamp: Some(seconds.to_string()),
            signature: Some(sign(&secret(letter), id, seconds, body.as_bytes())),
        };
        Sent { service: service.to_owned(), headers, body: body.into() }
    }

    /// Under another id, which nobody signed.
    pub(crate) fn id(mut self, id: &str) -> Sent {
        self.headers.id = Some(id.to_owned());
        self
    }
}

/// A secret for each letter.
pub(crate) fn secret(letter: char) -> SigningSecret {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode([letter as u8; 32]);
    SigningSecret::parse(&format!("whsec_{text}")).expect("a secret")
}

impl Scene {
    /// The services `ci`, with the secret of `a`, and `shop`, with that of `b`.
    pub(crate) async fn new() -> Scene {
        let folder = std::env::temp_dir().join(format!("weft-services-{:016x}", fastrand::u64(..)));
        std::fs::create_dir_all(&folder).expect("a folder");
        let store = Store::open(&Address::File(folder.join("weft.db")), Access::Write, NOW).expect("a store");
        let mut header = Conversation::new(Space::new("team", "Team"));
        header.entities = vec![entity("husam", EntityKind::Human), entity("agent", EntityKind::Agent)];
        store.create_space(&header, NOW).expect("a space");
        let time = Arc::new(AtomicI64::new(NOW));
        let seal = Seal::parse(&"5e".repeat(32)).expect("a seal");
        let gateway = gateway(Arc::new(store), time.clone()).await.with_seal(Arc::new(seal));
        for (name, letter) in [("ci", 'a'), ("shop", 'b')] {
            gateway.add_service(name, &"agent".into(), &secret(letter)).await.expect("a service");
        }
        Scene { gateway, time, folder }
    }

    pub(crate) async fn without_seal(&self) -> Gateway {
        gateway(self.gateway.store().clone(), self.time.clone()).await
    }

    pub(crate) fn store(&self) -> &Store {
        self.gateway.store()
    }

    pub(crate) fn set(&self, time: i64) {
        self.time.store(time, Ordering::Relaxed);
    }

    pub(crate) fn runs(&self) -> usize {
        self.store().runs(&RunQuery::default()).expect("runs").len()
    }

    /// What came of it: what the sender is told and, behind a bar, what the log is told.
    pub(crate) async fn receive(&self, sent: &Sent) -> String {
        match self.gateway.receive(&sent.service, &sent.headers, &sent.body).await {
            Ok(Received::Started(_)) => "started".to_owned(),
            Ok(Received::Before(_)) => "before".to_owned(),
            Err(error) => match &error {
                NotReceived::Unauthorized { reason } => format!("{error} | {reason}"),
                _ => error.to_string(),
            },
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn entity(id: &str, kind: EntityKind) -> Entity {
    Entity::new(id, id, kind)
}

async fn gateway(store: Arc<Store>, time: Arc<AtomicI64>) -> Gateway {
    let config = Config::parse("").expect("a configuration");
    let providers = Providers::new(&config, Catalogue::built_in(), |_| None).expect("providers");
    let servers = tools::Config::parse("").expect("a configuration");
    let tools = Toolbox::new(servers, Environment::new(), Arc::new(MemoryPins::default()));
    let clock: Time = Arc::new(move || time.load(Ordering::Relaxed));
    Gateway::open(store, Arc::new(providers), tools, "offline", clock).await.expect("a gateway")
}
