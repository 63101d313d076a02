'use strict';
// Calls that are cancelled, and clients that are closed.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { after, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder } = require('./support.js');

const client = new payorder.Client(config);
after(() => client.close());

const failed = (promise) => promise.then(() => assert.fail('it succeeded'), (error) => error);

test('a call that waits for its turn can be cancelled, and others are not delayed', async () => {
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning));
  const controller = new AbortController();
  const { signal } = controller;
  const order = newOrder();
  await client.createOrder(order);
  // More waits than can run at the same time.
  const waits = Array.from({ length: 120 }, () =>
    failed(client.waitForPayment(order.orderId, { intervalMs: 60000, signal })),
  );
  assert.ok((await client.createOrder(newOrder())).url);
  controller.abort();
  const errors = await Promise.all(waits);
  const early = errors.filter((error) => error instanceof payorder.CancelledError);
  assert.ok(errors.every(({ cause }) => cause === signal.reason));
  assert.ok(early.some((error) => /before the call began/.test(error.message)));
  // Many calls with one signal are no leak.
  assert.deepEqual(warnings, []);
});

test('the process can exit during a call, and the journal knows the order', async () => {
  const fs = require('node:fs');
  const folder = fs.mkdtempSync(`${require('node:os').tmpdir()}/payorder-`);
  const journal = `${folder}/orders.db`;
  const order = newOrder({ productInfo: 'Tea sandbox:stall' });
  const program = `
    const { Client } = require('payorder');
    const config = JSON.parse(process.argv[1]);
    const client = new Client(config);
    client.createOrder(JSON.parse(process.argv[2]));
    setTimeout(() => process.exit(7), 500);
  `;
  const begin = Date.now();
  const args = ['-e', program, JSON.stringify({ ...config, journal }), JSON.stringify(order)];
  const ended = spawnSync(process.execPath, args, { cwd: __dirname, encoding: 'utf8' });
  assert.equal(ended.status, 7, ended.stderr);
  assert.ok(Date.now() - begin < 15000, 'it ends long before the time limit of the call');
  const later = new payorder.Client({ ...config, journal });
  const [entry] = await later.journal.list();
  assert.deepEqual([entry.orderId, entry.state], [order.orderId, 'unknown']);
  const { entries } = await later.journal.resolve();
  assert.deepEqual(entries, []);
  later.close();
  fs.rmSync(folder, { recursive: true });
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
