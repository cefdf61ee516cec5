//! The store: what can be done, each in one transaction.

use crate::around::Around;
use crate::calls;
use crate::counts::count_path;
use crate::error::{Result, StoreError};
use crate::import::{Imported, Names, import};
use crate::load::{Attempt, Loaded, load};
use crate::node::{self, Appended, Draft, Finish, Flag, Key, Seq};
use crate::open::Access;
use crate::process::{self, Presence};
use crate::runs::withdraw;
use crate::space::{self, SpaceRow};
use crate::sql::{Conn, Engine, Pool, Tx};
use crate::verify::{Verified, verify};
use crate::whole::whole;
use std::fs::File;
use std::sync::{Arc, OnceLock};
use weftwork::ask::Ask;
use weftwork::model::{Conversation, Entity, EntityId, Node, NodeId, SpaceId};
use weftwork::{AssembleError, Assembly, History, assemble};

/// How often a transaction is tried that others got in the way of.
const TRIES: u32 = 8;

/// Everything that was ever said, and what may be done with it.
pub struct Store {
    engine: Engine,
    access: Access,
    presence: Presence,
    write: Pool,
    pub(crate) read: Pool,
    /// How the disk failed.
    broken: OnceLock<String>,
    /// Who is told when something was written.
    told: OnceLock<Box<dyn Fn() + Send + Sync>>,
    /// How agents stand, kept.
    pub(crate) around: Arc<Around>,
    _lock: Option<File>,
}

impl Store {
    pub(crate) fn new(
        engine: Engine,
        access: Access,
        presence: Presence,
        write: Pool,
        read: Pool,
        around: Arc<Around>,
        lock: Option<File>,
    ) -> Store {
        let (broken, told) = (OnceLock::new(), OnceLock::new());
        Store { engine, access, presence, write, read, broken, told, around, _lock: lock }
    }

    /// Which database it is.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Tells somebody, from now on, whenever something was written by this process. They must be quick, and only the first who
    /// asks is told.
    pub fn on_change(&self, tell: impl Fn() + Send + Sync + 'static) {
        let _ = self.told.set(Box::new(tell));
    }

    pub(crate) fn access(&self) -> Access {
        self.access
    }

    /// Runs `work` in one transaction that may write; again when another got in its way.
    pub(crate) fn writing<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let process = self.presence.number()?;
        let mut tries = 1;
        loop {
            let mut touched = false;
            let mut noted = |tx: &mut Tx<'_>| {
                let done = work(tx);
                touched = tx.touched();
                done
            };
            match self.writer(|conn| conn.write_as(*process, &mut noted)) {
                Err(StoreError::Conflict { .. }) if tries < TRIES => {
                    std::thread::sleep(std::time::Duration::from_millis(fastrand::u64(1..=8 << tries)));
                    tries += 1;
                }
                result => {
                    if let (Ok(_), true, Some(tell)) = (&result, touched, self.told.get()) {
                        tell();
                    }
                    return result;
                }
            }
        }
    }

    /// Runs `work` on a connection that may write. Nobody may after the disk failed: what did not reach it is clean to the
    /// system, which would call the next attempt a success. A server knows that of its own disk.
    pub(crate) fn writer<T>(&self, work: impl FnOnce(&mut Conn) -> Result<T>) -> Result<T> {
        self.write.with(|conn| {
            if let Some(detail) = self.broken.get() {
                return Err(StoreError::Broken { detail: detail.clone() });
            }
            let result = work(conn);
            if let (Err(StoreError::Disk { detail }), Engine::Sqlite) = (&result, self.engine) {
                let _ = self.broken.set(detail.clone());
            }
            result
        })
    }

    /// Runs `work` on one unchanging view.
    pub(crate) fn reading<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.read.with(|conn| conn.read(work))
    }

    /// Adds an entity, or changes one that is there.
    pub fn put_entity(&self, entity: &Entity) -> Result<()> {
        self.writing(|tx| space::put_entity(tx, entity).map(drop))
    }

    /// Makes a space with this header. Its entities are added or changed, and are its members.
    pub fn create_space(&self, header: &Conversation, now: i64) -> Result<()> {
        self.writing(|tx| {
            for entity in &header.entities {
                space::put_entity(tx, entity)?;
            }
            let row = space::create_space(tx, header, now)?;
            header.entities.iter().try_for_each(|entity| space::let_in(tx, &row, &entity.id, None))?;
            space::note_here(tx, &row)
        })
    }

    /// The header of a space: everything but its nodes, with all who belong to it or wrote in it.
    pub fn header(&self, space: &SpaceId) -> Result<Conversation> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            space::header(tx, row.no).map(|(file, _)| file)
        })
    }

    /// Changes the header of a space: its name, settings, tools, …
    pub fn put_header(&self, header: &Conversation) -> Result<()> {
        self.writing(|tx| {
            let row = space::lock_space(tx, &header.space.id)?;
            space::put_header(tx, &row, header)
        })
    }

    /// Makes somebody a member of a space.
    pub fn join(&self, space: &SpaceId, entity: &EntityId, role: Option<&str>) -> Result<()> {
        self.locked(space, |tx, row| space::join(tx, row, entity, role))
    }

    /// Whether somebody belongs to a space now.
    pub fn is_member(&self, space: &SpaceId, entity: &EntityId) -> Result<bool> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            space::is_member(tx, row.no, entity)
        })
    }

    /// Adds a node.
    pub fn append(&self, space: &SpaceId, draft: Draft) -> Result<Appended> {
        self.writing(|tx| node::append(tx, space, draft.clone()))
    }

    /// Ends a node that was being written.
    pub fn finish(&self, space: &SpaceId, id: &NodeId, end: Finish) -> Result<Node> {
        self.locked(space, |tx, row| {
            let key = key_of(tx, space, row, id)?;
            node::finish(tx, row, key, end.clone())
        })
    }

    /// Ends every node and every call that a dead process left unfinished, and says how many nodes there were. A node that
    /// came out of a file unfinished has nobody to end it, and ends too. What living processes write is left alone.
    ///
    /// Such a call has failed, and what it used is unknown; so all that was reserved for it counts as spent.
    pub fn fail_pending(&self, why: &str) -> Result<u64> {
        self.writing(|tx| {
            let dead = process::dead(tx)?;
            let failed = node::fail_pending(tx, &dead, why)?;
            calls::fail_open(tx, &dead)?;
            Ok(failed)
        })
    }

    /// Sets or clears a flag of a node. Whoever waits for a reply to one that is pruned goes on and is told.
    pub fn set_flag(&self, space: &SpaceId, id: &NodeId, flag: Flag, on: bool, now: i64) -> Result<Node> {
        self.locked(space, |tx, row| {
            let key = key_of(tx, space, row, id)?;
            if on && flag == Flag::Pruned {
                withdraw(tx, key, now)?;
            }
            node::set_flag(tx, key, flag, on)
        })
    }

    /// Takes a node's content out for good, out of the search index and of stored requests too. Whoever waits for a reply to it
    /// goes on and is told.
    pub fn purge(&self, space: &SpaceId, id: &NodeId, now: i64) -> Result<()> {
        self.locked(space, |tx, row| {
            let key = key_of(tx, space, row, id)?;
            withdraw(tx, key, now)?;
            node::purge(tx, key)
        })
    }

    /// One node.
    pub fn node(&self, space: &SpaceId, id: &NodeId) -> Result<Node> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            let key = key_of(tx, space, &row, id)?;
            Ok(node::one(tx, key)?.node)
        })
    }

    /// What was said in a space after a place in its order, `limit` nodes at most. Whoever asks again with the last
    /// place they saw misses nothing and sees nothing twice.
    pub fn after(&self, space: &SpaceId, seq: Seq, limit: u32) -> Result<Vec<(Seq, Node)>> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            let keys = node::after(tx, Key::new(row.no, seq), limit)?;
            keys.into_iter().map(|key| Ok((key.seq(), node::one(tx, key)?.node))).collect()
        })
    }

    /// What hangs on a node, in the order it was added; the roots of the space if none is named.
    pub fn children(&self, space: &SpaceId, parent: Option<&NodeId>) -> Result<Vec<Node>> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            let place = match parent {
                Some(id) => Some(place_of(tx, space, &row, id)?),
                None => None,
            };
            let keys = node::children(tx, row.no, place.as_ref())?;
            keys.into_iter().map(|key| node::one(tx, key).map(|stored| stored.node)).collect()
        })
    }

    /// A node and those that hang where it hangs, in the order they were added.
    pub fn siblings(&self, space: &SpaceId, id: &NodeId) -> Result<Vec<Node>> {
        let parent = self.node(space, id)?.parent;
        self.children(space, parent.as_ref())
    }

    /// The newest node of the branch that runs through a node: where its lane ends.
    pub fn tip_below(&self, space: &SpaceId, id: &NodeId) -> Result<NodeId> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            let place = place_of(tx, space, &row, id)?;
            Ok(node::tip(tx, place.lane, None)?.unwrap_or(place).id)
        })
    }

    /// The head of a viewer, or the default one; none while the space is empty.
    pub fn head(&self, space: &SpaceId, viewer: Option<&EntityId>) -> Result<Option<NodeId>> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            let head = match viewer {
                Some(viewer) => row.head_of(tx, viewer)?,
                None => row.head(tx)?,
            };
            Ok(head.map(|place| place.id))
        })
    }

    /// Moves a head to a node: a viewer's own, or the default one. A head on the newest node of its branch follows what is
    /// added there. `expected`, if given, is where the head must be now.
    pub fn move_head(&self, space: &SpaceId, viewer: Option<&EntityId>, to: &NodeId, expected: Option<&NodeId>) -> Result<()> {
        self.locked(space, |tx, row| {
            let now = match viewer {
                Some(viewer) => row.head_of(tx, viewer)?,
                None => row.head(tx)?,
            };
            if expected.is_some_and(|expected| now.as_ref().is_none_or(|now| now.id != *expected)) {
                return Err(StoreError::HeadMoved { head: now.map(|place| place.id) });
            }
            let place = place_of(tx, space, row, to)?;
            let is_tip = node::tip(tx, place.lane, Some(place.depth + 1))?.is_none();
            let depth = (!is_tip).then_some(place.depth);
            match viewer {
                Some(viewer) => row.move_head_of(tx, viewer, place.lane, depth),
                None => row.move_head(tx, place.lane, depth),
            }
        })
    }

    /// Moves a member's cursor up to a message. It never moves back; says where it is now.
    pub fn read_up_to(&self, space: &SpaceId, entity: &EntityId, node: &NodeId) -> Result<Seq> {
        self.locked(space, |tx, row| space::read_up_to(tx, row, space, entity, node))
    }

    /// Messages that a member has not read.
    pub fn unread(&self, space: &SpaceId, entity: &EntityId) -> Result<u64> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            space::unread(tx, row.no, entity)
        })
    }

    /// Weaves a request out of a space, reading no more of it than the window can hold.
    pub fn assemble(&self, space: &SpaceId, ask: &Ask) -> Result<Assembly> {
        self.assemble_with(space, ask, &|_| {})
    }

    /// The same, with a trigger, plans or whatever else an ask may add to the file.
    pub fn assemble_with(&self, space: &SpaceId, ask: &Ask, more: &dyn Fn(&mut Conversation)) -> Result<Assembly> {
        self.weave(space, ask, more, drop).map(|(assembly, ())| assembly)
    }

    /// Makes something of what `ask` can make use of, reading further while that is not enough. Gives what was read, too.
    /// Nothing is kept.
    pub fn look<T>(
        &self,
        space: &SpaceId,
        ask: &Ask,
        more: &dyn Fn(&mut Conversation),
        make: impl Fn(&History) -> std::result::Result<T, AssembleError>,
    ) -> Result<(History, T)> {
        self.reading(|tx| {
            let (loaded, made) = read_until(tx, space, ask, more, make)?;
            Ok((loaded.history, made?))
        })
    }

    /// Weaves a request; `tell` makes something of what was read. What was counted on the way is kept.
    pub(crate) fn weave<T>(
        &self,
        space: &SpaceId,
        ask: &Ask,
        more: &dyn Fn(&mut Conversation),
        tell: impl FnOnce(Loaded) -> T,
    ) -> Result<(Assembly, T)> {
        let (result, uncounted) = self.reading(|tx| {
            let (mut loaded, made) = read_until(tx, space, ask, more, |history| assemble(history, ask))?;
            let uncounted = loaded.uncounted.take();
            Ok((made.map(|assembly| (assembly, tell(loaded))), uncounted))
        })?;
        if let Some((head, base)) = uncounted.filter(|_| self.access == Access::Write) {
            // What cannot be kept now, on a full disk, is counted again next time.
            drop(self.writing(|tx| count_path(tx, &head, base)));
        }
        Ok(result?)
    }

    /// What assembly reads of a space: enough for `ask` as a rule, never the whole of a long history.
    pub fn load(&self, space: &SpaceId, ask: &Ask) -> Result<History> {
        self.reading(|tx| load(tx, space, ask, &|_| {}, Attempt::default()).map(|loaded| loaded.history))
    }

    /// Takes in a whole conversation: all of it or nothing. What is there already is left as it is. `progress` is told
    /// how many nodes are done.
    pub fn import(&self, file: &Conversation, names: Names, now: i64, progress: &mut dyn FnMut(u64)) -> Result<Imported> {
        self.writing(|tx| import(tx, file.clone(), names, now, progress))
    }

    /// A whole space as a file, with branches, flags, heads, cursors, calls and hashes.
    pub fn export(&self, space: &SpaceId) -> Result<Conversation> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            whole(tx, &row)
        })
    }

    /// Checks that everything said in a space still has its hash. `progress` is told how many nodes are done.
    pub fn verify(&self, space: &SpaceId, progress: &mut dyn FnMut(u64)) -> Result<Verified> {
        self.reading(|tx| {
            let row = space::find_space(tx, space)?;
            verify(tx, &row, progress)
        })
    }

    /// All spaces, those with the newest messages first.
    pub fn spaces(&self) -> Result<Vec<Listed>> {
        self.reading(list)
    }

    fn locked<T>(&self, space: &SpaceId, mut work: impl FnMut(&mut Tx<'_>, &SpaceRow) -> Result<T>) -> Result<T> {
        self.writing(|tx| {
            let row = space::lock_space(tx, space)?;
            work(tx, &row)
        })
    }
}

/// A space in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: SpaceId,
    /// Its name.
    pub name: String,
    /// How many nodes it has.
    pub nodes: u64,
    /// How many belong to it.
    pub members: u64,
    /// When the last node was said, in milliseconds since 1970; when it was made if there is none.
    pub last: i64,
}

fn list(tx: &mut Tx<'_>) -> Result<Vec<Listed>> {
    const SQL: &str = "SELECT s.id, s.name, \
                       coalesce((SELECT max(n.key) FROM nodes n WHERE n.key > s.no * 4294967296 \
                         AND n.key < (s.no + 1) * 4294967296) - s.no * 4294967296, 0), \
                       (SELECT count(*) FROM members m WHERE m.space = s.no AND m.gone IS NULL), \
                       coalesce((SELECT n.at FROM nodes n WHERE n.key > s.no * 4294967296 \
                         AND n.key < (s.no + 1) * 4294967296 ORDER BY n.key DESC LIMIT 1), s.created_at) AS last \
                       FROM spaces s ORDER BY last DESC, s.no DESC";
    tx.list(SQL, &[], |row| {
        Ok(Listed {
            id: row.text(0)?.into(),
            name: row.text(1)?.to_owned(),
            nodes: row.int(2)? as u64,
            members: row.int(3)? as u64,
            last: row.int(4)?,
        })
    })
}

/// Reads a space until there is enough to make something of it, or all of it was read.
fn read_until<T>(
    tx: &mut Tx<'_>,
    space: &SpaceId,
    ask: &Ask,
    more: &dyn Fn(&mut Conversation),
    make: impl Fn(&History) -> std::result::Result<T, AssembleError>,
) -> Result<(Loaded, std::result::Result<T, AssembleError>)> {
    let mut attempt = Attempt::default();
    loop {
        let loaded = load(tx, space, ask, more, attempt)?;
        match make(&loaded.history) {
            Err(AssembleError::Unread) if !loaded.history.is_whole() => attempt = attempt.next(),
            made => return Ok((loaded, made)),
        }
    }
}

fn place_of(tx: &mut Tx<'_>, space: &SpaceId, row: &SpaceRow, id: &NodeId) -> Result<node::Place> {
    let found = node::at_id(tx, row.no, id.as_str())?;
    found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
}

fn key_of(tx: &mut Tx<'_>, space: &SpaceId, row: &SpaceRow, id: &NodeId) -> Result<Key> {
    place_of(tx, space, row, id).map(|place| place.key)
}
