//! What TLS connections trust, which certificate they show, and why a connection is not trusted.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, DigitallySignedStruct, PeerIncompatible,
    RootCertStore, SignatureScheme,
};

use super::certificate::Certificate;
use super::failure::{ConnectionProblem, Failure};
use crate::error::Cause;
use crate::platform;

/// Which certificate authorities are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    /// Mozilla's list, from the time when the library was built.
    #[default]
    Bundled,
    /// The operating system's list.
    System,
    /// Both lists.
    Both,
}

impl Roots {
    /// The name in a configuration.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Roots::Bundled => "bundled",
            Roots::System => "system",
            Roots::Both => "both",
        }
    }
}

/// The trusted authorities and the client certificate. Checked when the client is created.
#[derive(Clone, Default)]
pub(crate) struct TlsMaterial {
    pub(crate) roots: Roots,
    pub(crate) extra_roots: Vec<CertificateDer<'static>>,
    pub(crate) identity: Option<Arc<CertifiedKey>>,
}

impl TlsMaterial {
    /// Whether TLS can be used at all.
    pub(crate) fn check_provider() -> Result<(), String> {
        match cfg!(feature = "ring") {
            true => Ok(()),
            false => provider().map(drop),
        }
    }

    pub(crate) fn identity(
        chain: Vec<CertificateDer<'static>>,
        key: &PrivateKeyDer<'static>,
    ) -> Result<Arc<CertifiedKey>, String> {
        let key = provider()
            .map_err(|problem| format!("cannot be used: {problem}"))?
            .key_provider
            .load_private_key(key.clone_key())
            .map_err(|_| "is a kind of key that is not supported".to_owned())?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {
                Ok(Arc::new(certified))
            }
            Err(_) => Err("does not belong to the certificate".to_owned()),
        }
    }

    /// The configuration of rustls. It contains the sessions to resume, so all connections to the
    /// same peer share one. `shown` is where to note the certificate that the other side shows.
    pub(crate) fn client_config(
        &self,
        identity: Option<&Arc<CertifiedKey>>,
        shown: Option<&Shown>,
    ) -> Result<Arc<ClientConfig>, Failure> {
        let mut roots = RootCertStore::empty();
        if self.roots != Roots::System {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        }
        if self.roots != Roots::Bundled {
            roots.extend(system_roots().roots.iter().cloned());
        }
        roots.add_parsable_certificates(self.extra_roots.iter().cloned());
        if roots.is_empty() {
            return Err(Failure::Tls(ConnectionProblem::new(
                Cause::CertificateUnknownIssuer,
                "the operating system has no certificate authorities to trust; install its \
                 ca-certificates, or set tls.roots to bundled",
            )));
        }
        let provider = provider().map_err(|problem| {
            Failure::Tls(ConnectionProblem::new(Cause::HandshakeFailed, &problem))
        })?;
        let bug = |error: &dyn std::fmt::Display| {
            Failure::Internal(format!("TLS cannot be set up: {error}"))
        };
        let verifier =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
                .build()
                .map_err(|error| bug(&error))?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| bug(&error))?
            .with_webpki_verifier(Arc::clone(&verifier));
        let mut config = match identity {
            Some(identity) => builder
                .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(identity)))),
            None => builder.with_no_client_auth(),
        };
        if let Some(shown) = shown {
            let noting = Noting {
                verifier,
                shown: Arc::clone(shown),
            };
            config
                .dangerous()
                .set_certificate_verifier(Arc::new(noting));
        }
        // Anyone who recorded early data can replay it, so an order must never be sent that way.
        config.enable_early_data = false;
        // A service that speaks only HTTP/2 says so in the handshake, before an order is sent.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.resumption = Resumption::in_memory_sessions(32);
        Ok(Arc::new(config))
    }
}

/// The certificate that the other side of one connection showed.
pub(super) type Shown = Arc<OnceLock<Certificate>>;

/// Notes a certificate before it is checked: rustls keeps none that it refuses.
#[derive(Debug)]
struct Noting {
    verifier: Arc<WebPkiServerVerifier>,
    shown: Shown,
}

impl ServerCertVerifier for Noting {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        authorities: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(read) = Certificate::read(certificate) {
            let _ = self.shown.set(read);
        }
        self.verifier
            .verify_server_cert(certificate, authorities, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

/// The program's choice of cryptography, or ring.
fn provider() -> Result<Arc<CryptoProvider>, String> {
    if let Some(chosen) = CryptoProvider::get_default() {
        return Ok(Arc::clone(chosen));
    }
    #[cfg(feature = "ring")]
    return Ok(Arc::new(rustls::crypto::ring::default_provider()));
    #[cfg(not(feature = "ring"))]
    return Err(
        "this program has no cryptography: install a rustls CryptoProvider as the process's default \
         before the first client, or switch on the feature \"ring\" of payorder-core"
            .to_owned(),
    );
}

/// The operating system's roots. They are read once per process, since that can take 100 ms.
fn system_roots() -> Arc<RootCertStore> {
    // No lock: after a fork during the reading, the child would wait for a thread that it does not
    // have.
    static READ: ArcSwapOption<RootCertStore> = ArcSwapOption::const_empty();
    READ.load_full().unwrap_or_else(|| {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(platform::system_roots());
        let roots = Arc::new(roots);
        if !roots.is_empty() {
            READ.store(Some(Arc::clone(&roots)));
        }
        roots
    })
}

/// A TLS error inside an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("TLS failed")]
pub(super) struct TlsError(pub(super) rustls::Error);

/// The TLS error inside an error of a stream, if there is one.
pub(super) fn tls_problem(error: &io::Error) -> Option<ConnectionProblem> {
    let TlsError(error) = error.get_ref()?.downcast_ref()?;
    Some(explain(error))
}

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Explains a TLS error to a person who did not set up the service.
pub(super) fn explain(error: &rustls::Error) -> ConnectionProblem {
    use AlertDescription as A;
    use rustls::Error as E;
    let failed = |what| ConnectionProblem::new(Cause::HandshakeFailed, what);
    let problem = match error {
        E::InvalidCertificate(problem) => explain_certificate(problem),
        E::InvalidMessage(_) => {
            failed("the other side does not use TLS; check the scheme and the port of the URL")
        }
        E::AlertReceived(A::CertificateRequired) => ConnectionProblem::new(
            Cause::ClientCertificateRefused,
            "it needs a client certificate (tls.certFile and tls.keyFile)",
        ),
        E::AlertReceived(
            A::BadCertificate
            | A::UnsupportedCertificate
            | A::CertificateRevoked
            | A::CertificateExpired
            | A::CertificateUnknown
            | A::UnknownCA
            | A::AccessDenied,
        ) => client_certificate_refused(),
        E::AlertReceived(A::ProtocolVersion)
        | E::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig
            | PeerIncompatible::Tls12NotOffered
            | PeerIncompatible::Tls12NotOfferedOrEnabled,
        ) => ConnectionProblem::new(
            Cause::TlsVersionUnsupported,
            "it supports neither TLS 1.2 nor TLS 1.3",
        ),
        E::AlertReceived(A::HandshakeFailure) => failed(
            "it refused the handshake (alert 40): it does not serve this host name, or there is no \
             cipher, key exchange or signature that both sides accept: both need TLS 1.3, or 1.2 \
             with ECDHE; X25519, P-256 or P-384; and AES-GCM or ChaCha20-Poly1305",
        ),
        E::AlertReceived(A::InsufficientSecurity) | E::PeerIncompatible(_) => failed(
            "there is no cipher, key exchange or signature that both sides accept: both need TLS \
             1.3, or 1.2 with ECDHE; X25519, P-256 or P-384; and AES-GCM or ChaCha20-Poly1305",
        ),
        E::AlertReceived(A::NoApplicationProtocol) | E::NoApplicationProtocol => {
            failed("it does not support HTTP/1.1 over TLS, only another protocol such as HTTP/2")
        }
        E::AlertReceived(A::UnrecognisedName) => failed("it does not serve a host with this name"),
        E::AlertReceived(other) => {
            let what = format!("it ended TLS with the alert {}", u8::from(*other));
            ConnectionProblem::new(Cause::HandshakeFailed, what)
        }
        E::NoCertificatesPresented => {
            ConnectionProblem::new(Cause::CertificateInvalid, "it shows no certificate")
        }
        E::DecryptError => {
            failed("the data that it sent cannot be decrypted; something changed it on the network")
        }
        E::PeerMisbehaved(_)
        | E::InappropriateMessage { .. }
        | E::InappropriateHandshakeMessage { .. } => failed("it violates the TLS protocol"),
        _ => failed("TLS failed"),
    };
    problem.with_source(error.clone())
}

pub(super) fn client_certificate_refused() -> ConnectionProblem {
    ConnectionProblem::new(
        Cause::ClientCertificateRefused,
        "it refused this machine's client certificate, or needs one (tls.certFile)",
    )
}

fn explain_certificate(problem: &CertificateError) -> ConnectionProblem {
    use CertificateError as C;
    let invalid = |what| ConnectionProblem::new(Cause::CertificateInvalid, what);
    let dated = |cause, what, clock_is_suspect| ConnectionProblem {
        clock_is_suspect,
        ..ConnectionProblem::new(
            cause,
            format!("its certificate {what} (or this machine's clock is wrong)"),
        )
    };
    match problem {
        C::Expired => dated(Cause::CertificateExpired, "has expired", false),
        C::ExpiredContext { time, not_after } => {
            let is_far = is_far(*time, *not_after);
            dated(Cause::CertificateExpired, "has expired", is_far)
        }
        C::NotValidYet => dated(Cause::CertificateNotYetValid, "is not valid yet", false),
        C::NotValidYetContext { time, not_before } => {
            let is_far = is_far(*time, *not_before);
            dated(Cause::CertificateNotYetValid, "is not valid yet", is_far)
        }
        C::NotValidForNameContext { presented, .. } if presented.is_empty() => {
            ConnectionProblem::new(
                Cause::CertificateWrongHost,
                "its certificate names no host (subjectAltName); a common name does not count",
            )
        }
        C::NotValidForName | C::NotValidForNameContext { .. } => ConnectionProblem::new(
            Cause::CertificateWrongHost,
            "its certificate is for another host",
        ),
        C::UnknownIssuer => ConnectionProblem::new(
            Cause::CertificateUnknownIssuer,
            "its certificate is from an authority that is not trusted here (tls.caFile adds one)",
        ),
        C::Revoked => {
            ConnectionProblem::new(Cause::CertificateRevoked, "its certificate was revoked")
        }
        C::BadEncoding => invalid("its certificate is damaged"),
        C::BadSignature => invalid(
            "the signature on its certificate is wrong, or was made with a key that is too short \
             (RSA needs 2048 bits)",
        ),
        C::UnsupportedSignatureAlgorithmContext { .. }
        | C::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            invalid("its certificate has a signature that is not accepted, such as SHA-1")
        }
        C::UnhandledCriticalExtension => {
            invalid("its certificate has an unknown critical extension")
        }
        C::InvalidPurpose | C::InvalidPurposeContext { .. } => {
            invalid("its certificate is not for servers")
        }
        C::Other(other) => invalid(match other.0.downcast_ref() {
            Some(webpki::Error::CaUsedAsEndEntity) => {
                "its certificate is for an authority and not for a server"
            }
            Some(webpki::Error::EndEntityUsedAsCa) => {
                "its certificate was signed with a certificate that is not an authority's"
            }
            Some(webpki::Error::NameConstraintViolation) => {
                "its authority must not sign certificates for that host"
            }
            Some(webpki::Error::PathLenConstraintViolated) => {
                "there are more authorities between its certificate and a trusted one than allowed"
            }
            _ => "its certificate, or one of its authorities' certificates, is not valid",
        }),
        _ => invalid("its certificate, or one of its authorities' certificates, is not valid"),
    }
}

fn is_far(time: UnixTime, limit: UnixTime) -> bool {
    time.as_secs().abs_diff(limit.as_secs()) > A_DAY.as_secs()
}
