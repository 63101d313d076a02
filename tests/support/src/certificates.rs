//! The certificates that services present, good and bad.

use std::ops::Range;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::ServerConfig;

use crate::tls::{
    Authority, Folder, Identity, requiring_client_certificate,
    requiring_client_certificate_tls_1_2, serving, serving_tls_1_2,
};

/// Which certificate a service presents, and what it requires from the client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TlsSetup {
    Good,
    SelfSigned,
    Expired,
    NotYetValid,
    WrongHost,
    ForAddress,
    /// Issued by an authority that nobody trusts.
    UnknownIssuer,
    /// Issued by an authority with the name of a trusted one.
    ImpostorIssuer,
    RequiresClientCertificate,
    RequiresClientCertificateTls12,
    GoodTls12,
    /// The authority's own certificate.
    AuthorityCertificate,
    /// Issued by a trusted authority, for clients only.
    ForClientsOnly,
    /// A good certificate, but the service speaks only HTTP/2.
    OnlyHttp2,
}

const HOST: &str = "localhost";

pub struct Certificates {
    configs: Vec<(TlsSetup, Arc<ServerConfig>)>,
    authorities: String,
    _folder: Folder,
}

impl Certificates {
    pub fn new() -> Certificates {
        let authority = Authority::new();
        let (early, stranger) = (issuer("Early authority"), issuer("Stranger"));
        let good = || authority.identity_for(HOST);
        use TlsSetup::*;
        let configs = [
            (Good, serving(good())),
            (SelfSigned, serving(self_signed())),
            (Expired, serving(authority.expired_identity_for(HOST))),
            (NotYetValid, serving(identity_by(&early, 2090..2091))),
            (
                WrongHost,
                serving(authority.identity_for("pay.example.com")),
            ),
            (ForAddress, serving(authority.identity_for("127.0.0.1"))),
            (UnknownIssuer, serving(identity_by(&stranger, 2020..2090))),
            (ImpostorIssuer, serving(Authority::new().identity_for(HOST))),
            (
                RequiresClientCertificate,
                requiring_client_certificate(good(), &authority),
            ),
            (
                RequiresClientCertificateTls12,
                requiring_client_certificate_tls_1_2(good(), &authority),
            ),
            (GoodTls12, serving_tls_1_2(good())),
            (AuthorityCertificate, serving(authority.authority_for(HOST))),
            (ForClientsOnly, serving(authority.client_identity_for(HOST))),
            (OnlyHttp2, only_http2(serving(good()))),
        ];
        let folder = Folder::new();
        Certificates {
            configs: configs
                .into_iter()
                .map(|(setup, mut config)| {
                    // A script may send something before the client's last handshake message.
                    config.send_half_rtt_data = true;
                    (setup, Arc::new(config))
                })
                .collect(),
            authorities: folder.file("authorities.pem", authority.pem() + &early.pem()),
            _folder: folder,
        }
    }

    pub fn config(&self, setup: TlsSetup) -> Arc<ServerConfig> {
        let (_, config) = self
            .configs
            .iter()
            .find(|(named, _)| *named == setup)
            .expect("each setup has a configuration");
        Arc::clone(config)
    }

    /// A file with the certificate authorities that a client trusts.
    pub fn authorities(&self) -> &str {
        &self.authorities
    }
}

fn only_http2(mut config: ServerConfig) -> ServerConfig {
    config.alpn_protocols = vec![b"h2".to_vec()];
    config
}

fn self_signed() -> Identity {
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new([HOST.to_owned()])
        .unwrap()
        .self_signed(&key)
        .unwrap();
    Identity {
        certificate,
        key,
        issuer: None,
    }
}

/// A certificate authority with this name.
fn issuer(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

fn identity_by(issuer: &CertifiedIssuer<'_, KeyPair>, years: Range<i32>) -> Identity {
    let mut params = CertificateParams::new([HOST.to_owned()]).unwrap();
    params.not_before = date_time_ymd(years.start, 1, 1);
    params.not_after = date_time_ymd(years.end, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, &**issuer).unwrap();
    Identity {
        certificate,
        key,
        issuer: None,
    }
}
