'use strict';
// Calls with a signal. The conformance suite cancels, stops and closes clients.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const payorder = require('payorder');
const { newOrder, slowService } = require('./support.js');

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
