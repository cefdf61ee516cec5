//! LibreChat's recursive export, flattened.
//!
//! There every message holds the messages that answer it under `children`, so a file nests as deep as its conversation
//! is long. One pass over the text, with a stack of its own, takes the messages out of each other.

/// One JSON object of a nested list, without its `children`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flat {
    pub(super) text: String,
    /// Which object of the list it was nested in.
    pub(super) parent: Option<usize>,
}

/// Takes the objects of a JSON list out of each other's `children`. The text must be valid JSON.
pub(super) fn flatten(list: &str) -> Vec<Flat> {
    let mut flats: Vec<Flat> = Vec::new();
    // Objects not closed yet: which one, and how deep in brackets of its own the scan is.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut rest = list.trim_start().strip_prefix('[').unwrap_or_default();
    while let Some(first) = rest.chars().next() {
        let Some((object, depth)) = open.last_mut() else {
            // Between objects of the outermost list.
            rest = match first {
                '{' => begin(&mut flats, &mut open, rest),
                _ => rest.get(first.len_utf8()..).unwrap_or_default(),
            };
            continue;
        };
        let Some(flat) = flats.get_mut(*object) else { break };
        if *depth == 0 {
            // Inside the `children` of this object, between its children.
            rest = match first {
                '{' => begin(&mut flats, &mut open, rest),
                ']' => {
                    *depth = 1;
                    flat.text.push_str("[]");
                    rest.get(1..).unwrap_or_default()
                }
                _ => rest.get(first.len_utf8()..).unwrap_or_default(),
            };
            continue;
        }
        if *depth == 1 && first == '"' {
            let (string, after) = split_string(rest);
            flat.text.push_str(string);
            let value = after.trim_start().strip_prefix(':').map(str::trim_start);
            match value.and_then(|value| value.strip_prefix('[')).filter(|_| string == "\"children\"") {
                Some(children) => {
                    flat.text.push(':');
                    *depth = 0;
                    rest = children;
                }
                None => rest = after,
            }
            continue;
        }
        let taken = match first {
            '"' => split_string(rest).0,
            _ => rest.get(..first.len_utf8()).unwrap_or_default(),
        };
        flat.text.push_str(taken);
        match first {
            '{' | '[' => *depth += 1,
            '}' | ']' if *depth == 1 => {
                open.pop();
            }
            '}' | ']' => *depth -= 1,
            _ => {}
        }
        rest = rest.get(taken.len()..).unwrap_or_default();
    }
    flats
}

fn begin<'a>(flats: &mut Vec<Flat>, open: &mut Vec<(usize, usize)>, rest: &'a str) -> &'a str {
    flats.push(Flat { text: "{".into(), parent: open.last().map(|(object, _)| *object) });
    open.push((flats.len() - 1, 1));
    rest.get(1..).unwrap_or_default()
}

/// Splits a text that begins with a JSON string after that string.
fn split_string(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return text.split_at(at + 1),
            _ => {}
        }
    }
    (text, "")
}

/// The value of the first of `keys` in an object's text, and the text around it. Only looks at the outermost level.
pub(super) fn find_value<'a>(object: &'a str, keys: &[&str]) -> Option<(&'a str, &'a str, &'a str)> {
    let (mut depth, mut at) = (0usize, 0usize);
    let mut key_before: Option<&str> = None;
    while let Some(rest) = object.get(at..).filter(|rest| !rest.is_empty()) {
        let byte = rest.as_bytes().first().copied()?;
        match byte {
            b'"' => {
                let (string, _) = split_string(rest);
                if depth == 1 && key_before.is_none() {
                    key_before = string.get(1..string.len().saturating_sub(1));
                }
                at += string.len();
                continue;
            }
            b'{' | b'[' if depth == 1 && byte == b'[' && key_before.is_some_and(|key| keys.contains(&key)) => {
                let end = at + end_of(rest);
                return Some((object.get(..at)?, object.get(at..end)?, object.get(end..)?));
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => key_before = None,
            _ => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// How long the bracketed value is that a text begins with.
fn end_of(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_out_of_each_other() {
        for (list, expected) in [
            ("[]", vec![]),
            (r#"[{"a":1}, {"b":[2,{"c":"}"}]}]"#, vec![(r#"{"a":1}"#, None), (r#"{"b":[2,{"c":"}"}]}"#, None)]),
            (
                r#"[{"id":"x","children":[ {"id":"y","children":[]} ,{"id":"z"}],"t":"[\"children\":["}]"#,
                vec![
                    (r#"{"id":"x","children":[],"t":"[\"children\":["}"#, None),
                    (r#"{"id":"y","children":[]}"#, Some(0)),
                    (r#"{"id":"z"}"#, Some(0)),
                ],
            ),
            (r#"[{"m":{"children":[{"a":1}]}}]"#, vec![(r#"{"m":{"children":[{"a":1}]}}"#, None)]),
        ] {
            let flats: Vec<_> = flatten(list).into_iter().map(|flat| (flat.text, flat.parent)).collect();
            let expected: Vec<_> = expected.into_iter().map(|(text, parent)| (text.to_owned(), parent)).collect();
            assert_eq!(flats, expected, "{list}");
        }
    }
}
