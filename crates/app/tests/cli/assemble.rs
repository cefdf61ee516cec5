//! Every flag of `assemble` does what its help says.

use crate::run::{OPENAI, RESEARCH, Scratch, TIMELINE, chat, node, piped, read_a_little, research, weft};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The report of a run on `file` with further arguments.
fn report(name: &str, file: &str, args: &[&str]) -> Value {
    let scratch = Scratch::empty(name);
    let ran = weft(&[&["assemble", file, "--report", scratch.path()], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&scratch.text()).expect("a report is JSON")
}

#[test]
fn every_dialect_gives_a_body_that_its_own_lint_accepts() {
    for dialect in ["openai", "responses", "anthropic", "gemini", "ollama", "completions", "ai-sdk", "text", "messages"] {
        let ran = research(&["--to", dialect, "--context-length", "2k"]);
        assert_eq!(ran.code, 0, "{dialect}: {}", ran.stderr);
        let lint = piped(&["lint", "--for", dialect], ran.stdout);
        assert_eq!(lint.code, 0, "{dialect}: {}{}", lint.stdout, lint.stderr);
    }
}

/// A JSON pointer into the body and what stands there.
#[test]
fn flags_show_in_the_request() {
    let nothing = Value::Null;
    let cases: &[(&[&str], &str, Value)] = &[
        (&["--to", "anthropic"], "/model", json!("claude-sonnet-4-5")),
        (&["--to", "openai", "--model", "gpt-4o"], "/model", json!("gpt-4o")),
        (&["--to", "openai", "--model", "openai/gpt-4o"], "/model", json!("gpt-4o")),
        (&["--to", "openai", "--model", "in-house"], "/model", json!("in-house")),
        (&["--to", "anthropic", "--max-tokens", "1k"], "/max_tokens", json!(1000)),
        (&["--to", "anthropic"], "/max_tokens", json!(850)),
        (&["--to", "ollama", "--context-length", "1m"], "/options/num_ctx", json!(1_000_000)),
        (&["--to", "ollama", "--context-length", "8K"], "/options/num_ctx", json!(8000)),
        (&["--to", "ollama", "--context-length", "8192"], "/options/num_ctx", json!(8192)),
        (&["--to", "anthropic", "--cache", "off"], "/system/0/cache_control", nothing.clone()),
        (&["--to", "anthropic", "--tool-policy", "all-off"], "/tools", nothing.clone()),
        (&["--to", "anthropic", "--tools", "-"], "/tools", nothing),
    ];
    for (args, pointer, expected) in cases {
        let mut body = piped(&[&["assemble", RESEARCH], *args].concat(), "[]").json();
        let found = body.pointer_mut(pointer).map_or(Value::Null, Value::take);
        assert_eq!(&found, expected, "{args:?}");
    }
}

/// A text that is in the request with the flag and not without it, or the other way round.
#[test]
fn flags_decide_what_is_said() {
    let cases: &[(&[&str], &str)] = &[
        (&["--errors", "note"], "[generation failed: overloaded]"),
        (&["--annotations"], "Check this price with the nursery"),
        (&["--input", "- and what now?"], "- and what now?"),
        (&["--head", "n19b"], "it flowers in late June"),
        (&["--reasoning", "concat"], "Two independent look-ups"),
        (&["--preset", "deepchat"], "Two independent look-ups"),
        (&["--form", "timeline", "--now", "2026-04-15T00:00:00Z"], "currentTime: \\\"2026-04-15T00:00:00Z\\\""),
        (&["--context-length", "2k"], "[… 8 messages omitted …]"),
    ];
    let usual = research(&[]).stdout;
    for (args, text) in cases {
        let ran = research(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.contains(text), "{args:?} lacks {text:?}");
        assert!(!usual.contains(text), "{text:?} is there without {args:?}");
    }
    for (args, text) in [(["--window", "3"], "Our schoolyard in Graz"), (["--tool-policy", "all-off"], "call-shade")] {
        assert!(usual.contains(text) && !research(&args).stdout.contains(text), "{args:?} keeps {text:?}");
    }
}

/// A JSON pointer into the report and what stands there.
#[test]
fn flags_show_in_the_report() {
    let cases: &[(&str, &[&str], &str, Value)] = &[
        ("strategy", &["--strategy", "dropOldest", "--unit", "message"], "/strategy", json!("dropOldest")),
        ("form", &["--form", "buffer"], "/form", json!("buffer")),
        ("preset", &["--preset", "aspen"], "/counter/name", json!("chars4")),
        ("counter", &["--counter", "cl100k"], "/counter", json!({"name": "cl100k", "kind": "counted"})),
        ("window", &["--context-length", "9k"], "/budget/contextLength", json!(9000)),
        ("reserve", &["--max-tokens", "123"], "/budget/reserve", json!(123)),
        ("input", &["--input-node", "n32"], "/items/31/reason", json!("input")),
        ("recent", &["--min-recent", "2"], "/items/28/reason", json!("window")),
        ("oldest", &["--head", "n1"], "/items/1", Value::Null),
    ];
    for (name, args, pointer, expected) in cases {
        let mut report = report(&format!("flag-{name}.json"), RESEARCH, args);
        let found = report.pointer_mut(pointer).map_or(Value::Null, Value::take);
        assert_eq!(&found, expected, "{args:?}");
    }
}

#[test]
fn the_report_has_each_node_of_the_path_once_and_in_order() {
    let report = report("each-node.json", RESEARCH, &["--context-length", "2k", "--counter", "chars4"]);
    let nodes: Vec<&str> = report["items"].as_array().expect("items").iter().filter_map(|item| item["node"].as_str()).collect();
    let expected: Vec<String> = (1..=32).map(|n| format!("n{n}")).collect();
    assert_eq!(nodes, expected);
    assert_eq!(report["cut"], json!({"after": "n2", "before": "n15", "nodes": 8, "tokens": report["cut"]["tokens"]}));
}

#[test]
fn the_hash_is_that_of_stdout_without_its_last_newline() {
    let scratch = Scratch::empty("hash.json");
    let ran = research(&["--to", "anthropic", "--report", scratch.path()]);
    let report: Value = serde_json::from_str(&scratch.text()).expect("a report is JSON");
    let body = ran.stdout.strip_suffix('\n').expect("a newline at the end");
    let hex: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(report["hash"], format!("sha256:{hex}"));
}

#[test]
fn stdout_holds_one_line_and_stderr_nothing_when_all_is_well() {
    let ran = research(&["--to", "anthropic"]);
    assert_eq!((ran.code, ran.stdout.lines().count(), ran.stderr.as_str()), (0, 1, ""));
}

#[test]
fn stdin_is_read_with_a_dash_and_without() {
    let file = chat(&node("n1", "", "h", "Hello"));
    let expected = "{\"system\":\"Be brief.\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}\n";
    for args in [["assemble", "-"].as_slice(), &["assemble"]] {
        let ran = piped(args, file.as_str());
        assert_eq!(ran.stdout, expected, "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_viewer_is_an_id_or_a_name_that_only_one_has() {
    let two = r#"{"weft":1,"space":{"id":"s"},"entities":[{"id":"x1","name":"Twin","type":"agent"},{"id":"x2","name":"Twin","type":"agent"},{"id":"y","name":"Yan","type":"agent"}],"nodes":[{"id":"1","author":"x1","parts":[{"type":"text","text":"hi"}]}]}"#;
    let cases = [("x1", "assistant"), ("x2", "user"), ("y", "user"), ("Yan", "user")];
    for (name, role) in cases {
        assert_eq!(piped(&["assemble", "--as", name], two).json()["messages"][0]["role"], role, "{name}");
    }
    let several = piped(&["assemble", "--as", "Twin"], two);
    assert!(several.code == 2 && several.stderr.contains("use the id, one of x1, x2"), "{}", several.stderr);
    let nobody = piped(&["assemble", "--as", "Zoe"], two);
    assert!(nobody.code == 2 && nobody.stderr.contains("x1 (Twin), x2 (Twin), y (Yan)"), "{}", nobody.stderr);
}

#[test]
fn an_unknown_model_is_a_warning() {
    let ran = research(&["--to", "openai", "--model", "in-house", "--context-length", "8k"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("warning: the model \"in-house\" is not in the catalogue"), "{}", ran.stderr);
    let unknown = research(&["--to", "openai", "--model", "in-house"]);
    assert!(unknown.stderr.contains("unknownWindow"), "{}", unknown.stderr);
}

#[test]
fn an_unknown_field_is_a_warning_and_in_strict_an_error() {
    let file = chat(&node("n1", "", "h", "Hello")).replace("\"weft\":1", "\"weft\":1,\"colour\":\"red\"");
    let ran = piped(&["assemble"], file.as_str());
    assert!(ran.code == 0 && ran.stderr.contains("unknownField: colour"), "{}", ran.stderr);
    let strict = piped(&["assemble", "--strict"], file.as_str());
    assert!(strict.code == 2 && strict.stderr.contains("$.colour"), "{}", strict.stderr);
    let own = file.replace("\"id\":\"s\"", "\"id\":\"s\",\"settings\":{\"strict\":true}");
    assert_eq!(piped(&["assemble"], own).code, 2);
}

#[test]
fn strict_makes_a_repair_an_error() {
    let ran = research(&["--strict"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("strict: interruptedCall is needed at n31"), "{}", ran.stderr);
}

#[test]
fn the_previous_request_tells_what_the_cache_keeps() {
    let before = research(&["--to", "anthropic", "--head", "n29"]).stdout;
    let previous = Scratch::new("previous.json", before);
    let report = report("cache.json", RESEARCH, &["--to", "anthropic", "--counter", "chars4", "--previous", previous.path()]);
    assert_eq!(report["cache"]["firstChange"]["section"], "history");
    assert!(report["cache"]["predictedRead"].as_u64().expect("a prediction") > 1000, "{}", report["cache"]);
}

#[test]
fn a_summary_is_placed_by_policy() {
    let nodes = [
        node("n1", "", "h", "Old"),
        r#"{"id":"n2","parent":"n1","author":"a","kind":"summary","parts":[{"type":"text","text":"They met."}]}"#.to_owned(),
        node("n3", "n2", "h", "New"),
    ];
    let file = chat(&nodes.join(","));
    let system = "Be brief.\n\nPrevious Conversation Summary:\nThey met.";
    assert_eq!(piped(&["assemble"], file.as_str()).json()["system"], system);
    assert_eq!(piped(&["assemble", "--summary", "message"], file.as_str()).json()["system"], "Be brief.");
}

#[test]
fn a_timeline_takes_the_time_from_the_flag_or_the_clock() {
    let at = weft(&["assemble", TIMELINE, "--to", "text", "--now", "2026-02-18T15:07:00Z"]);
    assert!(at.stdout.contains("currentTime: \"2026-02-18T15:07:00Z\""), "{}", at.stderr);
    assert!(at.stdout.contains("in 17h 53m"));
    let now = weft(&["assemble", TIMELINE, "--to", "text"]);
    assert!(now.code == 0 && now.stdout.contains("currentTime: \"20"), "{}", now.stderr);
    let stable = weft(&["assemble", TIMELINE, "--to", "text", "--now", "2026-02-18T15:07:00Z", "--layout", "cacheStable"]);
    assert!(stable.stdout.find("INSTRUCTIONS:") < stable.stdout.find("SPACE HISTORY"), "{}", stable.stdout);
    let said = weft(&["assemble", TIMELINE, "--now", "2026-02-18T15:07:00Z", "--history", "messages"]);
    assert!(said.json()["messages"].as_array().expect("messages").len() > 1, "{}", said.stdout);
}

#[test]
fn a_buffer_ends_with_the_working_text() {
    let file = chat(&[node("n1", "", "h", "Once upon"), node("n2", "n1", "a", " a time")].join(","));
    let ran = piped(&["assemble", "--form", "buffer", "--to", "completions", "--buffer", " there"], file);
    assert_eq!(ran.json()["prompt"], "Once upon a time there");
}

#[test]
fn a_file_with_several_conversations_asks_which() {
    let one = chat(&node("n1", "", "h", "First"));
    let two = chat(&node("n1", "", "h", "Second")).replace("\"id\":\"s\"", "\"id\":\"t\",\"name\":\"Tea\"");
    let file = format!("{one}\n{two}\n");
    let which = piped(&["assemble"], file.as_str());
    assert_eq!((which.code, which.stdout.as_str()), (2, ""));
    assert!(which.stderr.contains("2 conversations") && which.stderr.contains("2  t  Tea  (1 nodes)"), "{}", which.stderr);
    for (name, text) in [("1", "First"), ("2", "Second"), ("s", "First"), ("Tea", "Second")] {
        let ran = piped(&["assemble", "--conversation", name], file.as_str());
        assert_eq!(ran.json()["messages"][0]["content"], text, "{name}");
    }
    assert_eq!(piped(&["assemble", "--conversation", "3"], file.as_str()).code, 2);
}

#[test]
fn formats_are_detected_or_named() {
    assert_eq!(weft(&["assemble", OPENAI]).json()["messages"][0]["role"], "user");
    assert_eq!(weft(&["assemble", OPENAI, "--from", "openai"]).code, 0);
    assert_eq!(weft(&["assemble", OPENAI, "--from", "weft"]).code, 2);
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let many: Vec<String> = (0..20_000)
        .map(|n| node(&format!("n{n}"), &if n == 0 { String::new() } else { format!("n{}", n - 1) }, "h", "some words to say"))
        .collect();
    let file = Scratch::new("long.json", chat(&many.join(",")));
    assert_eq!(read_a_little(&["assemble", file.path(), "--context-length", "1m"], 100), (0, String::new()));
    assert_eq!(read_a_little(&["count", file.path()], 100), (0, String::new()));
    assert_eq!(read_a_little(&["completions", "bash"], 100), (0, String::new()));
}

#[test]
fn the_report_does_not_go_to_stdout() {
    let ran = research(&["--report", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}
