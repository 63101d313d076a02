'use strict';
// The journal.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { newOrder, sandbox } = require('./support.js');

const { config, started } = sandbox();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payorder-'));
let client;
before(async () => {
  await started;
  client = new payorder.Client({ ...config, journal: path.join(folder, 'orders.db') });
});
after(() => {
  client.close();
  fs.rmSync(folder, { recursive: true });
});

test('an order is sent once', async () => {
  const order = newOrder();
  const { url } = await client.createOrder(order);
  await assert.rejects(client.createOrder(order), (error) => {
    assert.ok(error instanceof payorder.DuplicateError);
    assert.ok(error instanceof payorder.OutcomeUnknownError);
    assert.equal(error.previous.url, url);
    assert.equal(error.cause, payorder.Cause.ORDER_ALREADY_SENT);
    return true;
  });
});

test('a lost answer is resolved', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:drop-after-commit' });
  await assert.rejects(client.createOrder(order), payorder.ConnectionLostError);
  const [entry] = await client.journal.list({ state: 'unresolved' });
  assert.equal(entry.orderId, order.orderId);
  assert.equal((await client.getStatus(entry)).orderId, order.orderId);
  const { sales } = await client.recover([{ orderId: 'elsewhere', amount: '1' }]);
  assert.equal(sales[0].verdict, 'not_in_journal');
  assert.equal(sales.find(({ orderId }) => orderId === order.orderId).verdict, 'url_lost');
  assert.equal(entry.service, config.baseUrl);
  const { summary, entries } = await client.journal.resolve({ concurrency: 2 });
  assert.ok(summary.asked >= 1);
  assert.deepEqual(entries, []);
  const all = await client.journal.list({ limit: 1 });
  const rest = await client.journal.list({ after: all[0].entry });
  assert.ok(rest.some(({ orderId, state }) => orderId === order.orderId && state === 'created'));
});

test('an entry is settled by hand, and old entries are removed', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:stall-before' });
  await assert.rejects(client.createOrder(order, { timeoutMs: 100 }));
  const [entry] = await client.journal.list({ state: 'unresolved' });
  const settled = await client.journal.settle(entry.entry, { note: 'नकद, cash' });
  assert.deepEqual([settled.state, settled.note], ['settled', 'नकद, cash']);
  await assert.rejects(client.journal.settle(entry.entry), payorder.InvalidArgumentError);
  assert.equal(await client.journal.prune({ olderThanDays: 1 }), 0);
});

test('an order whose outcome is unknown can be sent again', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:drop-before' });
  await assert.rejects(client.createOrder(order), payorder.ConnectionLostError);
  await assert.rejects(client.createOrder(order), payorder.DuplicateError);
  await assert.rejects(client.createOrder(order, { resend: true }), payorder.ConnectionLostError);
});

test('a journal that cannot be used sends nothing', async () => {
  const file = path.join(folder, 'foreign.db');
  fs.writeFileSync(file, 'not a database, but a text that is longer than a header of one');
  const broken = new payorder.Client({ ...config, journal: file });
  await assert.rejects(broken.createOrder(newOrder()), payorder.JournalError);
  broken.close();
  const without = new payorder.Client(config);
  await assert.rejects(without.journal.list(), payorder.InvalidArgumentError);
  without.close();
});
