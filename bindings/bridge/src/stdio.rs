//! Requests as lines on stdin, answers as lines on stdout.

use std::collections::HashMap;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use payorder_core::{CancellationToken, Error};

use crate::answer::About;
use crate::library::{Client, Reply, invalid};
use crate::request::{Function, Id, Request};
use crate::{MAX_REQUEST, lock, start_threads, too_long};

/// The pause before stdin or stdout is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// What a call is known by while it has no answer.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Id(Id),
    /// The request has no id.
    Number(u64),
}

struct Job {
    request: Request,
    key: Key,
    /// Cancels the call.
    token: CancellationToken,
}

/// What the reader, the workers and the calls of the queue share.
struct Shared {
    client: Arc<Client>,
    output: Mutex<io::Stdout>,
    /// Why no more answers can be written.
    closed: OnceLock<io::Error>,
    /// The calls that were read and have no answer yet.
    pending: Mutex<HashMap<Key, CancellationToken>>,
    ended: Condvar,
    /// How many calls without an id were read.
    unnamed: AtomicU64,
}

/// Ends when stdin has ended and all calls have their answers.
pub fn run(client: Arc<Client>, workers: usize) -> io::Result<()> {
    let shared = Arc::new(Shared {
        client,
        output: Mutex::new(io::stdout()),
        closed: OnceLock::new(),
        pending: Mutex::default(),
        ended: Condvar::new(),
        unnamed: AtomicU64::new(0),
    });
    let (jobs, waiting) = mpsc::channel();
    let waiting = Mutex::new(waiting);
    let read = thread::scope(|scope| {
        let started = start_threads(scope, workers, || shared.work(&waiting));
        // At the end of the input the sender is dropped, which ends the workers.
        shared.read(Some(jobs).filter(|_| !started.is_empty()))
    });
    let waits = |pending: &mut HashMap<_, _>| !pending.is_empty() && !shared.is_closed();
    drop(shared.ended.wait_while(lock(&shared.pending), waits));
    // Until the last answer is written, or where nobody gets one, until the calls that run have
    // ended.
    drop(lock(&shared.output));
    while shared.is_closed() && shared.client.live_calls() > 0 {
        thread::sleep(PAUSE);
    }
    read?;
    shared.closed.get().map_or(Ok(()), |error| {
        let message = format!("an answer could not be written to stdout: {error}");
        Err(io::Error::other(message))
    })
}

impl Shared {
    /// Without a worker, those of its calls are made before the next line is read.
    fn read(self: &Arc<Self>, jobs: Option<Sender<Job>>) -> io::Result<()> {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        while !self.is_closed() {
            line.clear();
            let limit = MAX_REQUEST + 1;
            let mut limited = (&mut input).take(limit);
            // What was read before it would block stays in the line.
            when_ready(|| limited.read_until(b'\n', &mut line))?;
            if line.is_empty() {
                return Ok(());
            }
            if line.len() as u64 == limit && line.last() != Some(&b'\n') {
                when_ready(|| skip_line(&mut input))?;
                self.answer(&About::call(""), &Err(too_long()));
            } else if !line.trim_ascii().is_empty() {
                let mut read = Request::read(&line);
                self.leave_used_id(match &mut read {
                    Ok(request) => &mut request.about,
                    Err((about, _)) => about,
                });
                match read {
                    Ok(request) => self.take(request, jobs.as_ref()),
                    Err((about, error)) => self.answer(&about, &Err(error)),
                }
            }
        }
        Ok(())
    }

    /// An answer with the id of a call that has no answer yet would be taken for that call's.
    fn leave_used_id(&self, about: &mut About) {
        if let Ok(Some(id)) = Id::of(about)
            && lock(&self.pending).contains_key(&Key::Id(id))
        {
            about.id_in_use = Some(mem::replace(&mut about.id, "null".to_owned()));
        }
    }

    /// Answers a request that makes no call, and gives the others to the queue or to the workers.
    fn take(self: &Arc<Self>, request: Request, jobs: Option<&Sender<Job>>) {
        let about = request.about.clone();
        let reply = match request.function {
            // Cancelled here and not by a worker: all workers may be inside calls.
            Function::Cancel => request.target().map(|target| {
                let token = lock(&self.pending).get(&Key::Id(target)).cloned();
                if let Some(token) = &token {
                    token.cancel();
                }
                format!(r#"{{"cancelled":{}}}"#, token.is_some())
            }),
            Function::CancelAll => {
                let tokens: Vec<_> = lock(&self.pending).values().cloned().collect();
                tokens.iter().for_each(|token| token.cancel());
                Ok(format!(r#"{{"cancelled":{}}}"#, tokens.len()))
            }
            _ => match (self.register(request), jobs) {
                // Fails only without workers, and they stay until the sender is dropped.
                (Ok(job), Some(jobs)) if !job.request.is_queued() => return drop(jobs.send(job)),
                (Ok(job), _) => return self.make(job),
                (Err(error), _) => Err(error),
            },
        };
        self.answer(&about, &reply);
    }

    fn register(&self, request: Request) -> Result<Job, Error> {
        if request.about.id_in_use.is_some() {
            let message = "an earlier call with this id has no answer yet";
            return Err(invalid(message));
        }
        let token = CancellationToken::new();
        let key = match Id::of(&request.about)? {
            Some(id) => Key::Id(id),
            None => Key::Number(self.unnamed.fetch_add(1, Ordering::Relaxed)),
        };
        lock(&self.pending).insert(key.clone(), token.clone());
        Ok(Job {
            request,
            key,
            token,
        })
    }

    fn work(self: &Arc<Self>, waiting: &Mutex<Receiver<Job>>) {
        loop {
            // A variable of its own, so that the lock ends before the call begins.
            let job = lock(waiting).recv();
            let Ok(job) = job else {
                return;
            };
            self.make(job);
        }
    }

    /// Makes a call and writes its answer, or starts one that writes it.
    fn make(self: &Arc<Self>, job: Job) {
        let about = job.request.about.clone();
        let mut each = |index, reply: Reply| {
            self.write(&about.item(index, &reply), None);
            !self.is_closed()
        };
        let (shared, about) = (Arc::clone(self), about.clone());
        let done = move |reply: Reply| shared.write(&about.answer(&reply, None), Some(&job.key));
        job.request
            .make(&self.client, &job.token, &mut each, Box::new(done));
    }

    fn answer(&self, about: &About, reply: &Reply) {
        self.write(&about.answer(reply, None), None);
    }

    /// Writes a line, which may be the answer of a call.
    fn write(&self, line: &str, ended: Option<&Key>) {
        let mut output = lock(&self.output);
        // The caller may use the id again when it has the answer. With the lock, no other answer
        // with this id comes before it.
        if let Some(key) = ended {
            lock(&self.pending).remove(key);
        }
        if let Err(error) = write_line(&mut *output, line) {
            let pending = lock(&self.pending);
            drop(self.closed.set(error));
            drop(pending);
            // Nobody would read the answers of the calls that wait.
            self.client.free();
        }
        self.ended.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.closed.get().is_some()
    }
}

fn write_line(output: &mut impl Write, line: &str) -> io::Result<()> {
    let line = format!("{line}\n");
    let mut rest = line.as_bytes();
    while !rest.is_empty() {
        match when_ready(|| output.write(rest))? {
            0 => return Err(ErrorKind::WriteZero.into()),
            written => rest = rest.get(written..).unwrap_or_default(),
        }
    }
    when_ready(|| output.flush())
}

/// Repeats an operation while it would block: the caller may have made its pipe non-blocking.
fn when_ready<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match operation() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            ended => return ended,
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, end) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if end {
            return Ok(());
        }
    }
}
