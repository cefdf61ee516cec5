//! A server of its own for a test, and people in it.

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A seal, so that none is made in a folder that tests share.
const SEAL: &str = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";

/// A server that runs for as long as this is held.
pub(crate) struct House {
    pub(crate) url: String,
    pub(crate) http: Client,
    pub(crate) folder: tempfile::TempDir,
    link: Option<String>,
    child: Child,
    log: Arc<Mutex<String>>,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

/// Somebody with a token.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) token: String,
}

impl House {
    /// A fresh one on a file.
    pub(crate) fn new() -> House {
        House::with("", &[])
    }

    /// One with a configuration and more arguments.
    pub(crate) fn with(config: &str, args: &[&str]) -> House {
        House::with_env(config, args, &[])
    }

    /// One with variables of its own, too.
    pub(crate) fn with_env(config: &str, args: &[&str], env: &[(&str, &str)]) -> House {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("weft")).expect("a folder");
        std::fs::write(folder.path().join("weft/config.toml"), config).expect("a configuration");
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let env: Vec<_> = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (child, url, link, log) = start(&folder.path().to_path_buf(), "127.0.0.1:0", &args, &env);
        House { url, http: Client::new(), folder, link, child, log, args, env }
    }

    /// Kills it as a crash would, and starts it again at the same place.
    pub(crate) fn restart(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let bind = self.url.trim_start_matches("http://").to_owned();
        let (child, _, link, log) = start(&self.folder.path().to_path_buf(), &bind, &self.args, &self.env);
        // Connections that were kept lead nowhere now.
        (self.child, self.link, self.log, self.http) = (child, link, log, Client::new());
    }

    /// Asks it to stop; says whether it did well, and how long it took.
    pub(crate) fn stop(&mut self) -> (bool, Duration) {
        let began = std::time::Instant::now();
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.is_ok_and(|status| status.success()));
        let status = self.child.wait().expect("it ends");
        (status.success(), began.elapsed())
    }

    /// The variables of its process.
    pub(crate) fn environment(&self) -> Vec<u8> {
        std::fs::read(format!("/proc/{}/environ", self.child.id())).expect("Linux")
    }

    /// What it said so far, on stderr.
    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("nobody panicked").clone()
    }

    /// The link to the first owner.
    pub(crate) fn invitation(&self) -> &str {
        self.link.as_deref().expect("a fresh house has one").rsplit('/').next().expect("a secret")
    }

    /// A request without anybody behind it.
    pub(crate) fn nobody(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url))
    }

    /// A request of somebody.
    pub(crate) fn ask(&self, who: &Person, method: Method, path: &str) -> RequestBuilder {
        self.nobody(method, path).bearer_auth(&who.token)
    }

    /// What is at a path, for somebody.
    pub(crate) async fn get(&self, who: &Person, path: &str) -> Value {
        good(self.ask(who, Method::GET, path)).await
    }

    /// Sends something, as somebody.
    pub(crate) async fn post(&self, who: &Person, path: &str, body: &Value) -> Value {
        good(self.ask(who, Method::POST, path).json(body)).await
    }

    /// The first owner.
    pub(crate) async fn owner(&self) -> Person {
        self.joined(self.invitation(), "Olga").await
    }

    /// Somebody new, let in by an owner.
    pub(crate) async fn person(&self, owner: &Person, name: &str) -> Person {
        let made = self.post(owner, "/api/invitations", &json!({})).await;
        let link = made["secret"].as_str().expect("a link");
        self.joined(link.rsplit('/').next().expect("a secret"), name).await
    }

    async fn joined(&self, invitation: &str, name: &str) -> Person {
        let body = json!({"invitation": invitation, "name": name});
        let response = self.nobody(Method::POST, "/api/session").json(&body).send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::CREATED);
        let cookie = cookie(&response);
        let me: Value = response.json().await.expect("JSON");
        let made = self.nobody(Method::POST, "/api/tokens").header("cookie", cookie).header("origin", &self.url);
        let made = good(made.json(&json!({"name": "a test"}))).await;
        Person { id: text(&me["me"]["id"]), token: text(&made["secret"]) }
    }

    /// A space with these members besides its maker.
    pub(crate) async fn space(&self, maker: &Person, name: &str, members: &[&Person]) -> String {
        let members: Vec<_> = members.iter().map(|member| member.id.clone()).collect();
        text(&self.post(maker, "/api/spaces", &json!({"name": name, "members": members})).await["space"]["id"])
    }

    /// A chat with the model on board.
    pub(crate) async fn chat(&self, maker: &Person) -> String {
        let body = json!({"name": "a chat", "agent": {"model": "offline"}});
        text(&self.post(maker, "/api/spaces", &body).await["space"]["id"])
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The session's cookie, as it is sent back.
pub(crate) fn cookie(response: &Response) -> String {
    let set = response.headers()["set-cookie"].to_str().expect("text");
    set.split(';').next().expect("a pair").to_owned()
}

/// The JSON of an answer that must be good.
pub(crate) async fn good(request: RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer");
    let (status, body) = (response.status(), response.text().await.expect("a body"));
    assert!(status.is_success(), "{status}: {body}");
    if body.is_empty() { Value::Null } else { serde_json::from_str(&body).expect("JSON") }
}

/// A text inside JSON.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

type Started = (Child, String, Option<String>, Arc<Mutex<String>>);

fn start(folder: &PathBuf, bind: &str, args: &[String], env: &[(String, String)]) -> Started {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    for name in [
        "WEFT_DB",
        "WEFT_CONFIG",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
    ] {
        command.env_remove(name);
    }
    command.env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder).env("OLLAMA_HOST", "127.0.0.1:1").env("WEFT_SEAL", SEAL);
    command.envs(env.iter().map(|(name, value)| (name, value)));
    command.args(["serve", "--bind", bind]).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let (told, tells) = mpsc::channel();
    let log = Arc::new(Mutex::new(String::new()));
    let (kept, stderr) = (log.clone(), child.stderr.take().expect("stderr is piped"));
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let mut kept = kept.lock().expect("nobody panicked");
            kept.push_str(&line);
            kept.push('\n');
            let _ = told.send(line);
        }
    });
    let (mut url, mut way, mut said) = (None, None, String::new());
    while url.is_none() || way.is_none() {
        let Ok(line) = tells.recv_timeout(Duration::from_secs(60)) else { panic!("the server did not start:\n{said}") };
        said.push_str(&line);
        match (&url, line.strip_prefix("weft listens on ")) {
            (None, Some(at)) => url = Some(format!("http://{at}")),
            (None, None) => {}
            // What follows says how to get in.
            (Some(_), _) => way = Some(line),
        }
    }
    let link = way.and_then(|way| way.split("owner: ").nth(1).map(str::to_owned));
    (child, url.expect("it says where it is"), link, log)
}
