//! Leaving a run that cannot go on now: written down is why, and what becomes of it. Whether waiting helps is decided here,
//! from the failure alone.

use super::drive::{DriveError, Ended};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use weftwork_provider::SendError;
use weftwork_store::StoreError;
use weftwork_store::runs::{Again, Guard, Guarded, ParkReason, Run, StepRefusal};

impl Gateway {
    /// Writes down why a run was left, where that is the run's affair.
    pub(super) async fn leave(&self, run: &Run, guard: &Guard, error: DriveError) -> Result<Ended, DriveError> {
        let (guard, now) = (guard.clone(), self.now());
        let why = error.to_string();
        let id = run.id.clone();
        // Claims since it last came further, which may be just now.
        let claims = self.stored(move |store| store.run(&id)).await?.claims;
        let last = claims >= self.caps.claims;
        let left = match error {
            DriveError::Lost => return Ok(Ended::Lost),
            DriveError::AtPoint | DriveError::Unwritable(_) => return Err(error),
            DriveError::Stopped | DriveError::Refused(StepRefusal::Canceled) => {
                self.stored(move |store| store.stop(&guard, now)).await?
            }
            DriveError::Refused(StepRefusal::Budget(_)) => {
                self.stored(move |store| store.park(&guard, ParkReason::Budget, Some(&why), now)).await?
            }
            DriveError::Refused(StepRefusal::Steps) | DriveError::Failed(_) => {
                self.stored(move |store| store.fail(&guard, &why, now)).await?
            }
            DriveError::Gateway(GatewayError::Assemble(_) | GatewayError::Resolve(_)) => {
                self.stored(move |store| store.park(&guard, ParkReason::Config, Some(&why), now)).await?
            }
            // Others had the store, or were quicker: nothing of the run is wrong.
            DriveError::Refused(StepRefusal::Taken)
            | DriveError::Gateway(GatewayError::Store(StoreError::Busy { .. } | StoreError::Conflict { .. })) => {
                let at = now + backoff(1);
                self.stored(move |store| store.retry(&guard, at, Again::Counted, &why, now)).await?
            }
            DriveError::Gateway(_) => return Err(error),
            DriveError::Provider(error) => match patience(&error, claims, last) {
                Some((wait, again)) => {
                    let at = now + wait;
                    self.stored(move |store| store.retry(&guard, at, again, &why, now)).await?
                }
                None => self.stored(move |store| store.park(&guard, ParkReason::Provider, Some(&why), now)).await?,
            },
        };
        Ok(match left {
            Guarded::Held(state) => Ended::In(state),
            Guarded::Lost => Ended::Lost,
        })
    }
}

/// How long a provider may make a run wait, in milliseconds.
const LONGEST_PATIENCE: i64 = 60 * 60 * 1_000;

/// How long a run waits after a provider failed, in milliseconds, and whether that counts against it; none if waiting does
/// not help.
fn patience(error: &SendError, claims: i64, last: bool) -> Option<(i64, Again)> {
    let millis = |wait: std::time::Duration| i64::try_from(wait.as_millis()).unwrap_or(i64::MAX / 2);
    match error {
        SendError::RateLimit { retry_after, .. } => {
            Some((retry_after.map_or(30_000, millis).min(LONGEST_PATIENCE), Again::Uncounted))
        }
        SendError::Overloaded { .. }
        | SendError::Server { .. }
        | SendError::Unreachable { .. }
        | SendError::Cut { .. }
        | SendError::Stalled { .. }
        | SendError::TooSlow { .. }
            if !last =>
        {
            Some((backoff(claims), Again::Counted))
        }
        SendError::Overloaded { .. }
        | SendError::Server { .. }
        | SendError::Unreachable { .. }
        | SendError::Cut { .. }
        | SendError::Stalled { .. }
        | SendError::TooSlow { .. }
        | SendError::Overflow { .. }
        | SendError::Quota { .. }
        | SendError::Auth { .. }
        | SendError::Refused { .. }
        | SendError::Redirected { .. }
        | SendError::TooLarge { .. }
        | SendError::Malformed { .. }
        | SendError::WrongDialect { .. }
        | SendError::Canceled => None,
    }
}

/// Twice as long each time, up to five minutes, and a part of it by chance, so that many do not come back at once.
fn backoff(claims: i64) -> i64 {
    const SECOND: i64 = 1_000;
    let most = (SECOND << claims.clamp(0, 9)).min(5 * 60 * SECOND);
    most / 2 + fastrand::i64(0..=most / 2)
}
