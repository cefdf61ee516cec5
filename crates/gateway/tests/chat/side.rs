//! Summaries and titles.

use crate::scene::{Scene, shown, unwatched};
use crate::server::{Server, answer, fixture, ok, send};
use weftwork::dialect::Dialect;
use weftwork::lint;
use weftwork::model::{Kind, Part, Purpose};
use weftwork_gateway::{Event, GatewayError, How, Notice, Undone, Unusable};

/// An OpenAI stream that says a text and ends for a reason.
fn saying(text: &str, reason: &str) -> Vec<crate::server::Act> {
    let text = serde_json::to_string(text).expect("JSON");
    let stream = format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}},\"finish_reason\":null}}]}}\n\n\
         data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\ndata: [DONE]\n\n"
    );
    vec![ok(), send(stream)]
}

#[tokio::test]
async fn a_summary_stands_for_what_was_said_until_it_is_undone() {
    let scene = Scene::offline().await;
    scene.say("My name is Mira").await;
    scene.say("I like shade trees").await;
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    assert_eq!((summary.node.kind, summary.pieces), (Kind::Summary, 1));
    scene.say("What do I like?").await;
    let last = || String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text");
    assert!(last().contains("Previous Conversation Summary:"));
    assert!(!last().contains(r#""content":"My name is Mira""#), "nothing before it is sent again: {}", last());
    assert!(matches!(scene.chat.undo().await, Ok(Undone::Head(_))));
    assert_eq!(scene.chat.undo().await.expect("undone"), Undone::Summary(summary.node.id));
    scene.say("And now?").await;
    assert!(last().contains(r#""content":"My name is Mira""#), "{}", last());
}

#[tokio::test]
async fn the_newest_turns_can_stay_as_they_are() {
    let scene = Scene::offline().await;
    for text in ["one", "two", "three"] {
        scene.say(text).await;
    }
    let summary = scene.chat.summarize(2, &unwatched()).await.expect("a summary").node;
    let covered = scene.node(&summary.covers.expect("a covered node"));
    assert!(shown(&covered).contains("offline"), "the reply before the kept turn: {}", shown(&covered));
    scene.say("four").await;
    let request = String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text");
    assert!(request.contains(r#""content":"three""#) && !request.contains(r#""content":"two""#), "{request}");
    let refused = scene.chat.summarize(50, &unwatched()).await;
    assert!(matches!(refused, Err(GatewayError::NothingThere { .. })), "{refused:?}");
}

#[tokio::test]
async fn an_edited_summary_is_a_new_version_that_stands_for_the_same() {
    let scene = Scene::offline().await;
    scene.say("My name is Mira").await;
    let first = scene.chat.summarize(0, &unwatched()).await.expect("a summary").node;
    scene.say("!say after").await;
    scene.chat.edit(&first.id, vec![Part::text("She is Mira.")], &How::default(), &unwatched()).await.expect("a version");
    scene.say("Who?").await;
    let last = || String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text");
    assert!(last().contains("She is Mira.") && last().contains(r#""content":"after""#), "{}", last());
    assert!(!last().contains("quotes and does not judge"), "the old version is not sent");
    scene.chat.undo().await.expect("the message");
    scene.chat.undo().await.expect("the version");
    scene.say("Who?").await;
    assert!(last().contains("quotes and does not judge") && !last().contains("She is Mira."), "{}", last());
}

#[tokio::test]
async fn a_summary_that_cannot_stand_for_the_conversation_is_refused_and_hides_nothing() {
    for (script, why) in [
        (saying("", "stop"), Unusable::Empty),
        (saying("  \n ", "stop"), Unusable::Empty),
        (saying("Half a", "length"), Unusable::CutOff),
        (vec![ok(), send(fixture("openai-tools.sse"))], Unusable::ToolCall),
        (saying("I cannot", "content_filter"), Unusable::Refused),
    ] {
        let plain = || vec![ok(), send(fixture("openai-plain.sse"))];
        let server = Server::play(vec![plain(), script, plain()]).await;
        let scene = Scene::at("openai", &server).await;
        scene.say("My name is Mira").await;
        let refused = scene.chat.summarize(0, &unwatched()).await.expect_err("refused");
        match refused {
            GatewayError::BadSummary(found) => assert_eq!(found, why),
            // An answer without any content is what some servers give to a prompt that is too long.
            GatewayError::NothingToLeaveOut => assert_eq!(why, Unusable::Empty),
            other => panic!("{why:?}: {other}"),
        }
        scene.say("Who am I?").await;
        let body = server.requests().pop().expect("a request").body;
        assert!(body.contains("My name is Mira") && !body.contains("Previous Conversation Summary"), "{why:?}: {body}");
    }
}

#[tokio::test]
async fn more_than_the_window_holds_is_summed_up_in_pieces() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 3000";
    let scene = Scene::configured(config, "small/offline").await;
    for turn in 0..30 {
        scene.say(&format!("!say {}", format!("turn{turn} ").repeat(60))).await;
    }
    let before = scene.calls().len();
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    assert!(summary.pieces > 1, "{}", summary.pieces);
    let calls = scene.calls();
    assert_eq!(calls.len() - before, summary.pieces as usize);
    let requests: Vec<String> =
        calls[before..].iter().map(|call| String::from_utf8(scene.request(call)).expect("text")).collect();
    for turn in 0..30 {
        let words = format!("turn{turn} turn{turn}");
        assert!(requests.iter().any(|request| request.contains(&words)), "turn {turn} was read");
    }
    for request in &requests {
        let errors = lint::lint(&serde_json::from_str(request).expect("JSON"), Dialect::Messages);
        assert!(errors.iter().all(|finding| finding.severity != lint::Severity::Error), "{errors:?}");
    }
    assert!(calls[before..].iter().all(|call| call.purpose == Purpose::Summary && call.usage.expect("usage").input <= 3000));
}

#[tokio::test]
async fn a_single_message_larger_than_the_window_is_summed_up_too() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 100000";
    let scene = Scene::configured(config, "small/offline").await;
    scene.say(&format!("!say short\n{}", "many words ".repeat(4000))).await;
    let config = config.replace("100000", "3000");
    let scene = scene.reconfigured(&config).await;
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    assert!(summary.pieces > 2, "{}", summary.pieces);
}

#[tokio::test]
async fn a_space_can_sum_up_by_itself_above_a_share_of_its_window() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 4000";
    let scene = Scene::configured(config, "small/offline").await;
    let settings = serde_json::from_str(r#"{"autoSummary":0.8}"#).expect("settings");
    scene.chat.change_space(|file| file.space.settings = settings).await.expect("changed");
    let mut summed = 0;
    for turn in 0..30 {
        let (said, events) = scene.watch(&format!("!say {}", format!("turn{turn} ").repeat(80))).await;
        said.expect("a reply");
        summed += events.iter().filter(|event| matches!(event, Event::Notice(Notice::SummedUp))).count();
    }
    assert!(summed > 0);
    assert!(scene.export().nodes.iter().filter(|node| node.kind == Kind::Summary).count() == summed);
}

#[tokio::test]
async fn a_title_names_the_space_and_stands_beside_the_conversation() {
    let scene = Scene::offline().await;
    let reply = scene.say("Which trees give shade in a small garden?").await.node;
    let title = scene.chat.title_if_due(&unwatched()).await.expect("no fault").expect("a title");
    assert_eq!(title.kind, Kind::Title);
    assert_eq!(scene.chat.head().await.expect("a head"), Some(reply.id), "the head stays");
    let name = scene.export().space.name;
    assert!(!name.is_empty() && shown(&title).contains(&name), "{name}");
    assert!(scene.chat.title_if_due(&unwatched()).await.expect("no fault").is_none(), "it has one");
    scene.say("Thank you").await;
    let lines = scene.store().accounting_lines(scene.chat.space(), None).expect("lines");
    assert!(lines.is_empty(), "a title leaves nothing behind: {lines:?}");
}

#[tokio::test]
async fn a_stopped_summary_or_title_does_not_count() {
    let scene = Scene::offline().await;
    scene.say("My name is Mira").await;
    let live = unwatched();
    live.cancel.cancel();
    assert!(matches!(scene.chat.summarize(0, &live).await, Err(GatewayError::Stopped)));
    assert!(matches!(scene.chat.title(&live).await, Err(GatewayError::Stopped)));
    assert_eq!(scene.export().space.name, "");
    let window = || scene.store().context_window(scene.chat.space(), None).expect("a window");
    let full = scene.calls()[0].usage.expect("usage").total();
    assert_eq!(window(), full, "what failed resets nothing");
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary").node;
    assert_eq!(window(), summary.usage.expect("usage").output);
    scene.chat.undo().await.expect("undone");
    assert_eq!(window(), full, "nor does what was taken back");
    scene.say("Who am I?").await;
    let request = String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text");
    assert!(request.contains("My name is Mira"), "{request}");
}

#[tokio::test]
async fn pieces_go_on_from_a_summary_with_a_kept_tail() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 3000";
    let scene = Scene::configured(config, "small/offline").await;
    let talk = async |from: u32| {
        for turn in from..from + 15 {
            scene.say(&format!("!say {}", format!("turn{turn} ").repeat(60))).await;
        }
    };
    talk(0).await;
    scene.chat.summarize(2, &unwatched()).await.expect("a summary");
    talk(15).await;
    let before = scene.calls().len();
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    assert!(summary.pieces > 1, "{}", summary.pieces);
    let requests =
        scene.calls()[before..].iter().map(|call| String::from_utf8(scene.request(call)).expect("text")).collect::<String>();
    for turn in 14..30 {
        assert!(requests.contains(&format!("turn{turn} turn{turn}")), "turn {turn} was read");
    }
}

#[tokio::test]
async fn what_a_provider_finds_too_large_is_summed_up_in_pieces_and_not_in_part() {
    let overflow = r#"{"error":{"message":"This model's maximum context length is 700 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
    let plain = || saying("A summary", "stop");
    let scripts = vec![plain(), plain(), plain(), answer(400, "", overflow), plain(), plain(), plain(), plain()];
    let server = Server::play(scripts).await;
    let scene = Scene::at("openai", &server).await;
    for word in ["one", "two", "three"] {
        scene.say(&format!("{word} ").repeat(200)).await;
    }
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    assert!(summary.pieces > 1);
    let read: String = server.requests()[4..].iter().map(|request| request.body.as_str()).collect();
    for word in ["one", "two", "three"] {
        assert!(read.contains(&format!("{word} {word}")), "{word} was read");
    }
}

#[tokio::test]
async fn only_the_summary_that_holds_is_edited() {
    let scene = Scene::offline().await;
    scene.say("one").await;
    let first = scene.chat.summarize(0, &unwatched()).await.expect("a summary").node;
    scene.say("two").await;
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    let refused = scene.chat.edit(&first.id, vec![Part::text("x")], &How::default(), &unwatched()).await;
    assert!(matches!(refused, Err(GatewayError::WrongNode { .. })), "{refused:?}");
}
