//! Taking in a whole conversation at once: all of it or nothing, and a second time nothing.

use crate::answers;
use crate::calls;
use crate::error::{Result, StoreError};
use crate::loom;
use crate::node::{Key, Seq, Stored, Tallies, check_id, flags_of, is_early, is_stray, last_key, tip, write};
use crate::space::{SpaceRow, create_space, entity_row, find_entity, let_in, lock_space, note_here, put_entity};
use crate::sql::{Tx, args};
use crate::whole::each_node;
use std::collections::HashMap;
use weftwork::History;
use weftwork::count::{Base, Tally};
use weftwork::history::Traits;
use weftwork::model::{Conversation, Edge, EntityId, EntityKind, Node, NodeId, Status};
use weftwork::provenance::{Hash, early, hash};

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Nodes that are new.
    pub added: u64,
    /// Nodes that were there.
    pub known: u64,
    /// Whether the space is new.
    pub new_space: bool,
}

/// Whose ids a file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Ours: an entity of the file is the entity of that id here.
    Ours,
    /// Another program's: `user` there is not `user` here, unless it is just the same.
    Foreign,
}

/// What is known of a node that others hang on.
struct Known {
    key: Key,
    lane: Key,
    depth: u32,
    sum: Tally,
    /// None while it is pending.
    hash: Option<Hash>,
    early: Hash,
    /// Whether its lane goes on.
    continued: bool,
}

struct Import<'t, 'c> {
    tx: &'t mut Tx<'c>,
    row: SpaceRow,
    known: HashMap<NodeId, Known>,
    authors: HashMap<EntityId, (i64, EntityKind)>,
    voices: HashMap<i64, bool>,
    traits: Traits,
    next: i64,
    report: Imported,
}

/// Takes in a conversation. `progress` is told of each node.
pub(crate) fn import(
    tx: &mut Tx<'_>,
    mut file: Conversation,
    names: Names,
    now: i64,
    progress: &mut dyn FnMut(u64),
) -> Result<Imported> {
    separate(tx, &mut file, names)?;
    // Checks that the tree holds together, and puts parents before children.
    let history = History::new(file)?;
    let file = history.file();
    for entity in &file.entities {
        put_entity(tx, entity)?;
    }
    let (row, new_space) = match lock_space(tx, &file.space.id) {
        Ok(row) => (row, false),
        Err(StoreError::NoSpace { .. }) => match create_space(tx, file, now) {
            // Somebody else took in the same file meanwhile.
            Err(StoreError::Taken { .. }) => (lock_space(tx, &file.space.id)?, false),
            row => (row?, true),
        },
        Err(error) => return Err(error),
    };
    let mut import = Import::new(tx, row, new_space)?;
    for (done, node) in (1..).zip(history.nodes()) {
        import.take(node, &history)?;
        progress(done);
    }
    import.end(file)
}

impl<'t, 'c> Import<'t, 'c> {
    fn new(tx: &'t mut Tx<'c>, row: SpaceRow, new_space: bool) -> Result<Import<'t, 'c>> {
        let next = last_key(tx, row.no)?.seq().0 + 1;
        let mut import = Import {
            tx,
            row,
            known: HashMap::new(),
            authors: HashMap::new(),
            voices: HashMap::new(),
            traits: Traits::default(),
            next,
            report: Imported { new_space, ..Imported::default() },
        };
        if !new_space {
            import.look()?;
        }
        Ok(import)
    }

    /// Reads what is there already.
    fn look(&mut self) -> Result<()> {
        let (_, authors) = crate::space::header(self.tx, self.row.no)?;
        let mut ids: HashMap<Key, NodeId> = HashMap::new();
        let known = &mut self.known;
        each_node(self.tx, self.row.no, &authors, |stored| {
            let parent = stored.parent.and_then(|parent| ids.get(&parent)).cloned();
            ids.insert(stored.key, stored.node.id.clone());
            let hashes = hashes_above(known, parent.as_ref(), &stored.node, is_early(stored.flags))?;
            if let Some(above) = parent.and_then(|parent| known.get_mut(&parent)) {
                above.continued |= above.lane == stored.lane;
            }
            known.insert(
                stored.node.id.clone(),
                Known {
                    early: early(&stored.node, &hashes),
                    key: stored.key,
                    lane: stored.lane,
                    depth: stored.depth,
                    sum: stored.tallies.sum,
                    hash: stored.hash,
                    continued: false,
                },
            );
            Ok(())
        })
    }

    fn take(&mut self, node: &Node, history: &History) -> Result<()> {
        check_id(node.id.as_str())?;
        let (fixed, is_early) = self.fix(node)?;
        if let Some(before) = self.known.get(&node.id) {
            if before.hash != fixed && !node.purged {
                return Err(StoreError::Differs { node: node.id.clone() });
            }
            self.report.known += 1;
            return Ok(());
        }
        let (author, kind) = match self.authors.get(&node.author) {
            Some(&found) => found,
            None => {
                let found = entity_row(self.tx, &node.author)?;
                *self.authors.entry(node.author.clone()).or_insert(found)
            }
        };
        let hashes = hashes_above(&self.known, node.parent.as_ref(), node, is_early)?;
        let above = node.parent.as_ref().and_then(|parent| self.known.get_mut(parent));
        let key = Key::new(self.row.no, Seq(self.next));
        let tallies = Tallies::count(&node.parts, Base::O200k, above.as_ref().map(|above| above.sum));
        let (depth, parent) = (above.as_ref().map_or(0, |above| above.depth + 1), above.as_ref().map(|above| above.key));
        let lane = match above {
            Some(above) if node.edge == Edge::Continuation && !above.continued => {
                above.continued = true;
                above.lane
            }
            Some(_) | None => key,
        };
        let early = early(node, &hashes);
        let known = Known { key, lane, depth, sum: tallies.sum, hash: fixed, early, continued: false };
        let stored =
            Stored { key, parent, lane, depth, flags: flags_of(node, is_early), tallies, hash: fixed, node: node.clone() };
        let traits = Traits::of(node, kind);
        let mut above = node.parent.as_ref();
        let stray = is_stray(&node.parts, || {
            let parent = above.and_then(|id| history.node(id.as_str()));
            above = parent.and_then(|parent| parent.parent.as_ref());
            Ok(parent.map(|parent| parent.parts.clone()))
        })?;
        write(self.tx, author, traits.special || stray, &stored)?;
        *self.voices.entry(author).or_default() |= traits.only_tools;
        self.traits.textless |= traits.textless;
        self.traits.only_tools_for_another |= traits.only_tools_for_another;
        self.known.insert(node.id.clone(), known);
        self.next += 1;
        self.report.added += 1;
        Ok(())
    }

    /// The hash of a node, and whether it was hung on its parent before that was final.
    fn fix(&self, node: &Node) -> Result<(Option<Hash>, bool)> {
        let parent = node.parent.as_ref().and_then(|parent| self.known.get(parent));
        let on_pending = parent.is_some_and(|parent| parent.hash.is_none());
        if node.status == Status::Pending {
            return Ok((None, on_pending));
        }
        let bad = || StoreError::BadHash { node: node.id.clone() };
        let claimed = node.hash.as_deref().map(|text| Hash::parse(text).ok_or_else(bad)).transpose()?;
        if node.purged {
            return claimed.map(|hash| (Some(hash), on_pending)).ok_or_else(bad);
        }
        let found = hash(node, &hashes_above(&self.known, node.parent.as_ref(), node, on_pending)?);
        match claimed {
            None => Ok((Some(found), on_pending)),
            Some(claimed) if claimed == found => Ok((Some(found), on_pending)),
            Some(claimed) => {
                let before = hash(node, &hashes_above(&self.known, node.parent.as_ref(), node, true)?);
                if claimed == before { Ok((Some(before), true)) } else { Err(bad()) }
            }
        }
    }

    /// What belongs to the space as a whole. What somebody changed here since is left as it is.
    fn end(mut self, file: &Conversation) -> Result<Imported> {
        for (&author, &only_tools) in &self.voices {
            let traits = Traits { only_tools, ..self.traits };
            SpaceRow::by_no(self.tx, self.row.no)?.note(self.tx, author, traits)?;
        }
        calls::import(self.tx, &file.space.id, &file.calls)?;
        answers::import(self.tx, &self.row, &file.wholes)?;
        loom::import(self.tx, &self.row, file)?;
        if self.report.new_space {
            self.members(file)?;
            self.heads(file)?;
        }
        Ok(self.report)
    }

    fn members(&mut self, file: &Conversation) -> Result<()> {
        let listed: Vec<(&EntityId, Option<&str>)> = match file.members.as_slice() {
            [] => file.entities.iter().map(|entity| (&entity.id, None)).collect(),
            members => members.iter().map(|member| (&member.entity, member.role.as_deref())).collect(),
        };
        for (entity, role) in listed {
            let_in(self.tx, &self.row, entity, role)?;
            let cursor = file.cursors.get(entity).and_then(|node| self.known.get(node));
            let seq = cursor.map_or(0, |known| known.key.seq().0);
            let (no, _) = entity_row(self.tx, entity)?;
            self.tx.run(
                "UPDATE members SET cursor = ?3, joined = 0 WHERE space = ?1 AND entity = ?2",
                args![self.row.no, no, seq],
            )?;
        }
        note_here(self.tx, &self.row)
    }

    fn heads(&mut self, file: &Conversation) -> Result<()> {
        let last = Key::new(self.row.no, Seq(self.next - 1));
        let default = match &file.head {
            Some(head) => self.known.get(head).map(|known| (known.lane, known.depth)),
            None => self.known.values().find(|known| known.key == last).map(|known| (known.lane, known.depth)),
        };
        if let Some((lane, depth)) = default {
            let depth = self.exact(lane, depth)?;
            self.row.move_head(self.tx, lane, depth)?;
        }
        for (viewer, head) in &file.heads {
            let Some((lane, depth)) = self.known.get(head).map(|known| (known.lane, known.depth)) else { continue };
            let depth = self.exact(lane, depth)?;
            self.row.move_head_of(self.tx, viewer, lane, depth)?;
        }
        Ok(())
    }

    /// A head on the newest node of its lane follows it; any other stays where it is.
    fn exact(&mut self, lane: Key, depth: u32) -> Result<Option<u32>> {
        Ok(tip(self.tx, lane, Some(depth + 1))?.map(|_| depth))
    }
}

/// The hashes of what a node hangs on.
fn hashes_above(known: &HashMap<NodeId, Known>, parent: Option<&NodeId>, node: &Node, is_early: bool) -> Result<Vec<Hash>> {
    let mut hashes = Vec::with_capacity(1 + node.sources.len());
    if let Some(above) = parent.and_then(|parent| known.get(parent)) {
        hashes.push(above.hash.filter(|_| !is_early).unwrap_or(above.early));
    }
    for source in &node.sources {
        let hash = known.get(&source.node).and_then(|source| source.hash);
        hashes.push(hash.ok_or_else(|| StoreError::NoSource { node: source.node.clone() })?);
    }
    Ok(hashes)
}

/// Entities of another program get names of their own where ours of that name are others.
fn separate(tx: &mut Tx<'_>, file: &mut Conversation, names: Names) -> Result<()> {
    if names == Names::Ours {
        return Ok(());
    }
    let mut renamed: HashMap<EntityId, EntityId> = HashMap::new();
    for entity in &mut file.entities {
        let here = find_entity(tx, &entity.id)?;
        if here.is_some_and(|here| here != *entity) {
            let id = EntityId::from(format!("{}@{}", entity.id, file.space.id));
            renamed.insert(std::mem::replace(&mut entity.id, id.clone()), id);
        }
    }
    rename(file, &renamed);
    Ok(())
}

/// Calls the entities of a file otherwise, wherever it names them but in its list of entities.
pub fn rename(file: &mut Conversation, renamed: &HashMap<EntityId, EntityId>) {
    if renamed.is_empty() {
        return;
    }
    let change = |id: &mut EntityId| {
        if let Some(new) = renamed.get(id) {
            *id = new.clone();
        }
    };
    file.nodes.iter_mut().for_each(|node| change(&mut node.author));
    file.members.iter_mut().for_each(|member| change(&mut member.entity));
    file.viewer.iter_mut().for_each(change);
    file.links.iter_mut().for_each(|link| change(&mut link.author));
    file.calls.iter_mut().filter_map(|call| call.agent.as_mut()).for_each(change);
    let keys = |map: &mut std::collections::BTreeMap<EntityId, NodeId>| {
        *map = std::mem::take(map).into_iter().map(|(id, node)| (renamed.get(&id).cloned().unwrap_or(id), node)).collect();
    };
    keys(&mut file.heads);
    keys(&mut file.cursors);
}
