//! `weft usage`: what calls to models used and cost.

use super::args::{UsageArgs, UsageBy};
use super::space::scope;
use crate::exit::Outcome;
use crate::number::{grouped, many};
use crate::output;
use crate::preview::plain;
use crate::remote::{Place, Server};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::{SpaceId, Usage};
use weftwork_store::{By, Cost, Line, LineReason, Period, Scope, Store, Total};

/// What is known of one space besides its calls.
pub(crate) struct Ledger {
    pub(crate) window: u64,
    pub(crate) cumulative: Usage,
    pub(crate) lines: Vec<Line>,
}

/// Sums and prints.
pub(crate) fn run(args: &UsageArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let scope = scope(&place, &args.space)?;
    let period = Period { from: args.period.since, to: args.period.until };
    let totals = match (&place, &scope) {
        (Place::Here(store), scope) => store.totals(scope, period, by(args.by))?,
        (Place::There(server), Scope::All) => server.totals(&[], period, word(args.by))?,
        (Place::There(server), Scope::Spaces(spaces)) => server.totals(spaces, period, word(args.by))?,
    };
    let ledger = match (&place, &scope) {
        (Place::Here(store), Scope::Spaces(spaces)) if spaces.len() == 1 => Some(Ledger::of(store, &spaces[0])?),
        (Place::There(server), Scope::Spaces(spaces)) if spaces.len() == 1 => Some(server.ledger(&spaces[0])?),
        (_, Scope::All | Scope::Spaces(_)) => None,
    };
    if args.list.json {
        let rows: Vec<Value> = totals.iter().map(record).collect();
        let sum = json!({"by": word(args.by), "rows": rows, "total": record(&sum(&totals)),
            "space": ledger.as_ref().map(Ledger::record)});
        output::line(&serde_json::to_vec(&sum)?)?;
        return Ok(Outcome::Ok);
    }
    if totals.is_empty() {
        output::say("no calls are kept here: files with usage bring theirs, weft import FILE\n");
    } else {
        output::data(table(args.by, &totals).as_bytes())?;
    }
    ledger.map_or(Ok(()), |ledger| output::data(ledger.text().as_bytes()))?;
    Ok(Outcome::Ok)
}

/// What a space used, by model, and where its window stands.
pub(crate) fn of_space(store: &Store, space: &SpaceId) -> Result<String> {
    let totals = store.totals(&Scope::one(space), Period::default(), By::Model)?;
    Ok(table(UsageBy::Model, &totals) + &Ledger::of(store, space)?.text())
}

/// The same of a space at a server.
pub(crate) fn of_space_at(server: &Server, space: &SpaceId) -> Result<String> {
    let totals = server.totals(std::slice::from_ref(space), Period::default(), word(UsageBy::Model))?;
    Ok(table(UsageBy::Model, &totals) + &server.ledger(space)?.text())
}

fn by(by: UsageBy) -> By {
    match by {
        UsageBy::Space => By::Space,
        UsageBy::Agent => By::Agent,
        UsageBy::Model => By::Model,
        UsageBy::Day => By::Day { offset_minutes: 0 },
        UsageBy::Run => By::Run,
        UsageBy::Call => By::Call,
    }
}

fn word(by: UsageBy) -> &'static str {
    match by {
        UsageBy::Space => "space",
        UsageBy::Agent => "agent",
        UsageBy::Model => "model",
        UsageBy::Day => "day",
        UsageBy::Run => "run",
        UsageBy::Call => "call",
    }
}

/// All of them together.
pub(crate) fn sum<'t>(totals: impl IntoIterator<Item = &'t Total>) -> Total {
    let mut sum = Total::default();
    let mut cost = 0i64;
    for total in totals {
        sum.calls += total.calls;
        sum.usage += total.usage;
        sum.unpriced += total.unpriced;
        sum.unreported += total.unreported;
        sum.estimated += total.estimated;
        cost = cost.saturating_add(total.cost.as_billionths());
    }
    sum.cost = Cost::billionths(cost);
    sum
}

fn record(total: &Total) -> Value {
    json!({"key": total.key, "calls": total.calls, "usage": total.usage, "costUsd": total.cost.usd(),
        "unpriced": total.unpriced, "unreported": total.unreported, "estimated": total.estimated})
}

fn table(by: UsageBy, totals: &[Total]) -> String {
    let right = [Align::Right; 6];
    let mut table = Table::of_ids(&[&[Align::Left][..], &right, &[Align::Left]].concat());
    let head = [word(by), "calls", "input", "output", "cacheRead", "cacheWrite", "cost", "note"];
    table.row(Ink::Faint, head.map(str::to_owned));
    for total in totals {
        let key = total.key.as_deref().map_or("-".to_owned(), plain);
        table.row(Ink::Plain, cells(key, total));
    }
    table.row(Ink::Strong, cells("total".to_owned(), &sum(totals)));
    table.show(Style::stdout())
}

fn cells(key: String, total: &Total) -> [String; 8] {
    let [input, output, read, write] = buckets(total.usage);
    [key, grouped(total.calls), input, output, read, write, dollars(total.cost), note(total)]
}

fn buckets(usage: Usage) -> [String; 4] {
    [usage.input, usage.output, usage.cache_read, usage.cache_write].map(grouped)
}

/// To the cent, or as far as the first digits go where it is less.
pub(crate) fn dollars(cost: Cost) -> String {
    match cost.as_billionths() {
        0 => "-".to_owned(),
        1..10_000_000 => format!("${:.6}", cost.usd()),
        _ => format!("${:.2}", cost.usd()),
    }
}

/// What the numbers do not say by themselves: calls that were counted here, calls without usage, tokens without a price.
fn note(total: &Total) -> String {
    let unpriced = total.unpriced.total();
    let notes = [
        (total.estimated > 0).then(|| format!("{} estimated", grouped(total.estimated))),
        (total.unreported > 0).then(|| format!("{} unreported", grouped(total.unreported))),
        (unpriced > 0).then(|| format!("{} unpriced", grouped(unpriced))),
    ];
    notes.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

impl Ledger {
    fn of(store: &Store, space: &SpaceId) -> Result<Ledger> {
        let lines = store.accounting_lines(space, None)?;
        Ok(Ledger { window: store.context_window(space, None)?, cumulative: store.cumulative(space)?, lines })
    }

    fn record(&self) -> Value {
        let line = |line: &Line| json!({"node": line.node, "reason": reason(line), "left": line.left, "soFar": line.so_far});
        json!({"contextWindow": self.window, "cumulative": self.cumulative,
            "lines": self.lines.iter().map(line).collect::<Vec<_>>()})
    }

    fn text(&self) -> String {
        let [input, output, read, write] = buckets(self.cumulative);
        let mut text = format!("\ncontext window  {} at the head\n", many(self.window, "token"));
        text += &format!("cumulative      {input} input, {output} output, {read} cacheRead, {write} cacheWrite\n");
        for line in &self.lines {
            let left = line.left.map_or(String::new(), |left| format!(", {} left behind", many(left, "node")));
            let so_far = many(line.so_far.total(), "token");
            text += &format!("accounting      {} before {}{left}, {so_far} so far\n", reason(line), plain(line.node.as_str()));
        }
        text
    }
}

fn reason(line: &Line) -> String {
    match &line.reason {
        LineReason::Edit => "edit".to_owned(),
        LineReason::Retry => "retry".to_owned(),
        LineReason::Told(words) => words.as_deref().map_or("told by the file".to_owned(), plain),
    }
}
