//! A whole space as one conversation file.

use crate::answers;
use crate::calls;
use crate::error::Result;
use crate::loom;
use crate::node::{Key, Reader, Stored, columns};
use crate::space::{SpaceRow, header};
use crate::sql::{Tx, args};
use std::collections::HashMap;
use weftwork::model::{Conversation, EntityId, Member, NodeId};

/// Rows read at a time.
const CHUNK: i64 = 4096;

/// Hands each node of a space to `each`, in the order they were said.
pub(crate) fn each_node(
    tx: &mut Tx<'_>,
    space: i64,
    authors: &[(i64, EntityId)],
    mut each: impl FnMut(Stored) -> Result<()>,
) -> Result<()> {
    let mut after = Some(Key(Key::range(space).0));
    while let Some(last) = after {
        after = piece(tx, space, authors, last, &mut each)?;
    }
    Ok(())
}

/// Hands the next few nodes after one to `each`, and says which was the last of them; none at the end.
pub(crate) fn piece(
    tx: &mut Tx<'_>,
    space: i64,
    authors: &[(i64, EntityId)],
    after: Key,
    mut each: impl FnMut(Stored) -> Result<()>,
) -> Result<Option<Key>> {
    const SQL: &str = concat!("SELECT ", columns!(), " FROM nodes n WHERE n.key > ?1 AND n.key < ?2 ORDER BY n.key LIMIT ?3");
    let reader = Reader { authors, hashes: true };
    let mut last = None;
    tx.rows(SQL, args![after.0, Key::range(space).1, CHUNK], |row| {
        let stored = reader.read(row)?;
        last = Some(stored.key);
        each(stored)
    })?;
    Ok(last)
}

/// The space with its branches, flags, heads, cursors, calls and hashes.
pub(crate) fn whole(tx: &mut Tx<'_>, row: &SpaceRow) -> Result<Conversation> {
    let (mut file, authors) = header(tx, row.no)?;
    let mut names: HashMap<Key, NodeId> = HashMap::new();
    let mut nodes = Vec::new();
    each_node(tx, row.no, &authors, |stored| {
        let mut node = stored.node;
        node.parent = stored.parent.and_then(|parent| names.get(&parent).cloned());
        names.insert(stored.key, node.id.clone());
        nodes.push(node);
        Ok(())
    })?;
    file.nodes = nodes;
    file.head = row.head(tx)?.map(|place| place.id);
    const MEMBERS: &str = "SELECT e.id, m.role, m.cursor FROM members m JOIN entities e ON e.no = m.entity \
                           WHERE m.space = ?1 AND m.gone IS NULL ORDER BY e.no";
    let members = tx.list(MEMBERS, args![row.no], |row| {
        Ok((EntityId::from(row.text(0)?), row.maybe_text(1)?.map(str::to_owned), row.int(2)?))
    })?;
    let start = Key::range(row.no).0;
    for (entity, role, cursor) in members {
        if let Some(read) = names.get(&Key(start + cursor)) {
            file.cursors.insert(entity.clone(), read.clone());
        }
        file.members.push(Member { entity, role });
    }
    const HEADS: &str = "SELECT e.id FROM heads h JOIN entities e ON e.no = h.entity WHERE h.space = ?1";
    for viewer in tx.list(HEADS, args![row.no], |row| Ok(EntityId::from(row.text(0)?)))? {
        if let Some(head) = row.head_of(tx, &viewer)? {
            file.heads.insert(viewer, head.id);
        }
    }
    file.calls = calls::export(tx, row.no)?;
    file.wholes = answers::export(tx, row.no)?;
    file.bookmarks = loom::export_bookmarks(tx, row.no)?;
    file.links = loom::export_links(tx, row.no)?;
    Ok(file)
}
