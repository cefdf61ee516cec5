//! How a stretch of text looks on a terminal that knows colours.

use std::ops::BitOr;

/// A set of traits; none is plain text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look(u8);

impl Look {
    /// As it is.
    pub(crate) const PLAIN: Look = Look(0);
    /// Important.
    pub(crate) const STRONG: Look = Look(1);
    /// Emphasised.
    pub(crate) const ITALIC: Look = Look(2);
    /// Code.
    pub(crate) const CODE: Look = Look(4);
    /// In the background.
    pub(crate) const FAINT: Look = Look(8);
    /// Struck out.
    pub(crate) const STRUCK: Look = Look(16);
    /// A heading of the first level, or the text of a link.
    pub(crate) const UNDERLINED: Look = Look(32);

    const CODES: [(Look, &str); 6] = [
        (Look::STRONG, "1"),
        (Look::FAINT, "2"),
        (Look::ITALIC, "3"),
        (Look::UNDERLINED, "4"),
        (Look::STRUCK, "9"),
        (Look::CODE, "36"),
    ];

    /// The text in this look, and everything as before behind it.
    pub(crate) fn paint(self, text: &str) -> String {
        if self == Look::PLAIN || text.is_empty() {
            return text.to_owned();
        }
        format!("{}{text}{}", self.begin(), Look::END)
    }

    /// What ends every look.
    pub(crate) const END: &str = "\x1b[0m";

    /// What begins it.
    pub(crate) fn begin(self) -> String {
        let codes: Vec<&str> = Look::CODES.iter().filter(|(look, _)| self.0 & look.0 != 0).map(|(_, code)| *code).collect();
        format!("\x1b[{}m", codes.join(";"))
    }
}

impl BitOr for Look {
    type Output = Look;

    fn bitor(self, other: Look) -> Look {
        Look(self.0 | other.0)
    }
}
