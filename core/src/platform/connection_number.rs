//! The number of a socket for systems that give sockets none.

use std::hash::{DefaultHasher, Hash, Hasher};

use socket2::{SockAddr, Socket};

/// The number of a socket that is not connected yet: nothing distinguishes it from others.
pub(super) const NEW: u64 = 1;
/// The part of a number that is made of the address of the other end; 0 if that is not known.
const OTHER_END: u64 = 0xffff_ffff;

/// A number made of the addresses of the two ends of a connection, which no other connection has, and
/// of what else is known of the socket; 0 if the system does not say its own address. Allowed in a
/// forked child.
pub(super) fn of_connection(socket: &Socket, known: u64) -> u64 {
    let part = |address: SockAddr| {
        let mut hasher = DefaultHasher::new();
        (address.as_socket(), known).hash(&mut hasher);
        hasher.finish() | 1
    };
    let is_bound = |address: &SockAddr| address.as_socket().is_none_or(|own| own.port() != 0);
    let other = socket.peer_addr().map_or(0, part);
    let own = socket.local_addr().ok().filter(is_bound);
    own.map_or(0, |own| part(own) << 32 | other & OTHER_END)
}

/// Whether a socket that has the number `now` can be the one with `number`. The system may forget the
/// addresses of a connection that was reset. A socket without its own address sends nothing.
pub(super) fn is_same(now: u64, number: u64) -> bool {
    match (now, now & OTHER_END) {
        (0, _) => true,
        (_, 0) => now == number & !OTHER_END,
        _ => now == number,
    }
}
