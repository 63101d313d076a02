//! Addresses that accept no connection.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::LazyLock;
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// A port of all addresses of this machine that is in use while this exists, so that no service
/// gets it.
pub struct Unreachable {
    socket: Socket,
    _waiting: Vec<Socket>,
}

impl Unreachable {
    /// It refuses connections.
    pub fn refusing() -> Unreachable {
        Unreachable::bound((Ipv4Addr::UNSPECIFIED, 0).into())
    }

    fn bound(address: SocketAddr) -> Unreachable {
        let socket = socket();
        socket.bind(&address.into()).expect("a free port");
        Unreachable {
            socket,
            _waiting: Vec::new(),
        }
    }

    /// Its accept queue is full: a connect waits until it times out.
    pub fn full_queue() -> Unreachable {
        Unreachable::refusing().filled(Ipv4Addr::LOCALHOST)
    }

    /// The same, of this address alone.
    pub fn full_queue_at(ip: Ipv4Addr, port: u16) -> Unreachable {
        Unreachable::bound((ip, port).into()).filled(ip)
    }

    fn filled(mut self, ip: Ipv4Addr) -> Unreachable {
        self.socket.listen(0).expect("it listens");
        let address = SocketAddr::from((ip, self.port())).into();
        let waiting = (0..8).map(|_| {
            let waiting = socket();
            waiting.set_nonblocking(true).expect("nonblocking mode");
            // It is connecting, or failed at once: in both cases the queue is full.
            let _ = waiting.connect(&address);
            waiting
        });
        self._waiting = waiting.collect();
        std::thread::sleep(Duration::from_millis(50));
        self
    }

    /// Ends the connections that filled the queue.
    pub fn into_listener(self) -> TcpListener {
        self.socket.into()
    }

    pub fn port(&self) -> u16 {
        let address = self.socket.local_addr().expect("an address");
        address.as_socket().expect("an IPv4 address").port()
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }
}

/// An address of 127.0.0.1 that refuses connections.
pub fn refusing_url() -> String {
    static BOUND: LazyLock<Unreachable> = LazyLock::new(Unreachable::refusing);
    BOUND.url()
}

fn socket() -> Socket {
    Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket")
}
