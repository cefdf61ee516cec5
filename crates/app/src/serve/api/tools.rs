//! Tools: what an agent's runs are given, and what an owner decides about those of servers.
//!
//! A decision is about a tool and holds in the whole house: for every agent, in runs and in chats.

use super::agents::AgentPath;
use crate::serve::web::{About, Api, Code, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::Tool;
use weftwork_gateway::tools::{Approval, Offered, ServerState, ServerStatus, Standing};
use weftwork_gateway::{GatewayError, Given};

const GROUP: &str = "Agents";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/agents/{agent}/tools",
        about("agentTools", Need::Read, "What the runs of an agent you manage are given to do, and what is held back."),
        list,
    )
    .on(
        Verb::Patch,
        "/api/tools/{tool}",
        about(
            "changeTool",
            Need::Owner,
            "Decide about a tool of a server, for every agent: when it runs, and which words of it are trusted.",
        ),
        change,
    )
}

/// A tool of a server.
#[derive(Deserialize, JsonSchema)]
struct ToolPath {
    /// Its name, as a model calls it.
    tool: String,
}

/// When a tool may run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Approval")]
enum ShownApproval {
    /// Without asking.
    Always,
    /// When a person allows the call.
    Ask,
    /// Not at all.
    Never,
}

impl From<Approval> for ShownApproval {
    fn from(approval: Approval) -> ShownApproval {
        match approval {
            Approval::Always => ShownApproval::Always,
            Approval::Ask => ShownApproval::Ask,
            Approval::Never => ShownApproval::Never,
        }
    }
}

/// Where a tool is from.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ToolOrigin {
    /// The house's own.
    House,
    /// The house's own, where the agent is shown a tree.
    Tree,
    /// A server of tools.
    Server,
}

/// A tool that runs are given, or that is held back.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentTool {
    /// As a model calls it.
    name: String,
    /// Its title, if its server gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// What a model is told of it.
    description: String,
    from: ToolOrigin,
    /// The server that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// When it may run.
    approval: ShownApproval,
    /// Whether runs are given it now.
    offered: bool,
    /// Why it is held back, if its description is not the one that was trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<ChangedTool>,
}

/// A description that nobody trusts yet.
#[derive(Serialize, JsonSchema)]
struct ChangedTool {
    /// Names what the server says now; to be given back when it is trusted.
    fingerprint: String,
    /// What differs, for a person to read.
    difference: String,
}

impl AgentTool {
    fn of_house(tool: Tool, from: ToolOrigin) -> AgentTool {
        AgentTool {
            name: tool.name,
            title: None,
            description: tool.description,
            from,
            server: None,
            approval: ShownApproval::Always,
            offered: true,
            changed: None,
        }
    }
}

impl From<Offered> for AgentTool {
    fn from(offered: Offered) -> AgentTool {
        let Offered { tool, server, title, standing, approval, .. } = offered;
        let is_ready = matches!(standing, Standing::Ready { .. });
        let changed = match standing {
            Standing::Changed { now, difference, .. } => Some(ChangedTool { fingerprint: now.to_string(), difference }),
            Standing::Ready { .. } | Standing::Never => None,
        };
        AgentTool {
            title,
            server: Some(server.to_string()),
            approval: approval.into(),
            offered: is_ready,
            changed,
            ..AgentTool::of_house(tool, ToolOrigin::Server)
        }
    }
}

impl From<Given> for AgentTool {
    fn from(given: Given) -> AgentTool {
        match given {
            Given::House(tool) => AgentTool::of_house(tool, ToolOrigin::House),
            Given::Tree(tool) => AgentTool::of_house(tool, ToolOrigin::Tree),
            Given::Server(offered) => AgentTool::from(*offered),
        }
    }
}

/// A server of tools that cannot be used as a whole.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ToolServer {
    name: String,
    /// Whether it can be reached.
    reached: bool,
    /// Why not; for owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Tools of it that cannot be used, and why.
    left_out: Vec<LeftOutTool>,
}

/// A tool that cannot be used.
#[derive(Serialize, JsonSchema)]
struct LeftOutTool {
    name: String,
    why: String,
}

/// What runs of an agent are given.
#[derive(Serialize, JsonSchema)]
struct AgentTools {
    /// In the order in which a model is told of them.
    tools: Vec<AgentTool>,
    /// Servers that give less than they have.
    servers: Vec<ToolServer>,
}

async fn list(cx: Cx, input: Input<AgentPath>) -> Done<AgentTools> {
    let known = cx.house.managed(&cx.who, &input.path.agent).await?;
    let given = cx.house.gateway.given(&known.agent).await?;
    let status = if known.agent.external { Vec::new() } else { cx.house.gateway.tools().servers() };
    let servers = status.into_iter().filter_map(|one| lacking(one, cx.who.is_owner())).collect();
    Ok(AgentTools { tools: given.into_iter().map(AgentTool::from).collect(), servers }.into())
}

/// A server that gives less than it has. How it is reached stands in what it says of that, so that is for owners.
fn lacking(status: ServerStatus, is_owner: bool) -> Option<ToolServer> {
    let name = status.name.to_string();
    match status.state {
        ServerState::Failed { error } => {
            Some(ToolServer { name, reached: false, why: is_owner.then(|| error.to_string()), left_out: Vec::new() })
        }
        ServerState::Ready { left_out, .. } if !left_out.is_empty() => {
            let left_out = left_out.into_iter().map(|left| LeftOutTool { name: left.tool, why: left.why.to_string() });
            Some(ToolServer { name, reached: true, why: None, left_out: left_out.collect() })
        }
        ServerState::Idle | ServerState::Busy | ServerState::Ready { .. } => None,
    }
}

/// When a tool is to run.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ToolDecision {
    /// Without asking.
    Always,
    /// When a person allows the call.
    Ask,
    /// Not at all.
    Never,
    /// As the configuration of its server says.
    Configured,
}

/// What is to change; what is not given stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ToolChange {
    /// When it may run.
    approval: Option<ToolDecision>,
    /// Trust what its server says of it, if that is still what this fingerprint names.
    trust: Option<String>,
}

async fn change(cx: Cx, input: Input<ToolPath, (), ToolChange>) -> Done<AgentTool> {
    let toolbox = cx.house.gateway.tools();
    let found = offered(&cx, &input.path.tool).await?;
    let (server, tool) = (found.server.as_str(), found.original.as_str());
    if let Some(seen) = input.body.trust {
        if found.fingerprint.to_string() != seen {
            return Err(Problem::new(Code::Conflict, "the tool is described otherwise by now: look at it again"));
        }
        toolbox.approve(server, tool, found.fingerprint).await?;
    }
    if let Some(decision) = input.body.approval {
        let approval = match decision {
            ToolDecision::Always => Some(Approval::Always),
            ToolDecision::Ask => Some(Approval::Ask),
            ToolDecision::Never => Some(Approval::Never),
            ToolDecision::Configured => None,
        };
        toolbox.decide(server, tool, approval).await?;
    }
    Ok(AgentTool::from(offered(&cx, &input.path.tool).await?).into())
}

/// A tool of a server that can be reached.
async fn offered(cx: &Cx, name: &str) -> Result<Offered, Problem> {
    let all = cx.house.gateway.tools().offered().await.map_err(GatewayError::from)?;
    all.into_iter().find(|offered| offered.tool.name == name).ok_or_else(Problem::not_found)
}
