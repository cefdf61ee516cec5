//! The report, put together from what every step did.

use super::Assembly;
use super::brief::{Brief, Question};
use super::fit::Fate;
use super::join::Facts;
use super::mark::Marks;
use super::path::path;
use super::render::{Rendered, hex};
use super::repair::Nodes;
use super::select::Selection;
use super::weave::{Woven, silent};
use crate::ask::Strategy;
use crate::count::Meter;
use crate::history::{Counts, History};
use crate::report::{Budget, CounterUsed, Cut, Decision, Item, Reason, Repair, Report};

/// What became of a node that was looked at.
struct Outcome {
    node: u32,
    depth: u32,
    decision: Decision,
    reason: Reason,
    raw: u64,
    message: Option<u64>,
}

/// What the report must know of the messages that were sent.
pub(crate) struct Sent {
    /// The nodes in each of them.
    pub(crate) nodes: Vec<Nodes>,
    /// What merging added to the raw cost.
    pub(crate) added: i64,
    pub(crate) repairs: Vec<Repair>,
}

/// Nodes side by side on the path that met one fate: an item of the report before its ids are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    from: u32,
    to: u32,
    nodes: u64,
    decision: Decision,
    reason: Reason,
    tokens: u64,
    message: Option<u64>,
}

impl Stretch {
    /// Whether it is sent; what is sent was looked at, node by node.
    pub(super) fn is_sent(&self) -> bool {
        self.decision != Decision::Dropped
    }

    /// The place of its first node.
    pub(super) fn place(&self) -> usize {
        self.from as usize
    }

    fn item(&self, history: &History) -> Item {
        Item {
            from: history.at(self.from).id.clone(),
            to: history.at(self.to).id.clone(),
            nodes: self.nodes,
            decision: self.decision,
            reason: self.reason,
            tokens: self.tokens,
            message: self.message,
        }
    }
}

/// Puts the report together.
pub(crate) fn tell(
    selection: &Selection<'_>,
    brief: &Brief<'_>,
    woven: Woven<'_>,
    sent: Sent,
    facts: Facts,
    marks: Marks,
    rendered: Rendered,
) -> Assembly {
    let cut_reason = match brief.policy.strategy {
        Strategy::TruncateMiddle => Reason::MiddleCut,
        Strategy::RollingWindow | Strategy::StopAtLimit | Strategy::DropOldest | Strategy::StickyWindow => Reason::OverBudget,
    };
    let outcomes = outcomes(selection, brief, &woven, &sent.nodes, cut_reason);
    let repairs = repairs(&outcomes, woven.repairs, sent.repairs.into_iter().chain(rendered.repairs));
    let singles = stretches(selection, brief, &outcomes, cut_reason);
    let shortened = woven.remainder.is_some() || woven.fitted.fates.iter().any(|fate| matches!(fate, Fate::Shortened(_)));
    let budget = budget(brief, &facts, sent.added, rendered.budget);
    let report = Report {
        form: brief.form,
        dialect: brief.dialect,
        strategy: brief.policy.strategy,
        truncated: facts.cut_nodes > 0 || shortened,
        counter: CounterUsed { name: brief.meter.name(), kind: brief.meter.kind() },
        budget,
        items: compress(&singles).iter().map(|stretch| stretch.item(brief.history)).collect(),
        repairs,
        cut: cut(&singles, brief.history, &facts),
        cache: rendered.cache,
        warnings: [&brief.warnings, &selection.warnings, &woven.fitted.warnings, &marks.warnings]
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        hash: format!("sha256:{}", hex(&rendered.digest)),
    };
    Assembly {
        request: rendered.bytes,
        digest: rendered.digest,
        report,
        head: selection.path.head(),
        singles,
        meter: brief.meter,
    }
}

fn budget(brief: &Brief<'_>, facts: &Facts, added: i64, frame: Budget) -> Budget {
    // Merging may save more than the history costs: then it saved of the marker.
    let all = (facts.raw as i64 + facts.opening_raw as i64 + added).max(0) as u64;
    let marker_raw = facts.marker_raw.min(all);
    let markers = brief.meter.scale(marker_raw);
    let taken = frame.reserve + frame.system + frame.tools + frame.input + markers;
    let history = brief.meter.scale(all - marker_raw);
    Budget { markers, available: frame.context_length.saturating_sub(taken), history, ..frame }
}

/// Everything that was looked at, in path order.
fn outcomes(selection: &Selection<'_>, brief: &Brief<'_>, woven: &Woven<'_>, sent: &[Nodes], cut: Reason) -> Vec<Outcome> {
    let history = brief.history;
    let nodes: usize = woven.atoms.iter().map(|atom| atom.nodes.len()).sum();
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(nodes + woven.silent.len() + 8);
    let mut add = |node: u32, decision, reason, raw| {
        outcomes.push(Outcome { node, depth: history.place(node).depth, decision, reason, raw, message: None });
    };
    let own = |node: u32| brief.counts.own(node).spoken(brief.meter.base());
    for (index, (atom, fate)) in woven.atoms.iter().zip(&woven.fitted.fates).enumerate() {
        let rest = woven.remainder.as_ref().filter(|rest| rest.atom == index);
        let (decision, reason) = match (*fate, rest) {
            (Fate::Dropped(reason), None) => (Decision::Dropped, reason),
            (Fate::Dropped(_), Some(_)) => (Decision::Shortened, Reason::Window),
            (Fate::Shortened(reason), _) => (Decision::Shortened, reason),
            (Fate::Kept(reason), _) => (Decision::Included, reason),
        };
        let mut left = rest.map_or(atom.raw, |rest| rest.raw);
        for (at, &node) in atom.nodes.iter().enumerate() {
            let raw = if at + 1 == atom.nodes.len() { left } else { own(node).min(left) };
            left -= raw;
            add(node, decision, reason, raw);
        }
    }
    for &(node, reason) in &woven.silent {
        add(node, Decision::Dropped, if woven.loses(brief, node, reason) { cut } else { reason }, own(node));
    }
    for (node, reason) in aside(selection, brief) {
        add(node, Decision::Included, reason, own(node));
    }
    outcomes.sort_unstable_by_key(|outcome| outcome.depth);
    number(&mut outcomes, sent);
    mend(&mut outcomes, woven);
    outcomes
}

/// Summary, system messages and a stored input: sent, but not as history.
fn aside(selection: &Selection<'_>, brief: &Brief<'_>) -> Vec<(u32, Reason)> {
    let input = match brief.input {
        Question::Node(node) if selection.path.holds(node) => Some((node, Reason::Input)),
        Question::Node(_) | Question::None | Question::Parts(_) => None,
    };
    let leading = selection.leading.iter().map(|&node| (node, Reason::System));
    selection.summary.map(|node| (node, Reason::Summary)).into_iter().chain(leading).chain(input).collect()
}

/// Tells in which message each node is.
fn number(outcomes: &mut [Outcome], sent: &[Nodes]) {
    let mut places: Vec<(u32, u64)> = Vec::with_capacity(outcomes.len());
    for (nodes, at) in sent.iter().zip(1..) {
        places.extend(nodes.iter().map(|&node| (node, at)));
    }
    places.sort_unstable();
    let mut places = places.into_iter().peekable();
    // Parents have lower numbers than children: path order is the order of numbers.
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.decision != Decision::Dropped) {
        while places.next_if(|(node, _)| *node < outcome.node).is_some() {}
        outcome.message = places.peek().filter(|(node, _)| *node == outcome.node).map(|(_, at)| *at);
    }
}

/// What a repair changed is not simply included.
fn mend(outcomes: &mut [Outcome], woven: &Woven<'_>) {
    for (node, _) in &woven.repairs {
        if let Ok(at) = outcomes.binary_search_by_key(node, |outcome| outcome.node)
            && outcomes[at].decision == Decision::Included
        {
            outcomes[at].decision = Decision::Repaired;
        }
    }
}

/// Repairs of what is sent; what was cut needed none.
fn repairs(outcomes: &[Outcome], of_nodes: Vec<(u32, Repair)>, of_request: impl Iterator<Item = Repair>) -> Vec<Repair> {
    let sent = |node: u32| {
        outcomes.binary_search_by_key(&node, |outcome| outcome.node).is_ok_and(|at| {
            let outcome = &outcomes[at];
            outcome.decision != Decision::Dropped || outcome.reason == Reason::OrphanResult
        })
    };
    of_nodes.into_iter().filter(|(node, _)| sent(*node)).map(|(_, repair)| repair).chain(of_request).collect()
}

/// A stretch for each node that was looked at, and for each run that was not.
fn stretches(selection: &Selection<'_>, brief: &Brief<'_>, outcomes: &[Outcome], cut: Reason) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(outcomes.len() + 4);
    let mut depth = 0;
    for outcome in outcomes {
        if depth < outcome.depth {
            fill(&mut stretches, selection, brief, (depth, outcome.depth), cut);
        }
        stretches.push(Stretch {
            from: outcome.node,
            to: outcome.node,
            nodes: 1,
            decision: outcome.decision,
            reason: outcome.reason,
            tokens: brief.meter.scale(outcome.raw),
            message: outcome.message,
        });
        depth = outcome.depth + 1;
    }
    fill(&mut stretches, selection, brief, (depth, selection.path.len), cut);
    stretches
}

/// Stretches for depths that were not looked at: runs of plain nodes, and the others one by one.
fn fill(stretches: &mut Vec<Stretch>, selection: &Selection<'_>, brief: &Brief<'_>, (from, to): (u32, u32), cut: Reason) {
    if from >= to {
        return;
    }
    let mut specials: Vec<u32> =
        selection.path.specials_before(to).take_while(|&node| brief.history.place(node).depth >= from).collect();
    specials.reverse();
    let mut at = from;
    for node in specials {
        let depth = brief.history.place(node).depth;
        plain(stretches, selection, brief, (at, depth), cut);
        run(stretches, brief, (node, node), 1, selection.reason(node).or_else(|| silent(brief, node)).unwrap_or(cut));
        at = depth + 1;
    }
    plain(stretches, selection, brief, (at, to), cut);
}

/// Runs of plain nodes, parted where the reason changes.
fn plain(stretches: &mut Vec<Stretch>, selection: &Selection<'_>, brief: &Brief<'_>, (from, to): (u32, u32), cut: Reason) {
    let mut at = from;
    for border in [selection.floor, selection.window, u32::MAX] {
        let end = to.min(border);
        if at < end {
            let reason = selection.reason_of_place(at).unwrap_or(cut);
            let (first, last) = (selection.path.at(at), selection.path.at(end - 1));
            run(stretches, brief, (first, last), u64::from(end - at), reason);
            at = end;
        }
    }
}

fn run(stretches: &mut Vec<Stretch>, brief: &Brief<'_>, (first, last): (u32, u32), nodes: u64, reason: Reason) {
    let base = brief.meter.base();
    let raw = (brief.counts.up_to(last) - brief.counts.up_to(first) + brief.counts.own(first)).spoken(base);
    stretches.push(Stretch {
        from: first,
        to: last,
        nodes,
        decision: Decision::Dropped,
        reason,
        tokens: brief.meter.scale(raw),
        message: None,
    });
}

/// One stretch for each run of nodes with one decision and reason.
fn compress(singles: &[Stretch]) -> Vec<Stretch> {
    let mut runs: Vec<Stretch> = Vec::new();
    for single in singles {
        match runs.last_mut() {
            Some(last) if last.decision == single.decision && last.reason == single.reason => {
                last.to = single.to;
                last.nodes += single.nodes;
                last.tokens += single.tokens;
                last.message = last.message.or(single.message);
            }
            Some(_) | None => runs.push(*single),
        }
    }
    runs
}

fn cut(singles: &[Stretch], history: &History, facts: &Facts) -> Option<Cut> {
    let removed = |stretch: &Stretch| {
        stretch.decision == Decision::Dropped && matches!(stretch.reason, Reason::MiddleCut | Reason::OverBudget)
    };
    let sent = |stretch: &&Stretch| stretch.decision != Decision::Dropped && stretch.reason != Reason::System;
    let first = singles.iter().position(removed)?;
    let last = singles.iter().rposition(removed)?;
    let id = |node: u32| history.at(node).id.clone();
    Some(Cut {
        after: singles[..first].iter().rfind(sent).map(|stretch| id(stretch.to)),
        before: singles[last..].iter().find(sent).map(|stretch| id(stretch.from)),
        nodes: facts.cut_nodes,
        tokens: singles.iter().filter(|stretch| removed(stretch)).map(|stretch| stretch.tokens).sum(),
    })
}

/// Every node of the path on its own.
pub(crate) fn each_node(history: &History, head: Option<u32>, singles: &[Stretch], meter: Meter) -> Vec<Item> {
    let path = path(history, head);
    let counts: &Counts = history.counts(meter.base());
    let mut items = Vec::with_capacity(path.len as usize);
    for stretch in singles {
        if stretch.nodes == 1 || !history.is_whole() {
            items.push(stretch.item(history));
            continue;
        }
        for node in path.stretch(history.place(stretch.from).depth, history.place(stretch.to).depth + 1) {
            let tokens = meter.scale(counts.own(node).spoken(meter.base()));
            items.push(Stretch { from: node, to: node, nodes: 1, tokens, ..*stretch }.item(history));
        }
    }
    items
}
