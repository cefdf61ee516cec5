//! What the tab key offers: commands, and what they take.

use crate::chat::command::COMMANDS;

/// What can be named.
pub(super) trait Names {
    fn models(&self) -> Vec<String>;
    fn spaces(&self) -> Vec<String>;
    fn nodes(&self) -> Vec<String>;
}

/// Words for the place of the cursor, and where the word begins that they replace.
pub(super) fn candidates(line: &str, names: &dyn Names) -> (usize, Vec<String>) {
    let Some(typed) = line.strip_prefix('/') else { return (0, Vec::new()) };
    let Some((name, rest)) = typed.split_once(' ') else {
        let all = COMMANDS.iter().filter(|listed| listed.name.starts_with(typed));
        return (0, all.map(|listed| format!("/{} ", listed.name)).collect());
    };
    let begin = match name {
        // A name may hold blanks.
        "open" => name.len() + 2,
        _ => line.rfind(' ').map_or(line.len(), |blank| blank + 1),
    };
    let word = &line[begin..];
    let all: Vec<String> = match name {
        "model" | "retry" => names.models(),
        "generate" if rest.contains(' ') => names.models(),
        "open" => names.spaces(),
        "switch" => ["next", "prev"].map(str::to_owned).into_iter().chain(names.nodes()).collect(),
        "edit" | "exclude" | "include" | "pin" | "unpin" | "bookmark" => names.nodes(),
        "tools" => ["approve", "auto", "cached", "all-on", "all-off", "manual"].map(str::to_owned).to_vec(),
        "export" => ["weft", "weft-jsonl", "markdown", "openai"].map(str::to_owned).to_vec(),
        "reasoning" => ["on", "off"].map(str::to_owned).to_vec(),
        "sampling" => ["temperature=", "top_p=", "top_k=", "seed=", "stop=", "max_tokens="].map(str::to_owned).to_vec(),
        _ => Vec::new(),
    };
    (begin, all.into_iter().filter(|name| name.starts_with(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Names for Known {
        fn models(&self) -> Vec<String> {
            vec!["offline/offline".into(), "openai/gpt-4o".into()]
        }
        fn spaces(&self) -> Vec<String> {
            vec!["My Chat".into(), "My Team".into()]
        }
        fn nodes(&self) -> Vec<String> {
            vec!["n1".into()]
        }
    }

    #[test]
    fn words_are_offered_where_they_fit() {
        let cases: [(&str, usize, &[&str]); 8] = [
            ("hel", 0, &[]),
            ("/he", 0, &["/help "]),
            ("/s", 0, &["/switch ", "/summarize ", "/system ", "/sampling "]),
            ("/model op", 7, &["openai/gpt-4o"]),
            ("/generate 3 off", 12, &["offline/offline"]),
            ("/open My T", 6, &["My Team"]),
            ("/switch ", 8, &["next", "prev", "n1"]),
            ("/edit -e n", 9, &["n1"]),
        ];
        for (line, begin, expected) in cases {
            assert_eq!(candidates(line, &Known), (begin, expected.iter().map(|word| (*word).to_owned()).collect()), "{line}");
        }
    }
}
