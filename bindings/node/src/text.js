'use strict';
// Text for the library: UTF-8 without NUL.

const { Cause } = require('./constants.js');
const { call } = require('./library.js');

// A value that cannot be given to the library. The caller makes an error of the right class of it.
class Unusable extends Error {
  constructor(message, causeCode) {
    super(message);
    this.causeCode = causeCode;
  }
}

// The text, if the library can take it.
function plainText(text, what) {
  if (typeof text !== 'string') {
    throw new Unusable(`${what} must be a string`, Cause.INVALID_VALUE);
  }
  if (/\p{Surrogate}/u.test(text)) {
    throw new Unusable(`${what} has half a surrogate pair, which has no UTF-8`, Cause.NOT_UTF8);
  }
  if (text.includes('\0')) {
    throw new Unusable(`${what} contains U+0000`, Cause.INVALID_VALUE);
  }
  return text;
}

// The parts of options whose keys the program chooses.
const CHOSEN = ['headers', 'extraFields'];

// The value as JSON text. JSON.stringify would leave out a function, and keys with undefined, which
// must be there if they are `needed`: the library would use another credential, or check less.
function jsonText(value, what, needed = []) {
  const chosen = CHOSEN.map((part) => Object(value)[part]);
  let text;
  try {
    text = JSON.stringify(value, function (key, one) {
      const isNeeded = (this === value && needed.includes(key)) || chosen.includes(this);
      const type = typeof one;
      if (type === 'function' || type === 'symbol' || (one === undefined && isNeeded)) {
        const is = type === 'undefined' ? type : `a ${type}`;
        throw new Unusable(`${what}: \`${key}\` is ${is}`, Cause.INVALID_VALUE);
      }
      // JSON.stringify would make {} of it, as of a Map.
      if (one !== null && type === 'object' && !isPlain(one) && !Array.isArray(one)
          && Object.keys(one).length === 0) {
        throw new TypeError(`a ${one.constructor?.name} has no fields of its own`);
      }
      return one;
    });
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable(`${what} cannot be written as JSON: ${error?.message}`, Cause.NOT_JSON);
  }
  if (text === undefined) throw new Unusable(`${what} is missing`, Cause.NULL);
  // JSON.stringify escapes half a pair. An escape begins after an even number of backslashes.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/.test(text)) {
    throw new Unusable(`${what} has half a surrogate pair, which has no UTF-8`, Cause.NOT_UTF8);
  }
  return text;
}

// Whether its fields are its own, also in an object of another realm. Those of others, such as an
// AbortSignal or an instance of a class, may be getters of a prototype, which would be lost.
function isPlain(value) {
  if (value === null || typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// What is at a JSON pointer of a text of the library, unchanged; or null. If the text is too long
// for the library, it is written again.
function member(text, pointer) {
  const found = call('json_get', text, pointer);
  if (found.result === 0) return found.text;
  const [, ...path] = pointer.split('/');
  const value = path.reduce((one, key) => one?.[key], parsed(text)) ?? null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

// The parsed text, or null if JavaScript cannot parse it.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

module.exports = { Unusable, isPlain, plainText, jsonText, member, parsed };
