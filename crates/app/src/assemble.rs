//! `weft assemble`: the request on stdout, the report in a file, the picture on stderr.

use crate::cli::AssembleArgs;
use crate::exit::Outcome;
use crate::explain::explain;
use crate::style::Style;
use crate::{ask, input, output};
use anyhow::{Context, Result, bail};
use std::path::Path;
use weftwork::ask::Check;
use weftwork::assemble;
use weftwork::report::{Report, Warning, WarningKind};

/// Assembles and prints.
pub(crate) fn run(args: &AssembleArgs) -> Result<Outcome> {
    let loaded = input::load(&args.input, if args.strict { Check::Strict } else { Check::Repair })?;
    let unknown = loaded.unknown_fields();
    loaded.warn_of_loss();
    let history = loaded.history(&args.input)?;
    let ask = ask::ask(args, &history)?;
    let mut assembly = assemble(&history, &ask)?;
    let warnings = unknown.into_iter().map(|detail| Warning { kind: WarningKind::UnknownField, detail });
    assembly.report.warnings.extend(warnings);
    if args.report.is_some() || args.explain {
        assembly.report.items = assembly.each_node(&history);
    }
    let (request, report) = (&assembly.request, &assembly.report);
    if let Some(path) = &args.report {
        write_report(path, report)?;
    }
    let written = output::line(request);
    // A reader that had enough of the request may still want to know how it came about.
    if args.explain {
        output::say(&explain(&history, report, Style::stderr()));
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
