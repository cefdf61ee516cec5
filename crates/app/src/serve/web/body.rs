//! Reading a body: bounded before it is read, measured before it is parsed, and told where it is wrong.

use super::problem::{Code, Problem};
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How long a body may take: whoever dawdles takes the room of others.
const PATIENCE: Duration = Duration::from_secs(60);

/// How deep JSON may be. Nothing of ours is deeper, and deep input costs whoever walks it.
const DEEPEST: usize = 64;

/// The bytes of a body, up to `most`.
pub(in crate::serve) async fn read_bytes(body: Body, headers: &HeaderMap, most: usize) -> Result<Bytes, Problem> {
    let too_large = || Problem::new(Code::TooLarge, format!("the body may have {most} bytes"));
    let said = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if said.is_some_and(|said| said > most) {
        return Err(too_large());
    }
    let read = tokio::time::timeout(PATIENCE, Limited::new(body, most).collect()).await;
    let read = read.map_err(|_| Problem::new(Code::BadRequest, "the body took too long to come"))?;
    match read {
        Ok(read) => Ok(read.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => Err(Problem::new(Code::BadRequest, "the body broke off")),
    }
}

/// A body of JSON.
pub(super) fn parse<B: DeserializeOwned>(headers: &HeaderMap, bytes: &Bytes) -> Result<B, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(Code::NotJson, "send JSON, with content-type: application/json"));
    }
    if let Some(at) = check_depth(bytes, DEEPEST) {
        return Err(Problem::new(Code::BadRequest, format!("byte {at}: the JSON is deeper than {DEEPEST} levels")));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let at = error.path().to_string();
        let detail = error.into_inner().to_string();
        if at == "." { Problem::new(Code::BadRequest, detail) } else { Problem::bad(at, detail) }
    })?;
    reader.end().map_err(|error| Problem::new(Code::BadRequest, error.to_string()))?;
    Ok(parsed)
}

/// Where JSON gets deeper than `most`, if it does.
fn check_depth(bytes: &[u8], most: usize) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                if depth > most {
                    return Some(at);
                }
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_measured_outside_of_texts() {
        let cases: [(&str, Option<usize>); 5] =
            [("[[1]]", None), ("[[[1]]]", Some(2)), (r#"{"a":"[[["}"#, None), (r#"["\"[[["]"#, None), ("[[],[],[[]]]", Some(8))];
        for (text, deep) in cases {
            assert_eq!(check_depth(text.as_bytes(), 2), deep, "{text}");
        }
    }
}
