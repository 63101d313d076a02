'use strict';

const { Result, Outcome, Cause, Action } = require('./constants.js');
const { Client } = require('./client.js');
const { classes } = require('./errors.js');
const offline = require('./offline.js');
const { Checkout, Status, Waited } = require('./results.js');

module.exports = {
  Client,
  Checkout,
  Status,
  Waited,
  Result,
  Outcome,
  Cause,
  Action,
  ...offline,
  ...classes,
};
