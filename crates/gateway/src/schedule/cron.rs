//! A cron line in a time zone, where clocks skip hours and show others twice.
//!
//! A line that names hours means the calendar: each time it names comes once a day. A time that clocks skip is due at the
//! instant at which they have skipped it, once for all that were skipped together; one that they show twice is due at the
//! first. A line of every hour means the going of time: it is due whenever clocks show what it names, so that every quarter of
//! an hour stays a quarter of an hour.

use super::error::BadSchedule;
use super::line::Line;
use super::zone::Zone;
use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

/// A cron line in a time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Cron {
    line: Line,
    zone: Zone,
}

#[derive(Serialize, Deserialize)]
struct Written {
    line: String,
    zone: String,
}

impl Cron {
    /// Reads a line of five fields, or a word such as `@daily`, and the IANA name of a zone; none is UTC.
    pub fn parse(line: &str, zone: Option<&str>) -> Result<Cron, BadSchedule> {
        Ok(Cron { line: Line::parse(line)?, zone: zone.map_or_else(|| Ok(Zone::utc()), Zone::parse)? })
    }

    /// The line, as it was written.
    pub fn line(&self) -> &str {
        self.line.as_str()
    }

    /// The name of the zone.
    pub fn zone(&self) -> &str {
        self.zone.as_str()
    }

    pub(super) fn after(&self, time: i64) -> Option<i64> {
        let time = Timestamp::from_millisecond(time).ok()?;
        let next = if self.line.is_of_every_hour() { self.after_by_time(time) } else { self.after_by_calendar(time) };
        next.map(Timestamp::as_millisecond)
    }

    fn after_by_calendar(&self, time: Timestamp) -> Option<Timestamp> {
        let mut start = minute_after(self.zone.offset(time).to_datetime(time))?;
        loop {
            let shown = self.line.at_or_after(start)?;
            let instant = self.zone.instant(shown)?;
            if instant > time {
                return Some(instant);
            }
            // Clocks show it for the second time.
            start = minute_after(shown)?;
        }
    }

    /// From one change of the offset to the next: between them the line is what it says.
    fn after_by_time(&self, time: Timestamp) -> Option<Timestamp> {
        let mut since = time;
        loop {
            let offset = self.zone.offset(since);
            let instant = offset.to_timestamp(self.line.at_or_after(minute_after(offset.to_datetime(since))?)?).ok()?;
            let Some(change) = self.zone.next_change(since).filter(|change| *change <= instant) else { return Some(instant) };
            if self.line.has(self.zone.offset(change).to_datetime(change)) {
                return Some(change);
            }
            since = change;
        }
    }
}

/// The first whole minute after a time.
fn minute_after(time: DateTime) -> Option<DateTime> {
    time.date().at(time.hour(), time.minute(), 0, 0).checked_add(1.minute()).ok()
}

impl TryFrom<Written> for Cron {
    type Error = BadSchedule;

    fn try_from(written: Written) -> Result<Cron, BadSchedule> {
        Cron::parse(&written.line, Some(&written.zone))
    }
}

impl From<Cron> for Written {
    fn from(cron: Cron) -> Written {
        Written { line: cron.line().to_owned(), zone: cron.zone().to_owned() }
    }
}
