//! Bodies of any shape: nothing panics, and large bodies are read once.

use serde_json::{Value, json};

use super::{TARGETS, rows, valid};
use crate::dialect::Dialect;
use crate::lint::lint;

/// A small generator, so that a failure can be repeated from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    fn value(&mut self) -> Value {
        let values = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1e300),
            json!(""),
            json!("tool_use"),
            json!("user"),
            json!("é\u{0}\u{2028}"),
            json!([]),
            json!({}),
            json!([[]]),
            json!({"type": "text"}),
            json!({"type": "tool_result", "tool_use_id": 3}),
            json!({"role": "assistant", "content": null}),
            json!("data:image/png;base64,"),
            json!("/9j/4AAQ"),
        ];
        values[self.below(values.len())].clone()
    }
}

/// Change one place of `value`, chosen on the way down.
fn mutate(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(list) if !list.is_empty() && random.below(5) > 0 => {
            let place = random.below(list.len());
            match random.below(8) {
                0 => list.push(list[place].clone()),
                1 => drop(list.remove(place)),
                2 => list.reverse(),
                _ => mutate(&mut list[place], random),
            }
        }
        Value::Object(fields) if !fields.is_empty() && random.below(5) > 0 => {
            let key = fields.keys().nth(random.below(fields.len())).cloned().unwrap_or_default();
            match random.below(8) {
                0 => drop(fields.remove(&key)),
                _ => mutate(&mut fields[&key], random),
            }
        }
        Value::String(text) if random.below(2) == 0 => {
            let cut = random.below(text.chars().count() + 1);
            *text = text.chars().take(cut).collect();
        }
        _ => *value = random.value(),
    }
}

#[test]
fn no_mutation_panics() {
    let mut random = Random(7);
    for target in TARGETS {
        let small = rows(target).into_iter().map(|row| row.body);
        let bodies: Vec<_> = small.chain([valid(target)]).collect();
        for round in 0..4000 {
            let mut body = bodies[round % bodies.len()].clone();
            for _ in 0..=random.below(6) {
                mutate(&mut body, &mut random);
            }
            // Bodies of one API are held against all: most of what one is sent is not its own.
            let other = TARGETS[random.below(TARGETS.len())];
            lint(&body, target);
            lint(&body, other);
        }
    }
}

#[test]
fn every_scalar_is_a_body() {
    for body in [json!(null), json!(true), json!(0), json!(""), json!([]), json!({}), json!([null]), json!({"messages": [null]})]
    {
        for target in TARGETS {
            lint(&body, target);
        }
    }
}

/// Each of these took minutes if any rule looked back over what came before.
#[test]
fn large_bodies_are_read_once() {
    const MANY: usize = 50_000;
    let texts = vec![json!({"type": "text", "text": "x"}); MANY];
    let results: Vec<_> = (0..MANY).map(|i| json!({"type": "tool_result", "tool_use_id": format!("t{i}")})).collect();
    let calls: Vec<_> = (0..MANY).map(|i| json!({"type": "tool_use", "id": format!("t{i}"), "name": "f", "input": {}})).collect();
    let said = |content: &Vec<Value>, role: &str| json!({"role": role, "content": content});
    let bodies = [
        json!({"max_tokens": 1, "messages": [said(&texts, "user")]}),
        json!({"max_tokens": 1, "messages": [said(&results, "user")]}),
        json!({"max_tokens": 1, "messages": [{"role": "user", "content": "x"}, said(&calls, "assistant"), said(&results, "user")]}),
    ];
    let counts = bodies.map(|body| lint(&body, Dialect::Anthropic).len());
    assert_eq!(counts, [0, MANY, 0]);

    let calls: Vec<_> = (0..MANY).map(|i| json!({"id": format!("c{i}"), "function": {"name": "f", "arguments": {}}})).collect();
    let mut messages = vec![json!({"role": "assistant", "tool_calls": calls})];
    messages.extend((0..MANY).map(|_| json!({"role": "tool", "content": "r", "tool_call_id": "other"})));
    assert_eq!(lint(&json!({"messages": messages}), Dialect::Ollama).len(), 2 * MANY);
}
