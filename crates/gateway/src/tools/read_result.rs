//! The built-in that reads a result that was too long to be sent.

use super::shorten::READ;
use super::{Answer, BuiltIn, Pending};
use serde_json::{Map, Value, json};
use weftwork::model::{Json, Tool, ToolCall};

/// Bytes read at once, at most: the answer must not itself be shortened.
const MOST: u64 = 16 << 10;

/// Where whole results are kept. Made for one conversation: a model names any id it likes.
pub trait Wholes: Send + Sync {
    /// At most `limit` bytes from `offset` on of the whole result of the call `id`; none if none is kept.
    fn read(&self, id: &str, offset: u64, limit: u64) -> Option<Piece>;
}

/// A piece of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes; they may begin or end inside a character.
    pub bytes: Vec<u8>,
    /// Bytes of the whole.
    pub total: u64,
}

/// `read_result`.
pub struct ReadResult<W>(pub W);

impl<W: Wholes> BuiltIn for ReadResult<W> {
    fn tool(&self) -> Tool {
        let number = |description: &str, from: u64| json!({"type": "integer", "minimum": from, "description": description});
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The id of the call, as the shortened result names it."},
                "offset": number("The first byte to read. Default 0.", 0),
                "limit": number("How many bytes to read, at most 16384. Default 16384.", 1),
            },
            "required": ["id"],
            "additionalProperties": false,
        });
        let description = "Reads a part of a tool result that was too long to be shown whole.".to_owned();
        Tool { name: READ.to_owned(), description, input_schema: Json::of(&schema) }
    }

    fn call<'a>(&'a self, _: &'a ToolCall, arguments: Map<String, Value>) -> Pending<'a, Answer> {
        Box::pin(async move {
            let id = arguments.get("id").and_then(Value::as_str).unwrap_or_default();
            let number = |name: &str, default| arguments.get(name).and_then(Value::as_u64).unwrap_or(default);
            let (offset, limit) = (number("offset", 0), number("limit", MOST).min(MOST));
            match self.0.read(id, offset, limit) {
                None => Answer::error(format!("No long result of a call {id:?} is kept.")),
                Some(piece) if offset >= piece.total => {
                    Answer::error(format!("The result ends before byte {offset}: it has {} bytes.", piece.total))
                }
                Some(piece) => Answer::text(told(&piece, offset)),
            }
        })
    }
}

fn told(piece: &Piece, offset: u64) -> String {
    let (skipped, text) = whole_characters(&piece.bytes);
    let start = offset + skipped as u64;
    let end = start + text.len() as u64;
    format!("[bytes {start} to {end} of {}]\n{text}", piece.total)
}

/// The characters that lie whole in the bytes, and how many bytes came before them.
fn whole_characters(bytes: &[u8]) -> (usize, String) {
    let skipped = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let bytes = &bytes[skipped..];
    let end = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => bytes.len(),
    };
    (skipped, String::from_utf8_lossy(&bytes[..end]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str);

    impl Wholes for One {
        fn read(&self, id: &str, offset: u64, limit: u64) -> Option<Piece> {
            let bytes = self.0.bytes().skip(offset as usize).take(limit as usize).collect();
            (id == "c").then_some(Piece { bytes, total: self.0.len() as u64 })
        }
    }

    #[tokio::test]
    async fn pieces_are_read_at_characters() {
        for (arguments, answer) in [
            (json!({"id": "c"}), Answer::text("[bytes 0 to 8 of 8]\naäb😀")),
            (json!({"id": "c", "offset": 1, "limit": 2}), Answer::text("[bytes 1 to 3 of 8]\nä")),
            (json!({"id": "c", "offset": 2, "limit": 3}), Answer::text("[bytes 3 to 4 of 8]\nb")),
            (json!({"id": "c", "offset": 8}), Answer::error("The result ends before byte 8: it has 8 bytes.")),
            (json!({"id": "d"}), Answer::error("No long result of a call \"d\" is kept.")),
        ] {
            let Value::Object(map) = arguments.clone() else { unreachable!("an object") };
            let Part::ToolCall(call) = Part::call("x", READ, Json::empty_object()) else { unreachable!("a call") };
            assert_eq!(ReadResult(One("aäb😀")).call(&call, map).await, answer, "{arguments}");
        }
    }

    use weftwork::model::Part;
}
