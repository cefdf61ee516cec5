//! The commands, as `/help` and completion show them.

/// A command in the list.
pub(crate) struct Listed {
    /// Its name, without the slash.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) takes: &'static str,
    /// What it does.
    pub(crate) does: &'static str,
}

const fn command(name: &'static str, takes: &'static str, does: &'static str) -> Listed {
    Listed { name, takes, does }
}

/// All commands, in the order in which they are wanted.
pub(crate) const COMMANDS: &[Listed] = &[
    command("help", "", "this list"),
    command("retry", "[MODEL]", "the last reply again, beside the old one"),
    command("edit", "[-e] [NODE]", "say a message otherwise; -e in $EDITOR"),
    command("continue", "", "let the model go on"),
    command("generate", "N [MODEL…]", "N replies at once, beside each other"),
    command("tree", "", "the branches, with a number for each node"),
    command("switch", "NODE|next|prev", "go to another branch"),
    command("undo", "", "take back what was done last, or the nearest summary"),
    command("clear", "", "begin afresh: nothing before the next message is sent"),
    command("context", "[TEXT]", "what would be sent now, and why"),
    command("summarize", "[KEEP]", "sum up; the newest KEEP messages stay as they are"),
    command("title", "", "give the chat a title"),
    command("exclude", "[NODE]", "send a node no more"),
    command("include", "[NODE]", "send it again"),
    command("pin", "[NODE]", "never leave a node out to make room"),
    command("unpin", "[NODE]", "allow it again"),
    command("bookmark", "[NODE]", "mark a node to be found again"),
    command("model", "[NAME]", "which models there are, or use another"),
    command("system", "[TEXT]", "what the model is told before all else"),
    command("sampling", "[KEY=VALUE…]", "temperature, top_p, top_k, seed, stop, max_tokens"),
    command("tools", "[NAME …|MODE]", "tools; NAME always|ask|never, approve NAME, or which are sent"),
    command("reasoning", "on|off", "show what the model thinks"),
    command("cost", "", "tokens and money of this chat"),
    command("raw", "", "the last request and its response, byte for byte"),
    command("export", "[FORMAT] [FILE]", "weft, weft-jsonl, markdown or openai"),
    command("open", "[SPACE]", "go to another chat, or list them"),
    command("new", "", "begin a new chat"),
    command("quit", "", "leave; Ctrl-D does too"),
];
