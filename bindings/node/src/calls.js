'use strict';
// Calls that do not block the event loop. Each runs on a thread of the library. koffi passes what
// the library calls back to the event loop, and the thread waits until the callback has returned.
// That cannot be a thread of Node.js's own: the end of the process waits for those.

const { Result } = require('./constants.js');
const { library, call, callback, mostCallbacks, taken } = require('./library.js');
const errors = require('./errors.js');

// How long the end of the process waits for cancelled calls, in milliseconds.
const EXIT_MS = 200;

// koffi limits how many callbacks may wait for the event loop (256). So does this, for calls that
// can take minutes and for the others: no wait keeps an order from being sent.
const most = () => Math.floor((mostCallbacks() * 2) / 5);
const short = { running: 0, queue: [] };
const long = { running: 0, queue: [] };
const LONG = ['wait_for_payment', 'journal_resolve', 'recover'];

const calls = new Map();
let made = 0;
// koffi's callbacks do not keep the process alive. This timer does, during calls.
let awake;
// The calls of each signal. A signal has one listener for all: Node.js takes more than ten for a
// memory leak, and warns.
const signals = new WeakMap();

class Call {
  // `request` is a text or null, `options` is a JSON object as text.
  constructor(client, operation, request, options, { signal, statusQuery } = {}) {
    this.pool = LONG.includes(operation) ? long : short;
    this.operation = operation;
    this.signal = signal;
    this.statusQuery = statusQuery;
    // What a failed query asked. That an order was not sent says nothing to ask about.
    this.asked = operation === 'create_order' ? undefined : statusQuery;
    this.token = newToken(operation, this.asked);
    const more = options === '{}' ? '' : ',';
    const given = `${options.slice(0, -1)}${more}"cancellation":"${this.token}"}`;
    this.args = [client, operation, request, given];
  }

  // Gives the library's { result, text }.
  run() {
    return new Promise((resolve, reject) => {
      Object.assign(this, { resolve, reject });
      if (this.signal) listen(this.signal, this);
      if (this.signal?.aborted) library().cancellation_cancel(this.token);
      if (this.pool.running < most()) this.start();
      else if (this.signal?.aborted) this.cancel();
      else this.pool.queue.push(this);
    });
  }

  cancel() {
    library().cancellation_cancel(this.token);
    if (calls.get(this.number) === this) return;
    this.pool.queue = this.pool.queue.filter((one) => one !== this);
    this.settle(this.reject, errors.cancelledEarly(this.operation, this.signal?.reason, this.asked));
  }

  start() {
    this.pool.running += 1;
    this.number = made += 1;
    calls.set(this.number, this);
    awake ??= setInterval(() => {}, 0x7fffffff);
    try {
      const ended = callback('DoneFn', done);
      const { result, ...text } = call('start', ...this.args, ended, this.number);
      if (result !== Result.OK) this.returned(result, text);
    } catch (error) {
      this.leave();
      this.settle(this.reject, errors.noThread(this.operation, error.message, this.asked));
    }
  }

  returned(result, { text, problem }) {
    this.leave();
    if (text !== null) return this.settle(this.resolve, { result, text });
    return this.settle(this.reject, errors.lostResult(this.operation, problem, this.statusQuery));
  }

  leave() {
    this.pool.running -= 1;
    calls.delete(this.number);
    this.pool.queue.shift()?.start();
    if (calls.size > 0) return;
    clearInterval(awake);
    awake = undefined;
  }

  settle(how, value) {
    if (this.signal) stopListening(this.signal, this);
    library().cancellation_free(this.token);
    how(value);
  }
}

function done(result, pointer, number) {
  // The text is the library's.
  calls.get(Number(number)).returned(result, taken(pointer, false));
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

function newToken(operation, asked) {
  const token = [null];
  const result = library().cancellation_new(token);
  const { text } = taken(token[0], false);
  if (result !== 0 || text === null) {
    throw errors.noThread(operation, 'no cancellation token', asked);
  }
  return text;
}

// The end of the process ends the threads. So calls in flight are cancelled first, and the journal
// records what is known of them.
process.on('exit', () => {
  if (calls.size === 0) return;
  for (const { token } of calls.values()) library().cancellation_cancel(token);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_MS);
});

module.exports = { Call };
