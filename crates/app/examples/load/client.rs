//! Clients, each asking as fast as it is answered, and what they measured.

use crate::server::Server;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Messages that stand in each space before it is measured.
const HISTORY: usize = 100;
/// Spaces that the clients share.
const SPACES: usize = 16;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A message is said in a space.
    Post,
    /// The newest fifty messages.
    List,
    /// The request that a model would be sent, with its report.
    Assemble,
    /// A reply of the model on board through the drop-in endpoint, read to its end.
    Stream,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Post, Kind::List, Kind::Assemble, Kind::Stream];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Post => "post",
            Kind::List => "list",
            Kind::Assemble => "assemble",
            Kind::Stream => "stream",
        }
    }
}

/// Where it is asked: somebody with a token, spaces to talk in, and a chat with a history.
#[derive(Clone)]
pub(crate) struct Place {
    http: Client,
    url: String,
    token: String,
    spaces: Arc<Vec<String>>,
    chats: Arc<Vec<String>>,
    next: Arc<AtomicUsize>,
}

impl Place {
    pub(crate) async fn make(server: &Server) -> Place {
        let http = Client::new();
        let url = server.url.clone();
        let body = json!({"invitation": server.invitation, "name": "Olga"});
        let joined = http.post(format!("{url}/api/session")).json(&body).send().await.expect("an answer");
        let cookie = joined.headers()["set-cookie"].to_str().expect("text").split(';').next().unwrap_or_default().to_owned();
        let made = http.post(format!("{url}/api/tokens")).header("cookie", cookie).header("origin", &url);
        let made: Value = made.json(&json!({"name": "load"})).send().await.expect("a token").json().await.expect("JSON");
        let token = made["secret"].as_str().expect("a secret").to_owned();
        let mut place = Place { http, url, token, spaces: Arc::default(), chats: Arc::default(), next: Arc::default() };
        let (mut spaces, mut chats) = (Vec::new(), Vec::new());
        for number in 0..SPACES {
            spaces.push(place.space(&json!({"name": format!("space {number}")})).await);
            chats.push(place.space(&json!({"name": format!("chat {number}"), "agent": {"model": "offline"}})).await);
        }
        for space in spaces.iter().chain(&chats) {
            for number in 0..HISTORY {
                // Nobody is asked to reply: what is measured is the reading.
                let body =
                    json!({"text": format!("Message {number}: {}", "some words of a usual length ".repeat(4)), "answer": "wake"});
                good(place.ask(Method::POST, &format!("/api/spaces/{space}/messages")).json(&body)).await;
            }
        }
        (place.spaces, place.chats) = (Arc::new(spaces), Arc::new(chats));
        place
    }

    fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    async fn space(&self, body: &Value) -> String {
        let made = good(self.ask(Method::POST, "/api/spaces").json(body)).await;
        let made: Value = serde_json::from_slice(&made).expect("JSON");
        made["space"]["id"].as_str().expect("an id").to_owned()
    }

    /// Assembles once.
    pub(crate) async fn assemble(&self) {
        good(self.request(Kind::Assemble, 0)).await;
    }

    fn request(&self, kind: Kind, number: usize) -> RequestBuilder {
        let (space, chat) = (&self.spaces[number % SPACES], &self.chats[number % SPACES]);
        match kind {
            Kind::Post => {
                let body = json!({"text": format!("Number {number}, and some words of a usual length.")});
                self.ask(Method::POST, &format!("/api/spaces/{space}/messages")).json(&body)
            }
            Kind::List => self.ask(Method::GET, &format!("/api/spaces/{space}/messages")),
            Kind::Assemble => self.ask(Method::POST, &format!("/api/spaces/{chat}/assemble")).json(&json!({})),
            Kind::Stream => {
                let said = "!say These are twenty words or so, which come one after the other, as a model would say them.";
                let body = json!({"model": "offline", "stream": true, "messages": [{"role": "user", "content": said}]});
                self.ask(Method::POST, "/v1/chat/completions").json(&body)
            }
        }
    }

    /// Asks once; says how long it took to the end of the answer, or none if it failed.
    pub(crate) async fn once(&self, kind: Kind) -> Option<Duration> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        let response = self.request(kind, number).send().await.ok()?;
        let well = response.status().is_success();
        let whole = response.bytes().await.is_ok();
        (well && whole).then(|| began.elapsed())
    }
}

async fn good(request: RequestBuilder) -> Vec<u8> {
    let response = request.send().await.expect("an answer");
    let (status, body) = (response.status(), response.bytes().await.expect("a body"));
    assert!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&body));
    body.to_vec()
}

/// What was measured.
pub(crate) struct Measured {
    /// From the shortest to the longest.
    times: Vec<Duration>,
    took: Duration,
    pub(crate) failed: usize,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }

    /// The time that so large a share of the requests did not exceed.
    pub(crate) fn at(&self, share: f64) -> Duration {
        let place = ((self.times.len() as f64 * share) as usize).min(self.times.len().saturating_sub(1));
        self.times.get(place).copied().unwrap_or_default()
    }
}

/// Asks from several clients at once for a while.
pub(crate) async fn measure(place: &Place, kind: Kind, clients: usize, span: Duration) -> Measured {
    let began = Instant::now();
    let asking = (0..clients).map(|_| {
        let place = place.clone();
        tokio::spawn(async move {
            let (mut times, mut failed) = (Vec::new(), 0);
            while began.elapsed() < span {
                match place.once(kind).await {
                    Some(time) => times.push(time),
                    None => failed += 1,
                }
            }
            (times, failed)
        })
    });
    let (mut times, mut failed) = (Vec::new(), 0);
    for client in asking.collect::<Vec<_>>() {
        let (more, not) = client.await.expect("a client");
        times.extend(more);
        failed += not;
    }
    times.sort();
    Measured { times, took: began.elapsed(), failed }
}
