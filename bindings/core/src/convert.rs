//! A conversation in another format, and what was lost on the way.

use crate::{Fault, Options, Shape};
use serde_json::{Value, json};
use weftwork::ask::{Ask, Cache, Check, Settings, Strategy};
use weftwork::dialect::Dialect;
use weftwork::formats::{ExportFormat, Import, LossReport, export_all, import};
use weftwork::{History, assemble};

/// More tokens than any conversation has.
const NO_LIMIT: u64 = 1 << 40;

/// A conversation in another format.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The bytes.
    pub data: Vec<u8>,
    /// A JSON list of what was mapped or dropped, and of what was repaired.
    pub loss: String,
}

/// Converts conversations into a file format, or one conversation into a request of an API.
pub fn convert(bytes: &[u8], to: &str, options: &Options) -> Result<Converted, Fault> {
    let format = match (options.named_shape()?, std::str::from_utf8(bytes)) {
        (Some(shape), _) => Some(shape.format()),
        (None, Ok(text)) if options.format.is_none() && text.starts_with('[') => Shape::tell(text).map(Shape::format),
        (None, _) => options.format,
    };
    let import = import(bytes, format, Check::Repair)?;
    match (to.parse::<ExportFormat>(), to.parse::<Dialect>()) {
        (Ok(format), _) => Ok(exported(&import, format)),
        (Err(_), Ok(dialect)) => rendered(import, dialect, options),
        (Err(_), Err(_)) => {
            let words = ExportFormat::ALL.iter().map(|one| one.word()).chain(Dialect::ALL.iter().map(|one| one.word()));
            Err(Fault::option(format!("to {to:?} is none of: {}", words.collect::<Vec<_>>().join(", "))))
        }
    }
}

fn exported(import: &Import, format: ExportFormat) -> Converted {
    let (data, out) = export_all(&import.conversations, format);
    let lines = lines(&import.loss).chain(lines(&out)).collect();
    Converted { data, loss: Value::Array(lines).to_string() }
}

fn rendered(mut import: Import, dialect: Dialect, options: &Options) -> Result<Converted, Fault> {
    if import.conversations.len() != 1 {
        let what = format!("{} conversations, and a request holds one", import.conversations.len());
        return Err(Fault::InvalidInput { what });
    }
    let history = History::new(import.conversations.swap_remove(0))?;
    let asked = options.ask()?;
    let settings = Settings {
        context_length: asked.settings.context_length.or(Some(NO_LIMIT)),
        truncation_strategy: asked.settings.truncation_strategy.or(Some(Strategy::StopAtLimit)),
        cache: asked.settings.cache.or(Some(Cache::Off)),
        ..asked.settings
    };
    let assembly = assemble(&history, &Ask { dialect: Some(dialect), settings, ..asked })?;
    let repairs = assembly.report.repairs.iter().map(
        |repair| json!({"outcome": "repaired", "what": repair.kind, "note": repair.detail, "count": 1, "first": repair.node}),
    );
    let loss = lines(&import.loss).chain(repairs).collect();
    Ok(Converted { data: assembly.request, loss: Value::Array(loss).to_string() })
}

fn lines(loss: &LossReport) -> impl Iterator<Item = Value> + '_ {
    let told = loss.lines.iter().filter(|line| line.outcome != weftwork::formats::Outcome::Kept);
    told.map(|line| serde_json::to_value(line).unwrap_or_default())
}
