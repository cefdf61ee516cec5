//! `weft spaces context`: what an agent would be sent if it ran now.

use super::super::args::ContextArgs;
use super::super::gate::Gate;
use super::super::who::member_of;
use super::member::members;
use crate::exit::Outcome;
use crate::explain::explain;
use crate::output;
use crate::preview::message;
use crate::remote::{Place, Server};
use crate::style::{Ink, Style};
use anyhow::{Result, bail};
use serde_json::Value;
use weftwork::model::{EntityId, EntityKind, SpaceId};
use weftwork_gateway::GatewayError;

/// Weaves the request, and prints it in one of its forms.
pub(super) fn context(args: &ContextArgs) -> Result<Outcome> {
    let place = args.place.change()?;
    let space = place.find_space(&args.space)?;
    let agent = member_of(&members(&place, &space)?, &space, &args.agent)?;
    if agent.kind != EntityKind::Agent {
        bail!("{} is a {}: only agents are sent anything", agent.name, agent.kind.word());
    }
    let (run, model) = match place {
        Place::Here(store) => here(&Gate::on(store)?, &space, &agent.id, args)?,
        Place::There(server) => there(&server, &space, &agent.id, args)?,
    };
    let why = match run {
        Some(run) => format!("run {run} is due: this is what it will be sent"),
        None => "no run is due: this is what the newest message of somebody else would lead to".to_owned(),
    };
    output::say(&format!("{why} (model {model})\n"));
    Ok(Outcome::Ok)
}

fn here(gate: &Gate, space: &SpaceId, agent: &EntityId, args: &ContextArgs) -> Result<(Option<String>, String)> {
    let preview = gate.runtime.block_on(gate.gateway.preview_run(space, agent)).map_err(|error| match error {
        GatewayError::Assemble(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    let report = &preview.assembly.report;
    if args.json {
        output::line(&preview.assembly.request)?;
    } else if args.report {
        output::line(&serde_json::to_vec_pretty(report)?)?;
    } else if args.explain {
        output::data(explain(&preview.history, report, Style::stdout()).as_bytes())?;
    } else {
        output::data(readable(&serde_json::from_slice(&preview.neutral)?, Style::stdout()).as_bytes())?;
    }
    Ok((preview.run.map(|run| run.to_string()), preview.model))
}

fn there(server: &Server, space: &SpaceId, agent: &EntityId, args: &ContextArgs) -> Result<(Option<String>, String)> {
    if args.explain {
        return server.refuse("--explain", "--report tells the same as JSON, and the page draws it");
    }
    let preview = server.preview(agent, space)?;
    if args.json {
        output::line(&serde_json::to_vec(&preview.request)?)?;
    } else if args.report {
        output::line(&serde_json::to_vec_pretty(&preview.report)?)?;
    } else {
        output::data(readable(&preview.neutral, Style::stdout()).as_bytes())?;
    }
    Ok((preview.run, preview.model))
}

/// The system text and the messages, one after the other.
fn readable(body: &Value, style: Style) -> String {
    let mut text = String::new();
    let mut section = |heading: &str, said: &str| {
        if !said.is_empty() {
            text += &format!("{}\n{}\n\n", style.paint(Ink::Strong, heading), message(said.trim_end()));
        }
    };
    section("── system", body["system"].as_str().unwrap_or_default());
    for one in body["messages"].as_array().into_iter().flatten() {
        let role = format!("── {}", one["role"].as_str().unwrap_or_default());
        section(&role, &content(&one["content"]));
    }
    let tools: Vec<&str> = body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    section("── tools", &tools.join(", "));
    text.trim_end().to_owned() + "\n"
}

fn content(content: &Value) -> String {
    let part = |part: &Value| match part["type"].as_str() {
        Some("text") => part["text"].as_str().unwrap_or_default().to_owned(),
        _ => part.to_string(),
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
