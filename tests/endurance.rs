//! A process that makes calls for a long time, some of them with faults, does not grow in memory,
//! file descriptors or threads.
//!
//! The default run is short. `PAYORDER_SOAK_SECONDS=3600 cargo test --release --test endurance --
//! --nocapture` runs for an hour. `PAYORDER_SOAK_PROGRAM` names a program to run instead of the one
//! that is compiled here, such as one with a sanitizer; its memory is then not checked.

#![cfg(target_os = "linux")]

#[path = "programs/program.rs"]
#[expect(dead_code, reason = "only builds it")]
mod program;

use program::Linked;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};
use support::built;
use support::orders::{config, sandbox_config, with};
use support::responses::{created, http, http_with};
use support::service::{
    Script, Service, Step, close, reset, respond, respond_after, respond_then_close, stall,
};
use support::tls::{Authority, Folder, serving};
use support::trials::{number_in, trials};
use support::unreachable::refusing_url;

/// In `cargo test`, and in CI.
const SECONDS: [u64; 2] = [5, 10];
/// By then every code path has run, and every thread has its malloc arena.
const WARM_UP: f64 = 0.3;
/// How much the process may grow after the warm-up, because the memory that malloc keeps varies.
/// The limit is the same for any duration, so a longer run is stricter.
const MOST_GROWTH_KIB: i64 = 1024;
/// Threads of the program that make calls. Each can leave one kept connection in each client.
const CALLERS: i64 = 4;

/// One second of the run, as the program prints it.
#[derive(Debug, Clone, Copy)]
struct Second {
    calls: i64,
    resident_kib: i64,
    descriptors: i64,
    threads: i64,
}

fn numbers<const N: usize>(line: &str) -> [i64; N] {
    let numbers: Vec<i64> = line
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers
        .try_into()
        .unwrap_or_else(|_| panic!("the program printed {line:?}"))
}

fn compile() -> Option<PathBuf> {
    let compiler = built::c_compiler("the soak")?;
    let source = "tests/endurance/soak.c";
    let program = program::build(&compiler, "gnu11", source, &Linked::Shared, "soak");
    Some(program)
}

/// What a service on a raw socket does repeatedly.
fn reactions() -> VecDeque<Script> {
    let half = || Step::Send(created()[..created().len() / 2].to_vec());
    let not_http = Step::Send(b"not HTTP\r\n\r\n".to_vec());
    let faults = [
        respond(created()),
        respond_then_close(created()),
        vec![Step::Close],
        respond(created()),
        vec![Step::Reset],
        close(),
        respond(http(500, "{}")),
        reset(),
        vec![Step::Head, Step::Close],
        vec![Step::WaitForData, not_http, Step::Close],
        respond(http_with(429, &[("Retry-After", "0")], "{}")),
        vec![Step::Request, half(), Step::Cut],
        vec![Step::Request, half(), Step::Wait(100), Step::Reset],
        respond(http(200, "not JSON")),
        respond_after(Duration::from_millis(20), created()),
        stall(),
        vec![Step::Request, Step::Drip(created(), 1)],
    ];
    let mut script: VecDeque<Script> = std::iter::repeat_n(faults, 200).flatten().collect();
    script.push_back(respond(created()));
    script
}

/// The services. Each restarts every second, which is also a fault, and limits their memory.
struct Services {
    stop: Arc<AtomicBool>,
    threads: Vec<thread::JoinHandle<()>>,
    configs: Vec<Value>,
}

impl Services {
    fn start(folder: &Folder) -> Services {
        let mut services = Services {
            stop: Arc::new(AtomicBool::new(false)),
            threads: Vec::new(),
            configs: Vec::new(),
        };

        let mut port = 0;
        let sandbox = move || {
            let began = Instant::now();
            loop {
                let options = Options {
                    listen: ([127, 0, 0, 1], port).into(),
                    ..Options::default()
                };
                // A client's connection can use the port for a moment.
                let Ok(sandbox) = Sandbox::start(options) else {
                    let is_soon = began.elapsed() < Duration::from_secs(60);
                    assert!(is_soon, "port {port} stays occupied");
                    continue;
                };
                let url = sandbox.base_url();
                let (_, number) = url.rsplit_once(':').expect("a port");
                port = number.parse().expect("a port");
                return sandbox;
            }
        };
        services.add(sandbox, |sandbox| {
            with(&sandbox_config(&sandbox.base_url()), "statusRetries", 1)
        });

        let authority = Authority::new();
        let ca_file = folder.file("ca.pem", authority.pem());
        let tls = Arc::new(serving(authority.identity_for("localhost")));
        for tls in [None, Some(tls)] {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let service = move || {
                let listener = listener.try_clone().expect("a second handle");
                Service::on(listener, reactions(), tls.clone())
            };
            services.add(service, |service| {
                with(&config(&service.url()), "tls", json!({"caFile": ca_file}))
            });
        }
        services.configs.push(config(&refusing_url()));
        services
    }

    fn add<S: Send + 'static>(
        &mut self,
        mut start: impl FnMut() -> S + Send + 'static,
        config: impl Fn(&S) -> Value,
    ) {
        let mut running = start();
        self.configs.push(config(&running));
        let stop = Arc::clone(&self.stop);
        self.threads.push(thread::spawn(move || {
            while !stop.load(SeqCst) {
                thread::sleep(Duration::from_secs(1));
                drop(running);
                running = start();
            }
        }));
    }

    fn stop(self) {
        self.stop.store(true, SeqCst);
        for thread in self.threads {
            thread.join().expect("a service thread");
        }
    }
}

fn soak(program: &Path, configs: &[Value], seconds: u64) -> (Vec<Second>, String) {
    let mut child = Command::new(program)
        .arg(seconds.to_string())
        .args(configs.iter().map(Value::to_string))
        // With its usual, growing threshold, glibc keeps the memory of the first long response in
        // each thread, whenever that arrives. With a fixed one, only a leak makes the process grow.
        .env("MALLOC_MMAP_THRESHOLD_", "131072")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the soak begins");
    let (mut course, mut end) = (Vec::new(), String::new());
    for line in BufReader::new(child.stdout.take().expect("its stdout")).lines() {
        let line = line.expect("a line");
        if line.starts_with("outcomes") {
            end = line;
            continue;
        }
        let [second, calls, resident_kib, descriptors, threads] = numbers(&line);
        // For a long run, show the progress.
        if second % 30 == 0 {
            println!(
                "{second} s: {calls} calls, {resident_kib} KiB, {descriptors} descriptors, {threads} threads"
            );
        }
        course.push(Second {
            calls,
            resident_kib,
            descriptors,
            threads,
        });
    }
    assert!(child.wait().expect("the soak ends").success());
    (course, end)
}

#[test]
fn a_long_run_with_faults_leaks_nothing() {
    let seconds = number_in("PAYORDER_SOAK_SECONDS").unwrap_or(trials(SECONDS[0], SECONDS[1]));
    let folder = Folder::new();
    let given = std::env::var_os("PAYORDER_SOAK_PROGRAM").map(PathBuf::from);
    let Some(program) = given.clone().or_else(compile) else {
        return;
    };
    let services = Services::start(&folder);
    let clients = services.configs.len() as i64;
    let (course, end) = soak(&program, &services.configs, seconds);
    services.stop();

    let warm = course[(course.len() as f64 * WARM_UP) as usize];
    let last = course[course.len() - 1];
    println!("after the warm-up {warm:?}\nat the end        {last:?}\n{end}");
    let [
        done,
        not_sent,
        rejected,
        unknown,
        descriptors,
        live_clients,
        live_strings,
    ] = numbers(&end);
    for (outcome, count) in [
        ("done", done),
        ("not sent", not_sent),
        ("rejected", rejected),
        ("unknown", unknown),
    ] {
        assert!(count > 0, "no call was {outcome}: {end}");
    }
    assert!(
        last.calls > warm.calls,
        "no call was made after the warm-up"
    );
    let grown = last.resident_kib - warm.resident_kib;
    assert!(
        given.is_some() || grown <= MOST_GROWTH_KIB,
        "the process grew by {grown} KiB: {course:?}"
    );
    for second in &course {
        assert_eq!(second.threads, CALLERS, "a thread was left: {course:?}");
        assert!(
            second.descriptors <= CALLERS * clients,
            "more descriptors than kept connections: {course:?}"
        );
    }
    assert_eq!(
        [descriptors, live_clients, live_strings],
        [0, 0, 0],
        "left after everything was freed: descriptors, clients, strings"
    );
}
