//! PgBouncer in front of a server.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::built::tool;
use crate::patience::until;

use super::{Database, Server, as_user, free_port};

pub struct Pooler {
    process: Child,
    port: u16,
}

impl Pooler {
    /// In a mode such as `transaction`. `None` if PgBouncer is not installed.
    pub fn start(server: &Server, mode: &str) -> Option<Pooler> {
        let names = ["pgbouncer", "/usr/sbin/pgbouncer"];
        let program = tool("PGBOUNCER", &names, "a pooler in front of PostgreSQL")?;
        let port = free_port();
        let file = server.folder.join(format!("pgbouncer-{port}.ini"));
        let settings = format!(
            "[databases]
* = host=127.0.0.1 port={} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 2
",
            server.port
        );
        fs::write(&file, settings).expect("a file");
        let mut command = as_user(std::process::Command::new(program));
        let process = command.arg("-q").arg(file).stdout(Stdio::null());
        let process = process.stderr(Stdio::null()).spawn().expect("it starts");
        until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(Pooler { process, port })
    }

    /// The same database through the pooler.
    pub fn reach(&self, database: &Database) -> Database {
        database.at(self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
