//! The script language: lines that begin with `!` and a known word.

use super::mind::SEND;
use std::time::Duration;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Directive {
    /// `!call NAME {json}`
    Call { tool: String, args: Args },
    /// `!say TEXT`
    Say(String),
    /// `!send TEXT`
    Send(String),
    /// `!wait TEXT`
    Wait(String),
    /// `!fail STATUS`
    Fail(u16),
    /// `!stall SECONDS`
    Stall(Duration),
    /// `!stream TOKENS_PER_SECOND`
    Stream(f64),
}

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Args {
    /// A JSON object, as it was written.
    Object(String),
    /// Something else.
    Bad(String),
}

impl Directive {
    /// Whether it calls a tool: then the reply ends with it and with the calls beside it.
    pub(crate) fn is_call(&self) -> bool {
        match self {
            Directive::Call { .. } | Directive::Send(_) | Directive::Wait(_) => true,
            Directive::Say(_) | Directive::Fail(_) | Directive::Stall(_) | Directive::Stream(_) => false,
        }
    }

    /// The text of the message that it waits with: a wait, or a call that says so.
    pub(crate) fn awaits(&self) -> Option<String> {
        match self {
            Directive::Wait(text) => Some(text.clone()),
            Directive::Call { tool, args: Args::Object(args) } if tool == SEND => {
                let args: serde_json::Value = serde_json::from_str(args).ok()?;
                (args["wait"] == true).then(|| args["text"].as_str().unwrap_or_default().trim_end().to_owned())
            }
            Directive::Call { .. }
            | Directive::Say(_)
            | Directive::Send(_)
            | Directive::Fail(_)
            | Directive::Stall(_)
            | Directive::Stream(_) => None,
        }
    }
}

/// The directives of a text, in order. A line that only looks like one is none.
pub(crate) fn directives(text: &str) -> Vec<Directive> {
    text.lines().filter_map(directive).collect()
}

fn directive(line: &str) -> Option<Directive> {
    let line = line.trim().strip_prefix('!')?;
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    match word {
        "call" => call(rest),
        "say" => some(rest).map(Directive::Say),
        "send" => some(rest).map(Directive::Send),
        "wait" => some(rest).map(Directive::Wait),
        "fail" => rest.parse().ok().filter(|status| (400..600).contains(status)).map(Directive::Fail),
        "stall" => seconds(rest).map(Directive::Stall),
        "stream" => rest.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0).map(Directive::Stream),
        _ => None,
    }
}

fn call(rest: &str) -> Option<Directive> {
    let (tool, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let args = match args.trim() {
        "" => Args::Object("{}".to_owned()),
        args if serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(args).is_ok() => Args::Object(args.to_owned()),
        args => Args::Bad(args.to_owned()),
    };
    (!tool.is_empty()).then(|| Directive::Call { tool: tool.to_owned(), args })
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// Directives in rounds: each ends with the calls whose results the next one needs.
pub(crate) fn rounds(directives: Vec<Directive>) -> Vec<Vec<Directive>> {
    let mut rounds: Vec<Vec<Directive>> = Vec::new();
    for directive in directives {
        let goes_on = rounds.last().and_then(|round| round.last()).is_some_and(|last| !last.is_call() || directive.is_call());
        // A wait ends the run for now: nothing is called beside it.
        let waits = rounds.last().and_then(|round| round.last()).is_some_and(|last| last.awaits().is_some());
        match rounds.last_mut() {
            Some(round) if goes_on && !waits => round.push(directive),
            Some(_) | None => rounds.push(vec![directive]),
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_directive_is_read_and_anything_else_is_text() {
        let object = |text: &str| Args::Object(text.to_owned());
        for (line, expected) in [
            ("!call f {\"a\": 1.10}", Some(Directive::Call { tool: "f".into(), args: object("{\"a\": 1.10}") })),
            ("  !call f", Some(Directive::Call { tool: "f".into(), args: object("{}") })),
            ("!call f [1]", Some(Directive::Call { tool: "f".into(), args: Args::Bad("[1]".into()) })),
            ("!say  hello there ", Some(Directive::Say("hello there".into()))),
            ("!send hi", Some(Directive::Send("hi".into()))),
            ("!wait which one?", Some(Directive::Wait("which one?".into()))),
            ("!fail 529", Some(Directive::Fail(529))),
            ("!stall 0.5", Some(Directive::Stall(Duration::from_millis(500)))),
            ("!stream 20", Some(Directive::Stream(20.0))),
            ("!fail 200", None),
            ("!stream 0", None),
            ("!stall -1", None),
            ("!say", None),
            ("!shout hello", None),
            ("say !say x", None),
        ] {
            assert_eq!(directives(line), expected.into_iter().collect::<Vec<_>>(), "{line}");
        }
    }

    #[test]
    fn a_round_ends_with_its_calls() {
        let of = |text: &str| rounds(directives(text)).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(of("!say a\n!call f\n!call g\n!say b"), [3, 1]);
        assert_eq!(of("!call f\n!say b\n!call g"), [1, 2]);
        assert_eq!(of("!wait a\n!send b"), [1, 1]);
        assert_eq!(of("!call send_message {\"text\":\"a\",\"wait\":true}\n!send b"), [1, 1]);
        assert_eq!(of("!call send_message {\"text\":\"a\"}\n!send b"), [2]);
        assert_eq!(of("hello"), [0; 0]);
    }
}
