//! The server as others meet it: the binary runs, and everything goes over HTTP.

mod addresses;
mod afar;
mod agents;
mod attacks;
mod clients;
mod connections;
mod dropin;
mod held;
mod house;
mod leave;
mod live;
mod matrix;
mod messages;
mod overload;
mod page;
mod remote;
mod schema;
mod signing_in;
mod stopping;
mod traces;
mod two;
mod webhooks;
