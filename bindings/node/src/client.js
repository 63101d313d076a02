'use strict';
// The client of one payment service.

const { Result } = require('./constants.js');
const { library, newClient } = require('./library.js');
const errors = require('./errors.js');
const log = require('./log.js');
const { Checkout, JournalEntry, Status, Waited } = require('./results.js');
const { Statuses } = require('./statuses.js');
const { Unusable, jsonText } = require('./text.js');
const { Call } = require('./threads.js');

const { InvalidConfigError } = errors.classes;

// Frees clients that the program forgot to close.
const forgotten = new FinalizationRegistry((handle) => handle.close());

// The library's client, and how many calls use it. Calls keep it, so it outlives the Client.
class Handle {
  constructor(config, logger) {
    const { result, client, text } = newClient(config);
    if (result !== Result.OK) throw errors.errorFrom(result, text);
    this.client = client;
    this.calls = 0;
    this.closed = false;
    this.logger = logger;
    this.ready = logger && log.attach(this.client, logger);
  }

  // Makes a call. `made` makes the Call, which may throw: then nothing was sent.
  async run(made) {
    this.calls += 1;
    try {
      await this.ready;
      return await made().begin();
    } finally {
      this.calls -= 1;
      if (this.logger) log.deliverAll();
      this.forget();
    }
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    library.client_free(this.client);
    this.forget();
  }

  // Calls in flight still use the log function.
  forget() {
    if (this.closed && this.calls === 0 && this.logger) log.detach(this.client);
  }
}

// The options of a call as text, without `signal`, which is not for the library.
function optionsText(operation, { signal, ...options } = {}) {
  return jsonOf(operation, options, 'options');
}

function jsonOf(operation, value, what) {
  try {
    return jsonText(value, what);
  } catch (error) {
    throw error instanceof Unusable ? errors.invalidArgument(error, operation) : error;
  }
}

// A query is an order id, an object with the wire's names, or an object with a `statusQuery`.
function queryOf(query) {
  if (typeof query === 'string') return { orderId: query };
  return query?.statusQuery ?? query;
}

class Client {
  #handle;
  #journal;

  constructor({ log: logger, ...config } = {}) {
    let json;
    try {
      json = jsonText(config, 'the configuration');
    } catch (error) {
      throw errors.invalidArgument(error, undefined, InvalidConfigError);
    }
    this.#handle = new Handle(json, logger);
    this.#journal = new Journal(this, this.#handle);
    forgotten.register(this, this.#handle, this);
  }

  async createOrder(order, options) {
    const json = jsonOf('create_order', order, 'the order');
    const statusQuery = { searchType: '1', orderId: JSON.parse(json)?.orderId };
    const raw = await this.#call('short', 'create_order', json, options, { statusQuery });
    return new Checkout(raw);
  }

  async getStatus(query, options) {
    const json = jsonOf('get_status', queryOf(query), 'the query');
    return new Status(await this.#call('short', 'get_status', json, options));
  }

  async waitForPayment(query, options) {
    const json = jsonOf('wait_for_payment', queryOf(query), 'the query');
    const statusQuery = JSON.parse(json);
    const raw = await this.#call('long', 'wait_for_payment', json, options, { statusQuery });
    return new Waited(raw, errors.errorFrom);
  }

  getStatuses(queries, options = {}) {
    return new Statuses(this.#handle, [...queries], queryOf, (json, take) => {
      const given = jsonOf('get_statuses', json, 'the queries');
      const more = { signal: options.signal, take };
      const args = [this.#handle.client, given];
      return new Call('long', 'get_statuses', args, optionsText('get_statuses', options), more);
    });
  }

  get journal() {
    return this.#journal;
  }

  cancel() {
    const result = library.client_cancel(this.#handle.client);
    if (result === Result.OK) return;
    throw errors.closedClient();
  }

  close() {
    forgotten.unregister(this);
    this.#handle.close();
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }

  async #call(pool, name, json, options, more) {
    const given = optionsText(name, options);
    // The function keeps this client from being collected before the call begins.
    const made = () => {
      const args = [this.#handle.client, json];
      return new Call(pool, name, args, given, { signal: options?.signal, ...more });
    };
    return checked(await this.#handle.run(made));
  }
}

class Journal {
  #client;
  #handle;

  constructor(client, handle) {
    this.#client = client; // keeps it from being collected
    this.#handle = handle;
  }

  async list(options) {
    const raw = await this.#call('short', 'journal_list', options);
    return JSON.parse(raw).entries.map((fields) => new JournalEntry(fields));
  }

  async resolve(options) {
    const { summary, entries } = JSON.parse(await this.#call('long', 'journal_resolve', options));
    return { summary, entries: entries.map((fields) => new JournalEntry(fields)) };
  }

  async settle(entry, options) {
    const raw = await this.#call('short', 'journal_settle', { ...options, entry });
    return new JournalEntry(JSON.parse(raw));
  }

  async prune(options) {
    return JSON.parse(await this.#call('short', 'journal_prune', options)).removed;
  }

  async #call(pool, name, options) {
    const given = optionsText(name, options);
    const made = () =>
      new Call(pool, name, [this.#handle.client], given, { signal: options?.signal });
    return checked(await this.#handle.run(made));
  }
}

function checked({ result, text }) {
  if (result === Result.OK) return text;
  throw errors.errorFrom(result, text);
}

module.exports = { Client, Journal };
