//! Long histories whose calls and results do not fit together are valid when they are sent.

use super::through::{errors, through, value};
use serde_json::{Value, json};
use weftwork::encode::Api;

/// What goes wrong with the calls of a turn.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    None,
    NoResult,
    OrphanResult,
    TwoResults,
    SameId,
    SpokenBetween,
    OtherOrder,
}

const FLAWS: [Flaw; 7] =
    [Flaw::None, Flaw::NoResult, Flaw::OrphanResult, Flaw::TwoResults, Flaw::SameId, Flaw::SpokenBetween, Flaw::OtherOrder];

/// One thing that is said, in no API's words.
enum Line {
    User(String),
    Assistant(String),
    Calls(Vec<String>),
    Result(String),
}

fn lines(turns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for turn in 0..turns {
        let flaw = FLAWS[turn * 5 % FLAWS.len()];
        let (a, b) = (format!("call_{turn}_a"), format!("call_{turn}_b"));
        let shared = "call_again".to_owned();
        lines.push(Line::User(format!("Question {turn}: what of it?")));
        let ids = if let Flaw::SameId = flaw { vec![shared.clone(), b.clone()] } else { vec![a.clone(), b.clone()] };
        lines.push(Line::Calls(ids.clone()));
        match flaw {
            Flaw::None | Flaw::SameId => lines.extend(ids.into_iter().map(Line::Result)),
            Flaw::NoResult => lines.push(Line::Result(b)),
            Flaw::OrphanResult => lines.extend([a, b, format!("lost_{turn}")].map(Line::Result)),
            Flaw::TwoResults => lines.extend([a.clone(), a, b].map(Line::Result)),
            Flaw::SpokenBetween => {
                lines.push(Line::Result(a));
                lines.push(Line::User("Wait, one more thing.".into()));
                lines.push(Line::Result(b));
            }
            Flaw::OtherOrder => lines.extend([b, a].map(Line::Result)),
        }
        lines.push(Line::Assistant(format!("Answer {turn}, at some length, so that it counts.")));
    }
    lines.push(Line::User("And now?".into()));
    lines
}

fn messages(api: Api, lines: &[Line]) -> Value {
    let args = |id: &String| json!({"of": id});
    let message = |line: &Line| match (api, line) {
        (Api::Chat, Line::User(text)) => vec![json!({"role": "user", "content": text, "name": "ann"})],
        (Api::Responses | Api::Messages, Line::User(text)) => vec![json!({"role": "user", "content": text})],
        (_, Line::Assistant(text)) => vec![json!({"role": "assistant", "content": text})],
        (Api::Chat, Line::Calls(ids)) => vec![json!({"role": "assistant", "content": null, "tool_calls": ids.iter().map(|id|
            json!({"id": id, "type": "function", "function": {"name": "look", "arguments": args(id).to_string()}})).collect::<Vec<_>>()})],
        (Api::Responses, Line::Calls(ids)) => ids
            .iter()
            .map(|id| json!({"type": "function_call", "call_id": id, "name": "look", "arguments": args(id).to_string()}))
            .collect(),
        (Api::Messages, Line::Calls(ids)) => vec![json!({"role": "assistant", "content": ids.iter().map(|id|
            json!({"type": "tool_use", "id": id, "name": "look", "input": args(id)})).collect::<Vec<_>>()})],
        (Api::Chat, Line::Result(id)) => vec![json!({"role": "tool", "tool_call_id": id, "content": format!("of {id}")})],
        (Api::Responses, Line::Result(id)) => {
            vec![json!({"type": "function_call_output", "call_id": id, "output": format!("of {id}")})]
        }
        (Api::Messages, Line::Result(id)) => {
            vec![json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": format!("of {id}")}]})]
        }
    };
    lines.iter().flat_map(message).collect()
}

#[test]
fn a_broken_history_of_three_thousand_messages_is_valid_in_any_window() {
    let lines = lines(600);
    for &api in Api::ALL {
        let messages = messages(api, &lines);
        assert!(messages.as_array().is_some_and(|all| all.len() >= 3_000), "{api}");
        let body = match api {
            Api::Chat => {
                json!({"model": "gpt-4o", "messages": messages, "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]})
            }
            Api::Responses => {
                json!({"model": "gpt-5", "input": messages, "tools": [{"type": "function", "name": "look", "parameters": {"type": "object"}, "strict": false}]})
            }
            Api::Messages => {
                json!({"model": "claude-sonnet-4-5", "max_tokens": 500, "messages": messages, "tools": [{"name": "look", "input_schema": {"type": "object"}}]})
            }
        };
        for window in [4_000, 30_000, 1_000_000] {
            let (laid, report) = through(&body.to_string(), api, api.dialect(), window);
            assert_eq!(errors(&value(&laid.request), api.dialect()), Vec::<String>::new(), "{api} in {window}");
            assert_eq!(report.truncated, window < 1_000_000, "{api} in {window}");
            assert!(!report.repairs.is_empty(), "{api} in {window}");
        }
    }
}

#[test]
fn a_broken_history_is_valid_in_another_api() {
    let lines = lines(60);
    for &api in Api::ALL {
        let messages = messages(api, &lines);
        let body = match api {
            Api::Chat => json!({"model": "gpt-4o", "messages": messages}),
            Api::Responses => json!({"model": "gpt-4o", "input": messages}),
            Api::Messages => json!({"model": "gpt-4o", "max_tokens": 500, "messages": messages}),
        };
        for other in Api::ALL.iter().filter(|other| **other != api) {
            let (laid, _) = through(&body.to_string(), api, other.dialect(), 5_000);
            assert_eq!(errors(&value(&laid.request), other.dialect()), Vec::<String>::new(), "{api} to {other}");
        }
    }
}
