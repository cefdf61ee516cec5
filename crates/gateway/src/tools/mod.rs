//! Tools a model may call: those of MCP servers, and built-ins.
//!
//! A [`Toolbox`] knows the servers of a [`Config`]. It says what they offer ([`Toolbox::offered`]) and runs the calls of
//! one reply ([`Toolbox::run`]). What never breaks:
//!
//! - every call gets exactly one result, in the order of the calls, whatever happened to it;
//! - a call that may have been sent is never sent a second time;
//! - a tool whose description changed since it was first seen is neither offered nor run until a person approves it;
//! - what a server says of itself (names, descriptions, hints) is a claim and decides nothing about permission.
//!
//! The protocol's own types stay in `mcp`.

mod answer;
mod arguments;
mod asking;
mod built_in;
mod config;
mod described;
mod environment;
mod error;
mod event;
mod fit;
mod limits;
mod listing;
mod mcp;
mod name;
mod pins;
mod read_result;
mod round;
mod run;
mod server;
mod shorten;
mod toolbox;

pub use answer::Answer;
pub use asking::{Decision, Gate, Question};
pub use built_in::{BuiltIn, Pending};
pub use config::{BadConfig, Config, HttpConfig, ProcessConfig, Protocol, Reach, ServerConfig};
pub use described::{Fingerprint, Hints};
pub use environment::{Environment, MissingVariable, Template};
pub use error::{LastWords, Loss, Mismatch, Refusal, ServerError};
pub use event::Event;
pub use limits::Limits;
pub use listing::{LeftOut, Unfit};
pub use name::{BadName, ServerName};
pub use pins::{Approval, MemoryPins, Pin, Pins, PinsFailed};
pub use read_result::{Piece, ReadResult, Wholes};
pub use round::{Outcome, Ran, Round};
pub use run::Asks;
pub use server::{ServerState, ServerStatus};
pub use shorten::{Shortened, shorten};
pub use toolbox::{ApproveError, Offered, Standing, Toolbox};
