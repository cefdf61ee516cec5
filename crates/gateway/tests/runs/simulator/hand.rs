//! A driver that is led by the hand: it stands still at every point until it is told to go on, or to die there.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use weftwork_gateway::{DriveError, Ended, Gateway, Point, Points, WorkerSettings};
use weftwork_store::runs::{Guard, Run};

/// How long a driver may take from one point to the next before something hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is heard of a driver.
#[derive(Debug)]
pub(crate) enum News {
    /// It stands at a point.
    At(Point),
    /// It has left its run.
    Left(Result<Ended, DriveError>),
}

/// One driver. It has at most one run at a time, and does nothing unasked.
pub(crate) struct Hand {
    pub(crate) owner: String,
    /// The run it stands in, under the claim that it was given.
    pub(crate) at: Option<Guard>,
    /// The point it stands at.
    pub(crate) point: Option<Point>,
    /// Steps of the simulator that it sleeps through.
    pub(crate) nap: usize,
    runs: Sender<Run>,
    passes: Sender<bool>,
    news: Receiver<News>,
}

/// Where the driver stands still.
struct Door {
    news: Sender<News>,
    passes: Mutex<Receiver<bool>>,
}

impl Points for Door {
    fn pass(&self, point: Point) -> bool {
        let passes = self.passes.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever led it is gone: it dies where it is.
        self.news.send(News::At(point)).is_ok() && passes.recv().unwrap_or(false)
    }
}

impl Hand {
    pub(crate) fn new(owner: &str, gateway: &Gateway, runtime: &tokio::runtime::Handle) -> Hand {
        let (runs, orders) = channel::<Run>();
        let (passes, passed) = channel();
        let (tell, news) = channel();
        let (gateway, runtime) = (gateway.clone(), runtime.clone());
        // The claim is kept alive by the simulator, in the simulator's time.
        let never = Duration::from_secs(3_600);
        let settings = WorkerSettings { owner: owner.to_owned(), heartbeat: never, fence: never, ..WorkerSettings::default() };
        std::thread::spawn(move || {
            let door = Door { news: tell.clone(), passes: Mutex::new(passed) };
            for run in orders {
                let left = runtime.block_on(gateway.attend(run, &settings, &door));
                if tell.send(News::Left(left)).is_err() {
                    break;
                }
            }
        });
        Hand { owner: owner.to_owned(), at: None, point: None, nap: 0, runs, passes, news }
    }

    /// Takes a run that was claimed for it, up to its first point.
    pub(crate) fn take(&mut self, run: Run) -> Option<Result<Ended, DriveError>> {
        self.at = Some(run.guard());
        self.runs.send(run).expect("a living driver");
        self.hear()
    }

    /// Goes on to the next point; says how it left its run, if it has.
    pub(crate) fn go_on(&mut self) -> Option<Result<Ended, DriveError>> {
        self.passes.send(true).expect("a living driver");
        self.hear()
    }

    /// Dies where it stands.
    pub(crate) fn die(&mut self) {
        self.passes.send(false).expect("a living driver");
        let left = self.hear();
        assert!(matches!(left, Some(Err(DriveError::AtPoint))), "{} died, and then: {left:?}", self.owner);
    }

    /// Goes on until it leaves its run.
    pub(crate) fn finish(&mut self) -> Result<Ended, DriveError> {
        loop {
            if let Some(left) = self.go_on() {
                return left;
            }
        }
    }

    fn hear(&mut self) -> Option<Result<Ended, DriveError>> {
        match self.news.recv_timeout(PATIENCE).expect("news of a driver") {
            News::At(point) => {
                self.point = Some(point);
                None
            }
            News::Left(left) => {
                (self.at, self.point) = (None, None);
                Some(left)
            }
        }
    }
}
