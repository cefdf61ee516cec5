//! One field of a cron line: which of its values are meant.

use super::error::BadLine;

/// What is known of a field before it is read.
pub(super) struct Kind {
    name: &'static str,
    least: u8,
    most: u8,
    /// Words for values, from `least` on.
    words: &'static [&'static str],
    /// Where the words are told.
    names: &'static str,
    example: &'static str,
}

pub(super) const MINUTE: Kind = Kind { name: "minute", least: 0, most: 59, words: &[], names: "", example: "*/15" };
pub(super) const HOUR: Kind = Kind { name: "hour", least: 0, most: 23, words: &[], names: "", example: "9-17" };
pub(super) const DAY: Kind =
    Kind { name: "day of the month", least: 1, most: 31, words: &[], names: ", or L for the last", example: "1,15" };
pub(super) const MONTH: Kind = Kind {
    name: "month",
    least: 1,
    most: 12,
    words: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
    names: " or JAN to DEC",
    example: "1-6",
};
/// Sunday is 0 and, as most write it, 7.
pub(super) const WEEKDAY: Kind = Kind {
    name: "weekday",
    least: 0,
    most: 7,
    words: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
    names: " or SUN to SAT",
    example: "MON-FRI",
};

/// The last day of a month, among days.
pub(super) const LAST: u8 = 0;
const SUNDAY: u8 = 7;

/// Values of a field, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    pub(super) fn has(self, value: u8) -> bool {
        self.0 >> value & 1 == 1
    }

    /// The least value that is not less than `from`.
    pub(super) fn at_or_after(self, from: u8) -> Option<u8> {
        let left = self.0.checked_shr(u32::from(from))?;
        (left != 0).then(|| from + left.trailing_zeros() as u8)
    }

    fn add(&mut self, value: u8) {
        self.0 |= 1 << value;
    }
}

impl Kind {
    /// Reads a field: `*`, values, ranges, steps, with commas between.
    pub(super) fn parse(&self, text: &str) -> Result<Set, BadLine> {
        let mut set = Set(0);
        for part in text.split(',') {
            self.add(part, &mut set)?;
        }
        if self.most == SUNDAY && set.has(SUNDAY) {
            set.0 = set.0 & !(1 << SUNDAY) | 1;
        }
        Ok(set)
    }

    fn add(&self, part: &str, set: &mut Set) -> Result<(), BadLine> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(self.step(part, range, step)?)),
            None => (part, None),
        };
        let (from, to) = self.range(part, range)?;
        if from > to {
            return Err(BadLine::Down { field: self.name, part: part.to_owned() });
        }
        (from..=to).step_by(usize::from(step.unwrap_or(1))).for_each(|value| set.add(value));
        Ok(())
    }

    fn range(&self, part: &str, range: &str) -> Result<(u8, u8), BadLine> {
        let of_weeks = self.most == SUNDAY;
        if range == "*" {
            // A week has seven days: a step through all of them ends on Saturday.
            return Ok((self.least, if of_weeks { SUNDAY - 1 } else { self.most }));
        }
        if self.name == DAY.name && range.eq_ignore_ascii_case("L") {
            return Ok((LAST, LAST));
        }
        let Some((from, to)) = range.split_once('-') else {
            let value = self.value(part, range)?;
            return Ok((value, value));
        };
        let (from, to) = (self.value(part, from)?, self.value(part, to)?);
        // A range may end on Sunday, which then comes last.
        Ok((from, if of_weeks && to == 0 && from > 0 { SUNDAY } else { to }))
    }

    /// Every how many. A step goes through a range: what `5/15` means differs from program to program.
    fn step(&self, part: &str, range: &str, step: &str) -> Result<u8, BadLine> {
        let through = range == "*" || range.contains('-');
        let step = number(step).filter(|step| through && *step > 0 && *step <= self.most);
        step.ok_or_else(|| BadLine::Step { field: self.name, part: part.to_owned() })
    }

    fn value(&self, part: &str, text: &str) -> Result<u8, BadLine> {
        let word = self.words.iter().zip(self.least..).find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, value)| value);
        let value = word.or_else(|| number(text)).filter(|value| (self.least..=self.most).contains(value));
        value.ok_or_else(|| BadLine::Value {
            field: self.name,
            part: part.to_owned(),
            least: self.least,
            most: self.most,
            names: self.names,
            example: self.example,
        })
    }
}

/// Digits and nothing else: no sign.
fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
