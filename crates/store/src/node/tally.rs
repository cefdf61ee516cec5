//! Token counts of a node as a few bytes: its own, and those of it and all above it.

use crate::error::{Result, StoreError};
use weftwork::count::{Base, Tally};
use weftwork::model::Part;

/// What a node costs, and what it and all above it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tallies {
    pub(crate) own: Tally,
    pub(crate) sum: Tally,
}

impl Tallies {
    /// Counts `parts` below what `above` holds.
    pub(crate) fn count(parts: &[Part], base: Base, above: Option<Tally>) -> Tallies {
        let own = Tally::of(parts, base);
        Tallies { own, sum: above.map_or(own, |above| above + own) }
    }

    /// Ten numbers, seven bits a byte.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(24);
        for number in numbers(self.own).into_iter().chain(numbers(self.sum)) {
            let mut rest = number;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes
    }

    /// The other way round.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Tallies> {
        let mut at = 0;
        let mut next = || {
            let mut number = 0_u64;
            for shift in (0..64).step_by(7) {
                let byte = *bytes.get(at).ok_or_else(|| StoreError::Unreadable { detail: "a tally is cut off".into() })?;
                at += 1;
                number |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Ok(number);
                }
            }
            Err(StoreError::Unreadable { detail: "a tally is too large".into() })
        };
        let mut tally = || {
            Ok::<_, StoreError>(Tally { text: next()?, tools: next()?, reasoning: next()?, messages: next()?, results: next()? })
        };
        Ok(Tallies { own: tally()?, sum: tally()? })
    }
}

fn numbers(tally: Tally) -> [u64; 5] {
    [tally.text, tally.tools, tally.reasoning, tally.messages, tally.results]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_come_back_as_they_were() {
        let own = Tally { text: 127, tools: 128, reasoning: 0, messages: 1, results: u64::MAX };
        let both = Tallies { own, sum: Tally { text: 1 << 40, ..own } };
        assert_eq!(Tallies::from_bytes(&both.to_bytes()).unwrap(), both);
        assert!(Tallies::from_bytes(&both.to_bytes()[..9]).is_err());
    }
}
