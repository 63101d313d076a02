//! The host program, compiled against the shared library, and controlled step by step.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use support::built;
use support::tls::Folder;

pub struct Host {
    child: Child,
    commands: ChildStdin,
    results: BufReader<ChildStdout>,
}

/// Compiles the host program against a shared library. `None` if there is no C compiler.
pub fn compile(folder: &Folder, library: &Path) -> Option<PathBuf> {
    let compiler = built::c_compiler("the search of a C program's memory")?;
    let program = folder.path().join("host");
    let output = Command::new(compiler)
        .args([
            "-std=gnu99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-g",
            "-pthread",
        ])
        .arg("-I")
        .arg(built::project().join("include"))
        .arg(built::project().join("tests/secrets/host.c"))
        .arg(library)
        .arg(format!(
            "-Wl,-rpath,{}",
            library.parent().expect("a folder").display()
        ))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    Some(program)
}

impl Host {
    pub fn start(program: &Path) -> Host {
        let mut child = Command::new(program)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the host program starts");
        let commands = child.stdin.take().expect("its stdin");
        let results = BufReader::new(child.stdout.take().expect("its stdout"));
        Host {
            child,
            commands,
            results,
        }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// One command, and the result of its call.
    pub fn call(&mut self, command: &str) -> i32 {
        writeln!(self.commands, "{command}").expect("the host program reads a command");
        let mut line = String::new();
        self.results
            .read_line(&mut line)
            .expect("the host program replies");
        line.trim()
            .parse()
            .unwrap_or_else(|_| panic!("the host program replied to {command:?} with {line:?}"))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
