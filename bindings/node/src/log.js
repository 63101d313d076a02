'use strict';
// Log events. The library calls back on the thread of the call, and only one thread can run a
// callback of JavaScript: the one that registered it. So a thread of its own receives the events of
// all clients and passes them on. It never runs code of the program, so it cannot hold up a call.

const path = require('node:path');
const {
  MessageChannel, Worker, isMainThread, parentPort, receiveMessageOnPort, workerData,
} = require('node:worker_threads');

// ---- In the main thread ----

let thread;
const clients = new Map();

function start() {
  const { library } = require('./library.js');
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(__filename, {
    workerData: { payorderLibrary: library.file, payorderEvents: port2 },
    transferList: [port2],
    execArgv: [],
  });
  const waiting = new Map();
  worker.on('message', ({ client, result }) => {
    waiting.get(client)?.(result);
    waiting.delete(client);
    if (waiting.size === 0) worker.unref();
  });
  const fail = () => {
    thread = undefined;
    for (const [, resolve] of waiting) resolve();
  };
  worker.on('error', (error) => process.emitWarning(`payorder: no log events: ${error.message}`));
  worker.on('exit', fail);
  port1.on('message', deliver);
  port1.unref();
  return { worker, events: port1, waiting };
}

// Sends the events of a client to `log`, from the time that the promise is fulfilled.
function attach(client, log) {
  thread ??= start();
  clients.set(client, log);
  thread.worker.ref();
  return new Promise((resolve) => {
    thread.waiting.set(client, resolve);
    thread.worker.postMessage({ attach: client });
  });
}

// For a client without calls that is closed.
function detach(client) {
  clients.delete(client);
  thread?.worker.postMessage({ detach: client });
}

// Delivers the events that have arrived. All events of a call have arrived when it returns.
function deliverAll() {
  for (;;) {
    const received = thread && receiveMessageOnPort(thread.events);
    if (!received) return;
    deliver(received.message);
  }
}

function deliver({ client, event }) {
  try {
    clients.get(client)?.(JSON.parse(event));
  } catch (error) {
    // An order must not fail because a program cannot write its log.
    process.emitWarning(`payorder: the log function failed: ${error?.message ?? error}`);
  }
}

// ---- In the thread for events ----

function receive() {
  const { library, LogFn, register, unregister } = require('./library.js');
  const callbacks = new Map();
  const events = workerData.payorderEvents;
  parentPort.on('message', ({ attach: client, detach: closed }) => {
    if (closed !== undefined) {
      const callback = callbacks.get(closed);
      callbacks.delete(closed);
      if (callback) unregister(callback);
      return;
    }
    const callback = register((event) => events.postMessage({ client, event }), LogFn);
    callbacks.set(client, callback);
    parentPort.postMessage({ client, result: library.client_set_log(client, callback, null) });
  });
}

if (!isMainThread && workerData?.payorderEvents) receive();

module.exports = { attach, detach, deliverAll };
