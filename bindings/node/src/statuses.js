'use strict';
// The results of many status queries: an asynchronous iterable.

// The real ones, also if a test replaces them later.
const { clearTimeout, setTimeout } = require('node:timers');
const now = performance.now.bind(performance);

const MAX_PAUSE_MS = 600000;
const COUNTERS = { rejected: 'rejected', unknown: 'unknown' };

class Statuses {
  #queries;
  #options;
  #client;
  #begun = false;
  summary = null;

  // Of `client`, `check` gives an empty summary, `ask` sends one query, and `batches` has for each
  // loop that runs `abort`, and `end`, which lets the queries in flight finish.
  constructor(queries, options, client) {
    this.#queries = queries;
    this.#options = options;
    this.#client = client;
  }

  async *[Symbol.asyncIterator]() {
    if (this.#begun) throw new Error('the results can be read only once');
    this.#begun = true;
    const summary = this.#client.check();
    const { concurrency = 8, ratePerSecond = Infinity, signal, ...options } = this.#options;
    const begin = now();
    const queries = this.#queries[Symbol.iterator]();
    const statuses = new Map();
    const running = new Set();
    const arrived = [];
    const stop = new AbortController();
    let wake = () => {};
    let index = 0;
    let more = true;
    let finished = false;
    let closed = false;
    let next = begin; // when the next query may be sent

    const ended = (one) => {
      running.delete(one.index);
      summary.asked += 1;
      // Also an error of the program's own query, such as one of a getter.
      summary[one.error ? (COUNTERS[one.error.outcome] ?? 'notSent') : 'ok'] += 1;
      if (one.status) count(statuses, one.status.transactionStatus);
      const pause = Math.min(one.error?.retryAfterMs ?? 0, MAX_PAUSE_MS);
      next = Math.max(next, now() + pause);
      arrived.push(one);
      wake();
    };
    const ask = (one) => {
      running.add(one.index);
      next = Math.max(next, now()) + 1000 / ratePerSecond;
      this.#client.ask(one.query, { ...options, signal: stop.signal }).then(
        (status) => ended({ ...one, status, error: null }),
        (error) => ended({ ...one, status: null, error }),
      );
    };
    const abort = () => stop.abort(signal?.reason);
    const end = () => wake((closed = true));
    const batch = { abort, end };
    stop.signal.addEventListener('abort', () => wake());
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    this.#client.batches.add(batch);
    try {
      while (true) {
        const pause = next - now();
        const stopped = closed || stop.signal.aborted;
        const free = more && !stopped && running.size + arrived.length < concurrency;
        if (free && pause <= 0) {
          const { value: query, done } = queries.next();
          if (done) more = false;
          else ask({ index: index++, query });
        } else if (arrived.length > 0) {
          yield arrived.shift();
        } else if (running.size > 0 || free) {
          await new Promise((resolve) => {
            const timer = free && setTimeout(resolve, Math.min(pause, MAX_PAUSE_MS));
            wake = () => resolve(clearTimeout(timer));
          });
        } else {
          break;
        }
      }
      finished = true;
    } finally {
      summary.stopped = !finished || closed || stop.signal.aborted;
      abort(); // what is in flight, if the loop was left
      while (running.size > 0) await new Promise((resolve) => (wake = resolve));
      signal?.removeEventListener('abort', abort);
      this.#client.batches.delete(batch);
      summary.elapsedMs = Math.round(now() - begin);
      summary.transactionStatus = Object.fromEntries(statuses);
      this.summary = summary;
      if (more) queries.return?.(); // as each loop of JavaScript does
    }
  }
}

// Counts a text as the library does: the first 1000 different ones, if they are short.
function count(statuses, text) {
  const known = statuses.has(text) || (statuses.size < 1000 && Buffer.byteLength(text) <= 64);
  const key = known ? text : '(other)';
  statuses.set(key, (statuses.get(key) ?? 0) + 1);
}

module.exports = { Statuses };
