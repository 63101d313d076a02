//! One run of the host program, with a search of its memory after each step.

use crate::secrets::host::{self, Host};
use crate::secrets::marked;
use crate::secrets::memory::Search;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::env;
use std::path::{Path, PathBuf};
use support::built;
use support::orders::with;
use support::table;
use support::tls::Folder;

/// The proxy's credentials as they are sent.
pub fn basic() -> String {
    BASE64_STANDARD.encode(proxy_credentials())
}

pub fn proxy_credentials() -> String {
    marked::PROXY.map(|(_, text)| text).join(":")
}

/// Runs one host program step by step, and searches its memory after each step.
pub struct Life<'a> {
    pub host: Host,
    pub folder: &'a Folder,
    pub search: Search,
    pub found: Vec<String>,
}

impl Life<'_> {
    pub fn begin<'a>(program: &Path, folder: &'a Folder) -> Life<'a> {
        let mut search = Search::new();
        for (secret, text) in marked::all() {
            search.add(secret, text);
        }
        search.add("the proxy's credentials in base64", &basic());
        let broken = marked::order().to_string();
        for (name, text) in table! {
            "order", marked::order().to_string();
            "broken-order", broken[..broken.len() - 10].to_owned();
            "blank-order", with(&marked::order(), "amount", " ").to_string();
            "query", json!({"orderId": "ORDER-1001"}).to_string();
            "options", marked::options().to_string();
            "short-options", with(&marked::options(), "timeoutMs", 400).to_string();
            "unknown-options", with(&marked::options(), "colour", "red").to_string();
            "status", marked::status().to_string();
            "expected", json!({"orderId": "ORDER-1001", "amount": "100.10"}).to_string();
            "token", marked::CREDENTIALS[0].1.to_owned();
        } {
            folder.file(name, text);
        }
        Life {
            host: Host::start(program),
            folder,
            search,
            found: Vec::new(),
        }
    }

    /// Runs a command with texts from files of the folder, checks its result, and searches.
    #[track_caller]
    pub fn step(&mut self, what: &str, command: &str, expected: i32) {
        let mut words = command.split(' ');
        let mut line = words.next().unwrap_or_default().to_owned();
        for name in words {
            line = format!("{line} {}", self.folder.path().join(name).display());
        }
        assert_eq!(self.host.call(&line), expected, "{what}");
        let found = self.search.process(self.host.process());
        self.found
            .extend(found.iter().map(|found| format!("{what}: {found}")));
    }

    #[track_caller]
    pub fn new_client(&mut self, config: &Value) {
        self.folder.file("config", config.to_string());
        self.step("a client is created", "new config", 0);
    }

    #[track_caller]
    fn nothing_was_found(&self) {
        let first: Vec<&str> = self.found.iter().take(40).map(String::as_str).collect();
        assert!(
            first.is_empty(),
            "secrets found at {} places:\n{}",
            self.found.len(),
            first.join("\n")
        );
    }
}

/// The library that cargo built with the test, and the installed one that tests/packaging/static.sh
/// names.
fn libraries() -> Vec<PathBuf> {
    let installed = env::var_os("PAYORDER_INSTALLED_LIBRARY").map(PathBuf::from);
    std::iter::once(built::library()).chain(installed).collect()
}

/// Does this with each library, and checks that nothing was found.
pub fn for_each_library(steps: impl Fn(&mut Life<'_>)) {
    for library in libraries() {
        let folder = Folder::new();
        let Some(program) = host::compile(&folder, &library) else {
            return;
        };
        eprintln!("{}", library.display());
        let mut life = Life::begin(&program, &folder);
        steps(&mut life);
        life.nothing_was_found();
    }
}
