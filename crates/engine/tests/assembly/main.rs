//! The contract of assembly, rule by rule.

mod cache;
mod convert;
mod fit;
mod golden;
mod open_turn;
mod regressions;
mod repair;
mod report;
mod scene;
mod select;
mod settings;
mod sticky;
