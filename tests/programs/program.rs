//! A program that is built with warnings as errors, and run with a time limit.

use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use support::built;

/// A program that runs longer than this hangs.
const LIMIT: Duration = Duration::from_secs(150);

pub const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// How a program uses the library.
pub enum Linked {
    Shared,
    /// Linked with the system libraries that the archive needs, as in docs/guides/c.md.
    Static,
    /// It loads the library itself.
    Not,
}

pub const SYSTEM_LIBRARIES: [&str; 7] = [
    "-lgcc_s",
    "-lutil",
    "-lrt",
    "-lpthread",
    "-lm",
    "-ldl",
    "-lc",
];

/// Builds a source, given by its path in the project, and returns the program's path. `name` must
/// be unique, because tests build at the same time.
pub fn build(compiler: &str, standard: &str, source: &str, linked: &Linked, name: &str) -> PathBuf {
    build_with(compiler, standard, source, linked, name, &[])
}

/// The same with further arguments of the compiler.
pub fn build_with(
    compiler: &str,
    standard: &str,
    source: &str,
    linked: &Linked,
    name: &str,
    flags: &[&str],
) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    fs::create_dir_all(&folder).expect("a folder for programs");
    let program = folder.join(name);
    let mut command = Command::new(compiler);
    command
        .arg(format!("-std={standard}"))
        .args(WARNINGS)
        .args(["-g", "-pthread", "-I"])
        .arg(built::project().join("include"));
    command
        .arg(built::project().join(source))
        .arg("-o")
        .arg(&program);
    match linked {
        Linked::Shared => command.arg(built::library()).arg("-ldl"),
        Linked::Static => command
            .arg(built::folder().join("libpayorder.a"))
            .args(SYSTEM_LIBRARIES),
        Linked::Not => command.arg("-ldl"),
    };
    command.args(flags);
    let output = command.output().expect("the compiler runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{source}: {}",
        built::transcript(&output)
    );
    program
}

/// A running program. It leads a process group, so that all its processes can be ended.
pub struct Running {
    child: Child,
    until: Instant,
    streams: [JoinHandle<Vec<u8>>; 2],
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        command
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let until = Instant::now() + LIMIT;
        let mut child = loop {
            match command.spawn() {
                // The linker's file can count as open for writing for a moment longer.
                Err(error)
                    if error.kind() == ErrorKind::ExecutableFileBusy && Instant::now() < until =>
                {
                    thread::sleep(Duration::from_millis(5));
                }
                started => break started.expect("the program starts"),
            }
        };
        let stdout = read_all(child.stdout.take().expect("stdout is piped"));
        let stderr = read_all(child.stderr.take().expect("stderr is piped"));
        Running {
            child,
            until,
            streams: [stdout, stderr],
        }
    }

    pub fn end(mut self) -> Output {
        let mut ended = None;
        while ended.is_none() && Instant::now() < self.until {
            ended = self.child.try_wait().expect("a child can be waited for");
            thread::sleep(Duration::from_millis(5));
        }
        // SAFETY: the group is led by a child that nobody else has waited for, or was until a
        // moment ago.
        unsafe { libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL) };
        let status: ExitStatus =
            ended.unwrap_or_else(|| self.child.wait().expect("a child can be waited for"));
        let [stdout, stderr] = self
            .streams
            .map(|stream| stream.join().expect("a stream can be read"));
        let output = Output {
            status,
            stdout,
            stderr,
        };
        assert!(
            ended.is_some(),
            "it was still running after {LIMIT:?}: {}",
            built::transcript(&output)
        );
        assert_eq!(
            output.status.signal(),
            None,
            "{}",
            built::transcript(&output)
        );
        output
    }
}

fn read_all(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}
