'use strict';
// The client of one payment service.

const { Cause, PROXY_VARIABLES, Result, VARIABLES } = require('./constants.js');
const { call, differentVariable } = require('./library.js');
const errors = require('./errors.js');
const { Handle } = require('./handle.js');
const { Checkout, JournalEntry, Status, Waited } = require('./results.js');
const { Statuses } = require('./statuses.js');
const { Unusable, isPlain, jsonText } = require('./text.js');

const { InvalidConfigError } = errors.classes;

// Frees clients that the program forgot to close.
const forgotten = new FinalizationRegistry((handle) => handle.close());

const CREDENTIALS = ['accessToken', 'clientKey', 'clientId', 'secretKey'];

// Selects the function of the library that makes the client.
const MAKER = Symbol('maker');

// Makes a call, and gives its text.
async function run(handle, operation, request, options, statusQuery) {
  const more = { signal: options?.signal, statusQuery };
  const given = optionsText(operation, options);
  const answer = await handle.run(operation, request, given, more);
  return checked(answer, operation === 'create_order' ? options : more);
}

// The options of a call as text, without `signal`, which is not for the library.
function optionsText(operation, options = {}) {
  needOptions(options, operation);
  const { signal, ...given } = options;
  const isSignal = typeof signal?.aborted === 'boolean' && isFunction(signal.addEventListener) &&
    isFunction(signal.removeEventListener);
  need(isSignal || (signal ?? null) === null, '`signal` must be an AbortSignal', operation);
  return jsonOf(operation, given, 'options', CREDENTIALS);
}

function needConfig(config) {
  const message = 'the configuration must be a plain object';
  need(isPlain(config), message, undefined, InvalidConfigError);
}

function needOptions(options, operation) {
  const message = 'options must be a plain object: pass a signal as { signal }';
  need(isPlain(options), message, operation);
}

const isFunction = (value) => typeof value === 'function';

function need(right, message, operation, Class) {
  const causeCode = Cause.INVALID_VALUE;
  if (!right) throw errors.invalidArgument({ message, causeCode }, operation, Class);
}

function jsonOf(operation, value, what, needed) {
  try {
    return jsonText(value, what, needed);
  } catch (error) {
    throw error instanceof Unusable ? errors.invalidArgument(error, operation) : error;
  }
}

// A query is an order id, an object with the wire's names, or an object with a `statusQuery`.
function queryOf(query) {
  if (typeof query === 'string') return { orderId: query };
  const found = query?.statusQuery ?? errors.askedBy(query) ?? query;
  if (!(found instanceof Error)) return found;
  const message = 'this error names no order: give getStatus the order id';
  throw errors.invalidArgument({ message, causeCode: Cause.INVALID_VALUE }, 'get_status');
}

// Of a journal entry, or of a sale that recover gave, the library takes only these two.
function saleOf(sale) {
  return sale?.statusQuery ? { orderId: sale.orderId, amount: sale.amount } : sale;
}

// The key of a variable: caFile of PAYORDER_CA_FILE.
function keyOf(variable) {
  const words = variable.replace('PAYORDER_', '').toLowerCase();
  return words.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

class Client {
  #handle;
  #journal;
  #logger; // kept here: it may refer to this client

  constructor(settings = {}) {
    needConfig(settings);
    const { log: logger, [MAKER]: maker = 'client_new', ...config } = settings;
    const isLog = (logger ?? null) === null || typeof logger === 'function';
    need(isLog, '`log` must be a function', undefined, InvalidConfigError);
    let json;
    try {
      json = jsonText(config, 'the configuration', CREDENTIALS);
    } catch (error) {
      throw errors.invalidArgument(error, undefined, InvalidConfigError);
    }
    const isRead = (name) => (config[keyOf(name)] ?? null) === null;
    const variables = config.proxy ? [] : [...PROXY_VARIABLES];
    if (maker === 'client_from_env') variables.push(...VARIABLES.filter(isRead));
    const different = differentVariable(variables);
    if (different) throw errors.differentEnvironment(different);
    this.#handle = new Handle(maker, json, logger);
    this.#journal = new Journal(this, this.#handle);
    this.#logger = logger;
    forgotten.register(this, this.#handle, this);
  }

  static fromEnv(config) {
    needConfig(config ?? {});
    return new this({ ...config, [MAKER]: 'client_from_env' });
  }

  async createOrder(order, options) {
    const json = jsonOf('create_order', order, 'the order');
    const statusQuery = { searchType: '1', orderId: JSON.parse(json)?.orderId };
    return new Checkout(await run(this.#handle, 'create_order', json, options, statusQuery));
  }

  async getStatus(query, options) {
    const json = jsonOf('get_status', queryOf(query), 'the query');
    return new Status(await run(this.#handle, 'get_status', json, options, JSON.parse(json)));
  }

  async waitForPayment(query, options) {
    const json = jsonOf('wait_for_payment', queryOf(query), 'the query');
    const raw = await run(this.#handle, 'wait_for_payment', json, options, JSON.parse(json));
    return new Waited(raw, errors.errorFrom);
  }

  getStatuses(queries, options = {}) {
    // The library checks the options, and says what a summary has.
    const check = () => {
      const json = optionsText('get_statuses', options);
      const areMany = typeof queries !== 'string' && queries?.[Symbol.iterator];
      need(areMany, 'the queries must be an array or the like', 'get_statuses');
      const args = [this.#handle.client, '[]', json, () => 1, null];
      return JSON.parse(checked(call('get_statuses', ...args)));
    };
    const ask = (query, more) => this.getStatus(query, more);
    return new Statuses(queries, options, { check, ask, batches: this.#handle.batches });
  }

  async recover(sales, options) {
    const given = Array.isArray(sales) ? sales.map(saleOf) : sales;
    const json = (sales ?? null) === null ? null : jsonOf('recover', given, 'the sales');
    return JSON.parse(await run(this.#handle, 'recover', json, options));
  }

  async check(options) {
    return JSON.parse(await run(this.#handle, 'check', null, options));
  }

  get journal() {
    return this.#journal;
  }

  setCredentials(credentials) {
    const json = jsonOf(undefined, credentials, 'the credentials', CREDENTIALS);
    need(json !== '{}', 'no credential was given');
    const { result, text } = call('client_set_credentials', this.#handle.client, json);
    if (result !== Result.OK) throw errors.errorFrom(result, text);
  }

  cancel() {
    this.#handle.cancel('client_cancel');
  }

  stop() {
    this.#handle.cancel('client_stop');
  }

  close() {
    forgotten.unregister(this);
    this.#handle.close();
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
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
    const { entries } = this.#work('journal_list', options);
    return entries.map((fields) => new JournalEntry(fields));
  }

  async resolve(options) {
    const raw = await run(this.#handle, 'journal_resolve', null, options);
    const read = JSON.parse(raw);
    return { ...read, entries: read.entries.map((fields) => new JournalEntry(fields)) };
  }

  async settle(entry, options) {
    needOptions(options ?? {}, 'journal_settle');
    return new JournalEntry(this.#work('journal_settle', { ...options, entry }));
  }

  async prune(options) {
    return this.#work('journal_prune', options).removed;
  }

  // These block: payorder_start does not take them. koffi's thread pool could run them, but then
  // process.exit() never ends while one of them waits for a log function.
  #work(name, options) {
    const given = optionsText(name, options);
    const { signal } = options ?? {};
    if (signal?.aborted) throw errors.cancelledEarly(name, signal.reason);
    return JSON.parse(checked(call(name, this.#handle.client, given)));
  }
}

function checked({ result, text }, { signal, statusQuery } = {}) {
  if (result === Result.OK) return text;
  const cancelled = result === Result.CANCELLED || result === Result.CANCELLED_IN_FLIGHT;
  const cause = cancelled && signal?.aborted ? signal.reason : undefined;
  throw errors.errorFrom(result, text, { cause, statusQuery });
}

module.exports = { Client, Journal };
