//! Logs of coding agents: Claude Code, Codex.

use super::{bytes, expect, lines, read, reports, show};
use weftwork::ask::Check;
use weftwork::formats::import;

#[test]
fn claude_code_lines_become_a_tree_and_replies_are_counted_once() {
    let import = read(bytes("claude-code/session.jsonl"));
    let conversation = &import.conversations[0];
    expect(
        &show::conversation(conversation),
        &[
            r#"u0 claude-code "Caveat: local commands follow.""#,
            r#"u1<u0 user "Fix the date bug""#,
            r#"a1<u1 claude think("Look at the tests."~c2ln)"#,
            r#"a2<a1 claude "I will run the tests.""#,
            r#"a3<a2 claude call(toolu_1 Bash {"command": "cargo test", "timeout": 1.10})"#,
            r#"r1<a3 claude result(!toolu_1 "1 failed")"#,
            r#"a4<r1 claude "The test expects UTC." think(""~b3BhcXVl)"#,
            r#"s1 user "Find date code""#,
            r#"s2<s1 claude "src/date.rs""#,
            r#"u2<a4 user "See this screenshot" image(image/png iVBORw0KGgo=)"#,
            r#"u2b<a4 user "Redo: use local time""#,
            r#"a5<u2b claude "Done.""#,
            r#"c1<a5 claude summary "The date bug was fixed by using local time.""#,
            r#"u3<c1 user "Commit it""#,
            r#"a6<u3 claude error error="API Error: 529 overloaded""#,
            r#"$ msg_1 -> a3 reply anthropic/claude-sonnet-4-5 10+80+2000+500"#,
            r#"$ msg_2 -> a4 reply anthropic/claude-sonnet-4-5 4+20+2000+500"#,
            r#"$ msg_s -> s2 reply anthropic/claude-sonnet-4-5 3+5+2000+500"#,
            r#"$ msg_3 -> a5 reply anthropic/claude-sonnet-4-5 2+7+2000+500"#,
        ],
    );
    let counted: Vec<_> = conversation.nodes.iter().filter(|node| node.usage.is_some()).map(|node| node.id.to_string()).collect();
    assert_eq!(counted, ["a3", "a4", "s2", "a5"], "the usage of a reply is on its last line only");
    assert_eq!((conversation.space.id.as_str(), conversation.space.name.as_str()), ("ses-1", "Fix the date bug"));
    assert_eq!(conversation.head.as_ref().map(|head| head.as_str()), Some("a6"));
    assert!(reports(&import, "line", "cut off"));
}

#[test]
fn claude_code_a_cut_off_line_is_an_error_in_strict() {
    assert!(import(&bytes("claude-code/session.jsonl"), None, Check::Strict).is_err());
}

#[test]
fn codex_items_become_nodes_and_counts_calls() {
    let import = read(bytes("codex/rollout.jsonl"));
    let conversation = &import.conversations[0];
    expect(
        &show::conversation(conversation),
        &[
            r#"n1 system as-system "<permissions>read only</permissions>""#,
            r#"n2<n1 user "<environment_context>cwd</environment_context>""#,
            r#"n3<n2 user "List files" image(image/png iVBORw0KGgo=)"#,
            r#"n4<n3 codex think("**Listing**"~ZW5j)"#,
            r#"n5<n4 codex call(call_1 shell {"command":["ls"],"timeout":1.10})"#,
            r#"n6<n5 codex result(call_1 "{\"output\":\"a.txt\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}")"#,
            r#"n7<n6 codex call(call_2 apply_patch {"input":"*** Begin Patch\n*** End Patch"})"#,
            r#"n8<n7 codex result(call_2 "ok" image(image/png https://example.org/p.png))"#,
            r#"n9<n8 codex call(web_search_9 web_search {"type": "search", "query": "rust ls"})"#,
            r#"n10<n9 codex call(call_3 local_shell {"type": "exec", "command": ["pwd"], "timeout_ms": 1000})"#,
            r#"n11<n10 codex "There is a.txt.""#,
            r#"n12<n11 codex summary "The folder holds a.txt.""#,
            r#"n13<n12 user "Thanks""#,
            r#"$ thread-1/call-1 -> n5 reply openai/gpt-5-codex 800+40+200+0"#,
            r#"$ thread-1/call-2 -> n7 reply openai/gpt-5-codex 100+20+1000+0"#,
            r#"$ thread-1/call-3 -> n11 reply openai/gpt-5-codex 100+15+1100+0"#,
        ],
    );
    assert_eq!(conversation.space.system_context, "You are a coding agent.");
    assert!(reports(&import, "token_count that repeats", "counted already"));
}

#[test]
fn codex_oldest_logs_have_bare_items() {
    let import = read(bytes("codex/old.jsonl"));
    expect(&lines(bytes("codex/old.jsonl")), &[r#"n1 user "hello""#, r#"n2<n1 codex "hi""#]);
    assert_eq!(import.conversations[0].space.system_context, "Be careful.");
}

#[test]
fn codex_a_fork_keeps_its_own_head() {
    let meta = |id: &str| {
        format!(r#"{{"timestamp":"2026-02-10T09:00:00Z","type":"session_meta","payload":{{"id":"{id}","instructions":"{id}"}}}}"#)
    };
    let import = read([meta("fork"), meta("origin")].join("\n"));
    let space = &import.conversations[0].space;
    assert_eq!((space.id.as_str(), space.system_context.as_str()), ("fork", "fork"));
    assert!(reports(&import, "second session_meta", "forked"));
}

#[test]
fn codex_a_rollback_makes_a_branch() {
    let message = |role: &str, text: &str| {
        format!(
            r#"{{"timestamp":"2026-02-10T09:00:00Z","type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let back = r#"{"timestamp":"2026-02-10T09:00:00Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}"#;
    let log = [
        message("user", "a"),
        message("assistant", "b"),
        message("user", "c"),
        message("assistant", "d"),
        back.into(),
        message("user", "e"),
    ];
    expect(
        &lines(log.join("\n")),
        &[r#"n1 user "a""#, r#"n2<n1 codex "b""#, r#"n3<n2 user "c""#, r#"n4<n3 codex "d""#, r#"n5<n2 user "e""#],
    );
}
