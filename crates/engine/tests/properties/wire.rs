//! No request that an API would refuse, and none that breaks the budget.

use crate::dice;
use crate::for_all;
use crate::recount::recount;
use crate::scene::{errors, wire_dialects};
use weftwork::dialect::Dialect;
use weftwork::{AssembleError, assemble};

#[test]
fn every_request_passes_its_dialects_lint() {
    for_all(|case, _| {
        let history = case.history();
        for dialect in wire_dialects() {
            case.ask.dialect = Some(dialect);
            let Ok(assembly) = assemble(&history, &case.ask) else { continue };
            let found = errors(&assembly, dialect);
            if !found.is_empty() {
                return Err(format!("{dialect}: {found:#?}\n{}", String::from_utf8_lossy(&assembly.request)));
            }
        }
        Ok(())
    });
}

#[test]
fn timelines_and_buffers_pass_their_dialects_lint() {
    for_all(|case, dice| {
        dice::other_form(dice, &mut case.file, &mut case.ask);
        let history = case.history();
        for dialect in wire_dialects() {
            case.ask.dialect = Some(dialect);
            let Ok(assembly) = assemble(&history, &case.ask) else { continue };
            let found = errors(&assembly, dialect);
            if !found.is_empty() {
                return Err(format!("{dialect}: {found:#?}\n{}", String::from_utf8_lossy(&assembly.request)));
            }
        }
        Ok(())
    });
}

#[test]
fn no_dialect_and_no_form_panics_and_a_refusal_is_typed() {
    for_all(|case, dice| {
        if dice.once_in(2) {
            dice::other_form(dice, &mut case.file, &mut case.ask);
        }
        case.ask.settings.context_length = Some([0, 1, 2, 3, 9, 50][dice.below(6)]);
        let dialect = dice.pick(Dialect::ALL);
        case.ask.dialect = Some(dialect);
        match case.run() {
            Ok(_) => Ok(()),
            Err(error) if error.to_string().is_empty() => Err("an error that says nothing".to_owned()),
            Err(AssembleError::DoesNotFit { needed, budget, .. }) if needed <= budget.available => {
                Err(format!("{dialect}: {needed} are needed and {} available", budget.available))
            }
            Err(_) => Ok(()),
        }
    });
}

#[test]
fn the_budget_holds() {
    for_all(|case, dice| {
        if dice.once_in(3) {
            dice::other_form(dice, &mut case.file, &mut case.ask);
        }
        case.ask.dialect = Some(Dialect::Messages);
        let Ok(assembly) = case.run() else { return Ok(()) };
        let budget = assembly.report.budget;
        let counted = recount(&assembly);
        let limit = budget.context_length - budget.reserve;
        if counted > limit {
            return Err(format!("{counted} of {limit}: {budget:?}\n{}", String::from_utf8_lossy(&assembly.request)));
        }
        let told = budget.system + budget.tools + budget.input + budget.markers + budget.history;
        if told > limit || budget.history > budget.available {
            return Err(format!("told {told} of {limit}: {budget:?}"));
        }
        Ok(())
    });
}

#[test]
fn strict_gives_a_request_without_repairs_or_the_first_repair_as_an_error() {
    for_all(|case, dice| {
        case.ask.dialect = Some(dice.pick(Dialect::ALL));
        let lenient = case.run();
        case.ask.settings.strict = Some(true);
        match (lenient, case.run()) {
            (Ok(lenient), Ok(strict)) if lenient.report.repairs.is_empty() && lenient.request == strict.request => Ok(()),
            (Ok(lenient), Err(AssembleError::Strict { repair })) if lenient.report.repairs.first() == Some(&repair) => Ok(()),
            (Err(lenient), Err(strict)) if lenient == strict => Ok(()),
            (lenient, strict) => Err(format!("{lenient:?}\n{strict:?}")),
        }
    });
}
