'use strict';
// Many statuses, and log events.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder, requests, run } = require('./support.js');

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

test('an error of the program itself counts as not sent', async () => {
  const mine = new Error('mine');
  const odd = { get statusQuery() { throw mine; } };
  const results = client.getStatuses([odd, order.orderId]);
  const seen = [];
  for await (const { index, error } of results) seen[index] = error;
  assert.deepEqual(seen, [mine, null]);
  const { asked, ok, notSent } = results.summary;
  assert.deepEqual([asked, ok, notSent, 'undefined' in results.summary], [2, 1, 1, false]);
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

test('a loop that ends early closes what gives the queries', async () => {
  let closed = 0;
  function* queries() {
    try {
      while (true) yield order.orderId;
    } finally {
      closed += 1;
    }
  }
  for await (const { status } of client.getStatuses(queries())) {
    assert.ok(status);
    break;
  }
  assert.equal(closed, 1);
  const stop = new AbortController();
  for await (const one of client.getStatuses(queries(), { signal: stop.signal })) stop.abort(one);
  assert.equal(closed, 2);
});

test('a text is not many queries', async () => {
  const results = client.getStatuses(order.orderId)[Symbol.asyncIterator]();
  await assert.rejects(results.next(), payorder.InvalidArgumentError);
});

test('a loop ends early when its client is closed, after the queries in flight', async () => {
  const ids = Array.from({ length: 50 }, () => order.orderId);
  const closed = new payorder.Client(config);
  const results = closed.getStatuses(ids, { concurrency: 2, ratePerSecond: 10 });
  for await (const { status } of results) {
    assert.ok(status);
    closed.close();
  }
  const { asked, ok, stopped } = results.summary;
  assert.ok(stopped && asked < 4 && asked === ok, JSON.stringify(results.summary));
  // The service asks for a pause of minutes.
  const program = `
    const { Client } = require('payorder');
    const service = require('node:http').createServer((request, response) => {
      response.writeHead(429, { 'retry-after': '400' }).end('{"responseCode":"429"}');
    });
    service.listen(0, '127.0.0.1', async () => {
      const baseUrl = 'http://127.0.0.1:' + service.address().port;
      const client = new Client({ ...JSON.parse(process.argv[1]), baseUrl, timeoutMs: 1000 });
      const results = client.getStatuses(['O-1', 'O-2'], { concurrency: 1 });
      for await (const { error } of results) {
        setTimeout(() => client.close());
        service.close();
        service.closeAllConnections();
      }
      console.log(results.summary.stopped);
    });
  `;
  const { status, output } = await run(program, config);
  assert.deepEqual([status, output], [0, 'true\n']);
});

test('results can be read once', async () => {
  const results = client.getStatuses([]);
  assert.equal(results.summary, null);
  for await (const one of results) assert.fail(one);
  await assert.rejects(results[Symbol.asyncIterator]().next(), /only once/);
});

test('a log function that fails, also later, does not end the program', async () => {
  const program = `
    const [config, ...orders] = process.argv.slice(1).map(JSON.parse);
    const payorder = require('payorder');
    const odd = Object.create(null);
    const logs = [async () => { throw new Error('later'); }, () => { throw Symbol('at once'); },
      async () => { throw odd; }, () => { throw odd; }];
    const created = logs.map((log, n) =>
      new payorder.Client({ ...config, log }).createOrder(orders[n]));
    Promise.all(created).then(() => console.log('created'));
  `;
  const { status, output } = await run(program, config, ...[1, 2, 3, 4].map(() => newOrder()));
  assert.equal(status, 0, output);
  assert.match(output, /^created$/m);
  assert.match(output, /failed: what it threw has no text/);
  assert.match(output, /failed: later/);
  assert.match(output, /failed: Symbol\(at once\)/);
});

test('a log function sees the AsyncLocalStorage of the call', async () => {
  const request = new AsyncLocalStorage();
  const seen = new Set();
  const logged = new payorder.Client({
    ...config,
    log: ({ operation, tag }) => seen.add([request.getStore(), operation, tag].join()),
  });
  const mine = { tag: 'mine', intervalMs: 50, waitMs: 300 };
  await Promise.all([
    request.run('create', () => logged.createOrder(newOrder())),
    // It ends before the next call with its tag.
    request.run('wait', () => logged.getStatus(order.orderId, { tag: 'mine' })),
    request.run('wait', () => logged.waitForPayment(order.orderId, mine)),
    // All queries have one tag, and each may end last.
    request.run('many', async () => {
      const ids = Array(3).fill(order.orderId);
      for (let trial = 0; trial < 30; trial += 1) {
        for await (const { status } of logged.getStatuses(ids, { tag: 'many' })) assert.ok(status);
      }
    }),
  ]);
  logged.close();
  const expected = [
    'create,create_order,',
    'many,get_status,many',
    'many,get_statuses,many',
    'wait,get_status,mine',
    'wait,wait_for_payment,mine',
  ];
  assert.deepEqual([...seen].sort(), expected);
});

test('calls that run at once with one tag keep their AsyncLocalStorage', async () => {
  const request = new AsyncLocalStorage();
  const seen = new Set();
  const logged = new payorder.Client({
    ...config,
    log: ({ orderId, tag }) => seen.add([request.getStore(), orderId, tag].join()),
  });
  const orders = [newOrder(), newOrder()];
  await Promise.all(orders.map((one) => client.createOrder(one)));
  const mine = { tag: '"mine"', intervalMs: 50, waitMs: 300 };
  const ids = orders.map((one) => one.orderId);
  await Promise.all(ids.map((id) => request.run(id, () => logged.waitForPayment(id, mine))));
  logged.close();
  assert.deepEqual([...seen].sort(), ids.map((id) => `${id},${id},"mine"`).sort());
});
