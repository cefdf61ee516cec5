//! Counting a text of which nearly all was counted before, in another text.
//!
//! A piece never goes from a line break into a letter, in either vocabulary: letters take no line break before them, and what
//! ends in line breaks takes no letter after them. So a text may be cut there, and its parts count what the whole counts.

use super::Base;

impl Base {
    /// Raw tokens of a text, given those of another: only where the two differ is counted again.
    pub(crate) fn near(self, known: &str, raw: u64, text: &str) -> u64 {
        match self {
            Base::O200k | Base::Cl100k => {
                let (front, back) = shared(known.as_bytes(), text.as_bytes());
                let differing = |text: &str| self.text(&text[front..text.len() - back]);
                raw - differing(known) + differing(text)
            }
            Base::Chars4 | Base::Tokenx => self.text(text),
        }
    }
}

/// How many bytes two texts have in common at their beginning and at their end, up to where both may be cut.
fn shared(a: &[u8], b: &[u8]) -> (usize, usize) {
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let front = (1..front).rev().find(|&at| is_cut(a, at)).unwrap_or(0);
    let (a_rest, b_rest) = (&a[front..], &b[front..]);
    let back = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    // The line break before the cut is shared, too.
    let back = (1..back).rev().find(|&length| is_cut(a_rest, a_rest.len() - length)).unwrap_or(0);
    (front, back)
}

fn is_cut(text: &[u8], at: usize) -> bool {
    text[at - 1] == b'\n' && text[at].is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_before_is_not_counted_otherwise() {
        let lines = [
            "IDENTITY:\n  name: \"Zoë\"\n\n",
            "SPACES:\n  - a (b)\n\n",
            "/path)\n/\n",
            "\n\n\n",
            "don't\n",
            "'s\n",
            "  \n \t\n",
            "Ünï \u{301}x\n",
            "x",
            "123456\r\n",
            "a\u{a0}\n",
            "(—)\n\n\n",
            "B",
            "日本\n",
            "\u{2028}Q\n",
            ")\n",
        ];
        let texts: Vec<String> = (0..400_u32)
            .map(|at| (0..5).map(|place| lines[((at * 31 + place * 17 + at * place * 7) % 16) as usize]).collect())
            .collect();
        for base in Base::ALL {
            for (at, known) in texts.iter().enumerate() {
                for text in texts.iter().skip(at).step_by(37).chain([known]) {
                    let near = base.near(known, base.text(known), text);
                    assert_eq!(near, base.text(text), "{base:?}: {known:?} and {text:?}");
                }
            }
        }
    }
}
