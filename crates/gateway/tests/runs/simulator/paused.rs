//! An owner that stands still for longer than its lease, at any point of its run, while another does the run to its end: when
//! it goes on it writes nothing. WEFT_PAUSES rounds on each database (150).

use super::stage::Stage;
use crate::support::{Fresh, ent, from_env};
use fastrand::Rng;
use weftwork_gateway::{Ended, Message};
use weftwork_store::Seq;
use weftwork_store::runs::{Caps, Guard, RunState};

const SEED: u64 = 7;

fn pause(fresh: Fresh) {
    let stage = Stage::new(fresh, Caps::default());
    let space = stage.space("team", &["husam", "Ann"]);
    let [mut first, mut second] = ["first", "second"].map(|owner| stage.hand(owner));
    let mut rng = Rng::with_seed(SEED);
    let picture = |guard: &Guard| {
        let store = stage.store();
        let said = store.after(&space, Seq(0), 1_000_000).expect("nodes").len();
        (
            store.run(&guard.run).expect("a run"),
            store.steps(&guard.run).expect("steps"),
            store.goals(&ent("Ann")).expect("goals"),
            said,
        )
    };
    let (rounds, mut stale) = (from_env("WEFT_PAUSES", 150), 0);
    for round in 0..rounds {
        let script = format!(
            "!send one {round}\n!say x\n!call set_goals {{\"all\": [{{\"text\": \"{round}\"}}]}}\n!say y\n!send two {round}"
        );
        stage.wait(stage.gateway.post(&space, &ent("husam"), Message::text(script))).expect("posted");
        let mut left = first.take(stage.claim("first").expect("a run"));
        for _ in 0..rng.usize(..16) {
            if left.is_none() {
                left = first.go_on();
            }
        }
        let Some(guard) = first.at.clone() else {
            assert!(matches!(left, Some(Ok(Ended::In(RunState::Completed)))), "seed {SEED}, round {round}: {left:?}");
            continue;
        };
        stage.pass(stage.caps.lease + stage.caps.grace + 1);
        assert_eq!(stage.reclaim(), 1, "seed {SEED}, round {round}");
        let done = match second.take(stage.claim("second").expect("the run again")) {
            Some(done) => done,
            None => second.finish(),
        };
        assert!(matches!(done, Ok(Ended::In(RunState::Completed))), "seed {SEED}, round {round}: {done:?}");
        let before = picture(&guard);
        let late = first.finish();
        assert!(matches!(late, Ok(Ended::Lost)), "seed {SEED}, round {round}: {late:?}");
        assert_eq!(picture(&guard), before, "seed {SEED}, round {round}");
        stale += 1;
    }
    let said = stage.store().after(&space, Seq(0), 1_000_000).expect("nodes").len() as u64;
    assert_eq!(said, 3 * rounds, "seed {SEED}: each message once");
    assert_eq!(stage.store().check_invariants(stage.now()).expect("a check"), []);
    eprintln!("{rounds} rounds, {stale} owners that came too late");
}

#[test]
fn an_owner_that_comes_back_too_late_writes_nothing_sqlite() {
    pause(Fresh::swift_sqlite());
}

#[test]
fn an_owner_that_comes_back_too_late_writes_nothing_postgres() {
    pause(Fresh::bare_postgres());
}
