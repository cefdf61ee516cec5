//! Bytes that no provider should send: never a panic, never an endless buffer, always the same answer.

use super::show::{end, feed, fixture, folder};
use weftwork::{
    decode::{CallState, DecodeError, Limits, StreamDecoder, decode},
    dialect::Dialect,
};

/// A small generator: the same bytes in every run.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}

#[test]
fn random_bytes_never_panic_and_cuts_never_matter() {
    let words: &[&[u8]] = &[
        b"data: ",
        b"\n\n",
        b"\r\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\u",
        b"d83d",
        b":",
        b",",
        b"null",
        b"\"choices\"",
        b"\"delta\"",
        b"\"type\"",
        b"\"index\"",
        b"1e999",
        b"-1",
        b"\xF0\x9F",
        b"\xEF\xBB\xBF",
        b"[DONE]",
        b"event: error",
        b"\0",
        b" ",
    ];
    let mut lcg = Lcg(7);
    for _ in 0..3_000 {
        let mut bytes = Vec::new();
        for _ in 0..lcg.next() % 40 {
            match lcg.next() % 4 {
                0 => bytes.push((lcg.next() % 256) as u8),
                _ => bytes.extend_from_slice(words[lcg.next() % words.len()]),
            }
        }
        let dialect = Dialect::ALL[lcg.next() % Dialect::ALL.len()];
        let _ = decode(&bytes, dialect);
        let size = 1 + lcg.next() % 5;
        assert_eq!(feed(dialect, bytes.chunks(size)), feed(dialect, [bytes.as_slice()]), "{dialect} {bytes:?}");
    }
}

#[test]
fn damaged_streams_never_panic() {
    let mut lcg = Lcg(11);
    for entry in std::fs::read_dir(folder()).expect("the fixtures are there") {
        let name = entry.expect("a readable entry").file_name().to_string_lossy().into_owned();
        let bytes = fixture(&name);
        for round in 0..60 {
            let mut damaged = bytes.clone();
            for _ in 0..=round % 4 {
                let at = lcg.next() % damaged.len().max(1);
                match lcg.next() % 3 {
                    0 => damaged[at] = (lcg.next() % 256) as u8,
                    1 => drop(damaged.drain(at..damaged.len().min(at + lcg.next() % 30))),
                    _ => damaged.insert(at, b"{}[]\":,\\0"[lcg.next() % 9]),
                }
            }
            // Read in its own dialect and in a foreign one.
            for dialect in [super::show::dialect_of(&name), Dialect::ALL[lcg.next() % Dialect::ALL.len()]] {
                assert_eq!(feed(dialect, damaged.chunks(13)), feed(dialect, [damaged.as_slice()]), "{name} in {dialect}");
            }
        }
    }
}

#[test]
fn deep_json_is_no_danger_and_deep_arguments_never_run() {
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    for dialect in Dialect::ALL {
        let _ = decode(deep.as_bytes(), *dialect);
        let _ = feed(*dialect, [deep.as_bytes()]);
        let _ = feed(*dialect, [format!("data: {deep}\n\n").as_bytes()]);
    }
    let body =
        format!(r#"{{"message":{{"tool_calls":[{{"function":{{"name":"f","arguments":{{"a":{deep}}}}}}}]}},"done":true}}"#);
    let reply = decode(body.as_bytes(), Dialect::Ollama).expect("a reply");
    let (call, state) = reply.calls().next().expect("a call");
    assert_eq!(state, CallState::Unfinished);
    assert!(call.args.value().is_some_and(|value| value.is_string()), "what is kept can be opened");
}

#[test]
fn arguments_that_no_reader_could_open_stay_text() {
    for args in [r#"{"n":1e999}"#, r#"{"s":"\ud83d"}"#, r#"{"a":1}{"a":2}"#, r#"["a"]"#, "null"] {
        let body = format!(
            r#"{{"message":{{"tool_calls":[{{"function":{{"name":"f","arguments":{}}}}}]}},"done":true}}"#,
            serde_json::json!(args)
        );
        let reply = decode(body.as_bytes(), Dialect::Ollama).expect("a reply");
        assert!(!reply.calls_complete(), "{args}");
        assert_eq!(reply.calls().next().and_then(|(call, _)| call.args.as_string()), Some(args.to_owned()));
    }
}

#[test]
fn half_a_surrogate_pair_becomes_a_replacement_character() {
    let text = br#"data: {"choices":[{"delta":{"content":"a\ud83d"}}]}

data: {"choices":[{"delta":{"content":"\ude00 \ud83d\ude00 \\ud83d \n"},"finish_reason":"stop"}]}

"#;
    let (_, result) = feed(Dialect::OpenAi, [text.as_slice()]);
    assert_eq!(result.map(|reply| reply.text()), Ok("a\u{FFFD}\u{FFFD} 😀 \\ud83d \n".to_owned()));
}

#[test]
fn huge_events_and_bodies_are_capped_wherever_they_are_cut() {
    let limits = Limits { event: 50, body: 400 };
    let line = format!("{}\n", "x".repeat(60));
    let event = b"data: {\"choices\":[]}\n\n";
    for (bytes, limit) in
        [(line.into_bytes(), 50), (event.repeat(20), 400), (b"{\"a\":\"".iter().chain(&[b'y'; 60]).copied().collect(), 50)]
    {
        for size in [1, 7, 1000] {
            let mut decoder = StreamDecoder::with_limits(Dialect::OpenAi, limits);
            let pushed = bytes.chunks(size).try_for_each(|piece| decoder.push(piece).map(drop));
            assert_eq!(pushed.and_then(|()| decoder.finish().map(drop)), Err(DecodeError::TooLarge { limit }));
        }
    }
}

#[test]
fn counts_beyond_the_range_saturate() {
    let body = r#"{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":1e30,"completion_tokens":-5,"prompt_tokens_details":{"cached_tokens":99999999999999999999999}}}"#;
    assert_eq!(
        end(&decode(body.as_bytes(), Dialect::OpenAi)),
        "End - | - - | 0 in 0 out 18446744073709551615 read 0 written\ntext \"a\""
    );
}

#[test]
fn many_small_events_take_linear_time() {
    let chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"xxxxxxxxxx\"}}]}}]}\n\n";
    let bytes = chunk.repeat(20_000);
    let (_, result) = feed(Dialect::OpenAi, bytes.as_bytes().chunks(4096));
    let length = result.ok().and_then(|reply| reply.calls().next().map(|(call, _)| call.args.text().len()));
    assert_eq!(length, Some(200_002));
}
