//! A sandbox, a folder, and the bridge as a program.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use sandbox::Sandbox;
use serde_json::{Value, json};

pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn sandbox() -> Sandbox {
    Sandbox::start(sandbox::Options::default()).expect("a free port")
}

/// A new folder, which is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("payorder-bridge-{}-{number}", process::id()));
        fs::create_dir(&folder).expect("a folder");
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The bridge with the sandbox's credentials in its environment.
pub fn bridge(base_url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_payorder-bridge"));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("PAYORDER_") || text.to_lowercase().ends_with("_proxy") {
            command.env_remove(&name);
        }
    }
    command
        .env("PAYORDER_BASE_URL", base_url)
        .env("PAYORDER_ACCESS_TOKEN", sandbox::ACCESS_TOKEN)
        .env("PAYORDER_CLIENT_KEY", sandbox::CLIENT_KEY)
        .env("PAYORDER_CLIENT_ID", sandbox::CLIENT_ID)
        .env("PAYORDER_SECRET_KEY", sandbox::SECRET_KEY);
    command
}

pub fn order(number: &str, product: &str) -> Value {
    json!({
        "amount": "100.00",
        "merchantTxnId": format!("T-{number}"),
        "orderId": format!("O-{number}"),
        "payMode": "all",
        "merchantId": "M-1",
        "productInfo": product,
        "customerName": "Asha Rao",
        "customerMobile": "9000000000",
        "customerEmail": "asha@example.com",
        "redirectionURL": "https://shop.example/return",
        "currencyCode": "INR",
    })
}

/// A running bridge that reads lines.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the bridge starts");
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("stdout")),
            child,
        }
    }

    pub fn send(&mut self, request: &Value) {
        self.send_text(&format!("{request}\n"));
    }

    pub fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().expect("not closed yet");
        input.write_all(text.as_bytes()).expect("written");
        input.flush().expect("written");
    }

    pub fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub fn call(&mut self, request: &Value) -> Value {
        self.send(request);
        self.answer()
    }

    /// Ends the input, and returns the exit status and the answers that were left.
    pub fn end(mut self) -> (Option<i32>, Vec<Value>) {
        drop(self.input.take());
        let left = self
            .output
            .lines()
            .map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON"))
            .collect();
        (self.child.wait().expect("an end").code(), left)
    }
}

/// Runs the bridge on some lines, to the end.
pub fn run_on(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bridge starts");
    let written = child
        .stdin
        .take()
        .expect("stdin")
        .write_all(input.as_bytes());
    let output = child.wait_with_output().expect("an end");
    // A bridge that refuses its arguments does not read its input.
    drop(written);
    output
}

/// Waits until there is a value.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(begun.elapsed() < PATIENCE, "not in time: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Writes a request file in the way that programs should.
pub fn put(folder: &Path, name: &str, text: &str) {
    let requests = folder.join("in");
    fs::create_dir_all(&requests).expect("a folder");
    let temporary = requests.join(format!("{name}.part"));
    fs::write(&temporary, text).expect("written");
    fs::rename(temporary, requests.join(name)).expect("renamed");
}

/// The answer with this name, which is removed.
pub fn fetch(folder: &Path, name: &str) -> Value {
    let path = folder.join("out").join(name);
    let text = until(name, || fs::read_to_string(&path).ok());
    fs::remove_file(path).expect("removed");
    serde_json::from_str(&text).expect("JSON")
}

/// Ends the process when it is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
