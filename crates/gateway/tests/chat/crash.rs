//! What a dead process leaves behind.

use crate::scene::{Scene, shown};
use weftwork_gateway::{Event, How, Live, Say};
use weftwork_store::Outcome;

#[test]
fn every_pending_node_of_a_dead_process_becomes_an_error() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let process = runtime();
    let scene = process.block_on(async {
        let scene = Scene::offline().await;
        scene.say("!say One").await;
        let (live, mut events) = Live::new();
        let chat = scene.chat.clone();
        tokio::spawn(async move { chat.say(Say::text("!say half\n!stall 3600"), &How::default(), &live).await });
        while events.recv().await.is_some_and(|event| !matches!(event, Event::Delta { .. })) {}
        scene
    });
    // The process ends: nothing of it runs on, and nothing is tidied up.
    drop(process);
    runtime().block_on(async {
        let scene = scene.reopened().await;
        let path = scene.path().await;
        assert_eq!(path[3], "agent failed(the process ended before the reply did): ", "{path:#?}");
        assert_eq!(scene.calls()[1].outcome, Some(Outcome::Failed));
        let next = scene.say("!say Two").await;
        assert_eq!(shown(&next.node), "agent: Two");
    });
}
