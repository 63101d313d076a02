'use strict';
// The results of many status queries: an asynchronous iterable.

const { Result } = require('./constants.js');
const { errorFrom } = require('./errors.js');
const { Status } = require('./results.js');

class Statuses {
  #handle;
  #queries;
  #makeCall;
  #begun = false;
  summary = null;

  // `makeCall` makes the Call from the queries and the function that takes results.
  constructor(handle, queries, queryOf, makeCall) {
    this.#handle = handle;
    this.#queries = queries;
    this.#makeCall = (take) => makeCall(queries.map(queryOf), take);
  }

  async *[Symbol.asyncIterator]() {
    if (this.#begun) throw new Error('the results can be read only once');
    this.#begun = true;
    const arrived = [];
    let wake = () => {};
    let running = true;
    let made;
    const ended = this.#handle.run(() => {
      made = this.#makeCall((...one) => {
        arrived.push(one);
        wake();
      });
      return made;
    });
    const stopped = ended.finally(() => {
      running = false;
      wake();
    });
    stopped.catch(() => {}); // It is read below.
    try {
      while (running || arrived.length > 0) {
        if (arrived.length === 0) {
          await new Promise((resolve) => (wake = resolve));
          continue;
        }
        const [index, result, raw] = arrived.shift();
        made.taken();
        yield this.#read(index, result, raw);
      }
    } finally {
      if (running) made?.stop();
      const { result, text } = await ended;
      if (result !== Result.OK) throw errorFrom(result, text);
      this.summary = JSON.parse(text);
    }
  }

  #read(index, result, raw) {
    const ok = result === Result.OK;
    return {
      index,
      query: this.#queries[index],
      status: ok ? new Status(raw) : null,
      error: ok ? null : errorFrom(result, raw),
    };
  }
}

module.exports = { Statuses };
