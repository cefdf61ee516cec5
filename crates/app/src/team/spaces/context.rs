//! `weft spaces context`: what an agent would be sent if it ran now.

use super::super::args::ContextArgs;
use super::super::gate::Gate;
use super::super::who::member;
use crate::exit::Outcome;
use crate::explain::explain;
use crate::keep::find_space;
use crate::output;
use crate::preview::message;
use crate::style::{Ink, Style};
use anyhow::{Result, bail};
use serde_json::Value;
use weftwork::model::EntityKind;
use weftwork_gateway::{GatewayError, RunPreview};

/// Weaves the request, and prints it in one of its forms.
pub(super) fn context(args: &ContextArgs) -> Result<Outcome> {
    let gate = Gate::open(&args.db)?;
    let space = find_space(gate.store(), &args.space)?;
    let agent = member(gate.store(), &space, Some(&args.agent))?;
    if agent.kind != EntityKind::Agent {
        bail!("{} is a {}: only agents are sent anything", agent.name, agent.kind.word());
    }
    let preview = gate.runtime.block_on(gate.gateway.preview_run(&space, &agent.id)).map_err(|error| match error {
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
        output::data(readable(&preview, Style::stdout())?.as_bytes())?;
    }
    let why = match &preview.run {
        Some(run) => format!("run {run} is due: this is what it will be sent"),
        None => "no run is due: this is what the newest message of somebody else would lead to".to_owned(),
    };
    output::say(&format!("{why} (model {})\n", preview.model));
    Ok(Outcome::Ok)
}

/// The system text and the messages, one after the other.
fn readable(preview: &RunPreview, style: Style) -> Result<String> {
    let body: Value = serde_json::from_slice(&preview.neutral)?;
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
    Ok(text.trim_end().to_owned() + "\n")
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
