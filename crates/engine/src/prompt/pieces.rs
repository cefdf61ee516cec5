//! The pieces of a message in their order. Nearly every message has one, and that one needs no memory of its own.

use super::Piece;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Pieces in order, read and changed like a slice.
#[derive(Clone)]
pub struct Pieces<'h>(Held<'h>);

#[derive(Clone)]
enum Held<'h> {
    One(Piece<'h>),
    Listed(Vec<Piece<'h>>),
}

impl<'h> Pieces<'h> {
    /// None yet, with room for so many.
    pub fn with_capacity(pieces: usize) -> Self {
        Pieces(Held::Listed(if pieces > 1 { Vec::with_capacity(pieces) } else { Vec::new() }))
    }

    /// Adds one at the end.
    pub fn push(&mut self, piece: Piece<'h>) {
        match &mut self.0 {
            Held::Listed(list) if list.capacity() == 0 => self.0 = Held::One(piece),
            Held::Listed(list) => list.push(piece),
            Held::One(_) => *self = std::mem::take(self).into_iter().chain([piece]).collect::<Vec<_>>().into(),
        }
    }

    /// Puts one before the one at `index`.
    pub fn insert(&mut self, index: usize, piece: Piece<'h>) {
        let mut list: Vec<_> = std::mem::take(self).into_iter().collect();
        list.insert(index, piece);
        *self = list.into();
    }

    /// Takes out all but those to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&Piece<'h>) -> bool) {
        match &mut self.0 {
            Held::One(piece) if keep(piece) => {}
            Held::One(_) => *self = Pieces::default(),
            Held::Listed(list) => list.retain(keep),
        }
    }
}

impl Default for Pieces<'_> {
    fn default() -> Self {
        Pieces(Held::Listed(Vec::new()))
    }
}

impl<'h> Deref for Pieces<'h> {
    type Target = [Piece<'h>];

    fn deref(&self) -> &[Piece<'h>] {
        match &self.0 {
            Held::One(piece) => std::slice::from_ref(piece),
            Held::Listed(list) => list,
        }
    }
}

impl DerefMut for Pieces<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match &mut self.0 {
            Held::One(piece) => std::slice::from_mut(piece),
            Held::Listed(list) => list,
        }
    }
}

impl<'h> From<Piece<'h>> for Pieces<'h> {
    fn from(piece: Piece<'h>) -> Self {
        Pieces(Held::One(piece))
    }
}

impl<'h> From<Vec<Piece<'h>>> for Pieces<'h> {
    fn from(list: Vec<Piece<'h>>) -> Self {
        Pieces(Held::Listed(list))
    }
}

impl<'h> FromIterator<Piece<'h>> for Pieces<'h> {
    fn from_iter<I: IntoIterator<Item = Piece<'h>>>(pieces: I) -> Self {
        let mut all = Pieces::default();
        all.extend(pieces);
        all
    }
}

impl<'h> Extend<Piece<'h>> for Pieces<'h> {
    fn extend<I: IntoIterator<Item = Piece<'h>>>(&mut self, pieces: I) {
        pieces.into_iter().for_each(|piece| self.push(piece));
    }
}

impl<'h> IntoIterator for Pieces<'h> {
    type Item = Piece<'h>;
    type IntoIter = std::iter::Chain<std::option::IntoIter<Piece<'h>>, std::vec::IntoIter<Piece<'h>>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, list) = match self.0 {
            Held::One(piece) => (Some(piece), Vec::new()),
            Held::Listed(list) => (None, list),
        };
        one.into_iter().chain(list)
    }
}

impl<'p, 'h> IntoIterator for &'p Pieces<'h> {
    type Item = &'p Piece<'h>;
    type IntoIter = std::slice::Iter<'p, Piece<'h>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'p, 'h> IntoIterator for &'p mut Pieces<'h> {
    type Item = &'p mut Piece<'h>;
    type IntoIter = std::slice::IterMut<'p, Piece<'h>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// How they are held makes no difference.
impl PartialEq for Pieces<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pieces: &Pieces<'_>) -> String {
        pieces.iter().map(|piece| if let Piece::Text(text) = piece { &*text.text } else { "?" }).collect()
    }

    #[test]
    fn pieces_behave_like_a_list_however_they_are_held() {
        for room in 0..3 {
            let mut pieces = Pieces::with_capacity(room);
            assert_eq!(texts(&pieces), "");
            pieces.push(Piece::text("b"));
            assert_eq!(texts(&pieces), "b");
            pieces.insert(0, Piece::text("a"));
            pieces.push(Piece::text("c"));
            assert_eq!(texts(&pieces), "abc");
            pieces.retain(|piece| *piece != Piece::text("b"));
            assert_eq!(texts(&pieces.into_iter().collect()), "ac");
        }
        let mut one = Pieces::from(Piece::text("x"));
        assert_eq!(one, Pieces::from(vec![Piece::text("x")]));
        one.retain(|_| false);
        assert_eq!(one, Pieces::default());
    }
}
