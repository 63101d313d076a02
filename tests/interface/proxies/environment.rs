//! The proxy that the environment names, as curl reads it.

use super::{secure, with_proxy};
use serde_json::Value;
use support::abi::Client;
use support::built::process::{own_config, process};
use support::orders::{config, order, without};
use support::responses::created;
use support::rows::Rows;
use support::service::{Service, Step, tunnel};
use support::table;
use support::unreachable::refusing_url;

/// One call in a process of its own, with an environment that the test chooses.
#[test]
#[ignore = "started by the tests of the environment"]
fn a_call_in_a_chosen_environment() {
    let Some(config) = own_config() else { return };
    Client::new(&config).create(&order()).done();
}

/// Whether a call in this environment succeeded.
fn call_with_environment(config: &Value, environment: &[(&str, String)]) -> bool {
    let call = "proxies::environment::a_call_in_a_chosen_environment";
    let mut child = process(call, config);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        child.env_remove(name).env_remove(name.to_uppercase());
    }
    child.envs(environment.iter().map(|(name, value)| (name, value)));
    child.output().unwrap().status.success()
}

/// The values of variables. `PROXY` stands for a proxy's URL, `HOST` for its host and port, and
/// `DEAD` for a URL where nobody listens.
const SETTINGS: [(&str, bool); 19] = table! {
    "", false;
    "https_proxy=PROXY", true;
    "HTTPS_PROXY=PROXY", true;
    "https_proxy=HOST", true;
    "all_proxy=PROXY", true;
    "ALL_PROXY=PROXY", true;
    "https_proxy=PROXY;all_proxy=DEAD", true;
    "https_proxy=PROXY;HTTPS_PROXY=DEAD", true;
    "http_proxy=PROXY;HTTP_PROXY=PROXY", false;
    "https_proxy=PROXY;no_proxy=localhost", false;
    "https_proxy=PROXY;NO_PROXY=localhost", false;
    "all_proxy=PROXY;no_proxy=*", false;
    "https_proxy=PROXY;no_proxy=example.com,127.0.0.1", true;
    "https_proxy=PROXY;no_proxy=other.example, .localhost", false;
    "https_proxy=PROXY;no_proxy=a.example , localhost", false;
    // An empty variable counts as not set.
    "https_proxy=;HTTPS_PROXY=PROXY", true;
    "https_proxy=;HTTPS_PROXY=;all_proxy=PROXY", true;
    "https_proxy=;all_proxy=", false;
    "https_proxy=PROXY;no_proxy=;NO_PROXY=localhost", false;
};

#[test]
fn the_environment_names_the_proxy_as_curl_reads_it() {
    let secure = secure();
    let automatic = without(&with_proxy(&secure, "none"), "proxy");
    let mut rows = Rows::new();
    let mut goes_through = |settings: &str, config: &dyn Fn(&str) -> Value, through: bool| {
        let proxy = Service::start([tunnel()]);
        let url = proxy.url();
        let value = |text: &str| {
            let text = text.replace("PROXY", &url).replace("DEAD", &refusing_url());
            text.replace("HOST", url.trim_start_matches("http://"))
        };
        let settings = settings
            .split_terminator(';')
            .filter_map(|one| one.split_once('='));
        let environment: Vec<_> = settings.map(|(name, text)| (name, value(text))).collect();
        let done = call_with_environment(&config(&url), &environment);
        let row = format!("{environment:?}");
        rows.same(
            &row,
            (done, proxy.heads().len()),
            (true, usize::from(through)),
        );
    };
    for (settings, through) in SETTINGS {
        goes_through(settings, &|_| automatic.clone(), through);
    }
    // The config comes before the environment.
    let none = with_proxy(&secure, "none");
    goes_through(
        "https_proxy=PROXY;all_proxy=PROXY",
        &|_| none.clone(),
        false,
    );
    goes_through("https_proxy=DEAD", &|url| with_proxy(&secure, url), true);
    rows.end();
}

#[test]
fn no_proxy_names_whole_domains_in_any_case_and_networks() {
    let (name, address) = ("https://pay.name.invalid", "https://127.0.0.1:1");
    let mut rows = Rows::new();
    for (url, no_proxy, through) in table! {
        name, "name.invalid", false;
        name, ".name.invalid", false;
        name, "PAY.Name.Invalid", false;
        name, "a.example name.invalid", false;
        name, "name.invalid.", false;
        name, "..name.invalid", true;
        name, "x,*", true;
        name, "ame.invalid", true;
        name, "y.name.invalid", true;
        name, "pay.name", true;
        name, "a.pay.name.invalid", true;
        name, "", true;
        address, "127.0.0.0/8", false;
        address, "10.0.0.0/8", true;
        address, "127.0.0.1", false;
        address, "0.0.1", true;
        address, "127.0.0.1.", true;
        address, "0.0.0.0/0", false;
        address, "127.0.0.1/abc", true;
    } {
        let proxy = Service::start([vec![Step::Connect, Step::Close]]);
        let environment = [
            ("https_proxy", proxy.url()),
            ("no_proxy", no_proxy.to_owned()),
        ];
        // The call always fails. What counts is whether the proxy got the request.
        let config = without(&config(url), "proxy");
        assert!(!call_with_environment(&config, &environment));
        let row = format!("{url} with no_proxy {no_proxy:?}");
        rows.same(&row, proxy.heads().len(), usize::from(through));
    }
    rows.end();
}

#[test]
fn a_plain_http_call_uses_http_proxy_in_lower_case_only() {
    let service = Service::responding(created());
    let automatic = without(&config(&service.url()), "proxy");
    let dead = refusing_url;
    // In upper case, a CGI server sets it from a client's `Proxy` header.
    assert!(call_with_environment(&automatic, &[("HTTP_PROXY", dead())]));
    assert!(!call_with_environment(
        &automatic,
        &[("http_proxy", dead())]
    ));
    let excepted = [("http_proxy", dead()), ("no_proxy", "127.0.0.1".to_owned())];
    assert!(call_with_environment(&automatic, &excepted));
    assert_eq!(service.request_count(), 2);
}
