//! A reply as it comes: text, thinking, tools.

use super::command::Showing;
use super::screen::{Screen, Shown, Thinking, Voice};
use crate::preview::{cut, plain};
use crate::style::Ink;
use std::time::Duration;
use weftwork::decode::{Delta, Stop};
use weftwork::model::{Part, ResultContent, ToolCall, ToolResult};
use weftwork_gateway::{Event, Notice, Used};

/// Columns of a tool's arguments and of its answer.
const SHORTENED: usize = 60;

/// What is seen of a reply.
pub(crate) struct Reel {
    screen: Screen,
    reasoning: Showing,
    voice: Voice,
    thinking: Thinking,
    doing: Doing,
    /// How many replies are written at once.
    replies: usize,
    /// What the last call used.
    pub(crate) used: Option<Used>,
}

/// What the last thing seen was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Nothing,
    Saying,
    Thinking,
}

impl Reel {
    pub(crate) fn new(screen: Screen, reasoning: Showing, replies: usize) -> Reel {
        let (voice, thinking) = (screen.voice(), Thinking::new(screen.page()));
        Reel { screen, reasoning, voice, thinking, doing: Doing::Nothing, replies, used: None }
    }

    /// What an event adds to what is seen.
    pub(crate) fn show(&mut self, strand: usize, event: &Event) -> Vec<Shown> {
        match event {
            Event::Delta { delta, .. } => self.delta(delta),
            Event::Sent { model, .. } => self.begins(strand, model),
            Event::Again { error, after, .. } => {
                let void = if self.doing == Doing::Nothing { "" } else { "; what came so far does not count" };
                self.aside(
                    Ink::Notice,
                    &format!("[{}: once more in {:.0} s{void}]", plain(&error.to_string()), after.as_secs_f64()),
                )
            }
            Event::Smaller { .. } => self.aside(Ink::Notice, "[it did not fit after all: less is sent]"),
            Event::Ended { stop, used, .. } => {
                self.used = Some(*used);
                let mut all = self.close();
                all.extend(ending(*stop).map(|text| self.line(Ink::Notice, text)));
                all
            }
            Event::ToolStarted { call, .. } => self.aside(Ink::Faint, &format!("→ {}", short_call(call))),
            Event::ToolProgress { message, .. } => self.aside(Ink::Faint, &format!("  {}", cut(&plain(message), SHORTENED))),
            Event::ToolEnded { result, took } => self.ended(result, *took),
            Event::Notice(notice) => self.aside(Ink::Notice, &format!("[{}]", told(notice))),
            Event::Added(_) | Event::Permission(_) => Vec::new(),
        }
    }

    /// Ends the line, whatever stands on it.
    pub(crate) fn close(&mut self) -> Vec<Shown> {
        let rest = match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Nothing => return Vec::new(),
            Doing::Saying => Shown::Said(self.voice.finish()),
            Doing::Thinking => Shown::Aside(self.thinking.finish()),
        };
        vec![rest]
    }

    fn delta(&mut self, delta: &Delta) -> Vec<Shown> {
        match delta {
            Delta::Text(text) => {
                let mut all = self.turn_to(Doing::Saying);
                all.push(Shown::Said(self.voice.push(text)));
                all
            }
            Delta::Reasoning(text) if self.reasoning == Showing::On && self.screen.is_terminal() => {
                let mut all = self.turn_to(Doing::Thinking);
                all.push(Shown::Aside(self.thinking.push(text)));
                all
            }
            Delta::Part(part) => self.aside(Ink::Faint, &format!("[{}]", part_name(part))),
            // A call is shown when it runs.
            Delta::Reasoning(_) | Delta::ReasoningEnd(_) | Delta::CallStart { .. } | Delta::CallArgs { .. } | Delta::Usage(_) => {
                Vec::new()
            }
        }
    }

    fn turn_to(&mut self, doing: Doing) -> Vec<Shown> {
        let all = if self.doing == doing { Vec::new() } else { self.close() };
        self.doing = doing;
        all
    }

    /// Which of several replies begins, and whose it is.
    pub(crate) fn begins(&mut self, strand: usize, model: &str) -> Vec<Shown> {
        match self.replies {
            0 | 1 => Vec::new(),
            many => self.aside(Ink::Strong, format!("‹{}/{many}› {}", strand + 1, plain(model)).trim_end()),
        }
    }

    fn ended(&mut self, result: &ToolResult, took: Duration) -> Vec<Shown> {
        let (sign, ink) = if result.is_error { ("✗ failed", Ink::Bad) } else { ("✓ ok", Ink::Faint) };
        let first = cut(&plain(&first_line(&result.content)), SHORTENED);
        self.aside(ink, &format!("  {sign} {:.1} s  {first}", took.as_secs_f64()))
    }

    fn aside(&mut self, ink: Ink, text: &str) -> Vec<Shown> {
        let mut all = self.close();
        all.push(self.line(ink, text));
        all
    }

    fn line(&self, ink: Ink, text: &str) -> Shown {
        Shown::Aside(self.screen.inked(ink, text))
    }
}

/// A call in a few words.
pub(crate) fn short_call(call: &ToolCall) -> String {
    format!("{} {}", plain(&call.name), cut(&plain(call.args.text()), SHORTENED))
}

fn first_line(content: &ResultContent) -> String {
    match content {
        ResultContent::Text(text) => text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned(),
        ResultContent::Parts(parts) => parts.iter().map(part_name).collect::<Vec<_>>().join(", "),
    }
}

fn part_name(part: &Part) -> String {
    match part {
        Part::Text(text) => plain(&text.text),
        Part::Reasoning(_) => "thinking".to_owned(),
        Part::ToolCall(call) => short_call(call),
        Part::ToolResult(result) => first_line(&result.content),
        Part::Image(image) => format!("picture, {}", plain(&image.media_type)),
        Part::File(file) => format!("file {}", plain(&file.name)),
    }
}

/// What a person should know about how a reply ended; nothing if all is well.
fn ending(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::End | Stop::ToolCalls | Stop::StopText | Stop::Paused | Stop::Cut => None,
        Stop::MaxTokens => Some("[the reply ran into its limit of tokens: /continue lets it go on]"),
        Stop::Refused => Some("[the model refused]"),
        Stop::Other => Some("[the reply ended for a reason of the provider's]"),
    }
}

pub(crate) fn told(notice: &Notice) -> String {
    match notice {
        Notice::NoServer { server, why } => format!("the tools of {} cannot be used: {}", plain(server), plain(why)),
        Notice::ToolChanged { tool } => {
            let tool = plain(tool);
            format!("{tool} says something else about itself than before and is not used: /tools approve {tool}")
        }
        Notice::TooManyRounds { most } => format!("the model asked for tools more than {most} times, and was stopped"),
        Notice::HalfCall => "the reply ended inside a tool call: nothing was run".to_owned(),
        Notice::SummedUp => "the conversation was summed up: /undo brings it back".to_owned(),
        Notice::NoSummary { why } => format!("no summary came about: {}", plain(why)),
        Notice::NoTitle { why } => format!("no title came about: {}", plain(why)),
    }
}
