//! What somebody may have meant.

/// More are no help.
const MOST: usize = 5;

/// Those of `all` that are nearest to `wanted`, nearest first: those that hold it, then those with a few other letters.
pub(crate) fn near<'a>(wanted: &str, all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().take(100).collect();
    let far = |name: &str| {
        let name: Vec<char> = name.to_lowercase().chars().take(100).collect();
        let holds = !wanted.is_empty() && name.windows(wanted.len()).any(|part| part == wanted);
        if holds { 0 } else { distance(&wanted, &name) }
    };
    let enough = (wanted.len() / 2).max(2);
    let mut found: Vec<(usize, &str)> = all.map(|name| (far(name), name)).filter(|(far, _)| *far <= enough).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// How many letters must be put in, taken out or changed.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, left) in a.iter().enumerate() {
        let mut above_left = std::mem::replace(&mut row[0], at + 1);
        for (to, right) in b.iter().enumerate() {
            let above = row[to + 1];
            row[to + 1] = (above_left + usize::from(left != right)).min(above + 1).min(row[to] + 1);
            above_left = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_the_far_not_at_all() {
        let all = ["Project Alpha", "Project Beta", "projects", "Tea"];
        assert_eq!(near("alpha", all.into_iter()), ["Project Alpha"]);
        assert_eq!(near("Projct", all.into_iter()), ["projects"]);
        assert_eq!(near("zzzzzz", all.into_iter()), Vec::<&str>::new());
    }
}
