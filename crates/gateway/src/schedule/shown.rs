//! A plan as its agent is shown it.

use super::{BadSchedule, Cron, Schedule};
use weftwork::model::{Plan, PlanKind, Timestamp};
use weftwork_store::runs::StoredPlan;

/// A plan as its agent is shown it, in the block PLANS.
pub fn shown(stored: &StoredPlan) -> Result<Plan, BadSchedule> {
    let (id, name) = (stored.id.clone(), stored.name.clone());
    let once = Plan { id, name, kind: PlanKind::OneTime, cron: None, next: None, scheduled_at: None, run_after: None };
    Ok(match Schedule::from_text(&stored.schedule)? {
        Schedule::RunAfter { text, due } => Plan { scheduled_at: Timestamp::from_millis(due), run_after: Some(text), ..once },
        Schedule::At { due } => Plan { scheduled_at: Timestamp::from_millis(due), ..once },
        Schedule::Cron(cron) => {
            let next = stored.next_fire.and_then(Timestamp::from_millis);
            Plan { kind: PlanKind::Recurring, cron: Some(spelled(&cron)), next, ..once }
        }
    })
}

/// The line, with its zone behind it unless that is UTC.
fn spelled(cron: &Cron) -> String {
    match cron.zone() {
        "UTC" => cron.line().to_owned(),
        zone => format!("{} {zone}", cron.line()),
    }
}
