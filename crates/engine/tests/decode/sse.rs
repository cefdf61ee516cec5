//! Server-Sent Events by the standard, and lines.

use weftwork::decode::{DecodeError, Line, LineDecoder, SseDecoder};

/// The events of `text` as `name|data|id`, the same for every cut into two pieces.
#[track_caller]
fn events(text: &[u8], expected: &[&str]) {
    for at in 0..=text.len() {
        let mut decoder = SseDecoder::new(1000);
        let mut events = Vec::new();
        let (head, tail) = text.split_at(at);
        decoder.push(head, &mut events).expect("within the limit");
        decoder.push(tail, &mut events).expect("within the limit");
        let shown: Vec<String> = events.iter().map(|event| format!("{}|{}|{}", event.name, event.data, event.id)).collect();
        assert_eq!(shown, expected, "cut at {at}");
    }
}

#[test]
fn the_examples_of_the_standard() {
    events(b"data: YHOO\ndata: +2\ndata: 10\n\n", &["message|YHOO\n+2\n10|"]);
    events(
        b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        &["message|first event|1", "message|second event|", "message| third event|"],
    );
    events(b"data\n\ndata\ndata\n\ndata:", &["message||", "message|\n|"]);
    events(b"data:test\n\ndata: test\n\n", &["message|test|", "message|test|"]);
}

#[test]
fn line_ends_are_cr_lf_and_crlf_in_any_mixture() {
    events(b"data: a\rdata: b\r\ndata: c\n\r\n", &["message|a\nb\nc|"]);
    events(b"data: a\r\r\ndata: b\n\n", &["message|a|", "message|b|"]);
    events(b"data: a\r\rdata: b\r\r", &["message|a|", "message|b|"]);
}

#[test]
fn a_byte_order_mark_is_dropped_once() {
    events(b"\xEF\xBB\xBFdata: a\n\n", &["message|a|"]);
    events(b"\n\xEF\xBB\xBFdata: a\n\n", &[]);
}

#[test]
fn characters_may_be_cut_and_wrong_bytes_are_replaced() {
    events("data: 世界 🌍\n\n".as_bytes(), &["message|世界 🌍|"]);
    events(b"data: a\xFFb\xE4\xB8\n\n", &["message|a\u{FFFD}b\u{FFFD}|"]);
}

#[test]
fn events_have_names_and_ids_stay() {
    events(b"event: add\nid: 7\ndata: a\n\ndata: b\n\n", &["add|a|7", "message|b|7"]);
    events(b"event: lost\n\ndata: b\n\n", &["message|b|"]);
    events(b"id: a\0b\ndata: x\n\n", &["message|x|"]);
    events(b"unknown: 1\ndata : no\n data: no\ndata: yes\n\n", &["message|yes|"]);
}

#[test]
fn an_event_without_its_blank_line_is_pending_and_not_given() {
    let mut decoder = SseDecoder::new(1000);
    let mut events = Vec::new();
    decoder.push(b"data: a\n\ndata: b\ndat", &mut events).expect("within the limit");
    assert_eq!(events.len(), 1);
    let pending = decoder.pending().expect("half an event");
    assert_eq!((pending.data, pending.line), ("b\n", b"dat".as_slice()));
    decoder.push(b"a: c\n\n", &mut events).expect("within the limit");
    assert_eq!(decoder.pending(), None);
    assert_eq!((events[1].data.as_str(), events[1].offset), ("b\nc", 9));
}

#[test]
fn retry_is_a_number_or_nothing() {
    let mut decoder = SseDecoder::new(1000);
    decoder.push(b"retry: 1500\nretry: 3s\nretry: 99999999999999999999999\n", &mut Vec::new()).expect("within the limit");
    assert_eq!(decoder.retry(), Some(1500));
}

#[test]
fn an_event_or_line_over_the_limit_is_an_error_and_events_before_it_are_given() {
    let long = [b"data: ok\n\ndata: ".as_slice(), &[b'x'; 40]].concat();
    for size in [1, 3, 100] {
        let (mut decoder, mut events) = (SseDecoder::new(20), Vec::new());
        let result = long.chunks(size).try_for_each(|piece| decoder.push(piece, &mut events));
        assert_eq!((result, events.len()), (Err(DecodeError::TooLarge { limit: 20 }), 1), "pieces of {size}");
    }
    let many = b"data: 1234\n".repeat(6);
    assert_eq!(SseDecoder::new(20).push(&many, &mut Vec::new()), Err(DecodeError::TooLarge { limit: 20 }));
    let (mut lines, mut found) = (LineDecoder::new(20), Vec::new());
    assert_eq!(lines.push(b"{}\n123456789012345678901", &mut found), Err(DecodeError::TooLarge { limit: 20 }));
    assert_eq!(found.len(), 1);
}

#[test]
fn lines_are_the_same_wherever_they_are_cut() {
    let text = "\u{FEFF}{\"a\":\"世\"}\r\n\n  \n{\"b\":1}\n{\"c\"".as_bytes();
    for at in 0..=text.len() {
        let (mut decoder, mut lines) = (LineDecoder::new(100), Vec::new());
        decoder.push(&text[..at], &mut lines).expect("within the limit");
        decoder.push(&text[at..], &mut lines).expect("within the limit");
        let line = |text: &str, offset| Line { text: text.to_owned(), offset };
        assert_eq!(lines, [line("{\"a\":\"世\"}", 0), line("{\"b\":1}", 20)], "cut at {at}");
        assert_eq!(decoder.pending(), Some(line("{\"c\"", 28)), "cut at {at}");
    }
}
