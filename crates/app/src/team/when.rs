//! Times as people read them: how far away, and when exactly.

use crate::keep::minute;
use serde_json::{Value, json};
use weftwork::model::Timestamp;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A stretch of time: its two largest units, what is left over cut off.
pub(crate) fn span(millis: i64) -> String {
    match millis.max(0) {
        ms @ ..MINUTE => format!("{}s", ms / SECOND),
        ms @ MINUTE..HOUR => format!("{}m", ms / MINUTE),
        ms @ HOUR..DAY => format!("{}h {:02}m", ms / HOUR, ms % HOUR / MINUTE),
        ms @ DAY.. => format!("{}d {:02}h", ms / DAY, ms % DAY / HOUR),
    }
}

/// How far a moment is from now, on either side.
pub(crate) fn away(now: i64, then: i64) -> String {
    match then - now {
        ahead if ahead >= SECOND => format!("in {}", span(ahead)),
        past if past <= -SECOND => format!("{} ago", span(-past)),
        _ => "now".to_owned(),
    }
}

/// A moment to the minute in UTC, and how far it is.
pub(crate) fn moment(now: i64, then: i64) -> String {
    format!("{} UTC ({})", minute(Timestamp::from_millis(then).as_ref()), away(now, then))
}

/// A moment in JSON.
pub(crate) fn stamp(millis: impl Into<Option<i64>>) -> Value {
    json!(millis.into().and_then(Timestamp::from_millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_and_near() {
        for (then, words) in [
            (0, "now"),
            (999, "now"),
            (-42_000, "42s ago"),
            (5 * MINUTE + 59 * SECOND, "in 5m"),
            (2 * HOUR + 5 * MINUTE, "in 2h 05m"),
            (-(3 * DAY + 4 * HOUR), "3d 04h ago"),
        ] {
            assert_eq!(away(0, then), words);
        }
        assert_eq!(moment(0, 2 * HOUR), "1970-01-01 02:00 UTC (in 2h 00m)");
    }
}
