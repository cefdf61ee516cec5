//! Headers of pictures, and the base64 the tests write them in.

use crate::lint::picture::{Header, header};

/// Standard base64 with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i <= chunk.len() {
                text.push(char::from(LETTERS[(group >> (18 - 6 * i) & 63) as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// The first bytes of a PNG of this size.
pub(super) fn png(width: u32, height: u32) -> String {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    base64(&bytes)
}

fn jpeg(width: u16, height: u16) -> String {
    let mut bytes = b"\xff\xd8\xff\xe0\x00\x05abc\xff\xff\xc4\x00\x03x\xff\xc2\x00\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    base64(&bytes)
}

#[test]
fn sizes_are_read_from_the_first_bytes() {
    let cases = [
        (png(8001, 7), Some(("image/png", 8001, 7))),
        (jpeg(640, 480), Some(("image/jpeg", 640, 480))),
        (base64(b"GIF89a\x02\x01\x03\x00"), Some(("image/gif", 258, 3))),
        (base64(b"RIFF____WEBPVP8 ____\0\0\0\x9d\x01\x2a\x02\x01\x03\x00"), Some(("image/webp", 258, 3))),
        (base64(b"RIFF____WEBPVP8L____\x2f\x01\x80\x00\x00"), Some(("image/webp", 2, 3))),
        (base64(b"RIFF____WEBPVP8X____\0\0\0\0\x01\x00\x00\x02\x00\x00"), Some(("image/webp", 2, 3))),
        (base64(b"\xff\xd8\xff\xe0\x00\x00"), None),
        (base64(b"\xff\xd8\xff\xda\x00\x02"), None),
        (base64(b"\x89PNG\r\n\x1a\n"), None),
        ("not base64".to_owned(), None),
        (String::new(), None),
    ];
    for (data, expected) in cases {
        let expected = expected.map(|(media_type, width, height)| Header { media_type, width, height });
        assert_eq!(header(&data), expected, "{data}");
    }
}
