//! The service, and configurations for clients of it.

use crate::input::Kind;
use payorder_fuzz::service::{Ending, Script, Service};
use std::sync::LazyLock;

pub static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    Service::start(|head| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        if path.starts_with("/silent") {
            return Script::nothing();
        }
        let mut script = Script::created();
        if path.starts_with("/closes") {
            script.ending = Ending::Close;
        }
        script
    })
});

pub fn config(kind: Kind) -> String {
    let (url, path, timeout) = match kind {
        Kind::Responds => (Service::URL, "", 20_000),
        Kind::Closes => (Service::URL, "/closes", 20_000),
        Kind::Silent => (Service::URL, "/silent", 5),
        Kind::Refused => (Service::REFUSING_URL, "", 20_000),
    };
    let credentials =
        r#""accessToken":"token","clientKey":"key","clientId":"id","secretKey":"secret""#;
    format!(
        r#"{{"baseUrl":"{url}{path}","proxy":"none","timeoutMs":{timeout},
            "createRetries":0,"statusRetries":0,{credentials}}}"#
    )
}
