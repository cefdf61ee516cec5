//! Seed 003: special roles, summaries as checkpoints, cache control, tool inclusion. Preset `netdata`.

use crate::scene::{Talk, talk, tokens, tool};
use serde_json::{Value, json};
use weftwork::dialect::Dialect;
use weftwork::model::Part;

const SUMMARISED: &str = "
    u: one
    a: two
    u summaryRequest: Summarise.
    a summary: They counted.
    u: three
    a: four";

#[test]
fn seed_003_special_roles_are_never_sent() {
    let special = talk(
        "
        u: one
        u titleRequest: Name this.
        a title: Counting
        u summaryRequest: Summarise.
        a accounting: 12500
        a: two",
    );
    assert_eq!(special.sent(), ["user: one", "assistant: two"]);
    for node in ["n2", "n3", "n4", "n5"] {
        assert_eq!(special.fate(node), "dropped notConversation", "{node}");
    }
}

#[test]
fn seed_003_only_messages_after_the_latest_summary_are_sent() {
    let twice = talk(
        "
        u: one
        a summary: first
        u: two
        a summary: second
        u: three",
    );
    assert_eq!(twice.sent(), ["system: Previous Conversation Summary:\nsecond", "user: three"]);
    assert_eq!(twice.fate("n1"), "dropped beforeCheckpoint");
    assert_eq!(twice.fate("n2"), "dropped beforeCheckpoint");
    assert_eq!(twice.fate("n4"), "included summary");
}

#[test]
fn seed_003_the_summary_is_prepended_to_the_system_prompt_under_its_heading() {
    let talk = talk(SUMMARISED).prompt("Be brief.");
    let summary = "Previous Conversation Summary:\nThey counted.";
    assert_eq!(talk.clone().set(r#"{"preset":"netdata"}"#).system(), format!("{summary}\n\nBe brief."));
    assert_eq!(talk.system(), format!("Be brief.\n\n{summary}"));
}

#[test]
fn seed_003_the_system_prompt_is_in_every_request_not_only_in_the_first() {
    let mut lines = String::new();
    for turn in 0..5 {
        lines += &format!("u: question {turn}\na: answer {turn}\n");
        assert_eq!(talk(&lines).prompt("Be brief.").set(r#"{"preset":"netdata"}"#).system(), "Be brief.", "turn {turn}");
    }
}

#[test]
fn seed_003_a_summary_that_failed_or_is_empty_is_no_checkpoint() {
    for broken in
        ["a summary error=cut: half", "a summary pending: ha", "a summary excluded: x", "a summary:", "a summary: blank"]
    {
        let talk = talk(&format!("u: one\na: two\n{broken}\nu: three"));
        assert_eq!(talk.sent(), ["user: one", "assistant: two", "user: three"], "{broken}");
    }
}

#[test]
fn seed_003_rewinding_before_a_summary_brings_the_originals_back() {
    let rewound = talk(SUMMARISED).with(|talk| talk.ask.head = Some("n2".into()));
    assert_eq!(rewound.sent(), ["user: one", "assistant: two"]);
}

// Cache control. Anthropic is the only API with marks.

fn cached(lines: &str, json: &str) -> Talk {
    talk(lines).set(json).to(Dialect::Anthropic).model("anthropic/claude-sonnet-4-5")
}

fn marks(talk: &Talk) -> Vec<String> {
    talk.assemble().report.cache.marks
}

fn marked_texts(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    blocks
        .filter(|block| block["cache_control"].is_object())
        .map(|block| block["text"].as_str().unwrap_or("?").to_owned())
        .collect()
}

#[test]
fn seed_003_the_cache_mark_advances_to_the_newest_message() {
    let long = tokens(1100);
    let chat = cached(&format!("u: {long}\na: two\nu: three"), r#"{"cache":"advance"}"#);
    assert_eq!(marks(&chat), ["n3"]);
    assert_eq!(marked_texts(&chat.body()), ["three"]);
}

#[test]
fn seed_003_a_summary_request_freezes_the_mark_where_the_last_reply_had_it() {
    let long = tokens(1100);
    let lines = format!("u: {long}\na: two\nu: three\na marks=n3: four");
    let summary = cached(&lines, r#"{"cache":"freeze"}"#).input("Summarise the conversation.");
    assert_eq!(marks(&summary), ["n3"]);
    assert_eq!(marked_texts(&summary.body()), ["three"]);
}

#[test]
fn seed_003_a_frozen_request_repeats_the_cached_prefix_byte_for_byte() {
    let long = tokens(1100);
    let reply = cached(&format!("u: {long}\na: two\nu: three"), r#"{"cache":"advance"}"#).prompt("Be brief.");
    let reply = reply.with(|talk| talk.file.tools = vec![tool("search", "Finds.")]);
    let marks = reply.assemble().report.cache.marks;
    let lines = format!("u: {long}\na: two\nu: three\na marks={}: four", marks.last().expect("a mark"));
    let summary = cached(&lines, r#"{"cache":"freeze"}"#).prompt("Be brief.").input("Summarise.");
    let summary = summary.with(|talk| talk.file.tools = vec![tool("search", "Finds.")]);
    let (before, after) = (reply.assemble().request, summary.assemble().request);
    let (before, after) = (String::from_utf8(before).expect("text"), String::from_utf8(after).expect("text"));
    let cut = before.rfind(r#""cache_control""#).expect("a mark");
    assert_eq!(before[..cut], after[..cut]);
}

#[test]
fn seed_003_a_frozen_mark_whose_node_is_gone_is_no_mark() {
    let lines = format!("u edge: {}\na marks=n9: two\nu: three\na on=n1: other", tokens(1100));
    let gone = cached(&lines, r#"{"cache":"freeze"}"#).with(|talk| talk.ask.head = Some("n3".into()));
    assert_eq!(marks(&gone), [""; 0]);
    assert_eq!(marked_texts(&gone.body()), [""; 0]);
    assert!(gone.warnings().contains(&"noCacheMark"));
}

// Tool inclusion modes.

const TOOLS: &str = "
    u: first
    a: call(t1 search {}) | result(t1 found)
    a: done
    u: second
    a: call(t2 read {}) | result(t2 text)";

fn inclusion(mode: &str) -> Talk {
    talk(TOOLS).set(&format!(r#"{{"toolPolicy":"{mode}"}}"#)).with(|talk| {
        talk.file.tools = vec![tool("search", ""), tool("read", "")];
        talk.file.included_tools = vec!["read".into()];
        for part in talk.file.nodes.iter_mut().flat_map(|node| &mut node.parts) {
            match part {
                Part::ToolResult(result) if result.id == "t1" => result.included = true,
                _ => {}
            }
        }
    })
}

fn tools_and_calls(mode: &str) -> (Vec<String>, Vec<String>) {
    let talk = inclusion(mode);
    let body = talk.body();
    let tools =
        body["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].as_str().unwrap_or("").to_owned()).collect();
    let ids = ["t1", "t2"].into_iter().filter(|id| talk.said().iter().any(|line| line.contains(&format!("result({id}"))));
    (tools, ids.map(str::to_owned).collect())
}

#[test]
fn seed_003_tool_inclusion_modes() {
    for (mode, tools, calls) in [
        ("auto", vec!["search", "read"], vec!["t2"]),
        ("cached", vec!["search", "read"], vec!["t1", "t2"]),
        ("all-on", vec!["search", "read"], vec!["t1", "t2"]),
        ("all-off", vec![], vec![]),
        ("manual", vec!["read"], vec!["t1"]),
    ] {
        let (found, ids) = tools_and_calls(mode);
        assert_eq!(
            (found, ids),
            (tools.into_iter().map(String::from).collect(), calls.into_iter().map(String::from).collect()),
            "{mode}"
        );
    }
}

#[test]
fn seed_003_auto_sends_no_old_tool_parts_once_there_is_a_new_question() {
    let asked = inclusion("auto").input("third");
    assert!(asked.said().iter().all(|line| !line.contains("result(")));
    assert_eq!(asked.fate("n2"), "dropped toolPolicy");
}

#[test]
fn seed_003_the_default_mode_is_cached_and_marks_the_tools() {
    let lines = format!("u: {}", tokens(1100));
    let tools = vec![tool("search", &tokens(1100))];
    let default = cached(&lines, "{}").with(|talk| talk.file.tools = tools.clone());
    assert_eq!(marks(&default), ["tools", "n1"]);
    assert_eq!(default.body()["tools"][0]["cache_control"], json!({"type": "ephemeral"}));
    let on = cached(&lines, r#"{"toolPolicy":"all-on"}"#).with(|talk| talk.file.tools = tools);
    assert_eq!(marks(&on), ["n1"]);
}

#[test]
fn seed_003_the_mode_has_the_name_the_seed_gives_it() {
    assert_eq!(talk(TOOLS).set(r#"{"toolInclusionMode":"all-off"}"#).said().len(), 3);
}
