//! What comes after a reply. Decided here, done elsewhere.

use weftwork::decode::{CallState, Reply, Stop};
use weftwork::model::ToolCall;

/// How often in one turn a model may ask for tools.
pub const MOST_ROUNDS: u32 = 20;

/// What comes after a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Nothing: the turn is over.
    Done,
    /// These tools are run, and the model is asked again.
    Run(Vec<ToolCall>),
    /// The provider paused: the reply is sent back as it is.
    GoOn,
    /// It ended inside a tool call. Nothing is run.
    HalfCall,
    /// These tools were asked for once too often. Nothing is run.
    TooOften(Vec<ToolCall>),
}

/// Decides what comes after a reply, `rounds` rounds of tools into its turn.
pub(crate) fn next(reply: &Reply, rounds: u32) -> Next {
    let mut calls = Vec::new();
    for (call, state) in reply.calls() {
        match state {
            CallState::Complete => calls.push(call.clone()),
            CallState::Unfinished => return Next::HalfCall,
            CallState::Provider => {}
        }
    }
    match (calls.is_empty(), reply.stop) {
        (true, Stop::Paused) if rounds < MOST_ROUNDS => Next::GoOn,
        (true, _) => Next::Done,
        (false, _) if rounds < MOST_ROUNDS => Next::Run(calls),
        (false, _) => Next::TooOften(calls),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weftwork::model::{Json, Part};

    fn reply(stop: Stop, args: &[&str]) -> Reply {
        let call = |(at, args): (usize, &&str)| Part::call(format!("t{at}"), "look", Json::parse(*args).expect("JSON"));
        Reply { parts: args.iter().enumerate().map(call).collect(), stop, ..Reply::default() }
    }

    #[test]
    fn tools_run_only_when_every_call_of_the_reply_is_whole() {
        let word = |next: Next| match next {
            Next::Done => "done".to_owned(),
            Next::Run(calls) => format!("run {}", calls.len()),
            Next::GoOn => "go on".to_owned(),
            Next::HalfCall => "half".to_owned(),
            Next::TooOften(calls) => format!("too often {}", calls.len()),
        };
        for (stop, args, rounds, expected) in [
            (Stop::End, &[] as &[&str], 0, "done"),
            (Stop::ToolCalls, &["{}", "{}"], 0, "run 2"),
            (Stop::End, &["{}"], 0, "run 1"),
            (Stop::MaxTokens, &["{}"], 0, "half"),
            (Stop::Cut, &["{}", "{}"], 0, "half"),
            (Stop::Refused, &["{}"], 0, "half"),
            (Stop::ToolCalls, &["{}", r#""{\"path\": \"/et""#], 0, "half"),
            (Stop::Paused, &[], 0, "go on"),
            (Stop::Paused, &[], MOST_ROUNDS, "done"),
            (Stop::ToolCalls, &["{}"], MOST_ROUNDS - 1, "run 1"),
            (Stop::ToolCalls, &["{}"], MOST_ROUNDS, "too often 1"),
            (Stop::MaxTokens, &[], 0, "done"),
        ] {
            assert_eq!(word(next(&reply(stop, args), rounds)), expected, "{stop:?} {args:?} after {rounds} rounds");
        }
    }
}
