//! The number of a socket for systems that give sockets none.

use std::hash::{DefaultHasher, Hash, Hasher};

use socket2::{SockAddr, Socket};

/// The number of a socket that is not connected yet: nothing distinguishes it from others.
pub(super) const NEW: u64 = 1;
/// The part of a number that is made of the address of the other end; 0 if that is not known.
const OTHER_END: u64 = 0xffff_ffff;

/// A number made of the addresses of the two ends of a connection, which no other connection has, and
/// of what else is known of the socket; 0 if it has no address. Allowed in a forked child.
pub(super) fn of_connection(socket: &Socket, known: u64) -> u64 {
    let part = |address: SockAddr| {
        let mut hasher = DefaultHasher::new();
        (address.as_socket(), known).hash(&mut hasher);
        hasher.finish() | 1
    };
    let other = socket.peer_addr().map_or(0, part);
    let own = |address| part(address) << 32 | other & OTHER_END;
    socket.local_addr().map_or(0, own)
}

/// Whether a socket that has the number `now` is the one with `number`. The system may forget the
/// other end of a connection that was reset.
pub(super) fn is_same(now: u64, number: u64) -> bool {
    match now & OTHER_END {
        0 => now != 0 && now == number & !OTHER_END,
        _ => now == number,
    }
}
