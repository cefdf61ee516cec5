//! What bounds runs, in one place.

/// How much of everything there may be. All times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// A message of this chain depth wakes nobody.
    pub depth: u32,
    /// Runs for one root.
    pub root_runs: i64,
    /// Messages of agents for one root.
    pub root_messages: i64,
    /// Billionths of a dollar for one root; none for no bound.
    pub root_cost: Option<i64>,
    /// Messages between two agents that wake one of them, within `pair_window`.
    pub pair_messages: i64,
    /// How far back `pair_messages` are counted.
    pub pair_window: i64,
    /// Times one run may wait for a reply.
    pub waits: i64,
    /// Runs of one agent that wait for a reply.
    pub waiting_runs: i64,
    /// Runs of one agent that are at work at once, in all spaces.
    pub running: i64,
    /// Claims without progress until a run is parked.
    pub claims: i64,
    /// Steps of one run.
    pub steps: u32,
    /// How long a claim holds without a heartbeat.
    pub lease: i64,
    /// How long after its end a lease is taken away.
    pub grace: i64,
    /// How long a wait lasts when nobody says.
    pub wait: i64,
    /// How long a wait may last.
    pub longest_wait: i64,
}

const SECOND: i64 = 1_000;
const DAY: i64 = 24 * 60 * 60 * SECOND;

impl Default for Caps {
    fn default() -> Self {
        Caps {
            depth: 5,
            root_runs: 50,
            root_messages: 25,
            root_cost: None,
            pair_messages: 6,
            pair_window: 90 * SECOND,
            waits: 10,
            waiting_runs: 5,
            running: 8,
            claims: 5,
            steps: 50,
            lease: 30 * SECOND,
            grace: 5 * SECOND,
            wait: 7 * DAY,
            longest_wait: 90 * DAY,
        }
    }
}
