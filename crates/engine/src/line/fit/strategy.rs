//! Where each strategy cuts.

use super::super::brief::{Brief, Question};
use super::super::repair::Atom;
use super::{Fate, Fitted, Gap, Unfit};
use crate::ask::{Form, Strategy, Unit};
use crate::report::{Reason, Warning, WarningKind};

/// The atoms as numbers: what a strategy looks at.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Raw cost of each atom that may be removed; nothing for fixed ones.
    pub(crate) costs: Vec<u64>,
    /// Raw cost of all that may not be removed.
    pub(crate) fixed: u64,
    /// Why an atom may not be removed.
    pins: Vec<Option<Reason>>,
    /// Whether a turn begins at an atom.
    starts: Vec<bool>,
    /// The first atom after the gap.
    gap: Option<Gap>,
    /// The first atom after a cut that is held.
    held: usize,
    /// The end of the first turn, if the strategy keeps it.
    first_end: usize,
    /// The first atom of the open turn; past the last where the input is the open turn.
    pub(crate) open: usize,
    /// Whether the open turn begins in the gap.
    pub(crate) open_unread: bool,
    /// The first of the newest atoms that shall be kept.
    recent: usize,
    whole_turns: bool,
    cut_reason: Reason,
}

impl Shape {
    pub(crate) fn new(atoms: &[Atom<'_>], gap: Option<Gap>, held: usize, brief: &Brief<'_>) -> Shape {
        let starts = match brief.form {
            Form::Dialogue | Form::Timeline => turn_starts(atoms.iter().map(|atom| atom.side.asks()), gap),
            Form::Buffer => vec![true; atoms.len()],
        };
        let newest = starts.iter().rposition(|start| *start);
        let open = match (brief.input, brief.form) {
            (Question::Parts(_) | Question::Node(_), _) | (_, Form::Timeline | Form::Buffer) => atoms.len(),
            (Question::None, Form::Dialogue) => newest.unwrap_or(0),
        };
        let after_gap = |gap: Gap| open == atoms.len() || newest.is_some_and(|newest| newest >= gap.at);
        let pins = pins(atoms, open, brief);
        let middle = brief.policy.strategy == Strategy::TruncateMiddle;
        let first_end = if middle { first_turn_end(&starts, gap).min(open) } else { 0 };
        let nodes: Vec<usize> = atoms.iter().map(|atom| atom.nodes.len()).collect();
        Shape {
            costs: atoms.iter().zip(&pins).map(|(atom, pin)| if pin.is_some() { 0 } else { atom.raw }).collect(),
            fixed: atoms.iter().zip(&pins).filter(|(_, pin)| pin.is_some()).map(|(atom, _)| atom.raw).sum(),
            recent: recent(&nodes, brief.policy.minimum_recent_nodes as usize).min(open),
            whole_turns: match (brief.policy.strategy, brief.policy.unit) {
                (Strategy::TruncateMiddle, _) | (Strategy::DropOldest, Unit::Message) => false,
                (Strategy::RollingWindow | Strategy::StopAtLimit | Strategy::StickyWindow, _)
                | (Strategy::DropOldest, Unit::Turn) => true,
            },
            cut_reason: if middle { Reason::MiddleCut } else { Reason::OverBudget },
            pins,
            starts,
            gap,
            held,
            first_end,
            open,
            open_unread: gap.is_some_and(|gap| !gap.known && !after_gap(gap)),
        }
    }

    /// The reason for keeping an atom, where the first turn is kept up to `first_end`.
    fn why(&self, index: usize, first_end: usize) -> Reason {
        match self.pins[index] {
            Some(pin) => pin,
            None if index < first_end => Reason::FirstTurn,
            None if index >= self.recent => Reason::Recent,
            None => Reason::Window,
        }
    }

    pub(crate) fn keep_all(&self) -> Vec<Fate> {
        (0..self.costs.len()).map(|index| Fate::Kept(self.why(index, self.first_end))).collect()
    }

    /// Cuts with the open turn whole; none if that alone is too large.
    pub(crate) fn cut(&self, limit: u64) -> Result<Option<Fitted>, Unfit> {
        let first: u64 = self.costs[..self.first_end].iter().sum();
        let recents = self.sum_from(self.recent.max(self.first_end));
        if self.first_end > 0 && first + recents <= limit {
            let from = self.suffix(limit - first, self.first_end)?;
            return Ok(from.map(|from| self.decide(self.first_end, from, Vec::new())));
        }
        let Some(from) = self.suffix(limit, 0)? else { return Ok(None) };
        let mut warnings = Vec::new();
        if self.first_end > 0 {
            warnings.push(warn(WarningKind::FirstTurnDropped, "the first turn and the newest nodes did not fit together"));
        }
        if from > self.recent {
            warnings.push(warn(WarningKind::FewerRecent, "not all of the newest nodes that shall be kept did fit"));
        }
        Ok(Some(self.decide(0, from, warnings)))
    }

    /// The earliest beginning from which everything fits, not after the open turn's; none if that does not fit.
    fn suffix(&self, limit: u64, at_least: usize) -> Result<Option<usize>, Unfit> {
        let nodes = self.costs.len();
        let floor = at_least.max(self.held).max(self.gap.map_or(0, |gap| gap.at));
        let mut best = (self.open >= nodes).then_some(nodes);
        let mut raw = 0;
        for from in (floor..nodes).rev() {
            raw += self.costs[from];
            if raw > limit {
                return Ok(best);
            }
            if from <= self.open && (!self.whole_turns || self.starts[from]) {
                best = Some(from);
            }
        }
        match self.gap {
            // Everything that was read fits: what was not read might, too.
            Some(Gap { known: false, .. }) => Err(Unfit::NeedMore),
            Some(Gap { known: true, .. }) | None => Ok(best.or(Some(floor))),
        }
    }

    pub(crate) fn sum_from(&self, from: usize) -> u64 {
        self.costs[from..].iter().sum()
    }

    fn decide(&self, first_end: usize, from: usize, warnings: Vec<Warning>) -> Fitted {
        let kept = |index: usize| index < first_end || index >= from || self.pins[index].is_some();
        let fates = (0..self.costs.len())
            .map(|index| if kept(index) { Fate::Kept(self.why(index, first_end)) } else { Fate::Dropped(self.cut_reason) })
            .collect::<Vec<_>>();
        let cut = self.gap.is_some() || fates.iter().any(|fate| matches!(fate, Fate::Dropped(_)));
        Fitted { fates, cut, between: (first_end, from), warnings }
    }

    /// Whether a cut is held here.
    pub(crate) fn is_held(&self) -> bool {
        self.held > self.first_end
    }

    /// Whether there is something that was not read.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// The reason given to what a cut removes.
    pub(crate) fn cut_reason(&self) -> Reason {
        self.cut_reason
    }

    pub(crate) fn pin(&self, index: usize) -> Option<Reason> {
        self.pins[index]
    }
}

/// Where turns begin: at a message from another side that does not follow one. What stands before the first belongs to
/// the first turn; what follows a gap is not known to begin one.
pub(crate) fn turn_starts(asks: impl Iterator<Item = bool>, gap: Option<Gap>) -> Vec<bool> {
    let mut starts = Vec::with_capacity(asks.size_hint().0);
    let mut before = None;
    for (index, asks) in asks.enumerate() {
        let after_gap = gap.filter(|gap| gap.at == index);
        let start = match (after_gap, before) {
            (Some(gap), _) => gap.known && asks,
            (None, _) if index == 0 => true,
            (None, before) => asks && before == Some(false),
        };
        starts.push(start);
        // An agent that speaks before anybody asked does not end a turn: it belongs to the first.
        before = match (after_gap, before, asks) {
            (None, None, false) | (Some(Gap { asked: false, .. }), _, false) => None,
            (Some(_), _, asks) | (None, _, asks) => Some(asks),
        };
    }
    starts
}

/// Where the first turn ends.
pub(crate) fn first_turn_end(starts: &[bool], gap: Option<Gap>) -> usize {
    let read = gap.map_or(starts.len(), |gap| gap.front);
    (1..read).find(|&index| starts[index]).unwrap_or(read)
}

/// What may not be removed: pins, causes, the open turn's question and the newest atom.
fn pins(atoms: &[Atom<'_>], open: usize, brief: &Brief<'_>) -> Vec<Option<Reason>> {
    let mut pins: Vec<Option<Reason>> = atoms.iter().map(|atom| atom.fixed).collect();
    if matches!((brief.input, brief.form), (Question::None, Form::Dialogue | Form::Buffer)) {
        // What an agent said before anybody asked is in the first turn, but is no question.
        let asks = |index: &usize| atoms[*index].side.asks();
        let turn = if brief.form == Form::Dialogue { open..atoms.len() } else { 0..0 };
        let question = turn.skip_while(|index| !asks(index)).take_while(asks);
        for index in question.chain(atoms.len().checked_sub(1)).collect::<Vec<_>>() {
            pins[index] = pins[index].or(Some(Reason::OpenExchange));
        }
    }
    pins
}

/// The first of the newest atoms that hold at least so many nodes.
fn recent(nodes: &[usize], least: usize) -> usize {
    let mut left = least;
    let mut from = nodes.len();
    while from > 0 && left > 0 {
        from -= 1;
        left = left.saturating_sub(nodes[from]);
    }
    from
}

fn warn(kind: WarningKind, detail: &str) -> Warning {
    Warning { kind, detail: detail.to_owned() }
}
