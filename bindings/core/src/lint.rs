//! A request proved valid, offline.

use crate::{Fault, Shape};
use serde::Serialize;
use serde_json::{Value, json};
use weftwork::dialect::Dialect;
use weftwork::lint::Severity;

#[derive(Serialize)]
struct Finding {
    path: String,
    rule: &'static str,
    severity: &'static str,
    message: String,
    fix: String,
}

/// The findings on a request body, as a JSON list. A list stands for a body of nothing but messages.
pub fn lint(body: &str, dialect: &str) -> Result<String, Fault> {
    let dialect: Dialect = dialect.parse().map_err(|what| Fault::InvalidOption { what })?;
    let body: Value = serde_json::from_str(body).map_err(|error| Fault::InvalidInput { what: error.to_string() })?;
    let body = match (body, Shape::named(dialect.word())) {
        (Value::Array(messages), Ok(shape)) => json!({ shape.list(): messages }),
        (body, _) => body,
    };
    let findings: Vec<Finding> = weftwork::lint::lint(&body, dialect).into_iter().map(told).collect();
    Ok(serde_json::to_string(&findings).unwrap_or_default())
}

fn told(finding: weftwork::lint::Finding) -> Finding {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    Finding { path: finding.path, rule: finding.rule.name(), severity, message: finding.message, fix: finding.fix }
}
