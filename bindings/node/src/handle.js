'use strict';
// The library's client and its calls in flight. The library has their queue, and the event loop
// takes their results. A call has no callback, because a worker may end before it.

const { AsyncResource } = require('node:async_hooks');
// The real ones, also if a test replaces them later.
const { setImmediate, setTimeout } = require('node:timers');
const now = performance.now.bind(performance);
const { LIMITS, MAX_IDLE_MS, Result } = require('./constants.js');
const { library, call, freeClient, newClient, setLog, takeDone, watch } = require('./library.js');
const errors = require('./errors.js');
const { releaseToken, useToken } = require('./signals.js');

// How long the end of the process waits for each result, in milliseconds.
const EXIT_MS = 200;

// Of the process, because a test may load the package again and again.
const shared = (process[Symbol.for('payorder.handles')] ??= listen());
let made = 0;

// The log functions of the clients, and of the calls in flight: these run where the call was made.
// That of a client may refer to it, so only the client keeps it.
const loggers = new Map();

// The end of the process ends the threads. So calls in flight are cancelled first, and the journal
// records what is known of them. Listeners of the program can make no further ones: they run later.
function listen() {
  // Those with calls in flight.
  const all = { busy: new Set(), exiting: false };
  process.prependListener('exit', () => {
    all.exiting = true;
    for (const handle of all.busy) handle.cancel('client_stop');
    for (const handle of all.busy) handle.end();
  });
  return all;
}

// An order must not fail because a program cannot write its log.
function deliver(event, number) {
  const warn = (error) => {
    let reason = 'what it threw has no text';
    try {
      reason = String(error?.message ?? error);
    } catch {}
    process.emitWarning(`payorder: the log function failed: ${reason}`);
  };
  try {
    // An async function fails later.
    Promise.resolve(loggers.get(Number(number))?.(JSON.parse(event))).catch(warn);
  } catch (error) {
    warn(error);
  }
}

class Handle {
  #client;
  #closed = false;
  #pending = new Map(); // the calls in flight: what takes the result of each
  #starting = 0; // calls that are not in flight yet
  #cancels = 0;
  #limits; // the time limits of calls that have none of their own
  #watcher;
  #logger; // a WeakRef
  #logNumber;
  #idleMs;
  #timer;

  constructor(maker, config, logger) {
    const { result, client, text } = newClient(maker, config);
    if (result !== Result.OK) throw errors.errorFrom(result, text);
    this.#client = client;
    const { maxIdleMs, timeoutMs } = JSON.parse(config);
    this.#idleMs = maxIdleMs ?? MAX_IDLE_MS;
    this.#limits = { timeoutMs };
    this.batches = new Set(); // to stop them, and to end them
    made += 1;
    if (!logger || !setLog(client, deliver, made)) return;
    this.#logger = new WeakRef(logger);
    this.#logNumber = made;
    loggers.set(made, (event) => this.#logger.deref()?.(event));
  }

  get client() {
    if (this.#closed) throw errors.closedClient();
    return this.#client;
  }

  // Makes a call, and gives its { result, text }. `request` is a text or null, `options` is a JSON
  // object as text, and `statusQuery` is what the call asks, or what to ask after a lost result.
  async run(operation, request, options, { signal, statusQuery } = {}) {
    const { client } = this;
    // What a failed query asked. That an order was not sent says nothing to ask about.
    const asked = operation === 'create_order' ? undefined : statusQuery;
    const notStarted = (error) => errors.noThread(operation, error.message, asked);
    if (shared.exiting) throw notStarted(new Error('the process is exiting'));
    made += 1;
    const number = made;
    let heard;
    try {
      // From now on, the client may be forgotten.
      const logger = this.#logger?.deref();
      if (logger) loggers.set(number, AsyncResource.bind(logger, 'payorder'));
      let answer;
      this.#starting += 1;
      try {
        let given = options;
        if (signal) {
          const cancels = this.#cancels;
          given = await this.#afterTimers(operation, options);
          // The library does not know this call yet, so it has not cancelled it.
          const used = this.#cancels === cancels ? signal : AbortSignal.abort();
          given = JSON.stringify({ ...given, cancellation: useToken(used, notStarted) });
          heard = used;
        }
        answer = this.#start(number, notStarted, client, operation, request, given);
      } finally {
        this.#starting -= 1;
        this.#rest();
      }
      const { result, text, problem } = await answer;
      if (text === null) throw errors.lostResult(operation, problem, statusQuery);
      return { result, text };
    } finally {
      if (heard) releaseToken(heard);
      loggers.delete(number);
    }
  }

  // Waits until the timers that are due have run, because the one of AbortSignal.timeout is late if
  // the program was busy. Gives the options with the time that is left.
  async #afterTimers(operation, options) {
    const begin = now();
    // Of the timers that are due, this one may be the first. An immediate comes after all of them.
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 0));
    const given = JSON.parse(options);
    const [key, maximum] = LIMITS[operation] ?? [];
    const limit = key in given ? given[key] : this.#limits[key];
    // The library refuses others.
    if (!Number.isInteger(limit) || limit < 1 || limit > maximum) return given;
    const left = limit - Math.floor(now() - begin);
    // A query that is sent late does no harm.
    if (left < 1 && operation === 'create_order') throw errors.tooLate(operation);
    return { ...given, [key]: Math.max(left, 1) };
  }

  // Gives the result, also of a call that the library refuses.
  #start(number, notStarted, ...args) {
    try {
      // First, because nothing was sent if it fails.
      this.#watcher ??= watch(this.#client, () => this.#take());
      // The library gives a call the log that was set last.
      if (this.#logger) setLog(this.#client, deliver, number);
      const { result, ...read } = call('start', ...args, null, number);
      if (result !== Result.OK) return { result, ...read };
      shared.busy.add(this);
      return new Promise((resolve) => this.#pending.set(number, resolve));
    } catch (error) {
      throw notStarted(error);
    } finally {
      try {
        // For calls that block.
        if (this.#logger) setLog(this.#client, deliver, this.#logNumber);
      } catch {
        // The call may have been started, so its outcome must arrive.
      }
    }
  }

  // Takes the results that have come.
  #take() {
    while (this.#pending.size > 0) {
      const one = takeDone(this.#client, 0);
      if (one === null) return;
      this.#pending.get(one.number)(one);
      this.#pending.delete(one.number);
    }
    this.#rest();
  }

  // Without calls, nothing is watched, and a closed client is freed. An open one closes its
  // connections when they are old.
  #rest() {
    if (this.#pending.size + this.#starting > 0) return;
    shared.busy.delete(this);
    this.#watcher?.close();
    this.#watcher = undefined;
    if (!this.#closed) {
      this.#timer ??= setTimeout(() => this.#closeIdle(), this.#idleMs + 50).unref();
      this.#timer.refresh();
      return;
    }
    freeClient(this.#client);
    loggers.delete(this.#logNumber);
  }

  // With calls in flight, they do it, and taking would take their results.
  #closeIdle() {
    if (!this.#closed && this.#pending.size === 0) takeDone(this.#client, 0);
  }

  // Also after close(), for the calls that are still in flight.
  cancel(how) {
    library()[how](this.#client);
    this.#cancels += 1;
    for (const batch of this.batches) batch.abort();
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const batch of this.batches) batch.end();
    this.#rest();
  }

  // At the end of the process. Ends the calls of the stopped client; nothing takes results afterwards.
  end() {
    this.#watcher.close();
    let left = this.#pending.size;
    while (left > 0 && takeDone(this.#client, EXIT_MS)) left -= 1;
  }
}

module.exports = { Handle };
