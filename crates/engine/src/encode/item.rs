//! Output items of Responses, as they stand in a response and at the end of each in a stream.

use crate::dialect::json::Writer;
use crate::model::Reasoning;

/// How far an item has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Going,
    Completed,
    Incomplete,
}

impl Progress {
    pub(super) fn word(self) -> &'static str {
        match self {
            Progress::Going => "in_progress",
            Progress::Completed => "completed",
            Progress::Incomplete => "incomplete",
        }
    }
}

/// One JSON value as text.
pub(super) fn written(value: impl FnOnce(&mut Writer)) -> String {
    let mut w = Writer::with_capacity(256);
    value(&mut w);
    String::from_utf8(w.finish()).expect("texts and our own words are UTF-8")
}

/// A message with one text, or none yet.
pub(super) fn message(id: &str, progress: Progress, text: Option<&str>) -> String {
    written(|w| {
        w.object(|w| {
            w.key("id").string(id);
            w.key("type").word("message");
            w.key("status").word(progress.word());
            w.key("role").word("assistant");
            w.key("content").array(|w| text.into_iter().for_each(|text| output_text(w, text)));
        });
    })
}

pub(super) fn output_text(w: &mut Writer, text: &str) {
    w.object(|w| {
        w.key("type").word("output_text");
        w.key("text").string(text);
        w.key("annotations").array(|_| {});
        w.key("logprobs").array(|_| {});
    });
}

/// Thinking, with its encrypted content when it is whole.
pub(super) fn reasoning(id: &str, reasoning: &Reasoning) -> String {
    written(|w| {
        w.object(|w| {
            w.key("id").string(id);
            w.key("type").word("reasoning");
            w.key("summary").array(|w| {
                if !reasoning.text.is_empty() {
                    summary_text(w, &reasoning.text);
                }
            });
            if let Some(encrypted) = &reasoning.signature {
                w.key("encrypted_content").string(encrypted);
            }
        });
    })
}

pub(super) fn summary_text(w: &mut Writer, text: &str) {
    w.object(|w| {
        w.key("type").word("summary_text");
        w.key("text").string(text);
    });
}

/// A call of a client's tool.
pub(super) fn call(id: &str, progress: Progress, call_id: &str, name: &str, args: &str) -> String {
    written(|w| {
        w.object(|w| {
            w.key("id").string(id);
            w.key("type").word("function_call");
            w.key("status").word(progress.word());
            w.key("arguments").string(args);
            w.key("call_id").string(call_id);
            w.key("name").string(name);
        });
    })
}
