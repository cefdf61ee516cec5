//! A row for each node: who, what was decided and why, what it costs, its first words.

use crate::number::{grouped, many};
use crate::preview::{self, plain};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use weftwork::History;
use weftwork::model::{ImportedRole, Node};
use weftwork::report::{Decision, Item};

/// A longer run of nodes that were dropped for one reason is one row.
const DROPPED_ALONE: usize = 3;
/// A longer run of nodes that were kept for one reason is shown by its ends.
const KEPT_ALONE: usize = 12;
/// How many nodes each end of such a run shows.
const END: usize = 4;

/// The table of nodes.
pub(super) fn rows(history: &History, items: &[Item], style: Style) -> String {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Left, Align::Right, Align::Left]);
    let head = ["  node", "author", "decision", "reason", "tokens", "text"].map(str::to_owned);
    table.row(Ink::Faint, head);
    for run in items.chunk_by(|a, b| a.decision == b.decision && a.reason == b.reason) {
        let dropped = run.first().is_some_and(|item| item.decision == Decision::Dropped);
        // What was not read is known by its ends.
        let apart = run.iter().all(|item| item.nodes == 1);
        if dropped && (run.len() > DROPPED_ALONE || !apart) {
            table.row(Ink::Faint, folded(run));
        } else if !dropped && run.len() > KEPT_ALONE {
            let (first, rest) = run.split_at(END);
            let (middle, last) = rest.split_at(rest.len() - END);
            first.iter().for_each(|item| one(&mut table, history, item));
            table.row(ink(middle[0].decision), folded(middle));
            last.iter().for_each(|item| one(&mut table, history, item));
        } else {
            run.iter().for_each(|item| one(&mut table, history, item));
        }
    }
    table.show(style)
}

fn one(table: &mut Table, history: &History, item: &Item) {
    let node = history.node(item.from.as_str());
    let cells = [
        format!("{} {}", sign(item.decision), plain(item.from.as_str())),
        node.map_or_else(String::new, |node| author(history, node)),
        item.decision.to_string(),
        item.reason.to_string(),
        grouped(item.tokens),
        node.map_or_else(String::new, preview::node),
    ];
    table.row(ink(item.decision), cells);
}

/// A run of nodes with one decision and reason, from its first to its last.
fn folded(run: &[Item]) -> [String; 6] {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return Default::default() };
    [
        format!("{} {} … {}", sign(first.decision), plain(first.from.as_str()), plain(last.to.as_str())),
        many(run.iter().map(|item| item.nodes).sum(), "node"),
        first.decision.to_string(),
        first.reason.to_string(),
        grouped(run.iter().map(|item| item.tokens).sum()),
        String::new(),
    ]
}

/// Who said it; of imported text also in which role, where the author does not tell.
fn author(history: &History, node: &Node) -> String {
    let Some(author) = history.entity(node.author.as_str()) else { return String::new() };
    let word = match node.role {
        Some(ImportedRole::System) => "system",
        Some(ImportedRole::User | ImportedRole::Assistant) | None => author.kind.word(),
    };
    format!("{} ({word})", plain(&author.name))
}

fn sign(decision: Decision) -> char {
    match decision {
        Decision::Included => '+',
        Decision::Dropped => '-',
        Decision::Shortened => '~',
        Decision::Repaired => '*',
    }
}

fn ink(decision: Decision) -> Ink {
    match decision {
        Decision::Included => Ink::Plain,
        Decision::Dropped => Ink::Faint,
        Decision::Shortened | Decision::Repaired => Ink::Notice,
    }
}
