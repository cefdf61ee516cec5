//! Halves of surrogate pairs, which JavaScript writes for text cut inside a character and which are no text.

/// The text of a JSON string, halves of surrogate pairs replaced.
pub(super) fn lossy_string(json: &str) -> Option<String> {
    serde_json::from_str(json).or_else(|_| serde_json::from_str(&mend_surrogates(json))).ok()
}

/// Replaces `\uD800`–`\uDFFF` escapes that stand alone. JavaScript writes them for text cut inside a character.
fn mend_surrogates(json: &str) -> String {
    let unit = |at: usize| {
        let hex = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(hex, 16).ok()
    };
    let (mut out, mut at) = (String::with_capacity(json.len()), 0);
    while let Some(rest) = json.get(at..).filter(|rest| !rest.is_empty()) {
        let step = match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push('\u{FFFD}');
                at += 6;
                continue;
            }
            _ if rest.starts_with('\\') => 2,
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        out.push_str(rest.get(..step).unwrap_or(rest));
        at += step;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        for (json, mended) in [
            (r#""a\ud83d""#, "\"a\u{FFFD}\""),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\ude00é""#, "\"\u{FFFD}é\""),
        ] {
            assert_eq!(mend_surrogates(json), mended);
        }
    }
}
