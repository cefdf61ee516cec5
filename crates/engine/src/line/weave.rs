//! From a selection to what is kept of it: read, convert, repair and fit, reading further back only when fitting asks.

use super::brief::{Brief, Question};
use super::buffer;
use super::convert::{ToolParts, convert, tool_parts};
use super::error::{AssembleError, Sized};
use super::fit::{Fate, Fitted, Gap, Light, Room, Unfit, first_turn_end, fit, replay, turn_starts};
use super::frame::Frame;
use super::read::{Front, Reach, Reading, read, speaks};
use super::repair::{Atom, Repaired, repair};
use super::select::Selection;
use super::speech::{Speech, speech, turns};
use super::timeline;
use crate::ask::{Form, Strategy, ToolPolicy, Unit};
use crate::report::{Reason, Repair};
use crate::timeline::Entry;

/// What is kept, and what became of everything that was looked at.
pub(crate) struct Woven<'h> {
    pub(crate) atoms: Vec<Atom<'h>>,
    pub(crate) fitted: Fitted,
    /// The depths that were not read.
    pub(crate) gap: Option<(u32, u32)>,
    /// Nodes that had nothing to say, and why.
    pub(crate) silent: Vec<(u32, Reason)>,
    pub(crate) repairs: Vec<(u32, Repair)>,
    /// In the timeline, the entry of each atom.
    pub(crate) entries: Vec<Entry<'h>>,
    /// In a buffer, the end of the node before the first kept one.
    pub(crate) remainder: Option<buffer::Remainder>,
    /// Whether a call id was used twice.
    pub(crate) repeats: bool,
    /// Raw counts that could be taken away without anything changing.
    pub(crate) spare: u64,
}

/// Weaves until the cut lies inside what was read.
pub(crate) fn weave<'h>(
    selection: &Selection<'h>,
    brief: &Brief<'h>,
    frame: &Frame<'h>,
    slack: u64,
) -> Result<Woven<'h>, AssembleError> {
    let room = frame.room(brief, slack)?;
    let held = match brief.form {
        Form::Dialogue | Form::Buffer if brief.holds() => held(selection, brief, frame),
        Form::Dialogue | Form::Buffer | Form::Timeline => None,
    };
    let mut reach = first_reach(brief, held);
    loop {
        let front = match brief.policy.strategy {
            Strategy::TruncateMiddle => Front::Upto(room.raw),
            Strategy::RollingWindow | Strategy::StopAtLimit | Strategy::DropOldest | Strategy::StickyWindow => Front::Unwanted,
        };
        let reading = read(selection, brief, reach, front);
        match attempt(&reading, selection, brief, frame, room, held) {
            Ok(woven) => return Ok(woven),
            Err((Unfit::NeedMore, _)) => reach = further(reach),
            // What is kept free is what joining adds: it is needed, too.
            Err((Unfit::TooLarge { needed }, atoms)) => return Err(too_large(needed + slack, &atoms, brief, frame)),
            Err((Unfit::OverLimit { needed }, atoms)) => return Err(over_limit(needed, room, &atoms, brief, frame)),
        }
    }
}

type Attempt<'h> = Result<Woven<'h>, (Unfit, Vec<Atom<'h>>)>;

fn attempt<'h>(
    reading: &Reading,
    selection: &Selection<'h>,
    brief: &Brief<'h>,
    frame: &Frame<'h>,
    room: Room,
    held: Option<u32>,
) -> Attempt<'h> {
    let mut entries = Vec::new();
    let mut repaired = match brief.form {
        Form::Dialogue => {
            let nodes = || reading.front.iter().chain(&reading.kept).chain(&reading.tail).copied();
            let tools = tool_parts(brief, nodes(), open_from(selection, brief, &reading.tail));
            repair(nodes().map(|node| convert(brief, node, &tools)), brief)
        }
        Form::Timeline => timeline_atoms(reading, brief, &mut entries),
        Form::Buffer => buffer::atoms(reading, brief),
    };
    let gap = reading.gap.map(|(_, end)| {
        let (front, at) = locate(reading, &repaired.atoms);
        Gap { front, at, known: held.is_some(), asked: asked_before(selection, brief, end) }
    });
    let held = match brief.form {
        Form::Dialogue | Form::Buffer => held.map(|depth| first_from(&repaired.atoms, brief, depth)),
        Form::Timeline => held_entry(&repaired.atoms, brief, frame),
    };
    match fit(&mut repaired.atoms, gap, held.unwrap_or(0), brief, room) {
        Err(unfit) => Err((unfit, repaired.atoms)),
        Ok(fitted) => {
            let remainder = buffer::remainder(brief, &repaired.atoms, &fitted, room);
            let Repaired { atoms, repairs, silent, repeats } = repaired;
            let mut woven = Woven { atoms, fitted, gap: reading.gap, silent, repairs, entries, remainder, spare: 0, repeats };
            let marker = if woven.fitted.cut { room.marker } else { 0 };
            let rest = woven.remainder.as_ref().map_or(0, |rest| rest.raw);
            woven.spare = room.raw.saturating_sub(marker).saturating_sub(woven.raw() + rest);
            Ok(woven)
        }
    }
}

fn timeline_atoms<'h>(reading: &Reading, brief: &Brief<'h>, entries: &mut Vec<Entry<'h>>) -> Repaired<'h> {
    let mut repaired = Repaired { atoms: Vec::new(), repairs: Vec::new(), silent: Vec::new(), repeats: false };
    for &node in reading.front.iter().chain(&reading.kept).chain(&reading.tail) {
        match timeline::atom(brief, node) {
            Ok((entry, atom)) => {
                entries.push(entry);
                repaired.atoms.push(atom);
            }
            Err(reason) => repaired.silent.push((node, reason)),
        }
    }
    repaired
}

/// Where among the atoms the gap lies: how many stand before it, and the first after it and what is kept in it.
fn locate(reading: &Reading, atoms: &[Atom<'_>]) -> (usize, usize) {
    let holds = |atom: &Atom<'_>, nodes: &[u32]| atom.nodes.first().is_some_and(|node| nodes.contains(node));
    let front = atoms.iter().take_while(|atom| holds(atom, &reading.front)).count();
    let kept = atoms[front..].iter().take_while(|atom| holds(atom, &reading.kept)).count();
    (front, front + kept)
}

/// Whether somebody has asked before a depth: almost always the first node did.
fn asked_before(selection: &Selection<'_>, brief: &Brief<'_>, end: u32) -> bool {
    (selection.window..end).any(|depth| {
        let node = selection.path.at(depth);
        speaks(selection, brief, node) && speech(selection, brief, node) == Speech::Asks
    })
}

/// The depth from which tool parts belong to the current turn.
fn open_from(selection: &Selection<'_>, brief: &Brief<'_>, tail: &[u32]) -> u32 {
    let whole = brief.policy.tool_policy != ToolPolicy::Auto || !matches!(brief.input, Question::None);
    if whole {
        return u32::MAX;
    }
    let (nodes, starts) = turns(selection, brief, tail);
    starts.iter().rposition(|start| *start).map_or(u32::MAX, |at| brief.history.place(nodes[at]).depth)
}

fn first_reach(brief: &Brief<'_>, held: Option<u32>) -> Reach {
    let per_node = match brief.policy.tool_policy {
        ToolPolicy::Cached | ToolPolicy::AllOn => false,
        // What these leave out of each node is told node by node; so is what nobody hears.
        ToolPolicy::Auto | ToolPolicy::AllOff | ToolPolicy::Manual => true,
    };
    let per_node = per_node || brief.has_mute_nodes;
    if per_node || brief.policy.strategy == Strategy::StopAtLimit || brief.form == Form::Timeline {
        return Reach::All;
    }
    if brief.holds() {
        return held.map_or(Reach::All, Reach::From);
    }
    Reach::Tokens(brief.meter.unscale(brief.context_length))
}

fn further(reach: Reach) -> Reach {
    match reach {
        Reach::Tokens(raw) if raw < u64::MAX / 4 => Reach::Tokens(raw.max(1) * 4),
        Reach::Tokens(_) | Reach::From(_) | Reach::All => Reach::All,
    }
}

/// The first atom with a node at or below a depth.
fn first_from(atoms: &[Atom<'_>], brief: &Brief<'_>, depth: u32) -> usize {
    let reaches = |atom: &Atom<'_>| atom.nodes.iter().any(|&node| brief.history.place(node).depth >= depth);
    atoms.iter().position(reaches).unwrap_or(atoms.len())
}

/// The first entry after a cut that is held in a timeline, where an entry counts as its line.
fn held_entry(atoms: &[Atom<'_>], brief: &Brief<'_>, frame: &Frame<'_>) -> Option<usize> {
    if !brief.holds() {
        return None;
    }
    let turns = turn_starts(atoms.iter().map(|atom| atom.side.asks()), None);
    let middle = brief.policy.strategy == Strategy::TruncateMiddle;
    let by_entry = middle || (brief.policy.strategy == Strategy::DropOldest && brief.policy.unit == Unit::Message);
    let path = Light {
        costs: atoms.iter().map(|atom| if atom.fixed.is_some() { 0 } else { atom.raw }).collect(),
        begins: if by_entry { vec![true; atoms.len()] } else { turns.clone() },
        first_end: if middle { first_turn_end(&turns, None) } else { 0 },
        fixed: atoms.iter().filter(|atom| atom.fixed.is_some()).map(|atom| atom.raw).sum(),
        recent: if middle { brief.policy.minimum_recent_nodes as usize } else { 0 },
        turns,
    };
    Some(replay(&path, frame.steady_room(brief), brief.policy.low_water))
}

/// The depth of a cut that is held, if there is one.
fn held(selection: &Selection<'_>, brief: &Brief<'_>, frame: &Frame<'_>) -> Option<u32> {
    let nodes: Vec<u32> = selection.path.stretch(selection.window, selection.path.len);
    let nodes: Vec<u32> = nodes.into_iter().filter(|&node| speaks(selection, brief, node)).collect();
    let (nodes, turns) = turns(selection, brief, &nodes);
    let pinned = |node: u32| brief.history.place(node).special == node && brief.history.at(node).pinned;
    let cost = |node: u32| match brief.form {
        Form::Buffer => brief.counts.own(node).text,
        Form::Dialogue | Form::Timeline => {
            let tally = brief.counts.own(node);
            match brief.policy.tool_policy {
                ToolPolicy::AllOff => tally.text + tally.messages * brief.meter.base().overhead(),
                ToolPolicy::Auto | ToolPolicy::Cached | ToolPolicy::AllOn | ToolPolicy::Manual => {
                    tally.spoken(brief.meter.base())
                }
            }
        }
    };
    let mut costs: Vec<u64> = nodes.iter().map(|&node| if pinned(node) { 0 } else { cost(node) }).collect();
    let fixed = nodes.iter().filter(|&&node| pinned(node)).map(|&node| cost(node)).sum();
    let inputs = turns.len() - nodes.len();
    costs.extend(std::iter::repeat_n(frame.input_raw(), inputs));
    let turns = if brief.form == Form::Buffer { vec![true; turns.len()] } else { turns };
    let middle = brief.policy.strategy == Strategy::TruncateMiddle;
    let by_atom = middle || (brief.policy.strategy == Strategy::DropOldest && brief.policy.unit == Unit::Message);
    let mut begins: Vec<bool> =
        if by_atom { nodes.iter().map(|&node| !brief.history.place(node).answers).collect() } else { turns.clone() };
    begins.resize(costs.len(), true);
    let first_end = if middle { first_turn_end(&turns, None) } else { 0 };
    // The input is played as a node but is none of the newest of the history.
    let recent = if middle { brief.policy.minimum_recent_nodes as usize + inputs } else { 0 };
    let path = Light { costs, turns, begins, first_end, fixed, recent };
    let from = replay(&path, frame.steady_room(brief), brief.policy.low_water);
    let depth = nodes.get(from).map_or(selection.path.len, |&node| brief.history.place(node).depth);
    (from > first_end).then_some(depth)
}

fn too_large(needed: u64, atoms: &[Atom<'_>], brief: &Brief<'_>, frame: &Frame<'_>) -> AssembleError {
    let mut budget = frame.budget(brief, false);
    budget.history = brief.meter.scale(needed + frame.opening_raw());
    AssembleError::DoesNotFit { needed: budget.history, budget, largest: largest(atoms, brief) }
}

fn over_limit(needed: u64, room: Room, atoms: &[Atom<'_>], brief: &Brief<'_>, frame: &Frame<'_>) -> AssembleError {
    let mut budget = frame.budget(brief, false);
    budget.history = brief.meter.scale(needed + frame.opening_raw());
    let excess = brief.meter.scale(needed - room.raw);
    AssembleError::OverLimit { excess, budget, largest: largest(atoms, brief) }
}

/// The largest nodes, so that a person knows where to begin.
fn largest(atoms: &[Atom<'_>], brief: &Brief<'_>) -> Vec<Sized> {
    const SHOWN: usize = 5;
    let mut atoms: Vec<&Atom<'_>> = atoms.iter().collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.raw));
    let name = |atom: &Atom<'_>| atom.nodes.iter().map(|&node| brief.history.at(node).id.as_str()).collect::<Vec<_>>().join("+");
    atoms.into_iter().take(SHOWN).map(|atom| Sized { what: name(atom), tokens: brief.meter.scale(atom.raw) }).collect()
}

/// Why a node that was not read has nothing to say.
pub(crate) fn silent(brief: &Brief<'_>, node: u32) -> Option<Reason> {
    match brief.form {
        Form::Dialogue => convert(brief, node, &ToolParts::All).silent,
        Form::Buffer => buffer::is_silent(brief, node).then_some(Reason::Empty),
        Form::Timeline => timeline::atom(brief, node).err(),
    }
}

impl Woven<'_> {
    /// Whether a result without its call lies where the cut is: then it was cut like everything around it.
    pub(crate) fn loses(&self, brief: &Brief<'_>, node: u32, reason: Reason) -> bool {
        if reason != Reason::OrphanResult || !self.fitted.cut || brief.history.at(node).pinned {
            return false;
        }
        let depth = |node: u32| brief.history.place(node).depth;
        let (first_end, from) = self.fitted.between;
        let start = first_end.checked_sub(1).and_then(|last| self.atoms[last].nodes.last()).map_or(0, |&last| depth(last) + 1);
        let start = self.gap.map_or(start, |(gap, _)| start.min(gap));
        let end = self.atoms.get(from).and_then(|atom| atom.nodes.first()).map_or(u32::MAX, |&first| depth(first));
        (start..end).contains(&depth(node))
    }

    /// Raw cost of what is kept.
    pub(crate) fn raw(&self) -> u64 {
        let kept = self.atoms.iter().zip(&self.fitted.fates);
        kept.filter(|(_, fate)| !matches!(fate, Fate::Dropped(_))).map(|(atom, _)| atom.raw).sum()
    }
}
