//! Names that an API accepts: call ids, tool names and arguments, mapped the same way every time.

use super::brief::Brief;
use super::repair::Said;
use crate::dialect::Dialect;
use crate::model::Json;
use crate::prompt::Piece;
use crate::report::{Repair, RepairKind};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

/// The longest id that every API with a limit takes.
const LONGEST: usize = 64;
/// Hex digits of the hash that keeps mapped names apart.
const HASH_DIGITS: usize = 12;

/// Gives every call of a request an id that the API accepts and no other call has; the same one where possible.
///
/// Works on what is sent, so that a call is not renamed after one that was cut. Results follow their calls directly and
/// in call order.
pub(crate) fn name_calls<'h>(said: &mut [Said<'h>], brief: &Brief<'h>, repeats: bool) -> Vec<(u32, Repair)> {
    if !repeats && said.iter().all(|said| accepts_ids(said, brief.dialect)) {
        return Vec::new();
    }
    let mut given: HashSet<Cow<'h, str>> = HashSet::new();
    let mut repairs = Vec::new();
    let mut open = VecDeque::new();
    for Said { message, nodes } in said {
        let node = nodes.first().copied();
        for piece in &mut message.pieces {
            match piece {
                Piece::Call(call) if call.native.is_none() => {
                    let (id, repair) = call_id(&call.id, &mut given, brief.dialect);
                    repairs.extend(node.zip(repair).map(|(node, (kind, detail))| {
                        (node, Repair { node: Some(brief.history.at(node).id.clone()), kind, detail })
                    }));
                    call.id = id;
                    open.push_back(call.id.clone());
                }
                // A provider's own block keeps its id: it is written inside it.
                Piece::Call(call) => {
                    given.insert(call.id.clone());
                }
                Piece::Result(result) if result.native.is_none() => {
                    if let Some(id) = open.pop_front() {
                        result.id = id;
                    }
                }
                Piece::Text(_) | Piece::Reasoning(_) | Piece::Result(_) | Piece::Image(_) | Piece::File(_) => {}
            }
        }
    }
    repairs
}

fn accepts_ids(said: &Said<'_>, dialect: Dialect) -> bool {
    said.message.pieces.iter().all(|piece| !matches!(piece, Piece::Call(call) if !dialect.accepts_call_id(&call.id)))
}

fn call_id<'h>(
    id: &Cow<'h, str>,
    given: &mut HashSet<Cow<'h, str>>,
    dialect: Dialect,
) -> (Cow<'h, str>, Option<(RepairKind, String)>) {
    let mut candidate = if dialect.accepts_call_id(id) { id.clone() } else { Cow::Owned(safe(id, "call")) };
    let mut again = 2;
    while !given.insert(candidate.clone()) {
        candidate = Cow::Owned(safe(&format!("{id} {again}"), "call"));
        again += 1;
    }
    let repair = if again > 2 {
        Some((RepairKind::DuplicateCall, format!("call id {id:?} was used before: now {candidate:?}")))
    } else if candidate != *id {
        Some((RepairKind::MappedId, format!("{dialect} refuses call id {id:?}: now {candidate:?}")))
    } else {
        None
    };
    (candidate, repair)
}

/// A tool name that the API accepts, if it does not accept this one.
pub(crate) fn tool_name(name: &str, dialect: Dialect) -> Option<String> {
    (!dialect.accepts_tool_name(name)).then(|| safe(name, "tool"))
}

/// A name of letters, digits, `_` and `-` that tells its origin apart from every other.
pub(crate) fn safe(name: &str, empty: &str) -> String {
    let hash: String = Sha256::digest(name.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let room = LONGEST - HASH_DIGITS - 1;
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(room).collect();
    let plain = if plain.is_empty() { empty } else { &plain };
    format!("{plain}_{}", &hash[..HASH_DIGITS])
}

/// Arguments as a JSON object, if they are none.
pub(crate) fn valid_args(args: &str) -> Option<String> {
    if args.starts_with('{') {
        return None;
    }
    let text = Json::parse(args).ok().and_then(|json| json.as_string());
    let whole = text.as_ref().filter(|text| text.trim_start().starts_with('{') && Json::parse(text.trim().to_owned()).is_ok());
    Some(match (whole, text.as_ref()) {
        (Some(whole), _) => whole.trim().to_owned(),
        (None, Some(text)) if text.trim().is_empty() => "{}".to_owned(),
        (None, _) if args == "null" => "{}".to_owned(),
        (None, Some(text)) => json!({ "unparsedArguments": text }).to_string(),
        (None, None) => json!({ "unparsedArguments": args }).to_string(),
    })
}
