//! Tools of real MCP servers in a chat.

use crate::scene::{Scene, shown};
use crate::server::{Server, fixture, ok, send};
use std::path::Path;
use weftwork::model::{Part, Status};
use weftwork_gateway::tools::Decision;
use weftwork_gateway::{Event, How, Live, MOST_ROUNDS, Notice, Say};

/// A chat with the model on board and a server of tools called `s`, made with the Python SDK.
pub(crate) async fn scene(lines: &str) -> Scene {
    let home = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/mcp-servers/python/bin/python");
    let python = std::env::var("WEFT_MCP_PYTHON").unwrap_or_else(|_| home.to_owned());
    assert!(Path::new(&python).exists(), "no {python}: run scripts/mcp-servers.sh");
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/servers/server.py");
    Scene::configured(&format!("[mcp.s]\ncommand = [{python:?}, {server:?}, \"stdio\"]\n{lines}"), "offline").await
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_run_at_once_and_their_results_stand_in_call_order() {
    let scene = scene("approval = \"always\"").await;
    let script = "!call s__slow {\"seconds\": 0.3}\n!call s__echo {\"text\": \"one\"}\n!call s__fail {}\n!say Done";
    let (replied, events) = scene.watch(script).await;
    assert_eq!(shown(&replied.expect("a reply").node), "agent: Done");
    let path = scene.path().await;
    assert_eq!(path.len(), 4, "{path:#?}");
    let results = &path[2];
    let at = |text: &str| results.find(text).unwrap_or_else(|| panic!("{text} in {results}"));
    assert!(at("gave: slept") < at("gave: one") && at("gave: one") < at("failed: it broke"), "{results}");
    let started = events.iter().filter(|event| matches!(event, Event::ToolStarted { .. })).count();
    let ended = events.iter().filter(|event| matches!(event, Event::ToolEnded { .. })).count();
    assert_eq!((started, ended), (3, 3));
    assert!(events.iter().any(|event| matches!(event, Event::ToolProgress { message, .. } if message.contains("step 1"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_asked_once_and_refusing_is_an_answer_too() {
    let scene = scene("").await;
    for (decision, expected, asked_again) in
        [(Decision::Refuse, "failed:", true), (Decision::Once, "gave: hi", true), (Decision::Always, "gave: hi", false)]
    {
        let (live, mut events) = Live::new();
        let how = How::default();
        let saying = async {
            let said = scene.chat.say(Say::text("!call s__echo {\"text\": \"hi\"}"), &how, &live).await;
            drop(live);
            said.expect("a reply")
        };
        let answering = async {
            let mut asked = 0;
            while let Some(event) = events.recv().await {
                if let Event::Permission(approval) = event {
                    assert_eq!((approval.server.as_deref(), approval.call.args.text()), (Some("s"), "{\"text\": \"hi\"}"));
                    let _ = approval.answer.send(decision);
                    asked += 1;
                }
            }
            asked
        };
        let (_, asked) = tokio::join!(saying, answering);
        assert_eq!(asked, 1, "{decision:?}");
        let path = scene.path().await;
        assert!(path[path.len() - 2].contains(expected), "{decision:?}: {path:#?}");
        if !asked_again {
            let (_, events) = scene.watch("!call s__echo {\"text\": \"again\"}").await;
            assert!(!events.iter().any(|event| matches!(event, Event::Permission(_))), "it was said that it may always run");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_to_ask_refuses() {
    let scene = scene("").await;
    scene.say("!call s__echo {\"text\": \"hi\"}").await;
    assert!(scene.path().await[2].contains("failed:"), "{:?}", scene.path().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_result_is_shortened_and_can_be_read_on() {
    let scene = scene("approval = \"always\"").await;
    scene.say("!call s__big {\"bytes\": 100000}\n!say Long").await;
    let results = scene.path().await[2].clone();
    assert!(results.len() < 24_000 && results.contains("read_result"), "{} bytes", results.len());
    assert!(results.contains("line 0\n"));
    let head = scene.chat.head().await.expect("a head").expect("a node");
    let shortened = scene.node(&scene.node(&head).parent.expect("results"));
    let Part::ToolResult(result) = &shortened.parts[0] else { panic!("a result") };
    let whole = scene.store().whole(scene.chat.space(), Some(&shortened.id), &result.id).expect("no fault").expect("the whole");
    assert_eq!(whole.len(), 100_000);
    scene.say(&format!("!call read_result {{\"id\": \"{}\", \"offset\": 50000, \"limit\": 100}}", result.id)).await;
    let read = scene.path().await[6].clone();
    let expected = String::from_utf8_lossy(&whole[50_000..50_100]).into_owned();
    assert!(read.contains("[bytes 50000 to 50100 of 100000]") && read.contains(&expected), "{read}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_during_a_tool_leaves_no_call_without_a_result() {
    let scene = scene("approval = \"always\"").await;
    let (live, mut events) = Live::new();
    let how = How::default();
    let saying = scene.chat.say(Say::text("!call s__slow {\"seconds\": 600}\n!say never"), &how, &live);
    let stopping = async {
        while events.recv().await.is_some_and(|event| !matches!(event, Event::ToolStarted { .. })) {}
        live.cancel.cancel();
        while events.recv().await.is_some_and(|event| !matches!(event, Event::ToolEnded { .. })) {}
    };
    let (replied, ()) = tokio::join!(saying, stopping);
    let node = replied.expect("what came").node;
    assert!(shown(&node).contains("failed:") && shown(&node).contains("unknown"), "{}", shown(&node));
    assert_eq!(node.status, Status::Sent);
    assert_eq!(scene.calls().len(), 1, "the model is not asked again");
    let next = scene.say("!say on we go").await;
    assert_eq!(shown(&next.node), "agent: on we go");
}

#[tokio::test]
async fn a_model_that_never_stops_calling_is_stopped() {
    let rounds = MOST_ROUNDS as usize + 1;
    let server = Server::play(vec![vec![ok(), send(fixture("openai-tools.sse"))]; rounds + 3]).await;
    let scene = Scene::at("openai", &server).await;
    let (replied, events) = scene.watch("Weather?").await;
    let node = replied.expect("an end").node;
    assert!(shown(&node).contains("Not run: too many rounds"), "{}", shown(&node));
    assert!(events.iter().any(|event| matches!(event, Event::Notice(Notice::TooManyRounds { most: MOST_ROUNDS }))));
    assert_eq!((server.requests().len(), scene.path().await.len()), (rounds, 1 + 2 * rounds));
}

#[tokio::test]
async fn a_server_that_cannot_be_started_is_told_of_once_and_stops_nothing() {
    let scene = Scene::configured("[mcp.gone]\ncommand = [\"weft-no-such-program\"]", "offline").await;
    let (replied, events) = scene.watch("!say fine").await;
    assert_eq!(shown(&replied.expect("a reply").node), "agent: fine");
    let told = |events: &[Event]| {
        events.iter().any(|event| matches!(event, Event::Notice(Notice::NoServer { server, .. }) if server == "gone"))
    };
    assert!(told(&events));
    let (_, events) = scene.watch("!say fine").await;
    assert!(!told(&events));
}
