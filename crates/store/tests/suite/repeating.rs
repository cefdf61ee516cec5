//! Every call can be assembled again to the same bytes, whatever was changed since.

use crate::assembly::{ask, cases};
use crate::calls::start;
use crate::support::{NOW, ent, said, say, team};
use crate::{dice, on_both};
use fastrand::Rng;
use weftwork::ask::{Ask, Input, Settings};
use weftwork::catalogue::{Model, VocabularyOf};
use weftwork::dialect::{Dialect, streamed};
use weftwork::model::{
    Conversation, Entity, EntityId, Json, Loom, LoomNode, Node, NodeId, Sampling, SpaceId, SpaceMessageTrigger, Status,
    Timestamp, Tool, Trigger,
};
use weftwork_store::{BegunCall, CallStart, CallsOf, Draft, Finish, Flag, MoveHead, Names, Store, StoreError, Unrepeatable};

const FLAGS: [Flag; 5] = [Flag::ContextEdge, Flag::Excluded, Flag::Pruned, Flag::Pinned, Flag::Bookmarked];

/// A space in which things happen.
struct World<'s> {
    store: &'s Store,
    space: SpaceId,
    rng: Rng,
    file: Conversation,
    pending: Vec<NodeId>,
    count: u32,
}

impl World<'_> {
    fn any_node(&mut self) -> NodeId {
        let at = self.rng.usize(..self.file.nodes.len());
        self.file.nodes[at].id.clone()
    }

    fn author(&mut self) -> &'static str {
        self.rng.choice(["husam", "sarah", "analyst", "writer"]).unwrap()
    }

    /// Something happens.
    fn change(&mut self) {
        self.count += 1;
        match self.rng.u8(..11) {
            0 | 1 => self.add(Status::Sent),
            2 => self.add(Status::Pending),
            3 => self.finish(),
            4 | 5 => {
                let (id, flag, on) = (self.any_node(), FLAGS[self.rng.usize(..FLAGS.len())], self.rng.bool());
                self.store.set_flag(&self.space, &id, flag, on, NOW).unwrap();
            }
            6 => self.rename(),
            7 => self.change_header(),
            8 => {
                let id = self.any_node();
                self.store.read_up_to(&self.space, &ent("analyst"), &id).unwrap();
            }
            9 => {
                let (id, viewer) = (self.any_node(), self.rng.bool().then(|| ent("analyst")));
                self.store.move_head(&self.space, viewer.as_ref(), &id, None).unwrap();
            }
            _ => {
                let new = crate::support::entity(&format!("guest{}", self.count), weftwork::model::EntityKind::Agent);
                self.store.put_entity(&new).unwrap();
                self.store.join(&self.space, &new.id, None).unwrap();
            }
        }
    }

    fn add(&mut self, status: Status) {
        let (author, parent, head) = (self.author(), self.any_node(), self.rng.bool());
        let mut node =
            Node { id: format!("later{}", self.count).into(), status, ..said(author, &format!("later {}", self.count)) };
        if self.rng.u8(..4) == 0 {
            node.parts.clear();
        }
        let mut draft = Draft { head: if head { MoveHead::Default } else { MoveHead::Nobody }, ..Draft::new(node) };
        if self.rng.bool() {
            draft = draft.on(parent);
        }
        let added = self.store.append(&self.space, draft).unwrap().node;
        if status == Status::Pending {
            self.pending.push(added.id.clone());
        }
        self.file.nodes.push(added);
    }

    fn finish(&mut self) {
        let Some(id) = self.pending.pop() else { return };
        let parts = said("", &format!("the whole of it, {}", self.count)).parts;
        let failed = self.rng.bool().then(|| Some("broke off".to_owned()));
        let cache_marks = self.file.nodes.first().map(|first| first.id.clone()).into_iter().collect();
        self.store.finish(&self.space, &id, Finish { parts, failed, cache_marks, ..Finish::default() }).unwrap();
    }

    fn rename(&mut self) {
        let id = EntityId::from(self.author());
        let mut entity: Entity = self.file.entities.iter().find(|entity| entity.id == id).unwrap().clone();
        entity.name = format!("{id} the {}th", self.count);
        entity.system_prompt = self.rng.bool().then(|| format!("You are number {}.", self.count));
        entity.model = self.rng.bool().then(|| "anthropic/claude-sonnet-4-5".to_owned());
        self.store.put_entity(&entity).unwrap();
    }

    fn change_header(&mut self) {
        let mut header = self.store.header(&self.space).unwrap();
        header.space.system_context = format!("Context {}.", self.count);
        header.space.settings = Settings { marker: Some(self.rng.bool()), ..Settings::default() };
        header.tools = vec![tool(&format!("tool{}", self.count))];
        header.sampling = Sampling { temperature: Some(f64::from(self.count) / 7.0), ..Sampling::default() };
        self.store.put_header(&header).unwrap();
    }

    /// A call is made, if there is anything to be sent.
    fn call(&mut self) {
        let mut ask = ask(&mut self.rng, &self.file);
        if let Input::Node(id) = &ask.input
            && self.pending.contains(id)
        {
            ask.input = Input::None;
        }
        let factor = self.rng.u32(800..1300);
        let model = Model { vocabulary: VocabularyOf::Estimated(factor), ..Model::unlisted("local/some") };
        ask.model = self.rng.bool().then_some(model);
        ask.tools = self.rng.bool().then(|| vec![tool("own")]);
        ask.previous = self.rng.bool().then(|| b"{}".to_vec()).filter(|_| ask.dialect == Some(Dialect::OpenAi));
        let trigger = self.rng.bool().then(|| self.trigger());
        let loom = self.rng.bool().then(|| self.loom());
        let more = |file: &mut Conversation| (file.trigger, file.loom) = (trigger.clone(), loom.clone());
        let (assembly, record) = match self.store.assemble_recorded(&self.space, &ask, &more) {
            Ok(made) => made,
            Err(StoreError::Assemble(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let id = format!("c{}", self.store.calls(CallsOf::Space(&self.space)).unwrap().len());
        let request = match self.rng.bool() {
            true => assembly.request,
            false => streamed(assembly.request, ask.dialect.unwrap()),
        };
        let begun = self.store.begin_side_call(&self.space, &CallStart { ask: record, request, ..start(&id) }, None, 0).unwrap();
        assert_eq!(begun, BegunCall::Started);
    }

    fn trigger(&mut self) -> Trigger {
        // It may name what is added only later.
        let message_id = if self.rng.bool() { self.any_node() } else { format!("later{}", self.count + 1).into() };
        Trigger::SpaceMessage(SpaceMessageTrigger {
            space: self.space.clone(),
            sender: ent("husam"),
            message: "go".into(),
            message_id,
            timestamp: Timestamp::from_millis(crate::support::NOW),
            sender_expects_reply: true,
            chain_depth: 0,
            also_triggering: Vec::new(),
            waited_on: self.rng.bool().then(|| self.any_node()),
            resumed_by: None,
            no_reply: Default::default(),
        })
    }

    fn loom(&mut self) -> Loom {
        let known = LoomNode { local_id: "x".into(), siblings: self.rng.u32(..3), children: self.rng.u32(..3) };
        Loom { memory: vec![format!("step {}", self.count)], nodes: [(self.any_node(), known)].into(), ..Loom::default() }
    }
}

fn tool(name: &str) -> Tool {
    Tool { name: name.into(), description: "does it".into(), input_schema: Json::parse(r#"{"type":"object"}"#).unwrap() }
}

/// All calls of a space, each assembled again.
fn all_again(store: &Store, space: &SpaceId, seed: u64) -> usize {
    let calls = store.calls(CallsOf::Space(space)).unwrap();
    for call in &calls {
        store.reassemble(space, &call.id).unwrap_or_else(|error| panic!("seed {seed}, {space}: {error}"));
    }
    calls.len()
}

on_both! {
    fn every_call_is_assembled_again_to_the_same_bytes(store: &Fresh) {
        let usual = match store.engine() {
            weftwork_store::Engine::Sqlite => 80,
            weftwork_store::Engine::Postgres => 25,
        };
        let mut calls = 0;
        for seed in 0..cases(usual) {
            let mut rng = Rng::with_seed(seed);
            let most = *rng.choice(&[3, 30, 120]).unwrap();
            let file = dice::conversation(&mut rng, &format!("space-{seed}"), most);
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            let space = file.space.id.clone();
            let mut world = World { store, space, rng, file, pending: Vec::new(), count: 0 };
            for _ in 0..24 {
                if world.rng.u8(..3) == 0 { world.call() } else { world.change() }
            }
            calls += all_again(store, &world.space, seed);
            // A file carries all of it.
            if seed % 8 == 0 {
                let mut copy = store.export(&world.space).unwrap();
                copy.space.id = format!("copy-{seed}").into();
                store.import(&copy, Names::Ours, NOW, &mut |_| {}).unwrap();
                all_again(store, &copy.space.id, seed);
            }
        }
        assert!(calls > 40, "{calls} calls");
    }

    fn a_call_whose_content_is_gone_says_so(store: &Fresh) {
        let space = team(store);
        let ids = ["one", "two"].map(|text| say(store, &space, "husam", text).node.id);
        record(store, &space, "before");
        let third = say(store, &space, "husam", "three").node.id;
        record(store, &space, "after");
        store.purge(&space, &third, NOW).unwrap();
        store.reassemble(&space, "before").unwrap();
        assert_eq!(why(store, &space, "after"), Unrepeatable::Purged);
        // A copy that was made before knows the record, but has lost the node.
        store.tamper("UPDATE nodes SET text = NULL, flags = flags + 128 WHERE id = '{}'", &ids[0]);
        assert_eq!(why(store, &space, "before"), Unrepeatable::Purged);
    }

    fn a_call_that_comes_out_otherwise_says_so(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "husam", "one").node.id;
        record(store, &space, "c1");
        store.tamper("UPDATE nodes SET text = 'other' WHERE id = '{}'", &first);
        assert!(matches!(why(store, &space, "c1"), Unrepeatable::Differs { at } if at > 0));
        store.begin_call(&space, &start("c2")).unwrap();
        assert_eq!(why(store, &space, "c2"), Unrepeatable::Unrecorded);
        store.import_call(&space, &weftwork::model::Call::new("i1")).unwrap();
        assert_eq!(why(store, &space, "i1"), Unrepeatable::Unrecorded);
        assert!(matches!(store.reassemble(&space, "nowhere"), Err(StoreError::NoCall { .. })));
    }

    fn a_call_in_an_empty_space_is_assembled_again_when_it_is_full(store: &Fresh) {
        let space = team(store);
        record(store, &space, "c1");
        say(store, &space, "husam", "one");
        store.reassemble(&space, "c1").unwrap();
        assert!(store.reassemble(&space, "c1").unwrap().request.len() < 1_000);
    }

    fn what_is_the_same_in_many_calls_is_kept_once(store: &Fresh) {
        let space = team(store);
        let mut header = store.header(&space).unwrap();
        header.tools = (0..40).map(|at| tool(&format!("tool {at}"))).collect();
        store.put_header(&header).unwrap();
        for at in 0..20 {
            say(store, &space, "husam", &format!("message {at}"));
            record(store, &space, &format!("c{at}"));
        }
        let frames = crate::support::table(&store.address, "SELECT DISTINCT frame FROM calls");
        assert_eq!(frames.len(), 1, "the header is kept once");
        let sizes = "SELECT CAST(max(b.size) AS INTEGER) FROM calls c JOIN blobs b ON b.hash = c.ask";
        let sizes = sizes.replace("INTEGER", if let weftwork_store::Engine::Sqlite = store.engine() { "INTEGER" } else { "BIGINT" });
        let largest: String = crate::support::table(&store.address, &sizes)[0][0].chars().filter(char::is_ascii_digit).collect();
        assert!(largest.parse::<u64>().unwrap() < 600, "the rest is small: {largest} bytes");
        store.purge(&space, &store.children(&space, None).unwrap()[0].id, NOW).unwrap();
        assert_eq!(crate::support::table(&store.address, "SELECT hash FROM blobs"), Vec::<Vec<String>>::new());
    }
}

/// A call of the analyst, as it would be made now.
fn record(store: &Store, space: &SpaceId, id: &str) {
    let input = Input::New(said("", "and now?").parts);
    let ask = Ask { input, viewer: Some(ent("analyst")), dialect: Some(Dialect::OpenAi), ..Ask::default() };
    let (assembly, record) = store.assemble_recorded(space, &ask, &|_| {}).unwrap();
    store.begin_call(space, &CallStart { ask: record, request: assembly.request, ..start(id) }).unwrap();
}

fn why(store: &Store, space: &SpaceId, call: &str) -> Unrepeatable {
    match store.reassemble(space, call) {
        Err(StoreError::Unreproducible { call: named, why }) => {
            assert_eq!(named, call);
            why
        }
        other => panic!("{other:?}"),
    }
}
