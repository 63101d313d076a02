'use strict';
// The errors. Three base classes say what happened to the order.

const { Result, Cause, Action } = require('./constants.js');
const { member, parsed } = require('./text.js');
const { Status } = require('./results.js');

const TEXTS = ['name', 'outcome', 'cause', 'action', 'message', 'operation'];
const OPTIONAL_TEXTS = ['responseCode', 'responseMessage', 'checkoutUrl'];
const NUMBERS = ['attempts', 'elapsedMs', 'httpStatus', 'retryAfterMs'];
const OBJECTS = ['statusQuery', 'previous'];

class PayorderError extends Error {
  constructor(raw, result) {
    const error = fields(raw, result);
    super(error.message);
    this.result = error.result;
    // `name` of an Error can be changed by programs, so it is defined as a property of its own.
    for (const key of [...TEXTS, ...OPTIONAL_TEXTS, ...NUMBERS, ...OBJECTS]) {
      define(this, key, error[key]);
    }
    this.violations = error.violations ?? [];
    const status = error.status === undefined ? null : member(raw, '/error/status');
    if (status !== null) this.status = new Status(status);
    Object.defineProperty(this, 'raw', { value: raw, enumerable: false });
    Error.captureStackTrace(this, new.target);
  }
}

function define(error, key, value) {
  if (value === undefined || key === 'message') return;
  Object.defineProperty(error, key, {
    value,
    enumerable: key !== 'name',
    writable: true,
    configurable: true,
  });
}

// The members of the error object. If JavaScript cannot parse the text, the library reads it.
function fields(raw, result) {
  const error = parsed(raw)?.error;
  if (error !== undefined) return error;
  const read = { result, violations: [] };
  for (const key of [...TEXTS, ...OPTIONAL_TEXTS, ...NUMBERS, ...OBJECTS]) {
    const text = member(raw, `/error/${key}`);
    if (text === null) continue;
    read[key] = TEXTS.includes(key) || OPTIONAL_TEXTS.includes(key) ? text : parsed(text);
  }
  return read;
}

class NotSentError extends PayorderError {}
class InvalidArgumentError extends NotSentError {}
class InvalidHandleError extends NotSentError {}
class InvalidConfigError extends NotSentError {}
class InvalidRequestError extends NotSentError {}
class MissingCredentialsError extends NotSentError {}
class ConnectError extends NotSentError {}
class TlsError extends NotSentError {}
class CancelledError extends NotSentError {}
class JournalError extends NotSentError {}
class InternalError extends NotSentError {}

class RejectedError extends PayorderError {}
class UnauthorizedError extends RejectedError {}
class RateLimitedError extends RejectedError {}

class OutcomeUnknownError extends PayorderError {}
class ResponseTimeoutError extends OutcomeUnknownError {}
class ConnectionLostError extends OutcomeUnknownError {}
class BadResponseError extends OutcomeUnknownError {}
class ServiceFailedError extends OutcomeUnknownError {}
class CancelledInFlightError extends OutcomeUnknownError {}
class InternalInFlightError extends OutcomeUnknownError {}
class DuplicateError extends OutcomeUnknownError {}

// For functions that do not use the network: it says nothing about an order.
class UnusableTextError extends PayorderError {}

const CLASSES = new Map([
  [Result.INVALID_ARGUMENT, InvalidArgumentError],
  [Result.INVALID_HANDLE, InvalidHandleError],
  [Result.INVALID_CONFIG, InvalidConfigError],
  [Result.INVALID_REQUEST, InvalidRequestError],
  [Result.MISSING_CREDENTIALS, MissingCredentialsError],
  [Result.CONNECT_FAILED, ConnectError],
  [Result.TLS_FAILED, TlsError],
  [Result.CANCELLED, CancelledError],
  [Result.JOURNAL_FAILED, JournalError],
  [Result.INTERNAL, InternalError],
  [Result.REJECTED, RejectedError],
  [Result.UNAUTHORIZED, UnauthorizedError],
  [Result.RATE_LIMITED, RateLimitedError],
  [Result.TIMEOUT, ResponseTimeoutError],
  [Result.CONNECTION_LOST, ConnectionLostError],
  [Result.BAD_RESPONSE, BadResponseError],
  [Result.SERVICE_FAILED, ServiceFailedError],
  [Result.CANCELLED_IN_FLIGHT, CancelledInFlightError],
  [Result.INTERNAL_IN_FLIGHT, InternalInFlightError],
  [Result.DUPLICATE, DuplicateError],
]);

// The class of a result. The range of an unknown number decides.
function errorClass(result) {
  if (CLASSES.has(result)) return CLASSES.get(result);
  if (result >= 1 && result <= 99) return NotSentError;
  if (result >= 100 && result <= 199) return RejectedError;
  return OutcomeUnknownError;
}

function errorFrom(result, raw) {
  const Class = errorClass(result);
  return new Class(raw, result);
}

// An error that this package found, in the form of the library's.
function ownError(Class, result, cause, action, message, more) {
  const outcome = result < 100 ? 'not_sent' : 'unknown';
  const name = `PAYORDER_${Object.keys(Result).find((key) => Result[key] === result)}`;
  const error = { result, name, outcome, cause, action, message, ...more };
  return new Class(JSON.stringify({ error }), result);
}

// Nothing was sent: a value cannot be given to the library.
function invalidArgument(problem, operation, Class = InvalidArgumentError) {
  const { message, cause } = problem;
  const more = operation && { operation, attempts: 0, elapsedMs: 0 };
  const text = operation ? `${message}; nothing was sent` : message;
  return ownError(Class, Result.INVALID_ARGUMENT, cause, Action.FIX_REQUEST, text, more);
}

function closedClient() {
  const message = 'the client is closed';
  const { INVALID_HANDLE } = Result;
  return ownError(
    InvalidHandleError, INVALID_HANDLE, Cause.CLIENT_FREED, Action.FIX_REQUEST, message,
  );
}

// Nothing was sent: the library was not found, or cannot be used.
function noLibrary(message) {
  const { INVALID_CONFIG } = Result;
  return ownError(
    InvalidConfigError, INVALID_CONFIG, Cause.UNREADABLE_FILE, Action.FIX_CONFIGURATION, message,
  );
}

// Nothing was sent: the call was cancelled while it waited for its turn.
function cancelledEarly(operation) {
  const message = 'cancelled before the call began; nothing was sent';
  const more = { operation, attempts: 0, elapsedMs: 0 };
  const { CANCELLED } = Result;
  return ownError(CancelledError, CANCELLED, Cause.CANCELLED, Action.NONE, message, more);
}

// Nothing was sent: there is no thread for the call.
function noThread(operation, reason) {
  const message = `no thread for the call: ${reason}; nothing was sent`;
  const more = { operation };
  const { INTERNAL } = Result;
  return ownError(
    InternalError, INTERNAL, Cause.NO_RESOURCES, Action.RETRY_LATER, message, more,
  );
}

// The call was made, and its result cannot be read. What it asked for may have happened.
function lostResult(operation, reason, statusQuery) {
  const message = `the result of the call was lost: ${reason}`;
  const action = statusQuery ? Action.ASK_STATUS : Action.RETRY_LATER;
  const more = { operation, ...(statusQuery && { statusQuery }) };
  const { INTERNAL_IN_FLIGHT } = Result;
  return ownError(
    InternalInFlightError, INTERNAL_IN_FLIGHT, Cause.NO_RESOURCES, action, message, more,
  );
}

module.exports = {
  errorFrom,
  invalidArgument,
  closedClient,
  noLibrary,
  cancelledEarly,
  noThread,
  lostResult,
  classes: {
    PayorderError,
    NotSentError,
    InvalidArgumentError,
    InvalidHandleError,
    InvalidConfigError,
    InvalidRequestError,
    MissingCredentialsError,
    ConnectError,
    TlsError,
    CancelledError,
    JournalError,
    InternalError,
    RejectedError,
    UnauthorizedError,
    RateLimitedError,
    OutcomeUnknownError,
    ResponseTimeoutError,
    ConnectionLostError,
    BadResponseError,
    ServiceFailedError,
    CancelledInFlightError,
    InternalInFlightError,
    DuplicateError,
    UnusableTextError,
  },
};
