//! Durable runs: one test for each rule, the rule as its name.

mod around;
mod budgets;
mod caps;
mod changed;
mod claims;
mod cursors;
mod ends;
mod faults;
mod marks;
mod plans;
mod posts;
mod pushes;
mod races;
mod stale;
pub(crate) mod support;
mod waits;
