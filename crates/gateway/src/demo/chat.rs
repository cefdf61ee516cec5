//! The chat: a person and an agent, with an edit, a second reply and a summary.

use super::script::Script;
use super::team::MIRA;
use super::{CHAT, DemoError, agent, person};
use crate::chat::{Chat, How, Open, Say};
use crate::event::Live;
use crate::gateway::Gateway;
use weftwork::model::{Conversation, Part, Space};

/// Makes the space and lets them talk.
pub(super) async fn play(gateway: &Gateway) -> Result<(), DemoError> {
    let mut header = Conversation::new(Space::new(CHAT, "How a conversation branches"));
    let guide = agent("demo-guide", "Guide", "You explain Weft, a sentence or two at a time.");
    header.entities = vec![person(MIRA, "Mira"), guide];
    let now = gateway.now();
    gateway.stored(move |store| store.create_space(&header, now)).await?;
    let chat = Chat::open(gateway, Open { space: Some(CHAT.into()), ..Open::default() }).await?;
    let (how, live) = (How::default(), unwatched());
    let first = Script::new("What happens when I edit a message?")
        .say("Nothing is lost. The edited message stands beside the old one, and a branch begins there.");
    chat.say(Say::text(first.text()), &how, &live).await?;
    let second = Script::new("And when I ask for another reply?")
        .say("It stands beside the first one. You can walk between them: /switch next, or the arrows on the page.");
    let replied = chat.say(Say::text(second.text()), &how, &live).await?;
    chat.retry(None, &how, &live).await?;
    let asked = replied.node.parent.ok_or(DemoError::Astray { what: "a reply replies to nothing" })?;
    let other = Script::new("And when a conversation gets long?")
        .say("Then a summary can stand for what was said. It hides nothing for good: you can undo it.");
    chat.edit(&asked, vec![Part::text(other.text())], &how, &live).await?;
    chat.summarize(0, &live).await?;
    let last = Script::new("What do you see of all this now?")
        .say("The summary, and what was said after it. /context shows the very request, and why each message is in it or not.");
    chat.say(Say::text(last.text()), &how, &live).await?;
    Ok(())
}

/// Nobody watches.
pub(super) fn unwatched() -> Live {
    Live::new().0
}
