//! When, as an agent or a person writes it.

use super::{BadSchedule, Cron, Schedule, delay, moment};
use serde::Deserialize;

/// When, as it is written: exactly one of a delay, a time and a cron line. What is blank is not given: models fill in every
/// field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct When {
    /// A delay from now: `2 hours`, `1 day 3 hours`, `1h30m`.
    pub run_after: Option<String>,
    /// A time: RFC 3339 with its offset, or without one what clocks in `timeZone` show.
    pub scheduled_at: Option<String>,
    /// A cron line of five fields: minute, hour, day of the month, month, weekday.
    pub cron: Option<String>,
    /// The IANA name of a zone, for `cron` (UTC without it) and `scheduledAt`. A delay is the same everywhere.
    pub time_zone: Option<String>,
}

impl When {
    /// The schedule that is meant.
    pub fn read(&self, now: i64) -> Result<Schedule, BadSchedule> {
        let zone = given(&self.time_zone);
        match (given(&self.run_after), given(&self.scheduled_at), given(&self.cron)) {
            (Some(text), None, None) => Ok(Schedule::RunAfter { due: delay::end(text, now)?, text: text.to_owned() }),
            (None, Some(text), None) => Ok(Schedule::At { due: moment::parse(text, zone, now)? }),
            (None, None, Some(line)) => Ok(Schedule::Cron(Cron::parse(line, zone)?)),
            (None, None, None) => Err(BadSchedule::Nothing),
            (delay, time, line) => {
                let given = [delay.map(|_| "runAfter"), time.map(|_| "scheduledAt"), line.map(|_| "cron")];
                Err(BadSchedule::Several { given: given.into_iter().flatten().collect() })
            }
        }
    }
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}
