//! The server as others meet it: the binary runs, and everything goes over HTTP.

mod attacks;
mod clients;
mod dropin;
mod house;
mod live;
mod matrix;
mod messages;
mod schema;
mod signing_in;
mod stopping;
mod two;
