//! What a person does: say, retry, edit, continue, ask for several, switch, clear, undo.

use crate::scene::{Scene, shown, unwatched};
use crate::server::{Server, fixture, ok, send};
use weftwork::model::{Mode, NodeId, Part, Status};
use weftwork_gateway::{Chat, Event, GatewayError, How, Live, Open, Say, Undone};
use weftwork_store::Flag;

#[tokio::test]
async fn a_message_and_its_reply_are_two_nodes() {
    let scene = Scene::offline().await;
    let replied = scene.say("!say Hello").await;
    assert_eq!(scene.path().await, ["me: !say Hello", "agent: Hello"]);
    assert_eq!((replied.node.status, replied.node.model.as_deref()), (Status::Sent, Some("offline/offline")));
    let [call] = scene.calls().try_into().expect("one call");
    assert_eq!((call.node, call.usage), (Some(replied.node.id), replied.node.usage));
    assert!(call.usage.expect("usage").output > 0);
}

#[tokio::test]
async fn whoever_watches_sees_each_step() {
    let scene = Scene::offline().await;
    let (_, events) = scene.watch("!say Hello").await;
    let word = |event: &Event| match event {
        Event::Added(node) => format!("added {}", shown(node)),
        Event::Sent { model, report, .. } => format!("sent to {model}, {} items", report.items.len()),
        Event::Delta { .. } => "delta".to_owned(),
        Event::Ended { node, stop, .. } => format!("ended {} {stop:?}", shown(node)),
        other => format!("{other:?}"),
    };
    let mut words: Vec<String> = events.iter().map(word).collect();
    words.dedup();
    let expected =
        ["added me: !say Hello", "added agent pending: ", "sent to offline/offline, 1 items", "delta", "ended agent: Hello End"];
    assert_eq!(words, expected);
}

#[tokio::test]
async fn the_same_message_is_never_said_twice() {
    let scene = Scene::offline().await;
    let say = || Say { key: Some("k1".into()), ..Say::text("!say Hello") };
    let first = scene.chat.say(say(), &How::default(), &unwatched()).await.expect("a reply");
    let second = scene.chat.say(say(), &How::default(), &unwatched()).await.expect("the reply");
    assert_eq!(first.node.id, second.node.id);
    assert_eq!((scene.path().await.len(), scene.calls().len()), (2, 1));
}

#[tokio::test]
async fn a_stopped_reply_keeps_what_came() {
    let scene = Scene::offline().await;
    let (live, mut events) = Live::new();
    let how = How::default();
    let saying = scene.chat.say(Say::text("!stream 20\n!say one two three four five six seven eight"), &how, &live);
    let stopping = async {
        while let Some(event) = events.recv().await {
            if let Event::Delta { .. } = event {
                live.cancel.cancel();
                break;
            }
        }
        while events.recv().await.is_some_and(|event| !matches!(event, Event::Ended { .. })) {}
    };
    let (replied, ()) = tokio::join!(saying, stopping);
    let node = replied.expect("what came").node;
    assert!(shown(&node).starts_with("agent stopped: one"), "{}", shown(&node));
    assert!(!shown(&node).contains("eight"));
    let [call] = scene.calls().try_into().expect("one call");
    assert_eq!(call.outcome, Some(weftwork_store::Outcome::Canceled));
    assert!(call.usage.is_some_and(|usage| usage.input > 0), "what was sent is paid for");
}

#[tokio::test]
async fn a_reply_is_tried_again_beside_the_first() {
    let scene = Scene::offline().await;
    let first = scene.say("Hello").await.node;
    let again = scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply").node;
    assert_eq!(again.parent, first.parent);
    assert_eq!(scene.chat.head().await.expect("a head"), Some(again.id.clone()));
    let named = scene.chat.retry(Some(&first.id), &How::default(), &unwatched()).await.expect("a reply").node;
    assert_eq!(scene.store().siblings(scene.chat.space(), &named.id).expect("siblings").len(), 3);
    let lines = scene.store().accounting_lines(scene.chat.space(), None).expect("lines");
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].node.clone(), lines[0].left), (named.id, Some(1)));
}

#[tokio::test]
async fn an_edit_is_a_sibling_that_is_replied_to() {
    let scene = Scene::offline().await;
    scene.say("!say One").await;
    let first = scene.chat.node(&scene.chat.head().await.unwrap().unwrap()).await.unwrap().parent.expect("a message");
    let parts = vec![Part::text("!say Two")];
    scene.chat.edit(&first, parts, &How::default(), &unwatched()).await.expect("a reply");
    assert_eq!(scene.path().await, ["me: !say Two", "agent: Two"]);
    let edited = scene.export().nodes.into_iter().find(|node| node.edited_from.is_some()).expect("the edit");
    assert_eq!((edited.edited_from, edited.parent), (Some(first), None));
}

#[tokio::test]
async fn what_an_agent_said_is_edited_without_asking_it() {
    let scene = Scene::offline().await;
    let reply = scene.say("!say One").await.node;
    let edited = scene.chat.edit(&reply.id, vec![Part::text("Zwei")], &How::default(), &unwatched()).await.expect("an edit").node;
    assert_eq!(scene.path().await, ["me: !say One", "me: Zwei"]);
    assert_eq!((scene.calls().len(), edited.edited_from), (1, Some(reply.id)));
    scene.say("What did you say?").await;
    let request = String::from_utf8(scene.request(&scene.calls()[1])).expect("text");
    assert!(request.contains(r#"{"role":"assistant","content":"Zwei"}"#), "the agent's words stay the agent's: {request}");
    let again = scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply").node;
    assert_eq!(scene.node(&again.parent.expect("a message")).parts, [Part::text("What did you say?")]);
}

#[tokio::test]
async fn a_reply_that_broke_off_goes_on() {
    let stream = fixture("openai-plain.sse");
    let server = Server::play(vec![vec![ok(), send(&stream[..stream.len() / 2])], vec![ok(), send(stream)]]).await;
    let scene = Scene::at("openai", &server).await;
    let error = scene.try_say("Greet the world").await.expect_err("a failure");
    assert!(matches!(&error, GatewayError::Send { node: Some(_), .. }), "{error}");
    scene.chat.go_on(&How::default(), &unwatched()).await.expect("more");
    let path = scene.path().await;
    assert!(path[1].starts_with("agent failed(") && path[1].contains("Grüße"), "{path:?}");
    let body = &server.requests()[1].body;
    assert!(body.contains("Grüße") && body.contains("[generation failed:"), "{body}");
}

#[tokio::test]
async fn several_replies_come_at_once_each_in_its_own_way() {
    let config = "[providers.b]\nkind = \"offline\"";
    let scene = Scene::configured(config, "offline").await;
    scene.say("Hello").await;
    let way = |model: &str| How { model: Some(model.into()), ..How::default() };
    let replies = scene.chat.generate(&[way("b/offline"), way("offline"), way("nobody/x")], &unwatched()).await.expect("replies");
    let words: Vec<_> = replies.iter().map(|reply| reply.as_ref().ok().and_then(|reply| reply.node.model.clone())).collect();
    assert_eq!(words, [Some("b/offline".to_owned()), Some("offline/offline".to_owned()), None]);
    let first = replies[0].as_ref().expect("a reply").node.id.clone();
    assert_eq!(scene.chat.head().await.expect("a head"), Some(first.clone()));
    assert_eq!(scene.store().siblings(scene.chat.space(), &first).expect("siblings").len(), 3);
    for count in [0, 11] {
        let refused = scene.chat.generate(&vec![How::default(); count], &unwatched()).await;
        assert!(matches!(refused, Err(GatewayError::OutOfRange { least: 1, most: 10, .. })), "{count}");
    }
}

#[tokio::test]
async fn switching_goes_to_the_end_of_a_branch() {
    let scene = Scene::offline().await;
    let first = scene.say("!say One").await.node;
    let end = scene.say("!say Two").await.node;
    scene.chat.retry(Some(&first.id), &How::default(), &unwatched()).await.expect("a reply");
    assert_eq!(scene.chat.switch(&first.id).await.expect("a branch"), end.id);
    assert_eq!(scene.chat.head().await.expect("a head"), Some(end.id));
}

#[tokio::test]
async fn clearing_begins_afresh_can_be_undone_and_keeps_usage() {
    let scene = Scene::offline().await;
    scene.say("My name is Mira").await;
    let used = scene.used();
    let fresh =
        scene.chat.say(Say { afresh: true, ..Say::text("Who am I?") }, &How::default(), &unwatched()).await.expect("a reply");
    let last = |scene: &Scene| String::from_utf8(scene.request(scene.calls().last().expect("a call"))).expect("text");
    assert!(!last(&scene).contains("Mira"));
    assert!(scene.used().input > used.input);
    let scene = scene.reopened().await;
    let edge = fresh.node.parent.expect("the message");
    assert_eq!(scene.chat.undo().await.expect("undone"), Undone::Afresh(edge));
    scene.say("And now?").await;
    assert!(last(&scene).contains("Mira"));
}

#[tokio::test]
async fn what_was_done_is_undone_step_by_step() {
    let scene = Scene::offline().await;
    let first = scene.say("!say One").await.node;
    scene.say("!say Two").await;
    scene.chat.flag(&first.id, Flag::Pinned, true).await.expect("a flag");
    assert_eq!(scene.chat.undo().await.expect("undone"), Undone::Flag(first.id.clone(), Flag::Pinned));
    assert!(!scene.node(&first.id).pinned);
    assert_eq!(scene.chat.undo().await.expect("undone"), Undone::Head(first.id.clone()));
    assert_eq!(scene.path().await, ["me: !say One", "agent: One"]);
    assert!(matches!(scene.chat.undo().await, Err(GatewayError::NothingThere { .. })), "the first message stays");
    assert!(matches!(scene.chat.undo().await, Err(GatewayError::NothingThere { .. })));
}

#[tokio::test]
async fn a_text_is_continued_by_text_completion() {
    let scene = Scene::offline().await;
    let open = Open { mode: Mode::Buffer, model: Some("offline".into()), ..Open::default() };
    let chat = Chat::open(scene.chat.gateway(), open).await.expect("a text");
    let live = unwatched();
    chat.say(Say::text("The lighthouse keeper had not spoken"), &How::default(), &live).await.expect("more");
    let head = chat.head().await.expect("a head").expect("a node");
    let replies = chat.generate(&vec![How::default(); 3], &live).await.expect("three");
    let parents: Vec<Option<NodeId>> = replies.into_iter().map(|reply| reply.expect("one").node.parent).collect();
    assert_eq!(parents, vec![Some(head); 3], "they go on from the end of the text");
    let calls = chat.gateway().store().calls(weftwork_store::CallsOf::Space(chat.space())).expect("calls");
    let request = chat.gateway().store().exchange(chat.space(), &calls[1].id).expect("it").request.expect("a request");
    let body: serde_json::Value = serde_json::from_slice(&request).expect("JSON");
    assert!(body["prompt"].as_str().expect("a prompt").starts_with("The lighthouse keeper had not spoken"));
}

#[tokio::test]
async fn sampling_and_limits_of_one_generation_reach_the_model() {
    let scene = Scene::offline().await;
    let sampling = weftwork::model::Sampling { temperature: Some(0.5), ..Default::default() };
    let how = How { sampling: Some(sampling), max_tokens: Some(77), ..How::default() };
    scene.chat.say(Say::text("Hello"), &how, &unwatched()).await.expect("a reply");
    let body: serde_json::Value = serde_json::from_slice(&scene.request(&scene.calls()[0])).expect("JSON");
    assert_eq!((body["temperature"].as_f64(), body["maxTokens"].as_u64()), (Some(0.5), Some(77)));
}

#[tokio::test]
async fn an_unknown_model_is_an_error_before_anything_is_said() {
    let scene = Scene::offline().await;
    let how = How { model: Some("nobody/x".into()), ..How::default() };
    assert!(matches!(scene.chat.say(Say::text("Hi"), &how, &unwatched()).await, Err(GatewayError::Resolve(_))));
    assert!(scene.chat.set_model("nobody/x").await.is_err());
    assert_eq!(scene.chat.model().await.expect("a model"), "offline");
    assert!(scene.path().await.is_empty(), "nothing was said");
}

#[tokio::test]
async fn two_who_speak_at_once_keep_the_newer_message_on_the_path() {
    let scene = Scene::offline().await;
    scene.say("!say begin").await;
    let (live, mut events) = Live::new();
    let how = How::default();
    let first = scene.chat.say(Say::text("!stall 0.3\n!say slow"), &how, &live);
    let second = async {
        while events.recv().await.is_some_and(|event| !matches!(event, Event::Sent { .. })) {}
        let said = scene.say("!say quick").await;
        drop(events);
        said
    };
    let (slow, quick) = tokio::join!(first, second);
    assert_eq!(shown(&slow.expect("a reply").node), "agent: slow");
    assert_eq!(scene.chat.head().await.expect("a head"), Some(quick.node.id));
    let path = scene.path().await;
    assert!(path.contains(&"me: !say quick".to_owned()), "{path:#?}");
}

#[tokio::test]
async fn a_reply_comes_to_its_end_when_nobody_waits_for_it_any_more() {
    let scene = Scene::offline().await;
    let (live, mut events) = Live::new();
    let chat = scene.chat.clone();
    let saying = tokio::spawn(async move { chat.say(Say::text("!stream 200\n!say all of it"), &How::default(), &live).await });
    while events.recv().await.is_some_and(|event| !matches!(event, Event::Delta { .. })) {}
    saying.abort();
    while events.recv().await.is_some_and(|event| !matches!(event, Event::Ended { .. })) {}
    assert_eq!(scene.path().await, ["me: !stream 200\n!say all of it", "agent: all of it"]);
}

#[tokio::test]
async fn a_flag_that_was_set_already_is_not_undone() {
    let scene = Scene::offline().await;
    let first = scene.say("!say One").await.node;
    scene.chat.flag(&first.id, Flag::Pinned, true).await.expect("a flag");
    scene.chat.flag(&first.id, Flag::Pinned, true).await.expect("the flag");
    scene.chat.undo().await.expect("undone");
    assert!(!scene.node(&first.id).pinned);
}
