'use strict';
// The functions that do not use the network.

const { Cause, Result } = require('./constants.js');
const { library, call } = require('./library.js');
const { classes, invalidArgument } = require('./errors.js');
const { ReturnUrl, Verification } = require('./results.js');
const { Unusable, jsonText, plainText } = require('./text.js');

function ask(name, makeArguments) {
  let args;
  try {
    args = makeArguments();
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw invalidArgument(error, undefined, classes.UnusableTextError);
  }
  const { result, text, problem } = call(name, ...args);
  if (text === null) throw new Error(`the library's text cannot be read: ${problem}`);
  if (result !== Result.OK) throw new classes.UnusableTextError(text, result);
  return text;
}

function buildCreateOrder(order, options) {
  return ask('build_create_order', () => [
    jsonText(order, 'the order'),
    jsonText(options ?? {}, 'options'),
  ]);
}

function buildGetStatus(query) {
  return ask('build_get_status', () => [jsonText(query, 'the query')]);
}

function parseReturnUrl(url) {
  return new ReturnUrl(ask('parse_return_url', () => [plainText(String(url), 'the URL')]));
}

function verifyPayment(expected, status) {
  return new Verification(
    ask('verify_payment', () => [
      jsonText(expected, 'what was expected', ['notBefore', 'transactionId']),
      statusText(status),
    ]),
  );
}

// A status, also of another copy of this package; the service's response as text; or that parsed.
// In anything else, such as a Waited or the copy of a status, the library would find no payment.
function statusText(status) {
  if (typeof status === 'string') return plainText(status, 'the status');
  if (typeof status?.completed === 'boolean' && typeof status.raw === 'string') return status.raw;
  if (status?.data === null || typeof status?.data !== 'object') {
    throw new Unusable(
      'the status must be a Status, its `raw`, or the response of the service: await a promise, ' +
        'give the `status` of a Waited, and keep the `raw` of a Status, not a copy of it',
      Cause.INVALID_VALUE,
    );
  }
  if (typeof status.data.amount === 'number') {
    throw new Unusable(
      'the status has its amount as a number, which may have lost digits; give it as JSON text',
      Cause.INVALID_VALUE,
    );
  }
  return jsonText(status, 'the status');
}

function version() {
  return library().version();
}

function liveCounters() {
  return {
    clients: Number(library().live_clients()),
    strings: Number(library().live_strings()),
    calls: Number(library().live_calls()),
  };
}

module.exports = {
  buildCreateOrder,
  buildGetStatus,
  parseReturnUrl,
  verifyPayment,
  version,
  liveCounters,
};
