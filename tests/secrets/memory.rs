//! Searches the memory of another process for secrets.

use std::fs;
use std::os::unix::fs::FileExt;

/// The C library overwrites the first bytes of a freed block with its lists, and a part of a secret
/// is a leak too. So each piece of a secret is searched for.
const PIECE: usize = 8;
const PAGE: usize = 4096;
/// Pieces closer to each other than this are reported as one place.
const APART: usize = 256;

struct Piece {
    secret: String,
    bytes: Vec<u8>,
}

/// What to look for.
pub struct Search {
    pieces: Vec<Piece>,
    /// Whether any piece starts with these two bytes.
    beginnings: Vec<bool>,
}

impl Search {
    pub fn new() -> Search {
        Search {
            pieces: Vec::new(),
            beginnings: vec![false; 1 << 16],
        }
    }

    pub fn add(&mut self, secret: &str, text: &str) {
        assert!(
            text.len() >= 2 * PIECE,
            "{secret} is too short to exclude chance"
        );
        let bytes = text.as_bytes();
        for piece in bytes
            .chunks_exact(PIECE)
            .chain([&bytes[bytes.len() - PIECE..]])
        {
            self.beginnings[beginning(piece)] = true;
            self.pieces.push(Piece {
                secret: secret.to_owned(),
                bytes: piece.to_vec(),
            });
        }
    }

    /// Every place in the process's readable memory with pieces of secrets: which, where, and what
    /// is around it.
    pub fn process(&self, process: u32) -> Vec<String> {
        let maps = fs::read_to_string(format!("/proc/{process}/maps"))
            .expect("the map of the process's memory");
        let memory = fs::File::open(format!("/proc/{process}/mem")).expect("the process's memory");
        let mut found = Vec::new();
        let mut searched = 0;
        for line in maps.lines() {
            let (range, rest) = line.split_once(' ').expect("an address range");
            // The kernel's own pages, which cannot be read.
            if !rest.starts_with('r') || rest.ends_with("[vvar]") || rest.ends_with("[vsyscall]") {
                continue;
            }
            let (start, end) = range.split_once('-').expect("two addresses");
            let [start, end] =
                [start, end].map(|text| u64::from_str_radix(text, 16).expect("an address"));
            let mut bytes = vec![0; (end - start) as usize];
            // The part of a mapped file that lies behind the file's end cannot be read; all before
            // it can.
            let read = memory.read_at(&mut bytes, start).unwrap_or(0);
            searched += read;
            self.bytes(&bytes[..read], start, line, &mut found);
        }
        assert!(
            searched > 1 << 20,
            "only {searched} bytes of the process could be read"
        );
        found
    }

    /// Every place in a file with pieces of secrets.
    pub fn file(&self, path: &std::path::Path) -> Vec<String> {
        let bytes = fs::read(path).expect("the file");
        let mut found = Vec::new();
        self.bytes(&bytes, 0, &path.display().to_string(), &mut found);
        found
    }

    fn bytes(&self, bytes: &[u8], start: u64, place: &str, found: &mut Vec<String>) {
        let zeros = [0; PAGE];
        let mut told_up_to = 0;
        for from in (0..bytes.len()).step_by(PAGE) {
            let page = &bytes[from..bytes.len().min(from + PAGE)];
            // Most of a stack was never used.
            if page == &zeros[..page.len()] {
                continue;
            }
            for at in from..(from + page.len()).min(bytes.len() - 1) {
                if at < told_up_to || !self.beginnings[beginning(&bytes[at..])] {
                    continue;
                }
                if let Some(piece) = self
                    .pieces
                    .iter()
                    .find(|piece| bytes[at..].starts_with(&piece.bytes))
                {
                    let around = &bytes[at.saturating_sub(48)..bytes.len().min(at + APART)];
                    told_up_to = at + APART;
                    found.push(format!(
                        "{} at {:x} of {place}: {}",
                        piece.secret,
                        start + at as u64,
                        around.escape_ascii()
                    ));
                }
            }
        }
    }
}

fn beginning(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}
