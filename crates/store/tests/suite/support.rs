//! Empty stores, and words to fill them with.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Node, NodeId, Part, Space, SpaceId, Timestamp};
use weftwork_store::{Access, Address, Appended, Draft, Store};

/// When every test happens.
pub(crate) const NOW: i64 = 1_771_426_200_000;

/// Makes a test of each function, once on SQLite and once on PostgreSQL.
#[macro_export]
macro_rules! on_both {
    ($($(#[$meta:meta])* fn $name:ident($store:ident: &Fresh) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            use super::*;
            #[allow(unused_imports)]
            use $crate::support::{Fresh, NOW};

            fn test($store: &Fresh) $body

            #[test]
            fn sqlite() {
                test(&Fresh::sqlite());
            }

            #[test]
            fn postgres() {
                test(&Fresh::postgres());
            }
        }
    )*};
}

/// A store that nobody else has, gone with the test.
pub(crate) struct Fresh {
    pub(crate) address: Address,
    store: Option<Store>,
    folder: Option<PathBuf>,
}

impl std::ops::Deref for Fresh {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store.as_ref().expect("open")
    }
}

static COUNT: AtomicU64 = AtomicU64::new(0);

fn unique() -> String {
    format!("weft_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Fresh {
    pub(crate) fn sqlite() -> Fresh {
        Fresh::bare_sqlite().opened()
    }

    pub(crate) fn postgres() -> Fresh {
        Fresh::bare_postgres().opened()
    }

    /// A place for a store, and nothing there yet: on each database.
    pub(crate) fn bare() -> [Fresh; 2] {
        [Fresh::bare_sqlite(), Fresh::bare_postgres()]
    }

    pub(crate) fn bare_sqlite() -> Fresh {
        Fresh::sqlite_in(std::env::temp_dir())
    }

    /// In memory where the machine has a place for that, for tests that write a lot and do not outlive the machine.
    pub(crate) fn swift_sqlite() -> Fresh {
        let memory = PathBuf::from("/dev/shm");
        Fresh::sqlite_in(if memory.is_dir() { memory } else { std::env::temp_dir() })
    }

    fn sqlite_in(place: PathBuf) -> Fresh {
        let folder = place.join(unique());
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Fresh { address: Address::File(folder.join("weft.db")), store: None, folder: Some(folder) }
    }

    pub(crate) fn bare_postgres() -> Fresh {
        let url = server();
        let name = unique();
        let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the test server");
        client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a new database");
        let (base, _) = url.rsplit_once('/').expect("a database in the address");
        Fresh { address: Address::Postgres(format!("{base}/{name}")), store: None, folder: None }
    }

    pub(crate) fn opened(mut self) -> Fresh {
        self.store = Some(Store::open(&self.address, Access::Write, NOW).expect("a new store"));
        self
    }

    /// Closes the store; its place is left as it is.
    pub(crate) fn close(mut self) -> Fresh {
        self.store = None;
        self
    }

    /// Changes the data behind the store's back.
    pub(crate) fn tamper(&self, sql: &str, id: &NodeId) {
        self.raw(&sql.replace("{}", id.as_str()));
    }

    /// Runs statements behind the store's back.
    pub(crate) fn raw(&self, sql: &str) {
        match &self.address {
            Address::File(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
            Address::Postgres(url) => {
                postgres::Client::connect(url, postgres::NoTls).unwrap().batch_execute(sql).unwrap();
            }
        }
    }
}

/// Rows as the database has them, behind the store's back.
pub(crate) fn table(address: &Address, sql: &str) -> Vec<Vec<String>> {
    match address {
        Address::File(path) => {
            let conn = rusqlite::Connection::open(path).unwrap();
            let mut statement = conn.prepare(sql).unwrap();
            let columns = statement.column_count();
            let cells = |row: &rusqlite::Row<'_>| (0..columns).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect();
            statement.query_map([], cells).unwrap().map(Result::unwrap).collect()
        }
        Address::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            let rows = client.query(sql, &[]).unwrap();
            rows.iter().map(|row| (0..row.len()).map(|at| cell(row, at)).collect()).collect()
        }
    }
}

fn cell(row: &postgres::Row, at: usize) -> String {
    match row.columns()[at].type_().name() {
        "int8" => format!("{:?}", row.get::<_, Option<i64>>(at)),
        "text" | "name" => format!("{:?}", row.get::<_, Option<String>>(at)),
        "bytea" => format!("{:?}", row.get::<_, Option<Vec<u8>>>(at)),
        other => panic!("a column of type {other}"),
    }
}

/// A number from the environment, for the long form of a test.
pub(crate) fn from_env(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |value| value.parse().expect("a number"))
}

/// This binary again, as a process of its own that runs one test. That test does its work only when `variable` is set.
pub(crate) fn again(test: &str, variable: &str, value: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args([test, "--exact", "--nocapture"]).env(variable, value);
    command
}

/// An address as [`Address::parse`] reads it.
pub(crate) fn spelled(address: &Address) -> String {
    match address {
        Address::File(path) => path.display().to_string(),
        Address::Postgres(url) => url.clone(),
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        self.store = None;
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
        if let Address::Postgres(url) = &self.address {
            let name = url.rsplit_once('/').map_or("", |(_, name)| name);
            if let Ok(mut client) = postgres::Client::connect(&server(), postgres::NoTls) {
                let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
            }
        }
    }
}

/// The server that `scripts/with-postgres.sh` started.
pub(crate) fn server() -> String {
    std::env::var("WEFT_TEST_POSTGRES")
        .expect("no PostgreSQL: run `make test`, or scripts/with-postgres.sh cargo test -p weftwork-store")
}

/// A space with Husam, Sarah and an agent.
pub(crate) fn team(store: &Store) -> SpaceId {
    let mut header = Conversation::new(Space::new("team", "Team"));
    header.entities =
        vec![entity("husam", EntityKind::Human), entity("sarah", EntityKind::Human), entity("analyst", EntityKind::Agent)];
    store.create_space(&header, NOW).expect("a new space");
    header.space.id
}

pub(crate) fn entity(id: &str, kind: EntityKind) -> Entity {
    Entity::new(id, id, kind)
}

/// Something said now.
pub(crate) fn said(author: &str, text: &str) -> Node {
    Node { created_at: Timestamp::from_millis(NOW), ..Node::new("", None, author).text(text) }
}

/// What a node says.
pub(crate) fn text(node: &Node) -> String {
    let texts = node.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    texts.collect()
}

/// Says it on the default head.
pub(crate) fn say(store: &Store, space: &SpaceId, author: &str, text: &str) -> Appended {
    store.append(space, Draft::new(said(author, text))).expect("said")
}

pub(crate) fn ent(id: &str) -> EntityId {
    EntityId::from(id)
}

pub(crate) fn node(id: &str) -> NodeId {
    NodeId::from(id)
}
