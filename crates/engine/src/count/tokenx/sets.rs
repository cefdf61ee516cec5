//! The character sets of tokenx, as its JavaScript expressions see them.
//!
//! Its classes ignore case by the rules of JavaScript without the `u` flag: two characters are the same if their upper
//! case is, as long as that is one UTF-16 unit. What comes in that way (the micro sign in Greek, old Cyrillic letters) is
//! spelled out.

/// How tokenx cuts a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Space,
    Punctuation,
    CjkPunctuation,
    Text,
}

/// JavaScript's `\s` has the byte order mark and lacks U+0085. ASCII punctuation lacks the apostrophe.
pub(super) fn kind(char: char) -> Kind {
    match char {
        '\t'..='\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' => Kind::Space,
        '\u{205F}' | '\u{3000}' | '\u{FEFF}' => Kind::Space,
        '\'' => Kind::Text,
        '!'..='/' | ':'..='@' | '['..='`' | '{'..='~' => Kind::Punctuation,
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}' | '\u{3030}' | '\u{30FB}' => {
            Kind::CjkPunctuation
        }
        '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' => {
            Kind::CjkPunctuation
        }
        _ => Kind::Text,
    }
}

/// Chinese, Japanese, Korean, and their punctuation.
pub(super) fn cjk(char: char) -> bool {
    matches!(
        char,
        '\u{1100}'..='\u{11FF}'
            | '\u{2E80}'..='\u{2EFF}'
            | '\u{3000}'..='\u{30FF}'
            | '\u{3130}'..='\u{318F}'
            | '\u{31C0}'..='\u{31EF}'
            | '\u{3200}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{A960}'..='\u{A97F}'
            | '\u{AC00}'..='\u{D7FF}'
            | '\u{FF00}'..='\u{FFEF}'
    )
}

/// A language that one of its letters gives away, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Language {
    German,
    Romance,
    Slavic,
    Cyrillic,
    Greek,
}

/// The first language that the letter speaks for.
pub(super) fn language(letter: char) -> Option<Language> {
    Some(match letter {
        'Ä' | 'Ö' | 'Ü' | 'ß' | 'ä' | 'ö' | 'ü' | 'ẞ' => Language::German,
        'À'..='Â' | 'Æ'..='Ë' | 'Í'..='Ï' | 'Ñ' | 'Ó' | 'Ô' | 'Ù'..='Û' => Language::Romance,
        'à'..='â' | 'æ'..='ë' | 'í'..='ï' | 'ñ' | 'ó' | 'ô' | 'ù'..='û' => Language::Romance,
        'ÿ' | 'Œ' | 'œ' | 'Ÿ' => Language::Romance,
        'Ý' | 'ý' | 'Ą'..='ć' | 'Č'..='ď' | 'Ę'..='ě' | 'Ł'..='ń' | 'Ň' | 'ň' => Language::Slavic,
        'Ř'..='ś' | 'Š' | 'š' | 'Ť' | 'ť' | 'Ů' | 'ů' | 'Ź'..='ž' => Language::Slavic,
        'Ё' | 'А'..='я' | 'ё' | '\u{1C80}'..='\u{1C86}' => Language::Cyrillic,
        'µ' | '\u{345}' | 'Ά' | 'Έ'..='Ί' | 'Ό' | 'Ύ' | 'Ώ' | 'Α'..='Ρ' | 'Σ'..='ώ' => Language::Greek,
        'ϐ' | 'ϑ' | 'ϕ' | 'ϖ' | 'ϰ' | 'ϱ' | 'ϵ' | '\u{1FBE}' => Language::Greek,
        _ => return None,
    })
}

/// Whether the segment is pictographs from its first character on, with the parts that emoji are built of.
pub(super) fn pictographs(segment: &str) -> bool {
    segment.starts_with(pictographic) && segment.chars().all(|char| pictographic(char) || emoji_component(char))
}

/// `\p{Emoji_Component}`
fn emoji_component(char: char) -> bool {
    matches!(
        char,
        '#' | '*' | '0'..='9' | '\u{200D}' | '\u{20E3}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}'
            | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{1F9B0}'..='\u{1F9B3}'
    )
}

/// `\p{Extended_Pictographic}`
fn pictographic(char: char) -> bool {
    let after = PICTOGRAPHS.partition_point(|&(first, _)| first <= char);
    after.checked_sub(1).is_some_and(|at| char <= PICTOGRAPHS[at].1)
}

/// Unicode 17.
const PICTOGRAPHS: &[(char, char)] = &[
    ('\u{A9}', '\u{A9}'),
    ('\u{AE}', '\u{AE}'),
    ('\u{203C}', '\u{203C}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2139}', '\u{2139}'),
    ('\u{2194}', '\u{2199}'),
    ('\u{21A9}', '\u{21AA}'),
    ('\u{231A}', '\u{231B}'),
    ('\u{2328}', '\u{2328}'),
    ('\u{23CF}', '\u{23CF}'),
    ('\u{23E9}', '\u{23F3}'),
    ('\u{23F8}', '\u{23FA}'),
    ('\u{24C2}', '\u{24C2}'),
    ('\u{25AA}', '\u{25AB}'),
    ('\u{25B6}', '\u{25B6}'),
    ('\u{25C0}', '\u{25C0}'),
    ('\u{25FB}', '\u{25FE}'),
    ('\u{2600}', '\u{2604}'),
    ('\u{260E}', '\u{260E}'),
    ('\u{2611}', '\u{2611}'),
    ('\u{2614}', '\u{2615}'),
    ('\u{2618}', '\u{2618}'),
    ('\u{261D}', '\u{261D}'),
    ('\u{2620}', '\u{2620}'),
    ('\u{2622}', '\u{2623}'),
    ('\u{2626}', '\u{2626}'),
    ('\u{262A}', '\u{262A}'),
    ('\u{262E}', '\u{262F}'),
    ('\u{2638}', '\u{263A}'),
    ('\u{2640}', '\u{2640}'),
    ('\u{2642}', '\u{2642}'),
    ('\u{2648}', '\u{2653}'),
    ('\u{265F}', '\u{2660}'),
    ('\u{2663}', '\u{2663}'),
    ('\u{2665}', '\u{2666}'),
    ('\u{2668}', '\u{2668}'),
    ('\u{267B}', '\u{267B}'),
    ('\u{267E}', '\u{267F}'),
    ('\u{2692}', '\u{2697}'),
    ('\u{2699}', '\u{2699}'),
    ('\u{269B}', '\u{269C}'),
    ('\u{26A0}', '\u{26A1}'),
    ('\u{26A7}', '\u{26A7}'),
    ('\u{26AA}', '\u{26AB}'),
    ('\u{26B0}', '\u{26B1}'),
    ('\u{26BD}', '\u{26BE}'),
    ('\u{26C4}', '\u{26C5}'),
    ('\u{26C8}', '\u{26C8}'),
    ('\u{26CE}', '\u{26CF}'),
    ('\u{26D1}', '\u{26D1}'),
    ('\u{26D3}', '\u{26D4}'),
    ('\u{26E9}', '\u{26EA}'),
    ('\u{26F0}', '\u{26F5}'),
    ('\u{26F7}', '\u{26FA}'),
    ('\u{26FD}', '\u{26FD}'),
    ('\u{2702}', '\u{2702}'),
    ('\u{2705}', '\u{2705}'),
    ('\u{2708}', '\u{270D}'),
    ('\u{270F}', '\u{270F}'),
    ('\u{2712}', '\u{2712}'),
    ('\u{2714}', '\u{2714}'),
    ('\u{2716}', '\u{2716}'),
    ('\u{271D}', '\u{271D}'),
    ('\u{2721}', '\u{2721}'),
    ('\u{2728}', '\u{2728}'),
    ('\u{2733}', '\u{2734}'),
    ('\u{2744}', '\u{2744}'),
    ('\u{2747}', '\u{2747}'),
    ('\u{274C}', '\u{274C}'),
    ('\u{274E}', '\u{274E}'),
    ('\u{2753}', '\u{2755}'),
    ('\u{2757}', '\u{2757}'),
    ('\u{2763}', '\u{2764}'),
    ('\u{2795}', '\u{2797}'),
    ('\u{27A1}', '\u{27A1}'),
    ('\u{27B0}', '\u{27B0}'),
    ('\u{27BF}', '\u{27BF}'),
    ('\u{2934}', '\u{2935}'),
    ('\u{2B05}', '\u{2B07}'),
    ('\u{2B1B}', '\u{2B1C}'),
    ('\u{2B50}', '\u{2B50}'),
    ('\u{2B55}', '\u{2B55}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303D}', '\u{303D}'),
    ('\u{3297}', '\u{3297}'),
    ('\u{3299}', '\u{3299}'),
    ('\u{1F004}', '\u{1F004}'),
    ('\u{1F02C}', '\u{1F02F}'),
    ('\u{1F094}', '\u{1F09F}'),
    ('\u{1F0AF}', '\u{1F0B0}'),
    ('\u{1F0C0}', '\u{1F0C0}'),
    ('\u{1F0CF}', '\u{1F0D0}'),
    ('\u{1F0F6}', '\u{1F0FF}'),
    ('\u{1F170}', '\u{1F171}'),
    ('\u{1F17E}', '\u{1F17F}'),
    ('\u{1F18E}', '\u{1F18E}'),
    ('\u{1F191}', '\u{1F19A}'),
    ('\u{1F1AE}', '\u{1F1E5}'),
    ('\u{1F201}', '\u{1F20F}'),
    ('\u{1F21A}', '\u{1F21A}'),
    ('\u{1F22F}', '\u{1F22F}'),
    ('\u{1F232}', '\u{1F23A}'),
    ('\u{1F23C}', '\u{1F23F}'),
    ('\u{1F249}', '\u{1F25F}'),
    ('\u{1F266}', '\u{1F321}'),
    ('\u{1F324}', '\u{1F393}'),
    ('\u{1F396}', '\u{1F397}'),
    ('\u{1F399}', '\u{1F39B}'),
    ('\u{1F39E}', '\u{1F3F0}'),
    ('\u{1F3F3}', '\u{1F3F5}'),
    ('\u{1F3F7}', '\u{1F3FA}'),
    ('\u{1F400}', '\u{1F4FD}'),
    ('\u{1F4FF}', '\u{1F53D}'),
    ('\u{1F549}', '\u{1F54E}'),
    ('\u{1F550}', '\u{1F567}'),
    ('\u{1F56F}', '\u{1F570}'),
    ('\u{1F573}', '\u{1F57A}'),
    ('\u{1F587}', '\u{1F587}'),
    ('\u{1F58A}', '\u{1F58D}'),
    ('\u{1F590}', '\u{1F590}'),
    ('\u{1F595}', '\u{1F596}'),
    ('\u{1F5A4}', '\u{1F5A5}'),
    ('\u{1F5A8}', '\u{1F5A8}'),
    ('\u{1F5B1}', '\u{1F5B2}'),
    ('\u{1F5BC}', '\u{1F5BC}'),
    ('\u{1F5C2}', '\u{1F5C4}'),
    ('\u{1F5D1}', '\u{1F5D3}'),
    ('\u{1F5DC}', '\u{1F5DE}'),
    ('\u{1F5E1}', '\u{1F5E1}'),
    ('\u{1F5E3}', '\u{1F5E3}'),
    ('\u{1F5E8}', '\u{1F5E8}'),
    ('\u{1F5EF}', '\u{1F5EF}'),
    ('\u{1F5F3}', '\u{1F5F3}'),
    ('\u{1F5FA}', '\u{1F64F}'),
    ('\u{1F680}', '\u{1F6C5}'),
    ('\u{1F6CB}', '\u{1F6D2}'),
    ('\u{1F6D5}', '\u{1F6E5}'),
    ('\u{1F6E9}', '\u{1F6E9}'),
    ('\u{1F6EB}', '\u{1F6F0}'),
    ('\u{1F6F3}', '\u{1F6FF}'),
    ('\u{1F7DA}', '\u{1F7FF}'),
    ('\u{1F80C}', '\u{1F80F}'),
    ('\u{1F848}', '\u{1F84F}'),
    ('\u{1F85A}', '\u{1F85F}'),
    ('\u{1F888}', '\u{1F88F}'),
    ('\u{1F8AE}', '\u{1F8AF}'),
    ('\u{1F8BC}', '\u{1F8BF}'),
    ('\u{1F8C2}', '\u{1F8CF}'),
    ('\u{1F8D9}', '\u{1F8FF}'),
    ('\u{1F90C}', '\u{1F93A}'),
    ('\u{1F93C}', '\u{1F945}'),
    ('\u{1F947}', '\u{1F9FF}'),
    ('\u{1FA58}', '\u{1FA5F}'),
    ('\u{1FA6E}', '\u{1FAFF}'),
    ('\u{1FC00}', '\u{1FFFD}'),
];
