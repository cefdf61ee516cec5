//! `weft serve`: the API, the page, the drop-in endpoints, live events, and the worker that does runs.

mod adopt;
mod api;
mod args;
mod hints;
mod host;
mod house;
mod html;
mod limits;
mod listen;
mod live;
mod manage;
mod mcp;
mod memory;
mod mind;
mod page;
mod permit;
mod push;
mod run;
mod session;
mod settings;
mod shown;
mod tale;
mod trace;
mod turn;
mod v1;
mod watch;
mod web;
mod who;

pub(crate) use args::ServeArgs;
pub(crate) use run::run;
pub(crate) use settings::ServeConfig;
pub(crate) use who::{hash, new_secret};
