//! `weft lint`: findings on stdout, the verdict on stderr, exit 1 if the API refuses the request.

use crate::run::{OPENAI, piped, weft};
use serde_json::json;

const ORPHAN: &str = r#"{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]}"#;

#[test]
fn a_finding_has_path_rule_message_and_fix() {
    let ran = piped(&["lint", "--for", "anthropic"], ORPHAN);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("$.messages[0].content[0]") && lines[0].ends_with("error: orphanToolResult"), "{}", ran.stdout);
    assert!(lines[2].starts_with("    fix: "), "{}", ran.stdout);
    assert_eq!(ran.stderr, "stdin is refused for anthropic: 1 error, 0 warnings\n");
}

#[test]
fn findings_are_json_on_request() {
    let findings = piped(&["lint", "--for", "anthropic", "--json"], ORPHAN);
    assert_eq!(findings.code, 1);
    let findings: serde_json::Value = serde_json::from_str(&findings.stdout).expect("JSON");
    assert_eq!(findings[0]["rule"], "orphanToolResult");
    let keys: Vec<&String> = findings[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["path", "rule", "severity", "message", "fix"]);
    assert_eq!(weft(&["lint", OPENAI, "--for", "openai", "--json"]).json(), json!([]));
}

#[test]
fn a_valid_body_is_said_to_be() {
    let ran = weft(&["lint", OPENAI, "--for", "openai"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(ran.stderr, "examples/openai-chat.json is valid for openai: 0 errors, 0 warnings\n");
}

#[test]
fn what_is_no_body_is_bad_input() {
    for (stdin, message) in [("", "EOF while parsing"), ("{\n,", "line 2 column 1"), (&"[".repeat(10_000), "recursion limit")] {
        let ran = piped(&["lint", "--for", "openai"], stdin);
        assert!(ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert_eq!(weft(&["lint", OPENAI]).code, 2, "--for is required");
}
