//! The verbs from afar: what a server tells by its API, as the facts that the same verbs read from a database.
//!
//! A verb gathers facts and prints them. Here they are gathered over HTTP into the types of the store, so that what is printed
//! is printed by one and the same code. Whoever asks acts as the owner of the token, and as nobody else.

mod agents;
mod ask;
mod beside;
mod chat;
mod keys;
mod moving;
mod people;
mod place;
mod plans;
mod refused;
mod runs;
mod search;
mod server;
mod services;
mod spaces;
mod steps;
mod talk;
mod tokens;
mod usage;

pub(crate) use agents::{AgentChange, Mind};
pub(crate) use ask::is_missing;
pub(crate) use beside::{Beside, Written};
pub(crate) use chat::{Events, Heard, Room, Weight};
pub(crate) use moving::CameSpace;
pub(crate) use place::{Place, PlaceArgs};
pub(crate) use refused::Refused;
pub(crate) use server::Server;
