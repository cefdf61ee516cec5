//! What the tests share: a store in a folder of its own, a chat in it, and one function that does something and watches.

use crate::server::Server;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, Node, NodeId, Part, ResultContent, Status, Usage};
use weftwork_gateway::tools::{self, Environment, Toolbox};
use weftwork_gateway::{Chat, Event, Gateway, GatewayError, How, KeptPins, Live, Open, Replied, Say, Time};
use weftwork_provider::{Config, Providers};
use weftwork_store::{Access, Address, CallRecord, CallsOf, Store};

/// A folder that goes with its test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("weft-gateway-{:016x}", fastrand::u64(..)));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) struct Scene {
    pub(crate) chat: Chat,
    pub(crate) folder: Arc<Folder>,
    config: String,
    time: Arc<AtomicI64>,
}

/// A summer morning.
const BEGIN: i64 = 1_780_000_000_000;

impl Scene {
    /// A chat with the model on board.
    pub(crate) async fn offline() -> Scene {
        Scene::configured("", "offline").await
    }

    /// A chat with a model at a scripted server.
    pub(crate) async fn at(kind: &str, server: &Server) -> Scene {
        Scene::with_window(kind, server, 100_000).await
    }

    pub(crate) async fn with_window(kind: &str, server: &Server, window: u64) -> Scene {
        let url = server.address(if matches!(kind, "openai" | "responses") { "/v1" } else { "" });
        let prices = "prices = { input = 1.0, output = 10.0, cache_read = 0.1, cache_write = 1.25 }";
        let model = format!("[providers.test.models.m]\ncontext_length = {window}\nmin_cacheable = 1\n{prices}");
        Scene::configured(&format!("[providers.test]\nkind = \"{kind}\"\nbase_url = \"{url}\"\n{model}"), "test/m").await
    }

    pub(crate) async fn configured(config: &str, model: &str) -> Scene {
        let scene = (Arc::new(Folder::new()), config.to_owned(), Arc::new(AtomicI64::new(BEGIN)));
        let gateway = gateway(&scene.0, &scene.1, &scene.2).await;
        let open = Open { model: Some(model.to_owned()), ..Open::default() };
        let chat = Chat::open(&gateway, open).await.expect("a chat");
        Scene { chat, folder: scene.0, config: scene.1, time: scene.2 }
    }

    /// The same chat in a process that begins anew.
    pub(crate) async fn reopened(self) -> Scene {
        let Scene { chat, folder, config, time } = self;
        let space = chat.space().clone();
        drop(chat);
        let gateway = gateway(&folder, &config, &time).await;
        let chat = Chat::open(&gateway, Open { space: Some(space), ..Open::default() }).await.expect("the chat");
        Scene { chat, folder, config, time }
    }

    /// The same, with another configuration.
    pub(crate) async fn reconfigured(mut self, config: &str) -> Scene {
        self.config = config.to_owned();
        self.reopened().await
    }

    pub(crate) fn store(&self) -> &Store {
        self.chat.gateway().store()
    }

    /// Says a text and expects a reply.
    pub(crate) async fn say(&self, text: &str) -> Replied {
        self.try_say(text).await.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub(crate) async fn try_say(&self, text: &str) -> Result<Replied, GatewayError> {
        self.chat.say(Say::text(text), &How::default(), &unwatched()).await
    }

    /// Says a text, and gives what was seen meanwhile.
    pub(crate) async fn watch(&self, text: &str) -> (Result<Replied, GatewayError>, Vec<Event>) {
        let (live, mut events) = Live::new();
        let how = How::default();
        let saying = async {
            let said = self.chat.say(Say::text(text), &how, &live).await;
            drop(live);
            said
        };
        let watching = async {
            let mut seen = Vec::new();
            while let Some(event) = events.recv().await {
                seen.push(event);
            }
            seen
        };
        tokio::join!(saying, watching)
    }

    pub(crate) fn export(&self) -> Conversation {
        self.store().export(self.chat.space()).expect("an export")
    }

    /// The path to the head, a line a node.
    pub(crate) async fn path(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut next = self.chat.head().await.expect("a head");
        while let Some(id) = next {
            let node = self.node(&id);
            lines.push(shown(&node));
            next = node.parent;
        }
        lines.reverse();
        lines
    }

    pub(crate) fn node(&self, id: &NodeId) -> Node {
        self.store().node(self.chat.space(), id).expect("a node")
    }

    pub(crate) fn calls(&self) -> Vec<CallRecord> {
        self.store().calls(CallsOf::Space(self.chat.space())).expect("calls")
    }

    pub(crate) fn request(&self, call: &CallRecord) -> Vec<u8> {
        self.store().exchange(self.chat.space(), &call.id).expect("an exchange").request.expect("a request")
    }

    pub(crate) fn used(&self) -> Usage {
        self.store().cumulative(self.chat.space()).expect("usage")
    }
}

async fn gateway(folder: &Folder, config: &str, time: &Arc<AtomicI64>) -> Gateway {
    let store = Store::open(&Address::File(folder.0.join("weft.db")), Access::Write, BEGIN).expect("a store");
    let servers = tools::Config::parse(config).expect("a configuration");
    let config = Config::parse(config).expect("a configuration");
    let providers = Providers::new(&config, Catalogue::built_in(), |_| None).expect("providers");
    let (time, store) = (time.clone(), Arc::new(store));
    let clock: Time = Arc::new(move || time.fetch_add(1000, Ordering::Relaxed));
    let tools =
        Toolbox::new(servers, std::env::vars().collect::<Environment>(), Arc::new(KeptPins::new(store.clone(), clock.clone())));
    Gateway::open(store, Arc::new(providers), tools, "offline", clock).await.expect("a gateway")
}

/// Nobody watches.
pub(crate) fn unwatched() -> Live {
    Live::new().0
}

/// A node on a line.
pub(crate) fn shown(node: &Node) -> String {
    let who = if node.author.as_str() == "me" { "me" } else { "agent" };
    let part = |part: &Part| match part {
        Part::Text(text) => text.text.clone(),
        Part::Reasoning(reasoning) => format!("(thinks {})", reasoning.text),
        Part::ToolCall(call) => format!("({} calls {} {})", call.id, call.name, call.args.text()),
        Part::ToolResult(result) => match &result.content {
            ResultContent::Text(text) => format!("({} {}: {text})", result.id, if result.is_error { "failed" } else { "gave" }),
            ResultContent::Parts(parts) => format!("({} gave {} parts)", result.id, parts.len()),
        },
        Part::Image(_) | Part::File(_) => "(media)".to_owned(),
    };
    let kind = match node.kind {
        weftwork::model::Kind::Message => String::new(),
        other => format!(" {other:?}"),
    };
    let status = match (node.status, &node.error) {
        (Status::Sent, _) => String::new(),
        (Status::Pending, _) => " pending".to_owned(),
        (Status::Error, None) => " stopped".to_owned(),
        (Status::Error, Some(why)) => format!(" failed({why})"),
    };
    format!("{who}{kind}{status}: {}", node.parts.iter().map(part).collect::<Vec<_>>().join(" "))
}
