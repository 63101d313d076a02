'use strict';
// Text for the library: UTF-8 without NUL.

const { types } = require('node:util');
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

// The value as JSON text. Keys with undefined are left out.
function jsonText(value, what) {
  let text;
  try {
    text = JSON.stringify(value, (_, one) => {
      // JSON.stringify would make {} of them.
      if (types.isMap(one) || types.isSet(one)) throw new TypeError('a Map or Set has no fields');
      return one;
    });
  } catch (error) {
    throw new Unusable(`${what} cannot be written as JSON: ${error.message}`, Cause.NOT_JSON);
  }
  if (text === undefined) throw new Unusable(`${what} is missing`, Cause.NULL);
  // JSON.stringify escapes half a pair. An escape begins after an even number of backslashes.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/.test(text)) {
    throw new Unusable(`${what} has half a surrogate pair, which has no UTF-8`, Cause.NOT_UTF8);
  }
  return text;
}

// What is at a JSON pointer of a text of the library, unchanged; or null.
function member(text, pointer) {
  const found = call('json_get', text, pointer);
  return found.result === 0 ? found.text : null;
}

// The parsed text, or null if JavaScript cannot parse it.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

module.exports = { Unusable, plainText, jsonText, member, parsed };
