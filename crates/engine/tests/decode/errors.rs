//! Errors of providers, and what kind they are.

use super::show::{end, feed};
use weftwork::{
    decode::{DecodeError, ErrorKind, ErrorKind::*, StreamDecoder, provider_error},
    dialect::Dialect,
};

#[track_caller]
fn kind(status: u16, body: &str, expected: ErrorKind) {
    let error = provider_error(status, body.as_bytes());
    assert_eq!(error.kind, expected, "{body}");
    assert_eq!(error.status, Some(status));
    assert_eq!(DecodeError::Provider(error).may_be_overflow(), expected == Overflow);
}

#[test]
fn overflow_is_recognised_for_each_provider() {
    for (status, body) in [
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 1024 tokens, however you requested 2000 tokens (1936 in your prompt; 64 for the completion).","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"request (9412 tokens) exceeds the available context size (1024 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9412,"n_ctx":1024}}"#,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}}"#,
        ),
        (413, r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#),
        (
            400,
            r#"[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]"#,
        ),
        (
            400,
            r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
        ),
        (
            400,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.","type":"BadRequestError","code":400}"#,
        ),
        (500, r#"{"error":"prompt too long; exceeded max context length by 4096 tokens"}"#),
        (400, r#"{"error":{"message":"This model's maximum prompt length is 131072 but the request contains 537812 tokens"}}"#),
        (400, r#"{"error":{"message":"Please reduce the length of the messages or completion."}}"#),
        (413, ""),
    ] {
        kind(status, body, Overflow);
    }
}

#[test]
fn rate_limits_are_never_overflow_whatever_they_say_of_size() {
    for (status, body) in [
        (
            429,
            r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
        ),
        (
            413,
            r#"{"error":{"message":"Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size","type":"tokens","code":"rate_limit_exceeded"}}"#,
        ),
        (
            429,
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute. The prompt is too long for it."}}"#,
        ),
        (
            429,
            r#"{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}"#,
        ),
        (429, "Too Many Requests"),
    ] {
        kind(status, body, RateLimit);
    }
}

#[test]
fn other_kinds_are_told_apart() {
    kind(
        429,
        r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        Quota,
    );
    for body in [
        r#"{"error":{"message":"no","code":"enforced_spend_limit_reached"}}"#,
        r#"{"error":{"message":"You have reached your spend limit."}}"#,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
    ] {
        kind(400, body, Quota);
    }
    kind(401, r#"{"detail":"Invalid API key"}"#, Auth);
    kind(401, r#"{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}"#, Auth);
    kind(400, r#"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}"#, Auth);
    kind(529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, Overloaded);
    kind(503, "<html>upstream</html>", Overloaded);
    kind(
        500,
        r#"{"error":{"message":"1 validation error: content: none is not an allowed value","type":"internal_server_error"}}"#,
        Other,
    );
    kind(500, "Internal Server Error", Other);
    kind(
        400,
        r#"{"error":{"message":"max_tokens is too large: 99999. This model supports at most 16384 completion tokens","code":"invalid_value"}}"#,
        Other,
    );
}

#[test]
fn a_long_message_is_shortened_at_a_character() {
    let error = provider_error(500, "ü".repeat(5000).as_bytes());
    assert!(error.message.len() < 2_010 && error.message.ends_with('…'));
}

#[test]
fn a_stream_that_ends_before_it_began_is_empty_and_may_be_overflow() {
    for bytes in [b"".as_slice(), b"\n\n", b": keep-alive\n\n: keep-alive\n\n"] {
        let result = StreamDecoder::new(Dialect::OpenAi).push(bytes).map(|deltas| deltas.len());
        assert_eq!(result, Ok(0));
        let (_, end) = feed(Dialect::OpenAi, [bytes]);
        assert_eq!(end, Err(DecodeError::Empty));
        assert!(DecodeError::Empty.may_be_overflow());
    }
}

#[test]
fn an_end_mark_or_half_an_event_is_not_empty() {
    let (_, end) = feed(Dialect::OpenAi, [b"data: [DONE]\n\n".as_slice()]);
    assert_eq!(end.map(|reply| (reply.parts.len(), reply.stop)), Ok((0, weftwork::decode::Stop::End)));
    let (_, end) = feed(Dialect::OpenAi, [b"data: {\"cho".as_slice()]);
    assert_eq!(end.map(|reply| reply.stop), Ok(weftwork::decode::Stop::Cut));
}

#[test]
fn errors_in_odd_places_are_found() {
    for (dialect, text, expected) in [
        (Dialect::OpenAi, "data: {\"error\":{\"message\":\"late\"}}\n", r#"error Other - - "late""#),
        (Dialect::OpenAi, "event: error\ndata: {\"message\":\"named\",\"code\":500}\n\n", r#"error Other - 500 "named""#),
        (
            Dialect::OpenAi,
            "{\"error\":{\"message\":\"a document\",\"code\":\"context_length_exceeded\"}}",
            r#"error Overflow - context_length_exceeded "a document""#,
        ),
        (Dialect::OpenAi, "{\"detail\":\"Not authenticated\"}", r#"error Other - - "Not authenticated""#),
        (
            Dialect::OpenAi,
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"error\":{\"code\":502,\"message\":\"upstream\"},\"finish_reason\":\"error\"}]}\n\n",
            r#"error Other - 502 "upstream""#,
        ),
        (
            Dialect::Gemini,
            "[{\"error\":{\"code\":429,\"message\":\"slow\",\"status\":\"RESOURCE_EXHAUSTED\"}}]",
            r#"error RateLimit RESOURCE_EXHAUSTED 429 "slow""#,
        ),
        (
            Dialect::Responses,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"too_many_requests\",\"message\":\"slow\"}}\n\n",
            r#"error RateLimit too_many_requests - "slow""#,
        ),
    ] {
        let (_, result) = feed(dialect, [text.as_bytes()]);
        assert_eq!(end(&result), expected, "{text}");
    }
}

#[test]
fn deltas_before_an_error_are_given_before_it_and_what_came_can_be_kept() {
    let text = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":\"broken\"}\n\n";
    let mut decoder = StreamDecoder::new(Dialect::OpenAi);
    assert_eq!(decoder.push(text).map(|deltas| deltas.len()), Ok(1));
    assert!(matches!(decoder.push(b"data: more\n\n"), Err(DecodeError::Provider(_))));
    assert_eq!(decoder.so_far().text(), "a");
    assert!(matches!(decoder.finish(), Err(DecodeError::Provider(_))));
}

#[test]
fn malformed_json_is_an_error_that_says_where() {
    let (_, result) = feed(Dialect::OpenAi, [b"data: {}\n\ndata: {\"a\":x}\n\n".as_slice()]);
    assert_eq!(end(&result), r#"error Malformed { offset: 10, what: "expected value at line 1 column 6" }"#);
    let (_, result) = feed(Dialect::Ollama, [b"{\"message\":{}}\nnot json\n".as_slice()]);
    assert_eq!(end(&result), r#"error Malformed { offset: 15, what: "expected ident at line 1 column 2" }"#);
    let (_, result) = feed(Dialect::Messages, [b"hello".as_slice()]);
    assert_eq!(end(&result), r#"error Malformed { offset: 0, what: "expected a JSON object, found 'h'" }"#);
}

#[test]
fn an_object_that_calls_itself_an_error_is_one_also_inside_a_stream() {
    let stream = b"data: {\"object\":\"error\",\"message\":\"out of memory\",\"type\":\"InternalServerError\",\"code\":500}\n\n";
    let (_, result) = feed(Dialect::OpenAi, [stream.as_slice()]);
    assert_eq!(end(&result), "error Other InternalServerError 500 \"out of memory\"");
}
