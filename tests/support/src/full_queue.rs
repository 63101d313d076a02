//! A listener whose accept queue is full: a connect waits until it times out.

use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

pub struct FullQueue {
    address: SocketAddr,
    _listener: Socket,
    _waiting: Vec<Socket>,
}

impl FullQueue {
    pub fn start() -> FullQueue {
        let socket = || Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        let listener = socket();
        listener
            .bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())
            .expect("a free port");
        listener.listen(0).expect("it listens");
        let address = listener.local_addr().expect("an address");
        let waiting = (0..8).map(|_| {
            let waiting = socket();
            waiting.set_nonblocking(true).expect("nonblocking mode");
            // It is connecting, or failed at once: in both cases the queue is full.
            let _ = waiting.connect(&address);
            waiting
        });
        let _waiting = waiting.collect();
        std::thread::sleep(Duration::from_millis(100));
        FullQueue {
            address: address.as_socket().expect("an IPv4 address"),
            _listener: listener,
            _waiting,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
