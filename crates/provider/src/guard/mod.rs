//! Addresses that did not come from the owner: those of members, in content, behind redirects.
//!
//! They are reached through a [`Client`] that connects to public addresses only. What is checked is what is connected to:
//! names are resolved here, every address is classed, and only those that passed are handed to the connector, so a name
//! that answers otherwise the next time gains nothing. Literal addresses are classed before anything is sent, and the peer
//! once more when an answer comes. An owner may open hosts and nets by name ([`Allow`]), but never those where machines
//! keep their credentials.
//!
//! What the owner configured (providers, a local Ollama) does not come through here.

mod allow;
mod class;
mod client;
mod error;
mod names;
mod rules;

pub use allow::{Allow, BadAllow};
pub use class::Class;
pub use client::{Answer, Bounds, Client, MOST_REDIRECTS, Request};
pub use error::{GuardError, Refused};
pub use names::{LookUp, Names, SystemNames};
pub use rules::{Guard, Ports};
