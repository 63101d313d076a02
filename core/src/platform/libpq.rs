//! libpq, the client library of PostgreSQL: loaded at run time, when a journal needs it, and kept.
//! Only its functions that do not block, so that each wait can be cancelled, except one that has a
//! thread of its own.

use std::error::Error;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_uint, c_void};
use std::io;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use libloading::Library;
use socket2::Socket;

use super::files::protect_host;
use super::fork::{self, JOURNALS};
use super::{connected_number, is_socket, socket_number, wait_until_readable, wait_until_writable};

/// Names the library's file.
const VARIABLE: &str = "PAYORDER_LIBPQ";
#[cfg(windows)]
const FILE: &str = "libpq.dll";
#[cfg(target_vendor = "apple")]
const FILE: &str = "libpq.5.dylib";
#[cfg(not(any(windows, target_vendor = "apple")))]
const FILE: &str = "libpq.so.5";
#[cfg(unix)]
const ADVICE: &str = "install it (the package is called libpq5, libpq or postgresql-libs)";
#[cfg(windows)]
const ADVICE: &str = "put it next to the program, with the DLLs that it needs";

/// No file, and no folder of sockets: libpq finds nothing there.
pub(crate) const NOWHERE: &str = "/dev/null/payorder";

type Raw = c_void;

/// One name and value of a connection string, as libpq lists them.
#[repr(C)]
struct RawOption {
    keyword: *const c_char,
    environment: *const c_char,
    compiled: *const c_char,
    value: *const c_char,
    label: *const c_char,
    display: *const c_char,
    size: c_int,
}

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)+) => {
        #[allow(non_snake_case)]
        pub(crate) struct Libpq {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)+
        }

        impl Libpq {
            fn find(library: &Library) -> Result<Libpq, libloading::Error> {
                // SAFETY: these are the types in libpq's header, and the library is never unloaded.
                unsafe {
                    Ok(Libpq {
                        $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)+
                    })
                }
            }
        }
    };
}

functions! {
    PQconninfoParse(*const c_char, *mut *mut c_char) -> *mut RawOption;
    PQconninfoFree(*mut RawOption);
    PQfreemem(*mut c_void);
    PQconninfo(*mut Raw) -> *mut RawOption;
    PQlibVersion() -> c_int;
    PQconnectStartParams(*const *const c_char, *const *const c_char, c_int) -> *mut Raw;
    PQconnectPoll(*mut Raw) -> c_int;
    PQsocket(*const Raw) -> c_int;
    PQerrorMessage(*const Raw) -> *const c_char;
    PQparameterStatus(*const Raw, *const c_char) -> *const c_char;
    PQsetNoticeProcessor(
        *mut Raw,
        unsafe extern "C" fn(*mut c_void, *const c_char),
        *mut c_void
    ) -> *const c_void;
    PQsetErrorVerbosity(*mut Raw, c_int) -> c_int;
    PQsetnonblocking(*mut Raw, c_int) -> c_int;
    PQsendQuery(*mut Raw, *const c_char) -> c_int;
    PQsendQueryParams(
        *mut Raw,
        *const c_char,
        c_int,
        *const c_uint,
        *const *const c_char,
        *const c_int,
        *const c_int,
        c_int
    ) -> c_int;
    PQflush(*mut Raw) -> c_int;
    PQconsumeInput(*mut Raw) -> c_int;
    PQisBusy(*mut Raw) -> c_int;
    PQgetResult(*mut Raw) -> *mut Raw;
    PQgetCancel(*mut Raw) -> *mut c_void;
    PQcancel(*mut c_void, *mut c_char, c_int) -> c_int;
    PQfreeCancel(*mut c_void);
    PQfinish(*mut Raw);
    PQresultStatus(*const Raw) -> c_int;
    PQresultErrorField(*const Raw, c_int) -> *const c_char;
    PQntuples(*const Raw) -> c_int;
    PQgetvalue(*const Raw, c_int, c_int) -> *const c_char;
    PQgetisnull(*const Raw, c_int, c_int) -> c_int;
    PQclear(*mut Raw);
}

/// The library, or why it cannot be loaded. Loads it if no client has done so.
pub(crate) fn libpq() -> Result<&'static Libpq, String> {
    static LOADED: OnceLock<Libpq> = OnceLock::new();
    if let Some(loaded) = LOADED.get() {
        return Ok(loaded);
    }
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let file = named.unwrap_or_else(|| OsString::from(FILE));
    let loaded = JOURNALS.run(|| {
        let library = ManuallyDrop::new(load(&file)?);
        Libpq::find(&library)
    });
    match loaded {
        Ok(loaded) => Ok(LOADED.get_or_init(|| loaded)),
        Err(error) => Err(format!(
            "needs PostgreSQL's client library, and {} cannot be loaded ({}): {ADVICE}, or set \
             {VARIABLE} to its path",
            file.display(),
            reason(&error)
        )),
    }
}

#[cfg(unix)]
fn load(file: &OsString) -> Result<Library, libloading::Error> {
    // SAFETY: libpq may be loaded at any time, from any thread.
    unsafe { Library::new(file) }
}

/// From the program's own folder, the system's, or the given one: never from the working folder.
#[cfg(windows)]
fn load(file: &OsString) -> Result<Library, libloading::Error> {
    use libloading::os::windows::{
        LOAD_LIBRARY_SEARCH_DEFAULT_DIRS, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR, Library as Dll,
    };
    let of_file = match std::path::Path::new(file).is_absolute() {
        true => LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR,
        false => 0,
    };
    // SAFETY: libpq may be loaded at any time, from any thread.
    unsafe { Dll::load_with_flags(file, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | of_file) }
        .map(Library::from)
}

/// The error's own words say only which function failed.
#[cfg(unix)]
fn reason(error: &libloading::Error) -> String {
    let text = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    one_line(&text)
}

#[cfg(windows)]
fn reason(error: &libloading::Error) -> String {
    // Only in this form libloading shows the number.
    let code = error
        .source()
        .and_then(|source| format!("{source:?}").parse().ok());
    match code {
        Some(code) => super::describe_error(&io::Error::from_raw_os_error(code)),
        None => error.to_string(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// # Safety
/// `text` is NULL, or a text that ends with a NUL.
unsafe fn copy(text: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) });
    text.map(|text| text.to_string_lossy().into_owned())
}

/// The names and values of a connection string. `None` if libpq does not accept it: its message
/// could show a password.
pub(crate) fn parse(libpq: &Libpq, text: &CStr) -> Option<Vec<(String, String)>> {
    // SAFETY: the text ends with a NUL. libpq writes a list that ends with a NULL keyword, or NULL
    // and a message.
    unsafe {
        let mut message = ptr::null_mut();
        let list = (libpq.PQconninfoParse)(text.as_ptr(), &mut message);
        if !message.is_null() {
            (libpq.PQfreemem)(message.cast());
        }
        take_list(libpq, list)
    }
}

/// Copies and frees a list of libpq.
///
/// # Safety
/// `list` is NULL, or such a list, which ends with a NULL keyword.
unsafe fn take_list(libpq: &Libpq, list: *mut RawOption) -> Option<Vec<(String, String)>> {
    if list.is_null() {
        return None;
    }
    let mut all = Vec::new();
    // SAFETY: the caller's promise.
    unsafe {
        let mut at = list;
        while let Some(keyword) = copy((*at).keyword) {
            all.extend(copy((*at).value).map(|value| (keyword, value)));
            at = at.add(1);
        }
        (libpq.PQconninfoFree)(list);
    }
    Some(all)
}

impl Libpq {
    /// Whether a connection can end when the network has swallowed what was sent.
    pub(crate) fn knows_user_timeout(&self) -> bool {
        // SAFETY: this reads a number.
        unsafe { (self.PQlibVersion)() >= 120_000 }
    }
}

/// What a connection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    Read,
    Write,
    /// It is connected.
    Done,
    Failed,
}

/// A value of a statement, in PostgreSQL's binary form.
pub(crate) struct Parameter<'a> {
    pub(crate) oid: c_uint,
    pub(crate) bytes: Option<&'a [u8]>,
}

/// A connection to a database. It is not touched in a forked child, or once its descriptor leads to
/// something else: then it is forgotten, and not closed.
pub(crate) struct PgConnection {
    libpq: &'static Libpq,
    raw: NonNull<Raw>,
    generation: u64,
    /// See [`socket_number`]; 0 before the first socket.
    socket: u64,
    /// The server has warned.
    warned: Box<AtomicBool>,
    /// The password file that is not used.
    unused: Option<PathBuf>,
}

// SAFETY: libpq allows the use of a connection from any thread, by one at a time.
unsafe impl Send for PgConnection {}

pub(crate) const PASSWORD: &str = "password";
const PASSWORD_FILE: &str = "passfile";

/// The password file if libpq would not use it, because others can read it. It would say so on the
/// host's standard error. With a password, it reads none.
#[cfg(unix)]
fn unusable_password_file(parameters: &[(String, String)]) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;

    let part = |name: &str| {
        let part = parameters.iter().rfind(|(key, _)| key == name);
        part.map(|(_, value)| value.into())
            .filter(|value: &OsString| !value.is_empty())
    };
    if part(PASSWORD).is_some() {
        return None;
    }
    let file = part(PASSWORD_FILE)
        .or_else(|| std::env::var_os("PGPASSFILE").filter(|file| !file.is_empty()))
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".pgpass")))?;
    let found = std::fs::metadata(&file).ok()?;
    (!found.is_file() || found.mode() & 0o077 != 0).then_some(file)
}

#[cfg(windows)]
fn unusable_password_file(_: &[(String, String)]) -> Option<PathBuf> {
    None
}

impl PgConnection {
    /// Begins to connect. `None` without memory.
    pub(crate) fn start(
        libpq: &'static Libpq,
        parameters: &[(String, String)],
    ) -> Option<PgConnection> {
        const VERBOSE: c_int = 2;
        // A parameter comes from texts without a NUL.
        let text = |text: &String| CString::new(text.as_str()).unwrap_or_default();
        let mut all: Vec<_> = parameters
            .iter()
            .map(|(key, value)| (text(key), text(value)))
            .collect();
        let unused = unusable_password_file(parameters);
        if unused.is_some() {
            all.push((text(&PASSWORD_FILE.into()), text(&NOWHERE.into())));
        }
        let ends = |list: Vec<*const c_char>| [list, vec![ptr::null()]].concat();
        let keys = ends(all.iter().map(|(key, _)| key.as_ptr()).collect());
        let values = ends(all.iter().map(|(_, value)| value.as_ptr()).collect());
        let warned = Box::new(AtomicBool::new(false));
        // SAFETY: both lists end with NULL, and outlive the call. The flag outlives the connection.
        let start = || unsafe {
            let raw = (libpq.PQconnectStartParams)(keys.as_ptr(), values.as_ptr(), 0);
            if !raw.is_null() {
                (libpq.PQsetNoticeProcessor)(
                    raw,
                    take_notice,
                    (&raw const *warned).cast_mut().cast(),
                );
                // With the code of SQL's list of errors.
                (libpq.PQsetErrorVerbosity)(raw, VERBOSE);
            }
            raw
        };
        let (raw, _) = JOURNALS.run(|| protect_host(start));
        let mut connection = PgConnection {
            libpq,
            raw: NonNull::new(raw)?,
            generation: fork::generation(),
            socket: 0,
            warned,
            unused,
        };
        connection.remember_socket();
        Some(connection)
    }

    /// Goes on with connecting. libpq may use another socket afterwards.
    pub(crate) fn poll(&mut self) -> Waits {
        const READING: c_int = 1;
        const WRITING: c_int = 2;
        const OK: c_int = 3;
        let polled = self.with(|libpq, raw| {
            // SAFETY: the connection is alive.
            let (polled, _) = protect_host(|| unsafe { (libpq.PQconnectPoll)(raw) });
            // SAFETY: as above.
            let set = (polled == OK).then(|| unsafe { (libpq.PQsetnonblocking)(raw, 1) });
            match (polled, set) {
                (OK, Some(0)) => Waits::Done,
                (READING, _) => Waits::Read,
                (WRITING, _) => Waits::Write,
                _ => Waits::Failed,
            }
        });
        self.remember_socket();
        let polled = polled.unwrap_or(Waits::Failed);
        if matches!(polled, Waits::Done) {
            self.socket = connected_number(self.descriptor() as _, self.socket);
        }
        polled
    }

    fn remember_socket(&mut self) {
        self.socket = match self.descriptor() {
            -1 => 0,
            descriptor => socket_number(descriptor as _),
        };
    }

    fn descriptor(&self) -> c_int {
        // SAFETY: the connection is alive. This reads a number.
        unsafe { (self.libpq.PQsocket)(self.raw.as_ptr()) }
    }

    /// Whether this process may use it.
    pub(crate) fn is_intact(&self) -> bool {
        self.generation == fork::generation()
            && match self.descriptor() {
                // libpq has closed it.
                -1 => true,
                descriptor => is_socket(descriptor as _, self.socket),
            }
    }

    /// Calls libpq, if the connection may be used. No fork happens meanwhile.
    fn with<T>(&self, call: impl FnOnce(&Libpq, *mut Raw) -> T) -> Option<T> {
        JOURNALS.run(|| {
            self.is_intact()
                .then(|| call(self.libpq, self.raw.as_ptr()))
        })
    }

    /// Waits for the socket; false if the time is over, or a part of it.
    pub(crate) fn wait(&self, waits: Waits, time: Duration) -> io::Result<bool> {
        if self.descriptor() == -1 || !self.is_intact() {
            return Err(io::ErrorKind::NotConnected.into());
        }
        #[cfg(unix)]
        // SAFETY: the descriptor is this connection's socket, and the copy of it is not dropped.
        let socket = unsafe { <Socket as std::os::fd::FromRawFd>::from_raw_fd(self.descriptor()) };
        #[cfg(windows)]
        // SAFETY: as above.
        let socket = unsafe {
            <Socket as std::os::windows::io::FromRawSocket>::from_raw_socket(self.descriptor() as _)
        };
        let socket = ManuallyDrop::new(socket);
        match waits {
            Waits::Write => Ok(wait_until_writable(&[&*socket], time)?.is_some()),
            _ => wait_until_readable(&socket, time),
        }
    }

    /// Begins a statement. False if the connection is broken.
    pub(crate) fn send(&mut self, sql: &CStr, parameters: &[Parameter<'_>]) -> bool {
        const BINARY: c_int = 1;
        let types: Vec<_> = parameters.iter().map(|one| one.oid).collect();
        let start = |bytes: &[u8]| bytes.as_ptr().cast::<c_char>();
        let values: Vec<_> = parameters
            .iter()
            .map(|one| one.bytes.map_or(ptr::null(), start))
            .collect();
        let lengths: Vec<_> = parameters
            .iter()
            .map(|one| one.bytes.map_or(0, <[u8]>::len) as c_int)
            .collect();
        let formats = vec![BINARY; parameters.len()];
        // SAFETY: four lists of the given length, which outlive the call, as the texts do.
        let sent = self.with(|libpq, raw| unsafe {
            (libpq.PQsendQueryParams)(
                raw,
                sql.as_ptr(),
                parameters.len() as c_int,
                types.as_ptr(),
                values.as_ptr(),
                lengths.as_ptr(),
                formats.as_ptr(),
                0,
            )
        });
        sent == Some(1)
    }

    /// Begins several statements, in one transaction.
    pub(crate) fn send_script(&mut self, sql: &CStr) -> bool {
        // SAFETY: the text ends with a NUL and outlives the call.
        self.with(|libpq, raw| unsafe { (libpq.PQsendQuery)(raw, sql.as_ptr()) }) == Some(1)
    }

    /// Sends what the socket takes: `Some(true)` if that was all, `None` if it is broken.
    pub(crate) fn flush(&mut self) -> Option<bool> {
        // SAFETY: the connection is alive.
        match self.with(|libpq, raw| unsafe { (libpq.PQflush)(raw) })? {
            0 => Some(true),
            1 => Some(false),
            _ => None,
        }
    }

    /// Reads what has arrived: `Some(true)` if a result is complete, `None` if it is broken.
    pub(crate) fn read(&mut self) -> Option<bool> {
        // SAFETY: the connection is alive.
        let read = self.with(|libpq, raw| unsafe {
            ((libpq.PQconsumeInput)(raw) == 1).then(|| (libpq.PQisBusy)(raw) == 0)
        });
        read.flatten()
    }

    /// The next result of the statements, after [`PgConnection::read`] returned true.
    pub(crate) fn result(&mut self) -> Option<PgResult> {
        // SAFETY: the connection is alive, and the result belongs to the caller.
        let raw = self.with(|libpq, raw| unsafe { (libpq.PQgetResult)(raw) })?;
        Some(PgResult {
            libpq: self.libpq,
            raw: NonNull::new(raw)?,
        })
    }

    /// Whether the server has warned since this was asked last.
    pub(crate) fn take_warning(&self) -> bool {
        self.warned.swap(false, Ordering::Relaxed)
    }

    /// Asks the server to end the statement that runs. Blocks until the server has read that.
    pub(crate) fn cancel_statement(&self) {
        // SAFETY: the connection is alive, and the copy of its address and key belongs to the caller.
        let request = self.with(|libpq, raw| unsafe { (libpq.PQgetCancel)(raw) });
        let Some(request) = request.filter(|request| !request.is_null()) else {
            return;
        };
        let mut message = [0; 256];
        // Not under the lock: a fork need not wait, since libpq holds no lock meanwhile.
        // SAFETY: the message has room for that many bytes, and the copy is not used again.
        unsafe {
            (self.libpq.PQcancel)(request, message.as_mut_ptr(), message.len() as c_int);
            (self.libpq.PQfreeCancel)(request);
        }
    }

    /// All names and values, also those of the environment and of a service file.
    pub(crate) fn parts(&self) -> Option<Vec<(String, String)>> {
        // SAFETY: the connection is alive, and the list belongs to the caller.
        self.with(|libpq, raw| unsafe { take_list(libpq, (libpq.PQconninfo)(raw)) })?
    }

    /// The last error, in one line.
    pub(crate) fn message(&self) -> String {
        // SAFETY: the connection is alive, and the text is copied.
        let text = self.with(|libpq, raw| unsafe { copy((libpq.PQerrorMessage)(raw)) });
        let text = one_line(&text.flatten().unwrap_or_default());
        match &self.unused {
            Some(file) if text.contains("password") => format!(
                "{text} (the password file {} is not used: it must be a file that only its owner can \
                 read)",
                file.display()
            ),
            _ => text,
        }
    }

    /// What the server reports of itself.
    pub(crate) fn parameter(&self, name: &CStr) -> Option<String> {
        // SAFETY: the connection is alive, and the text is copied.
        self.with(|libpq, raw| unsafe { copy((libpq.PQparameterStatus)(raw, name.as_ptr())) })?
    }
}

impl Drop for PgConnection {
    fn drop(&mut self) {
        // What TLS needs may be gone by then.
        if super::has_exit_begun() {
            return;
        }
        // SAFETY: the connection is alive, and not used again.
        self.with(|libpq, raw| unsafe { (libpq.PQfinish)(raw) });
    }
}

/// libpq's own function would print. A notice that is not a warning has this code.
unsafe extern "C" fn take_notice(warned: *mut c_void, message: *const c_char) {
    const NO_WARNING: &str = ": 00000: ";
    // SAFETY: this is the flag of the connection, and the text is copied.
    let (warned, message) = unsafe { (&*warned.cast::<AtomicBool>(), copy(message)) };
    if message.is_some_and(|message| !one_line(&message).contains(NO_WARNING)) {
        warned.store(true, Ordering::Relaxed);
    }
}

/// What a statement answered.
pub(crate) struct PgResult {
    libpq: &'static Libpq,
    raw: NonNull<Raw>,
}

impl PgResult {
    pub(crate) fn is_ok(&self) -> bool {
        const COMMAND_OK: c_int = 1;
        const TUPLES_OK: c_int = 2;
        matches!(self.status(), COMMAND_OK | TUPLES_OK)
    }

    /// The server begins a copy, which no statement asks for.
    pub(crate) fn is_copy(&self) -> bool {
        const COPY_OUT: c_int = 3;
        const COPY_IN: c_int = 4;
        const COPY_BOTH: c_int = 8;
        matches!(self.status(), COPY_OUT | COPY_IN | COPY_BOTH)
    }

    fn status(&self) -> c_int {
        // SAFETY: the result is alive.
        unsafe { (self.libpq.PQresultStatus)(self.raw.as_ptr()) }
    }

    /// The five characters of SQL's list of errors; empty if the error is not the server's.
    pub(crate) fn sqlstate(&self) -> String {
        self.field(b'C').unwrap_or_default()
    }

    /// The server's message, in one line.
    pub(crate) fn message(&self) -> String {
        one_line(&self.field(b'M').unwrap_or_default())
    }

    fn field(&self, field: u8) -> Option<String> {
        // SAFETY: the result is alive, and the text is copied.
        unsafe {
            copy((self.libpq.PQresultErrorField)(
                self.raw.as_ptr(),
                field.into(),
            ))
        }
    }

    pub(crate) fn rows(&self) -> usize {
        // SAFETY: the result is alive.
        unsafe { (self.libpq.PQntuples)(self.raw.as_ptr()) as usize }
    }

    /// A value as text. The caller asks only for rows and columns that there are.
    pub(crate) fn value(&self, row: usize, column: usize) -> Option<String> {
        let (raw, row, column) = (self.raw.as_ptr(), row as c_int, column as c_int);
        // SAFETY: the result is alive, and the text is copied. libpq checks both numbers, and
        // returns NULL outside.
        unsafe {
            let is_null = (self.libpq.PQgetisnull)(raw, row, column) != 0;
            (!is_null).then(|| copy((self.libpq.PQgetvalue)(raw, row, column)))?
        }
    }
}

impl Drop for PgResult {
    fn drop(&mut self) {
        // SAFETY: the result is alive, and not used again.
        unsafe { (self.libpq.PQclear)(self.raw.as_ptr()) };
    }
}
