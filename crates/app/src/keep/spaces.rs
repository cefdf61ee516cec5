//! `weft spaces`: what there is.

use super::args::{ListArgs, SpacesArgs, SpacesCommand};
use super::show::show;
use super::when::minute;
use crate::exit::Outcome;
use crate::number::grouped;
use crate::output;
use crate::preview::plain;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::Timestamp;
use weftwork_store::Listed;

/// Lists the spaces, or shows one.
pub(crate) fn run(args: &SpacesArgs) -> Result<Outcome> {
    match &args.command {
        Some(SpacesCommand::Show(args)) => show(args),
        Some(SpacesCommand::Team(command)) => crate::team::space(command),
        None => list(&args.list),
    }
}

fn list(args: &ListArgs) -> Result<Outcome> {
    let spaces = args.place.read()?.spaces()?;
    if args.json {
        let spaces: Vec<Value> = spaces.iter().map(record).collect();
        output::line(&serde_json::to_vec(&spaces)?)?;
    } else if spaces.is_empty() {
        output::say("there are no spaces yet: begin with weft import FILE, weft spaces create NAME, weft chat or weft demo\n");
    } else {
        output::data(table(&spaces).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

fn record(space: &Listed) -> Value {
    let last = Timestamp::from_millis(space.last);
    json!({"id": space.id, "name": space.name, "nodes": space.nodes, "members": space.members, "last": last})
}

fn table(spaces: &[Listed]) -> String {
    let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Right, Align::Left, Align::Left]);
    table.row(Ink::Faint, ["space", "nodes", "members", "last message", "name"].map(str::to_owned));
    for space in spaces {
        let last = minute(Timestamp::from_millis(space.last).as_ref());
        let (id, name) = (plain(space.id.as_str()), plain(&space.name));
        table.row(Ink::Plain, [id, grouped(space.nodes), grouped(space.members), last, name]);
    }
    table.show(Style::stdout())
}
