//! What is kept of how agents stand: told again while it is so, and never once it is not.

use super::support::{caps, post};
use crate::on_both;
use crate::support::{Fresh, NOW, ent, entity};
use fastrand::Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use weftwork::model::{Conversation, Entity, EntityKind, Goal, Memory, Space, SpaceId};
use weftwork_store::runs::{NewPlan, Standing};
use weftwork_store::{Access, Address, Names, Store};

const AGENTS: [&str; 3] = ["ann", "bob", "cat"];
const PEOPLE: [&str; 3] = ["husam", "sarah", "yusuf"];
const SPACES: u32 = 5;

fn anybody(rng: &mut Rng) -> &'static str {
    if rng.bool() { AGENTS[rng.usize(..3)] } else { PEOPLE[rng.usize(..3)] }
}

fn space(at: u32) -> SpaceId {
    SpaceId::from(format!("s{at}"))
}

/// Spaces, in each somebody.
fn begin(store: &Store) {
    for at in 0..SPACES {
        let mut header = Conversation::new(Space::new(format!("s{at}"), "Space"));
        header.entities = AGENTS.iter().map(|name| entity(name, EntityKind::Agent)).collect();
        header.entities.extend(PEOPLE.iter().map(|name| entity(name, EntityKind::Human)));
        store.create_space(&header, NOW).unwrap();
    }
}

fn plan(id: &str, now: i64) -> NewPlan {
    NewPlan {
        id: id.to_owned(),
        name: "Plan".to_owned(),
        instruction: "Look.".to_owned(),
        schedule: "{}".to_owned(),
        next_fire: Some(now),
        chain: None,
    }
}

/// Something happens that changes how somebody stands.
fn happen(store: &Store, rng: &mut Rng) {
    let (now, at, who) = (NOW, space(rng.u32(..SPACES)), anybody(rng));
    match rng.u8(..12) {
        0 | 1 => store.join(&at, &ent(who), None).unwrap(),
        2 | 3 => store.depart(&at, &ent(who), now).unwrap(),
        4 => {
            let mut header = store.header(&at).unwrap();
            header.space.name = format!("Space {}", rng.u8(..9));
            header.space.confidential = rng.bool();
            store.put_header(&header).unwrap();
        }
        5 => {
            let mut changed = store.entity(&ent(who)).unwrap();
            changed.name = format!("{who} {}", rng.u8(..9));
            store.put_entity(&changed).unwrap();
        }
        6 => {
            // Whoever was an agent may be none for a while.
            let mut changed = store.entity(&ent("cat")).unwrap();
            changed.kind = if changed.kind == EntityKind::Agent { EntityKind::Human } else { EntityKind::Agent };
            store.put_entity(&changed).unwrap();
        }
        7 => {
            let goal = Goal { text: format!("Goal {}", rng.u8(..9)), priority: None, long_term: false };
            store.set_goals(&ent(who), &[goal]).unwrap();
        }
        8 => {
            let memory = Memory { topic: "topic".to_owned(), text: format!("Memory {}", rng.u8(..9)) };
            store.set_memories(&ent(who), &[memory]).unwrap();
        }
        9 => store.put_plan(&ent(who), &plan(&format!("p{}", rng.u8(..2)), now)).unwrap(),
        10 if rng.bool() => drop(store.remove_plan(&ent(who), "p0").unwrap()),
        10 => drop(store.fire_plans(2, &caps(), now, &|_, _, now| (now, Some(now + 1))).unwrap()),
        _ => {
            let mut header = store.header(&at).unwrap();
            header.members.clear();
            header.nodes.clear();
            store.import(&header, Names::Ours, now, &mut |_| {}).unwrap();
        }
    }
}

/// What is told of an agent is what is there at the same moment.
fn told_as_it_is(store: &Store, agent: &str) {
    let looked = store.glance(|glance| {
        let told = glance.standing(&ent(agent))?;
        let there = Standing { carried: glance.carried(&ent(agent))?, belonging: glance.belonging(&ent(agent))? };
        Ok((told, there))
    });
    let (told, there) = looked.unwrap();
    assert_eq!(*told, there);
}

on_both! {
    fn what_is_told_of_an_agent_is_as_it_is(store: &Fresh) {
        begin(store);
        // Somebody else, who hears of nothing.
        let other = Store::open(&store.address, Access::Read, NOW).unwrap();
        let mut rng = Rng::with_seed(7);
        for _ in 0..150 {
            happen(store, &mut rng);
            for agent in AGENTS {
                told_as_it_is(store, agent);
                told_as_it_is(&other, agent);
            }
        }
    }

    fn what_is_told_twice_is_read_once(store: &Fresh) {
        begin(store);
        let told = || store.glance(|glance| glance.standing(&ent("ann"))).unwrap();
        let first = told();
        assert!(std::sync::Arc::ptr_eq(&first, &told()));
        post(store, &space(0), "What is said changes nothing around anybody.", NOW);
        assert!(std::sync::Arc::ptr_eq(&first, &told()));
        store.depart(&space(0), &ent("sarah"), NOW).unwrap();
        let second = told();
        assert_ne!(first, second);
        assert!(std::sync::Arc::ptr_eq(&second, &told()));
    }

    fn a_look_that_began_earlier_is_told_what_was_so_then(store: &Fresh) {
        begin(store);
        let looked = store.glance(|glance| {
            let before = glance.belonging(&ent("ann"))?;
            store.depart(&space(0), &ent("sarah"), NOW)?;
            let after = store.glance(|glance| glance.standing(&ent("ann")))?;
            Ok((before, after, glance.standing(&ent("ann"))?))
        });
        let (before, after, told) = looked.unwrap();
        assert_ne!(after.belonging, before);
        assert_eq!(told.belonging, before);
        told_as_it_is(store, "ann");
    }

    fn what_is_told_of_an_agent_is_of_one_moment_while_others_change_it(store: &Fresh) {
        begin(store);
        let writers = 3;
        let (left, looks) = (AtomicUsize::new(writers), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for seed in 0..writers {
                let left = &left;
                scope.spawn(move || {
                    let mut rng = Rng::with_seed(seed as u64);
                    (0..200).for_each(|_| happen(store, &mut rng));
                    left.fetch_sub(1, Ordering::Relaxed);
                });
            }
            for agent in AGENTS.into_iter().chain(AGENTS) {
                let (left, looks) = (&left, &looks);
                scope.spawn(move || {
                    while left.load(Ordering::Relaxed) > 0 {
                        told_as_it_is(store, agent);
                        looks.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        AGENTS.iter().for_each(|agent| told_as_it_is(store, agent));
        assert!(looks.into_inner() > writers);
    }
}

/// A change gets its number when it begins. One that is done later than others with higher numbers is told when it is done.
#[test]
fn a_change_that_takes_long_is_told_once_it_is_done_postgres() {
    let store = Fresh::postgres();
    begin(&store);
    let Address::Postgres(url) = &store.address else { unreachable!("it is on a server") };
    let mut slow = postgres::Client::connect(url, postgres::NoTls).unwrap();
    slow.batch_execute(
        "BEGIN; UPDATE entities SET name = 'Husam' WHERE id = 'husam'; INSERT INTO around(entity, change) \
         VALUES(0, CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT))",
    )
    .unwrap();
    store.put_entity(&entity("somebody", EntityKind::Human)).unwrap();
    let husam = || {
        let told = store.glance(|glance| glance.standing(&ent("ann"))).unwrap();
        told.belonging.entities.iter().find(|entity| entity.id == ent("husam")).unwrap().name.clone()
    };
    assert_eq!([husam(), husam()], ["husam"; 2]);
    slow.batch_execute("COMMIT").unwrap();
    assert_eq!([husam(), husam()], ["Husam"; 2]);
}

/// Somebody may change while they come to an agent's space. Neither of the two knows of the other.
#[test]
fn who_changes_while_an_agent_meets_them_is_told_as_they_are_then_postgres() {
    let store = Fresh::postgres();
    begin(&store);
    store.put_entity(&entity("late", EntityKind::Human)).unwrap();
    let Address::Postgres(url) = &store.address else { unreachable!("it is on a server") };
    let late = || {
        let told = store.glance(|glance| glance.standing(&ent("ann"))).unwrap();
        told.belonging.entities.iter().find(|entity| entity.id == ent("late")).map(|entity| entity.name.clone())
    };
    // The change is made, and then nothing happens for a while.
    let mut slow = postgres::Client::connect(url, postgres::NoTls).unwrap();
    slow.batch_execute(
        "BEGIN; UPDATE entities SET name = 'Late' WHERE id = 'late'; INSERT INTO around(entity, change) \
         VALUES(0, CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT))",
    )
    .unwrap();
    store.join(&space(0), &ent("late"), None).unwrap();
    assert_eq!(late().as_deref(), Some("late"));
    slow.batch_execute("COMMIT").unwrap();
    assert_eq!(late().as_deref(), Some("Late"));
}

/// Two who do not know of each other add somebody at the same time, each with another name.
#[test]
fn who_is_added_twice_is_told_as_they_are_in_the_end_postgres() {
    let store = Fresh::postgres();
    begin(&store);
    let other = Store::open(&store.address, Access::Write, NOW).unwrap();
    for round in 0..40 {
        let id = format!("new-{round}");
        std::thread::scope(|scope| {
            let named = |name: &str| Entity { name: name.to_owned(), ..entity(&id, EntityKind::Human) };
            let (one, two) = (named("One"), named("Two"));
            let (store, other) = (&store, &other);
            let id = &id;
            scope.spawn(move || {
                store.put_entity(&one).unwrap();
                store.join(&space(0), &ent(id), None).unwrap();
                told_as_it_is(store, "ann");
            });
            scope.spawn(move || other.put_entity(&two).unwrap());
        });
        told_as_it_is(&store, "ann");
    }
}
