//! Waiting for a reply: one transaction to begin, one winner to end.

use super::support::*;
use crate::on_both;
use crate::support::{ent, said};
use weftwork::model::{Edge, Node, NodeId, Part, ResultContent, ToolResult};
use weftwork_store::runs::{
    Accept, Canceled, Caps, How, RunState, Send, SendRefusal, Sent, WaitCancel, WaitFor, WaitState, Wake,
};
use weftwork_store::{Draft, Flag, Store};

/// The state of a run's last wait.
fn last(store: &Store, run: &weftwork_store::runs::RunId) -> WaitState {
    store.waits(run).unwrap().pop().expect("a wait").state
}

fn state(store: &Store, run: &weftwork_store::runs::RunId) -> RunState {
    store.run(run).unwrap().state
}

on_both! {
    fn a_reply_resumes_the_run_and_starts_no_other_of_its_agent(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let guard = woken(store, &space, "a", NOW);
        let before = store.run(&guard.run).unwrap();
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        assert_eq!(state(store, &guard.run), RunState::WaitingReply);
        let answered = reply(store, &space, "husam", &asked.message.node.id, NOW + 5);
        assert_eq!(answered.resumed, std::slice::from_ref(&guard.run));
        assert_eq!(hows(&answered), [("a".into(), Some(How::Resumed)), ("b".into(), Some(How::Joined))]);
        let after = store.run(&guard.run).unwrap();
        assert_eq!((after.state, &after.root, after.depth), (RunState::Queued, &before.root, before.depth));
        assert_eq!(last(store, &guard.run), WaitState::Resolved(Some(answered.message.node.id)));
        sound(store, NOW);
    }

    fn a_resumed_run_does_not_take_the_queued_place(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        let other = post(store, &space, "something else", NOW);
        reply(store, &space, "husam", &asked.message.node.id, NOW);
        let joined = post(store, &space, "more", NOW);
        assert_eq!(run_of(&joined, "a"), run_of(&other, "a"));
        assert_ne!(run_of(&other, "a"), guard.run);
        let first = claim(store, NOW);
        held(store.complete(&first.guard(), NOW).unwrap());
        let second = claim(store, NOW);
        assert_ne!(first.id, second.id);
        sound(store, NOW);
    }

    fn any_message_of_another_ends_a_wait_by_default(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        assert_eq!(post(store, &space, "whatever", NOW).resumed, [guard.run]);
        sound(store, NOW);
    }

    fn only_a_reply_ends_a_wait_for_a_reply(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        assert_eq!(post(store, &space, "no reply", NOW).resumed, []);
        assert_eq!(state(store, &guard.run), RunState::WaitingReply);
        assert_eq!(reply(store, &space, "husam", &asked.message.node.id, NOW).resumed, [guard.run]);
        sound(store, NOW);
    }

    fn only_those_who_are_named_end_a_wait_for_them(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        store.put_entity(&crate::support::entity("sarah", weftwork::model::EntityKind::Human)).unwrap();
        store.join(&space, &ent("sarah"), None).unwrap();
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::From(vec![ent("sarah")])), NOW);
        assert_eq!(store.waits(&guard.run).unwrap()[0].accept, Accept::From(vec![ent("sarah")]));
        assert_eq!(reply(store, &space, "husam", &asked.message.node.id, NOW).resumed, []);
        let answered = store.post(&note(&space, "sarah", "yes"), &caps(), NOW).unwrap();
        assert_eq!(answered.resumed, [guard.run]);
        sound(store, NOW);
    }

    fn an_agent_never_answers_itself(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        let other = crew(store, "t", &["a"]);
        let elsewhere = woken(store, &other, "a", NOW);
        assert_eq!(sent(store, &elsewhere, &message(&space, 1, "me again"), NOW).resumed, []);
        assert_eq!(state(store, &guard.run), RunState::WaitingReply);
        sound(store, NOW);
    }

    fn a_reply_in_another_space_is_a_plain_message(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a"]), crew(store, "t", &["a"]));
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        assert_eq!(reply(store, &other, "husam", &asked.message.node.id, NOW).resumed, []);
        sound(store, NOW);
    }

    fn a_wait_is_resolved_at_any_depth(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let shallow = Caps { depth: 1, ..caps() };
        let posted = post(store, &space, "go", NOW);
        let (a, b) = (claim_of(store, &run_of(&posted, "a"), NOW), run_of(&posted, "b"));
        let asked = sent(store, &a, &question(&space, 1, Accept::Any), NOW);
        let b = claim_of(store, &b, NOW);
        let answer = held(store.agent_send(&b, &message(&space, 1, "yes"), &shallow, NOW).unwrap());
        let Sent::Posted(answer) = answer else { panic!("{answer:?}") };
        assert_eq!(answer.resumed, [a.run]);
        assert!(asked.message.seq < answer.message.seq);
        sound(store, NOW);
    }

    fn time_ends_a_wait_once(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let soon = WaitFor { accept: Accept::Reply, deadline: Some(NOW + 100) };
        sent(store, &guard, &Send { wait: Some(soon), ..message(&space, 1, "?") }, NOW);
        assert_eq!(store.expire_waits(9, NOW + 99).unwrap(), []);
        assert_eq!(store.expire_waits(9, NOW + 100).unwrap(), std::slice::from_ref(&guard.run));
        assert_eq!(store.expire_waits(9, NOW + 100).unwrap(), []);
        assert_eq!((state(store, &guard.run), last(store, &guard.run)), (RunState::Queued, WaitState::Expired));
        sound(store, NOW);
    }

    fn a_wait_lasts_seven_days_and_at_most_ninety(store: &Fresh) {
        const DAY: i64 = 86_400_000;
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        assert_eq!(store.waits(&guard.run).unwrap()[0].deadline, NOW + 7 * DAY);
        post(store, &space, "answer", NOW);
        let guard = claim(store, NOW).guard();
        let forever = WaitFor { accept: Accept::Any, deadline: Some(i64::MAX) };
        sent(store, &guard, &Send { wait: Some(forever), ..message(&space, 2, "?") }, NOW);
        assert_eq!(store.waits(&guard.run).unwrap()[1].deadline, NOW + 90 * DAY);
        sound(store, NOW);
    }

    fn deleting_the_message_ends_the_wait(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        assert!(store.delete_message(&space, &asked.message.node.id, NOW).unwrap().pruned);
        assert_eq!(last(store, &guard.run), WaitState::Canceled(WaitCancel::Deleted));
        assert_eq!(state(store, &guard.run), RunState::Queued);
        sound(store, NOW);
    }

    fn pruning_or_purging_the_message_ends_the_wait(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let acts: [&dyn Fn(&NodeId); 2] = [
            &|asked| drop(store.set_flag(&space, asked, Flag::Pruned, true, NOW).unwrap()),
            &|asked| store.purge(&space, asked, NOW).unwrap(),
        ];
        for act in acts {
            let guard = woken(store, &space, "a", NOW);
            let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW).message.node.id;
            store.set_flag(&space, &asked, Flag::Pinned, true, NOW).unwrap();
            store.set_flag(&space, &asked, Flag::Pruned, false, NOW).unwrap();
            assert_eq!(last(store, &guard.run), WaitState::Open);
            act(&asked);
            assert_eq!(last(store, &guard.run), WaitState::Canceled(WaitCancel::Deleted));
            assert_eq!(state(store, &guard.run), RunState::Queued);
            sound(store, NOW);
            finish_all(store, NOW);
        }
    }

    fn what_is_said_in_a_chat_ends_the_wait_and_wakes_nobody(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::From(vec![ent("husam")])), NOW);
        finish_all(store, NOW);
        let remark = Node { edge: Edge::Annotation, ..said("husam", "a remark") };
        assert_eq!(store.say(&space, &Draft::new(remark), NOW).unwrap().resumed, []);
        let result = ToolResult {
            id: "t".into(),
            name: None,
            content: ResultContent::Text("42".into()),
            is_error: false,
            included: false,
            native: None,
        };
        let given = Node { parts: vec![Part::ToolResult(result)], ..said("husam", "") };
        assert_eq!(store.say(&space, &Draft::new(given), NOW).unwrap().resumed, [], "what a tool gave back is no word");
        assert_eq!(last(store, &guard.run), WaitState::Open);
        let mark = store.open_mark().unwrap();
        let draft = Draft { key: Some("k".into()), ..Draft::new(said("husam", "yes")) };
        let yes = store.say(&space, &draft, NOW).unwrap();
        assert_eq!(yes.resumed, std::slice::from_ref(&guard.run));
        assert_ne!(store.open_mark().unwrap(), mark, "a run that goes on is seen without reading it");
        assert_eq!(last(store, &guard.run), WaitState::Resolved(Some(yes.message.node.id)));
        assert_eq!(store.runs(&Default::default()).unwrap().iter().filter(|run| run.state == RunState::Queued).count(), 1);
        assert_eq!(store.say(&space, &draft, NOW).unwrap().resumed, [], "the same words again are no second answer");
        sound(store, NOW);
    }

    fn the_last_one_who_could_reply_ends_the_wait_by_leaving(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        store.depart(&space, &ent("b"), NOW).unwrap();
        assert_eq!(last(store, &guard.run), WaitState::Open);
        store.depart(&space, &ent("husam"), NOW).unwrap();
        assert_eq!(last(store, &guard.run), WaitState::Canceled(WaitCancel::Alone));
        sound(store, NOW);
    }

    fn the_one_who_waits_ends_the_wait_by_leaving(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Accept::Any), NOW);
        store.depart(&space, &ent("a"), NOW).unwrap();
        assert_eq!(last(store, &guard.run), WaitState::Canceled(WaitCancel::Left));
        assert_eq!(hows(&post(store, &space, "hello?", NOW)), []);
        sound(store, NOW);
    }

    fn reply_deadline_and_cancel_in_one_moment_have_one_winner(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        for first in 0..3 {
            let guard = woken(store, &space, "a", NOW);
            let soon = WaitFor { accept: Accept::Any, deadline: Some(NOW) };
            sent(store, &guard, &Send { wait: Some(soon), ..message(&space, 1, "?") }, NOW);
            let acts: [&dyn Fn(); 3] = [
                &|| drop(post(store, &space, "reply", NOW)),
                &|| drop(store.expire_waits(9, NOW).unwrap()),
                &|| assert!(store.cancel(&guard.run, NOW).is_ok()),
            ];
            (0..3).for_each(|turn| acts[(first + turn) % 3]());
            let state = last(store, &guard.run);
            assert!(match first {
                0 => matches!(state, WaitState::Resolved(Some(_))),
                1 => state == WaitState::Expired,
                _ => state == WaitState::Canceled(WaitCancel::Run),
            }, "{first}: {state:?}");
            assert_eq!(store.run(&guard.run).unwrap().state, RunState::Canceled);
            sound(store, NOW);
            finish_all(store, NOW);
        }
    }

    fn of_two_replies_the_first_resumes_and_the_second_is_a_message(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        let first = reply(store, &space, "husam", &asked.message.node.id, NOW);
        let second = reply(store, &space, "husam", &asked.message.node.id, NOW);
        assert_eq!((first.resumed.len(), second.resumed.len()), (1, 0));
        assert_eq!(hows(&second), [("a".into(), Some(How::Started))]);
        sound(store, NOW);
    }

    fn a_reply_to_a_run_that_was_canceled_resurrects_nothing(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        assert_eq!(store.cancel(&guard.run, NOW).unwrap(), Canceled::Now);
        let late = reply(store, &space, "husam", &asked.message.node.id, NOW);
        assert_eq!((late.resumed.len(), hows(&late)), (0, vec![("a".into(), Some(How::Started))]));
        assert_eq!(state(store, &guard.run), RunState::Canceled);
        sound(store, NOW);
    }

    fn two_agents_cannot_wait_for_each_other(store: &Fresh) {
        let space = closed(store, "s", &["a", "b"]);
        let office = crew(store, "office", &["a", "b"]);
        let posted = post(store, &office, "go", NOW);
        let a = claim_of(store, &run_of(&posted, "a"), NOW);
        sent(store, &a, &question(&space, 1, Accept::Reply), NOW);
        let b = claim_of(store, &run_of(&posted, "b"), NOW);
        let refused = send(store, &b, &question(&space, 1, Accept::Reply), NOW);
        assert!(matches!(refused, Sent::Refused(SendRefusal::Deadlock)), "{refused:?}");
        // With a person who could answer, it is no ring; nor when the question is itself the answer.
        sent(store, &b, &question(&office, 2, Accept::Reply), NOW);
        sound(store, NOW);
    }

    fn a_question_that_answers_may_wait(store: &Fresh) {
        let space = closed(store, "s", &["a", "b"]);
        let office = crew(store, "office", &["a", "b"]);
        let posted = post(store, &office, "go", NOW);
        let a = claim_of(store, &run_of(&posted, "a"), NOW);
        sent(store, &a, &question(&space, 1, Accept::Any), NOW);
        let b = claim_of(store, &run_of(&posted, "b"), NOW);
        assert_eq!(sent(store, &b, &question(&space, 1, Accept::Any), NOW).resumed, [a.run]);
        sound(store, NOW);
    }

    fn a_ring_of_agents_cannot_wait_for_each_other(store: &Fresh) {
        let names = ["a", "b", "c", "d"];
        let office = crew(store, "office", &names);
        let rooms: Vec<_> = (0..4).map(|n| closed(store, &format!("r{n}"), &[names[n], names[(n + 1) % 4]])).collect();
        let posted = post(store, &office, "go", NOW);
        for (n, room) in rooms.iter().enumerate() {
            let guard = claim_of_one(store, &posted, names[n]);
            let wait = Send { wake: Wake::Mentioned(Vec::new()), ..question(room, 1, Accept::Reply) };
            let result = send(store, &guard, &wait, NOW);
            assert_eq!(matches!(result, Sent::Refused(SendRefusal::Deadlock)), n == 3, "{n}: {result:?}");
        }
        sound(store, NOW);
    }

    fn nobody_waits_alone(store: &Fresh) {
        let (office, room) = (crew(store, "office", &["a"]), closed(store, "room", &["a"]));
        let guard = woken(store, &office, "a", NOW);
        let refused = send(store, &guard, &question(&room, 1, Accept::Any), NOW);
        assert!(matches!(refused, Sent::Refused(SendRefusal::Alone)), "{refused:?}");
        sound(store, NOW);
    }

    fn a_run_waits_ten_times_and_no_more(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let mut guard = woken(store, &space, "a", NOW);
        for step in 1..=10 {
            sent(store, &guard, &question(&space, step, Accept::Any), NOW);
            post(store, &space, "answer", NOW);
            guard = claim(store, NOW).guard();
        }
        let refused = send(store, &guard, &question(&space, 11, Accept::Any), NOW);
        assert!(matches!(refused, Sent::Refused(SendRefusal::Waits)), "{refused:?}");
        sent(store, &guard, &message(&space, 11, "then not"), NOW);
        sound(store, NOW);
    }

    fn five_runs_of_an_agent_wait_and_no_more(store: &Fresh) {
        for n in 0..6 {
            let space = crew(store, &format!("s{n}"), &["a"]);
            let guard = woken(store, &space, "a", NOW);
            let result = send(store, &guard, &question(&space, 1, Accept::Any), NOW);
            assert_eq!(matches!(result, Sent::Refused(SendRefusal::WaitingRuns)), n == 5, "{n}: {result:?}");
        }
        sound(store, NOW);
    }

    fn a_tool_that_answers_later_resumes_the_run(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        held(store.step_intent(&guard, &tool(1), &caps(), NOW).unwrap());
        held(store.wait_for_tool(&guard, 1, None, &caps(), NOW).unwrap());
        assert_eq!(state(store, &guard.run), RunState::WaitingTool);
        assert!(store.tool_answered(&guard.run, 2, &done(0), NOW).unwrap().is_lost());
        assert_eq!(post(store, &space, "no answer to a tool", NOW).resumed, []);
        held(store.tool_answered(&guard.run, 1, &done(7), NOW).unwrap());
        assert!(store.tool_answered(&guard.run, 1, &done(7), NOW).unwrap().is_lost());
        assert_eq!(state(store, &guard.run), RunState::Queued);
        assert_eq!(store.steps(&guard.run).unwrap()[0].cost, 7);
        sound(store, NOW);
    }
}

fn claim_of_one(store: &Store, posted: &weftwork_store::runs::Posted, agent: &str) -> weftwork_store::runs::Guard {
    let run = run_of(posted, agent);
    let known = store.run(&run).unwrap();
    if known.state == RunState::Running { known.guard() } else { claim_of(store, &run, crate::support::NOW) }
}
