//! The proxy that the environment names, as curl reads it.

use super::{secure, with_proxy};
use serde_json::Value;
use support::abi::Client;
use support::built::process::{config_of_this_process, process};
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
    let Some(config) = config_of_this_process() else {
        return;
    };
    let reply = Client::new(&config).create(&order());
    reply.is(0);
}

const VARIABLES: [&str; 8] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// Whether a call in this environment succeeded.
fn call_with_environment(config: &Value, environment: &[(&str, String)]) -> bool {
    let mut child = process(
        "proxies::environment::a_call_in_a_chosen_environment",
        config,
    );
    for variable in VARIABLES {
        child.env_remove(variable);
    }
    child.envs(environment.iter().map(|(name, value)| (name, value)));
    child.output().unwrap().status.success()
}

#[test]
fn the_environment_names_the_proxy_as_curl_reads_it() {
    let secure = secure();
    let automatic = without(&with_proxy(&secure, "none"), "proxy");
    let url = |proxy: &Service| proxy.url();
    let bare = |proxy: &Service| proxy.url().replace("http://", "");
    let dead = |_: &Service| refusing_url();
    let no = |text: &'static str| move |_: &Service| text.to_owned();
    type Setting<'a> = (&'a str, &'a dyn Fn(&Service) -> String);
    let (no_localhost, no_others, no_all) = (no("localhost"), no("example.com,127.0.0.1"), no("*"));
    let (no_suffix, no_spaced, empty) = (
        no("other.example, .localhost"),
        no("a.example , localhost"),
        no(""),
    );
    let table: [(&str, &[Setting], bool); 19] = table! {
        "no variable", &[], false;
        "https_proxy", &[("https_proxy", &url)], true;
        "HTTPS_PROXY", &[("HTTPS_PROXY", &url)], true;
        "without a scheme", &[("https_proxy", &bare)], true;
        "all_proxy", &[("all_proxy", &url)], true;
        "ALL_PROXY", &[("ALL_PROXY", &url)], true;
        "https_proxy before all_proxy", &[("https_proxy", &url), ("all_proxy", &dead)], true;
        "lower case before upper case", &[("https_proxy", &url), ("HTTPS_PROXY", &dead)], true;
        "http_proxy is not for https", &[("http_proxy", &url), ("HTTP_PROXY", &url)], false;
        "no_proxy names the host", &[("https_proxy", &url), ("no_proxy", &no_localhost)], false;
        "NO_PROXY names the host", &[("https_proxy", &url), ("NO_PROXY", &no_localhost)], false;
        "no_proxy names all", &[("all_proxy", &url), ("no_proxy", &no_all)], false;
        "no_proxy names others", &[("https_proxy", &url), ("no_proxy", &no_others)], true;
        "no_proxy with a leading dot", &[("https_proxy", &url), ("no_proxy", &no_suffix)], false;
        "no_proxy with spaces", &[("https_proxy", &url), ("no_proxy", &no_spaced)], false;
        // An empty variable counts as not set.
        "an empty https_proxy", &[("https_proxy", &empty), ("HTTPS_PROXY", &url)], true;
        "an empty HTTPS_PROXY",
            &[("https_proxy", &empty), ("HTTPS_PROXY", &empty), ("all_proxy", &url)], true;
        "all of them empty", &[("https_proxy", &empty), ("all_proxy", &empty)], false;
        "an empty no_proxy",
            &[("https_proxy", &url), ("no_proxy", &empty), ("NO_PROXY", &no_localhost)], false;
    };
    let mut rows = Rows::new();
    for (row, settings, through) in table {
        let proxy = Service::start([tunnel()]);
        let environment: Vec<_> = settings
            .iter()
            .map(|(name, value)| (*name, value(&proxy)))
            .collect();
        let done = call_with_environment(&automatic, &environment);
        rows.same(
            row,
            (done, proxy.heads().len()),
            (true, usize::from(through)),
        );
    }
    let proxy = Service::start([tunnel()]);
    let none = [("https_proxy", proxy.url()), ("all_proxy", proxy.url())];
    rows.same(
        "`none` in the config",
        call_with_environment(&with_proxy(&secure, "none"), &none),
        true,
    );
    rows.same("`none` in the config", proxy.heads().len(), 0);
    let named = with_proxy(&secure, &proxy.url());
    let contrary = [("https_proxy", refusing_url()), ("no_proxy", empty(&proxy))];
    rows.same(
        "the config before the environment",
        call_with_environment(&named, &contrary),
        true,
    );
    rows.same("the config before the environment", proxy.heads().len(), 1);
    rows.end();
}

#[test]
fn no_proxy_names_whole_domains_in_any_case_and_networks() {
    let mut rows = Rows::new();
    let table = [
        ("https://pay.name.invalid", "name.invalid", false),
        ("https://pay.name.invalid", ".name.invalid", false),
        ("https://pay.name.invalid", "PAY.Name.Invalid", false),
        ("https://pay.name.invalid", "a.example name.invalid", false),
        ("https://pay.name.invalid", "ame.invalid", true),
        ("https://pay.name.invalid", "y.name.invalid", true),
        ("https://pay.name.invalid", "pay.name", true),
        ("https://pay.name.invalid", "a.pay.name.invalid", true),
        ("https://pay.name.invalid", "", true),
        ("https://127.0.0.1:1", "127.0.0.0/8", false),
        ("https://127.0.0.1:1", "10.0.0.0/8", true),
        ("https://127.0.0.1:1", "127.0.0.1", false),
        ("https://127.0.0.1:1", "0.0.1", true),
    ];
    for (url, no_proxy, through) in table {
        let proxy = Service::start([vec![Step::Connect, Step::Close]]);
        let environment = [
            ("https_proxy", proxy.url()),
            ("no_proxy", no_proxy.to_owned()),
        ];
        // The call always fails. What counts is whether the proxy got the request.
        assert!(!call_with_environment(
            &without(&config(url), "proxy"),
            &environment
        ));
        rows.same(
            &format!("{url} with no_proxy {no_proxy:?}"),
            proxy.heads().len(),
            usize::from(through),
        );
    }
    rows.end();
}

#[test]
fn a_plain_http_call_uses_http_proxy_in_lower_case_only() {
    let service = Service::responding(created());
    let automatic = without(&config(&service.url()), "proxy");
    // In upper case, a CGI server sets it from a client's `Proxy` header.
    let large = [("HTTP_PROXY", refusing_url())];
    assert!(call_with_environment(&automatic, &large));
    let small = [("http_proxy", refusing_url())];
    assert!(!call_with_environment(&automatic, &small));
    let excepted = [
        ("http_proxy", refusing_url()),
        ("no_proxy", "127.0.0.1".to_owned()),
    ];
    assert!(call_with_environment(&automatic, &excepted));
    assert_eq!(service.request_count(), 2);
}
