//! When a plan is due: after a delay, at a time, or by a cron line in a time zone.
//!
//! Everything here is a function of its arguments. The time comes in; the rules of the zones are those that this program was
//! built with, so that all processes on one database agree and no machine needs files of its own.

mod cron;
mod delay;
mod error;
mod field;
mod line;
mod moment;
mod shown;
mod when;
mod zone;

pub use cron::Cron;
pub use error::{BadLine, BadSchedule};
pub use shown::shown;
pub use when::When;

use serde::{Deserialize, Serialize};

/// When a plan is due. All times are in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Schedule {
    /// Once, after a delay.
    RunAfter {
        /// The delay, as it was written.
        text: String,
        /// When it ends.
        due: i64,
    },
    /// Once.
    At {
        /// When.
        due: i64,
    },
    /// Again and again.
    Cron(Cron),
}

impl Schedule {
    /// What [`Schedule::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Schedule, BadSchedule> {
        serde_json::from_str(text).map_err(|error| BadSchedule::Unreadable { text: text.to_owned(), why: error.to_string() })
    }

    /// The form in which a plan is kept.
    pub fn to_text(&self) -> String {
        weftwork::model::Json::of(self).text().to_owned()
    }

    /// The first time it is due, `now` or later.
    pub fn first(&self, now: i64) -> Option<i64> {
        self.after(now.checked_sub(1)?)
    }

    /// The first time it is due after a time; none if never again.
    pub fn after(&self, time: i64) -> Option<i64> {
        match self {
            Schedule::RunAfter { due, .. } | Schedule::At { due } => Some(*due).filter(|due| *due > time),
            Schedule::Cron(cron) => cron.after(time),
        }
    }

    /// Of the times from `first` to `now` the latest, and the one that comes next. The number of times between does not
    /// matter: a plan of every minute that slept for years is as quick as any.
    pub fn latest_and_next(&self, first: i64, now: i64) -> (i64, Option<i64>) {
        let (mut latest, mut end) = (first, now);
        // Nothing is due after `end` and up to `now`.
        while latest < end {
            let middle = latest + (end - latest) / 2;
            match self.after(middle) {
                Some(time) if time <= now => latest = time,
                Some(_) | None => end = middle,
            }
        }
        (latest, self.after(now.max(first)))
    }
}

#[cfg(test)]
mod tests;
