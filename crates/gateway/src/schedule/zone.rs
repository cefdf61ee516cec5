//! A time zone by its name, and which instant a clock there means.

use super::error::BadSchedule;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

/// The zones that this program was built with, whatever the machine has.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    name: String,
    rules: TimeZone,
}

impl Zone {
    pub(super) fn parse(name: &str) -> Result<Zone, BadSchedule> {
        let unknown = || BadSchedule::Zone { zone: name.to_owned() };
        let rules = ZONES.get(name.trim()).map_err(|_| unknown())?;
        // The database writes names as they are usually written.
        let name = rules.iana_name().ok_or_else(unknown)?.to_owned();
        Ok(Zone { name, rules })
    }

    pub(super) fn utc() -> Zone {
        Zone { name: "UTC".to_owned(), rules: TimeZone::UTC }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.name
    }

    pub(super) fn offset(&self, time: Timestamp) -> Offset {
        self.rules.to_offset(time)
    }

    /// When the offset changes next.
    pub(super) fn next_change(&self, time: Timestamp) -> Option<Timestamp> {
        self.rules.following(time).next().map(|change| change.timestamp())
    }

    /// The first instant at which clocks there show this or, where they skip it, the instant at which they have skipped it.
    /// A later time never gives an earlier instant.
    pub(super) fn instant(&self, shown: DateTime) -> Option<Timestamp> {
        match self.rules.to_ambiguous_timestamp(shown).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(shown).ok(),
            AmbiguousOffset::Fold { before, .. } => before.to_timestamp(shown).ok(),
            AmbiguousOffset::Gap { before, .. } => self.change_before(before.to_timestamp(shown).ok()?),
        }
    }

    /// The change at a time or before it.
    fn change_before(&self, time: Timestamp) -> Option<Timestamp> {
        let after = time.checked_add(jiff::SignedDuration::from_secs(1)).ok()?;
        self.rules.preceding(after).next().map(|change| change.timestamp())
    }
}
