//! `weft search`, and what `weft verify` finds.

use super::Db;
use crate::run::{chat, node};
use serde_json::Value;

fn filled(name: &str) -> Db {
    let db = Db::new(name);
    let at = |json: String, time: &str| json.replace("\"parts\"", &format!("\"createdAt\":\"{time}\",\"parts\""));
    let nodes = [
        at(node("n1", "", "h", "校庭に木を植えたい"), "2026-02-18T14:50:00Z"),
        at(node("n2", "n1", "a", "Plant a keyaki tree (欅)"), "2026-02-19T14:50:00Z"),
        at(node("n3", "n1", "a", "Plant a lime tree"), "2026-02-20T14:50:00Z"),
    ];
    db.take(chat(&nodes.join(",")));
    db
}

#[test]
fn what_was_said_is_found_newest_first() {
    let db = filled("search");
    let cases: &[(&[&str], &[&str])] = &[
        (&["tree"], &["n3", "n2"]),
        (&["plant", "tree"], &["n3", "n2"]),
        (&["木を"], &["n1"]),
        (&["欅"], &["n2"]),
        (&["tree", "--limit", "1"], &["n3"]),
        (&["tree", "--until", "2026-02-19"], &["n2"]),
        (&["tree", "--since", "2026-02-20"], &["n3"]),
        (&["tree", "--by", "Ada"], &["n3", "n2"]),
        (&["tree", "--by", "h"], &[]),
        (&["tree", "--space", "s", "--branch", "n2"], &["n2"]),
        (&["tree -lime"], &["n2"]),
        (&["nothing of the kind"], &[]),
    ];
    for (args, nodes) in cases {
        let ran = db.weft(&[&["search", "--json"], *args].concat());
        let hits: Vec<Value> = serde_json::from_str(&ran.stdout).expect("JSON");
        let found: Vec<&str> = hits.iter().filter_map(|hit| hit["node"].as_str()).collect();
        assert_eq!((found.as_slice(), ran.code), (*nodes, i32::from(nodes.is_empty())), "{args:?}: {}", ran.stderr);
    }
    let text = db.weft(&["search", "tree", "--limit", "1"]);
    assert!(text.stdout.contains("Ada · 2026-02-20 14:50\n  Plant a lime tree"), "{}", text.stdout);
    assert!(!text.stdout.contains('\x1b') && text.stderr.contains("raise --limit"), "{}", text.stderr);
}

#[test]
fn tampering_is_found_and_named() {
    let db = filled("tampered");
    let file = db.beside("s.weft.json");
    db.ok(&["export", "s", "--out", &file]);
    assert_eq!(db.weft(&["verify", &file]).code, 0);

    let text = std::fs::read_to_string(&file).expect("the export");
    std::fs::write(&file, text.replace("lime", "palm")).expect("a file");
    let ran = db.weft(&["verify", &file]);
    assert!(ran.code == 1 && ran.stdout.contains("broken at n3"), "{}{}", ran.stdout, ran.stderr);

    let behind = rusqlite::Connection::open(db.file()).expect("the database");
    behind.execute_batch("UPDATE nodes SET text = 'forged' WHERE id = 'n2'").expect("changed");
    drop(behind);
    for args in [["verify"].as_slice(), &["verify", "s"]] {
        let ran = db.weft(args);
        assert!(ran.code == 1 && ran.stdout.contains("broken at n2: its content"), "{}{}", ran.stdout, ran.stderr);
    }
    let json = db.weft(&["verify", "--json"]);
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&found["spaces"][0]["broken"]["node"], json.code), (&Value::from("n2"), 1));
}

#[test]
fn no_name_can_move_the_cursor() {
    let db = Db::new("names");
    db.take(chat(&node("n1", "", "h", "tree \\u001b[2J")).replace("\"id\":\"s\"", "\"id\":\"s\",\"name\":\"\\u001b[31mred\""));
    for args in [["spaces"].as_slice(), &["spaces", "show", "s"], &["search", "tree"], &["verify"], &["usage", "--space", "s"]] {
        let ran = db.weft(args);
        assert!(ran.code == 0 && !(ran.stdout + &ran.stderr).contains('\x1b'), "{args:?}");
    }
}
