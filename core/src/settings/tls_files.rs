//! The certificates and keys that the configuration names.

use std::path::Path;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::connection::TlsMaterial;
use crate::error::Cause;
use crate::settings::config::TlsOptions;
use crate::settings::list::tls::{CA_FILE, CERT_FILE, KEY_FILE};
use crate::settings::problems::{FileError, Problems};

/// The largest file of certificates or keys, in bytes: several times the size of an operating
/// system's list of authorities.
const LONGEST_FILE: u64 = 4 * 1024 * 1024;

pub(crate) fn tls_material(options: &TlsOptions, problems: &mut Problems) -> TlsMaterial {
    let mut material = TlsMaterial {
        roots: options.roots,
        ..TlsMaterial::default()
    };
    if let Some(path) = &options.ca_file {
        material.extra_roots = problems
            .keep_file(CA_FILE.key, certificates(path))
            .unwrap_or_default();
    }
    match (&options.cert_file, &options.key_file) {
        (None, None) => {}
        (Some(_), None) => add_missing(KEY_FILE.key, CERT_FILE.key, problems),
        (None, Some(_)) => add_missing(CERT_FILE.key, KEY_FILE.key, problems),
        (Some(certificate), Some(key)) => {
            let chain = problems.keep_file(CERT_FILE.key, certificates(certificate));
            let key = problems.keep_file(KEY_FILE.key, private_key(key));
            if let (Some(chain), Some(key)) = (chain, key) {
                let identity = TlsMaterial::identity(chain, &key).map_err(FileError::from);
                material.identity = problems.keep_file(KEY_FILE.key, identity);
            }
        }
    }
    material
}

fn add_missing(key: &str, other: &str, problems: &mut Problems) {
    let problem = format!("is missing; {} needs it", problems.name(other));
    problems.add(Cause::InvalidValue, key, problem);
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, FileError> {
    let text = read_file(path)?;
    let mut certificates = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        match certificate {
            Ok(one) if webpki::anchor_from_trusted_cert(&one).is_ok() => certificates.push(one),
            _ => {
                let number = certificates.len() + 1;
                let why = format!("whose certificate number {number} is damaged or not valid");
                return Err(unusable(path, &why));
            }
        }
    }
    // Only what is longer than these certificates can have another one.
    let read: usize = certificates.iter().map(|one| length(one)).sum();
    if text.len() > read
        && let Some(place) = misread(&text)
    {
        let number = place + 1;
        let why = format!(
            "whose certificate number {number} is not understood: its first line must be \
             {FIRST_LINE} and nothing else"
        );
        return Err(unusable(path, &why));
    }
    match certificates.is_empty() {
        true => Err(unusable(path, "which contains no PEM certificates")),
        false => Ok(certificates),
    }
}

/// How long a certificate is as PEM, as most tools write it: with 64 characters in a line.
fn length(certificate: &[u8]) -> usize {
    let characters = certificate.len().div_ceil(3) * 4;
    FIRST_LINE.len() + LAST_LINE.len() + 2 + characters + characters.div_ceil(64)
}

const LAST_LINE: &str = "-----END CERTIFICATE-----";
const FIRST_LINE: &str = "-----BEGIN CERTIFICATE-----";

/// The place of the first certificate that the reader would skip. Some tools write `TRUSTED
/// CERTIFICATE`, and in the middle of a file that was put together from two there can be a byte order
/// mark. Comments do not count.
fn misread(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text)
        .map_or_else(|_| String::from_utf8_lossy(text), |text| text.into());
    let mut first_lines = text
        .match_indices("CERTIFICATE-----")
        .filter_map(|(at, end)| {
            let line = text.get(..at + end.len())?.rsplit(['\n', '\r']).next()?;
            let is_last = line.starts_with("-----END") || line.starts_with('#');
            (!is_last && line.contains("-----BEGIN ")).then_some(line)
        });
    first_lines.position(|line| line != FIRST_LINE)
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, FileError> {
    let text = zeroize::Zeroizing::new(read_file(path)?);
    // In the first line of such a key, or in a line of its own after that.
    let is_encrypted = || text.windows(ENCRYPTED.len()).any(|part| part == ENCRYPTED);
    PrivateKeyDer::from_pem_slice(&text).map_err(|_| match is_encrypted() {
        true => unusable(
            path,
            "which is encrypted: write the key without its password (openssl pkey -in FILE -out \
             NEW), and let only the program's user read it",
        ),
        false => unusable(path, "which contains no PEM private key"),
    })
}

const ENCRYPTED: &[u8] = b"ENCRYPTED";

fn unusable(path: &Path, why: &str) -> FileError {
    FileError::from(format!("names {}, {why}", path.display()))
}

fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let unreadable = |error: std::io::Error| FileError {
        message: format!(
            "names {}, which cannot be read: {}",
            path.display(),
            error.kind()
        ),
        source: Some(error),
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    // Reading a device may never end, and reading a pipe may block.
    if !about.is_file() || about.len() > LONGEST_FILE {
        let why = format!("which is not a file of at most {LONGEST_FILE} bytes");
        return Err(unusable(path, &why));
    }
    let mut text = std::fs::read(path).map_err(unreadable)?;
    // Some Windows programs write a byte order mark before the first character.
    if text.starts_with("\u{feff}".as_bytes()) {
        text.drain(.."\u{feff}".len());
    }
    Ok(text)
}
