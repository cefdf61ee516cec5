//! `weft convert`: a conversation in another file format, and what was lost on the way.

use crate::cli::ConvertArgs;
use crate::exit::Outcome;
use crate::input::{self, choose};
use crate::number::many;
use crate::output;
use crate::preview::message;
use anyhow::{Context, Result};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use weftwork::History;
use weftwork::ask::Check;
use weftwork::formats::{ExportFormat, LossReport, export, export_all};
use weftwork::model::Conversation;

/// Converts and prints.
pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome> {
    let loaded = input::load(&args.input, if args.strict { Check::Strict } else { Check::Repair })?;
    let source = loaded.source;
    let (format, loss) = (loaded.import.format, loaded.import.loss);
    let conversations = match &args.input.conversation {
        Some(which) => vec![choose(loaded.import.conversations, Some(which)).with_context(|| source.to_string())?],
        None => loaded.import.conversations,
    };
    for conversation in &conversations {
        // The nodes must hold together, but stay in the order of the file: without a head the last one is it.
        History::new(conversation.clone()).with_context(|| source.to_string())?;
    }
    tell(&format!("from {format}"), &loss);
    match &args.out {
        Some(folder) => into_folder(folder, &conversations, args.to)?,
        None => {
            let (bytes, loss) = export_all(&conversations, args.to);
            tell(&format!("to {}", args.to), &loss);
            output::data(&bytes)?;
            if !bytes.ends_with(b"\n") {
                output::data(b"\n")?;
            }
        }
    }
    Ok(Outcome::Ok)
}

/// Says what was lost.
pub(crate) fn tell(heading: &str, loss: &LossReport) {
    output::say(&message(&format!("{heading}\n{loss}")));
}

/// Writes a file for each conversation, and never over another.
fn into_folder(folder: &Path, conversations: &[Conversation], format: ExportFormat) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let digits = conversations.len().to_string().len();
    for (at, conversation) in conversations.iter().enumerate() {
        let name = format!("{:0digits$}-{}{}", at + 1, slug(conversation), ending(format));
        let path = folder.join(name);
        let (bytes, loss) = export(conversation, format);
        tell(&format!("to {}", path.display()), &loss);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(&bytes));
        written.with_context(|| format!("{}: choose a folder without it", path.display()))?;
    }
    output::say(&format!("{} written to {}\n", many(conversations.len() as u64, "file"), folder.display()));
    Ok(())
}

/// How files of a format end.
pub(crate) fn ending(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Weft => ".weft.json",
        ExportFormat::WeftJsonl => ".weft.jsonl",
        ExportFormat::OpenAiJsonl => ".jsonl",
        ExportFormat::Markdown => ".md",
    }
}

/// The conversation's name with nothing in it that a file system minds.
pub(crate) fn slug(conversation: &Conversation) -> String {
    const LONGEST: usize = 60;
    let name = if conversation.space.name.is_empty() { conversation.space.id.as_str() } else { &conversation.space.name };
    let words = name.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug: String = words.collect::<Vec<_>>().join("-").to_lowercase().chars().take(LONGEST).collect();
    if slug.is_empty() { "conversation".to_owned() } else { slug }
}
