//! The loom: one text with several ways on.

use super::chat::unwatched;
use super::team::MIRA;
use super::{DemoError, LOOM, agent, person};
use crate::chat::{Chat, How, Open, Say};
use crate::gateway::Gateway;
use weftwork::model::{Conversation, Mode, Part, Sampling, Space};
use weftwork_store::Flag;

const BEGINNING: &str = "The night market opens when the last ferry has left.";
const OWN_WORDS: &str = " Lanterns go up one by one along the quay, and nobody asks who lit the first.";

/// Makes the space and lets the text grow.
pub(super) async fn play(gateway: &Gateway) -> Result<(), DemoError> {
    let mut header = Conversation::new(Space { mode: Mode::Buffer, ..Space::new(LOOM, "The night market, a story") });
    header.entities = vec![person(MIRA, "Mira"), agent("demo-pen", "Pen", "")];
    let now = gateway.now();
    gateway.stored(move |store| store.create_space(&header, now)).await?;
    let chat = Chat::open(gateway, Open { space: Some(LOOM.into()), ..Open::default() }).await?;
    let live = unwatched();
    let continued = chat.say(Say::text(BEGINNING), &How::default(), &live).await?.node;
    // A person says it better: their words stand beside the model's.
    let better = chat.edit(&continued.id, vec![Part::text(OWN_WORDS)], &How::default(), &live).await?.node;
    chat.flag(&better.id, Flag::Bookmarked, true).await?;
    let way = |seed: i64| How { sampling: Some(Sampling { seed: Some(seed), ..Sampling::default() }), ..How::default() };
    let ways = chat.generate(&[way(1), way(2), way(3)], &live).await?;
    let second = ways.into_iter().nth(1).ok_or(DemoError::Astray { what: "a way on is missing" })??.node;
    chat.switch(&second.id).await?;
    chat.go_on(&How::default(), &live).await?;
    Ok(())
}
