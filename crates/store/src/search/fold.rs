//! Letters as they are compared: without case, accents and the difference between forms of one letter.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What a character does to the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter or digit of a script that puts something between words.
    Word,
    /// A letter of a script that does not: any two neighbours may be a word.
    Dense,
    /// A picture: a word of its own.
    Sign,
    /// Belongs to what is before it.
    Within,
    /// Ends a word.
    Gap,
}

impl Class {
    pub(super) fn of(c: char) -> Class {
        match c {
            _ if c.is_ascii() => {
                if c.is_ascii_alphanumeric() {
                    Class::Word
                } else {
                    Class::Gap
                }
            }
            _ if is_within(c) => Class::Within,
            _ if is_sign(c) => Class::Sign,
            _ if !c.is_alphanumeric() => Class::Gap,
            _ if is_dense(c) => Class::Dense,
            _ => Class::Word,
        }
    }
}

/// Marks, joiners, the vowels and ends of Korean letters written one by one, half-width voicing marks, skin tones.
fn is_within(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{640}' | '\u{1160}'..='\u{11ff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{ff9e}' | '\u{ff9f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
        || is_combining_mark(c)
}

fn is_sign(c: char) -> bool {
    matches!(c, '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1f0ff}'
        | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1faff}')
}

/// Thai, Lao, Burmese, Khmer, Korean, kana, bopomofo and Han.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{318f}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}' | '\u{20000}'..='\u{3ffff}')
}

/// Marks that readers leave out: accents, and the vowel points of Hebrew and Arabic. Vowels of Indian scripts are not.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6ed}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// Puts the folded form of a word behind `out`: nothing but letters, digits, pictures and marks that matter.
pub(super) fn fold(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.extend(word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Taken apart to lose its accents, then put together: Korean and Japanese letters are one again.
    for c in word.nfkd().filter(|&c| !is_accent(c)).nfc() {
        for low in c.to_lowercase().filter(|&c| !is_accent(c)) {
            match low {
                'ß' => out.push_str("ss"),
                'æ' => out.push_str("ae"),
                'œ' => out.push_str("oe"),
                'ς' => out.push('σ'),
                'ø' => out.push('o'),
                'ł' => out.push('l'),
                'đ' => out.push('d'),
                'ı' => out.push('i'),
                _ if is_kept(low) => out.push(low),
                _ => {}
            }
        }
    }
}

/// Variation selectors, joiners and tones make no difference; neither do signs that a form is taken apart into.
fn is_kept(c: char) -> bool {
    match Class::of(c) {
        Class::Word | Class::Dense | Class::Sign => true,
        Class::Within => {
            is_combining_mark(c) && !('\u{fe00}'..='\u{fe0f}').contains(&c) || ('\u{1160}'..='\u{11ff}').contains(&c)
        }
        Class::Gap => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut out = String::new();
        fold(word, &mut out);
        out
    }

    #[test]
    fn one_letter_has_one_form() {
        for (word, expected) in [
            ("Hello", "hello"),
            ("Nguyễn", "nguyen"),
            ("GARCÍA", "garcia"),
            ("Straße", "strasse"),
            ("ﬁne", "fine"),
            ("Ａ１", "a1"),
            ("Ὀδυσσεύς", "οδυσσευσ"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
            ("Ёлка", "елка"),
            ("İstanbul", "istanbul"),
            ("كِتَاب", "كتاب"),
            ("שָׁלוֹם", "שלום"),
            ("हिन्दी", "हिन्दी"),
            ("ガ", "ガ"),
            ("ｶﾞ", "ガ"),
            ("か\u{3099}", "が"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("👍🏽", "👍"),
            ("❤\u{fe0f}", "❤"),
            ("㏂", "am"),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }
}
