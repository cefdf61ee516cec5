//! What a server's process sees of our environment: little, for the keys to our providers are in there.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// Variables by name. The caller reads them once; nothing here asks the process.
pub type Environment = BTreeMap<String, String>;

/// What programs need to run and that holds no secrets.
const SAFE: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TZ",
    "LANG",
    "LANGUAGE",
    "TMPDIR",
    "TEMP",
    "TMP",
    // Windows, where a program without them does not even start.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "USERPROFILE",
    "USERNAME",
    "HOMEDRIVE",
    "HOMEPATH",
];
const SAFE_BEGINNINGS: &[&str] = &["LC_", "XDG_"];

/// The whole environment of a server's process: what is safe of ours, and over it what its owner wrote.
pub(super) fn for_server(ours: &Environment, written: &BTreeMap<String, Template>) -> Result<Environment, MissingVariable> {
    let mut theirs: Environment =
        ours.iter().filter(|(name, _)| is_safe(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, value) in written {
        theirs.insert(name.clone(), value.fill(ours)?);
    }
    Ok(theirs)
}

fn is_safe(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SAFE.contains(&name.as_str()) || SAFE_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// A written value in which `$NAME` stands for a variable of our environment and `$$` for a dollar sign.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Template(String);

/// A variable that a server's configuration names is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} is not set")]
pub struct MissingVariable {
    /// Its name.
    pub name: String,
}

impl Template {
    /// A value as it is written.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The value, with variables in their places.
    pub(super) fn fill(&self, environment: &Environment) -> Result<String, MissingVariable> {
        let mut filled = String::new();
        let mut rest = self.0.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            filled.push_str(before);
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            let (name, following) = after.split_at(end);
            rest = following;
            if !name.is_empty() {
                let value = environment.get(name).ok_or_else(|| MissingVariable { name: name.to_owned() })?;
                filled.push_str(value);
            } else {
                filled.push('$');
                rest = following.strip_prefix('$').unwrap_or(following);
            }
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// An owner may have written a key right here.
impl fmt::Debug for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Template(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_server_sees_what_programs_need_and_no_keys() {
        let ours = environment(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("XDG_RUNTIME_DIR", "/run"),
            ("SystemRoot", "C:\\Windows"),
            ("OPENAI_API_KEY", "secret"),
            ("ANTHROPIC_API_KEY", "secret"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("LD_PRELOAD", "x.so"),
            ("PATHOLOGY", "x"),
        ]);
        let written = BTreeMap::from([
            ("TOKEN".to_owned(), Template::new("$OPENAI_API_KEY")),
            ("PATH".to_owned(), Template::new("/opt:$PATH")),
        ]);
        let seen = for_server(&ours, &written).unwrap();
        let seen: Vec<(&str, &str)> = seen.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("LC_ALL", "C"),
            ("PATH", "/opt:/bin"),
            ("SystemRoot", "C:\\Windows"),
            ("TOKEN", "secret"),
            ("XDG_RUNTIME_DIR", "/run"),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn variables_are_filled_in() {
        let ours = environment(&[("A", "1"), ("B_2", "$A")]);
        for (written, filled) in [
            ("plain", Some("plain")),
            ("$A", Some("1")),
            ("Bearer $A!", Some("Bearer 1!")),
            ("$B_2$A", Some("$A1")),
            ("$$A", Some("$A")),
            ("5 $", Some("5 $")),
            ("$C", None),
        ] {
            assert_eq!(Template::new(written).fill(&ours).ok().as_deref(), filled, "{written}");
        }
    }

    #[test]
    fn a_written_value_is_not_shown() {
        assert_eq!(format!("{:?}", Template::new("sk-1234")), "Template(…)");
    }
}
