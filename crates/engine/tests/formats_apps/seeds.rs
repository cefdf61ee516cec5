//! The four seeds' own files: deepchat (000), superdesign (002), netdata (003), aspen (004).

use super::{bytes, expect, lines, read, reports, show};
use weftwork::ask::ToolPolicy;
use weftwork::model::{AccountingReading, Mode, Node};

#[test]
fn deepchat_records_become_a_path_in_their_order() {
    expect(
        &lines(bytes("deepchat/records.json")),
        &[
            r#"m1 user "What is the weather in Oslo?" image(image/png iVBORw0KGgo=) file("notes.txt" text/plain QnJpbmcgYW4gdW1icmVsbGEu)"#,
            r#"m2<m1 assistant think("The user wants the weather.") "Let me look that up." call(call_1 get_weather {"city":"Oslo","limit":1.10})"#,
            r#"m2.2<m2 assistant result(call_1 "4 °C, rain")"#,
            r#"m2.3<m2.2 assistant call(call_2 get_wind "{\"city\":\"Oslo\"")"#,
            r#"m2.4<m2.3 assistant result(!call_2 "no such station")"#,
            r#"m2.5<m2.4 assistant call(call_3 get_tide {})"#,
            r#"m2.6<m2.5 assistant "It is 4 °C and raining in Oslo.""#,
            r#"m3<m2.6 user contextEdge "New topic: draw a cat.""#,
            r#"m4<m3 assistant error error="429 rate limited" image(image/png iVBORw0KGgo=)"#,
            r#"m5<m4 user pending "plain text, not JSON""#,
            r#"$ s-1/m2.6 -> m2.6 reply openai/gpt-4o 4000ms 100+30+50+0"#,
            r#"$ s-1/m4 -> m4 reply openai/gpt-4o 900ms"#,
        ],
    );
}

#[test]
fn deepchat_signs_of_a_compaction_are_excluded() {
    let record = r#"[{"id":"m","orderSeq":1,"role":"assistant","content":"[]","metadata":"{\"messageType\":\"compaction\"}"}]"#;
    expect(&lines(record), &["m assistant excluded"]);
}

#[test]
fn deepchat_times_go_to_nodes_and_the_session_to_the_space() {
    let import = read(bytes("deepchat/session.json"));
    let conversation = &import.conversations[0];
    assert_eq!((conversation.space.id.as_str(), conversation.space.name.as_str()), ("s-1", "Weather"));
    assert_eq!(conversation.nodes[0].created_at.as_ref().map(ToString::to_string).as_deref(), Some("2026-02-18T07:33:20Z"));
    assert_eq!(conversation.entities.iter().find_map(|entity| entity.model.as_deref()), Some("openai/gpt-4o"));
}

/// One superdesign message after a `user-input`, as the lines after it.
fn superdesign(messages: &str) -> String {
    let text = lines(format!(r#"[{{"type":"user-input","message":"Hi"}},{messages}]"#));
    text.strip_prefix("n1 user \"Hi\"").unwrap_or(&text).trim_start().to_owned()
}

#[test]
fn superdesign_user_input_is_the_user() {
    expect(&lines(r#"[{"type":"user-input","message":"Hi","timestamp":1751450000000}]"#), &[r#"n1 user "Hi""#]);
}

#[test]
fn superdesign_assistant_is_the_assistant() {
    expect(&superdesign(r#"{"type":"assistant","message":"Hello"}"#), &[r#"n2<n1 assistant "Hello""#]);
}

#[test]
fn superdesign_tool_is_a_call_of_the_assistant() {
    expect(
        &superdesign(r#"{"type":"tool","message":"","metadata":{"tool_id":"t1","tool_name":"read","tool_input":{"n":1.10}}}"#),
        &[r#"n2<n1 assistant call(t1 read {"n":1.10})"#],
    );
}

#[test]
fn superdesign_tool_with_its_result_is_both() {
    expect(
        &superdesign(
            r#"{"type":"tool","message":"","metadata":{"tool_id":"t1","tool_name":"read","tool_result":"x","is_error":true}}"#,
        ),
        &["n2<n1 assistant call(t1 read {})", r#"n2.2<n2 assistant result(!t1 "x")"#],
    );
}

#[test]
fn superdesign_tool_result_answers_its_call() {
    expect(
        &superdesign(
            r#"{"type":"tool","message":"","metadata":{"tool_id":"t1","tool_name":"read"}},
               {"type":"tool-result","message":"x","metadata":{"tool_id":"t1"}}"#,
        ),
        &["n2<n1 assistant call(t1 read {})", r#"n3<n2 assistant result(t1 "x")"#],
    );
}

#[test]
fn superdesign_result_is_skipped_and_its_time_and_cost_are_a_call() {
    expect(
        &superdesign(
            r#"{"type":"assistant","message":"Hello"},
               {"type":"result","message":"Completed","metadata":{"duration_ms":6000,"total_cost_usd":0.0123}}"#,
        ),
        &[r#"n2<n1 assistant "Hello""#, "$ imported/call-1 -> n2 reply 6000ms $0.0123"],
    );
}

#[test]
fn superdesign_tool_group_is_skipped() {
    let group =
        r#"[{"type":"user-input","message":"Hi"},{"type":"tool-group","message":"2 tools","metadata":{"child_tools":["a"]}}]"#;
    expect(&lines(group), &[r#"n1 user "Hi""#]);
    assert!(reports(&read(group), "[].message", "not conversation"));
}

#[test]
fn superdesign_user_is_an_echo_and_skipped() {
    let echo = r#"[{"type":"user-input","message":"Hi"},{"type":"user","message":"Hi"}]"#;
    expect(&lines(echo), &[r#"n1 user "Hi""#]);
    assert!(reports(&read(echo), "message of type \"user\"", "echo"));
}

#[test]
fn superdesign_missing_tool_ids_are_made_up_or_found() {
    let tools = r#"{"type":"tool","message":"","metadata":{"tool_name":"ls"}},{"type":"tool-result","message":"x"}"#;
    expect(&superdesign(tools), &["n2<n1 assistant call(call_1 ls {})", r#"n3<n2 assistant result(call_1 "x")"#]);
    let several = r#"{"type":"tool","message":"","metadata":{"tool_name":"ls"}},{"type":"tool","message":"","metadata":{"tool_name":"pwd"}},
                     {"type":"tool-result","message":"x"},{"type":"tool-result","message":"y","metadata":{"tool_name":"pwd"}}"#;
    expect(
        &superdesign(several),
        &["n2<n1 assistant call(call_1 ls {})", "n3<n2 assistant call(call_2 pwd {})", r#"n4<n3 assistant result(call_2 "y")"#],
    );
}

#[test]
fn superdesign_history_as_a_whole() {
    expect(
        &lines(bytes("superdesign/history.json")),
        &[
            r#"n1 user "Design a login page""#,
            r#"n2<n1 assistant "I will write the file first.""#,
            r#"n3<n2 assistant call(toolu_1 write { "path": "login.html", "scale": 1.10 })"#,
            r#"n3.2<n3 assistant result(toolu_1 "File written")"#,
            r#"n4<n3.2 assistant call(toolu_2 read { "path": "theme.css" })"#,
            r#"n5<n4 assistant result(toolu_2 "body { color: black }")"#,
            r#"n6<n5 assistant call(call_3 ls { "path": "." })"#,
            r#"n7<n6 assistant result(!call_3 "login.html\ntheme.css")"#,
            r#"n8<n7 assistant "Done: login.html is ready.""#,
            r#"n9<n8 user "Now a signup page""#,
            r#"n10<n9 assistant result(toolu_404 "nobody asked")"#,
            r#"$ imported/call-1 -> n6 reply 2500ms"#,
            r#"$ imported/call-2 -> n8 reply 6000ms $0.0123"#,
            r#"$ imported/call-3 reply 1500ms"#,
        ],
    );
}

/// One netdata message after a user's, as its line; and the whole import.
fn netdata(message: &str) -> String {
    let text = lines(format!(
        r#"{{"id":"c","title":"T","tokenUsageHistory":[],"messages":[{{"role":"user","content":"Hi"}},{message}]}}"#
    ));
    text.strip_prefix("n1 user \"Hi\"\n").unwrap_or(&text).to_owned()
}

#[test]
fn netdata_user_assistant_and_system_are_the_conversation() {
    expect(&netdata(r#"{"role":"assistant","content":"Hello"}"#), &[r#"n2<n1 assistant "Hello""#]);
    expect(&netdata(r#"{"role":"system","content":"Be kind"}"#), &[r#"n2<n1 system as-system "Be kind""#]);
}

#[test]
fn netdata_system_title_is_a_title_request() {
    expect(&netdata(r#"{"role":"system-title","content":"Name it"}"#), &[r#"n2<n1 system titlerequest "Name it""#]);
}

#[test]
fn netdata_title_is_a_title_and_its_call_a_title_call() {
    expect(
        &netdata(
            r#"{"role":"title","content":"Disk","model":"anthropic:haiku","usage":{"promptTokens":30,"completionTokens":6}}"#,
        ),
        &[r#"n2<n1 assistant title "Disk""#, "$ c/n2 -> n2 title anthropic/haiku 30+6+0+0"],
    );
}

#[test]
fn netdata_system_summary_is_a_summary_request() {
    expect(&netdata(r#"{"role":"system-summary","content":"Sum up"}"#), &[r#"n2<n1 system summaryrequest "Sum up""#]);
}

#[test]
fn netdata_summary_is_a_checkpoint_and_its_call_a_summary_call() {
    expect(
        &netdata(
            r#"{"role":"summary","content":"All well","responseTime":5000,"usage":{"promptTokens":1,"completionTokens":2}}"#,
        ),
        &[r#"n2<n1 assistant summary "All well""#, "$ c/n2 -> n2 summary 5000ms 1+2+0+0"],
    );
}

#[test]
fn netdata_tool_results_answer_tool_calls() {
    expect(
        &netdata(
            r#"{"role":"assistant","content":"","toolCalls":[{"id":"t1","name":"f","arguments":{"n":1.10}},{"id":"t2","name":"g","arguments":"{}"}]},
               {"type":"tool-results","results":[{"toolCallId":"t1","name":"f","result":{"a":1},"includeInContext":true},{"toolCallId":"t2","name":"g","result":"x"}]}"#,
        ),
        &[r#"n2<n1 assistant call(+t1 f {"n":1.10}) call(t2 g {})"#, r#"n3<n2 assistant result(+t1 "{\"a\":1}") result(t2 "x")"#],
    );
}

#[test]
fn netdata_error_is_a_failed_node() {
    expect(&netdata(r#"{"role":"error","content":"Connection lost"}"#), &[r#"n2<n1 assistant error error="Connection lost""#]);
}

#[test]
fn netdata_openai_counts_are_made_disjoint() {
    let usage = r#""usage":{"promptTokens":100,"completionTokens":5,"cacheReadInputTokens":80}"#;
    expect(
        &netdata(&format!(r#"{{"role":"assistant","content":"x","model":"openai:gpt-4o",{usage}}}"#)),
        &[r#"n2<n1 assistant "x""#, "$ c/n2 -> n2 reply openai/gpt-4o 20+5+80+0"],
    );
    expect(
        &netdata(&format!(r#"{{"role":"assistant","content":"x","model":"anthropic:opus",{usage}}}"#)),
        &[r#"n2<n1 assistant "x""#, "$ c/n2 -> n2 reply anthropic/opus 100+5+80+0"],
    );
}

#[test]
fn netdata_chat_as_a_whole() {
    let import = read(bytes("netdata/chat.json"));
    let conversation = &import.conversations[0];
    expect(
        &show::conversation(conversation),
        &[
            r#"n1 system as-system "You are an SRE assistant.""#,
            r#"n2<n1 user "Why is the disk slow?""#,
            r#"n3<n2 assistant mark=n2 "Let me check." call(+tc1 get_metrics { "chart": "disk.await", "points": 1.10 }) call(tc2 get_alerts {})"#,
            r#"n4<n3 assistant result(+tc1 "{\n      \"avg\": 12.5\n     }") result(tc2 "none")"#,
            r#"n5<n4 assistant mark=n4 "The await time is 12.5 ms.""#,
            r#"n6<n5 system titlerequest "Write a short title.""#,
            r#"n7<n6 assistant title "Disk latency""#,
            r#"n8<n7 system accounting"#,
            r#"n9<n8 assistant error error="Connection lost""#,
            r#"n10<n9 user "And the network?""#,
            r#"n11<n10 assistant mark=n5 "The network is fine.""#,
            r#"n12<n11 system summaryrequest "Summarise the conversation.""#,
            r#"n13<n12 assistant summary "Disk await 12.5 ms; network fine.""#,
            r#"n14<n13 assistant call(tc3 ping { "host": "db1" })"#,
            r#"n15<n14 user "Thanks.""#,
            r#"$ chat_1718/n3 -> n3 reply anthropic/claude-sonnet-4 2500ms 12+40+0+900"#,
            r#"$ chat_1718/n5 -> n5 reply anthropic/claude-sonnet-4 3000ms 20+35+900+200"#,
            r#"$ chat_1718/n7 -> n7 title anthropic/claude-haiku-4 800ms 300+6+0+0"#,
            r#"$ chat_1718/n11 -> n11 reply anthropic/claude-sonnet-4 1900ms 15+25+1100+60"#,
            r#"$ chat_1718/n13 -> n13 summary anthropic/claude-sonnet-4 5000ms 10+120+1160+0"#,
            r#"$ chat_1718/request-6 reply anthropic/claude-sonnet-4 500+50+0+0"#,
        ],
    );
    assert_eq!(conversation.space.settings.tool_policy, Some(ToolPolicy::Manual));
    assert_eq!(conversation.space.name, "Disk latency");
}

/// The readings of the accounting nodes in a chat of `messages`.
fn readings(messages: &str) -> Vec<AccountingReading> {
    let import = read(format!(r#"{{"id":"c","tokenUsageHistory":[],"messages":[{messages}]}}"#));
    let reading = |node: &Node| node.accounting.as_ref().map(|accounting| accounting.reading);
    import.conversations[0].nodes.iter().filter_map(reading).collect()
}

#[test]
fn netdata_accounting_is_cumulative_unless_its_numbers_cannot_be() {
    use AccountingReading::{Cumulative, Delta};
    let spent = r#"{"role":"assistant","content":"x","usage":{"promptTokens":100,"completionTokens":10}}"#;
    let node = |input: u64, output: u64, more: &str| {
        format!(
            r#"{{"role":"accounting","cumulativeTokens":{{"inputTokens":{input},"outputTokens":{output}}},"reason":"Message edited","discardedMessages":2{more}}}"#
        )
    };
    for (messages, expected) in [
        (format!("{spent},{}", node(150, 20, "")), vec![Cumulative]),
        (format!("{spent},{}", node(50, 10, "")), vec![Delta]),
        (format!("{},{spent},{}", node(50, 5, ""), node(150, 15, "")), vec![Cumulative, Cumulative]),
        (format!("{},{spent},{}", node(50, 5, ""), node(120, 15, "")), vec![Delta, Delta]),
        (format!("{spent},{}", node(150, 20, r#","model":"openai:gpt-4o""#)), vec![Delta]),
        (format!("{spent},{}", node(50, 10, r#","reading":"cumulative""#)), vec![Cumulative]),
        (node(0, 0, ""), vec![Cumulative]),
    ] {
        assert_eq!(readings(&messages), expected, "{messages}");
    }
}

#[test]
fn netdata_a_prompt_beside_the_messages_is_the_systems_text() {
    let chat = |message: &str| read(format!(r#"{{"toolInclusionMode":"auto","systemPrompt":"Be kind","messages":[{message}]}}"#));
    let context = |message: &str| chat(message).conversations[0].space.system_context.clone();
    assert_eq!(context(r#"{"role":"user","content":"Hi"}"#), "Be kind");
    assert_eq!(context(r#"{"role":"system","content":"Be kind"}"#), "", "it is said already");
}

#[test]
fn netdata_accounting_keeps_its_fields() {
    let import = read(bytes("netdata/chat.json"));
    let accounting = import.conversations[0].nodes.iter().find_map(|node| node.accounting.clone()).expect("accounting");
    assert_eq!(accounting.cumulative_tokens.cache_creation_tokens, 1100);
    assert_eq!((accounting.reason.as_deref(), accounting.discarded_messages), (Some("Message edited"), Some(5)));
}

#[test]
fn netdata_a_cache_index_that_points_nowhere_is_reported() {
    let chat = r#"{"id":"c","tokenUsageHistory":[],"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"x","cacheControlIndex":9}]}"#;
    let import = read(chat);
    assert!(import.conversations[0].nodes[1].cache_marks.is_empty());
    assert!(reports(&import, "cacheControlIndex", "no message stands there"));
}

#[test]
fn aspen_edges_become_parents_and_sources() {
    let import = read(bytes("aspen/tree.json"));
    let conversation = &import.conversations[0];
    expect(
        &show::conversation(conversation),
        &[
            r#"01A ag-h bookmarked "The keeper lit the lamp.""#,
            r#"01B<01A ag-m " The storm came.""#,
            r#"01C<01A ag-m pruned " Nobody came.""#,
            r#"01D ag-h excluded image(image/png assets/lamp.png)"#,
            r#"01E ag-h "Keep it short.""#,
            r#"01H<01A ag-h editedFrom=01B " The gale came.""#,
            r#"01F<01H ag-m instruction=01e context=01d " He waited." file("waves.mp3" audio/mpeg assets/waves.mp3)"#,
            r#"01G<01F ag-h annotation "Too slow?""#,
            r#"$ 01TREE/01B -> 01B reply openrouter/mistralai/mixtral-8x7b 2000ms 40+6+0+0"#,
        ],
    );
    let space = &conversation.space;
    assert_eq!(
        (space.mode, space.system_context.as_str(), space.buffer_mode_system_context),
        (Mode::Buffer, "Write in the past tense.", true)
    );
    assert_eq!(conversation.head.as_ref().map(|head| head.as_str()), Some("01F"));
    assert_eq!(conversation.sampling.temperature, Some(0.8));
    let quill = &conversation.entities[1];
    assert_eq!((quill.name.as_str(), quill.model.as_deref()), ("Quill", Some("openrouter/mistralai/mixtral-8x7b")));
    assert_eq!(quill.system_prompt.as_deref(), Some("You continue stories."));
}

#[test]
fn aspen_without_a_selection_the_newest_version_is_the_parent() {
    let text = String::from_utf8(bytes("aspen/tree.json")).expect("UTF-8").replace("pathSelections", "otherSelections");
    let import = read(&text);
    let parent = import.conversations[0].nodes.iter().find(|node| node.id.as_str() == "01F").and_then(|node| node.parent.clone());
    assert_eq!(parent.as_ref().map(|parent| parent.as_str()), Some("01H"));
    let older = read(
        text.replace("otherSelections", "pathSelections")
            .replace(r#""selectedSourceNodeId": "01H""#, r#""selectedSourceNodeId": "01B""#),
    );
    let parent = older.conversations[0].nodes.iter().find(|node| node.id.as_str() == "01F").and_then(|node| node.parent.clone());
    assert_eq!(parent.as_ref().map(|parent| parent.as_str()), Some("01B"));
}
