//! The journal does not affect its process: signals. tests/programs has forks, standard streams and
//! modes.

use super::{DUPLICATE, JOURNAL_FAILED};
use support::abi::Client;
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
