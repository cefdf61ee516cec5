//! Reading a body: bounded before it is read, measured before it is parsed, and told where it is wrong.

use super::problem::{Code, Problem};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::Instant;

/// How fast a body must come: whoever dawdles takes the room of others.
const PACE: Pace = Pace { silence: Duration::from_secs(30), start: Duration::from_secs(60), a_second: 64 << 10 };

/// How fast a body must come. A large one may take its time as long as it goes on.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The longest time in which nothing comes.
    silence: Duration,
    /// What any body may take.
    start: Duration,
    /// Bytes that must have come in every second after that.
    a_second: u64,
}

impl Pace {
    /// How long the next piece may take.
    fn patience(self, came: usize, took: Duration) -> Duration {
        let allowed = self.start + Duration::from_secs(came as u64 / self.a_second);
        self.silence.min(allowed.saturating_sub(took))
    }
}

/// How long what was refused is read on, so that its sender gets to know.
const SPILT: Duration = Duration::from_secs(5);

/// How deep JSON may be. Nothing of ours is deeper, and deep input costs whoever walks it.
const DEEPEST: usize = 64;

/// How many bytes a body is said to have.
pub(super) fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body of at most so many bytes, and asks for room for what has come, all of it.
pub(super) async fn gathered(
    body: Body,
    headers: &HeaderMap,
    most: usize,
    room: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    paced(body, headers, most, PACE, room).await
}

async fn paced(
    mut body: Body,
    headers: &HeaderMap,
    most: usize,
    pace: Pace,
    mut room: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    let too_large = || Problem::new(Code::TooLarge, format!("the body may have {most} bytes"));
    if announced(headers).is_some_and(|said| said > most) {
        spill(body, headers);
        return Err(too_large());
    }
    let (began, mut came) = (Instant::now(), BytesMut::new());
    loop {
        let next = tokio::time::timeout(pace.patience(came.len(), began.elapsed()), body.frame()).await;
        let piece = match next.map_err(|_| Problem::new(Code::BadRequest, "the body took too long to come"))? {
            None => return Ok(came.freeze()),
            Some(Err(_)) => return Err(Problem::new(Code::BadRequest, "the body broke off")),
            // Trailers say nothing here.
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
        };
        let all = came.len() + piece.len();
        if let Err(problem) = if all > most { Err(too_large()) } else { room(all) } {
            spill(body, headers);
            return Err(problem);
        }
        came.extend_from_slice(&piece);
    }
}

/// Reads on what was refused and keeps nothing of it, for a while: whoever sends all before they listen would find their
/// connection broken, and never hear why.
pub(super) fn spill(mut body: Body, headers: &HeaderMap) {
    // They listen before they send.
    if headers.contains_key(header::EXPECT) {
        return;
    }
    let reading = async move { while body.frame().await.is_some_and(|frame| frame.is_ok()) {} };
    tokio::spawn(tokio::time::timeout(SPILT, reading));
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
pub(super) mod tests {
    use super::*;
    use futures_util::stream;
    use std::convert::Infallible;

    #[test]
    fn a_body_may_take_its_time_if_it_goes_on() {
        let pace = Pace { silence: Duration::from_secs(30), start: Duration::from_secs(60), a_second: 1000 };
        for (came, took, seconds) in
            [(0, 0, 30), (0, 45, 15), (0, 60, 0), (100_000, 60, 30), (100_000, 150, 10), (100_000, 161, 0)]
        {
            assert_eq!(pace.patience(came, Duration::from_secs(took)).as_secs(), seconds, "{came} bytes in {took} s");
        }
    }

    /// A body of pieces that come with a pause before each.
    pub(in crate::serve::web) fn body(pieces: usize, size: usize, pause: Duration) -> Body {
        Body::from_stream(stream::unfold(pieces, move |left| async move {
            tokio::time::sleep(pause).await;
            let piece = Ok::<_, Infallible>(Bytes::from(vec![0; size]));
            (left > 0).then(|| (piece, left - 1))
        }))
    }

    #[tokio::test]
    async fn who_dawdles_is_cut_off_and_who_is_slow_is_not() {
        let pace = Pace { silence: Duration::from_millis(400), start: Duration::from_millis(100), a_second: 10 };
        let ms = Duration::from_millis;
        for (pieces, size, pause, whole) in [(8, 100, ms(40), true), (200, 0, ms(10), false), (1, 100, ms(10_000), false)] {
            let read = paced(body(pieces, size, pause), &HeaderMap::new(), 1000, pace, |_| Ok(())).await;
            assert_eq!(read.is_ok(), whole, "{pieces} of {size}");
        }
    }

    #[test]
    fn depth_is_measured_outside_of_texts() {
        let cases: [(&str, Option<usize>); 5] =
            [("[[1]]", None), ("[[[1]]]", Some(2)), (r#"{"a":"[[["}"#, None), (r#"["\"[[["]"#, None), ("[[],[],[[]]]", Some(8))];
        for (text, deep) in cases {
            assert_eq!(check_depth(text.as_bytes(), 2), deep, "{text}");
        }
    }
}
