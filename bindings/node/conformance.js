#!/usr/bin/env -S node --expose-gc
'use strict';
// The package's driver of the conformance suite: see bindings/conformance/README.md. It uses the
// package as a program does, and reports what the package's own objects say.

const readline = require('node:readline');

const payorder = require('payorder');
const { ERROR_CLASSES, STATUS_DATA } = require('./src/constants.js');
try {
  payorder.version();
} catch (error) {
  if (!(error instanceof payorder.NotSentError)) throw error;
  console.log(JSON.stringify({ refused: error.message }));
  process.exit(1);
}

const CLASSES = {
  not_sent: 'NotSentError',
  rejected: 'RejectedError',
  unknown: 'OutcomeUnknownError',
  unusable: 'UnusableTextError',
};
for (const [name, result] of Object.entries(payorder.Result)) {
  if (ERROR_CLASSES[result]) CLASSES[`PAYORDER_${name}`] = ERROR_CLASSES[result];
}

class Planted extends Error {}

// ---- Reports: the package's objects as JSON ----

function statusReport(status) {
  const { raw, responseCode, responseMessage, completed, transactionDate: date } = status;
  // The customer's data is not enumerable.
  const data = Object.fromEntries(STATUS_DATA.map((key) => [key, status[key]]));
  const more = { responseCode, responseMessage, completed, raw, date };
  return { ...data, ...more, transactionDate: status.transactionDateText };
}

function caught(error) {
  if (error instanceof payorder.NotSentError) return 'not_sent';
  if (error instanceof payorder.RejectedError) return 'rejected';
  if (error instanceof payorder.OutcomeUnknownError) return 'unknown';
  return 'unusable';
}

function errorReport(error) {
  return {
    ...error,
    message: error.message,
    name: error.code,
    cause: error.causeCode,
    class: error.constructor.name,
    caught: caught(error),
    violations: error.violations.map(({ field, rule }) => ({ field, rule })),
    status: error.status && statusReport(error.status),
  };
}

function valueReport(value) {
  if (Array.isArray(value)) return value.map(valueReport);
  if (value instanceof payorder.Status) return statusReport(value);
  if (value instanceof payorder.Waited) {
    return {
      ...value,
      status: value.status && statusReport(value.status),
      error: value.error && errorReport(value.error),
    };
  }
  return value;
}

function itemReport({ index, status, error }) {
  const found = error ? { error: errorReport(error) } : { value: statusReport(status) };
  return { index, ok: !error, ...found, thread: 'caller' };
}

// ---- State ----

const clients = new Map();
const controllers = new Map();
const threads = new Map();
const events = [];
let listener = null;

function log(event) {
  if (!listener) return;
  events.push({ ...event, thread: 'caller' });
  if (listener.then && event.event === listener.at) perform(listener.then);
}

// ---- Steps ----

function options(step) {
  const controller = controllers.get(step.cancellation);
  return { ...step.options, ...(controller && { signal: controller.signal }) };
}

const clientOf = (step) => clients.get(step.client);

async function statuses(step, report) {
  report.items = [];
  const results = clientOf(step).getStatuses(step.queries, options(step));
  for await (const result of results) {
    report.items.push(itemReport(result));
    if (!step.then || report.items.length !== step.at + 1) continue;
    if (step.then.op === 'stop') break;
    await perform(step.then);
  }
  return results.summary;
}

function journal(step) {
  const { journal: entries } = clientOf(step);
  if (step.do !== 'settle') return entries[step.do](options(step));
  const { entry, ...more } = options(step);
  return entries.settle(entry, more);
}

async function collect() {
  for (let n = 0; n < 10; n += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const OPERATIONS = {
  open: (step) => void clients.set(step.client, new payorder.Client({ ...step.config, log })),
  check: (step) => clientOf(step).check(options(step)),
  recover: (step) => clientOf(step).recover(step.sales, options(step)),
  credentials: (step) => clientOf(step).setCredentials(step.credentials),
  shutdown: (step) => clientOf(step).stop(),
  create: (step) => clientOf(step).createOrder(step.order, options(step)),
  status: (step) => clientOf(step).getStatus(step.query, options(step)),
  wait: (step) => clientOf(step).waitForPayment(step.query, options(step)),
  statuses,
  journal,
  build: ({ query, order, options: given }) =>
    query ? payorder.buildGetStatus(query) : payorder.buildCreateOrder(order, given),
  parse: ({ url }) => payorder.parseReturnUrl(url),
  verify: ({ expected, status }) => payorder.verifyPayment(expected, status),
  cancellation: (step) => void controllers.set(step.cancellation, new AbortController()),
  cancel: (step) =>
    step.cancellation ? controllers.get(step.cancellation).abort() : clientOf(step).cancel(),
  close: (step) => step.cancellation ?? clientOf(step).close(),
  log: (step) => void (listener = step.on === false ? null : step),
  events: () => events.splice(0),
  counters: () => payorder.liveCounters(),
  collect,
  forget: (step) => void clients.delete(step.client),
  throw: () => {
    throw new Planted('planted');
  },
};

// Runs a step, and gives the package's own object.
function perform(step, report = {}) {
  return OPERATIONS[step.op](step, report);
}

async function run(step) {
  const report = {};
  try {
    Object.assign(report, { ok: true, value: valueReport(await perform(step, report)) });
  } catch (error) {
    if (error instanceof Planted) Object.assign(report, { ok: false, thrown: error.message });
    else if (!(error instanceof payorder.PayorderError)) throw error;
    else Object.assign(report, { ok: false, error: errorReport(error) });
  }
  return report;
}

async function main() {
  const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  write({
    driver: 'node',
    language: `Node.js ${process.versions.node}`,
    library: payorder.version(),
    abi: 1,
    features: [
      ...['exceptions', 'threads', 'started', 'gc', 'finalizers', 'load', 'opens'],
      ...['untyped', 'log-in-call', 'query-text', 'check', 'late-cancel'],
    ],
    classes: CLASSES,
  });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const step = JSON.parse(line);
    if (step.op === 'join') {
      write(await threads.get(step.thread));
      threads.delete(step.thread);
    } else if (step.thread) {
      threads.set(step.thread, run(step));
      write({ ok: true });
    } else {
      write(await run(step));
    }
  }
}

main();
