//! Searches the memory of another process for secrets.

use std::fs;
use std::ops::Range;
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
            self.beginnings[usize::from(piece[0]) << 8 | usize::from(piece[1])] = true;
            self.pieces.push(Piece {
                secret: secret.to_owned(),
                bytes: piece.to_vec(),
            });
        }
    }

    /// Every place in the process's readable memory with pieces of secrets: which, where, and what
    /// is around it.
    pub fn process(&self, process: u32) -> Vec<String> {
        let memory = fs::File::open(format!("/proc/{process}/mem")).expect("the process's memory");
        let mut found = Vec::new();
        let mut searched = 0;
        for Region {
            addresses, line, ..
        } in regions(process).iter().filter(|it| it.is_searched)
        {
            let mut bytes = vec![0; (addresses.end - addresses.start) as usize];
            // The part of a mapped file that lies behind the file's end cannot be read; all before
            // it can.
            let read = memory.read_at(&mut bytes, addresses.start).unwrap_or(0);
            searched += read;
            self.bytes(&bytes[..read], addresses.start, line, &mut found);
        }
        assert!(
            searched > 1 << 20,
            "only {searched} bytes of the process could be read"
        );
        found
    }

    /// The same of the core dump of a process, which is still as it was dumped.
    pub fn core_dump(&self, path: &std::path::Path, process: u32) -> Vec<String> {
        let dump = fs::read(path).expect("the core dump");
        let number = |at: usize| u64::from_le_bytes(dump[at..at + 8].try_into().expect("8 bytes"));
        let (table, count) = (
            number(32) as usize,
            usize::from(dump[56]) | usize::from(dump[57]) << 8,
        );
        let regions = regions(process);
        let mut found = Vec::new();
        for header in (0..count).map(|index| table + index * 56) {
            let [offset, address, size] = [8, 16, 32].map(|field| number(header + field));
            let region = regions.iter().find(|it| it.addresses.contains(&address));
            // PT_LOAD. The others have the registers.
            if dump[header] == 1 && region.is_some_and(|region| region.is_searched) {
                let bytes = &dump[offset as usize..(offset + size) as usize];
                self.bytes(bytes, address, "the core dump", &mut found);
            }
        }
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
            let end = (from + page.len()).min(bytes.len() - 1);
            let mut at = from.max(told_up_to);
            while let Some(found_at) = self.next_beginning(bytes, at, end) {
                at = found_at + 1;
                let piece = |piece: &&Piece| bytes[found_at..].starts_with(&piece.bytes);
                if let Some(piece) = self.pieces.iter().find(piece) {
                    let around =
                        &bytes[found_at.saturating_sub(48)..bytes.len().min(found_at + APART)];
                    told_up_to = found_at + APART;
                    at = told_up_to;
                    found.push(format!(
                        "{} at {:x} of {place}: {}",
                        piece.secret,
                        start + found_at as u64,
                        around.escape_ascii()
                    ));
                }
            }
        }
    }

    /// Where the next piece may start. Looks at each byte of a process, so it calls nothing that a
    /// build without optimisation does not inline.
    fn next_beginning(&self, bytes: &[u8], mut at: usize, end: usize) -> Option<usize> {
        let beginnings: &[bool] = &self.beginnings;
        while at < end {
            if beginnings[(bytes[at] as usize) << 8 | bytes[at + 1] as usize] {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

/// A part of a process's memory: a line of its map.
struct Region {
    addresses: Range<u64>,
    line: String,
    /// Not stacks, for which nothing is promised, and not what cannot be read.
    is_searched: bool,
}

fn regions(process: u32) -> Vec<Region> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("the memory's map");
    let mut guard = 0;
    let region = |line: &str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (start, end) = columns[0].split_once('-').expect("two addresses");
        let [start, end] =
            [start, end].map(|text| u64::from_str_radix(text, 16).expect("an address"));
        // A thread's stack lies directly above a small region that cannot be read.
        let is_thread_stack = columns.len() == 5 && start == guard;
        if columns[1].starts_with("---") && end - start <= 1 << 16 {
            guard = end;
        }
        let unsearched = ["[stack]", "[vvar]", "[vsyscall]"];
        Region {
            addresses: start..end,
            line: line.to_owned(),
            is_searched: columns[1].starts_with('r')
                && !is_thread_stack
                && !columns.get(5).is_some_and(|name| unsearched.contains(name)),
        }
    };
    maps.lines().map(region).collect()
}
