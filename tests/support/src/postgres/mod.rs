//! A PostgreSQL server of the tests, on a port of its own, with its files in a temporary folder.

mod database;
mod pooler;

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use crate::built::{tool, transcript};
use crate::patience::until;
use crate::tls::Authority;

pub use self::database::{Database, PASSWORD, Person};
pub use self::pooler::Pooler;

/// Small, and nothing waits for the disk: no test cuts the power.
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 16MB
fsync = off
max_connections = 200
min_wal_size = 32MB
max_wal_size = 64MB
max_prepared_transactions = 0
autovacuum_naptime = 10
log_checkpoints = off
";

pub struct Server {
    /// PostgreSQL's programs.
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Stops the server and removes its folder, also if this process is killed.
    keeper: Child,
}

/// One server for all tests of this process. `None` if PostgreSQL is not installed: the test says
/// so and ends.
pub fn shared() -> Option<&'static Server> {
    static SHARED: OnceLock<Option<Server>> = OnceLock::new();
    SHARED.get_or_init(Server::start).as_ref()
}

impl Server {
    pub fn start() -> Option<Server> {
        Server::start_with("")
    }

    /// A server with these lines in its configuration.
    pub fn start_with(settings: &str) -> Option<Server> {
        let server = Server::with_folder()?;
        let data = server.data();
        // What is written while it is made needs no flush: nothing has used it yet.
        let mut initdb = server.command("initdb");
        initdb.args(["--no-sync", "--auth=trust", "--username=postgres"]);
        initdb.args(["--encoding=UTF8", "--no-locale", "--pgdata"]);
        succeeds(initdb.arg(&data));
        server.configure(&format!("{SETTINGS}{settings}"));
        server.run();
        Some(server)
    }

    /// A folder for a server, and what removes it.
    fn with_folder() -> Option<Server> {
        let programs = programs()?;
        let port = free_port();
        let folder = std::env::temp_dir().join(format!("payorder-pg-{port}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder");
        if let Some((user, group)) = user() {
            chown(&folder, Some(user), Some(group)).expect("a folder of the server's user");
        }
        // The end of its input is the end of this process.
        const KEEP: &str = "trap '' INT TERM HUP
            read -r _
            \"$0/pg_ctl\" stop --silent --mode=immediate --pgdata \"$1/data\"
            rm -rf \"$1\"";
        let mut keeper = as_user(Command::new("sh"));
        keeper.args(["-c", KEEP]).arg(&programs).arg(&folder);
        let keeper = keeper
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        Some(Server {
            programs,
            folder,
            port,
            keeper,
        })
    }

    /// A server with TLS and passwords only. Returns the file of its certificate authority, in its folder.
    pub fn start_tls() -> Option<(Server, String)> {
        let server = Server::start()?;
        let authority = Authority::new();
        let identity = authority.identity_for("localhost");
        let write = |name: &str, text: String| {
            let path = server.folder.join(name);
            fs::write(&path, text).expect("a file");
            path
        };
        let ca_file = write("ca.pem", authority.pem());
        let certificate = write("server.pem", identity.certificate.pem());
        let key = write("server.key", identity.key.serialize_pem());
        server.own(&key);
        server.configure(&format!(
            "ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n",
            certificate.display(),
            key.display()
        ));
        let password = format!("ALTER ROLE postgres PASSWORD '{PASSWORD}'");
        server.database().sql(&password);
        let rules = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(server.data().join("pg_hba.conf"), rules).expect("a file");
        server.restart();
        Some((server, ca_file.to_str().expect("UTF-8").to_owned()))
    }

    /// A standby, without which the server commits nothing from now on.
    pub fn synchronous_standby(&self) -> Server {
        let standby = Server::with_folder().expect("PostgreSQL is installed");
        let mut copy = standby.command("pg_basebackup");
        copy.args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync"]);
        copy.arg("--dbname").arg(self.database().uri());
        succeeds(copy.arg("--pgdata").arg(standby.data()));
        standby.run();
        self.configure("synchronous_standby_names = '*'\n");
        self.reload();
        let state = "SELECT coalesce(max(sync_state), '') FROM pg_stat_replication";
        until(|| self.database().sql(state) == "sync");
        standby
    }

    /// Makes a standby the server that is written.
    pub fn promote(&self) {
        self.configure("synchronous_standby_names = ''\n");
        self.pg_ctl(&["promote", "--wait"]);
    }

    /// The database of the superuser.
    pub fn database(&self) -> Database {
        Database::of_superuser(self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The process that starts all others.
    fn postmaster(&self) -> libc::pid_t {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).expect("it runs");
        file.lines()
            .next()
            .expect("a line")
            .parse()
            .expect("a number")
    }

    /// `kill -9` of the postmaster. Returns when all of its processes have ended.
    pub fn kill(&self) {
        let postmaster = self.postmaster();
        let children = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children = fs::read_to_string(children).expect("its children");
        // SAFETY: it sends a signal to the server that this test started.
        unsafe { libc::kill(postmaster, libc::SIGKILL) };
        // The others notice it.
        until(|| !children.split_whitespace().any(is_running));
        // Its process may be left as a zombie, which looks like a server that runs.
        fs::remove_file(self.data().join("postmaster.pid")).expect("its file");
    }

    /// `pg_ctl stop -m immediate`.
    pub fn stop(&self) {
        self.pg_ctl(&["stop", "--mode=immediate"]);
    }

    pub fn restart(&self) {
        self.pg_ctl(&["stop", "--mode=fast"]);
        self.run();
    }

    /// Starts the server, also after a crash.
    pub fn run(&self) {
        let options = format!("-p {}", self.port);
        let log = self.folder.join("log");
        let log = log.to_str().expect("UTF-8");
        self.pg_ctl(&["start", "--wait", "--log", log, "--options", &options]);
    }

    /// Appends lines to the configuration.
    pub fn configure(&self, lines: &str) {
        let path = self.data().join("postgresql.auto.conf");
        let mut file = fs::File::options().append(true).open(path).expect("a file");
        file.write_all(lines.as_bytes()).expect("it is written");
    }

    pub fn reload(&self) {
        self.database().sql("SELECT pg_reload_conf()");
    }

    fn pg_ctl(&self, arguments: &[&str]) {
        let mut command = self.command("pg_ctl");
        let command = command.args(arguments).arg("--pgdata").arg(self.data());
        succeeds(command.stdin(Stdio::null()));
    }

    fn command(&self, program: &str) -> Command {
        as_user(Command::new(self.programs.join(program)))
    }

    /// Makes a file the server's own, which nobody else reads.
    pub fn own(&self, path: &Path) {
        use std::os::unix::fs::PermissionsExt;
        if let Some((user, group)) = user() {
            chown(path, Some(user), Some(group)).expect("a file of the server's user");
        }
        let mode = fs::Permissions::from_mode(if path.is_dir() { 0o700 } else { 0o600 });
        fs::set_permissions(path, mode).expect("its mode");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// The folder with PostgreSQL's programs.
fn programs() -> Option<PathBuf> {
    let debian = (12..30).rev();
    let mut names = vec!["postgres".to_owned()];
    names.extend(debian.map(|version| format!("/usr/lib/postgresql/{version}/bin/postgres")));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = tool("POSTGRES", &names, "a journal in PostgreSQL")?;
    let folders = std::env::var_os("PATH")?;
    let mut folders = std::env::split_paths(&folders);
    let path = folders.find_map(|folder| fs::canonicalize(folder.join(&found)).ok());
    // Behind its links, where the other programs are.
    Some(path?.parent()?.to_owned())
}

/// The user and group that the server runs as. `None`: those of this process. It does not run as
/// root.
fn user() -> Option<(u32, u32)> {
    // SAFETY: it cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("the list of users");
    let numbers = |line: &str| {
        let mut fields = line.split(':').skip(2);
        let mut number = || fields.next()?.parse().ok();
        Some((number()?, number()?))
    };
    let own = users.lines().find(|line| line.starts_with("postgres:"));
    own.and_then(numbers).or(Some((65534, 65534)))
}

fn as_user(mut command: Command) -> Command {
    if let Some((user, group)) = user() {
        command.uid(user).gid(group);
    }
    command.current_dir("/").env("LC_ALL", "C");
    command
}

/// A port that no client gets by chance: the server needs it again after a restart.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let number = NEXT
            .fetch_add(1, Relaxed)
            .wrapping_add(std::process::id() as u16);
        let port = 20_000 + number.wrapping_mul(7) % 12_000;
        let is_free = TcpListener::bind(("127.0.0.1", port)).is_ok();
        if is_free
            && !std::env::temp_dir()
                .join(format!("payorder-pg-{port}"))
                .exists()
        {
            return port;
        }
    }
}

fn is_running(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}

#[track_caller]
fn succeeds(command: &mut Command) {
    let output = command.output().expect("it starts");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        transcript(&output)
    );
}
