//! What was used and paid: in the spaces that one belongs to, and by one's own calls through the drop-in endpoints.

use super::spaces::SpacePath;
use crate::keep::{since, sum, until};
use crate::serve::web::{About, Api, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weftwork::model::{NodeId, SpaceId, Usage};
use weftwork_store::{By, Line, LineReason, Period, Scope, Total};

const GROUP: &str = "Usage";
/// Minutes that a clock can be ahead of UTC or behind it.
const FARTHEST: i32 = 24 * 60;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, says| About::new(GROUP, name, Need::Read, says);
    api.on(
        Verb::Get,
        "/api/usage",
        about("usage", "Tokens and money of your spaces and of your own calls, summed by what you want to know."),
        usage,
    )
    .on(
        Verb::Get,
        "/api/spaces/{space}/accounting",
        about("accounting", "Where edits and retries left something behind on a path, and what had been used by then."),
        accounting,
    )
}

/// What calls are summed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum SummedBy {
    /// Which model was asked.
    #[default]
    Model,
    /// Where.
    Space,
    /// Which agent asked.
    Agent,
    /// Whose account asked.
    Account,
    /// When.
    Day,
    /// What for.
    Purpose,
    /// The run they belong to.
    Run,
    /// Each on its own.
    Call,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UsageQuery {
    /// model, space, agent, account, day, purpose, run or call; model if not given.
    #[serde(default)]
    by: SummedBy,
    /// From this day (UTC) or moment on: 2026-02-18 or 2026-02-18T14:50:00Z.
    since: Option<String>,
    /// Up to the end of this day, or before this moment.
    until: Option<String>,
    /// Only in this space.
    space: Option<SpaceId>,
    /// Minutes that your days are ahead of those of UTC.
    #[serde(default)]
    #[schemars(range(min = -1440, max = 1440))]
    offset_minutes: i32,
}

/// What some calls used and cost.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownTotal {
    /// What they have in common; none if they have none of it.
    key: Option<String>,
    /// How many, with those that failed or were stopped.
    calls: u64,
    /// Tokens, in disjoint buckets.
    usage: Usage,
    /// US dollars of those whose price is known.
    cost_usd: f64,
    /// Tokens of those whose price is not known.
    unpriced: Usage,
    /// How many told of no usage.
    unreported: u64,
    /// How many were counted here.
    estimated: u64,
}

impl From<Total> for ShownTotal {
    fn from(total: Total) -> ShownTotal {
        let Total { key, calls, usage, cost, unpriced, unreported, estimated } = total;
        ShownTotal { key, calls, usage, cost_usd: cost.usd(), unpriced, unreported, estimated }
    }
}

/// What was used.
#[derive(Serialize, JsonSchema)]
struct Used {
    by: SummedBy,
    rows: Vec<ShownTotal>,
    /// All of them together.
    total: ShownTotal,
}

async fn usage(cx: Cx, input: Input<(), UsageQuery>) -> Done<Used> {
    let UsageQuery { by, since: from, until: to, space, offset_minutes } = input.query;
    if offset_minutes.abs() > FARTHEST {
        return Err(Problem::bad("offsetMinutes", format!("from -{FARTHEST} to {FARTHEST}")));
    }
    let moment = |name: &'static str, text: Option<String>, read: fn(&str) -> Result<i64, String>| {
        text.map(|text| read(&text).map_err(|error| Problem::bad(name, error))).transpose()
    };
    let period = Period { from: moment("since", from, since)?, to: moment("until", to, until)? };
    if let Some(space) = &space {
        cx.house.member(cx.who.entity(), space).await?;
    }
    let (who, summed) = (cx.who.entity().clone(), kept_as(by, offset_minutes));
    let totals = cx
        .house
        .stored(move |store| {
            if let Some(space) = &space {
                return store.totals(&Scope::one(space), period, summed);
            }
            let spaces = store.belonging(&who)?.spaces.into_iter().map(|space| space.id).collect();
            let mut totals = store.totals(&Scope::Spaces(spaces), period, summed)?;
            totals.extend(store.totals_of(&who, period, summed)?);
            Ok(totals)
        })
        .await?;
    let mut rows: BTreeMap<Option<String>, Total> = BTreeMap::new();
    for total in totals {
        let key = total.key.clone();
        let both = sum(rows.get(&key).into_iter().chain([&total]));
        rows.insert(key.clone(), Total { key, ..both });
    }
    let total = sum(rows.values()).into();
    Ok(Used { by, rows: rows.into_values().map(ShownTotal::from).collect(), total }.into())
}

fn kept_as(by: SummedBy, offset_minutes: i32) -> By {
    match by {
        SummedBy::Model => By::Model,
        SummedBy::Space => By::Space,
        SummedBy::Agent => By::Agent,
        SummedBy::Account => By::Account,
        SummedBy::Day => By::Day { offset_minutes },
        SummedBy::Purpose => By::Purpose,
        SummedBy::Run => By::Run,
        SummedBy::Call => By::Call,
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AccountingQuery {
    /// Where the path ends; your head if not given.
    head: Option<NodeId>,
}

/// Where something was left behind.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownLine {
    /// The node of the path that it stands before; of a line from a file, its own node.
    node: NodeId,
    /// edit, retry, or told: by a file.
    reason: &'static str,
    /// The file's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// How many nodes were left behind, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
    /// Everything the space had used by then.
    so_far: Usage,
}

impl From<Line> for ShownLine {
    fn from(line: Line) -> ShownLine {
        let (reason, words) = match line.reason {
            LineReason::Edit => ("edit", None),
            LineReason::Retry => ("retry", None),
            LineReason::Told(words) => ("told", words),
        };
        ShownLine { node: line.node, reason, words, left: line.left, so_far: line.so_far }
    }
}

/// What a space has used, along a path.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Accounting {
    /// Tokens in the context window at the end of the path.
    window: u64,
    /// Everything the space has used.
    cumulative: Usage,
    /// In the order of the path.
    lines: Vec<ShownLine>,
}

async fn accounting(cx: Cx, input: Input<SpacePath, AccountingQuery>) -> Done<Accounting> {
    let (who, space, head) = (cx.who.entity().clone(), input.path.space, input.query.head);
    cx.house.member(&who, &space).await?;
    let found = cx.house.stored(move |store| {
        let head = match head {
            Some(head) => Some(head),
            None => store.head(&space, Some(&who))?,
        };
        let lines = store.accounting_lines(&space, head.as_ref())?.into_iter().map(ShownLine::from).collect();
        Ok(Accounting { window: store.context_window(&space, head.as_ref())?, cumulative: store.cumulative(&space)?, lines })
    });
    Ok(found.await?.into())
}
