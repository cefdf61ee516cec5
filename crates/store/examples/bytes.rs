//! What a conversation takes on disk, and how long finding something in it takes: `bytes FILE [DATABASE]`.

use std::time::Instant;
use weftwork::ask::Check;
use weftwork::formats;
use weftwork_store::{Access, Address, Draft, LastWord, Scope, Search, Store};

/// Queries of each kind: rare, common, common pairs, a phrase, a beginning.
const QUERIES: [(&str, LastWord); 7] = [
    ("roadmap", LastWord::Whole),
    ("the", LastWord::Whole),
    ("the that with", LastWord::Whole),
    ("\"of the\"", LastWord::Whole),
    ("be", LastWord::Begun),
    ("nowhereatall", LastWord::Whole),
    ("the -and", LastWord::Whole),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("bytes FILE [DATABASE]")?;
    let folder = std::env::temp_dir().join(format!("weft-bytes-{}", std::process::id()));
    let address = args.next().map_or_else(|| Address::File(folder.join("weft.db")), |text| Address::parse(&text));
    let store = Store::open(&address, Access::Write, 0)?;
    let (messages, payload) = fill(&store, &file)?;
    let per_message = |bytes: u64| bytes as f64 / messages as f64;
    println!("{messages} messages, payload {:.0} bytes each", per_message(payload));
    let before = size(&address)?;
    let start = Instant::now();
    store.index(u64::MAX)?;
    println!("indexed in {:.2} s", start.elapsed().as_secs_f64());
    for (query, last) in QUERIES {
        let start = Instant::now();
        let found = store.search(&Search { last, ..Search::new(query, Scope::All) })?;
        println!("{query:>16}: {} hits in {:.2} ms", found.hits.len(), start.elapsed().as_secs_f64() * 1e3);
    }
    drop(store);
    let after = size(&address)?;
    println!("without search {:.0} bytes, with it {:.0}", per_message(before), per_message(after));
    println!("{:.2} and {:.2} times the payload", before as f64 / payload as f64, after as f64 / payload as f64);
    let _ = std::fs::remove_dir_all(folder);
    Ok(())
}

/// Adds all that a file holds; how many messages, and of how many bytes.
fn fill(store: &Store, file: &str) -> Result<(u64, u64), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(file)?;
    let import = formats::import(&bytes, None, Check::Repair)?;
    let mut messages = 0;
    for mut conversation in import.conversations {
        let nodes = std::mem::take(&mut conversation.nodes);
        (conversation.head, messages) = (None, messages + nodes.len() as u64);
        store.create_space(&conversation, 0)?;
        for node in nodes {
            store.append(&conversation.space.id, Draft::new(node))?;
        }
    }
    Ok((messages, bytes.len() as u64))
}

/// Bytes of the database, with its indexes.
fn size(address: &Address) -> Result<u64, Box<dyn std::error::Error>> {
    match address {
        Address::File(path) => {
            // What is in the log belongs to it.
            let conn = rusqlite::Connection::open(path)?;
            conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(std::fs::metadata(path)?.len())
        }
        Address::Postgres(url) => {
            let sql = "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relname IN ('nodes', 'words')";
            let row = postgres::Client::connect(url, postgres::NoTls)?.query_one(sql, &[])?;
            Ok(u64::try_from(row.get::<_, i64>(0))?)
        }
    }
}
