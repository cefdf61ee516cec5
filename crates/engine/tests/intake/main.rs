//! Requests of clients: in, assembled, and out again with everything the client set.

mod across;
mod bad;
mod broken;
mod same;
mod through;
