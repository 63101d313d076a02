//! Processes without resources, and forks. Each case runs in a process of its own.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{fs, mem, ptr};

use serde_json::{Value, json};

use crate::case::Case;
use support::abi::{self, Client, Reply};
use support::built::process::{config_of_this_process, passed, process};
use support::log::Log;
use support::orders::{config, query, with};
use support::responses::{created, http};
use support::service::{Service, respond, stall};
use support::shop::{Shop, order};
use support::table;

/// The variable with the name of what a process of its own does.
const FAULT: &str = "PAYORDER_TEST_FAULT";

type Fault = fn(&Client) -> Reply;

const FAULTS: [(&str, Fault); 6] = table! {
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
        SQLITE_HAS_NO_MEMORY.store(true, Relaxed);
        client.create(&order("A"))
    };
    "in a forked child", forked;
};

#[test]
#[ignore = "started by every_cause_is_provoked_or_listed_with_a_reason"]
fn in_a_process() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let name = std::env::var(FAULT).expect("what to do");
    let (_, work) = FAULTS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a fault");
    replace_memory_of_sqlite();
    let reply = work(&Client::new(&config));
    println!("\nREPLY {} {}", reply.code, reply.text());
}

/// Runs one of the faults in a process of its own, and reads its reply.
fn provoked(name: &str, config: &Value, prepare: impl Fn(&mut Command)) -> Reply {
    let mut command = process("processes::in_a_process", config);
    // Other malloc arenas have memory that a limit does not count.
    command.env(FAULT, name).env("MALLOC_ARENA_MAX", "1");
    prepare(&mut command);
    let output = passed(&command.output().unwrap());
    let line = output.lines().find_map(|line| line.strip_prefix("REPLY "));
    let (code, text) = line.and_then(|line| line.split_once(' ')).expect("a reply");
    Reply::of(code.parse().expect("a number"), Some(text.to_owned()))
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
    } {
        let reaction = reaction.clone();
        cases.push(Case::new(cause, result, fault, move || {
            let (shop, service) = (Shop::new(), Service::start([reaction.clone()]));
            let config = match has_journal {
                true => shop.config(&service.url()),
                false => with(&config(&service.url()), "maxResponseBytes", 16 << 20),
            };
            provoked(fault, &config, |_| {})
        }));
    }
    cases.push(Case::new(
        "no_thread",
        11,
        "no thread can be started",
        without_threads,
    ));
    cases.push(Case::new(
        "journal_read_only",
        10,
        "a folder without permissions",
        read_only,
    ));
    cases
}

fn read_only() -> Reply {
    let (mut shop, service) = (Shop::new(), Service::responding(created()));
    let folder = shop.folder.path().join("closed");
    fs::create_dir(&folder).unwrap();
    let mode = |path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    mode(shop.folder.path(), 0o755);
    mode(&folder, 0o555);
    shop.path = folder.join("journal.db");
    provoked("as nobody", &shop.config(&service.url()), |command| {
        // Root has every permission.
        // SAFETY: the call only reads a number.
        if unsafe { libc::geteuid() } == 0 {
            command.uid(65534).gid(65534);
        }
    })
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

/// What the child of a fork in the middle of a call is told.
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
        println!("\nREPLY {} {}", reply.code, reply.text());
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(0) };
    }
    reply
}

/// SQLite's table of memory functions, as in sqlite3.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct SqliteMemory {
    allocate: Option<unsafe extern "C" fn(c_int) -> *mut c_void>,
    others: [usize; 7],
}

unsafe extern "C" {
    fn sqlite3_config(option: c_int, ...) -> c_int;
}
const SQLITE_CONFIG_MALLOC: c_int = 4;
const SQLITE_CONFIG_GETMALLOC: c_int = 5;

static SQLITE_HAS_NO_MEMORY: AtomicBool = AtomicBool::new(false);
static SQLITE_MEMORY: OnceLock<SqliteMemory> = OnceLock::new();

unsafe extern "C" fn allocate(size: c_int) -> *mut c_void {
    let usual = SQLITE_MEMORY.get().and_then(|memory| memory.allocate);
    match usual {
        // SAFETY: SQLite's own function, with SQLite's argument.
        Some(usual) if !SQLITE_HAS_NO_MEMORY.load(Relaxed) => unsafe { usual(size) },
        _ => ptr::null_mut(),
    }
}

fn replace_memory_of_sqlite() {
    let mut memory = SqliteMemory {
        allocate: None,
        others: [0; 7],
    };
    // SAFETY: SQLite is not in use yet; the table has the layout of sqlite3.h.
    unsafe {
        assert_eq!(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &mut memory), 0);
        SQLITE_MEMORY.get_or_init(|| memory);
        memory.allocate = Some(allocate);
        assert_eq!(sqlite3_config(SQLITE_CONFIG_MALLOC, &memory), 0);
    }
}

thread_local! {
    static GETS_NO_THREAD: Cell<bool> = const { Cell::new(false) };
}

type StartThread = unsafe extern "C" fn(
    *mut libc::pthread_t,
    *const libc::pthread_attr_t,
    extern "C" fn(*mut c_void) -> *mut c_void,
    *mut c_void,
) -> c_int;

/// Replaces the system's function of this name.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> c_int {
    if GETS_NO_THREAD.get() {
        return libc::EAGAIN;
    }
    // SAFETY: the system's function has this type, and gets the same arguments.
    unsafe {
        let system = libc::dlsym(libc::RTLD_NEXT, c"pthread_create".as_ptr());
        mem::transmute::<*mut c_void, StartThread>(system)(thread, attributes, start, argument)
    }
}

fn without_threads() -> Reply {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    GETS_NO_THREAD.set(true);
    let reply = client.statuses(&json!([query()]), &json!({}), |_, _| true);
    let order = order("A").to_string();
    let never = |_: Reply| panic!("done ran");
    let started = abi::start(client.key(), "create_order", Some(&order), None, never);
    GETS_NO_THREAD.set(false);
    assert_eq!(
        (started.code, &started.error()["cause"]),
        (11, &json!("no_thread"))
    );
    reply
}
