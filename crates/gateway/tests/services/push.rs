//! Hints to programs elsewhere: signed, under one id however often, through the guard, and given up in the end.

use crate::scene::{NOW, Scene, Sent, secret};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use weftwork::model::EntityId;
use weftwork_gateway::push::{MOST_ATTEMPTS, Pushed};
use weftwork_gateway::services::sign;
use weftwork_gateway::{Gateway, GatewayError};
use weftwork_provider::guard::{Allow, Bounds, Client, Guard, Refused};
use weftwork_store::runs::{Caps, RunQuery};

/// A request as the program got it.
#[derive(Clone, Debug)]
struct Got {
    head: String,
    body: String,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }
}

/// A program that answers with these statuses, then with 204.
async fn program(statuses: &[u16]) -> (String, Arc<Mutex<Vec<Got>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/hook?x=1", listener.local_addr().expect("an address"));
    let got: Arc<Mutex<Vec<Got>>> = Arc::default();
    let (log, mut statuses) = (got.clone(), VecDeque::from(statuses.to_vec()));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            while !bytes.ends_with(b"}") && stream.read_buf(&mut bytes).await.unwrap_or(0) > 0 {}
            let text = String::from_utf8(bytes).expect("text");
            let (head, body) = text.split_once("\r\n\r\n").expect("a head");
            log.lock().expect("a log").push(Got { head: head.to_owned(), body: body.to_owned() });
            let status = statuses.pop_front().unwrap_or(204);
            let answer =
                format!("HTTP/1.1 {status} X\r\nConnection: close\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
            drop(stream.write_all(answer.as_bytes()).await);
        }
    });
    (address, got)
}

fn agent() -> EntityId {
    "agent".into()
}

fn guarded(scene: &Scene, allow: &[&str]) -> Gateway {
    let guard = Guard { allow: Allow::parse(allow).expect("entries"), ..Guard::default() };
    scene.gateway.clone().with_guard(Client::new(guard, Bounds::default()).expect("a client"))
}

/// A scene whose agent lives elsewhere.
async fn elsewhere() -> Scene {
    let scene = Scene::new().await;
    let mut entity = scene.store().entity(&agent()).expect("an agent");
    entity.external = true;
    scene.store().put_entity(&entity).expect("put");
    scene
}

fn pushed(sent: usize, moot: usize, again: usize, given_up: usize) -> Pushed {
    Pushed { sent, moot, again, given_up }
}

#[tokio::test]
async fn a_program_is_told_of_a_run_and_can_check_who_told_it() {
    let scene = elsewhere().await;
    let (address, got) = program(&[]).await;
    let gateway = guarded(&scene, &["127.0.0.1"]);
    gateway.set_push(&agent(), &address, &secret('p')).await.expect("set");
    let place = gateway.push_place(&agent()).await.expect("asked").expect("a place");
    assert_eq!((place.address.as_str(), place.since), (address.as_str(), NOW));
    assert_eq!(scene.receive(&Sent::new("ci", 'a', "msg_1", "{}")).await, "started");
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(1, 0, 0, 0));
    assert_eq!(gateway.push_due().await.expect("pushed"), Pushed::default());
    let got = got.lock().expect("a log").clone();
    let [hint] = got.as_slice() else { panic!("{got:?}") };
    assert!(hint.head.starts_with("POST /hook?x=1 HTTP/1.1"));
    let run = scene.store().runs(&RunQuery::default()).expect("runs").remove(0);
    assert_eq!(hint.body, format!(r#"{{"type":"run.due","agent":"agent","run":"{}","at":{NOW}}}"#, run.id));
    assert_eq!((hint.header("content-type"), hint.header("webhook-timestamp")), ("application/json", "1780000000"));
    let signature = sign(&secret('p'), hint.header("webhook-id"), NOW / 1_000, hint.body.as_bytes());
    assert_eq!(hint.header("webhook-signature"), signature);
}

#[tokio::test]
async fn a_hint_that_is_not_taken_comes_again_under_the_same_id_with_the_time_of_its_sending() {
    let scene = elsewhere().await;
    let (address, got) = program(&[500, 302]).await;
    let gateway = guarded(&scene, &["127.0.0.1"]);
    gateway.set_push(&agent(), &address, &secret('p')).await.expect("set");
    scene.receive(&Sent::new("ci", 'a', "msg_1", "{}")).await;
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(0, 0, 1, 0));
    assert_eq!(gateway.push_due().await.expect("pushed"), Pushed::default(), "not at once");
    scene.set(NOW + 6_000);
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(0, 0, 1, 0), "a redirect is not followed");
    scene.set(NOW + 60_000);
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(1, 0, 0, 0));
    let got = got.lock().expect("a log").clone();
    let ids: Vec<_> = got.iter().map(|hint| hint.header("webhook-id")).collect();
    assert_eq!((ids.len(), ids[0] == ids[1] && ids[1] == ids[2]), (3, true));
    assert_eq!(got[2].header("webhook-timestamp"), "1780000060");
    assert_ne!(got[0].header("webhook-signature"), got[2].header("webhook-signature"));
}

#[tokio::test]
async fn a_hint_is_given_up_in_the_end_and_a_person_is_told() {
    for (statuses, attempts) in [(vec![500; 20], MOST_ATTEMPTS), (vec![410], 1)] {
        let scene = elsewhere().await;
        let (address, got) = program(&statuses).await;
        let gateway = guarded(&scene, &["127.0.0.1"]);
        gateway.set_push(&agent(), &address, &secret('p')).await.expect("set");
        scene.receive(&Sent::new("ci", 'a', "msg_1", "{}")).await;
        let mut now = NOW;
        while gateway.push_due().await.expect("pushed").given_up == 0 {
            now += 2 * 3_600_000;
            scene.set(now);
        }
        scene.set(now + 1_000 * 3_600_000);
        assert_eq!(gateway.push_due().await.expect("pushed"), Pushed::default());
        assert_eq!(got.lock().expect("a log").len() as i64, attempts);
        let notes = gateway.notes();
        assert!(notes.len() == 1 && notes[0].contains(&format!("given up after {attempts} attempts")), "{notes:?}");
    }
}

#[tokio::test]
async fn what_nobody_needs_to_hear_any_more_is_not_sent() {
    let scene = elsewhere().await;
    let (address, got) = program(&[]).await;
    let gateway = guarded(&scene, &["127.0.0.1"]);
    gateway.set_push(&agent(), &address, &secret('p')).await.expect("set");
    scene.receive(&Sent::new("ci", 'a', "msg_1", "{}")).await;
    let caps = Caps::default();
    assert_eq!(scene.store().claim_for(&agent(), "program", 1, &caps, NOW).expect("claimed").len(), 1);
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(0, 1, 0, 0), "it was taken by polling");
    scene.receive(&Sent::new("shop", 'b', "msg_2", "{}")).await;
    assert!(gateway.remove_push(&agent()).await.expect("removed"));
    assert_eq!(gateway.push_due().await.expect("pushed"), pushed(0, 1, 0, 0), "it is told nothing any more");
    assert_eq!(got.lock().expect("a log").len(), 0);
}

#[tokio::test]
async fn no_hint_goes_to_where_only_we_can_go() {
    let scene = elsewhere().await;
    let (address, got) = program(&[]).await;
    let open = guarded(&scene, &["127.0.0.1"]);
    let closed = guarded(&scene, &[]);
    for bad in [address.as_str(), "http://169.254.169.254/", "file:///etc/passwd", "http://u:p@example.com/"] {
        assert!(matches!(closed.set_push(&agent(), bad, &secret('p')).await, Err(GatewayError::Address(_))), "{bad}");
    }
    assert!(matches!(
        open.set_push(&agent(), "http://169.254.169.254/", &secret('p')).await,
        Err(GatewayError::Address(Refused::NotPublic { .. }))
    ));
    // What was allowed when it was set is asked again when it is sent.
    open.set_push(&agent(), &address, &secret('p')).await.expect("set");
    scene.receive(&Sent::new("ci", 'a', "msg_1", "{}")).await;
    assert_eq!(closed.push_due().await.expect("pushed"), pushed(0, 0, 1, 0));
    assert_eq!(got.lock().expect("a log").len(), 0);
}

#[tokio::test]
async fn only_who_lives_elsewhere_is_told_and_no_secret_is_taken_for_a_providers_key() {
    let scene = Scene::new().await;
    let gateway = guarded(&scene, &[]);
    let set = async |agent: &str| gateway.set_push(&agent.into(), "https://example.com/", &secret('p')).await;
    assert!(matches!(set("agent").await, Err(GatewayError::LivesHere { .. })));
    assert!(set("nobody").await.is_err());
    let scene = elsewhere().await;
    let gateway = guarded(&scene, &[]);
    gateway.set_push(&agent(), "https://example.com/", &secret('p')).await.expect("set");
    assert!(matches!(scene.gateway.push_due().await, Err(GatewayError::NothingThere { .. })), "without a guard nothing goes out");
    assert_eq!(weftwork_gateway::kept_keys(scene.store()).expect("keys"), []);
    let sealed = scene.store().secret("push/agent").expect("read").expect("a secret").sealed;
    assert!(!sealed.windows(7).any(|bytes| bytes == b"example"));
}
