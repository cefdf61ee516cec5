//! What calls used and cost.

use super::ask::query;
use super::server::Server;
use crate::keep::{Ledger, sum};
use anyhow::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use weftwork::model::{NodeId, SpaceId, Timestamp, Usage};
use weftwork_store::{Cost, Line, LineReason, Period, Total};

#[derive(Deserialize)]
struct Used {
    rows: Vec<ShownTotal>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownTotal {
    key: Option<String>,
    calls: u64,
    usage: Usage,
    cost_usd: f64,
    unpriced: Usage,
    unreported: u64,
    estimated: u64,
}

impl From<ShownTotal> for Total {
    fn from(total: ShownTotal) -> Total {
        let ShownTotal { key, calls, usage, cost_usd, unpriced, unreported, estimated } = total;
        Total { key, calls, usage, cost: Cost::from_usd(cost_usd), unpriced, unreported, estimated }
    }
}

#[derive(Deserialize)]
struct Accounting {
    window: u64,
    cumulative: Usage,
    lines: Vec<ShownLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownLine {
    node: NodeId,
    reason: String,
    words: Option<String>,
    left: Option<u64>,
    so_far: Usage,
}

impl From<ShownLine> for Line {
    fn from(line: ShownLine) -> Line {
        let ShownLine { node, reason, words, left, so_far } = line;
        let reason = match reason.as_str() {
            "edit" => LineReason::Edit,
            "retry" => LineReason::Retry,
            _ => LineReason::Told(words),
        };
        Line { node, reason, left, so_far }
    }
}

impl Server {
    /// Sums by a word of the API, in some spaces or in all of one's own.
    pub(crate) fn totals(&self, spaces: &[SpaceId], period: Period, by: &str) -> Result<Vec<Total>> {
        let time = |millis: Option<i64>| millis.and_then(Timestamp::from_millis).map(|time| time.to_string());
        let asked = |space: Option<&SpaceId>| -> Result<Used> {
            let space = space.map(|space| space.as_str().to_owned());
            let times = [("since", time(period.from)), ("until", time(period.to))];
            self.get(&["usage"], query([("by", Some(by.to_owned())), ("space", space), times[0].clone(), times[1].clone()]))
        };
        let each: Vec<Used> = match spaces {
            [] => vec![asked(None)?],
            spaces => spaces.iter().map(|space| asked(Some(space))).collect::<Result<_>>()?,
        };
        let mut rows: BTreeMap<Option<String>, Total> = BTreeMap::new();
        for total in each.into_iter().flat_map(|used| used.rows).map(Total::from) {
            let key = total.key.clone();
            let both = sum(rows.get(&key).into_iter().chain([&total]));
            rows.insert(key.clone(), Total { key, ..both });
        }
        Ok(rows.into_values().collect())
    }

    /// What is known of one space besides its calls.
    pub(crate) fn ledger(&self, space: &SpaceId) -> Result<Ledger> {
        let found: Accounting = self.get(&["spaces", space.as_str(), "accounting"], Vec::new())?;
        let Accounting { window, cumulative, lines } = found;
        Ok(Ledger { window, cumulative, lines: lines.into_iter().map(Line::from).collect() })
    }
}
