//! The certificate authorities that the system trusts.

use rustls::pki_types::CertificateDer;

/// The system's authorities, or those that the environment variables `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` name.
pub(crate) fn system_roots() -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_native_certs().certs
}
