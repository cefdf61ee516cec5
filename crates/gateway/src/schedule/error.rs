//! Why there is no schedule. Each says what is wrong, where, and how it is written; an agent reads them too.

/// Why what was written is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSchedule {
    /// Nothing was given.
    #[error(
        "a plan needs exactly one of runAfter, scheduledAt and cron: for example runAfter \"2 hours\", scheduledAt \
         \"2027-03-01T09:00:00+01:00\" or cron \"0 9 * * 1-5\""
    )]
    Nothing,
    /// More than one was given.
    #[error("a plan has exactly one of runAfter, scheduledAt and cron, and this one has {}: leave all but one out", given.join(" and "))]
    Several {
        /// What was given.
        given: Vec<&'static str>,
    },
    /// It is no delay.
    #[error("runAfter {text:?} is no delay: write numbers with units, for example \"2 hours\", \"1 day 3 hours\" or \"1h30m\"")]
    Delay {
        /// What was written.
        text: String,
    },
    /// The delay is too short or too long.
    #[error("runAfter {text:?} is out of bounds: it must be from 1 second to 5 years, for example \"2 hours\"")]
    DelayBounds {
        /// What was written.
        text: String,
    },
    /// It is no time.
    #[error("scheduledAt {text:?} is no time: write it like \"2027-03-01T09:00:00+01:00\" or \"2027-03-01T08:00:00Z\"")]
    Time {
        /// What was written.
        text: String,
    },
    /// Nobody knows where the clock hangs that shows this time.
    #[error(
        "scheduledAt {text:?} does not say in which time zone: add an offset, as in \"{text}+01:00\" or \"{text}Z\", or give \
         timeZone, for example \"Europe/Berlin\""
    )]
    NoZone {
        /// What was written.
        text: String,
    },
    /// The offset and the zone do not agree.
    #[error("scheduledAt {text:?} has another offset than timeZone {zone} has then, {offset}: leave one of the two out")]
    OtherOffset {
        /// What was written.
        text: String,
        /// The zone.
        zone: String,
        /// Its offset at that time.
        offset: String,
    },
    /// The time has been.
    #[error("scheduledAt {text:?} is in the past: it is {now} now; give a later time, or runAfter for a delay")]
    Past {
        /// What was written.
        text: String,
        /// The time it is.
        now: String,
    },
    /// There is no such zone.
    #[error(
        "timeZone {zone:?} is not known: write a name of the IANA database, for example \"Europe/Berlin\", \
         \"America/New_York\" or \"UTC\""
    )]
    Zone {
        /// What was written.
        zone: String,
    },
    /// It is no cron line.
    #[error("cron {line:?}: {why}")]
    Line {
        /// What was written.
        line: String,
        /// What is wrong with it.
        why: BadLine,
    },
    /// What is kept is not what was written here.
    #[error("the schedule {text:?} cannot be read: {why}; set the plan again")]
    Unreadable {
        /// What is kept.
        text: String,
        /// Why.
        why: String,
    },
}

/// What is wrong with a cron line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// It is longer than any that makes sense.
    #[error("it is longer than {most} characters")]
    Long {
        /// How long it may be.
        most: usize,
    },
    /// It has not five fields.
    #[error(
        "it has {found} fields and needs 5, without seconds and years: minute hour day month weekday, for example \"0 9 * * 1-5\" \
         for 09:00 on weekdays"
    )]
    Fields {
        /// How many it has.
        found: usize,
    },
    /// Not a word that stands for a line.
    #[error("there is no such word: use @hourly, @daily, @weekly, @monthly or @yearly, or 5 fields, for example \"0 9 * * 1-5\"")]
    Word,
    /// A value that the field does not have.
    #[error("{part:?} cannot be the {field}: it must be from {least} to {most}{names}, for example {example:?}")]
    Value {
        /// The field.
        field: &'static str,
        /// The part of it.
        part: String,
        /// The least value.
        least: u8,
        /// The greatest.
        most: u8,
        /// Words that may stand for values.
        names: &'static str,
        /// What could stand there.
        example: &'static str,
    },
    /// A range that goes down.
    #[error("{part:?} in the {field} goes down: write it as two, for example \"22-23,0-4\"")]
    Down {
        /// The field.
        field: &'static str,
        /// The part of it.
        part: String,
    },
    /// A step without a range, or of nothing.
    #[error("{part:?} in the {field} is no step: write \"*/15\", or a range first, as in \"5-59/15\"")]
    Step {
        /// The field.
        field: &'static str,
        /// The part of it.
        part: String,
    },
    /// No day is like this.
    #[error("no year has such a day: for the last day of a month write L, for example \"0 9 L * *\"")]
    Never,
}
