//! What a client is made from, checked once.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::{CONTROLS, utf8_percent_encode};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use ureq_proto::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use crate::connection::{Proxy, ProxyChoice, Roots, Route, Target, TlsMaterial};
use crate::credentials::Credentials;
use crate::error::{Cause, Code, Error};
use crate::gateway::order::{self, RETURN_URL_FIELD};
use crate::journal::Journal;
use crate::settings::values::{
    TIMEOUT_RANGE, boolean, in_range, milliseconds, strings, text, whole,
};
use crate::text::json::{self, Entries, Value};
use crate::text::url::{self, WebUrl};

/// What a client is made from. [`Config::new`] gives the defaults; [`crate::Client::new`] checks
/// them. `Debug` shows no credential, and no address that has a user name or password in it.
#[derive(Clone)]
pub struct Config {
    /// The service's address: https, or http for a loopback host or with `allow_insecure_http`. A
    /// path prefix and a trailing slash are fine.
    pub base_url: String,
    /// What every call uses, unless its own options give another.
    pub credentials: Credentials,
    /// The whole call, attempts and waits included: 1 ms to 600 s, 30 s by default.
    pub timeout: Duration,
    /// One connection, name lookup, TCP, proxy and TLS together: 1 ms to 600 s, 10 s by default.
    pub connect_timeout: Duration,
    /// Further attempts at Create Order, only ever after a connection that could not be made: 0 to
    /// 10, 1 by default.
    pub create_retries: u32,
    /// Further attempts at Get Status: 0 to 10, 2 by default.
    pub status_retries: u32,
    /// A kept connection older than this is not used again: at most 600 s, 2 s by default; zero
    /// keeps none.
    pub max_idle: Duration,
    /// The largest answer that is taken: 1 KiB to 16 MiB, 1 MiB by default.
    pub max_response_bytes: usize,
    /// The proxy; by the environment unless told otherwise.
    pub proxy: ProxyChoice,
    /// Whom TLS trusts, and who the client is.
    pub tls: TlsOptions,
    /// Allows http to hosts beside loopback. For tests only: credentials travel in clear text.
    pub allow_insecure_http: bool,
    /// Hosts that a checkout URL may have; any where it is `None`.
    pub checkout_hosts: Option<Vec<String>>,
    /// The wire name of the return URL, which the interface's field table leaves unclear.
    pub return_url_field: String,
    /// Put before `payorder/VERSION` in the `User-Agent`.
    pub user_agent: Option<String>,
    /// The path of the journal, which is made where it is missing; none by default. Needs the
    /// feature `journal`.
    pub journal: Option<PathBuf>,
}

/// TLS, beyond the defaults. Files are PEM, read when the client is made.
#[derive(Debug, Clone, Default)]
pub struct TlsOptions {
    /// Which certificate authorities are trusted.
    pub roots: Roots,
    /// Certificate authorities to trust in addition.
    pub ca_file: Option<PathBuf>,
    /// The client's certificate chain; with `key_file`.
    pub cert_file: Option<PathBuf>,
    /// The client's private key; with `cert_file`.
    pub key_file: Option<PathBuf>,
}

impl Config {
    /// The defaults, for a service at `base_url`.
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

/// A configuration that was found good.
pub(crate) struct Settings {
    pub(crate) create_order: Uri,
    pub(crate) get_status: Uri,
    pub(crate) credentials: Credentials,
    pub(crate) timeout: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) create_retries: u32,
    pub(crate) status_retries: u32,
    pub(crate) allow_insecure_http: bool,
    pub(crate) checkout_hosts: Option<Vec<String>>,
    pub(crate) return_url_field: String,
    pub(crate) route: Arc<Route>,
    pub(crate) journal: Option<Arc<Journal>>,
}

/// How long a kept connection may be idle, in milliseconds.
const IDLE_RANGE: (u64, u64) = (0, 600_000);
const RETRY_RANGE: (u64, u64) = (0, 10);
const RESPONSE_RANGE: (u64, u64) = (1024, 16 * 1024 * 1024);
const LONGEST_USER_AGENT: usize = 512;
/// The longest file of certificates or keys, in bytes: several times what all authorities of an
/// operating system take.
const LONGEST_FILE: u64 = 4 * 1024 * 1024;
const LONGEST_BASE_URL: usize = 8 * 1024;

/// What is wrong with a configuration, key by key: all of it is told at once.
#[derive(Default)]
struct Problems(Vec<(Cause, String)>);

impl Problems {
    fn add(&mut self, cause: Cause, key: &str, problem: impl std::fmt::Display) {
        self.0.push((cause, format!("{key} {problem}")));
    }

    /// Keeps a problem with a value.
    fn keep<T, E: std::fmt::Display>(&mut self, key: &str, result: Result<T, E>) -> Option<T> {
        self.keep_as(Cause::InvalidValue, key, result)
    }

    /// Keeps a problem with a file that the configuration names.
    fn keep_file<T, E: std::fmt::Display>(&mut self, key: &str, result: Result<T, E>) -> Option<T> {
        self.keep_as(Cause::UnreadableFile, key, result)
    }

    fn keep_as<T, E: std::fmt::Display>(
        &mut self,
        cause: Cause,
        key: &str,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|problem| self.add(cause, key, problem)).ok()
    }

    fn into_error(self) -> Error {
        // The first problem is the cause; the message has them all.
        let cause = self
            .0
            .first()
            .map_or(Cause::InvalidValue, |(cause, _)| *cause);
        let problems: Vec<String> = self.0.into_iter().map(|(_, problem)| problem).collect();
        Error::new(
            Code::InvalidConfig,
            cause,
            format!("the configuration cannot be used: {}", problems.join("; ")),
        )
    }
}

impl Settings {
    /// Checks a configuration.
    pub(crate) fn new(config: Config) -> Result<Settings, Error> {
        Settings::check(config, Problems::default())
    }

    /// Reads a configuration from JSON and checks it.
    pub(crate) fn from_json(text: &str) -> Result<Settings, Error> {
        let mut problems = Problems::default();
        let config = read(json::read_object(text, "the configuration")?, &mut problems);
        Settings::check(config, problems)
    }

    fn check(config: Config, mut problems: Problems) -> Result<Settings, Error> {
        let range = |problems: &mut Problems, key, value: u128, range| {
            problems.keep(key, in_range(value, range))
        };
        range(
            &mut problems,
            "timeoutMs",
            config.timeout.as_millis(),
            TIMEOUT_RANGE,
        );
        range(
            &mut problems,
            "connectTimeoutMs",
            config.connect_timeout.as_millis(),
            TIMEOUT_RANGE,
        );
        range(
            &mut problems,
            "maxIdleMs",
            config.max_idle.as_millis(),
            IDLE_RANGE,
        );
        range(
            &mut problems,
            "createRetries",
            config.create_retries.into(),
            RETRY_RANGE,
        );
        range(
            &mut problems,
            "statusRetries",
            config.status_retries.into(),
            RETRY_RANGE,
        );
        range(
            &mut problems,
            "maxResponseBytes",
            config.max_response_bytes as u128,
            RESPONSE_RANGE,
        );
        let user_agent = problems.keep("userAgent", user_agent(config.user_agent.as_deref()));
        problems.keep(
            "returnUrlField",
            check_return_url_field(&config.return_url_field),
        );
        let hosts = config
            .checkout_hosts
            .as_deref()
            .map(checkout_hosts)
            .transpose();
        let hosts = problems.keep("checkoutHosts", hosts);
        let tls = tls_material(&config.tls, &mut problems);
        let journal = config
            .journal
            .map(|path| Journal::new(path).map(Arc::new))
            .transpose();
        let journal = problems
            .keep_as(Journal::UNUSABLE_CAUSE, "journal", journal)
            .flatten();
        let service = match config.base_url.as_str() {
            // A key of the wrong type has been complained about already.
            "" if !problems.0.is_empty()
                && problems
                    .0
                    .iter()
                    .any(|(_, problem)| problem.starts_with("baseUrl ")) =>
            {
                None
            }
            base_url => problems.keep(
                "baseUrl",
                Service::read(base_url, config.allow_insecure_http),
            ),
        };
        let proxy = service.as_ref().map(|service| {
            let variable = |name: &str| std::env::var(name).ok();
            Proxy::choose(&config.proxy, &service.target, service.secure, variable)
        });
        let proxy = match proxy.transpose() {
            Ok(proxy) => proxy,
            Err(problem) => {
                problems.0.push((Cause::InvalidValue, problem));
                None
            }
        };
        let (Some(service), Some(user_agent), Some(checkout_hosts), Some(proxy), true) =
            (service, user_agent, hosts, proxy, problems.0.is_empty())
        else {
            return Err(problems.into_error());
        };
        let headers = headers(&service.authority, &user_agent)
            .ok_or_else(|| Error::new(Code::Internal, Cause::Bug, "a header could not be made"))?;
        Ok(Settings {
            create_order: service.create_order,
            get_status: service.get_status,
            credentials: config.credentials,
            timeout: config.timeout,
            connect_timeout: config.connect_timeout,
            create_retries: config.create_retries,
            status_retries: config.status_retries,
            allow_insecure_http: config.allow_insecure_http,
            checkout_hosts,
            return_url_field: config.return_url_field,
            route: Arc::new(Route {
                host: service.target.to_string().into(),
                target: service.target,
                secure: service.secure,
                proxy,
                tls,
                user_agent,
                headers,
                max_idle: config.max_idle,
                max_response_bytes: config.max_response_bytes,
            }),
            journal,
        })
    }
}

/// The service's address, taken apart.
struct Service {
    create_order: Uri,
    get_status: Uri,
    target: Target,
    /// Host and port, for the header of that name.
    authority: String,
    secure: bool,
}

impl Service {
    /// The messages show nothing of the text: it can hold a password.
    fn read(text: &str, allow_insecure_http: bool) -> Result<Service, Cow<'static, str>> {
        if text.is_empty() {
            return Err(
                "is missing; it is the service's address, such as https://pay.example.com".into(),
            );
        }
        let address = WebUrl::read(text).filter(|_| text.len() <= LONGEST_BASE_URL);
        let address =
            address.ok_or("is no usable address; it must look like https://pay.example.com")?;
        if address.userinfo.is_some() {
            return Err(
                "must not hold a user name or password; credentials have keys of their own".into(),
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
            return Err("has no port that can be connected to".into());
        }
        let host = address.host();
        if !host.is_ascii() {
            return Err("has a host with letters beyond ASCII; write it in its xn-- form".into());
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
        let endpoint = |name| {
            format!("{scheme}://{place}{prefix}/api/v1/Gateway/{name}")
                .parse::<Uri>()
                .map_err(|_| "is no usable address")
        };
        let (create_order, get_status) = (endpoint("CreateOrder")?, endpoint("GetStatus")?);
        let authority = place.into_owned();
        Ok(Service {
            create_order,
            get_status,
            target,
            authority,
            secure: address.secure,
        })
    }
}

/// The headers that every request has.
fn headers(authority: &str, user_agent: &str) -> Option<HeaderMap> {
    let json = HeaderValue::from_static("application/json");
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::HOST, HeaderValue::from_str(authority).ok()?),
        (header::CONTENT_TYPE, json.clone()),
        (header::ACCEPT, json),
        (header::USER_AGENT, HeaderValue::from_str(user_agent).ok()?),
    ];
    Some(headers.into_iter().collect())
}

fn user_agent(own: Option<&str>) -> Result<String, &'static str> {
    let library = concat!("payorder/", env!("CARGO_PKG_VERSION"));
    match own {
        None => Ok(library.to_owned()),
        Some(own) if own.trim().is_empty() || own.len() > LONGEST_USER_AGENT => {
            Err("must have 1 to 512 bytes that are not only spaces")
        }
        Some(own) if own.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
            Ok(format!("{} {library}", own.trim()))
        }
        Some(_) => Err("must be visible ASCII"),
    }
}

/// What a wire name of the return URL must be.
pub(crate) fn check_return_url_field(name: &str) -> Result<(), String> {
    if order::is_blank(name) {
        return Err("must not be empty".into());
    }
    if name != RETURN_URL_FIELD && order::is_field(name) {
        return Err(format!(
            "must not be {name}, which is another field of an order"
        ));
    }
    Ok(())
}

/// Host names in the form that a URL's host has here.
fn checkout_hosts(names: &[String]) -> Result<Vec<String>, String> {
    if names.is_empty() {
        return Err("must name at least one host; leave it out to allow any".into());
    }
    let normal = |name: &String| match url::read_host(name) {
        Some(host) if host.is_ascii() => Ok(host.into_owned()),
        Some(_) => Err(format!(
            "has {name:?}, with letters beyond ASCII; write it in its xn-- form"
        )),
        None => Err(format!(
            "has {name:?}, which is no whole host name without port"
        )),
    };
    names.iter().map(normal).collect()
}

fn tls_material(options: &TlsOptions, problems: &mut Problems) -> TlsMaterial {
    let mut material = TlsMaterial {
        roots: options.roots,
        ..TlsMaterial::default()
    };
    if let Some(path) = &options.ca_file {
        material.extra_roots = problems
            .keep_file("tls.caFile", certificates(path))
            .unwrap_or_default();
        let mut store = rustls::RootCertStore::empty();
        if material
            .extra_roots
            .iter()
            .any(|certificate| store.add(certificate.clone()).is_err())
        {
            problems.add(
                Cause::UnreadableFile,
                "tls.caFile",
                "holds a certificate that cannot be an authority",
            );
        }
    }
    match (&options.cert_file, &options.key_file) {
        (None, None) => {}
        (Some(_), None) => problems.add(
            Cause::InvalidValue,
            "tls.keyFile",
            "is missing; tls.certFile needs it",
        ),
        (None, Some(_)) => problems.add(
            Cause::InvalidValue,
            "tls.certFile",
            "is missing; tls.keyFile needs it",
        ),
        (Some(certificate), Some(key)) => {
            let chain = problems.keep_file("tls.certFile", certificates(certificate));
            let key = problems.keep_file("tls.keyFile", private_key(key));
            if let (Some(chain), Some(key)) = (chain, key) {
                material.identity =
                    problems.keep_file("tls.keyFile", TlsMaterial::identity(chain, &key));
            }
        }
    }
    material
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let text = read_file(path)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match certificates {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(format!(
            "names {}, which holds no PEM certificates",
            path.display()
        )),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let text = zeroize::Zeroizing::new(read_file(path)?);
    PrivateKeyDer::from_pem_slice(&text)
        .map_err(|_| format!("names {}, which holds no PEM private key", path.display()))
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| {
        format!(
            "names {}, which cannot be read: {}",
            path.display(),
            error.kind()
        )
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    // A device may have no end, and a pipe no beginning.
    if !about.is_file() || about.len() > LONGEST_FILE {
        return Err(format!(
            "names {}, which is no file of at most {LONGEST_FILE} bytes",
            path.display()
        ));
    }
    std::fs::read(path).map_err(unreadable)
}

/// Takes the keys of a configuration. What is wrong with one is kept among the problems, and its
/// default stands in for it.
fn read(entries: Entries<'_>, problems: &mut Problems) -> Config {
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
                let problem = format!("unknown configuration key `{key}`: check its spelling");
                problems.0.push((Cause::UnknownKey, problem));
                continue;
            }
        };
        problems.keep(&key, result);
    }
    config
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
                let problem = format!("unknown configuration key `tls.{key}`: check its spelling");
                problems.0.push((Cause::UnknownKey, problem));
                continue;
            }
        };
        problems.keep(&format!("tls.{key}"), result);
    }
}
