//! The runs of an agent that have not ended, as its timeline tells of them.

use super::row::{Run, run, run_columns};
use crate::error::Result;
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// A run that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRun {
    /// The run.
    pub run: Run,
    /// Who or what woke it: a person, an agent, a plan or a service, by name.
    pub triggered_by: Option<String>,
    /// The name of the space it is in: where it waits, else where it was woken.
    pub space: Option<String>,
    /// Whom it waits for, by name.
    pub waiting_for: Option<String>,
}

impl Store {
    /// The runs of an agent that have not ended, oldest first.
    pub fn open_runs(&self, agent: &EntityId) -> Result<Vec<OpenRun>> {
        const SQL: &str = concat!(run_columns!(), "WHERE e.id = ?1 AND r.agent = e.no AND r.state < 5 ORDER BY r.no");
        self.reading(|tx| {
            let runs = tx.list(SQL, args![agent.as_str()], |row| Ok((row.int(0)?, run(row)?)))?;
            runs.into_iter().map(|(no, run)| tell(tx, no, run)).collect()
        })
    }
}

fn tell(tx: &mut Tx<'_>, no: i64, run: Run) -> Result<OpenRun> {
    const TRIGGER: &str = "SELECT e.name, t.body FROM run_triggers t LEFT JOIN nodes n ON n.key = t.node \
                           LEFT JOIN entities e ON e.no = n.author WHERE t.run = ?1 AND t.how <> 2 ORDER BY t.node DESC LIMIT 1";
    const SPACE: &str = "SELECT s.name FROM spaces s WHERE s.no = coalesce(\
                         (SELECT w.space FROM waits w WHERE w.run = ?1 AND w.state = 0), (SELECT r.space FROM runs r WHERE r.no = ?1))";
    const NAMED: &str = "SELECT e.name FROM waits w JOIN wait_from f ON f.wait = w.no JOIN entities e ON e.no = f.entity \
                         WHERE w.run = ?1 AND w.state = 0 ORDER BY e.no";
    const ANYONE: &str = "SELECT e.name FROM waits w JOIN members m ON m.space = w.space AND m.gone IS NULL \
                          JOIN entities e ON e.no = m.entity AND e.no <> w.agent \
                          WHERE w.run = ?1 AND w.state = 0 AND w.kind = 0 ORDER BY m.joined, e.no LIMIT 4";
    let woken =
        tx.first(TRIGGER, args![no], |row| Ok((row.maybe_text(0)?.map(str::to_owned), row.maybe_text(1)?.map(str::to_owned))))?;
    let triggered_by = woken.and_then(|(name, body)| name.or_else(|| body.as_deref().and_then(named)));
    let space = tx.first(SPACE, args![no], |row| Ok(row.text(0)?.to_owned()))?;
    let name = |row: &crate::sql::Row<'_>| Ok(row.text(0)?.to_owned());
    let mut awaited = tx.list(NAMED, args![no], name)?;
    if awaited.is_empty() {
        awaited = tx.list(ANYONE, args![no], name)?;
    }
    let waiting_for = match awaited.len() {
        0 => None,
        1..=3 => Some(awaited.join(" or ")),
        _ => Some("anyone".to_owned()),
    };
    Ok(OpenRun { run, triggered_by, space, waiting_for })
}

/// The name that a plan's or a delivery's trigger has.
fn named(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(body.get("name").or_else(|| body.get("service"))?.as_str()?.to_owned())
}
