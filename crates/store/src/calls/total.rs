//! Sums of calls, by whatever they are asked for. Nothing of it is stored.

use super::model::Cost;
use crate::error::Result;
use crate::scope::Scope;
use crate::space::entity_row;
use crate::sql::{Arg, Row, Tx, args};
use std::collections::BTreeMap;
use weftwork::model::{EntityId, Usage};

/// What calls are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Each call, as its space's id, a slash and its own.
    Call,
    /// The run it belonged to.
    Run,
    /// Its space.
    Space,
    /// The agent that asked.
    Agent,
    /// The account that asked for it.
    Account,
    /// The model asked.
    Model,
    /// What it was for: reply, title or summary.
    Purpose,
    /// The day it was sent, as YYYY-MM-DD, so many minutes east of UTC.
    Day {
        /// Minutes east of UTC.
        offset_minutes: i32,
    },
}

/// A stretch of time, in milliseconds since 1970. Calls whose time is not known are in one without ends only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// The first moment in it.
    pub from: Option<i64>,
    /// The first moment after it.
    pub to: Option<i64>,
}

/// What some calls used and cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// What they have in common; none if they have no run, agent, account, model or time.
    pub key: Option<String>,
    /// How many there were, with those that failed, were stopped or never ended.
    pub calls: u64,
    /// Tokens of all of them.
    pub usage: Usage,
    /// Money of those whose cost is known.
    pub cost: Cost,
    /// Tokens of those whose cost is not known, so that a sum never looks smaller than it is.
    pub unpriced: Usage,
    /// How many told of no usage.
    pub unreported: u64,
    /// How many told of usage that was counted here.
    pub estimated: u64,
}

const DAY_MS: i64 = 86_400_000;

macro_rules! totals {
    ($key:literal, $filter:literal) => {
        concat!(
            "SELECT ",
            $key,
            ", count(*), CAST(sum(coalesce(c.input, 0)) AS INTEGER), CAST(sum(coalesce(c.output, 0)) AS INTEGER), \
             CAST(sum(coalesce(c.cache_read, 0)) AS INTEGER), CAST(sum(coalesce(c.cache_write, 0)) AS INTEGER), \
             CAST(sum(coalesce(c.cost, 0)) AS INTEGER), \
             CAST(sum(CASE WHEN c.cost IS NULL THEN coalesce(c.input, 0) ELSE 0 END) AS INTEGER), \
             CAST(sum(CASE WHEN c.cost IS NULL THEN coalesce(c.output, 0) ELSE 0 END) AS INTEGER), \
             CAST(sum(CASE WHEN c.cost IS NULL THEN coalesce(c.cache_read, 0) ELSE 0 END) AS INTEGER), \
             CAST(sum(CASE WHEN c.cost IS NULL THEN coalesce(c.cache_write, 0) ELSE 0 END) AS INTEGER), \
             CAST(sum(CASE WHEN c.input IS NULL THEN 1 ELSE 0 END) AS INTEGER), CAST(sum(c.estimated) AS INTEGER) \
             FROM calls c LEFT JOIN spaces s ON s.no = c.space LEFT JOIN entities e ON e.no = c.agent \
             LEFT JOIN entities w ON w.no = c.account \
             WHERE coalesce(c.at, -9223372036854775807) >= ?1 AND coalesce(c.at, -9223372036854775807) < ?2 ",
            $filter,
            " GROUP BY 1 ORDER BY 1"
        )
    };
}

/// The statements for every call, for those of a space, and for those of an account outside of all spaces.
macro_rules! each {
    ($key:literal) => {
        each!($key, $key)
    };
    ($key:literal, $of_one:literal) => {
        [totals!($key, ""), totals!($of_one, "AND c.space = ?3"), totals!($of_one, "AND c.account = ?3 AND c.space IS NULL")]
    };
}

/// Whose calls are summed.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// Those of spaces.
    Scope(&'a Scope),
    /// Those of an account outside of all spaces.
    Alone(&'a EntityId),
}

/// Sums calls of a period.
pub(super) fn totals(tx: &mut Tx<'_>, of: Of<'_>, period: Period, by: By) -> Result<Vec<Total>> {
    const SPACE: &str = "SELECT no FROM spaces WHERE id = ?1";
    let (from, to) = (period.from.unwrap_or(i64::MIN), period.to.unwrap_or(i64::MAX));
    let [all, one, alone] = match by {
        By::Call => each!("coalesce(s.id || '/', '') || c.id"),
        By::Run => each!("c.run"),
        By::Space => each!("s.id"),
        By::Agent => each!("e.id"),
        By::Account => each!("w.id"),
        By::Model => each!("c.model"),
        By::Purpose => each!("CASE c.purpose WHEN 0 THEN 'reply' WHEN 1 THEN 'title' ELSE 'summary' END"),
        By::Day { .. } => each!("(c.at + ?3) / 86400000", "(c.at + ?4) / 86400000"),
    };
    let offset = match by {
        By::Day { offset_minutes } => Some(i64::from(offset_minutes) * 60_000),
        By::Call | By::Run | By::Space | By::Agent | By::Account | By::Model | By::Purpose => None,
    };
    let mut sums = Sums { by, totals: BTreeMap::new() };
    let mut add = |tx: &mut Tx<'_>, sql: &'static str, of: Option<i64>| {
        let mut args = args![from, to].to_vec();
        args.extend(of.into_iter().chain(offset).map(Arg::Int));
        tx.rows(sql, &args, |row| sums.add(row))
    };
    match of {
        Of::Scope(Scope::All) => add(tx, all, None)?,
        Of::Scope(Scope::Spaces(spaces)) => {
            for space in spaces {
                let Some(no) = tx.first(SPACE, args![space.as_str()], |row| row.int(0))? else { continue };
                add(tx, one, Some(no))?;
            }
        }
        Of::Alone(account) => {
            let (no, _) = entity_row(tx, account)?;
            add(tx, alone, Some(no))?;
        }
    }
    Ok(sums.totals.into_values().collect())
}

struct Sums {
    by: By,
    totals: BTreeMap<Option<String>, Total>,
}

impl Sums {
    fn add(&mut self, row: &Row<'_>) -> Result<()> {
        let key = match self.by {
            By::Day { .. } => row.maybe_int(0)?.map(date),
            By::Call | By::Run | By::Space | By::Agent | By::Account | By::Model | By::Purpose => {
                row.maybe_text(0)?.map(str::to_owned)
            }
        };
        let number = |column: usize| row.int(column).map(|number| number as u64);
        let usage = |from: usize| {
            let (input, output) = (number(from)?, number(from + 1)?);
            crate::error::Result::Ok(Usage { input, output, cache_read: number(from + 2)?, cache_write: number(from + 3)? })
        };
        let total = self.totals.entry(key.clone()).or_insert_with(|| Total { key, ..Total::default() });
        total.calls += number(1)?;
        total.usage += usage(2)?;
        total.cost = Cost::sum(total.cost.as_billionths().saturating_add(row.int(6)?));
        total.unpriced += usage(7)?;
        total.unreported += number(11)?;
        total.estimated += number(12)?;
        Ok(())
    }
}

/// The date of a day counted from 1970.
fn date(day: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(day.saturating_mul(DAY_MS)).unwrap_or_default();
    moment.strftime("%Y-%m-%d").to_string()
}
