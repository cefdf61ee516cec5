//! How far away a moment is, from the ask's time: `in 17h 53m`.
//!
//! The two largest units, the second with two digits, what is left over cut off: `in 42s`, `in 5m`, `in 2h 00m`,
//! `in 3d 04h`. A moment that has passed is `overdue by 5m`; this very second is `due now`.

use super::encode::Encoded;
use super::text::Text;
use crate::model::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Writes how far `then` is from `now`.
pub(super) fn write_relative(text: &mut Text, now: &Timestamp, then: &Timestamp) {
    let seconds = now.seconds_until(then);
    match seconds {
        0 => {
            text.word("due now");
            return;
        }
        1.. => text.word("in "),
        ..0 => text.word("overdue by "),
    };
    match seconds.unsigned_abs() {
        s @ ..MINUTE => text.value(Encoded::number(s)).word("s"),
        s @ MINUTE..HOUR => text.value(Encoded::number(s / MINUTE)).word("m"),
        s @ HOUR..DAY => two_digits(text.value(Encoded::number(s / HOUR)).word("h "), s % HOUR / MINUTE).word("m"),
        s @ DAY.. => two_digits(text.value(Encoded::number(s / DAY)).word("d "), s % DAY / HOUR).word("h"),
    };
}

fn two_digits(text: &mut Text, number: u64) -> &mut Text {
    if number < 10 {
        text.word("0");
    }
    text.value(Encoded::number(number))
}
