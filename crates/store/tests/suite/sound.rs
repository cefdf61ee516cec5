//! Whether a store holds together, whatever happened to it.

use crate::support::{NOW, table};
use weftwork::model::{Conversation, SpaceId};
use weftwork_store::{Address, Names, Seq, Store};

/// A space holds together: hashes, an order without gaps, heads that are there, and rows that are those of the same file
/// taken in at once. Returns the space as a file.
pub(crate) fn check(store: &Store, address: &Address, space: &SpaceId) -> Conversation {
    assert_eq!(store.verify(space, &mut |_| {}).unwrap().broken, None, "{space}");
    let file = store.export(space).unwrap();
    let listed = store.after(space, Seq(0), u32::MAX).unwrap();
    let expected: Vec<_> = (1..).map(Seq).zip(file.nodes.clone()).collect();
    assert_eq!(listed, expected, "{space} has an order without gaps");
    assert_eq!(file.head.is_some(), !file.nodes.is_empty(), "{space} has a head");
    for head in file.head.iter().chain(file.heads.values()) {
        assert!(file.nodes.iter().any(|node| node.id == *head), "head {head} of {space} is there");
    }
    rebuilt(store, address, &file);
    file
}

/// Places, lanes, flags, counts and voices are what taking in the whole file at once computes.
fn rebuilt(store: &Store, address: &Address, file: &Conversation) {
    let mut copy = file.clone();
    copy.space.id = SpaceId::from(format!("copy of {}", file.space.id));
    store.import(&copy, Names::Ours, NOW, &mut |_| {}).unwrap();
    let nodes = |space: &SpaceId| {
        let sql = format!(
            "SELECT n.key - n.space * 4294967296, n.id, n.parent - n.space * 4294967296, n.lane - n.space * 4294967296, \
             n.depth, n.author, n.at, n.kind, n.status, n.role, n.flags, n.special, n.text, n.parts, n.more, n.tally, n.hash \
             FROM nodes n JOIN spaces s ON s.no = n.space WHERE s.id = '{space}' ORDER BY n.key"
        );
        table(address, &sql)
    };
    for (kept, computed) in nodes(&file.space.id).into_iter().zip(nodes(&copy.space.id)) {
        assert_eq!(kept, computed, "a node of {}", file.space.id);
    }
    // What was true of a node while it was being written may be noted for good; what is true now must be.
    let voices = |space: &SpaceId| {
        let sql = format!("SELECT v.entity FROM voices v JOIN spaces s ON s.no = v.space WHERE s.id = '{space}' ORDER BY 1");
        table(address, &sql)
    };
    assert_eq!(voices(&file.space.id), voices(&copy.space.id), "voices of {}", file.space.id);
    let missed = format!(
        "SELECT c.traits FROM spaces s JOIN spaces c ON c.id = '{}' WHERE s.id = '{}' AND (c.traits & s.traits) <> c.traits",
        copy.space.id, file.space.id
    );
    assert!(table(address, &missed).is_empty(), "traits of {}", file.space.id);
    let missed = format!(
        "SELECT v.entity FROM voices v JOIN spaces s ON s.no = v.space AND s.id = '{}' JOIN spaces c ON c.id = '{}' \
         JOIN voices w ON w.space = c.no AND w.entity = v.entity WHERE w.only_tools > v.only_tools",
        file.space.id, copy.space.id
    );
    assert!(table(address, &missed).is_empty(), "voices of {}", file.space.id);
}
