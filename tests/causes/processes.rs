//! Processes without resources, and forks. Each case runs in a process of its own.

use std::ffi::{c_int, c_longlong};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::case::Case;
use support::abi::{self, Client, Reply, Token};
use support::built::process::{own_config, passed, process, tell, told};
use support::log::Log;
use support::orders::{config, query, with};
use support::responses::{created, http};
use support::result::INTERNAL;
use support::service::{Service, respond};
use support::shop::{Shop, order};
use support::table;

unsafe extern "C" {
    fn sqlite3_config(option: c_int, ...) -> c_int;
    fn sqlite3_hard_heap_limit64(most: c_longlong) -> c_longlong;
}

const SQLITE_CONFIG_MEMSTATUS: c_int = 9;

/// The variable with the name of what a process of its own does.
const FAULT: &str = "PAYORDER_TEST_FAULT";

type Fault = fn(&Client) -> Reply;

const FAULTS: [(&str, Fault); 7] = table! {
    "as nobody", |client| client.create(&order("A"));
    "without descriptors", |client| {
        limited(libc::RLIMIT_NOFILE, 3, || client.create(&order("A")))
    };
    "with a limit on files", |client| {
        limited(libc::RLIMIT_FSIZE, 1000, || client.create(&order("A")))
    };
    "without memory", |client| {
        let sizes = fs::read_to_string("/proc/self/statm").unwrap();
        let pages: u64 = sizes.split(' ').next().unwrap().parse().unwrap();
        // SAFETY: it reads a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
        let most = pages * page + (3 << 20);
        limited(libc::RLIMIT_AS, most, || client.status(&query()))
    };
    "without memory for the journal", |client| {
        client.create(&order("BEFORE")).done();
        // SAFETY: SQLite's function, which only sets a number.
        unsafe { sqlite3_hard_heap_limit64(1) };
        client.create(&order("A"))
    };
    "without threads", |client| {
        let reply = limited(libc::RLIMIT_NPROC, 0, || without_threads(client));
        // With threads again, nothing of the refused calls is left.
        let (sender, receiver) = std::sync::mpsc::channel();
        let done = move |reply: Reply| sender.send(reply.code).expect("a receiver");
        let order = order("B").to_string();
        assert_eq!(abi::start(client.key(), "create_order", Some(&order), None, done).code, 0);
        assert_eq!(receiver.recv(), Ok(0));
        reply
    };
    "in a forked child", forked;
};

#[test]
#[ignore = "started by every_cause_is_provoked_or_listed_with_a_reason"]
fn in_a_process() {
    let Some(config) = own_config() else { return };
    let name = std::env::var(FAULT).expect("what to do");
    let (_, work) = FAULTS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a fault");
    // SAFETY: SQLite is not in use yet. It counts its memory, so that there can be a limit.
    assert_eq!(unsafe { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1) }, 0);
    let reply = work(&Client::new(&config));
    tell(&reply);
}

/// Runs one of the faults in a process of its own, and reads its reply.
fn provoked(name: &str, config: &Value, as_nobody: bool) -> Reply {
    let mut command = process("processes::in_a_process", config);
    // Other malloc arenas have memory that a limit does not count.
    command.env(FAULT, name).env("MALLOC_ARENA_MAX", "1");
    // Root has every permission, and as many threads as it likes.
    // SAFETY: the call only reads a number.
    if as_nobody && unsafe { libc::geteuid() } == 0 {
        command.uid(65534).gid(65534);
    }
    told(&passed(&command.output().unwrap()))
}

pub fn cases() -> Vec<Case> {
    let large = json!({"responseCode": "200", "padding": "x".repeat(12 << 20)}).to_string();
    let large = respond(http(200, &large));
    let created = respond(created());
    let mut cases = Vec::new();
    for (cause, result, fault, reaction, has_journal) in table! {
        "no_descriptors", 10, "without descriptors", &created, true;
        "no_descriptors", 6, "without descriptors", &created, false;
        "journal_full", 10, "with a limit on files", &created, true;
        "no_resources", 10, "without memory for the journal", &created, true;
        "no_resources", 201, "without memory", &large, false;
        "forked", 205, "in a forked child", &created, false;
        "no_thread", 11, "without threads", &created, false;
        "journal_read_only", 10, "as nobody", &created, true;
    } {
        let reaction = reaction.clone();
        cases.push(Case::new(cause, result, fault, move || {
            let (mut shop, service) = (Shop::new(), Service::start([reaction.clone()]));
            let as_nobody = ["as nobody", "without threads"].contains(&fault);
            if as_nobody {
                shop.path = closed_folder(&shop).join("journal.db");
            }
            let config = match has_journal {
                true => shop.config(&service.url()),
                false => with(&config(&service.url()), "maxResponseBytes", 16 << 20),
            };
            provoked(fault, &config, as_nobody)
        }));
    }
    cases
}

/// A folder in which nobody may write.
fn closed_folder(shop: &Shop) -> PathBuf {
    let folder = shop.folder.path().join("closed");
    fs::create_dir(&folder).unwrap();
    for (path, mode) in [(shop.folder.path(), 0o755), (&folder, 0o555)] {
        fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
    folder
}

/// Does `work` while the process may have no more than `most` of a resource.
fn limited<T>(resource: libc::__rlimit_resource_t, most: u64, work: impl FnOnce() -> T) -> T {
    let mut usual = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limits are this function's own.
    assert_eq!(unsafe { libc::getrlimit(resource, &mut usual) }, 0);
    let fewer = libc::rlimit {
        rlim_cur: most,
        ..usual
    };
    // SAFETY: as above; the process runs only this test.
    assert_eq!(unsafe { libc::setrlimit(resource, &fewer) }, 0);
    let done = work();
    // SAFETY: as above.
    assert_eq!(unsafe { libc::setrlimit(resource, &usual) }, 0);
    done
}

/// What the child of a fork in the middle of a call gets.
fn forked(client: &Client) -> Reply {
    static IS_CHILD: AtomicBool = AtomicBool::new(false);
    Log::reacting(client, |event| {
        if event["event"] != "attempt_started" || IS_CHILD.load(Relaxed) {
            return;
        }
        // SAFETY: the child returns into the call, and leaves after it.
        let child = unsafe { libc::fork() };
        if child == 0 {
            IS_CHILD.store(true, Relaxed);
            return;
        }
        let mut status = 0;
        // SAFETY: `child` is a child process of this test.
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(status, 0, "the child printed its reply");
    });
    let reply = client.create(&order("A"));
    if IS_CHILD.load(Relaxed) {
        tell(&reply);
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(0) };
    }
    reply
}

fn without_threads(client: &Client) -> Reply {
    let reply = client.statuses(&json!([query()]), &json!({}), |_, _| true);
    let order = order("A").to_string();
    let never = |_: Reply| std::process::abort();
    let token = Token::new();
    assert_eq!(token.cancel(), 0);
    for options in [json!({}), token.among(&json!({}))] {
        let options = Some(options.to_string());
        let (order, options) = (Some(order.as_str()), options.as_deref());
        let started = abi::start(client.key(), "create_order", order, options, never);
        assert_eq!(started.is(INTERNAL).error()["cause"], "no_thread");
    }
    reply
}
