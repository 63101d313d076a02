//! A client from the environment: what wins over what, and what a wrong setting is called. Each case
//! runs in a process of its own, because the environment belongs to the process.
#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::{Value, json};

use support::abi::{self, Reply, c};
use support::built::process::{again, tell, told};
use support::orders::{config, order, with};
use support::responses::created;
use support::service::{Service, respond};
use support::table;
use support::tls::{Authority, Folder, serving};

const CASE: &str = "PAYORDER_TEST_CASE";
const PROCESS: &str = "settings_from_the_environment::in_a_process";

fn from_env(config: Option<&str>) -> Reply {
    let config = config.map(c);
    let mut key = std::ptr::null_mut();
    let text = config
        .as_ref()
        .map_or(std::ptr::null(), |text| text.as_ptr());
    // SAFETY: every pointer is valid for the call, or NULL.
    let reply = abi::call(|out| unsafe { abi::payorder_client_from_env(text, &mut key, out) });
    assert_eq!(key.is_null(), reply.code != 0);
    if reply.code == 0 {
        let created = abi::create_order(key.addr(), &order().to_string(), None);
        abi::free(key.addr());
        return created;
    }
    reply
}

#[test]
#[ignore = "started by the tests below"]
fn in_a_process() {
    let Ok(config) = std::env::var(CASE) else {
        return;
    };
    tell(&from_env((config != "none").then_some(config.as_str())));
}

/// The result and the text of a client with these variables, and of its Create Order.
fn made(variables: &[(&str, &str)], config: Option<&Value>) -> (i32, String) {
    made_by(&mut again(PROCESS), variables, config)
}

fn made_by(
    command: &mut Command,
    variables: &[(&str, &str)],
    config: Option<&Value>,
) -> (i32, String) {
    for (variable, _) in std::env::vars().filter(|(name, _)| name.starts_with("PAYORDER_")) {
        command.env_remove(variable);
    }
    command.env(CASE, config.map_or("none".into(), Value::to_string));
    command.envs(variables.iter().copied());
    let output = command.output().expect("it runs");
    let reply = told(&String::from_utf8_lossy(&output.stdout));
    (reply.code, reply.text().to_owned())
}

#[test]
fn the_program_wins_over_the_variables_and_they_win_over_the_file() {
    let service = Service::responding(created());
    let url = service.url();
    let folder = Folder::new();
    let file = json!({
        "baseUrl": url, "accessToken": "of-the-file",
        "tls": {"roots": "bundled"}, "headers": {"X-Gateway": "of-the-file"},
    });
    let file = folder.file("till.json", file.to_string());
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).expect("a mode");
    let journal = folder.path().join("orders.db");
    let from_file = ("PAYORDER_CONFIG", file.as_str());
    let empty = ("PAYORDER_ACCESS_TOKEN", "");
    let variable = ("PAYORDER_ACCESS_TOKEN", "of-the-variable");
    let alone = ("PAYORDER_BASE_URL", url.as_str());
    let with_journal = ("PAYORDER_JOURNAL", journal.to_str().expect("UTF-8"));
    let config = json!({"accessToken": "of-the-program"});
    for (variables, config, token) in table! {
        vec![from_file], None, "of-the-file";
        vec![from_file, empty], None, "of-the-file";
        vec![from_file, variable], None, "of-the-variable";
        vec![from_file, variable], Some(&config), "of-the-program";
        vec![alone, variable, with_journal], None, "of-the-variable";
    } {
        let (code, text) = made(&variables, config);
        assert_eq!(code, 0, "{variables:?}: {text}");
        let sent = service.last_request().header("access-token");
        assert_eq!(sent.as_deref(), Some(token), "{variables:?}");
    }
    assert!(journal.exists());

    // Names of headers are equal in any case, also in the file and the program.
    let headers = json!({"headers": {"x-gateway": "of-the-program"}});
    let (code, text) = made(&[from_file], Some(&headers));
    assert_eq!(code, 0, "{text}");
    let sent = service.last_request().header("x-gateway");
    assert_eq!(sent.as_deref(), Some("of-the-program"));
    let twice = json!({"headers": {"x-gateway": "1", "X-GATEWAY": "2"}});
    assert_eq!(made(&[from_file], Some(&twice)).0, 3);
}

#[test]
fn a_wrong_setting_names_its_variable_or_its_file_and_key() {
    let folder = Folder::new();
    let file = |name: &str, mode: u32, content: &str| {
        let file = folder.file(name, content);
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a mode");
        file
    };
    let open = file("open.json", 0o604, "{}");
    let pipe = folder.path().join("pipe");
    let made_pipe = Command::new("mkfifo")
        .args(["-m", "600"])
        .arg(&pipe)
        .status();
    assert!(made_pipe.expect("mkfifo").success());
    let not_json = file("not.json", 0o600, "secret-7");
    let wrong = file(
        "wrong.json",
        0o600,
        r#"{"baseUrl":"https://a.example","timeoutMs":0,"tls":{"x":1}}"#,
    );
    let proxy = file("proxy.json", 0o600, r#"{"proxy":"socks5://proxy.example"}"#);
    let pair = file("pair.json", 0o600, r#"{"tls":{"certFile":"/till.pem"}}"#);
    let good = ("PAYORDER_BASE_URL", "https://pay.example.com");
    let named = |path: &str| ("PAYORDER_CONFIG".to_owned(), path.to_owned());
    for ((name, value), cause, words) in table! {
        ("PAYORDER_BASE_URL".into(), "ftp://x".into()), "invalid_value",
            "PAYORDER_BASE_URL is not a usable address";
        ("PAYORDER_SECRET_KEY".into(), " secret-7".into()), "invalid_value",
            "PAYORDER_SECRET_KEY has a space";
        ("PAYORDER_CA_FILE".into(), "/nowhere.pem".into()), "unreadable_file", "PAYORDER_CA_FILE ";
        ("PAYORDER_JOURNAL".into(), "/".into()), "unreadable_file", "PAYORDER_JOURNAL ";
        named("/nowhere.json"), "unreadable_file", "PAYORDER_CONFIG names /nowhere.json";
        named(&open), "unreadable_file",
            "open.json, which cannot be used: users other than its owner";
        named(pipe.to_str().expect("UTF-8")), "unreadable_file",
            "pipe, which cannot be used: it is not a file";
        named(&not_json), "unreadable_file", "not.json, which cannot be used";
        named(&wrong), "invalid_value", "wrong.json";
        named(&proxy), "invalid_value", "proxy.json names a proxy of the type socks5";
        named(&pair), "invalid_value", "pair.json needs it";
        named(&wrong), "invalid_value", "unknown configuration key `tls.x` in ";
    } {
        let (code, text) = made(&[good, (name.as_str(), value.as_str())], None);
        assert_eq!(code, 3, "{name}: {text}");
        assert!(text.contains(words), "{name}: {text}");
        let says_cause = text.contains(&format!("\"cause\":\"{cause}\""));
        assert!(says_cause || name == "PAYORDER_CONFIG", "{text}");
        assert!(!text.contains("secret-7"), "{text}");
    }
    let (code, text) = made(&[], None);
    assert!(code == 3 && text.contains("PAYORDER_BASE_URL"), "{text}");
    assert_eq!(made(&[good], Some(&json!([]))).0, 1);
}

#[test]
fn a_proxys_variable_that_is_not_utf_8_is_refused_and_not_skipped() {
    let service = Service::responding(created());
    for name in ["http_proxy", "no_proxy"] {
        let latin_1 = OsStr::from_bytes(b"http://till:s\xe4cret-7@127.0.0.1:9");
        let mut command = again(PROCESS);
        command.env("http_proxy", "http://127.0.0.1:9");
        command.env(name, latin_1);
        let url = service.url();
        let variables = [("PAYORDER_BASE_URL", &*url), ("PAYORDER_ACCESS_TOKEN", "x")];
        let (code, text) = made_by(&mut command, &variables, None);
        assert_eq!(code, 3, "{name}: {text}");
        let words = format!("the environment variable {name} is not UTF-8");
        assert!(text.contains(&words), "{name}: {text}");
        assert!(!text.contains("cret-7"), "{text}");
    }
    assert_eq!(service.request_count(), 0);

    // The service needs no proxy.
    let mut command = again(PROCESS);
    command.env("http_proxy", OsStr::from_bytes(b"http://\xe4"));
    command.env("no_proxy", "127.0.0.1");
    let variables = [("PAYORDER_BASE_URL", service.url())];
    let variables = variables.each_ref().map(|(name, value)| (*name, &**value));
    let (code, text) = made_by(&mut command, &variables, None);
    assert_ne!(code, 3, "{text}");
}

/// As Kubernetes mounts a secret: it belongs to root, and the program's group may read it.
#[test]
fn a_file_of_root_may_be_read_through_its_group() {
    const NOBODY: u32 = 65534;
    let (service, folder) = (Service::responding(created()), Folder::new());
    let settings = json!({"baseUrl": service.url(), "accessToken": "of-the-file"});
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("a mode");
    let file = folder.file("till.json", settings.to_string());
    // SAFETY: the call only reads a number.
    if unsafe { libc::geteuid() } != 0 {
        return println!("SKIPPED: only root makes files of root's");
    }
    for (user, owner, mode, code) in table! {
        NOBODY, NOBODY, 0o640, 3;
        NOBODY, 0, 0o440, 0;
        NOBODY, 0, 0o640, 0;
        NOBODY, 0, 0o660, 3;
        NOBODY, 0, 0o444, 3;
        0, 0, 0o640, 3;
    } {
        std::os::unix::fs::chown(&file, Some(owner), Some(NOBODY)).expect("an owner");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a mode");
        let mut command = again(PROCESS);
        command.uid(user).gid(NOBODY);
        let (made, text) = made_by(&mut command, &[("PAYORDER_CONFIG", &file)], None);
        assert_eq!(
            made, code,
            "user {user}, owner {owner}, mode {mode:o}: {text}"
        );
    }
}

#[test]
fn the_systems_authorities_are_those_that_can_be_read() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let identity = authority.identity_for("localhost");
    let service = Service::start_tls(serving(identity), [respond(created())]);
    let damaged =
        |body| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    let some = damaged("MARK!") + &damaged("AAAA") + &authority.pem();
    let (some, none) = (folder.file("some.pem", some), folder.file("none.pem", ""));
    let untrusted = "from an authority that is not trusted here";
    for (roots, file, code, words) in table! {
        "system", &some, 0, "Success";
        "both", &some, 0, "Success";
        "bundled", &some, 7, untrusted;
        "both", &none, 7, untrusted;
        "system", &none, 7, "the operating system has no certificate authorities";
    } {
        let config = with(&config(&service.url()), "tls", json!({"roots": roots}));
        let (made, text) = made(
            &[("SSL_CERT_FILE", file), ("SSL_CERT_DIR", "")],
            Some(&config),
        );
        assert_eq!(made, code, "{roots}, {file}: {text}");
        assert!(text.contains(words), "{roots}, {file}: {text}");
    }
}
