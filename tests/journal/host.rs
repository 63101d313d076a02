//! The journal does not affect its process: signals and modes. tests/programs has forks and standard
//! streams.

use super::{DUPLICATE, JOURNAL_FAILED};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use support::abi::Client;
use support::built;
use support::built::process::{own_config, passed, process};
use support::responses::created;
use support::service::Service;
use support::shop::{Shop, entries, is_sound, order};

const SIGXFSZ: &str = "PAYORDER_TEST_SIGXFSZ";

/// Creates orders until the journal cannot grow any more. Prints how many were created after the
/// first one.
#[test]
#[ignore = "started by a_file_size_limit_does_not_end_the_host_and_nothing_is_sent"]
fn creating_orders_until_the_file_cannot_grow() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    client.create(&order("FIRST")).done();
    let limit = libc::rlimit {
        rlim_cur: 150_000,
        rlim_max: 150_000,
    };
    // SAFETY: the process runs only this test, and its writes are meant to fail.
    unsafe {
        let is_ignored = std::env::var(SIGXFSZ).is_ok_and(|action| action == "ignored");
        let action = if is_ignored {
            libc::SIG_IGN
        } else {
            libc::SIG_DFL
        };
        libc::signal(libc::SIGXFSZ, action);
        libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
    }
    let mut made = 0;
    let refused = loop {
        let reply = client.create(&order(&format!("O-{made}")));
        if reply.code != 0 || made > 500 {
            break reply;
        }
        made += 1;
    };
    refused.is(JOURNAL_FAILED);
    assert_eq!(refused.error()["cause"], "journal_full");
    assert!(made > 0);
    println!("MADE {made}");
    client.create(&order("FIRST")).is(DUPLICATE);
    // SAFETY: the set is written before it is read.
    let pending = unsafe {
        let mut pending = std::mem::zeroed();
        libc::sigpending(&mut pending);
        libc::sigismember(&pending, libc::SIGXFSZ)
    };
    assert_eq!(pending, 0, "no signal is pending for the host");
}

#[test]
fn a_file_size_limit_does_not_end_the_host_and_nothing_is_sent() {
    for action in ["ignored", "default"] {
        let (shop, service) = (Shop::new(), Service::responding(created()));
        let config = shop.config(&service.url());
        let name = "host::creating_orders_until_the_file_cannot_grow";
        let mut command = process(name, &config);
        command.env(SIGXFSZ, action);
        let said = passed(&command.output().unwrap());
        let made = said
            .lines()
            .find_map(|line| line.split_once("MADE ")?.1.parse().ok());
        let made: usize = made.expect("a number");
        let sent = service.request_count();
        assert_eq!(
            sent,
            made + 1,
            "an order that could not be recorded was not sent"
        );
        let listed = entries(&Client::new(&config));
        assert_eq!(listed.len(), made + 1);
        for entry in &listed[..made] {
            assert_eq!(entry["state"], "created");
        }
        is_sound(&shop.path);
    }
}

#[test]
#[ignore = "started by a_folder_that_cannot_be_flushed_cannot_have_a_journal"]
fn making_orders_in_a_folder_without_the_right_to_read_it() {
    let Some(config) = own_config() else { return };
    for _ in 0..3 {
        let client = Client::new(&config);
        for _ in 0..2 {
            let reply = client.create(&order("A"));
            reply.is(JOURNAL_FAILED);
            assert_eq!(reply.error()["cause"], "journal_read_only");
            reply.says("folder");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_flushed_cannot_have_a_journal() {
    let (mut shop, service) = (Shop::new(), Service::responding(created()));
    let folder = shop.folder.path().join("closed");
    fs::create_dir(&folder).unwrap();
    // It may be written to and searched, but not read.
    fs::set_permissions(shop.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o333)).unwrap();
    shop.path = folder.join("journal.db");
    let config = shop.config(&service.url());
    let name = "host::making_orders_in_a_folder_without_the_right_to_read_it";
    let mut command = process(name, &config);
    // Root has every permission.
    // SAFETY: the call only reads a number.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(65534).gid(65534);
    }
    passed(&command.output().unwrap());
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn the_files_are_private_whatever_the_umask() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let output = process("host::creating_an_order_with_an_unusual_umask", &config)
        .output()
        .unwrap();
    // Not `passed`: the process exits before the test harness prints its result.
    assert!(output.status.success(), "{}", built::transcript(&output));
    for ending in ["", "-wal", "-shm"] {
        let file = format!("{}{ending}", shop.path.display());
        let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{file}");
    }
}

#[test]
#[ignore = "started by the_files_are_private_whatever_the_umask"]
fn creating_an_order_with_an_unusual_umask() {
    let Some(config) = own_config() else { return };
    // SAFETY: the process runs only this test.
    unsafe { libc::umask(0o777) };
    Client::new(&config).create(&order("A")).done();
    // Without exit handlers, so that the log file stays.
    let client = Client::new(&config);
    client.create(&order("B")).done();
    // SAFETY: it ends the process at once.
    unsafe { libc::_exit(0) };
}
