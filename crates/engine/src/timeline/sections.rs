//! Who the agent is, why it runs and where: IDENTITY, TRIGGER, ACTIVE SPACE, YOUR SPACES.

use super::encode::{Encoded, YOU};
use super::text::Text;
use super::view::{FindEntity, View, ViewError};
use crate::ask::Layout;
use crate::model::{PlanTrigger, ServiceTrigger, SpaceMessageTrigger, SpaceRef, Timestamp, Trigger};

/// Who the agent is; in the seed's layout also what time it is.
pub(super) fn identity(view: &View<'_>) -> Text {
    let mut text = Text::begin("IDENTITY:");
    text.word("\n  name: ").value(Encoded::quoted(&view.viewer.name));
    text.word("\n  entityId: ").value(Encoded::quoted(view.viewer.id.as_str()));
    match view.layout {
        Layout::Seed => write_time(text.word("\n  "), "currentTime", view.now),
        Layout::CacheStable => {}
    }
    text
}

/// What time it is, where that stands apart.
pub(super) fn time(view: &View<'_>) -> Text {
    let mut text = Text::default();
    write_time(&mut text, "currentTime", view.now);
    text
}

fn write_time(text: &mut Text, field: &'static str, time: &Timestamp) {
    text.word(field).word(": \"").value(Encoded::time(time)).word("\"");
}

/// Why the agent runs.
pub(super) fn trigger(view: &View<'_>, find: FindEntity<'_, '_>) -> Result<Option<Text>, ViewError> {
    view.trigger
        .map(|trigger| match trigger {
            Trigger::SpaceMessage(message) => space_message(view, message, find),
            Trigger::Plan(plan) => Ok(plan_due(plan)),
            Trigger::Service(service) => Ok(delivered(service)),
        })
        .transpose()
}

fn space_message(view: &View<'_>, message: &SpaceMessageTrigger, find: FindEntity<'_, '_>) -> Result<Text, ViewError> {
    let space = &message.space;
    let name = view.space_name(space).ok_or_else(|| ViewError::UnknownSpace { id: space.clone() })?;
    let sender = find(&message.sender).ok_or_else(|| ViewError::UnknownSender { id: message.sender.clone() })?;
    let mut text = Text::begin("TRIGGER:\n  type: space_message\n  space: ");
    text.value(Encoded::quoted(name)).word(" (id: ").value(Encoded::id(space.as_str())).word(")");
    text.word("\n  sender: ").value(Encoded::name(&sender.name)).word(" (").word(sender.kind.word());
    text.word(", id: ").value(Encoded::id(sender.id.as_str())).word(")");
    text.word("\n  message: ").value(Encoded::quoted(&message.message));
    text.word("\n  messageId: ").value(Encoded::id(message.message_id.as_str()));
    if let Some(time) = &message.timestamp {
        write_time(text.word("\n  "), "timestamp", time);
    }
    text.word("\n  senderExpectsReply: ").word(if message.sender_expects_reply { "true" } else { "false" });
    text.word("\n  chainDepth: ").value(Encoded::number(message.chain_depth));
    for (at, id) in message.also_triggering.iter().enumerate() {
        text.word(if at == 0 { "\n  alsoTriggering: msg:" } else { ", msg:" }).value(Encoded::id(id.as_str()));
    }
    Ok(text)
}

fn plan_due(plan: &PlanTrigger) -> Text {
    let mut text = Text::begin("TRIGGER:\n  type: plan\n  plan: ");
    text.value(Encoded::quoted(&plan.name)).word(" (id: ").value(Encoded::id(&plan.plan)).word(")");
    text.word("\n  instruction: ").value(Encoded::quoted(&plan.instruction));
    if let Some(time) = &plan.scheduled_at {
        write_time(text.word("\n  "), "scheduledAt", time);
    }
    text
}

fn delivered(service: &ServiceTrigger) -> Text {
    let mut text = Text::begin("TRIGGER:\n  type: service\n  service: ");
    text.value(Encoded::quoted(&service.service));
    text.word("\n  payload: ").value(Encoded::json(&service.payload));
    text
}

/// Where the agent is.
pub(super) fn active_space(view: &View<'_>) -> Text {
    let mut text = Text::begin("ACTIVE SPACE: ");
    let Some(here) = &view.here else {
        text.word("none (call enter_space to enter a space first)");
        return text;
    };
    text.value(Encoded::quoted(&here.space.name)).word(" (id: ").value(Encoded::id(here.space.id.as_str())).word(")");
    match view.trigger {
        Some(Trigger::SpaceMessage(message)) if message.space == here.space.id => {
            text.word("  [auto-set from trigger]");
        }
        Some(_) | None => {}
    }
    text
}

/// Where the agent is a member.
pub(super) fn spaces(view: &View<'_>, find: FindEntity<'_, '_>) -> Result<Option<Text>, ViewError> {
    if view.spaces.is_empty() {
        return Ok(None);
    }
    let mut text = Text::begin("YOUR SPACES:");
    for space in view.spaces {
        text.word("\n  - ").value(Encoded::quoted(&space.name));
        text.word(" (id: ").value(Encoded::id(space.id.as_str())).word(")");
        if view.here.as_ref().is_some_and(|here| here.space.id == space.id) {
            text.word(" [ACTIVE]");
        }
        write_members(&mut text, view, space, find)?;
    }
    Ok(Some(text))
}

fn write_members(text: &mut Text, view: &View<'_>, space: &SpaceRef, find: FindEntity<'_, '_>) -> Result<(), ViewError> {
    for (at, id) in space.members.iter().enumerate() {
        text.word(if at == 0 { " — " } else { ", " });
        if *id == view.viewer.id {
            text.word(YOU);
            continue;
        }
        let member = find(id).ok_or_else(|| ViewError::UnknownMember { space: space.id.clone(), id: id.clone() })?;
        text.value(Encoded::listed(&member.name)).word(" (").word(member.kind.word()).word(")");
    }
    Ok(())
}
