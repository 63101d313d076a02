//! The services, and configurations for them.

use crate::input::Kind;
use payorder_fuzz::service::{Ending, Script, Service};
use std::sync::LazyLock;

/// The clients and calls of one input keep at most this many connections open.
const WORKERS: usize = 48;

pub static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    Service::start(WORKERS, |head, _| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        if path.starts_with("/silent") {
            return Script::default();
        }
        let ending = if path.starts_with("/closes") {
            Ending::Close
        } else {
            Ending::Keep
        };
        Script {
            ending,
            ..Script::created()
        }
    })
});

/// An address on which nobody listens, and which nobody else can use while the socket is open.
static REFUSING: LazyLock<(socket2::Socket, String)> = LazyLock::new(|| {
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
    socket
        .bind(&std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .expect("a port on loopback");
    let address = socket
        .local_addr()
        .ok()
        .and_then(|address| address.as_socket())
        .expect("its address");
    (socket, format!("http://{address}"))
});

pub fn config(kind: Kind) -> String {
    let (url, timeout) = match kind {
        Kind::Responds => (SERVICE.url().to_owned(), 20_000),
        Kind::Closes => (format!("{}/closes", SERVICE.url()), 20_000),
        Kind::Silent => (format!("{}/silent", SERVICE.url()), 5),
        Kind::Refused => (REFUSING.1.clone(), 20_000),
    };
    let credentials =
        r#""accessToken":"token","clientKey":"key","clientId":"id","secretKey":"secret""#;
    format!(
        r#"{{"baseUrl":"{url}","proxy":"none","timeoutMs":{timeout},
            "createRetries":0,"statusRetries":0,{credentials}}}"#
    )
}
