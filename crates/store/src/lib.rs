//! Where Weft keeps conversations: embedded SQLite in a file, or PostgreSQL for many processes.
//!
//! [`Store`] is the whole of it. Every method is one transaction: when it returns, what it did is on disk; when it fails,
//! nothing of it was kept. Methods block; call them from a thread that may.
//!
//! Order of locks, everywhere: pass or account, space, wait, run, call, root or budget, outbox.

mod accounts;
mod answers;
mod around;
mod backup;
mod calls;
mod changes;
mod counts;
mod error;
mod hint;
mod import;
mod learned;
mod listing;
mod load;
mod loom;
mod node;
mod open;
mod outline;
mod pins;
mod process;
mod record;
mod requests;
pub mod runs;
mod schema;
mod scope;
mod search;
mod secrets;
mod services;
mod space;
mod sql;
mod store;
mod stretch;
mod verify;
mod whole;

pub use accounts::{Accepted, Account, NewPass, Pass, PassKind, Role, Scopes};
pub use calls::{
    Begun, BegunCall, By, CallEnd, CallId, CallRecord, CallStart, CallsOf, Cost, Exchange, Line, LineReason, Measured, Outcome,
    Period, Total,
};
pub use changes::{Change, ChangeKind, Moment, News, NoPlace};
pub use error::{Result, StoreError};
pub use hint::{Listener, listen};
pub use import::{Imported, Names, rename};
pub use learned::Learned;
pub use listing::{LastMessage, ListPlace, Overview};
pub use loom::{
    Drawn, Fork, Linked, LocalId, LoomMemory, MOST_PINS, MOST_STASHES, Position, Spot, Stash, Stashed, TRACED, Traced, Tree,
};
pub use node::{Appended, Draft, Finish, Flag, Key, MoveHead, Parent, Seq};
pub use open::{Access, Address, make_at};
pub use outline::Outline;
pub use pins::ToolPin;
pub use record::{Unrepeatable, record_of_file};
pub use requests::{REQUEST_PATIENCE, Requested};
pub use schema::VERSION;
pub use scope::Scope;
pub use search::{BadCursor, Cursor, Found, Hit, LastWord, Search, Snippet};
pub use secrets::{Secret, SecretName};
pub use services::{KeptService, Service};
pub use sql::Engine;
pub use store::{Listed, Store};
pub use stretch::{Placed, Stretch};
pub use verify::{Broken, Fault, Verified};
