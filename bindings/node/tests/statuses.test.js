'use strict';
// Many statuses, and log events.

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { newOrder, sandbox, until } = require('./support.js');

const { config, started, requests } = sandbox();
const orders = [];
let client;
before(async () => {
  await started;
  client = new payorder.Client(config);
  for (let n = 0; n < 20; n += 1) {
    const order = newOrder();
    await client.createOrder(order);
    orders.push(order);
  }
});
after(() => client.close());

test('each query has its result, and the summary counts them', async () => {
  const queries = [
    ...orders.map((order) => order.orderId),
    'no such order',
    { orderId: '' },
    { statusQuery: { orderId: orders[0].orderId }, mine: true },
  ];
  const results = client.getStatuses(queries, { concurrency: 4 });
  assert.equal(results.summary, null);
  const seen = [];
  for await (const result of results) seen[result.index] = result;
  assert.equal(seen.length, 23);
  for (const [index, order] of orders.entries()) {
    assert.equal(seen[index].status.orderId, order.orderId);
    assert.equal(seen[index].query, order.orderId);
    assert.equal(seen[index].error, null);
  }
  assert.ok(seen[20].error instanceof payorder.RejectedError);
  assert.ok(seen[21].error instanceof payorder.InvalidRequestError);
  assert.ok(seen[22].query.mine);
  const { asked, ok, rejected, notSent, stopped } = results.summary;
  assert.deepEqual({ asked, ok, rejected, notSent, stopped }, {
    asked: 23, ok: 21, rejected: 1, notSent: 1, stopped: false,
  });
});

test('the rate is kept', async () => {
  const ids = orders.slice(0, 6).map((order) => order.orderId);
  const results = client.getStatuses(ids, { concurrency: 8, ratePerSecond: 20 });
  const begin = Date.now();
  for await (const { error } of results) assert.equal(error, null);
  assert.ok(Date.now() - begin >= 240, `${Date.now() - begin} ms`);
});

test('an exception in the loop stops the queries, and arrives unchanged', async () => {
  const ids = Array.from({ length: 5000 }, () => orders[0].orderId);
  const results = client.getStatuses(ids, { concurrency: 1 });
  const mine = new Error('mine');
  await assert.rejects(
    (async () => {
      for await (const { index } of results) if (index === 2) throw mine;
    })(),
    (error) => error === mine,
  );
  assert.ok(results.summary.stopped);
  assert.ok(results.summary.asked < 5000, `${results.summary.asked} asked`);
  await until(() => payorder.liveCounters().calls === 0);
});

test('a slow loop does not make results pile up', async () => {
  const ids = Array.from({ length: 5000 }, () => orders[0].orderId);
  const results = client.getStatuses(ids, { concurrency: 4 });
  for await (const { index } of results) {
    if (index > 0) break;
    // Until no more queries are sent.
    let before_ = 0;
    while (before_ !== requests.length) {
      before_ = requests.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  assert.ok(results.summary.asked < 400, `${results.summary.asked} asked`);
});

test('a signal ends the queries without an exception', async () => {
  const controller = new AbortController();
  const ids = Array.from({ length: 5000 }, () => orders[0].orderId);
  const results = client.getStatuses(ids, { concurrency: 2, signal: controller.signal });
  let seen = 0;
  for await (const { error } of results) {
    seen += 1;
    if (seen === 3) controller.abort();
    if (error) assert.match(error.code, /^PAYORDER_CANCELLED/);
  }
  assert.ok(results.summary.stopped);
  assert.equal(seen, results.summary.asked);
});

test('results can be read once, and bad options are refused', async () => {
  const results = client.getStatuses([]);
  for await (const one of results) assert.fail(one);
  assert.equal(results.summary.asked, 0);
  await assert.rejects(results[Symbol.asyncIterator]().next(), /only once/);
  const wrong = client.getStatuses(['O'], { concurrency: 0 });
  await assert.rejects(wrong[Symbol.asyncIterator]().next(), payorder.InvalidArgumentError);
  for await (const { error } of client.getStatuses(['O\ud800'])) {
    assert.ok(error instanceof payorder.InvalidArgumentError);
  }
});

test('log events arrive before the result, without personal data', async () => {
  const events = [];
  const logged = new payorder.Client({ ...config, log: (event) => events.push(event) });
  const order = newOrder();
  await logged.createOrder(order);
  const names = events.map(({ event }) => event);
  assert.deepEqual(names, ['attempt_started', 'attempt_finished', 'call_finished']);
  assert.equal(events[0].orderId, order.orderId);
  assert.doesNotMatch(JSON.stringify(events), /Asha|sandbox-access-token/);
  await Promise.all(orders.map((one) => logged.getStatus(one.orderId)));
  assert.equal(events.filter(({ event }) => event === 'call_finished').length, 21);
  logged.close();
});

test('a log function that throws does not harm the order', async () => {
  const warnings = [];
  const listen = (warning) => warnings.push(warning.message);
  process.on('warning', listen);
  const log = () => {
    throw new Error('the disk is full');
  };
  const logged = new payorder.Client({ ...config, log });
  assert.ok((await logged.createOrder(newOrder())).url);
  logged.close();
  await new Promise(setImmediate);
  process.off('warning', listen);
  assert.match(warnings[0], /the disk is full/);
});
