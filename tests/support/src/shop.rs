//! A shop with a journal, in a file or in a database: its orders, and access to the journal from
//! another process.

use crate::abi::{Client, Reply};
#[cfg(unix)]
use crate::built;
use crate::orders::{config, order_named, with};
#[cfg(unix)]
use crate::patience::until;
#[cfg(unix)]
use crate::postgres::{self, Database, Person};
use crate::service::Service;
use crate::tls::Folder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

pub struct Shop {
    pub folder: Folder,
    pub path: PathBuf,
    pub journal: Journal,
}

/// Where the entries are.
#[derive(Clone, Debug)]
pub enum Journal {
    File(PathBuf),
    #[cfg(unix)]
    Database(Database),
}

impl Shop {
    /// With a journal in a file.
    pub fn new() -> Shop {
        Shop::with(Journal::File)
    }

    /// With a journal in PostgreSQL. Without a server in a file, and the test says so.
    #[cfg(unix)]
    pub fn in_postgresql() -> Shop {
        match postgres::shared() {
            Some(server) => Shop::with(|_| Journal::Database(server.database().fresh())),
            None => Shop::new(),
        }
    }

    pub fn with(journal: impl FnOnce(PathBuf) -> Journal) -> Shop {
        let folder = Folder::new();
        let path = folder.path().join("journal.db");
        Shop {
            journal: journal(path.clone()),
            folder,
            path,
        }
    }

    pub fn config(&self, url: &str) -> Value {
        with(&config(url), "journal", self.journal.setting())
    }

    pub fn client(&self, service: &Service) -> Client {
        Client::new(&self.config(&service.url()))
    }
}

impl Journal {
    /// The value of `journal` in the configuration.
    pub fn setting(&self) -> String {
        match self {
            Journal::File(path) => path.to_str().expect("a path in UTF-8").to_owned(),
            #[cfg(unix)]
            Journal::Database(database) => database.uri(),
        }
    }

    /// What a call has asked a database for is done after a lock, also if the call did not wait.
    pub fn may_be_late(&self) -> bool {
        !matches!(self, Journal::File(_))
    }

    /// SQL for the time, in milliseconds since 1970.
    pub fn now(&self) -> &'static str {
        match self {
            Journal::File(_) => "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
            #[cfg(unix)]
            Journal::Database(_) => "CAST(extract(epoch FROM now()) AS bigint) * 1000",
        }
    }

    /// Runs SQL in another process. Returns the rows of the last statement as JSON.
    #[track_caller]
    pub fn sql(&self, statements: &[&str]) -> Value {
        match self {
            Journal::File(path) => sql(path, statements),
            #[cfg(unix)]
            Journal::Database(database) => database.rows(statements),
        }
    }

    /// Another journal of the same kind, which is empty.
    pub fn another(&self, number: u128) -> Journal {
        match self {
            Journal::File(path) => Journal::File(format!("{}-{number}", path.display()).into()),
            #[cfg(unix)]
            Journal::Database(database) => Journal::Database(database.another()),
        }
    }

    /// Waits until nothing is done any more of what processes asked for that were killed.
    pub fn is_quiet(&self) {
        #[cfg(unix)]
        if let Journal::Database(database) = self {
            let others = "SELECT count(*) FROM pg_stat_activity
                WHERE usename = current_user AND pid <> pg_backend_pid()";
            until(|| database.sql(others) == "0");
        }
    }

    #[track_caller]
    pub fn is_sound(&self) {
        match self {
            Journal::File(path) => is_sound(path),
            // The server checks it.
            #[cfg(unix)]
            Journal::Database(_) => {}
        }
    }

    /// Another process locks the journal, which can be read all the same.
    pub fn lock(&self) -> Lock {
        match self {
            Journal::File(path) => Lock::File(LockHolder::of(path)),
            #[cfg(unix)]
            Journal::Database(database) => lock_tables(database, "EXCLUSIVE"),
        }
    }

    /// Another process locks the journal, so that it cannot even be read.
    pub fn lock_out(&self) -> Lock {
        match self {
            Journal::File(path) => {
                sql(path, &["PRAGMA journal_mode = DELETE"]);
                Lock::File(LockHolder::of(path))
            }
            #[cfg(unix)]
            Journal::Database(database) => lock_tables(database, "ACCESS EXCLUSIVE"),
        }
    }
}

#[cfg(unix)]
fn lock_tables(database: &Database, mode: &str) -> Lock {
    let tables = "payorder_orders, payorder_events";
    Lock::Database(database.person(&format!("BEGIN; LOCK TABLE {tables} IN {mode} MODE")))
}

/// Ends when it is dropped.
#[allow(dead_code, reason = "it is only dropped")]
pub enum Lock {
    File(LockHolder),
    #[cfg(unix)]
    Database(Person),
}

/// An order with its own two identifiers.
pub fn order(order_id: &str) -> Value {
    with(
        &order_named(order_id),
        "merchantTxnId",
        format!("TXN-{order_id}"),
    )
}

pub fn entries(client: &Client) -> Vec<Value> {
    listed(&client.journal_list(&json!({})))
}

#[track_caller]
pub fn listed(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.code, 0, "{}", reply.text());
    reply["entries"]
        .as_array()
        .expect("a list of entries")
        .clone()
}

/// `orderId: state` of each.
pub fn states(entries: &[Value]) -> Vec<String> {
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or("?").to_owned();
    entries
        .iter()
        .map(|entry| format!("{}: {}", text(entry, "orderId"), text(entry, "state")))
        .collect()
}

/// Runs SQL on the journal in another process, because the test must not open a file that the
/// library's SQLite has open in this one. Returns the rows as JSON.
#[cfg(unix)]
pub fn sql(path: &Path, statements: &[&str]) -> Value {
    const SCRIPT: &str = "import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    rows = database.execute(statement).fetchall()
print(json.dumps(rows))";
    let python =
        built::python("reading the journal in another process").expect("Python 3 is there");
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(path)
        .args(statements)
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    serde_json::from_slice(&output.stdout).expect("rows")
}

/// On Windows a file may be opened again in the same process: its locks belong to a handle. A
/// database that is being closed is busy for a moment.
#[cfg(windows)]
pub fn sql(path: &Path, statements: &[&str]) -> Value {
    let began = std::time::Instant::now();
    loop {
        match sql_once(path, statements) {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && began.elapsed().as_secs() < 5 => {}
            found => return found.expect("rows").into(),
        }
    }
}

#[cfg(windows)]
fn sql_once(path: &Path, statements: &[&str]) -> rusqlite::Result<Vec<Value>> {
    use rusqlite::types::ValueRef;
    let database = rusqlite::Connection::open(path)?;
    let mut found = Vec::new();
    for statement in statements {
        let mut statement = database.prepare(statement)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        found.clear();
        while let Some(row) = rows.next()? {
            let values = (0..columns).map(|column| match row.get_ref_unwrap(column) {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => number.into(),
                ValueRef::Real(number) => number.into(),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned().into()
                }
            });
            found.push(Value::Array(values.collect()));
        }
    }
    Ok(found)
}

#[track_caller]
pub fn is_sound(path: &Path) {
    assert_eq!(sql(path, &["PRAGMA integrity_check"]), json!([["ok"]]));
}

/// Another process that locks the journal until this is dropped.
#[cfg(unix)]
pub struct LockHolder(Child);

#[cfg(unix)]
impl LockHolder {
    pub fn of(path: &Path) -> LockHolder {
        const SCRIPT: &str = "import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute('BEGIN EXCLUSIVE')
print('held', flush=True)
sys.stdin.read()";
        let python =
            built::python("locking the journal in another process").expect("Python 3 is there");
        let mut holder = Command::new(python)
            .args(["-c", SCRIPT])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(holder.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line, "held\n");
        LockHolder(holder)
    }
}

#[cfg(unix)]
impl Drop for LockHolder {
    fn drop(&mut self) {
        // The lock goes with the process. Python's own end takes longer, on a busy disk by far.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A connection that locks the journal until this is dropped.
#[cfg(windows)]
pub struct LockHolder {
    _connection: rusqlite::Connection,
}

#[cfg(windows)]
impl LockHolder {
    pub fn of(path: &Path) -> LockHolder {
        let connection = rusqlite::Connection::open(path).expect("the journal");
        connection.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        LockHolder {
            _connection: connection,
        }
    }
}
