//! The report, and that nothing but the input decides.

use crate::{Case, dice, for_all};
use weftwork::dialect::Dialect;
use weftwork::model::NodeId;
use weftwork::{History, assemble};

/// The ids from the root to the head, walked by hand.
fn path(case: &Case) -> Vec<NodeId> {
    let parent = |id: &NodeId| case.file.nodes.iter().find(|node| node.id == *id).and_then(|node| node.parent.clone());
    let head = case.ask.head.clone().or(case.file.head.clone());
    let mut path: Vec<NodeId> = std::iter::successors(head, parent).collect();
    path.reverse();
    path
}

#[test]
fn every_node_of_the_path_is_told_once_and_in_order() {
    for_all(|case, dice| {
        if dice.once_in(3) {
            dice::other_form(dice, &mut case.file, &mut case.ask);
        }
        case.ask.dialect = Some(dice.pick(Dialect::ALL));
        let history = case.history();
        let Ok(assembly) = assemble(&history, &case.ask) else { return Ok(()) };
        let each = assembly.each_node(&history);
        let told: Vec<_> = each.iter().map(|item| item.from.clone()).collect();
        if told != path(case) {
            return Err(format!("{told:?} is not {:?}", path(case)));
        }
        let mut rest = each.as_slice();
        for item in &assembly.report.items {
            let (run, left) = rest.split_at_checked(item.nodes as usize).ok_or("more nodes in runs than on the path")?;
            let ends = (run.first().map(|one| &one.from), run.last().map(|one| &one.to));
            let same = run.iter().all(|one| (one.decision, one.reason) == (item.decision, item.reason));
            if ends != (Some(&item.from), Some(&item.to)) || !same {
                return Err(format!("{item:?} is not {run:?}"));
            }
            rest = left;
        }
        if rest.is_empty() { Ok(()) } else { Err(format!("{rest:?} is in no run")) }
    });
}

#[test]
fn the_same_input_gives_the_same_bytes_whatever_the_order_of_the_file() {
    for_all(|case, dice| {
        if dice.once_in(3) {
            dice::other_form(dice, &mut case.file, &mut case.ask);
        }
        case.ask.dialect = Some(dice.pick(Dialect::ALL));
        let one = case.run();
        case.file.nodes.reverse();
        let other = case.run();
        match (one, other) {
            (Ok(one), Ok(other)) if one.request == other.request && one.report == other.report => Ok(()),
            (Err(one), Err(other)) if one == other => Ok(()),
            (one, other) => Err(format!("{one:?}\n{other:?}")),
        }
    });
}

#[test]
fn a_conversation_file_goes_in_and_out_unchanged() {
    for_all(|case, _| {
        let text = serde_json::to_string(&case.file).map_err(|error| error.to_string())?;
        let read = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let history = History::new(read).map_err(|error| error.to_string())?;
        let (one, other) = (case.run(), assemble(&history, &case.ask));
        match (one, other) {
            (Ok(one), Ok(other)) if one.request == other.request => Ok(()),
            (Err(one), Err(other)) if one == other => Ok(()),
            (one, other) => Err(format!("{one:?}\n{other:?}")),
        }
    });
}
