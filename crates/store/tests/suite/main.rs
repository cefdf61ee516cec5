//! One suite on both databases: each test is a function of an empty store, and runs twice.

mod sound;
mod support;

mod append;
mod assembly;
mod calls;
mod crash;
mod dice;
mod faults;
mod gateway;
mod languages;
mod loom;
mod migrating;
mod moving;
mod processes;
mod racing;
mod repeating;
mod replies;
mod runs;
mod search;
mod usage;
