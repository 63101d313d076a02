'use strict';
// Calls that are cancelled, and clients that are closed.

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { after, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder, slowService } = require('./support.js');

const client = new payorder.Client(config);
after(() => client.close());

const orders = (count) => Array.from({ length: count }, () => newOrder());

// The ends of calls, and how often each came.
async function ends(calls) {
  const counts = {};
  const names = calls.map((call) => call.then(() => 'created', ({ name }) => name));
  for (const name of await Promise.all(names)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test('calls with one signal are cancelled in the queue, and others are not', async (t) => {
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning));
  const { received, slow } = await slowService(t, 300);
  const queue = new payorder.Client({ ...slow, maxCalls: 1 });
  const { signal } = new AbortController();
  const controller = new AbortController();
  const [first, last] = orders(2);
  const others = [queue.createOrder(first, { signal })];
  const queued = orders(50).map((order) => {
    return queue.createOrder(order, { signal: controller.signal });
  });
  others.push(queue.createOrder(last, { signal }));
  controller.abort();
  for (const call of queued) {
    const error = await call.catch((failed) => failed);
    assert.ok(error instanceof payorder.CancelledError, String(error));
    assert.equal(error.cause, controller.signal.reason);
  }
  assert.deepEqual(await ends(others), { created: 2 });
  assert.deepEqual(received, [first.orderId, last.orderId]);
  // Many calls with one signal are no leak.
  assert.deepEqual(warnings, []);
  queue.close();
});

test('no order leaves after cancel and stop', async (t) => {
  for (const method of ['cancel', 'stop']) {
    const { received, slow } = await slowService(t, 30000);
    const queue = new payorder.Client(slow);
    const calls = orders(200).map((order) => queue.createOrder(order));
    while (received.length < 64) await sleep(10);
    queue[method]();
    const counts = await ends(calls);
    assert.deepEqual(counts, { CancelledInFlightError: 64, CancelledError: 136 }, method);
    assert.equal(received.length, 64, method);
    queue.close();
  }
});

test('the calls in flight of a closed client finish, also in the queue', async (t) => {
  const { received, slow } = await slowService(t, 100);
  const queue = new payorder.Client({ ...slow, maxCalls: 20 });
  const calls = orders(200).map((order) => queue.createOrder(order));
  queue.close();
  await assert.rejects(queue.createOrder(newOrder()), { causeCode: 'client_freed' });
  assert.deepEqual(await ends(calls), { created: 200 });
  assert.equal(received.length, 200);
  await sleep(0);
  assert.equal(payorder.liveCounters().clients, 1);
});

test('an order whose time ends in the queue is not sent', async (t) => {
  const { received, slow } = await slowService(t, 1500);
  const queue = new payorder.Client({ ...slow, maxCalls: 1 });
  const first = newOrder();
  const running = queue.createOrder(first);
  const late = queue.createOrder(newOrder(), { timeoutMs: 500 });
  await assert.rejects(late, { name: 'ConnectError', causeCode: 'queue_timed_out' });
  await running;
  await sleep(100);
  assert.deepEqual(received, [first.orderId]);
  queue.close();
});

test('calls run at the same time, and the event loop goes on', async () => {
  const order = newOrder();
  await client.createOrder(order);
  const begin = Date.now();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  const wait = () => client.waitForPayment(order.orderId, { waitMs: 1000, intervalMs: 60000 });
  await Promise.all(Array.from({ length: 64 }, wait));
  clearInterval(timer);
  assert.ok(Date.now() - begin < 1900, `${Date.now() - begin} ms`);
  assert.ok(ticks > 30, `${ticks} ticks`);
});
