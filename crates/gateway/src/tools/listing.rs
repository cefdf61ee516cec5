//! A server's tools as they can be used, and those that cannot, with the reason.

use super::arguments::Schema;
use super::described::Described;
use super::{Fingerprint, ServerConfig, ServerName, limits, name::wire_name};
use std::collections::BTreeMap;
use std::sync::Arc;
use weftwork::model::{Json, Tool};

/// What a server listed.
#[derive(Default)]
pub(super) struct Listing {
    /// By the name a model calls, which is also the order of the server's own names but for odd ones.
    pub(super) tools: BTreeMap<String, Arc<Listed>>,
    pub(super) left_out: Vec<LeftOut>,
}

/// A tool that can be used.
pub(super) struct Listed {
    pub(super) described: Described,
    pub(super) canonical: String,
    pub(super) fingerprint: Fingerprint,
    pub(super) tool: Tool,
    pub(super) schema: Schema,
}

/// A tool that a server lists and that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its server's name for it, shortened.
    pub tool: String,
    /// The name a model would call.
    pub name: String,
    /// Why it cannot be used.
    pub why: Unfit,
}

/// Why a tool cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The owner's configuration says so.
    #[error("it is disabled in the configuration")]
    Disabled,
    /// Too much is said of it. It is not cut: half a description may mean the opposite.
    #[error("its name and description have {bytes} bytes, and {} are allowed", limits::DESCRIPTION)]
    LongDescription {
        /// How much.
        bytes: usize,
    },
    /// Its schema is too large.
    #[error("its schema has {bytes} bytes, and {} are allowed", limits::SCHEMA)]
    LargeSchema {
        /// How large.
        bytes: usize,
    },
    /// Its schema is none. A model's provider would refuse the whole request because of it.
    #[error("its schema cannot be used: {problem}")]
    BadSchema {
        /// What is wrong with it.
        problem: String,
    },
    /// The server lists another tool that gets the same name. Neither is used: it would be chance which is called.
    #[error("the server lists more than one tool that would be called {name}")]
    SameName {
        /// The name.
        name: String,
    },
    /// The server lists too many.
    #[error("the server lists more than {} tools", limits::TOOLS)]
    TooMany,
}

/// Decides which tools of a server can be used.
pub(super) fn list(server: &ServerName, config: &ServerConfig, tools: Vec<Described>) -> Listing {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for tool in &tools {
        *times.entry(wire_name(server, &tool.name)).or_default() += 1;
    }
    let mut listing = Listing::default();
    for described in tools {
        let name = wire_name(server, &described.name);
        let tool = described.name.chars().take(100).collect();
        let twice = times[&name] > 1;
        match fitness(&name, described, config, twice, listing.tools.len()) {
            Ok(listed) => drop(listing.tools.insert(name, Arc::new(listed))),
            Err(why) => listing.left_out.push(LeftOut { tool, name, why }),
        }
    }
    listing
}

fn fitness(name: &str, described: Described, config: &ServerConfig, twice: bool, before: usize) -> Result<Listed, Unfit> {
    if config.disabled.contains(&described.name) {
        return Err(Unfit::Disabled);
    }
    if twice {
        return Err(Unfit::SameName { name: name.to_owned() });
    }
    if before == limits::TOOLS {
        return Err(Unfit::TooMany);
    }
    let bytes = described.name.len() + described.title.as_deref().map_or(0, str::len) + described.description.len();
    if bytes > limits::DESCRIPTION {
        return Err(Unfit::LongDescription { bytes });
    }
    let input_schema = Json::of(&described.schema);
    if input_schema.text().len() > limits::SCHEMA {
        return Err(Unfit::LargeSchema { bytes: input_schema.text().len() });
    }
    let schema = Schema::new(&described.schema).map_err(|problem| Unfit::BadSchema { problem })?;
    let tool = Tool { name: name.to_owned(), description: described.description.clone(), input_schema };
    let canonical = described.canonical();
    Ok(Listed { fingerprint: Fingerprint::of(&canonical), canonical, described, tool, schema })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{Hints, HttpConfig, Reach};
    use serde_json::{Value, json};

    fn tool(name: &str, description: String, schema: Value) -> Described {
        let Value::Object(schema) = schema else { panic!("{schema}") };
        Described { name: name.into(), title: None, description, schema, annotations: Value::Null, hints: Hints::default() }
    }

    fn listed(tools: Vec<Described>) -> Listing {
        let reach = Reach::Http(HttpConfig { url: "http://x".into(), headers: BTreeMap::new() });
        let mut config = ServerConfig::of(reach);
        config.disabled.insert("off".into());
        list(&ServerName::try_from("s".to_owned()).unwrap(), &config, tools)
    }

    #[test]
    fn what_cannot_be_used_is_left_out_whole_and_says_why() {
        let object = || json!({"type": "object"});
        let big = json!({"type": "object", "description": "x".repeat(limits::SCHEMA)});
        let listing = listed(vec![
            tool("good", "d".repeat(limits::DESCRIPTION - 4), object()),
            tool("off", String::new(), object()),
            tool("long", "d".repeat(limits::DESCRIPTION), object()),
            tool("big", String::new(), big),
            tool("bad", String::new(), json!({"type": 7})),
            tool("twin", "one".into(), object()),
            tool("twin", "two".into(), object()),
        ]);
        assert_eq!(listing.tools.keys().collect::<Vec<_>>(), ["s__good"]);
        let why: Vec<(&str, &Unfit)> = listing.left_out.iter().map(|left| (left.tool.as_str(), &left.why)).collect();
        let same = Unfit::SameName { name: "s__twin".into() };
        assert_eq!(why[0], ("off", &Unfit::Disabled));
        assert_eq!(why[1], ("long", &Unfit::LongDescription { bytes: limits::DESCRIPTION + 4 }));
        assert!(matches!(why[2], ("big", Unfit::LargeSchema { .. })));
        assert!(matches!(why[3], ("bad", Unfit::BadSchema { .. })));
        assert_eq!(&why[4..], [("twin", &same), ("twin", &same)]);
    }

    #[test]
    fn there_is_a_most_of_tools() {
        let tools = (0..limits::TOOLS + 2).map(|n| tool(&format!("t{n}"), String::new(), json!({}))).collect();
        let listing = listed(tools);
        assert_eq!((listing.tools.len(), listing.left_out.len()), (limits::TOOLS, 2));
        assert_eq!(listing.left_out[0].why, Unfit::TooMany);
    }
}
