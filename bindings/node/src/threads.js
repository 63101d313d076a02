'use strict';
// The threads for blocking calls. Each runs one call at a time. Idle ones are used again, and do
// not keep the process alive.

const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { library, call } = require('./library.js');
const { cancelledEarly, lostResult, noThread } = require('./errors.js');
const { BEGUN, STOP, TAKEN, ENDED, PLACES } = require('./shared.js');

// How many idle threads are kept.
const KEPT = 4;
// How long the end of the process waits for cancelled calls, in milliseconds.
const EXIT_MS = 1000;

const idle = [];
// `limit` calls run at the same time, and the others wait. Those that can take minutes are counted
// apart, so that they never keep an order from being sent.
const pools = {
  short: { limit: 16, running: 0, queue: [] },
  long: { limit: 32, running: 0, queue: [] },
};
const calls = new Set();
// The calls of each signal. A signal has one listener for all: Node.js takes more than ten for a
// memory leak, and warns.
const signals = new WeakMap();

class Call {
  // `name` is the function of the library, `args` are its arguments up to the options, `options` is
  // a JSON object as text. `take` receives the results of payorder_get_statuses.
  constructor(pool, name, args, options, { signal, statusQuery, take } = {}) {
    this.pool = pools[pool];
    this.name = name;
    this.signal = signal;
    this.statusQuery = statusQuery;
    this.take = take;
    this.shared = new Int32Array(new SharedArrayBuffer(4 * PLACES));
    this.token = newToken(name);
    const more = options === '{}' ? '' : ',';
    this.args = [...args, `${options.slice(0, -1)}${more}"cancellation":"${this.token}"}`];
    this.finished = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  // Begins, and gives the library's { result, text }.
  begin() {
    if (this.signal) listen(this.signal, this);
    if (this.signal?.aborted) library.cancellation_cancel(this.token);
    if (this.pool.running < this.pool.limit) this.start();
    else if (this.signal?.aborted) this.fail(cancelledEarly(this.name));
    else this.pool.queue.push(this);
    return this.finished;
  }

  cancel() {
    library.cancellation_cancel(this.token);
    const place = this.pool.queue.indexOf(this);
    if (place < 0) return;
    this.pool.queue.splice(place, 1);
    this.fail(cancelledEarly(this.name));
  }

  start() {
    this.pool.running += 1;
    calls.add(this);
    const { name, args, shared } = this;
    try {
      this.worker = idle.pop() ?? newWorker();
      this.worker.call = this;
      this.worker.ref();
      this.worker.postMessage({ name, args, each: this.take !== undefined, shared });
    } catch (error) {
      if (this.worker) this.worker.call = undefined;
      this.worker?.terminate();
      this.lost(error.message);
    }
  }

  // The thread ended before the call did.
  lost(reason) {
    const begun = Atomics.load(this.shared, BEGUN) === 1;
    const error = begun
      ? lostResult(this.name, reason, this.statusQuery)
      : noThread(this.name, reason);
    this.leave();
    this.fail(error);
  }

  returned({ result, text, problem }) {
    release(this.worker);
    this.leave();
    if (text === null) this.fail(lostResult(this.name, problem, this.statusQuery));
    else this.settle(() => this.resolve({ result, text }));
  }

  leave() {
    this.pool.running -= 1;
    calls.delete(this);
    this.pool.queue.shift()?.start();
  }

  fail(error) {
    this.settle(() => this.reject(error));
  }

  settle(how) {
    if (this.signal) stopListening(this.signal, this);
    library.cancellation_free(this.token);
    how();
  }

  // The program took a result of payorder_get_statuses, and the thread may pass on another one.
  taken() {
    Atomics.add(this.shared, TAKEN, 1);
    Atomics.notify(this.shared, TAKEN);
  }

  // Ends payorder_get_statuses: the program needs no more results.
  stop() {
    Atomics.store(this.shared, STOP, 1);
    Atomics.notify(this.shared, TAKEN);
    this.cancel();
  }
}

function listen(signal, one) {
  if (!signals.has(signal)) {
    const listening = new Set();
    const abort = () => [...listening].forEach((call) => call.cancel());
    signals.set(signal, { listening, abort });
    signal.addEventListener('abort', abort, { once: true });
  }
  signals.get(signal).listening.add(one);
}

function stopListening(signal, one) {
  const { listening, abort } = signals.get(signal) ?? {};
  listening?.delete(one);
  if (listening?.size !== 0) return;
  signal.removeEventListener('abort', abort);
  signals.delete(signal);
}

function newToken(operation) {
  const { result, text } = call('cancellation_new');
  if (result !== 0 || text === null) throw noThread(operation, 'no cancellation token');
  return text;
}

function newWorker() {
  const worker = new Worker(path.join(__dirname, 'worker.js'), {
    workerData: { payorderLibrary: library.file },
    execArgv: [],
  });
  let reason = 'the thread ended';
  worker.on('message', ({ index, result, text, done }) => {
    if (done) worker.call.returned(done);
    else if (index !== undefined) worker.call.take(index, result, text);
  });
  worker.on('error', (error) => {
    reason = error.message;
  });
  worker.on('exit', () => {
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    worker.call?.lost(reason);
  });
  return worker;
}

function release(worker) {
  worker.call = undefined;
  worker.unref();
  if (idle.length < KEPT) idle.push(worker);
  else worker.terminate();
}

// process.exit() waits for the threads, and a call can take as long as its time limit. So calls in
// flight are cancelled, and the journal records what is known of them.
process.on('exit', () => {
  for (const one of calls) library.cancellation_cancel(one.token);
  const end = Date.now() + EXIT_MS;
  for (const { shared } of calls) {
    Atomics.wait(shared, ENDED, 0, Math.max(0, end - Date.now()));
  }
});

module.exports = { Call };
