//! The runs of an agent that have not ended, as its timeline tells of them.

use super::row::{Run, run, run_columns};
use crate::error::{Result, StoreError};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, SpaceId};

/// A run that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRun {
    /// The run.
    pub run: Run,
    /// Who or what woke it: a person, an agent, a plan or a service, by name.
    pub triggered_by: Option<String>,
    /// The name of the space it is in: where it waits, else where it was woken.
    pub space: Option<String>,
    /// That space's id, if it is confidential.
    pub confidential: Option<SpaceId>,
    /// The space where it was woken, if that is confidential; who woke it is known from there.
    pub woken_in: Option<SpaceId>,
    /// Whom it waits for, by name.
    pub waiting_for: Option<String>,
}

impl Store {
    /// The runs of an agent that have not ended, oldest first.
    pub fn open_runs(&self, agent: &EntityId) -> Result<Vec<OpenRun>> {
        self.reading(|tx| open_runs(tx, agent))
    }
}

/// The runs of an agent that have not ended, by its id.
pub(super) const OPEN: &str = concat!(
    run_columns!(
        ", w.no, coalesce(ws.name, s.name), te.name, t.body, coalesce(ws.id, s.id), coalesce(ws.confidential, s.confidential), \
         s.id, s.confidential"
    ),
    "LEFT JOIN waits w ON w.run = r.no AND w.state = 0 LEFT JOIN spaces ws ON ws.no = w.space \
     LEFT JOIN run_triggers t ON t.run = r.no AND t.how <> 2 LEFT JOIN nodes n ON n.key = t.node \
     LEFT JOIN entities te ON te.no = n.author \
     WHERE e.id = ?1 AND r.agent = e.no AND r.state < 5 ORDER BY r.no, t.node DESC"
);

/// One statement tells of all of them; whom they wait for is asked of those that wait.
pub(super) fn open_runs(tx: &mut Tx<'_>, agent: &EntityId) -> Result<Vec<OpenRun>> {
    let mut open: Vec<(i64, Option<i64>, OpenRun)> = Vec::new();
    tx.rows(OPEN, args![agent.as_str()], |row| {
        let no = row.int(0)?;
        // A run has a row for each of its triggers, the newest first.
        if open.last().is_none_or(|(last, ..)| *last != no) {
            let text = |column| Ok::<_, StoreError>(row.maybe_text(column)?.map(str::to_owned));
            let triggered_by = text(22)?.or(row.maybe_text(23)?.and_then(named));
            let secret = |id, is| Ok::<_, StoreError>(text(id)?.filter(|_| row.maybe_int(is).is_ok_and(|is| is == Some(1))));
            let confidential = secret(24, 25)?.map(SpaceId::from);
            let woken_in = secret(26, 27)?.map(SpaceId::from);
            let told = OpenRun { run: run(row)?, triggered_by, space: text(21)?, confidential, woken_in, waiting_for: None };
            open.push((no, row.maybe_int(20)?, told));
        }
        Ok(())
    })?;
    for (_, wait, told) in &mut open {
        told.waiting_for = wait.map(|wait| awaited(tx, wait)).transpose()?.flatten();
    }
    Ok(open.into_iter().map(|(_, _, told)| told).collect())
}

/// Whom a wait is for, by name.
fn awaited(tx: &mut Tx<'_>, wait: i64) -> Result<Option<String>> {
    const NAMED: &str = "SELECT e.name FROM wait_from f JOIN entities e ON e.no = f.entity WHERE f.wait = ?1 ORDER BY e.no";
    const ANYONE: &str = "SELECT e.name FROM waits w JOIN members m ON m.space = w.space AND m.gone IS NULL \
                          JOIN entities e ON e.no = m.entity AND e.no <> w.agent \
                          WHERE w.no = ?1 AND w.kind = 0 ORDER BY m.joined, e.no LIMIT 4";
    let name = |row: &crate::sql::Row<'_>| Ok(row.text(0)?.to_owned());
    let mut awaited = tx.list(NAMED, args![wait], name)?;
    if awaited.is_empty() {
        awaited = tx.list(ANYONE, args![wait], name)?;
    }
    Ok(match awaited.len() {
        0 => None,
        1..=3 => Some(awaited.join(" or ")),
        _ => Some("anyone".to_owned()),
    })
}

/// The name that a plan's or a delivery's trigger has.
pub(super) fn named(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(body.get("name").or_else(|| body.get("service"))?.as_str()?.to_owned())
}
