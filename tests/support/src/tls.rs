//! Certificates generated for a test, and the TLS configuration of a service that presents them.

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A certificate authority for one test.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    /// Services present its certificate, because clients do not know it.
    is_between: bool,
}

pub struct Identity {
    pub certificate: Certificate,
    pub key: KeyPair,
    /// Presented together with it.
    pub issuer: Option<Certificate>,
}

/// What is special about a certificate.
pub type Change = fn(&mut CertificateParams);

pub fn as_authority(params: &mut CertificateParams) {
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
}

/// Its key may only sign revocation lists.
pub fn for_revocation_lists(params: &mut CertificateParams) {
    params.key_usages = vec![KeyUsagePurpose::CrlSign];
}

pub fn expired(params: &mut CertificateParams) {
    valid_in(params, 2019..2020);
}

pub fn valid_in(params: &mut CertificateParams, years: Range<i32>) {
    params.not_before = date_time_ymd(years.start, 1, 1);
    params.not_after = date_time_ymd(years.end, 1, 1);
}

/// In hours from now.
pub fn valid_in_hours(params: &mut CertificateParams, hours: Range<i64>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let hour = |hour: i64| {
        let seconds = now.as_secs().saturating_add_signed(hour * 3600);
        date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds)
    };
    params.not_before = hour(hours.start);
    params.not_after = hour(hours.end);
}

fn key() -> KeyPair {
    KeyPair::generate().unwrap()
}

fn authority(name: &str, change: Change) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    as_authority(&mut params);
    params.distinguished_name.push(DnType::CommonName, name);
    change(&mut params);
    params
}

impl Authority {
    pub fn new() -> Authority {
        Authority::named("Test authority", |_| ())
    }

    pub fn named(name: &str, change: Change) -> Authority {
        Authority {
            issuer: CertifiedIssuer::self_signed(authority(name, change), key()).unwrap(),
            is_between: false,
        }
    }

    /// An intermediate authority.
    pub fn between(&self, change: Change) -> Authority {
        let params = authority("Test intermediate authority", change);
        Authority {
            issuer: CertifiedIssuer::signed_by(params, key(), &*self.issuer).unwrap(),
            is_between: true,
        }
    }

    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    pub fn identity_for(&self, name: &str) -> Identity {
        self.identity_with(name, |_| ())
    }

    pub fn identity_with(
        &self,
        name: &str,
        change: impl FnOnce(&mut CertificateParams),
    ) -> Identity {
        self.sign(key(), name, change)
    }

    /// Its signatures, and so the handshakes with it, all have the same length.
    pub fn fixed_length_identity_for(&self, name: &str) -> Identity {
        let key = KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
        self.sign(key, name, |_| ())
    }

    fn sign(
        &self,
        key: KeyPair,
        name: &str,
        change: impl FnOnce(&mut CertificateParams),
    ) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        change(&mut params);
        Identity {
            certificate: params.signed_by(&key, &*self.issuer).unwrap(),
            key,
            issuer: self.is_between.then(|| self.issuer.as_ref().clone()),
        }
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        roots
    }
}

/// A certificate that its own key has signed.
pub fn self_signed(name: &str) -> Identity {
    let key = key();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    Identity {
        certificate: params.self_signed(&key).unwrap(),
        key,
        issuer: None,
    }
}

const BOTH: &[&SupportedProtocolVersion] = rustls::ALL_VERSIONS;
const ONLY_1_2: &[&SupportedProtocolVersion] = &[&rustls::version::TLS12];

fn server(
    identity: Identity,
    versions: &[&'static SupportedProtocolVersion],
    clients: Option<&Authority>,
) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(versions)
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => builder.with_client_cert_verifier(
            WebPkiClientVerifier::builder_with_provider(Arc::new(authority.roots()), provider)
                .build()
                .unwrap(),
        ),
    };
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(identity.key.serialize_der()));
    let shown = [Some(identity.certificate), identity.issuer];
    let chain = shown.iter().flatten().map(|one| one.der().clone());
    builder.with_single_cert(chain.collect(), key).unwrap()
}

pub fn serving(identity: Identity) -> ServerConfig {
    server(identity, BOTH, None)
}

pub fn serving_tls_1_2(identity: Identity) -> ServerConfig {
    server(identity, ONLY_1_2, None)
}

/// Requires a client certificate issued by the authority.
pub fn requiring_client_certificate(identity: Identity, clients: &Authority) -> ServerConfig {
    server(identity, BOTH, Some(clients))
}

pub fn requiring_client_certificate_tls_1_2(
    identity: Identity,
    clients: &Authority,
) -> ServerConfig {
    server(identity, ONLY_1_2, Some(clients))
}

/// A folder for the files of one test, removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        Folder::within(&std::env::temp_dir())
    }

    pub fn within(place: &Path) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("payorder-test-{}-{number}", std::process::id());
            let path = place.join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Folder(path),
                // A process that was killed left it, and this one has the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
