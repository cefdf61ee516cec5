//! The same conversation again, and when it has grown.

use super::{Db, fixtures};

#[test]
fn importing_twice_changes_nothing_in_any_format() {
    for (number, file) in fixtures().iter().enumerate() {
        let path = file.to_str().expect("UTF-8");
        let db = Db::new(&format!("twice-{number}"));
        db.ok(&["import", path]);
        let before = db.all();
        let again = db.ok(&["import", path]);
        assert!(again.lines().all(|line| line.contains("  0 new, ")), "{path}: {again}");
        assert_eq!(db.all(), before, "{path}");
        assert_eq!(db.weft(&["verify"]).code, 0, "{path}");
    }
}

const FIRST: &str = r#"{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}"#;
const REPLY: &str = r#"{"role":"assistant","content":"Hi"}"#;

fn request(model: &str, messages: &[&str]) -> String {
    format!(r#"{{"model":{model:?},"messages":[{}]}}"#, messages.join(","))
}

#[test]
fn a_chat_without_an_id_finds_its_space_when_it_has_grown() {
    let db = Db::new("grown");
    let first = db.take(request("gpt-4o", &[FIRST]));
    let id = first.split("  ").next().expect("an id").to_owned();
    assert!(id.starts_with("openai-") && first.ends_with("Hello\n"), "{first}");
    // Another model is no other conversation.
    let grown = db.take(request("gpt-5", &[FIRST, REPLY]));
    assert!(grown.starts_with(&id) && grown.contains("1 new, 2 known"), "{grown}");
    let other = db.take(request("gpt-4o", &[FIRST, r#"{"role":"assistant","content":"Good day"}"#]));
    assert!(other.starts_with(&format!("{id}-2  3 new")), "{other}");
    for _ in 0..2 {
        let again = db.take(request("gpt-4o", &[FIRST, REPLY]));
        assert!(again.starts_with(&format!("{id}  0 new, 3 known")), "{again}");
    }
    assert_eq!(db.ok(&["spaces"]).lines().count(), 3);
}
