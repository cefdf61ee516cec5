//! Seed 000: multi-turn context. Preset `deepchat`.

use crate::scene::talk;
use weftwork::AssembleError;
use weftwork::dialect::Dialect;

const CHAT: &str = "
    u: one
    a: two";

#[test]
fn seed_000_the_model_sees_prior_messages() {
    assert_eq!(talk(CHAT).input("three").said(), ["user: one", "assistant: two", "user: three"]);
}

#[test]
fn seed_000_the_system_prompt_is_the_first_message_when_it_is_not_empty() {
    let body = talk(CHAT).prompt("Be brief.").input("three").to(Dialect::OpenAi).body();
    assert_eq!(body["messages"][0], serde_json::json!({"role": "system", "content": "Be brief."}));
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(4));
}

#[test]
fn seed_000_the_system_prompt_is_omitted_when_it_is_empty() {
    for prompt in ["", "  \n"] {
        assert_eq!(talk(CHAT).prompt(prompt).sent(), ["user: one", "assistant: two"], "{prompt:?}");
    }
}

#[test]
fn seed_000_the_configured_default_system_prompt_is_used() {
    let talk = talk(CHAT).set(r#"{"defaultSystemPrompt":"Be kind."}"#);
    assert_eq!(talk.system(), "Be kind.");
    assert_eq!(talk.prompt("Be brief.").system(), "Be brief.");
}

/// available = contextLength − system − newInput − maxTokens = 24 − 2 − 2 − 8 = 12; each message costs 4.
#[test]
fn seed_000_truncation_drops_the_oldest_messages_when_history_exceeds_available_tokens() {
    let long = "
        u: first question
        a: first answer ok
        u: second questio
        a: second answer";
    let fit = |context: u32| {
        let json = format!(r#"{{"preset":"deepchat","counter":"chars4","contextLength":{context},"maxTokens":8}}"#);
        talk(long).prompt("Brief.").input("third?").set(&json)
    };
    assert_eq!(fit(28).kept(), ["n1", "n2", "n3", "n4"]);
    assert_eq!(fit(27).kept(), ["n3", "n4"]);
    assert_eq!(fit(24).kept(), ["n3", "n4"]);
    assert_eq!(fit(20).assemble().report.budget.available, 8);
    assert_eq!(fit(20).kept(), ["n3", "n4"]);
    assert_eq!(fit(19).kept(), [""; 0]);
    assert_eq!(fit(19).said(), ["user: third?"]);
    assert!(fit(19).assemble().report.truncated);
}

#[test]
fn seed_000_whole_turns_are_dropped_so_that_no_result_loses_its_call() {
    let loops = "
        u: question one here
        a: call(t1 search {\"q\":1})
        a: result(t1 found it)
        a: answer one
        u: two";
    let fit = talk(loops).set(r#"{"preset":"deepchat","counter":"chars4","contextLength":12,"maxTokens":6}"#);
    assert_eq!(fit.said(), ["user: two"]);
}

#[test]
fn seed_000_error_and_pending_messages_are_excluded() {
    let broken = talk(
        "
        u: one
        a error=timeout: half an ans
        a pending: being wri
        u: two",
    );
    assert_eq!(broken.said(), ["user: one", "user: two"]);
    assert_eq!(broken.fate("n2"), "dropped failed");
    assert_eq!(broken.fate("n3"), "dropped notSent");
}

#[test]
fn seed_000_content_and_reasoning_blocks_are_concatenated_in_their_order() {
    let thought = talk(
        "
        u: why?
        a: think(- Because of rain.) | It is wet. | think(- Sure?) | Yes.",
    );
    let concat = thought.clone().set(r#"{"preset":"deepchat"}"#);
    assert_eq!(concat.said()[1], "assistant: Because of rain.\n\nIt is wet.\n\nSure?\n\nYes.");
    assert_eq!(thought.said()[1], "assistant: It is wet.\n\nYes.");
}

#[test]
fn seed_000_the_new_user_message_is_excluded_by_its_id_never_by_position_or_text() {
    let twice = talk(
        "
        u: again
        a: ok
        u: again",
    );
    assert_eq!(twice.clone().input_node("n3").said(), ["user: again", "assistant: ok", "user: again"]);
    assert_eq!(twice.clone().input_node("n1").said(), ["assistant: ok", "user: again", "user: again"]);
    assert_eq!(twice.input_node("n3").fate("n3"), "included input");
}

#[test]
fn seed_000_an_empty_history_with_an_input_is_valid() {
    assert_eq!(talk("").input("hello").said(), ["user: hello"]);
    assert_eq!(talk("").error(), AssembleError::NothingToSend);
}

#[test]
fn seed_000_room_for_the_reply_is_the_models_max_tokens() {
    let budget = talk(CHAT).set(r#"{"preset":"deepchat","maxTokens":300,"contextLength":1000}"#).assemble().report.budget;
    assert_eq!((budget.reserve, budget.available), (300, 700));
}
