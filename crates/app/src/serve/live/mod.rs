//! What happens, as it happens: streams of events that can be taken up where they broke off.
//!
//! Everything that matters is numbered in the store. A pump reads each watched space once, whoever watches, and hands the
//! same bytes to all. What is live only (a reply as it is written, runs) has no number: it is sent whole when a stream begins,
//! and never missed for good, for its end is numbered. A reader who cannot keep up is let go, and comes back with the number
//! of the last event they saw.

mod account;
mod drafts;
mod event;
mod hub;
mod pump;
mod runs;
mod stream;

pub(super) use account::account_events;
pub(super) use hub::{Hub, UnderWay, Writing};
pub(super) use stream::{EventsQuery, space_events};
