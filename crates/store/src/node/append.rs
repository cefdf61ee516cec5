//! Adding a node: under the lock of its space, once for each key, with its hash fixed.

use super::place::{Place, at_id, last_key, parent_hashes, place_of, tip};
use super::row::{Reader, Stored, bits, columns, pack_flags, write};
use super::{Key, Seq, Tallies, id, is_special};
use crate::error::{Result, StoreError};
use crate::space::{SpaceRow, entity_row, lock_space};
use crate::sql::{Tx, args};
use weftwork::count::Base;
use weftwork::history::Traits;
use weftwork::model::{Edge, EntityId, Node, NodeId, SpaceId, Status};
use weftwork::provenance::hash;

/// A node that is to be added.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What is said. Its `parent` and `hash` are filled in; so is an id that is empty.
    pub node: Node,
    /// Where it hangs.
    pub parent: Parent,
    /// Whose head follows it.
    pub head: MoveHead,
    /// The sender's own name for this act: the same key is never done twice.
    pub key: Option<String>,
}

/// Where a node hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parent {
    /// On the default head of the space.
    Head,
    /// On the head of one viewer, or the default one if they never moved theirs.
    HeadOf(EntityId),
    /// On this node.
    Node(NodeId),
    /// On the newest node of the branch that runs through this one.
    Branch(NodeId),
    /// On nothing: it begins a tree.
    Root,
}

/// Whose head moves to a new node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveHead {
    /// The one it was hung on, if it was hung on one.
    Same,
    /// The default one.
    Default,
    /// One viewer's.
    Of(EntityId),
    /// Nobody's.
    Nobody,
}

/// A node that is in the store.
#[derive(Clone, Debug)]
pub struct Appended {
    /// The node, with its id, parent and hash.
    pub node: Node,
    /// Its place in the order of the space.
    pub seq: Seq,
    /// Whether it was there before, under the same key.
    pub repeated: bool,
}

impl Draft {
    /// Continues the default head.
    pub fn new(node: Node) -> Draft {
        Draft { node, parent: Parent::Head, head: MoveHead::Same, key: None }
    }

    /// Under the sender's own name for this act.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Draft {
        self.key = Some(key.into());
        self
    }

    /// On a node.
    #[must_use]
    pub fn on(mut self, parent: NodeId) -> Draft {
        self.parent = Parent::Node(parent);
        self
    }
}

/// Adds a node to a space.
pub(crate) fn append(tx: &mut Tx<'_>, space: &SpaceId, draft: Draft) -> Result<Appended> {
    let row = lock_space(tx, space)?;
    let node_id = match (&draft.key, draft.node.id.as_str()) {
        (Some(key), _) => {
            check_id(key)?;
            id::of_key(&draft.node.author, key)
        }
        (None, "") => id::fresh(),
        (None, given) => NodeId::from(given),
    };
    check_id(node_id.as_str())?;
    if draft.key.is_some() {
        lock_key(tx, &node_id)?;
    }
    if let Some(found) = repeated(tx, &row, &node_id, &draft)? {
        return Ok(found);
    }
    let parent = parent(tx, space, &row, &draft.parent)?;
    add(tx, space, &row, draft, node_id, parent)
}

fn add(
    tx: &mut Tx<'_>,
    space: &SpaceId,
    row: &SpaceRow,
    draft: Draft,
    node_id: NodeId,
    parent: Option<Place>,
) -> Result<Appended> {
    let (author, author_kind) = entity_row(tx, &draft.node.author)?;
    let key = Key::new(row.no, Seq(last_key(tx, row.no)?.seq().0 + 1));
    let mut node = draft.node;
    node.id = node_id;
    node.parent = parent.as_ref().map(|parent| parent.id.clone());
    let mut flags = pack_flags(&node);
    if parent.as_ref().is_some_and(|parent| parent.hash.is_none()) {
        flags |= bits::EARLY;
    }
    let hash = match node.status {
        Status::Pending => None,
        Status::Sent | Status::Error => {
            let parents = parent_hashes(tx, row.no, parent.as_ref().map(|parent| parent.key), flags, &node.sources)?;
            Some(hash(&node, &parents))
        }
    };
    node.hash = hash.map(|hash| hash.to_string());
    let stored = Stored {
        lane: lane(tx, key, parent.as_ref(), node.edge)?,
        depth: parent.as_ref().map_or(0, |parent| parent.depth + 1),
        parent: parent.as_ref().map(|parent| parent.key),
        tallies: Tallies::count(&node.parts, Base::O200k, parent.as_ref().map(|parent| parent.sum)),
        key,
        flags,
        hash,
        node,
    };
    check_names(tx, space, row.no, &stored.node)?;
    let traits = Traits::of(&stored.node, author_kind);
    let special = is_special(tx, &stored.node, stored.parent, author_kind)?;
    write(tx, author, special, &stored)?;
    if stored.node.status == Status::Pending {
        tx.run("INSERT INTO pending(node, process) VALUES(?1, ?2)", args![key.0, tx.writer()])?;
    }
    row.note(tx, author, traits)?;
    follow(tx, row, &draft.parent, &draft.head, &stored)?;
    Ok(Appended { seq: key.seq(), repeated: false, node: stored.node })
}

/// The first child goes on in its parent's lane; what comes beside it begins its own.
fn lane(tx: &mut Tx<'_>, key: Key, parent: Option<&Place>, edge: Edge) -> Result<Key> {
    let Some(parent) = parent.filter(|_| edge == Edge::Continuation) else { return Ok(key) };
    let taken = tip(tx, parent.lane, Some(parent.depth + 1))?.is_some();
    Ok(if taken { key } else { parent.lane })
}

fn parent(tx: &mut Tx<'_>, space: &SpaceId, row: &SpaceRow, parent: &Parent) -> Result<Option<Place>> {
    match parent {
        Parent::Root => Ok(None),
        Parent::Head => row.head(tx),
        Parent::HeadOf(viewer) => row.head_of(tx, viewer),
        Parent::Node(id) | Parent::Branch(id) => {
            let found = at_id(tx, row.no, id.as_str())?;
            let found = found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })?;
            match parent {
                Parent::Branch(_) => tip(tx, found.lane, None),
                Parent::Head | Parent::HeadOf(_) | Parent::Node(_) | Parent::Root => Ok(Some(found)),
            }
        }
    }
}

/// Moves the head that follows a new node.
fn follow(tx: &mut Tx<'_>, row: &SpaceRow, parent: &Parent, head: &MoveHead, stored: &Stored) -> Result<()> {
    if stored.flags & bits::ANNOTATION != 0 {
        return Ok(());
    }
    match (head, parent) {
        (MoveHead::Nobody, _) if row.head.is_none() => row.move_head(tx, stored.lane, None),
        (MoveHead::Nobody, _) => Ok(()),
        (MoveHead::Of(viewer), _) => row.move_head_of(tx, viewer, stored.lane, None),
        (MoveHead::Same, Parent::HeadOf(viewer)) if row.has_own_head(tx, viewer)? => {
            row.move_head_of(tx, viewer, stored.lane, None)
        }
        (MoveHead::Default, _) | (MoveHead::Same, Parent::Head | Parent::HeadOf(_)) => row.move_head(tx, stored.lane, None),
        (MoveHead::Same, Parent::Node(_) | Parent::Branch(_) | Parent::Root) if row.head.is_none() => {
            row.move_head(tx, stored.lane, None)
        }
        (MoveHead::Same, Parent::Node(_) | Parent::Branch(_) | Parent::Root) => Ok(()),
    }
}

/// Nobody else uses the key until the transaction ends, in whichever space: the space's own lock holds off only those who
/// write there.
fn lock_key(tx: &mut Tx<'_>, node: &NodeId) -> Result<()> {
    const SQL: &str = "SELECT length(CAST(?1 AS TEXT)) /*pg FROM pg_advisory_xact_lock(hashtextextended(?1, 0))*/";
    tx.rows(SQL, args![node.as_str()], |_| Ok(()))
}

/// What was added under this id before: the same, or somebody else's.
fn repeated(tx: &mut Tx<'_>, row: &SpaceRow, node: &NodeId, draft: &Draft) -> Result<Option<Appended>> {
    const SQL: &str = "SELECT key FROM nodes WHERE id = ?1";
    let keys = tx.list(SQL, args![node.as_str()], |row| Ok(Key(row.int(0)?)))?;
    let reused = |draft: &Draft| match &draft.key {
        Some(key) => Err(StoreError::KeyReused { key: key.clone() }),
        None => Err(StoreError::Taken { what: "node", id: node.to_string() }),
    };
    match keys.iter().find(|key| key.space() == row.no) {
        None if draft.key.is_some() && !keys.is_empty() => reused(draft),
        None => Ok(None),
        Some(&key) => {
            let before = one(tx, key)?;
            let hung = match &draft.parent {
                Parent::Head | Parent::HeadOf(_) | Parent::Branch(_) => true,
                Parent::Node(parent) => before.node.parent.as_ref() == Some(parent),
                Parent::Root => before.parent.is_none(),
            };
            if !hung || !same(tx, &before, &draft.node)? { reused(draft) } else { Ok(Some(again(before))) }
        }
    }
}

fn again(stored: Stored) -> Appended {
    Appended { seq: stored.key.seq(), repeated: true, node: stored.node }
}

/// Whether a retry says the same. What was being written may have gone on since, flags may have changed, and of what was
/// purged only the hash is left.
fn same(tx: &mut Tx<'_>, before: &Stored, draft: &Node) -> Result<bool> {
    if draft.status == Status::Pending {
        return Ok(before.node.author == draft.author);
    }
    if before.node.purged {
        let parents = parent_hashes(tx, before.key.space(), before.parent, before.flags, &draft.sources)?;
        let again = Node { id: before.node.id.clone(), created_at: before.node.created_at.clone(), ..draft.clone() };
        return Ok(before.hash == Some(hash(&again, &parents)));
    }
    let said = |node: &Node| {
        let mut said = node.clone();
        (said.id, said.parent, said.hash, said.created_at) = (NodeId::from(""), None, None, None);
        (said.excluded, said.pruned, said.pinned, said.bookmarked, said.context_edge) = (false, false, false, false, false);
        said
    };
    Ok(said(&before.node) == said(draft))
}

/// One node, with its parent's id.
pub(crate) fn one(tx: &mut Tx<'_>, key: Key) -> Result<Stored> {
    const ONE: &str = concat!("SELECT ", columns!(), " FROM nodes n WHERE n.key = ?1");
    const AUTHOR: &str = "SELECT e.no, e.id FROM nodes n JOIN entities e ON e.no = n.author WHERE n.key = ?1";
    let author = tx.list(AUTHOR, args![key.0], |row| Ok((row.int(0)?, EntityId::from(row.text(1)?))))?;
    let reader = Reader { authors: &author, hashes: true };
    let found = tx.first(ONE, args![key.0], |row| reader.read(row))?;
    let mut stored = found.ok_or_else(|| StoreError::Unreadable { detail: format!("node {} is gone", key.0) })?;
    if let Some(parent) = stored.parent {
        stored.node.parent = place_of(tx, parent)?.map(|place| place.id);
    }
    Ok(stored)
}

/// Ids are shown, typed and put into addresses.
pub(crate) fn check_id(id: &str) -> Result<()> {
    if id.is_empty() || id.len() > 200 || id.chars().any(char::is_control) {
        return Err(StoreError::BadId { id: id.to_owned() });
    }
    Ok(())
}

/// What a node names must be there.
fn check_names(tx: &mut Tx<'_>, space: &SpaceId, no: i64, node: &Node) -> Result<()> {
    let sources = node.sources.iter().map(|source| &source.node);
    for named in sources.chain(&node.edited_from).chain(&node.covers) {
        if at_id(tx, no, named.as_str())?.is_none() {
            return Err(StoreError::NoNode { space: space.clone(), node: named.clone() });
        }
    }
    Ok(())
}
