//! Bad input ends with exit 2, an empty stdout, and a message that says what, where, and how to mend it.

use crate::run::{OPENAI, RESEARCH, Scratch, chat, node, piped, weft};

/// Bytes on stdin and what the message must hold.
#[test]
fn bad_files_are_named_with_their_place() {
    let hello = node("n1", "", "h", "Hello");
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("an empty file", b"".to_vec(), "stdin: nothing to import: the input is empty"),
        ("blanks", b" \n ".to_vec(), "the input is empty"),
        ("malformed JSON", b"{\"weft\":1,\n \"space\":{,}}".to_vec(), "stdin: line 2, column 11"),
        ("JSON that ends early", b"{\"weft\":1,\n \"space\":".to_vec(), "stdin: line 2, column"),
        ("a malformed chat", b"[{\"role\":\"user\"\n,]".to_vec(), "stdin: line 2, column"),
        ("no conversation", b"{\"a\":1}".to_vec(), "name one of weft, openai"),
        ("a bare number", b"7".to_vec(), "name one of weft, openai"),
        ("no UTF-8", b"{\"weft\":1,\"space\":\"\xff\"}".to_vec(), "byte 19 is not UTF-8"),
        ("depth", "[".repeat(10_000).into_bytes(), "nested deeper than 100 levels"),
        ("closed depth", ("{\"a\":".repeat(10_000) + "1" + &"}".repeat(10_000)).into_bytes(), "nested deeper than 100 levels"),
        ("another version", b"{\"weft\":2,\"space\":{\"id\":\"s\"}}".to_vec(), "version 1 is supported"),
        ("an unknown role", b"[{\"role\":\"robot\",\"content\":\"x\"}]".to_vec(), "$[0].role (line 1, column 10): unknown role"),
        (
            "an unknown role of a node",
            chat(r#"{"id":"n1","author":"h","role":"robot"}"#).into_bytes(),
            "unknown variant `robot`, expected one of `system`",
        ),
        (
            "an unknown part",
            chat(r#"{"id":"n1","author":"h","parts":[{"type":"smell"}]}"#).into_bytes(),
            "$.nodes[0].parts[0] (line 1,",
        ),
        (
            "a missing parent",
            chat(&node("n1", "n0", "h", "x")).into_bytes(),
            "node \"n1\" continues \"n0\", which is not in the file",
        ),
        (
            "a cycle",
            chat(&[node("n1", "n2", "h", "x"), node("n2", "n1", "h", "x")].join(",")).into_bytes(),
            "is its own ancestor",
        ),
        ("a duplicate id", chat(&[hello.clone(), hello.clone()].join(",")).into_bytes(), "two nodes have the id \"n1\""),
        (
            "an unknown author",
            chat(&node("n1", "", "bob", "x")).into_bytes(),
            "node \"n1\" is by \"bob\", who is not in \"entities\"",
        ),
        (
            "an unknown head",
            chat(&hello).replace("\"nodes\"", "\"head\":\"n9\",\"nodes\"").into_bytes(),
            "the head \"n9\" is not",
        ),
        ("nothing to send", chat("").into_bytes(), "fix: say something with --input"),
    ];
    for (what, stdin, message) in cases {
        for command in [["assemble"].as_slice(), &["count"], &["convert", "--to", "weft"]] {
            let without_messages = what == "nothing to send" && command != ["assemble"];
            let ran = piped(command, stdin.as_slice());
            if !without_messages {
                assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{command:?}, {what}: {}", ran.stderr);
                assert!(ran.stderr.contains(message), "{command:?}, {what}: {}", ran.stderr);
            }
        }
    }
}

/// Arguments on a good file and what the message must hold.
#[test]
fn bad_arguments_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["--head", "zz"], "the head \"zz\" is not in the history"),
        (&["--input-node", "zz"], "the input \"zz\" is not in the history"),
        (&["--input", "x", "--input-node", "n1"], "cannot be used with"),
        (&["--tools", "examples/none.json"], "examples/none.json: No such file"),
        (&["--tools", RESEARCH], "not a JSON list of tools"),
        (&["--previous", "LICENSE-MIT", "--to", "anthropic"], "the previous request"),
        (&["--report", "examples/none/report.json"], "--report examples/none/report.json"),
        (&["--context-length", "8q"], "write a whole number such as 8192, 8k or 1m"),
        (&["--context-length", "k"], "write a whole number"),
        (&["--context-length", "-1"], "-1"),
        (&["--context-length", "99999999999999999999"], "write a whole number"),
        (&["--max-tokens", "18446744073709551615k"], "write a whole number"),
        (&["--window", "5000m"], "at most 4294967295"),
        (&["--low-water", "0"], "use a number above 0 and up to 1"),
        (&["--low-water", "NaN"], "use a number above 0 and up to 1"),
        (&["--now", "yesterday"], "write it like 2026-02-18T14:50:00Z"),
        (&["--to", "morse"], "[possible values: openai, responses"),
        (&["--strategy", "hope"], "[possible values: truncateMiddle"),
        (&["--from", "morse"], "morse"),
        (&["--bogus"], "unexpected argument '--bogus'"),
    ];
    for (args, message) in cases {
        let ran = weft(&[&["assemble", RESEARCH], *args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for (file, message) in [("examples/none.json", "examples/none.json: No such file"), ("examples", "examples: Is a directory")]
    {
        let ran = weft(&["assemble", file]);
        assert!(ran.code == 2 && ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn an_error_in_a_file_begins_with_its_name() {
    let file = Scratch::new("broken.json", "{\"weft\":1,\n oops}");
    let ran = weft(&["assemble", file.path()]);
    assert!(
        ran.code == 2 && ran.stderr.starts_with("error: ") && ran.stderr.contains("broken.json: line 2, column 2"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_line_of_a_hundred_megabytes_is_read() {
    let text = "lorem ipsum ".repeat(100_000_000 / 12);
    let file = chat(&[node("n1", "", "h", &text), node("n2", "n1", "a", "Yes?"), node("n3", "n2", "h", "Go on")].join(","));
    let ran = piped(&["assemble", "--counter", "chars4", "--context-length", "8k", "--min-recent", "1"], file);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.json()["messages"].as_array().and_then(|all| all.last()?["content"].as_str()), Some("Go on"));
}

#[test]
fn no_text_can_move_the_cursor() {
    let file = chat(&node("n1", "", "h", "\\u001b[2J\\u202egnp")).replace("Hana", "\\u001b[31mHana");
    let key = piped(&["convert", "--to", "weft"], file.replace("\"weft\":1", "\"weft\":1,\"\\u001b[2J\":1"));
    assert!(key.code == 0 && !key.stderr.contains('\x1b'), "{}", key.stderr);
    for args in [["assemble", "--explain"].as_slice(), &["count"]] {
        let ran = piped(args, file.as_str());
        assert!(ran.code == 0 && !ran.stderr.contains('\x1b') && !ran.stderr.contains('\u{202e}'), "{}", ran.stderr);
        assert!(args[0] != "count" || !ran.stdout.contains('\x1b'), "{}", ran.stdout);
    }
}

#[test]
fn loss_is_one_short_line() {
    let chat = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/openai-chat.json")).expect("example");
    let odd = chat.replacen("\"messages\"", "\"colour\": \"red\", \"messages\"", 1);
    let ran = piped(&["assemble"], odd);
    assert!(ran.code == 0 && ran.stderr.contains("1 kind of things were dropped on the way from openai"), "{}", ran.stderr);
    assert_eq!(weft(&["assemble", OPENAI]).stderr, "");
}
