//! Rows of Gemini.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    json!({"model": "gemini-3-pro-preview",
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 9},
        "tools": [{"functionDeclarations": [{"name": "search"}, {"name": "ns.read:x"}]}, {"googleSearch": {}}],
        "contents": [
            {"role": "user", "parts": [{"text": "Earlier"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {}}}]},
            {"role": "model", "parts": [{"text": "So"}]},
            {"role": "user", "parts": [{"text": "Look"}, {"inlineData": {"mimeType": "image/png", "data": "AA-_"}},
                {"file_data": {"file_uri": "gs://x"}}]},
            {"role": "model", "parts": [{"text": "hm", "thought": true},
                {"functionCall": {"id": "a", "name": "search", "args": {"q": 1}}, "thoughtSignature": "sig"},
                {"functionCall": {"id": "b", "name": "search"}}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "a", "name": "search", "response": {"r": 1}}},
                {"function_response": {"id": "b", "name": "search", "response": {}}}]},
            {"role": "model", "parts": [{"text": "", "thoughtSignature": "sig"}]},
            {"role": "user", "parts": [{"text": "Bye"}]}]})
}

fn turns(contents: Value) -> Value {
    json!({"contents": contents})
}

fn user(parts: Value) -> Value {
    turns(json!([{"role": "user", "parts": parts}]))
}

/// A turn of calls, and the parts that answer it.
fn exchange(calls: &[&str], answer: Value) -> Value {
    let calls: Vec<_> = calls.iter().map(|name| json!({"functionCall": {"name": name}})).collect();
    turns(
        json!([{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": calls}, {"role": "user", "parts": answer}]),
    )
}

fn response(name: &str) -> Value {
    json!({"functionResponse": {"name": name, "response": {}}})
}

pub(super) fn rows() -> Vec<Row> {
    [shapes(), order(), exchanges()].into_iter().flatten().collect()
}

fn shapes() -> Vec<Row> {
    let text = json!([{"role": "user", "parts": [{"text": "x"}]}]);
    let with = |tools: Value| json!({"contents": text, "tools": [{"functionDeclarations": tools}]});
    vec![
        row("no contents", json!({}), &[("$.contents", Rule::MissingField)]),
        row("empty contents", turns(json!([])), &[("$.contents", Rule::EmptyMessages)]),
        row("no parts", turns(json!([{"role": "user"}])), &[("$.contents[0].parts", Rule::MissingField)]),
        row("empty parts", user(json!([])), &[("$.contents[0].parts", Rule::EmptyContent)]),
        row("part of nothing", user(json!([{}])), &[("$.contents[0].parts[0]", Rule::UnknownPart)]),
        row(
            "part of two kinds",
            user(json!([{"text": "x", "inlineData": {}}])),
            &[("$.contents[0].parts[0]", Rule::UnknownPart)],
        ),
        row("empty text", user(json!([{"text": ""}])), &[("$.contents[0].parts[0].text", Rule::EmptyText)]),
        row(
            "data not in base64",
            user(json!([{"inlineData": {"mimeType": "image/png", "data": "data:"}}])),
            &[("$.contents[0].parts[0].inlineData.data", Rule::BadBase64)],
        ),
        row(
            "data of no type",
            user(json!([{"inlineData": {"data": "AAAA"}}])),
            &[("$.contents[0].parts[0].inlineData.mimeType", Rule::MissingField)],
        ),
        row(
            "system text as a string",
            json!({"contents": text, "systemInstruction": "x"}),
            &[("$.systemInstruction", Rule::WrongType)],
        ),
        row(
            "empty system text",
            json!({"contents": text, "system_instruction": {"parts": [{"text": ""}]}}),
            &[("$.system_instruction.parts[0].text", Rule::EmptyText)],
        ),
        row(
            "too hot",
            json!({"contents": text, "generationConfig": {"temperature": 3}}),
            &[("$.generationConfig.temperature", Rule::OutOfRange)],
        ),
        row(
            "name beginning with a digit",
            with(json!([{"name": "1a"}])),
            &[("$.tools[0].functionDeclarations[0].name", Rule::BadToolName)],
        ),
        row(
            "a function twice",
            with(json!([{"name": "a"}, {"name": "a"}])),
            &[("$.tools[0].functionDeclarations[1].name", Rule::DuplicateToolName)],
        ),
    ]
}

fn order() -> Vec<Row> {
    let user = json!({"role": "user", "parts": [{"text": "x"}]});
    let model = json!({"role": "model", "parts": [{"text": "x"}]});
    vec![
        row(
            "role of another API",
            turns(json!([{"role": "assistant", "parts": [{"text": "x"}]}])),
            &[("$.contents[0].role", Rule::UnknownRole)],
        ),
        row(
            "no role in a dialogue",
            turns(json!([user, {"parts": [{"text": "x"}]}])),
            &[("$.contents[1].role", Rule::MissingField)],
        ),
        row("no role alone", turns(json!([{"parts": [{"text": "x"}]}])), &[]),
        row("model first", turns(json!([model, user])), &[("$.contents[0].role", Rule::FirstNotUser)]),
        row("two in a row", turns(json!([user, user])), &[("$.contents[1].role", Rule::NotAlternating)]),
        row("model last", turns(json!([user, model])), &[("$.contents[1].role", Rule::LastNotUser)]),
    ]
}

fn exchanges() -> Vec<Row> {
    let unsigned = |model: &str| {
        let mut body = exchange(&["f"], json!([response("f")]));
        body["model"] = json!(model);
        body
    };
    let named = |call: &str, answer: &str| {
        turns(json!([{"role": "user", "parts": [{"text": "x"}]},
            {"role": "model", "parts": [{"functionCall": {"id": "1", "name": call}}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "1", "name": answer, "response": {}}}]}]))
    };
    vec![
        row(
            "call from the user",
            user(json!([{"functionCall": {"name": "f"}}])),
            &[("$.contents[0].parts[0]", Rule::PartNotAllowed), ("$.contents[0].parts[0]", Rule::UnansweredToolCall)],
        ),
        row(
            "arguments as a string",
            exchange(&[], json!([])).pointed(json!([{"functionCall": {"name": "f", "args": "{}"}}]), json!([response("f")])),
            &[("$.contents[1].parts[0].functionCall.args", Rule::BadArguments)],
        ),
        row(
            "fewer responses",
            exchange(&["f", "g"], json!([response("f")])),
            &[("$.contents[1].parts[1]", Rule::UnansweredToolCall)],
        ),
        row(
            "more responses",
            exchange(&["f"], json!([response("f"), response("f")])),
            &[("$.contents[2].parts[1]", Rule::OrphanToolResult)],
        ),
        row(
            "responses in another order",
            exchange(&["f", "g"], json!([response("g"), response("f")])),
            &[("$.contents[2].parts[0]", Rule::ResultsOutOfOrder), ("$.contents[2].parts[1]", Rule::ResultsOutOfOrder)],
        ),
        row("response with another name", named("f", "g"), &[("$.contents[2].parts[0]", Rule::ToolNameMismatch)]),
        row(
            "text before the response",
            exchange(&["f"], json!([{"text": "x"}, response("f")])),
            &[("$.contents[2].parts[1]", Rule::ContentBeforeResult)],
        ),
        row(
            "response of a string",
            exchange(&["f"], json!([{"functionResponse": {"name": "f", "response": "x"}}])),
            &[("$.contents[2].parts[0].functionResponse.response", Rule::WrongType)],
        ),
        row(
            "unsigned on Gemini 3",
            unsigned("models/gemini-3-pro"),
            &[("$.contents[1].parts[0].thoughtSignature", Rule::MissingThoughtSignature)],
        ),
        row("unsigned on Gemini 2.5", unsigned("gemini-2.5-pro"), &[]),
        row("unsigned on an image model", unsigned("gemini-3-pro-image"), &[]),
    ]
}

/// Puts parts into the second and third content.
trait Pointed {
    fn pointed(self, calls: Value, answer: Value) -> Value;
}

impl Pointed for Value {
    fn pointed(mut self, calls: Value, answer: Value) -> Value {
        self["contents"][1]["parts"] = calls;
        self["contents"][2]["parts"] = answer;
        self
    }
}
