//! Checks a configuration. The result, [`Settings`], is what a client works with.

use std::sync::Arc;
use std::time::Duration;

use ureq_proto::http::{HeaderValue, Uri};

use crate::connection::{Proxy, Route};
use crate::credentials::Credentials;
use crate::error::{Cause, Code, Error};
use crate::gateway::order::{self, RETURN_URL_FIELD};
use crate::gateway::wire;
use crate::journal::Journal;
use crate::settings::config::{Config, read};
use crate::settings::problems::Problems;
use crate::settings::service_url::ServiceUrl;
use crate::settings::tls_files::tls_material;
use crate::settings::values::{IDLE_RANGE, RESPONSE_RANGE, RETRY_RANGE, TIMEOUT_RANGE, in_range};
use crate::text::json::{self, Entries};
use crate::text::url;

/// A valid configuration.
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

const LONGEST_USER_AGENT: usize = 512;

impl Settings {
    /// Checks a configuration.
    pub(crate) fn new(config: Config) -> Result<Settings, Error> {
        Settings::check(config, Problems::default())
    }

    /// Reads a configuration from JSON and checks it.
    pub(crate) fn from_json(text: &str) -> Result<Settings, Error> {
        let entries = json::read_object(text, "the configuration")?;
        Settings::from_entries(entries, Problems::default())
    }

    /// Reads the entries of a configuration and checks it.
    pub(super) fn from_entries(
        entries: Entries<'_>,
        mut problems: Problems,
    ) -> Result<Settings, Error> {
        let config = read(entries, &mut problems);
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
        let service = match config.base_url.as_str() {
            // A key of the wrong type has been reported already.
            "" if problems.has("baseUrl") => None,
            base_url => problems.keep(
                "baseUrl",
                ServiceUrl::read(base_url, config.allow_insecure_http),
            ),
        };
        let journal = config.journal.and_then(|path| {
            let service = service.as_ref().map_or("", |service| &service.name);
            match Journal::new(path, service) {
                Ok(journal) => Some(Arc::new(journal)),
                Err((cause, problem)) => {
                    problems.add(cause, "journal", problem);
                    None
                }
            }
        });
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
        let authority = HeaderValue::try_from(service.authority)
            .map_err(|_| Error::new(Code::Internal, Cause::Bug, "a header could not be made"))?;
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
                authority,
                headers: wire::headers(&user_agent),
                user_agent,
                max_idle: config.max_idle,
                max_response_bytes: config.max_response_bytes,
                fingerprint: journal.as_ref().map(|_| Journal::digest as fn(&[u8]) -> _),
            }),
            journal,
        })
    }
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

/// Checks the wire name of the return URL.
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

/// The hosts in normal form, as [`url::WebUrl::host`] returns them.
fn checkout_hosts(names: &[String]) -> Result<Vec<String>, String> {
    if names.is_empty() {
        return Err("must name at least one host; leave it out to allow any".into());
    }
    let normal = |name: &String| match url::read_host(name) {
        Some(host) if host.is_ascii() => Ok(host.into_owned()),
        Some(_) => Err(format!(
            "has {name:?}, with non-ASCII letters; write it in its xn-- form"
        )),
        None => Err(format!(
            "has {name:?}, which is not a complete host name without a port"
        )),
    };
    names.iter().map(normal).collect()
}
