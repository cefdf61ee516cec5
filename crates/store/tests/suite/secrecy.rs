//! The way to a server: encrypted or not, and to whom, as the address says.
//!
//! The server is the real one. Its socket has no encryption, so a door stands before it that has, as PostgreSQL's own.

use crate::support::{Fresh, NOW};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use weftwork_store::{Access, Address, Store, StoreError};

/// What a client begins with that would like encryption.
const ASKS: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// A door to a database.
struct Door {
    port: u16,
    database: String,
    certificate: tempfile::NamedTempFile,
    /// How many came through it encrypted.
    encrypted: Arc<AtomicUsize>,
    _fresh: Fresh,
    _runtime: Runtime,
}

/// What a door says to those who ask for encryption.
#[derive(Clone, Copy)]
enum Offers {
    Encryption,
    Nothing,
    /// Yes, and then hangs up.
    Nonsense,
}

impl Door {
    fn new(offers: Offers) -> Door {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".into()]).expect("a certificate");
        let certificate = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(certificate.path(), cert.pem()).expect("a file");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key))
            .expect("a server");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let (fresh, encrypted, runtime) = (Fresh::bare_postgres(), Arc::default(), Runtime::new().expect("a runtime"));
        let (socket, database) = behind(&fresh.address);
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let counted = Arc::clone(&encrypted);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, socket, counted) = (acceptor.clone(), socket.clone(), Arc::clone(&counted));
                // Who leaves in the middle is none of its business.
                tokio::spawn(async move { pass(stream, offers, acceptor, &socket, &counted).await.ok() });
            }
        });
        Door { port, database, certificate, encrypted, _fresh: fresh, _runtime: runtime }
    }

    fn address(&self, host: &str, options: &str) -> Address {
        let options = options.replace("FILE", &self.certificate.path().display().to_string().replace('/', "%2F"));
        Address::parse(&format!("postgres://weft{host}:{}/{}{options}", self.port, self.database))
    }

    fn open(&self, host: &str, options: &str) -> Result<Store, StoreError> {
        Store::open(&self.address(host, options), Access::Write, NOW)
    }
}

/// The folder of a server's socket, and the database.
fn behind(address: &Address) -> (PathBuf, String) {
    let Address::Postgres(url) = address else { panic!("{address:?}") };
    let config: postgres::Config = url.parse().expect("an address");
    let Some(postgres::config::Host::Unix(folder)) = config.get_hosts().first() else { panic!("{url}") };
    (folder.join(".s.PGSQL.5432"), config.get_dbname().expect("a database").to_owned())
}

async fn pass(
    mut stream: TcpStream,
    offers: Offers,
    acceptor: TlsAcceptor,
    socket: &Path,
    counted: &AtomicUsize,
) -> std::io::Result<()> {
    let mut first = [0; 8];
    stream.read_exact(&mut first).await?;
    match offers {
        _ if first != ASKS => join(stream, socket, &first).await,
        Offers::Nonsense => stream.write_all(b"S").await,
        Offers::Nothing => {
            stream.write_all(b"N").await?;
            join(stream, socket, &[]).await
        }
        Offers::Encryption => {
            stream.write_all(b"S").await?;
            let stream = acceptor.accept(stream).await?;
            counted.fetch_add(1, Ordering::Relaxed);
            join(stream, socket, &[]).await
        }
    }
}

async fn join(mut stream: impl AsyncRead + AsyncWrite + Unpin, socket: &Path, first: &[u8]) -> std::io::Result<()> {
    let mut server = UnixStream::connect(socket).await?;
    server.write_all(first).await?;
    copy_bidirectional(&mut stream, &mut server).await.map(drop)
}

#[test]
fn the_way_is_as_secret_as_the_address_says() {
    let door = Door::new(Offers::Encryption);
    for (host, options, secret) in [
        ("@localhost", "", true),
        ("@localhost", "?sslmode=disable", false),
        ("@localhost", "?sslmode=prefer&connect_timeout=9", true),
        ("@127.0.0.1", "?sslmode=require", true),
        ("@localhost", "?sslmode=verify-full&sslrootcert=FILE", true),
        ("@127.0.0.1", "?sslmode=verify-ca&sslrootcert=FILE", true),
        ("@127.0.0.1", "?sslrootcert=FILE&sslmode=require", true),
        (":a?sslmode=disable@localhost", "?sslmode=require", true),
    ] {
        let before = door.encrypted.load(Ordering::Relaxed);
        let store = door.open(host, options).unwrap_or_else(|error| panic!("{host}{options}: {error}"));
        assert!(store.spaces().expect("spaces").is_empty());
        assert_eq!(door.encrypted.load(Ordering::Relaxed) > before, secret, "{host}{options}");
    }
}

#[test]
fn hints_come_the_same_way() {
    let door = Door::new(Offers::Encryption);
    let address = door.address("@localhost", "?sslmode=verify-full&sslrootcert=FILE");
    let (heard, hints) = std::sync::mpsc::channel();
    let _listener = weftwork_store::listen(&address, move || heard.send(()).unwrap_or(())).expect("a server has hints");
    hints.recv_timeout(Duration::from_secs(20)).expect("it listens");
    assert_eq!(door.encrypted.load(Ordering::Relaxed), 1);
}

#[test]
fn a_server_that_proves_too_little_is_not_talked_to() {
    let door = Door::new(Offers::Encryption);
    for (host, options, says) in [
        ("@localhost", "?sslmode=verify-full", "UnknownIssuer"),
        ("@localhost", "?sslrootcert=system", "UnknownIssuer"),
        ("@127.0.0.1", "?sslmode=verify-full&sslrootcert=FILE", "not valid for name"),
    ] {
        let error = door.open(host, options).err().unwrap_or_else(|| panic!("{host}{options} was opened"));
        assert!(matches!(&error, StoreError::Unreachable { detail } if detail.contains(says)), "{host}{options}: {error}");
    }
    let hidden = format!("postgres:///{}?hostaddr=127.0.0.1&port={}&user=weft&sslmode=verify-full", door.database, door.port);
    let error = Store::open(&Address::parse(&hidden), Access::Write, NOW).err().expect("nobody knows its name");
    assert!(error.to_string().contains("no hostname"), "{error}");
}

#[test]
fn who_only_prefers_encryption_goes_without() {
    for offers in [Offers::Nothing, Offers::Nonsense] {
        let door = Door::new(offers);
        assert!(door.open("@localhost", "?sslmode=require").is_err());
        assert!(door.open("@localhost", "").is_ok());
    }
}

#[test]
fn what_an_address_says_wrongly_is_said() {
    for (options, says) in [
        ("sslmode=on", "sslmode is disable, allow, prefer, require, verify-ca or verify-full, and not \"on\""),
        ("sslmode=verify-ca&sslrootcert=system", "sslrootcert=system goes with sslmode=verify-full only"),
        ("sslmode=verify-full&sslrootcert=%2Fno%2Fwhere", "sslrootcert \"/no/where\" cannot be read"),
        ("sslcompression=1", "unknown option"),
    ] {
        let address = Address::parse(&format!("postgres://weft@localhost:1/weft?{options}"));
        let error = Store::open(&address, Access::Read, NOW).err().expect("a bad address");
        assert!(error.to_string().contains(says), "{error}");
    }
}
