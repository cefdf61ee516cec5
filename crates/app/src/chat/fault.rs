//! What went wrong, and what a person in a chat can do about it.

use crate::exit::Outcome;
use crate::output;
use crate::preview::message;
use crate::remote::Refused;
use crate::style::{Ink, Style};
use weftwork::AssembleError;
use weftwork_gateway::GatewayError;
use weftwork_provider::ResolveError;

/// Says on stderr what went wrong, and gives how a program that cannot go on ends.
pub(crate) fn tell(error: &anyhow::Error) -> Outcome {
    if let Some(GatewayError::Stopped) = error.downcast_ref() {
        return Outcome::BadInput;
    }
    let style = Style::stderr();
    let all = format!("{error:#}");
    // The sentence about what does not fit names the largest pieces too; /context shows them all.
    let headline = all.split("; largest: ").next().unwrap_or_default();
    output::say(&format!("{} {}\n", style.paint(Ink::Bad, "error:"), message(headline)));
    if let Some(fix) = fix(error) {
        output::say(&format!("  fix: {fix}\n"));
    }
    if misfit(error) { Outcome::DoesNotFit } else { Outcome::BadInput }
}

fn assembly(error: &anyhow::Error) -> Option<&AssembleError> {
    match error.downcast_ref::<GatewayError>() {
        Some(GatewayError::Assemble(error)) => Some(error),
        Some(_) | None => None,
    }
}

fn misfit(error: &anyhow::Error) -> bool {
    let too_large = matches!(
        assembly(error),
        Some(
            AssembleError::SystemTooLarge { .. }
                | AssembleError::DoesNotFit { .. }
                | AssembleError::OverLimit { .. }
                | AssembleError::OverDialectLimit { .. }
        )
    );
    let overflows = matches!(error.downcast_ref(), Some(GatewayError::OverflowsAgain { .. } | GatewayError::NothingToLeaveOut));
    let told = error.downcast_ref::<Refused>().is_some_and(Refused::is_misfit);
    too_large || overflows || told
}

fn fix(error: &anyhow::Error) -> Option<&'static str> {
    if misfit(error) {
        return Some("/summarize, /clear, a shorter /system, or a /model with a larger window");
    }
    match error.downcast_ref::<GatewayError>()? {
        GatewayError::Resolve(ResolveError::Unknown { .. } | ResolveError::Ambiguous { .. }) => {
            Some("/model lists what there is")
        }
        GatewayError::Send { .. } => Some("/retry asks again, /retry MODEL asks another"),
        _ => None,
    }
}
