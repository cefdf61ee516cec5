//! Long results: the beginning and the end are sent, the whole is kept and can be read.

use std::ops::Range;

/// The name of the built-in that reads a kept result.
pub(super) const READ: &str = "read_result";

/// A text that was too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// Its beginning and end, with a line between that says how to read the rest; no longer than the limit.
    pub text: String,
    /// Which bytes were left out.
    pub left_out: Range<usize>,
}

/// Room for the line between.
const BETWEEN: usize = 400;

/// Takes a text longer than `limit` bytes apart. `id` is the call whose result it is.
pub fn shorten(id: &str, text: &str, limit: usize) -> Option<Shortened> {
    if text.len() <= limit {
        return None;
    }
    let room = limit.saturating_sub(BETWEEN);
    let head = end_of_line_before(text, text.floor_char_boundary(room * 2 / 3));
    let tail = start_of_line_after(text, text.ceil_char_boundary(text.len() - room / 3));
    let between = between(id, &(head..tail), text.len());
    Some(Shortened { text: format!("{}{between}{}", &text[..head], &text[tail..]), left_out: head..tail })
}

fn between(id: &str, left_out: &Range<usize>, total: usize) -> String {
    let arguments = serde_json::json!({"id": id, "offset": left_out.start, "limit": left_out.len().min(16 << 10)}).to_string();
    let how = if arguments.len() > BETWEEN / 2 { format!("with {READ}") } else { format!("with {READ} {arguments}") };
    format!("\n[… {} of {total} bytes left out here; read them {how} …]\n", left_out.len())
}

/// The end of the last line that ends in the last quarter before `at`, or `at`.
fn end_of_line_before(text: &str, at: usize) -> usize {
    let earliest = at - at / 4;
    text[..at].rfind('\n').map(|newline| newline + 1).filter(|end| *end >= earliest).unwrap_or(at)
}

/// The start of the first line that starts in the first quarter after `at`, or `at`.
fn start_of_line_after(text: &str, at: usize) -> usize {
    let latest = at + (text.len() - at) / 4;
    text[at..].find('\n').map(|newline| at + newline + 1).filter(|start| *start <= latest).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_left_alone() {
        assert_eq!(shorten("c", &"x".repeat(2000), 2000), None);
        assert_eq!(shorten("c", "", 0), None);
    }

    #[test]
    fn head_and_tail_stay_and_the_line_between_says_how_to_read_the_rest() {
        let text: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        let short = shorten("call_1", &text, 2000).unwrap();
        let (head, tail) = (&text[..short.left_out.start], &text[short.left_out.end..]);
        assert!(head.ends_with('\n') && tail.starts_with("line "), "whole lines: {head:?} {tail:?}");
        let between = format!(
            "\n[… {} of 8890 bytes left out here; read them with read_result {{\"id\":\"call_1\",\"offset\":{},\"limit\":{}}} …]\n",
            short.left_out.len(),
            head.len(),
            short.left_out.len()
        );
        assert_eq!(short.text, format!("{head}{between}{tail}"));
    }

    #[test]
    fn no_character_is_cut_and_nothing_grows_past_the_limit() {
        let texts =
            ["ä".repeat(5000), "😀".repeat(3000), "x".repeat(9000), "\n".repeat(9000), format!("a{}", "é\n".repeat(4000))];
        for text in texts {
            for limit in [450, 1000, 1001, 1002, 1003, 4096] {
                let short = shorten(&"i".repeat(300), &text, limit).unwrap();
                assert!(short.text.len() <= limit, "{} > {limit}", short.text.len());
                assert!(short.text.starts_with(&text[..short.left_out.start]));
                assert!(short.text.ends_with(&text[short.left_out.end..]));
            }
        }
    }
}
