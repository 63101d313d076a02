'use strict';
// The results of successful calls. `raw` is the library's text, with fields that this version does
// not know. It does not appear in JSON.stringify and console.log; neither does the customer's data:
// these are getters, because "%o" shows each property that is an object's own.

const { PERSONAL, STATUS_DATA } = require('./constants.js');
const { member, parsed } = require('./text.js');

// The text of JSON text or of an object, for tests without a service. A text that `change` leaves
// as it is keeps the digits of its numbers.
function textOf(json, change = (same) => same) {
  const given = typeof json === 'string' ? parsed(json) : json;
  const changed = change(given);
  return typeof json === 'string' && changed === given ? json : JSON.stringify(changed);
}

// A status of a test with both forms of its date: verifyPayment reads the service's.
function dated(status) {
  const { transactionDate: text } = status?.data ?? {};
  const { transactionDate: date } = status?.derived ?? {};
  const iso = !text && /^(\d+)-(\d+)-(\d+)T(\d+)(:\d+:\d+)/.exec(date);
  if (iso) {
    const [, year, month, day, hour, rest] = iso;
    const clock = `${String(hour % 12 || 12).padStart(2, '0')}${rest} ${hour < 12 ? 'AM' : 'PM'}`;
    const transactionDate = `${month}/${day}/${year} ${clock}`;
    return { ...status, data: { ...status.data, transactionDate } };
  }
  const service = !date && /^(\d+)\/(\d+)\/(\d+) (\d+)(:\d+:\d+) ([AP])M$/.exec(text);
  if (!service) return status;
  const [, month, day, year, hour, rest, half] = service;
  const clock = `${String((hour % 12) + (half === 'A' ? 0 : 12)).padStart(2, '0')}${rest}`;
  const transactionDate = `${year}-${month}-${day}T${clock}`;
  return { ...status, derived: { ...status.derived, transactionDate } };
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
    return new this(textOf(json));
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

  static {
    for (const key of PERSONAL) {
      const get = function () { return this.#personal[key]; };
      Object.defineProperty(this.prototype, key, { get, configurable: true });
    }
  }

  static fromJson(json) {
    return new this(textOf(json, dated));
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
    const text = textOf(json, (end) => {
      const status = dated(end?.status);
      return status === end?.status ? end : { ...end, status };
    });
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
    // Its own, so that a copy and JSON have it too.
    this.statusQuery = { searchType: '1', orderId: this.orderId };
  }
}

module.exports = { dated, Checkout, Status, Waited, ReturnUrl, Verification, JournalEntry };
