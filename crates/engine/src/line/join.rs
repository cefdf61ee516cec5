//! What was kept, put between what stands around it.

use super::brief::{Brief, Question};
use super::buffer::atom_text;
use super::fit::Fate;
use super::frame::{Frame, marker, shows_marker, user};
use super::repair::{Atom, Said};
use super::select::Selection;
use super::timeline;
use super::weave::{Woven, silent};
use crate::ask::{Form, HistoryPlacement};
use crate::model::NodeId;
use crate::prompt::Piece;
use crate::timeline::{Entry, Seen};

/// Messages in order, before neighbours are merged.
pub(crate) struct Joined<'h> {
    pub(crate) said: Vec<Said<'h>>,
    /// Raw cost of the history, markers included.
    pub(crate) raw: u64,
    pub(crate) facts: Facts,
}

/// What is known of the cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Raw cost of the history, markers included.
    pub(crate) raw: u64,
    /// Nodes that were cut out.
    pub(crate) cut_nodes: u64,
    /// Whether a marker shows it.
    pub(crate) marked: bool,
    /// Raw cost of the marker.
    pub(crate) marker_raw: u64,
    /// Raw cost of a summary that stands before the history.
    pub(crate) opening_raw: u64,
}

/// Puts what was kept between what stands around it.
pub(crate) fn join<'h>(woven: &mut Woven<'h>, selection: &Selection<'h>, brief: &Brief<'h>, frame: &mut Frame<'h>) -> Joined<'h> {
    let cut_nodes = cut_nodes(woven, selection, brief);
    let marked = cut_nodes > 0 && shows_marker(brief);
    let marker_raw = if marked { brief.meter.raw(&marker(cut_nodes)) + brief.overhead() } else { 0 };
    let mut facts = Facts { raw: 0, cut_nodes, marked, marker_raw, opening_raw: frame.opening_raw() };
    let (history, raw) = match brief.form {
        Form::Dialogue => dialogue(woven, selection, brief, &facts),
        Form::Buffer => document(woven, selection, brief, frame, &facts),
        Form::Timeline => entries(woven, selection, brief, frame, &facts),
    };
    facts.raw = raw;
    let mut said = history;
    if let Some(opening) = &frame.opening {
        said.insert(0, again(opening));
    }
    if brief.form != Form::Buffer {
        said.extend(frame.closing.iter().map(again));
    }
    Joined { said, raw, facts }
}

fn again<'h>(said: &Said<'h>) -> Said<'h> {
    Said { message: said.message.clone(), nodes: said.nodes.clone() }
}

/// Nodes that a cut removed and that selection would have sent.
fn cut_nodes(woven: &Woven<'_>, selection: &Selection<'_>, brief: &Brief<'_>) -> u64 {
    let read = woven.atoms.iter().zip(&woven.fitted.fates).filter(|(_, fate)| matches!(fate, Fate::Dropped(_)));
    let read: usize = read.map(|(atom, _)| atom.nodes.len()).sum();
    let lost = woven.silent.iter().filter(|(node, reason)| woven.loses(brief, *node, *reason)).count();
    let skipped = woven.gap.map_or(0, |(from, to)| {
        let inside = selection.path.specials_before(to).take_while(|&node| brief.history.place(node).depth >= from);
        let aside = inside.filter(|&node| {
            selection.is_aside(node)
                || selection.reason(node).is_some()
                || silent(brief, node).is_some()
                || woven.atoms.iter().any(|atom| atom.nodes.contains(&node))
        });
        let is_inside = |node: u32| {
            let depth = brief.history.place(node).depth;
            from <= depth && depth < to && selection.path.holds(node)
        };
        let kept = woven.atoms.iter().flat_map(|atom| &atom.nodes);
        let plain_kept = kept.filter(|&&node| brief.history.place(node).special != node && is_inside(node));
        let input =
            matches!(brief.input, Question::Node(input) if is_inside(input) && brief.history.place(input).special != input);
        u64::from(to - from) - aside.count() as u64 - plain_kept.count() as u64 - u64::from(input)
    });
    (read + lost) as u64 + skipped
}

fn dialogue<'h>(woven: &mut Woven<'h>, selection: &Selection<'h>, brief: &Brief<'h>, facts: &Facts) -> (Vec<Said<'h>>, u64) {
    // Room for what stands around it, too: to make room later costs a copy of everything.
    const AROUND: usize = 8;
    let messages: usize = woven.atoms.iter().map(|atom| atom.said.len()).sum();
    let mut said = Vec::with_capacity(messages + AROUND);
    let mut raw = woven.raw();
    let at = facts.marked.then(|| first_removed(woven, selection, brief));
    for (index, atom) in woven.atoms.iter_mut().enumerate() {
        if at == Some(index) {
            raw += push_marker(&mut said, brief, facts);
        }
        if !matches!(woven.fitted.fates[index], Fate::Dropped(_)) {
            said.extend(atom.said.drain(..));
        }
    }
    if at == Some(woven.atoms.len()) {
        raw += push_marker(&mut said, brief, facts);
    }
    (said, raw)
}

fn push_marker<'h>(said: &mut Vec<Said<'h>>, brief: &Brief<'h>, facts: &Facts) -> u64 {
    let text = marker(facts.cut_nodes);
    let raw = brief.meter.raw(&text) + brief.overhead();
    said.push(user(Piece::text(text), None));
    raw
}

/// The atom before which the first removed node stood.
fn first_removed(woven: &Woven<'_>, selection: &Selection<'_>, brief: &Brief<'_>) -> usize {
    let dropped = woven.fitted.fates.iter().position(|fate| matches!(fate, Fate::Dropped(_))).unwrap_or(woven.atoms.len());
    let depth = |atom: &Atom<'_>| atom.nodes.first().map_or(u32::MAX, |&node| brief.history.place(node).depth);
    let gap = woven.gap.map_or(usize::MAX, |(from, to)| {
        let kept = |node: u32| woven.atoms.iter().any(|atom| atom.nodes.contains(&node));
        let removed = |node: u32| {
            !kept(node) && !selection.is_aside(node) && selection.reason(node).is_none() && silent(brief, node).is_none()
        };
        let first = (from..to).find(|&depth| removed(selection.path.at(depth))).unwrap_or(to);
        woven.atoms.iter().position(|atom| depth(atom) >= first).unwrap_or(woven.atoms.len())
    });
    let lost = woven.silent.iter().filter(|(node, reason)| woven.loses(brief, *node, *reason));
    let lost = lost.map(|(node, _)| brief.history.place(*node).depth).min();
    let lost = lost.and_then(|lost| woven.atoms.iter().position(|atom| depth(atom) >= lost)).unwrap_or(usize::MAX);
    dropped.min(gap).min(lost)
}

fn document<'h>(
    woven: &Woven<'h>,
    selection: &Selection<'h>,
    brief: &Brief<'h>,
    frame: &Frame<'h>,
    facts: &Facts,
) -> (Vec<Said<'h>>, u64) {
    let mut text = String::new();
    let mut nodes = Vec::new();
    let at = if facts.marked { first_removed(woven, selection, brief) } else { usize::MAX };
    for (index, (atom, fate)) in woven.atoms.iter().zip(&woven.fitted.fates).enumerate() {
        if at == index {
            text += &marker(facts.cut_nodes);
        }
        let part = woven.remainder.as_ref().filter(|remainder| remainder.atom == index);
        match (fate, part) {
            (Fate::Dropped(_), None) => continue,
            (Fate::Dropped(_), Some(part)) => text += &atom_text(atom)[part.from..],
            (Fate::Kept(_) | Fate::Shortened(_), _) => text += atom_text(atom),
        }
        nodes.extend(&atom.nodes);
    }
    if at == woven.atoms.len() {
        text += &marker(facts.cut_nodes);
    }
    let history = brief.meter.raw(&text);
    for closing in &frame.closing {
        for piece in &closing.message.pieces {
            if let Piece::Text(piece) = piece {
                text += &piece.text;
            }
        }
        nodes.extend(&closing.nodes);
    }
    let raw = brief.meter.raw(&text).saturating_sub(frame.input_raw()).max(history);
    if !brief.dialect.accepts_text(&text) {
        return (Vec::new(), 0);
    }
    (vec![Said { nodes: nodes.into(), ..user(Piece::text(text), None) }], raw)
}

fn entries<'h>(
    woven: &mut Woven<'h>,
    selection: &Selection<'h>,
    brief: &Brief<'h>,
    frame: &mut Frame<'h>,
    facts: &Facts,
) -> (Vec<Said<'h>>, u64) {
    let around = frame.raw();
    let (entries, said) = shown(woven, selection, brief, facts);
    let told = frame.put_in(brief, timeline::history(brief, entries));
    let messages = super::repair::said_cost(&said, brief);
    (said, (told + messages).saturating_sub(around))
}

/// The entries of what was kept, or their messages.
fn shown<'h>(
    woven: &mut Woven<'h>,
    selection: &Selection<'h>,
    brief: &Brief<'h>,
    facts: &Facts,
) -> (Vec<Entry<'h>>, Vec<Said<'h>>) {
    let hidden = hidden(woven, selection, brief);
    let at = (facts.cut_nodes > 0 && facts.marked).then(|| first_removed(woven, selection, brief));
    let mut lines: Vec<(Entry<'h>, Option<u32>)> =
        timeline::summary(brief, selection).map(|entry| (entry, None)).into_iter().collect();
    let entries = std::mem::take(&mut woven.entries);
    for (index, entry) in entries.into_iter().enumerate() {
        if at == Some(index) {
            lines.push((Entry::Omitted { nodes: facts.cut_nodes }, None));
        }
        if !matches!(woven.fitted.fates[index], Fate::Dropped(_)) {
            lines.push((entry, woven.atoms[index].nodes.first().copied()));
        }
    }
    lines.extend(hidden.map(|(nodes, from)| (Entry::OmittedNew { nodes, from }, None)));
    if let Some(trigger) = &brief.history.file().trigger {
        lines.extend(Entry::wait_ran_out(trigger).map(|entry| (entry, None)));
    }
    match brief.policy.history {
        HistoryPlacement::System => (lines.into_iter().map(|(entry, _)| entry).collect(), Vec::new()),
        HistoryPlacement::Messages => {
            let said =
                |(entry, node): (Entry<'h>, Option<u32>)| Said { nodes: node.into_iter().collect(), ..timeline::message(&entry) };
            (Vec::new(), lines.into_iter().map(said).collect())
        }
    }
}

/// Messages that the viewer never saw and that are not shown either, and the first of them.
fn hidden(woven: &Woven<'_>, selection: &Selection<'_>, brief: &Brief<'_>) -> Option<(u64, NodeId)> {
    let after = brief.cursor.map_or(0, |cursor| brief.history.place(cursor).depth + 1).max(selection.floor);
    let unseen = |node: &u32| {
        timeline::atom(brief, *node).is_ok_and(|(entry, _)| entry.post().is_some_and(|post| post.seen == Some(Seen::New)))
    };
    let outside =
        (after < selection.window && timeline::is_somewhere(brief)).then(|| selection.path.stretch(after, selection.window));
    let outside =
        outside.into_iter().flatten().filter(|&node| selection.reason(node) == Some(crate::report::Reason::OutsideWindow));
    let dropped = woven.atoms.iter().zip(&woven.fitted.fates).filter(|(_, fate)| matches!(fate, Fate::Dropped(_)));
    let nodes: Vec<u32> = outside.chain(dropped.flat_map(|(atom, _)| atom.nodes.iter().copied())).filter(unseen).collect();
    let first = nodes.iter().copied().min_by_key(|&node| brief.history.place(node).depth)?;
    Some((nodes.len() as u64, brief.history.at(first).id.clone()))
}
