//! The picture of an assembly: where the window went, and what became of each node.

mod bar;
mod rows;

pub(crate) use bar::bar;

use crate::number::{grouped, many};
use crate::preview::plain;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use std::fmt::Write;
use weftwork::History;
use weftwork::count::Kind;
use weftwork::report::{CacheReport, Cut, Report};

/// The whole picture. The report has each node that is sent on its own.
pub(crate) fn explain(history: &History, report: &Report, style: Style) -> String {
    let mut text = format!("{}\n\n", headline(report, style));
    text += &bar::bar(&report.budget, style);
    text.push('\n');
    text += &rows::rows(history, &report.items, style);
    text += &section("repairs", style, repairs(report));
    text += &section("cut", style, report.cut.as_ref().map(cut));
    text += &section("cache", style, cache(&report.cache));
    text += &section("warnings", style, report.warnings.iter().map(|warning| [warning.kind.to_string(), plain(&warning.detail)]));
    text + &format!("\n{} {}\n", style.paint(Ink::Strong, "hash"), report.hash)
}

/// What was asked for, in one line.
fn headline(report: &Report, style: Style) -> String {
    let arrow = format!("{} → {}", report.form, report.dialect);
    let counter = format!("{} ({})", report.counter.name, kind(report.counter.kind));
    let window = format!("window {}", grouped(report.budget.context_length));
    let fits = if report.truncated { "cut to fit" } else { "nothing cut" };
    let rest = [report.strategy.to_string(), counter, window, fits.to_owned()].join(" · ");
    format!("{} · {rest}", style.paint(Ink::Strong, &arrow))
}

/// The word for what a number rests on.
pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Estimated => "estimated",
        Kind::Counted => "counted",
        Kind::Reported => "reported",
    }
}

/// A heading and its rows; nothing if there are none.
fn section(heading: &str, style: Style, rows: impl IntoIterator<Item = [String; 2]>) -> String {
    let mut table = Table::new(&[Align::Left, Align::Left]);
    let mut any = false;
    for row in rows {
        any = true;
        table.row(Ink::Plain, row);
    }
    if any { format!("\n{}\n{}", style.paint(Ink::Strong, heading), table.show(style)) } else { String::new() }
}

fn repairs(report: &Report) -> Vec<[String; 2]> {
    let row = |repair: &weftwork::report::Repair| {
        let place = repair.node.as_ref().map_or(String::new(), |node| format!("{}: ", plain(node.as_str())));
        [repair.kind.to_string(), place + &plain(&repair.detail)]
    };
    report.repairs.iter().map(row).collect()
}

fn cut(cut: &Cut) -> [String; 2] {
    let mut place = String::new();
    if let Some(after) = &cut.after {
        let _ = write!(place, "after {} ", plain(after.as_str()));
    }
    if let Some(before) = &cut.before {
        let _ = write!(place, "before {}", plain(before.as_str()));
    }
    [many(cut.nodes, "node"), format!("{} {}", many(cut.tokens, "token"), place.trim_end())]
}

fn cache(cache: &CacheReport) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    let mut add = |name: &str, value: String| rows.push([name.to_owned(), value]);
    if !cache.marks.is_empty() {
        add("marks", cache.marks.iter().map(|mark| plain(mark)).collect::<Vec<_>>().join(", "));
    }
    if let Some(change) = &cache.first_change {
        add("first change", format!("{}, byte {}", change.section, grouped(change.byte)));
    }
    if let (Some(read), Some(written)) = (cache.predicted_read, cache.predicted_write) {
        add("prediction", format!("{} read, {} written", many(read, "token"), grouped(written)));
    }
    rows
}
