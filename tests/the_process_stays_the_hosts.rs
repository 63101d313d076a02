//! A call leaves nothing behind in the process that makes it: no thread, no output, no signal, no
//! changed environment; and a process may fork.

#![cfg(target_os = "linux")]

use built::process::{config_of_this_process, passed, process};
use serde_json::{Value, json};
use std::process::Output;
use support::abi::{self, Client};
use support::built;
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::service::{Service, Step, close, respond, stall};
use support::tls::{Authority, Folder, serving};
use support::unreachable::refusing_url;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn in_a_process_of_its_own(name: &str, config: &Value) -> Output {
    process(name, config)
        .output()
        .expect("the test starts again")
}

#[test]
#[ignore = "started by no_thread_outlives_a_call"]
fn counting_threads() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let before = threads();
    // A thread that has ended stays listed for a moment, until the kernel has cleared it away.
    let back_to_before = || {
        let began = std::time::Instant::now();
        while threads() > before {
            assert!(
                began.elapsed().as_secs() < 10,
                "{} threads, {before} before",
                threads()
            );
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    };
    let client = Client::new(&config);
    for _ in 0..3 {
        client.create(&order()).done();
        back_to_before();
    }
    let refused = Client::new(&with(
        &config,
        "baseUrl",
        refusing_url().replace("127.0.0.1", "localhost"),
    ));
    refused.create(&order()).is(6);
    back_to_before();
}

#[test]
fn no_thread_outlives_a_call() {
    let service = Service::responding(created());
    passed(&in_a_process_of_its_own(
        "counting_threads",
        &config(&service.url()),
    ));
    let by_name = config(&format!("http://localhost:{}", service.port()));
    passed(&in_a_process_of_its_own("counting_threads", &by_name));
}

#[test]
#[ignore = "started by nothing_is_printed"]
fn many_calls_of_all_kinds() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    Log::of(&client);
    client.create(&order());
    client.create(&json!({}));
    client.status(&query());
    Client::new(&with(&config, "baseUrl", refusing_url())).create(&order());
    Client::new(&with(&config, "baseUrl", "https://name.invalid")).create(&order());
    Client::new(&with(
        &config,
        "baseUrl",
        refusing_url().replace("http", "https"),
    ))
    .status(&query());
    assert!(Client::try_from_text("{").is_err());
    assert_eq!(abi::free(77), 2);
}

#[test]
fn nothing_is_printed() {
    let service = Service::start([respond(created()), close()]);
    let silent = in_a_process_of_its_own("no_test_of_this_name", &config(&service.url()));
    let output = in_a_process_of_its_own("many_calls_of_all_kinds", &config(&service.url()));
    passed(&output);
    assert!(service.request_count() >= 2, "the calls were made");
    // The test runner's own lines aside.
    let lines = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let own = |line: &&str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("running ") && !line.starts_with("test ")
        };
        text.lines()
            .filter(own)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&output), lines(&silent));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[ignore = "started by a_lost_connection_raises_no_sigpipe"]
fn calls_with_sigpipe_at_its_default() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    // SAFETY: the process of this test has no other thread that relies on the signal.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let client = Client::new(&config);
    let large = with(&order(), "productInfo", "x".repeat(200_000));
    for _ in 0..20 {
        assert_ne!(client.create(&large).code, 0);
        assert_ne!(client.status(&query()).code, 0);
    }
    // SAFETY: it only asks which handler there is.
    let handler = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    assert_eq!(
        handler,
        libc::SIG_DFL,
        "the library leaves the handler alone"
    );
}

#[test]
fn a_lost_connection_raises_no_sigpipe() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    for reaction in [
        vec![Step::Reset],
        vec![Step::Close],
        vec![Step::Head, Step::Reset],
    ] {
        let plain = Service::start([reaction.clone()]);
        let secure = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        for service in [&plain, &secure] {
            let config = with(&config(&service.url()), "tls", tls.clone());
            passed(&in_a_process_of_its_own(
                "calls_with_sigpipe_at_its_default",
                &config,
            ));
        }
    }
}

#[test]
#[ignore = "started by a_client_is_of_use_on_both_sides_of_a_fork"]
fn forking_with_a_kept_connection() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    client.create(&order()).done();
    for _ in 0..3 {
        // SAFETY: the child makes its calls and leaves without running the parent's exit handlers.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let good = (0..2).all(|_| client.create(&order()).code == 0);
            // SAFETY: it ends the child at once.
            unsafe { libc::_exit(if good { 0 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: `child` is a process of ours.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0, "the child's calls");
        client.create(&order()).done();
    }
}

#[test]
fn a_client_is_of_use_on_both_sides_of_a_fork() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let plain = Service::responding(created());
    let secure = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [respond(created())],
    );
    for service in [&plain, &secure] {
        let config = with(&config(&service.url()), "tls", tls.clone());
        let keeping = with(&config, "maxIdleMs", 60_000);
        passed(&in_a_process_of_its_own(
            "forking_with_a_kept_connection",
            &keeping,
        ));
        assert_eq!(service.request_count(), 10);
        assert_eq!(
            service.connections(),
            4,
            "the parent keeps one, and each child makes its own"
        );
    }
}

#[test]
#[ignore = "started by a_process_may_end_with_clients_and_calls_open"]
fn ending_in_the_middle() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    client.status(&query()).done();
    let key = client.key();
    std::mem::forget(client);
    std::thread::spawn(move || abi::create_order(key, &order().to_string(), None));
    std::thread::sleep(std::time::Duration::from_millis(300));
    std::process::exit(0);
}

#[test]
fn a_process_may_end_with_clients_and_calls_open() {
    let service = Service::start([respond(completed("")), stall()]);
    let ended = in_a_process_of_its_own("ending_in_the_middle", &config(&service.url()));
    assert!(ended.status.success(), "{}", built::transcript(&ended));
    assert_eq!(service.request_count(), 2);
}

#[test]
#[ignore = "started by no_socket_takes_the_place_of_a_standard_stream"]
fn calling_without_standard_streams() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    // SAFETY: descriptors of this process, which no other thread uses here.
    let saved: Vec<i32> = (0..3)
        .map(|stream| unsafe { libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 100) })
        .collect();
    let is_open = |stream| unsafe { libc::fcntl(stream, libc::F_GETFD) != -1 };
    let mut taken = Vec::new();
    // SAFETY: as above.
    (0..3).for_each(|stream| unsafe {
        libc::close(stream);
    });
    let client = Client::new(&config);
    let codes: Vec<i32> = (0..2).map(|_| client.create(&order()).code).collect();
    // The connection is kept, and open.
    taken.extend((0..3).filter(|stream| is_open(*stream)));
    for (stream, saved) in (0..).zip(saved) {
        // SAFETY: as above.
        unsafe { libc::dup2(saved, stream) };
    }
    assert_eq!((codes, taken), (vec![0, 0], vec![]));
}

#[test]
fn no_socket_takes_the_place_of_a_standard_stream() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let plain = Service::start([respond(created()), respond(created())]);
    let secure = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [respond(created()), respond(created())],
    );
    for (service, tls) in [(plain, json!({})), (secure, tls)] {
        let config = with(&config(&service.url()), "tls", tls);
        passed(&in_a_process_of_its_own(
            "calling_without_standard_streams",
            &config,
        ));
        assert_eq!(service.connections(), 1, "the connection was kept");
    }
}
