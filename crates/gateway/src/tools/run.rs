//! Running the calls of one reply: found, allowed, checked, asked about, run.

use super::arguments::{self, Schema};
use super::listing::Listed;
use super::mcp::{CallFailed, Progress};
use super::name::PART;
use super::round::Ending;
use super::server::{Ready, Server};
use super::{
    Answer, Approval, BuiltIn, Decision, Event, Fingerprint, Hints, Loss, Pin, PinsFailed, Question, Ran, Refusal, Round,
    Standing, Toolbox,
};
use futures_util::future::join_all;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use weftwork::model::{Tool, ToolCall};

/// A tool that a person is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asks {
    /// Its server.
    pub server: String,
    /// Its server's name for it.
    pub tool: String,
    /// What the server says that it does.
    pub description: String,
}

/// Held while a person is asked about a tool, by the name that is called.
type Asking<'a> = BTreeMap<&'a str, Mutex<()>>;

/// A tool that was found.
enum Found<'a> {
    BuiltIn(&'a dyn BuiltIn, Tool),
    Listed(&'a Server, Ready, Arc<Listed>),
}

impl Toolbox {
    /// Runs the calls of one reply, all at once, and gives their results in the order of the calls: one for each, whatever
    /// happened. Calls that a provider ran itself (`native`) are not for here.
    pub async fn run(&self, calls: &[ToolCall], round: &Round<'_>) -> Vec<Ran> {
        let asking: Asking<'_> = calls.iter().map(|call| (call.name.as_str(), Mutex::new(()))).collect();
        join_all(calls.iter().enumerate().map(|(place, call)| self.run_one(place, call, round, &asking))).await
    }

    /// What a person would be asked before this call, if one has to be asked.
    pub async fn asks(&self, call: &ToolCall) -> Option<Asks> {
        let found = self.find(&call.name, &[]).await.ok()?;
        match (self.approval(&found).ok()?, &found) {
            (Approval::Ask, Found::Listed(server, _, listed)) => Some(Asks {
                server: server.name.to_string(),
                tool: listed.described.name.clone(),
                description: listed.tool.description.clone(),
            }),
            (Approval::Ask | Approval::Always | Approval::Never, _) => None,
        }
    }

    async fn run_one(&self, place: usize, call: &ToolCall, round: &Round<'_>, asking: &Asking<'_>) -> Ran {
        let began = Instant::now();
        let admitted = tokio::select! {
            biased;
            () = round.cancel.cancelled() => Err(Refusal::Stopped),
            admitted = self.admit(place, call, round, asking) => admitted,
        };
        let ending = match admitted {
            Err(refusal) => Ending::Refused(refusal),
            Ok((found, arguments)) => {
                (round.events)(Event::Started { id: call.id.clone() });
                found.perform(call, arguments, round).await
            }
        };
        let ran = Ran::of(call, ending, began.elapsed(), round.limits);
        (round.events)(Event::Finished { id: call.id.clone(), outcome: ran.outcome.clone() });
        ran
    }

    async fn admit<'a>(
        &'a self,
        place: usize,
        call: &ToolCall,
        round: &Round<'a>,
        asking: &Asking<'_>,
    ) -> Result<(Found<'a>, Map<String, Value>), Refusal> {
        if place >= round.limits.calls {
            return Err(Refusal::TooMany { limit: round.limits.calls });
        }
        let found = self.find(&call.name, round.built_ins).await?;
        let first = self.approval(&found)?;
        let arguments = found.check(call)?;
        match first {
            Approval::Always => return Ok((found, arguments)),
            Approval::Never => return Err(Refusal::Never { name: call.name.clone() }),
            Approval::Ask => {}
        }
        let _one_at_a_time = asking[call.name.as_str()].lock().await;
        if self.approval(&found)? == Approval::Ask {
            self.ask(call, &found, round).await?;
        }
        // A person takes time: meanwhile the server may have died, or say something else of the tool than they read.
        let again = self.find(&call.name, round.built_ins).await?;
        match self.approval(&again)? {
            Approval::Always | Approval::Ask if again.fingerprint() == found.fingerprint() => Ok((again, arguments)),
            Approval::Always | Approval::Ask => Err(Refusal::Changed { name: call.name.clone() }),
            Approval::Never => Err(Refusal::Never { name: call.name.clone() }),
        }
    }

    async fn find<'a>(&'a self, name: &str, built_ins: &'a [&'a dyn BuiltIn]) -> Result<Found<'a>, Refusal> {
        let unknown = || Refusal::UnknownTool { name: name.chars().take(100).collect() };
        let Some((server, _)) = name.split_once(PART) else {
            let built_in = |built_in: &&'a dyn BuiltIn| Some((*built_in, built_in.tool())).filter(|(_, tool)| tool.name == name);
            let (built_in, tool) = built_ins.iter().find_map(built_in).ok_or_else(unknown)?;
            return Ok(Found::BuiltIn(built_in, tool));
        };
        let server = self.servers.get(server).ok_or_else(unknown)?;
        let unreachable =
            |why: super::ServerError| Refusal::Unreachable { server: server.name.to_string(), why: why.to_string() };
        let ready = server.ready().await.map_err(unreachable)?;
        match ready.listing.tools.get(name).cloned() {
            Some(listed) => Ok(Found::Listed(server, ready, listed)),
            None => match ready.listing.left_out.iter().find(|left| left.name == name) {
                Some(left) => Err(Refusal::Unfit { name: name.to_owned(), why: left.why.clone() }),
                None => Err(unknown()),
            },
        }
    }

    fn approval(&self, found: &Found<'_>) -> Result<Approval, Refusal> {
        let standing = match found {
            Found::BuiltIn(built_in, tool) => {
                let pin = self.pins.pin("", &tool.name).map_err(undecided)?;
                return Ok(pin.and_then(|pin| pin.approval).unwrap_or_else(|| built_in.approval()));
            }
            Found::Listed(server, _, listed) => self.standing(server, listed).map_err(undecided)?,
        };
        match standing {
            Standing::Ready { approval } => Ok(approval),
            Standing::Never => Ok(Approval::Never),
            Standing::Changed { .. } => Err(Refusal::Changed { name: found.tool().name.clone() }),
        }
    }

    async fn ask(&self, call: &ToolCall, found: &Found<'_>, round: &Round<'_>) -> Result<(), Refusal> {
        (round.events)(Event::Asked { id: call.id.clone() });
        match round.gate.ask(found.question(call)).await {
            Decision::Once => Ok(()),
            Decision::Refuse => Err(Refusal::ByPerson),
            Decision::Always => self.keep(found, Approval::Always),
            Decision::Never => {
                self.keep(found, Approval::Never)?;
                Err(Refusal::ByPerson)
            }
        }
    }

    /// Keeps what a person decided, for the description that they were shown.
    fn keep(&self, found: &Found<'_>, approval: Approval) -> Result<(), Refusal> {
        let kept = match found {
            Found::BuiltIn(_, tool) => {
                let described = serde_json::json!({"name": tool.name}).to_string();
                let pin = Pin { fingerprint: Fingerprint::of(&described), described, approval: Some(approval) };
                self.pins.put("", &tool.name, pin)
            }
            Found::Listed(server, _, listed) => {
                self.pins.put(server.name.as_str(), &listed.described.name, listed.pin(Some(approval)))
            }
        };
        kept.map_err(undecided)
    }
}

fn undecided(failed: PinsFailed) -> Refusal {
    Refusal::Undecided { why: failed.to_string() }
}

impl Found<'_> {
    fn tool(&self) -> &Tool {
        match self {
            Found::BuiltIn(_, tool) => tool,
            Found::Listed(_, _, listed) => &listed.tool,
        }
    }

    /// Of what a person was shown; built-ins are ours and do not change.
    fn fingerprint(&self) -> Option<Fingerprint> {
        match self {
            Found::BuiltIn(..) => None,
            Found::Listed(_, _, listed) => Some(listed.fingerprint),
        }
    }

    fn question<'q>(&'q self, call: &'q ToolCall) -> Question<'q> {
        match self {
            Found::BuiltIn(_, tool) => {
                Question { call, server: None, tool: &tool.name, description: &tool.description, hints: Hints::default() }
            }
            Found::Listed(server, _, listed) => Question {
                call,
                server: Some(server.name.as_str()),
                tool: &listed.described.name,
                description: &listed.described.description,
                hints: listed.described.hints,
            },
        }
    }

    fn check(&self, call: &ToolCall) -> Result<Map<String, Value>, Refusal> {
        let values = arguments::read(&call.args)?;
        match self {
            Found::BuiltIn(_, tool) => {
                let schema = tool.input_schema.value().and_then(|schema| Schema::new(schema.as_object()?).ok());
                schema.map_or(Ok(()), |schema| schema.check(&values))?;
            }
            Found::Listed(_, _, listed) => listed.schema.check(&values)?,
        }
        Ok(values)
    }

    async fn perform(self, call: &ToolCall, arguments: Map<String, Value>, round: &Round<'_>) -> Ending {
        let after = self.patience(round.limits.call);
        tokio::select! {
            biased;
            () = round.cancel.cancelled() => Ending::Lost(Loss::Stopped),
            ending = self.begin(call, arguments, round) => ending,
            () = sleep(after) => Ending::Lost(Loss::Timeout { after }),
        }
    }

    fn patience(&self, otherwise: Duration) -> Duration {
        match self {
            Found::BuiltIn(..) => otherwise,
            Found::Listed(server, ..) => server.config.timeout.unwrap_or(otherwise),
        }
    }

    async fn begin(&self, call: &ToolCall, arguments: Map<String, Value>, round: &Round<'_>) -> Ending {
        let (server, ready, listed) = match self {
            Found::BuiltIn(built_in, _) => return Ending::Answered(built_in.call(call, arguments).await),
            Found::Listed(server, ready, listed) => (server, ready, listed),
        };
        let tell = |Progress { done, total, message }| {
            (round.events)(Event::Progress { id: call.id.clone(), done, total, message });
        };
        let name = || server.name.to_string();
        match ready.connection.call(&listed.described.name, arguments, &tell).await {
            Ok(answer) => Ending::Answered(answer),
            Err(CallFailed::Answered { message }) => {
                Ending::Answered(Answer::error(format!("The server {} refused the call: {message}", name())))
            }
            Err(CallFailed::NotSent { said }) => Ending::Refused(Refusal::Unreachable { server: name(), why: said }),
            Err(CallFailed::Lost { said, last_words }) => Ending::Lost(Loss::Server { server: name(), said, last_words }),
            Err(CallFailed::Unusable { what }) => Ending::Lost(Loss::Unusable { server: name(), what }),
        }
    }
}

/// Compiles only as long as a round can be run in a task of its own.
#[cfg(test)]
fn _can_be_spawned<'a>(toolbox: &'a Toolbox, calls: &'a [ToolCall], round: &'a Round<'a>) -> impl Future + Send + 'a {
    toolbox.run(calls, round)
}
