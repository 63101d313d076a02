'use strict';
// Many statuses, and log events.

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder, requests, until } = require('./support.js');

const orders = [];
let client;
before(async () => {
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

test('a slow loop does not make results pile up', async () => {
  const ids = Array.from({ length: 5000 }, () => orders[0].orderId);
  const results = client.getStatuses(ids, { concurrency: 4 });
  for await (const { index } of results) {
    if (index > 0) break;
    // Until no more queries are sent.
    let before_ = 0;
    while (before_ !== requests().length) {
      before_ = requests().length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  assert.ok(results.summary.asked < 400, `${results.summary.asked} asked`);
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

