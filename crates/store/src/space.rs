//! Spaces and who belongs to them: rows, heads, cursors.

use crate::around;
use crate::changes::{ChangeKind, note};
use crate::error::{Result, StoreError};
use crate::node::{Key, PLACE, PLACE_READ, Place, Seq, at_id, check_id, last_key, tip};
use crate::sql::{Row, Tx, args};
use serde::{Deserialize, Serialize};
use weftwork::history::{Traits, Voice};
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, LoomAccess, NodeId, Sampling, SpaceId};

/// A space's row, locked where it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct SpaceRow {
    pub(crate) no: i64,
    /// Lane and depth of the default head.
    pub(crate) head: Option<(Key, Option<u32>)>,
    traits: i64,
}

const TEXTLESS: i64 = 1;
const ONLY_TOOLS_FOR_ANOTHER: i64 = 2;

/// The space, and nobody else adds to it until the transaction ends.
pub(crate) fn lock_space(tx: &mut Tx<'_>, space: &SpaceId) -> Result<SpaceRow> {
    const SQL: &str = "SELECT no, head, head_depth, traits FROM spaces WHERE id = ?1 /*pg FOR UPDATE*/";
    tx.first(SQL, args![space.as_str()], row)?.ok_or_else(|| StoreError::NoSpace { space: space.clone() })
}

/// The space, to be read.
pub(crate) fn find_space(tx: &mut Tx<'_>, space: &SpaceId) -> Result<SpaceRow> {
    const SQL: &str = "SELECT no, head, head_depth, traits FROM spaces WHERE id = ?1";
    tx.first(SQL, args![space.as_str()], row)?.ok_or_else(|| StoreError::NoSpace { space: space.clone() })
}

/// The space as one of its members finds it; none if they do not belong to it, or there is no such space.
pub(crate) fn find_for(tx: &mut Tx<'_>, space: &SpaceId, member: &EntityId) -> Result<Option<SpaceRow>> {
    const SQL: &str = "SELECT s.no, s.head, s.head_depth, s.traits FROM members m JOIN spaces s ON s.no = m.space \
                       WHERE m.space = (SELECT t.no FROM spaces t WHERE t.id = ?1) \
                       AND m.entity = (SELECT e.no FROM entities e WHERE e.id = ?2) AND m.gone IS NULL";
    tx.first(SQL, args![space.as_str(), member.as_str()], row)
}

fn row(row: &Row<'_>) -> Result<SpaceRow> {
    let depth = row.maybe_int(2)?.map(|depth| depth as u32);
    Ok(SpaceRow { no: row.int(0)?, head: row.maybe_int(1)?.map(|lane| (Key(lane), depth)), traits: row.int(3)? })
}

impl SpaceRow {
    pub(crate) fn by_no(tx: &mut Tx<'_>, no: i64) -> Result<SpaceRow> {
        const SQL: &str = "SELECT no, head, head_depth, traits FROM spaces WHERE no = ?1 /*pg FOR UPDATE*/";
        let found = tx.first(SQL, args![no], row)?;
        found.ok_or_else(|| StoreError::Unreadable { detail: format!("space {no} is gone") })
    }

    /// The default head.
    pub(crate) fn head(&self, tx: &mut Tx<'_>) -> Result<Option<Place>> {
        match self.head {
            Some((lane, depth)) => tip(tx, lane, depth),
            None => Ok(None),
        }
    }

    /// The head of a viewer: their own, or the default one.
    pub(crate) fn head_of(&self, tx: &mut Tx<'_>, viewer: &EntityId) -> Result<Option<Place>> {
        match own_head(tx, self.no, viewer)? {
            Some((lane, depth)) => tip(tx, lane, depth),
            None => self.head(tx),
        }
    }

    pub(crate) fn has_own_head(&self, tx: &mut Tx<'_>, viewer: &EntityId) -> Result<bool> {
        Ok(own_head(tx, self.no, viewer)?.is_some())
    }

    /// Moves the default head: to a node of a lane, or to whatever is newest in it.
    pub(crate) fn move_head(&self, tx: &mut Tx<'_>, lane: Key, depth: Option<u32>) -> Result<()> {
        if self.head == Some((lane, depth)) {
            return Ok(());
        }
        tx.run("UPDATE spaces SET head = ?2, head_depth = ?3 WHERE no = ?1", args![self.no, lane.0, depth])?;
        note(tx, self.no, &ChangeKind::Head(None))
    }

    /// Moves a viewer's own head.
    pub(crate) fn move_head_of(&self, tx: &mut Tx<'_>, viewer: &EntityId, lane: Key, depth: Option<u32>) -> Result<()> {
        let (entity, _) = entity_row(tx, viewer)?;
        if own_head(tx, self.no, viewer)? == Some((lane, depth)) {
            return Ok(());
        }
        tx.run(
            "INSERT INTO heads(space, entity, lane, depth) VALUES(?1, ?2, ?3, ?4) \
             ON CONFLICT(space, entity) DO UPDATE SET lane = excluded.lane, depth = excluded.depth",
            args![self.no, entity, lane.0, depth],
        )?;
        note(tx, self.no, &ChangeKind::Head(Some(viewer.clone())))
    }

    /// Remembers what is true of some node. Nearly always it is known.
    pub(crate) fn note(&self, tx: &mut Tx<'_>, author: i64, traits: Traits) -> Result<()> {
        let flag = |set: bool, bit: i64| if set { bit } else { 0 };
        let all = self.traits | flag(traits.textless, TEXTLESS) | flag(traits.only_tools_for_another, ONLY_TOOLS_FOR_ANOTHER);
        if all != self.traits {
            tx.run("UPDATE spaces SET traits = ?2 WHERE no = ?1", args![self.no, all])?;
        }
        const SEEN: &str = "SELECT only_tools FROM voices WHERE space = ?1 AND entity = ?2";
        let seen = tx.first(SEEN, args![self.no, author], |row| row.int(0))?;
        if seen.is_none_or(|seen| seen == 0 && traits.only_tools) {
            tx.run(
                "INSERT INTO voices(space, entity, only_tools) VALUES(?1, ?2, ?3) \
                 ON CONFLICT(space, entity) DO UPDATE SET only_tools = excluded.only_tools",
                args![self.no, author, traits.only_tools],
            )?;
        }
        Ok(())
    }

    /// What is true of some node of the space.
    pub(crate) fn traits(&self) -> Traits {
        Traits {
            textless: self.traits & TEXTLESS != 0,
            only_tools_for_another: self.traits & ONLY_TOOLS_FOR_ANOTHER != 0,
            ..Traits::default()
        }
    }
}

fn own_head(tx: &mut Tx<'_>, space: i64, viewer: &EntityId) -> Result<Option<(Key, Option<u32>)>> {
    const SQL: &str = "SELECT h.lane, h.depth FROM heads h JOIN entities e ON e.no = h.entity WHERE h.space = ?1 AND e.id = ?2";
    tx.first(SQL, args![space, viewer.as_str()], |row| Ok((Key(row.int(0)?), row.maybe_int(1)?.map(|depth| depth as u32))))
}

/// What only agents have.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EntityMore {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    loom_aware: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    external: bool,
    #[serde(skip_serializing_if = "is_default")]
    loom_access: LoomAccess,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<Sampling>,
}

fn is_default(access: &LoomAccess) -> bool {
    *access == LoomAccess::default()
}

/// Number and kind of an entity.
pub(crate) fn entity_row(tx: &mut Tx<'_>, id: &EntityId) -> Result<(i64, EntityKind)> {
    const SQL: &str = "SELECT no, kind FROM entities WHERE id = ?1";
    let found = tx.first(SQL, args![id.as_str()], |row| Ok((row.int(0)?, entity_kind(row.int(1)?)?)))?;
    found.ok_or_else(|| StoreError::NoEntity { entity: id.clone() })
}

/// An entity.
pub(crate) fn find_entity(tx: &mut Tx<'_>, id: &EntityId) -> Result<Option<Entity>> {
    const SQL: &str = "SELECT id, name, kind, more FROM entities WHERE id = ?1";
    tx.first(SQL, args![id.as_str()], |row| read_entity(row, 0))
}

/// Adds an entity; says whether it is new. One that is there is left as it is.
pub(crate) fn add_entity(tx: &mut Tx<'_>, entity: &Entity) -> Result<bool> {
    const SQL: &str = "INSERT INTO entities(id, name, kind) VALUES(?1, ?2, ?3) ON CONFLICT(id) DO NOTHING";
    check_id(entity.id.as_str())?;
    let new = tx.run(SQL, args![entity.id.as_str(), "", entity_kind_number(entity.kind)])? == 1;
    if new {
        write_entity(tx, entity)?;
    }
    Ok(new)
}

/// Adds an entity, or changes one that is there.
pub(crate) fn put_entity(tx: &mut Tx<'_>, entity: &Entity) -> Result<i64> {
    check_id(entity.id.as_str())?;
    let known = find_entity(tx, &entity.id)?;
    // Somebody else may add it in the same moment.
    let is_new = known.is_none() && add_entity(tx, entity)?;
    // What is known is not locked: two imports with the same people would wait for each other.
    if !is_new && known.as_ref() != Some(entity) {
        write_entity(tx, entity)?;
        around::somebody_changed(tx)?;
    }
    entity_row(tx, &entity.id).map(|(no, _)| no)
}

fn write_entity(tx: &mut Tx<'_>, entity: &Entity) -> Result<()> {
    check_text("an entity's name", &entity.name)?;
    let more = EntityMore {
        system_prompt: entity.system_prompt.clone(),
        model: entity.model.clone(),
        loom_aware: entity.loom_aware,
        external: entity.external,
        loom_access: entity.loom_access,
        sampling: entity.sampling.clone(),
    };
    let more = (more != EntityMore::default()).then(|| serde_json::to_string(&more)).transpose()?;
    tx.run(
        "INSERT INTO entities(id, name, kind, more, external) VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(id) DO UPDATE SET \
         name = excluded.name, kind = excluded.kind, more = excluded.more, external = excluded.external",
        args![entity.id.as_str(), &entity.name, entity_kind_number(entity.kind), more.as_ref(), entity.external],
    )
    .map(drop)
}

/// An entity from the columns id, name, kind, more, beginning at one.
pub(crate) fn read_entity(row: &Row<'_>, from: usize) -> Result<Entity> {
    let more: EntityMore = row.maybe_text(from + 3)?.map(serde_json::from_str).transpose()?.unwrap_or_default();
    Ok(Entity {
        id: row.text(from)?.into(),
        name: row.text(from + 1)?.to_owned(),
        kind: entity_kind(row.int(from + 2)?)?,
        system_prompt: more.system_prompt,
        model: more.model,
        loom_aware: more.loom_aware,
        external: more.external,
        loom_access: more.loom_access,
        sampling: more.sampling,
    })
}

/// All who ever wrote in a space, by number.
pub(crate) fn authors_of(tx: &mut Tx<'_>, space: i64) -> Result<Vec<(i64, EntityId)>> {
    const SQL: &str = "SELECT e.no, e.id FROM voices v JOIN entities e ON e.no = v.entity WHERE v.space = ?1";
    tx.list(SQL, args![space], |row| Ok((row.int(0)?, EntityId::from(row.text(1)?))))
}

/// All who belong to a space or wrote in it, in the order they came to the store.
pub(crate) fn entities_of(tx: &mut Tx<'_>, space: i64) -> Result<Vec<(i64, Entity)>> {
    const SQL: &str = "SELECT e.no, e.id, e.name, e.kind, e.more FROM entities e WHERE e.no IN \
                       (SELECT entity FROM members WHERE space = ?1 UNION SELECT entity FROM voices WHERE space = ?1) \
                       ORDER BY e.no";
    tx.list(SQL, args![space], |row| Ok((row.int(0)?, read_entity(row, 1)?)))
}

/// Makes a space with this header. Its id must be new.
pub(crate) fn create_space(tx: &mut Tx<'_>, header: &Conversation, now: i64) -> Result<SpaceRow> {
    let id = &header.space.id;
    check_id(id.as_str())?;
    check_text("a space's name", &header.space.name)?;
    let made = tx.run(
        "INSERT INTO spaces(id, name, header, confidential, traits, searched, created_at) VALUES(?1, ?2, ?3, ?4, 0, 0, ?5) \
         ON CONFLICT(id) DO NOTHING",
        args![id.as_str(), &header.space.name, &header_json(header)?, header.space.confidential, now],
    )?;
    if made == 0 {
        return Err(StoreError::Taken { what: "space", id: id.to_string() });
    }
    lock_space(tx, id)
}

/// Changes the header of a space.
pub(crate) fn put_header(tx: &mut Tx<'_>, row: &SpaceRow, header: &Conversation) -> Result<()> {
    check_text("a space's name", &header.space.name)?;
    tx.run(
        "UPDATE spaces SET name = ?2, header = ?3, confidential = ?4 WHERE no = ?1",
        args![row.no, &header.space.name, &header_json(header)?, header.space.confidential],
    )?;
    around::space_changed(tx, row.no)?;
    note(tx, row.no, &ChangeKind::Space)
}

/// The header as it is kept: the file without what has tables of its own.
fn header_json(header: &Conversation) -> Result<String> {
    let bare = Conversation {
        entities: Vec::new(),
        members: Vec::new(),
        nodes: Vec::new(),
        head: None,
        heads: Default::default(),
        cursors: Default::default(),
        calls: Vec::new(),
        wholes: Vec::new(),
        bookmarks: Vec::new(),
        links: Vec::new(),
        ..header.clone()
    };
    Ok(serde_json::to_string(&bare)?)
}

/// The header of a space, with those who speak in it.
pub(crate) fn header(tx: &mut Tx<'_>, space: i64) -> Result<(Conversation, Vec<(i64, EntityId)>)> {
    const SQL: &str = "SELECT header FROM spaces WHERE no = ?1";
    let found = tx.first(SQL, args![space], |row| Ok(serde_json::from_str::<Conversation>(row.text(0)?)?))?;
    let mut file = found.ok_or_else(|| StoreError::Unreadable { detail: format!("space {space} is gone") })?;
    let entities = entities_of(tx, space)?;
    let numbers = entities.iter().map(|(no, entity)| (*no, entity.id.clone())).collect();
    file.entities = entities.into_iter().map(|(_, entity)| entity).collect();
    Ok((file, numbers))
}

/// A space that is about to be read.
pub(crate) struct Opened {
    pub(crate) row: SpaceRow,
    /// Its header, with all who belong to it or wrote in it.
    pub(crate) file: Conversation,
    pub(crate) authors: Vec<(i64, EntityId)>,
    /// Who ever wrote in it.
    pub(crate) voices: Vec<Voice>,
}

/// The space with its header and those who speak in it. A server is asked at once for all that is read of it by ids alone.
pub(crate) fn open(tx: &mut Tx<'_>, space: &SpaceId, head: Option<&NodeId>, reader: Option<&EntityId>) -> Result<Opened> {
    const SPACE: &str = "SELECT no, head, head_depth, traits, header FROM spaces WHERE id = ?1";
    const ENTITIES: &str = "SELECT e.no, e.id, e.name, e.kind, e.more, v.only_tools FROM \
                            (SELECT entity FROM members WHERE space = (SELECT no FROM spaces WHERE id = ?1) \
                            UNION SELECT entity FROM voices WHERE space = (SELECT no FROM spaces WHERE id = ?1)) k \
                            JOIN entities e ON e.no = k.entity LEFT JOIN voices v ON v.entity = e.no \
                            AND v.space = (SELECT no FROM spaces WHERE id = ?1) ORDER BY e.no";
    let here = args![space.as_str()];
    let at = head.map(|head| args![head.as_str(), space.as_str()].to_vec());
    let read = reader.map(|reader| args![space.as_str(), reader.as_str()].to_vec());
    let at = at.as_deref().map(|at| (PLACE, at));
    let read = read.as_deref().map(|read| (PLACE_READ, read));
    tx.ahead(&[(SPACE, &here[..]), (ENTITIES, &here[..])].into_iter().chain(at).chain(read).collect::<Vec<_>>())?;
    let found = tx.first(SPACE, here, |found| Ok((row(found)?, serde_json::from_str::<Conversation>(found.text(4)?)?)))?;
    let (row, mut file) = found.ok_or_else(|| StoreError::NoSpace { space: space.clone() })?;
    let (mut authors, mut voices) = (Vec::new(), Vec::new());
    file.entities = tx.list(ENTITIES, here, |found| {
        let entity = read_entity(found, 1)?;
        authors.push((found.int(0)?, entity.id.clone()));
        let voice = found.maybe_int(5)?.map(|only| Voice { entity: entity.id.clone(), only_tools: only != 0 });
        voices.extend(voice);
        Ok(entity)
    })?;
    Ok(Opened { row, file, authors, voices })
}

/// Makes somebody a member. What was said before they came is not unread to them.
pub(crate) fn join(tx: &mut Tx<'_>, row: &SpaceRow, entity: &EntityId, role: Option<&str>) -> Result<()> {
    let_in(tx, row, entity, role)?;
    note_here(tx, row)
}

/// Makes somebody a member, of many: [`note_here`] follows when all of them are.
pub(crate) fn let_in(tx: &mut Tx<'_>, row: &SpaceRow, entity: &EntityId, role: Option<&str>) -> Result<()> {
    let (no, _) = entity_row(tx, entity)?;
    let seq = last_key(tx, row.no)?.seq().0;
    tx.run(
        "INSERT INTO members(space, entity, role, joined, cursor) VALUES(?1, ?2, ?3, ?4, ?4) \
         ON CONFLICT(space, entity) DO UPDATE SET role = excluded.role, gone = NULL",
        args![row.no, no, role, seq],
    )?;
    note(tx, row.no, &ChangeKind::Member(entity.clone()))
}

/// Ends a membership.
pub(crate) fn leave(tx: &mut Tx<'_>, row: &SpaceRow, entity: &EntityId) -> Result<()> {
    let (no, _) = entity_row(tx, entity)?;
    let seq = last_key(tx, row.no)?.seq().0;
    const SQL: &str = "UPDATE members SET gone = ?3 WHERE space = ?1 AND entity = ?2 AND gone IS NULL";
    match tx.run(SQL, args![row.no, no, seq])? {
        0 => Ok(()),
        _ => {
            note_here(tx, row)?;
            note(tx, row.no, &ChangeKind::Member(entity.clone()))
        }
    }
}

/// Writes down with the space who is here, in the order they came: every run is told of all spaces of its agent, and reads
/// two hundred of these quicker than a thousand members.
pub(crate) fn note_here(tx: &mut Tx<'_>, row: &SpaceRow) -> Result<()> {
    const SQL: &str = "UPDATE spaces SET here = coalesce((SELECT string_agg(CAST(m.entity AS TEXT), ',' ORDER BY m.joined, m.entity) \
                       FROM members m WHERE m.space = ?1 AND m.gone IS NULL), '') WHERE no = ?1";
    tx.run(SQL, args![row.no])?;
    around::space_changed(tx, row.no)
}

/// Whether somebody belongs to a space now.
pub(crate) fn is_member(tx: &mut Tx<'_>, space: i64, entity: &EntityId) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM members m WHERE m.space = ?1 \
                       AND m.entity = (SELECT e.no FROM entities e WHERE e.id = ?2) AND m.gone IS NULL";
    Ok(tx.first(SQL, args![space, entity.as_str()], |_| Ok(()))?.is_some())
}

/// How far a member has read.
pub(crate) fn cursor_of(tx: &mut Tx<'_>, space: i64, member: &EntityId) -> Result<Seq> {
    const SQL: &str =
        "SELECT m.cursor FROM members m WHERE m.space = ?1 AND m.entity = (SELECT e.no FROM entities e WHERE e.id = ?2)";
    Ok(Seq(tx.first(SQL, args![space, member.as_str()], |row| row.int(0))?.unwrap_or(0)))
}

/// Moves a cursor up to a message. It never moves back; says where it is now.
pub(crate) fn read_up_to(tx: &mut Tx<'_>, row: &SpaceRow, space: &SpaceId, entity: &EntityId, node: &NodeId) -> Result<Seq> {
    let place = at_id(tx, row.no, node.as_str())?;
    let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })?;
    let (no, _) = entity_row(tx, entity)?;
    const MOVE: &str = "UPDATE members SET cursor = ?3 WHERE space = ?1 AND entity = ?2 AND cursor < ?3";
    if tx.run(MOVE, args![row.no, no, place.key.seq().0])? > 0 {
        note(tx, row.no, &ChangeKind::Read(entity.clone()))?;
    }
    const SQL: &str = "SELECT cursor FROM members WHERE space = ?1 AND entity = ?2 AND gone IS NULL";
    let cursor = tx.first(SQL, args![row.no, no], |row| row.int(0))?;
    cursor.map(Seq).ok_or_else(|| StoreError::NoMember { space: space.clone(), entity: entity.clone() })
}

/// Messages after somebody's cursor that are not their own. Derived, never counted up.
pub(crate) fn unread(tx: &mut Tx<'_>, space: i64, entity: &EntityId) -> Result<u64> {
    const SQL: &str = "SELECT count(*) FROM members m JOIN entities e ON e.no = m.entity \
                       JOIN nodes n ON n.key > m.space * 4294967296 + m.cursor AND n.key < (m.space + 1) * 4294967296 \
                       WHERE m.space = ?1 AND e.id = ?2 AND m.gone IS NULL AND n.author <> m.entity AND n.kind = 0 \
                       AND n.status = 0 AND n.flags & 2 = 0";
    Ok(tx.first(SQL, args![space, entity.as_str()], |row| row.int(0))?.unwrap_or(0) as u64)
}

/// Text that both databases can hold.
pub(crate) fn check_text(what: &str, text: &str) -> Result<()> {
    if text.contains('\0') { Err(StoreError::Nul { what: what.to_owned() }) } else { Ok(()) }
}

fn entity_kind(number: i64) -> Result<EntityKind> {
    match number {
        0 => Ok(EntityKind::Human),
        1 => Ok(EntityKind::Agent),
        2 => Ok(EntityKind::Service),
        other => Err(StoreError::Unreadable { detail: format!("an entity of kind {other}") }),
    }
}

fn entity_kind_number(kind: EntityKind) -> i64 {
    match kind {
        EntityKind::Human => 0,
        EntityKind::Agent => 1,
        EntityKind::Service => 2,
    }
}
