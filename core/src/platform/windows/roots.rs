//! The certificate authorities that Windows trusts.

use rustls::pki_types::CertificateDer;
use schannel::cert_context::{CertContext, ValidUses};
use schannel::cert_store::CertStore;

/// The purpose of a server's certificate.
const SERVER: &str = "1.3.6.1.5.5.7.3.1";

/// The authorities that are trusted for servers: those of the user and of the machine. Windows does
/// not trust one that has expired, or that is also in the store of untrusted certificates.
pub(crate) fn system_roots() -> Vec<CertificateDer<'static>> {
    let untrusted: Vec<Vec<u8>> = stored("Disallowed").iter().map(der).collect();
    let mut roots: Vec<_> = stored("ROOT")
        .iter()
        .filter(is_for_servers)
        .map(der)
        .collect();
    roots.retain(|root| !untrusted.contains(root));
    roots.into_iter().map(CertificateDer::from).collect()
}

/// The certificates in one of the system's stores. A store that cannot be opened has none.
fn stored(name: &str) -> Vec<CertContext> {
    CertStore::open_current_user(name).map_or_else(|_| Vec::new(), |store| store.certs().collect())
}

fn is_for_servers(certificate: &&CertContext) -> bool {
    let allows_servers = match certificate.valid_uses() {
        Ok(ValidUses::All) => true,
        Ok(ValidUses::Oids(uses)) => uses.iter().any(|one| one == SERVER),
        Err(_) => false,
    };
    allows_servers && certificate.is_time_valid().unwrap_or(false)
}

fn der(certificate: &CertContext) -> Vec<u8> {
    certificate.to_der().to_vec()
}
