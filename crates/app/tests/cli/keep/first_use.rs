//! Each verb the first time somebody uses it.

use super::Db;
use crate::run::{OPENAI, RESEARCH, weft};

#[test]
fn a_missing_database_says_how_to_begin() {
    let db = Db::new("missing");
    for args in [
        ["spaces"].as_slice(),
        &["spaces", "show", "x"],
        &["search", "x"],
        &["usage"],
        &["verify"],
        &["export", "--all"],
        &["backup", "/nowhere/x.db"],
        &["assemble", "--space", "x"],
    ] {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains("no database yet: begin with weft import FILE"), "{args:?}: {}", ran.stderr);
    }
    let ran = weft(&["spaces"]);
    assert!(ran.code == 2 && ran.stderr.contains("no-data/weft/weft.db"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&db.file()).exists(), "reading makes nothing");
}

#[test]
fn an_empty_database_says_what_to_do() {
    let db = Db::new("empty");
    assert_eq!(db.piped(&["import", "-"], "").code, 2);
    for args in [["spaces"].as_slice(), &["verify"], &["export", "--all"]] {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("begin with weft import FILE"), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(db.ok(&["spaces", "--json"]), "[]\n");
    assert!(db.weft(&["usage"]).stderr.contains("no calls are kept"));
    assert_eq!(db.weft(&["search", "x"]).code, 1);
    let ran = db.weft(&["spaces", "show", "x"]);
    assert!(ran.code == 2 && ran.stderr.contains("nor any other: begin with"), "{}", ran.stderr);
}

#[test]
fn a_conversation_is_kept_listed_found_and_proved() {
    let db = Db::new("first");
    let taken = db.weft(&["import", RESEARCH, OPENAI]);
    assert_eq!(taken.code, 0, "{}", taken.stderr);
    assert!(taken.stdout.contains("34 new, 0 known"), "{}", taken.stdout);
    assert!(taken.stderr.contains("from weft") && taken.stderr.contains("2 conversations"), "{}", taken.stderr);
    assert!(!taken.stderr.contains('\x1b') && !taken.stderr.contains('\r'), "no progress in a pipe");

    let list = db.ok(&["spaces"]);
    assert!(list.contains("space") && list.contains("34") && list.lines().count() == 3, "{list}");
    let spaces: serde_json::Value = serde_json::from_str(&db.ok(&["spaces", "--json"])).expect("JSON");
    assert!(spaces.as_array().is_some_and(|spaces| spaces.iter().any(|space| space["nodes"] == 34)), "{spaces}");

    let verify = db.weft(&["verify"]);
    assert!(verify.code == 0 && verify.stderr.contains("all as they were"), "{}{}", verify.stdout, verify.stderr);
    let copy = db.beside("copy.db");
    let backup = db.weft(&["backup", &copy]);
    assert!(backup.code == 0 && backup.stdout.is_empty(), "{}", backup.stderr);
    assert_eq!(weft(&["export", "--all", "--db", &copy]).stdout, db.all());
    let again = db.weft(&["backup", &copy]);
    assert!(again.code == 2 && again.stderr.contains("already"), "{}", again.stderr);
}

#[test]
fn a_space_is_shown_with_its_members_and_branches() {
    let db = Db::new("show");
    db.ok(&["import", "crates/engine/tests/fixtures/formats/weft/team.json"]);
    let shown = db.ok(&["spaces", "show", "Project Alpha"]);
    for words in ["space-xyz", "5 nodes", "2 tips", "Husam", "owner", "DataAnalyst", "n5", "n4"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let json: serde_json::Value = serde_json::from_str(&db.ok(&["spaces", "show", "space-xyz", "--json"])).expect("JSON");
    assert_eq!((json["branches"].as_array().map(Vec::len), &json["head"]), (Some(2), &serde_json::json!("n4")));
}

#[test]
fn usage_is_summed_and_marked() {
    let db = Db::new("usage");
    db.ok(&["import", "crates/engine/tests/fixtures/formats/claude-code/session.jsonl"]);
    for by in ["space", "agent", "model", "day", "run", "call"] {
        let table = db.ok(&["usage", "--by", by]);
        assert!(table.contains("8,000") && table.contains("unpriced") && table.contains("total"), "{by}: {table}");
    }
    let one = db.ok(&["usage", "--space", "ses-1"]);
    assert!(one.contains("context window") && one.contains("cumulative"), "{one}");
    let json: serde_json::Value = serde_json::from_str(&db.ok(&["usage", "--space", "ses-1", "--json"])).expect("JSON");
    assert_eq!((&json["total"]["usage"]["cacheRead"], &json["total"]["calls"]), (&8000.into(), &4.into()));
    assert!(json["space"]["contextWindow"].is_number() && json["space"]["lines"].is_array(), "{json}");
    assert!(db.ok(&["usage", "--until", "2000-01-01"]).is_empty());
}
