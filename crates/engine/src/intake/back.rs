//! Puts back what the client wrote, where the engine sent it unchanged.
//!
//! Both lists are walked from their end and joined in order. A message that was rendered and has the essence of one of the
//! client's is replaced by it, byte for byte; what the engine changed, joined or added stays as rendered. An element that is
//! unknown here stands with the one that follows it, as reasoning does, and goes where that goes.

use super::essence::{Essence, essence, plain_text, system_text};
use crate::decode::object::Object;
use crate::dialect::Dialect;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// What a cache mark looks like in a block.
const MARK: &str = r#""cache_control":{"type":"ephemeral"}"#;

/// Whose words an element of a conversation stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wording {
    /// The client's: the element at this place of its list.
    Client(usize),
    /// The engine's, which changed, joined or added something.
    Engine(String),
}

/// The conversation to be sent: the rendered one, in the client's words where they say the same.
pub(super) fn conversation(dialect: Dialect, client: &[&RawValue], rendered: &[&RawValue]) -> Vec<String> {
    let lead = leading(client, rendered);
    let (client_lead, client) = client.split_at(lead.map_or(0, |lead| lead.client));
    let rendered = &rendered[lead.map_or(0, |lead| lead.rendered)..];
    let mut out: Vec<String> = client_lead.iter().map(|raw| raw.get().to_owned()).collect();
    out.extend(wording(dialect, client, rendered).into_iter().map(|wording| match wording {
        Wording::Client(at) => client[at].get().to_owned(),
        Wording::Engine(text) => text,
    }));
    out
}

/// How many elements at the beginning are the same system text.
#[derive(Clone, Copy)]
struct Lead {
    client: usize,
    rendered: usize,
}

/// Chat Completions: the engine writes all leading system messages as one.
fn leading(client: &[&RawValue], rendered: &[&RawValue]) -> Option<Lead> {
    let first = system_text(rendered.first()?)?;
    let texts: Vec<String> = client.iter().map_while(|raw| system_text(raw)).collect();
    (first == together(&texts)).then_some(Lead { client: texts.len(), rendered: 1 })
}

/// System texts as the engine joins them.
pub(super) fn together(texts: &[String]) -> String {
    texts.iter().filter(|text| !text.trim().is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n\n")
}

/// How many of the client's elements are system messages that begin its list, and their texts.
pub(super) fn leading_texts(client: &[&RawValue]) -> Vec<String> {
    client.iter().map_while(|raw| system_text(raw)).collect()
}

/// In whose words each element is to stand. System text that begins a conversation is not looked at here.
pub fn wording(dialect: Dialect, client: &[&RawValue], rendered: &[&RawValue]) -> Vec<Wording> {
    let essences: Vec<Essence> = client.iter().map(|raw| essence(dialect, raw)).collect();
    let places = places(&essences);
    let mut before = client.len();
    let mut found: Vec<Option<usize>> = Vec::with_capacity(rendered.len());
    for raw in rendered.iter().rev() {
        let place = match essence(dialect, raw) {
            Essence::Known(said) => places.get(&said).and_then(|places| last_before(places, before)),
            Essence::Unknown | Essence::Unfit => None,
        };
        before = place.unwrap_or(before);
        found.push(place);
    }
    found.reverse();
    let mut out = Vec::with_capacity(rendered.len());
    for (raw, place) in rendered.iter().zip(found) {
        match place {
            Some(at) => {
                let unknown = |at: &usize| essences[*at] == Essence::Unknown;
                let first = (0..at).rev().take_while(unknown).last().unwrap_or(at);
                out.extend((first..at).map(Wording::Client));
                out.push(marked(dialect, raw, client[at]).map_or(Wording::Client(at), Wording::Engine));
                let rest = at + 1..client.len();
                if rest.clone().all(|at| unknown(&at)) {
                    out.extend(rest.map(Wording::Client));
                }
            }
            None => out.push(Wording::Engine(raw.get().to_owned())),
        }
    }
    out
}

fn places(essences: &[Essence]) -> HashMap<String, Vec<usize>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, essence) in essences.iter().enumerate() {
        if let Essence::Known(said) = essence {
            places.entry(said.clone()).or_default().push(at);
        }
    }
    places
}

fn last_before(places: &[usize], before: usize) -> Option<usize> {
    places[..places.partition_point(|place| *place < before)].last().copied()
}

/// The client's message with the mark of the rendered one, where that has one and the client's has none.
fn marked(dialect: Dialect, rendered: &RawValue, client: &RawValue) -> Option<String> {
    let marked = dialect == Dialect::Anthropic && rendered.get().contains(MARK);
    if !marked || client.get().contains(r#""cache_control""#) {
        return None;
    }
    let Ok(object) = Object::parse(client.get()) else { return Some(rendered.get().to_owned()) };
    let items = object.items("content");
    // A plain string holds nothing more than the rendered block does.
    Some(match with_mark(&items) {
        Some(list) => written(object.fields().map(|(key, raw)| (key, if key == "content" { list.as_str() } else { raw.get() }))),
        None => rendered.get().to_owned(),
    })
}

/// A list of blocks with a mark on its last block that can bear one.
pub(super) fn with_mark(items: &[&RawValue]) -> Option<String> {
    let bears = |raw: &&RawValue| {
        let kind = Object::parse(raw.get()).ok().and_then(|block| block.word("type")).unwrap_or_default();
        matches!(kind.as_str(), "text" | "image" | "document" | "tool_use" | "tool_result" | "search_result" | "custom" | "")
    };
    let last = items.iter().rposition(bears)?;
    let text = |(at, raw): (usize, &&RawValue)| match raw.get().strip_suffix('}') {
        Some(open) if at == last => format!("{},{MARK}}}", open.trim_end()),
        _ => raw.get().to_owned(),
    };
    Some(format!("[{}]", items.iter().enumerate().map(text).collect::<Vec<_>>().join(",")))
}

/// An object of these fields.
pub(super) fn written<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> String {
    let fields: Vec<String> = fields.map(|(key, value)| format!("{}:{value}", crate::model::Json::string(key).text())).collect();
    format!("{{{}}}", fields.join(","))
}

/// Anthropic's system field: the client's own where it says the same, with the mark of the rendered one.
pub(super) fn system(client: &RawValue, rendered: &RawValue) -> String {
    if plain_text(Some(client)) != texts_of(rendered) {
        return rendered.get().to_owned();
    }
    let marked = rendered.get().contains(MARK) && !client.get().contains(r#""cache_control""#);
    match serde_json::from_str::<Vec<&RawValue>>(client.get()) {
        Ok(blocks) if marked => with_mark(&blocks).unwrap_or_else(|| rendered.get().to_owned()),
        // A plain string cannot bear a mark.
        Err(_) if marked => rendered.get().to_owned(),
        Ok(_) | Err(_) => client.get().to_owned(),
    }
}

fn texts_of(rendered: &RawValue) -> String {
    let blocks: Vec<Object<'_>> = serde_json::from_str(rendered.get()).unwrap_or_default();
    blocks.iter().filter_map(|block| block.text("text")).collect()
}

/// The tools: the client's own where the engine offers the same names, with the mark of the rendered ones.
pub(super) fn tools(client: Option<&RawValue>, rendered: Option<&RawValue>) -> Option<String> {
    let Some(own) = client else { return rendered.map(|raw| raw.get().to_owned()) };
    let list: Vec<&RawValue> = serde_json::from_str(own.get()).unwrap_or_default();
    let functions = names(&list.iter().copied().filter(|raw| is_function(raw)).collect::<Vec<_>>());
    let offered: Vec<&RawValue> = rendered.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    if functions != names(&offered) {
        return rendered.map(|raw| raw.get().to_owned());
    }
    let marked = rendered.is_some_and(|raw| raw.get().contains(MARK)) && !own.get().contains(r#""cache_control""#);
    let marked = if marked { with_mark(&list) } else { None };
    Some(marked.unwrap_or_else(|| own.get().to_owned()))
}

fn is_function(raw: &RawValue) -> bool {
    let kind = Object::parse(raw.get()).ok().and_then(|tool| tool.word("type"));
    kind.is_none_or(|kind| kind == "function" || kind == "custom" && !raw.get().contains(r#""format""#))
}

fn names(tools: &[&RawValue]) -> Vec<String> {
    let name = |raw: &&RawValue| {
        let tool = Object::parse(raw.get()).ok()?;
        tool.object("function").and_then(|function| function.word("name")).or_else(|| tool.word("name"))
    };
    tools.iter().filter_map(name).collect()
}
