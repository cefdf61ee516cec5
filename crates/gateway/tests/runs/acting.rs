//! What an agent can do in a run, tool by tool (4.5).

use crate::server::{Server, ok, send};
use crate::support::ent;
use crate::worlds;
use weftwork::model::{Goal, Memory};
use weftwork_gateway::Ended;
use weftwork_store::runs::{ParkReason, RunState, StepKind, StepStatus};

worlds! {
    fn entering_a_space_shows_it_and_makes_it_the_active_one(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let dev = world.space("dev", &["sarah", "Analyst"]);
        world.post(&dev, "sarah", "!say Nothing.");
        world.settle();
        world.post(&team, "husam", "!call enter_space {\"spaceId\": \"dev\"}\n!call send_message {\"text\": \"Hello dev\"}");
        world.settle();
        assert_eq!(world.said(&dev)[1..], ["Analyst: Hello dev"]);
        let run = world.runs("Analyst")[1].clone();
        let results = world.results(&run.id);
        assert!(results[0].starts_with("ACTIVE SPACE: \"dev\" (id: dev)\nSPACE HISTORY (\"dev\"):\n  [msg:"), "{results:?}");
        assert!(results[0].contains("sarah (human, id:sarah): \"!say Nothing.\"  [SEEN]"), "{results:?}");
        assert!(results[1].starts_with("Sent as msg:"), "{results:?}");
        world.sound();
    }

    fn a_message_to_another_space_keeps_why_it_was_sent(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let dev = world.space("dev", &["sarah", "Analyst"]);
        let ask = "!call send_message {\"text\": \"Hey team\", \"spaceId\": \"dev\"}";
        world.post(&team, "husam", ask);
        world.settle();
        world.post(&dev, "sarah", "Why?");
        world.settle();
        let system = world.system(&world.runs("Analyst")[1].id);
        let line = "You: [sent because husam asked \"!call send_message {\\\"text\\\": \\\"Hey team\\\", \\\"spaceId\\\": \\\"dev\\\"}\" in \"team\"] \"Hey team\"";
        assert!(system.contains(line), "{system}");
    }

    fn reading_goes_back_page_by_page_and_moves_the_cursor(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let dev = world.space_with("dev", &["sarah", "Analyst"], |space| space.wake = weftwork::model::Wake::Mentioned);
        let said: Vec<_> = (0..5).map(|at| world.post(&dev, "sarah", &format!("line {at}")).message.node.id).collect();
        assert_eq!(world.cursor(&dev, "Analyst"), 5);
        let script = format!("!call read_messages {{\"spaceId\": \"dev\", \"limit\": 2}}\n!say x\n!call read_messages {{\"spaceId\": \"dev\", \"limit\": 2, \"before\": \"msg:{}\"}}", said[3]);
        world.post(&team, "husam", &script);
        world.settle();
        let results = world.results(&world.runs("Analyst")[0].id);
        assert!(results[0].contains("line 3") && results[0].contains("line 4") && !results[0].contains("line 2"), "{results:?}");
        assert!(results[0].ends_with(&format!("[… there is more: read_messages before msg:{} …]", said[3])), "{results:?}");
        assert!(results[1].contains("line 1") && results[1].contains("line 2") && !results[1].contains("line 3"), "{results:?}");
        assert_eq!(world.cursor(&dev, "Analyst"), 0, "what was read with a tool is read");
    }

    fn goals_memories_and_plans_are_changed_and_shown(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        world.post(&team, "husam", concat!(
            "!call set_goals {\"add\": [{\"text\": \"Finish Q4\", \"priority\": 2}, {\"text\": \"Old\"}]}\n",
            "!call set_memories {\"all\": [{\"topic\": \"reports\", \"text\": \"Sarah prefers charts\"}]}\n",
            "!call set_plans {\"add\": [{\"name\": \"Follow up\", \"instruction\": \"!send Following up\", \"runAfter\": \"2 hours\"}]}\n",
            "!say ok\n",
            "!call set_goals {\"remove\": [\"Old\"], \"add\": [{\"text\": \"Finish Q4\", \"priority\": 3}]}",
        ));
        world.settle();
        let store = world.store();
        assert_eq!(store.goals(&ent("Analyst")).unwrap(), [Goal { text: "Finish Q4".into(), priority: Some(3), long_term: false }]);
        assert_eq!(store.memories(&ent("Analyst")).unwrap(), [Memory { topic: "reports".into(), text: "Sarah prefers charts".into() }]);
        let system = world.system(&world.runs("Analyst")[0].id);
        assert!(system.contains("GOALS:\n  - Finish Q4 (priority: 3)"), "{system}");
        assert!(system.contains("MEMORIES:\n  - [reports] Sarah prefers charts"), "{system}");
        assert!(system.contains("PLANS:\n  - \"Follow up\" (one-time, scheduledAt: "), "{system}");
        assert!(system.contains("[created via runAfter: \"2 hours\"]"), "{system}");
        world.sound();
    }

    fn a_plan_fires_in_no_space_and_must_enter_one(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let order = "!send Too early\\n!say x\\n!call enter_space {\\\"spaceId\\\": \\\"team\\\"}\\n!say y\\n!send Following up";
        world.post(&team, "husam", &format!("!call set_plans {{\"add\": [{{\"name\": \"Later\", \"instruction\": \"{order}\", \"runAfter\": \"2 hours\"}}]}}"));
        world.settle();
        world.pass(2 * 60 * 60 * 1_000 + 1);
        world.settle();
        let run = world.runs("Analyst")[1].clone();
        assert_eq!((run.state, run.space.clone(), run.depth), (RunState::Completed, None, 1), "made in a chain, it stays in it");
        let system = world.system(&run.id);
        assert!(system.contains("TRIGGER:\n  type: plan\n  plan: \"Later\" (id: "), "{system}");
        assert!(system.contains("ACTIVE SPACE: none (call enter_space to enter a space first)"), "{system}");
        assert!(!system.contains("SPACE HISTORY"), "{system}");
        let results = world.results(&run.id);
        assert_eq!(results[0], "No space is active. Call enter_space first, or give a spaceId.");
        assert_eq!(world.said(&team)[1..], ["Analyst: Following up"]);
        world.sound();
    }

    fn an_agent_sees_and_stops_its_own_runs_and_no_others(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let other = world.space("other", &["husam", "Designer"]);
        world.post(&team, "husam", "!wait Which?");
        world.post(&other, "husam", "!wait What?");
        world.settle();
        let (own, foreign) = (world.runs("Analyst")[0].id.clone(), world.runs("Designer")[0].id.clone());
        let script = format!("!call get_my_runs {{\"status\": \"waiting_reply\"}}\n!call stop_run {{\"runId\": \"{foreign}\"}}\n!call stop_run {{\"runId\": \"{own}\"}}\n!call stop_run {{\"runId\": \"nothing\"}}");
        let third = world.space("third", &["husam", "Analyst"]);
        world.post(&third, "husam", &script);
        world.settle();
        let run = world.runs("Analyst").last().cloned().expect("a run");
        let results = world.results(&run.id);
        assert!(results[0].contains(own.as_str()) && !results[0].contains(foreign.as_str()), "{results:?}");
        assert_eq!(results[1..], ["None of your runs has this id. get_my_runs lists them.", "Stopped.", "None of your runs has this id. get_my_runs lists them."]);
        assert_eq!((world.states("Analyst")[0], world.states("Designer")[0]), (RunState::Canceled, RunState::WaitingReply));
        world.sound();
    }

    fn wrong_arguments_are_answered_and_nothing_is_done(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        world.post(&team, "husam", concat!(
            "!call send_message {}\n",
            "!call send_message {\"text\": \"  \"}\n",
            "!call send_message {\"text\": \"x\", \"messageId\": \"msg:nowhere\"}\n",
            "!call send_message {\"text\": \"x\", \"wait\": true, \"accept\": [\"nobody\"]}\n",
            "!call set_plans {\"add\": [{\"name\": \"n\", \"instruction\": \"i\", \"cron\": \"99 * * * *\"}]}\n",
            "!call set_plans {\"remove\": [\"plan-x\"]}",
        ));
        world.settle();
        let results = world.results(&world.runs("Analyst")[0].id);
        for (at, expected) in ["missing field `text`", "The text is empty", "There is no message nowhere", "", "99", "plan-x"].iter().enumerate() {
            assert!(results.get(at).is_some_and(|result| result.contains(expected)), "{at} {expected}: {results:?}");
        }
        assert_eq!(world.said(&team).len(), 1);
        world.sound();
    }

    fn several_waits_in_one_reply_are_refused_and_nothing_is_lost(world: World) {
        let call = |at: usize| {
            let arguments = serde_json::json!({"text": format!("question {at}"), "wait": true}).to_string();
            serde_json::json!({"index": at, "id": format!("c{at}"), "type": "function", "function": {"name": "send_message", "arguments": arguments}})
        };
        let chunk = |delta: serde_json::Value, reason: &str| {
            format!("data: {}\n\n", serde_json::json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
        };
        let calls = chunk(serde_json::json!({"tool_calls": [call(0), call(1)]}), "tool_calls") + "data: [DONE]\n\n";
        let end = chunk(serde_json::json!({"content": "Then not."}), "stop") + "data: [DONE]\n\n";
        let server = world.wait(Server::play(vec![vec![ok(), send(calls)], vec![ok(), send(end)]]));
        let config = format!("[providers.test]\nkind = \"openai\"\nbase_url = \"{}\"\n[providers.test.models.m]\ncontext_length = 100000", server.address("/v1"));
        let world = world.configured(&config);
        let team = world.space("team", &["husam", "Analyst"]);
        let mut agent = world.store().entity(&ent("Analyst")).unwrap();
        agent.model = Some("test/m".into());
        world.store().put_entity(&agent).unwrap();
        world.post(&team, "husam", "Ask two things");
        world.settle();
        assert_eq!((world.said(&team).len(), world.states("Analyst")), (1, vec![RunState::Completed]));
        let last = world.requests(&world.runs("Analyst")[0].id).pop().unwrap();
        assert_eq!(last.matches("Not sent: one message of a reply can wait").count(), 2, "{last}");
        world.sound();
    }

    fn a_deleted_message_and_a_last_replier_who_leaves_end_a_wait(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let waiting = world.post(&team, "husam", "!wait Which?\n!say on");
        world.settle();
        let asked = world.store().waits(&world.runs("Analyst")[0].id).unwrap()[0].message.clone().unwrap();
        world.store().delete_message(&team, &asked, world.now()).unwrap();
        world.settle();
        let run = world.runs("Analyst")[0].clone();
        assert_eq!(run.state, RunState::Completed);
        assert!(world.system(&run.id).contains("← RESUME: the message was deleted. Continue from here."), "{}", world.system(&run.id));
        assert!(!world.system(&run.id).contains("\"Which?\""), "no text of a deleted message");
        drop(waiting);
        world.post(&team, "husam", "!wait Who?\n!say on");
        world.settle();
        world.store().depart(&team, &ent("husam"), world.now()).unwrap();
        world.settle();
        let run = world.runs("Analyst")[1].clone();
        assert!(world.system(&run.id).contains("← RESUME: nobody who could reply is left. Continue from here."), "{}", world.system(&run.id));
        world.sound();
    }

    fn who_leaves_the_space_of_its_run_reads_nothing_of_it_any_more(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        world.post(&team, "husam", "Something secret");
        world.store().depart(&team, &ent("Analyst"), world.now()).unwrap();
        world.settle();
        let run = world.runs("Analyst")[0].clone();
        assert_eq!(run.state, RunState::Failed);
        assert_eq!(run.error.as_deref(), Some("the agent no longer belongs to the space of this run"));
        assert_eq!(world.requests(&run.id), [""; 0]);
        world.sound();
    }

    fn a_run_can_be_read_afterwards(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        world.post(&team, "husam", "!send Hi");
        world.settle();
        let run = world.runs("Analyst")[0].clone();
        let steps = world.store().steps(&run.id).unwrap();
        let kinds: Vec<_> = steps.iter().map(|step| (step.kind, step.status)).collect();
        assert_eq!(kinds, [(StepKind::Model, StepStatus::Done), (StepKind::Send, StepStatus::Done), (StepKind::Model, StepStatus::Done)]);
        let calls = world.store().calls(weftwork_store::CallsOf::Run(run.id.as_str())).unwrap();
        assert_eq!(calls.len(), 2);
        assert!(calls.iter().all(|call| call.usage.is_some_and(|usage| usage.input > 0)));
        for call in calls {
            world.store().reassemble(call.space.as_ref(), &call.id).expect("the same bytes");
        }
    }

    fn a_model_that_is_not_there_parks_the_run_until_a_person_acts(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let mut agent = world.store().entity(&ent("Analyst")).unwrap();
        agent.model = Some("nowhere/none".into());
        world.store().put_entity(&agent).unwrap();
        world.post(&team, "husam", "!send Hi");
        let ended = world.settle();
        assert_eq!(ended[0].1, Ended::In(RunState::Parked(ParkReason::Config)));
        agent.model = None;
        world.store().put_entity(&agent).unwrap();
        let _ = world.store().unpark(&world.runs("Analyst")[0].id, world.now()).unwrap();
        world.settle();
        assert_eq!(world.said(&team)[1..], ["Analyst: Hi"]);
        world.sound();
    }

    fn a_provider_that_fails_is_tried_again_later(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        world.post(&team, "husam", "!fail 503");
        for attempt in 1..=5 {
            world.settle();
            let run = world.runs("Analyst")[0].clone();
            if attempt < 5 {
                assert_eq!(run.state, RunState::Queued, "attempt {attempt}");
                assert!(run.error.as_deref().is_some_and(|why| why.contains("503")), "{run:?}");
            }
            world.pass(10 * 60 * 1_000);
        }
        assert_eq!(world.states("Analyst"), [RunState::Parked(ParkReason::Provider)]);
        world.sound();
    }

    fn a_loom_aware_agent_sees_the_tree_in_its_runs_too(world: World) {
        let team = world.space("team", &["husam", "Analyst"]);
        let mut agent = world.store().entity(&ent("Analyst")).unwrap();
        agent.loom_aware = true;
        world.store().put_entity(&agent).unwrap();
        world.post(&team, "husam", "!call loom_tree {}\n!call loom_search {\"query\": \"tree\"}");
        world.settle();
        let run = world.runs("Analyst")[0].clone();
        assert_eq!(run.state, RunState::Completed);
        let requests = world.requests(&run.id);
        assert!(requests[0].contains("You stand in a tree.") && requests[0].contains("TREE POSITION:"), "{}", requests[0]);
        assert!(!requests[0].contains("loom_respond\""), "in a run it looks, and changes nothing: {}", requests[0]);
        let results = world.results(&run.id);
        assert!(results[0].contains("husam"), "{results:?}");
        world.sound();
    }
}
