//! Conversations to measure with: the peers' corpus where it is at hand, else one of the same kind.
//!
//! Shape of both: user messages, each followed by rounds of assistant messages with one or two tool calls and their
//! results, then a plain answer; some 130 tokens a message. Same seed, same bytes.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use weftwork::model::{Conversation, Entity, EntityKind, Json, Node, NodeId, Part, Space};

/// The folder of the peers' corpus, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os("PEERS_CORPUS").map(PathBuf::from).filter(|folder| folder.is_dir())
}

/// A linear chat of so many messages.
pub(crate) fn chat(messages: usize) -> Conversation {
    let mut file = Conversation::new(Space::new("bench", "Bench"));
    file.entities = vec![entity("user", EntityKind::Human), entity("agent", EntityKind::Agent)];
    let texts = lines(messages.min(100_000));
    let mut parent: Option<NodeId> = None;
    for index in 0..messages {
        let round = index / texts.len();
        let node = node(&texts[index % texts.len()], index, round, parent.take());
        parent = Some(node.id.clone());
        file.nodes.push(node);
    }
    file
}

fn entity(id: &str, kind: EntityKind) -> Entity {
    let system_prompt = (kind == EntityKind::Agent).then(|| "You are a careful assistant. Answer briefly.".to_owned());
    Entity { system_prompt, ..Entity::new(id, id, kind) }
}

fn lines(messages: usize) -> Vec<Value> {
    let file = folder().map(|folder| folder.join(format!("chat-{messages}.openai.jsonl")));
    match file.and_then(|file| fs::read_to_string(file).ok()) {
        Some(text) => text.lines().map(|line| serde_json::from_str(line).expect("the corpus is JSON Lines")).collect(),
        None => made(messages),
    }
}

fn node(message: &Value, index: usize, round: usize, parent: Option<NodeId>) -> Node {
    let text = |field: &str| message[field].as_str().unwrap_or_default();
    let id = |id: &Value| format!("{}-{round}", id.as_str().unwrap_or_default());
    let author = if text("role") == "user" { "user" } else { "agent" };
    let mut node = Node::new(format!("m{index:07}"), parent, author);
    if text("role") == "tool" {
        return node.part(Part::result(id(&message["tool_call_id"]), text("content")));
    }
    if !text("content").is_empty() {
        node = node.text(text("content"));
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let args = Json::parse(function["arguments"].as_str().unwrap_or("{}")).expect("arguments are JSON");
        node = node.part(Part::call(id(&call["id"]), function["name"].as_str().unwrap_or_default(), args));
    }
    node
}

/// Texts of one message each, for counting; the file must be there.
pub(crate) fn texts(set: &str) -> Vec<String> {
    let named = folder().map(|folder| folder.join(format!("texts-{set}.jsonl"))).filter(|file| file.is_file());
    match named {
        Some(file) => {
            let text = fs::read_to_string(file).expect("the corpus can be read");
            text.lines().map(|line| serde_json::from_str(line).expect("a JSON string a line")).collect()
        }
        None => made(10_000).iter().filter_map(|message| message["content"].as_str().map(str::to_owned)).collect(),
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

const WORDS: [&str; 48] = [
    "the",
    "budget",
    "of",
    "a",
    "request",
    "and",
    "its",
    "history",
    "grows",
    "while",
    "server",
    "answers",
    "each",
    "question",
    "with",
    "tokens",
    "from",
    "cache",
    "message",
    "window",
    "quarter",
    "revenue",
    "margin",
    "index",
    "schema",
    "retry",
    "queue",
    "worker",
    "analysis",
    "deadline",
    "report",
    "summary",
    "customer",
    "invoice",
    "warehouse",
    "latency",
    "snapshot",
    "replica",
    "会议",
    "预算",
    "naïve",
    "über",
    "don't",
    "we'll",
    "2026",
    "42%",
    "`fn main`",
    "🚀",
];

fn prose(dice: &mut Dice, words: usize) -> String {
    let mut text = String::new();
    for at in 0..words {
        text += WORDS[dice.roll(WORDS.len())];
        text += if at % 11 == 10 { ". " } else { " " };
    }
    text.trim_end().to_owned()
}

fn made(messages: usize) -> Vec<Value> {
    let mut dice = Dice(7);
    let mut lines: Vec<Value> = Vec::with_capacity(messages);
    let mut calls = 0;
    while lines.len() < messages {
        let words = 20 + dice.roll(60);
        lines.push(serde_json::json!({"role": "user", "content": prose(&mut dice, words)}));
        while lines.len() + 3 < messages && dice.roll(100) < 45 {
            let asked = 1 + usize::from(dice.roll(5) == 0);
            let ids: Vec<String> = (0..asked).map(|call| format!("call_{:06}", calls + call)).collect();
            calls += asked;
            let arguments = serde_json::json!({"path": prose(&mut dice, 3), "limit": dice.roll(50)}).to_string();
            let called: Vec<_> =
                ids.iter().map(|id| serde_json::json!({"id": id, "type": "function", "function": {"name": "read_file", "arguments": arguments}})).collect();
            lines.push(serde_json::json!({"role": "assistant", "content": "", "tool_calls": called}));
            for id in ids {
                let words = 40 + dice.roll(160);
                lines.push(serde_json::json!({"role": "tool", "tool_call_id": id, "content": prose(&mut dice, words)}));
            }
        }
        let words = 40 + dice.roll(160);
        lines.push(serde_json::json!({"role": "assistant", "content": prose(&mut dice, words)}));
    }
    lines.truncate(messages);
    lines
}
