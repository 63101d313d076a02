//! A created order, and where its customer may be sent.

use crate::credentials::CallCredentials;
use crate::error::Cause;
use crate::text::url::WebUrl;

/// A created order, with the URL where the customer pays.
#[derive(Clone)]
#[must_use]
pub struct Checkout {
    pub(crate) url: String,
    pub(crate) response_message: String,
    pub(crate) json: String,
}

impl Checkout {
    /// The checkout URL, as the service sent it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The service's text; `Success` according to its documentation.
    pub fn response_message(&self) -> &str {
        &self.response_message
    }

    /// The complete response as JSON, as in the C ABI, with all fields that this version does not
    /// know.
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl std::fmt::Debug for Checkout {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Checkout").finish_non_exhaustive()
    }
}

pub(crate) struct CheckoutUrlRules<'a> {
    pub(crate) allow_insecure_http: bool,
    /// Hosts in their normal form; `None` for any.
    pub(crate) hosts: Option<&'a [String]>,
}

impl CheckoutUrlRules<'_> {
    /// Checks a checkout URL. The error does not show the URL, which can contain a token.
    pub(crate) fn check(
        &self,
        text: &str,
        credentials: &CallCredentials<'_>,
    ) -> Result<(), (Cause, String)> {
        let unusable = |problem: String| Err((Cause::CheckoutUrlUnusable, problem));
        let Some(address) = WebUrl::read(text) else {
            return unusable("is not an absolute http or https URL that a browser can open".into());
        };
        // Browsers and other programs convert such letters differently.
        if !address.written_host.is_ascii() {
            return unusable("has a host with non-ASCII letters instead of its xn-- form".into());
        }
        if address.userinfo.is_some() {
            return unusable("has a user name or password before its host".into());
        }
        if !address.secure && !address.is_loopback() && !self.allow_insecure_http {
            return unusable(format!(
                "of host {} is not https",
                credentials.redact(address.written_host)
            ));
        }
        match self.hosts {
            Some(hosts) if !hosts.iter().any(|host| *host == address.host()) => Err((
                Cause::CheckoutHostNotAllowed,
                format!(
                    "has the host {}, which is not in checkoutHosts",
                    credentials.redact(address.written_host)
                ),
            )),
            _ => Ok(()),
        }
    }
}
