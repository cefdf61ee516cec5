//! Signed webhooks, from the bytes that come to the run that begins: a real store, a clock that the test sets.

mod push;
mod scene;

use scene::{NOW, Scene, Sent, secret};
use weftwork_gateway::services::{MOST_BYTES, MOST_DEPTH, SigningSecret, sign};
use weftwork_store::runs::{RunQuery, TriggerKind};

const BODY: &str = r#"{"build": 7, "ok":true}"#;
const MINUTE: i64 = 60;

#[tokio::test]
async fn a_delivery_that_is_signed_begins_a_run() {
    let scene = Scene::new().await;
    assert_eq!(scene.receive(&Sent::new("ci", 'a', "msg_1", BODY)).await, "started");
    let runs = scene.store().runs(&RunQuery::default()).expect("runs");
    assert_eq!((runs.len(), runs[0].agent.as_str(), runs[0].depth), (1, "agent", 0));
    let trigger = scene.store().triggers(&runs[0].id).expect("triggers").remove(0);
    let body = format!(r#"{{"service":"ci","payload":{BODY}}}"#);
    assert_eq!((trigger.kind, trigger.body.as_deref()), (TriggerKind::Delivery, Some(body.as_str())));
}

#[tokio::test]
async fn who_is_not_trusted_gets_one_answer() {
    let scene = Scene::new().await;
    let good = || Sent::new("ci", 'a', "msg_1", BODY);
    let at = |seconds: i64| Sent::at("ci", 'a', "msg_1", NOW / 1_000 + seconds, BODY);
    let with = |change: &dyn Fn(&mut Sent)| {
        let mut sent = good();
        change(&mut sent);
        sent
    };
    let signed = |signature: &str| with(&|sent| sent.headers.signature = Some(signature.to_owned()));
    let timed = |timestamp: &str| with(&|sent| sent.headers.timestamp = Some(timestamp.to_owned()));
    let named = |id: &str| with(&|sent| sent.headers.id = Some(id.to_owned()));
    let to = |service: &str| with(&|sent| sent.service = service.to_owned());
    let body = |body: &str| with(&|sent| sent.body = body.into());
    let right = good().headers.signature.unwrap_or_default();
    let wrong = "none of 1 signatures is that of one of 1 secrets";
    let none = "none of 0 signatures is that of one of 1 secrets";
    for (what, sent, reason) in [
        ("no such service", to("no-such"), "there is no such service"),
        ("no such service, by a name that none can have", to("../ci\0"), "there is no such service"),
        ("no such service, signed with nobody's secret", Sent::new("no-such", '\0', "msg_1", BODY), "there is no such service"),
        ("no id", with(&|sent| sent.headers.id = None), "there is no webhook-id"),
        ("an empty id", named(""), "there is no webhook-id"),
        ("no time", with(&|sent| sent.headers.timestamp = None), "there is no webhook-timestamp"),
        ("no signature", with(&|sent| sent.headers.signature = None), "there is no webhook-signature"),
        ("a wrong signature", signed("v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), wrong),
        ("a short one", signed("v1,AAAA"), wrong),
        ("half of the right one", signed(&right[..25]), none),
        ("one of another kind", signed(&right.replace("v1,", "v1a,")), none),
        ("one without its kind", signed(right.trim_start_matches("v1,")), none),
        ("not base64", signed("v1,???"), none),
        ("too many wrong ones", signed(&("v1,AAAA ".repeat(8) + &right)), "none of 8 signatures is that of one of 1 secrets"),
        ("the secret of another service", Sent::new("ci", 'b', "msg_1", BODY), wrong),
        ("what was signed for another service", Sent { service: "ci".to_owned(), ..Sent::new("shop", 'b', "m", BODY) }, wrong),
        ("JSON that was written anew", body(r#"{"build":7,"ok":true}"#), wrong),
        ("one byte more", body(&format!("{BODY}\n")), wrong),
        ("another id", named("msg_2"), wrong),
        ("another time", timed(&(NOW / 1_000 + 1).to_string()), wrong),
        ("too old", at(-5 * MINUTE - 1), "it was signed 301 seconds ago"),
        ("too early", at(5 * MINUTE + 1), "it was signed 301 seconds from now"),
        ("of 1970", at(-NOW / 1_000), "it was signed 1780000000 seconds ago"),
        ("no number", timed("soon"), r#"webhook-timestamp "soon" is not a number of seconds"#),
        ("a sign", timed("+1780000000"), r#"webhook-timestamp "+1780000000" is not a number of seconds"#),
        ("milliseconds", timed("99999999999999999"), r#"webhook-timestamp "99999999999999999" is not a number of seconds"#),
        ("a dot in the id", Sent::new("ci", 'a', "msg.1", BODY), "a dot"),
        ("a long id", Sent::new("ci", 'a', &"m".repeat(201), BODY), "longer than 200"),
        ("not even JSON", body("hello"), wrong),
    ] {
        let answer = scene.receive(&sent).await;
        let Some(told) = answer.strip_prefix("unauthorized: there is no such service, or the signature is not right | ") else {
            panic!("{what}: {answer}")
        };
        assert!(told.contains(reason), "{what}: {told}");
    }
    assert_eq!(scene.runs(), 0);
}

/// The same bytes, read as another id, time and body.
#[tokio::test]
async fn what_is_signed_can_be_read_in_one_way_only() {
    let scene = Scene::new().await;
    let seconds = NOW / 1_000;
    let inner = format!("{seconds}.7");
    let sent = Sent::at("ci", 'a', "m", seconds, &inner);
    assert_eq!(sent.headers.signature, Some(sign(&secret('a'), &format!("m.{seconds}"), seconds, b"7")));
    let moved = Sent { body: b"7".to_vec(), ..sent }.id(&format!("m.{seconds}"));
    assert!(scene.receive(&moved).await.contains("dot"));
}

#[tokio::test]
async fn time_is_allowed_to_differ_by_five_minutes() {
    let scene = Scene::new().await;
    for (id, seconds) in [("early", 5 * MINUTE), ("late", -5 * MINUTE), ("now", 0)] {
        let sent = Sent::at("ci", 'a', id, NOW / 1_000 + seconds, BODY);
        assert_eq!(scene.receive(&sent).await, "started", "{id}");
    }
}

#[tokio::test]
async fn a_delivery_that_comes_again_begins_nothing() {
    let scene = Scene::new().await;
    let sent = Sent::new("ci", 'a', "msg_1", BODY);
    for (what, sent, expected) in [
        ("the first", sent.clone(), "started"),
        ("the same bytes", sent.clone(), "before"),
        ("sent again later", Sent::at("ci", 'a', "msg_1", NOW / 1_000 + 60, BODY), "before"),
        ("another body", Sent::new("ci", 'a', "msg_1", "{}"), r#"webhook-id "msg_1" came before with another body"#),
        ("the same in other words", Sent::new("ci", 'a', "msg_1", r#"{"build":7,"ok":true}"#), "came before with another body"),
        ("another id", Sent::new("ci", 'a', "msg_2", BODY), "started"),
        ("another service's id", Sent::new("shop", 'b', "msg_1", BODY), "started"),
    ] {
        let answer = scene.receive(&sent).await;
        assert!(answer.contains(expected), "{what}: {answer}");
    }
    scene.set(NOW + 6 * MINUTE * 1_000);
    assert!(scene.receive(&sent).await.contains("it was signed 360 seconds ago"));
    // A service that was taken away and added again does not take it again either.
    scene.gateway.remove_service("ci").await.expect("removed");
    scene.gateway.add_service("ci", &"agent".into(), &secret('a')).await.expect("added");
    assert_eq!(scene.receive(&Sent::at("ci", 'a', "msg_1", NOW / 1_000 + 300, BODY)).await, "before");
}

#[tokio::test]
async fn any_of_several_signatures_may_be_right() {
    let scene = Scene::new().await;
    for (id, before, after) in [("m1", "v1,AAAA ", ""), ("m2", "", " v1,AAAA"), ("m3", "v1a,xyz v2,?? ", " x"), ("m4", " ", "  ")]
    {
        let mut sent = Sent::new("ci", 'a', id, BODY);
        sent.headers.signature = sent.headers.signature.map(|right| format!("{before}{right}{after}"));
        assert_eq!(scene.receive(&sent).await, "started", "{id}");
    }
}

#[tokio::test]
async fn an_old_secret_is_taken_until_its_time() {
    let scene = Scene::new().await;
    let (gateway, until) = (&scene.gateway, NOW + 3_600_000);
    assert!(gateway.rotate_secret("ci", &secret('c'), until).await.expect("rotated"));
    for (time, old, new) in
        [(NOW, "started", "started"), (until - 1, "started", "started"), (until, "of one of 1 secrets", "started")]
    {
        scene.set(time);
        for (letter, expected) in [('a', old), ('c', new), ('b', "none of 1 signatures")] {
            let id = format!("{letter}{time}");
            let answer = scene.receive(&Sent::at("ci", letter, &id, time / 1_000, BODY)).await;
            assert!(answer.contains(expected), "{letter} at {}: {answer}", time - NOW);
        }
        // Whoever changes its own secret may sign with both meanwhile.
        let mut both = Sent::at("ci", 'a', &format!("both{time}"), time / 1_000, BODY);
        let other = Sent::at("ci", 'c', &format!("both{time}"), time / 1_000, BODY).headers.signature.unwrap_or_default();
        both.headers.signature = both.headers.signature.map(|one| format!("{one} {other}"));
        assert_eq!(scene.receive(&both).await, "started");
    }
    // The second change ends the first secret, and a time that has been the second.
    assert!(gateway.rotate_secret("ci", &secret('d'), until + 1_000).await.expect("rotated"));
    assert!(gateway.rotate_secret("ci", &secret('e'), NOW).await.expect("rotated"));
    for (letter, expected) in [('c', "unauthorized"), ('d', "unauthorized"), ('e', "started")] {
        let answer = scene.receive(&Sent::at("ci", letter, &format!("{letter}2"), until / 1_000, BODY)).await;
        assert!(answer.starts_with(expected), "{letter}: {answer}");
    }
    assert!(!gateway.rotate_secret("no-such", &secret('f'), NOW).await.expect("nothing"));
}

#[tokio::test]
async fn a_body_is_json_within_bounds() {
    let scene = Scene::new().await;
    let of = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    for (id, body, expected) in [
        ("m1", of(MOST_BYTES), "started"),
        ("m2", of(MOST_BYTES + 1), "the body has 262145 bytes, and 262144 are the most"),
        ("m3", nested(MOST_DEPTH), "started"),
        ("m4", nested(MOST_DEPTH + 1), "the body is nested deeper than 64"),
        ("m5", nested(100_000), "the body is nested deeper than 64"),
        ("m6", "build=7".to_owned(), "the body is no JSON"),
        ("m7", String::new(), "the body is no JSON"),
        ("m8", r#""null \u0000, quote \" and \ud83d\ude00""#.to_owned(), "started"),
    ] {
        let answer = scene.receive(&Sent::new("ci", 'a', id, &body)).await;
        assert!(answer.starts_with(expected), "{id}: {answer}");
    }
    assert_eq!(scene.runs(), 3, "what is not taken begins nothing");
    // Too large is too large for everybody: nothing is looked up, and nothing is told.
    let unsigned = Sent { body: vec![b' '; MOST_BYTES + 1], ..Sent::new("no-such", 'z', "m", "") };
    assert!(scene.receive(&unsigned).await.starts_with("the body has"));
}

#[tokio::test]
async fn secrets_are_kept_sealed_and_for_one_service() {
    let scene = Scene::new().await;
    let made = SigningSecret::generate().expect("dice");
    scene.gateway.add_service("new", &"agent".into(), &made).await.expect("added");
    let kept = |name: &str| scene.store().service(name).expect("read").expect("there");
    let shown = made.reveal();
    assert!(!kept("new").sealed.windows(20).any(|bytes| shown.as_bytes().windows(20).any(|part| part == bytes)));
    let listed = scene.gateway.services().await.expect("services");
    let listed: Vec<_> = listed.iter().map(|service| (service.name.as_str(), service.hint.as_str())).collect();
    assert_eq!(listed, [("ci", "YWE="), ("new", &shown[shown.len() - 4..]), ("shop", "YmI=")]);
    // Who can write into the database cannot make one service's secret that of another.
    scene.store().rotate_service("new", &kept("ci").sealed, "", NOW, NOW).expect("rotated");
    let answer = scene.receive(&Sent::new("new", 'a', "m1", BODY)).await;
    assert!(answer.contains(r#"the key of "service:new" does not open"#), "{answer}");
}

#[tokio::test]
async fn a_service_that_cannot_be_is_refused() {
    let scene = Scene::new().await;
    for (name, agent, expected) in [
        ("Build Server", "agent", r#"a service cannot be called "Build Server""#),
        ("ci", "agent", r#"there is a service "ci" already"#),
        ("new", "nobody", r#"there is no entity "nobody""#),
        ("new", "husam", r#""husam" is no agent"#),
    ] {
        let refused = scene.gateway.add_service(name, &agent.into(), &secret('x')).await.expect_err(name).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let bare = scene.without_seal().await;
    let refused = bare.add_service("new", &"agent".into(), &secret('x')).await.expect_err("no seal").to_string();
    assert!(refused.contains("no seal"), "{refused}");
}
