'use strict';
// Many statuses, and log events.

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder, requests } = require('./support.js');

const client = new payorder.Client(config);
const order = newOrder();
before(() => client.createOrder(order));
after(() => client.close());

test('each result has the query that was given, also one that cannot be sent', async () => {
  const mine = { statusQuery: { orderId: order.orderId } };
  const seen = [];
  for await (const result of client.getStatuses([mine, 'O\ud800'])) seen[result.index] = result;
  assert.equal(seen[0].query, mine);
  assert.equal(seen[0].status.orderId, order.orderId);
  assert.ok(seen[1].error instanceof payorder.InvalidArgumentError);
});

test('a slow loop does not make results pile up', async () => {
  const ids = Array.from({ length: 5000 }, () => order.orderId);
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

test('results can be read once', async () => {
  const results = client.getStatuses([]);
  assert.equal(results.summary, null);
  for await (const one of results) assert.fail(one);
  await assert.rejects(results[Symbol.asyncIterator]().next(), /only once/);
});
