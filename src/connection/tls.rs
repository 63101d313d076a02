//! TLS: what a client trusts and shows, and a stream that says how it ended.

use std::io::{self, Read, Write};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use rustls::client::Resumption;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{CertificateError, ClientConfig, ClientConnection, RootCertStore};

use super::delivery::Failure;

/// Which certificate authorities are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    /// Mozilla's, as they were when the library was built.
    #[default]
    Bundled,
    /// Those of the operating system.
    System,
}

/// What TLS connections are made with: checked when the client was made.
#[derive(Clone, Default)]
pub(crate) struct TlsMaterial {
    pub(crate) roots: Roots,
    pub(crate) added: Vec<CertificateDer<'static>>,
    pub(crate) identity: Option<Arc<CertifiedKey>>,
}

impl TlsMaterial {
    /// A certificate chain and its key, for a service that asks who calls.
    pub(crate) fn identity(chain: Vec<CertificateDer<'static>>, key: &PrivateKeyDer<'static>) -> Result<Arc<CertifiedKey>, String> {
        let key = rustls::crypto::ring::sign::any_supported_type(key).map_err(|_| "is of a kind that is not supported".to_owned())?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => Ok(Arc::new(certified)),
            Err(_) => Err("does not belong to the certificate".to_owned()),
        }
    }

    /// The configuration of rustls. It holds the sessions to resume, so one is kept for all connections.
    pub(crate) fn client_config(&self) -> Result<Arc<ClientConfig>, Failure> {
        let mut roots = match self.roots {
            Roots::Bundled => RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() },
            Roots::System => system_roots()?,
        };
        roots.add_parsable_certificates(self.added.iter().cloned());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::Defect(format!("TLS cannot be set up: {error}")))?
            .with_root_certificates(roots);
        let mut config = match &self.identity {
            Some(identity) => builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(identity)))),
            None => builder.with_no_client_auth(),
        };
        // Early data can be replayed by whoever recorded it: an order must never be in it.
        config.enable_early_data = false;
        config.resumption = Resumption::in_memory_sessions(32);
        Ok(Arc::new(config))
    }
}

/// The operating system's roots, read once a process: that takes up to a tenth of a second.
fn system_roots() -> Result<RootCertStore, Failure> {
    // No lock: a fork in the middle of the reading must not leave the child waiting for a thread that it does not have.
    static READ: ArcSwapOption<RootCertStore> = ArcSwapOption::const_empty();
    if let Some(roots) = READ.load_full() {
        return Ok(RootCertStore::clone(&roots));
    }
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(Failure::Tls(
            "the operating system has no certificate authorities to trust; install its ca-certificates, or set tls.roots to bundled".into(),
        ));
    }
    READ.store(Some(Arc::new(roots.clone())));
    Ok(roots)
}

/// A TLS connection over any stream, a tunnel through another one too.
pub(crate) struct TlsStream<S> {
    session: ClientConnection,
    pub(crate) inner: S,
}

impl<S: Read + Write> TlsStream<S> {
    /// Shakes hands. `host` is what the certificate must be for.
    pub(crate) fn connect(config: Arc<ClientConfig>, host: &str, inner: S) -> Result<TlsStream<S>, Failure> {
        let name =
            ServerName::try_from(host.to_owned()).map_err(|_| Failure::Tls(format!("{host} is no name that a certificate can be for")))?;
        let session = ClientConnection::new(config, name).map_err(|error| Failure::Tls(explain(&error)))?;
        let mut stream = TlsStream { session, inner };
        while stream.session.is_handshaking() || stream.session.wants_write() {
            if stream.session.wants_write() {
                stream.session.write_tls(&mut stream.inner).map_err(handshake_failure)?;
                continue;
            }
            if stream.session.read_tls(&mut stream.inner).map_err(handshake_failure)? == 0 {
                return Err(Failure::Tls("the connection was closed during the TLS handshake".into()));
            }
            stream.process().map_err(|error| Failure::Tls(explain(&error)))?;
        }
        Ok(stream)
    }

    /// Takes in what was read; on an error the other side is told, where it still listens.
    fn process(&mut self) -> Result<rustls::IoState, rustls::Error> {
        self.session.process_new_packets().inspect_err(|_| {
            let _ = self.session.write_tls(&mut self.inner);
        })
    }

    /// Sends all of `bytes`, and counts what the kernel took of the records that carry them.
    pub(crate) fn send(&mut self, mut bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = self.session.writer().write(bytes)?;
            bytes = bytes.get(taken..).unwrap_or_default();
            while self.session.wants_write() {
                match self.session.write_tls(&mut self.inner)? {
                    0 => return Err(io::ErrorKind::WriteZero.into()),
                    sent => count(sent),
                }
            }
        }
        Ok(())
    }

    /// Whether anything beside the protocol's own messages has come that nobody read, or the end has.
    pub(crate) fn is_dirty(&mut self) -> bool {
        match self.session.process_new_packets() {
            Ok(state) => state.plaintext_bytes_to_read() > 0 || state.peer_has_closed(),
            Err(_) => true,
        }
    }

    /// Takes in records that have arrived while the connection was kept: a session ticket is no reason to give it up.
    pub(crate) fn absorb(&mut self) -> bool {
        match self.session.read_tls(&mut self.inner) {
            Ok(read) => read > 0 && !self.is_dirty(),
            Err(_) => false,
        }
    }
}

impl<S: Read + Write> Read for TlsStream<S> {
    /// As the trait says; an end without TLS's own goodbye is [`io::ErrorKind::UnexpectedEof`], since anyone on the way can cut a connection.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.session.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
            while self.session.wants_write() {
                self.session.write_tls(&mut self.inner)?;
            }
            self.session.read_tls(&mut self.inner)?;
            self.process().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, explain(&error)))?;
        }
    }
}

impl<S: Read + Write> Write for TlsStream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(bytes, &|_| {})?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn handshake_failure(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::TimedOut => Failure::Tls("the TLS handshake was not finished in time".into()),
        _ => Failure::Tls(format!("the connection broke during the TLS handshake: {}", super::socket::plain(&error))),
    }
}

/// A TLS error for a person who did not set the service up.
fn explain(error: &rustls::Error) -> String {
    use CertificateError as C;
    match error {
        rustls::Error::InvalidCertificate(problem) => match problem {
            C::Expired | C::ExpiredContext { .. } => "its certificate has expired (or this machine's clock is wrong)".into(),
            C::NotValidYet | C::NotValidYetContext { .. } => "its certificate is not valid yet (or this machine's clock is wrong)".into(),
            C::NotValidForName | C::NotValidForNameContext { .. } => "its certificate is for another host".into(),
            C::UnknownIssuer => "its certificate is from an authority that is not trusted here (tls.caFile adds one)".into(),
            C::Revoked => "its certificate was revoked".into(),
            other => format!("its certificate cannot be accepted: {other}"),
        },
        rustls::Error::InvalidMessage(_) => "what answers there does not speak TLS; check the scheme and the port of the URL".into(),
        rustls::Error::AlertReceived(alert) => format!("it ended TLS with the alert {alert:?}"),
        other => format!("TLS failed: {other}"),
    }
}
