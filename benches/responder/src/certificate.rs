//! A certificate authority, its certificate for this machine, and a TLS configuration.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::version::TLS13;

/// The authority's certificate as PEM, and the configuration.
pub fn config() -> (String, Arc<ServerConfig>) {
    let mut authority = CertificateParams::default();
    // If a certificate had its issuer's name, OpenSSL would mistake it for the issuer.
    authority
        .distinguished_name
        .push(DnType::CommonName, "the benchmarks' authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key"))
        .expect("an authority");
    let key = KeyPair::generate().expect("a key");
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let leaf = CertificateParams::new(names)
        .expect("names")
        .signed_by(&key, &authority)
        .expect("a certificate");

    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(
            vec![leaf.der().clone()],
            PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        )
        .expect("a usable certificate");
    (authority.pem(), Arc::new(config))
}
