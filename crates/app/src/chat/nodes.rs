//! The node that somebody means: by its number in the tree that was shown, by its id, or by how its id begins.

use super::command::To;
use super::tree::{Source, path};
use anyhow::{Result, anyhow, bail};
use weftwork::model::{EntityId, Kind, Node, NodeId, SpaceId};
use weftwork_store::{Seq, Store};

/// Nodes that are read at a time.
const PAGE: u32 = 1_000;
/// A shorter beginning of an id is a number that stands for nothing, or a slip.
const LEAST: usize = 4;
/// How far up a fork or a message is looked for.
const FAR: usize = 1_000;
/// More are no help.
const LISTED: usize = 5;

/// The node that `wanted` means. `shown` are those that have a number.
pub(crate) fn find(source: &dyn Source, shown: &[NodeId], wanted: &str) -> Result<NodeId> {
    let number = wanted.parse::<usize>().ok().and_then(|number| shown.get(number.checked_sub(1)?));
    if let Some(node) = number {
        return Ok(node.clone());
    }
    if let Some(node) = source.look(&wanted.into())? {
        return Ok(node.id);
    }
    let found = if wanted.len() < LEAST { Vec::new() } else { source.beginning_with(wanted)? };
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!("there is no node {wanted:?} in this chat: /tree gives each a number"),
        several => {
            let ids: Vec<&str> = several.iter().take(LISTED).map(NodeId::as_str).collect();
            bail!("{} nodes begin with {wanted:?}: {}", several.len(), ids.join(", "))
        }
    }
}

/// The nodes of a space whose ids begin so.
pub(crate) fn beginning_with(store: &Store, space: &SpaceId, wanted: &str) -> Result<Vec<NodeId>> {
    let (mut found, mut last) = (Vec::new(), Seq(0));
    loop {
        let page = store.after(space, last, PAGE)?;
        found.extend(page.iter().filter(|(_, node)| node.id.as_str().starts_with(wanted)).map(|(_, node)| node.id.clone()));
        match page.last() {
            Some((seq, _)) if page.len() == PAGE as usize => last = *seq,
            Some(_) | None => return Ok(found),
        }
    }
}

/// The last message on the path that somebody wrote.
pub(crate) fn last_by(source: &dyn Source, head: Option<&NodeId>, author: &EntityId) -> Result<Node> {
    let path = path(source, head, FAR)?;
    let last = path.into_iter().rev().find(|node| node.author == *author && node.kind == Kind::Message);
    last.ok_or_else(|| anyhow!("nothing was said yet"))
}

/// The node that somebody goes to and, where it is a sibling, which of how many.
pub(crate) fn goal(
    source: &dyn Source,
    shown: &[NodeId],
    head: Option<&NodeId>,
    to: To,
) -> Result<(NodeId, Option<(usize, usize)>)> {
    let step = match to {
        To::Node(wanted) => return Ok((find(source, shown, &wanted)?, None)),
        To::Next => 1,
        To::Previous => -1,
    };
    let (node, at, of) = neighbour(source, head, step)?;
    Ok((node, Some((at, of))))
}

/// A sibling of the node nearest to the head that has any: the one so many places on, around the end.
fn neighbour(source: &dyn Source, head: Option<&NodeId>, step: isize) -> Result<(NodeId, usize, usize)> {
    for node in path(source, head, FAR)?.iter().rev() {
        let all = source.children(node.parent.as_ref())?;
        if let Some(at) = all.iter().position(|one| one.id == node.id).filter(|_| all.len() > 1) {
            let to = (at as isize + step).rem_euclid(all.len() as isize) as usize;
            return Ok((all[to].id.clone(), to + 1, all.len()));
        }
    }
    bail!("there is only one branch: /retry and /edit make others")
}
