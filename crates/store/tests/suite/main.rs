//! One suite on both databases: each test is a function of an empty store, and runs twice.

mod sound;
mod support;

mod accounts;
mod append;
mod assembly;
mod calls;
mod changes;
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
mod requests;
mod runs;
mod search;
mod secrecy;
mod usage;
mod views;
