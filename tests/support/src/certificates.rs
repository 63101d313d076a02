//! The certificates that services present, good and bad.

use std::sync::Arc;

use rcgen::ExtendedKeyUsagePurpose;
use rustls::ServerConfig;

use crate::tls::{
    Authority, Folder, as_authority, expired, requiring_client_certificate,
    requiring_client_certificate_tls_1_2, self_signed, serving, serving_tls_1_2, valid_in,
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
        let early = Authority::named("Early authority", |_| ());
        let stranger = Authority::named("Stranger", |_| ());
        let good = || authority.identity_for(HOST);
        let for_clients = authority.identity_with(HOST, |params| {
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        });
        let not_yet_valid = early.identity_with(HOST, |params| valid_in(params, 2090..2091));
        let mut only_http2 = serving(good());
        only_http2.alpn_protocols = vec![b"h2".to_vec()];
        use TlsSetup::*;
        let configs = crate::table! {
            Good, serving(good());
            SelfSigned, serving(self_signed(HOST));
            Expired, serving(authority.identity_with(HOST, expired));
            NotYetValid, serving(not_yet_valid);
            WrongHost, serving(authority.identity_for("pay.example.com"));
            ForAddress, serving(authority.identity_for("127.0.0.1"));
            UnknownIssuer, serving(stranger.identity_for(HOST));
            ImpostorIssuer, serving(Authority::new().identity_for(HOST));
            RequiresClientCertificate, requiring_client_certificate(good(), &authority);
            RequiresClientCertificateTls12,
                requiring_client_certificate_tls_1_2(good(), &authority);
            GoodTls12, serving_tls_1_2(good());
            AuthorityCertificate, serving(authority.identity_with(HOST, as_authority));
            ForClientsOnly, serving(for_clients);
            OnlyHttp2, only_http2;
        };
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
