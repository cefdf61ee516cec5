//! The same reply gives the same bytes in each API, today and tomorrow.
//!
//! `WEFT_BLESS=1 cargo test --test encode` writes the files anew; the difference is then read before it is kept.

use super::replies::deltas;
use super::told::{heading, streamed};
use weftwork::decode::{Reply, Stop};
use weftwork::encode::{Api, whole};
use weftwork::model::{Json, Part, Reasoning, Usage};

fn rich() -> Reply {
    let thought = Reasoning { text: "The tide, then.".into(), signature: Some("c2ln".into()), ..Reasoning::default() };
    Reply {
        parts: vec![
            Part::Reasoning(thought),
            Part::text("I look \"twice\".\n"),
            Part::call("call_1", "tide", Json::parse(r#"{"at":"Büsum","n":1.10}"#).expect("JSON")),
            Part::call("call_2", "clock", Json::empty_object()),
        ],
        stop: Stop::ToolCalls,
        usage: Some(Usage { input: 10, output: 20, cache_read: 300, cache_write: 4 }),
        raw_usage: Some(Json::parse(r#"{"output_tokens_details":{"reasoning_tokens":7}}"#).expect("JSON")),
        ..Reply::default()
    }
}

#[test]
fn the_rich_reply_is_written_as_exactly_these_bytes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/encode/golden");
    for &api in Api::ALL {
        let reply = rich();
        let files = [("sse", streamed(api, &deltas(&reply, 9), &reply)), ("json", whole(api, &heading(), &reply))];
        for (kind, bytes) in files {
            let path = folder.join(format!("{api}.{kind}"));
            if std::env::var_os("WEFT_BLESS").is_some() {
                std::fs::write(&path, &bytes).expect("golden files can be written");
            }
            let golden = std::fs::read(&path).expect("a golden file for every API");
            assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&golden), "{api}");
        }
    }
}
