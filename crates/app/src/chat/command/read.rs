//! From a line to what it asks for.

use super::{COMMANDS, Command, Misread, Setting, Showing, To, Tools, Typed, With};
use crate::keep::near;
use weftwork::ask::ToolPolicy;
use weftwork::formats::ExportFormat;
use weftwork_gateway::tools::Approval;
use weftwork_store::Flag;

/// Messages that a summary leaves as they are when nobody says.
const KEPT: u32 = 0;

/// Reads what was typed. A line that begins with two slashes is a message that begins with one.
pub(crate) fn read(line: &str) -> Result<Typed, Misread> {
    let text = line.trim();
    if text.is_empty() {
        return Ok(Typed::Nothing);
    }
    match text.strip_prefix('/') {
        None => Ok(Typed::Say(text.to_owned())),
        Some(rest) if rest.starts_with('/') => Ok(Typed::Say(rest.to_owned())),
        Some(rest) => {
            let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            command(name, rest.trim()).map(Typed::Do)
        }
    }
}

fn command(name: &str, rest: &str) -> Result<Command, Misread> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let one = || at_most_one(name, &words);
    match name {
        "help" | "?" => Ok(Command::Help),
        "context" => Ok(Command::Context(some(rest))),
        "tree" => nothing(name, &words, Command::Tree),
        "switch" => switch(name, &words),
        "retry" => one().map(Command::Retry),
        "edit" => edit(name, &words),
        "continue" => nothing(name, &words, Command::Continue),
        "generate" => generate(name, &words),
        "summarize" => summarize(name, &words),
        "title" => nothing(name, &words, Command::Title),
        "undo" => nothing(name, &words, Command::Undo),
        "clear" => nothing(name, &words, Command::Clear),
        "tools" => tools(name, &words),
        "cost" => nothing(name, &words, Command::Cost),
        "model" => one().map(Command::Model),
        "system" => Ok(Command::System(some(rest))),
        "sampling" => settings(name, &words),
        "reasoning" => reasoning(name, &words),
        "exclude" => one().map(|node| flag(Flag::Excluded, true, node)),
        "include" => one().map(|node| flag(Flag::Excluded, false, node)),
        "pin" => one().map(|node| flag(Flag::Pinned, true, node)),
        "unpin" => one().map(|node| flag(Flag::Pinned, false, node)),
        "bookmark" => one().map(|node| flag(Flag::Bookmarked, true, node)),
        "export" => export(name, rest),
        "open" => Ok(Command::Open(some(rest))),
        "new" => nothing(name, &words, Command::New),
        "raw" => nothing(name, &words, Command::Raw),
        "quit" | "exit" | "q" => nothing(name, &words, Command::Quit),
        unknown => Err(Misread::Unknown {
            name: unknown.to_owned(),
            near: near(unknown, COMMANDS.iter().map(|listed| listed.name)).into_iter().take(3).collect(),
        }),
    }
}

fn some(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn flag(flag: Flag, on: bool, node: Option<String>) -> Command {
    Command::Flag { flag, on, node }
}

/// What a command takes, when it was given something else.
fn usage(name: &str, why: Option<String>) -> Misread {
    let listed = COMMANDS.iter().find(|listed| listed.name == name);
    let takes = listed.map_or("", |listed| listed.takes);
    Misread::Usage { usage: format!("/{name} {takes}").trim_end().to_owned(), why }
}

fn nothing(name: &str, words: &[&str], command: Command) -> Result<Command, Misread> {
    if words.is_empty() { Ok(command) } else { Err(usage(name, Some("it takes nothing".to_owned()))) }
}

fn at_most_one(name: &str, words: &[&str]) -> Result<Option<String>, Misread> {
    match words {
        [] => Ok(None),
        [one] => Ok(Some((*one).to_owned())),
        _ => Err(usage(name, None)),
    }
}

fn switch(name: &str, words: &[&str]) -> Result<Command, Misread> {
    match words {
        ["next"] => Ok(Command::Switch(To::Next)),
        ["prev" | "previous"] => Ok(Command::Switch(To::Previous)),
        [node] => Ok(Command::Switch(To::Node((*node).to_owned()))),
        _ => Err(usage(name, None)),
    }
}

fn edit(name: &str, words: &[&str]) -> Result<Command, Misread> {
    let (with, words) = match words {
        ["-e", rest @ ..] => (With::Editor, rest),
        words => (With::Line, words),
    };
    at_most_one(name, words).map(|node| Command::Edit { node, with })
}

fn generate(name: &str, words: &[&str]) -> Result<Command, Misread> {
    let [count, models @ ..] = words else { return Err(usage(name, None)) };
    let count = count.parse().map_err(|_| usage(name, Some(format!("{count:?} is no number"))))?;
    Ok(Command::Generate { count, models: models.iter().map(|model| (*model).to_owned()).collect() })
}

fn summarize(name: &str, words: &[&str]) -> Result<Command, Misread> {
    let Some(keep) = at_most_one(name, words)? else { return Ok(Command::Summarize(KEPT)) };
    let number = crate::words::small_amount(&keep);
    number.map(Command::Summarize).map_err(|_| usage(name, Some(format!("{keep:?} is no number"))))
}

fn tools(name: &str, words: &[&str]) -> Result<Command, Misread> {
    let act = match words {
        [] => Tools::List,
        ["include", tool] => Tools::Choose((*tool).to_owned(), true),
        ["exclude", tool] => Tools::Choose((*tool).to_owned(), false),
        ["approve", tool] => Tools::Approve((*tool).to_owned()),
        [tool, "always"] => Tools::Set((*tool).to_owned(), Approval::Always),
        [tool, "ask"] => Tools::Set((*tool).to_owned(), Approval::Ask),
        [tool, "never"] => Tools::Set((*tool).to_owned(), Approval::Never),
        [mode] => Tools::Mode(policy(name, mode)?),
        _ => return Err(usage(name, None)),
    };
    Ok(Command::Tools(act))
}

fn policy(name: &str, mode: &str) -> Result<ToolPolicy, Misread> {
    let found = ToolPolicy::ALL.iter().copied().find(|policy| policy.word() == mode);
    let words: Vec<&str> = ToolPolicy::ALL.iter().map(|policy| policy.word()).collect();
    found.ok_or_else(|| usage(name, Some(format!("{mode:?} is no mode, those are {}", words.join(", ")))))
}

fn settings(name: &str, words: &[&str]) -> Result<Command, Misread> {
    let settings: Result<Vec<Setting>, String> = words.iter().map(|word| Setting::read(word)).collect();
    settings.map(Command::Sampling).map_err(|why| usage(name, Some(why)))
}

fn reasoning(name: &str, words: &[&str]) -> Result<Command, Misread> {
    match words {
        [] => Ok(Command::Reasoning(None)),
        ["on"] => Ok(Command::Reasoning(Some(Showing::On))),
        ["off"] => Ok(Command::Reasoning(Some(Showing::Off))),
        _ => Err(usage(name, None)),
    }
}

/// A format, a file, or both; a word that is no format is a file.
fn export(name: &str, rest: &str) -> Result<Command, Misread> {
    let (first, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let format = match first {
        "openai" => Some(ExportFormat::OpenAiJsonl),
        word => ExportFormat::ALL.iter().copied().find(|format| format.word() == word),
    };
    match format {
        Some(format) => Ok(Command::Export { format, file: some(behind.trim()) }),
        None if first.is_empty() => Ok(Command::Export { format: ExportFormat::Markdown, file: None }),
        None if behind.is_empty() => Ok(Command::Export { format: by_ending(first), file: some(first) }),
        None => Err(usage(name, Some(format!("{first:?} is no format")))),
    }
}

fn by_ending(file: &str) -> ExportFormat {
    match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => ExportFormat::Weft,
        Some("jsonl") => ExportFormat::WeftJsonl,
        Some(_) | None => ExportFormat::Markdown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_line_is_a_message_or_a_command() {
        let cases = [
            ("", Typed::Nothing),
            ("  \n ", Typed::Nothing),
            (" hello ", Typed::Say("hello".into())),
            ("a\nb", Typed::Say("a\nb".into())),
            ("//etc is a folder", Typed::Say("/etc is a folder".into())),
            ("a /help", Typed::Say("a /help".into())),
            ("/help", Typed::Do(Command::Help)),
            ("/context", Typed::Do(Command::Context(None))),
            ("/context two words", Typed::Do(Command::Context(text("two words")))),
            ("/switch next", Typed::Do(Command::Switch(To::Next))),
            ("/switch prev", Typed::Do(Command::Switch(To::Previous))),
            ("/switch 3", Typed::Do(Command::Switch(To::Node("3".into())))),
            ("/retry offline", Typed::Do(Command::Retry(text("offline")))),
            ("/edit", Typed::Do(Command::Edit { node: None, with: With::Line })),
            ("/edit -e 4", Typed::Do(Command::Edit { node: text("4"), with: With::Editor })),
            ("/generate 3 a b", Typed::Do(Command::Generate { count: 3, models: vec!["a".into(), "b".into()] })),
            ("/summarize", Typed::Do(Command::Summarize(0))),
            ("/summarize 4", Typed::Do(Command::Summarize(4))),
            ("/tools", Typed::Do(Command::Tools(Tools::List))),
            ("/tools approve f__x", Typed::Do(Command::Tools(Tools::Approve("f__x".into())))),
            ("/tools include f__x", Typed::Do(Command::Tools(Tools::Choose("f__x".into(), true)))),
            ("/tools f__x never", Typed::Do(Command::Tools(Tools::Set("f__x".into(), Approval::Never)))),
            ("/tools all-off", Typed::Do(Command::Tools(Tools::Mode(ToolPolicy::AllOff)))),
            ("/system Be\nbrief.", Typed::Do(Command::System(text("Be\nbrief.")))),
            ("/sampling seed=7 stop=", Typed::Do(Command::Sampling(vec![Setting::Seed(Some(7)), Setting::Stop(None)]))),
            ("/reasoning off", Typed::Do(Command::Reasoning(Some(Showing::Off)))),
            ("/unpin", Typed::Do(flag(Flag::Pinned, false, None))),
            ("/bookmark ab", Typed::Do(flag(Flag::Bookmarked, true, text("ab")))),
            ("/export", Typed::Do(Command::Export { format: ExportFormat::Markdown, file: None })),
            ("/export weft a b.json", Typed::Do(Command::Export { format: ExportFormat::Weft, file: text("a b.json") })),
            ("/export chat.json", Typed::Do(Command::Export { format: ExportFormat::Weft, file: text("chat.json") })),
            ("/open My Chat", Typed::Do(Command::Open(text("My Chat")))),
            ("/q", Typed::Do(Command::Quit)),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line), Ok(expected), "{line:?}");
        }
    }

    #[test]
    fn what_is_misread_says_what_would_do() {
        let told = |line: &str| read(line).map_or_else(|error| error.to_string(), |typed| format!("{typed:?}"));
        let cases = [
            "/hlep",
            "/zzzzzzzz",
            "/tree all",
            "/switch",
            "/generate",
            "/generate many",
            "/summarize x",
            "/tools sometimes",
            "/sampling heat=1",
            "/sampling seed=x",
            "/reasoning maybe",
            "/export my chat",
            "/retry a b",
        ];
        let all: Vec<String> = cases.iter().map(|line| format!("{line}: {}", told(line))).collect();
        insta::assert_snapshot!(all.join("\n"), @r#"
        /hlep: there is no command /hlep: did you mean /help? Write two slashes to send text that begins with one
        /zzzzzzzz: there is no command /zzzzzzzz: /help lists all. Write two slashes to send text that begins with one
        /tree all: it takes nothing: write /tree
        /switch: write /switch NODE|next|prev
        /generate: write /generate N [MODEL…]
        /generate many: "many" is no number: write /generate N [MODEL…]
        /summarize x: "x" is no number: write /summarize [KEEP]
        /tools sometimes: "sometimes" is no mode, those are auto, cached, all-on, all-off, manual: write /tools [NAME …|MODE]
        /sampling heat=1: "heat" is no setting: write /sampling [KEY=VALUE…]
        /sampling seed=x: "seed=x" is no number of its kind: write /sampling [KEY=VALUE…]
        /reasoning maybe: write /reasoning on|off
        /export my chat: "my" is no format: write /export [FORMAT] [FILE]
        /retry a b: write /retry [MODEL]
        "#);
    }

    #[test]
    fn every_command_in_the_list_is_understood() {
        for listed in COMMANDS {
            let unknown = matches!(read(&format!("/{}", listed.name)), Err(Misread::Unknown { .. }));
            assert!(!unknown, "{}", listed.name);
        }
    }
}
