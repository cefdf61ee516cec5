//! The same reply and the same deltas wherever the bytes are cut.

use super::show::{dialect_of, feed, fixture, folder};

fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() > 40, "{} fixtures", names.len());
    names
}

#[test]
fn every_stream_cut_at_every_byte_gives_the_same_reply_and_deltas() {
    for name in names() {
        let (bytes, dialect) = (fixture(&name), dialect_of(&name));
        let whole = feed(dialect, [bytes.as_slice()]);
        for at in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(at);
            assert_eq!(feed(dialect, [head, tail]), whole, "{name} cut at {at}");
        }
    }
}

#[test]
fn every_stream_fed_byte_by_byte_gives_the_same_reply_and_deltas() {
    for name in names() {
        let (bytes, dialect) = (fixture(&name), dialect_of(&name));
        assert_eq!(feed(dialect, bytes.chunks(1)), feed(dialect, [bytes.as_slice()]), "{name}");
    }
}

#[test]
fn every_event_stream_is_the_same_with_cr_lf_and_crlf() {
    for name in names().iter().filter(|name| name.ends_with(".sse")) {
        let dialect = dialect_of(name);
        let text = String::from_utf8(fixture(name)).expect("fixtures are UTF-8").replace("\r\n", "\n");
        let lf = feed(dialect, [text.as_bytes()]);
        for line_end in ["\r", "\r\n"] {
            let other = text.replace('\n', line_end);
            assert_eq!(feed(dialect, other.as_bytes().chunks(7)), lf, "{name} with {line_end:?}");
        }
    }
}

#[test]
fn the_deltas_of_a_stream_add_up_to_its_text_and_calls() {
    use weftwork::{decode::Delta, model::Part};
    for name in names() {
        let (deltas, Ok(reply)) = feed(dialect_of(&name), fixture(&name).chunks(11)) else { continue };
        let text: String =
            deltas.iter().filter_map(|delta| if let Delta::Text(text) = delta { Some(text.as_str()) } else { None }).collect();
        assert_eq!(text, reply.text(), "{name}");
        let thought: String = reply
            .parts
            .iter()
            .filter_map(|part| if let Part::Reasoning(part) = part { Some(part.text.as_str()) } else { None })
            .collect();
        let thinking: String = deltas
            .iter()
            .filter_map(|delta| if let Delta::Reasoning(text) = delta { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(thinking, thought, "{name}");
        for (at, (call, _)) in reply.calls().enumerate() {
            let announced = |delta: &Delta| match delta {
                Delta::CallStart { index, id, name } => *index == at && *id == call.id && *name == call.name,
                // A call that the provider runs itself comes whole.
                Delta::Part(Part::ToolCall(whole)) => whole == call,
                _ => false,
            };
            assert!(deltas.iter().any(announced), "{name}: call {at} was never announced");
        }
    }
}
