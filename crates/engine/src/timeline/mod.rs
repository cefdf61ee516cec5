//! The timeline form: an agent reads who said what, when and why, instead of playing a role in a dialogue.
//!
//! In the line this stands where `convert` and `merge` stand for dialogues: selection has chosen the entries, and
//! [`blocks`] writes the system text around them. Nothing here selects, counts or cuts.
//!
//! Invariant: **no text can forge structure.** The writer takes literals of this crate and [`Encoded`] values and nothing
//! else, and [`parse()`] gives back exactly the entries that [`render`] was given. The one exception is the agent's and the
//! space's own system text, which is structure by intent and stands before everything else.

mod agent;
mod blocks;
mod encode;
mod entry;
mod history;
mod instructions;
mod message;
mod parse;
mod payload;
mod prefix;
mod relative;
mod sections;
mod text;
mod view;

pub use blocks::blocks;
pub(crate) use blocks::history;
pub use encode::{BadEscape, Encoded, decode, decode_unquoted};
pub use entry::{Because, Body, Entry, Mark, Outcome, Post, Seen, Speaker, shortened};
pub use history::{SpaceHistory, render};
pub use message::{BEGIN_RUN, CONTINUE_RUN, SUMMARY_LABEL, message, opening};
pub use parse::{BadTimeline, parse};
pub use prefix::{LOOM_MEMORY, TREE_POSITION, escape_imitations, escape_loom, sender_prefix, unescape_imitations};
pub use view::{Advice, FindEntity, Here, View, ViewError};
