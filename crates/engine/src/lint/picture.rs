//! Pictures: base64 and the first bytes of an image, enough to know its format and its size in pixels.
//!
//! Nothing is decoded beyond the header, and any byte may be anything: a picture that cannot be read has no known size,
//! which is no finding.

use super::finding::{Findings, shown};
use super::path::At;
use super::rule::Rule;
use super::shape::unknown;

/// Media types that vision models take.
pub(super) const MEDIA_TYPES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Which letters base64 may use.
#[derive(Clone, Copy)]
pub(super) enum Alphabet {
    /// Standard letters with padding.
    Standard,
    /// Standard or URL letters, padding left to the sender; what Gemini reads.
    Either,
}

/// What the first bytes of a picture say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) media_type: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Check that `data` is base64, and nothing else: no `data:` prefix, no line breaks.
pub(super) fn base64(data: &str, alphabet: Alphabet, at: &At, out: &mut Findings) {
    let body = data.trim_end_matches('=');
    let fault = match alphabet {
        _ if body.is_empty() => Some("it is empty".to_owned()),
        Alphabet::Standard if !data.len().is_multiple_of(4) => Some(format!("{} letters are not a multiple of 4", data.len())),
        _ if data.len() - body.len() > 2 => Some("its padding is too long".to_owned()),
        _ => body
            .bytes()
            .position(|letter| !is_letter(letter, alphabet))
            .map(|place| format!("letter {place} is not of its alphabet")),
    };
    if let Some(fault) = fault {
        out.error(at, Rule::BadBase64, format!("the data is not base64: {fault}"), "send the bytes as plain base64");
    }
}

/// Check an image URL: `http(s)` or `data:` with a known image type and base64.
pub(super) fn url(url: &str, at: &At, out: &mut Findings) {
    if url.starts_with("https://") || url.starts_with("http://") {
        return;
    }
    let Some((head, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        out.error(
            at,
            Rule::BadImageUrl,
            format!("{} is neither http(s) nor data", shown(url)),
            "use an https URL or data:image/png;base64,…",
        );
        return;
    };
    match head.strip_suffix(";base64") {
        None => out.error(
            at,
            Rule::BadImageUrl,
            format!("the data URL {} is not base64", shown(head)),
            "write data:image/png;base64,…",
        ),
        Some(media_type) => {
            if !MEDIA_TYPES.contains(&media_type) {
                unknown(Rule::UnknownMediaType, media_type, MEDIA_TYPES, at, out);
            }
            base64(data, Alphabet::Standard, at, out);
        }
    }
}

/// The header of a picture given as standard base64.
pub(super) fn header(data: &str) -> Option<Header> {
    let bytes = Bytes(data.as_bytes());
    png(&bytes).or_else(|| jpeg(&bytes)).or_else(|| gif(&bytes)).or_else(|| webp(&bytes))
}

fn png(bytes: &Bytes) -> Option<Header> {
    bytes.starts(0, b"\x89PNG\r\n\x1a\n")?;
    bytes.starts(12, b"IHDR")?;
    Some(Header { media_type: "image/png", width: bytes.big(16, 4)?, height: bytes.big(20, 4)? })
}

/// Walk the segments to the frame header; each step goes forward, so the walk ends.
fn jpeg(bytes: &Bytes) -> Option<Header> {
    bytes.starts(0, b"\xff\xd8\xff")?;
    let mut place = 2;
    loop {
        while bytes.at(place)? == 0xff && bytes.at(place + 1)? == 0xff {
            place += 1;
        }
        bytes.starts(place, b"\xff")?;
        match bytes.at(place + 1)? {
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => {
                return Some(Header {
                    media_type: "image/jpeg",
                    height: bytes.big(place + 5, 2)?,
                    width: bytes.big(place + 7, 2)?,
                });
            }
            // Markers without a length, then the scan: there is no frame header behind it.
            0x01 | 0xd0..=0xda => return None,
            _ => {}
        }
        let length = bytes.big(place + 2, 2)?;
        if length < 2 {
            return None;
        }
        place += 2 + length as usize;
    }
}

fn gif(bytes: &Bytes) -> Option<Header> {
    bytes.starts(0, b"GIF8")?;
    Some(Header { media_type: "image/gif", width: bytes.little(6, 2)?, height: bytes.little(8, 2)? })
}

fn webp(bytes: &Bytes) -> Option<Header> {
    bytes.starts(0, b"RIFF")?;
    bytes.starts(8, b"WEBPVP8")?;
    let (width, height) = match bytes.at(15)? {
        b' ' => (bytes.little(26, 2)? & 0x3fff, bytes.little(28, 2)? & 0x3fff),
        b'L' => {
            let packed = bytes.little(21, 4)?;
            ((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1)
        }
        b'X' => (bytes.little(24, 3)? + 1, bytes.little(27, 3)? + 1),
        _ => return None,
    };
    Some(Header { media_type: "image/webp", width, height })
}

/// The bytes behind base64 letters, decoded one at a time where they are asked for.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn at(&self, place: usize) -> Option<u8> {
        let first = place / 3 * 4 + place % 3;
        let high = u32::from(value(*self.0.get(first)?)?);
        let low = u32::from(value(*self.0.get(first + 1)?)?);
        let shift = 4 - 2 * (place % 3);
        Some(((high << 6 | low) >> shift) as u8)
    }

    fn starts(&self, place: usize, expected: &[u8]) -> Option<()> {
        let same = (expected.iter().enumerate()).all(|(i, byte)| self.at(place + i) == Some(*byte));
        same.then_some(())
    }

    fn big(&self, place: usize, length: usize) -> Option<u32> {
        (place..place + length).try_fold(0, |sum, place| Some(sum << 8 | u32::from(self.at(place)?)))
    }

    fn little(&self, place: usize, length: usize) -> Option<u32> {
        (place..place + length).rev().try_fold(0, |sum, place| Some(sum << 8 | u32::from(self.at(place)?)))
    }
}

fn value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

fn is_letter(letter: u8, alphabet: Alphabet) -> bool {
    match alphabet {
        Alphabet::Standard => value(letter).is_some(),
        Alphabet::Either => value(letter).is_some() || matches!(letter, b'-' | b'_'),
    }
}
