//! `weft agents`: all of them in a table.

use crate::exit::Outcome;
use crate::keep::ListArgs;
use crate::number::grouped;
use crate::output;
use crate::preview::plain;
use crate::remote::{Mind, Place, Server};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::{Entity, EntityKind, SpaceRef};
use weftwork_store::Store;

/// An agent, and what it has to do.
struct Row {
    agent: Entity,
    spaces: Vec<SpaceRef>,
    runs: u64,
    /// Plans that will fire; none if they are not told.
    plans: Option<u64>,
}

/// Lists the agents.
pub(super) fn list(args: &ListArgs) -> Result<Outcome> {
    let rows: Vec<Row> = match args.place.read()? {
        Place::Here(store) => {
            let agents = store.entities(EntityKind::Agent)?.into_iter();
            agents.map(|agent| row(&store, agent)).collect::<Result<_>>()?
        }
        Place::There(server) => server.minds()?.into_iter().map(|mind| row_there(&server, mind)).collect::<Result<_>>()?,
    };
    if args.json {
        output::line(&serde_json::to_vec(&rows.iter().map(record).collect::<Vec<_>>())?)?;
    } else if rows.is_empty() {
        output::say("No agents yet. Make one: weft agents add Analyst --space SPACE\n");
    } else {
        output::data(table(&rows).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

fn row(store: &Store, agent: Entity) -> Result<Row> {
    let spaces = store.belonging(&agent.id)?.spaces;
    let runs = store.open_runs(&agent.id)?.len() as u64;
    let plans = store.plans(&agent.id)?.iter().filter(|plan| plan.next_fire.is_some()).count() as u64;
    Ok(Row { agent, spaces, runs, plans: Some(plans) })
}

fn row_there(server: &Server, mind: Mind) -> Result<Row> {
    let plans = if mind.managed { Some(server.plans(&mind.agent)?) } else { None };
    let plans = plans.map(|plans| plans.iter().filter(|plan| plan.next.is_some()).count() as u64);
    let Mind { agent, spaces, open_runs, .. } = mind;
    Ok(Row { agent, spaces, runs: open_runs, plans })
}

fn record(row: &Row) -> Value {
    let Entity { id, name, model, external, loom_aware, .. } = &row.agent;
    let space = |space: &SpaceRef| json!({"id": space.id, "name": space.name});
    json!({"id": id, "name": name, "model": model, "external": external, "loomAware": loom_aware,
        "spaces": row.spaces.iter().map(space).collect::<Vec<_>>(), "openRuns": row.runs, "plans": row.plans})
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::of_ids(&[Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left]);
    table.row(Ink::Faint, ["agent", "name", "model", "open runs", "plans", "spaces"].map(str::to_owned));
    for Row { agent, spaces, runs, plans } in rows {
        let model = match (agent.external, &agent.model) {
            (true, _) => "(external)".to_owned(),
            (false, Some(model)) => plain(model),
            (false, None) => "(usual)".to_owned(),
        };
        let spaces: Vec<String> = spaces.iter().map(shown).collect();
        let cells = [
            plain(agent.id.as_str()),
            plain(&agent.name),
            model,
            grouped(*runs),
            plans.map_or("-".to_owned(), grouped),
            spaces.join(", "),
        ];
        table.row(Ink::Plain, cells);
    }
    table.show(Style::stdout())
}

/// A space by its name, or by its id if it has none.
pub(super) fn shown(space: &SpaceRef) -> String {
    plain(if space.name.is_empty() { space.id.as_str() } else { &space.name })
}
