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

test('each query has its result under its index, with the object that was given', async () => {
  const mine = { statusQuery: { orderId: order.orderId } };
  const queries = [order.orderId, 'no such order', { orderId: '' }, mine, 'O\ud800'];
  const results = client.getStatuses(queries, { concurrency: 4 });
  assert.equal(results.summary, null);
  const seen = [];
  for await (const result of results) seen[result.index] = result;
  assert.deepEqual(seen.map(({ query }) => query), queries);
  assert.equal(seen[3].query, mine);
  assert.deepEqual([seen[0].status.orderId, seen[0].error], [order.orderId, null]);
  const { RejectedError, InvalidRequestError, InvalidArgumentError } = payorder;
  assert.ok(seen[1].error instanceof RejectedError);
  assert.ok(seen[2].error instanceof InvalidRequestError);
  assert.ok(seen[4].error instanceof InvalidArgumentError);
  const { asked, ok, rejected, notSent, stopped } = results.summary;
  assert.deepEqual([asked, ok, rejected, notSent, stopped], [5, 2, 1, 2, false]);
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

test('results can be read once, and bad options are refused', async () => {
  const results = client.getStatuses([]);
  for await (const one of results) assert.fail(one);
  assert.equal(results.summary.asked, 0);
  await assert.rejects(results[Symbol.asyncIterator]().next(), /only once/);
  const wrong = client.getStatuses(['O'], { concurrency: 0 });
  await assert.rejects(wrong[Symbol.asyncIterator]().next(), payorder.InvalidArgumentError);
});

