//! Any bytes, as any provider's stream, cut anywhere: the same reply or error as in one piece, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::decode::{StreamDecoder, decode};
use weftwork::dialect::Dialect;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let dialect = Dialect::ALL[usize::from(first) % Dialect::ALL.len()];
    let _ = decode(rest, dialect);
    let read = |pieces: &[&[u8]]| {
        let mut decoder = StreamDecoder::new(dialect);
        for piece in pieces {
            if decoder.push(piece).is_err() {
                return None;
            }
        }
        decoder.finish().ok()
    };
    let (head, tail) = rest.split_at(rest.len() * usize::from(first) / 256);
    assert_eq!(read(&[rest]), read(&[head, tail]));
});
