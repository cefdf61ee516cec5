//! Each verb the first time somebody uses it.

use super::{json, team};
use crate::keep::Db;

#[test]
fn what_is_not_there_says_how_to_begin() {
    let db = Db::new("team-missing");
    for args in [["agents"].as_slice(), &["runs"], &["plans"], &["runs", "work", "--once"], &["spaces", "read", "x"]] {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(
            ran.stderr.contains("no database yet: begin with") && ran.stderr.contains("weft demo"),
            "{args:?}: {}",
            ran.stderr
        );
    }
    db.ok(&["spaces", "create", "Alpha", "--person", "Husam"]);
    for (args, hint) in [
        (["agents"].as_slice(), "No agents yet. Make one: weft agents add"),
        (&["runs"], "A message wakes the agents of a space: weft spaces post"),
        (&["plans"], "No plans yet. Make one: weft plans add"),
        (&["spaces", "read", "alpha"], "Nothing was said here yet. Begin: weft spaces post alpha"),
        (&["runs", "work", "--once"], "nothing is due"),
    ] {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{args:?}: {}", ran.stderr);
    }
    for args in [["agents"], ["runs"], ["plans"]] {
        assert_eq!(json(&db, &args), serde_json::json!([]), "{args:?}");
    }
}

#[test]
fn an_agent_is_made_shown_and_changed() {
    let db = team("agents", &["Analyst"]);
    let file = db.beside("prompt.txt");
    std::fs::write(&file, "You read numbers.\nBe brief.").expect("a file");
    let set =
        ["agents", "set", "Analyst", "--name", "Reader", "--prompt", &format!("@{file}"), "--model", "", "--loom-aware", "true"];
    db.ok(&set);
    let list = db.ok(&["agents"]);
    assert!(list.contains("analyst") && list.contains("Reader") && list.contains("(usual)") && list.contains("alpha"), "{list}");
    let shown = db.ok(&["agents", "show", "analyst"]);
    for words in ["Reader · analyst · the usual model · sees the tree", "  Be brief.", "  alpha · alpha"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let agent = json(&db, &["agents", "show", "Reader"]);
    assert_eq!((&agent["agent"]["loomAware"], &agent["agent"]["model"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!(db.ok(&["agents", "add", "Far", "--external", "--id", "far-1", "--space", "alpha"]), "far-1\n");
    assert!(db.ok(&["agents"]).contains("(external)"));
}

#[test]
fn a_plan_is_made_listed_and_taken_away() {
    let db = team("plans", &["Analyst"]);
    let add = |when: &[&str]| {
        let ran = db.weft(&[&["plans", "add", "Report", "--agent", "Analyst", "--do", "!send Numbers."], when].concat());
        (ran.code, ran.stdout.trim().to_owned(), ran.stderr)
    };
    let (code, id, told) = add(&["--cron", "0 9 * * 1-5", "--zone", "Europe/Berlin"]);
    assert!(code == 0 && id.starts_with("plan-") && told.contains("UTC (in "), "{id} {told}");
    let list = db.ok(&["plans", "--agent", "analyst"]);
    assert!(list.contains("0 9 * * 1-5 Europe/Berlin") && list.contains("Report: "), "{list}");
    assert_eq!(json(&db, &["plans"])[0]["id"], id.as_str());
    assert!(db.ok(&["agents", "show", "Analyst"]).contains("0 9 * * 1-5"));
    let cases: [(&[&str], &str); 5] = [
        (&["--after", "soon"], "--after \"soon\" is no delay: write numbers with units"),
        (&["--at", "2020-01-01T00:00:00Z"], "is in the past"),
        (&["--cron", "61 9 * * *"], "must be from 0 to 59"),
        (&["--cron", "0 9 * * *", "--after", "2 hours"], "cannot be used with"),
        (&[], "required"),
    ];
    for (when, message) in cases {
        let (code, _, told) = add(when);
        assert!(code == 2 && told.contains(message), "{when:?}: {told}");
    }
    assert!(db.weft(&["plans", "remove", "Repport"]).stderr.contains("did you mean \"Report\"?"));
    assert_eq!(json(&db, &["plans", "remove", "Report"])["removed"], id.as_str());
    assert_eq!(json(&db, &["plans"]), serde_json::json!([]));
    assert_eq!(add(&["--after", "1 second"]).0, 0);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    db.ok(&["runs", "work", "--once"]);
    assert!(json(&db, &["runs"])[0]["trigger"].as_str().expect("words").starts_with("plan Report"));
}
