//! Chats from beginning to end: a real store, real sockets, the model on board.

mod acts;
mod crash;
mod long;
mod loom;
mod provenance;
mod scene;
mod seed_003;
#[path = "../../../provider/tests/sockets/server.rs"]
#[allow(dead_code, reason = "the tests of the provider use the rest")]
mod server;
mod side;
mod sockets;
mod tools;
