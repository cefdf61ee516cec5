//! The body of a delivery: JSON within bounds. It is kept as it came.

use super::error::NotReceived;
use weftwork::model::Json;

/// Bytes that a body may have.
pub const MOST_BYTES: usize = 256 * 1024;
/// How deep arrays and objects may be nested in it.
pub const MOST_DEPTH: usize = 64;

/// Refuses what is too large, before anything else is done with it.
pub(super) fn check_size(body: &[u8]) -> Result<(), NotReceived> {
    if body.len() > MOST_BYTES { Err(NotReceived::TooLarge { bytes: body.len() }) } else { Ok(()) }
}

/// The JSON in a body.
pub(super) fn read(body: &[u8]) -> Result<Json, NotReceived> {
    if depth(body) > MOST_DEPTH {
        return Err(NotReceived::TooDeep);
    }
    let text = std::str::from_utf8(body).map_err(|error| NotReceived::NotJson { why: error.to_string() })?;
    Json::parse(text).map_err(|error| NotReceived::NotJson { why: error.to_string() })
}

/// How deep it is nested, if it is JSON: a look at every byte, so that nothing can make a parser dig.
fn depth(body: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = body.iter();
    let mut in_text = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_text => drop(bytes.next()),
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_within_bounds_is_kept_as_it_came() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let wide = format!("[{}]", vec!["[]"; 1_000].join(","));
        for (body, expected) in [
            (r#"{"a": 1.10, "b":"x"}"#.to_owned(), Some(r#"{"a": 1.10, "b":"x"}"#)),
            (" 7 \n".to_owned(), Some("7")),
            (r#""[[[\"[[[{\\""#.to_owned(), Some(r#""[[[\"[[[{\\""#)),
            (nested(MOST_DEPTH), Some("")),
            (wide, Some("")),
            (nested(MOST_DEPTH + 1), None),
            (r#"{"a":"#.repeat(100_000), None),
            (String::new(), None),
            ("hello".to_owned(), None),
            ("{}{}".to_owned(), None),
            ("{'a':1}".to_owned(), None),
            ("\u{feff}{}".to_owned(), None),
            ("[1,]".to_owned(), None),
            ("\"\0\"".to_owned(), None),
        ] {
            let read = read(body.as_bytes()).ok();
            let expected = expected.map(|text| if text.is_empty() { body.as_str() } else { text });
            assert_eq!(read.as_ref().map(Json::text), expected, "{}", &body[..body.len().min(30)]);
        }
        assert!(matches!(read(b"\"\xff\""), Err(NotReceived::NotJson { .. })));
    }
}
