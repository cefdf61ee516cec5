//! The published schema is the one the code makes.

use weftwork::model::Conversation;

#[test]
fn the_published_schema_is_what_the_code_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conversation.schema.json");
    let made = serde_json::to_string_pretty(&Conversation::schema()).expect("a schema is JSON") + "\n";
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::write(path, &made).expect("docs can be written");
    }
    let published = std::fs::read_to_string(path).unwrap_or_default();
    assert!(published == made, "docs/conversation.schema.json is out of date: run WEFT_BLESS=1 cargo test --test schema");
}
