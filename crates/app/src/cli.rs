//! The arguments, as `weft help` shows them.

use crate::chat::ChatArgs;
use crate::input::InputArgs;
use crate::words::{amount, choice, share, small_amount, time, to};
use crate::{keep, team};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use weftwork::ask::{
    Cache, Counter, Errors, Form, HistoryPlacement, Layout, Preset, ReasoningPolicy, Share, Strategy, SummaryPlacement,
    ToolPolicy, Unit,
};
use weftwork::dialect::Dialect;
use weftwork::formats::ExportFormat;
use weftwork::model::Timestamp;

/// Weave from any conversation exactly what a model should see: in budget, valid for its API, with a report of every
/// decision.
#[derive(Parser, Debug)]
#[command(name = "weft", version, max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Assemble the request that a model should be sent.
    ///
    /// Prints the request body on stdout and nothing else. Exit 0 ok, 2 bad input, 3 does not fit.
    #[command(after_help = "weft assemble chat.json --to anthropic --context-length 8k --explain")]
    Assemble(Box<AssembleArgs>),
    /// Turn a conversation into another file format, with a report of what was lost.
    Convert(ConvertArgs),
    /// Prove a request body valid for an API, or say what is wrong with it. Exit 1 if it is refused.
    Lint(LintArgs),
    /// Count the tokens of each message.
    Count(CountArgs),
    /// Talk to a model in the terminal; everything said is kept.
    ///
    /// Without a key and without configuration the offline model answers. With stdin from a pipe each line is a message or a
    /// command, replies go to stdout, and the first fault ends it. Configuration: weft/config.toml in $XDG_CONFIG_HOME or
    /// ~/.config, or the file that WEFT_CONFIG names. At a server (--server) its models answer. /help lists the commands.
    #[command(after_help = "weft chat --model ollama/llama3\necho 'Sum up: …' | weft chat")]
    Chat(ChatArgs),
    /// Serve the API, the page and the drop-in endpoints, and do the runs of agents.
    ///
    /// Listens on this machine only, unless --bind says otherwise. The first start prints a link that makes its opener the
    /// owner. SIGTERM lets what is under way come to its end.
    #[command(
        after_help = "weft serve\nweft serve --demo\nweft serve --db postgres://weft@db/weft --bind 0.0.0.0:8787 --public-url https://weft.example.org"
    )]
    Serve(crate::serve::ServeArgs),
    /// Take conversations of any format into the database; a second time changes nothing.
    ///
    /// Prints a line for each conversation: its space, new nodes, known nodes. A space has the id of the conversation in
    /// its file. Where a format names none, the id is made of how the conversation begins, up to the first words of a
    /// human: the same file, also when it has grown, finds its space again, and a conversation that begins alike and goes
    /// on otherwise gets a number behind the id. A space without a name is called by those words.
    #[command(after_help = "weft import conversations.json ~/.codex/sessions/*/*/*/*.jsonl")]
    Import(keep::ImportArgs),
    /// Write whole spaces, with branches, flags, heads, cursors, calls and hashes.
    #[command(after_help = "weft export --all --out backup/\nweft export \"Project Alpha\" --to markdown")]
    Export(keep::ExportArgs),
    /// List the spaces of the database, those with the newest messages first; make one, speak and read in it.
    #[command(args_conflicts_with_subcommands = true)]
    Spaces(keep::SpacesArgs),
    /// List the agents, make one, look at one.
    #[command(args_conflicts_with_subcommands = true)]
    Agents(team::AgentsArgs),
    /// List the runs of agents, watch them, look at one, decide about one, do what is due.
    #[command(args_conflicts_with_subcommands = true)]
    Runs(team::RunsArgs),
    /// List what agents will do later, add to it, take from it.
    #[command(args_conflicts_with_subcommands = true)]
    Plans(team::PlansArgs),
    /// List the programs elsewhere that wake agents by signed webhooks, add one, hand over what one sent.
    #[command(args_conflicts_with_subcommands = true)]
    Services(team::ServicesArgs),
    /// Make a small world to look around in: a team with agents, a chat with branches, a loom. Nothing leaves the machine.
    ///
    /// Without --db it has a file of its own, weft/demo.db in $XDG_DATA_HOME or ~/.local/share. A second time changes
    /// nothing.
    Demo(team::DemoArgs),
    /// Find what was said, newest first, in every script. Exit 1 if nothing is found.
    #[command(after_help = "weft search \"shade trees\" --by Mira --since 2026-02-01")]
    Search(keep::SearchArgs),
    /// Tokens and money of the calls to models.
    Usage(keep::UsageArgs),
    /// Prove that everything said is what it was: names the first broken node. Exit 1 if there is one.
    Verify(keep::VerifyArgs),
    /// Keep keys of providers, sealed in the database: for those that are not in the environment.
    #[command(after_help = "weft key set anthropic <key.txt")]
    Key(crate::key::KeyArgs),
    /// Make, list and revoke tokens with which programs use the server, on its database or through it.
    ///
    /// A server makes and lists the tokens of whoever asks; an owner makes them for others, too.
    #[command(after_help = "weft token new laptop\nweft token new ci --as Scout --scope read,write")]
    Token(crate::token::TokenArgs),
    /// Copy the database into a new file while others write.
    Backup(keep::BackupArgs),
    /// Print the JSON Schema of the conversation file.
    Schema,
    /// Print completions for a shell.
    Completions(CompletionsArgs),
}

/// Arguments of `assemble`.
#[derive(Args, Debug)]
pub(crate) struct AssembleArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// A space of the database instead of a file: its id, or a name that only one has.
    #[arg(long, value_name = "SPACE", conflicts_with_all = ["file", "from", "conversation"])]
    pub(crate) space: Option<String>,
    #[command(flatten)]
    pub(crate) db: keep::DbArgs,
    /// Wire format of the request [default: messages].
    #[arg(long, value_name = "DIALECT", value_parser = choice(Dialect::ALL, Dialect::word))]
    pub(crate) to: Option<Dialect>,
    /// A named set of choices; single choices win over it.
    #[arg(long, value_parser = choice(Preset::ALL, Preset::word))]
    pub(crate) preset: Option<Preset>,
    /// How the path is read [default: the space's].
    #[arg(long, value_parser = choice(Form::ALL, Form::word))]
    pub(crate) form: Option<Form>,
    /// The agent to assemble for: its id, or a name that only one has.
    #[arg(long = "as", value_name = "ENTITY")]
    pub(crate) viewer: Option<String>,
    /// The node to end on [default: the head of the file or space].
    #[arg(long, value_name = "NODE")]
    pub(crate) head: Option<String>,
    /// What the model is asked next.
    #[arg(long = "input", value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "input_node")]
    pub(crate) text: Option<String>,
    /// A stored node as what the model is asked next.
    #[arg(long, value_name = "NODE")]
    pub(crate) input_node: Option<String>,
    /// Uncommitted text after the nodes of a buffer.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) buffer: Option<String>,
    /// A JSON list of tools: {"name","description","inputSchema"}.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// The model, as provider/model or by its bare name [default: the agent's].
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The window in tokens, such as 8192, 8k or 1m [default: the model's].
    #[arg(long, value_name = "N", value_parser = amount)]
    pub(crate) context_length: Option<u64>,
    /// Tokens the reply may have.
    #[arg(long, value_name = "N", value_parser = amount)]
    pub(crate) max_tokens: Option<u64>,
    /// The body of the previous request, to tell what changed for the provider's cache.
    #[arg(long, value_name = "REQUEST")]
    pub(crate) previous: Option<PathBuf>,
    /// The time it is, for timelines [default: the clock's].
    #[arg(long, value_name = "RFC3339", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
    /// Make every repair and every unknown field an error.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show on stderr where the window went and what became of each node.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the report as JSON, each node on its own.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
}

/// Choices of `assemble` that a space or a preset may make too.
#[derive(Args, Debug)]
#[command(next_help_heading = "Policy")]
pub(crate) struct PolicyArgs {
    /// What to do when it does not fit [default: truncateMiddle].
    #[arg(long, value_parser = choice(Strategy::ALL, Strategy::word))]
    pub(crate) strategy: Option<Strategy>,
    /// What dropOldest drops at a time [default: turn].
    #[arg(long, value_parser = choice(Unit::ALL, Unit::word))]
    pub(crate) unit: Option<Unit>,
    /// Newest nodes that truncateMiddle keeps [default: 4].
    #[arg(long, value_name = "N", value_parser = small_amount)]
    pub(crate) min_recent: Option<u32>,
    /// The share of the budget down to which a cut goes [default: 1].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) low_water: Option<Share>,
    /// Look at the newest N messages only; 0 for all [default: 50 in timelines].
    #[arg(long, value_name = "N", value_parser = small_amount)]
    pub(crate) window: Option<u32>,
    /// How tokens are counted [default: auto].
    #[arg(long, value_parser = choice(Counter::ALL, Counter::word))]
    pub(crate) counter: Option<Counter>,
    /// What becomes of reasoning [default: keep].
    #[arg(long, value_parser = choice(ReasoningPolicy::ALL, ReasoningPolicy::word))]
    pub(crate) reasoning: Option<ReasoningPolicy>,
    /// What becomes of nodes that failed [default: exclude].
    #[arg(long, value_parser = choice(Errors::ALL, Errors::word))]
    pub(crate) errors: Option<Errors>,
    /// Send annotations too.
    #[arg(long)]
    pub(crate) annotations: bool,
    /// Which tools and tool parts are sent [default: cached].
    #[arg(long, value_parser = choice(ToolPolicy::ALL, ToolPolicy::word))]
    pub(crate) tool_policy: Option<ToolPolicy>,
    /// Where a summary is put [default: system].
    #[arg(long, value_parser = choice(SummaryPlacement::ALL, SummaryPlacement::word))]
    pub(crate) summary: Option<SummaryPlacement>,
    /// Order of a timeline's sections [default: seed].
    #[arg(long, value_parser = choice(Layout::ALL, Layout::word))]
    pub(crate) layout: Option<Layout>,
    /// Where a timeline's history is put [default: system].
    #[arg(long, value_parser = choice(HistoryPlacement::ALL, HistoryPlacement::word))]
    pub(crate) history: Option<HistoryPlacement>,
    /// Where cache marks go [default: advance].
    #[arg(long, value_parser = choice(Cache::ALL, Cache::word))]
    pub(crate) cache: Option<Cache>,
}

/// Arguments of `convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Format to write.
    #[arg(long, value_name = "FORMAT", value_parser = to())]
    pub(crate) to: ExportFormat,
    /// A folder for a file per conversation, instead of stdout.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Make every unknown field an error.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Arguments of `lint`.
#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// The request body; `-` or nothing for stdin.
    pub(crate) file: Option<PathBuf>,
    /// The API whose rules it must keep.
    #[arg(long = "for", value_name = "DIALECT", value_parser = choice(Dialect::ALL, Dialect::word))]
    pub(crate) dialect: Dialect,
    /// Print the findings as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `count`.
#[derive(Args, Debug)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How tokens are counted.
    #[arg(long, default_value = "auto", value_parser = choice(Counter::ALL, Counter::word))]
    pub(crate) counter: Counter,
    /// The model whose vocabulary or factor `auto` uses.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The node to end on [default: the file's head].
    #[arg(long, value_name = "NODE")]
    pub(crate) head: Option<String>,
    /// Print the counts as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}
