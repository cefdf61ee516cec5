//! Services wake agents by signed webhooks.

use super::{json, team};
use crate::keep::Db;
use serde_json::{Value, json as value};

const BODY: &str = r#"{"build": "failed"}"#;

fn services(name: &str) -> (Db, String) {
    let db = team(name, &["Analyst"]);
    let secret = db.ok(&["services", "add", "build-server", "--agent", "Analyst"]).trim().to_owned();
    assert!(secret.starts_with("whsec_"), "{secret}");
    (db, secret)
}

/// Delivers a body, signed with a secret.
fn deliver(db: &Db, secret: &str, more: &[&str]) -> crate::run::Ran {
    db.piped(&[&["services", "deliver", "build-server", "--secret", secret, "--json"], more].concat(), BODY)
}

#[test]
fn a_delivery_wakes_the_agent_once() {
    let (db, secret) = services("services");
    let first = deliver(&db, &secret, &["--id", "evt-1"]).json();
    assert_eq!((&first["before"], &first["id"]), (&value!(false), &value!("evt-1")));
    assert_eq!(first["runs"][0]["status"], "completed", "{first}");
    let again = deliver(&db, &secret, &["--id", "evt-1"]).json();
    assert_eq!((&again["before"], &again["run"]), (&value!(true), &first["run"]));
    let other = db.piped(&["services", "deliver", "build-server", "--secret", &secret, "--id", "evt-1"], "{}");
    assert!(other.code == 2 && other.stderr.contains("came before with another body"), "{}", other.stderr);
    assert_eq!(json(&db, &["runs"]).as_array().map(Vec::len), Some(1));
    let waits = deliver(&db, &secret, &["--no-work"]).json();
    assert_eq!(waits["runs"], value!([]));
    assert!(db.ok(&["runs"]).contains("queued"));
}

#[test]
fn a_secret_is_changed_and_the_old_one_lives_on_for_a_while() {
    let (db, first) = services("rotate");
    let listed = db.ok(&["services"]);
    assert!(listed.contains("build-server") && listed.contains("Analyst") && !listed.contains(&first), "{listed}");
    let second = json(&db, &["services", "rotate", "build-server"])["secret"].as_str().expect("a secret").to_owned();
    assert!(db.ok(&["services"]).contains("(in 23h 59m)"));
    for secret in [&first, &second] {
        assert_eq!(deliver(&db, secret, &["--no-work"]).code, 0);
    }
    let third = db.ok(&["services", "rotate", "build-server", "--keep-old", "0"]);
    let old = deliver(&db, &second, &[]);
    assert!(
        old.code == 2 && old.stderr.contains("not taken: none of 1 signatures is that of one of 1 secrets"),
        "{}",
        old.stderr
    );
    assert_eq!(deliver(&db, third.trim(), &["--no-work"]).code, 0);
    assert_eq!(json(&db, &["services", "remove", "build-server"])["removed"], "build-server");
    assert_eq!(json(&db, &["services"]), Value::Array(Vec::new()));
}

#[test]
fn what_is_not_right_is_said() {
    let (db, secret) = services("bad-services");
    for (args, expected) in [
        (&["add", "Build", "--agent", "Analyst"][..], "for example \"build-server\""),
        (&["add", "build-server", "--agent", "Analyst"], "there is a service \"build-server\" already"),
        (&["add", "ci", "--agent", "Analist"], "did you mean"),
        (&["rotate", "build-sever"], "did you mean \"build-server\""),
        (&["rotate", "build-server", "--keep-old", "soon"], "--keep-old \"soon\" is no delay"),
        (&["remove", "shop"], "there is no service \"shop\""),
        (&["deliver", "build-server"], "--header"),
        (&["deliver", "build-server", "--secret", "x"], "a secret is whsec_"),
        (&["deliver", "build-server", "--header", "webhook-id=1"], "not taken: there is no webhook-timestamp"),
        (&["deliver", "build-server", "--secret", &secret], "the body is no JSON"),
    ] {
        let ran = db.weft(&[&["services"], args].concat());
        assert!(ran.code == 2 && ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}
