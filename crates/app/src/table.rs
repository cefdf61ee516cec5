//! Tables whose columns line up, whatever the script their text is in.

use crate::preview::{cut, width};
use crate::style::{Ink, Style};

/// On which side a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells. Cells hold text that is already safe to show (see [`preview`](crate::preview)).
pub(crate) struct Table {
    align: Vec<Align>,
    /// How wide the first column may be.
    first: usize,
    rows: Vec<(Ink, Vec<String>)>,
}

/// Blanks before a table and between its columns.
const GAP: usize = 2;
/// No column but the last is wider than this.
const WIDEST: usize = 28;
/// As long as an id may be.
const WIDEST_ID: usize = 200;

impl Table {
    /// A table with these columns.
    pub(crate) fn new(align: &[Align]) -> Table {
        Table { align: align.to_vec(), first: WIDEST, rows: Vec::new() }
    }

    /// A table whose first column holds ids, which are of no use when they are cut.
    pub(crate) fn of_ids(align: &[Align]) -> Table {
        Table { first: WIDEST_ID, ..Table::new(align) }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, ink: Ink, cells: impl IntoIterator<Item = String>) {
        self.rows.push((ink, cells.into_iter().collect()));
    }

    /// The whole of it, a line for each row, each as wide as the stream at most.
    pub(crate) fn show(&self, style: Style) -> String {
        let widths = self.widths(style.width());
        let mut text = String::new();
        for (ink, cells) in &self.rows {
            let mut line = String::new();
            for ((cell, &wide), align) in cells.iter().zip(&widths).zip(&self.align) {
                let cell = cut(cell, wide);
                let blanks = " ".repeat(wide.saturating_sub(width(&cell)));
                line.push_str(&" ".repeat(GAP));
                match align {
                    Align::Left => line.extend([cell, blanks]),
                    Align::Right => line.extend([blanks, cell]),
                }
            }
            text.push_str(&style.paint(*ink, line.trim_end()));
            text.push('\n');
        }
        text
    }

    /// Every column as wide as its widest cell; the last one gets what is left of the line.
    fn widths(&self, line: usize) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|(_, cells)| cells.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.align.len()).map(widest).collect();
        if let Some((last, others)) = widths.split_last_mut() {
            let most = std::iter::once(self.first).chain(std::iter::repeat(WIDEST));
            others.iter_mut().zip(most).for_each(|(wide, most)| *wide = (*wide).min(most));
            let taken: usize = others.iter().map(|wide| wide + GAP).sum();
            *last = (*last).min(line.saturating_sub(taken + GAP));
        }
        widths
    }
}
