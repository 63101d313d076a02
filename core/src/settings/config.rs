//! The configuration of a client, as the caller gives it: typed, or as JSON.

use std::path::PathBuf;
use std::time::Duration;

use crate::connection::{ProxyChoice, Roots};
use crate::credentials::Credentials;
use crate::error::{Cause, Error};
use crate::gateway::order::RETURN_URL_FIELD;
use crate::settings::problems::Problems;
use crate::settings::values::{
    IDLE_RANGE, RESPONSE_RANGE, RETRY_RANGE, TIMEOUT_RANGE, boolean, milliseconds, strings, text,
    whole,
};
use crate::text::json::{self, Entries, Value};
use crate::text::url::WebUrl;

/// The configuration of a client. [`Config::new`] sets the defaults; [`crate::Client::new`] checks
/// the values. `Debug` shows no credentials, and no address that contains a user name or password.
#[derive(Clone)]
pub struct Config {
    /// The service's address: https, or http for a loopback host or with `allow_insecure_http`. It
    /// may have a path prefix and a trailing slash.
    pub base_url: String,
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

impl Config {
    /// The defaults, for a service at `base_url`.
    ///
    /// ```
    /// let mut config = payorder_core::Config::new("https://pay.example.com");
    /// config.timeout = std::time::Duration::from_secs(10);
    /// ```
    pub fn new(base_url: impl Into<String>) -> Config {
        Config {
            base_url: base_url.into(),
            credentials: Credentials::default(),
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            create_retries: 1,
            status_retries: 2,
            max_idle: Duration::from_secs(2),
            max_response_bytes: 1024 * 1024,
            proxy: ProxyChoice::Environment,
            tls: TlsOptions::default(),
            allow_insecure_http: false,
            checkout_hosts: None,
            return_url_field: RETURN_URL_FIELD.to_owned(),
            user_agent: None,
            journal: None,
        }
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let readable = WebUrl::read(&self.base_url).is_some_and(|url| url.userinfo.is_none());
        let base_url = if readable {
            &self.base_url
        } else {
            "[not usable]"
        };
        formatter
            .debug_struct("Config")
            .field("base_url", &base_url)
            .field("credentials", &self.credentials)
            .field("timeout", &self.timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("create_retries", &self.create_retries)
            .field("status_retries", &self.status_retries)
            .field("max_idle", &self.max_idle)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("proxy", &self.proxy)
            .field("tls", &self.tls)
            .field("allow_insecure_http", &self.allow_insecure_http)
            .field("checkout_hosts", &self.checkout_hosts)
            .field("return_url_field", &self.return_url_field)
            .field("user_agent", &self.user_agent)
            .field("journal", &self.journal)
            .finish()
    }
}

/// Reads the keys of a configuration. An invalid key is added to the problems and keeps its
/// default.
pub(crate) fn read(entries: Entries<'_>, problems: &mut Problems) -> Config {
    let mut config = Config::new("");
    for (key, value) in entries {
        let result = match key.as_ref() {
            "baseUrl" => text(value).map(|text| config.base_url = text.into_owned()),
            "accessToken" | "clientKey" | "clientId" | "secretKey" => {
                text(value).and_then(|text| config.credentials.set(&key, &text))
            }
            "timeoutMs" => milliseconds(value, TIMEOUT_RANGE).map(|time| config.timeout = time),
            "connectTimeoutMs" => {
                milliseconds(value, TIMEOUT_RANGE).map(|time| config.connect_timeout = time)
            }
            "maxIdleMs" => milliseconds(value, IDLE_RANGE).map(|time| config.max_idle = time),
            "createRetries" => {
                whole(value, RETRY_RANGE).map(|count| config.create_retries = count as u32)
            }
            "statusRetries" => {
                whole(value, RETRY_RANGE).map(|count| config.status_retries = count as u32)
            }
            "maxResponseBytes" => {
                whole(value, RESPONSE_RANGE).map(|bytes| config.max_response_bytes = bytes as usize)
            }
            "proxy" => text(value).map(|text| {
                config.proxy = if text == "none" {
                    ProxyChoice::None
                } else {
                    ProxyChoice::Url(text.into_owned())
                };
            }),
            "tls" => match value {
                Value::Object(entries) => {
                    read_tls(entries, &mut config.tls, problems);
                    Ok(())
                }
                other => Err(format!("must be an object, not {}", other.kind())),
            },
            "allowInsecureHttp" => boolean(value).map(|allow| config.allow_insecure_http = allow),
            "checkoutHosts" => strings(value).map(|hosts| config.checkout_hosts = Some(hosts)),
            "returnUrlField" => text(value).map(|name| config.return_url_field = name.into_owned()),
            "userAgent" => text(value).map(|text| config.user_agent = Some(text.into_owned())),
            "journal" => {
                text(value).map(|path| config.journal = Some(PathBuf::from(path.into_owned())))
            }
            _ => {
                problems.unknown(&key);
                continue;
            }
        };
        problems.keep(&key, result);
    }
    config
}

/// Reads credentials that replace those of a configuration, with the same rules.
pub(crate) fn read_credentials(text_of_all: &str) -> Result<Credentials, Error> {
    let mut problems = Problems::default();
    let mut credentials = Credentials::default();
    for (key, value) in json::read_object(text_of_all, "the credentials")? {
        if Credentials::KEYS.contains(&key.as_ref()) {
            let result = text(value).and_then(|text| credentials.set(&key, &text));
            problems.keep(&key, result);
        } else {
            let problem = format!("`{key}` is not a credential: check its spelling");
            problems.0.push((Cause::UnknownKey, problem));
        }
    }
    match problems.0.is_empty() {
        true => Ok(credentials),
        false => Err(problems.into_error()),
    }
}

fn read_tls(entries: Entries<'_>, tls: &mut TlsOptions, problems: &mut Problems) {
    for (key, value) in entries {
        let path = |value| text(value).map(|text| Some(PathBuf::from(text.into_owned())));
        let result = match key.as_ref() {
            "roots" => text(value)
                .and_then(|text| match text.as_ref() {
                    "bundled" => Ok(Roots::Bundled),
                    "system" => Ok(Roots::System),
                    _ => Err("must be bundled or system".into()),
                })
                .map(|roots| tls.roots = roots),
            "caFile" => path(value).map(|path| tls.ca_file = path),
            "certFile" => path(value).map(|path| tls.cert_file = path),
            "keyFile" => path(value).map(|path| tls.key_file = path),
            _ => {
                problems.unknown(&format!("tls.{key}"));
                continue;
            }
        };
        problems.keep(&format!("tls.{key}"), result);
    }
}
