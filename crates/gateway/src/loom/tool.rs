//! The tools of the loom: their names, what a model is told of them, what each needs.

use super::arguments::Arguments;
use super::{LoomTurn, MOST_GENERATED};
use crate::tools::{Answer, BuiltIn, Pending};
use serde_json::{Map, Value, json};
use weftwork::model::{Json, LinkKind, LoomAccess, Tool, ToolCall};

/// Characters of a text that an agent adds.
const TEXT: u32 = 20_000;
/// Characters of a remark, and of what is put aside.
const REMARK: u32 = 8_000;
/// Characters of a reason.
const REASON: u32 = 500;
/// Characters of a name.
const NAME: u32 = 80;

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    View,
    List,
    Tree,
    Search,
    Switch,
    Pin,
    Stash,
    Recall,
    Drop,
    Respond,
    Annotate,
    Link,
    Edit,
    Bookmark,
    Prune,
    Restore,
    Continue,
}

impl Verb {
    const ALL: [Verb; 17] = [
        Verb::View,
        Verb::List,
        Verb::Tree,
        Verb::Search,
        Verb::Switch,
        Verb::Pin,
        Verb::Stash,
        Verb::Recall,
        Verb::Drop,
        Verb::Respond,
        Verb::Annotate,
        Verb::Link,
        Verb::Edit,
        Verb::Bookmark,
        Verb::Prune,
        Verb::Restore,
        Verb::Continue,
    ];

    /// What an agent must be allowed to call it.
    pub(super) fn needs(self) -> LoomAccess {
        match self {
            Verb::View | Verb::List | Verb::Tree | Verb::Search | Verb::Switch => LoomAccess::Read,
            Verb::Pin | Verb::Stash | Verb::Recall | Verb::Drop => LoomAccess::Read,
            Verb::Respond | Verb::Annotate | Verb::Link | Verb::Edit => LoomAccess::Write,
            Verb::Bookmark | Verb::Prune | Verb::Restore => LoomAccess::Write,
            Verb::Continue => LoomAccess::Generate,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Verb::View => "loom_view",
            Verb::List => "loom_list",
            Verb::Tree => "loom_tree",
            Verb::Search => "loom_search",
            Verb::Switch => "loom_switch",
            Verb::Pin => "loom_pin",
            Verb::Stash => "loom_stash",
            Verb::Recall => "loom_recall",
            Verb::Drop => "loom_drop",
            Verb::Respond => "loom_respond",
            Verb::Annotate => "loom_annotate",
            Verb::Link => "loom_link",
            Verb::Edit => "loom_edit",
            Verb::Bookmark => "loom_bookmark",
            Verb::Prune => "loom_prune",
            Verb::Restore => "loom_restore",
            Verb::Continue => "loom_continue",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Verb::View => "Shows a node with all its text, 8,000 characters at a time.",
            Verb::List => "Lists what hangs on a node (children), what stands beside it (siblings), its links, or all bookmarks.",
            Verb::Tree => "Draws the tree around a node.",
            Verb::Search => "Searches the text of this tree. Words are all looked for; \"words in quotes\" stand together.",
            Verb::Switch => {
                "Moves where you look in the tree; without a node, back to the conversation. People keep the place they are at."
            }
            Verb::Pin => "Keeps the beginning of a node's text in your operational memory, on whatever branch you are.",
            Verb::Stash => "Puts a text or a node aside under a name, for you alone. The same name is replaced.",
            Verb::Recall => "Shows what you stashed under a name.",
            Verb::Drop => "Throws away a stash by its name, or a pin by its node.",
            Verb::Respond => "Adds your own words as a reply below a node, as a branch of their own.",
            Verb::Annotate => "Adds a remark to a node. Remarks are no part of the conversation.",
            Verb::Link => "Links two nodes: says what the first has to do with the second, and why.",
            Verb::Edit => "Says something you said otherwise, as a version beside it. The old one stays.",
            Verb::Bookmark => "Bookmarks a node under a name, for all to see.",
            Verb::Prune => "Hides a node that the conversation does not stand on. It can be restored.",
            Verb::Restore => "Brings back a pruned node.",
            Verb::Continue => "Lets your model write what comes after a node, without tools, and adds it as new branches.",
        }
    }

    fn schema(self) -> Value {
        let text = |most: u32, what: &str| json!({"type": "string", "maxLength": most, "description": what});
        let node = |what: &str| json!({"type": "string", "description": what});
        let one_of = |words: &[&str], what: &str| json!({"type": "string", "enum": words, "description": what});
        let number =
            |from: u32, to: u32, what: &str| json!({"type": "integer", "minimum": from, "maximum": to, "description": what});
        let yes = |what: &str| json!({"type": "boolean", "description": what});
        let here = node("Local id. Default: where you look.");
        let named = node("Local id.");
        let name = text(NAME, "The name.");
        let (properties, required): (Value, &[&str]) = match self {
            Verb::View => (
                json!({"node": here, "from": json!({"type": "integer", "minimum": 0, "description": "The first character. Default 0."})}),
                &[],
            ),
            Verb::List => {
                let what = one_of(&["children", "siblings", "links", "bookmarks"], "Default: children.");
                (json!({"node": here, "what": what}), &[])
            }
            Verb::Tree => {
                let up = number(0, 10, "Levels above the node. Default 2.");
                (json!({"node": here, "up": up, "down": number(0, 10, "Levels below the node. Default 3.")}), &[])
            }
            Verb::Search => {
                (json!({"query": text(NAME * 5, "What to look for."), "limit": number(1, 20, "Default 10.")}), &["query"])
            }
            Verb::Switch => (json!({"node": node("Local id. Default: where the conversation is.")}), &[]),
            Verb::Pin | Verb::Prune | Verb::Restore => (json!({"node": named}), &["node"]),
            Verb::Stash => {
                let aside = text(REMARK, "The text to put aside; or give a node.");
                (json!({"name": name, "text": aside, "node": node("Local id of a node to put aside.")}), &["name"])
            }
            Verb::Recall => (json!({"name": name}), &["name"]),
            Verb::Drop => (json!({"name": text(NAME, "The name of a stash."), "node": node("Local id of a pinned node.")}), &[]),
            Verb::Respond => (json!({"node": here, "text": text(TEXT, "Your words.")}), &["text"]),
            Verb::Annotate => (json!({"node": here, "text": text(REMARK, "The remark.")}), &["text"]),
            Verb::Link => {
                let kinds = LinkKind::ALL.map(LinkKind::word);
                let kind = one_of(&kinds, "Default: relates.");
                let ends = (node("Local id of the first."), node("Local id of the second."));
                let (reason, remove) = (text(REASON, "Why."), yes("Takes this link away instead."));
                (json!({"from": ends.0, "to": ends.1, "kind": kind, "reason": reason, "remove": remove}), &["from", "to"])
            }
            Verb::Edit => (json!({"node": named, "text": text(TEXT, "All of the new version.")}), &["node", "text"]),
            Verb::Bookmark => (json!({"node": here, "name": name, "remove": yes("Takes the bookmark away instead.")}), &[]),
            Verb::Continue => (json!({"node": here, "count": number(1, MOST_GENERATED, "How many. Default 1.")}), &[]),
        };
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    fn tool(self) -> Tool {
        let (name, description) = (self.name().to_owned(), self.description().to_owned());
        Tool { name, description, input_schema: Json::of(&self.schema()) }
    }
}

/// The tools that an agent is told of.
pub fn offered(access: LoomAccess) -> Vec<Tool> {
    Verb::ALL.into_iter().filter(|verb| verb.needs() <= access).map(Verb::tool).collect()
}

/// A tool of the loom, for one turn.
#[derive(Clone)]
pub struct LoomTool {
    verb: Verb,
    loom: LoomTurn,
}

impl LoomTool {
    /// All of them: those that are not offered are there to refuse.
    pub(super) fn all(loom: &LoomTurn) -> Vec<LoomTool> {
        Verb::ALL.into_iter().map(|verb| LoomTool { verb, loom: loom.clone() }).collect()
    }
}

impl BuiltIn for LoomTool {
    fn tool(&self) -> Tool {
        self.verb.tool()
    }

    fn call<'a>(&'a self, _: &'a ToolCall, arguments: Map<String, Value>) -> Pending<'a, Answer> {
        Box::pin(async move {
            match self.loom.perform(self.verb, &Arguments(arguments)).await {
                Ok(text) => Answer::text(text),
                Err(refused) => Answer::error(refused.to_string()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_step_of_access_offers_what_the_step_before_it_does_and_more() {
        let names = |access| offered(access).into_iter().map(|tool| tool.name).collect::<BTreeSet<_>>();
        let (read, write, generate) = (names(LoomAccess::Read), names(LoomAccess::Write), names(LoomAccess::Generate));
        assert_eq!((read.len(), write.len(), generate.len()), (9, 16, 17));
        assert!(read.is_subset(&write) && write.is_subset(&generate));
        assert!(generate.iter().all(|name| name.starts_with("loom_") && !name.contains("__")));
    }
}
