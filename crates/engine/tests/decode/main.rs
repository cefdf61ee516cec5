//! Streams and whole bodies of every provider, and what becomes of them.
//!
//! The streams are written by hand in the shapes that the providers document and that servers were seen to send.

mod bodies;
mod cuts;
mod errors;
mod hostile;
mod show;
mod sse;
mod streams;
