//! `set_plans`: what an agent will do later.

use super::super::drive::{Drive, DriveError};
use super::super::kept::Answered;
use super::{Came, arguments, text};
use crate::schedule::When;
use serde::Deserialize;
use serde_json::{Value, json};
use weftwork::model::ToolCall;
use weftwork_store::runs::{MindChange, NewPlan, StoredPlan};

/// Characters of a plan's name, and of what it says to do.
const LONGEST_NAME: usize = 200;
const LONGEST: usize = 4_000;

pub(super) fn schema() -> Value {
    let when = json!({
        "runAfter": text("A delay from now, such as \"2 hours\"."),
        "scheduledAt": text("A time, such as \"2026-02-18T17:00:00+01:00\"."),
        "cron": text("A cron line of five fields, such as \"0 9 * * 1-5\"."),
        "timeZone": text("The zone of the cron line, such as \"Europe/Berlin\". UTC without it."),
    });
    let with = |mut fields: Value| {
        if let (Value::Object(fields), Value::Object(when)) = (&mut fields, &when) {
            fields.extend(when.clone());
        }
        fields
    };
    let add = with(json!({"name": text("A short name."), "instruction": text("What to do then.")}));
    let change = with(json!({
        "id": text("The id of the plan."),
        "name": text("A new name."),
        "instruction": text("What to do then instead."),
    }));
    json!({
        "add": {
            "type": "array",
            "items": {"type": "object", "properties": add, "required": ["name", "instruction"]},
            "description": "New plans, each with exactly one of runAfter, scheduledAt and cron.",
        },
        "change": {
            "type": "array",
            "items": {"type": "object", "properties": change, "required": ["id"]},
            "description": "Changes: what is left out stays as it is.",
        },
        "remove": {"type": "array", "items": {"type": "string"}, "description": "The ids of plans to take away."},
    })
}

#[derive(Deserialize)]
struct Edits {
    #[serde(default)]
    add: Vec<Add>,
    #[serde(default)]
    change: Vec<Change>,
    #[serde(default)]
    remove: Vec<String>,
}

#[derive(Deserialize)]
struct Add {
    name: String,
    instruction: String,
    #[serde(flatten)]
    when: When,
}

#[derive(Deserialize)]
struct Change {
    id: String,
    name: Option<String>,
    instruction: Option<String>,
    #[serde(flatten)]
    when: When,
}

impl Drive<'_> {
    pub(super) async fn set_plans(&self, call: &ToolCall, mark: [u8; 32], step: u32) -> Result<Came, DriveError> {
        let edits: Edits = match arguments(call) {
            Ok(edits) => edits,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let agent = self.run.agent.clone();
        let there = self.gateway.stored(move |store| store.plans(&agent)).await?;
        let planned = match self.planned(&edits, &there, step) {
            Ok(planned) => planned,
            Err(why) => return Ok(Came::Answer(Answered::error(call, why))),
        };
        let ids: Vec<String> = planned.iter().map(|plan| format!("{} (id: {})", json!(plan.name), plan.id)).collect();
        let removed = match edits.remove.len() {
            0 => String::new(),
            count => format!(" Removed: {count}."),
        };
        let done =
            format!("Your plans are changed. Set: {}.{removed}", if ids.is_empty() { "none".to_owned() } else { ids.join(", ") });
        self.change_mind(call, mark, step, MindChange::Plans(planned, edits.remove), &done).await
    }

    /// What the edits ask for, all of it or nothing.
    fn planned(&self, edits: &Edits, there: &[StoredPlan], step: u32) -> Result<Vec<NewPlan>, String> {
        let now = self.gateway.now();
        let mut planned = Vec::new();
        for (place, add) in edits.add.iter().enumerate() {
            // The same step names the same plan, however often it is tried.
            let id = format!("plan-{}-{step}-{place}", &self.run.id.as_str().chars().take(12).collect::<String>());
            planned.push(self.plan(id, add.name.clone(), add.instruction.clone(), &add.when, now)?);
        }
        for change in &edits.change {
            let known = there.iter().find(|plan| plan.id == change.id);
            let known = known.ok_or_else(|| format!("None of your plans has the id {}.", json!(change.id)))?;
            let name = change.name.clone().unwrap_or_else(|| known.name.clone());
            let instruction = change.instruction.clone().unwrap_or_else(|| known.instruction.clone());
            planned.push(match change.when == When::default() {
                false => self.plan(known.id.clone(), name, instruction, &change.when, now)?,
                true => NewPlan {
                    id: known.id.clone(),
                    name: checked("name", name, LONGEST_NAME)?,
                    instruction: checked("instruction", instruction, LONGEST)?,
                    schedule: known.schedule.clone(),
                    next_fire: known.next_fire,
                    chain: None,
                },
            });
        }
        match edits.remove.iter().find(|id| there.iter().all(|plan| plan.id != **id)) {
            Some(unknown) => Err(format!("None of your plans has the id {}.", json!(unknown))),
            None => Ok(planned),
        }
    }

    fn plan(&self, id: String, name: String, instruction: String, when: &When, now: i64) -> Result<NewPlan, String> {
        let schedule = when.read(now).map_err(|error| error.to_string())?;
        let next_fire = schedule.first(now);
        Ok(NewPlan {
            id,
            name: checked("name", name, LONGEST_NAME)?,
            instruction: checked("instruction", instruction, LONGEST)?,
            schedule: schedule.to_text(),
            next_fire,
            chain: None,
        })
    }
}

fn checked(what: &str, text: String, longest: usize) -> Result<String, String> {
    match text.chars().count() {
        _ if text.trim().is_empty() => Err(format!("A plan needs its {what}.")),
        _ if text.contains('\0') => Err(format!("The {what} of a plan holds a NUL character.")),
        length if length > longest => Err(format!("The {what} of a plan has {length} characters; {longest} are allowed.")),
        _ => Ok(text),
    }
}
