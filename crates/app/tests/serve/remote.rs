//! The verbs of the command line at a server: they print what they print on its database.

use crate::house::{House, Person, cookie, good, text};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

/// How a verb ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }

    fn json(self) -> Value {
        serde_json::from_str(&self.ok()).expect("JSON")
    }
}

/// Somebody at a terminal.
pub(crate) struct Hand {
    folder: String,
    env: Vec<(&'static str, String)>,
    last: Vec<String>,
}

impl Hand {
    fn new(house: &House, env: &[(&'static str, &str)], last: &[&str]) -> Hand {
        let folder = house.folder.path().to_str().expect("UTF-8").to_owned();
        let env = env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Hand { folder, env, last: last.iter().map(|arg| (*arg).to_owned()).collect() }
    }

    /// At the server.
    pub(crate) fn there(house: &House, who: &Person) -> Hand {
        Hand::new(house, &[("WEFT_TOKEN", &who.token)], &["--server", &house.url])
    }

    /// At its database.
    pub(crate) fn here(house: &House, file: &str) -> Hand {
        let file = house.folder.path().join("weft").join(file);
        Hand::new(house, &[], &["--db", file.to_str().expect("UTF-8")])
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.piped(args, "")
    }

    pub(crate) fn piped(&self, args: &[&str], stdin: &str) -> Ran {
        let mut child = self.begin(args);
        // Who does not want it closes the pipe.
        let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
        ended(child)
    }

    /// A verb that goes on.
    pub(crate) fn begin(&self, args: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
        for name in ["WEFT_DB", "WEFT_SERVER", "WEFT_TOKEN", "WEFT_CONFIG", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
            command.env_remove(name);
        }
        command.env("XDG_DATA_HOME", &self.folder).env("XDG_CONFIG_HOME", &self.folder).env("OLLAMA_HOST", "127.0.0.1:1");
        command.env("WEFT_SEAL", "5e".repeat(32)).envs(self.env.iter().map(|(name, value)| (name, value)));
        command.args(args).args(&self.last).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary runs")
    }
}

/// What became of a verb.
pub(crate) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code().expect("no signal"), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// The demo, and its person with a token.
fn demo() -> (House, Person) {
    let house = House::with("", &["--demo", "--no-worker"]);
    let person = runtime().block_on(async {
        let joined = house.nobody(Method::POST, "/api/session/demo").send().await.expect("an answer");
        let cookie = cookie(&joined);
        let me: Value = joined.json().await.expect("JSON");
        let made = house.nobody(Method::POST, "/api/tokens").header("cookie", cookie).header("origin", &house.url);
        let made = good(made.json(&json!({"name": "a test"}))).await;
        Person { id: text(&me["me"]["id"]), token: text(&made["secret"]) }
    });
    (house, person)
}

/// A fresh house with its owner.
fn owned() -> (House, Person) {
    let house = House::new();
    let owner = runtime().block_on(house.owner());
    (house, owner)
}

/// A text without what goes by while one looks: the time, stretches of it, and how wide they make a table.
fn timeless(text: &str) -> Vec<String> {
    let is_span = |word: &str| {
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        matches!(word, "now" | "ago") || word.strip_suffix(['s', 'm', 'h', 'd']).is_some_and(is_number)
    };
    let line = |line: &str| line.split_whitespace().filter(|word| !is_span(word)).collect::<Vec<_>>().join(" ");
    let mut pieces = text.split("currentTime: ");
    let first = pieces.next().unwrap_or_default().to_owned();
    let text = pieces.fold(first, |text, piece| text + piece.split_once('Z').map_or(piece, |(_, rest)| rest));
    text.lines().map(line).collect()
}

#[test]
fn what_is_looked_at_is_the_same_from_afar() {
    let (house, mira) = demo();
    // A copy, which no server has.
    let copy = house.folder.path().join("weft/copy.db");
    Hand::here(&house, "demo.db").run(&["backup", copy.to_str().expect("UTF-8")]).ok();
    let (here, there) = (Hand::here(&house, "copy.db"), Hand::there(&house, &mira));
    for line in [
        "spaces",
        "spaces --json",
        "spaces show demo-team",
        "spaces show demo-team --json",
        "spaces show nowhere",
        "spaces read demo-team --as Mira",
        "spaces read demo-team --as Mira --limit 2",
        "spaces context demo-team --agent Scout",
        "spaces context demo-team --agent Scout --json",
        "search the --limit 3",
        "search the --json --space demo-team --by Mira",
        "search nobodysaidthis",
        "usage --space demo-team --since 2020-01-01",
        "usage --space demo-team --space demo-chat --by model --json",
        "export --all",
        "export demo-chat --to markdown",
        "verify",
        "agents",
        "agents --json",
        "agents show Edtor",
        "plans --json",
        "services --json",
    ] {
        let args: Vec<&str> = line.split(' ').collect();
        let (local, remote) = (here.run(&args), there.run(&args));
        assert_eq!((remote.code, timeless(&remote.stdout)), (local.code, timeless(&local.stdout)), "{line}\n{}", remote.stderr);
        if local.code != 0 {
            assert_eq!(remote.stderr, local.stderr, "{line}");
        }
    }
    // What a server does not tell is left out, and the rest is there.
    for line in ["runs --json", "runs --agent Scout --status completed --json", "agents show Editor --json"] {
        let args: Vec<&str> = line.split(' ').collect();
        let (mut local, mut remote) = (here.run(&args).json(), there.run(&args).json());
        assert!(!without_roots(&mut remote) && without_roots(&mut local), "{line}");
        assert_eq!(remote, local, "{line}");
    }
    let run = text(&here.run(&["runs", "--json"]).json()[0]["id"]);
    let local = here.run(&["runs", "show", &run, "--json"]).json();
    let remote = there.run(&["runs", "show", &run[..8], "--json"]).json();
    for field in ["id", "agentName", "trigger", "status", "steps", "triggers", "usage"] {
        assert_eq!(remote[field], local[field], "{field}");
    }
    assert_eq!(remote["stepList"].as_array().map(Vec::len), local["stepList"].as_array().map(Vec::len));
    assert!(there.run(&["runs", "show", &run]).ok().contains("Which colours"));
}

/// Takes out what started the chains of runs; says whether it was told.
fn without_roots(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            let told = fields.remove("root").is_some_and(|root| !root.is_null());
            fields.values_mut().fold(told, |told, field| without_roots(field) || told)
        }
        Value::Array(items) => items.iter_mut().filter_map(|item| without_roots(item).then_some(())).count() > 0,
        _ => false,
    }
}

#[test]
fn what_is_done_from_afar_is_done_there() {
    let (house, owner) = owned();
    let weft = Hand::there(&house, &owner);
    let agent = weft.run(&["agents", "add", "Scout", "--model", "offline", "--prompt", "You look."]).ok();
    let (agent, space) = (agent.trim(), weft.run(&["spaces", "create", "Garden", "--member", "Scout"]).ok());
    let space = space.trim();
    let ran = weft.run(&["spaces", "post", "Garden", "What grows here?"]);
    assert!(ran.stderr.contains("it wakes Scout"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("Scout: "), "{ran:?}");
    let read = weft.run(&["spaces", "read", "Garden", "--mark-read", "--json"]).json();
    assert_eq!(read["messages"].as_array().map(Vec::len), Some(2));
    assert_eq!(weft.run(&["spaces", "read", "Garden", "--json"]).json()["unread"], 0);
    let first = text(&read["messages"][0]["id"]);
    assert_eq!(weft.run(&["spaces", "delete-message", "Garden", &first[..8], "--json"]).json()["deleted"], json!(first));
    let changed = weft.run(&["agents", "set", "Scout", "--name", "Ranger", "--json"]).json();
    assert_eq!((text(&changed["agent"]["id"]).as_str(), &changed["agent"]["name"]), (agent, &json!("Ranger")));
    let plan = weft.run(&["plans", "add", "Water", "--agent", "Ranger", "--do", "Water it.", "--cron", "0 9 * * 1-5"]).ok();
    assert!(weft.run(&["plans"]).ok().contains(plan.trim()));
    weft.run(&["plans", "remove", "Water"]).ok();
    let secret = weft.run(&["services", "add", "rain", "--agent", "Ranger"]).ok();
    let sent =
        weft.piped(&["services", "deliver", "rain", "--secret", secret.trim(), "--id", "one", "--json"], "{\"mm\":3}").json();
    assert_eq!((&sent["before"], sent["runs"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    let again =
        weft.piped(&["services", "deliver", "rain", "--secret", secret.trim(), "--id", "one", "--json"], "{\"mm\":3}").json();
    assert_eq!((&again["before"], &again["run"]), (&json!(true), &sent["run"]));
    weft.run(&["services", "rotate", "rain", "--keep-old", "2 hours"]).ok();
    weft.run(&["services", "remove", "rain"]).ok();
    let run = text(&sent["run"]);
    assert_eq!(weft.run(&["runs", "stop", &run[..8], "--json"]).json()["stopped"], "over");
    let token = weft.run(&["token", "new", "ci", "--scope", "read"]).ok();
    let list = weft.run(&["token", "list"]).ok();
    let id = list.lines().find(|line| line.contains(" ci ")).and_then(|line| line.split_whitespace().next()).expect("its id");
    let ci = Hand::there(&house, &Person { id: String::new(), token: token.trim().to_owned() });
    assert_eq!(ci.run(&["spaces", "leave", "Garden", "Ranger"]).code, 2);
    weft.run(&["token", "revoke", id]).ok();
    assert!(ci.run(&["spaces"]).stderr.contains("does not know this token"));
    weft.piped(&["key", "set", "anthropic"], "sk-x").ok();
    assert!(weft.run(&["key", "list"]).ok().contains("anthropic"));
    weft.run(&["key", "remove", "anthropic"]).ok();
    assert_eq!(weft.run(&["spaces", "leave", space, "Ranger", "--json"]).json()["left"], json!(agent));
}

#[test]
fn a_file_goes_there_and_comes_back() {
    let (house, owner) = owned();
    let weft = Hand::there(&house, &owner);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/openai-chat.json");
    let (first, again) = (weft.run(&["import", file]), weft.run(&["import", file, "--json"]).json());
    assert!(first.stderr.contains("kept"), "{}", first.stderr);
    assert_eq!((first.code, &again["added"], &again["newSpace"]), (0, &json!(0), &json!(false)));
    assert!(first.stdout.starts_with(again["space"].as_str().expect("an id")), "{}", first.stdout);
    let out = house.folder.path().join("out");
    let out = format!("{}/", out.display());
    weft.run(&["export", "--all", "--out", &out]).ok();
    let written = std::fs::read_dir(&out).expect("a folder").flatten().next().expect("a file").path();
    let written = written.to_str().expect("UTF-8");
    assert!(weft.run(&["verify", written]).ok().contains("ok"));
}

/// Arguments, variables, and what is said.
type Case<'c> = (&'c [&'c str], &'c [(&'static str, &'c str)], &'c str);

/// Something that answers one request, and is no Weft server.
fn answering(status: &'static str, rest: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let _ = stream.read(&mut [0; 4096]);
        let _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\n{rest}");
    });
    url
}

#[test]
fn why_it_does_not_work_is_said() {
    let (house, owner) = owned();
    let (url, token) = (house.url.as_str(), owner.token.as_str());
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let gone = format!("http://{}", nobody.local_addr().expect("an address"));
    drop(nobody);
    let (other, away) =
        (answering("200 OK", "content-length: 6\r\n\r\n<html>"), answering("302 Found", "location: http://a/\r\n\r\n"));
    let cases: &[Case<'_>] = &[
        (&["spaces", "--server", url], &[], "weft token new NAME"),
        (&["spaces", "--server", url], &[("WEFT_TOKEN", "wft_wrong")], "does not know this token"),
        (&["spaces", "--server", &gone], &[("WEFT_TOKEN", token)], "is weft serve running?"),
        (&["spaces", "--server", &other], &[("WEFT_TOKEN", token)], "is that a Weft server"),
        (&["spaces", "--server", &away], &[("WEFT_TOKEN", token)], "leads to http://a/"),
        (&["spaces", "--server", "weft.example.org"], &[("WEFT_TOKEN", token)], "is no address of a server"),
        (&["spaces", "--server", url, "--db", "x.db"], &[], "cannot be used with"),
        (&["spaces"], &[("WEFT_SERVER", url), ("WEFT_DB", "x.db")], "are both set"),
        (&["spaces", "show", "nowhere"], &[("WEFT_SERVER", url), ("WEFT_TOKEN", token)], "there is no space \"nowhere\""),
        (&["spaces", "create", "A", "--person", "Ann", "--server", url], &[("WEFT_TOKEN", token)], "invite them"),
        (&["spaces", "create", "A", "--id", "a", "--server", url], &[("WEFT_TOKEN", token)], "a server chooses the id"),
        (&["runs", "show", "..", "--server", url], &[("WEFT_TOKEN", token)], "there is no run \"..\""),
        (&["token", "revoke", "..", "--server", url], &[("WEFT_TOKEN", token)], "nothing here by that name"),
        (&["backup", "x.db", "--server", url], &[("WEFT_TOKEN", token)], "weft export --all"),
        (&["runs", "work", "--server", url], &[("WEFT_TOKEN", token)], "by itself"),
        (&["usage", "--since", "2020-01-01", "--server", url], &[("WEFT_TOKEN", "\u{7f}")], "WEFT_TOKEN"),
    ];
    for (args, env, expected) in cases {
        let ran = Hand::new(&house, env, &[]).run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?} {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{args:?} {}", ran.stderr);
    }
    let as_another = Hand::there(&house, &owner);
    as_another.run(&["spaces", "create", "Here"]).ok();
    let ran = as_another.run(&["spaces", "post", "Here", "Hello", "--as", "Ann"]);
    assert!(ran.code == 2 && ran.stderr.contains("you are Olga"), "{}", ran.stderr);
}

#[test]
fn a_file_that_a_server_has_is_changed_through_it() {
    let mut house = House::new();
    let beside = house.folder.path().join("weft/weft.db.server");
    assert_eq!(std::fs::metadata(&beside).expect("it is there").permissions().mode() & 0o777, 0o600);
    let weft = Hand::here(&house, "weft.db");
    let ran = weft.run(&["spaces", "create", "Early"]);
    assert!(ran.code == 2 && ran.stderr.contains("open the link that weft serve printed"), "{}", ran.stderr);
    let owner = runtime().block_on(house.owner());
    let ran = weft.run(&["spaces", "create", "Garden"]);
    assert_eq!((ran.code, ran.stderr.starts_with(&format!("through the server at {}\n", house.url))), (0, true), "{ran:?}");
    let spaces = runtime().block_on(house.get(&owner, "/api/spaces"));
    assert_eq!(spaces["spaces"][0]["name"], "Garden");
    // A way back in for somebody who lost theirs.
    let link = weft.run(&["token", "link", "Olga"]).ok();
    let secret = link.trim().rsplit("/join/").next().expect("a secret").to_owned();
    let again = house.nobody(Method::POST, "/api/session").json(&json!({"invitation": secret}));
    let me = runtime().block_on(crate::house::good(again));
    assert_eq!((&me["me"]["id"], &me["role"]), (&json!(owner.id), &json!("owner")), "{me}");
    // What others could have written is not believed.
    let mode = |mode| std::fs::set_permissions(&beside, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    mode(0o622);
    assert!(weft.run(&["spaces", "create", "Elsewhere"]).stderr.contains("is in use by process"));
    mode(0o600);
    // To look one needs nobody.
    let looked = weft.run(&["spaces"]);
    assert!(looked.stderr.is_empty() && looked.stdout.contains("Garden"), "{looked:?}");
    // What the file holds is no token of the database, and opens nothing at the next server.
    let old = std::fs::read(&beside).expect("it can be read");
    house.restart();
    let secret = text(&serde_json::from_slice::<Value>(&old).expect("JSON")["secret"]);
    let asked = house.nobody(Method::GET, "/api/spaces").bearer_auth(secret);
    assert_eq!(runtime().block_on(asked.send()).expect("an answer").status(), 401);
    weft.run(&["spaces", "create", "Orchard"]).ok();
    assert!(house.stop().0);
    assert!(!beside.exists());
    // A server that died leaves its file; nobody minds.
    std::fs::write(&beside, old).expect("it can be written");
    let ran = weft.run(&["spaces", "create", "Alone"]);
    assert_eq!((ran.code, ran.stderr.contains("through")), (0, false), "{}", ran.stderr);
}

/// All runs are listed where no limit is, also where the server gives them in pages.
#[test]
fn a_list_without_a_limit_has_every_run() {
    let house = House::with("[server]\nrequests_per_second = 1000000.0\n", &["--no-worker"]);
    let (owner, count) = runtime().block_on(async {
        let owner = house.owner().await;
        let space = house.chat(&owner).await;
        for _ in 0..201 {
            let body = json!({"text": "hello", "answer": "wake"});
            let posted = house.post(&owner, &format!("/api/spaces/{space}/messages"), &body).await;
            let run = text(&posted["woken"][0]["run"]);
            house.post(&owner, &format!("/api/runs/{run}/cancel"), &json!({})).await;
        }
        (owner, 201)
    });
    let hand = Hand::there(&house, &owner);
    let listed = |limit: &str| hand.run(&["runs", "--limit", limit, "--json"]).json().as_array().map(Vec::len);
    assert_eq!((listed("0"), listed("3")), (Some(count), Some(3)));
}
