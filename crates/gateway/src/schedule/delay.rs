//! Delays as people write them: `2 hours`, `1 day 3 hours`, `1h30m`.

use super::error::BadSchedule;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

const SHORTEST: i64 = 1_000;
/// Five years.
const LONGEST: i64 = 5 * 366 * 24 * 60 * 60 * 1_000;

/// When a delay that begins now ends. Months and years are those of the calendar, in UTC.
pub(super) fn end(text: &str, now: i64) -> Result<i64, BadSchedule> {
    let span: Span = text.to_ascii_lowercase().parse().map_err(|_| BadSchedule::Delay { text: text.to_owned() })?;
    let begin = Timestamp::from_millisecond(now).ok().map(|now| now.to_zoned(TimeZone::UTC));
    let due = begin.and_then(|begin| begin.checked_add(span).ok()).map(|due| due.timestamp().as_millisecond());
    let due = due.filter(|due| (SHORTEST..=LONGEST).contains(&(due - now)));
    due.ok_or_else(|| BadSchedule::DelayBounds { text: text.to_owned() })
}
