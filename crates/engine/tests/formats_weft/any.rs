//! Any conversation, with every optional field now there and now not.

use proptest::prelude::*;
use std::collections::BTreeMap;
use weftwork::ask::{Settings, Share};
use weftwork::model::*;

fn text() -> impl Strategy<Value = String> {
    ".{0,12}"
}

fn id() -> impl Strategy<Value = String> {
    "[a-z0-9]{1,4}"
}

fn opt<T: Strategy>(strategy: T) -> impl Strategy<Value = Option<T::Value>> {
    proptest::option::of(strategy)
}

fn list<T: Strategy>(strategy: T) -> impl Strategy<Value = Vec<T::Value>> {
    proptest::collection::vec(strategy, 0..3)
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0i64..4_000_000_000_000).prop_map(|millis| Timestamp::from_millis(millis).expect("in range"))
}

fn json() -> impl Strategy<Value = Json> {
    proptest::sample::select(vec!["{}", r#"{"n":1.10}"#, r#"{ "a" : [1, 12345678901234567890123] }"#, r#""cut {""#])
        .prop_map(|text| Json::parse(text).expect("valid"))
}

fn media() -> impl Strategy<Value = Media> {
    prop_oneof![text().prop_map(Media::Data), text().prop_map(Media::Url)]
}

fn simple_part() -> impl Strategy<Value = Part> {
    let size = || opt(any::<u32>());
    prop_oneof![
        (text(), opt(text())).prop_map(|(text, signature)| Part::Text(Text { text, signature })),
        (text(), opt(text()), opt(id()), any::<bool>()).prop_map(|(text, signature, id, redacted)| Part::Reasoning(Reasoning {
            text,
            signature,
            id,
            redacted
        })),
        (id(), id(), json(), opt(text()), any::<bool>(), opt(json())).prop_map(
            |(id, name, args, signature, included, native)| {
                Part::ToolCall(ToolCall { id, name, args, signature, included, native })
            }
        ),
        (text(), media(), size(), size()).prop_map(|(media_type, media, width, height)| Part::Image(Image {
            media_type,
            media,
            width,
            height
        })),
        (text(), text(), media()).prop_map(|(name, media_type, media)| Part::File(File { name, media_type, media })),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let content = prop_oneof![text().prop_map(ResultContent::Text), list(simple_part()).prop_map(ResultContent::Parts)];
    let result = (id(), opt(id()), content, any::<bool>(), any::<bool>(), opt(json())).prop_map(
        |(id, name, content, is_error, included, native)| {
            Part::ToolResult(ToolResult { id, name, content, is_error, included, native })
        },
    );
    prop_oneof![simple_part(), result]
}

fn usage() -> impl Strategy<Value = Usage> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(input, output, cache_read, cache_write)| Usage {
        input,
        output,
        cache_read,
        cache_write,
    })
}

fn accounting() -> impl Strategy<Value = Accounting> {
    (any::<u64>(), any::<bool>(), opt(text()), opt(any::<u64>())).prop_map(|(tokens, delta, reason, discarded_messages)| {
        Accounting {
            cumulative_tokens: CumulativeTokens { input_tokens: tokens, ..CumulativeTokens::default() },
            reading: if delta { AccountingReading::Delta } else { AccountingReading::Cumulative },
            reason,
            discarded_messages,
        }
    })
}

fn node() -> impl Strategy<Value = Node> {
    let what = (
        proptest::sample::select(vec![
            Kind::Message,
            Kind::Summary,
            Kind::SummaryRequest,
            Kind::Title,
            Kind::TitleRequest,
            Kind::Accounting,
        ]),
        proptest::sample::select(vec![Status::Sent, Status::Pending, Status::Error]),
        opt(proptest::sample::select(vec![ImportedRole::System, ImportedRole::User, ImportedRole::Assistant])),
        proptest::sample::select(vec![Edge::Continuation, Edge::Annotation]),
        opt(time()),
    );
    let facts = (opt(text()), opt(usage()), opt(text()), opt(accounting()), opt(text()));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let role = proptest::sample::select(vec![SourceRole::Context, SourceRole::Instruction]);
    let source = (id(), role).prop_map(|(node, role)| Source { node: node.into(), role });
    let origin = (opt(id()), text(), text(), text()).prop_map(|(space, space_name, sender_name, message)| Origin {
        space: space.map(SpaceId::from),
        space_name,
        sender_name,
        message,
    });
    let links = (list(source), opt(id()), opt(id()), opt(origin), opt(id()), list(id()));
    ((id(), opt(id()), id()), list(part()), what, facts, flags, links).prop_map(
        |((id, parent, author), parts, what, facts, flags, links)| {
            let (kind, status, role, edge, created_at) = what;
            let (model, usage, error, accounting, hash) = facts;
            let (excluded, pruned, pinned, bookmarked, context_edge) = flags;
            let (sources, edited_from, reply_to, origin, covers, cache_marks) = links;
            Node {
                id: id.into(),
                parent: parent.map(NodeId::from),
                author: author.into(),
                kind,
                status,
                role,
                created_at,
                parts,
                model,
                usage,
                error,
                excluded,
                pruned,
                pinned,
                bookmarked,
                context_edge,
                edge,
                sources,
                edited_from: edited_from.map(NodeId::from),
                reply_to: reply_to.map(NodeId::from),
                origin,
                covers: covers.map(NodeId::from),
                cache_marks: cache_marks.into_iter().map(NodeId::from).collect(),
                accounting,
                hash,
                purged: false,
                response: None,
            }
        },
    )
}

fn entity() -> impl Strategy<Value = Entity> {
    let kind = proptest::sample::select(vec![EntityKind::Human, EntityKind::Agent, EntityKind::Service]);
    (id(), text(), kind, opt(text()), opt(text()), any::<bool>()).prop_map(
        |(id, name, kind, system_prompt, model, loom_aware)| Entity {
            id: id.into(),
            name,
            kind,
            system_prompt,
            model,
            loom_aware,
            external: !loom_aware,
            loom_access: if loom_aware { LoomAccess::Generate } else { LoomAccess::Write },
            sampling: None,
        },
    )
}

fn link() -> impl Strategy<Value = Link> {
    let kind = proptest::sample::select(LinkKind::ALL.to_vec());
    (id(), id(), kind, text(), id(), opt(time())).prop_map(|(from, to, kind, reason, author, created_at)| Link {
        from: from.into(),
        to: to.into(),
        kind,
        reason,
        author: author.into(),
        created_at,
    })
}

fn call() -> impl Strategy<Value = Call> {
    let purpose = proptest::sample::select(vec![Purpose::Reply, Purpose::Title, Purpose::Summary]);
    let rest = (opt(any::<u64>()), opt(0.0..9.0), opt(usage()), opt(json()));
    let outcome = proptest::sample::select(vec![CallOutcome::Done, CallOutcome::Failed, CallOutcome::Canceled]);
    let bytes = || opt(prop_oneof![text().prop_map(String::into_bytes), proptest::collection::vec(any::<u8>(), 0..9)]);
    let wire = (any::<bool>(), opt(outcome), opt(text()), bytes(), bytes(), bytes());
    (id(), purpose, opt(id()), opt(id()), opt(text()), opt(time()), rest, wire).prop_map(
        |(id, purpose, node, agent, model, created_at, rest, wire)| Call {
            id,
            purpose,
            node: node.map(NodeId::from),
            agent: agent.map(EntityId::from),
            model,
            created_at,
            duration_ms: rest.0,
            cost_usd: rest.1,
            usage: rest.2,
            raw_usage: rest.3,
            estimated: wire.0,
            prices: None,
            outcome: wire.1,
            run: wire.2,
            ask: wire.3.map(Bytes),
            request: wire.4.map(Bytes),
            response: wire.5.map(Bytes),
        },
    )
}

fn trigger() -> impl Strategy<Value = Trigger> {
    let message = (id(), id(), text(), id(), opt(time()), any::<bool>(), any::<u32>(), opt(id())).prop_map(
        |(space, sender, message, message_id, timestamp, sender_expects_reply, chain_depth, waited_on)| {
            Trigger::SpaceMessage(SpaceMessageTrigger {
                space: space.into(),
                sender: sender.into(),
                message,
                message_id: message_id.into(),
                timestamp,
                sender_expects_reply,
                chain_depth,
                also_triggering: waited_on.iter().map(|id| NodeId::from(id.as_str())).collect(),
                waited_on: waited_on.map(NodeId::from),
                resumed_by: None,
                no_reply: Default::default(),
            })
        },
    );
    let plan = (id(), text(), text(), opt(time()), opt(id())).prop_map(|(plan, name, instruction, scheduled_at, resumed_by)| {
        let resumed_by = resumed_by.map(NodeId::from);
        Trigger::Plan(PlanTrigger {
            plan,
            name,
            instruction,
            scheduled_at,
            waited_on: None,
            resumed_by,
            no_reply: NoReply::Alone,
        })
    });
    let service = (text(), json()).prop_map(|(service, payload)| {
        Trigger::Service(ServiceTrigger { service, payload, waited_on: None, resumed_by: None, no_reply: NoReply::TimedOut })
    });
    prop_oneof![message, plan, service]
}

pub(crate) fn conversations() -> impl Strategy<Value = Conversation> {
    let space = (id(), text(), any::<bool>(), text(), any::<bool>(), opt(any::<u64>()), opt(1u16..=1000)).prop_map(
        |(id, name, buffer, system_context, buffer_mode_system_context, max_tokens, low_water)| Space {
            id: id.into(),
            name,
            mode: if buffer { Mode::Buffer } else { Mode::Dialogue },
            system_context,
            buffer_mode_system_context,
            wake: if buffer { Wake::Mentioned } else { Wake::All },
            confidential: buffer,
            settings: Settings { max_tokens, low_water: low_water.map(Share::thousandths), ..Settings::default() },
        },
    );
    let whole = (id(), id(), list(any::<u8>())).prop_map(|(node, call, content)| Whole {
        node: node.into(),
        call,
        content: Bytes(content),
    });
    let heads = (list((id(), id())), list((id(), id())));
    let tree = (list(entity()), list(node()), opt(id()), heads, list(call()), list(whole));
    let bookmark = (id(), text()).prop_map(|(node, name)| Bookmark { node: node.into(), name });
    let made = (list(bookmark), list(link()));
    let member = (id(), opt(text())).prop_map(|(entity, role)| Member { entity: entity.into(), role });
    let tool = (id(), text(), json()).prop_map(|(name, description, input_schema)| Tool { name, description, input_schema });
    let sampling = (opt(0.0..2.0), opt(0.0..1.0), opt(any::<u64>()), list(text()), opt(any::<i64>()))
        .prop_map(|(temperature, top_p, top_k, stop, seed)| Sampling { temperature, top_p, top_k, stop, seed });
    let request = (list(member), opt(text()), list(tool), list(id()), sampling, opt(id()));
    let timeline = (
        opt(trigger()),
        list((text(), opt(any::<i64>()), any::<bool>()).prop_map(|(text, priority, long_term)| Goal {
            text,
            priority,
            long_term,
        })),
        list((text(), text()).prop_map(|(topic, text)| Memory { topic, text })),
        list((id(), text(), list(id())).prop_map(|(id, name, members)| SpaceRef {
            id: id.into(),
            name,
            members: members.into_iter().map(EntityId::from).collect(),
        })),
    );
    let pairs = |pairs: Vec<(String, String)>| -> BTreeMap<EntityId, NodeId> {
        pairs.into_iter().map(|(entity, node)| (entity.into(), node.into())).collect()
    };
    (space, tree, made, request, timeline).prop_map(move |(space, tree, made, request, timeline)| {
        let mut conversation = Conversation::new(space);
        (conversation.entities, conversation.nodes) = (tree.0, tree.1);
        conversation.head = tree.2.map(NodeId::from);
        (conversation.heads, conversation.cursors) = (pairs(tree.3.0), pairs(tree.3.1));
        (conversation.calls, conversation.wholes) = (tree.4, tree.5);
        (conversation.bookmarks, conversation.links) = made;
        (conversation.members, conversation.buffer, conversation.tools) = (request.0, request.1, request.2);
        (conversation.included_tools, conversation.sampling) = (request.3, request.4);
        conversation.viewer = request.5.map(EntityId::from);
        (conversation.trigger, conversation.goals, conversation.memories, conversation.spaces) = timeline;
        conversation
    })
}
