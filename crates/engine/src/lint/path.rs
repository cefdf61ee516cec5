//! Where in the body a rule looks: a JSON path that costs nothing until a finding needs its text.

use std::fmt;

/// One place in the body, linked to the place around it.
#[derive(Clone, Copy)]
pub(super) struct At<'p> {
    parent: Option<&'p At<'p>>,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Root,
    Key(&'static str),
    Index(usize),
}

impl At<'_> {
    /// The body itself.
    pub(super) const ROOT: At<'static> = At { parent: None, step: Step::Root };

    /// The field `key` of this place.
    pub(super) fn key(&self, key: &'static str) -> At<'_> {
        At { parent: Some(self), step: Step::Key(key) }
    }

    /// The item `index` of this place.
    pub(super) fn index(&self, index: usize) -> At<'_> {
        At { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => f.write_str("$"),
            Step::Key(key) => write!(f, ".{key}"),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}
