//! Tables: columns that line up, cells that wrap where the page is too narrow.

use super::inline::{Span, spans};
use super::look::Look;
use super::wrap::{Page, Wrap};
use crate::preview::width;

const BETWEEN: &str = " │ ";
/// A narrower column holds no words.
const LEAST: usize = 4;

/// The rows as a table; none if they are no table, or there is no room for one.
pub(super) fn grid(rows: &[String], page: Page) -> Option<String> {
    let (head, rest) = rows.split_first()?;
    let (rule, body) = rest.split_first()?;
    let right = alignment(rule)?;
    let style =
        |row: &String, look: Look| -> Vec<Vec<Span>> { cells(row).iter().map(|cell| spanned(cell, look, page)).collect() };
    let head_look = if page.colours { Look::STRONG } else { Look::PLAIN };
    let mut table = vec![style(head, head_look)];
    table.extend(body.iter().map(|row| style(row, Look::PLAIN)));
    let widths = fitted(natural(&table), page.width)?;
    let mut text = String::new();
    for (at, row) in table.iter().enumerate() {
        text += &lines(row, &widths, &right, page);
        if at == 0 {
            let rules: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
            text += &format!("{}\n", faint(&rules.join("─┼─"), page));
        }
    }
    Some(text)
}

fn spanned(cell: &str, look: Look, page: Page) -> Vec<Span> {
    if page.colours { spans(cell, look) } else { vec![Span { look, text: cell.to_owned() }] }
}

fn faint(text: &str, page: Page) -> String {
    if page.colours { Look::FAINT.paint(text) } else { text.to_owned() }
}

/// The cells of a row. A bar behind a backslash or in code is none.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut all, mut cell, mut code, mut escaped) = (Vec::new(), String::new(), false, false);
    for character in row.chars() {
        match character {
            '|' if escaped => {
                cell.pop();
                cell.push('|');
            }
            '|' if !code => all.push(std::mem::take(&mut cell).trim().to_owned()),
            other => cell.push(other),
        }
        code ^= character == '`';
        escaped = character == '\\' && !escaped;
    }
    if !cell.trim().is_empty() {
        all.push(cell.trim().to_owned());
    }
    all
}

/// Which columns stand to the right; none if this is not the line below a table's head.
fn alignment(rule: &str) -> Option<Vec<bool>> {
    let is_rule = |cell: &String| {
        let dashes = cell.trim_matches(':');
        !dashes.is_empty() && dashes.chars().all(|sign| sign == '-')
    };
    let cells = cells(rule);
    let all = !cells.is_empty() && cells.iter().all(is_rule);
    all.then(|| cells.iter().map(|cell| cell.ends_with(':') && !cell.starts_with(':')).collect())
}

fn natural(table: &[Vec<Vec<Span>>]) -> Vec<usize> {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |cell: &Vec<Span>| cell.iter().map(|span| width(&span.text)).sum::<usize>();
    let widest = |column: usize| table.iter().filter_map(|row| row.get(column)).map(wide).max().unwrap_or(0);
    (0..columns).map(|column| widest(column).max(1)).collect()
}

/// The widest columns give way until the page holds all.
fn fitted(mut widths: Vec<usize>, page: usize) -> Option<Vec<usize>> {
    let between = width(BETWEEN) * widths.len().saturating_sub(1);
    let room = page.checked_sub(between)?;
    let mut most = room;
    while widths.iter().map(|wide| (*wide).min(most)).sum::<usize>() > room {
        most -= 1;
        if most < LEAST {
            return None;
        }
    }
    widths.iter_mut().for_each(|wide| *wide = (*wide).min(most));
    Some(widths)
}

/// One row, on as many lines as its longest cell needs.
fn lines(row: &[Vec<Span>], widths: &[usize], right: &[bool], page: Page) -> String {
    let empty = Vec::new();
    let wrapped: Vec<Vec<(String, usize)>> =
        widths.iter().enumerate().map(|(at, wide)| wrapped(row.get(at).unwrap_or(&empty), *wide, page.colours)).collect();
    let tall = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..tall {
        let cell = |(at, wide): (usize, &usize)| {
            let (shown, taken) = wrapped[at].get(line).cloned().unwrap_or_default();
            let blanks = " ".repeat(wide.saturating_sub(taken));
            if right.get(at) == Some(&true) { blanks + &shown } else { shown + &blanks }
        };
        let cells: Vec<String> = widths.iter().enumerate().map(cell).collect();
        text += &format!("{}\n", cells.join(&faint(BETWEEN, page)).trim_end());
    }
    text
}

/// The lines of a cell, each with the columns it takes.
fn wrapped(cell: &[Span], wide: usize, colours: bool) -> Vec<(String, usize)> {
    let write = |colours: bool| {
        let mut wrap = Wrap::new(Page { colours, width: wide });
        wrap.begin("", "", Look::PLAIN);
        cell.iter().for_each(|span| wrap.put(span.look, &span.text));
        wrap.end();
        wrap.take()
    };
    let (shown, bare) = (write(colours), write(false));
    shown.lines().zip(bare.lines()).map(|(shown, bare)| (shown.to_owned(), width(bare))).collect()
}
