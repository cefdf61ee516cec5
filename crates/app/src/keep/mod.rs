//! The verbs on a database: what is kept, found, counted and proved there.
//!
//! Verbs that only read open the database for reading, so that they work beside a process that writes. Each of them can be
//! asked of a server instead: the facts come from there, and are printed alike.

mod address;
mod args;
mod backup;
mod entry;
mod export;
mod import;
mod mirror;
mod near;
mod progress;
mod search;
mod show;
mod space;
mod spaces;
mod usage;
mod verify;
mod when;

pub(crate) use address::{DbArgs, now};
pub(crate) use args::{BackupArgs, ExportArgs, ImportArgs, ListArgs, SearchArgs, SpacesArgs, UsageArgs, VerifyArgs};
pub(crate) use backup::run as backup;
pub(crate) use entry::{name as name_import, own_id};
pub(crate) use export::{one as export_one, run as export};
pub(crate) use import::run as import;
pub(crate) use near::near;
pub(crate) use search::run as search;
pub(crate) use space::{find as find_space, pick};
pub(crate) use spaces::run as spaces;
pub(crate) use usage::{Ledger, dollars, of_space as usage_of, of_space_at as usage_at, run as usage, sum};
pub(crate) use verify::run as verify;
pub(crate) use when::{minute, since, until};
