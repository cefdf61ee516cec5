//! Agents in spaces: they wake, read, talk, wait, plan, and survive. Each test runs on both databases.

#[path = "../../../provider/tests/sockets/server.rs"]
#[allow(dead_code, reason = "the tests of the provider use the rest")]
mod server;
#[path = "../../../store/tests/suite/support.rs"]
#[allow(dead_code, unused_macros)]
mod support;

mod hints;
mod scene;

mod acting;
mod attacks;
mod elsewhere;
mod faults;
mod seed;
mod simulator;
mod storm;
mod takeover;
mod waking;
