//! Accounting lines of a path: where an edit or a retry left nodes behind, and what had been used by then.
//!
//! Drawn from the tree and the calls whenever they are asked for; lines that a file brought along are shown as told.

use super::ledger::{Ledger, Told, Until};
use crate::error::Result;
use crate::node::{Key, Place, Segment, bits, lanes};
use crate::sql::{Tx, args};
use weftwork::model::{Kind, NodeId, Timestamp, Usage};

/// An accounting line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The node of the path that it stands before; for a line of a file, its own node.
    pub node: NodeId,
    /// Why it is there.
    pub reason: LineReason,
    /// How many nodes were left behind, where that is known.
    pub left: Option<u64>,
    /// Everything the space had used by then.
    pub so_far: Usage,
}

/// Why an accounting line is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineReason {
    /// What was said was changed.
    Edit,
    /// An answer was asked for again.
    Retry,
    /// A file says so, in its own words.
    Told(Option<String>),
}

/// A node that begins a lane: something hangs beside it, or it is a root.
struct Fork {
    key: Key,
    id: NodeId,
    depth: i64,
    author: i64,
    is_human: bool,
    is_annotation: bool,
    at: Option<i64>,
    edited_from: Option<NodeId>,
    parent: Option<Key>,
    /// Lane and depth of its parent.
    above: Option<(Key, i64)>,
}

/// A version that was left, as the top of what hangs on it.
struct Top {
    key: Key,
    id: NodeId,
    lane: Key,
    depth: i64,
    author: i64,
}

/// The accounting lines of the path to `head`, in path order.
pub(super) fn lines(tx: &mut Tx<'_>, space: i64, head: &Place) -> Result<Vec<Line>> {
    let segments = lanes(tx, head)?;
    let forks = forks(tx, space)?;
    let ledger = Ledger::of(tx, space)?;
    let mut lines = told(&ledger, &segments);
    for fork in segments.iter().filter_map(|segment| forks.iter().find(|fork| fork.key == segment.lane)) {
        let Some((top, reason)) = left_version(tx, &forks, fork)? else { continue };
        let at = fork.at.and_then(Timestamp::from_millis);
        let so_far = ledger.cumulative_until(Until { key: fork.key, at: at.as_ref() });
        let left = Some(size(tx, &forks, &top, fork.key)?);
        lines.push((fork.depth, Line { node: fork.id.clone(), reason, left, so_far }));
    }
    lines.sort_by_key(|(depth, _)| *depth);
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

/// The lines that a file brought along.
fn told(ledger: &Ledger, segments: &[Segment]) -> Vec<(i64, Line)> {
    let is_on_path = |lane: Key, depth: i64| {
        segments.iter().any(|it| it.lane == lane && (i64::from(it.from)..=i64::from(it.to)).contains(&depth))
    };
    let told = ledger.entries.iter().filter(|(_, it)| it.node.kind == Kind::Accounting && is_on_path(it.lane, it.depth));
    let line = |(key, entry): (&Key, &super::ledger::Entry)| {
        let accounting = entry.node.accounting.as_ref();
        let until = Until { key: key.next(), at: entry.node.created_at.as_ref() };
        let line = Line {
            node: entry.node.id.clone(),
            reason: LineReason::Told(accounting.and_then(|accounting| accounting.reason.clone())),
            left: accounting.and_then(|accounting| accounting.discarded_messages),
            so_far: ledger.cumulative_until(until),
        };
        (entry.depth, line)
    };
    told.map(line).collect()
}

fn forks(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Fork>> {
    const SQL: &str = "SELECT f.key, f.id, f.depth, f.author, e.kind, f.flags, f.at, f.more, f.parent, p.lane, p.depth \
                       FROM nodes f JOIN entities e ON e.no = f.author LEFT JOIN nodes p ON p.key = f.parent \
                       WHERE f.space = ?1 AND f.lane = f.key ORDER BY f.key";
    tx.list(SQL, args![space], |row| {
        Ok(Fork {
            key: Key(row.int(0)?),
            id: row.text(1)?.into(),
            depth: row.int(2)?,
            author: row.int(3)?,
            is_human: row.int(4)? == 0,
            is_annotation: row.int(5)? & bits::ANNOTATION != 0,
            at: row.maybe_int(6)?,
            edited_from: Told::read(row.maybe_text(7)?)?.edited_from,
            parent: row.maybe_int(8)?.map(Key),
            above: row.maybe_int(9)?.map(Key).zip(row.maybe_int(10)?),
        })
    })
}

/// The version that `fork` took the place of: the node it is an edit of, or what the same author said there before.
fn left_version(tx: &mut Tx<'_>, forks: &[Fork], fork: &Fork) -> Result<Option<(Top, LineReason)>> {
    let mut siblings = first_child(tx, fork)?;
    let beside = forks.iter().filter(|it| it.parent == fork.parent && it.key < fork.key && !it.is_annotation);
    siblings.extend(beside.map(|it| Top { key: it.key, id: it.id.clone(), lane: it.key, depth: it.depth, author: it.author }));
    siblings.sort_unstable_by_key(|top| top.key);
    if let Some(edited) = &fork.edited_from {
        let at = siblings.iter().rposition(|top| top.id == *edited);
        let top = at.map(|at| siblings.swap_remove(at)).or_else(|| siblings.pop());
        return Ok(top.map(|top| (top, LineReason::Edit)));
    }
    // Another root is another conversation.
    let before = siblings.into_iter().rfind(|top| top.author == fork.author && fork.parent.is_some());
    let reason = if fork.is_human { LineReason::Edit } else { LineReason::Retry };
    Ok(before.filter(|_| !fork.is_annotation).map(|top| (top, reason)))
}

/// What goes on in the lane of a fork's parent: the first child.
fn first_child(tx: &mut Tx<'_>, fork: &Fork) -> Result<Vec<Top>> {
    const SQL: &str = "SELECT key, id, lane, depth, author FROM nodes WHERE lane = ?1 AND depth = ?2 AND key < ?3";
    let Some((lane, depth)) = fork.above else { return Ok(Vec::new()) };
    tx.list(SQL, args![lane.0, depth + 1, fork.key.0], |row| {
        let (key, lane) = (Key(row.int(0)?), Key(row.int(2)?));
        Ok(Top { key, id: row.text(1)?.into(), lane, depth: row.int(3)?, author: row.int(4)? })
    })
}

/// Nodes that hang on a version, itself among them, as of `until`. Remarks are not counted.
fn size(tx: &mut Tx<'_>, forks: &[Fork], top: &Top, until: Key) -> Result<u64> {
    const SQL: &str = "SELECT count(*) FROM nodes WHERE lane = ?1 AND depth >= ?2 AND key < ?3";
    let mut open = vec![(top.lane, top.depth)];
    let mut count = 0;
    while let Some((lane, depth)) = open.pop() {
        count += tx.first(SQL, args![lane.0, depth, until.0], |row| row.int(0))?.unwrap_or(0) as u64;
        let below = forks.iter().filter(|it| it.key < until && !it.is_annotation);
        open.extend(
            below.filter(|it| it.above.is_some_and(|above| above.0 == lane && above.1 >= depth)).map(|it| (it.key, it.depth)),
        );
    }
    Ok(count)
}
