//! One moment: a time with its offset, or what a clock in a zone shows.

use super::error::BadSchedule;
use super::zone::Zone;
use jiff::Timestamp;
use jiff::civil::DateTime;

/// The moment that is meant, later than now.
pub(super) fn parse(text: &str, zone: Option<&str>, now: i64) -> Result<i64, BadSchedule> {
    let zone = zone.map(Zone::parse).transpose()?;
    let time = match (text.parse::<Timestamp>(), zone) {
        (Ok(time), Some(zone)) => agreed(text, time, &zone)?,
        (Ok(time), None) => time,
        (Err(_), zone) => shown(text, zone)?,
    };
    let due = time.as_millisecond();
    if due > now {
        return Ok(due);
    }
    let now = weftwork::model::Timestamp::from_millis(now).map(|now| now.utc()).unwrap_or_default();
    Err(BadSchedule::Past { text: text.to_owned(), now })
}

fn shown(text: &str, zone: Option<Zone>) -> Result<Timestamp, BadSchedule> {
    let shown: DateTime = text.parse().map_err(|_| BadSchedule::Time { text: text.to_owned() })?;
    let zone = zone.ok_or_else(|| BadSchedule::NoZone { text: text.to_owned() })?;
    zone.instant(shown).ok_or_else(|| BadSchedule::Time { text: text.to_owned() })
}

/// `09:00Z` for 9 o'clock in Berlin is the mistake that two statements of one thing invite.
fn agreed(text: &str, time: Timestamp, zone: &Zone) -> Result<Timestamp, BadSchedule> {
    let offset = zone.offset(time);
    let clock: Option<DateTime> = text.parse().ok().or_else(|| text.trim_end_matches(['Z', 'z']).parse().ok());
    if clock == Some(offset.to_datetime(time)) {
        return Ok(time);
    }
    Err(BadSchedule::OtherOffset { text: text.to_owned(), zone: zone.as_str().to_owned(), offset: offset.to_string() })
}
