//! How secret the way to a PostgreSQL server is, and what the server has to prove.
//!
//! `sslmode` and `sslrootcert` of an address mean what they mean to PostgreSQL's own programs (`allow` is `prefer`). Where the
//! address says nothing, the way is encrypted if the server offers it, and anybody may be that server; whoever wants to be sure
//! says `verify-full`.

use super::wire::{OpenError, Opened};
use crate::error::{Result, StoreError};
use percent_encoding::percent_decode_str;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What the server has to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// Nothing: only who listens on the way is kept out.
    Nothing,
    /// That somebody vouches for it whom we trust.
    Vouched,
    /// And that it is the one we called.
    Named,
}

/// Whom we trust to vouch for servers.
enum Trust {
    /// Whom the system trusts.
    System,
    /// Those in a file.
    File(String),
}

/// Connects. Where encryption is no more than preferred and does not come about, without it, as PostgreSQL's own programs do.
pub(crate) fn connected<T>(url: &str, connect: impl Fn(&Config, MakeRustlsConnect) -> Opened<T>) -> Result<T> {
    let (mut config, secrecy) = way(url)?;
    config.application_name("weft");
    match connect(&config, secrecy.clone()) {
        Err(OpenError::Server(error)) if config.get_ssl_mode() == SslMode::Prefer && may_be_the_way(&error) => {
            config.ssl_mode(SslMode::Disable);
            Ok(connect(&config, secrecy)?)
        }
        opened => Ok(opened?),
    }
}

/// Whether it may go without encryption: no server has spoken, or one that lets nobody in this way.
fn may_be_the_way(error: &tokio_postgres::Error) -> bool {
    error.code().is_none_or(|code| *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION)
}

/// Takes an address apart into the server and the way to it.
fn way(url: &str) -> Result<(Config, MakeRustlsConnect)> {
    let (rest, mode, roots) = apart(url);
    let mut config: Config = rest.parse()?;
    let trust = match roots.as_deref() {
        None | Some("system") => Trust::System,
        Some(path) => Trust::File(path.to_owned()),
    };
    let is_system = roots.as_deref() == Some("system");
    let (mode, proof) = match (mode.as_deref(), roots) {
        (None, Some(_)) if is_system => (SslMode::Require, Proof::Named),
        (Some("verify-full"), _) => (SslMode::Require, Proof::Named),
        (Some(other), _) if is_system => {
            // So many are trusted by the system that who vouches says little.
            return Err(bad(format!("sslrootcert=system goes with sslmode=verify-full only, and not with {other:?}")));
        }
        (Some("disable"), _) => (SslMode::Disable, Proof::Nothing),
        (None | Some("allow" | "prefer"), _) => (SslMode::Prefer, Proof::Nothing),
        (Some("require"), None) => (SslMode::Require, Proof::Nothing),
        (Some("require" | "verify-ca"), _) => (SslMode::Require, Proof::Vouched),
        (Some(other), _) => {
            let known = "disable, allow, prefer, require, verify-ca or verify-full";
            return Err(bad(format!("sslmode is {known}, and not {other:?}")));
        }
    };
    let hosts = config.get_hosts();
    let is_local =
        !hosts.is_empty() && config.get_hostaddrs().is_empty() && hosts.iter().all(|host| matches!(host, Host::Unix(_)));
    // A socket of this machine has no way that others could listen on.
    config.ssl_mode(if is_local { SslMode::Disable } else { mode });
    Ok((config, MakeRustlsConnect::new(client(proof, &trust)?)))
}

fn bad(detail: String) -> StoreError {
    StoreError::BadAddress { detail }
}

/// The address without what the driver does not know, and that: `sslmode` and `sslrootcert`.
fn apart(url: &str) -> (String, Option<String>, Option<String>) {
    // A password may hold a question mark: what stands before the first @ is the driver's.
    let begin = url.find('@').unwrap_or(0);
    let Some(mark) = url[begin..].find('?').map(|at| begin + at) else { return (url.to_owned(), None, None) };
    let (server, options) = (&url[..mark], &url[mark + 1..]);
    let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
    for option in options.split('&') {
        let value = |text: &str| Some(percent_decode_str(text).decode_utf8_lossy().into_owned());
        match option.split_once('=') {
            Some(("sslmode", given)) => mode = value(given),
            Some(("sslrootcert", given)) => roots = value(given),
            Some(_) | None => rest.push(option),
        }
    }
    (format!("{server}?{}", rest.join("&")), mode, roots)
}

fn client(proof: Proof, trust: &Trust) -> Result<ClientConfig> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let vouchers = match proof {
        Proof::Nothing => None,
        Proof::Vouched | Proof::Named => {
            let roots = Arc::new(roots(trust)?);
            let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build();
            Some(verifier.map_err(|error| bad(format!("sslrootcert: {error}")))?)
        }
    };
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| StoreError::Unreachable { detail: error.to_string() })?;
    let judge = Arc::new(Judge { proof, vouchers, provider });
    Ok(builder.dangerous().with_custom_certificate_verifier(judge).with_no_client_auth())
}

fn roots(trust: &Trust) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    match trust {
        Trust::System => {
            let found = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(found.certs);
        }
        Trust::File(path) => {
            let unread = |error| bad(format!("sslrootcert {path:?} cannot be read: {error}"));
            for certificate in CertificateDer::pem_file_iter(path).map_err(unread)? {
                let unfit = |error| bad(format!("sslrootcert {path:?}: {error}"));
                roots.add(certificate.map_err(unread)?).map_err(unfit)?;
            }
        }
    }
    match roots.is_empty() {
        true => Err(bad("there is no certificate to check the server with: name a file with sslrootcert=…".to_owned())),
        false => Ok(roots),
    }
}

/// Looks at what a server shows. That it has the key to it is always checked.
#[derive(Debug)]
struct Judge {
    proof: Proof,
    vouchers: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, Error> {
        let Some(vouchers) = &self.vouchers else { return Ok(ServerCertVerified::assertion()) };
        match (vouchers.verify_server_cert(shown, between, name, ocsp, now), self.proof) {
            // The name is looked at last, when all else is well.
            (
                Err(Error::InvalidCertificate(
                    CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
                )),
                Proof::Vouched,
            ) => Ok(ServerCertVerified::assertion()),
            (judged, _) => judged,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, shown, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, shown, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
