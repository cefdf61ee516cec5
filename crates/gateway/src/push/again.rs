//! When a hint that was not taken is sent again. Pure: how often it was sent and a number of chance go in.

use std::time::Duration;

/// How often a hint is sent before it stands still. Programs that poll get their runs all the same.
pub const MOST_ATTEMPTS: i64 = 8;

const FIRST: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// How long after the attempt of this number, counted from 1, the next follows; none if none does. `dice` is from 0 to 1.
pub fn after(attempt: i64, dice: f64) -> Option<Duration> {
    if attempt >= MOST_ATTEMPTS {
        return None;
    }
    let factor = 4_u32.saturating_pow(u32::try_from(attempt - 1).unwrap_or(0));
    let wait = FIRST.saturating_mul(factor).min(LONGEST);
    // Up to a fifth more: many were told the same moment.
    Some(wait + wait.mul_f64(dice.clamp(0.0, 1.0) / 5.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_an_hour_and_end() {
        let waits: Vec<_> = (1..=9).map(|attempt| after(attempt, 0.0).map(|wait| wait.as_secs())).collect();
        let expected = [Some(5), Some(20), Some(80), Some(320), Some(1280), Some(3600), Some(3600), None, None];
        assert_eq!(waits, expected);
        assert_eq!(after(1, 1.0), Some(Duration::from_secs(6)));
    }
}
