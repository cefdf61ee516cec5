//! Who wakes, what they see, and what they say.

use crate::worlds;
use weftwork_gateway::Message;
use weftwork_store::runs::RunState;

worlds! {
    fn a_message_wakes_every_other_agent(world: World) {
        let space = world.space("team", &["husam", "Analyst", "Designer"]);
        world.post(&space, "husam", "!send On it.");
        world.settle();
        assert_eq!(world.said(&space), ["husam: !send On it.", "Analyst: On it."]);
        // Designer's run was still queued when Analyst spoke: that is what it answers to, and it has nothing to add.
        assert_eq!(world.states("Designer"), [RunState::Completed]);
        let system = world.system(&world.runs("Designer")[0].id);
        assert!(system.contains("  sender: Analyst (agent, id: Analyst)\n  message: \"On it.\""), "{system}");
        assert!(system.contains("\n  alsoTriggering: msg:"), "{system}");
        assert_eq!((world.cursor(&space, "Analyst"), world.cursor(&space, "Designer")), (0, 0));
        world.sound();
    }

    fn a_wait_is_resumed_by_a_reply_and_goes_on(world: World) {
        let space = world.space("team", &["husam", "Analyst"]);
        world.post(&space, "husam", "!wait Which quarter?\n!send Thanks.");
        world.settle();
        assert_eq!(world.states("Analyst"), [RunState::WaitingReply]);
        let question = world.runs("Analyst")[0].clone();
        world.post(&space, "husam", "Q4");
        world.settle();
        assert_eq!(world.states("Analyst"), [RunState::Completed]);
        assert_eq!(world.said(&space)[1..], ["Analyst: Which quarter?", "husam: Q4", "Analyst: Thanks."]);
        let system = world.system(&question.id);
        assert!(system.contains("sent with wait: true"), "{system}");
        assert!(system.contains("← RESUME: husam replied. Continue from here."), "{system}");
        world.sound();
    }

    fn nobody_replies_in_time(world: World) {
        let space = world.space("team", &["husam", "Analyst"]);
        world.post(&space, "husam", "!call send_message {\"text\": \"Anyone?\", \"wait\": true, \"timeout\": \"2 hours\"}\n!send Nobody.");
        world.settle();
        world.pass(2 * 60 * 60 * 1_000);
        world.settle();
        let run = world.runs("Analyst")[0].clone();
        assert_eq!(run.state, RunState::Completed);
        assert!(world.system(&run.id).contains("← RESUME: nobody replied. Continue from here."));
        world.sound();
    }

    fn a_human_can_say_that_they_wait(world: World) {
        let space = world.space("team", &["husam", "Analyst"]);
        world.send(&space, "husam", Message { expects_reply: true, ..Message::text("Well?") });
        world.settle();
        assert!(world.system(&world.runs("Analyst")[0].id).contains("senderExpectsReply: true"));
    }
}
