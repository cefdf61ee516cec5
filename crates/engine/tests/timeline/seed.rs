//! Each block of seed 001's context structure, byte for byte.

use crate::scene::*;
use insta::assert_snapshot;
use weftwork::model::*;
use weftwork::prompt::Section;
use weftwork::timeline::*;

#[test]
fn seed_001_identity_block() {
    assert_snapshot!(Scene::seed().section(Section::Identity), @r#"
    IDENTITY:
      name: "DataAnalyst"
      entityId: "entity-abc-123"
      currentTime: "2026-02-18T15:07:00Z"
    "#);
}

#[test]
fn seed_001_trigger_block_from_human() {
    assert_snapshot!(Scene::seed().section(Section::Trigger), @r#"
    TRIGGER:
      type: space_message
      space: "Project Alpha" (id: space-xyz)
      sender: Husam (human, id: ent-husam-01)
      message: "Pull the Q4 revenue numbers"
      messageId: msg-g7h8
      timestamp: "2026-02-18T15:06:55Z"
      senderExpectsReply: true
      chainDepth: 0
    "#);
}

#[test]
fn seed_001_trigger_block_from_agent() {
    let trigger = Trigger::SpaceMessage(SpaceMessageTrigger {
        space: "space-xyz".into(),
        sender: "ent-designer-02".into(),
        message: "Here's the mockup. Can someone review the feasibility?".into(),
        message_id: "msg-k9l0".into(),
        timestamp: Some(time("2026-02-18T15:10:30Z")),
        sender_expects_reply: false,
        chain_depth: 1,
        also_triggering: Vec::new(),
        waited_on: None,
        resumed_by: None,
        no_reply: Default::default(),
    });
    assert_snapshot!(Scene { trigger: Some(trigger), ..Scene::seed() }.section(Section::Trigger), @r#"
    TRIGGER:
      type: space_message
      space: "Project Alpha" (id: space-xyz)
      sender: Designer (agent, id: ent-designer-02)
      message: "Here's the mockup. Can someone review the feasibility?"
      messageId: msg-k9l0
      timestamp: "2026-02-18T15:10:30Z"
      senderExpectsReply: false
      chainDepth: 1
    "#);
}

#[test]
fn seed_001_trigger_block_plan() {
    assert_snapshot!(Scene { trigger: Some(plan_trigger()), ..Scene::empty() }.section(Section::Trigger), @r#"
    TRIGGER:
      type: plan
      plan: "Daily Report" (id: plan-abc)
      instruction: "Generate and post the daily metrics summary"
      scheduledAt: "2026-02-18T09:00:00Z"
    "#);
}

#[test]
fn seed_001_trigger_block_service() {
    let trigger = service_trigger(r#"{"issue":"PROJ-123","action":"status_changed","newStatus":"done"}"#);
    assert_snapshot!(Scene { trigger: Some(trigger), ..Scene::empty() }.section(Section::Trigger), @r#"
    TRIGGER:
      type: service
      service: "jira-webhook"
      payload: { "issue": "PROJ-123", "action": "status_changed", "newStatus": "done" }
    "#);
}

#[test]
fn seed_001_active_space_auto_set() {
    assert_snapshot!(Scene::seed().section(Section::ActiveSpace), @r#"ACTIVE SPACE: "Project Alpha" (id: space-xyz)  [auto-set from trigger]"#);
}

#[test]
fn seed_001_active_space_none() {
    assert_snapshot!(Scene { trigger: Some(plan_trigger()), ..Scene::empty() }.section(Section::ActiveSpace), @"ACTIVE SPACE: none (call enter_space to enter a space first)");
}

#[test]
fn seed_001_space_history_block() {
    assert_snapshot!(Scene::seed().section(Section::History), @r#"
    SPACE HISTORY ("Project Alpha"):
      [msg:a1b2] [2026-02-18T14:50:00Z] Husam (human, id:ent-husam-01): "Let's finalize the Q4 report"  [SEEN]
      [msg:c3d4] [2026-02-18T14:51:23Z] Designer (agent, id:ent-designer-02): "I've updated the charts. See attached."  [SEEN]
      [msg:e5f6] [2026-02-18T14:55:10Z] Ahmad (human, id:ent-ahmad-03): "Looks good. Can you add the revenue breakdown?"  [NEW]
      [msg:g7h8] [2026-02-18T15:06:55Z] Husam (human, id:ent-husam-01): "Pull the Q4 revenue numbers"  [NEW] ← TRIGGER
    "#);
}

#[test]
fn seed_001_spaces_block() {
    assert_snapshot!(Scene::seed().section(Section::Spaces), @r#"
    YOUR SPACES:
      - "Project Alpha" (id: space-xyz) [ACTIVE] — Husam (human), Ahmad (human), Designer (agent), You
      - "Daily Reports" (id: space-abc) — You, Sarah (human)
      - "1:1 with Husam" (id: space-def) — Husam (human), You
    "#);
}

#[test]
fn seed_001_goals() {
    assert_snapshot!(Scene::seed().section(Section::Goals), @r"
    GOALS:
      - Complete Q4 revenue analysis (priority: 2)
      - Maintain daily report pipeline (long-term, priority: 1)
    ");
}

#[test]
fn seed_001_memories() {
    assert_snapshot!(Scene::seed().section(Section::Memories), @r"
    MEMORIES:
      - [Q4] Revenue source breakdown uses the new categorization from October
      - [reports] Sarah prefers charts over tables
    ");
}

#[test]
fn seed_001_plans_with_relative_times() {
    assert_snapshot!(Scene::seed().section(Section::Plans), @r#"
    PLANS:
      - "Daily Report" (recurring, cron: 0 9 * * *, next: 2026-02-19T09:00:00Z, in 17h 53m)
      - "Follow up with Designer" (one-time, scheduledAt: 2026-02-18T17:07:00Z, in 2h 00m)  [created via runAfter: "2 hours"]
    "#);
}

#[test]
fn seed_001_active_runs() {
    assert_snapshot!(Scene::seed().section(Section::Runs), @r#"
    ACTIVE RUNS:
      - Run abc-123 (this run) — triggered by Husam in "Project Alpha"
      - Run def-456 — waiting_reply in "Daily Reports" (waiting for Sarah)
    "#);
}

#[test]
fn seed_001_instructions() {
    assert_snapshot!(Scene::seed().section(Section::Instructions), @r"
    INSTRUCTIONS:
      - Your text output is internal reasoning — never shown to anyone. Keep it brief.
      - Use send_message to communicate. The trigger space is already active — call enter_space only if you need to switch to a different space.
      - Use read_messages to load conversation history from any space you belong to.
      - If you have nothing to contribute, end this run without sending a message.
      - Set wait=true on send_message to pause until a reply arrives.
      - Provide messageId on send_message to reply to a specific message and resume any waiting run.
    ");
}

#[test]
fn seed_001_cross_space_annotation() {
    let origin = Origin {
        space: Some("space-xyz".into()),
        space_name: "Project Alpha".into(),
        sender_name: "Husam".into(),
        message: "Send report to dev team".into(),
    };
    let body = Body::SentBecause { because: Because::from(&origin), text: "Hey team, here's the Q4 report summary...".into() };
    let time = time("2026-02-18T14:30:00Z");
    let post = Post {
        id: "x1".into(),
        time: Some(std::borrow::Cow::Borrowed(&time)),
        speaker: Speaker::You,
        body,
        seen: Some(Seen::Seen),
        mark: None,
    };
    assert_eq!(
        Entry::Post(post).line(),
        r#"  [msg:x1] [2026-02-18T14:30:00Z] You: [sent because Husam asked "Send report to dev team" in "Project Alpha"] "Hey team, here's the Q4 report summary..."  [SEEN]"#
    );
}

#[test]
fn seed_001_resumed_run() {
    let entries = vec![
        Entry::Summary { to: Some("n2".into()), text: "Husam and Ahmad agreed on …".into() },
        Entry::Omitted { nodes: 12 },
        Entry::Post(post("n5", "14:55:10", ahmad(), said("Looks good."), Seen::Seen)),
        marked(post("n7", "15:06:55", husam(), said("Pull the Q4 numbers"), Seen::New), Mark::Trigger),
        Entry::Post(post("n8", "15:07:10", Speaker::You, Body::Called("@Designer please review".into()), Seen::Seen)),
        marked(post("n9", "15:09:00", designer(), said("ship it"), Seen::New), Mark::Resume),
    ];
    assert_snapshot!(Scene { entries: Some(entries), ..Scene::seed() }.section(Section::History), @r#"
    SPACE HISTORY ("Project Alpha"):
      [summary to msg:n2] "Husam and Ahmad agreed on …"
      [… 12 messages omitted …]
      [msg:n5] [2026-02-18T14:55:10Z] Ahmad (human, id:ent-ahmad-03): "Looks good."  [SEEN]
      [msg:n7] [2026-02-18T15:06:55Z] Husam (human, id:ent-husam-01): "Pull the Q4 numbers"  [NEW] ← TRIGGER
      [msg:n8] [2026-02-18T15:07:10Z] You: called send_message("@Designer please review", wait: true)  [SEEN]
      [msg:n9] [2026-02-18T15:09:00Z] Designer (agent, id:ent-designer-02): "ship it"  [NEW] ← RESUME: Designer replied. Continue from here.
    "#);
}

#[test]
fn seed_001_sections_in_its_order_with_a_blank_line_between() {
    let scene = Scene::seed();
    let sections: Vec<_> = scene.blocks().iter().map(|block| block.section).collect();
    let order = [
        Section::Identity,
        Section::Trigger,
        Section::ActiveSpace,
        Section::History,
        Section::Spaces,
        Section::Goals,
        Section::Memories,
        Section::Plans,
        Section::Runs,
        Section::Instructions,
    ];
    assert_eq!(sections, order);
    assert_eq!(scene.text(), order.map(|section| scene.section(section)).join("\n\n"));
}
