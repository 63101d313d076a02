'use strict';
// The errors. Three base classes say what happened to the order.

const { Result, Cause, Action, ERROR_CLASSES, USUAL_CAUSES } = require('./constants.js');
const { member, parsed } = require('./text.js');
const { Status, dated } = require('./results.js');

// Keys of the error object, and the properties that have them.
const TEXTS = {
  code: 'name',
  outcome: 'outcome',
  causeCode: 'cause',
  action: 'action',
  message: 'message',
  operation: 'operation',
  responseCode: 'responseCode',
  responseMessage: 'responseMessage',
  requestId: 'requestId',
  checkoutUrl: 'checkoutUrl',
};
const OTHERS = ['attempts', 'elapsedMs', 'httpStatus', 'retryAfterMs', 'statusQuery', 'previous'];

// What a failed query asked, so that getStatus can ask it again. Of an order that was given to it,
// not the customer's data.
const queries = new WeakMap();
const ASKED = ['searchType', 'orderId', 'transactionId'];
const askedBy = (error) => queries.get(error);

class PayorderError extends Error {
  #raw;
  #responseBody;

  // Of `more`, `cause` is why the program cancelled the call, and `statusQuery` is what it asked.
  constructor(raw, result, { cause, statusQuery } = {}) {
    const error = fields(raw, result);
    super(error.message, cause === undefined ? undefined : { cause });
    this.result = error.result;
    for (const [property, key] of Object.entries(TEXTS)) {
      if (key !== 'message' && error[key] !== undefined) this[property] = error[key];
    }
    for (const key of OTHERS) if (error[key] !== undefined) this[key] = error[key];
    this.violations = error.violations ?? [];
    const status = error.status === undefined ? null : member(raw, '/error/status');
    if (status !== null) this.status = new Status(status);
    // Not for a log of the program, also with "%o": both may contain personal data.
    this.#responseBody = error.responseBody;
    this.#raw = raw;
    const query = Object(error.statusQuery ?? statusQuery);
    const found = ASKED.filter((key) => key in query).map((key) => [key, query[key]]);
    if (found.length > 0) queries.set(this, Object.fromEntries(found));
    Error.captureStackTrace(this, new.target);
  }

  static fromJson(json) {
    const { error } = typeof json === 'string' ? JSON.parse(json) : json;
    const previous = error.result === Result.DUPLICATE ? error.previous : undefined;
    if (error.result === Result.DUPLICATE && previous === undefined) {
      throw new TypeError('a DuplicateError has `previous`, the earlier order: {orderId, state, url}');
    }
    const kind = previous?.url ? 'url' : previous?.state;
    const usual = USUAL_CAUSES[kind] ?? USUAL_CAUSES[error.result];
    const asked = previous && { statusQuery: { searchType: '1', orderId: previous.orderId } };
    const made = usual ?? [Cause.BUG, Action.ASK_STATUS];
    const more = { ...asked, ...error, ...(error.status && { status: dated(error.status) }) };
    return ownError(error.result, ...made, '', more);
  }

  get raw() {
    return this.#raw;
  }

  get responseBody() {
    return this.#responseBody;
  }

  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }
}

// The members of the error object. If JavaScript cannot parse the text, the library reads it.
function fields(raw, result) {
  const error = parsed(raw)?.error;
  if (error !== undefined) return error;
  const read = { result, violations: [] };
  for (const key of [...Object.values(TEXTS), ...OTHERS]) {
    const text = member(raw, `/error/${key}`);
    if (text !== null) read[key] = OTHERS.includes(key) ? parsed(text) : text;
  }
  return read;
}

const classes = { PayorderError };

// The name is written here, because a bundler may change those of classes.
function define(name, Base) {
  const Class = class extends Base {};
  for (const named of [Class, Class.prototype]) {
    Object.defineProperty(named, 'name', { value: name, configurable: true, writable: true });
  }
  return (classes[name] = Class);
}

const BASES = {
  not_sent: define('NotSentError', PayorderError),
  rejected: define('RejectedError', PayorderError),
  unknown: define('OutcomeUnknownError', PayorderError),
};
// For functions that do not use the network: it says nothing about an order.
define('UnusableTextError', PayorderError);
Object.defineProperty(PayorderError.prototype, 'name', { value: 'PayorderError', writable: true });

const CLASSES = new Map();
for (const [result, name] of Object.entries(ERROR_CLASSES)) {
  CLASSES.set(Number(result), define(name, BASES[outcomeOf(Number(result))]));
}

// The range of a number decides, also of an unknown one.
function outcomeOf(result) {
  if (result >= 1 && result <= 99) return 'not_sent';
  return result >= 100 && result <= 199 ? 'rejected' : 'unknown';
}

function errorFrom(result, raw, more) {
  const Class = CLASSES.get(result) ?? BASES[outcomeOf(result)];
  return new Class(raw, result, more);
}

// An error that this package made, in the form of the library's.
function ownError(result, cause, action, message, { Class, ended, asked, ...more } = {}) {
  const known = Object.keys(Result).find((key) => Result[key] === result);
  const name = `PAYORDER_${known ?? 'UNRECOGNISED'}`;
  const error = { result, name, outcome: outcomeOf(result), cause, action, message, ...more };
  const raw = JSON.stringify({ error });
  return Class ? new Class(raw, result) : errorFrom(result, raw, { cause: ended, statusQuery: asked });
}

// Nothing was sent: a value cannot be given to the library.
function invalidArgument({ message, causeCode }, operation, Class) {
  const more = operation && { operation, attempts: 0, elapsedMs: 0 };
  const text = operation ? `${message}; nothing was sent` : message;
  const { INVALID_ARGUMENT } = Result;
  return ownError(INVALID_ARGUMENT, causeCode, Action.FIX_REQUEST, text, { ...more, Class });
}

function closedClient() {
  const message = 'the client is closed';
  return ownError(Result.INVALID_HANDLE, Cause.CLIENT_FREED, Action.FIX_REQUEST, message);
}

// Nothing was sent: the library was not found, or cannot be used.
function noLibrary(message) {
  const { UNREADABLE_FILE } = Cause;
  return ownError(Result.INVALID_CONFIG, UNREADABLE_FILE, Action.FIX_CONFIGURATION, message);
}

// A setting would be another one than the program sees, which may be another service.
function differentEnvironment(name) {
  const message = `the library would not use the ${name} of process.env, but that of the process, ` +
    'which is different: give the setting to the client, or start the worker with ' +
    'env: SHARE_ENV';
  const { INVALID_VALUE } = Cause;
  return ownError(Result.INVALID_CONFIG, INVALID_VALUE, Action.FIX_CONFIGURATION, message);
}

// Nothing was done: the call was cancelled before it began.
function cancelledEarly(operation, ended) {
  const message = 'cancelled before the call began; nothing was sent';
  const more = { operation, attempts: 0, elapsedMs: 0, ended };
  return ownError(Result.CANCELLED, Cause.CANCELLED, Action.NONE, message, more);
}

// Nothing was sent: the event loop was busy until the time of the call was over.
function tooLate(operation) {
  const message = 'its time was over before the event loop could start it; nothing was sent';
  const { CONNECT_FAILED } = Result;
  const more = { operation, attempts: 0 };
  return ownError(CONNECT_FAILED, Cause.QUEUE_TIMED_OUT, Action.RETRY_LATER, message, more);
}

// Nothing was sent: there is no thread for the call.
function noThread(operation, reason, asked) {
  const message = `no thread for the call: ${reason}; nothing was sent`;
  const more = { operation, asked };
  return ownError(Result.INTERNAL, Cause.NO_THREAD, Action.RETRY_LATER, message, more);
}

// The call was made, and its result cannot be read. What it asked for may have happened.
function lostResult(operation, reason, statusQuery) {
  const message = `the result of the call was lost: ${reason}`;
  const action = statusQuery ? Action.ASK_STATUS : Action.RETRY_LATER;
  const more = { operation, ...(statusQuery && { statusQuery }) };
  return ownError(Result.INTERNAL_IN_FLIGHT, Cause.NO_RESOURCES, action, message, more);
}

module.exports = {
  askedBy,
  errorFrom,
  invalidArgument,
  closedClient,
  noLibrary,
  differentEnvironment,
  cancelledEarly,
  tooLate,
  noThread,
  lostResult,
  classes,
};
