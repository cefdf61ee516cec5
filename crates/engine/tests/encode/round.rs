//! Out and in again.

use super::replies::{deltas, interleaved, reply};
use super::told::{read, read_whole, streamed, told};
use proptest::prelude::*;
use weftwork::decode::StreamDecoder;
use weftwork::dialect::Dialect;
use weftwork::encode::Api;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_streamed_reply_is_the_same_reply_wherever_it_is_cut(reply in reply(), most in 1usize..9, cut in 1usize..40) {
        for &api in Api::ALL {
            let bytes = streamed(api, &deltas(&reply, most), &reply);
            let again = read(api, bytes.chunks(cut)).expect("a stream of its dialect");
            prop_assert_eq!(told(&again, api), told(&reply, api), "{}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn a_whole_reply_is_the_same_reply(reply in reply()) {
        for &api in Api::ALL {
            prop_assert_eq!(told(&read_whole(api, &reply), api), told(&reply, api));
        }
    }

    #[test]
    fn calls_whose_pieces_come_in_turns_are_kept_apart(reply in reply(), most in 1usize..9) {
        for &api in Api::ALL {
            let bytes = streamed(api, &interleaved(&deltas(&reply, most)), &reply);
            let again = read(api, [bytes.as_slice()]).expect("a stream of its dialect");
            prop_assert_eq!(told(&again, api), told(&reply, api), "{}", String::from_utf8_lossy(&bytes));
        }
    }
}

/// Every recorded stream, in each API.
#[test]
fn what_any_provider_streamed_is_told_in_each_api() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures are there") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let dialect = *Dialect::ALL.iter().find(|dialect| name.starts_with(dialect.word())).expect("a dialect");
        let mut decoder = StreamDecoder::new(dialect);
        let Ok(deltas) = decoder.push(&std::fs::read(&path).expect("a fixture")) else { continue };
        let Ok(reply) = decoder.finish() else { continue };
        for &api in Api::ALL {
            let bytes = streamed(api, &deltas, &reply);
            match read(api, bytes.chunks(13)) {
                Ok(again) => {
                    assert_eq!(told(&again, api), told(&reply, api), "{name} as {api}:\n{}", String::from_utf8_lossy(&bytes));
                }
                Err(error) => assert_eq!(reply.stop, weftwork::decode::Stop::Cut, "{name} as {api}: {error}"),
            }
        }
        seen += 1;
    }
    assert!(seen > 30, "{seen} streams");
}
