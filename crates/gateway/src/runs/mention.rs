//! Mentions: `@Name` in a message names a member of its space.

use weftwork::model::{Entity, EntityId, EntityKind, Wake as Rule};
use weftwork_store::runs::Wake;

/// Whom a message wakes, by the rule of its space.
pub(crate) fn whom(rule: Rule, text: &str, members: &[Entity]) -> Wake {
    match rule {
        Rule::All => Wake::All,
        Rule::Mentioned => {
            let named = mentioned(text, members).filter(|entity| entity.kind == EntityKind::Agent);
            Wake::Mentioned(named.map(|entity| entity.id.clone()).collect())
        }
    }
}

/// The members that a text mentions. Where one name begins with another, the longer one is meant; members who share a name
/// are all meant, and `@` with an id means one of them.
fn mentioned<'m>(text: &str, members: &'m [Entity]) -> impl Iterator<Item = &'m Entity> {
    let mut found: Vec<&EntityId> = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = text[..at].chars().next_back();
        // `ann@host` is no mention.
        if before.is_some_and(|c| c.is_alphanumeric() || c == '@') {
            continue;
        }
        let rest = &text[at + 1..];
        let longest =
            members.iter().flat_map(|member| [begins(rest, &member.name), begins(rest, member.id.as_str())]).max().flatten();
        let Some(longest) = longest else { continue };
        let meant =
            |member: &&Entity| begins(rest, &member.name) == Some(longest) || begins(rest, member.id.as_str()) == Some(longest);
        found.extend(members.iter().filter(meant).map(|member| &member.id));
    }
    members.iter().filter(move |member| found.contains(&&member.id))
}

/// How many characters of a text a name takes, if the text begins with it and the name ends there. Case does not matter.
fn begins(text: &str, name: &str) -> Option<usize> {
    let length = name.chars().count();
    let beginning: String = text.chars().take(length).collect();
    let next = text.chars().nth(length);
    let ends = next.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    (length > 0 && ends && beginning.to_lowercase() == name.to_lowercase()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: &str, name: &str, kind: EntityKind) -> Entity {
        serde_json::from_value(serde_json::json!({"id": id, "name": name, "type": kind})).expect("an entity")
    }

    #[test]
    fn an_at_and_a_name_mentions_a_member() {
        let members = [
            member("ent-1", "Ann", EntityKind::Agent),
            member("ent-2", "Ann Lee", EntityKind::Agent),
            member("ent-3", "Böb", EntityKind::Agent),
            member("ent-4", "Husam", EntityKind::Human),
            member("ent-5", "Twin", EntityKind::Agent),
            member("ent-6", "Twin", EntityKind::Agent),
        ];
        for (text, expected) in [
            ("@Ann please", vec!["ent-1"]),
            ("hey @ann, @BÖB!", vec!["ent-1", "ent-3"]),
            ("@Ann Lee please", vec!["ent-2"]),
            ("@Annabel", vec![]),
            ("mail ann@Ann.example", vec![]),
            ("(@Ann)", vec!["ent-1"]),
            ("@@Ann", vec![]),
            ("@ent-5 only", vec!["ent-5"]),
            ("@Twin both", vec!["ent-5", "ent-6"]),
            ("@Husam", vec![]),
            ("nobody", vec![]),
        ] {
            let Wake::Mentioned(named) = whom(Rule::Mentioned, text, &members) else { panic!("{text}") };
            assert_eq!(named.iter().map(EntityId::as_str).collect::<Vec<_>>(), expected, "{text}");
        }
        assert_eq!(whom(Rule::All, "x", &members), Wake::All);
    }
}
