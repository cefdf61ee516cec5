//! `weft lint`: a request body held against the rules of an API.

use crate::cli::LintArgs;
use crate::exit::Outcome;
use crate::input::Source;
use crate::number::many;
use crate::output;
use crate::preview::plain;
use crate::style::{Ink, Style};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use weftwork::dialect::Dialect;
use weftwork::lint::{Finding, Severity, lint};

/// Lints and prints each finding.
pub(crate) fn run(args: &LintArgs) -> Result<Outcome> {
    let source = Source::or_stdin(args.file.as_ref())?;
    let body = body(&source, args.dialect)?;
    let findings = lint(&body, args.dialect);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count() as u64;
    let written = if args.json {
        output::line(&serde_json::to_vec_pretty(&findings.iter().map(record).collect::<Vec<_>>())?)
    } else {
        output::data(findings.iter().map(|finding| tell(finding, Style::stdout())).collect::<String>().as_bytes())
    };
    let warnings = findings.len() as u64 - errors;
    let verdict = if errors > 0 { "is refused" } else { "is valid" };
    let counts = format!("{}, {}", many(errors, "error"), many(warnings, "warning"));
    output::say(&format!("{source} {verdict} for {}: {counts}\n", args.dialect));
    written?;
    Ok(if errors > 0 { Outcome::Findings } else { Outcome::Ok })
}

/// The body. A text is one string; everything else is JSON.
fn body(source: &Source, dialect: Dialect) -> Result<Value> {
    let bytes = source.read()?;
    match dialect {
        Dialect::Text => Ok(Value::String(String::from_utf8(bytes).with_context(|| source.to_string())?)),
        Dialect::OpenAi
        | Dialect::Responses
        | Dialect::Anthropic
        | Dialect::Gemini
        | Dialect::Ollama
        | Dialect::Completions
        | Dialect::AiSdk
        | Dialect::Messages => serde_json::from_slice(&bytes).with_context(|| format!("{source}: not a JSON request body")),
    }
}

fn severity(finding: &Finding) -> (&'static str, Ink) {
    match finding.severity {
        Severity::Error => ("error", Ink::Bad),
        Severity::Warning => ("warning", Ink::Notice),
    }
}

fn record(finding: &Finding) -> Value {
    json!({
        "path": finding.path,
        "rule": finding.rule.name(),
        "severity": severity(finding).0,
        "message": finding.message,
        "fix": finding.fix,
    })
}

fn tell(finding: &Finding, style: Style) -> String {
    let (word, ink) = severity(finding);
    let head = format!("{}: {}", style.paint(ink, word), style.paint(Ink::Strong, finding.rule.name()));
    format!("{} {head}\n    {}\n    fix: {}\n", plain(&finding.path), plain(&finding.message), plain(&finding.fix))
}
