//! Streams of every provider through real sockets: right reply, right usage, no half tool call, typed errors.

mod cancel;
mod discover;
mod failures;
mod forward;
mod listing;
mod offline;
mod proxy;
mod relay;
mod scene;
mod server;
mod streams;
mod waits;
