//! B. Reasoning and signatures.

use crate::scene::{Talk, errors, talk};
use serde_json::{Value, json};
use weftwork::dialect::Dialect;
use weftwork::model::Part;

const CLAUDE: &str = "anthropic/claude-sonnet-4-5";

fn thought(model: &str, think: &str) -> Talk {
    talk(&format!("u: why\na model={model}: {think} | Because. | call(t1 look {{}})\na: result(t1 seen)"))
}

fn blocks(body: &Value, at: usize) -> Vec<Value> {
    body["messages"][at]["content"].as_array().cloned().unwrap_or_default()
}

#[test]
fn peers_27_thinking_goes_back_verbatim_and_in_its_place() {
    let talk = thought(CLAUDE, "think(sig== It  rained.)").to(Dialect::Anthropic).model(CLAUDE);
    let blocks = blocks(&talk.body(), 1);
    assert_eq!(blocks[0], json!({"type": "thinking", "thinking": "It  rained.", "signature": "sig=="}));
    assert_eq!((&blocks[1]["type"], &blocks[2]["type"]), (&json!("text"), &json!("tool_use")));
    assert_eq!(errors(&talk.assemble(), Dialect::Anthropic), []);
}

#[test]
fn peers_28_foreign_unsigned_and_empty_signatures_are_dropped() {
    for (model, think) in [
        ("openai/o3", "think(sig It rained.)"),
        ("anthropic/claude-opus-4-5", "think(sig It rained.)"),
        (CLAUDE, "think(- It rained.)"),
    ] {
        let talk = thought(model, think).to(Dialect::Anthropic).model(CLAUDE);
        assert_eq!(blocks(&talk.body(), 1)[0]["type"], "text", "{model} {think}");
        assert_eq!(errors(&talk.assemble(), Dialect::Anthropic), [], "{model} {think}");
    }
    let mut empty = thought(CLAUDE, "think(sig It rained.)").to(Dialect::Anthropic).model(CLAUDE);
    for part in &mut empty.node("n2").parts {
        if let Part::Reasoning(reasoning) = part {
            reasoning.signature = Some(String::new());
        }
    }
    assert_eq!(blocks(&empty.body(), 1)[0]["type"], "text");
}

#[test]
fn peers_29_a_thought_signature_comes_back_on_its_part() {
    let mut talk = talk("u: go\na model=google/gemini-2.5-pro: call(t1 look {})\na: result(t1 seen)").to(Dialect::Gemini);
    for part in &mut talk.node("n2").parts {
        if let Part::ToolCall(call) = part {
            call.signature = Some("sigA".into());
        }
    }
    assert_eq!(talk.body()["contents"][1]["parts"][0]["thoughtSignature"], "sigA");
}

fn encrypted() -> Talk {
    let mut talk = talk("u: why\na model=openai/o3: think(ENC It rained.) | Because.").to(Dialect::Responses).model("openai/o3");
    if let Some(Part::Reasoning(reasoning)) = talk.node("n2").parts.first_mut() {
        reasoning.id = Some("rs_1".into());
    }
    talk
}

#[test]
fn peers_30_and_32_reasoning_items_carry_encrypted_content_an_empty_summary_and_no_stored_id() {
    let talk = encrypted().input("go on");
    let body = talk.body();
    let item = body["input"].as_array().into_iter().flatten().find(|item| item["type"] == "reasoning").expect("an item").clone();
    assert_eq!(item["encrypted_content"], "ENC");
    assert!(item["summary"].is_array());
    assert!(item.get("content").is_none());
    assert!(body["store"] != json!(false) || item.get("id").is_none(), "{item}");
    assert_eq!(errors(&talk.assemble(), Dialect::Responses), []);
}

#[test]
fn peers_31_and_33_reasoning_never_stands_without_what_it_led_to() {
    let cut = talk("u: why\na model=openai/o3: think(ENC It rained.)\nu: go on").to(Dialect::Responses).model("openai/o3");
    assert!(!String::from_utf8_lossy(&cut.assemble().request).contains("ENC"));
    assert_eq!(errors(&cut.assemble(), Dialect::Responses), []);
    let cut = talk(&format!("u: why\na model={CLAUDE}: think(sig It rained.)\nu: go on")).to(Dialect::Anthropic).model(CLAUDE);
    assert_eq!(errors(&cut.assemble(), Dialect::Anthropic), []);
    assert_eq!(cut.fate("n2"), "dropped empty");
}
