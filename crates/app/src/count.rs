//! `weft count`: tokens of each message on the path.

use crate::cli::CountArgs;
use crate::exit::Outcome;
use crate::explain::kind;
use crate::number::grouped;
use crate::preview::{self, plain};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use crate::{ask, input, output};
use anyhow::{Result, anyhow};
use serde_json::json;
use weftwork::History;
use weftwork::ask::Check;
use weftwork::count::{Meter, Tally};
use weftwork::model::Node;

/// Counts and prints.
pub(crate) fn run(args: &CountArgs) -> Result<Outcome> {
    let loaded = input::load(&args.input, Check::Repair)?;
    loaded.warn_of_loss();
    let history = loaded.history(&args.input)?;
    let model = args.model.as_deref().map(ask::model);
    let meter = Meter::new(args.counter, model.as_ref());
    let path = path(&history, args.head.as_deref())?;
    let counts: Vec<u64> = path.iter().map(|node| cost(node, meter)).collect();
    if args.json {
        output::line(&serde_json::to_vec(&record(&path, &counts, meter))?)?;
    } else {
        output::data(table(&history, &path, &counts, meter).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

/// From the root to the head.
fn path<'h>(history: &'h History, head: Option<&str>) -> Result<Vec<&'h Node>> {
    let head = match head {
        Some(id) => Some(history.node(id).ok_or_else(|| anyhow!("--head {id:?} is not in the conversation"))?),
        None => history.head(),
    };
    let up = |node: &&'h Node| history.node(node.parent.as_ref()?.as_str());
    let mut path: Vec<&Node> = std::iter::successors(head, up).collect();
    path.reverse();
    Ok(path)
}

/// What a node costs when it is sent whole, as assembly counts it.
fn cost(node: &Node, meter: Meter) -> u64 {
    meter.scale(Tally::of(&node.parts, meter.base()).spoken(meter.base()))
}

fn record(path: &[&Node], counts: &[u64], meter: Meter) -> serde_json::Value {
    let messages = path.iter().zip(counts).map(|(node, tokens)| json!({"node": node.id, "tokens": tokens}));
    json!({"counter": meter.name(), "messages": messages.collect::<Vec<_>>(), "total": counts.iter().sum::<u64>()})
}

fn table(history: &History, path: &[&Node], counts: &[u64], meter: Meter) -> String {
    let style = Style::stdout();
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Right, Align::Left]);
    let head = ["node", "author", "tokens", "text"].map(str::to_owned);
    table.row(Ink::Faint, head);
    for (node, &tokens) in path.iter().zip(counts) {
        let author = history.entity(node.author.as_str()).map_or(String::new(), |author| plain(&author.name));
        table.row(Ink::Plain, [plain(node.id.as_str()), author, grouped(tokens), preview::node(node)]);
    }
    let total = grouped(counts.iter().sum());
    table.row(Ink::Strong, ["total".to_owned(), String::new(), total, format!("{}, {}", meter.name(), kind(meter.kind()))]);
    table.show(style)
}
