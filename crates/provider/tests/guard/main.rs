//! Addresses that did not come from the owner, held against a real socket: nothing forbidden is ever connected to.

use reqwest::Method;
use reqwest::header::HeaderMap;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use weftwork_provider::guard::{Allow, Bounds, Client, Guard, GuardError, LookUp, Names, Ports, Refused, Request};

/// Names whose addresses are in them: `v4-127-0-0-1.test`, `v6-0000-…-0001.test`; others answer from a list, one answer
/// after the other.
#[derive(Default)]
struct TestNames(Mutex<VecDeque<Vec<IpAddr>>>);

impl TestNames {
    fn answering(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |texts: &&[&str]| texts.iter().map(|text| text.parse().expect(text)).collect();
        Arc::new(Self(Mutex::new(answers.iter().map(parse).collect())))
    }
}

impl Names for TestNames {
    fn look_up(&self, host: &str) -> LookUp {
        let label = host.trim_end_matches('.').trim_end_matches(".test").rsplit('.').next().unwrap_or_default();
        let written = match label.get(..3) {
            Some("v4-") => label[3..].replace('-', ".").parse().ok(),
            Some("v6-") => label[3..].replace('-', ":").parse().ok(),
            Some(_) | None => None,
        };
        let listed = || self.0.lock().expect("names").pop_front().unwrap_or_default();
        let addresses = written.map_or_else(listed, |address| vec![address]);
        Box::pin(async move { Ok(addresses) })
    }
}

/// A server that counts who comes, and answers each with the next of its answers.
struct Door {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Door {
    async fn open(address: &str, answers: Vec<String>) -> Door {
        let listener = TcpListener::bind(address).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = heads.clone();
        tokio::spawn(async move {
            let mut answers = VecDeque::from(answers);
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.windows(4).any(|end| end == b"\r\n\r\n") && stream.read_buf(&mut head).await.unwrap_or(0) > 0 {}
                seen.lock().expect("heads").push(String::from_utf8_lossy(&head).into_owned());
                let answer = answers.pop_front().unwrap_or_else(|| ok("here"));
                drop(stream.write_all(answer.as_bytes()).await);
            }
        });
        Door { port, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("heads").clone()
    }
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn pointing(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {to}\r\n\r\n")
}

fn client(allow: &[&str], names: Arc<TestNames>) -> Client {
    let guard = Guard { allow: Allow::parse(allow).expect("entries"), ports: Ports::Usual };
    Client::with_names(guard, Bounds { total: Duration::from_secs(5), ..Bounds::default() }, names).expect("a client")
}

fn get(address: &str) -> Request {
    Request { method: Method::GET, address: address.to_owned(), headers: HeaderMap::new(), body: Default::default() }
}

fn word(refused: &Refused) -> &'static str {
    match refused {
        Refused::Unreadable { .. } => "unreadable",
        Refused::Scheme { .. } => "scheme",
        Refused::Credentials { .. } => "credentials",
        Refused::Port { .. } => "port",
        Refused::NotPublic { class, .. } => class.word(),
        Refused::Downgrade { .. } => "downgrade",
    }
}

fn refused(ended: Result<impl std::fmt::Debug, GuardError>) -> String {
    match ended {
        Err(GuardError::Refused(error)) => word(&error).to_owned(),
        other => format!("{other:?}"),
    }
}

/// Every address of this machine, of both families, so that no way in goes unseen.
async fn everywhere() -> Door {
    let both = TcpListener::bind("[::]:0").await.is_ok();
    Door::open(if both { "[::]:0" } else { "0.0.0.0:0" }, vec![]).await
}

#[tokio::test]
async fn no_address_of_the_corpus_is_connected_to() {
    let door = everywhere().await;
    let client = client(&[], Arc::default());
    let lines: Vec<(String, String)> =
        include_str!("urls.jsonl").lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.len() >= 500, "{}", lines.len());
    let mut wrong = Vec::new();
    for (expected, url) in &lines {
        let url = url.replace("{port}", &door.port.to_string());
        let got = match expected.as_str() {
            // Passes; whether it is there is not this test's business.
            "public" => client.check(&url).map_or_else(|error| word(&error).to_owned(), |_| "public".to_owned()),
            _ => refused(client.send(get(&url)).await),
        };
        if got != *expected {
            wrong.push(format!("{url:?}: {expected} expected, got {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The door was open all the time: whoever is allowed gets in, and is the first.
    let allowed = self::client(&["127.0.0.1"], Arc::default());
    let answer = allowed.send(get(&format!("http://127.0.0.1:{}/allowed", door.port))).await.expect("reached");
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"here"[..]));
    assert_eq!(door.heads().len(), 1, "{:?}", door.heads());
}

#[tokio::test]
async fn a_name_that_answers_otherwise_the_next_time_gains_nothing() {
    let inside = Door::open("127.0.0.1:0", vec![]).await;
    let outside = Door::open(&format!("127.0.0.2:{}", inside.port), vec![]).await;
    // What the owner opened stands for what is public: no test leaves this machine.
    let names = TestNames::answering(&[&["127.0.0.2"], &["127.0.0.1"], &["127.0.0.1", "127.0.0.2"], &["127.0.0.1", "::1"]]);
    let client = client(&["127.0.0.2"], names);
    let url = format!("http://rebind.test:{}/", inside.port);
    assert_eq!(client.send(get(&url)).await.expect("reached").status.as_u16(), 200);
    assert_eq!(refused(client.send(get(&url)).await), "loopback");
    assert_eq!(client.send(get(&url)).await.expect("the one that may be").status.as_u16(), 200);
    assert_eq!(refused(client.send(get(&url)).await), "loopback");
    assert_eq!((outside.heads().len(), inside.heads().len()), (2, 0));
}

#[tokio::test]
async fn a_host_is_opened_by_its_name_but_not_to_where_credentials_are() {
    let door = Door::open("127.0.0.1:0", vec![]).await;
    let names = TestNames::answering(&[&["127.0.0.1"], &["169.254.169.254"], &["::ffff:127.0.0.1"], &["127.0.0.1"]]);
    let client = client(&["ollama.local"], names);
    let url = format!("http://Ollama.local.:{}/", door.port);
    assert_eq!(client.send(get(&url)).await.expect("reached").status.as_u16(), 200);
    assert_eq!(refused(client.send(get(&url)).await), "metadata");
    assert_eq!(refused(client.send(get(&url)).await), "mapped");
    assert_eq!(refused(client.send(get(&format!("http://other.local:{}/", door.port))).await), "loopback");
    assert_eq!(door.heads().len(), 1);
}

#[tokio::test]
async fn redirects_are_held_against_the_rules_one_by_one() {
    let inside = Door::open("127.0.0.1:0", vec![]).await;
    let port = inside.port;
    for (to, expected) in [
        (format!("http://127.0.0.1:{port}/"), "loopback"),
        (format!("//127.0.0.1:{port}/"), "loopback"),
        (format!("http://2130706433:{port}/"), "loopback"),
        (format!("http://[::ffff:7f00:1]:{port}/"), "mapped"),
        (format!("http://v4-127-0-0-1.test:{port}/"), "loopback"),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "metadata"),
        (format!("http://u@127.0.0.2:{port}/"), "credentials"),
        ("file:///etc/passwd".to_owned(), "scheme"),
        ("gopher://127.0.0.1:70/".to_owned(), "scheme"),
        ("http://127.0.0.2:6379/".to_owned(), "port"),
    ] {
        let outside = Door::open("127.0.0.2:0", vec![pointing("/again"), pointing(&to)]).await;
        let client = client(&["127.0.0.2"], Arc::default());
        let fetched = client.fetch(&format!("http://127.0.0.2:{}/", outside.port), HeaderMap::new()).await;
        assert_eq!(refused(fetched), expected, "{to}");
    }
    assert_eq!(inside.heads(), Vec::<String>::new());
}

#[tokio::test]
async fn redirects_end_and_take_no_credentials_along() {
    let steps = ["/1", "/2", "/3"].map(pointing).to_vec();
    let outside = Door::open("127.0.0.2:0", [steps.clone(), vec![ok("done")]].concat()).await;
    let client = client(&["127.0.0.2"], Arc::default());
    let headers = [("authorization", "Bearer s"), ("accept", "image/png"), ("cookie", "a=b"), ("x-api-key", "s")];
    let headers: HeaderMap =
        headers.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect();
    let answer = client.fetch(&format!("http://127.0.0.2:{}/", outside.port), headers.clone()).await.expect("fetched");
    assert_eq!((answer.address.path(), &answer.body[..]), ("/3", &b"done"[..]));
    let heads = outside.heads();
    assert!(heads[0].contains("authorization: Bearer s"));
    for head in &heads[1..] {
        assert!(
            head.contains("image/png") && !head.contains("authorization") && !head.contains("a=b") && !head.contains("x-api-key")
        );
    }
    let ring = Door::open("127.0.0.2:0", [steps, vec![pointing("/4")]].concat()).await;
    let fetched = client.fetch(&format!("http://127.0.0.2:{}/", ring.port), headers).await;
    assert_eq!(fetched.expect_err("endless"), GuardError::TooManyRedirects);
    assert_eq!(ring.heads().len(), 4);
    // Sending, rather than fetching, follows nothing.
    let sent = Door::open("127.0.0.2:0", vec![pointing("/1")]).await;
    let answer = client.send(get(&format!("http://127.0.0.2:{}/", sent.port))).await.expect("an answer");
    assert_eq!((answer.status.as_u16(), sent.heads().len()), (302, 1));
}

#[tokio::test]
async fn an_answer_is_read_no_further_than_its_bound_and_not_for_ever() {
    let large = Door::open("127.0.0.2:0", vec![ok(&"x".repeat(100))]).await;
    let guard = || Guard { allow: Allow::parse(["127.0.0.2"]).expect("an entry"), ports: Ports::Usual };
    let bounds = Bounds { largest: 99, ..Bounds::default() };
    let client = Client::new(guard(), bounds).expect("a client");
    let url = |door: &Door| format!("http://127.0.0.2:{}/", door.port);
    assert_eq!(client.send(get(&url(&large))).await.expect_err("too large"), GuardError::TooLarge { limit: 99 });
    let slow = Door::open("127.0.0.2:0", vec!["HTTP/1.1 200 OK\r\n".to_owned()]).await;
    let hold = TcpListener::bind("127.0.0.2:0").await.expect("a port");
    let silent = format!("http://{}/", hold.local_addr().expect("an address"));
    let client = Client::new(guard(), Bounds { total: Duration::from_millis(50), ..Bounds::default() }).expect("a client");
    assert!(matches!(client.send(get(&silent)).await, Err(GuardError::TimedOut { .. })));
    assert!(matches!(client.send(get(&url(&slow))).await, Err(GuardError::Unreachable { .. })));
}

#[test]
fn ports_can_be_named() {
    let guard = Guard { ports: Ports::Only([443].into()), ..Guard::default() };
    assert!(guard.check("https://example.com/").is_ok());
    assert!(matches!(guard.check("http://example.com/"), Err(Refused::Port { port: 80, .. })));
}
