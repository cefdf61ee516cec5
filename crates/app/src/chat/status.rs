//! The line behind a reply: what it used, what it cost, how full the window is.

use crate::keep::dollars;
use crate::number::grouped;
use weftwork_gateway::{Figures, Used};

/// Cells of the ring that shows how full the window is.
const CELLS: u64 = 10;

/// The line.
pub(crate) fn status(used: Option<&Used>, figures: &Figures) -> String {
    let spent = used.and_then(|used| used.usage.map(|usage| (usage, used)));
    let mut words = Vec::new();
    if let Some((usage, used)) = spent {
        let read = usage.prompt();
        let about = if used.estimated { "about " } else { "" };
        words.push(format!("{about}{} in", grouped(read)));
        words.push(format!("{} out", grouped(usage.output)));
        if usage.cache_read > 0 {
            words.push(format!("{} % cached", whole_percent(usage.cache_read, read)));
        }
        words.extend(used.cost.filter(|cost| cost.as_billionths() > 0).map(dollars));
    }
    words.push(ring(figures));
    words.join(" · ")
}

/// `▓▓▓░░ 34 % of 128k`
pub(crate) fn ring(figures: &Figures) -> String {
    if figures.context_length == 0 {
        return format!("{} in the window", grouped(figures.window));
    }
    let filled = (figures.window.saturating_mul(CELLS).div_ceil(figures.context_length)).min(CELLS) as usize;
    let bar = "▓".repeat(filled) + &"░".repeat(CELLS as usize - filled);
    format!("{bar} {} % of {}", whole_percent(figures.window, figures.context_length), short(figures.context_length))
}

/// `128k`, `1m`, or the number where it is neither.
pub(crate) fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..1_000_000 => format!("{}k", tokens / 1_000),
        _ => format!("{}m", (tokens as f64 / 100_000.0).floor() / 10.0),
    }
}

fn whole_percent(part: u64, whole: u64) -> String {
    let percent = (u128::from(part) * 100 + u128::from(whole) / 2) / u128::from(whole.max(1));
    if part > 0 && percent == 0 { "<1".to_owned() } else { percent.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weftwork::model::Usage;
    use weftwork_store::Cost;

    #[test]
    fn what_was_used_stands_in_one_line() {
        let figures = Figures { window: 43_520, context_length: 128_000, ..Figures::default() };
        let usage = Usage { input: 1_000, output: 56, cache_read: 3_000, cache_write: 0 };
        let used = |usage, estimated, cost| Used { usage, estimated, cost };
        let cases = [
            (
                Some(used(Some(usage), false, Some(Cost::from_usd(0.0123)))),
                "4,000 in · 56 out · 75 % cached · $0.01 · ▓▓▓▓░░░░░░ 34 % of 128k",
            ),
            (
                Some(used(Some(Usage { input: 7, ..Usage::default() }), true, None)),
                "about 7 in · 0 out · ▓▓▓▓░░░░░░ 34 % of 128k",
            ),
            (None, "▓▓▓▓░░░░░░ 34 % of 128k"),
        ];
        for (used, line) in cases {
            assert_eq!(status(used.as_ref(), &figures), line);
        }
    }

    #[test]
    fn windows_have_short_names() {
        let cases = [(512, "512"), (8_192, "8k"), (128_000, "128k"), (1_000_000, "1m"), (1_050_000, "1m"), (1_500_000, "1.5m")];
        for (tokens, name) in cases {
            assert_eq!(short(tokens), name);
        }
    }
}
