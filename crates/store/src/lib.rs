//! Where Weft keeps conversations: embedded SQLite in a file, or PostgreSQL for many processes.
//!
//! [`Store`] is the whole of it. Every method is one transaction: when it returns, what it did is on disk; when it fails,
//! nothing of it was kept. Methods block; call them from a thread that may.
//!
//! Order of locks, everywhere: space, wait, run, call, root or budget, outbox.

mod answers;
mod backup;
mod calls;
mod counts;
mod error;
mod hint;
mod import;
mod learned;
mod load;
mod loom;
mod node;
mod open;
mod pins;
mod process;
mod record;
pub mod runs;
mod schema;
mod scope;
mod search;
mod secrets;
mod services;
mod space;
mod sql;
mod store;
mod verify;
mod whole;

pub use calls::{
    Begun, BegunCall, By, CallEnd, CallId, CallRecord, CallStart, CallsOf, Cost, Exchange, Line, LineReason, Measured, Outcome,
    Period, Total,
};
pub use error::{Result, StoreError};
pub use hint::{Listener, listen};
pub use import::{Imported, Names};
pub use learned::Learned;
pub use loom::{
    Drawn, Fork, Linked, LocalId, LoomMemory, MOST_PINS, MOST_STASHES, Position, Spot, Stash, Stashed, TRACED, Traced, Tree,
};
pub use node::{Appended, Draft, Finish, Flag, Key, MoveHead, Parent, Seq};
pub use open::{Access, Address, make_at};
pub use pins::ToolPin;
pub use record::{Unrepeatable, record_of_file};
pub use schema::VERSION;
pub use scope::Scope;
pub use search::{BadCursor, Cursor, Found, Hit, LastWord, Search, Snippet};
pub use secrets::{Secret, SecretName};
pub use services::{KeptService, Service};
pub use sql::Engine;
pub use store::{Listed, Store};
pub use verify::{Broken, Fault, Verified};
