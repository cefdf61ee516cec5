//! Model names: the version inside a name, for the rules that newer models added or dropped.
//!
//! A body that does not name its model gives no version, and a rule that needs one says so or stays silent.

/// Major and minor version of a model.
pub(crate) type Version = (u32, u32);

/// From this Claude version on, `system` is a role inside the messages.
pub(super) const CLAUDE_SYSTEM_ROLE: Version = (4, 8);
/// From this Claude version on, a final assistant message is refused.
pub(crate) const CLAUDE_NO_PREFILL: Version = (4, 6);
/// From this Gemini version on, function calls of the current turn must be signed.
pub(super) const GEMINI_SIGNED_CALLS: Version = (3, 0);

/// The version in `model`, read after the name of its `family`: `claude-opus-4-8` is 4.8, `claude-opus-4-20250514` 4.0.
pub(crate) fn version(model: &str, family: &str) -> Option<Version> {
    let model = model.to_ascii_lowercase();
    let rest = &model[model.find(family)? + family.len()..];
    let mut words = rest.split(|c: char| !c.is_ascii_alphanumeric());
    let major = words.find_map(short_number)?;
    let minor = words.next().and_then(short_number).unwrap_or(0);
    Some((major, minor))
}

/// A word of one or two digits; longer ones are dates.
fn short_number(word: &str) -> Option<u32> {
    if word.len() > 2 {
        return None;
    }
    word.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_read_from_names() {
        let cases = [
            ("claude-opus-4-8", "claude", Some((4, 8))),
            ("claude-opus-4-20250514", "claude", Some((4, 0))),
            ("claude-3-5-sonnet-20241022", "claude", Some((3, 5))),
            ("us.anthropic.claude-opus-4-6-v1", "claude", Some((4, 6))),
            ("anthropic/claude-opus-4.8", "claude", Some((4, 8))),
            ("claude-fable-5", "claude", Some((5, 0))),
            ("models/gemini-3-pro-preview", "gemini", Some((3, 0))),
            ("gemini-2.5-flash", "gemini", Some((2, 5))),
            ("gemini-pro", "gemini", None),
            ("llama3", "claude", None),
        ];
        for (model, family, expected) in cases {
            assert_eq!(version(model, family), expected, "{model}");
        }
    }
}
