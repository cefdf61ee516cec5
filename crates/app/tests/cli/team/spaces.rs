//! People and agents talk.

use super::{Db, json, newest, said, team};
use crate::run::Scratch;

#[test]
fn a_message_is_answered_at_once() {
    let db = team("post", &["Analyst"]);
    let ran = db.weft(&["spaces", "post", "alpha", "Hello\n!send Hello Husam."]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "Analyst: Hello Husam.\n"), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("said as ") && ran.stderr.contains("it wakes Analyst"), "{}", ran.stderr);
    let ran = db.piped(&["spaces", "post", "alpha", "-"], "!say Nothing for you.\n");
    assert!(ran.stdout.is_empty() && ran.stderr.contains("Analyst read it and said nothing"), "{}", ran.stderr);
    let page = db.ok(&["spaces", "read", "alpha", "--limit", "2"]);
    assert!(page.contains("1 unread message for Husam") && page.contains("● Analyst · "), "{page}");
    assert!(page.contains("… earlier: --before ") && page.contains("    Hello Husam."), "{page}");
    db.ok(&["spaces", "read", "alpha", "--mark-read"]);
    assert_eq!(json(&db, &["spaces", "read", "alpha"])["unread"], 0);
}

#[test]
fn a_wait_is_ended_by_a_reply() {
    let db = team("wait", &["Analyst"]);
    let ran = db.weft(&["spaces", "post", "alpha", "Report!\n!wait Which quarter?\n!send Thanks.", "--wait-for-reply"]);
    assert!(ran.stdout.contains("Which quarter?") && ran.stderr.contains("Analyst waits for Husam until "), "{}", ran.stderr);
    let question = json(&db, &["spaces", "read", "alpha"])["messages"][1]["id"].as_str().expect("an id").to_owned();
    let list = db.ok(&["runs"]);
    assert!(list.contains("waiting reply") && list.contains("Husam, 6d 23h left"), "{list}");
    let ran = db.weft(&["spaces", "post", "alpha", "Q4", "--reply-to", &question[..6]]);
    assert!(ran.stdout == "Analyst: Thanks.\n" && ran.stderr.contains("Analyst waited for it"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(said(&db, "alpha")[2..], ["Husam: Q4", "Analyst: Thanks."]);
    let shown = db.ok(&["runs", "show", &newest(&db)]);
    for words in ["resumed", "ended by ", "→ send_message", "waits\n", "calls\n", "total"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn what_is_due_can_be_left_to_another() {
    let db = team("no-work", &["Analyst"]);
    let told = db.weft(&["spaces", "post", "alpha", "!send Later.", "--no-work", "--as", "Husam"]).stderr;
    assert!(told.contains("weft runs work does what is due"), "{told}");
    let shown = db.weft(&["spaces", "context", "alpha", "--agent", "Analyst"]);
    assert!(
        shown.stdout.contains("message: \"!send Later.\"") && shown.stdout.contains("── tools\nenter_space"),
        "{}",
        shown.stdout
    );
    assert!(shown.stderr.contains("is due: this is what it will be sent"), "{}", shown.stderr);
    let body = db.weft(&["spaces", "context", "alpha", "--agent", "Analyst", "--json"]).json();
    assert!(body["system"].as_str().expect("a text").contains("IDENTITY:"));
    assert!(db.ok(&["spaces", "context", "alpha", "--agent", "analyst", "--explain"]).contains("timeline → messages"));
    assert!(db.ok(&["spaces", "context", "alpha", "--agent", "analyst", "--report"]).contains("\"items\""));
    assert_eq!(said(&db, "alpha").len(), 1, "looking does nothing");
    assert_eq!(db.ok(&["runs", "work", "--once"]), "Analyst (in alpha): Later.\n");
    assert!(db.weft(&["spaces", "context", "alpha", "--agent", "analyst"]).stderr.contains("no run is due"));
}

#[test]
fn what_is_left_out_of_a_long_timeline_is_one_row_that_counts_it() {
    let db = Db::new("long-timeline");
    let said = (0..300).map(|number| serde_json::json!({"role": if number % 2 == 0 { "assistant" } else { "user" }, "content": format!("words {number}")}));
    let file = Scratch::new("long-timeline.json", serde_json::to_vec(&said.collect::<Vec<_>>()).expect("JSON"));
    db.ok(&["import", file.path()]);
    let space = json(&db, &["spaces"])[0]["id"].as_str().expect("an id").to_owned();
    let shown = db.ok(&["spaces", "context", &space, "--agent", "assistant", "--explain"]);
    let left_out: Vec<&str> = shown.lines().filter(|line| line.contains("outsideWindow")).collect();
    assert!(left_out.len() == 1 && left_out[0].contains(" nodes "), "{shown}");
    let told: u64 = left_out[0]
        .split_once(" nodes ")
        .and_then(|(before, _)| before.split_whitespace().last()?.parse().ok())
        .expect("a number");
    assert!((200..300).contains(&told), "{shown}");
}

#[test]
fn whoever_is_not_woken_is_named_with_the_reason() {
    let db = team("refused", &["Ann", "Bob"]);
    // Each message has its reader write to the other, until the two have written often enough.
    let mut script = "!send Enough.".to_owned();
    for _ in 0..6 {
        script = format!("!call send_message {}", serde_json::json!({"text": script}));
    }
    let ran = db.weft(&["spaces", "post", "alpha", &script]);
    assert!(
        ran.stdout.contains("✗ did not wake ") && ran.stdout.contains(": the chain of agents is"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let page = db.ok(&["spaces", "read", "alpha"]);
    assert!(page.contains("    ✗ did not wake "), "{page}");
    let runs = json(&db, &["runs"]);
    let refused = runs.as_array().expect("runs").iter().any(|run| {
        let shown = json(&db, &["runs", "show", run["id"].as_str().expect("an id")]);
        shown["refusals"].as_array().is_some_and(|refusals| !refusals.is_empty())
    });
    assert!(refused, "{runs}");
}

#[test]
fn people_and_agents_come_and_go() {
    let db = team("members", &["Analyst"]);
    db.ok(&["agents", "add", "Designer"]);
    let joined = json(&db, &["spaces", "join", "alpha", "Designer", "--person", "Sarah"]);
    assert_eq!(joined["members"][1], serde_json::json!({"id": "sarah", "name": "Sarah", "joined": true}));
    let ambiguous = db.weft(&["spaces", "post", "alpha", "Hello"]);
    assert!(ambiguous.code == 2 && ambiguous.stderr.contains("--as, one of Husam, Sarah"), "{}", ambiguous.stderr);
    assert_eq!(json(&db, &["spaces", "leave", "alpha", "Designer"])["left"], "designer");
    let ran = db.weft(&["spaces", "post", "alpha", "!wait Anyone?\n!send Alone.", "--as", "Sarah"]);
    assert!(!ran.stderr.contains("Designer"), "{}", ran.stderr);
    let question = json(&db, &["spaces", "read", "alpha", "--as", "Sarah"])["messages"][1]["id"].as_str().expect("id").to_owned();
    assert_eq!(json(&db, &["spaces", "delete-message", "alpha", &question])["deleted"], question.as_str());
    assert_eq!(db.ok(&["runs", "work", "--once"]), "Analyst (in alpha): Alone.\n");
    assert!(db.ok(&["runs", "show", &newest(&db)]).contains("the message was deleted"));
    assert_eq!(said(&db, "alpha").len(), 2, "what is deleted is not shown");
    let members = json(&db, &["spaces", "show", "alpha"])["members"].as_array().expect("members").len();
    assert_eq!(members, 3);
}

#[test]
fn only_those_who_are_mentioned_wake_where_the_space_says_so() {
    let db = team("mentioned", &["Ann", "Bob"]);
    let made = json(
        &db,
        &["spaces", "create", "Quiet", "--wake", "mentioned", "--confidential", "--member", "Ann", "--member", "Husam"],
    );
    assert_eq!((&made["space"]["id"], &made["space"]["confidential"]), (&"quiet".into(), &true.into()));
    assert!(db.weft(&["spaces", "post", "quiet", "Hello all"]).stderr.contains("it wakes nobody"));
    assert_eq!(db.ok(&["spaces", "post", "quiet", "@Ann hello\n!send Hello."]), "Ann: Hello.\n");
}
