//! What is new in what a client sent, given what is stored. Decided here, done elsewhere.

use super::turns::{Asked, Turn};

/// Whether the client says that it sends this once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It does not.
    First,
    /// It got no answer before.
    Repeated,
}

/// Whether the stored turns begin where the conversation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Whole,
    Newest,
}

/// What is to be done.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// These are new.
    New(Vec<Asked>),
    /// All of it is stored, and waits for its answer.
    Unanswered,
    /// All of it is stored, and was answered.
    Answered,
}

/// Why what was sent is not what is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// Which of the messages sent, from 1.
    pub message: usize,
    /// How it begins.
    pub sent: String,
    /// How what is stored there begins.
    pub stored: Option<String>,
}

/// Decides. What was sent ends with a turn that asks; before it may stand all that is stored, the newest of it, or nothing.
pub(super) fn decide(sent: &[Turn], stored: &[Turn], reach: Reach, again: Again) -> Result<Decision, Differs> {
    let Some((Turn::Asked(last), earlier)) = sent.split_last() else { return Ok(Decision::New(Vec::new())) };
    let (waiting, before): (&[Asked], &[Turn]) = match stored.split_last() {
        Some((Turn::Asked(waiting), before)) => (waiting, before),
        Some((Turn::Answered(_), _)) | None => (&[], stored),
    };
    if again == Again::Repeated
        && waiting.is_empty()
        && let Some((_, asked)) = stored.split_last()
        && asked.ends_with(sent)
    {
        return Ok(Decision::Answered);
    }
    if !before.ends_with(earlier) {
        return Err(differs(sent, stored, earlier, before, reach));
    }
    // Without history, the same words are a re-send only if something shows it: people say "go on" twice.
    let shown = !earlier.is_empty() || again == Again::Repeated || (before.is_empty() && reach == Reach::Whole);
    match last.strip_prefix(waiting) {
        Some([]) if shown || last.iter().any(Asked::is_result) => Ok(Decision::Unanswered),
        Some([]) => Ok(Decision::New(last.clone())),
        Some(new) => Ok(Decision::New(new.to_vec())),
        // Whoever sends nothing but what is new need not know what others asked meanwhile.
        None if earlier.is_empty() => Ok(Decision::New(last.clone())),
        None => {
            let apart = last.iter().zip(waiting).position(|(sent, stored)| sent != stored).unwrap_or(last.len());
            let shown = |all: &[Asked]| all.get(apart).map(|asked| Turn::Asked(vec![asked.clone()]).shown());
            let at = last.get(apart).or(last.last()).map_or(sent.len(), |asked| asked.at);
            Err(Differs { message: at, sent: shown(last).unwrap_or_else(|| "nothing".to_owned()), stored: shown(waiting) })
        }
    }
}

/// The first turn that differs: from the beginning where that is known, else from the end.
fn differs(sent: &[Turn], stored: &[Turn], earlier: &[Turn], before: &[Turn], reach: Reach) -> Differs {
    let skipped = match reach {
        Reach::Whole => 0,
        Reach::Newest => before.len().saturating_sub(earlier.len()),
    };
    let there = |at: usize| stored.get(at + skipped);
    let at = (0..sent.len()).find(|at| there(*at) != sent.get(*at)).unwrap_or(sent.len().saturating_sub(1));
    Differs { message: sent[at].at(), sent: sent[at].shown(), stored: there(at).map(Turn::shown) }
}

#[cfg(test)]
mod tests {
    use super::super::turns::{Entry, Ran, Voice, turns};
    use super::*;
    use weftwork::model::{Json, Part};

    /// `u:text`, `a:text`, `c:id` (a call of the client's), `o:id` (one that Weft ran), `r:id` (the client's result), and
    /// `e:text`, which broke off.
    fn side(lines: &str) -> Vec<Turn> {
        let parts: Vec<(&str, Vec<Part>)> = lines
            .split_whitespace()
            .map(|line| {
                let (kind, text) = line.split_once(':').expect("a kind");
                let call = || Part::call(text, "look", Json::empty_object());
                let parts = match kind {
                    "u" | "a" | "e" => vec![Part::text(text)],
                    "c" => vec![call()],
                    "o" => vec![call(), Part::result(text, "done")],
                    "r" => vec![Part::result(text, "seen")],
                    other => panic!("{other}"),
                };
                (kind, parts)
            })
            .collect();
        turns(parts.iter().enumerate().map(|(at, (kind, parts))| Entry {
            voice: if matches!(*kind, "u" | "r") { Voice::Client } else { Voice::Agent },
            results: if *kind == "o" { Ran::Here } else { Ran::There },
            parts,
            broke_off: *kind == "e",
            at: at + 1,
        }))
    }

    #[test]
    fn what_is_new_is_what_comes_after_what_is_stored() {
        for (stored, sent, expected) in [
            ("", "u:a", "new 1"),
            ("u:a a:b", "u:a a:b u:c", "new 1"),
            ("u:a a:b", "u:c", "new 1"),
            ("u:a a:b u:c a:d", "u:c a:d u:e", "new 1"),
            ("u:a a:b u:c", "u:a a:b u:c", "unanswered"),
            ("u:a a:b u:c", "u:c", "new 1"),
            ("u:a a:b u:c", "a:b u:c", "unanswered"),
            ("u:a", "u:a", "unanswered"),
            ("u:a a:b u:c", "u:a a:b u:c u:d", "new 1"),
            ("u:a a:b u:c", "u:d", "new 1"),
            ("u:a a:b u:c", "u:a a:b u:d", "3 differs"),
            ("u:a a:b", "u:a a:x u:c", "2 differs"),
            ("u:a a:b", "u:x a:b u:c", "1 differs"),
            ("u:a a:b u:c a:d", "u:a a:b u:c", "3 differs"),
            ("u:a a:b u:c a:d", "u:a a:b u:e", "3 differs"),
            ("", "u:a a:b u:c", "1 differs"),
            ("u:a o:1 a:b", "u:a a:b u:c", "new 1"),
            ("u:a o:1 c:2", "u:a c:2 r:2", "new 1"),
            ("u:a c:1 c:2", "u:a c:1 c:2 r:1 r:2 u:b", "new 3"),
            ("u:a c:1 c:2", "r:1 r:2", "new 2"),
            ("u:a c:1 r:1", "u:a c:1 r:1", "unanswered"),
            ("u:a c:1 r:1", "r:1", "unanswered"),
            ("u:a c:1", "u:a a:c r:1", "2 differs"),
            ("u:a e:long", "u:a a:lo u:b", "new 1"),
            ("u:a e:long", "u:a a:no u:b", "2 differs"),
            ("u:a a:b", "u:a a:b", "new 0"),
        ] {
            let decided = decide(&side(sent), &side(stored), Reach::Whole, Again::First);
            assert_eq!(word(decided), expected, "stored {stored:?}, sent {sent:?}");
        }
    }

    #[test]
    fn what_is_sent_again_was_answered_if_its_answer_is_the_last() {
        for (stored, sent, expected) in [
            ("u:a a:b", "u:a", "answered"),
            ("u:a a:b u:c a:d", "u:a a:b u:c", "answered"),
            ("u:a a:b u:c a:d", "u:c", "answered"),
            ("u:a a:b u:c", "u:c", "unanswered"),
            ("u:a a:b u:c a:d", "u:a", "new 1"),
            ("u:a c:1 r:1 a:d", "r:1", "answered"),
        ] {
            let decided = decide(&side(sent), &side(stored), Reach::Whole, Again::Repeated);
            assert_eq!(word(decided), expected, "stored {stored:?}, sent {sent:?}");
        }
    }

    #[test]
    fn of_a_part_only_what_was_sent_is_compared() {
        let decided = decide(&side("u:c a:x u:e"), &side("a:b u:c a:d"), Reach::Newest, Again::First);
        assert_eq!(word(decided), "2 differs");
    }

    fn word(decided: Result<Decision, Differs>) -> String {
        match decided {
            Ok(Decision::New(new)) => format!("new {}", new.len()),
            Ok(Decision::Unanswered) => "unanswered".into(),
            Ok(Decision::Answered) => "answered".into(),
            Err(differs) => format!("{} differs", differs.message),
        }
    }
}
