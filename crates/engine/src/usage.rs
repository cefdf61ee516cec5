//! Tokens and money: usage in disjoint buckets, and what is folded from it.
//!
//! Nothing here is stored: every number is computed from nodes and calls when it is asked for. Counts saturate, so that
//! no report of a provider can make a sum wrap or a bucket negative.

use crate::{
    catalogue::Prices,
    decode::object::Object,
    dialect::Dialect,
    model::{AccountingReading, Call, Json, Kind, Node, NodeId, Status, Timestamp, Usage},
};
use std::collections::{HashMap, HashSet};

/// Reads a provider's usage object into disjoint buckets; none if it holds no count this dialect reports.
///
/// OpenAI's and Gemini's prompt counts include what was read from and written to a cache, Anthropic's do not. Reasoning
/// is output everywhere; Gemini alone counts it beside the candidates.
pub fn normalise(raw: &Json, dialect: Dialect) -> Option<Usage> {
    let object = Object::parse(raw.text()).ok()?;
    match dialect {
        Dialect::OpenAi | Dialect::Completions => openai(&object),
        Dialect::Responses => responses(&object),
        Dialect::Anthropic => anthropic(&object),
        Dialect::Gemini => gemini(&object),
        Dialect::Ollama => {
            counts(&object, "prompt_eval_count", "eval_count").map(|(input, output)| inclusive(input, output, 0, 0))
        }
        Dialect::Messages => neutral(&object),
        Dialect::AiSdk | Dialect::Text => None,
    }
}

/// Our own buckets, which are disjoint already.
fn neutral(object: &Object<'_>) -> Option<Usage> {
    let (input, output) = counts(object, "input", "output")?;
    let of = |key: &str| object.number(key).unwrap_or(0);
    Some(Usage { input, output, cache_read: of("cacheRead"), cache_write: of("cacheWrite") })
}

/// Two counts of which at least one is reported.
fn counts(object: &Object<'_>, input: &str, output: &str) -> Option<(u64, u64)> {
    let (input, output) = (object.number(input), object.number(output));
    (input.is_some() || output.is_some()).then(|| (input.unwrap_or(0), output.unwrap_or(0)))
}

/// Buckets of a provider whose prompt count includes the cached tokens.
fn inclusive(prompt: u64, output: u64, cached: u64, written: u64) -> Usage {
    let cache_read = cached.min(prompt);
    let cache_write = written.min(prompt - cache_read);
    Usage { input: prompt - cache_read - cache_write, output, cache_read, cache_write }
}

fn openai(object: &Object<'_>) -> Option<Usage> {
    let (prompt, output) = counts(object, "prompt_tokens", "completion_tokens")?;
    let details = object.object("prompt_tokens_details");
    let detail = |key: &str| details.as_ref().and_then(|details| details.number(key));
    // DeepSeek says hit and miss beside the total.
    let cached = detail("cached_tokens").or_else(|| object.number("prompt_cache_hit_tokens")).unwrap_or(0);
    let written = detail("cache_write_tokens").or_else(|| detail("cache_creation_tokens")).unwrap_or(0);
    Some(inclusive(prompt, output, cached, written))
}

fn responses(object: &Object<'_>) -> Option<Usage> {
    let (prompt, output) = counts(object, "input_tokens", "output_tokens")?;
    let details = object.object("input_tokens_details");
    let detail = |key: &str| details.as_ref().and_then(|details| details.number(key)).unwrap_or(0);
    Some(inclusive(prompt, output, detail("cached_tokens"), detail("cache_write_tokens")))
}

fn anthropic(object: &Object<'_>) -> Option<Usage> {
    let (input, output) = counts(object, "input_tokens", "output_tokens")?;
    let by_lifetime = |lifetimes: Object<'_>| {
        let of = |key: &str| lifetimes.number(key).unwrap_or(0);
        of("ephemeral_5m_input_tokens").saturating_add(of("ephemeral_1h_input_tokens"))
    };
    let written = object.number("cache_creation_input_tokens").or_else(|| object.object("cache_creation").map(by_lifetime));
    let cache_read = object.number("cache_read_input_tokens").unwrap_or(0);
    Some(Usage { input, output, cache_read, cache_write: written.unwrap_or(0) })
}

fn gemini(object: &Object<'_>) -> Option<Usage> {
    let (prompt, candidates) = counts(object, "promptTokenCount", "candidatesTokenCount")?;
    let of = |key: &str| object.number(key).unwrap_or(0);
    // What a tool of Google's own read comes beside the prompt, as thoughts come beside the candidates.
    let prompt = prompt.saturating_add(of("toolUsePromptTokenCount"));
    let output = candidates.saturating_add(of("thoughtsTokenCount"));
    Some(inclusive(prompt, output, of("cachedContentTokenCount"), 0))
}

/// Tokens in the context window after the last node of `path`, which is in order from the root.
///
/// The last reply's input, cache reads, cache writes and output: all of it is sent with the next request. Titles, their
/// requests, requests for summaries and accounting lines change nothing. A summary resets it to its own output (to zero if
/// its usage is unknown), because from then on only the summary is sent; one that failed, or was taken back, stands for
/// nothing and changes nothing.
pub fn context_window(path: &[&Node]) -> u64 {
    path.iter().fold(0, |window, node| match node.kind {
        Kind::Message => node.usage.map_or(window, total),
        Kind::Summary if node.status != Status::Sent || node.pruned || node.excluded => window,
        Kind::Summary => node.usage.map_or(0, |usage| usage.output),
        Kind::Title | Kind::TitleRequest | Kind::SummaryRequest | Kind::Accounting => window,
    })
}

fn total(usage: Usage) -> u64 {
    usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write).saturating_add(usage.output)
}

/// The calls, each id once. A later record of an id replaces an earlier one: it knows more, or is a copy in a fork.
pub fn ledger(calls: &[Call]) -> Vec<&Call> {
    let mut at: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&Call> = Vec::new();
    for call in calls {
        match at.get(call.id.as_str()) {
            Some(&known) if call.usage.is_some() || distinct[known].usage.is_none() => distinct[known] = call,
            Some(_) => {}
            None => {
                at.insert(&call.id, distinct.len());
                distinct.push(call);
            }
        }
    }
    distinct
}

/// Everything a space has used: all calls, with those of left branches, retries, canceled and failed ones.
///
/// `nodes` are all nodes of the space in the order they were written, of every branch; a path alone works too. A node's own
/// usage counts only where no call tells of it. An accounting node that holds the total so far stands for everything before
/// it: the last such node begins the sum, and what follows it, by time or else by order, is added. One that holds only what
/// was discarded is added like a call.
pub fn cumulative(nodes: &[&Node], calls: &[Call]) -> Usage {
    let calls = ledger(calls);
    let base = Base::last(nodes);
    let order: HashMap<&NodeId, usize> = nodes.iter().enumerate().map(|(at, node)| (&node.id, at)).collect();
    let told: HashSet<&NodeId> = calls.iter().filter(|call| call.usage.is_some()).filter_map(|call| call.node.as_ref()).collect();

    let from_nodes = nodes.iter().enumerate().filter(|(at, node)| !base.covers(node.created_at.as_ref(), Some(*at))).filter_map(
        |(_, node)| match &node.accounting {
            Some(line) if node.kind == Kind::Accounting => {
                (line.reading == AccountingReading::Delta).then(|| line.cumulative_tokens.into())
            }
            _ => node.usage.filter(|_| !told.contains(&node.id)),
        },
    );
    let from_calls = calls.iter().filter_map(|call| {
        let at = call.node.as_ref().and_then(|node| order.get(node).copied());
        call.usage.filter(|_| !base.covers(call.created_at.as_ref(), at))
    });
    from_nodes.chain(from_calls).fold(base.total, |sum, usage| sum + usage)
}

/// The accounting line that a sum begins with.
struct Base<'a> {
    total: Usage,
    at: Option<usize>,
    time: Option<&'a Timestamp>,
}

impl<'a> Base<'a> {
    fn last(nodes: &[&'a Node]) -> Self {
        let mut base = Base { total: Usage::default(), at: None, time: None };
        for (at, node) in nodes.iter().enumerate() {
            if let (Kind::Accounting, Some(line)) = (node.kind, &node.accounting)
                && line.reading == AccountingReading::Cumulative
            {
                base = Base { total: line.cumulative_tokens.into(), at: Some(at), time: node.created_at.as_ref() };
            }
        }
        base
    }

    /// Whether the line already holds what happened at `time`, or stands at `at`. Within one second, order decides.
    fn covers(&self, time: Option<&Timestamp>, at: Option<usize>) -> bool {
        let Some(line) = self.at else { return false };
        let by_order = at.is_some_and(|at| at <= line);
        match (time, self.time) {
            (Some(time), Some(line)) => match time.seconds_until(line) {
                0 => by_order,
                seconds => seconds > 0,
            },
            _ => by_order,
        }
    }
}

/// What `usage` costs in US dollars.
///
/// A cache price that the table does not give is the input price: providers that name none charge none of their own, and a
/// guess below it would hide money. (The seed's client bills cache writes at the price of cache reads when only that is
/// known, which is a tenth of the truth.)
pub fn cost(usage: Usage, prices: &Prices) -> f64 {
    let of = |tokens: u64, price: f64| tokens as f64 * price / 1_000_000.0;
    of(usage.input, prices.input)
        + of(usage.output, prices.output)
        + of(usage.cache_read, prices.cache_read.unwrap_or(prices.input))
        + of(usage.cache_write, prices.cache_write.unwrap_or(prices.input))
}

/// What calls used and cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spend {
    /// Tokens of all of them.
    pub usage: Usage,
    /// US dollars of those whose price is known.
    pub usd: f64,
    /// Tokens of those whose price is not known, so that a sum never looks smaller than it is.
    pub unpriced: Usage,
    /// How many calls told of no usage.
    pub unreported: u64,
}

/// What `calls` used and cost, each id once. A cost that its source stated counts as stated.
pub fn spend(calls: &[Call], prices: impl Fn(&str) -> Option<Prices>) -> Spend {
    ledger(calls).into_iter().fold(Spend::default(), |mut sum, call| {
        let usage = call.usage.unwrap_or_default();
        let price = || call.model.as_deref().and_then(&prices);
        sum.usage += usage;
        match (call.cost_usd, call.usage) {
            (Some(usd), _) => sum.usd += usd,
            (None, None) => sum.unreported += 1,
            (None, Some(usage)) => match price() {
                Some(prices) => sum.usd += cost(usage, &prices),
                None => sum.unpriced += usage,
            },
        }
        sum
    })
}
