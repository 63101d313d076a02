//! Makes an authority, and a certificate for the sandbox.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use sandbox::tls::{Tls, server_name};

const DAY: u64 = 24 * 60 * 60;
/// Browsers refuse certificates that are valid for much longer than a year.
const DAYS: u64 = 397;

/// Makes an authority, and a certificate for these names and addresses. Nobody can issue
/// another one: the authority's key is forgotten.
pub fn certificate_for(names: &[String]) -> Result<Tls, String> {
    if let Some(name) = names.iter().find(|name| server_name(name).is_none()) {
        return Err(format!("{name:?} is not the name or the address of a host"));
    }
    let valid = |mut params: CertificateParams, name: &str, days: u64| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        let at = |seconds| date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds);
        params.not_before = at(now.saturating_sub(DAY));
        params.not_after = at(now + days * DAY);
        params.distinguished_name.push(DnType::CommonName, name);
        params
    };
    let make = || {
        let mut params = valid(
            CertificateParams::new([])?,
            "payorder sandbox authority",
            DAYS + 1,
        );
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let mut params = valid(CertificateParams::new(names)?, "payorder sandbox", DAYS);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &*authority)?;
        Ok::<_, rcgen::Error>((
            certificate.der().clone(),
            key.serialize_pem(),
            authority.pem(),
        ))
    };
    let (certificate, key, authority) =
        make().map_err(|error| format!("no certificate for {}: {error}", names.join(", ")))?;
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes());
    let key = key.map_err(|error| format!("the key that was made: {error}"))?;
    let mut tls = Tls::new(vec![certificate], key).map_err(|error| error.to_string())?;
    tls.authority = Some(authority);
    Ok(tls)
}
