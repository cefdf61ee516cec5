//! A rule is a line of data: the smallest body that breaks it, and where.

mod ai_sdk;
mod anthropic;
mod gemini;
mod messages;
mod mutation;
mod ollama;
mod openai;
mod peers;
mod picture;
mod plain;
mod responses;

use std::collections::HashSet;

use serde_json::Value;

use super::{Rule, Severity, lint};
use crate::dialect::Dialect;

/// One body and the findings it must give, in order.
#[derive(Clone)]
struct Row {
    name: &'static str,
    body: Value,
    expected: Vec<(&'static str, Rule)>,
}

fn row(name: &'static str, body: Value, expected: &[(&'static str, Rule)]) -> Row {
    Row { name, body, expected: expected.to_vec() }
}

/// The findings of `body` as path and rule.
fn found(body: &Value, target: Dialect) -> Vec<(String, Rule)> {
    let findings = lint(body, target);
    for finding in &findings {
        assert!(!finding.message.is_empty() && !finding.fix.is_empty());
        assert!(finding.message.len() < 400, "{}", finding.message);
    }
    findings.into_iter().map(|f| (f.path, f.rule)).collect()
}

fn check(target: Dialect, rows: &[Row]) {
    for row in rows {
        let found = found(&row.body, target);
        let found: Vec<_> = found.iter().map(|(path, rule)| (path.as_str(), *rule)).collect();
        assert_eq!(found, row.expected, "{target:?}: {}", row.name);
    }
}

/// The findings of one severity.
fn of(severity: Severity, body: &Value, target: Dialect) -> Vec<Rule> {
    let findings = lint(body, target).into_iter();
    findings.filter(|f| f.severity == severity).map(|f| f.rule).collect()
}

const TARGETS: [Dialect; 9] = [
    Dialect::OpenAi,
    Dialect::Responses,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::Ollama,
    Dialect::Completions,
    Dialect::AiSdk,
    Dialect::Text,
    Dialect::Messages,
];

fn rows(target: Dialect) -> Vec<Row> {
    match target {
        Dialect::OpenAi => openai::rows(),
        Dialect::Responses => responses::rows(),
        Dialect::Anthropic => anthropic::rows(),
        Dialect::Gemini => gemini::rows(),
        Dialect::Ollama => ollama::rows(),
        Dialect::Completions => plain::completions(),
        Dialect::AiSdk => ai_sdk::rows(),
        Dialect::Text => plain::text(),
        Dialect::Messages => messages::rows(),
    }
}

/// Rows too large to be built more than once.
fn limits(target: Dialect) -> Vec<Row> {
    match target {
        Dialect::Responses => responses::limits(),
        Dialect::Anthropic => anthropic::limits(),
        _ => Vec::new(),
    }
}

/// A body that uses everything the target has.
fn valid(target: Dialect) -> Value {
    match target {
        Dialect::OpenAi => openai::valid(),
        Dialect::Responses => responses::valid(),
        Dialect::Anthropic => anthropic::valid(),
        Dialect::Gemini => gemini::valid(),
        Dialect::Ollama => ollama::valid(),
        Dialect::Completions => plain::valid_completions(),
        Dialect::AiSdk => ai_sdk::valid(),
        Dialect::Text => plain::valid_text(),
        Dialect::Messages => messages::valid(),
    }
}

#[test]
fn each_row_gives_its_findings_and_every_rule_has_a_row() {
    let mut broken = HashSet::new();
    for target in TARGETS {
        let rows = [rows(target), limits(target)].concat();
        check(target, &rows);
        broken.extend(rows.iter().flat_map(|row| &row.expected).map(|(_, rule)| *rule));
    }
    let untested: Vec<_> = Rule::ALL.iter().filter(|rule| !broken.contains(rule)).collect();
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn a_valid_body_gives_no_finding() {
    for target in TARGETS {
        assert_eq!(lint(&valid(target), target), [], "{target:?}");
    }
}

#[test]
fn names_are_unique_and_camel_case() {
    let names: HashSet<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(names.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        let variant = format!("{rule:?}");
        assert!(rule.name()[1..] == variant[1..] && rule.name().starts_with(|c: char| c.is_ascii_lowercase()));
        assert!(rule.sentence().ends_with('.'));
    }
}
