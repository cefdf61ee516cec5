//! Tools as callers have them: OpenAI's, nested or flat, Anthropic's, or the engine's own.

use crate::Fault;
use serde_json::Value;
use weftwork::model::{Json, Tool};

/// Reads a list of tools. Tools that a provider runs itself have no schema and cost what nobody knows: they are left out.
pub(crate) fn tools(list: &[Value]) -> Result<Vec<Tool>, Fault> {
    let found: Result<Vec<_>, _> = list.iter().enumerate().map(|(at, tool)| one(at, tool)).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn one(at: usize, tool: &Value) -> Result<Option<Tool>, Fault> {
    let inner = tool.get("function").filter(|function| function.is_object()).unwrap_or(tool);
    let schema = ["parameters", "input_schema", "inputSchema"].iter().find_map(|key| inner.get(key));
    let own = tool.get("type").and_then(Value::as_str).is_some_and(|kind| !["function", "custom"].contains(&kind));
    let Some(name) = inner.get("name").and_then(Value::as_str) else {
        return if own { Ok(None) } else { Err(Fault::option(format!("tools[{at}] needs a \"name\""))) };
    };
    if own && schema.is_none() {
        return Ok(None);
    }
    let description = inner.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let empty = serde_json::json!({"type": "object"});
    Ok(Some(Tool { name: name.to_owned(), description, input_schema: Json::of(schema.unwrap_or(&empty)) }))
}
