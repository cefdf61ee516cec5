//! Lines from a pipe: scripts, and what goes wrong in them.

use super::{chat, kept, messages, said};
use crate::keep::Db;
use crate::run::Scratch;

#[test]
fn the_first_message_needs_nothing() {
    let db = Db::new("chat-first");
    let ran = db.piped(&["chat"], "Hello\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.to_lowercase().contains("offline"), "{}", ran.stdout);
    assert!(ran.stderr.contains("OPENAI_API_KEY") && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    assert_eq!(messages(&kept(&db)).len(), 2);
}

#[test]
fn a_reply_is_written_as_it_is_but_for_what_steers_terminals() {
    let db = Db::new("chat-verbatim");
    assert_eq!(said(&db, &[], &["!say **bold** | \x1b[2J | // |"]), "**bold** | \\u{1b}[2J | // |\n");
}

#[test]
fn a_backslash_joins_lines_and_two_slashes_are_one() {
    let db = Db::new("chat-lines");
    assert_eq!(said(&db, &[], &["!say one\\", "!say two", "//etc is a folder\\", "!say three"]), "one\ntwo\nthree\n");
    assert!(messages(&kept(&db)).contains(&"/etc is a folder\n!say three".to_owned()));
}

#[test]
fn nothing_said_leaves_nothing_behind() {
    let db = Db::new("chat-nothing");
    said(&db, &[], &["", "/help", "/cost", "/tree", "/quit"]);
    assert_eq!(db.ok(&["spaces", "--json"]).trim(), "[]");
}

#[test]
fn replies_branch_and_the_tree_shows_it() {
    let db = Db::new("chat-branch");
    let shown = said(&db, &[], &["!say one", "/retry", "/switch prev", "/tree", "/pin 1", "/generate 2", "/tree"]);
    let head = shown.lines().find(|line| line.contains('●')).expect("a head");
    assert!(head.contains("‹1/2›"), "{shown}");
    assert!(shown.contains("‹4/4›") && shown.contains("[pinned]"), "{shown}");
    assert_eq!(messages(&kept(&db)), ["!say one", "one", "one", "one", "one"]);
}

#[test]
fn the_newest_chat_goes_on_and_any_by_its_name() {
    let db = Db::new("chat-continue");
    said(&db, &[], &["!say one"]);
    said(&db, &["-c"], &["!say two"]);
    let space = kept(&db)["space"]["id"].as_str().expect("an id").to_owned();
    said(&db, &[&space], &["!say three"]);
    assert_eq!(messages(&kept(&db)), ["!say one", "one", "!say two", "two", "!say three", "three"]);
    assert_eq!(chat(&db, &["nowhere"], &["hi"]).code, 2);
    assert_eq!(chat(&Db::new("chat-none"), &["-c"], &["hi"]).code, 2);
}

#[test]
fn commands_look_and_change() {
    let db = Db::new("chat-commands");
    let lines = [
        "/system Be brief.",
        "/sampling temperature=0.5 max_tokens=100",
        "!say hello",
        "/system",
        "/context and now?",
        "/cost",
        "/model",
        "/raw",
        "/clear",
        "/undo",
        "/export markdown",
    ];
    let shown = said(&db, &[], &lines);
    for word in ["Be brief.", "window", "hash", "total", "offline", "\"temperature\": 0.5", "response", "hello"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn an_agent_can_be_shown_the_tree() {
    let db = Db::new("chat-loom");
    let bookmark = r#"!call loom_bookmark {"node": "f66", "name": "begin"}"#;
    said(&db, &[], &["!say plain", bookmark]);
    assert!(kept(&db).get("bookmarks").is_none(), "it has no such tool");
    said(&db, &["-c", "--loom", "write"], &[bookmark]);
    assert_eq!(kept(&db)["bookmarks"][0]["name"], "begin");
    assert_eq!(kept(&db)["entities"].as_array().expect("entities").iter().filter(|it| it["loomAware"] == true).count(), 1);
    said(&db, &["-c", "--loom", "off"], &["!say plain again"]);
    assert!(kept(&db)["entities"].as_array().expect("entities").iter().all(|it| it.get("loomAware").is_none()));
}

#[test]
fn an_edit_takes_the_next_line() {
    let db = Db::new("chat-edit");
    assert_eq!(said(&db, &[], &["!say one", "/edit", "!say two"]), "one\ntwo\n");
    assert_eq!(messages(&kept(&db)), ["!say one", "one", "!say two", "two"]);
}

#[test]
fn clearing_sends_nothing_of_before() {
    let db = Db::new("chat-clear");
    let shown = said(&db, &[], &["!say secret", "/clear", "!say fresh", "/raw"]);
    let request = shown.split("request").nth(1).expect("a request");
    assert!(request.contains("fresh") && !request.contains("secret"), "{shown}");
}

#[test]
fn the_first_fault_ends_it() {
    let cases: [(&[&str], i32, &str); 6] = [
        (&["/hlep", "!say after"], 2, "did you mean /help"),
        (&["/generate", "!say after"], 2, "/generate N"),
        (&["!say one", "/generate 11", "!say after"], 2, "from 1 to 10"),
        (&["!fail 400", "!say after"], 2, "400"),
        (&["/switch zzz", "!say after"], 2, "zzz"),
        (&["/model gpt-99", "!say after"], 2, "gpt-99"),
    ];
    for (at, (lines, code, word)) in cases.into_iter().enumerate() {
        let ran = chat(&Db::new(&format!("chat-fault-{at}")), &[], lines);
        assert_eq!(ran.code, code, "{lines:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(word) && !ran.stdout.contains("after"), "{lines:?}: {}", ran.stderr);
    }
}

/// Runs with a configuration file.
fn configured(name: &str, config: &str, args: &[&str], lines: &str) -> crate::run::Ran {
    let (db, file) = (Db::new(name), Scratch::new(&format!("{name}.toml"), config));
    let path = db.file();
    let mut command = crate::run::command(&[&["chat"], args, &["--db", &path]].concat());
    command.env("WEFT_CONFIG", file.path());
    crate::run::finish(command, lines)
}

const SMALL: &str =
    "model = \"small/offline\"\n[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 300\n";

#[test]
fn what_does_not_fit_ends_with_three() {
    let ran = configured("chat-misfit", SMALL, &["--system", &"many words ".repeat(400)], "hello\n");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("/summarize"), "{}", ran.stderr);
}

#[test]
fn the_configuration_names_models_and_its_faults_have_a_place() {
    let ran = configured("chat-config", SMALL, &[], "/model\n");
    assert!(ran.code == 0 && ran.stdout.contains("● small/offline"), "{} {}", ran.stdout, ran.stderr);
    let ran = configured("chat-bad-config", "model = \"x\"\ncolour = 1\n", &[], "hello\n");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("line 2, column 1") && ran.stderr.contains("colour"), "{}", ran.stderr);
}
