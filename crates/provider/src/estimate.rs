//! Usage where the provider says nothing, or not all: counted, and called an estimate.

use crate::outcome::Measured;
use bytes::Bytes;
use serde_json::Value;
use weftwork::ask::Counter;
use weftwork::catalogue::Model;
use weftwork::count::{Kind, Meter, Tally};
use weftwork::decode::{Reply, Stop};
use weftwork::model::Usage;

/// What is known of the request.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(crate) body: &'k Bytes,
    pub(crate) model: &'k Model,
    /// Its tokens, if its assembly counted them.
    pub(crate) input: Option<u64>,
}

/// The usage of a reply. A reply that was cut never came to the report of its output, so that is counted too.
pub(crate) async fn measure(reply: &Reply, known: Known<'_>) -> Measured {
    match reply.usage {
        Some(usage) if reply.stop != Stop::Cut => Measured { usage, kind: Kind::Reported },
        Some(usage) => {
            let output = usage.output.max(output(reply, known.model));
            Measured { usage: Usage { output, ..usage }, kind: Kind::Estimated }
        }
        None => {
            let input = match known.input {
                Some(input) => input,
                None => input(known).await,
            };
            let usage = Usage { input, output: output(reply, known.model), ..Usage::default() };
            Measured { usage, kind: Kind::Estimated }
        }
    }
}

fn output(reply: &Reply, model: &Model) -> u64 {
    let meter = Meter::new(Counter::Auto, Some(model));
    let tally = Tally::of(&reply.parts, meter.base());
    meter.scale(tally.text + tally.tools + tally.reasoning)
}

/// A long request takes a while to count: not on a thread that others wait for.
async fn input(known: Known<'_>) -> u64 {
    let (body, meter) = (known.body.clone(), Meter::new(Counter::Auto, Some(known.model)));
    tokio::task::spawn_blocking(move || meter.scale(raw_input(&body, meter))).await.unwrap_or(0)
}

/// Raw tokens of all texts of a request.
pub(crate) fn raw_input(body: &[u8], meter: Meter) -> u64 {
    fn walk(value: &Value, meter: Meter) -> u64 {
        match value {
            // Pictures and files are no text; what they cost is not known here.
            Value::String(text) if is_data(text) => 0,
            Value::String(text) => meter.raw(text),
            Value::Array(items) => items.iter().map(|item| walk(item, meter)).sum(),
            Value::Object(fields) if fields.contains_key("role") => {
                meter.base().overhead() + fields.values().map(|field| walk(field, meter)).sum::<u64>()
            }
            Value::Object(fields) => fields.values().map(|field| walk(field, meter)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
    serde_json::from_slice(body).map_or(0, |value| walk(&value, meter))
}

/// Whether a string is base64 and not words.
fn is_data(text: &str) -> bool {
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    text.starts_with("data:") || (text.len() > 1000 && text.bytes().all(base64))
}
