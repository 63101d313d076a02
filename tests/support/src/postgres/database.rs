//! A database, as one role sees it, and SQL in another process.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value;

use super::programs;
use crate::built::transcript;

/// In every connection URI. No message may show it.
pub const PASSWORD: &str = "open-sesame";

#[derive(Clone, Debug)]
pub struct Database {
    pub host: String,
    pub port: u16,
    pub role: String,
    pub name: String,
    /// More parameters of the URI.
    pub parameters: String,
}

impl Database {
    pub fn of_superuser(port: u16) -> Database {
        Database {
            host: "127.0.0.1".to_owned(),
            port,
            role: "postgres".to_owned(),
            name: "postgres".to_owned(),
            parameters: String::new(),
        }
    }

    pub fn uri(&self) -> String {
        let Database {
            host,
            port,
            role,
            name,
            parameters,
        } = self;
        format!("postgresql://{role}:{PASSWORD}@{host}:{port}/{name}?{parameters}")
    }

    /// The same for another port, such as that of a relay.
    pub fn at(&self, port: u16) -> Database {
        Database {
            port,
            ..self.clone()
        }
    }

    pub fn with(&self, parameters: &str) -> Database {
        Database {
            parameters: parameters.to_owned(),
            ..self.clone()
        }
    }

    /// The same for another role.
    pub fn role(&self, role: &str) -> Database {
        Database {
            role: role.to_owned(),
            ..self.clone()
        }
    }

    /// An empty place for one test: a role, and a schema of the same name, which is the first of
    /// its search path. Only a superuser can make it.
    pub fn fresh(&self) -> Database {
        let name = new_name();
        self.sql(&format!(
            "CREATE ROLE {name} LOGIN; CREATE SCHEMA AUTHORIZATION {name}"
        ));
        self.role(&name)
    }

    /// Another one of the same server.
    pub fn another(&self) -> Database {
        Database::of_superuser(self.port).fresh()
    }

    /// A database of its own, with this encoding.
    pub fn fresh_database(&self, encoding: &str) -> Database {
        let name = new_name();
        self.sql(&format!(
            "CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'"
        ));
        Database {
            name,
            ..self.clone()
        }
    }

    /// Runs SQL in another process. Returns what it prints.
    #[track_caller]
    pub fn sql(&self, text: &str) -> String {
        let output = self.psql().args(["-c", text]).output().expect("psql runs");
        assert!(output.status.success(), "{text}: {}", transcript(&output));
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        printed.trim_end().to_owned()
    }

    /// Runs statements, and returns the rows of the last one as JSON.
    #[track_caller]
    pub fn rows(&self, statements: &[&str]) -> Value {
        let (last, before) = statements.split_last().expect("a statement");
        for statement in before {
            self.sql(statement);
        }
        if !last.starts_with("SELECT") {
            self.sql(last);
            return Value::Array(Vec::new());
        }
        let json = format!(
            "SELECT coalesce(json_agg((SELECT json_agg(value) FROM json_each(row_to_json(found)))),
                '[]') FROM ({last}) AS found"
        );
        serde_json::from_str(&self.sql(&json)).expect("rows")
    }

    /// A person who types these statements, and leaves the transaction open.
    pub fn person(&self, statements: &str) -> Person {
        let mut psql = self.psql();
        let psql = psql.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = psql.spawn().expect("psql runs");
        let mut input = process.stdin.take().expect("its input");
        writeln!(input, "{statements};\n\\echo held").expect("it reads");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        while line != "held\n" {
            line.clear();
            let count = output.read_line(&mut line).expect("it prints");
            assert!(count > 0, "{statements} failed");
        }
        Person {
            process,
            input: Some(input),
        }
    }

    fn psql(&self) -> Command {
        // Debian's own `psql` is a script that looks for this one.
        static PSQL: LazyLock<PathBuf> =
            LazyLock::new(|| programs().expect("PostgreSQL is installed").join("psql"));
        let mut psql = Command::new(&*PSQL);
        psql.args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d"]);
        psql.arg(self.uri());
        psql
    }
}

/// Ends the transaction, and what it locked, when it is dropped.
pub struct Person {
    process: Child,
    input: Option<ChildStdin>,
}

impl Drop for Person {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
    }
}

/// Processes share a server.
fn new_name() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Relaxed);
    format!("till_{}_{number}", std::process::id())
}
