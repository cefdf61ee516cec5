//! A cut that stays where it is for many turns.
//!
//! When the path goes over, it is cut down to a share of the budget, and the cut is held until it is over again. So the
//! prefix stays the same and the provider's cache is read instead of rewritten. The cut is a pure function of the path:
//! it is found by playing the path turn by turn.

use crate::ask::Share;

/// A path as numbers: raw costs of its nodes, where atoms and turns begin, which may not be removed.
pub(crate) struct Light {
    /// Raw cost of each node; nothing for those that may not be removed.
    pub(crate) costs: Vec<u64>,
    /// Where turns begin.
    pub(crate) turns: Vec<bool>,
    /// Where a cut may end.
    pub(crate) begins: Vec<bool>,
    /// The end of the first turn, if the strategy keeps it.
    pub(crate) first_end: usize,
    /// Raw cost of what may not be removed.
    pub(crate) fixed: u64,
    /// Newest nodes that shall be kept.
    pub(crate) recent: usize,
}

/// The first node that is kept after the first turn; `first_end` if nothing was ever cut.
pub(crate) fn replay(path: &Light, budget: u64, low_water: Share) -> usize {
    let budget = budget.saturating_sub(path.fixed);
    let target = low_water.of(budget);
    let sums = sums(&path.costs);
    let first = sums[path.first_end];
    let nodes = path.costs.len();
    let turns: Vec<usize> = (path.first_end..nodes).filter(|&at| at == path.first_end || path.turns[at]).collect();
    let mut from = path.first_end;
    for (turn, &newest) in turns.iter().enumerate() {
        let end = turns.get(turn + 1).copied().unwrap_or(nodes);
        let held = |from: usize| first + sums[end] - sums[from];
        if held(from) <= budget {
            continue;
        }
        // The newest turn and the newest nodes are not cut here, however large they are.
        let latest = newest.min(end.saturating_sub(path.recent)).max(from);
        while held(from) > target {
            match (from + 1..=latest).find(|&at| path.begins[at]) {
                Some(next) => from = next,
                None => break,
            }
        }
    }
    from
}

fn sums(costs: &[u64]) -> Vec<u64> {
    let mut sums = Vec::with_capacity(costs.len() + 1);
    let mut sum = 0;
    sums.push(0);
    for cost in costs {
        sum += cost;
        sums.push(sum);
    }
    sums
}
