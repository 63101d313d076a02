//! What a certificate says, for people. Whether it is trusted is decided elsewhere.

use std::net::IpAddr;

/// Read from the DER form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// The issuer's common name, or else its organisation.
    pub(crate) issuer: String,
    /// In UTC: `2026-11-21T14:05:06Z`.
    pub(crate) valid_until: String,
    /// The hosts that it is for.
    pub(crate) names: Vec<String>,
}

const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const ORGANISATION: &[u8] = &[0x55, 0x04, 0x0A];
const ALTERNATIVE_NAMES: &[u8] = &[0x55, 0x1D, 0x11];

impl Certificate {
    /// RFC 5280, section 4.1. `None` if it is not a certificate.
    pub(crate) fn read(der: &[u8]) -> Option<Certificate> {
        let (_, certificate) = Values(der).next()?;
        let (_, content) = Values(certificate).next()?;
        // Before the issuer: perhaps the version, the serial number, and the algorithm.
        let is_version = |(tag, _): &(u8, &[u8])| *tag == 0xA0;
        let mut fields = Values(content).skip_while(is_version).skip(2);
        let (_, issuer) = fields.next()?;
        let (_, validity) = fields.next()?;
        let extensions = fields.find(|(tag, _)| *tag == 0xA3);
        let (kind, until) = Values(validity).nth(1)?;
        Some(Certificate {
            issuer: name_in(issuer, COMMON_NAME).or_else(|| name_in(issuer, ORGANISATION))?,
            valid_until: time(kind, std::str::from_utf8(until).ok()?)?,
            names: extensions.map_or_else(Vec::new, |(_, all)| alternative_names(all)),
        })
    }
}

/// The values of DER, one after the other, each with its tag.
struct Values<'a>(&'a [u8]);

impl<'a> Iterator for Values<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (tag, rest) = self.0.split_first()?;
        let (first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7F => (usize::from(*first), rest),
            _ => {
                let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
                let add = |sum: usize, byte: &u8| sum.checked_mul(256)?.checked_add((*byte).into());
                (bytes.iter().try_fold(0, add)?, rest)
            }
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((*tag, content))
    }
}

fn name_in(name: &[u8], kind: &[u8]) -> Option<String> {
    let mut parts = Values(name).flat_map(|(_, set)| Values(set));
    parts.find_map(|(_, part)| {
        let mut part = Values(part);
        let is_it = part.next()?.1 == kind;
        let (_, text) = part.next().filter(|_| is_it)?;
        // Nobody may have checked it. RFC 5280 allows 64 characters.
        let text = String::from_utf8_lossy(text).replace(char::is_control, " ");
        Some(text.chars().take(64).collect())
    })
}

/// UTCTime has two digits of the year, from 1950 on.
fn time(kind: u8, text: &str) -> Option<String> {
    let full = match (kind, text.get(..2)?) {
        (0x17, year) if year < "50" => format!("20{text}"),
        (0x17, _) => format!("19{text}"),
        _ => text.to_owned(),
    };
    let part = |from: usize| full.get(from..from + 2);
    let (year, month, day) = (full.get(..4)?, part(4)?, part(6)?);
    let (hour, minute, second) = (part(8)?, part(10)?, part(12)?);
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
}

fn alternative_names(extensions: &[u8]) -> Vec<String> {
    let mut all = Values(extensions).flat_map(|(_, list)| Values(list));
    let names = all.find_map(|(_, extension)| {
        let mut parts = Values(extension);
        let is_it = parts.next()?.1 == ALTERNATIVE_NAMES;
        parts.filter(|_| is_it).find(|(tag, _)| *tag == 0x04)
    });
    let names = names.and_then(|(_, octets)| Values(octets).next());
    let shown = Values(names.map_or(&[], |(_, names)| names)).filter_map(|(tag, name)| match tag {
        0x82 => Some(String::from_utf8_lossy(name).into_owned()),
        0x87 => match <[u8; 4]>::try_from(name) {
            Ok(four) => Some(IpAddr::from(four).to_string()),
            Err(_) => Some(IpAddr::from(<[u8; 16]>::try_from(name).ok()?).to_string()),
        },
        _ => None,
    });
    shown.collect()
}
