//! Reading for assembly: no more of a space than the window can hold.
//!
//! What is read: the newest nodes until they fill the window, the first nodes after the last checkpoint, every special
//! node of the path, and what these name. What lies between is left out; the engine says when it is missed, and then more
//! is read. Cost follows the window and the oddities of a path, not its length.

mod again;

pub(crate) use again::load_again;

use crate::counts::{self, Counted};
use crate::error::{Result, StoreError};
use crate::node::{LANE, Place, Reader, Segment, Stored, Tallies, columns, lanes, place_in, place_read, tip};
use crate::record::Marked;
use crate::space::{Opened, SpaceRow, open};
use crate::sql::{Arg, Tx, args};
use std::collections::HashSet;
use weftwork::ask::{Ask, Input};
use weftwork::count::Base;
use weftwork::history::{Outline, Placed, Traits, Voice};
use weftwork::model::{Conversation, EntityId, EntityKind, Kind, Loom, Node, NodeId, Part, SpaceId, Status, Trigger};
use weftwork::{History, Reach, reach};

/// First nodes after a checkpoint that are read: nearly every first turn ends within them.
const FRONT: u32 = 6;
/// Newest nodes that are read beyond what is needed, so that the border of what is left out can be named.
const BEYOND: u32 = 4;
/// Nodes that are read before it is known that they are needed: those of a timeline.
const FEW: u32 = 128;
/// How much more is read when it was not enough.
const FURTHER: u32 = 8;

/// A stretch of a lane, both ends included.
const STRETCH: &str =
    concat!("SELECT ", columns!(), " FROM nodes n WHERE n.lane = ?1 AND n.depth BETWEEN ?2 AND ?3 ORDER BY n.depth");
/// The nodes of a stretch that must be looked at wherever they stand.
const SPECIALS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM nodes n WHERE n.lane = ?1 AND n.depth BETWEEN ?2 AND ?3 AND n.special = 1 ORDER BY n.depth"
);

/// How often it was not enough.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attempt(u32);

impl Attempt {
    pub(crate) fn next(self) -> Attempt {
        Attempt(self.0 + 1)
    }

    fn times(self) -> u32 {
        FURTHER.saturating_pow(self.0)
    }

    /// First nodes that are read this time.
    fn front(self) -> u32 {
        FRONT.saturating_mul(self.times())
    }

    /// How far it is read this time.
    fn wider(self, reach: Reach) -> Reach {
        let times = self.times();
        Reach {
            tokens: reach.tokens.saturating_mul(u64::from(times)),
            least: reach.least.saturating_mul(times),
            most: reach.most.saturating_mul(times).saturating_add(BEYOND),
            ..reach
        }
    }

    /// After that, nothing but the whole path will do.
    fn is_last(self) -> bool {
        self.0 >= 3
    }
}

/// A space that is being read.
struct Reading<'t, 'c> {
    tx: &'t mut Tx<'c>,
    space: SpaceRow,
    authors: Vec<(i64, EntityId)>,
    segments: Vec<Segment>,
    base: Base,
    /// Whether the rows hold the counts of the path's nodes; else they are taken anew, which needs the whole of it.
    counted: bool,
    /// Nodes of the path, in any order.
    path: Vec<Stored>,
    /// Depths of nodes that were read for what they are, not for where they stand.
    alone: Vec<u32>,
    beside: Vec<Stored>,
    /// Nodes that were named and are not there.
    absent: Vec<NodeId>,
}

/// What was read, and what of it may change.
pub(crate) struct Loaded {
    pub(crate) history: History,
    /// A path whose tokens were counted on the way under a counter that the rows do not hold.
    pub(crate) uncounted: Option<(Place, Base)>,
    /// Nodes with flags, and nodes that are being written.
    pub(crate) marked: Vec<Marked>,
    /// What a loom-aware agent is told, as far as it must be written down to be told again.
    pub(crate) loom: Option<Loom>,
    /// Nodes that were named and are not there.
    pub(crate) absent: Vec<NodeId>,
    pub(crate) voices: Vec<Voice>,
    pub(crate) traits: Traits,
}

/// Reads what `ask` can make use of. `more` is laid over the header: a trigger, plans, whatever an ask may add to a file.
pub(crate) fn load(
    tx: &mut Tx<'_>,
    space: &SpaceId,
    ask: &Ask,
    more: &dyn Fn(&mut Conversation),
    attempt: Attempt,
) -> Result<Loaded> {
    let Opened { row, mut file, authors, voices } = open(tx, space, ask.head.as_ref(), ask.viewer.as_ref())?;
    more(&mut file);
    let reach = attempt.wider(reach(&file, ask));
    let Some(head) = head(tx, space, &row, &file, ask)? else {
        let (marked, absent, voices, traits) = (Vec::new(), Vec::new(), Vec::new(), Traits::default());
        let loom = file.loom.clone();
        return Ok(Loaded { history: History::new(file)?, uncounted: None, marked, loom, absent, voices, traits });
    };
    file.head = Some(head.id.clone());
    foresee(tx, &head, reach, attempt)?;
    let segments = lanes(tx, &head)?;
    let (base, counted) = (reach.base, counts::are_kept(tx, head.key, reach.base)?);
    let (path, alone, beside, absent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut reading = Reading { tx, space: row, authors, segments, base, counted, path, alone, beside, absent };
    reading.cursor(space, &mut file, ask)?;
    if reach.whole || !counted || attempt.is_last() || head.depth < FRONT {
        reading.path = reading.stretch(0, head.depth)?;
    } else {
        reading.specials()?;
        let floor = reading.floor()?;
        reading.front(floor, attempt)?;
        reading.tail(&head, floor, reach)?;
    }
    reading.named(&file, ask)?;
    reading.neighbours(&head)?;
    if base != Base::O200k {
        reading.count_again()?;
    }
    let loom = reading.loom(&mut file)?;
    let uncounted = (!counted).then_some((head, base));
    let marked = reading.path.iter().chain(&reading.beside).filter_map(|stored| Marked::of(&stored.node)).collect();
    let (absent, traits) = (reading.absent.clone(), reading.space.traits());
    Ok(Loaded { history: reading.outline(file, voices.clone(), traits)?, uncounted, marked, loom, absent, voices, traits })
}

/// Says what is read of a path of one lane without a checkpoint, which most are.
fn foresee(tx: &mut Tx<'_>, head: &Place, reach: Reach, attempt: Attempt) -> Result<()> {
    let lane = args![head.lane.0];
    let whole = args![head.lane.0, 0_u32, head.depth];
    let front = args![head.lane.0, 0_u32, head.depth.min(attempt.front())];
    let chunk = first_chunk(head, reach).min(head.depth + 1);
    let tail = args![head.lane.0, head.depth + 1 - chunk, head.depth];
    let foreseen: [(&'static str, &[Arg<'_>]); 4] = [(LANE, lane), (SPECIALS, whole), (STRETCH, front), (STRETCH, tail)];
    // Much is read when it is known how much.
    tx.ahead(if chunk <= FEW { &foreseen } else { &foreseen[..3] })
}

/// How many of the newest nodes are read at first.
fn first_chunk(head: &Place, reach: Reach) -> u32 {
    let whole = head.sum.spoken(Base::O200k).max(1) / u64::from(head.depth + 1);
    let guess = u32::try_from(reach.tokens / whole.max(1) / 8 * 9).unwrap_or(u32::MAX).saturating_add(BEYOND * 2);
    guess.max(reach.least).min(reach.most).max(BEYOND)
}

/// The node that the path ends on.
fn head(tx: &mut Tx<'_>, space: &SpaceId, row: &SpaceRow, file: &Conversation, ask: &Ask) -> Result<Option<Place>> {
    if let Some(id) = &ask.head {
        let found = place_in(tx, space, id)?;
        return found.map(Some).ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() });
    }
    match viewer(file, ask) {
        Some(viewer) => row.head_of(tx, viewer),
        None => row.head(tx),
    }
}

/// For whom it is read.
pub(crate) fn viewer<'f>(file: &'f Conversation, ask: &'f Ask) -> Option<&'f EntityId> {
    ask.viewer.as_ref().or(file.viewer.as_ref()).or_else(|| {
        let mut agents = file.entities.iter().filter(|entity| entity.kind == EntityKind::Agent);
        agents.next().filter(|_| agents.next().is_none()).map(|agent| &agent.id)
    })
}

impl Reading<'_, '_> {
    /// Nodes of the path between two depths, both included, in path order.
    fn stretch(&mut self, from: u32, to: u32) -> Result<Vec<Stored>> {
        let reader = Reader { authors: &self.authors, hashes: false };
        let mut nodes = Vec::with_capacity((to + 1).saturating_sub(from) as usize);
        for segment in self.segments.iter().rev().filter(|segment| segment.from <= to && from <= segment.to) {
            let (from, to) = (segment.from.max(from), segment.to.min(to));
            self.tx.rows(STRETCH, args![segment.lane.0, from, to], |row| {
                nodes.push(reader.read(row)?);
                Ok(())
            })?;
        }
        Ok(nodes)
    }

    /// Every node of the path that must be looked at wherever it stands.
    fn specials(&mut self) -> Result<()> {
        let reader = Reader { authors: &self.authors, hashes: false };
        for segment in &self.segments {
            self.tx.rows(SPECIALS, args![segment.lane.0, segment.from, segment.to], |row| {
                self.path.push(reader.read(row)?);
                Ok(())
            })?;
        }
        self.alone = self.path.iter().map(|stored| stored.depth).collect();
        Ok(())
    }

    /// The depth above which nothing is sent, as far as can be told: the last checkpoint that no choice undoes.
    fn floor(&mut self) -> Result<u32> {
        let newest = self.path.iter().filter(|stored| is_floor(&stored.node)).max_by_key(|stored| stored.depth);
        let Some(newest) = newest else { return Ok(0) };
        let depth = newest.depth;
        let Some(covers) = newest.node.covers.clone().filter(|_| !newest.node.context_edge) else { return Ok(depth) };
        let last = self.one(&covers)?.filter(|last| last.depth < depth && self.is_on_path(last));
        Ok(last.map_or(depth, |last| last.depth + 1))
    }

    /// The first nodes of the path and of what may be sent.
    fn front(&mut self, floor: u32, attempt: Attempt) -> Result<()> {
        let count = attempt.front();
        let last = self.segments[0].to;
        let mut nodes = self.stretch(0, last.min(count))?;
        if floor > 0 {
            nodes.extend(self.stretch(floor.saturating_sub(1), last.min(floor.saturating_add(count)))?);
        }
        self.path.append(&mut nodes);
        Ok(())
    }

    /// The newest nodes, until they hold more than the window.
    fn tail(&mut self, head: &Place, floor: u32, reach: Reach) -> Result<()> {
        let mut chunk = first_chunk(head, reach);
        let (mut tokens, mut count, mut to) = (0, 0, head.depth + 1);
        while to > floor {
            let from = to.saturating_sub(chunk).max(floor.saturating_sub(BEYOND));
            let nodes = self.stretch(from, to - 1)?;
            // The border of what is left out is named in the report.
            tokens += nodes.iter().skip(BEYOND as usize).map(|stored| stored.tallies.own.spoken(reach.base)).sum::<u64>();
            count += to - from;
            self.path.extend(nodes);
            to = from;
            let enough = count >= reach.most || (tokens > reach.tokens && count >= reach.least);
            if enough && !self.has_open_results(to) {
                break;
            }
            chunk = if enough { BEYOND * 4 } else { (count / 2).max(32) };
        }
        Ok(())
    }

    /// Whether a result that was read waits for a call that was not.
    fn has_open_results(&self, from: u32) -> bool {
        let tail = self.path.iter().filter(|stored| stored.depth >= from);
        let mut calls: HashSet<&str> = HashSet::new();
        let mut results: Vec<&str> = Vec::new();
        for part in tail.flat_map(|stored| &stored.node.parts) {
            match part {
                Part::ToolCall(call) => drop(calls.insert(&call.id)),
                Part::ToolResult(result) => results.push(&result.id),
                Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
            }
        }
        results.iter().any(|id| !calls.contains(id))
    }

    /// Nodes that the ask, the file and what was read name.
    fn named(&mut self, file: &Conversation, ask: &Ask) -> Result<()> {
        let mut open: Vec<NodeId> = file.trigger.as_ref().map(named_by).unwrap_or_default();
        open.extend(file.cursors.values().cloned());
        if let Input::Node(id) = &ask.input {
            open.push(id.clone());
        }
        let mut known: HashSet<NodeId> = self.path.iter().map(|stored| stored.node.id.clone()).collect();
        known.extend(self.absent.iter().cloned());
        open.extend(self.path.iter().flat_map(|stored| names(&stored.node)));
        while let Some(id) = open.pop() {
            if !known.insert(id.clone()) {
                continue;
            }
            match self.one(&id)? {
                Some(stored) => {
                    open.extend(names(&stored.node));
                    if self.is_on_path(&stored) {
                        self.alone.push(stored.depth);
                        self.path.push(stored);
                    } else {
                        self.beside.push(stored);
                    }
                }
                None => self.absent.push(id),
            }
        }
        Ok(())
    }

    fn one(&mut self, id: &NodeId) -> Result<Option<Stored>> {
        const SQL: &str = concat!("SELECT ", columns!(), " FROM nodes n WHERE n.id = ?1 AND n.space = ?2");
        let reader = Reader { authors: &self.authors, hashes: false };
        self.tx.first(SQL, args![id.as_str(), self.space.no], |row| reader.read(row))
    }

    fn is_on_path(&self, stored: &Stored) -> bool {
        self.segments.iter().any(|segment| segment.lane == stored.lane && (segment.from..=segment.to).contains(&stored.depth))
    }

    /// A node that may stand alone has its neighbours read, so that what is left out on both sides can be named.
    fn neighbours(&mut self, head: &Place) -> Result<()> {
        self.sort();
        let known: HashSet<u32> = self.path.iter().map(|stored| stored.depth).collect();
        let beside = self.alone.iter().flat_map(|&depth| [depth.saturating_sub(1), depth + 1]);
        let missing: HashSet<u32> = beside.filter(|depth| *depth <= head.depth && !known.contains(depth)).collect();
        for &depth in &missing {
            let mut nodes = self.stretch(depth, depth)?;
            self.path.append(&mut nodes);
        }
        if !missing.is_empty() {
            self.sort();
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.path.sort_unstable_by_key(|stored| stored.depth);
        self.path.dedup_by_key(|stored| stored.depth);
    }

    /// Where the viewer's cursor stands on this path: what another branch has in common with it was read, too.
    fn cursor(&mut self, space: &SpaceId, file: &mut Conversation, ask: &Ask) -> Result<()> {
        let Some(viewer) = viewer(file, ask).cloned() else { return Ok(()) };
        let Some(read) = place_read(self.tx, space, &viewer)? else { return Ok(()) };
        // Nearly always it is on the path.
        if self.segments.iter().any(|own| own.lane == read.lane && read.depth <= own.to) {
            file.cursors.insert(viewer, read.id);
            return Ok(());
        }
        for segment in lanes(self.tx, &read)? {
            if let Some(own) = self.segments.iter().find(|own| own.lane == segment.lane) {
                let last = tip(self.tx, own.lane, Some(own.to.min(segment.to)))?;
                file.cursors.extend(last.map(|place| (viewer, place.id)));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Fills in what a loom-aware agent is told of each node that was read. Says what of it must be written down.
    fn loom(&mut self, file: &mut Conversation) -> Result<Option<Loom>> {
        let fill = |loom: &mut Loom| crate::loom::fill(self.tx, &self.space, &self.path, loom);
        file.loom.as_mut().map(fill).transpose()
    }

    fn outline(mut self, file: Conversation, voices: Vec<Voice>, traits: Traits) -> Result<History> {
        name_parents(&mut self.path);
        let outline = Outline {
            file,
            path: self.path.into_iter().map(placed).collect(),
            beside: self.beside.into_iter().map(placed).collect(),
            voices,
            traits,
            base: self.base,
        };
        Ok(History::partial(outline)?)
    }

    /// Tokens under another counter than the one that is kept in the nodes' own rows.
    fn count_again(&mut self) -> Result<()> {
        let kept = self.counted.then(|| Counted::of(self.tx, &self.path, self.base)).transpose()?;
        let mut above = None;
        for stored in &mut self.path {
            stored.tallies = match &kept {
                Some(kept) => kept.at(stored.key)?,
                None => Tallies::count(&stored.node.parts, self.base, above),
            };
            above = Some(stored.tallies.sum);
        }
        for stored in &mut self.beside {
            stored.tallies = Tallies::count(&stored.node.parts, self.base, None);
        }
        Ok(())
    }
}

/// Whether a node cuts off what is before it whatever an ask chooses.
fn is_floor(node: &Node) -> bool {
    let says = node.parts.iter().any(|part| matches!(part, Part::Text(text) if !text.text.trim().is_empty()));
    let stands = node.status == Status::Sent && !node.pruned && !node.excluded;
    node.context_edge || (node.kind == Kind::Summary && stands && says && node.edge == weftwork::model::Edge::Continuation)
}

/// Nodes whose content or place a node depends on.
fn names(node: &Node) -> impl Iterator<Item = NodeId> {
    let sources = node.sources.iter().map(|source| &source.node);
    sources.chain(&node.edited_from).chain(&node.covers).cloned().collect::<Vec<_>>().into_iter()
}

fn named_by(trigger: &Trigger) -> Vec<NodeId> {
    let cause = match trigger {
        Trigger::SpaceMessage(message) => Some(&message.message_id),
        Trigger::Plan(_) | Trigger::Service(_) => None,
    };
    cause.into_iter().chain(trigger.waited_on()).chain(trigger.resumed_by()).cloned().collect()
}

/// Fills in the parents of nodes whose parent was read.
fn name_parents(path: &mut [Stored]) {
    for at in 1..path.len() {
        if path[at].parent == Some(path[at - 1].key) {
            path[at].node.parent = Some(path[at - 1].node.id.clone());
        }
    }
}

fn placed(stored: Stored) -> Placed {
    Placed { depth: stored.depth, own: stored.tallies.own, sum: stored.tallies.sum, node: stored.node }
}
