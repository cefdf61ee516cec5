//! `weft agents work`: a program of the user's own does the runs of an agent, over its standard input and output.
//!
//! Each run gets a process of its own, which is told the run in one line of JSON and acts by lines of JSON. Everything is done
//! under the claim of the run: who has lost it does nothing more, and its program is ended.

use super::args::WorkAgentArgs;
use super::gate::Gate;
use super::runs::{interrupted, short};
use super::who::People;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::{message, plain};
use crate::remote::Place;
use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio_util::sync::CancellationToken;
use weftwork::model::{Json, ToolCall};
use weftwork_gateway::{Deeded, DriveError, Gateway, Handed};
use weftwork_store::runs::{Again, Guard, Guarded, Pulse};

/// Bytes that a line of a program may have.
const LONGEST_LINE: usize = 1 << 20;
/// How often a claim is kept alive.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How long one look for a run lasts.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a program may take to end when its run is over.
const GRACE: Duration = Duration::from_secs(5);
/// Lines of stderr that say why a program failed.
const LAST_LINES: usize = 5;
/// Bytes of a line of stderr that are kept.
const LONGEST_WORD: u64 = 4 << 10;

/// What a program says.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Word {
    /// Do this.
    Call {
        id: String,
        name: String,
        #[serde(default = "nothing")]
        arguments: Value,
    },
    /// All is done.
    End,
    /// It cannot be done.
    Fail { why: String },
}

fn nothing() -> Value {
    json!({})
}

/// How a program left its run.
#[derive(Debug, PartialEq)]
enum Left {
    /// Done.
    Completed,
    /// Failed, and why.
    Failed(String),
    /// It closed its output; its exit status says the rest.
    Silent,
    /// Waiting: it comes again when it goes on.
    Waits,
    /// The claim is somebody else's.
    Lost,
    /// Somebody asked the run to stop.
    Stopped,
    /// Ctrl-C: the run is for whoever comes next.
    Interrupted,
}

/// Does the runs of an agent, one after another.
pub(super) fn work(args: &WorkAgentArgs) -> Result<Outcome> {
    let gate = match args.list.place.change()? {
        Place::Here(store) => Gate::on(store)?,
        Place::There(server) => {
            return server
                .refuse("agents work", "a program takes runs over the API: POST /api/runs/take, with a token of the agent");
        }
    };
    let agent = People::of(gate.store())?.agent(&args.agent)?.clone();
    if !agent.external {
        bail!("{} thinks with a model: weft agents set {} --external true gives its runs to a program", agent.name, agent.id);
    }
    let owner = gate.settings().owner;
    gate.take_up(&owner)?;
    let stop = interrupted(&gate.runtime);
    let patience = if args.once { Duration::ZERO } else { PATIENCE };
    while !stop.is_cancelled() {
        let taken = gate.runtime.block_on(async {
            tokio::select! {
                taken = gate.gateway.take_run(&agent.id, &owner, patience) => taken,
                () = stop.cancelled() => Ok(None),
            }
        })?;
        match taken {
            Some(handed) => one(&gate, &handed, args, &stop)?,
            None if args.once => break,
            None => {}
        }
    }
    Ok(Outcome::Ok)
}

/// Does one run, and writes down how it was left.
fn one(gate: &Gate, handed: &Handed, args: &WorkAgentArgs, stop: &CancellationToken) -> Result<()> {
    let guard = handed.run.guard();
    let left = gate.runtime.block_on(serve(&gate.gateway, handed, &args.command, stop));
    let free = |why: &str| gate.store().retry(&guard, now(), Again::Uncounted, why, now());
    let (word, why) = match &left {
        Ok(Left::Completed | Left::Silent) => ("completed", end(gate, &guard, None)?),
        Ok(Left::Failed(why)) => ("failed", end(gate, &guard, Some(why))?),
        Ok(Left::Waits) => ("waits", None),
        Ok(Left::Lost) => ("lost", None),
        Ok(Left::Stopped) => ("stopped", gate.store().stop(&guard, now()).map(|_| None)?),
        Ok(Left::Interrupted) => ("interrupted", free("interrupted").map(|_| None)?),
        Err(error) => ("interrupted", free(&error.to_string()).map(|_| None)?),
    };
    left?;
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"run": handed.run.id.as_str(), "left": word, "why": why}))?)?;
    } else {
        let why = why.map_or_else(String::new, |why| format!(": {}", plain(&why)));
        output::say(&format!("run {}: {word}{why}\n", short(&handed.run.id)));
    }
    Ok(())
}

fn end(gate: &Gate, guard: &Guard, failed: Option<&str>) -> Result<Option<String>> {
    Ok(match gate.wait(gate.gateway.end_run(guard, failed))? {
        Guarded::Held(_) => failed.map(str::to_owned),
        Guarded::Lost => Some("somebody else has the run by now".to_owned()),
    })
}

/// Starts the program for a run, and listens to it until one of them is over.
async fn serve(gateway: &Gateway, handed: &Handed, command: &[String], stop: &CancellationToken) -> Result<Left> {
    let guard = handed.run.guard();
    let mut child = start(command)?;
    let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
        bail!("the program has no pipes");
    };
    let last_words = tokio::spawn(last_words(stderr));
    let mut pipes = Pipes { stdin, stdout: BufReader::new(stdout) };
    let left = tokio::select! {
        left = talk(gateway, handed, &mut pipes) => left?,
        left = heart(gateway, &guard) => left?,
        () = stop.cancelled() => Left::Interrupted,
    };
    drop(pipes);
    let status = match left {
        // Whoever has nothing to do any more need not be waited for.
        Left::Lost | Left::Stopped | Left::Interrupted => None,
        _ => tokio::select! {
            status = tokio::time::timeout(GRACE, child.wait()) => status.ok().transpose()?,
            () = stop.cancelled() => None,
        },
    };
    child.kill().await.ok();
    let said = tokio::time::timeout(GRACE, last_words).await.ok().and_then(Result::ok).unwrap_or_default();
    Ok(match (left, status) {
        (Left::Silent, Some(status)) if status.success() => Left::Completed,
        (Left::Silent, status) => {
            let status = status.map_or_else(|| "it closed its output and went on".to_owned(), |status| status.to_string());
            let said = if said.is_empty() { String::new() } else { format!(": {}", said.join("\n")) };
            Left::Failed(format!("the program failed ({status}){said}"))
        }
        (left, _) => left,
    })
}

fn start(command: &[String]) -> Result<Child> {
    let (program, arguments) = command.split_first().ok_or_else(|| anyhow!("no program is named behind --"))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command.spawn().with_context(|| format!("{program} cannot be started, so the run is left for later"))
}

/// Passes on what a program says on stderr, and keeps the last of it.
async fn last_words(stderr: ChildStderr) -> Vec<String> {
    let (mut stderr, mut kept) = (BufReader::new(stderr), Vec::new());
    loop {
        let mut line = Vec::new();
        match (&mut stderr).take(LONGEST_WORD).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return kept,
            Ok(_) => {
                let line = message(String::from_utf8_lossy(&line).trim_end());
                output::say(&format!("{line}\n"));
                kept.push(line.to_string());
                kept.drain(..kept.len().saturating_sub(LAST_LINES));
            }
        }
    }
}

/// Keeps the claim alive, until it is lost or the run is to stop.
async fn heart(gateway: &Gateway, guard: &Guard) -> Result<Left> {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        match gateway.keep_run(guard).await? {
            Guarded::Held(Pulse::GoOn) => {}
            Guarded::Held(Pulse::Stop) => return Ok(Left::Stopped),
            Guarded::Lost => return Ok(Left::Lost),
        }
    }
}

/// The program's input and output.
struct Pipes {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Pipes {
    /// Tells the program something. One that does not listen says so by how it ends.
    async fn tell(&mut self, line: &Value) {
        let _ = self.stdin.write_all(format!("{line}\n").as_bytes()).await;
        let _ = self.stdin.flush().await;
    }

    /// The next thing that it says; nothing when it has closed its output.
    async fn hear(&mut self) -> std::result::Result<Option<Word>, String> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.stdout).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).await;
            match read.map_err(|error| format!("the program's output cannot be read: {error}"))? {
                0 => return Ok(None),
                _ if line.len() > LONGEST_LINE => return Err(format!("the program wrote a line of over {LONGEST_LINE} bytes")),
                _ if line.iter().all(u8::is_ascii_whitespace) => {}
                _ => return word(&line).map(Some),
            }
        }
    }
}

fn word(line: &[u8]) -> std::result::Result<Word, String> {
    serde_json::from_slice(line).map_err(|error| {
        let begin: String = String::from_utf8_lossy(line).trim_end().chars().take(80).collect();
        format!("the program wrote {begin:?}, which is no call, end or fail: {error}")
    })
}

/// Tells the program its run and does what it asks for.
async fn talk(gateway: &Gateway, handed: &Handed, pipes: &mut Pipes) -> Result<Left> {
    let Handed { run, request, report, tools } = handed;
    let request: Value = serde_json::from_slice(request).context("the request")?;
    let told = json!({"type": "run", "runId": run.id.as_str(), "epoch": run.epoch, "agent": run.agent, "space": run.space,
        "request": request, "report": report, "tools": tools});
    pipes.tell(&told).await;
    loop {
        let (id, name, arguments) = match pipes.hear().await {
            Ok(Some(Word::Call { id, name, arguments })) => (id, name, arguments),
            Ok(Some(Word::End)) => return Ok(Left::Completed),
            Ok(Some(Word::Fail { why })) => return Ok(Left::Failed(why)),
            Ok(None) => return Ok(Left::Silent),
            Err(why) => return Ok(Left::Failed(why)),
        };
        let args = Json::of(&arguments);
        let call = ToolCall { id: id.clone(), name, args, signature: None, included: false, native: None };
        match gateway.act(&run.guard(), &call).await {
            Ok(Deeded::Answered { text, is_error }) => {
                pipes.tell(&json!({"type": "result", "id": id, "text": text, "isError": is_error})).await;
            }
            Ok(Deeded::Waits) => {
                pipes.tell(&json!({"type": "waits", "id": id})).await;
                return Ok(Left::Waits);
            }
            Err(DriveError::Lost) => return Ok(Left::Lost),
            Err(DriveError::Stopped) => return Ok(Left::Stopped),
            Err(error @ (DriveError::Refused(_) | DriveError::Failed(_))) => return Ok(Left::Failed(error.to_string())),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_call_an_end_or_a_fail() {
        let call = |arguments| Word::Call { id: "1".into(), name: "read_messages".into(), arguments };
        for (line, expected) in [
            (r#"{"type":"call","id":"1","name":"read_messages"}"#, Some(call(json!({})))),
            (r#"{"type":"call","id":"1","name":"read_messages","arguments":{"a":1}}"#, Some(call(json!({"a": 1})))),
            (r#"{"type":"end"}"#, Some(Word::End)),
            (r#"{"type":"fail","why":"no"}"#, Some(Word::Fail { why: "no".into() })),
            (r#"{"type":"fail"}"#, None),
            (r#"{"type":"result"}"#, None),
            ("hello", None),
        ] {
            assert_eq!(word(line.as_bytes()).ok(), expected, "{line}");
        }
    }
}
