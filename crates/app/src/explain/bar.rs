//! A bar of the window, scaled to the line, and its legend.

use crate::number::{grouped, percent};
use crate::preview::width;
use crate::style::{Ink, Style};
use weftwork::report::Budget;

/// A part of the window. Each has a sign of its own, so that the bar reads without colours too.
struct Segment {
    name: &'static str,
    sign: char,
    tokens: u64,
}

/// Bar and legend.
pub(crate) fn bar(budget: &Budget, style: Style) -> String {
    let segments = segments(budget);
    let cells = cells(&segments, style.width() - 4);
    let mut bar = String::new();
    for (at, (segment, &cells)) in (0u8..).zip(segments.iter().zip(&cells)) {
        bar += &style.paint(Ink::Segment(at), &segment.sign.to_string().repeat(cells));
    }
    format!("  {bar}\n{}", legend(&segments, budget.context_length, style))
}

fn segments(budget: &Budget) -> [Segment; 7] {
    let taken = [budget.system, budget.tools, budget.input, budget.history, budget.markers, budget.reserve];
    let free = taken.iter().fold(budget.context_length, |free, taken| free.saturating_sub(*taken));
    let segment = |name, sign, tokens| Segment { name, sign, tokens };
    [
        segment("system", '█', budget.system),
        segment("tools", '▓', budget.tools),
        segment("input", '◆', budget.input),
        segment("history", '▒', budget.history),
        segment("markers", '┊', budget.markers),
        segment("reserve", '░', budget.reserve),
        segment("free", '·', free),
    ]
}

/// How many columns each segment gets: as its share is, but at least one if there is anything.
fn cells(segments: &[Segment], columns: usize) -> Vec<usize> {
    let total: u128 = segments.iter().map(|segment| u128::from(segment.tokens)).sum();
    let share = |segment: &Segment| (u128::from(segment.tokens) * columns as u128 / total.max(1)) as usize;
    let mut cells: Vec<usize> = segments.iter().map(|segment| share(segment).max(usize::from(segment.tokens > 0))).collect();
    // The widest one takes up what rounding left over or took away.
    let rest = columns as isize - cells.iter().sum::<usize>() as isize;
    if let Some(widest) = cells.iter_mut().max().filter(|widest| **widest > 0) {
        *widest = widest.saturating_add_signed(rest);
    }
    cells
}

/// What the signs mean, as many to a line as fit.
fn legend(segments: &[Segment], window: u64, style: Style) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (at, segment) in (0u8..).zip(segments).filter(|(_, segment)| segment.tokens > 0) {
        let words = format!("{} {} {}", segment.name, grouped(segment.tokens), percent(segment.tokens, window));
        let wide = width(&words) + 5;
        if column + wide > style.width() && column > 0 {
            text.push('\n');
            column = 0;
        }
        text += &format!("  {} {words} ", style.paint(Ink::Segment(at), &segment.sign.to_string()));
        column += wide;
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_its_columns_and_hides_nothing() {
        let cases =
            [[0, 0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1, 1_000_000], [5, 0, 0, 900, 6, 90, 0], [u64::MAX, 1, 0, 0, 0, 0, 0]];
        for tokens in cases {
            let segments = tokens.map(|tokens| Segment { name: "", sign: ' ', tokens });
            let cells = cells(&segments, 96);
            assert_eq!(cells.iter().sum::<usize>(), 96, "{tokens:?}");
            assert!(cells.iter().zip(tokens).all(|(&cells, tokens)| (cells > 0) == (tokens > 0)), "{tokens:?}: {cells:?}");
        }
    }
}
