//! Cache marks, and what the report predicts.

use crate::scene::{Talk, talk, tokens, tool};
use weftwork::dialect::Dialect;

fn claude(lines: &str, json: &str) -> Talk {
    talk(lines).set(json).to(Dialect::Anthropic).model("anthropic/claude-sonnet-4-5")
}

fn marks(talk: &Talk) -> Vec<String> {
    talk.assemble().report.cache.marks
}

#[test]
fn only_dialects_with_marks_get_them_and_off_means_off() {
    let lines = format!("u: {}", tokens(1500));
    assert_eq!(marks(&claude(&lines, "{}")), ["n1"]);
    assert_eq!(marks(&claude(&lines, r#"{"cache":"off"}"#)), [""; 0]);
    for dialect in [Dialect::OpenAi, Dialect::Gemini, Dialect::Messages] {
        assert_eq!(marks(&talk(&lines).to(dialect)), [""; 0], "{dialect}");
    }
}

#[test]
fn nothing_below_the_models_minimum_is_marked() {
    let least =
        weftwork::catalogue::find("anthropic/claude-sonnet-4-5").and_then(|model| model.min_cacheable).expect("a minimum");
    let at = |size: u64| marks(&claude(&format!("u: {}", tokens(size as usize)), "{}"));
    assert_eq!(at(least - 1), [""; 0]);
    assert_eq!(at(least), ["n1"]);
    let short = claude("u: hi", "{}");
    assert_eq!(short.warnings(), ["noCacheMark"]);
}

#[test]
fn tools_the_stable_system_text_and_the_newest_message_are_marked() {
    let talk =
        claude("u: hi\na: ok\nu: go", "{}").prompt(&tokens(1500)).with(|talk| talk.file.tools = vec![tool("x", &tokens(1500))]);
    assert_eq!(marks(&talk), ["tools", "system", "n3"]);
    let body = talk.body();
    assert!(body["tools"][0]["cache_control"].is_object() && body["system"][0]["cache_control"].is_object());
}

#[test]
fn a_new_input_is_marked_by_its_name() {
    assert_eq!(marks(&claude(&format!("u: {}\na: ok", tokens(1500)), "{}").input("go")), ["input"]);
}

#[test]
fn freeze_repeats_the_marks_of_the_last_reply_and_no_others() {
    let lines = format!("u: {}\na marks=n1: ok\nu: more\na marks=n1,n3: ok\nu: sum up", tokens(1500));
    assert_eq!(marks(&claude(&lines, r#"{"cache":"freeze"}"#)), ["n1", "n3"]);
    assert_eq!(marks(&claude("u: hi", r#"{"cache":"freeze"}"#)), [""; 0]);
}

#[test]
fn the_report_says_what_changed_and_predicts_reads_and_writes() {
    let lines = format!("u: {}\na: ok\nu: more", tokens(1500));
    let first = claude(&lines, "{}").assemble();
    assert_eq!(first.report.cache.predicted_read, None);
    let longer = format!("{lines}\na: yes\nu: even more {}", tokens(200));
    let previous = first.request.clone();
    let second = claude(&longer, "{}").with(|talk| talk.ask.previous = Some(previous)).assemble();
    let cache = second.report.cache;
    assert_eq!(cache.first_change.as_ref().map(|change| change.section.as_str()), Some("history"));
    assert!(cache.predicted_read > Some(1400), "{cache:?}");
    assert!(cache.predicted_write > Some(150) && cache.predicted_write < Some(300), "{cache:?}");
    let same = claude(&lines, "{}").with(|talk| talk.ask.previous = Some(first.request.clone())).assemble();
    assert_eq!(same.report.cache.first_change, None);
    let changed = claude(&lines, "{}").prompt("New.").with(|talk| talk.ask.previous = Some(first.request)).assemble();
    assert_eq!(changed.report.cache.first_change.map(|change| change.section), Some("system".into()));
    assert_eq!(changed.report.cache.predicted_read, Some(0));
}

#[test]
fn a_previous_request_that_is_none_is_a_typed_error() {
    let talk = claude("u: hi", "{}").with(|talk| talk.ask.previous = Some(b"not json".to_vec()));
    assert!(talk.error().to_string().starts_with("the previous request"));
}
