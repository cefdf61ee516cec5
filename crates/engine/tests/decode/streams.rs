//! Each stream of the fixtures, and the reply it is. The first line is the stop and its word, the model and id, and the usage.

use super::show::{dialect_of, end, feed, fixture};

/// Every stream is also fed in small pieces: see `cuts`.
#[track_caller]
fn stream(name: &str, expected: &[&str]) {
    let (_, result) = feed(dialect_of(name), [fixture(name).as_slice()]);
    assert_eq!(end(&result), expected.join("\n"), "{name}");
}

#[test]
fn openai_text_comes_with_usage_in_a_last_chunk_without_choices() {
    stream(
        "openai-plain.sse",
        &[
            "End stop | gpt-4o-mini-2024-07-18 chatcmpl-1 | 176 in 9 out 1024 read 0 written",
            r#"text "Grüße, 世界 🌍!\nLine two.""#,
        ],
    );
    stream("openai-llama-server.sse", &["MaxTokens length | tiny chatcmpl-x9 | 1 in 1 out 39 read 0 written", r#"text "ok""#]);
}

#[test]
fn openai_parallel_calls_are_joined_by_index_and_their_arguments_kept_byte_for_byte() {
    stream(
        "openai-tools.sse",
        &[
            "ToolCalls tool_calls | gpt-4o-mini-2024-07-18 chatcmpl-1 | 80 in 30 out 0 read 0 written",
            r#"call call_A1 get_weather {"city": "Paris", "days": 1.10} Complete"#,
            "call call_B2 now {} Complete",
        ],
    );
}

#[test]
fn openai_reasoning_content_is_reasoning() {
    stream(
        "openai-reasoning.sse",
        &["End stop | deepseek-reasoner ds-1 | 4 in 8 out 16 read 0 written", r#"reasoning "Two plus two.""#, r#"text "4""#],
    );
}

#[test]
fn openai_a_repeated_id_name_and_legacy_function_call_make_one_call() {
    stream(
        "openai-llama-cpp-python-tools.sse",
        &[
            "ToolCalls tool_calls | tiny chatcmpl-77",
            r#"call call__0_get_weather_cmpl-77 get_weather { "city": "Oslo" } Complete"#,
        ],
    );
}

#[test]
fn openai_calls_that_share_an_index_are_told_apart_by_id_and_keep_their_signature() {
    stream(
        "openai-gemini-compat.sse",
        &[
            "ToolCalls stop | gemini-3-pro gm-1",
            r#"call function-call-1 first {"a":1} signature=EoYC+sig== Complete"#,
            r#"call function-call-2 second {"b":2} Complete"#,
        ],
    );
}

#[test]
fn openai_calls_without_index_and_id_are_told_apart_by_name_and_get_ids() {
    stream(
        "openai-no-index.sse",
        &[
            "ToolCalls tool_calls | m ni-1",
            r#"call call_9d7cca8c_0 one {"x":1} Complete"#,
            r#"call call_9d7cca8c_1 two {"y":2} Complete"#,
        ],
    );
}

#[test]
fn openai_arguments_said_again_are_not_doubled() {
    stream(
        "openai-repeated-args.sse",
        &["ToolCalls tool_calls | gpt-4o-mini-2024-07-18 chatcmpl-1", r#"call call_R f {"a":1} Complete"#],
    );
}

#[test]
fn openai_a_refusal_is_text_and_a_stop_of_its_own() {
    stream("openai-refusal.sse", &["Refused stop | gpt-4o-mini-2024-07-18 chatcmpl-1", r#"text "I can't help with that.""#]);
}

#[test]
fn openai_comments_marks_and_empty_events_are_passed_over() {
    stream("openai-keepalive.sse", &["End stop | gpt-4o-mini-2024-07-18 chatcmpl-1", r#"text "hi""#]);
}

#[test]
fn a_document_instead_of_a_stream_is_the_reply() {
    stream("openai-document.json", &["End stop | m chatcmpl-w | 3 in 4 out 0 read 0 written", r#"text "A whole body.""#]);
}

#[test]
fn errors_after_200_are_errors() {
    stream(
        "openai-error.sse",
        &[r#"error Other server_error - "The server had an error while processing your request. Sorry about that!""#],
    );
    stream("anthropic-error.sse", &[r#"error Overloaded overloaded_error - "Overloaded""#]);
    stream("gemini-error.sse", &[r#"error Overloaded UNAVAILABLE 503 "The model is overloaded. Please try again later.""#]);
    stream("ollama-error.ndjson", &[r#"error Other - - "an error was encountered while running the model: unexpected EOF""#]);
    stream("responses-failed.sse", &[r#"error Other - server_error "The model failed to generate a response.""#]);
    stream(
        "responses-error.sse",
        &[
            r#"error Overflow error context_length_exceeded "Your input exceeds the context window of this model. Please adjust your input and try again.""#,
        ],
    );
}

#[test]
fn a_cut_stream_keeps_what_came_and_no_call_of_it_may_run() {
    stream(
        "openai-cut.sse",
        &[
            "Cut - | gpt-4o-mini-2024-07-18 chatcmpl-1",
            r#"text "The answer is""#,
            r#"call call_C search "{\"q\":\"rus" Unfinished"#,
        ],
    );
    stream(
        "anthropic-cut.sse",
        &[
            "Cut - | claude-sonnet-4-5-20250929 msg_01X | 25 in 1 out 2000 read 100 written",
            r#"text "Let me""#,
            r#"call toolu_9 now "" Unfinished"#,
        ],
    );
    stream("gemini-cut.sse", &["Cut - | gemini-2.5-flash resp-g1", r#"text "Half""#]);
    stream(
        "gemini-array-cut.json",
        &["Cut - | gemini-2.5-flash resp-g1 | 500 in 0 out 0 read 0 written", r#"text "Hello, 世界""#],
    );
    stream("ollama-cut.ndjson", &["Cut - | llama3.2 -", r#"text "Partial""#]);
    stream("completions-ollama-cut.ndjson", &["Cut - | base -", r#"text " upon a time""#]);
}

#[test]
fn reasoning_cut_before_its_item_is_done_has_no_id_and_no_signature() {
    stream("responses-cut.sse", &["Cut - | gpt-5.1 resp_1", r#"reasoning "Hmm""#]);
}

#[test]
fn max_tokens_inside_a_call_leaves_its_text_and_no_call_may_run() {
    stream(
        "openai-max-tokens-in-call.sse",
        &[
            "MaxTokens length | gpt-4o-mini-2024-07-18 chatcmpl-1 | 50 in 16 out 0 read 0 written",
            r#"call call_D write_file "{\"path\":\"a.txt\",\"text\":\"once upo" Unfinished"#,
        ],
    );
    stream(
        "anthropic-max-tokens-in-call.sse",
        &[
            "MaxTokens max_tokens | claude-sonnet-4-5-20250929 msg_01X | 25 in 64 out 2000 read 100 written",
            "call toolu_1 ready {} Unfinished",
            r#"call toolu_2 write_file "{\"path\":\"a\",\"te" Unfinished"#,
        ],
    );
    stream(
        "responses-max-tokens-in-call.sse",
        &[
            "MaxTokens max_output_tokens | gpt-5.1 resp_1 | 32 in 40 out 768 read 100 written",
            r#"call call_W1 get_weather "{\"city\":\"Pa" Unfinished"#,
        ],
    );
}

#[test]
fn responses_text_said_four_times_is_said_once() {
    stream(
        "responses-plain.sse",
        &["End completed | gpt-5.1 resp_1 | 32 in 40 out 768 read 100 written", r#"text "Hello there.""#],
    );
}

#[test]
fn responses_encrypted_content_comes_from_the_done_item() {
    stream(
        "responses-tools.sse",
        &[
            "ToolCalls completed | gpt-5.1 resp_1 | 32 in 40 out 768 read 100 written",
            r#"reasoning "**Plan**\nLook it up.\n\nThen answer." signature=gAAAA-complete id=rs_1"#,
            r#"call call_W1 get_weather {"city":"Paris"} Complete"#,
            "call call_W2 now {} Complete",
        ],
    );
}

#[test]
fn responses_tools_of_the_provider_are_kept_as_their_own_items() {
    stream(
        "responses-web-search.sse",
        &[
            "End completed | gpt-5.1 resp_1 | 32 in 40 out 768 read 100 written",
            r#"call ws_1 web_search_call {} native={"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"weft"}} Provider"#,
            r#"text "Found.""#,
        ],
    );
}

#[test]
fn anthropic_text_has_the_output_count_of_its_end() {
    stream(
        "anthropic-plain.sse",
        &["End end_turn | claude-sonnet-4-5-20250929 msg_01X | 25 in 15 out 2000 read 100 written", r#"text "Hello, 世界!""#],
    );
}

#[test]
fn anthropic_no_input_text_is_an_empty_object() {
    stream(
        "anthropic-tools.sse",
        &[
            "ToolCalls tool_use | claude-sonnet-4-5-20250929 msg_01X | 25 in 89 out 2000 read 100 written",
            r#"text "I'll look.""#,
            r#"call toolu_01A get_weather {"city": "San Francisco"} Complete"#,
            "call toolu_01B now {} Complete",
        ],
    );
}

#[test]
fn anthropic_thinking_keeps_signatures_order_and_empty_text() {
    stream(
        "anthropic-thinking.sse",
        &[
            "End end_turn | claude-sonnet-4-5-20250929 msg_01X | 25 in 60 out 2000 read 100 written | ignored citations_delta",
            r#"reasoning "27 * 453: 12231" signature=EqQBCgIYAhIM1gbcDa9GJwZA2b3h"#,
            r#"reasoning "" signature=EmwKAhgBEgy3va3pzix redacted"#,
            r#"reasoning "" signature=sig-without-text"#,
            r#"text "12231""#,
        ],
    );
}

#[test]
fn anthropic_server_tools_are_kept_as_their_own_blocks() {
    stream(
        "anthropic-server-tool.sse",
        &[
            "Paused pause_turn | claude-sonnet-4-5-20250929 msg_01X | 25 in 70 out 2000 read 100 written",
            r#"call srvtoolu_1 web_search {"query":"weft"} native={"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"weft"}} Provider"#,
            r#"result srvtoolu_1 "Weft https://example.org/weft" native={"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"Weft","url":"https://example.org/weft","encrypted_content":"Eo8B","page_age":null}]}"#,
            r#"text "The weft crosses the warp.""#,
        ],
    );
}

#[test]
fn gemini_events_and_the_array_form_are_the_same_reply() {
    for name in ["gemini-plain.sse", "gemini-array.json"] {
        stream(name, &["End STOP | gemini-2.5-flash resp-g1 | 100 in 70 out 400 read 0 written", r#"text "Hello, 世界.""#]);
    }
}

#[test]
fn gemini_calls_without_ids_get_ids_by_order_and_keep_their_own_signature() {
    stream(
        "gemini-tools.sse",
        &[
            "ToolCalls STOP | gemini-2.5-flash resp-g1 | 100 in 70 out 400 read 0 written",
            r#"reasoning "Let me think. Two calls.""#,
            r#"call call_c0e0b93a_0 get_weather {"city":"Paris","days":1.10} signature=CpkBAdHt Complete"#,
            "call call_c0e0b93a_1 now {} Complete",
            "call given-1 bare {} Complete",
        ],
    );
}

#[test]
fn gemini_a_signed_part_is_never_joined_with_another() {
    stream(
        "gemini-signed-text.sse",
        &[
            "End STOP | gemini-2.5-flash resp-g1 | 100 in 70 out 400 read 0 written",
            r#"text "One two""#,
            r#"text "" signature=Ensig"#,
        ],
    );
}

#[test]
fn gemini_a_blocked_prompt_is_refused() {
    stream("gemini-blocked.sse", &["Refused PROHIBITED_CONTENT | gemini-2.5-flash - | 9 in 0 out 0 read 0 written"]);
}

#[test]
fn gemini_thoughts_count_as_output() {
    stream(
        "gemini-max-tokens.sse",
        &["MaxTokens MAX_TOKENS | gemini-2.5-flash resp-g1 | 10 in 30 out 0 read 0 written", r#"reasoning "Thinking""#],
    );
}

#[test]
fn gemini_a_malformed_call_is_no_good_end() {
    stream("gemini-malformed-call.sse", &["Other MALFORMED_FUNCTION_CALL | gemini-2.5-flash resp-g1", r#"text "Calling""#]);
}

#[test]
fn gemini_code_that_it_ran_is_kept_with_its_output() {
    stream(
        "gemini-code.sse",
        &[
            "End STOP | gemini-2.5-flash resp-g1",
            r#"call call_c0e0b93a_0 code_execution {"language":"PYTHON","code":"print(2+2)"} native={"executableCode":{"language":"PYTHON","code":"print(2+2)"}} Provider"#,
            r#"result call_c0e0b93a_0 "4\n" native={"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"4\n"}}"#,
            r#"text "4""#,
            "image image/png iVBORw0KGgo=",
        ],
    );
}

#[test]
fn ollama_lines_are_a_reply() {
    stream("ollama-plain.ndjson", &["End stop | llama3.2 - | 26 in 282 out 0 read 0 written", r#"text "The sky ist blau – 空""#]);
    stream(
        "ollama-tools.ndjson",
        &[
            "ToolCalls stop | llama3.2 - | 26 in 282 out 0 read 0 written",
            r#"call call_2361348c_0 get_weather {"city":"Paris","n":10000000000000000000001} Complete"#,
            "call call_x1 now {} Complete",
        ],
    );
}

#[test]
fn ollama_the_last_line_needs_no_line_feed() {
    stream(
        "ollama-thinking.ndjson",
        &["MaxTokens length | llama3.2 - | 26 in 282 out 0 read 0 written", r#"reasoning "Hmm, ok.""#, r#"text "Yes.""#],
    );
}

#[test]
fn completions_come_from_v1_completions_and_from_ollama() {
    stream(
        "completions-plain.sse",
        &["MaxTokens length | davinci-002 cmpl-1 | 1 in 3 out 0 read 0 written", r#"text " upon a time""#],
    );
    stream("completions-ollama.ndjson", &["End stop | base - | 26 in 282 out 0 read 0 written", r#"text " upon a time""#]);
}

#[test]
fn neutral_messages_and_plain_text_are_replies() {
    stream(
        "messages-parts.json",
        &["ToolCalls - | - -", r#"reasoning "Hm" signature=s1"#, r#"text "Hi""#, r#"call c1 f {"n": 1} Complete"#],
    );
    stream("ai-sdk-parts.json", &["ToolCalls - | - - | ignored source", r#"text "Hi""#, r#"call c1 f {"n": 1} Complete"#]);
    stream("text-plain.txt", &["End - | - -", r#"text "Nur Text – 世界 🌍.\nEnd""#]);
}
