//! Failures of other systems, each a test that has its number in the list of cases.
//!
//! Proved elsewhere: the wire rules of 18, 20, 21, 22, 23, 25, 27–33, 39–43 also at the level of a body, in the crate's
//! lint tests; decoding of usage (45, 49) and of streams in the dialects' decoders; pairing without ids (26) and
//! approval states (14) in the importers; parents, siblings and repeated appends (67, 68, 76), the ledger (69–71) and
//! loading from a checkpoint on (64) in the store; when a summary is made, kept and answered without tools (13, 37, 63),
//! pending calls of a run that waits (11) and cursors (75) in the gateway; that counts are not taken again (55) in the
//! benchmarks.

#[path = "../assembly/scene.rs"]
mod scene;

mod budget;
mod cache;
mod checkpoints;
mod pairing;
mod reasoning;
mod speakers;
