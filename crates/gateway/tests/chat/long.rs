//! A long conversation with a small window.

use crate::scene::{Scene, unwatched};
use std::collections::HashSet;
use weftwork::ask::{Settings, Share};
use weftwork::model::{Node, Part, Usage};
use weftwork::report::Decision;
use weftwork_gateway::{Event, How, Live, Say};
use weftwork_store::Draft;

/// More than it was, in every bucket.
fn grew(before: Usage, after: Usage) -> bool {
    after.input >= before.input
        && after.output >= before.output
        && after.cache_read >= before.cache_read
        && after.cache_write >= before.cache_write
}

#[tokio::test]
async fn two_hundred_turns_never_exceed_the_window_and_usage_never_falls() {
    const WINDOW: u64 = 2_000;
    let config = format!("[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = {WINDOW}");
    let scene = Scene::configured(&config, "small/offline").await;
    let mut dice = fastrand::Rng::with_seed(7);
    let mut used = Usage::default();
    for turn in 0..200 {
        let text = format!("!say {} {turn}", "word ".repeat(dice.usize(1..120)));
        let head = scene.chat.head().await.expect("a head");
        match (dice.u32(0..10), head) {
            (0, Some(_)) => drop(scene.chat.retry(None, &How::default(), &unwatched()).await.expect("a reply")),
            (1, Some(head)) => {
                let message = scene.node(&head).parent.expect("a message");
                let parts = vec![Part::text(text)];
                scene.chat.edit(&message, parts, &How::default(), &unwatched()).await.expect("a reply");
            }
            (2, _) => {
                let (live, mut events) = Live::new();
                let (how, say) = (How::default(), Say::text(format!("!stream 50\n{text}")));
                let stopping = async {
                    while events.recv().await.is_some_and(|event| !matches!(event, Event::Delta { .. })) {}
                    live.cancel.cancel();
                    drop(events);
                };
                let (said, ()) = tokio::join!(scene.chat.say(say, &how, &live), stopping);
                said.expect("what came");
            }
            (3, _) => drop(scene.try_say(&format!("{text}\n!fail 400")).await.expect_err("a failure")),
            _ => drop(scene.say(&text).await),
        }
        let now = scene.used();
        assert!(grew(used, now), "turn {turn}: {used:?} became {now:?}");
        used = now;
    }
    let calls = scene.calls();
    assert!(calls.len() >= 200);
    for call in &calls {
        let counted = call.usage.expect("usage");
        assert!(counted.input + counted.cache_read + counted.cache_write <= WINDOW, "{call:?}");
    }
    assert_eq!(calls.iter().filter_map(|call| call.usage).fold(Usage::default(), |sum, usage| sum + usage), used);
}

#[tokio::test]
async fn a_look_at_a_long_chat_reads_what_the_window_can_hold_and_tells_of_every_node() {
    const SAID: u64 = 2_000;
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 2000";
    let scene = Scene::configured(config, "small/offline").await;
    let first = scene.say("the first words").await;
    let speakers = [scene.node(first.node.parent.as_ref().expect("a message")).author, first.node.author];
    for number in 2..SAID {
        let author = speakers[number as usize % 2].clone();
        let node = Node::new("", None, author).text(format!("message {number}, about as long as people write"));
        scene.store().append(scene.chat.space(), Draft::new(node)).expect("said");
    }
    // A cut that is held is found by playing the whole path.
    let unheld = How { settings: Settings { low_water: Some(Share::WHOLE), ..Settings::default() }, ..How::default() };
    let (history, looked_at) = scene.chat.preview(None, &unheld).await.expect("a request");
    assert!(history.nodes().len() < 500, "{} nodes were read", history.nodes().len());
    let items = &looked_at.report.items;
    assert_eq!(items.iter().map(|item| item.nodes).sum::<u64>(), SAID);
    assert!(items.iter().filter(|item| item.decision != Decision::Dropped).all(|item| item.nodes == 1));
    let whole = scene.store().export(scene.chat.space()).expect("all of it");
    let named: HashSet<_> = whole.nodes.iter().map(|node| &node.id).collect();
    assert!(items.iter().all(|item| named.contains(&item.from) && named.contains(&item.to)));
}
