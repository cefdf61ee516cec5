//! The demo as a person meets it.

use super::json;
use crate::keep::Db;

#[test]
fn it_is_made_once_looked_at_and_made_anew() {
    let db = Db::new("demo");
    let first = db.ok(&["demo"]);
    assert!(first.contains("weft spaces read demo-team --as Mira") && first.contains("export WEFT_DB="), "{first}");
    let before = db.all();
    assert!(db.ok(&["demo"]).contains("there already"));
    assert_eq!(db.all(), before);
    // Every line that it shows does what it says.
    let page = db.ok(&["spaces", "read", "demo-team", "--as", "Mira"]);
    assert!(page.contains("● ") && page.contains("412 people came in the afternoon"), "{page}");
    assert!(db.ok(&["spaces", "read", "demo-reports", "--as", "Mira"]).contains("↳ because Mira said in Night market"));
    assert_eq!(
        db.ok(&["spaces", "post", "demo-team", "Blue and gold", "--as", "Mira"]),
        "Editor: Thank you. The poster is written.\n"
    );
    assert!(db.ok(&["runs"]).lines().skip(1).all(|line| line.contains("completed")));
    assert!(db.ok(&["agents", "show", "Editor"]).contains("Saturday: 412 people"));
    assert!(db.ok(&["spaces", "context", "demo-team", "--agent", "Scout"]).contains("SPACE HISTORY (\"Night market\")"));
    assert!(db.ok(&["plans"]).contains("0 9 * * * Europe/Berlin"));
    assert!(db.ok(&["services"]).contains("demo-counter"));
    for (chat, words) in [("demo-chat", "[summary]"), ("demo-loom", "‹3/3›")] {
        let tree = db.piped(&["chat", chat], "/tree\n").stdout;
        assert!(tree.contains(words), "{tree}");
    }
    db.ok(&["demo", "--reset"]);
    assert!(db.ok(&["runs"]).contains("waiting reply"));
    db.ok(&["spaces", "create", "Mine", "--person", "Husam"]);
    let kept = db.weft(&["demo", "--reset"]);
    assert!(kept.code == 2 && kept.stderr.contains("mine is no space of the demo"), "{}", kept.stderr);
    assert_eq!(json(&db, &["demo"])["made"], false);
}
