//! What calls reserve in budgets, and what they are settled at.

use super::model::{Cost, Outcome, outcome_number};
use crate::error::Result;
use crate::sql::{Tx, args};

/// Reserves what a call may cost at most in budgets that were locked and have it.
pub(super) fn reserve(tx: &mut Tx<'_>, call: i64, budgets: &[i64], most: Option<Cost>) -> Result<()> {
    let most = most.map_or(0, Cost::as_billionths);
    for &budget in budgets {
        tx.run("UPDATE budgets SET reserved = reserved + ?2 WHERE no = ?1", args![budget, most])?;
        tx.run("INSERT INTO call_holds(call, budget, reserved) VALUES(?1, ?2, ?3)", args![call, budget, most])?;
    }
    Ok(())
}

/// Gives back what a call reserved and counts what it cost. What nobody knows the cost of has cost all that was reserved.
pub(super) fn settle(tx: &mut Tx<'_>, call: i64, cost: Option<Cost>) -> Result<()> {
    const HELD: &str = "SELECT b.no, h.reserved FROM budgets b JOIN call_holds h ON h.budget = b.no \
                        WHERE h.call = ?1 AND h.spent IS NULL ORDER BY b.no /*pg FOR UPDATE OF b*/";
    for (budget, reserved) in tx.list(HELD, args![call], |row| Ok((row.int(0)?, row.int(1)?)))? {
        let spent = cost.map_or(reserved, Cost::as_billionths);
        tx.run("UPDATE call_holds SET spent = ?3 WHERE call = ?1 AND budget = ?2", args![call, budget, spent])?;
        tx.run("UPDATE budgets SET reserved = reserved - ?2, spent = spent + ?3 WHERE no = ?1", args![budget, reserved, spent])?;
    }
    Ok(())
}

/// Ends the calls that these processes left open when they died. Nobody knows what they used.
pub(super) fn fail_open(tx: &mut Tx<'_>, dead: &[i64]) -> Result<()> {
    const OPEN: &str = "SELECT no FROM calls WHERE process = ?1 AND outcome IS NULL ORDER BY no /*pg FOR UPDATE*/";
    for &process in dead {
        for call in tx.list(OPEN, args![process], |row| row.int(0))? {
            tx.run("UPDATE calls SET outcome = ?2 WHERE no = ?1", args![call, outcome_number(Outcome::Failed)])?;
            settle(tx, call, None)?;
        }
    }
    Ok(())
}
