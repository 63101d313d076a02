//! How a client reaches a service.

use crate::certificates::TlsSetup;
use crate::service::Step;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    Plain,
    Tls,
    /// The client speaks TLS. The script plays the handshake.
    Handshake,
    /// Through a proxy, which the script's first part plays.
    Proxy,
    ProxyToTls,
    TlsProxy,
    TlsProxyToTls,
    /// Through a TLS proxy whose handshake the script plays too.
    ProxyHandshake,
}

pub const BOTH: &[Way] = &[Way::Plain, Way::Tls];
pub const PROXIES: &[Way] = &[
    Way::Proxy,
    Way::ProxyToTls,
    Way::TlsProxy,
    Way::TlsProxyToTls,
];

impl Way {
    /// The steps before the script.
    pub fn beginning(self) -> &'static [Step] {
        match self {
            Way::Tls | Way::TlsProxy | Way::TlsProxyToTls => &[Step::Handshake(TlsSetup::Good)],
            Way::Plain | Way::Handshake | Way::Proxy | Way::ProxyToTls | Way::ProxyHandshake => &[],
        }
    }

    pub fn base_url_is_secure(self) -> bool {
        matches!(
            self,
            Way::Tls | Way::Handshake | Way::ProxyToTls | Way::TlsProxyToTls
        )
    }

    /// `baseUrl` and `proxy` of a client, for a service (or its proxy) at this place. A script that
    /// plays the proxy also plays the service behind it.
    pub fn addresses(self, place: &str) -> (String, String) {
        let scheme = if self.base_url_is_secure() {
            "https"
        } else {
            "http"
        };
        let proxy = match self {
            Way::Plain | Way::Tls | Way::Handshake => {
                return (format!("{scheme}://{place}"), "none".to_owned());
            }
            Way::Proxy | Way::ProxyToTls => "http",
            Way::TlsProxy | Way::TlsProxyToTls | Way::ProxyHandshake => "https",
        };
        (
            format!("{scheme}://localhost:9"),
            format!("{proxy}://{place}"),
        )
    }
}
