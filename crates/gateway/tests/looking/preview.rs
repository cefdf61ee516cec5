//! What an agent would be sent is what it is sent.

use crate::World;
use crate::support::{Fresh, NOW, ent, entity};
use std::sync::Arc;
use weftwork::model::{Conversation, EntityKind, Space, SpaceId};
use weftwork_gateway::{GatewayError, Message, WorkerSettings};
use weftwork_store::runs::RunQuery;
use weftwork_store::{CallsOf, StoreError};

fn world(fresh: Fresh) -> (World, SpaceId) {
    let world = World::new(fresh, Arc::new(|| NOW));
    let mut header = Conversation::new(Space::new("team", "Team"));
    header.entities = vec![entity("husam", EntityKind::Human), entity("Analyst", EntityKind::Agent)];
    world.store().create_space(&header, NOW).expect("a space");
    (world, header.space.id)
}

#[test]
fn a_run_that_is_due_is_sent_what_was_shown() {
    for fresh in [Fresh::bare_sqlite(), Fresh::bare_postgres()] {
        let (world, space) = world(fresh);
        let agent = ent("Analyst");
        let nothing = world.runtime.block_on(world.gateway.preview_run(&space, &agent));
        assert!(matches!(nothing, Err(GatewayError::NothingThere { .. })));
        for text in ["!wait Which quarter?\n!send Thanks.", "Q4"] {
            let husam = ent("husam");
            world.runtime.block_on(world.gateway.post(&space, &husam, Message::text(text))).expect("posted");
            let before = world.store().runs(&RunQuery::default()).expect("runs").len();
            let shown = world.runtime.block_on(world.gateway.preview_run(&space, &agent)).expect("a preview");
            let run = shown.run.expect("it is due");
            let calls = world.store().calls(CallsOf::Run(run.as_str())).expect("calls").len();
            world.runtime.block_on(world.gateway.work_off(&WorkerSettings::default())).expect("worked off");
            let call = &world.store().calls(CallsOf::Run(run.as_str())).expect("calls")[calls];
            let exchange = world.store().exchange(call.space.as_ref(), &call.id).expect("an exchange");
            assert_eq!(exchange.request.as_deref(), Some(shown.assembly.request.as_slice()), "{text}");
            assert_eq!(world.store().runs(&RunQuery::default()).expect("runs").len(), before, "looking begins nothing");
        }
        let idle = world.runtime.block_on(world.gateway.preview_run(&space, &agent)).expect("a preview");
        let text = String::from_utf8(idle.neutral).expect("text");
        assert!(idle.run.is_none() && text.contains("message: \\\"Q4\\\"") && text.contains("(this run)"), "{text}");
        let stranger = world.runtime.block_on(world.gateway.preview_run(&space, &ent("nobody")));
        assert!(matches!(stranger, Err(GatewayError::Store(StoreError::NoMember { .. }))), "{stranger:?}");
    }
}
