//! A cron line: which minutes of a calendar it means. Of zones it knows nothing.

use super::error::{BadLine, BadSchedule};
use super::field::{DAY, HOUR, LAST, MINUTE, MONTH, Set, WEEKDAY};
use jiff::civil::{Date, DateTime};

/// No line is longer.
const LONGEST: usize = 200;
/// The rarest days, such as a Sunday the 29th of February, are 40 years apart.
const YEARS: i16 = 41;
/// In words that stand for lines.
const WORDS: &[(&str, &str)] = &[
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// A cron line, read. There are minutes that it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    text: String,
    minutes: Set,
    hours: Set,
    days: Set,
    months: Set,
    weekdays: Set,
    join: Join,
}

/// How day and weekday are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    /// A day must be as both say, because one of them begins with a star.
    Both,
    /// One is enough: `0 9 1 * MON` means the first of the month and every Monday, as cron always meant it.
    Either,
}

impl Line {
    pub(super) fn parse(text: &str) -> Result<Line, BadSchedule> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Line::read(&text).map_err(|why| BadSchedule::Line { line: text.chars().take(LONGEST).collect(), why })
    }

    fn read(text: &str) -> Result<Line, BadLine> {
        if text.len() > LONGEST {
            return Err(BadLine::Long { most: LONGEST });
        }
        let spelled = match WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)) {
            Some((_, line)) => line,
            None if text.starts_with('@') => return Err(BadLine::Word),
            None => text,
        };
        let fields: Vec<&str> = spelled.split_whitespace().collect();
        let &[minute, hour, day, month, weekday] = fields.as_slice() else {
            return Err(BadLine::Fields { found: fields.len() });
        };
        let line = Line {
            text: text.to_owned(),
            minutes: MINUTE.parse(minute)?,
            hours: HOUR.parse(hour)?,
            days: DAY.parse(day)?,
            months: MONTH.parse(month)?,
            weekdays: WEEKDAY.parse(weekday)?,
            join: if day.starts_with('*') || weekday.starts_with('*') { Join::Both } else { Join::Either },
        };
        line.at_or_after(DateTime::constant(2000, 1, 1, 0, 0, 0, 0)).map(|_| line).ok_or(BadLine::Never)
    }

    /// The line as it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it means minutes of every hour.
    pub(super) fn is_of_every_hour(&self) -> bool {
        (0..24).all(|hour| self.hours.has(hour))
    }

    /// Whether it means this time.
    pub(super) fn has(&self, time: DateTime) -> bool {
        let (hour, minute) = (time.hour() as u8, time.minute() as u8);
        let is_whole = time.second() == 0 && time.subsec_nanosecond() == 0;
        let is_day = self.months.has(time.month() as u8) && self.has_day(time.date());
        is_whole && is_day && self.hours.has(hour) && self.minutes.has(minute)
    }

    /// The first minute it means that is not before `start`, which has no seconds.
    pub(super) fn at_or_after(&self, start: DateTime) -> Option<DateTime> {
        let mut date = start.date();
        let mut time = Some((start.hour() as u8, start.minute() as u8));
        while date.year() - start.year() <= YEARS {
            if !self.months.has(date.month() as u8) {
                date = date.last_of_month().tomorrow().ok()?;
                time = None;
                continue;
            }
            if self.has_day(date)
                && let Some((hour, minute)) = self.time_at_or_after(time.unwrap_or_default())
            {
                return Some(date.at(hour as i8, minute as i8, 0, 0));
            }
            date = date.tomorrow().ok()?;
            time = None;
        }
        None
    }

    fn has_day(&self, date: Date) -> bool {
        let day = self.days.has(date.day() as u8) || (self.days.has(LAST) && date == date.last_of_month());
        let weekday = self.weekdays.has(date.weekday().to_sunday_zero_offset() as u8);
        match self.join {
            Join::Both => day && weekday,
            Join::Either => day || weekday,
        }
    }

    /// The first hour and minute that are not before those given.
    fn time_at_or_after(&self, (hour, minute): (u8, u8)) -> Option<(u8, u8)> {
        if self.hours.has(hour)
            && let Some(minute) = self.minutes.at_or_after(minute)
        {
            return Some((hour, minute));
        }
        Some((self.hours.at_or_after(hour + 1)?, self.minutes.at_or_after(0)?))
    }
}
