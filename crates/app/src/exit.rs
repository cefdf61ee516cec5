//! How a command ends: 0 ok, 1 findings, 2 bad input or usage, 3 does not fit.

use crate::number::grouped;
use crate::output;
use crate::preview::{message, plain};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use std::io;
use std::process::ExitCode;
use weftwork::AssembleError;
use weftwork::report::Budget;
use weftwork_store::StoreError;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Ok,
    /// It was asked to look for faults, and there are some.
    Findings,
    /// Something was wrong, and was said already.
    BadInput,
    /// Something did not fit, and that was said already.
    DoesNotFit,
}

const FINDINGS: u8 = 1;
const BAD_INPUT: u8 = 2;
const DOES_NOT_FIT: u8 = 3;

/// Says on stderr what went wrong, and gives the exit code for it.
pub(crate) fn end(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Ok) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => FINDINGS.into(),
        Ok(Outcome::BadInput) => BAD_INPUT.into(),
        Ok(Outcome::DoesNotFit) => DOES_NOT_FIT.into(),
        // The reader has seen enough: `weft assemble … | head` is no fault.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let style = Style::stderr();
            let misfit = error.downcast_ref().and_then(Misfit::new);
            let headline = misfit.as_ref().map_or_else(|| format!("{error:#}"), |misfit| misfit.headline.clone());
            output::say(&format!("{} {}\n", style.paint(Ink::Bad, "error:"), message(&headline)));
            match misfit {
                None => {
                    let fix = fix_of(&error);
                    output::say(&fix.map_or_else(String::new, |fix| format!("  fix: {fix}\n")));
                    BAD_INPUT.into()
                }
                Some(misfit) => {
                    output::say(&misfit.breakdown());
                    DOES_NOT_FIT.into()
                }
            }
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
pub(crate) fn usage(usage: &clap::Error) -> ExitCode {
    // Help into a closed pipe is no fault either.
    let _ = usage.print();
    if usage.use_stderr() { BAD_INPUT.into() } else { ExitCode::SUCCESS }
}

/// Whether the reader of stdout went away.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// What the arguments can do about an error.
pub(crate) fn fix_of(error: &anyhow::Error) -> Option<&'static str> {
    let ask = error.downcast_ref().and_then(fix);
    ask.or_else(|| error.downcast_ref().and_then(fix_store))
}

/// What the arguments can do about a store that did not do it.
fn fix_store(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::Differs { .. } => Some("take it in as a space of its own with --space and a new id"),
        StoreError::BadHash { .. } => Some("take the file from where it was exported again"),
        StoreError::Older { .. } => Some("any weft import brings the database up to date"),
        StoreError::Unreachable { .. } | StoreError::BadAddress { .. } => Some("check the address in --db or WEFT_DB"),
        _ => None,
    }
}

/// What the arguments can do about an ask that has no answer.
fn fix(error: &AssembleError) -> Option<&'static str> {
    match error {
        AssembleError::NothingToSend => Some("say something with --input, or end on another node with --head"),
        AssembleError::UnknownNode { .. } => Some("name a node of the file: weft count lists those on its path"),
        AssembleError::UnknownViewer { .. } | AssembleError::NoViewer => Some("name an agent of the file with --as"),
        AssembleError::NoTime => Some("say what time it is with --now"),
        AssembleError::BadPrevious { .. } => Some("--previous takes the body of an earlier request in the same dialect"),
        AssembleError::Strict { .. } => Some("mend the file, or leave out --strict and it is repaired on the way"),
        AssembleError::BadView { .. }
        | AssembleError::Unread
        | AssembleError::SystemTooLarge { .. }
        | AssembleError::DoesNotFit { .. }
        | AssembleError::OverLimit { .. }
        | AssembleError::OverDialectLimit { .. } => None,
    }
}

/// Why a request does not fit, with everything that is known of the room.
struct Misfit<'e> {
    headline: String,
    needed: Option<u64>,
    budget: Option<&'e Budget>,
    largest: &'e [weftwork::Sized],
    fix: &'static str,
}

impl<'e> Misfit<'e> {
    fn new(error: &'e AssembleError) -> Option<Misfit<'e>> {
        let all = error.to_string();
        // The sentence names the largest too; here they have a table.
        let headline = all.split("; largest: ").next().unwrap_or_default().to_owned();
        match error {
            AssembleError::SystemTooLarge { needed, budget, largest, .. } => Some(Misfit {
                headline,
                needed: Some(*needed),
                budget: Some(budget),
                largest,
                fix: "shorten the system text or the tools, or give a larger --context-length or a smaller --max-tokens",
            }),
            AssembleError::DoesNotFit { needed, budget, largest } => Some(Misfit {
                headline,
                needed: Some(*needed),
                budget: Some(budget),
                largest,
                fix: "shorten or unpin what is largest, or give a larger --context-length or a smaller --max-tokens",
            }),
            AssembleError::OverLimit { excess, budget, largest } => Some(Misfit {
                headline,
                needed: Some(budget.available.saturating_add(*excess)),
                budget: Some(budget),
                largest,
                fix: "let another --strategy cut (truncateMiddle, rollingWindow, dropOldest), or give a larger --context-length",
            }),
            AssembleError::OverDialectLimit { .. } => Some(Misfit {
                headline,
                needed: None,
                budget: None,
                largest: &[],
                fix: "exclude some of them, or send with another dialect (--to)",
            }),
            AssembleError::NothingToSend
            | AssembleError::Unread
            | AssembleError::UnknownNode { .. }
            | AssembleError::UnknownViewer { .. }
            | AssembleError::NoViewer
            | AssembleError::NoTime
            | AssembleError::BadView { .. }
            | AssembleError::BadPrevious { .. }
            | AssembleError::Strict { .. } => None,
        }
    }

    fn breakdown(&self) -> String {
        let mut text = String::new();
        if let Some(budget) = self.budget {
            text.push_str(&format!("\n{}", self.room(budget)));
        }
        if !self.largest.is_empty() {
            let mut table = Table::new(&[Align::Left, Align::Right]);
            for item in self.largest {
                table.row(Ink::Plain, [plain(&item.what), grouped(item.tokens)]);
            }
            text.push_str(&format!("\n  largest\n{}", table.show(Style::stderr())));
        }
        text + &format!("\n  fix: {}\n", self.fix)
    }

    fn room(&self, budget: &Budget) -> String {
        let mut table = Table::new(&[Align::Left, Align::Right]);
        let rows = [
            ("contextLength", Some(budget.context_length)),
            ("reserve", Some(budget.reserve)),
            ("system", Some(budget.system)),
            ("tools", Some(budget.tools)),
            ("input", Some(budget.input)),
            ("markers", Some(budget.markers)),
            ("available", Some(budget.available)),
            ("needed", self.needed),
        ];
        for (name, tokens) in rows {
            if let Some(tokens) = tokens {
                table.row(Ink::Plain, [name.to_owned(), grouped(tokens)]);
            }
        }
        table.show(Style::stderr())
    }
}
