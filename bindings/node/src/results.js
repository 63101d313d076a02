'use strict';
// The results of successful calls. `raw` is the library's text, with fields that this version does
// not know. It does not appear in JSON.stringify and console.log; neither does the customer's data:
// these are getters, because "%o" shows each property that is an object's own.

const { STATUS_DATA } = require('./constants.js');
const { member, parsed } = require('./text.js');

const PERSONAL = ['customerName', 'customerMobile', 'customerEmail'];

// A result of JSON text or of an object, for tests without a service.
function made(Class, json) {
  return new Class(typeof json === 'string' ? json : JSON.stringify(json));
}

// Gives the members at JSON pointers. If JavaScript cannot parse the text, the library reads it.
function reader(raw) {
  const document = parsed(raw);
  if (document === null) return (...path) => member(raw, ['', ...path].join('/'));
  return (...path) => path.reduce((value, key) => value?.[key], document) ?? null;
}

class WithRaw {
  #raw;

  constructor(raw) {
    this.#raw = raw;
  }

  get raw() {
    return this.#raw;
  }
}

class Checkout extends WithRaw {
  constructor(raw) {
    super(raw);
    const at = reader(raw);
    this.url = at('data', 'url');
    this.responseCode = at('responseCode');
    this.responseMessage = at('responseMessage');
  }

  static fromJson(json) {
    return made(this, json);
  }
}

class Status extends WithRaw {
  #personal = {};

  constructor(raw) {
    super(raw);
    const at = reader(raw);
    this.responseCode = at('responseCode');
    this.responseMessage = at('responseMessage');
    for (const key of STATUS_DATA) {
      const text = at('data', key) ?? '';
      (PERSONAL.includes(key) ? this.#personal : this)[key] = text;
    }
    this.transactionDateText = at('data', 'transactionDate') ?? '';
    this.transactionDate = at('derived', 'transactionDate');
    // A text, if the library had to read it. Without it, this is the service's own response.
    const completed = at('derived', 'completed') ?? this.transactionStatus === 'Completed';
    this.completed = String(completed) === 'true';
  }

  get customerName() {
    return this.#personal.customerName;
  }

  get customerMobile() {
    return this.#personal.customerMobile;
  }

  get customerEmail() {
    return this.#personal.customerEmail;
  }

  static fromJson(json) {
    return made(this, json);
  }
}

class Waited extends WithRaw {
  // `errorFrom` is given, because the errors need this file.
  constructor(raw, errorFrom) {
    super(raw);
    const at = reader(raw);
    this.final = String(at('final')) === 'true';
    this.timedOut = String(at('timedOut')) === 'true';
    this.polls = Number(at('polls'));
    const status = member(raw, '/status');
    const error = member(raw, '/error');
    this.status = status === null ? null : new Status(status);
    this.error =
      error === null ? null : errorFrom(Number(member(error, '/result')), `{"error":${error}}`);
  }

  static fromJson(json) {
    // Required here, because the errors need this file.
    const { PayorderError } = require('./errors.js').classes;
    const text = typeof json === 'string' ? json : JSON.stringify(json);
    const waited = new this(text, (result, error) => PayorderError.fromJson(error));
    if (waited.status || waited.error) return waited;
    throw new TypeError('the end of a wait has a status, an error, or both');
  }
}

class ReturnUrl extends WithRaw {
  constructor(raw) {
    super(raw);
    Object.assign(this, JSON.parse(raw));
  }
}

class Verification extends WithRaw {
  constructor(raw) {
    super(raw);
    const { paid, reasons, unverifiable } = JSON.parse(raw);
    Object.assign(this, { paid: paid === true, reasons, unverifiable });
  }
}

class JournalEntry {
  constructor(fields) {
    Object.assign(this, fields);
  }

  // What to give to getStatus, to ask about this order.
  get statusQuery() {
    return { searchType: '1', orderId: this.orderId };
  }
}

module.exports = { Checkout, Status, Waited, ReturnUrl, Verification, JournalEntry };
