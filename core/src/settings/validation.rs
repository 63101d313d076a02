//! Checks a configuration. The result, [`Settings`], is what a client works with.

use std::sync::Arc;

use ureq_proto::http::{HeaderValue, Uri};

use crate::connection::{Proxy, ProxyChoice, Route, TlsMaterial};
use crate::error::{Cause, Code, Error};
use crate::gateway;
use crate::gateway::fields::is_blank;
use crate::gateway::order::{RETURN_URL_FIELD, is_field};
use crate::journal::Journal;
use crate::payment::service::Service;
use crate::settings::config::Config;
use crate::settings::list::config as keys;
use crate::settings::object_reader::ObjectReader;
use crate::settings::problems::Problems;
use crate::settings::service_url::ServiceUrl;
use crate::settings::tls_files::tls_material;
use crate::text::json::{self, Members};
use crate::text::url;

pub(crate) struct Settings {
    pub(crate) service: &'static Service,
    /// As it was given, with the checkout hosts in normal form, and without the proxy, whose URL
    /// can contain a password.
    pub(crate) config: Config,
    pub(crate) create_order: Uri,
    pub(crate) get_status: Uri,
    pub(crate) route: Arc<Route>,
    pub(crate) journal: Option<Arc<Journal>>,
}

impl Settings {
    pub(crate) fn from_json(text: &str) -> Result<Settings, Error> {
        let entries = json::read_object(text, "the configuration")?;
        Settings::from_entries(entries, Problems::default())
    }

    /// Reads the entries of a configuration and checks it.
    pub(super) fn from_entries(
        entries: Members<'_>,
        mut problems: Problems,
    ) -> Result<Settings, Error> {
        let mut reader = ObjectReader::new(entries);
        let config = Config::read(&mut reader);
        for (key, problem) in reader.into_problems() {
            problems.add_given(&key, problem);
        }
        Settings::for_service(&gateway::SERVICE, config, problems)
    }

    pub(crate) fn new(config: Config) -> Result<Settings, Error> {
        Settings::for_service(&gateway::SERVICE, config, Problems::default())
    }

    pub(crate) fn for_service(
        service: &'static Service,
        mut config: Config,
        mut problems: Problems,
    ) -> Result<Settings, Error> {
        for (setting, value) in [
            (keys::TIMEOUT, config.timeout.as_millis()),
            (keys::CONNECT_TIMEOUT, config.connect_timeout.as_millis()),
            (keys::MAX_IDLE, config.max_idle.as_millis()),
            (keys::CREATE_RETRIES, config.create_retries.into()),
            (keys::STATUS_RETRIES, config.status_retries.into()),
            (keys::MAX_CALLS, config.max_calls.into()),
            (keys::MAX_RESPONSE_BYTES, config.max_response_bytes as u128),
        ] {
            problems.keep(setting.key, setting.check(value));
        }
        let user_agent = user_agent(config.user_agent.as_deref());
        let user_agent = problems.keep(keys::USER_AGENT.key, user_agent);
        problems.keep(
            keys::RETURN_URL_FIELD.key,
            check_return_url_field(&config.return_url_field),
        );
        problems.keep(keys::HEADERS.key, config.headers.check(service));
        if let Some(hosts) = &mut config.checkout_hosts {
            problems.keep(keys::CHECKOUT_HOSTS.key, normalise_hosts(hosts));
        }
        let tls = tls_material(&config.tls, &mut problems);
        let key = keys::BASE_URL.key;
        let url = match config.base_url.0.as_str() {
            // A key of the wrong type has been reported already.
            "" if problems.has(key) => None,
            text => problems.keep(
                key,
                ServiceUrl::read(text, config.allow_insecure_http, service),
            ),
        };
        let journal = config.journal.take().and_then(|place| {
            let name = url.as_ref().map_or("", |url| &url.name);
            match Journal::new(place.0, name, config.connect_timeout) {
                Ok(journal) => Some(Arc::new(journal)),
                Err((cause, problem)) => {
                    problems.add(cause, keys::JOURNAL.key, problem);
                    None
                }
            }
        });
        let choice = std::mem::take(&mut config.proxy);
        let proxy = url.as_ref().map(|url| {
            let variable = |name: &str| std::env::var_os(name);
            Proxy::choose(&choice, &url.target, url.secure, variable)
        });
        let proxy = match proxy.transpose() {
            Ok(proxy) => proxy,
            Err(problem) => {
                let (cause, key) = (Cause::InvalidValue, keys::PROXY.key);
                match choice {
                    ProxyChoice::Url(_) => problems.add(cause, key, problem),
                    _ => problems.add_message(cause, key, problem),
                }
                None
            }
        };
        let has_tls = url.as_ref().is_some_and(|url| url.secure)
            || proxy.iter().flatten().any(|proxy| proxy.tls);
        if let (true, Err(problem)) = (has_tls, TlsMaterial::check_provider()) {
            problems.add_message(Cause::InvalidValue, key, problem);
        }
        let (Some(url), Some(user_agent), Some(proxy), true) =
            (url, user_agent, proxy, problems.is_empty())
        else {
            return Err(problems.into_error());
        };
        let authority = HeaderValue::try_from(url.authority)
            .map_err(|_| Error::new(Code::Internal, Cause::Bug, "a header could not be made"))?;
        Ok(Settings {
            service,
            create_order: url.create_order,
            get_status: url.get_status,
            route: Arc::new(Route {
                host: url.target.to_string().into(),
                target: url.target,
                secure: url.secure,
                proxy,
                tls,
                authority,
                headers: format!("{}user-agent: {user_agent}\r\n", service.headers),
                user_agent,
                max_idle: config.max_idle,
                max_response_bytes: config.max_response_bytes,
                fingerprint: journal.as_ref().map(|_| Journal::digest as fn(&[u8]) -> _),
            }),
            journal,
            config,
        })
    }
}

fn user_agent(own: Option<&str>) -> Result<String, String> {
    let library = concat!("payorder/", env!("CARGO_PKG_VERSION"));
    match own {
        None => Ok(library.to_owned()),
        Some(own) if own.trim().is_empty() || own.len() as u64 > keys::USER_AGENT.most => {
            Err(format!(
                "must have {} to {} bytes that are not only spaces",
                keys::USER_AGENT.least,
                keys::USER_AGENT.most
            ))
        }
        Some(own) if own.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
            Ok(format!("{} {library}", own.trim()))
        }
        Some(_) => Err("must be visible ASCII".to_owned()),
    }
}

pub(crate) fn check_return_url_field(name: &str) -> Result<(), String> {
    if is_blank(name) {
        return Err("must not be empty".into());
    }
    if name != RETURN_URL_FIELD && is_field(name) {
        return Err(format!(
            "must not be {name}, which is another field of an order"
        ));
    }
    Ok(())
}

/// Brings the hosts into normal form, as [`url::WebUrl::host`] returns them.
fn normalise_hosts(names: &mut [String]) -> Result<(), String> {
    if names.is_empty() {
        return Err("must name at least one host; leave it out to allow any".into());
    }
    for name in names {
        *name = match url::read_host(name) {
            Some(host) if host.is_ascii() => host.into_owned(),
            Some(_) => {
                return Err(format!(
                    "has {name:?}, with non-ASCII letters; write it in its xn-- form"
                ));
            }
            None => {
                return Err(format!(
                    "has {name:?}, which is not a complete host name without a port"
                ));
            }
        };
    }
    Ok(())
}

#[cfg(all(test, not(feature = "ring")))]
mod tests {
    use crate::{Client, Code, Config, ProxyChoice};

    #[test]
    fn a_client_for_https_needs_cryptography() {
        let new = |url: &str, proxy| {
            let mut config = Config::new(url);
            config.proxy = proxy;
            Client::new(config)
        };
        let proxy = ProxyChoice::Url("https://proxy.example.com".into());
        for refused in [
            new("https://pay.example.com", ProxyChoice::None),
            new("http://127.0.0.1:9", proxy),
        ] {
            let error = refused.expect_err("no cryptography");
            assert_eq!(error.code(), Code::InvalidConfig);
            let message = error.to_string();
            assert!(
                message.contains("this program has no cryptography"),
                "{message}"
            );
        }
        assert!(new("http://127.0.0.1:9", ProxyChoice::None).is_ok());
    }
}
