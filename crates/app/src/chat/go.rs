//! From chat to chat, and out into files.

use super::command::With;
use super::line::{Got, Lines};
use super::screen::Screen;
use super::session::{Place, Session};
use crate::keep;
use crate::preview::plain;
use crate::style::Ink;
use crate::table::{Align, Table};
use anyhow::{Context, Result, anyhow, bail};
use std::io::Write;
use std::process::Command;
use weftwork::formats::ExportFormat;
use weftwork_gateway::{Chat, Open};
use weftwork_store::Listed;

/// Chats that a list names.
const LISTED: usize = 20;

impl Session {
    /// Goes to another chat, or lists them.
    pub(super) fn open(&mut self, wanted: Option<&str>) -> Result<()> {
        let Some(wanted) = wanted else { return self.chats() };
        let space = keep::find_space(self.gateway.store(), wanted)?;
        let chat = self.wait(Chat::open(&self.gateway, Open { space: Some(space), ..Open::default() }))?;
        self.enter(Place::In(chat));
        self.greet()
    }

    pub(super) fn begin_new(&mut self) -> Result<()> {
        let open = Open { model: Some(self.model_name()?), ..Open::default() };
        self.enter(Place::New(open));
        self.greet()
    }

    fn enter(&mut self, place: Place) {
        self.place = place;
        self.afresh = false;
        self.shown.clear();
        self.lines.know(&[]);
    }

    fn chats(&mut self) -> Result<()> {
        list(self.screen, &self.gateway.store().spaces()?)
    }

    /// Writes the chat into a file, or shows it.
    pub(super) fn export(&mut self, format: ExportFormat, file: Option<&str>) -> Result<()> {
        let Place::In(chat) = &self.place else { bail!("nothing was said yet") };
        keep::export_one(&chat.gateway().store().export(chat.space())?, format, file.map(std::path::Path::new))
    }
}

/// The newest chats.
pub(super) fn list(screen: Screen, spaces: &[Listed]) -> Result<()> {
    if spaces.is_empty() {
        return screen.note("there are no chats yet");
    }
    let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Left]);
    for space in spaces.iter().take(LISTED) {
        table.row(Ink::Plain, [plain(space.id.as_str()), crate::number::many(space.nodes, "node"), plain(&space.name)]);
    }
    let mut text = table.show(screen.style());
    if spaces.len() > LISTED {
        text += &format!("  … and {} more: weft spaces lists all\n", spaces.len() - LISTED);
    }
    screen.data(&text)
}

/// A text after somebody changed it; none if they did not.
pub(super) fn edited(lines: &mut Lines, old: &str, with: With) -> Result<Option<String>> {
    let new = match with {
        With::Line => match lines.next(old)? {
            Got::Line(new) => new,
            Got::GivenUp | Got::End => return Ok(None),
        },
        With::Editor => in_editor(old)?,
    };
    let new = new.trim_end().to_owned();
    Ok((!new.trim().is_empty() && new != old.trim_end()).then_some(new))
}

/// Gives the text to the program in VISUAL or EDITOR, in a file that nobody else can read.
fn in_editor(old: &str) -> Result<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|program| !program.trim().is_empty());
    let program = set("VISUAL").or_else(|| set("EDITOR")).ok_or_else(|| anyhow!("neither VISUAL nor EDITOR is set"))?;
    let mut file = tempfile::Builder::new().prefix("weft-").suffix(".md").tempfile().context("a file to edit in")?;
    file.write_all(old.as_bytes()).and_then(|()| file.flush()).context("the file to edit in")?;
    // The variable may hold arguments, so a shell reads it.
    let status = Command::new("sh").arg("-c").arg(format!("{program} \"$1\"")).arg("sh").arg(file.path()).status();
    if !status.with_context(|| program.clone())?.success() {
        bail!("{program} did not end well: nothing was changed");
    }
    std::fs::read_to_string(file.path()).context("the file that was edited")
}
