//! Certificates generated for a test, and the TLS configuration of a service that presents them.

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A certificate authority for one test.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

pub struct Identity {
    pub certificate: Certificate,
    pub key: KeyPair,
    /// Presented together with it.
    pub issuer: Option<Certificate>,
}

impl Authority {
    pub fn new() -> Authority {
        Authority::of(CertificateParams::new(Vec::new()).unwrap())
    }

    /// An authority whose own certificate has expired.
    pub fn expired() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 1, 1);
        Authority::of(params)
    }

    fn of(mut params: CertificateParams) -> Authority {
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(DnType::CommonName, "Test authority");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Authority { issuer }
    }

    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    fn sign(&self, params: &CertificateParams) -> Identity {
        self.sign_with(KeyPair::generate().unwrap(), params)
    }

    fn sign_with(&self, key: KeyPair, params: &CertificateParams) -> Identity {
        let certificate = params.signed_by(&key, &*self.issuer).unwrap();
        Identity {
            certificate,
            key,
            issuer: None,
        }
    }

    pub fn identity_for(&self, name: &str) -> Identity {
        self.sign(&CertificateParams::new([name.to_owned()]).unwrap())
    }

    /// Its signatures, and so the handshakes with it, all have the same length.
    pub fn fixed_length_identity_for(&self, name: &str) -> Identity {
        let key = KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
        self.sign_with(key, &CertificateParams::new([name.to_owned()]).unwrap())
    }

    pub fn expired_identity_for(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 1, 1);
        self.sign(&params)
    }

    /// A certificate that is valid from `start` to `end`, in hours from now.
    pub fn identity_valid_for(&self, name: &str, start: i64, end: i64) -> Identity {
        let hour = |hours: i64| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            let seconds = now.as_secs().saturating_add_signed(hours * 3600);
            date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds)
        };
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = hour(start);
        params.not_after = hour(end);
        self.sign(&params)
    }

    /// A certificate that also makes its owner an authority.
    pub fn authority_for(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        self.sign(&params)
    }

    /// A certificate whose key may only sign revocation lists.
    pub fn identity_for_revocation_lists(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.key_usages = vec![KeyUsagePurpose::CrlSign];
        self.sign(&params)
    }

    /// A certificate issued by an intermediate authority whose key may only sign revocation lists.
    pub fn identity_through_revocation_lists(&self, name: &str) -> Identity {
        let mut between = CertificateParams::new(Vec::new()).unwrap();
        between.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        between.key_usages = vec![KeyUsagePurpose::CrlSign];
        between
            .distinguished_name
            .push(DnType::CommonName, "Test intermediate authority");
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::signed_by(between, key, &*self.issuer).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        Identity {
            certificate: params.signed_by(&key, &*issuer).unwrap(),
            key,
            issuer: Some(issuer.as_ref().clone()),
        }
    }

    /// A certificate that is valid for clients only, not for servers.
    pub fn client_identity_for(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(&params)
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        roots
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
