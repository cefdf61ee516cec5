//! What is looked for. Any text is a query: nothing in it can be wrong.
//!
//! The index gives candidates, never too few; [`Query::matches`] says which of them it is.

use super::LastWord;
use super::unit::{Shape, Unit, Units, cut};
use crate::sql::Engine;
use std::ops::Range;

/// Bytes of a query that are read.
const LONGEST: usize = 1_000;
/// A beginning of a word must have so many letters: what begins with one letter is everything.
const SHORTEST_BEGINNING: usize = 2;

/// What is looked for.
#[derive(Debug, Default)]
pub(super) struct Query {
    wanted: Vec<Item>,
    unwanted: Vec<Item>,
}

/// Units that stand one after another.
#[derive(Debug)]
struct Item {
    units: Vec<(Shape, String)>,
    /// Pairs of dense letters, singles that may begin a pair, and words, as the index has them.
    terms: Vec<Term>,
    last: LastWord,
}

#[derive(Debug)]
enum Term {
    Whole(String),
    Beginning(String),
}

impl Query {
    pub(super) fn parse(text: &str, last: LastWord) -> Query {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let mut query = Query::default();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let negated = first == '-' && rest[1..].chars().next().is_some_and(|c| c.is_alphanumeric() || is_quote(c));
            rest = &rest[usize::from(negated)..];
            let (chunk, after, quoted) = chunk(rest);
            let is_open = after.is_empty() && !quoted && !negated && last == LastWord::Begun;
            let begun = if is_open || (!quoted && chunk.ends_with('*')) { LastWord::Begun } else { LastWord::Whole };
            if let Some(item) = Item::of(chunk, begun) {
                if negated { query.unwanted.push(item) } else { query.wanted.push(item) }
            }
            rest = after.trim_start();
        }
        query
    }

    /// Whether there is anything to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Where in a text it stands, in order; none if the text is not what is looked for.
    pub(super) fn matches(&self, units: &Units<'_>) -> Option<Vec<Range<usize>>> {
        if self.unwanted.iter().any(|item| !item.places(units).is_empty()) {
            return None;
        }
        let mut places = Vec::new();
        for item in &self.wanted {
            let found = item.places(units);
            if found.is_empty() {
                return None;
            }
            places.extend(found);
        }
        places.sort_unstable_by_key(|place| (place.start, place.end));
        Some(places)
    }

    /// The query as the index of a database is asked; `also` is a term that must be there too.
    pub(super) fn expression(&self, engine: Engine, also: Option<&str>) -> String {
        let (and, not) = match engine {
            Engine::Sqlite => (" AND ", " NOT "),
            Engine::Postgres => (" & ", " & !"),
        };
        let wanted = self.wanted.iter().flat_map(|item| &item.terms).map(|term| term.spell(engine));
        let mut parts: Vec<String> = wanted.chain(also.map(|also| Term::Whole(also.to_owned()).spell(engine))).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut out = format!("({})", parts.join(and));
        for term in self.unwanted.iter().filter_map(Item::sole_term) {
            out.push_str(not);
            out.push_str(&term.spell(engine));
        }
        out
    }
}

/// The next word or quoted text, what follows it, and whether it was quoted to its end.
fn chunk(text: &str) -> (&str, &str, bool) {
    let first = text.chars().next().unwrap_or(' ');
    if is_quote(first) {
        let inside = &text[first.len_utf8()..];
        return match inside.char_indices().find(|(_, c)| is_quote(*c)) {
            Some((end, c)) => (&inside[..end], &inside[end + c.len_utf8()..], true),
            None => (inside, "", false),
        };
    }
    let end = text.char_indices().find(|(at, c)| c.is_whitespace() || *at > 0 && is_quote(*c)).map_or(text.len(), |(at, _)| at);
    (&text[..end], &text[end..], false)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»')
}

impl Item {
    fn of(text: &str, last: LastWord) -> Option<Item> {
        let units = Units::of(text);
        let (end, list) = (units.list().last()?, units.list());
        let is_beginning = end.shape == Shape::Word && units.folded(end).chars().count() >= SHORTEST_BEGINNING;
        let last = if is_beginning { last } else { LastWord::Whole };
        let mut terms = Vec::with_capacity(list.len());
        for (at, unit) in list.iter().enumerate() {
            let is_last = at + 1 == list.len();
            let follows = list.get(at + 1).is_some_and(|next| next.shape == Shape::Joined);
            match unit.shape {
                Shape::Word => terms.push(word(units.folded(unit), if is_last { last } else { LastWord::Whole })),
                Shape::Sign => terms.push(Term::Whole(units.folded(unit).to_owned())),
                Shape::Dense | Shape::Joined if follows => terms.push(Term::Whole(units.pair(at).to_owned())),
                Shape::Dense => terms.push(Term::Beginning(units.folded(unit).to_owned())),
                // The last of a stretch is in the pair before it.
                Shape::Joined => {}
            }
        }
        let units = list.iter().map(|unit| (unit.shape, units.folded(unit).to_owned())).collect();
        Some(Item { units, terms, last })
    }

    /// The term that says by itself whether the item is in a text.
    fn sole_term(&self) -> Option<&Term> {
        match (&*self.units, &*self.terms) {
            ([(Shape::Word, word)], [term]) if cut(word).len() == word.len() => Some(term),
            _ => None,
        }
    }

    /// Where it stands in a text.
    fn places(&self, units: &Units<'_>) -> Vec<Range<usize>> {
        let list = units.list();
        let windows = list.windows(self.units.len());
        let found = windows.filter(|window| window.iter().enumerate().all(|(at, unit)| self.is_at(at, units, unit)));
        found.map(|window| window[0].source.start..window[window.len() - 1].source.end).collect()
    }

    fn is_at(&self, at: usize, units: &Units<'_>, unit: &Unit) -> bool {
        let (shape, wanted) = &self.units[at];
        let is_last = at + 1 == self.units.len();
        let equal = |word: &str| match self.last {
            LastWord::Begun if is_last => word.starts_with(wanted.as_str()),
            LastWord::Begun | LastWord::Whole => word == wanted,
        };
        match (shape, unit.shape) {
            (Shape::Word, Shape::Word) => equal(units.folded(unit)) || units.parts(unit).iter().any(|part| equal(part)),
            // Letters that were joined must be joined: so the index has them.
            (Shape::Dense, Shape::Dense | Shape::Joined) | (Shape::Joined, Shape::Joined) | (Shape::Sign, Shape::Sign) => {
                units.folded(unit) == wanted
            }
            _ => false,
        }
    }
}

fn word(folded: &str, last: LastWord) -> Term {
    let kept = cut(folded);
    match last {
        LastWord::Begun if kept.len() == folded.len() => Term::Beginning(kept.to_owned()),
        LastWord::Begun | LastWord::Whole => Term::Whole(kept.to_owned()),
    }
}

impl Term {
    /// Terms hold letters, digits, pictures and marks, so nothing in quotes has to be escaped.
    fn spell(&self, engine: Engine) -> String {
        match (engine, self) {
            (Engine::Sqlite, Term::Whole(term)) => format!("\"{term}\""),
            (Engine::Sqlite, Term::Beginning(term)) => format!("\"{term}\"*"),
            (Engine::Postgres, Term::Whole(term)) => format!("'{term}'"),
            (Engine::Postgres, Term::Beginning(term)) => format!("'{term}':*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(query: &str, text: &str) -> bool {
        Query::parse(query, LastWord::Whole).matches(&Units::of(text)).is_some()
    }

    #[test]
    fn words_phrases_beginnings_and_exclusions() {
        for (query, text, expected) in [
            ("cat dog", "The dog and the CAT", true),
            ("cat dog", "the cat", false),
            ("\"the cat\"", "see the cat run", true),
            ("\"the cat\"", "the big cat", false),
            ("\"the cat", "the cat", true),
            ("wor*", "words", true),
            ("wor", "words", false),
            ("w*", "words", false),
            ("cat -dog", "cat and dog", false),
            ("cat -dog", "cat and dogma", true),
            ("cat -\"big dog\"", "cat, big dog", false),
            ("--release", "cargo build --release", true),
            ("don't", "I don't", true),
            ("snake_case", "a snake_case name", true),
            ("header", "parseHttpHeader", true),
            ("黒猫", "大きな黒猫がいる", true),
            ("猫", "大きな黒猫がいる", true),
            ("黒い", "大きな黒猫がいる", false),
            ("日本語", "日本 語", false),
            ("🎉", "party🎉", true),
        ] {
            assert_eq!(finds(query, text), expected, "{query} in {text}");
        }
    }

    #[test]
    fn the_index_is_asked_in_its_own_words() {
        let query = Query::parse("big \"red cat\" wor* -dog -\"a b\"", LastWord::Whole);
        assert_eq!(query.expression(Engine::Sqlite, None), r#"("big" AND "cat" AND "red" AND "wor"*) NOT "dog""#);
        assert_eq!(query.expression(Engine::Postgres, Some("x")), "('big' & 'cat' & 'red' & 'wor':* & 'x') & !'dog'");
        let typed = Query::parse("big wo", LastWord::Begun);
        assert_eq!(typed.expression(Engine::Sqlite, None), r#"("big" AND "wo"*)"#);
    }
}
