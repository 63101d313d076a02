'use strict';
// The end of the process and of worker threads, and what keeps them alive.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder, run, slowService } = require('./support.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payorder-'));
after(() => fs.rmSync(folder, { recursive: true }));

const orders = (count) => Array.from({ length: count }, () => newOrder());

// A program for run(). Its arguments are the configuration, orders and a text.
const OPEN = `
  const { Client } = require('payorder');
  const [config, orders, text] = process.argv.slice(-3).map((given) => JSON.parse(given));
  const client = new Client(config);
`;
const SEND = `${OPEN} for (const order of orders) client.createOrder(order).catch(() => {});`;

// The program in a worker of another program, which calls it `worker`.
const inWorker = (program) => `
  const { Worker } = require('node:worker_threads');
  const given = { eval: true, argv: process.argv.slice(-3) };
  const worker = new Worker(${JSON.stringify(program)}, given);
`;
const PLACES = [['the main thread', (program) => program], ['a worker', inWorker]];

test('process.exit sends nothing more, and the journal has each order that was sent', async (t) => {
  const program = `${SEND} setTimeout(() => process.exit(7), 1200);`;
  // A busy machine may have no time to record anything: it has several tries.
  let states = new Map();
  for (let trial = 0; trial < 5 && ![...states.values()].includes('unknown'); trial += 1) {
    const { received, slow } = await slowService(t, 30000);
    const journaled = { ...slow, journal: path.join(folder, `orders-${trial}.db`) };
    const begin = Date.now();
    const { status, output } = await run(program, journaled, orders(100), '');
    assert.equal(status, 7, output);
    assert.ok(Date.now() - begin < 10000, 'it ends long before the time limit of the calls');
    const client = new payorder.Client(journaled);
    const entries = await client.journal.list();
    client.close();
    states = new Map(entries.map(({ orderId, state }) => [orderId, state]));
    assert.ok(received.length > 0 && received.length <= 64, `${received.length} were sent`);
    assert.ok(received.every((orderId) => states.has(orderId)));
  }
  assert.ok([...states.values()].includes('unknown'), 'it records what is known');
});

for (const [place, placed] of PLACES) {
  test(`an exit listener of the program sends no order: ${place}`, async (t) => {
    const { received, slow } = await slowService(t, 30000);
    const listen = `
      process.on('exit', () => client.createOrder(orders[0]).catch(({ name, message }) => {
        require('node:fs').writeSync(1, name + ': ' + message);
      }));
    `;
    for (const program of [listen + OPEN, OPEN + listen]) {
      const { status, output } = await run(placed(program), slow, orders(1), '');
      assert.equal(status, 0, output);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual(received, []);
      assert.match(output, /InternalError: .*the process is exiting; nothing was sent/);
    }
  });
}

// As Jest does for each file, and vi.resetModules().
test('a package that is loaded again and again listens for the exit once', async (t) => {
  const { received, slow } = await slowService(t, 30000);
  const program = `
    const [config, orders] = process.argv.slice(-2).map((given) => JSON.parse(given));
    const source = require('node:path').dirname(require.resolve('payorder'));
    const before = process.listenerCount('exit');
    const clients = orders.map((order) => {
      for (const key of Object.keys(require.cache)) {
        if (key.startsWith(source)) delete require.cache[key];
      }
      const { Client } = require('payorder');
      const client = new Client(config);
      client.createOrder(order).catch(() => {});
      return client;
    });
    console.log(process.listenerCount('exit') - before);
    process.on('exit', () => {
      // Each call was given 200 ms to end.
      console.log(require('payorder').liveCounters().calls < 6);
      for (const client of clients) client.createOrder(orders[0]).catch(() => {});
    });
    setTimeout(() => process.exit(7), 500);
  `;
  const { status, output } = await run(program, slow, orders(12));
  assert.equal(status, 7, output);
  assert.equal(output, '1\ntrue\n');
  assert.equal(received.length, 12);
});

for (const end of ['terminate', 'exit', 'throw']) {
  test(`the process outlives a worker that ends during calls: ${end}`, async (t) => {
    const { received, slow } = await slowService(t, 1500);
    // Also with a log function, which cannot be called once the worker has ended.
    const worker = inWorker(`
      ${SEND.replace('(config)', '({ ...config, log: () => {} })')}
      setTimeout(() => {
        if (text === 'exit') process.exit(1);
        if (text === 'throw') throw new Error('planted');
        require('node:worker_threads').parentPort.postMessage('');
      }, 400);
    `);
    const program = `
      ${worker}
      const { liveCounters } = require('payorder');
      worker.on('message', () => worker.terminate());
      worker.on('error', () => {});
      worker.on('exit', async () => {
        while (liveCounters().calls > 0) await new Promise((resolve) => setTimeout(resolve, 10));
        console.log(JSON.stringify(liveCounters()));
      });
    `;
    const { status, signal, output } = await run(program, slow, orders(200), end);
    assert.deepEqual([status, signal], [0, null], output);
    assert.match(output, /the log function is not called in a worker thread/);
    assert.match(output, /^\{"clients":0,"strings":0,"calls":0\}$/m);
    assert.ok(received.length > 0 && received.length <= 64, `${received.length} were sent`);
  });
}

for (const [place, placed] of PLACES) {
  test(`timers that a test replaces do not matter: ${place}`, async () => {
    const program = `
      ${OPEN}
      for (const timers of [globalThis, require('node:timers')]) {
        for (const name of ['setTimeout', 'setInterval', 'setImmediate']) timers[name] = () => {};
      }
      let now = 0;
      performance.now = () => (now += 60000);
      const { signal } = new AbortController();
      const calls = [client.createOrder(orders[0]), client.createOrder(orders[1], { signal })];
      Promise.all(calls).then(async () => {
        console.log('created');
        performance.now = () => 0;
        const ids = [orders[0].orderId, orders[1].orderId];
        for await (const { status } of client.getStatuses(ids, { ratePerSecond: 10 })) {
          console.log(status.amount);
        }
      });
    `;
    const { output } = await run(placed(program), { ...config, timeoutMs: 9000 }, orders(2), '');
    assert.equal(output, 'created\n100.00\n100.00\n');
  });

  const skip = process.platform !== 'linux';
  test(`calls keep a thread alive, and an idle client does not: ${place}`, { skip }, async (t) => {
    const { slow } = await slowService(t, 500);
    // How often the thread went to sleep in half a second without calls.
    const program = `
      ${OPEN}
      const status = () => require('node:fs').readFileSync('/proc/thread-self/status', 'utf8');
      const sleeps = () => /^voluntary_ctxt_switches:\\s+(\\d+)/m.exec(status())[1];
      client.createOrder(orders[0]).then(() => setTimeout(() => {
        const before = sleeps();
        setTimeout(() => console.log(sleeps() - before), 500);
      }, 100));
    `;
    const { status, output } = await run(placed(program), slow, orders(1), '');
    assert.equal(status, 0, output);
    assert.match(output, /^\d\n$/);
  });
}

test('the service sees the idle connections of an open client closed', async (t) => {
  const { server, slow } = await slowService(t, 0);
  server.keepAliveTimeout = 0;
  const connected = once(server, 'connection');
  const client = new payorder.Client({ ...slow, maxIdleMs: 100 });
  t.after(() => client.close());
  await client.createOrder(newOrder());
  const [connection] = await connected;
  // Neither the timer of the client nor that of the server keeps the process alive.
  if (!connection.closed) await once(connection, 'close', { signal: AbortSignal.timeout(30000) });
});
