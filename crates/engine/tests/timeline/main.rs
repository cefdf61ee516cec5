//! The timeline form, rule by rule.

mod encoding;
mod forging;
mod layout;
mod messages;
mod rules;
mod scene;
mod seed;
