//! The five seeds, rule by rule. A test has the number of its seed and the rule as its name.

#[path = "../assembly/scene.rs"]
mod scene;

mod checkpoints;
mod conversion;
mod multi_turn;
mod spaces;
mod tree;
mod truncation;
