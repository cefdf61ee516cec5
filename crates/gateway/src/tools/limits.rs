//! How much a tool, a server and a round may be.

use std::time::Duration;

/// What one reply's calls may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rounds of calls and results before a turn must end; kept by the caller, who counts them.
    pub rounds: usize,
    /// Calls of one reply that are run; the rest are answered with an error.
    pub calls: usize,
    /// Bytes of a result that are sent to the model; longer ones are shortened.
    pub result: usize,
    /// Bytes of a result that are kept at all.
    pub whole: usize,
    /// How long a call may take where its server's configuration says nothing.
    pub call: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 20, calls: 15, result: 20 << 10, whole: 10 << 20, call: Duration::from_secs(120) }
    }
}

/// Tools of one server.
pub(super) const TOOLS: usize = 256;
/// Pages of one list of tools: a server that always names a next page must not hold us forever.
pub(super) const PAGES: usize = 64;
/// Bytes of one tool's description and title.
pub(super) const DESCRIPTION: usize = 16 << 10;
/// Bytes of one tool's schema.
pub(super) const SCHEMA: usize = 64 << 10;
/// Bytes of one message of a server. More than a kept result, for JSON escapes what it holds.
pub(super) const MESSAGE: usize = 32 << 20;
/// Bytes kept of what a server wrote to its error stream.
pub(super) const LAST_WORDS: usize = 4 << 10;
/// Characters of a progress message.
pub(super) const PROGRESS: usize = 500;
/// How long a server may take to start and greet. rmcp waits 10 s of it for servers that do not answer what they do not know.
pub(super) const CONNECT: Duration = Duration::from_secs(30);
/// How long a server may take to list its tools.
pub(super) const LIST: Duration = Duration::from_secs(30);
/// How old a list may be before it is asked for again: a server without a lasting connection cannot say that it changed.
pub(super) const FRESH: Duration = Duration::from_secs(60);
/// How long a server may take to end by itself once its input is closed.
pub(super) const FAREWELL: Duration = Duration::from_secs(2);

/// How long a server that failed `attempts` times in a row is left alone.
pub(super) fn back_off(attempts: u32) -> Duration {
    Duration::from_secs(1 << attempts.saturating_sub(1).min(6)).min(Duration::from_secs(60))
}

#[cfg(test)]
mod tests {
    use super::back_off;

    #[test]
    fn a_failing_server_is_left_alone_twice_as_long_each_time_up_to_a_minute() {
        let seconds: Vec<u64> = [1, 2, 3, 6, 7, 8, 1000].iter().map(|attempts| back_off(*attempts).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 32, 60, 60, 60]);
    }
}
