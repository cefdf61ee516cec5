//! A simulator: people, agents, drivers that die or fall asleep, and a clock that jumps, in an order that a seed decides.
//!
//! One step is one thing that happens: a driver goes from one point to the next, dies or dozes off, somebody posts, replies,
//! deletes, leaves, comes back or cancels, a service delivers, something falls due, time passes. Nothing happens at the same
//! time as something else, so the same seed goes the same way. After every hundred steps, and when all is at rest, what must
//! always be true is true, by the store's own rules and by what the simulator remembers.
//!
//! WEFT_SIM_STEPS steps on each database (10,000), WEFT_SIM_SEED to see one world again.

pub(crate) mod hand;
mod ledger;
mod paused;
mod script;
pub(crate) mod stage;
mod world;

use crate::support::{Fresh, from_env};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use world::World;

/// Steps of one world. Small worlds are quick, and a seed that fails is short to read.
const STEPS: u64 = 1_000;
/// Seeds that once found something, with what it was.
const FOUND: &[(u64, &str)] =
    &[(121, "a run asked again when the second season was over, and the end of its wait was not lived to see")];

/// Lives through the world of a seed.
fn live(fresh: Fresh, seed: u64, steps: u64) -> world::Sums {
    let at = Cell::new(0);
    let lived = catch_unwind(AssertUnwindSafe(|| {
        let mut world = World::new(fresh, seed);
        for step in 0..steps {
            at.set(step);
            world.step();
            if step % 100 == 99 {
                world.look();
            }
        }
        at.set(steps);
        world.rest()
    }));
    lived.unwrap_or_else(|why| {
        eprintln!("the world of seed {seed} broke at step {}: WEFT_SIM_SEED={seed} shows it again", at.get());
        resume_unwind(why)
    })
}

fn simulate(fresh: fn() -> Fresh) {
    let seeds: Vec<u64> = match std::env::var("WEFT_SIM_SEED") {
        Ok(seed) => vec![seed.parse().expect("a seed")],
        Err(_) => (0..from_env("WEFT_SIM_STEPS", 10_000).div_ceil(STEPS)).chain(FOUND.iter().map(|(seed, _)| *seed)).collect(),
    };
    let mut sums = world::Sums::default();
    for seed in seeds {
        sums.add(&live(fresh(), seed, STEPS));
    }
    eprintln!("{sums:?}");
}

#[test]
fn whatever_happens_nothing_is_lost_or_done_twice_sqlite() {
    simulate(Fresh::swift_sqlite);
}

#[test]
fn whatever_happens_nothing_is_lost_or_done_twice_postgres() {
    simulate(Fresh::bare_postgres);
}
