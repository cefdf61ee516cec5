//! Under which id a conversation is kept, and as whom its authors are known: so that the same file, or a longer one,
//! finds what was taken in before.

use super::address::now;
use crate::preview::plain;
use anyhow::Result;
use weftwork::formats::Format;
use weftwork::model::{Conversation, EntityKind, Node, Part, SpaceId};
use weftwork::provenance::{Hash, hash};
use weftwork_store::{Imported, Names, Store, StoreError};

/// Digits of an id that is made.
const DIGITS: usize = 12;
/// Characters of a name that is made.
const NAME: usize = 60;

/// Which id a conversation gets.
#[derive(Clone, Copy)]
pub(super) enum Id<'a> {
    /// Its own, or one that is made of it.
    Own,
    /// One that somebody chose.
    Given(&'a str),
}

/// Takes in a conversation, and says under which id.
pub(super) fn enter(
    store: &Store,
    file: Conversation,
    format: Format,
    id: Id<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<(SpaceId, Imported)> {
    let names = if format == Format::Weft { Names::Ours } else { Names::Foreign };
    let (id, is_made) = match id {
        Id::Given(id) => (id.to_owned(), false),
        Id::Own if !is_nameless(&file, format) => (file.space.id.to_string(), false),
        Id::Own => (made_id(&file, format), true),
    };
    for number in 1u32.. {
        // Another conversation may begin just the same: it gets a number of its own.
        let mut next = file.clone();
        next.space.id = if number == 1 { id.as_str().into() } else { format!("{id}-{number}").into() };
        if names == Names::Foreign {
            recall(store, &mut next)?;
        }
        match store.import(&next, names, now(), progress) {
            Err(StoreError::Differs { .. }) if is_made => {}
            result => return Ok((next.space.id, result?)),
        }
    }
    Ok((file.space.id, Imported::default()))
}

/// Whether a file of another program names no conversation.
fn is_nameless(file: &Conversation, format: Format) -> bool {
    format != Format::Weft && is_placeholder(&file.space.id)
}

/// The id that a file gives its conversation, or one made of how that begins.
pub(crate) fn own_id(file: &Conversation, format: Format) -> String {
    if is_nameless(file, format) { made_id(file, format) } else { file.space.id.to_string() }
}

/// What importers write where a file names no conversation.
fn is_placeholder(id: &SpaceId) -> bool {
    let number = id.as_str().strip_prefix("imported-").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    number || id.as_str() == "imported"
}

/// An id made of how the conversation begins, up to the first word of a human: that stays when it grows.
fn made_id(file: &Conversation, format: Format) -> String {
    let first = file.nodes.iter().position(|node| is_human(file, node)).unwrap_or(0);
    let begin = |above: Option<Hash>, node: &Node| Some(hash(node, above.as_slice()));
    let found = file.nodes.iter().take(first + 1).fold(None, begin);
    let text = found.map(|hash: Hash| hash.to_string()).unwrap_or_default();
    let digits = text.strip_prefix("sha256:").unwrap_or(&text);
    format!("{format}-{}", digits.get(..DIGITS).unwrap_or("empty"))
}

fn is_human(file: &Conversation, node: &Node) -> bool {
    file.entities.iter().any(|entity| entity.id == node.author && entity.kind == EntityKind::Human)
}

/// Calls a conversation of another program by the first words of a human, if it has no name.
pub(crate) fn name(file: &mut Conversation, format: Format) {
    if format != Format::Weft && file.space.name.is_empty() {
        file.space.name = made_name(file);
    }
}

fn made_name(file: &Conversation) -> String {
    let said = file.nodes.iter().filter(|node| is_human(file, node)).flat_map(|node| &node.parts);
    let text = said.filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    // Tools put what they know of the machine before it, in tags.
    let first =
        text.flat_map(str::lines).map(str::trim).find(|line| !line.is_empty() && !line.starts_with('<')).unwrap_or_default();
    plain(first).chars().take(NAME).collect()
}

/// Whoever spoke in the space before is who they were: a model or a prompt that changed since makes nobody another.
fn recall(store: &Store, file: &mut Conversation) -> Result<()> {
    let known = match store.header(&file.space.id) {
        Ok(header) => header.entities,
        Err(StoreError::NoSpace { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for entity in &mut file.entities {
        let own = format!("{}@{}", entity.id, file.space.id);
        let before = known.iter().find(|known| known.id.as_str() == own);
        if let Some(before) = before.or_else(|| known.iter().find(|known| known.id == entity.id)) {
            *entity = weftwork::model::Entity { id: entity.id.clone(), ..before.clone() };
        }
    }
    Ok(())
}
