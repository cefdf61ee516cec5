//! The worker: claims runs and does them, keeps its claims alive, and looks at the clock.
//!
//! What is true stands in the store. A hint makes it look at once; without any it looks every second, and nothing but time
//! is lost.

use super::drive::{Cut, DriveError, Ended, Onward, Points, Reins};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::schedule::Schedule;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use weftwork_store::runs::{Guarded, Pulse, Run, RunId};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name, new each time it starts: leases are told apart by it.
    pub owner: String,
    /// Runs that it does at once.
    pub slots: usize,
    /// How often it looks when nobody hints.
    pub poll: Duration,
    /// How often a claim is kept alive.
    pub heartbeat: Duration,
    /// How long after the last sign of life it holds its own claims for lost.
    pub fence: Duration,
    /// How often it looks for runs whose worker has gone silent.
    pub reclaim: Duration,
    /// Whether it is the only one there can be: then whoever else has a claim at the start is gone.
    pub alone: bool,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        WorkerSettings {
            owner: format!("worker-{:016x}", fastrand::u64(..)),
            slots: 16,
            poll: Duration::from_secs(1),
            heartbeat: Duration::from_secs(10),
            fence: Duration::from_secs(20),
            reclaim: Duration::from_secs(5),
            alone: false,
        }
    }
}

/// Things due that are looked at in one go.
const BATCH: i64 = 100;

/// A worker at work. Dropping it leaves its runs to whoever comes next.
pub struct Worker {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Worker {
    /// Starts one.
    pub fn start(gateway: &Gateway, settings: WorkerSettings) -> Worker {
        Worker::start_with(gateway, settings, Arc::new(Onward))
    }

    /// Starts one that may be stopped at points; for tests.
    pub fn start_with(gateway: &Gateway, settings: WorkerSettings, points: Arc<dyn Points>) -> Worker {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(watch_over(gateway.clone(), settings, points, stopped));
        Worker { stop, task }
    }

    /// Claims nothing more, and waits until the runs at work have ended or let go.
    pub async fn drain(self) {
        let _ = self.stop.send(true);
        let _ = self.task.await;
    }
}

/// Works, and begins anew if something nobody thought of broke: what is queued must not wait for a person.
async fn watch_over(gateway: Gateway, settings: WorkerSettings, points: Arc<dyn Points>, stopped: watch::Receiver<bool>) {
    loop {
        let work = tokio::spawn(work(gateway.clone(), settings.clone(), points.clone(), stopped.clone()));
        match work.await {
            Ok(()) => return,
            Err(broke) => gateway.note(format!("a worker broke and begins anew: {broke}")),
        }
        tokio::time::sleep(settings.poll).await;
    }
}

async fn work(gateway: Gateway, settings: WorkerSettings, points: Arc<dyn Points>, mut stopped: watch::Receiver<bool>) {
    let slots = Arc::new(Semaphore::new(settings.slots));
    let mut runs: JoinSet<()> = JoinSet::new();
    let mut reclaimed = None;
    if settings.alone {
        let (owner, now) = (settings.owner.clone(), gateway.now());
        gateway.complain(gateway.stored(move |store| store.reclaim_foreign(&owner, now)).await);
    }
    while !*stopped.borrow() {
        if reclaimed.is_none_or(|at: Instant| at.elapsed() >= settings.reclaim) {
            reclaimed = Some(Instant::now());
            let caps = gateway.caps.clone();
            let now = gateway.now();
            gateway.complain(gateway.stored(move |store| store.reclaim(&caps, now)).await);
        }
        gateway.complain(gateway.look_at_the_clock().await);
        let mut claimed = 0;
        while let Ok(slot) = slots.clone().try_acquire_owned() {
            let (owner, caps, now) = (settings.owner.clone(), gateway.caps.clone(), gateway.now());
            let due = gateway.stored(move |store| store.claim(&owner, 1, &caps, now)).await;
            let Some(run) = gateway.complain(due).unwrap_or_default().pop() else { break };
            claimed += 1;
            let (gateway, settings, points) = (gateway.clone(), settings.clone(), points.clone());
            runs.spawn(async move {
                let id = run.id.clone();
                if let Err(error) = gateway.attend(run, &settings, &*points).await {
                    gateway.note(format!("run {id} was left: {error}"));
                }
                drop(slot);
                gateway.hint();
            });
        }
        while runs.try_join_next().is_some() {}
        if claimed == 0 {
            tokio::select! {
                () = gateway.hinted() => {}
                () = tokio::time::sleep(settings.poll) => {}
                // Whoever dropped the worker wants nothing more of it.
                changed = stopped.changed() => if changed.is_err() { break },
            }
        }
    }
    while runs.join_next().await.is_some() {}
}

impl Gateway {
    /// Does everything that is due now, one run after another, and says which runs and how they were left. What waits, or
    /// is to be tried later, is left alone.
    pub async fn work_off(&self, settings: &WorkerSettings) -> Result<Vec<(RunId, Ended)>, DriveError> {
        let mut done = Vec::new();
        loop {
            self.look_at_the_clock().await?;
            let (owner, caps, now) = (settings.owner.clone(), self.caps.clone(), self.now());
            let due = self.stored(move |store| store.claim(&owner, 1, &caps, now)).await?.pop();
            let Some(run) = due else { return Ok(done) };
            let id = run.id.clone();
            done.push((id, self.attend(run, settings, &Onward).await?));
        }
    }

    /// Does one run that was claimed, and keeps the claim on it alive meanwhile. Workers do this by themselves; tests do it
    /// step by step.
    pub async fn attend(&self, run: Run, settings: &WorkerSettings, points: &dyn Points) -> Result<Ended, DriveError> {
        let reins = Reins::default();
        let beating = self.beat(&run, &reins, settings);
        let driving = self.drive(run.clone(), &reins, points);
        tokio::pin!(driving, beating);
        tokio::select! {
            ended = &mut driving => ended,
            // The heart has stopped: what is under way is cut, and comes to an end by itself.
            () = &mut beating => driving.await,
        }
    }

    /// Keeps a claim alive until it is lost or the run is to stop.
    async fn beat(&self, run: &Run, reins: &Reins, settings: &WorkerSettings) {
        let mut alive = Instant::now();
        let mut pause = settings.heartbeat;
        loop {
            tokio::time::sleep(pause.min(settings.fence)).await;
            let (guard, caps, now) = (run.guard(), self.caps.clone(), self.now());
            let left = settings.fence.saturating_sub(alive.elapsed());
            let beat = tokio::time::timeout(left, self.stored(move |store| store.heartbeat(&guard, &caps, now))).await;
            match beat {
                Ok(Ok(Guarded::Held(Pulse::GoOn))) => (alive, pause) = (Instant::now(), settings.heartbeat),
                Ok(Ok(Guarded::Held(Pulse::Stop))) => return reins.cut(Cut::Stop),
                Ok(Ok(Guarded::Lost)) => return reins.cut(Cut::Lost),
                // The store was busy: there is time to ask again before the claim is held for lost.
                Ok(Err(_)) | Err(_) => pause = settings.heartbeat.min(Duration::from_secs(1)),
            }
            if alive.elapsed() >= settings.fence {
                return reins.cut(Cut::Lost);
            }
        }
    }

    /// Ends waits whose time has come and fires plans that are due. Workers do this by themselves; tests when they choose.
    pub async fn look_at_the_clock(&self) -> Result<(), GatewayError> {
        let (caps, now) = (self.caps.clone(), self.now());
        self.stored(move |store| {
            store.expire_waits(BATCH, now)?;
            store.fire_plans(BATCH, &caps, now, &|plan, first, now| match Schedule::from_text(&plan.schedule) {
                Ok(schedule) => schedule.latest_and_next(first, now),
                // A schedule that nobody can read fires this once, and never again.
                Err(_) => (first, None),
            })?;
            Ok(())
        })
        .await
    }

    /// Takes note of a failure that is nobody's in particular.
    fn complain<T>(&self, result: Result<T, GatewayError>) -> Option<T> {
        result.map_err(|error| self.note(error.to_string())).ok()
    }
}
