//! Days and moments in, days and minutes out.

use weftwork::model::Timestamp;

/// Milliseconds since 1970.
pub(crate) type Moment = i64;

const DAY: Moment = 86_400_000;

/// The beginning of a day, or a moment.
pub(crate) fn since(given: &str) -> Result<Moment, String> {
    day(given).map_or_else(|| moment(given), Ok)
}

/// The end of a day, or a moment.
pub(crate) fn until(given: &str) -> Result<Moment, String> {
    day(given).map_or_else(|| moment(given), |day| Ok(day + DAY))
}

fn day(given: &str) -> Option<Moment> {
    format!("{given}T00:00:00Z").parse::<Timestamp>().ok().map(|time| time.millis())
}

fn moment(given: &str) -> Result<Moment, String> {
    let time = given.parse::<Timestamp>().map_err(|_| "write a day or a moment: 2026-02-18 or 2026-02-18T14:50:00Z")?;
    Ok(time.millis())
}

/// A moment to the minute, in UTC.
pub(crate) fn minute(time: Option<&Timestamp>) -> String {
    let text = time.map(Timestamp::utc).unwrap_or_default();
    text.get(..16).map_or(text.clone(), |minute| minute.replace('T', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_all_of_it() {
        assert_eq!((since("1970-01-02"), until("1970-01-02")), (Ok(DAY), Ok(2 * DAY)));
        assert_eq!((since("1970-01-01T00:00:01Z"), until("1970-01-01T01:00:00+01:00")), (Ok(1000), Ok(0)));
        for bad in ["", "yesterday", "2026-13-01", "2026-02-30", "18.02.2026"] {
            assert!(since(bad).is_err() && until(bad).is_err(), "{bad}");
        }
    }
}
