//! The binary, started and asked who it is.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const SEAL: &str = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";
/// One person asks for all here, so nobody is to be held back.
const CONFIG: &str = "[server]\nrequests_per_second = 1000000.0\n";

/// A server that runs for as long as this is held.
pub(crate) struct Server {
    pub(crate) url: String,
    /// What opens the door for the first time.
    pub(crate) invitation: String,
    /// From its start to its first answer.
    pub(crate) started: Duration,
    child: Child,
    _folder: TempDir,
}

impl Server {
    pub(crate) async fn start(database: Option<String>) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("weft")).expect("a folder");
        std::fs::write(folder.path().join("weft/config.toml"), CONFIG).expect("a configuration");
        let binary = std::env::var("WEFT_BIN").unwrap_or_else(|_| "target/quick/weft".to_owned());
        let bind = format!("127.0.0.1:{}", free_port());
        let mut command = Command::new(&binary);
        command.env("XDG_DATA_HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path()).env("WEFT_SEAL", SEAL);
        command.env("OLLAMA_HOST", "127.0.0.1:1").env_remove("WEFT_DB");
        command.args(["serve", "--bind", &bind]).stdout(Stdio::null()).stderr(Stdio::piped());
        if let Some(database) = &database {
            command.args(["--db", &fresh(database)]);
        }
        let began = Instant::now();
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{binary}: {error}; make build builds it"));
        let lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let invitation = std::thread::spawn(move || {
            let mut lines = lines.map_while(Result::ok);
            let link = lines.find_map(|line| line.split("owner: ").nth(1).map(str::to_owned));
            std::thread::spawn(move || lines.for_each(drop));
            link.and_then(|link| link.rsplit('/').next().map(str::to_owned)).expect("a link for the owner")
        });
        first_answer(&bind).await;
        let started = began.elapsed();
        let invitation = invitation.join().expect("it says how to get in");
        Server { url: format!("http://{bind}"), invitation, started, child, _folder: folder }
    }

    /// What it holds in memory.
    pub(crate) fn megabytes(&self) -> f64 {
        self.memory("VmRSS:")
    }

    /// What of it is its own. The rest are files: the binary, and the database, which is mapped and grows; the system takes
    /// those pages back when it needs them.
    pub(crate) fn own_megabytes(&self) -> f64 {
        self.memory("RssAnon:")
    }

    fn memory(&self, what: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix(what)).expect("its memory");
        line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

/// A database of its own on a server of PostgreSQL.
fn fresh(server: &str) -> String {
    let name = format!("load_{}", std::process::id());
    let make = {
        let (server, name) = (server.to_owned(), name.clone());
        move || {
            let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("PostgreSQL");
            let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}"));
            client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a database");
        }
    };
    std::thread::spawn(make).join().expect("a database");
    let (before, after) = server.split_once('?').map_or((server, String::new()), |(before, after)| (before, format!("?{after}")));
    let address = before.rsplit_once('/').map_or(before, |(address, _)| address);
    format!("{address}/{name}{after}")
}

async fn first_answer(bind: &str) {
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {bind}\r\nConnection: close\r\n\r\n");
    for _ in 0..10_000 {
        if let Ok(mut stream) = TcpStream::connect(bind).await {
            let mut answer = Vec::new();
            if stream.write_all(request.as_bytes()).await.is_ok() && stream.read_to_end(&mut answer).await.is_ok() {
                assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("the server did not start");
}
