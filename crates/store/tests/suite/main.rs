//! One suite on both databases: each test is a function of an empty store, and runs twice.

mod sound;
mod support;

mod append;
mod assembly;
mod calls;
mod crash;
mod dice;
mod faults;
mod languages;
mod migrating;
mod moving;
mod racing;
mod runs;
mod search;
mod usage;
