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
//! A request is taken when there is a place for its call, so that few orders in `work` wait in the
//! library's queue: only those whose places there are used by queries of waits for a payment. Such
//! waits and other long calls need no place here.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{fs, io, process, thread};

use payorder_core::{CancellationToken, Cause, Code, Error, Operation};
use serde_json::value::RawValue;

use crate::answer::{About, raw};
use crate::library::{Client, Reply};
use crate::request::{Function, Refused, Request};
use crate::{MAX_REQUEST, files, lock, report, too_long};

/// How often the folder is looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// The pause before something that failed is tried again.
const PAUSE: Duration = Duration::from_secs(1);

struct Folder {
    client: Arc<Client>,
    requests: PathBuf,
    answers: PathBuf,
    work: PathBuf,
    state: Mutex<State>,
    ended: Condvar,
    /// Only one bridge works in a folder. The system ends the lock with the process.
    _lock: fs::File,
}

#[derive(Default)]
struct State {
    /// How many requests were taken and have no answer yet.
    running: usize,
    /// How many of them have a place.
    places: usize,
    /// Cancel the calls that run.
    tokens: HashMap<OsString, CancellationToken>,
    /// The files that cancel requests, by their names without the ending.
    cancellations: HashMap<OsString, PathBuf>,
    /// Those that cannot be removed, and whose reason was printed.
    stuck: HashSet<PathBuf>,
}

/// With `once` it ends when there is no request left that can be taken, otherwise never.
pub fn run(client: Arc<Client>, folder: &Path, places: usize, once: bool) -> io::Result<()> {
    let folder = Arc::new(Folder::open(client, folder)?);
    folder.continue_earlier_work()?;
    // The requests that were seen, and those that cannot be taken yet and whose reason was printed.
    let (mut seen, mut told) = (VecDeque::new(), HashSet::new());
    let mut next_look = Instant::now();
    loop {
        let looks = seen.is_empty() || Instant::now() >= next_look;
        if looks {
            seen = match once {
                true => match folder.waiting() {
                    // The calls that run get their answers first.
                    Err(_) if lock(&folder.state).running > 0 => VecDeque::new(),
                    requests => requests?,
                },
                false => until_done("the requests cannot be listed", || folder.waiting()),
            };
            next_look = Instant::now() + INTERVAL;
        }
        let mut taken = false;
        while let Some(name) = folder.next(&mut seen, places) {
            match folder.take(&name) {
                Ok(()) => {
                    told.remove(&name);
                    taken = true;
                    folder.begin(&name, false);
                }
                // The program took it back.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    if told.insert(name.clone()) {
                        report(&format!("{} waits: {error}", name.display()));
                    }
                }
            }
        }
        let state = lock(&folder.state);
        if once && looks && !taken && state.running == 0 {
            break;
        }
        let rests = |state: &mut State| {
            (seen.is_empty() || state.places >= places) && !(once && state.running == 0)
        };
        let time = next_look.saturating_duration_since(Instant::now());
        drop(folder.ended.wait_timeout_while(state, time, rests));
    }
    match folder.waiting()?.len() {
        0 => Ok(()),
        left => {
            let message = format!("requests without an answer: {left}");
            Err(io::Error::other(message))
        }
    }
}

impl Folder {
    fn open(client: Arc<Client>, folder: &Path) -> io::Result<Self> {
        let [requests, answers, work] = ["in", "out", "work"].map(|name| folder.join(name));
        for each in [&requests, &answers, &work] {
            files::create_folder(each)?;
        }
        let folder = Self {
            client,
            requests,
            answers,
            work,
            state: Mutex::default(),
            ended: Condvar::new(),
            _lock: files::lock(&folder.join("bridge.lock"))?,
        };
        folder.check_file_system()?;
        Ok(folder)
    }

    /// Fails if a folder is on another file system, to which an answer could not be moved after its
    /// order was sent. Programs may read all files in `out`, so it moves a file that does not exist:
    /// Linux compares the file systems first.
    fn check_file_system(&self) -> io::Result<()> {
        for (from, to) in [(&self.requests, &self.work), (&self.work, &self.answers)] {
            let moved = fs::rename(from.join("bridge.test"), to.join("bridge.test"));
            if let Err(error) = moved
                && error.kind() == io::ErrorKind::CrossesDevices
            {
                let (from, to) = (from.display(), to.display());
                let message = format!("{from} and {to} are on two file systems: {error}");
                return Err(io::Error::other(message));
            }
        }
        Ok(())
    }

    /// What a bridge left that was killed: answers are delivered, and requests made again.
    fn continue_earlier_work(self: &Arc<Self>) -> io::Result<()> {
        for name in names(&self.work, "answer")? {
            let request = Path::new(&name).with_extension("");
            self.deliver(request.as_os_str());
        }
        for name in names(&self.work, "json")? {
            self.begin(&name, true);
        }
        Ok(())
    }

    /// The next request that has a place. One that was cancelled needs none.
    fn next(&self, seen: &mut VecDeque<OsString>, places: usize) -> Option<OsString> {
        let state = lock(&self.state);
        let can_begin =
            |name: &OsString| state.places < places || state.cancellations.contains_key(stem(name));
        seen.remove(seen.iter().position(can_begin)?)
    }

    /// The requests, in the order of their names. Cancels the calls whose cancellations are there.
    fn waiting(&self) -> io::Result<VecDeque<OsString>> {
        // In this order: a request is there before its cancellation, which stays until it has its
        // answer.
        let running = names(&self.work, "json");
        let cancellations = names(&self.requests, "cancel")?;
        let requests = names(&self.requests, "json")?;
        if let Ok(running) = running {
            let known = running.iter().chain(&requests);
            let stems: HashSet<_> = known.map(|name| stem(name)).collect();
            for name in cancellations
                .iter()
                .filter(|name| !stems.contains(stem(name)))
            {
                self.remove_cancellation(&self.requests.join(name));
            }
        }
        let mut state = lock(&self.state);
        let by_stem = |name: OsString| (stem(&name).to_owned(), self.requests.join(name));
        state.cancellations = cancellations.into_iter().map(by_stem).collect();
        for (name, token) in &state.tokens {
            state.cancel_if_told(name, token);
        }
        Ok(requests.into())
    }

    /// Moves a request to `work`, or says why it waits.
    fn take(&self, name: &OsStr) -> io::Result<()> {
        // Neither an earlier request with this name, nor an answer that nobody has read yet, may be
        // overwritten. They are looked at in the order in which they come and go.
        let answer = self.work.join(with(name, "answer"));
        for path in [self.work.join(name), answer, self.answers.join(name)] {
            must_be_free(&path)?;
        }
        let request = self.requests.join(name);
        if !fs::symlink_metadata(&request)?.is_file() {
            return Err(io::Error::other(
                "it is a link or a device, not a regular file",
            ));
        }
        // Fails for a file that this user cannot read. Otherwise a power cut could lose a request
        // whose order was sent.
        files::sync(&request)?;
        // Fails on Windows while the program still has it open.
        fs::rename(request, self.work.join(name))
    }

    /// Makes the call of a request in `work`, with a place. `again` says that an earlier bridge took
    /// it and may have made its call.
    fn begin(self: &Arc<Self>, name: &OsStr, again: bool) {
        {
            let mut state = lock(&self.state);
            state.running += 1;
            state.places += 1;
        }
        let (folder, own) = (Arc::clone(self), name.to_owned());
        let process = move || {
            let made = catch_unwind(AssertUnwindSafe(|| folder.process(&own, again)));
            if made.is_err() {
                // The next start continues with this request.
                process::abort();
            }
        };
        if let Err(error) = thread::Builder::new().spawn(process) {
            report(&format!(
                "{} holds up others: no thread: {error}",
                name.display()
            ));
            self.process(name, again);
        }
    }

    fn process(&self, name: &OsStr, again: bool) {
        let path = self.work.join(name);
        // Its new name too must survive a power cut.
        until_done("the request cannot be written to the disk", || {
            files::sync_folder_of(&path)
        });
        let request = until_done("the request cannot be read", || read(&path));
        let needs_place = !request.as_ref().is_ok_and(Request::is_long);
        if !needs_place {
            lock(&self.state).places -= 1;
            self.ended.notify_one();
        }
        let answer = match request {
            Ok(request) => self.answer(name, request, again),
            Err((about, error)) => own_or_stem(about, name).answer(&Err(error), None),
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
        let mut state = lock(&self.state);
        state.running -= 1;
        state.places -= usize::from(needs_place);
        self.ended.notify_one();
    }

    fn answer(&self, name: &OsStr, mut request: Request, again: bool) -> String {
        let about = own_or_stem(request.about.clone(), name);
        let many = matches!(request.function, Function::Blocking(Operation::GetStatuses));
        let interrupted = again && about.call == "create_order";
        if interrupted {
            // The earlier try may have sent that one order.
            request.without_resend();
        }
        let mut items = Vec::new();
        let reply = loop {
            items.clear();
            // The earlier try may have sent the order: only the journal can say so.
            match self.call(name, &request, !interrupted, &mut items) {
                Err(error) if interrupted && came_before_the_journal(&error) => report(&format!(
                    "{}: an earlier bridge may have sent this order; whether it did is not known: \
                     {error}",
                    name.display()
                )),
                reply => break reply,
            }
            thread::sleep(PAUSE);
        };
        about.answer(&reply, many.then_some(items.as_slice()))
    }

    /// Makes the call, and lets `waiting` cancel it.
    fn call(
        &self,
        name: &OsStr,
        request: &Request,
        may_cancel: bool,
        items: &mut Vec<Box<RawValue>>,
    ) -> Reply {
        let token = CancellationToken::new();
        if may_cancel {
            let mut state = lock(&self.state);
            state.cancel_if_told(name, &token);
            state.tokens.insert(name.to_owned(), token.clone());
            // It may have come after the last look.
            if self.cancellation(name).exists() {
                token.cancel();
            }
        }
        let about = About::call(&request.about.call);
        let (sender, replies) = mpsc::sync_channel(1);
        let mut each = |index, reply| {
            items.push(raw(&about.item(index, &reply)));
            true
        };
        let done = move |reply| drop(sender.send(reply));
        request.make(&self.client, &token, &mut each, Box::new(done));
        let reply = replies.recv();
        lock(&self.state).tokens.remove(name);
        reply.expect("the client is never freed")
    }

    /// The usual name of the file that cancels a request.
    fn cancellation(&self, name: &OsStr) -> PathBuf {
        self.requests.join(Path::new(name).with_extension("cancel"))
    }

    /// Removes a file that cancels a request. If that fails, nothing waits for it.
    fn remove_cancellation(&self, file: &Path) {
        if let Err(error) = files::remove(file)
            && lock(&self.state).stuck.insert(file.to_owned())
        {
            report(&format!("{} cannot be removed: {error}", file.display()));
        }
    }

    /// Steps 4 and 5, with a complete answer in `work`.
    fn deliver(&self, name: &OsStr) {
        let path = self.answers.join(name);
        let known = lock(&self.state).cancellations.remove(stem(name));
        self.remove_cancellation(&known.unwrap_or_else(|| self.cancellation(name)));
        until_done("the answer cannot be delivered", || {
            files::remove(&self.work.join(name))?;
            must_be_free(&path)?;
            fs::rename(self.work.join(with(name, "answer")), &path)
        });
        // Nothing is lost without it: after a power cut, the answer may only be in `work` again.
        if let Err(error) = files::sync_folder_of(&path) {
            report(&format!(
                "{} cannot be written to the disk: {error}",
                self.answers.display()
            ));
        }
    }
}

impl State {
    fn cancel_if_told(&self, name: &OsStr, token: &CancellationToken) {
        // It may be that of an earlier request, which has its answer meanwhile.
        let file = self.cancellations.get(stem(name));
        if file.is_some_and(|file| file.exists()) {
            token.cancel();
        }
    }
}

/// The files of a folder with this ending, also links and the others that `take` refuses, sorted.
/// Those with another ending are temporary files of programs.
fn names(folder: &Path, ending: &str) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let ends = Path::new(&name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        if ends && !entry.file_type()?.is_dir() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> io::Result<Result<Request, Refused>> {
    if fs::metadata(path)?.len() > MAX_REQUEST {
        return Ok(Err((About::call(""), too_long())));
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

/// Fails also for a name that is too long.
fn must_be_free(path: &Path) -> io::Result<()> {
    let message = "an earlier request or answer with this name is still there";
    match path.try_exists()? {
        true => Err(io::Error::new(io::ErrorKind::AlreadyExists, message)),
        false => Ok(()),
    }
}

/// Whether an error comes before the journal is asked, so that it does not say whether an earlier
/// try sent the order.
fn came_before_the_journal(error: &Error) -> bool {
    let code = error.code();
    matches!(
        code,
        Code::MissingCredentials | Code::JournalFailed | Code::Internal
    ) || error.cause() == Cause::QueueTimedOut
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
