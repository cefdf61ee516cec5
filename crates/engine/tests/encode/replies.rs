//! Replies to be told, and the deltas that make them.

use proptest::prelude::*;
use weftwork::decode::{Delta, Reply, Stop};
use weftwork::model::{Json, Part, Reasoning, Usage};

/// The deltas of a reply that came in pieces of at most so many characters.
pub(crate) fn deltas(reply: &Reply, most: usize) -> Vec<Delta> {
    let mut deltas = Vec::new();
    let mut calls = 0;
    for part in &reply.parts {
        match part {
            Part::Text(text) => deltas.extend(pieces(&text.text, most).map(Delta::Text)),
            Part::Reasoning(thought) => {
                deltas.extend(pieces(&thought.text, most).map(Delta::Reasoning));
                deltas.push(Delta::ReasoningEnd(thought.clone()));
            }
            Part::ToolCall(call) if call.native.is_none() => {
                let index = calls;
                calls += 1;
                deltas.push(Delta::CallStart { index, id: call.id.clone(), name: call.name.clone() });
                let args = call.args.as_string().unwrap_or_else(|| call.args.text().to_owned());
                deltas.extend(pieces(&args, most).map(|text| Delta::CallArgs { index, text }));
            }
            whole => deltas.push(Delta::Part(whole.clone())),
        }
    }
    deltas.extend(reply.usage.map(Delta::Usage));
    deltas
}

fn pieces(text: &str, most: usize) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars.chunks(most.max(1)).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}

/// The same deltas, with the pieces of all calls taken in turns.
pub(crate) fn interleaved(deltas: &[Delta]) -> Vec<Delta> {
    let is_args = |delta: &&Delta| matches!(delta, Delta::CallArgs { .. });
    let mut all: Vec<Delta> = deltas.iter().filter(|delta| !is_args(delta)).cloned().collect();
    let of =
        |wanted: usize| deltas.iter().filter(move |delta| matches!(delta, Delta::CallArgs { index, .. } if *index == wanted));
    let queues: Vec<Vec<&Delta>> = (0..8).map(|index| of(index).collect()).collect();
    let longest = queues.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..longest {
        all.extend(queues.iter().filter_map(|queue| queue.get(round).copied().cloned()));
    }
    all
}

fn text() -> impl Strategy<Value = String> {
    "[a-zé\\n\"\\\\ 🌊]{1,24}"
}

fn part() -> impl Strategy<Value = Part> {
    let thought = (text(), proptest::option::of("[A-Za-z0-9+/]{4,12}"))
        .prop_map(|(text, signature)| Part::Reasoning(Reasoning { text, signature, ..Reasoning::default() }));
    let redacted = "[A-Za-z0-9]{4,12}"
        .prop_map(|data| Part::Reasoning(Reasoning { signature: Some(data), redacted: true, ..Reasoning::default() }));
    let call = ("[a-z_]{1,8}", text()).prop_map(|(name, said)| {
        Part::call("", name, Json::parse(format!(r#"{{"say":{},"n":1.10}}"#, Json::string(&said).text())).expect("JSON"))
    });
    let bare = "[a-z_]{1,8}".prop_map(|name| Part::call("", name, Json::empty_object()));
    prop_oneof![4 => text().prop_map(Part::text), 2 => thought, 1 => redacted, 3 => call, 1 => bare]
}

prop_compose! {
    pub(crate) fn reply()(
        mut parts in proptest::collection::vec(part(), 0..6),
        usage in proptest::option::of((0u64..9000, 0u64..900, 0u64..900, 0u64..900)),
        stop in prop_oneof![Just(Stop::End), Just(Stop::MaxTokens), Just(Stop::Refused)],
    ) -> Reply {
        // At the end of a reply that broke off, no arguments and the beginning of some look alike.
        if stop != Stop::End {
            parts.retain(|part| !matches!(part, Part::ToolCall(call) if call.args == Json::empty_object()));
        }
        let mut calls = 0;
        for part in &mut parts {
            if let Part::ToolCall(call) = part {
                call.id = format!("call_{calls}");
                calls += 1;
            }
        }
        let stop = if calls > 0 && stop == Stop::End { Stop::ToolCalls } else { stop };
        let usage = usage.map(|(input, output, cache_read, cache_write)| Usage { input, output, cache_read, cache_write });
        Reply { parts, stop, usage, ..Reply::default() }
    }
}
