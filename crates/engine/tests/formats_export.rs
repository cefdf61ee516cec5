//! Formats out: what is written, and what the loss report says of the rest.

use std::path::Path;
use weftwork::ask::Check;
use weftwork::formats::{ExportFormat, Outcome, export, import};
use weftwork::model::{Conversation, Json, Node, Part, Space};

fn team() -> Conversation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats/weft/team.json");
    import(&std::fs::read(path).expect("fixture"), None, Check::Strict).expect("reads").conversations.remove(0)
}

fn written(conversation: &Conversation, format: ExportFormat) -> String {
    String::from_utf8(export(conversation, format).0).expect("UTF-8")
}

fn dropped(conversation: &Conversation, format: ExportFormat) -> Vec<String> {
    let loss = export(conversation, format).1;
    loss.lines.into_iter().filter(|line| line.outcome == Outcome::Dropped).map(|line| line.what).collect()
}

#[test]
fn openai_lines_hold_a_branch_each() {
    let tools = r#""tools":[{"type":"function","function":{"name":"search","description":"Find things","parameters":{"type":"object","properties":{"q":{"type":"string"}}}}}]"#;
    let system = r#"{"role":"system","content":"You analyse data.\n\nAnswer in German."},{"role":"user","content":"Hello"}"#;
    let call = r#"{"role":"assistant","content":"One moment.","tool_calls":[{"id":"t1","type":"function","function":{"name":"search","arguments":"{\"q\":\"x\", \"n\":1.10,\"big\":12345678901234567890123}"}}]},{"role":"tool","tool_call_id":"t1","content":"3 hits"},{"role":"assistant","content":"There are three."}"#;
    let other = r#"{"role":"assistant","content":"Hi! Another branch."}"#;
    let expected = format!("{{\"messages\":[{system},{call}],{tools}}}\n{{\"messages\":[{system},{other}],{tools}}}\n");
    assert_eq!(written(&team(), ExportFormat::OpenAiJsonl), expected);
}

#[test]
fn what_openai_cannot_say_is_reported() {
    assert_eq!(
        dropped(&team(), ExportFormat::OpenAiJsonl),
        [
            "space.name",
            "space.settings",
            "entities[].model",
            "members",
            "cursors",
            "calls",
            "sampling",
            "nodes[].createdAt",
            "nodes[].model",
            "nodes[].usage",
            "nodes[].cacheMarks",
            "nodes[].pinned",
            "nodes[].bookmarked",
            "nodes[].replyTo",
            "nodes[].parts[] reasoning",
        ]
    );
}

#[test]
fn openai_lines_are_read_back_a_conversation_a_branch() {
    let text = written(&team(), ExportFormat::OpenAiJsonl);
    let back = import(text.as_bytes(), None, Check::Strict).expect("reads");
    assert_eq!(back.conversations.iter().map(|each| each.nodes.len()).collect::<Vec<_>>(), [5, 3]);
}

#[test]
fn markdown_shows_the_path_and_names_the_branches() {
    let expected = "\
# Project Alpha

System text of DataAnalyst:

> You analyse data.

System text of this space:

> Answer in German.

## Husam · 2026-02-18T14:50:00Z

Hello

## DataAnalyst

> A greeting.

One moment.

Call of `search` (t1):

```json
{\"q\":\"x\", \"n\":1.10,\"big\":12345678901234567890123}
```

## DataAnalyst

Result (t1):

```
3 hits
```

## DataAnalyst · pinned

There are three.

## Branches

- after `n1`, 1 node: Hi! Another branch.
";
    assert_eq!(written(&team(), ExportFormat::Markdown), expected);
}

#[test]
fn a_fence_is_longer_than_any_inside() {
    let mut conversation = Conversation::new(Space::new("s", ""));
    conversation.nodes.push(Node::new("n1", None, "a").part(Part::result("t", "````\ncode\n````")));
    assert!(written(&conversation, ExportFormat::Markdown).contains("\n`````\n````\ncode\n````\n`````\n"));
}

#[test]
fn broken_trees_are_written_all_the_same() {
    let mut conversation = Conversation::new(Space::new("s", ""));
    conversation.nodes.push(Node::new("n1", Some("n2".into()), "a").text("x"));
    conversation.nodes.push(Node::new("n2", Some("n1".into()), "a").text("y"));
    conversation.nodes.push(Node::new("n3", Some("gone".into()), "a").part(Part::call("t", "f", Json::string("{cut"))));
    for &format in ExportFormat::ALL {
        assert!(!written(&conversation, format).is_empty(), "{format}");
    }
}

#[test]
fn titles_and_pruned_nodes_end_no_branch() {
    let mut conversation = team();
    conversation.nodes[4].pruned = true;
    let lines = written(&conversation, ExportFormat::OpenAiJsonl);
    assert_eq!(lines.lines().count(), 1);
}
