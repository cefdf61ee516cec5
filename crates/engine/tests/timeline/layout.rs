//! Layout `cacheStable`, and what holds in both layouts.

use crate::scene::*;
use insta::assert_snapshot;
use weftwork::ask::{HistoryPlacement, Layout};
use weftwork::model::*;
use weftwork::prompt::{Section, Stability};
use weftwork::timeline::*;

fn cache_stable() -> Scene {
    Scene { layout: Layout::CacheStable, prompt: vec!["You analyse data.", "Be exact."], ..Scene::seed() }
}

fn resumed(by: Option<&str>) -> Option<Trigger> {
    let Trigger::SpaceMessage(trigger) = message_trigger() else { return None };
    Some(Trigger::SpaceMessage(SpaceMessageTrigger { waited_on: Some("n8".into()), resumed_by: by.map(Into::into), ..trigger }))
}

fn waited() -> Entry<'static> {
    Entry::Post(post("n8", "15:07:10", Speaker::You, Body::Called("@Designer please review".into()), Seen::Seen))
}

fn replied() -> Entry<'static> {
    marked(post("n9", "15:09:00", designer(), said("ship it"), Seen::New), Mark::Resume)
}

#[test]
fn cache_stable_goes_from_stable_to_volatile() {
    assert_snapshot!(cache_stable().text(), @r#"
    You analyse data.

    Be exact.

    INSTRUCTIONS:
      - Your text output is internal reasoning — never shown to anyone. Keep it brief.
      - Use send_message to communicate. The trigger space is already active — call enter_space only if you need to switch to a different space.
      - Use read_messages to load conversation history from any space you belong to.
      - If you have nothing to contribute, end this run without sending a message.
      - Set wait=true on send_message to pause until a reply arrives.
      - Provide messageId on send_message to reply to a specific message and resume any waiting run.

    IDENTITY:
      name: "DataAnalyst"
      entityId: "entity-abc-123"

    GOALS:
      - Complete Q4 revenue analysis (priority: 2)
      - Maintain daily report pipeline (long-term, priority: 1)

    MEMORIES:
      - [Q4] Revenue source breakdown uses the new categorization from October
      - [reports] Sarah prefers charts over tables

    YOUR SPACES:
      - "Project Alpha" (id: space-xyz) [ACTIVE] — Husam (human), Ahmad (human), Designer (agent), You
      - "Daily Reports" (id: space-abc) — You, Sarah (human)
      - "1:1 with Husam" (id: space-def) — Husam (human), You

    ACTIVE SPACE: "Project Alpha" (id: space-xyz)  [auto-set from trigger]

    SPACE HISTORY ("Project Alpha"):
      [msg:a1b2] [2026-02-18T14:50:00Z] Husam (human, id:ent-husam-01): "Let's finalize the Q4 report"
      [msg:c3d4] [2026-02-18T14:51:23Z] Designer (agent, id:ent-designer-02): "I've updated the charts. See attached."
      [msg:e5f6] [2026-02-18T14:55:10Z] Ahmad (human, id:ent-ahmad-03): "Looks good. Can you add the revenue breakdown?"
      [msg:g7h8] [2026-02-18T15:06:55Z] Husam (human, id:ent-husam-01): "Pull the Q4 revenue numbers"
      NEW since msg:e5f6

    ACTIVE RUNS:
      - Run abc-123 (this run) — triggered by Husam in "Project Alpha"
      - Run def-456 — waiting_reply in "Daily Reports" (waiting for Sarah)

    PLANS:
      - "Daily Report" (recurring, cron: 0 9 * * *, next: 2026-02-19T09:00:00Z, in 17h 53m)
      - "Follow up with Designer" (one-time, scheduledAt: 2026-02-18T17:07:00Z, in 2h 00m)  [created via runAfter: "2 hours"]

    TRIGGER:
      type: space_message
      space: "Project Alpha" (id: space-xyz)
      sender: Husam (human, id: ent-husam-01)
      message: "Pull the Q4 revenue numbers"
      messageId: msg-g7h8
      timestamp: "2026-02-18T15:06:55Z"
      senderExpectsReply: true
      chainDepth: 0

    currentTime: "2026-02-18T15:07:00Z"
    "#);
}

#[test]
fn cache_stable_tells_of_the_wait_after_the_history() {
    let mut entries = history();
    entries.extend([waited(), replied()]);
    let scene = Scene { entries: Some(entries), trigger: resumed(Some("n9")), ..cache_stable() };
    let history = scene.section(Section::History);
    assert_snapshot!(history.split_once("numbers\"\n").expect("the trigger").1, @r#"
      [msg:n8] [2026-02-18T15:07:10Z] You: "@Designer please review"
      [msg:n9] [2026-02-18T15:09:00Z] Designer (agent, id:ent-designer-02): "ship it"
      NEW since msg:e5f6
      [msg:n8] sent with wait: true
      [msg:n9] ← RESUME: Designer replied. Continue from here.
    "#);
}

#[test]
fn cache_stable_tells_that_nobody_replied_last() {
    let omitted = Entry::OmittedNew { nodes: 3, from: "m1".into() };
    let entries = vec![omitted, waited(), Entry::NobodyReplied(NoReply::TimedOut)];
    let scene = Scene { entries: Some(entries), trigger: resumed(None), ..cache_stable() };
    assert_snapshot!(scene.section(Section::History), @r#"
    SPACE HISTORY ("Project Alpha"):
      [msg:n8] [2026-02-18T15:07:10Z] You: "@Designer please review"
      [… 3 NEW messages omitted: read_messages from msg:m1 …]
      [msg:n8] sent with wait: true
      ← RESUME: nobody replied. Continue from here.
    "#);
}

#[test]
fn cache_stable_says_nothing_of_new_when_nothing_is() {
    let entries = vec![Entry::Post(post("a", "14:50:00", husam(), said("hi"), Seen::Seen))];
    let scene = Scene { entries: Some(entries), ..cache_stable() };
    assert!(!scene.section(Section::History).contains("NEW"));
}

#[test]
fn a_longer_history_begins_with_the_blocks_of_the_shorter() {
    let mut entries = history();
    entries.extend([waited(), replied()]);
    for shown in 1..entries.len() {
        let scene = |shown: usize, trigger| Scene { entries: Some(entries[..shown].to_vec()), trigger, ..cache_stable() };
        let (before, mut after) = (scene(shown, Some(message_trigger())), scene(shown + 1, resumed(Some("n9"))));
        after.now = time("2026-02-19T00:00:00Z");
        after.runs.clear();
        let stable = |scene: &Scene| -> Vec<String> {
            scene.blocks().into_iter().filter(|b| b.stability == Stability::Stable).map(|b| b.text.into_owned()).collect()
        };
        assert!(stable(&after).starts_with(&stable(&before)), "{shown} entries");
        assert_eq!(stable(&after).len(), stable(&before).len() + 1);
    }
}

#[test]
fn a_block_is_stable_only_if_all_before_it_are() {
    for layout in [Layout::Seed, Layout::CacheStable] {
        let scene = Scene { layout, ..cache_stable() };
        let stabilities: Vec<_> = scene.blocks().iter().map(|block| block.stability).collect();
        assert!(stabilities.is_sorted(), "{layout}: {stabilities:?}");
        assert_eq!(stabilities[..2], [Stability::Stable; 2]);
        assert_eq!(stabilities.last(), Some(&Stability::Volatile));
    }
}

#[test]
fn the_identity_is_volatile_where_it_tells_the_time() {
    for (layout, stability) in [(Layout::Seed, Stability::Volatile), (Layout::CacheStable, Stability::Stable)] {
        let scene = Scene { layout, ..Scene::seed() };
        let blocks = scene.blocks();
        let identity = blocks.iter().find(|block| block.section == Section::Identity).expect("always there");
        assert_eq!(identity.stability, stability);
        assert_eq!(identity.text.contains("currentTime"), layout == Layout::Seed);
    }
}

#[test]
fn prompt_and_space_context_come_first_and_as_they_are() {
    let scene = Scene { prompt: vec!["A\n\n[raw]", "", "B"], ..Scene::seed() };
    assert!(scene.text().starts_with("A\n\n[raw]\n\nB\n\nIDENTITY:\n"));
}

#[test]
fn history_as_messages_is_not_in_the_system_text() {
    for layout in [Layout::Seed, Layout::CacheStable] {
        let scene = Scene { layout, placement: HistoryPlacement::Messages, ..Scene::seed() };
        assert!(scene.blocks().iter().all(|block| block.section != Section::History));
        assert!(!scene.text().contains("SPACE HISTORY"));
        assert!(scene.text().contains("ACTIVE SPACE: \"Project Alpha\""));
    }
}
