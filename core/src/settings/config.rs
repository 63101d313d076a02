//! The configuration of a client, as the caller gives it: typed, or as JSON.

use std::path::PathBuf;
use std::time::Duration;

use crate::connection::{ProxyChoice, Roots};
use crate::credentials::Credentials;
use crate::error::{Cause, Error};
use crate::gateway::order::RETURN_URL_FIELD;
use crate::settings::list::{config as keys, tls};
use crate::settings::object_reader::{KeyProblem, ObjectReader};
use crate::settings::problems::Problems;
use crate::text::json;
use crate::text::url::WebUrl;

/// The configuration of a client. [`Config::new`] sets the defaults; [`crate::Client::new`] checks
/// the values. `Debug` shows no credentials, and no address that contains a user name or password.
#[derive(Debug, Clone)]
pub struct Config {
    /// The service's address: https, or http for a loopback host or with `allow_insecure_http`. It
    /// may have a path prefix and a trailing slash.
    pub base_url: BaseUrl,
    /// Used by every call whose options give no others.
    pub credentials: Credentials,
    /// For a whole call, with all attempts and pauses: 1 ms to 600 s, default 30 s.
    pub timeout: Duration,
    /// For one connection (name lookup, TCP, proxy and TLS): 1 ms to 600 s, default 10 s.
    pub connect_timeout: Duration,
    /// Further attempts at Create Order, only if no connection could be made: 0 to 10, default 1.
    pub create_retries: u32,
    /// Further attempts at Get Status: 0 to 10, default 2.
    pub status_retries: u32,
    /// A connection that was idle for longer than this is not used again: 0 to 600 s, default 2 s.
    /// 0 keeps no connections.
    pub max_idle: Duration,
    /// The largest response that is read: 1 KiB to 16 MiB, default 1 MiB.
    pub max_response_bytes: usize,
    /// The proxy; by default the one that the environment names.
    pub proxy: ProxyChoice,
    /// The trusted certificate authorities, and the client certificate.
    pub tls: TlsOptions,
    /// Allows http to any host. For tests only: credentials are sent in clear text.
    pub allow_insecure_http: bool,
    /// The hosts that a checkout URL may have; `None` allows any.
    pub checkout_hosts: Option<Vec<String>>,
    /// The wire name of the return URL, which the interface's field table leaves unclear.
    pub return_url_field: String,
    /// Put before `payorder/VERSION` in the `User-Agent` header.
    pub user_agent: Option<String>,
    /// The path of the journal, which is created if it is missing. By default there is none. Needs
    /// the feature `journal`.
    pub journal: Option<PathBuf>,
}

/// Options of TLS. Files are in PEM format and are read when the client is created.
#[derive(Debug, Clone, Default)]
pub struct TlsOptions {
    /// Which certificate authorities are trusted.
    pub roots: Roots,
    /// Further certificate authorities to trust.
    pub ca_file: Option<PathBuf>,
    /// The client's certificate chain; with `key_file`.
    pub cert_file: Option<PathBuf>,
    /// The client's private key; with `cert_file`.
    pub key_file: Option<PathBuf>,
}

/// The service's address, as text. `Debug` shows it only if it is one, without a user name or
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(pub String);

impl<T: Into<String>> From<T> for BaseUrl {
    fn from(text: T) -> BaseUrl {
        BaseUrl(text.into())
    }
}

impl std::fmt::Debug for BaseUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let readable = WebUrl::read(&self.0).is_some_and(|url| url.userinfo.is_none());
        match readable {
            true => write!(formatter, "{:?}", self.0),
            false => formatter.write_str("\"[not usable]\""),
        }
    }
}

impl Config {
    /// The defaults, for a service at `base_url`.
    ///
    /// ```
    /// let mut config = payorder_core::Config::new("https://pay.example.com");
    /// config.timeout = std::time::Duration::from_secs(10);
    /// ```
    pub fn new(base_url: impl Into<String>) -> Config {
        Config {
            base_url: BaseUrl(base_url.into()),
            ..Config::read(&mut ObjectReader::nothing())
        }
    }

    pub(super) fn read(reader: &mut ObjectReader<'_>) -> Config {
        Config {
            base_url: BaseUrl(reader.string(keys::BASE_URL).unwrap_or_default()),
            credentials: reader.credentials(),
            timeout: reader.milliseconds_or_default(keys::TIMEOUT),
            connect_timeout: reader.milliseconds_or_default(keys::CONNECT_TIMEOUT),
            create_retries: reader.number_or_default(keys::CREATE_RETRIES) as u32,
            status_retries: reader.number_or_default(keys::STATUS_RETRIES) as u32,
            max_idle: reader.milliseconds_or_default(keys::MAX_IDLE),
            max_response_bytes: reader.number_or_default(keys::MAX_RESPONSE_BYTES) as usize,
            proxy: match reader.string(keys::PROXY) {
                None => ProxyChoice::Environment,
                Some(none) if none == "none" => ProxyChoice::None,
                Some(url) => ProxyChoice::Url(url),
            },
            tls: reader.object(keys::TLS, TlsOptions::read),
            allow_insecure_http: reader.boolean(keys::ALLOW_INSECURE_HTTP),
            checkout_hosts: reader.strings(keys::CHECKOUT_HOSTS),
            return_url_field: reader
                .string(keys::RETURN_URL_FIELD)
                .unwrap_or_else(|| RETURN_URL_FIELD.to_owned()),
            user_agent: reader.string(keys::USER_AGENT),
            journal: reader.path(keys::JOURNAL),
        }
    }
}

impl TlsOptions {
    fn read(reader: &mut ObjectReader<'_>) -> TlsOptions {
        TlsOptions {
            roots: match reader.one_of(tls::ROOTS) {
                Some(name) if name == Roots::System.name() => Roots::System,
                Some(name) if name == Roots::Both.name() => Roots::Both,
                _ => Roots::Bundled,
            },
            ca_file: reader.path(tls::CA_FILE),
            cert_file: reader.path(tls::CERT_FILE),
            key_file: reader.path(tls::KEY_FILE),
        }
    }
}

/// Reads credentials that replace those of a configuration, with the same rules.
pub(crate) fn read_credentials(text: &str) -> Result<Credentials, Error> {
    let mut reader = ObjectReader::new(json::read_object(text, "the credentials")?);
    let credentials = reader.credentials();
    let mut problems = Problems::default();
    for (key, problem) in reader.into_problems() {
        match problem {
            KeyProblem::Unknown => {
                let message = format!("`{key}` is not a credential: check its spelling");
                problems.add_message(Cause::UnknownKey, &key, message);
            }
            other => problems.add_given(&key, other),
        }
    }
    match problems.is_empty() {
        true => Ok(credentials),
        false => Err(problems.into_error()),
    }
}
