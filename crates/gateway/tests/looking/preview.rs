//! What an agent would be sent is what it is sent.

use crate::World;
use crate::support::{Fresh, NOW, ent, entity};
use std::sync::Arc;
use weftwork::ask::{Form, Settings};
use weftwork::model::{Conversation, Entity, EntityKind, Space, SpaceId};
use weftwork::report::Decision;
use weftwork_gateway::{GatewayError, How, Message, Wire, WorkerSettings};
use weftwork_store::runs::RunQuery;
use weftwork_store::{CallsOf, StoreError};

/// Whether the agent is shown the tree it stands in.
#[derive(Clone, Copy, PartialEq)]
enum Sees {
    Path,
    Tree,
}

fn world(fresh: Fresh, sees: Sees) -> (World, SpaceId) {
    let world = World::new(fresh, Arc::new(|| NOW));
    let mut header = Conversation::new(Space::new("team", "Team"));
    let analyst = Entity { loom_aware: sees == Sees::Tree, ..entity("Analyst", EntityKind::Agent) };
    header.entities = vec![entity("husam", EntityKind::Human), analyst];
    world.store().create_space(&header, NOW).expect("a space");
    (world, header.space.id)
}

#[test]
fn a_run_that_is_due_is_sent_what_was_shown() {
    let stores = [(Fresh::bare_sqlite(), Sees::Path), (Fresh::bare_sqlite(), Sees::Tree), (Fresh::bare_postgres(), Sees::Path)];
    for (fresh, sees) in stores {
        let (world, space) = world(fresh, sees);
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

#[test]
fn a_run_is_imagined_otherwise_and_stays_a_timeline() {
    let (world, space) = world(Fresh::bare_sqlite(), Sees::Path);
    let (husam, agent) = (ent("husam"), ent("Analyst"));
    for number in 0..60 {
        let text = format!("number {number}: {}", "the tide comes in and goes out again. ".repeat(2));
        world.runtime.block_on(world.gateway.post(&space, &husam, Message::text(text))).expect("posted");
    }
    let imagine = |how: How| {
        let shown = world.runtime.block_on(world.gateway.imagine_run(&space, &agent, &how, Wire::default()));
        let report = shown.expect("a preview").assembly.report;
        let sent = report.items.iter().filter(|item| item.decision == Decision::Included).count();
        (report.budget.context_length, report.budget.reserve, sent)
    };
    let (length, reserve, sent) = imagine(How::default());
    let settings = Settings { window: Some(5), form: Some(Form::Dialogue), ..Settings::default() };
    assert_eq!(
        imagine(How { settings, ..How::default() }),
        (length, reserve, 10),
        "the window moves in steps of 25; {sent} before"
    );
    let settings = Settings { context_length: Some(9_000), max_tokens: Some(300), ..Settings::default() };
    assert_eq!(imagine(How { settings: settings.clone(), ..How::default() }), (9_000, 300, sent));
    assert_eq!(imagine(How { settings, max_tokens: Some(200), ..How::default() }), (9_000, 200, sent));
}
