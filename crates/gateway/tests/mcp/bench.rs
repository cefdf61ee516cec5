//! A toolbox on one real server, and what is needed to ask it things.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use weftwork::model::{Json, Part, ResultContent, ToolCall};
use weftwork_gateway::tools::{
    BuiltIn, Config, Decision, Environment, Event, Gate, Limits, MemoryPins, Offered, Pending, Question, Ran, Round, Toolbox,
};

/// Which SDK a server is made with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sdk {
    /// Speaks both families.
    Python,
    /// The first for TypeScript: the older family.
    Node,
    /// The second for TypeScript: the newer one.
    Node2,
}

/// How it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    Stdio,
    Http,
}

/// One combination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) sdk: Sdk,
    pub(crate) way: Way,
    /// Empty to find out.
    pub(crate) protocol: &'static str,
}

/// Makes a test of each named function for each kind of server.
macro_rules! on_every_server {
    ($($test:ident),+ $(,)?) => {
        crate::bench::on_every_server!(@ python_stdio_2025 Python Stdio "2025-11-25" [$($test),+]);
        crate::bench::on_every_server!(@ python_stdio_2026 Python Stdio "2026-07-28" [$($test),+]);
        crate::bench::on_every_server!(@ python_http_2025 Python Http "2025-11-25" [$($test),+]);
        crate::bench::on_every_server!(@ python_http_2026 Python Http "2026-07-28" [$($test),+]);
        crate::bench::on_every_server!(@ node_stdio_2025 Node Stdio "2025-11-25" [$($test),+]);
        crate::bench::on_every_server!(@ node_http_2025 Node Http "2025-11-25" [$($test),+]);
        crate::bench::on_every_server!(@ node_stdio_2026 Node2 Stdio "2026-07-28" [$($test),+]);
        crate::bench::on_every_server!(@ node_http_2026 Node2 Http "2026-07-28" [$($test),+]);
    };
    (@ $module:ident $sdk:ident $way:ident $protocol:literal [$($test:ident),+]) => {
        mod $module {
            use crate::bench::{Kind, Sdk, Way};
            const KIND: Kind = Kind { sdk: Sdk::$sdk, way: Way::$way, protocol: $protocol };
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $test() {
                    super::$test(KIND).await;
                }
            )+
        }
    };
}
pub(crate) use on_every_server;

/// A kind for what does not depend on it.
pub(crate) const ANY: Kind = Kind { sdk: Sdk::Python, way: Way::Stdio, protocol: "2026-07-28" };

pub(crate) struct Bench {
    pub(crate) toolbox: Toolbox,
    pub(crate) pins: Arc<MemoryPins>,
    pub(crate) limits: Limits,
    pub(crate) gate: Answers,
    pub(crate) cancel: CancellationToken,
    pub(crate) http: Option<HttpServer>,
    pub(crate) events: Mutex<Vec<Event>>,
    asked: AtomicUsize,
}

impl Bench {
    pub(crate) fn new(kind: Kind) -> Self {
        Self::with(kind, "approval = \"always\"")
    }

    /// A bench on a server called `s`, with more lines in its configuration.
    pub(crate) fn with(kind: Kind, lines: &str) -> Self {
        let http = (kind.way == Way::Http).then(|| HttpServer::start(kind.sdk, 0));
        let reach = match &http {
            Some(server) => format!("url = \"http://127.0.0.1:{}/mcp\"", server.port),
            None => stdio(kind.sdk),
        };
        let protocol = if kind.protocol.is_empty() { String::new() } else { format!("protocol = {:?}", kind.protocol) };
        let config = format!("[mcp.s]\n{reach}\n{protocol}\n{lines}");
        Self { http, ..Self::of(&config) }
    }

    pub(crate) fn of(config: &str) -> Self {
        let pins = Arc::new(MemoryPins::default());
        let mut environment: Environment = std::env::vars().collect();
        environment.insert("OPENAI_API_KEY".into(), "secret".into());
        Self {
            toolbox: Toolbox::new(Config::parse(config).unwrap(), environment, pins.clone()),
            pins,
            limits: Limits::default(),
            gate: Answers::default(),
            cancel: CancellationToken::new(),
            http: None,
            events: Mutex::default(),
            asked: AtomicUsize::new(0),
        }
    }

    pub(crate) async fn run(&self, calls: &[ToolCall]) -> Vec<Ran> {
        self.run_with(calls, &[], &|event| self.events.lock().unwrap().push(event)).await
    }

    pub(crate) async fn run_with(
        &self,
        calls: &[ToolCall],
        built_ins: &[&dyn BuiltIn],
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Vec<Ran> {
        let round = Round { built_ins, gate: &self.gate, limits: &self.limits, cancel: &self.cancel, events };
        self.toolbox.run(calls, &round).await
    }

    /// Calls one tool of the server.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Ran {
        let id = format!("call_{}", self.asked.fetch_add(1, Ordering::Relaxed));
        self.run(&[call(&id, tool, arguments)]).await.remove(0)
    }

    pub(crate) async fn tool(&self, tool: &str) -> Offered {
        let offered = self.toolbox.offered().await.unwrap();
        offered.into_iter().find(|offered| offered.original == tool).unwrap_or_else(|| panic!("{:?}", self.toolbox.servers()))
    }
}

/// A call of a tool of the server `s`.
pub(crate) fn call(id: &str, tool: &str, arguments: Value) -> ToolCall {
    named(id, &format!("s__{tool}"), &arguments.to_string())
}

pub(crate) fn named(id: &str, name: &str, arguments: &str) -> ToolCall {
    match Part::call(id, name, Json::parse(arguments).unwrap()) {
        Part::ToolCall(call) => call,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn text(ran: &Ran) -> &str {
    match &ran.result.content {
        ResultContent::Text(text) => text,
        ResultContent::Parts(parts) => panic!("{parts:?}"),
    }
}

/// A file that does not exist yet.
pub(crate) fn new_file() -> PathBuf {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{}-{}", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    file
}

/// How many lines a tool wrote to a file: how often it ran.
pub(crate) fn lines(file: &Path) -> usize {
    std::fs::read_to_string(file).map(|text| text.lines().count()).unwrap_or(0)
}

/// A gate that answers by tool, once if nothing is said, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) by_tool: BTreeMap<&'static str, Decision>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Gate for Answers {
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a, Decision> {
        self.asked.lock().unwrap().push(question.call.id.clone());
        let decision = self.by_tool.get(question.tool).copied().unwrap_or(Decision::Once);
        Box::pin(async move { decision })
    }
}

/// A server that listens.
pub(crate) struct HttpServer {
    process: Child,
    pub(crate) port: u16,
}

impl HttpServer {
    pub(crate) fn start(sdk: Sdk, port: u16) -> Self {
        let (program, file) = (program(sdk), server_file(sdk));
        let mut command = Command::new(program);
        command.arg(file).arg("http").env("PORT", port.to_string()).env("MCP_PACKAGES", node_packages());
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, port: line.trim().parse().expect("the server prints its port") }
    }

    pub(crate) fn wait(&mut self) {
        self.process.wait().unwrap();
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The configuration of a server that is spoken to over its input and output.
pub(crate) fn stdio(sdk: Sdk) -> String {
    let command = json!([program(sdk), server_file(sdk), "stdio"]);
    format!("command = {command}\nenv = {{ MCP_PACKAGES = {:?} }}", node_packages())
}

pub(crate) fn program(sdk: Sdk) -> PathBuf {
    match sdk {
        Sdk::Python => python(),
        Sdk::Node | Sdk::Node2 => "node".into(),
    }
}

pub(crate) fn server_file(sdk: Sdk) -> PathBuf {
    let file = match sdk {
        Sdk::Python => "server.py",
        Sdk::Node => "server.mjs",
        Sdk::Node2 => "server2.mjs",
    };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/servers").join(file)
}

fn python() -> PathBuf {
    there("WEFT_MCP_PYTHON", "python/bin/python")
}

pub(crate) fn node_packages() -> PathBuf {
    there("WEFT_MCP_NODE", "node")
}

fn there(variable: &str, default: &str) -> PathBuf {
    let path = match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mcp-servers").join(default),
    };
    assert!(path.exists(), "the servers to test with are not there: run scripts/mcp-servers.sh first");
    path
}
