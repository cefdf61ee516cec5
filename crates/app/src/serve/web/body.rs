//! Reading a body: bounded before it is read, measured before it is parsed, and told where it is wrong.

use super::problem::{Code, Problem};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
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

/// Room for large bodies: their bytes are bounded as they come, so that a slow one holds no more than what it sent; and so is
/// how many are worked on, which takes several times their size.
#[derive(Debug)]
pub(in crate::serve) struct Hands {
    kibibytes: Semaphore,
    working: Semaphore,
}

/// How long a body that has come waits to be worked on.
const QUEUED: Duration = Duration::from_secs(30);

/// What a large body takes, for as long as something is done with it.
pub(in crate::serve) struct InHand {
    _bytes: SemaphorePermit<'static>,
    _working: SemaphorePermit<'static>,
}

impl Hands {
    /// Room for `mebibytes` of bodies, `working` of which are worked on at once.
    pub(in crate::serve) const fn new(mebibytes: usize, working: usize) -> Hands {
        Hands { kibibytes: Semaphore::const_new(mebibytes << 10), working: Semaphore::const_new(working) }
    }

    fn take(&'static self, kibibytes: usize) -> Result<SemaphorePermit<'static>, Problem> {
        let kibibytes = u32::try_from(kibibytes).unwrap_or(u32::MAX);
        self.kibibytes.try_acquire_many(kibibytes).map_err(|_| full())
    }

    /// A body that has come, when it is its turn.
    pub(super) async fn read(&'static self, body: Body, headers: &HeaderMap, most: usize) -> Result<(Bytes, InHand), Problem> {
        let (mut held, mut came) = (self.take(0)?, 0_usize);
        let bytes = gathered(body, headers, most, PACE, |piece| {
            let before = came.div_ceil(1 << 10);
            came += piece;
            held.merge(self.take(came.div_ceil(1 << 10) - before)?);
            Ok(())
        });
        let bytes = bytes.await?;
        let working = tokio::time::timeout(QUEUED, self.working.acquire()).await;
        let working = working.ok().and_then(Result::ok).ok_or_else(full)?;
        Ok((bytes, InHand { _bytes: held, _working: working }))
    }
}

fn full() -> Problem {
    Problem::new(Code::Busy, "other files are being read: try again in a moment").after(5)
}

/// How deep JSON may be. Nothing of ours is deeper, and deep input costs whoever walks it.
const DEEPEST: usize = 64;

/// The bytes of a body, up to `most`.
pub(in crate::serve) async fn read_bytes(body: Body, headers: &HeaderMap, most: usize) -> Result<Bytes, Problem> {
    gathered(body, headers, most, PACE, |_| Ok(())).await
}

/// Reads a body, and asks for room for each piece.
async fn gathered(
    mut body: Body,
    headers: &HeaderMap,
    most: usize,
    pace: Pace,
    mut room: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    let too_large = || Problem::new(Code::TooLarge, format!("the body may have {most} bytes"));
    let said = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if said.is_some_and(|said| said > most) {
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
        if came.len() + piece.len() > most {
            return Err(too_large());
        }
        room(piece.len())?;
        came.extend_from_slice(&piece);
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
    fn body(pieces: usize, size: usize, pause: Duration) -> Body {
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
            let read = gathered(body(pieces, size, pause), &HeaderMap::new(), 1000, pace, |_| Ok(())).await;
            assert_eq!(read.is_ok(), whole, "{pieces} of {size}");
        }
    }

    #[tokio::test]
    async fn a_large_body_takes_room_as_it_comes() {
        static HANDS: Hands = Hands::new(1, 1);
        let read = async |size: usize| HANDS.read(body(1, size, Duration::ZERO), &HeaderMap::new(), 2 << 20).await;
        let slow = tokio::spawn(async { HANDS.read(body(9, 1, Duration::from_secs(1)), &HeaderMap::new(), 2 << 20).await });
        let large = read(900 << 10).await;
        assert_eq!(large.as_ref().map(|(bytes, _)| bytes.len()).ok(), Some(900 << 10), "room beside one that is slow");
        assert_eq!(read(200 << 10).await.err().map(|problem| problem.code()), Some(Code::Busy));
        drop(large);
        assert!(read(200 << 10).await.is_ok());
        slow.abort();
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
