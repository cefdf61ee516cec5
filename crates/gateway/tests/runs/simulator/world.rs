//! One world of the simulator: who is there, and what happens next.

use super::hand::Hand;
use super::ledger::Ledger;
use super::script::Author;
use super::stage::{Stage, kind};
use crate::support::{Fresh, ent, entity};
use fastrand::Rng;
use std::collections::BTreeSet;
use weftwork::model::{NodeId, RunStatus, SpaceId};
use weftwork_gateway::{DriveError, Ended, Message, WorkerSettings};
use weftwork_store::runs::{Caps, Delivered, Delivery, Guard, Guarded, Posted, RunQuery, RunState, Woken};

const PEOPLE: [&str; 2] = ["husam", "sarah"];
const AGENTS: [&str; 4] = ["Analyst", "Designer", "Editor", "Tester"];
const EVERYONE: [&str; 6] = ["husam", "sarah", "Analyst", "Designer", "Editor", "Tester"];
const SPACES: [&str; 3] = ["s0", "s1", "s2"];
const HANDS: usize = 3;
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const DAY: i64 = 24 * 60 * MINUTE;

/// How much happened.
#[derive(Debug, Default)]
#[allow(dead_code)] // it is for people to read
pub(crate) struct Sums {
    runs: usize,
    messages: usize,
    waits: usize,
    crashes: usize,
    stale: usize,
    repeats: usize,
    refusals: usize,
    completed: usize,
    failed: usize,
    canceled: usize,
    parked: usize,
}

impl Sums {
    pub(crate) fn add(&mut self, more: &Sums) {
        self.runs += more.runs;
        self.messages += more.messages;
        self.waits += more.waits;
        self.crashes += more.crashes;
        self.stale += more.stale;
        self.repeats += more.repeats;
        self.refusals += more.refusals;
        self.completed += more.completed;
        self.failed += more.failed;
        self.canceled += more.canceled;
        self.parked += more.parked;
    }
}

/// A message that somebody sent, to be sent again.
struct Kept {
    space: SpaceId,
    who: &'static str,
    message: Message,
    id: NodeId,
    woken: Vec<Woken>,
}

pub(crate) struct World {
    stage: Stage,
    rng: Rng,
    author: Author,
    hands: Vec<Hand>,
    spaces: Vec<SpaceId>,
    /// Who belongs where, as far as the simulator knows.
    members: BTreeSet<(usize, &'static str)>,
    posts: Vec<Kept>,
    deliveries: Vec<Delivery>,
    ledger: Ledger,
    sums: Sums,
}

/// Tight caps, so that a short life meets all of them.
fn caps(rng: &mut Rng) -> Caps {
    Caps {
        root_runs: rng.i64(5..30),
        root_messages: rng.i64(3..15),
        pair_messages: rng.i64(2..6),
        waits: rng.i64(1..4),
        waiting_runs: rng.i64(1..4),
        running: rng.i64(1..4),
        claims: rng.i64(2..5),
        steps: rng.u32(6..50),
        ..Caps::default()
    }
}

impl World {
    pub(crate) fn new(fresh: Fresh, seed: u64) -> World {
        let mut rng = Rng::with_seed(seed);
        let caps = caps(&mut rng);
        let stage = Stage::new(fresh, caps);
        for who in EVERYONE {
            stage.store().put_entity(&entity(who, kind(who))).expect("an entity");
        }
        let mut members = BTreeSet::new();
        for (at, space) in SPACES.iter().enumerate() {
            let here: Vec<&str> = EVERYONE.into_iter().filter(|who| *who == "husam" || rng.u8(..4) > 0).collect();
            stage.space(space, &here);
            members.extend(EVERYONE.into_iter().filter(|who| here.contains(who)).map(|who| (at, who)));
        }
        let hands = (0..HANDS).map(|n| stage.hand(&format!("hand-{n}"))).collect();
        World {
            hands,
            spaces: SPACES.map(SpaceId::from).into(),
            stage,
            rng,
            author: Author::default(),
            members,
            posts: Vec::new(),
            deliveries: Vec::new(),
            ledger: Ledger::default(),
            sums: Sums::default(),
        }
    }

    /// One thing happens.
    pub(crate) fn step(&mut self) {
        self.hands.iter_mut().for_each(|hand| hand.nap = hand.nap.saturating_sub(1));
        match self.rng.u8(..100) {
            0..=67 => self.work(),
            68..=69 => self.crash(),
            70 => self.doze(),
            71..=77 => self.post(None),
            78..=82 => self.reply(),
            83 => self.post_again(),
            84 => self.deliver(),
            85 => self.cancel(),
            86 => self.delete(),
            87 => self.come_or_go(),
            88 => self.unpark(),
            89..=91 => self.look_at_the_clock(),
            92..=93 => drop(self.stage.reclaim()),
            94..=97 => self.time_passes(),
            98 => self.jump(MINUTE, &[10 * MINUTE, 2 * DAY]),
            _ => self.jump(-SECOND, &[-20 * SECOND, -20 * SECOND, -120 * MINUTE]),
        }
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.rng.usize(..from.len())].clone())
    }

    /// A driver goes on to its next point, or looks for a run.
    fn work(&mut self) {
        let at = self.rng.usize(..self.hands.len());
        if self.hands[at].nap > 0 {
            return;
        }
        let left = match self.hands[at].at.clone() {
            None => {
                let owner = self.hands[at].owner.clone();
                let Some(run) = self.stage.claim(&owner) else { return };
                self.hands[at].take(run)
            }
            Some(guard) if self.is_stale(&guard) => return self.wake_up_too_late(at, &guard),
            Some(_) => self.hands[at].go_on(),
        };
        if let Some(left) = left {
            expected(left);
        }
    }

    /// Whether somebody else has the run by now, or nobody may have it any more.
    fn is_stale(&self, guard: &Guard) -> bool {
        let run = self.stage.store().run(&guard.run).expect("a run");
        run.epoch != guard.epoch || run.state != RunState::Running
    }

    /// A driver goes on that has lost its run: nothing that it does may be seen.
    fn wake_up_too_late(&mut self, at: usize, guard: &Guard) {
        let before = self.picture(guard);
        let left = self.hands[at].finish();
        assert!(matches!(left, Ok(Ended::Lost)), "a driver whose claim was lost left with {left:?}");
        assert_eq!(self.picture(guard), before, "a driver whose claim was lost has written");
        self.sums.stale += 1;
    }

    /// All that a run may change.
    fn picture(&self, guard: &Guard) -> String {
        let store = self.stage.store();
        let heads: Vec<_> =
            self.spaces.iter().map(|space| store.after(space, weftwork_store::Seq(0), 100_000).expect("nodes").len()).collect();
        let run = store.run(&guard.run).expect("a run");
        let mind = (store.goals(&run.agent), store.memories(&run.agent), store.plans(&run.agent));
        format!("{run:?} {:?} {:?} {mind:?} {heads:?}", store.steps(&guard.run), store.waits(&guard.run))
    }

    fn crash(&mut self) {
        let busy: Vec<usize> = (0..HANDS).filter(|at| self.hands[*at].at.is_some()).collect();
        let Some(at) = self.pick(&busy) else { return };
        self.hands[at].die();
        self.sums.crashes += 1;
    }

    /// A driver falls asleep where it stands, and everybody else waits until its claim has run out.
    fn doze(&mut self) {
        let busy: Vec<usize> = (0..HANDS).filter(|at| self.hands[*at].at.is_some()).collect();
        let Some(at) = self.pick(&busy) else { return };
        self.hands[at].nap = self.rng.usize(5..60);
        let lease = self.stage.caps.lease + self.stage.caps.grace;
        self.stage.pass(lease + 1);
        self.beat();
        self.stage.reclaim();
    }

    /// The hearts of all who are awake.
    fn beat(&mut self) {
        for hand in self.hands.iter().filter(|hand| hand.nap == 0) {
            if let Some(guard) = &hand.at {
                let _ = self.stage.store().heartbeat(guard, &self.stage.caps, self.stage.now()).expect("a beat");
            }
        }
    }

    fn time_passes(&mut self) {
        self.stage.pass(self.rng.i64(1..40 * SECOND));
        if self.rng.u8(..4) > 0 {
            self.beat();
        }
    }

    /// The clock jumps, from a little up to one of these.
    fn jump(&mut self, little: i64, most: &[i64]) {
        let most = most[self.rng.usize(..most.len())];
        self.stage.pass(little + ((most - little) as f64 * self.rng.f64()) as i64);
    }

    fn look_at_the_clock(&mut self) {
        self.stage.wait(self.stage.gateway.look_at_the_clock()).expect("a look");
    }

    fn post(&mut self, reply: Option<(usize, NodeId)>) {
        let space = reply.as_ref().map_or_else(|| self.rng.usize(..SPACES.len()), |(space, _)| *space);
        let here: Vec<&'static str> = PEOPLE.into_iter().filter(|who| self.members.contains(&(space, *who))).collect();
        let Some(who) = self.pick(&here) else { return };
        let text = match reply {
            Some(_) if self.rng.bool() => format!("answer {}", self.rng.u32(..)),
            _ => self.author.message(&mut self.rng, &SPACES, &EVERYONE),
        };
        let key = self.rng.bool().then(|| format!("key-{}", self.posts.len()));
        let expects_reply = self.rng.u8(..4) == 0;
        let message = Message { text, reply_to: reply.map(|(_, id)| id), expects_reply, key, ..Message::default() };
        self.stage.pass(1);
        let space_id = self.spaces[space].clone();
        let posted = self.stage.wait(self.stage.gateway.post(&space_id, &ent(who), message.clone())).expect("posted");
        self.everyone_was_told(space, &posted);
        self.posts.push(Kept { space: space_id, who, message, id: posted.message.node.id, woken: posted.woken });
    }

    /// Every agent of the space has a run or a refusal, and nobody else has.
    fn everyone_was_told(&self, space: usize, posted: &Posted) {
        let mut told: Vec<&str> = posted
            .woken
            .iter()
            .map(|woken| match woken {
                Woken::Run { agent, .. } | Woken::Refused { agent, .. } => agent.as_str(),
            })
            .collect();
        told.sort_unstable();
        let here: Vec<&str> = AGENTS.into_iter().filter(|who| self.members.contains(&(space, *who))).collect();
        assert_eq!(told, here, "{:?}", posted.woken);
    }

    /// The same message comes once more, as after an answer that got lost.
    fn post_again(&mut self) {
        let keyed: Vec<usize> = (0..self.posts.len()).filter(|at| self.posts[*at].message.key.is_some()).collect();
        let Some(at) = self.pick(&keyed) else { return };
        let kept = &self.posts[at];
        let again = self.stage.wait(self.stage.gateway.post(&kept.space, &ent(kept.who), kept.message.clone()));
        let Ok(again) = again else {
            let space = self.spaces.iter().position(|space| *space == kept.space).expect("a space");
            assert!(!self.members.contains(&(space, kept.who)), "refused: {again:?}");
            return;
        };
        assert!(again.message.repeated, "{} was accepted twice", kept.id);
        assert_eq!((&again.message.node.id, &again.woken), (&kept.id, &kept.woken));
        self.sums.repeats += 1;
    }

    /// Somebody replies to one of the newest messages, whoever wrote it.
    fn reply(&mut self) {
        let space = self.rng.usize(..SPACES.len());
        let nodes = self.stage.store().after(&self.spaces[space], weftwork_store::Seq(0), 100_000).expect("nodes");
        let newest: Vec<NodeId> = nodes.iter().rev().take(6).map(|(_, node)| node.id.clone()).collect();
        let Some(id) = self.pick(&newest) else { return };
        self.post(Some((space, id)));
    }

    fn deliver(&mut self) {
        let before = self.deliveries.clone();
        if let (true, Some(again)) = (self.rng.bool(), self.pick(&before)) {
            let delivered = self.stage.store().deliver(&again, &self.stage.caps, self.stage.now()).expect("delivered");
            assert!(matches!(delivered, Delivered::Before(_)), "a delivery was taken twice: {delivered:?}");
            return;
        }
        let (agent, errand) = (AGENTS[self.rng.usize(..AGENTS.len())], self.author.errand(&mut self.rng, &SPACES));
        let id = format!("d{}", before.len());
        let payload = serde_json::json!(errand).to_string();
        let delivery = Delivery { source: "ci".into(), id, hash: [7; 32], agent: ent(agent), payload };
        let delivered = self.stage.store().deliver(&delivery, &self.stage.caps, self.stage.now()).expect("delivered");
        assert!(matches!(delivered, Delivered::Started(_)), "{delivered:?}");
        self.deliveries.push(delivery);
    }

    fn cancel(&mut self) {
        let runs = self.stage.store().runs(&RunQuery { limit: 30, ..RunQuery::default() }).expect("runs");
        let open: Vec<_> = runs.into_iter().filter(|run| !run.state.is_over()).collect();
        let Some(run) = self.pick(&open) else { return };
        self.stage.store().cancel(&run.id, self.stage.now()).expect("canceled");
    }

    fn unpark(&mut self) {
        let parked = RunQuery { statuses: vec![RunStatus::Parked], ..RunQuery::default() };
        let parked = self.stage.store().runs(&parked).expect("runs");
        let Some(run) = self.pick(&parked) else { return };
        let unparked = self.stage.store().unpark(&run.id, self.stage.now()).expect("unparked");
        assert_eq!(unparked, Guarded::Held(()));
    }

    fn delete(&mut self) {
        let space = self.rng.usize(..SPACES.len());
        let nodes = self.stage.store().after(&self.spaces[space], weftwork_store::Seq(0), 100_000).expect("nodes");
        let newest: Vec<NodeId> = nodes.iter().rev().take(10).map(|(_, node)| node.id.clone()).collect();
        let Some(id) = self.pick(&newest) else { return };
        self.stage.store().delete_message(&self.spaces[space], &id, self.stage.now()).expect("deleted");
    }

    fn come_or_go(&mut self) {
        let (space, who) = (self.rng.usize(..SPACES.len()), EVERYONE[self.rng.usize(1..EVERYONE.len())]);
        if self.members.remove(&(space, who)) {
            self.stage.store().depart(&self.spaces[space], &ent(who), self.stage.now()).expect("gone");
        } else {
            self.stage.store().join(&self.spaces[space], &ent(who), None).expect("back");
            self.members.insert((space, who));
        }
    }

    /// Looks at everything. Whoever should look after silent drivers has done so.
    pub(crate) fn look(&mut self) {
        self.stage.reclaim();
        self.ledger.look(&self.stage, &self.spaces, &EVERYONE);
    }

    /// Lets everybody finish, and time pass until nothing is due and nobody waits.
    pub(crate) fn rest(mut self) -> Sums {
        for at in 0..HANDS {
            match self.hands[at].at.clone() {
                Some(guard) if self.is_stale(&guard) => self.wake_up_too_late(at, &guard),
                Some(_) => expected(self.hands[at].finish()),
                None => {}
            }
        }
        let settings = WorkerSettings { owner: "the last".into(), ..WorkerSettings::default() };
        // Backing off takes five minutes at most; a wait ninety days, and a run may wait as often as the cap says.
        let season = [6 * MINUTE; 8].into_iter().chain([91 * DAY]);
        let seasons = (0..=self.stage.caps.waits).flat_map(|_| season.clone());
        for pause in seasons.chain([6 * MINUTE; 8]) {
            self.stage.pass(pause);
            self.stage.reclaim();
            self.stage.wait(self.stage.gateway.work_off(&settings)).expect("worked off");
        }
        self.look();
        self.ledger.at_rest(&self.stage);
        self.sums.messages = self.ledger.said_once(&self.stage, &self.spaces);
        self.sums.waits = self.ledger.waits;
        for run in self.stage.store().runs(&RunQuery::default()).expect("runs") {
            self.sums.runs += 1;
            self.sums.refusals += self.stage.store().refusals(&run.id).expect("refusals").len();
            match run.state {
                RunState::Completed => self.sums.completed += 1,
                RunState::Failed => self.sums.failed += 1,
                RunState::Canceled => self.sums.canceled += 1,
                RunState::Parked(_) => self.sums.parked += 1,
                RunState::Queued | RunState::Running | RunState::WaitingReply | RunState::WaitingTool => {}
            }
        }
        self.sums
    }
}

/// A driver leaves its run in some state, or without it; nothing else goes wrong with it.
fn expected(left: Result<Ended, DriveError>) {
    assert!(left.is_ok(), "a driver left with {left:?}");
}
