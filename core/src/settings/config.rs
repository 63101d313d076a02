//! The configuration of a client, as the caller gives it: typed, or as JSON.

use std::path::PathBuf;
use std::time::Duration;

use crate::connection::{ProxyChoice, Roots};
use crate::credentials::{Credentials, Headers};
use crate::error::{Cause, Error};
use crate::gateway::order::RETURN_URL_FIELD;
use crate::journal::may_have_password;
use crate::settings::list::{config as keys, tls};
use crate::settings::object_reader::{KeyProblem, ObjectReader, read_struct};
use crate::settings::problems::Problems;
use crate::text::json;
use crate::text::url::WebUrl;

read_struct! {
    /// The configuration of a client. [`Config::new`] sets the defaults; [`crate::Client::new`]
    /// checks the values. `Debug` shows no credentials, and no address that contains a user name or
    /// password.
    #[derive(Debug, Clone)]
    pub struct Config(reader) {
        /// The service's address: https, or http for a loopback host or with `allow_insecure_http`.
        /// It may have a path prefix and a trailing slash.
        base_url: BaseUrl = BaseUrl(reader.string(keys::BASE_URL).unwrap_or_default()),
        /// Used by every call whose options give no others.
        credentials: Credentials = reader.credentials(),
        /// For a whole call, with all attempts and pauses: 1 ms to 600 s, default 30 s.
        timeout: Duration = reader.milliseconds_or_default(keys::TIMEOUT),
        /// For one connection (name lookup, TCP, proxy and TLS): 1 ms to 600 s, default 10 s.
        connect_timeout: Duration = reader.milliseconds_or_default(keys::CONNECT_TIMEOUT),
        /// Further attempts at Create Order, only if no connection could be made: 0 to 10, default
        /// 1.
        create_retries: u32 = reader.number_or_default(keys::CREATE_RETRIES) as u32,
        /// Further attempts at Get Status: 0 to 10, default 2.
        status_retries: u32 = reader.number_or_default(keys::STATUS_RETRIES) as u32,
        /// How many started calls run at once: 1 to 1024, default 64. The others wait for a thread.
        max_calls: u32 = reader.number_or_default(keys::MAX_CALLS) as u32,
        /// A connection that was idle for longer than this is not used again: 0 to 600 s, default 2
        /// s. 0 keeps no connections.
        max_idle: Duration = reader.milliseconds_or_default(keys::MAX_IDLE),
        /// The largest response that is read: 1 KiB to 16 MiB, default 1 MiB.
        max_response_bytes: usize = reader.number_or_default(keys::MAX_RESPONSE_BYTES) as usize,
        /// The proxy; by default the one that the environment names.
        proxy: ProxyChoice = match reader.string(keys::PROXY) {
            None => ProxyChoice::Environment,
            Some(none) if none == "none" => ProxyChoice::None,
            Some(url) => ProxyChoice::Url(url),
        },
        /// The trusted certificate authorities, and the client certificate.
        tls: TlsOptions = reader.object(keys::TLS, TlsOptions::read),
        /// Allows http to any host. For tests only: credentials are sent in clear text.
        allow_insecure_http: bool = reader.boolean(keys::ALLOW_INSECURE_HTTP),
        /// The hosts that a checkout URL may have; `None` allows any.
        checkout_hosts: Option<Vec<String>> = reader.strings(keys::CHECKOUT_HOSTS),
        /// The wire name of the return URL, which the interface's field table leaves unclear.
        return_url_field: String = reader
            .string(keys::RETURN_URL_FIELD)
            .unwrap_or_else(|| RETURN_URL_FIELD.to_owned()),
        /// Put before `payorder/VERSION` in the `User-Agent` header.
        user_agent: Option<String> = reader.string(keys::USER_AGENT),
        /// Further headers of every request, under other names than those that the library sets
        /// itself. Their values count as credentials.
        headers: Headers = reader.value(keys::HEADERS.key, Headers::read).unwrap_or_default(),
        /// Quotes the start of a response that is not usable in the error, which may then contain
        /// personal data.
        quote_responses: bool = reader.boolean(keys::QUOTE_RESPONSES),
        /// Where the journal is: the path of a file, which is created if it is missing, or the URI
        /// of a PostgreSQL database. By default there is none. Needs the feature `journal`.
        journal: Option<JournalPlace> = reader.path(keys::JOURNAL).map(JournalPlace),
    }
}

read_struct! {
    /// Options of TLS. Files are in PEM format and are read when the client is created.
    #[derive(Debug, Clone, Default)]
    pub struct TlsOptions(reader) {
        /// Which certificate authorities are trusted.
        roots: Roots = match reader.one_of(tls::ROOTS) {
            Some(name) if name == Roots::System.name() => Roots::System,
            Some(name) if name == Roots::Both.name() => Roots::Both,
            _ => Roots::Bundled,
        },
        /// Further certificate authorities to trust.
        ca_file: Option<PathBuf> = reader.path(tls::CA_FILE),
        /// The client's certificate chain; with `key_file`.
        cert_file: Option<PathBuf> = reader.path(tls::CERT_FILE),
        /// The client's private key; with `cert_file`.
        key_file: Option<PathBuf> = reader.path(tls::KEY_FILE),
    }
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

/// The path of a file, or the URI of a database. `Debug` shows no URI, which may have a password.
#[derive(Clone, PartialEq, Eq)]
pub struct JournalPlace(pub PathBuf);

impl<T: Into<PathBuf>> From<T> for JournalPlace {
    fn from(place: T) -> JournalPlace {
        JournalPlace(place.into())
    }
}

impl std::fmt::Debug for JournalPlace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match may_have_password(&self.0.to_string_lossy()) {
            true => formatter.write_str("\"[a database]\""),
            false => write!(formatter, "{:?}", self.0),
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
