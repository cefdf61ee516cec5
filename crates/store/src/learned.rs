//! How models without a known vocabulary count, learned from what they report.

use crate::error::Result;
use crate::space::check_text;
use crate::sql::{Row, Tx, args};
use crate::store::Store;

/// Less than this says more of what stands around a request than of its text.
const LEAST: u64 = 200;
/// No vocabulary is so far off; whoever reports it counts something else.
const FACTORS: (u64, u64) = (500, 3_000);
/// Older samples count less and less, as if there had been no more than this.
const MEMORY: u64 = 16;

/// What was learned of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learned {
    /// Tokens that it reports where we count a thousand.
    pub thousandths: u32,
    /// Calls it was learned from.
    pub samples: u64,
}

impl Learned {
    /// What is known after one call more, of which we counted so many tokens and were told so many.
    fn after(before: Option<Learned>, counted: u64, reported: u64) -> Option<Learned> {
        if counted.min(reported) < LEAST {
            return before;
        }
        let told = u64::try_from(u128::from(reported) * 1_000 / u128::from(counted)).unwrap_or(u64::MAX);
        let told = told.clamp(FACTORS.0, FACTORS.1);
        let Some(Learned { thousandths, samples }) = before else {
            return Some(Learned { thousandths: told as u32, samples: 1 });
        };
        let weight = samples.min(MEMORY - 1);
        let mean = (u64::from(thousandths) * weight + told + weight.div_ceil(2)) / (weight + 1);
        Some(Learned { thousandths: mean as u32, samples: samples + 1 })
    }
}

impl Store {
    /// What was learned of how a model counts.
    pub fn learned(&self, model: &str) -> Result<Option<Learned>> {
        self.reading(|tx| learned(tx, model))
    }

    /// Learns from a call: so many tokens were counted here, raw, and so many were reported. Says what is known now.
    pub fn learn(&self, model: &str, counted: u64, reported: u64) -> Result<Option<Learned>> {
        const SQL: &str = "SELECT thousandths, samples FROM learned WHERE model = ?1 /*pg FOR UPDATE*/";
        check_text("a model's name", model)?;
        self.writing(|tx| {
            let before = tx.first(SQL, args![model], read)?;
            let after = Learned::after(before, counted, reported);
            if let Some(Learned { thousandths, samples }) = after.filter(|_| after != before) {
                let sql = match before {
                    None => "INSERT INTO learned(model, thousandths, samples) VALUES(?1, ?2, ?3)",
                    Some(_) => "UPDATE learned SET thousandths = ?2, samples = ?3 WHERE model = ?1",
                };
                tx.run(sql, args![model, thousandths, samples as i64])?;
            }
            Ok(after)
        })
    }
}

/// What was learned of how a model counts.
fn learned(tx: &mut Tx<'_>, model: &str) -> Result<Option<Learned>> {
    tx.first("SELECT thousandths, samples FROM learned WHERE model = ?1", args![model], read)
}

fn read(row: &Row<'_>) -> Result<Learned> {
    Ok(Learned { thousandths: row.int(0)? as u32, samples: row.int(1)? as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_comes_near_what_is_reported_and_stays_within_bounds() {
        let mut learned = None;
        for (counted, reported, expected) in [
            (199, 400, None),
            (1_000, 150, None),
            (1_000, 1_200, Some(1_200)),
            (1_000, 1_400, Some(1_300)),
            (100, 900, Some(1_300)),
            (1_000, 90_000, Some(1_867)),
            (u64::MAX, 200, Some(1_525)),
            (200, u64::MAX, Some(1_820)),
        ] {
            learned = Learned::after(learned, counted, reported);
            assert_eq!(learned.map(|learned| learned.thousandths), expected, "{counted} {reported}");
        }
        for _ in 0..200 {
            learned = Learned::after(learned, 10_000, 8_000);
        }
        let factor = learned.map(|learned| learned.thousandths).unwrap_or_default();
        assert!((795..=810).contains(&factor), "{factor}");
    }
}
