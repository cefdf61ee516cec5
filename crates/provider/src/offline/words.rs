//! What the model on board says: what it was given, in plain numbers, and never more than it knows.

use super::given::{Given, Tool, Turn};
use super::occasion::Occasion;
use weftwork::ask::Counter;
use weftwork::count::Meter;

const WHO: &str = "This is Weft's offline model: it has no network and does not think, it only tells what it was given.";
const LONGEST_QUOTE: usize = 160;
const LONGEST_TITLE: usize = 60;
const TITLE_WORDS: usize = 6;
const SUMMARY_LINES: usize = 8;

/// The answer to a conversation without directives.
pub(crate) fn answer(given: &Given, system: &str, turns: &[Turn]) -> String {
    let last = last_words(turns);
    match wish(last) {
        Wish::Title => title(turns),
        Wish::Summary => summary(turns),
        Wish::Talk => {
            format!("{WHO} {} The last message reads: “{}”", account(given, system, turns), shortened(last, LONGEST_QUOTE))
        }
    }
}

/// What is wanted, as the last message puts it: whichever word comes first.
enum Wish {
    Title,
    Summary,
    Talk,
}

fn wish(text: &str) -> Wish {
    let text = text.to_lowercase();
    let of_talk = ["conversation", "chat", "history", "so far", "above", "messages"].iter().any(|word| text.contains(word));
    match (text.find("title"), text.find("summar")) {
        _ if !of_talk => Wish::Talk,
        (Some(title), summary) if summary.is_none_or(|summary| title < summary) => Wish::Title,
        (_, Some(_)) => Wish::Summary,
        (_, None) => Wish::Talk,
    }
}

/// What it was given, in numbers.
fn account(given: &Given, system: &str, turns: &[Turn]) -> String {
    let mine = turns.iter().filter(|turn| turn.assistant).count();
    let results: usize = turns.iter().map(|turn| turn.results.len()).sum();
    let mut told = vec![format!(
        "It was given {} ({} of the user, {mine} of the assistant)",
        counted(turns.len(), "message"),
        turns.len() - mine
    )];
    if results > 0 {
        told.push(counted(results, "tool result"));
    }
    if !system.is_empty() {
        let tokens = Meter::new(Counter::O200k, None).raw(system);
        told.push(format!("a system text of about {}", counted(tokens as usize, "token")));
    }
    told.push(tools(&given.tools));
    let all = format!("{}: about {} in all.", told.join(", "), counted(given.tokens as usize, "token"));
    let texts = turns.iter().flat_map(|turn| &turn.texts).map(String::as_str).chain([system]);
    let omitted: Vec<&str> = texts.flat_map(str::lines).filter(|line| is_marker(line)).map(str::trim).collect();
    match omitted.is_empty() {
        true => format!("{all} It sees no sign that anything was left out."),
        false => format!("{all} Something was left out before it came here: {}.", omitted.join(" ")),
    }
}

/// `[… 12 messages omitted …]`, or the like for characters or new messages.
fn is_marker(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("[… ") && line.ends_with(" …]") && line.contains(" omitted")
}

fn tools(tools: &[Tool]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    match names.is_empty() {
        true => "no tools".to_owned(),
        false => format!("{} ({})", counted(names.len(), "tool"), names.join(", ")),
    }
}

fn counted(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn last_words(turns: &[Turn]) -> &str {
    turns.iter().rev().filter(|turn| !turn.assistant).flat_map(|turn| turn.texts.last()).next().map_or("", String::as_str)
}

/// A title: the first words that were said.
fn title(turns: &[Turn]) -> String {
    let is_said = |text: &&String| !text.trim().is_empty() && !is_marker(text);
    let first = turns.iter().find(|turn| !turn.assistant).and_then(|turn| turn.texts.iter().find(is_said));
    let first = first.map_or("", String::as_str);
    // A loom-aware agent reads a line about each node before what it says.
    let said = first.strip_prefix('[').and_then(|rest| rest.split_once("]\n")).filter(|(facts, _)| facts.contains(" · "));
    let words: Vec<&str> = said.map_or(first, |(_, said)| said).split_whitespace().take(TITLE_WORDS).collect();
    let title = words.join(" ");
    let title = title.trim_matches(|c: char| c.is_ascii_punctuation());
    if title.is_empty() { "Untitled".to_owned() } else { shortened(title, LONGEST_TITLE) }
}

/// A summary: who said what, shortened, the first and the newest messages.
fn summary(turns: &[Turn]) -> String {
    let said = turns.split_last().map_or(turns, |(_, before)| before);
    let line = |turn: &Turn| {
        let who = if turn.assistant { "Assistant" } else { "User" };
        let called = turn.calls.iter().map(|tool| format!("called {tool}"));
        let answered = turn.results.iter().map(|(tool, text)| format!("{tool} answered {}", shortened(text, LONGEST_QUOTE / 2)));
        let texts = turn.texts.iter().map(|text| shortened(text, LONGEST_QUOTE));
        format!("- {who}: {}", texts.chain(called).chain(answered).collect::<Vec<_>>().join("; "))
    };
    let newest = said.len().saturating_sub(SUMMARY_LINES - 1).max(1);
    let first = said.iter().take(1).map(line);
    let lines: Vec<String> = first.chain(said.iter().skip(newest).map(line)).collect();
    let left_out = said.len() - lines.len();
    let note = if left_out > 0 { format!(" Of these, {left_out} are not repeated here.") } else { String::new() };
    format!(
        "Summary by Weft's offline model, which quotes and does not judge: {}.{note}\n{}",
        counted(said.len(), "message"),
        lines.join("\n")
    )
}

/// What the tools answered, when nothing else is to be done.
pub(crate) fn results(turns: &[Turn]) -> String {
    let newest = turns.iter().rev().find(|turn| !turn.results.is_empty());
    let lines = newest.into_iter().flat_map(|turn| &turn.results);
    let lines: Vec<String> = lines.map(|(tool, text)| format!("{tool} answered: {}", shortened(text, LONGEST_QUOTE))).collect();
    if lines.is_empty() { "Done.".to_owned() } else { lines.join("\n") }
}

/// What it posts in a space when nobody told it what to do.
pub(crate) fn in_space(given: &Given, system: &str, run: &Occasion) -> String {
    let lines = system.lines().filter(|line| line.starts_with("  [msg:")).count();
    let omitted = system.lines().filter(|line| is_marker(line)).map(str::trim).collect::<Vec<_>>().join(" ");
    let omitted = if omitted.is_empty() { String::new() } else { format!(" {omitted}") };
    format!(
        "{WHO} It sees {} of this space{omitted}, {} and about {} in all. It was woken by: “{}”",
        counted(lines, "message"),
        tools(&given.tools),
        counted(given.tokens as usize, "token"),
        shortened(&run.text, LONGEST_QUOTE)
    )
}

pub(crate) fn nothing_to_add() -> String {
    "Nothing to add.".to_owned()
}

/// Words that stand where a text would go on; another seed, other words.
pub(crate) fn continuation(text: &str, seed: i64) -> String {
    const OPENINGS: [&str; 4] =
        ["And so it goes on", "Here the text turns", "What follows is open", "The next line is unwritten"];
    let opening = OPENINGS[seed.rem_euclid(4) as usize];
    let blank = if text.is_empty() || text.ends_with(char::is_whitespace) { "" } else { " " };
    let number = counted(text.chars().count(), "character");
    format!("{blank}{opening} (offline model, seed {seed}, after {number}: no model is connected that could write it).")
}

pub(crate) fn not_in_text() -> String {
    "(There are no tools in a text that is gone on from.)".to_owned()
}

pub(crate) fn bad_args(tool: &str, args: &str) -> String {
    format!("(The arguments of !call {tool} are no JSON object: {})", shortened(args, LONGEST_QUOTE))
}

pub(crate) fn switched_off(tool: &str) -> String {
    format!("(Asked to call {tool}, but this request allows no tool calls.)")
}

pub(crate) fn no_such_tool(tool: &str, args: &str, given: &[Tool]) -> String {
    format!("(Asked to call {tool} with {}, but it was given {}.)", shortened(args, LONGEST_QUOTE), tools(given))
}

/// The beginning of a text on one line.
fn shortened(text: &str, longest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}
