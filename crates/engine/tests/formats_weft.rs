//! Weft's own file: read straight into the model, refused with a place, written back without loss.

#[path = "formats_weft/any.rs"]
mod any;

use any::conversations;
use proptest::prelude::*;
use weftwork::ask::Check;
use weftwork::formats::{ExportFormat, Format, ImportError, export, export_all, import};
use weftwork::model::{Conversation, Node, Part, Space};

fn read(text: &str, check: Check) -> Result<Vec<Conversation>, ImportError> {
    import(text.as_bytes(), Some(Format::Weft), check).map(|import| import.conversations)
}

const NODE: &str = r#"{"id":"n1","author":"a","parts":[{"type":"text","text":"x"}]}"#;

fn with_nodes(nodes: &str) -> String {
    format!(r#"{{"weft":1,"space":{{"id":"s"}},"nodes":[{nodes}]}}"#)
}

#[test]
fn faults_are_named_with_path_and_place() {
    for (text, error) in [
        (r#"{"weft":1,"space":{"id":"s"},"nodes":[{]}"#.to_owned(), "line 1, column 40: key must be a string"),
        (r#"{"weft":1,"space":{"id":"s"}"#.to_owned(), "line 1, column 28: EOF while parsing an object"),
        (r#"{"weft":2,"space":{"id":"s"}}"#.to_owned(), "this is version 2 of the conversation file; version 1 is supported"),
        (r#"{"weft":2,"room":7}"#.to_owned(), "this is version 2 of the conversation file; version 1 is supported"),
        (r#"{"weft":1}"#.to_owned(), "$ (line 1, column 10): missing field `space`"),
        (
            with_nodes(&format!("{NODE},\n{{\"id\":\"n2\",\"author\":7}}")),
            "$.nodes[1].author (line 2, column 21): invalid type: integer `7`, expected a string",
        ),
        (
            with_nodes(r#"{"id":"n1","author":"a","createdAt":"yesterday"}"#),
            "$.nodes[0].createdAt (line 1, column 86): \"yesterday\" is not a time: write it like 2026-02-18T14:50:00Z",
        ),
        (
            with_nodes(r#"{"id":"n1","author":"a","parts":[{"type":"texts"}]}"#),
            "$.nodes[0].parts[0] (line 1, column 88): unknown part type \"texts\": use text, reasoning, toolCall, toolResult, image or file",
        ),
        (
            format!("{{\"weft\":1,\"space\":{{\"id\":\"s\"}}}}\n{NODE}\n{{\"id\":\"n2\"}}"),
            "line 3: $ (line 3, column 11): missing field `author`",
        ),
        (format!("{{\"weft\":1,\"space\":{{\"id\":\"s\"}}}}\n{NODE}\nnode"), "line 3, column 2: expected ident"),
    ] {
        let found = read(&text, Check::Repair).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(found, Err(error.to_owned()), "{text}");
    }
}

#[test]
fn unknown_fields_are_warnings_or_in_strict_errors() {
    let text = r#"{"weft":1,"mood":1,"space":{"id":"s"},"nodes":[{"id":"n","author":"a","colour":1,"parts":[{"type":"text","text":"x","font":2}]}]}"#;
    let import = import(text.as_bytes(), None, Check::Repair).expect("reads");
    let dropped: Vec<_> = import
        .loss
        .lines
        .iter()
        .filter(|line| !line.note.is_empty())
        .map(|line| (line.what.as_str(), line.first.as_str()))
        .collect();
    assert_eq!(
        dropped,
        [("mood", "$.mood"), ("nodes[].colour", "$.nodes[0].colour"), ("nodes[].parts[].font", "$.nodes[0].parts[0].font")]
    );
    let strict = read(text, Check::Strict).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(strict, Err("$.mood: is not a known field: remove it, or import without strict".to_owned()));
}

#[test]
fn arguments_keep_their_bytes() {
    let args = r#"{ "n":1.10,"big":12345678901234567890123, "e":1E5 }"#;
    let text =
        with_nodes(&format!(r#"{{"id":"n","author":"a","parts":[{{"type":"toolCall","id":"t","name":"f","args":{args}}}]}}"#));
    let conversation = read(&text, Check::Strict).expect("reads").remove(0);
    let (bytes, _) = export(&conversation, ExportFormat::Weft);
    assert!(String::from_utf8(bytes).expect("UTF-8").contains(args));
}

#[test]
fn lines_stay_lines_whatever_the_arguments_hold() {
    let text = with_nodes(
        "{\"id\":\"n\",\"author\":\"a\",\"parts\":[{\"type\":\"toolCall\",\"id\":\"t\",\"name\":\"f\",\"args\":{\n\"a\": 1\n}}]}",
    );
    let conversation = read(&text, Check::Strict).expect("reads").remove(0);
    let (bytes, _) = export(&conversation, ExportFormat::WeftJsonl);
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 2);
}

#[test]
fn several_conversations_go_through_one_file() {
    let one = Conversation::new(Space::new("s1", "One"));
    let mut two = Conversation::new(Space::new("s2", "Two"));
    two.nodes.push(Node::new("n1", None, "a").text("x"));
    let both = [one, two];
    for format in [ExportFormat::Weft, ExportFormat::WeftJsonl] {
        let (bytes, _) = export_all(&both, format);
        assert_eq!(import(&bytes, None, Check::Strict).expect("reads").conversations, both, "{format}");
    }
}

#[test]
fn a_line_of_many_megabytes_is_read() {
    let text = "x".repeat(20 << 20);
    let file = with_nodes(&format!(r#"{{"id":"n","author":"a","parts":[{{"type":"text","text":"{text}"}}]}}"#));
    assert_eq!(read(&file, Check::Strict).expect("reads")[0].nodes[0].parts, [Part::text(text)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(conversation in conversations()) {
        for format in [ExportFormat::Weft, ExportFormat::WeftJsonl] {
            let (bytes, loss) = export(&conversation, format);
            let back = import(&bytes, None, Check::Strict).expect("reads");
            prop_assert_eq!(&back.conversations, &vec![conversation.clone()]);
            prop_assert!(!loss.is_lossy() && !back.loss.is_lossy());
            prop_assert_eq!(export(&back.conversations[0], format).0, bytes);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = import(text.as_bytes(), None, Check::Repair);
        let _ = read(&text, Check::Strict);
    }
}
