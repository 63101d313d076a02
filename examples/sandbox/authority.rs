//! Makes an authority and a certificate of it, with what the library has: `ring` signs, and DER is
//! written here.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};
use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

use super::calendar::sortable;
use super::service::random_number;

const AUTHORITY: &str = "payorder sandbox authority";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Browsers refuse certificates that are valid for much longer than a year.
const DAYS: u32 = 397;

// Object identifiers, in DER.
const EC_PUBLIC_KEY: &[u8] = b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01";
const P256: &[u8] = b"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
const ECDSA_WITH_SHA256: &[u8] = b"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02";
const COMMON_NAME: &[u8] = b"\x06\x03\x55\x04\x03";
const SUBJECT_KEY: &[u8] = b"\x06\x03\x55\x1d\x0e";
const KEY_USAGE: &[u8] = b"\x06\x03\x55\x1d\x0f";
const SUBJECT_NAMES: &[u8] = b"\x06\x03\x55\x1d\x11";
const BASIC_CONSTRAINTS: &[u8] = b"\x06\x03\x55\x1d\x13";
const AUTHORITY_KEY: &[u8] = b"\x06\x03\x55\x1d\x23";
const EXTENDED_KEY_USAGE: &[u8] = b"\x06\x03\x55\x1d\x25";
const SERVER_AUTHENTICATION: &[u8] = b"\x06\x08\x2b\x06\x01\x05\x05\x07\x03\x01";

// Tags.
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const BYTES: u8 = 0x04;
const UTF8: u8 = 0x0c;
const TIME: u8 = 0x17;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const TRUE: &[u8] = b"\x01\x01\xff";

/// In DER, and the authority's certificate in PEM.
pub struct Issued {
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
    pub authority: String,
}

/// A certificate for these names and addresses. Nobody can issue another one with the authority,
/// whose key is forgotten.
pub fn issue(names: &[String]) -> Result<Issued, Unspecified> {
    let (authority, key) = (generate()?, generate()?);
    let own = [
        extension(BASIC_CONSTRAINTS, true, &sequence(&[TRUE, b"\x02\x01\x00"])),
        // It signs certificates.
        extension(KEY_USAGE, true, b"\x03\x02\x02\x04"),
        extension(SUBJECT_KEY, false, &der(BYTES, &[&key_id(&authority.0)])),
    ];
    let own = certificate(AUTHORITY, &authority.0, &authority.0, &own)?;
    let names: Vec<Vec<u8>> = names.iter().map(|name| subject_name(name)).collect();
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let extensions = [
        // It signs handshakes.
        extension(KEY_USAGE, true, b"\x03\x02\x07\x80"),
        extension(
            EXTENDED_KEY_USAGE,
            false,
            &sequence(&[SERVER_AUTHENTICATION]),
        ),
        extension(SUBJECT_NAMES, false, &sequence(&names)),
        extension(
            AUTHORITY_KEY,
            false,
            &sequence(&[&der(0x80, &[&key_id(&authority.0)])]),
        ),
    ];
    Ok(Issued {
        certificate: certificate("payorder sandbox", &key.0, &authority.0, &extensions)?,
        key: key.1,
        authority: pem(&own),
    })
}

/// A key, and the same in PKCS #8.
fn generate() -> Result<(EcdsaKeyPair, Vec<u8>), Unspecified> {
    let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_ASN1_SIGNING);
    let key = EcdsaKeyPair::generate_pkcs8(kind, &random)?;
    let pair = EcdsaKeyPair::from_pkcs8(kind, key.as_ref(), &random).map_err(|_| Unspecified)?;
    Ok((pair, key.as_ref().to_vec()))
}

fn certificate(
    subject: &str,
    key: &EcdsaKeyPair,
    authority: &EcdsaKeyPair,
    extensions: &[Vec<u8>],
) -> Result<Vec<u8>, Unspecified> {
    let algorithm = sequence(&[ECDSA_WITH_SHA256]);
    // Positive, and not shortened by leading zeros.
    let serial = (random_number() >> 2) | (1 << 61);
    let now = SystemTime::now();
    let valid = [now - DAY, now + DAY * DAYS].map(|time| {
        let digits = sortable(time).replace(['-', ' ', ':'], "");
        der(TIME, &[&digits.as_bytes()[2..], b"Z"])
    });
    let point = der(BITS, &[b"\0", key.public_key().as_ref()]);
    let extensions: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
    let body = sequence(&[
        b"\xa0\x03\x02\x01\x02", // version 3
        &der(INTEGER, &[&serial.to_be_bytes()]),
        &algorithm,
        &name(AUTHORITY),
        &sequence(&[&valid[0], &valid[1]]),
        &name(subject),
        &sequence(&[&sequence(&[EC_PUBLIC_KEY, P256]), &point]),
        &der(0xa3, &[&sequence(&extensions)]),
    ]);
    let signature = authority.sign(&SystemRandom::new(), &body)?;
    let signature = der(BITS, &[b"\0", signature.as_ref()]);
    Ok(sequence(&[&body, &algorithm, &signature]))
}

fn name(text: &str) -> Vec<u8> {
    let pair = sequence(&[COMMON_NAME, &der(UTF8, &[text.as_bytes()])]);
    sequence(&[&der(SET, &[&pair])])
}

fn subject_name(name: &str) -> Vec<u8> {
    match name.parse() {
        Ok(IpAddr::V4(address)) => der(0x87, &[&address.octets()]),
        Ok(IpAddr::V6(address)) => der(0x87, &[&address.octets()]),
        Err(_) => der(0x82, &[name.as_bytes()]),
    }
}

fn extension(identifier: &[u8], critical: bool, value: &[u8]) -> Vec<u8> {
    let critical = if critical { TRUE } else { b"" };
    sequence(&[identifier, critical, &der(BYTES, &[value])])
}

fn key_id(key: &EcdsaKeyPair) -> Vec<u8> {
    digest(&SHA256, key.public_key().as_ref()).as_ref()[..20].to_vec()
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    der(SEQUENCE, parts)
}

/// A value with its tag and its length.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = content.len().to_be_bytes();
    let digits = &length[length.iter().take_while(|byte| **byte == 0).count()..];
    let mut bytes = vec![tag];
    match content.len() {
        short if short < 0x80 => bytes.push(short as u8),
        _ => {
            bytes.push(0x80 | digits.len() as u8);
            bytes.extend_from_slice(digits);
        }
    }
    bytes.extend(content);
    bytes
}

fn pem(der: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(der);
    let mut pem = "-----BEGIN CERTIFICATE-----\n".to_owned();
    for line in text.as_bytes().chunks(64) {
        pem += &String::from_utf8_lossy(line);
        pem.push('\n');
    }
    pem + "-----END CERTIFICATE-----\n"
}
