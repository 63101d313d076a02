//! The certificate that the sandbox presents, and its key.

use std::path::Path;
use std::sync::Arc;

use ring::digest::{SHA256, digest};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::{Error, ServerConfig};

use super::authority::issue;

pub struct Tls {
    pub config: Arc<ServerConfig>,
    /// The certificate of the authority that was made for it, in PEM.
    pub authority: Option<String>,
    certificate: CertificateDer<'static>,
}

impl Tls {
    /// Makes a certificate for these names and addresses, and an authority for it.
    pub fn made(names: &[String]) -> Result<Self, String> {
        if let Some(name) = names.iter().find(|name| server_name(name).is_none()) {
            return Err(format!("{name:?} is not the name or the address of a host"));
        }
        let made = issue(names).map_err(|_| "no certificate could be made".to_owned())?;
        let key = PrivateKeyDer::Pkcs8(made.key.into());
        let mut tls =
            Self::new(vec![made.certificate.into()], key).map_err(|error| error.to_string())?;
        tls.authority = Some(made.authority);
        Ok(tls)
    }

    /// Reads the certificate, with those between it and an authority, and its key, in PEM.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, String> {
        let (certificate_file, key_file) = (certificate.display(), key.display());
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| format!("the certificate {certificate_file}: {error}"))?;
        if chain.is_empty() {
            return Err(format!("{certificate_file} has no certificate in PEM"));
        }
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
            pem::Error::NoItemsFound => format!("the key {key_file}: it has none in PEM"),
            error => format!("the key {key_file}: {error}"),
        })?;
        Self::new(chain, key).map_err(|error| match error {
            Error::InconsistentKeys(_) => {
                format!("the certificate {certificate_file} does not fit the key {key_file}")
            }
            error => format!("{certificate_file} with {key_file}: {error}"),
        })
    }

    /// The SHA-256 of the authority's certificate, as OpenSSL and phones show it.
    pub fn fingerprint(&self) -> Option<String> {
        let authority = CertificateDer::from_pem_slice(self.authority.as_ref()?.as_bytes()).ok()?;
        let hash = digest(&SHA256, &authority);
        let bytes: Vec<_> = hash
            .as_ref()
            .iter()
            .map(|one| format!("{one:02X}"))
            .collect();
        Some(bytes.join(":"))
    }

    fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> Result<Self, Error> {
        let certificate = chain[0].clone();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            config: Arc::new(config),
            authority: None,
            certificate,
        })
    }

    /// Whether the certificate is for this host.
    pub fn is_for(&self, host: &str) -> bool {
        let Some(name) = server_name(host) else {
            return false;
        };
        ParsedCertificate::try_from(&self.certificate)
            .is_ok_and(|certificate| verify_server_name(&certificate, &name).is_ok())
    }
}

/// `None` if it is neither the name nor the address of a host.
fn server_name(host: &str) -> Option<ServerName<'_>> {
    ServerName::try_from(host).ok()
}
