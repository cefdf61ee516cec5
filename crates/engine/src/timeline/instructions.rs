//! INSTRUCTIONS: how an agent in a space behaves. The lines are a format that users see; they stay as they are.

use super::text::Text;
use super::view::Advice;

const INSTRUCTIONS: &str = "INSTRUCTIONS:
  - Your text output is internal reasoning — never shown to anyone. Keep it brief.
  - Use send_message to communicate. The trigger space is already active — call enter_space only if you need to switch to a different space.
  - Use read_messages to load conversation history from any space you belong to.
  - If you have nothing to contribute, end this run without sending a message.
  - Set wait=true on send_message to pause until a reply arrives.
  - Provide messageId on send_message to reply to a specific message and resume any waiting run.";

const NEW_RUN: &str = "
  - For a new independent task, let a new run begin rather than chaining on in this one.";

pub(super) fn instructions(advice: Advice) -> Text {
    let mut text = Text::begin(INSTRUCTIONS);
    match advice {
        Advice::Seed => {}
        Advice::NewRunForNewTask => {
            text.word(NEW_RUN);
        }
    }
    text
}
