//! Trees whose messages may stand in any order: parents before children.
//!
//! Linear in the number of messages, and never recursive: a conversation may be as deep as it is long. A parent that is
//! not there makes a root; a circle is cut where it is first met.

use std::collections::HashMap;

/// One message in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Which message of the list.
    pub(super) index: usize,
    /// Which message it continues.
    pub(super) parent: Option<usize>,
    /// Whether its parent was named but could not be kept: missing, or below it.
    pub(super) cut: bool,
}

/// Puts messages, given as id and parent's id, in an order where every parent comes before its children and the order
/// of the list holds otherwise.
pub(super) fn parents_first<'a>(messages: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<Place> {
    let messages: Vec<_> = messages.collect();
    let mut by_id = HashMap::new();
    for (index, (id, _)) in messages.iter().enumerate() {
        by_id.entry(*id).or_insert(index);
    }
    let parent_of = |index: usize| {
        let parent: Option<&str> = messages.get(index).and_then(|(_, parent)| *parent);
        parent.map(|parent| by_id.get(parent).copied())
    };
    let mut order =
        Order { places: Vec::with_capacity(messages.len()), placed: vec![false; messages.len()], waiting: HashMap::new() };
    for index in 0..messages.len() {
        match parent_of(index) {
            None => order.place(Place { index, parent: None, cut: false }),
            Some(None) => order.place(Place { index, parent: None, cut: true }),
            Some(Some(parent)) if order.is_placed(parent) => order.place(Place { index, parent: Some(parent), cut: false }),
            Some(Some(parent)) => order.waiting.entry(parent).or_default().push(index),
        }
    }
    // What still waits is part of a circle or hangs on one.
    for index in 0..messages.len() {
        if !order.is_placed(index) {
            order.place(Place { index, parent: None, cut: true });
        }
    }
    order.places
}

struct Order {
    places: Vec<Place>,
    placed: Vec<bool>,
    waiting: HashMap<usize, Vec<usize>>,
}

impl Order {
    fn is_placed(&self, index: usize) -> bool {
        self.placed.get(index).copied().unwrap_or(false)
    }

    /// Places a message and all that waited for it.
    fn place(&mut self, first: Place) {
        let mut next = vec![first];
        while let Some(place) = next.pop() {
            if self.is_placed(place.index) {
                continue;
            }
            if let Some(placed) = self.placed.get_mut(place.index) {
                *placed = true;
            }
            self.places.push(place);
            let children = self.waiting.remove(&place.index).unwrap_or_default();
            next.extend(children.into_iter().rev().map(|index| Place { index, parent: Some(place.index), cut: false }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children() {
        for (messages, expected) in [
            (vec![("a", None), ("b", Some("a"))], "a b<a"),
            (vec![("b", Some("a")), ("c", Some("b")), ("a", None)], "a b<a c<b"),
            (vec![("a", None), ("c", Some("b")), ("b", Some("a")), ("d", Some("a"))], "a b<a c<b d<a"),
            (vec![("a", Some("gone"))], "a!"),
            (vec![("a", Some("b")), ("b", Some("a"))], "a! b<a"),
            (vec![("a", Some("a"))], "a!"),
            (vec![("x", None), ("x", Some("x"))], "x x<x"),
        ] {
            let show = |place: Place| {
                let name = |index: usize| messages[index].0;
                let parent = place.parent.map(|parent| format!("<{}", name(parent))).unwrap_or_default();
                format!("{}{parent}{}", name(place.index), if place.cut { "!" } else { "" })
            };
            let places: Vec<_> = parents_first(messages.iter().copied()).into_iter().map(show).collect();
            assert_eq!(places.join(" "), expected);
        }
    }

    #[test]
    fn a_chain_written_backwards_is_linear() {
        let ids: Vec<String> = (0..200_000).map(|n| n.to_string()).collect();
        let messages = ids.iter().enumerate().rev();
        let places = parents_first(messages.map(|(n, id)| (id.as_str(), n.checked_sub(1).map(|n| ids[n].as_str()))));
        assert_eq!(places.len(), 200_000);
        assert!(places.iter().all(|place| !place.cut));
    }
}
