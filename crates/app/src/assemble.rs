//! `weft assemble`: the request on stdout, the report in a file, the picture on stderr.

use crate::cli::AssembleArgs;
use crate::exit::Outcome;
use crate::explain::explain;
use crate::style::Style;
use crate::{ask, input, keep, output};
use anyhow::{Context, Result, bail};
use std::path::Path;
use weftwork::ask::Check;
use weftwork::report::{Report, Warning, WarningKind};
use weftwork::{History, assemble};
use weftwork_store::StoreError;

/// Assembles and prints.
pub(crate) fn run(args: &AssembleArgs) -> Result<Outcome> {
    match &args.space {
        Some(space) => of_space(args, space),
        None => of_file(args),
    }
}

fn of_file(args: &AssembleArgs) -> Result<Outcome> {
    let loaded = input::load(&args.input, if args.strict { Check::Strict } else { Check::Repair })?;
    let unknown = loaded.unknown_fields();
    loaded.warn_of_loss();
    whole(args, &loaded.history(&args.input)?, unknown)
}

/// A report of each node needs all of them; the request alone needs no more than the window holds.
fn of_space(args: &AssembleArgs, space: &str) -> Result<Outcome> {
    let store = args.db.read()?;
    let space = keep::find_space(&store, space)?;
    if args.report.is_some() || args.explain {
        return whole(args, &History::new(store.export(&space)?)?, Vec::new());
    }
    let ask = ask::ask(args, &store.header(&space)?)?;
    let assembly = store.assemble(&space, &ask).map_err(|error| match error {
        StoreError::Assemble(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    output::line(&assembly.request)?;
    warn(&assembly.report);
    Ok(Outcome::Ok)
}

fn whole(args: &AssembleArgs, history: &History, unknown: Vec<String>) -> Result<Outcome> {
    let ask = ask::ask(args, history.file())?;
    let mut assembly = assemble(history, &ask)?;
    let warnings = unknown.into_iter().map(|detail| Warning { kind: WarningKind::UnknownField, detail });
    assembly.report.warnings.extend(warnings);
    if args.report.is_some() || args.explain {
        assembly.report.items = assembly.each_node(history);
    }
    let (request, report) = (&assembly.request, &assembly.report);
    if let Some(path) = &args.report {
        write_report(path, report)?;
    }
    let written = output::line(request);
    // A reader that had enough of the request may still want to know how it came about.
    if args.explain {
        output::say(&explain(history, report, Style::stderr()));
    } else {
        warn(report);
    }
    written?;
    Ok(Outcome::Ok)
}

fn write_report(path: &Path, report: &Report) -> Result<()> {
    if path.as_os_str() == "-" {
        bail!("--report - would mix the report with the request: name a file");
    }
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    std::fs::write(path, json).with_context(|| format!("--report {}", path.display()))
}

/// What a person should know without asking. That a short request is not cached is no news.
fn warn(report: &Report) {
    for warning in &report.warnings {
        match warning.kind {
            WarningKind::NoCacheMark => {}
            WarningKind::UnknownWindow
            | WarningKind::ReserveCapped
            | WarningKind::FirstTurnDropped
            | WarningKind::FewerRecent
            | WarningKind::OpenTurnCut
            | WarningKind::StraySummary
            | WarningKind::UnknownField
            | WarningKind::Unsupported => output::warn(&format!("{}: {}", warning.kind, warning.detail)),
        }
    }
}
