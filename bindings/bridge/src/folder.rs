//! Requests as files in `DIR/in`, answers as files in `DIR/out`.
//!
//! A request moves through `DIR/work`, and each step is on the disk before the next one begins:
//!
//! 1. `in/NAME` is renamed to `work/NAME`.
//! 2. The call is made. With the journal, an order is sent at most once.
//! 3. The complete answer is in `work/NAME.answer`.
//! 4. `work/NAME` is removed.
//! 5. `work/NAME.answer` is renamed to `out/NAME`.
//!
//! After a crash, a request without an answer is made again, and an answer is delivered. So each
//! request gets one answer, also if somebody takes the answer away at once.
//!
//! Several workers do this at the same time, each with one request. They take turns to look at the
//! folder, and take a request when they are free, so that `work` has only requests that are made.

use std::collections::{HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io, process, thread};

use serde_json::value::RawValue;

use crate::answer::{About, raw};
use crate::library::{self, Client, Function, Reply, Token};
use crate::request::{Refused, Request};
use crate::{MAX_REQUEST, files, report, start_threads, too_long};

/// How often the folder is looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// The pause before something that failed is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Results that do not say whether an earlier try sent the order, because they come before the
/// journal is asked: no credentials, the journal cannot be used, no memory.
const INCONCLUSIVE: [i32; 3] = [5, 10, 11];

struct Folder<'a> {
    client: &'a Client,
    requests: PathBuf,
    answers: PathBuf,
    work: PathBuf,
    /// Only one bridge works in a folder. The system ends the lock with the process.
    _lock: fs::File,
}

/// What the workers share, one at a time.
#[derive(Default)]
struct Queue {
    /// The names that were seen, and whether an earlier bridge took the request.
    seen: VecDeque<(OsString, bool)>,
    /// The requests that cannot be taken yet, and whose reason was printed.
    told: HashSet<OsString>,
}

impl Queue {
    /// The first request that can be taken.
    fn take(&mut self, folder: &Folder<'_>) -> Option<(OsString, bool)> {
        while let Some((name, again)) = self.seen.pop_front() {
            match if again { Ok(()) } else { folder.take(&name) } {
                Ok(()) => {
                    self.told.remove(&name);
                    return Some((name, again));
                }
                // The program took it back.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    if self.told.insert(name.clone()) {
                        report(&format!("{} waits: {error}", name.display()));
                    }
                }
            }
        }
        None
    }
}

/// With `once` it ends when there is no request left that can be taken, otherwise never.
pub fn run(client: &Client, folder: &Path, workers: usize, once: bool) -> io::Result<()> {
    let folder = Folder::open(client, folder)?;
    let queue = Mutex::new(folder.earlier_work()?);
    thread::scope(|scope| {
        // This thread is a worker too: the system may allow no other one.
        let others = start_threads(scope, workers - 1, || folder.work(&queue, once));
        let mut ended = folder.work(&queue, once);
        // A worker that panics ends the process.
        for worker in others {
            ended = ended.and(worker.join().unwrap_or(Ok(())));
        }
        ended
    })?;
    match folder.waiting()?.len() {
        0 => Ok(()),
        left => {
            let message = format!("requests without an answer: {left}");
            Err(io::Error::other(message))
        }
    }
}

impl<'a> Folder<'a> {
    fn open(client: &'a Client, folder: &Path) -> io::Result<Self> {
        let [requests, answers, work] = ["in", "out", "work"].map(|name| folder.join(name));
        for each in [&requests, &answers, &work] {
            fs::create_dir_all(each)?;
        }
        Ok(Self {
            client,
            requests,
            answers,
            work,
            _lock: files::lock(&folder.join("bridge.lock"))?,
        })
    }

    /// What a bridge left that was killed: answers are delivered, and requests made again.
    fn earlier_work(&self) -> io::Result<Queue> {
        for name in names(&self.work, "answer")? {
            let request = Path::new(&name).with_extension("");
            self.deliver(request.as_os_str());
        }
        let names = names(&self.work, "json")?;
        Ok(Queue {
            seen: names.into_iter().map(|name| (name, true)).collect(),
            told: HashSet::new(),
        })
    }

    fn work(&self, queue: &Mutex<Queue>, once: bool) -> io::Result<()> {
        while let Some((name, again)) = self.next(queue, once)? {
            let made = catch_unwind(AssertUnwindSafe(|| self.process(&name, again)));
            if made.is_err() {
                // The next start continues with this request.
                process::abort();
            }
        }
        Ok(())
    }

    /// A request that is now in `work`, or `None` if there is nothing left to do.
    fn next(&self, queue: &Mutex<Queue>, once: bool) -> io::Result<Option<(OsString, bool)>> {
        // The one that finds nothing waits with the lock: one look at a time is enough.
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(taken) = queue.take(self) {
                return Ok(Some(taken));
            }
            let waiting = match once {
                true => self.waiting()?,
                false => until_done("the requests cannot be listed", || self.waiting()),
            };
            queue.seen = waiting.into_iter().map(|name| (name, false)).collect();
            if let Some(taken) = queue.take(self) {
                return Ok(Some(taken));
            }
            if once {
                return Ok(None);
            }
            thread::sleep(INTERVAL);
        }
    }

    /// The requests, in the order of their names.
    fn waiting(&self) -> io::Result<Vec<OsString>> {
        // In this order: a request is there before its cancellation, which stays until it has its
        // answer.
        let running = names(&self.work, "json");
        let cancellations = names(&self.requests, "cancel")?;
        let requests = names(&self.requests, "json")?;
        let Ok(running) = running else {
            return Ok(requests);
        };
        let known = running.iter().chain(&requests);
        let stems: HashSet<_> = known.map(|name| stem(name)).collect();
        for name in cancellations
            .iter()
            .filter(|name| !stems.contains(stem(name)))
        {
            files::remove(&self.requests.join(name))?;
        }
        Ok(requests)
    }

    /// Moves a request to `work`, or says why it waits.
    fn take(&self, name: &OsStr) -> io::Result<()> {
        // Neither an earlier request with this name, nor an answer that nobody has read yet, may be
        // overwritten. They are looked at in the order in which they come and go.
        let answer = self.work.join(with(name, "answer"));
        if [self.work.join(name), answer, self.answers.join(name)]
            .iter()
            .any(|path| path.exists())
        {
            return Err(in_the_way());
        }
        let request = self.requests.join(name);
        // Fails for a file that this user cannot read. Otherwise a power cut could lose a request
        // whose order was sent.
        files::sync(&request)?;
        // Fails on Windows while the program still has it open.
        fs::rename(request, self.work.join(name))
    }

    /// `again` says that an earlier bridge took the request and may have made its call.
    fn process(&self, name: &OsStr, again: bool) {
        let path = self.work.join(name);
        // Its new name too must survive a power cut.
        until_done("the request cannot be written to the disk", || {
            files::sync_folder_of(&path)
        });
        let request = until_done("the request cannot be read", || read(&path));
        let answer = match request {
            Ok(request) => self.answer(name, request, again),
            Err((about, reply)) => own_or_stem(about, name).answer(&reply, None),
        };
        // Without an end: the answer may have the only copy of a checkout URL.
        until_done("the answer cannot be written", || {
            files::write(
                &self.work.join(with(name, "answer")),
                &self.work.join(with(name, "tmp")),
                &format!("{answer}\n"),
            )
        });
        self.deliver(name);
    }

    fn answer(&self, name: &OsStr, mut request: Request, again: bool) -> String {
        let about = own_or_stem(request.about.clone(), name);
        let many = matches!(request.function, Function::GetStatuses);
        let interrupted = again && about.call == "create_order";
        if interrupted && let Some(Some(options)) = request.options() {
            // A person allowed one more order, and the earlier try may have sent it.
            without_resend(options);
        }
        let mut items = Vec::new();
        let reply = loop {
            items.clear();
            // The earlier try may have sent the order: only the journal can say so.
            let reply = self.call(name, request.clone(), !interrupted, &mut items);
            if !(interrupted && INCONCLUSIVE.contains(&reply.result)) {
                break reply;
            }
            report(&format!(
                "{}: an earlier bridge may have sent this order; whether it did is not known: {}",
                name.display(),
                reply.error("message")
            ));
            thread::sleep(PAUSE);
        };
        about.answer(&reply, many.then_some(items.as_slice()))
    }

    /// Makes the call, and cancels it if `in/NAME.cancel` appears.
    fn call(
        &self,
        name: &OsStr,
        request: Request,
        may_cancel: bool,
        items: &mut Vec<Box<RawValue>>,
    ) -> Reply {
        let token = match Token::new() {
            Ok(token) => token,
            Err(reply) => return reply,
        };
        let cancelled = self.requests.join(Path::new(name).with_extension("cancel"));
        let look = || {
            if may_cancel && cancelled.exists() {
                token.cancel();
            }
        };
        let about = About::call(&request.about.call);
        look();
        let (running, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let look = &look;
            let watch = move || {
                while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    look();
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, watch) {
                let name = name.display();
                report(&format!("{name} cannot be cancelled: no thread: {error}"));
            }
            // Dropped here, also after a panic, which ends the thread.
            let _running = running;
            request.make(self.client, &token, &mut |index, reply| {
                items.push(raw(&about.item(index, &reply)));
                true
            })
        })
    }

    /// Steps 4 and 5, with a complete answer in `work`.
    fn deliver(&self, name: &OsStr) {
        let path = self.answers.join(name);
        until_done("the answer cannot be delivered", || {
            let cancelled = Path::new(name).with_extension("cancel");
            files::remove(&self.requests.join(cancelled))?;
            files::remove(&self.work.join(name))?;
            if path.exists() {
                return Err(in_the_way());
            }
            files::rename(&self.work.join(with(name, "answer")), &path)
        });
    }
}

/// The files of a folder with this ending, sorted. Others are temporary files of programs.
fn names(folder: &Path, ending: &str) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let ends = Path::new(&name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        if ends && entry.file_type()?.is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> io::Result<Result<Request, Refused>> {
    if fs::metadata(path)?.len() > MAX_REQUEST {
        return Ok(Err(too_long()));
    }
    Ok(Request::read(&fs::read(path)?))
}

fn with(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(".");
    name.push(ending);
    name
}

fn stem(name: &OsStr) -> &OsStr {
    Path::new(name).file_stem().unwrap_or(name)
}

/// With the request's id, or the file's name without its ending.
fn own_or_stem(mut about: About, name: &OsStr) -> About {
    if about.id == "null" {
        about.id = serde_json::Value::from(stem(name).to_string_lossy()).to_string();
    }
    about
}

fn in_the_way() -> io::Error {
    let message = "an earlier request or answer with this name is still there";
    io::Error::new(io::ErrorKind::AlreadyExists, message)
}

fn without_resend(options: &mut String) {
    if library::json_has(options, "/resend") {
        // Fails for what is not an object, which the call refuses.
        if let Ok(changed) = library::json_set(options, "/resend", "false").ok() {
            *options = changed;
        }
    }
}

/// Repeats an operation until it succeeds, and prints why it does not.
fn until_done<T>(what: &str, operation: impl Fn() -> io::Result<T>) -> T {
    let mut printed = String::new();
    loop {
        match operation() {
            Ok(value) => return value,
            Err(error) => {
                let message = format!("{what}: {error}");
                if message != printed {
                    report(&message);
                    printed = message;
                }
                thread::sleep(PAUSE);
            }
        }
    }
}
