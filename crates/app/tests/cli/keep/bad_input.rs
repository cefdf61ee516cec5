//! What goes wrong is named, with what to do about it.

use super::Db;
use crate::run::{chat, node, weft};

fn named(id: &str, name: &str) -> String {
    chat(&node("n1", "", "h", "Hello")).replace("\"id\":\"s\"", &format!("\"id\":{id:?},\"name\":{name:?}"))
}

#[test]
fn a_space_that_is_not_there_is_compared_with_those_that_are() {
    let db = Db::new("unknown");
    db.take(named("alpha-1", "Project Alpha"));
    db.take(named("t1", "Tea"));
    db.take(named("t2", "Tea"));
    let cases = [
        ("Project Alpa", "did you mean \"Project Alpha\"?"),
        ("alpha", "\"alpha-1\""),
        ("zzzzzzzzz", "weft spaces lists all 3"),
        ("Tea", "2 spaces are called \"Tea\": use the id, one of t2, t1"),
    ];
    for (space, message) in cases {
        let verbs: [&[&str]; 6] = [
            &["spaces", "show", space],
            &["export", space],
            &["verify", space],
            &["search", "x", "--space", space],
            &["usage", "--space", space],
            &["assemble", "--space", space],
        ];
        for args in verbs {
            let ran = db.weft(args);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn bad_arguments_are_named() {
    let db = Db::new("arguments");
    db.take(named("s", "S"));
    let cases: &[(&[&str], &str)] = &[
        (&["search", "x", "--since", "yesterday"], "write a day or a moment: 2026-02-18"),
        (&["usage", "--until", "2026-02-30"], "write a day or a moment"),
        (&["search", "x", "--by", "Hanna"], "did you mean \"Hana\"?"),
        (&["search", "x", "--branch", "n1"], "--space"),
        (&["search", "x", "--space", "s", "--branch", "n9"], "there is no node"),
        (&["usage", "--by", "moon"], "[possible values: space"),
        (&["export"], "required"),
        (&["export", "s", "--all"], "cannot be used with"),
        (&["import"], "required"),
        (&["assemble", "x.json", "--space", "s"], "cannot be used with"),
        (&["backup", "/nowhere/x.db"], "there is no such folder"),
        (&["verify", "examples/openai-chat.json"], "it holds no hashes"),
    ];
    for (args, message) in cases {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn one_bad_file_does_not_keep_the_others_out() {
    let db = Db::new("several");
    let (good, bad) = (db.beside("good.json"), db.beside("bad.json"));
    std::fs::write(&good, named("good", "Good")).expect("a file");
    std::fs::write(&bad, "{\"weft\":1, oops").expect("a file");
    let ran = db.weft(&["import", &bad, &good, "examples/none.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, "good  1 new, 0 known  Good\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("bad.json: line 1") && ran.stderr.contains("mend "), "{}", ran.stderr);
    assert!(ran.stderr.contains("none.json, and import again"), "{}", ran.stderr);
}

#[test]
fn another_content_under_the_same_id_is_refused_with_a_way_out() {
    let db = Db::new("differs");
    db.take(named("s", "S"));
    let other = named("s", "S").replace("Hello", "Goodbye");
    let before = db.all();
    let ran = db.piped(&["import", "-"], other.as_str());
    assert!(ran.code == 2 && ran.stderr.contains("\"n1\"") && ran.stderr.contains("--space"), "{}", ran.stderr);
    assert_eq!(db.all(), before);
    assert_eq!(db.piped(&["import", "-", "--space", "s-2"], other).code, 0);
}

#[test]
fn a_second_writer_is_told_who_writes_and_readers_go_on() {
    let db = Db::new("in-use");
    db.take(named("s", "S"));
    let lock = std::fs::File::options().write(true).open(db.file() + ".lock").expect("the lock");
    lock.lock().expect("nobody has it");
    let ran = db.piped(&["import", "-"], named("t", "T"));
    assert!(ran.code == 2 && ran.stderr.contains("is in use by process"), "{}", ran.stderr);
    assert!(db.ok(&["spaces"]).contains('S'));
    assert_eq!(db.weft(&["search", "hello"]).code, 0);
    drop(lock);
}

#[test]
fn what_is_no_database_is_refused() {
    let ran = weft(&["spaces", "--db", "LICENSE-MIT"]);
    assert!(ran.code == 2 && ran.stdout.is_empty() && ran.stderr.starts_with("error: "), "{}", ran.stderr);
}
