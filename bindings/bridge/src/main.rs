//! payorder for languages that can only start a program or write files: see README.md.

#![forbid(unsafe_code)]

mod answer;
mod files;
mod folder;
mod library;
mod request;
mod stdio;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::{env, fs, panic};

use answer::About;
use library::Client;
use payorder_core::{Cause, Code, Error};
use serde::Deserialize;
use serde_json::json;

/// The largest request: 64 MiB for the queries of `get_statuses`, and room for the rest.
const MAX_REQUEST: u64 = 65 << 20;

const HELP: &str = "\
usage: payorder-bridge [--config FILE] [--log] [--calls N]
       payorder-bridge [--config FILE] [--log] [--calls N] --folder DIR [--once]

Reads requests as lines of JSON from stdin and writes answers to stdout, or reads request files in
DIR/in and writes answer files into DIR/out.

  --config FILE  the settings of the client, a JSON object (or PAYORDER_CONFIG)
  --calls N      how many orders and statuses run at the same time, 1 to 256 (default 16)
  --folder DIR   work with files; with a journal, in DIR/orders.db unless configured
  --once         end when all request files have their answers, or the others cannot be taken
  --log          print log events on stderr, one JSON object on each line
  --version      print the version

The environment overrides the file: PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN, PAYORDER_CLIENT_KEY,
PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY, PAYORDER_JOURNAL, PAYORDER_CA_FILE. Credentials are never
arguments.

Exit status: 0 done, 1 the bridge failed or requests have no answer, 2 wrong arguments or
configuration.
";

struct Arguments {
    config: Option<OsString>,
    folder: Option<PathBuf>,
    once: bool,
    log: bool,
    calls: usize,
}

/// Zeroes memory before it is freed: requests and answers have customers' data.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> ExitCode {
    // Without its message, which may have what the code was working on.
    panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            report(&format!("a bug at {place}, please report it"));
        }
    }));
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match arguments.first().and_then(|first| first.to_str()) {
        Some("--help" | "-h") => {
            return show(HELP);
        }
        Some("--version") => {
            return show(&format!("payorder-bridge {}\n", library::VERSION));
        }
        _ => {}
    }
    let made = parse(arguments).and_then(|arguments| Ok((client(&arguments)?, arguments)));
    let (client, arguments) = match made {
        Ok(made) => made,
        Err(message) => {
            report(&message);
            return ExitCode::from(2);
        }
    };
    let client = Arc::new(client);
    let ended = client
        .take_answers()
        .and_then(|()| match &arguments.folder {
            Some(folder) => folder::run(client, folder, arguments.calls, arguments.once),
            None => stdio::run(client, arguments.calls),
        });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn client(arguments: &Arguments) -> Result<Client, String> {
    // The journal is in it.
    if let Some(folder) = &arguments.folder {
        files::create_folder(folder)
            .map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
    }
    let client = open(arguments).map_err(|error| {
        let message = error.to_string();
        if arguments.folder.is_none() {
            // For the program that waits for its first answer.
            let answer = About::call("open").answer(&Err(error), None);
            drop(writeln!(io::stdout(), "{answer}"));
        }
        message
    })?;
    if arguments.log {
        client.log_to_stderr();
    }
    Ok(client)
}

/// A client with the settings of the file and the environment. A folder always has a journal.
fn open(arguments: &Arguments) -> Result<Client, Error> {
    let (file, calls) = (arguments.config.as_deref(), arguments.calls);
    let client = Client::new(file, &json!({ "maxCalls": calls }).to_string())?;
    let Some(folder) = &arguments.folder else {
        return Ok(client);
    };
    let journal = match configured_journal(file)? {
        None => folder.join("orders.db"),
        // The client takes only PostgreSQL's URIs.
        Some(place) if place.contains("://") || Path::new(&place).is_absolute() => {
            return Ok(client);
        }
        // After a start from another folder, it would be another journal, and orders of the first
        // one would be sent again.
        Some(place) => {
            let message = format!("the journal of a folder needs its whole path, not {place}");
            return Err(unusable(message));
        }
    };
    let journal = journal.to_str();
    let journal = journal.ok_or_else(|| library::invalid("the folder's path is not UTF-8"))?;
    let config = json!({ "maxCalls": calls, "journal": journal });
    Client::new(file, &config.to_string())
}

/// The journal that the environment or the file names. A client was made with them.
fn configured_journal(file: Option<&OsStr>) -> Result<Option<String>, Error> {
    #[derive(Deserialize)]
    struct Config {
        journal: Option<String>,
    }
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(place) = variable("PAYORDER_JOURNAL") {
        return Ok(Some(place.to_string_lossy().into_owned()));
    }
    let Some(file) = file
        .map(OsStr::to_owned)
        .or_else(|| variable("PAYORDER_CONFIG"))
    else {
        return Ok(None);
    };
    let text = fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let config: Result<Config, _> = serde_json::from_str(text);
    config
        .map(|config| config.journal)
        .map_err(|error| unusable(error.to_string()))
}

fn unusable(problem: String) -> Error {
    let message = format!("the configuration cannot be used: {problem}");
    Error::new(Code::InvalidConfig, Cause::InvalidValue, message)
}

fn parse(arguments: Vec<OsString>) -> Result<Arguments, String> {
    let mut parsed = Arguments {
        config: None,
        folder: None,
        once: false,
        log: false,
        calls: 16,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let name = argument.to_string_lossy();
        let mut value = || arguments.next().ok_or(format!("{name} needs a value"));
        match &*name {
            "--config" => {
                let file = Some(value()?).filter(|file| !file.is_empty());
                parsed.config = Some(file.ok_or("--config needs the name of a file")?);
            }
            "--folder" => parsed.folder = Some(value()?.into()),
            "--calls" => {
                let number = value()?.to_str().and_then(|text| text.parse().ok());
                parsed.calls = number
                    .filter(|number| (1..=256).contains(number))
                    .ok_or("--calls needs a number from 1 to 256")?;
            }
            "--once" => parsed.once = true,
            "--log" => parsed.log = true,
            // Not repeated in the message: it may be a credential.
            _ => return Err("unknown argument; see payorder-bridge --help".to_owned()),
        }
    }
    if parsed.once && parsed.folder.is_none() {
        return Err("--once needs --folder".to_owned());
    }
    Ok(parsed)
}

/// As many threads as the system allows, at most `count`.
fn start_threads<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    work: impl Fn() -> T + Copy + Send + 'scope,
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let mut started = Vec::new();
    while started.len() < count {
        match thread::Builder::new().spawn_scoped(scope, work) {
            Ok(thread) => started.push(thread),
            Err(error) => {
                let running = started.len();
                report(&format!(
                    "only {running} of {count} threads were started: {error}"
                ));
                break;
            }
        }
    }
    started
}

/// Prints what was asked for.
fn show(text: &str) -> ExitCode {
    let mut output = io::stdout();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Prints a message. A closed stderr changes nothing.
fn report(message: &str) {
    drop(writeln!(io::stderr(), "payorder-bridge: {message}"));
}

fn too_long() -> Error {
    Error::argument(Cause::TooLong, "the request is longer than 65 MiB")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
