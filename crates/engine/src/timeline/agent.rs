//! What the agent carries with it: GOALS, MEMORIES, PLANS, ACTIVE RUNS. Each is left out when empty.

use super::encode::Encoded;
use super::relative::write_relative;
use super::text::Text;
use crate::model::{Goal, Memory, Plan, PlanKind, Run, Timestamp};

/// A heading and a line for each item, or nothing.
fn list<T>(heading: &'static str, items: &[T], write: impl Fn(&mut Text, &T)) -> Option<Text> {
    let mut text = Text::begin(heading);
    for item in items {
        write(text.word("\n  - "), item);
    }
    (!items.is_empty()).then_some(text)
}

pub(super) fn goals(goals: &[Goal]) -> Option<Text> {
    list("GOALS:", goals, |text, goal| {
        text.value(Encoded::goal(&goal.text));
        match (goal.long_term, goal.priority) {
            (false, None) => {}
            (true, None) => {
                text.word(" (long-term)");
            }
            (long_term, Some(priority)) => {
                text.word(if long_term { " (long-term, priority: " } else { " (priority: " });
                text.value(Encoded::number(priority)).word(")");
            }
        }
    })
}

pub(super) fn memories(memories: &[Memory]) -> Option<Text> {
    list("MEMORIES:", memories, |text, memory| {
        text.word("[").value(Encoded::name(&memory.topic)).word("] ").value(Encoded::line(&memory.text));
    })
}

pub(super) fn plans(plans: &[Plan], now: &Timestamp) -> Option<Text> {
    list("PLANS:", plans, |text, plan| {
        text.value(Encoded::quoted(&plan.name)).word(match plan.kind {
            PlanKind::Recurring => " (recurring",
            PlanKind::OneTime => " (one-time",
        });
        if let Some(cron) = &plan.cron {
            text.word(", cron: ").value(Encoded::name(cron));
        }
        for (field, time) in [(", next: ", &plan.next), (", scheduledAt: ", &plan.scheduled_at)] {
            if let Some(time) = time {
                write_relative(text.word(field).value(Encoded::time(time)).word(", "), now, time);
            }
        }
        text.word(")");
        if let Some(delay) = &plan.run_after {
            text.word("  [created via runAfter: ").value(Encoded::quoted(delay)).word("]");
        }
    })
}

pub(super) fn runs(runs: &[Run]) -> Option<Text> {
    list("ACTIVE RUNS:", runs, |text, run| {
        text.word("Run ").value(Encoded::id(&run.id)).word(if run.current { " (this run) — " } else { " — " });
        match &run.triggered_by {
            Some(name) if run.current => text.word("triggered by ").value(Encoded::name(name)),
            Some(_) | None => text.word(run.status.word()),
        };
        if let Some(space) = &run.space {
            text.word(" in ").value(Encoded::quoted(space));
        }
        match (&run.waiting_for, &run.triggered_by) {
            (Some(name), _) => text.word(" (waiting for ").value(Encoded::name(name)).word(")"),
            (None, Some(name)) if !run.current => text.word(" (triggered by ").value(Encoded::name(name)).word(")"),
            (None, _) => text,
        };
    })
}
