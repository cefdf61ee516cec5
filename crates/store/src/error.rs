//! What can go wrong in a store.

use crate::record::Unrepeatable;
use crate::runs::RunId;
use std::path::PathBuf;
use weftwork::model::{EntityId, NodeId, SpaceId};

/// What a store gives.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store did not do it. Nothing of the operation was kept, but where the disk or the server failed while it was being
/// kept: then nobody knows, and whoever tries again with the same idempotency key finds out.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file.
    #[error("{} is in use by process {pid}: stop it, or use its server", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// Who has it.
        pid: String,
    },
    /// Made by a later version.
    #[error("the database has schema version {found}, and this program knows versions up to {known}: use a newer weft")]
    Newer {
        /// What it has.
        found: i64,
        /// What is known here.
        known: i64,
    },
    /// Made by an earlier version, and open for reading only.
    #[error("the database has schema version {found} and this program reads {known}: open it once for writing")]
    Older {
        /// What it has.
        found: i64,
        /// What is known here.
        known: i64,
    },
    /// No such space.
    #[error("there is no space {space:?}")]
    NoSpace {
        /// Its id.
        space: SpaceId,
    },
    /// No such node.
    #[error("there is no node {node:?} in space {space:?}")]
    NoNode {
        /// The space.
        space: SpaceId,
        /// The id.
        node: NodeId,
    },
    /// No such call.
    #[error("there is no call {call:?} {}", match space { Some(space) => format!("in space {space:?}"), None => "outside of all spaces".to_owned() })]
    NoCall {
        /// The space.
        space: Option<SpaceId>,
        /// The id.
        call: String,
    },
    /// The call has ended.
    #[error("call {call:?} has ended before: what it used is never changed")]
    CallEnded {
        /// The id.
        call: String,
    },
    /// The call cannot be assembled again.
    #[error("call {call:?} cannot be assembled again: {why}")]
    Unreproducible {
        /// The id.
        call: String,
        /// Why not.
        why: Unrepeatable,
    },
    /// A source that cannot be drawn on.
    #[error("node {node:?} cannot be a source: it is not there, or it is still being written")]
    NoSource {
        /// The id.
        node: NodeId,
    },
    /// No such entity.
    #[error("there is no entity {entity:?}")]
    NoEntity {
        /// Its id.
        entity: EntityId,
    },
    /// Not an agent.
    #[error("{entity:?} is no agent: only agents can be woken")]
    NoAgent {
        /// Who.
        entity: EntityId,
    },
    /// The id is taken.
    #[error("there is a {what} {id:?} already")]
    Taken {
        /// A space, an entity, …
        what: &'static str,
        /// The id.
        id: String,
    },
    /// The same key came with another content.
    #[error("the idempotency key {key:?} was used for something else before: use a new key for a new message")]
    KeyReused {
        /// The key.
        key: String,
    },
    /// There is no room for another.
    #[error("there are {most} {what} already: let go of one first")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: u64,
    },
    /// The node is final.
    #[error("node {node:?} is final: edit it by adding a sibling")]
    Final {
        /// The id.
        node: NodeId,
    },
    /// The node is not final.
    #[error("node {node:?} is still being written: wait until it ends")]
    NotFinal {
        /// The id.
        node: NodeId,
    },
    /// Somebody moved the head first.
    #[error("the head has moved to {head:?}: look again")]
    HeadMoved {
        /// Where it is now.
        head: Option<NodeId>,
    },
    /// Not a member.
    #[error("{entity:?} does not belong to space {space:?}")]
    NoMember {
        /// The space.
        space: SpaceId,
        /// Who.
        entity: EntityId,
    },
    /// An agent speaks in runs only: else nothing would bound what it says.
    #[error("{entity:?} is an agent: it sends messages from its runs")]
    AgentWithoutRun {
        /// Who.
        entity: EntityId,
    },
    /// Nobody who may sign in.
    #[error("{entity:?} has no account that is open")]
    NoAccount {
        /// Who.
        entity: EntityId,
    },
    /// A pass that would let in nobody.
    #[error("a session or a token needs somebody behind it")]
    NobodysPass,
    /// Nobody would be left who may let others in.
    #[error("{entity:?} is the last owner: make somebody else an owner first")]
    LastOwner {
        /// Who.
        entity: EntityId,
    },
    /// No such run.
    #[error("there is no run {run}")]
    NoRun {
        /// The id.
        run: RunId,
    },
    /// No such step.
    #[error("run {run} has not begun a step {step}")]
    NoStep {
        /// The run.
        run: RunId,
        /// The number.
        step: u32,
    },
    /// An id that cannot be kept.
    #[error("{id:?} cannot be an id: it needs 1 to 200 bytes without control characters")]
    BadId {
        /// The id.
        id: String,
    },
    /// Text that not every database can hold.
    #[error("{what} holds the character U+0000, which cannot be kept: take it out")]
    Nul {
        /// Where.
        what: String,
    },
    /// The stored content does not match its hash.
    #[error("node {node:?} does not match its hash: it was changed after it was written")]
    BadHash {
        /// The first such node.
        node: NodeId,
    },
    /// The file and the store disagree.
    #[error("node {node:?} is in the store with other content: give the space of the file another id")]
    Differs {
        /// The node.
        node: NodeId,
    },
    /// The tree does not hold together.
    #[error(transparent)]
    History(#[from] weftwork::HistoryError),
    /// Nothing could be assembled.
    #[error(transparent)]
    Assemble(#[from] weftwork::AssembleError),
    /// Something stored is not what was written.
    #[error("what is stored cannot be read: {detail}")]
    Unreadable {
        /// What and where.
        detail: String,
    },
    /// The store was opened to be read.
    #[error("the store is open for reading only")]
    ReadOnly,
    /// Only an embedded database is copied by us.
    #[error("a PostgreSQL database is backed up with its own tools: pg_dump")]
    NoBackup,
    /// No room.
    #[error("the disk is full: nothing was written ({detail})")]
    Full {
        /// The database's words.
        detail: String,
    },
    /// The disk failed.
    #[error("the disk failed: nothing was acknowledged ({detail})")]
    Disk {
        /// The database's words.
        detail: String,
    },
    /// The disk failed before. What a second attempt would say of it cannot be trusted.
    #[error("the disk failed earlier, and nothing is written until the store is opened again ({detail})")]
    Broken {
        /// The database's words, then.
        detail: String,
    },
    /// The file is damaged.
    #[error("the database is damaged: restore a backup ({detail})")]
    Corrupt {
        /// The database's words.
        detail: String,
    },
    /// Too much at once.
    #[error("the store is busy: try again ({detail})")]
    Busy {
        /// What is waited for.
        detail: String,
    },
    /// Two transactions got in each other's way.
    #[error("two writers met: try again ({detail})")]
    Conflict {
        /// The database's words.
        detail: String,
    },
    /// The address of the database does not say what it should.
    #[error("the address of the database: {detail}")]
    BadAddress {
        /// What is wrong with it.
        detail: String,
    },
    /// The database server does not answer.
    #[error("the database cannot be reached: {detail}")]
    Unreachable {
        /// The system's words.
        detail: String,
    },
    /// A file beside the database.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's words.
        error: std::io::Error,
    },
    /// Anything else the database refuses.
    #[error("the database refused: {detail}")]
    Database {
        /// The database's words.
        detail: String,
    },
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        StoreError::Unreadable { detail: error.to_string() }
    }
}
