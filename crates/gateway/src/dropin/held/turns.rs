//! A conversation as a client of these APIs sees it: what was asked and what was answered, by turns.
//!
//! Only meaning counts. Reasoning, system texts, marks and blanks are not part of it, nor is what Weft did inside a turn: the
//! calls that it ran itself, and their results. So what a client knows and what a space holds can be compared.

use serde_json::Value;
use weftwork::model::{Json, Media, Part, ResultContent, ToolCall, ToolResult};

/// A turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    Asked(Vec<Asked>),
    Answered(Answered),
}

/// One thing that was asked: a result, or a message.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) meaning: Meaning,
    pub(super) parts: Vec<Part>,
    /// Where it stands among what was sent, from 1.
    pub(super) at: usize,
}

/// What it says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Result { id: String, said: String },
    Said { text: String, media: Vec<Media> },
}

impl PartialEq for Asked {
    fn eq(&self, other: &Asked) -> bool {
        self.meaning == other.meaning
    }
}

/// What was answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Answered {
    text: String,
    /// The same with its blanks, for a person.
    raw: String,
    /// Calls that are the client's to run.
    pub(super) calls: Vec<ToolCall>,
    /// Whether it broke off: a client may have seen less of it.
    broke_off: bool,
    pub(super) at: usize,
}

impl PartialEq for Answered {
    fn eq(&self, other: &Answered) -> bool {
        let called = |one: &Answered| one.calls.iter().map(|call| (call.name.clone(), value(&call.args))).collect::<Vec<_>>();
        match (self.broke_off, other.broke_off) {
            (true, _) => self.text.starts_with(&other.text),
            (_, true) => other.text.starts_with(&self.text),
            (false, false) => self.text == other.text && called(self) == called(other),
        }
    }
}

/// Whose results stand in an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// The client's, which asks with them.
    There,
    /// Weft's own: part of the answer.
    Here,
}

/// Who speaks in an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    Client,
    Agent,
}

/// A node on either side.
pub(super) struct Entry<'n> {
    pub(super) voice: Voice,
    pub(super) results: Ran,
    pub(super) parts: &'n [Part],
    pub(super) broke_off: bool,
    pub(super) at: usize,
}

/// The turns of one side.
pub(super) fn turns<'n>(entries: impl Iterator<Item = Entry<'n>>) -> Vec<Turn> {
    let mut turns = Vec::new();
    entries.for_each(|entry| take(&mut turns, entry));
    turns
}

fn take(turns: &mut Vec<Turn>, entry: Entry<'_>) {
    let mut said = (Vec::new(), String::new(), Vec::new());
    for part in entry.parts {
        match (part, entry.voice) {
            (Part::ToolResult(result), _) if result.native.is_none() => match entry.results {
                Ran::Here => answer(turns, entry.at, |answer| answer.calls.retain(|call| call.id != result.id)),
                Ran::There => {
                    let meaning = Meaning::Result { id: result.id.clone(), said: told(result) };
                    ask(turns, Asked { meaning, parts: vec![part.clone()], at: entry.at });
                }
            },
            (Part::Text(text), Voice::Agent) => answer(turns, entry.at, |answer| {
                answer.text.push_str(&bare(&text.text));
                answer.raw.push_str(&text.text);
            }),
            (Part::ToolCall(call), Voice::Agent) if call.native.is_none() => {
                answer(turns, entry.at, |answer| answer.calls.push(call.clone()));
            }
            (Part::Text(text), Voice::Client) => {
                said.0.push(part.clone());
                said.1.push_str(&bare(&text.text));
            }
            (Part::Image(image), Voice::Client) => {
                said.0.push(part.clone());
                said.2.push(image.media.clone());
            }
            (Part::File(file), Voice::Client) => {
                said.0.push(part.clone());
                said.2.push(file.media.clone());
            }
            (Part::ToolResult(_) | Part::ToolCall(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_), _) => {}
        }
    }
    if entry.broke_off {
        answer(turns, entry.at, |answer| answer.broke_off = true);
    }
    let (parts, text, media) = said;
    if !text.is_empty() || !media.is_empty() {
        ask(turns, Asked { meaning: Meaning::Said { text, media }, parts, at: entry.at });
    }
}

fn ask(turns: &mut Vec<Turn>, asked: Asked) {
    match turns.last_mut() {
        Some(Turn::Asked(all)) => all.push(asked),
        Some(Turn::Answered(_)) | None => turns.push(Turn::Asked(vec![asked])),
    }
}

fn answer(turns: &mut Vec<Turn>, at: usize, add: impl FnOnce(&mut Answered)) {
    if !matches!(turns.last(), Some(Turn::Answered(_))) {
        turns.push(Turn::Answered(Answered { at, ..Answered::default() }));
    }
    if let Some(Turn::Answered(answer)) = turns.last_mut() {
        add(answer);
    }
}

/// A text without blanks: clients trim, and join pieces with what they like.
fn bare(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

fn told(result: &ToolResult) -> String {
    match &result.content {
        ResultContent::Text(text) => bare(text),
        ResultContent::Parts(parts) => {
            parts.iter().map(|part| if let Part::Text(text) = part { bare(&text.text) } else { String::new() }).collect()
        }
    }
}

/// Arguments as what they mean: the order of fields is none of it.
fn value(args: &Json) -> Value {
    args.value().unwrap_or(Value::Null)
}

impl Turn {
    /// Where it begins among what was sent.
    pub(super) fn at(&self) -> usize {
        match self {
            Turn::Asked(all) => all.first().map_or(0, |asked| asked.at),
            Turn::Answered(answer) => answer.at,
        }
    }

    /// The beginning of it, for a person.
    pub(super) fn shown(&self) -> String {
        const MOST: usize = 40;
        let (who, text) = match self {
            Turn::Asked(all) => ("user", all.first().map_or(String::new(), |asked| asked.shown())),
            Turn::Answered(answer) if answer.text.is_empty() && !answer.calls.is_empty() => {
                ("assistant", format!("calls {}", answer.calls[0].name))
            }
            Turn::Answered(answer) => ("assistant", answer.raw.clone()),
        };
        let short: String = text.chars().take(MOST).collect();
        let more = if text.chars().count() > MOST { "…" } else { "" };
        format!("{who}: {short:?}{more}")
    }
}

impl Asked {
    /// Whether it answers a call, which there is once.
    pub(super) fn is_result(&self) -> bool {
        matches!(self.meaning, Meaning::Result { .. })
    }

    fn shown(&self) -> String {
        let first = self.parts.iter().find_map(|part| if let Part::Text(text) = part { Some(text.text.clone()) } else { None });
        match &self.meaning {
            Meaning::Result { id, .. } => format!("the result of {id}"),
            Meaning::Said { .. } => first.unwrap_or_else(|| "a picture or file".to_owned()),
        }
    }
}
