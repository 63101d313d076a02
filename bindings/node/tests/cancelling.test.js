'use strict';
// Calls with a signal. The conformance suite cancels, stops and closes clients.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { test } = require('node:test');
const payorder = require('payorder');
const { newOrder, slowService } = require('./support.js');

const named = (promise) => promise.then(() => 'created', (error) => error.name);

function busy(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('calls with one signal are cancelled in the queue, and others are not', async (t) => {
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning));
  const { received, slow } = await slowService(t, 300);
  const client = new payorder.Client({ ...slow, maxCalls: 1 });
  const { signal } = new AbortController();
  const controller = new AbortController();
  const [first, last] = [newOrder(), newOrder()];
  const others = [client.createOrder(first, { signal })];
  const queued = Array.from({ length: 50 }, () => {
    return client.createOrder(newOrder(), { signal: controller.signal });
  });
  others.push(client.createOrder(last, { signal }));
  controller.abort();
  for (const { reason: error } of await Promise.allSettled(queued)) {
    assert.ok(error instanceof payorder.CancelledError, String(error));
    assert.equal(error.cause, controller.signal.reason);
  }
  await Promise.all(others);
  assert.deepEqual(received, [first.orderId, last.orderId]);
  // Many calls with one signal are no leak.
  assert.deepEqual(warnings, []);
  client.close();
});

test('an order is not sent if its signal timed out before, in a busy program', async (t) => {
  const { received, slow } = await slowService(t, 0);
  const client = new payorder.Client(slow);
  t.after(() => client.close());
  const places = {
    'a promise': (call) => call(),
    'a timer': (call) => setTimeout(call),
    'a callback of a file': (call) => fs.stat('/', call),
  };
  for (const [place, from] of Object.entries(places)) {
    const found = new Promise((resolve) => from(() => {
      // The package's own timer comes after the first of these, and before the second one.
      setTimeout(() => {});
      setTimeout(() => busy(20), 5);
      const signal = AbortSignal.timeout(20);
      busy(40);
      resolve(named(client.createOrder(newOrder(), { signal })));
      busy(20);
    }));
    assert.equal(await found, 'CancelledError', place);
  }
  assert.deepEqual(received, []);
});

test('an order is not sent with an aborted signal that another call has too', async (t) => {
  const { received, slow } = await slowService(t, 300);
  const client = new payorder.Client(slow);
  t.after(() => client.close());
  const controller = new AbortController();
  const { signal } = controller;
  signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const first = newOrder();
  const sent = named(client.createOrder(first, { signal }));
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  assert.equal(await named(client.createOrder(newOrder(), { signal })), 'CancelledError');
  await sent;
  assert.deepEqual(received, [first.orderId]);
});

test('a call with a signal ends with its client and its time, also at once', async (t) => {
  const { received, slow } = await slowService(t, 0);
  const client = new payorder.Client({ ...slow, timeoutMs: 60000 });
  const { signal } = new AbortController();
  const call = (more) => named(client.createOrder(newOrder(), { signal, ...more }));
  const late = call({ timeoutMs: 20 });
  busy(40);
  assert.equal(await late, 'ConnectError');
  for (const timeoutMs of [0, 600001, null]) {
    assert.equal(await call({ timeoutMs }), 'InvalidArgumentError');
  }
  const cancelled = call();
  const wait = client.waitForPayment('ORD-1', { signal }).catch((error) => error);
  client.cancel();
  const { action, statusQuery } = await wait;
  assert.deepEqual([action, statusQuery.orderId], ['ask_status', 'ORD-1']);
  assert.equal(await cancelled, 'CancelledError');
  assert.deepEqual(received, []);
  const closing = new payorder.Client(slow);
  const finished = closing.createOrder(newOrder(), { signal });
  closing.close();
  assert.ok((await finished).url);
  closing.cancel();
  closing.stop();
  const stopped = call();
  client.stop();
  client.close();
  assert.equal(await stopped, 'CancelledError');
  assert.equal(received.length, 1);
  for (const end of ['cancel', 'stop']) {
    const closed = new payorder.Client({ ...slow, maxCalls: 1 });
    const queued = [newOrder(), newOrder()].map((order) => closed.createOrder(order));
    closed.close();
    closed[end]();
    for (const { reason } of await Promise.allSettled(queued)) {
      assert.match(reason.causeCode, /cancelled|client_stopped/);
    }
  }
  assert.equal(payorder.liveCounters().clients, 0);
});
