//! A program of the user's own is an agent.

use super::{json, said};
use crate::keep::Db;
use crate::run::Ran;

fn remote(name: &str) -> Db {
    let db = Db::new(name);
    db.ok(&["agents", "add", "Remote", "--external", "--model", "offline"]);
    db.ok(&["spaces", "create", "alpha", "--person", "Husam", "--member", "Remote"]);
    db
}

/// Lets a program do what is due.
fn work(db: &Db, program: &[&str]) -> Ran {
    let file = db.file();
    crate::run::weft(&[&["agents", "work", "Remote", "--once", "--json", "--db", &file, "--"], program].concat())
}

#[test]
fn a_program_asks_waits_and_goes_on() {
    let db = remote("elsewhere");
    let example = ["python3", "examples/external_agent.py"];
    assert_eq!(work(&db, &example).stdout, "", "nothing is due");
    db.ok(&["spaces", "post", "alpha", "Please order the lanterns."]);
    assert_eq!(said(&db, "alpha"), ["Husam: Please order the lanterns."], "nobody else does it");
    assert_eq!(work(&db, &example).json()["left"], "waits");
    assert!(db.ok(&["runs"]).contains("waiting reply"));
    db.ok(&["spaces", "post", "alpha", "The red ones."]);
    assert_eq!(work(&db, &example).json()["left"], "completed");
    let expected = ["Husam: Please order the lanterns.", "Remote: Which one?", "Husam: The red ones.", "Remote: Thanks, Husam."];
    assert_eq!(said(&db, "alpha"), expected);
}

#[test]
fn a_program_that_fails_says_why() {
    for (name, program, why) in [
        ("status", "cat >&2 <<< 'no coffee'; exit 3", "no coffee"),
        ("fail", r#"echo '{"type":"fail","why":"too hard"}'"#, "too hard"),
        ("talk", "echo hello", "which is no call, end or fail"),
        ("long", "head -c 1100000 /dev/zero | tr '\\0' x", "a line of over 1048576 bytes"),
    ] {
        let db = remote(&format!("elsewhere-{name}"));
        db.ok(&["spaces", "post", "alpha", "Hello"]);
        let left = work(&db, &["bash", "-c", program]).json();
        assert!(left["left"] == "failed" && left["why"].as_str().is_some_and(|said| said.contains(why)), "{left}");
        assert_eq!(json(&db, &["runs"])[0]["status"], "failed");
    }
}

#[test]
fn a_program_that_is_not_there_costs_no_run() {
    let db = remote("elsewhere-nowhere");
    db.ok(&["spaces", "post", "alpha", "Hello"]);
    let ran = work(&db, &["/no/such/program"]);
    assert!(ran.code == 2 && ran.stderr.contains("/no/such/program cannot be started"), "{}", ran.stderr);
    assert_eq!(work(&db, &["true"]).json()["left"], "completed");
    db.ok(&["agents", "set", "Remote", "--external", "false"]);
    assert!(work(&db, &["true"]).stderr.contains("thinks with a model"));
}
