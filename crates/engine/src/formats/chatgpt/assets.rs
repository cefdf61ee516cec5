//! Pictures and files of a ChatGPT export, found in the archive by their id.

use super::super::archive::MAX_ATTACHMENT;
use super::super::item::Item;
use super::super::source::Source;
use super::super::{ImportError, media};
use crate::model::Part;
use std::collections::HashMap;

/// The files of the archive by the id that their names begin with: `file-AbC123-curve.png`, `file_00001-sanitized.png`.
pub(super) struct Assets<'a> {
    source: &'a Source<'a>,
    names: HashMap<&'a str, &'a str>,
}

impl<'a> Assets<'a> {
    pub(super) fn of(source: &'a Source<'a>) -> Self {
        let base = |name: &'a str| name.rsplit('/').next().unwrap_or(name);
        let names = source.files.names().iter().filter_map(|name| Some((file_id(base(name))?, name.as_str()))).collect();
        Assets { source, names }
    }

    /// The file that a pointer like `file-service://file-AbC123` or `sediment://file_00001` stands for.
    pub(super) fn pointer(&self, pointer: &str, item: &Item<'_>) -> Option<Part> {
        let id = file_id(pointer.rsplit("://").next().unwrap_or(pointer)).unwrap_or(pointer);
        let part = self.file(id, None, None);
        if part.is_none() {
            item.dropped("asset_pointer", "the export does not hold the file");
        }
        part
    }

    /// An attached file, unless the content shows it already.
    pub(super) fn attachment(&self, item: &Item<'_>, shown: &[String]) -> Result<Option<Part>, ImportError> {
        let Some(mut fields) = item.fields_or_drop("attachment") else { return Ok(None) };
        let id = fields.filled("id", "file in the archive").unwrap_or_default();
        let name = fields.string("name", "name of the file");
        let media_type = fields.any_string(&["mime_type", "mimeType"], "mediaType");
        let of = fields.of().clone();
        fields.dropped_all(
            &["size", "width", "height", "file_token_size", "fileTokenSize", "source", "library_file_id"],
            "known from the file",
        );
        fields.end()?;
        let id = file_id(&id).unwrap_or(&id);
        if shown.iter().any(|shown| file_id(shown) == Some(id)) {
            of.mapped("attachment shown in the text", "the image part");
            return Ok(None);
        }
        let part = self.file(id, name.as_deref(), media_type.as_deref());
        if part.is_none() {
            of.dropped("attachment", "the export does not hold the file");
        }
        Ok(part)
    }

    fn file(&self, id: &str, name: Option<&str>, media_type: Option<&str>) -> Option<Part> {
        let entry = self.names.get(id)?;
        let bytes = self.source.files.read(entry, MAX_ATTACHMENT).ok()?;
        let entry_name = entry.rsplit('/').next().unwrap_or(entry);
        Some(media::from_bytes(name.unwrap_or(entry_name), media_type.or_else(|| media::type_of(entry_name)), &bytes))
    }
}

/// `file-` or `file_` and the letters and digits after it.
fn file_id(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("file-").or_else(|| text.strip_prefix("file_"))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    (end > 0).then(|| text.get(..5 + end)).flatten()
}
