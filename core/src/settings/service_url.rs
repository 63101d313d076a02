//! The service's address, from the configuration's `baseUrl`.

use std::borrow::Cow;

use percent_encoding::{CONTROLS, utf8_percent_encode};
use ureq_proto::http::Uri;

use crate::connection::Target;
use crate::payment::service::Service;
use crate::settings::list::config::BASE_URL;
use crate::text::url::WebUrl;

pub(crate) struct ServiceUrl {
    /// The address in one form, by which the journal knows the service: the host in small letters,
    /// no usual port, no slash at the end.
    pub(crate) name: String,
    pub(crate) create_order: Uri,
    pub(crate) get_status: Uri,
    pub(crate) target: Target,
    /// Host and port, for the `Host` header.
    pub(crate) authority: String,
    pub(crate) secure: bool,
}

impl ServiceUrl {
    /// The messages show no part of the text, which can contain a password.
    pub(crate) fn read(
        text: &str,
        allow_insecure_http: bool,
        service: &Service,
    ) -> Result<ServiceUrl, Cow<'static, str>> {
        if text.is_empty() {
            return Err(
                "is missing; it is the service's address, such as https://pay.example.com".into(),
            );
        }
        let address = WebUrl::read(text).filter(|_| text.len() as u64 <= BASE_URL.most);
        let address =
            address.ok_or("is not a usable address; it must look like https://pay.example.com")?;
        if address.userinfo.is_some() {
            return Err(
                "must not contain a user name or password; credentials have their own keys".into(),
            );
        }
        if text.contains(['?', '#']) {
            return Err("must not have a query or a fragment".into());
        }
        if !address.secure && !address.is_loopback() && !allow_insecure_http {
            return Err(
                "must be https; http is for loopback hosts, or with allowInsecureHttp".into(),
            );
        }
        let (scheme, usual) = if address.secure {
            ("https", 443)
        } else {
            ("http", 80)
        };
        let port = address.port.unwrap_or(usual);
        if port == 0 {
            return Err("must not have port 0".into());
        }
        let host = address.host();
        if !host.is_ascii() {
            return Err("has a host with non-ASCII letters; write it in its xn-- form".into());
        }
        let target = Target {
            host: host.into_owned(),
            port,
        };
        let place = if port == usual {
            target.bracketed()
        } else {
            target.to_string().into()
        };
        let prefix = utf8_percent_encode(address.path.trim_end_matches('/'), CONTROLS);
        let name = format!("{scheme}://{place}{prefix}");
        let endpoint =
            |path| Uri::try_from(format!("{name}{path}")).map_err(|_| "is not a usable address");
        let create_order = endpoint(service.create_order.path)?;
        let get_status = endpoint(service.get_status.path)?;
        let authority = place.into_owned();
        Ok(ServiceUrl {
            name,
            create_order,
            get_status,
            target,
            authority,
            secure: address.secure,
        })
    }
}
