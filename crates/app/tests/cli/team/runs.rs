//! Runs are listed, watched, stopped and tried again.

use super::{json, newest, said, team};
use crate::run::command;
use std::io::{BufRead, BufReader};
use std::process::Child;

#[test]
fn a_run_that_stands_still_is_tried_again_or_stopped() {
    let db = team("parked", &["Analyst"]);
    let told = db.weft(&["spaces", "post", "alpha", "!fail 401"]).stderr;
    let id = newest(&db);
    let short = &id[..8];
    assert!(told.contains(&format!("weft runs retry {short} lets it go on")), "{told}");
    assert!(db.ok(&["runs", "--status", "parked"]).contains("parked (provider)"));
    let shown = db.ok(&["runs", "show", short]);
    assert!(shown.contains("why: the provider refuses the key") && shown.contains("weft runs stop "), "{shown}");
    let again = db.weft(&["runs", "retry", short]);
    assert!(again.code == 0 && again.stderr.contains("it is queued again\nAnalyst is parked"), "{}", again.stderr);
    assert!(db.weft(&["runs", "stop", short]).stderr.contains("is stopped"));
    assert!(db.weft(&["runs", "stop", short]).stderr.contains("had ended already"));
    let over = db.weft(&["runs", "retry", short]);
    assert!(over.code == 2 && over.stderr.contains("is canceled: only one that is parked"), "{}", over.stderr);
    assert_eq!(json(&db, &["runs", "--status", "canceled"])[0]["id"], id.as_str());
}

#[test]
fn another_process_is_watched_and_works_until_it_is_stopped() {
    let db = team("watch", &["Analyst"]);
    db.ok(&["spaces", "post", "alpha", "!wait Which?\n!send Thanks.", "--no-work"]);
    let mut watch = command(&["runs", "--watch", "--db", &db.file()]).spawn().expect("a watcher");
    let mut lines = BufReader::new(watch.stdout.take().expect("stdout")).lines().map(|line| line.expect("a line"));
    assert!(lines.next().expect("what is there").contains("  Analyst  queued · "));
    let worker = command(&["runs", "work", "--db", &db.file()]).spawn().expect("a worker");
    let waits = lines.find(|line| line.contains("waiting reply")).expect("it waits");
    assert!(waits.contains("waits for Husam, 6d 23h left"), "{waits}");
    interrupt(&worker);
    let ended = worker.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("waiting reply"));
    db.ok(&["spaces", "post", "alpha", "That one."]);
    assert!(lines.any(|line| line.contains("completed")), "it goes on watching");
    interrupt(&watch);
    assert_eq!(watch.wait().expect("it ends").code(), Some(0));
    assert_eq!(said(&db, "alpha").last().map(String::as_str), Some("Analyst: Thanks."));
}

/// Ctrl-C.
fn interrupt(child: &Child) {
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill").success());
}
