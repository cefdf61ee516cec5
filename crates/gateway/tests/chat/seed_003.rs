//! Each workflow rule of seed 003, by its name.

use crate::scene::{Scene, unwatched};
use crate::server::{Server, fixture, ok, send};
use weftwork::ask::ToolPolicy;
use weftwork::cache;
use weftwork::dialect::Dialect;
use weftwork::model::{Kind, Purpose};
use weftwork_gateway::How;

fn last_request(scene: &Scene) -> String {
    String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text")
}

#[tokio::test]
async fn roles_special_ones_are_stored_and_never_sent() {
    let scene = Scene::offline().await;
    scene.say("Hello there").await;
    scene.chat.title(&unwatched()).await.expect("a title");
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply");
    let kinds: Vec<Kind> = scene.export().nodes.iter().map(|node| node.kind).collect();
    for kind in [Kind::TitleRequest, Kind::Title, Kind::SummaryRequest, Kind::Summary] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    scene.say("And?").await;
    let request = last_request(&scene);
    assert!(!request.contains("Give our conversation a title") && !request.contains("Write a summary of our"), "{request}");
}

#[tokio::test]
async fn checkpoint_only_what_follows_the_latest_summary_is_sent() {
    let scene = Scene::offline().await;
    scene.say("!say alpha").await;
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.say("!say beta").await;
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.say("!say gamma").await;
    let body: serde_json::Value = serde_json::from_str(&last_request(&scene)).expect("JSON");
    let messages = body["messages"].as_array().expect("messages");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let system = body["system"].as_str().expect("system text");
    assert_eq!(system.matches("Previous Conversation Summary:").count(), 1);
}

#[tokio::test]
async fn system_prompt_is_in_every_request() {
    let scene = Scene::offline().await;
    scene.chat.set_system_prompt(Some("You are a gardener.".into())).await.expect("a prompt");
    scene.say("one").await;
    scene.say("two").await;
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.say("three").await;
    for call in scene.calls() {
        assert!(String::from_utf8(scene.request(&call)).expect("text").contains("You are a gardener."), "{:?}", call.purpose);
    }
}

#[tokio::test]
async fn cache_position_is_stored_with_each_reply() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-plain.sse"))]; 2]).await;
    let scene = Scene::at("anthropic", &server).await;
    let first = scene.say("one").await.node;
    let second = scene.say("two").await.node;
    assert_eq!(first.cache_marks, [first.parent.expect("a message")]);
    assert_eq!(second.cache_marks.last(), second.parent.as_ref(), "it advances with the conversation");
}

#[tokio::test]
async fn context_window_is_the_last_replys_and_unchanged_by_side_requests_until_a_summary_resets_it() {
    let scene = Scene::offline().await;
    scene.say("one").await;
    let reply = scene.say("two").await.node;
    let usage = reply.usage.expect("usage");
    let window = || scene.store().context_window(scene.chat.space(), None).expect("a window");
    let full = usage.input + usage.cache_read + usage.cache_write + usage.output;
    assert_eq!(window(), full);
    scene.chat.title(&unwatched()).await.expect("a title");
    assert_eq!(window(), full, "a title changes nothing");
    let summary = scene.chat.summarize(0, &unwatched()).await.expect("a summary").node;
    assert_eq!(window(), summary.usage.expect("usage").output, "a summary resets it");
    let figures = scene.chat.figures().await.expect("figures");
    assert_eq!(figures.window, window());
    assert!(figures.next.is_some_and(|next| next > 0 || figures.window > 0));
}

#[tokio::test]
async fn accounting_survives_edits_and_retries() {
    let scene = Scene::offline().await;
    scene.say("one").await;
    let before = scene.used();
    scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply");
    let lines = scene.store().accounting_lines(scene.chat.space(), None).expect("lines");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].so_far, before, "what had been used when it was tried again");
    assert!(scene.used().input > before.input);
}

#[tokio::test]
async fn title_workflow_leaves_the_context_as_it_is() {
    let scene = Scene::offline().await;
    scene.say("one").await;
    let before = scene.path().await;
    scene.chat.title(&unwatched()).await.expect("a title");
    assert_eq!(scene.path().await, before);
    assert_eq!(scene.calls().last().expect("a call").purpose, Purpose::Title);
}

#[tokio::test]
async fn live_and_loaded_chats_are_identical() {
    let scene = Scene::offline().await;
    scene.say("one").await;
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.say("two").await;
    scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply");
    let live = (scene.chat.figures().await.expect("figures"), scene.path().await);
    let (_, next) = scene.chat.preview(Some("three"), &How::default()).await.expect("a request");
    let scene = scene.reopened().await;
    let loaded = (scene.chat.figures().await.expect("figures"), scene.path().await);
    let (_, again) = scene.chat.preview(Some("three"), &How::default()).await.expect("a request");
    assert_eq!(format!("{live:?}"), format!("{loaded:?}"));
    assert_eq!(next.request, again.request);
}

#[tokio::test]
async fn frozen_cache_side_calls_send_the_prefix_of_the_reply_before_them_byte_for_byte() {
    for (kind, dialect) in [("anthropic", Dialect::Anthropic), ("openai", Dialect::OpenAi), ("gemini", Dialect::Gemini)] {
        let stream = format!("{kind}-plain.sse");
        let server = Server::play(vec![vec![ok(), send(fixture(&stream))]; 5]).await;
        let scene = Scene::at(kind, &server).await;
        scene.chat.set_system_prompt(Some("You are a gardener. ".repeat(50))).await.expect("a prompt");
        scene.say(&"Which trees give shade? ".repeat(30)).await;
        scene.say("And which grow fast?").await;
        scene.chat.title(&unwatched()).await.expect("a title");
        scene.chat.summarize(0, &unwatched()).await.expect("a summary");
        let bodies: Vec<String> = server.requests().into_iter().map(|request| request.body).collect();
        let [_, reply, title, summary] = bodies.as_slice() else { panic!("{kind}: {} requests", bodies.len()) };
        for (name, side) in [("title", title), ("summary", summary)] {
            let before = cache::blocks(reply.as_bytes(), dialect).expect("blocks");
            let after = cache::blocks(side.as_bytes(), dialect).expect("blocks");
            assert!(after.len() > before.len(), "{kind} {name}");
            for (old, new) in before.iter().zip(&after) {
                assert_eq!((old.section, &old.text), (new.section, &new.text), "{kind} {name}");
                // The marks are where they were: the cache is read, and what is new is not written.
                assert_eq!(old.marked, new.marked, "{kind} {name}: {}", old.text);
            }
            assert!(after[before.len()..].iter().all(|block| !block.marked), "{kind} {name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_modes_govern_schemas_and_parts_alike() {
    let scene = crate::tools::scene("approval = \"always\"").await;
    scene.say("!call s__echo {\"text\": \"EARLIER\"}\n!say Done").await;
    for (mode, schemas, parts) in [
        (ToolPolicy::Auto, true, false),
        (ToolPolicy::Cached, true, true),
        (ToolPolicy::AllOn, true, true),
        (ToolPolicy::AllOff, false, false),
        (ToolPolicy::Manual, false, false),
    ] {
        scene.chat.change_space(|file| file.space.settings.tool_policy = Some(mode)).await.expect("changed");
        scene.say("!say next").await;
        let request = last_request(&scene);
        let body: serde_json::Value = serde_json::from_str(&request).expect("JSON");
        let has_schemas = body["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "s__echo"));
        let has_parts = body["messages"].to_string().contains("toolCall") || body["messages"].to_string().contains("toolResult");
        assert_eq!((has_schemas, has_parts), (schemas, parts), "{mode}: {request}");
    }
    scene.chat.change_space(|file| file.included_tools = vec!["s__echo".into()]).await.expect("chosen");
    scene.say("!call s__echo {\"text\": \"CHOSEN\"}\n!say Done").await;
    let request = last_request(&scene);
    let body: serde_json::Value = serde_json::from_str(&request).expect("JSON");
    assert_eq!(body["tools"].as_array().map(Vec::len), Some(1), "{request}");
    assert!(request.contains("CHOSEN") && !request.contains("EARLIER\"}"), "what the chosen tool gave is sent: {request}");
}
