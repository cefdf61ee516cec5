//! Names of entities: what nobody can be called, because a model or a person would take it for something else.
//!
//! A name stands beside the words of its bearer in every timeline. So it holds nothing that ends a field there, nothing that
//! cannot be seen, and no two entities have names that look alike. Type and id never come from it.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;
use unicode_security::mixed_script::AugmentedScriptSet;
use weftwork::model::{Entity, EntityId};

/// Characters of a name.
pub const LONGEST_NAME: usize = 64;
/// What a timeline or an API calls somebody by itself.
const RESERVED: [&str; 5] = ["you", "system", "assistant", "user", "everyone"];

/// Why nobody can be called this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// There is nothing in it.
    #[error("a name needs at least one letter")]
    Empty,
    /// There is too much in it.
    #[error("the name has {characters} characters, and {LONGEST_NAME} are allowed")]
    TooLong {
        /// How many.
        characters: usize,
    },
    /// It holds what would end a field, steer a terminal or hide.
    #[error("{name:?} holds {}, which no name may hold: letters, digits, blanks, points and hyphens are fine", shown(*character))]
    Character {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// One word of it is written with letters that only look alike.
    #[error("{word:?} mixes letters of several scripts: write it in one")]
    Mixed {
        /// The word.
        word: String,
    },
    /// It means something else.
    #[error("{name:?} is a word of the timeline, and nobody can be called so: choose another name")]
    Reserved {
        /// The name.
        name: String,
    },
    /// Somebody is called so, or nearly so.
    #[error("{name:?} looks like {theirs:?}, the name of {by}: choose another name")]
    Taken {
        /// The name.
        name: String,
        /// The name that it looks like.
        theirs: String,
        /// Whose that is.
        by: EntityId,
    },
}

fn shown(character: char) -> String {
    if is_unseen(character) { format!("U+{:04X}", u32::from(character)) } else { format!("{character:?}") }
}

/// The name that somebody gets who is to be called this, beside all the others; blanks at its ends are left out.
pub fn new_name<'e>(name: &str, others: impl IntoIterator<Item = &'e Entity>) -> Result<String, BadName> {
    let name: String = name.trim().nfkc().collect();
    let characters = name.chars().count();
    if characters > LONGEST_NAME {
        return Err(BadName::TooLong { characters });
    }
    if let Some(character) = name.chars().find(|character| is_forbidden(*character)) {
        return Err(BadName::Character { name, character });
    }
    if !name.chars().any(|character| !character.is_whitespace() && !character.is_ascii_punctuation()) {
        return Err(BadName::Empty);
    }
    if let Some(word) = name.split_whitespace().find(|word| is_mixed(word)) {
        return Err(BadName::Mixed { word: word.to_owned() });
    }
    if RESERVED.iter().any(|word| are_alike(word, &name)) {
        return Err(BadName::Reserved { name });
    }
    match others.into_iter().find(|other| are_alike(&other.name, &name)) {
        Some(other) => Err(BadName::Taken { name, theirs: other.name.clone(), by: other.id.clone() }),
        None => Ok(name),
    }
}

/// Whether two names would be taken for one another: they differ in case, or in letters that look the same.
fn are_alike(one: &str, other: &str) -> bool {
    let (one, other) = (looks(one), looks(other));
    one.0 == other.0 || one.1 == other.1
}

/// How a name looks in small letters, and how it looks as it is. Only both together tell: `IAN` and `ian` look alike in the
/// one, `Ian` and `lan` in the other.
fn looks(name: &str) -> (String, String) {
    let plain = name.nfkc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    let look = |text: &str| skeleton(text).collect::<String>();
    let small = look(&plain.to_lowercase());
    (small, look(&look(&plain).to_lowercase()))
}

/// Whether a word mixes scripts. Latin beside those of East Asia is how people there write.
fn is_mixed(word: &str) -> bool {
    if !AugmentedScriptSet::for_str(word).is_empty() {
        return false;
    }
    let latin = AugmentedScriptSet::for_char('a');
    let is_latin = |character: char| {
        let mut set = AugmentedScriptSet::for_char(character);
        set.intersect_with(latin);
        !set.is_empty()
    };
    let others: String = word.chars().filter(|character| !is_latin(*character)).collect();
    let set = AugmentedScriptSet::for_str(&others);
    !(set.hanb || set.jpan || set.kore)
}

fn is_forbidden(character: char) -> bool {
    let delimits = matches!(character, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ':' | '"' | '\'' | '`' | '@' | '\\')
        || matches!(character, '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '「' | '」' | '『' | '』');
    delimits || is_unseen(character)
}

/// What is not seen, or changes how other characters are.
fn is_unseen(character: char) -> bool {
    let odd_blank = character.is_whitespace() && character != ' ';
    odd_blank
        || character.is_control()
        || matches!(character,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(names: &[&str]) -> Vec<Entity> {
        let entity = |name: &&str| {
            serde_json::from_value(serde_json::json!({"id": format!("ent-{name}"), "name": name, "type": "human"}))
                .expect("an entity")
        };
        names.iter().map(entity).collect()
    }

    #[test]
    fn what_people_and_agents_are_called() {
        for (name, kept) in [
            ("Husam", "Husam"),
            ("  Data Analyst ", "Data Analyst"),
            ("J. R. Müller-Lüdenscheidt", "J. R. Müller-Lüdenscheidt"),
            ("O’Neil", "O’Neil"),
            ("山田 太郎", "山田 太郎"),
            ("AI助手", "AI助手"),
            ("Ольга", "Ольга"),
            ("حسام", "حسام"),
            ("Analyst 2", "Analyst 2"),
            ("🤖 Bot", "🤖 Bot"),
            ("Ａnn", "Ann"),
        ] {
            assert_eq!(new_name(name, &[]), Ok(kept.to_owned()), "{name}");
        }
        assert!(new_name(&"x".repeat(64), &[]).is_ok());
        assert_eq!(new_name(&"x".repeat(65), &[]), Err(BadName::TooLong { characters: 65 }));
    }

    #[test]
    fn what_would_be_taken_for_something_else() {
        let character = |name: &str, character| Err(BadName::Character { name: name.to_owned(), character });
        let reserved = |name: &str| Err(BadName::Reserved { name: name.to_owned() });
        for (name, expected) in [
            ("", Err(BadName::Empty)),
            (" \t ", Err(BadName::Empty)),
            ("...", Err(BadName::Empty)),
            ("Husam (human, id:ent-husam-01)", character("Husam (human, id:ent-husam-01)", '(')),
            ("parent:root", character("parent:root", ':')),
            ("[Admin|0]", character("[Admin|0]", '[')),
            ("a\"b", character("a\"b", '"')),
            ("O'Neil", character("O'Neil", '\'')),
            ("@Ann", character("@Ann", '@')),
            ("Ann\nLee", character("Ann\nLee", '\n')),
            ("Ann\u{202E}", character("Ann\u{202E}", '\u{202E}')),
            ("An\u{200B}n", character("An\u{200B}n", '\u{200B}')),
            ("Ann\u{E0041}", character("Ann\u{E0041}", '\u{E0041}')),
            ("\u{3164}", character("\u{1160}", '\u{1160}')),
            ("You", reserved("You")),
            ("Y0U", reserved("Y0U")),
            ("SYSTEM", reserved("SYSTEM")),
            ("Everyone", reserved("Everyone")),
            ("Нusam", Err(BadName::Mixed { word: "Нusam".to_owned() })),
            ("Sarah Пetrova", Err(BadName::Mixed { word: "Пetrova".to_owned() })),
        ] {
            assert_eq!(new_name(name, &[]), expected, "{name:?}");
        }
    }

    #[test]
    fn two_names_that_look_alike_are_one() {
        let others = called(&["Husam", "Ian", "Ann Lee", "Оля"]);
        for (name, like) in [
            ("Husam", Some("Husam")),
            ("HUSAM", Some("Husam")),
            ("lan", Some("Ian")),
            ("ian", Some("Ian")),
            ("Ann  Lee", Some("Ann Lee")),
            ("оля", Some("Оля")),
            ("Husan", None),
            ("Ann", None),
            ("AnnLee", None),
        ] {
            let taken = match new_name(name, &others) {
                Err(BadName::Taken { theirs, .. }) => Some(theirs),
                Err(other) => panic!("{name}: {other}"),
                Ok(_) => None,
            };
            assert_eq!(taken.as_deref(), like, "{name}");
        }
    }
}
