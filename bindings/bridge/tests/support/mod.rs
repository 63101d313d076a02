//! A sandbox, a folder, and the bridge as a program.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use sandbox::Sandbox;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

/// A sandbox, and a new folder, which is removed at the end.
pub struct Till {
    pub sandbox: Sandbox,
    pub folder: PathBuf,
}

impl Drop for Till {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

impl Till {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("payorder-bridge-{}-{number}", process::id()));
        fs::create_dir(&folder).expect("a folder");
        let sandbox = Sandbox::start(sandbox::Options::default()).expect("a free port");
        Self { sandbox, folder }
    }

    /// The bridge with the sandbox's credentials in its environment.
    pub fn bridge(&self, arguments: &[&str]) -> Command {
        self.bridge_by(&[], arguments)
    }

    /// The bridge, which this command starts.
    pub fn bridge_by(&self, by: &[&str], arguments: &[&str]) -> Command {
        let mut words = by.iter().copied();
        let bridge = env!("CARGO_BIN_EXE_payorder-bridge");
        let mut command = Command::new(words.next().unwrap_or(bridge));
        command.args(words);
        if !by.is_empty() {
            command.arg(bridge);
        }
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("PAYORDER_") || text.to_lowercase().ends_with("_proxy") {
                command.env_remove(&name);
            }
        }
        command
            .env("PAYORDER_BASE_URL", self.sandbox.base_url())
            .env("PAYORDER_ACCESS_TOKEN", sandbox::ACCESS_TOKEN)
            .env("PAYORDER_CLIENT_KEY", sandbox::CLIENT_KEY)
            .env("PAYORDER_CLIENT_ID", sandbox::CLIENT_ID)
            .env("PAYORDER_SECRET_KEY", sandbox::SECRET_KEY)
            .args(arguments);
        command
    }

    /// A bridge that can start no thread, because no stack is so large.
    pub fn bridge_without_threads(&self) -> Command {
        let mut command = self.bridge(&[]);
        command.env("RUST_MIN_STACK", (usize::MAX / 2).to_string());
        command
    }

    /// Answers all requests of the folder.
    pub fn once(&self, arguments: &[&str]) {
        self.once_with(0, arguments);
    }

    /// The same, with this exit status. Returns the messages.
    pub fn once_with(&self, status: i32, arguments: &[&str]) -> String {
        let mut command = self.bridge(arguments);
        let ended = run_on(command.arg("--folder").arg(&self.folder).arg("--once"), "");
        assert_eq!(ended.status.code(), Some(status));
        String::from_utf8_lossy(&ended.stderr).into_owned()
    }

    /// A bridge that works in the folder.
    pub fn start(&self, arguments: &[&str]) -> Running {
        self.start_by(&[], arguments)
    }

    /// A bridge that works in the folder, which this command starts.
    pub fn start_by(&self, by: &[&str], arguments: &[&str]) -> Running {
        let mut command = self.bridge_by(by, arguments);
        command.arg("--folder").arg(&self.folder);
        let child = command.stderr(Stdio::null()).spawn();
        Running(child.expect("the bridge starts"))
    }

    /// What starts a program to which the modes of files apply. Root can read every file while it
    /// has these capabilities.
    #[cfg(unix)]
    pub fn without_rights_to_all_files(&self) -> Vec<&'static str> {
        use std::os::unix::fs::PermissionsExt;
        let unreadable = self.folder.join("unreadable");
        fs::write(&unreadable, "").expect("written");
        fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o000)).expect("a mode");
        let command = "setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search";
        fs::read(&unreadable).map_or(Vec::new(), |_| command.split(' ').collect())
    }

    /// Writes a request file in the way that programs should.
    pub fn put(&self, name: &str, request: impl ToString) {
        let requests = self.folder.join("in");
        fs::create_dir_all(&requests).expect("a folder");
        let temporary = requests.join(format!("{name}.part"));
        fs::write(&temporary, request.to_string()).expect("written");
        fs::rename(temporary, requests.join(name)).expect("renamed");
    }

    /// The answer with this name, which is removed.
    pub fn fetch(&self, name: &str) -> Value {
        let path = self.folder.join("out").join(name);
        let text = until(name, || fs::read_to_string(&path).ok());
        fs::remove_file(path).expect("removed");
        serde_json::from_str(&text).expect("JSON")
    }

    pub fn result(&self, name: &str) -> Value {
        self.fetch(name)["result"].take()
    }

    pub fn until_the_order_arrives(&self) {
        until("the order arrives", || {
            (!self.sandbox.orders().is_empty()).then_some(())
        });
    }
}

/// A request for an order with this number.
pub fn create(number: impl ToString, product: &str) -> Value {
    let number = number.to_string();
    json!({"call": "create_order", "order": {
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
    }})
}

/// The same request with more members.
pub fn with(mut request: Value, more: Value) -> Value {
    let members = request.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    request
}

/// Runs the bridge on some lines, to the end.
pub fn run_on(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bridge starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let written = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    // A bridge that refuses its arguments does not read its input.
    drop(written);
    output
}

/// Lines of JSON.
pub fn lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).expect("UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
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

/// Gives a file the rights that one with credentials needs.
pub fn only_for_its_owner(_file: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(_file, fs::Permissions::from_mode(0o600)).expect("a mode");
    }
}

/// How many files a folder has.
pub fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Ends the process when it is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
