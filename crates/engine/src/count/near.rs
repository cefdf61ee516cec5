//! Counting a text of which nearly all was counted before, without a part of it.
//!
//! A piece never goes from a line break into a letter, in either vocabulary: letters take no line break before them, and what
//! ends in line breaks takes no letter after them. So a text may be cut there, and its parts count what the whole counts.

/// The nearest places before and after `at` where a text may be cut, whatever is put in there.
pub(super) fn around(text: &[u8], at: usize) -> (usize, usize) {
    let from = (1..at).rev().find(|&from| is_cut(text, from)).unwrap_or(0);
    // The line break before the cut must not be that of what is put in.
    let to = (at + 1..text.len()).find(|&to| is_cut(text, to)).unwrap_or(text.len());
    (from, to)
}

fn is_cut(text: &[u8], at: usize) -> bool {
    text[at - 1] == b'\n' && text[at].is_ascii_alphabetic()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Base, Recall};

    const LINES: [&str; 16] = [
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

    /// Texts in which line breaks stand before and after all kinds of things.
    pub(in super::super) fn texts() -> impl Iterator<Item = String> {
        (0..400_u32).map(|at| (0..5).map(|place| LINES[((at * 31 + place * 17 + at * place * 7) % 16) as usize]).collect())
    }

    #[test]
    fn what_was_counted_before_is_not_counted_otherwise() {
        for (base, remembered) in Base::ALL.into_iter().flat_map(|base| [(base, Recall::default()), (base, Recall::new())]) {
            for (at, known) in texts().enumerate() {
                let (raw, places) = (base.text(&known), (0..=known.len()).filter(|&place| known.is_char_boundary(place)));
                for (place, more) in places.zip(LINES.iter().cycle().skip(at)).step_by(3) {
                    let whole = [&known[..place], more, &known[place..]].concat();
                    let counted = remembered.with(base, &known, raw, place, more);
                    assert_eq!(counted, base.text(&whole), "{base:?}: {more:?} in {known:?}");
                }
            }
        }
    }
}
