//! A host on Windows that closes handles which are not its own, and opens its own files and
//! connections, which then have the same numbers. Nothing may be written into them, and none of them
//! may be closed. For other systems: tests/programs/closes_descriptors.c.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::mem::size_of;
use std::net::{TcpListener, TcpStream};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, AsRawSocket};
use std::path::Path;
use std::ptr::with_exposed_provenance_mut;

use serde_json::json;
use support::abi::Client;
use support::built::process::{own_config, run};
use support::orders::with;
use support::responses::created;
use support::result::{CONNECT_FAILED, DUPLICATE, JOURNAL_FAILED};
use support::service::Service;
use support::shop::{Shop, order};
use support::unreachable::Unreachable;
use windows_sys::Win32::Foundation::{CloseHandle, GetHandleInformation, HANDLE};
use windows_sys::Win32::Networking::WinSock::{SOCKADDR_IN, getpeername};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_TYPE_DISK, GetFileType, GetFinalPathNameByHandleW,
};

/// How many files or connections the host opens at most until one has the handle that it closed.
const MOST: usize = 1000;

fn handle(number: usize) -> HANDLE {
    with_exposed_provenance_mut(number)
}

fn handles(is_one: impl Fn(usize) -> bool) -> Vec<usize> {
    (4..0x4000)
        .step_by(4)
        .filter(|number| is_one(*number))
        .collect()
}

/// The handles of this process that lead to the journal, its log or its index.
fn of_journal(path: &Path) -> Vec<usize> {
    let name = path.file_name().unwrap().to_str().unwrap();
    handles(|number| {
        let mut found = [0; 1000];
        // SAFETY: the functions accept any handle, and the size is that of the text.
        let length = unsafe {
            match GetFileType(handle(number)) {
                FILE_TYPE_DISK => {
                    GetFinalPathNameByHandleW(handle(number), found.as_mut_ptr(), 1000, 0)
                }
                _ => 0,
            }
        };
        String::from_utf16_lossy(&found[..length as usize]).contains(name)
    })
}

/// The handles of connections of this process to a port.
fn to_port(port: u16) -> Vec<usize> {
    handles(|number| {
        let mut address = SOCKADDR_IN::default();
        let mut length = size_of::<SOCKADDR_IN>() as i32;
        // SAFETY: the function accepts any number, and the size is that of the structure.
        let failed = unsafe { getpeername(number, (&raw mut address).cast(), &mut length) };
        failed == 0 && address.sin_port == port.to_be()
    })
}

fn close(number: usize) {
    // SAFETY: this is what the test is about. The library accepts it.
    assert_ne!(unsafe { CloseHandle(handle(number)) }, 0);
}

/// What the host opens until it gets this handle.
fn taken<T>(number: usize, open: impl Fn(usize) -> T, number_of: impl Fn(&T) -> usize) -> T {
    let mut others = Vec::new();
    for count in 0..MOST {
        let own = open(count);
        if number_of(&own) == number {
            return own;
        }
        others.push(own);
    }
    panic!("the system does not use the handle {number} again");
}

/// A file of the host with this handle, which contains "mine".
fn own_file(folder: &Path, number: usize) -> File {
    let open = |count| {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(true);
        let mut file = options
            .share_mode(0)
            .open(folder.join(format!("own-{number}-{count}")))
            .unwrap();
        file.write_all(b"mine").unwrap();
        file
    };
    taken(number, open, |file| {
        file.as_raw_handle().expose_provenance()
    })
}

#[test]
#[ignore = "started by a_host_that_closes_handles_of_the_journal_keeps_its_own_files"]
fn closing_handles_of_the_journal() {
    let Some(config) = own_config() else { return };
    let path = Path::new(config["journal"].as_str().unwrap());
    let (mut which, mut refused) = (0, 0);
    loop {
        let clients = [Client::new(&config), Client::new(&config)];
        for (number, client) in clients.iter().enumerate() {
            client
                .create(&order(&format!("BEFORE-{which}-{number}")))
                .done();
        }
        let found = of_journal(path);
        if which == found.len() {
            break;
        }
        close(found[which]);
        let mut own = own_file(path.parent().unwrap(), found[which]);
        // Whichever client finds out, the other one does not use the journal any more either. In Wine,
        // a piece of shared memory looks like its file. It stays when its handle is closed.
        let first = clients[0].create(&order(&format!("AFTER-{which}")));
        if first.code != 0 {
            refused += 1;
            for reply in [
                first,
                clients[1].journal_list(&json!({})),
                clients[1].create(&order("NEW")),
            ] {
                reply.is(JOURNAL_FAILED);
                assert_eq!(reply.error()["cause"], "journal_replaced");
            }
        }
        drop(clients);
        assert_eq!(
            own.metadata().unwrap().len(),
            4,
            "the host's file, handle {which}"
        );
        std::io::Seek::rewind(&mut own).unwrap();
        let mut text = String::new();
        own.read_to_string(&mut text).unwrap();
        assert_eq!(text, "mine");
        assert_eq!(of_journal(path), [0; 0], "handle {which}");
        which += 1;
    }
    // The journal, its log, its index, and what keeps its id from others.
    assert!(refused >= 4, "{refused} of {which} handles");
    Client::new(&config)
        .create(&order("BEFORE-0-0"))
        .is(DUPLICATE);
}

#[test]
fn a_host_that_closes_handles_of_the_journal_keeps_its_own_files() {
    let shop = Shop::new();
    let service = Service::responding(created());
    run(
        "handles::closing_handles_of_the_journal",
        &shop.config(&service.url()),
    );
    assert!(fs::metadata(&shop.path).unwrap().len() > 0);
}

#[test]
#[ignore = "started by a_host_that_closes_handles_of_connections_keeps_its_own_ones"]
fn closing_a_connection() {
    let Some(config) = own_config() else { return };
    let port = config["baseUrl"]
        .as_str()
        .unwrap()
        .rsplit(':')
        .next()
        .unwrap();
    let port: u16 = port.trim_end_matches('/').parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    for is_freed_at_once in [false, true] {
        let client = Client::new(&config);
        client.create(&order("A")).done();
        let kept = to_port(port);
        assert_eq!(kept.len(), 1);
        close(kept[0]);
        let open = |_| {
            let own = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (own, listener.accept().unwrap().0)
        };
        let (mut own, mut other) = taken(kept[0], open, |own| own.0.as_raw_socket() as usize);
        if !is_freed_at_once {
            client.create(&order("B")).done();
        }
        drop(client);
        other.set_nonblocking(true).unwrap();
        let arrived = other.read(&mut [0; 10]);
        assert!(arrived.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
        other.set_nonblocking(false).unwrap();
        own.write_all(b"mine").unwrap();
        let mut bytes = [0; 4];
        other.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"mine");
    }
}

#[test]
fn a_host_that_closes_handles_of_connections_keeps_its_own_ones() {
    let service = Service::responding(created());
    run(
        "handles::closing_a_connection",
        &support::orders::config(&service.url()),
    );
    assert_eq!(service.request_count(), 3);
}

/// How many handles of this process are open.
fn handle_count() -> usize {
    // SAFETY: the function accepts any handle, and the number is local.
    handles(|number| unsafe { GetHandleInformation(handle(number), &mut 0) != 0 }).len()
}

#[test]
#[ignore = "started by a_connection_that_is_refused_keeps_no_handle"]
fn being_refused() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    let ask = |times| {
        for _ in 0..times {
            client.status(&json!({"orderId": "A"})).is(CONNECT_FAILED);
        }
        handle_count()
    };
    let before = ask(3);
    let after = ask(30);
    assert!(after < before + 15, "{before} handles, then {after}");
}

#[test]
fn a_connection_that_is_refused_keeps_no_handle() {
    let nobody = Unreachable::refusing();
    let url = format!("http://127.0.0.1:{}", nobody.port());
    let config = with(&support::orders::config(&url), "statusRetries", 0);
    run("handles::being_refused", &config);
}
