//! Searches a text eight bytes at a time.

/// Every byte 1, and every byte's highest bit.
const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHEST: u64 = ONES << 7;

/// Eight bytes that are tested at once. The result of a test is not 0 if any byte passes it.
#[derive(Clone, Copy)]
pub(crate) struct EightBytes(u64);

impl EightBytes {
    /// Bytes below `most`, which is 128 at most.
    pub(crate) fn below(self, most: u8) -> u64 {
        self.0.wrapping_sub(ONES * u64::from(most)) & !self.0 & HIGHEST
    }

    pub(crate) fn equal_to(self, byte: u8) -> u64 {
        EightBytes(self.0 ^ (ONES * u64::from(byte))).below(1)
    }

    /// Bytes beyond ASCII.
    pub(crate) fn beyond_ascii(self) -> u64 {
        self.0 & HIGHEST
    }
}

/// Whether any byte of the text passes the test `meant`. The byte `filler` fills up the last eight,
/// and must not pass.
pub(crate) fn any(text: &str, filler: u8, meant: impl Fn(EightBytes) -> u64) -> bool {
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    if eights
        .iter()
        .any(|eight| meant(EightBytes(u64::from_ne_bytes(*eight))) != 0)
    {
        return true;
    }
    let mut last = [filler; 8];
    last.iter_mut()
        .zip(rest)
        .for_each(|(place, byte)| *place = *byte);
    meant(EightBytes(u64::from_ne_bytes(last))) != 0
}

#[cfg(test)]
mod tests {
    use super::any;

    #[test]
    fn every_byte_is_found_wherever_it_stands_and_no_other() {
        for byte in 0..=255_u8 {
            for place in 0..20 {
                let mut text = vec![b'a'; 20];
                if let Some(there) = text.get_mut(place) {
                    *there = byte;
                }
                // A byte beyond ASCII becomes a whole character, since the text must be UTF-8.
                let text = if byte < 128 {
                    String::from_utf8(text).unwrap_or_default()
                } else {
                    "a".repeat(place) + "é"
                };
                assert_eq!(
                    any(&text, b'a', |eight| eight.below(0x20)),
                    byte < 0x20,
                    "{byte} at {place}"
                );
                assert_eq!(
                    any(&text, b'a', |eight| eight.equal_to(b'\\')),
                    byte == b'\\',
                    "{byte} at {place}"
                );
                assert_eq!(
                    any(&text, b'a', |eight| eight.beyond_ascii()),
                    byte > 127,
                    "{byte} at {place}"
                );
            }
        }
    }
}
