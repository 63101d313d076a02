//! The database's client library: found when it is needed, and never loaded otherwise.

use std::process::Command;

use support::abi::Client;
use support::built::process::{own_config, passed, process};
use support::built::{c_compiler, transcript};
use support::orders::{config, with};
use support::postgres::PASSWORD;
use support::result::INVALID_CONFIG;
use support::rows::Rows;
use support::shop::Shop;
use support::tls::Folder;

use crate::{database, journal_in};

fn is_loaded() -> bool {
    std::fs::read_to_string("/proc/self/maps")
        .expect("it can be read")
        .contains("libpq")
}

#[test]
#[ignore = "started by the tests below"]
fn making_a_client_in_a_process() {
    let Some(given) = own_config() else { return };
    match Client::try_new(&given) {
        Ok(_) => println!("\nLOADED {}", is_loaded()),
        Err(reply) => support::built::process::tell(&reply),
    }
}

const NAME: &str = "libpq::making_a_client_in_a_process";

#[test]
fn it_is_loaded_only_for_a_journal_in_postgresql() {
    let Some(database) = database() else { return };
    let url = "https://pay.example.com";
    let plain = config(url);
    let shop = Shop::new();
    for (given, loaded) in [
        (plain, false),
        (shop.config(url), false),
        (journal_in(&database, url), true),
    ] {
        let printed = passed(&process(NAME, &given).output().expect("it starts"));
        assert!(
            printed.contains(&format!("LOADED {loaded}")),
            "{given}: {printed}"
        );
    }
}

#[test]
fn one_that_is_missing_or_too_old_is_an_invalid_config() {
    let Some(database) = database() else { return };
    let folder = Folder::new();
    let text = folder.file("text.so", "not a library");
    let mut named = vec![
        ("/nothing/libpq.so.5".to_owned(), "No such file"),
        (text, "file too short"),
    ];
    if let Some(compiler) = c_compiler("an old libpq") {
        let source = folder.file("old.c", "int PQlibVersion(void) { return 90000; }");
        let old = folder.path().join("old.so");
        let mut compile = Command::new(compiler);
        compile
            .args(["-shared", "-fPIC", "-o"])
            .arg(&old)
            .arg(source);
        let output = compile.output().expect("it runs");
        assert!(output.status.success(), "{}", transcript(&output));
        named.push((old.to_str().expect("UTF-8").to_owned(), "undefined symbol"));
    }
    let mut rows = Rows::new();
    for (file, words) in named {
        let given = with(
            &journal_in(&database, "https://pay.example.com"),
            "timeoutMs",
            1000,
        );
        let mut test = process(NAME, &given);
        let output = test
            .env("PAYORDER_LIBPQ", &file)
            .output()
            .expect("it starts");
        let reply = support::built::process::told(&passed(&output));
        rows.code(&file, &reply, INVALID_CONFIG);
        rows.says(&file, &reply, words);
        rows.says(&file, &reply, &file);
        rows.holds(&file, !reply.text().contains(PASSWORD), reply.text());
    }
    rows.end();
}
