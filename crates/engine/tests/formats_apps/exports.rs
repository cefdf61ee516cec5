//! Exports of chat services: ChatGPT, Claude, Open WebUI, LibreChat.

use super::{bytes, expect, lines, read, reports, show};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A picture of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("entry");
        writer.write_all(bytes).expect("bytes");
    }
    writer.finish().expect("archive").into_inner()
}

#[test]
fn chatgpt_mapping_becomes_a_tree_with_calls_and_results() {
    let import = read(bytes("chatgpt/conversations.json"));
    let [first, second] = import.conversations.as_slice() else { panic!("two conversations") };
    expect(
        &show::conversation(first),
        &[
            r#"ctx system as-system "I teach maths." "Be brief.""#,
            r#"u1<ctx user "Plot this curve, please.""#,
            r#"a0<u1 chatgpt "I cannot plot.""#,
            r#"a1<u1 chatgpt think("Plan the plot\nA sine over one period.")"#,
            r#"a3<a1 chatgpt call(call_1 python {"code":"import math\nprint(math.sin(1))"})"#,
            r#"t1<a3 chatgpt result(call_1 "0.8414709848078965")"#,
            r#"a4<t1 chatgpt call(call_2 browser {"input":"search(\"sine history\")"})"#,
            r#"t2<a4 chatgpt result(call_2 "[0] Sine - Encyclopedia" "Sine\nhttps://example.org/sine\nThe word sine comes from sinus.")"#,
            r#"a5<t2 chatgpt "Here is the value: 0.84" "And a source.""#,
            r#"u2<a5 user "Thanks, say it aloud""#,
            r#"a6<u2 chatgpt error error="Voice is not available""#,
            r#"$ conv-1/a2 -> a1 reply openai/gpt-5-thinking 6000ms"#,
        ],
    );
    assert_eq!(first.head.as_ref().map(|head| head.as_str()), Some("a6"));
    assert_eq!(first.nodes[1].created_at.as_ref().map(ToString::to_string).as_deref(), Some("2026-02-02T02:40:01.25Z"));
    expect(&show::conversation(second), &[r#"x1 user "Hi""#, r#"x2<x1 chatgpt "Hello!""#]);
    assert_eq!(second.head.as_ref().map(|head| head.as_str()), Some("x2"), "a head that is not there is the last node");
    assert!(reports(&import, "asset_pointer", "does not hold the file"));
}

#[test]
fn chatgpt_archives_give_pictures_and_files_their_bytes() {
    let png = STANDARD.decode(PNG).expect("base64");
    let archive = zip(&[
        ("conversations.json", &bytes("chatgpt/conversations.json")),
        ("file-AbC123-curve.png", &png),
        ("file-Doc9-notes.txt", b"hello world"),
        ("user.json", b"{\"id\":\"u\"}"),
        ("chat.html", b"<html></html>"),
    ]);
    let import = read(archive);
    let line = show::node(&import.conversations[0].nodes[1]);
    let expected =
        format!(r#"u1<ctx user image(image/png {PNG}) "Plot this curve, please." file("notes.txt" text/plain aGVsbG8gd29ybGQ=)"#);
    assert_eq!(line, expected);
    assert!(reports(&import, "user.json in the archive", "") && reports(&import, "*.html in the archive", ""));
}

#[test]
fn chatgpt_messages_of_weight_0_are_excluded() {
    let text =
        String::from_utf8(bytes("chatgpt/conversations.json")).expect("UTF-8").replacen("\"weight\": 1.0", "\"weight\": 0.0", 4);
    let excluded: Vec<_> =
        read(text).conversations[0].nodes.iter().filter(|node| node.excluded).map(|node| node.id.to_string()).collect();
    assert_eq!(excluded, ["ctx", "u1", "a0"]);
}

#[test]
fn claude_conversations_keep_branches_blocks_and_extracted_text() {
    let import = read(bytes("claude/conversations.json"));
    let [first, second] = import.conversations.as_slice() else { panic!("two conversations") };
    expect(
        &show::conversation(first),
        &[
            r#"h1 user file("budget.csv" text/csv aXRlbSxjb3N0CnJlbnQsMTIwMAo=) file("" text/plain cGFzdGVkIGxpbmVz) "Review this budget.""#,
            r#"b1<h1 claude think("Rent is the largest item.") "Let me compute." call(toolu_a repl { "code": "1200*12", "scale": 1.10 })"#,
            r#"b1.2<b1 claude result(toolu_a "14400")"#,
            r##"b1.3<b1.2 claude call(call_2 artifacts { "command": "create", "id": "plan", "content": "# Plan" })"##,
            r#"b1.4<b1.3 claude result(!call_2 "OK" "Doc\nhttps://example.org/d\nseen")"#,
            r#"b1.5<b1.4 claude "That is 14 400 a year.""#,
            r#"h2<b1.5 user "Cheaper?""#,
            r#"h3<b1.5 user "Only text here""#,
            r#"$ conv-a/b1.5 -> b1.5 reply 3000ms"#,
        ],
    );
    assert_eq!(first.head.as_ref().map(|head| head.as_str()), Some("h3"));
    expect(&show::conversation(second), &[r#"q1 user "Hi""#, r#"q2<q1 claude "Hello""#]);
}

#[test]
fn claude_archives_give_files_their_bytes_and_name_what_was_left() {
    let png = STANDARD.decode(PNG).expect("base64");
    let archive = zip(&[
        ("conversations.json", &bytes("claude/conversations.json")),
        ("files/f-1.png", &png),
        ("users.json", b"[]"),
        ("projects.json", b"[]"),
    ]);
    let import = read(archive);
    assert!(show::node(&import.conversations[0].nodes[0]).contains(&format!("image(image/png {PNG})")));
    for name in ["users.json in the archive", "projects.json in the archive"] {
        assert!(reports(&import, name, ""), "{name}\n{}", import.loss);
    }
    assert!(reports(&import, "file", "does not hold it"), "plan.pdf");
}

#[test]
fn open_webui_details_become_parts_and_models_agents() {
    let import = read(bytes("open-webui/chats.json"));
    let conversation = &import.conversations[0];
    expect(
        &show::conversation(conversation),
        &[
            r#"u1 user "Name two primes" image(image/png iVBORw0KGgo=) file("list.txt" text/plain MgozCjU=)"#,
            r#"a1<u1 llama-3-2 think("Two is prime.\nSo is three.") "Two and three.""#,
            r#"a2<u1 gpt-4o "Looking." call(call_w web_search {"q":"primes"})"#,
            r#"a2.2<a2 gpt-4o result(call_w "2, 3, 5")"#,
            r#"a2.3<a2.2 gpt-4o "Found them.""#,
            r#"u2<a1 user "More""#,
            r#"a3<u2 llama-3-2 error error="connection reset" bookmarked "Five, se""#,
            r#"$ chat-1/a1 -> a1 reply llama3.2:latest 2500ms 20+9+0+0"#,
            r#"$ chat-1/a2.3 -> a2.3 reply gpt-4o 20+14+100+0"#,
        ],
    );
    assert_eq!(conversation.head.as_ref().map(|head| head.as_str()), Some("a3"));
    assert_eq!(conversation.space.system_context, "Answer in one line.");
    assert_eq!((conversation.sampling.seed, conversation.sampling.stop.as_slice()), (Some(7), &["END".to_owned()][..]));
}

const LIBRECHAT: &[&str] = &[
    r#"l1 user "Convert 5 miles" file("notes.txt" text/plain NSBtaWxlcw==)"#,
    r#"l2<l1 gpt-4o think("Miles to kilometres.") "Let me convert." call(call_c convert {"value":5,"factor":1.10})"#,
    r#"l2.2<l2 gpt-4o result(call_c "8.05")"#,
    r#"l2.3<l2.2 gpt-4o call(call_d log { "n": 1.10 })"#,
    r#"l2.4<l2.3 gpt-4o "8.05 km" image(image/png iVBORw0KGgo=)"#,
    r#"l3<l1 claude "About 8 km.""#,
    r#"l4<l2.4 user "And 6?""#,
    r#"l5<l4 gpt-4o error error="balance too low""#,
];

#[test]
fn librechat_flat_exports_are_joined_by_parents() {
    let import = read(bytes("librechat/flat.json"));
    let conversation = &import.conversations[0];
    expect(&show::conversation(conversation), LIBRECHAT);
    assert_eq!(conversation.head.as_ref().map(|head| head.as_str()), Some("l5"));
    assert_eq!(conversation.nodes[1].model.as_deref(), Some("openai/gpt-4o"));
    assert_eq!(conversation.space.system_context, "Use metric units.");
    assert_eq!(conversation.sampling.stop, ["###"]);
}

#[test]
fn librechat_nested_exports_say_the_same() {
    let mut expected = LIBRECHAT.to_vec();
    expected.sort_unstable();
    let text = lines(bytes("librechat/tree.json"));
    let mut found: Vec<&str> = text.lines().collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}
