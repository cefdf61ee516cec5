//! Replies in the three APIs that clients speak: what is decoded from them again is the reply they were made of.

mod errors;
mod golden;
mod replies;
mod round;
mod told;
