//! What tools answer, and how it reaches the model.

use crate::bench::{ANY, Bench, Kind, call, lines, named, new_file, on_every_server, text};
use serde_json::json;
use std::sync::Mutex;
use weftwork::model::{Media, Part, ResultContent};
use weftwork_gateway::tools::{Event, Outcome, Piece, ReadResult, Refusal, Wholes};

on_every_server!(answers_are_mapped, a_long_answer_is_shortened_and_kept, progress_is_told);

async fn answers_are_mapped(kind: Kind) {
    let bench = Bench::new(kind);
    let echo = bench.call("echo", json!({"text": "hällo\n😀", "number": 1.5})).await;
    assert_eq!((text(&echo), echo.result.is_error), ("hällo\n😀 1.5", false));
    assert!(matches!(echo.outcome, Outcome::Done), "{echo:?}");
    let fail = bench.call("fail", json!({})).await;
    assert_eq!((text(&fail), fail.result.is_error), ("it broke", true));
    assert!(matches!(fail.outcome, Outcome::Failed), "{fail:?}");
    assert_eq!(text(&bench.call("structured", json!({})).await), r#"{"answer":42}"#);
    let picture = bench.call("picture", json!({})).await;
    let ResultContent::Parts(parts) = &picture.result.content else { panic!("{picture:?}") };
    let [Part::Text(before), Part::Image(image), Part::Text(after)] = parts.as_slice() else { panic!("{parts:?}") };
    assert_eq!((before.text.as_str(), after.text.as_str()), ("before", "after"));
    assert_eq!(image.media_type, "image/png");
    assert!(matches!(&image.media, Media::Data(data) if data.starts_with("iVBOR")), "{image:?}");
}

struct Kept(String);

impl Wholes for Kept {
    fn read(&self, _: &str, offset: u64, limit: u64) -> Option<Piece> {
        let bytes = self.0.bytes().skip(offset as usize).take(limit as usize).collect();
        Some(Piece { bytes, total: self.0.len() as u64 })
    }
}

async fn a_long_answer_is_shortened_and_kept(kind: Kind) {
    let bench = Bench::new(kind);
    let short = bench.call("big", json!({"bytes": 20 << 10})).await;
    assert_eq!((text(&short).len(), short.whole.is_some()), (20 << 10, false));
    let long = bench.call("big", json!({"bytes": 300_000})).await;
    let whole = long.whole.clone().unwrap();
    assert_eq!(whole.len(), 300_000);
    let sent = text(&long);
    assert!(sent.len() <= 20 << 10 && sent.contains("read_result"), "{sent}");
    assert!(whole.starts_with(&sent[..1000]) && whole.ends_with(&sent[sent.len() - 1000..]));
    let arguments = &sent[sent.find("read_result ").unwrap() + 12..sent.find("} …]").unwrap() + 1];
    let offset: usize = serde_json::from_str::<serde_json::Value>(arguments).unwrap()["offset"].as_u64().unwrap() as usize;
    let reader = ReadResult(Kept(whole.clone()));
    let read = bench.run_with(&[named("r", "read_result", arguments)], &[&reader], &|_| {}).await;
    let told = text(&read[0]).split_once('\n').unwrap().1;
    assert_eq!(told, &whole[offset..offset + (16 << 10)], "the line between leads to what was left out");
}

async fn progress_is_told(kind: Kind) {
    let bench = Bench::new(kind);
    let told = Mutex::new(Vec::new());
    let events = |event| {
        told.lock().unwrap().push(match event {
            Event::Progress { done, total, message, .. } => format!("{done}/{total:?} {message:?}"),
            Event::Started { .. } => "started".to_owned(),
            Event::Finished { .. } => "finished".to_owned(),
            Event::Asked { .. } => "asked".to_owned(),
        });
    };
    bench.run_with(&[call("c", "slow", json!({"seconds": 0.4}))], &[], &events).await;
    let told = told.into_inner().unwrap();
    assert_eq!(told, ["started", "1/Some(2.0) Some(\"step 1\")", "2/Some(2.0) Some(\"step 2\")", "finished"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_run_is_refused_in_words_a_model_can_act_on() {
    let bench = Bench::with(ANY, "approval = \"always\"\ndisabled = [\"spawn\"]");
    let file = new_file();
    let cases = [
        ("s__nothing", "{}".to_owned(), "there is no tool \"s__nothing\""),
        ("other__echo", "{}".to_owned(), "there is no tool \"other__echo\""),
        ("echo", "{}".to_owned(), "there is no tool \"echo\""),
        ("s__spawn", "{}".to_owned(), "it is disabled in the configuration"),
        ("s__counter", "{}".to_owned(), "\"file\" is a required property"),
        ("s__counter", json!({"file": 7}).to_string(), "at /file: 7 is not of type \"string\""),
        ("s__counter", json!([file]).to_string(), "must be one complete JSON object"),
        ("s__counter", json!(format!("{{\"file\": {file:?}")).to_string(), "must be one complete JSON object"),
        ("s__echo", "{\"number\": 12345678901234567890123}".to_owned(), "12345678901234567890123"),
    ];
    let calls: Vec<_> = cases.iter().map(|(name, arguments, _)| named("c", name, arguments)).collect();
    let ran = bench.run(&calls).await;
    assert_eq!(ran.len(), cases.len());
    for ((name, arguments, part), ran) in cases.iter().zip(&ran) {
        assert!(matches!(ran.outcome, Outcome::Refused(_)) && ran.result.is_error, "{name} {arguments}: {ran:?}");
        assert!(text(ran).starts_with("Not run: ") && text(ran).contains(part), "{name} {arguments}: {}", text(ran));
    }
    assert_eq!(lines(&file), 0);
    assert!(matches!(&ran[0].outcome, Outcome::Refused(Refusal::UnknownTool { name }) if name == "s__nothing"));
}
