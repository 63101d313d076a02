'use strict';
// What JavaScript adds to results and errors. The conformance suite has the rest.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');
const { format, inspect } = require('node:util');
const { runInNewContext } = require('node:vm');
const payorder = require('payorder');
const { config, newOrder, requests } = require('./support.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payorder-'));
const client = new payorder.Client(config);
after(() => {
  client.close();
  fs.rmSync(folder, { recursive: true });
});

const failure = (promise) => promise.then(() => assert.fail('it succeeded'), (error) => error);

test('an error has the name of its class, and is complete as JSON', async () => {
  const error = await failure(client.createOrder(newOrder({ productInfo: 'sandbox:reject' })));
  assert.equal(error.name, 'RejectedError');
  assert.match(error.stack, /^RejectedError: .*the service says: The order was refused/);
  const { name, message, code, outcome, causeCode } = JSON.parse(JSON.stringify(error));
  assert.equal(message, error.message);
  assert.deepEqual([name, code], ['RejectedError', 'PAYORDER_REJECTED']);
  assert.deepEqual([outcome, causeCode], ['rejected', payorder.Cause.SERVICE_REFUSED]);
  assert.equal(error.cause, undefined);
});

test('getStatus asks about the order of an error, as often as it fails', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:drop-after-commit' });
  const lost = await failure(client.createOrder(order));
  const failed = await failure(client.getStatus(lost, { clientKey: 'wrong' }));
  assert.ok(failed instanceof payorder.UnauthorizedError, failed.stack);
  assert.equal((await client.getStatus(failed)).orderId, order.orderId);
  const early = await failure(client.getStatus(order.orderId, { signal: AbortSignal.abort() }));
  assert.ok(early instanceof payorder.CancelledError);
  assert.equal((await client.getStatus(early)).orderId, order.orderId);
  const half = { aborted: false, addEventListener() {} };
  const none = await failure(client.getStatus(order.orderId, { signal: half }));
  assert.match(none.message, /`signal` must be an AbortSignal/);
  const deaf = { ...half, addEventListener() { throw null; }, removeEventListener() {} };
  for (let trial = 0; trial < 2; trial += 1) {
    const unheard = await failure(client.createOrder(newOrder(), { signal: deaf }));
    assert.ok(unheard instanceof payorder.NotSentError, String(unheard));
    assert.match(unheard.message, /the signal takes no listener; nothing was sent/);
  }
  const stuck = { ...half, removeEventListener() { throw new Error('stuck'); } };
  assert.equal((await client.getStatus(order.orderId, { signal: stuck })).orderId, order.orderId);
  const unsent = await failure(client.createOrder({}));
  const refused = await failure(client.getStatus(unsent));
  assert.ok(refused instanceof payorder.InvalidArgumentError);
  assert.match(refused.message, /names no order: give getStatus the order id; nothing was sent/);
});

test('tests can make results without a service', () => {
  const data = { orderId: 'O-1', amount: '1.00', transactionStatus: 'Completed' };
  const status = payorder.Status.fromJson({ responseCode: '200', data });
  assert.deepEqual([status.orderId, status.completed, status.payMode], ['O-1', true, '']);
  const expected = { orderId: 'O-1', amount: '1' };
  assert.ok(payorder.verifyPayment(expected, status).paid);
  const early = { responseCode: '200', data: { transactionDate: '11/01/2026 02:05:06 PM' } };
  expected.notBefore = new Date('2026-11-27T01:00:00+05:30');
  const { reasons } = payorder.verifyPayment(expected, early);
  assert.ok(reasons.some(({ expected: began }) => began === '2026-11-26T19:30:00.000Z'));
  const dated = { data, derived: { transactionDate: '2026-11-01T14:05:06' } };
  const both = ['11/01/2026 02:05:06 PM', '2026-11-01T14:05:06'];
  const undated = { ...early, derived: { transactionDate: null } };
  const exact = '{"data":{"amount":100.00}}';
  assert.equal(payorder.Status.fromJson(exact).raw, exact);
  for (const given of [dated, early, undated]) {
    const { Status, Waited, PayorderError } = payorder;
    for (const made of [
      Status.fromJson(given),
      Status.fromJson(JSON.stringify(given)),
      Waited.fromJson({ status: given }).status,
      PayorderError.fromJson({ error: { result: 202, status: given } }).status,
    ]) {
      assert.deepEqual([made.transactionDateText, made.transactionDate], both);
      const checks = payorder.verifyPayment(expected, made).reasons.map(({ check }) => check);
      assert.ok(checks.includes('transactionDate'));
    }
  }
  const url = 'https://pay.example.com/1';
  assert.equal(payorder.Checkout.fromJson(`{"data":{"url":"${url}"}}`).url, url);
  assert.throws(() => payorder.PayorderError.fromJson({ error: { result: 206 } }), /`previous`/);
  const previous = { orderId: 'O-1', state: 'created', url };
  const twice = { result: 206, message: 'twice', previous };
  const made = payorder.PayorderError.fromJson({ error: twice });
  delete previous.url;
  assert.equal(payorder.PayorderError.fromJson({ error: twice }).action, 'ask_status');
  assert.ok(made instanceof payorder.DuplicateError);
  assert.deepEqual([made.message, made.outcome], ['twice', 'unknown']);
  assert.deepEqual([made.causeCode, made.action], ['order_already_sent', 'use_previous']);
  assert.deepEqual(made.statusQuery, { searchType: '1', orderId: 'O-1' });
  const timeout = { result: payorder.Result.TIMEOUT };
  const waited = payorder.Waited.fromJson({ timedOut: true, polls: 2, error: timeout });
  assert.deepEqual([waited.timedOut, waited.polls, waited.status], [true, 2, null]);
  assert.equal(waited.error.action, payorder.Action.ASK_STATUS);
  const paid = payorder.Waited.fromJson({ final: true, polls: 1, status: { data } });
  assert.deepEqual([paid.final, paid.status.orderId, paid.error], [true, 'O-1', null]);
  assert.throws(() => payorder.Waited.fromJson({ final: false }), TypeError);
  // More than the library's functions for JSON read.
  const long = { responseMessage: 'x'.repeat(2 ** 24), data };
  for (const end of [{ status: long }, { error: { ...timeout, status: long } }]) {
    const { status: seen, error } = payorder.Waited.fromJson(end);
    assert.equal((seen ?? error.status).orderId, 'O-1');
  }
  const later = payorder.PayorderError.fromJson({ error: { result: 99 } });
  assert.ok(later instanceof payorder.NotSentError);
});

test('a payment is verified from a status, and never taken from something else', async () => {
  const data = { orderId: 'O-1', amount: '1.00', transactionStatus: 'Completed' };
  const response = { responseCode: '200', data };
  const expected = { orderId: 'O-1', amount: '1' };
  const { Status, Waited, UnusableTextError } = payorder;
  const status = Status.fromJson(response);
  const file = require.resolve('../src/results.js');
  const loaded = require.cache[file];
  delete require.cache[file];
  const another = require('../src/results.js').Status.fromJson(response);
  require.cache[file] = loaded;
  assert.ok(!(another instanceof Status));
  for (const right of [status, another, status.raw, response]) {
    assert.ok(payorder.verifyPayment(expected, right).paid);
  }
  const copies = [{ ...status }, structuredClone(status), JSON.parse(JSON.stringify(status))];
  const waited = Waited.fromJson({ final: true, polls: 1, status: response });
  for (const wrong of [...copies, waited, Promise.resolve(status), [status], { data: null }, null]) {
    const failed = () => payorder.verifyPayment(expected, wrong);
    assert.throws(failed, (error) => {
      return error instanceof UnusableTextError && /await.* `status` of a Waited/.test(error.message);
    });
  }
});

test('nothing prints credentials or the data of a customer', async () => {
  const order = newOrder();
  await client.createOrder(order);
  const status = await client.getStatus(order.orderId);
  assert.equal(status.customerName, 'Asha Rao');
  const waited = payorder.Waited.fromJson(`{"polls":1,"status":${status.raw}}`);
  assert.match(waited.raw, /Asha Rao/);
  const error = { result: 202, responseBody: 'Asha Rao' };
  const made = payorder.PayorderError.fromJson({ error });
  assert.match(made.responseBody + made.raw, /Asha Rao.*Asha Rao/);
  const whole = await failure(client.getStatus(order));
  assert.equal((await client.getStatus(whole)).orderId, order.orderId);
  for (const one of [client, client.journal, status, waited, made, whole]) {
    const printed = inspect(one, { depth: 10, showHidden: true }) + JSON.stringify({ ...one }) + format('%o %j', one, one);
    assert.doesNotMatch(printed, /Asha|9000000001|asha@|sandbox-/);
  }
});

test('values that are not JSON are refused, and decimal objects are amounts', async () => {
  const order = newOrder({ amount: { toJSON: () => '249.50' } });
  await client.createOrder(order);
  assert.equal((await client.getStatus(order.orderId)).amount, '249.50');
  const circular = {};
  circular.circular = circular;
  const broken = { get productInfo() { throw null; } };
  for (const wrong of [undefined, circular, broken, newOrder({ productInfo: '\\\\\ud83d' })]) {
    const error = await failure(client.createOrder(wrong));
    assert.ok(error instanceof payorder.InvalidArgumentError, error.stack);
  }
  const escaped = newOrder({ productInfo: 'a\\u0000b \\\\ud800' });
  assert.equal(JSON.parse(payorder.buildCreateOrder(escaped)).productInfo, escaped.productInfo);
  const rounded = { data: { amount: 0.1 } };
  assert.throws(
    () => payorder.verifyPayment({ orderId: 'O', amount: '1' }, rounded),
    payorder.UnusableTextError,
  );
});

test('arguments of a wrong kind are not sent', async () => {
  const order = newOrder();
  const wrong = { signal: new AbortController() };
  const { InvalidArgumentError, InvalidConfigError } = payorder;
  for (const options of [null, 7, 'text', wrong, { signal: 'now' }, { signal: new EventTarget() }]) {
    const calls = [client.createOrder(order, options), client.journal.list(options)];
    calls.push(client.getStatuses([], options)[Symbol.asyncIterator]().next());
    for (const call of calls) assert.ok((await failure(call)) instanceof InvalidArgumentError);
  }
  const none = client.getStatuses(7)[Symbol.asyncIterator]().next();
  assert.ok((await failure(none)) instanceof InvalidArgumentError);
  for (const given of [null, 7, { ...config, log: 'console' }]) {
    assert.throws(() => new payorder.Client(given), InvalidConfigError);
  }
  const unused = { signal: null };
  assert.ok((await client.createOrder(order, unused)).url);
  assert.equal(payorder.liveCounters().clients, 1);
});

test('an object whose fields are not its own has no options', async () => {
  const { InvalidArgumentError, InvalidConfigError } = payorder;
  const order = newOrder();
  const map = new Map([['timeoutMs', 1]]);
  const getters = new (class { get timeoutMs() { return 1; } })();
  const { signal } = new AbortController();
  const others = [signal, new Date(), Promise.resolve(), getters, Object.create({ timeoutMs: 1 })];
  for (const wrong of [map, new Set(), [], new Headers({ a: 'b' }), ...others]) {
    for (const call of [
      () => client.createOrder(order, { extraFields: wrong }),
      () => client.createOrder(order, { headers: wrong }),
      () => client.createOrder(wrong),
      () => client.createOrder(order, wrong),
      () => client.getStatuses([], wrong)[Symbol.asyncIterator]().next(),
      () => client.journal.settle(1, wrong),
    ]) {
      const error = await failure(call());
      assert.ok(error instanceof InvalidArgumentError, `${call}: ${error.stack}`);
      assert.doesNotMatch(error.message, /no journal/);
    }
    for (const make of [() => new payorder.Client(wrong), () => payorder.Client.fromEnv(wrong)]) {
      assert.throws(make, InvalidConfigError);
    }
  }
  const refused = await failure(client.createOrder(order, signal));
  assert.match(refused.message, /pass a signal as \{ signal \}; nothing was sent/);
  const nested = { extraFields: { later: [map] } };
  const error = await failure(client.createOrder(order, nested));
  assert.match(error.message, /a Map has no fields of its own; nothing was sent/);
  assert.throws(() => payorder.buildCreateOrder(order, nested), payorder.UnusableTextError);
  assert.ok(!requests().some((line) => line.includes(order.orderId)));
  assert.ok((await client.createOrder(order, Object.create(null))).url);
  assert.ok((await client.createOrder(newOrder(), runInNewContext('({ timeoutMs: 9000 })'))).url);
});

test('undefined is no credential, and no value that may be left out', async () => {
  const { Client, InvalidArgumentError, InvalidConfigError } = payorder;
  const order = newOrder();
  for (const key of ['accessToken', 'clientKey', 'clientId', 'secretKey']) {
    const missing = { [key]: new Map().get('M-2') };
    const error = await failure(client.createOrder(order, missing));
    assert.ok(error instanceof InvalidArgumentError, String(error));
    assert.match(error.message, new RegExp(`\`${key}\` is undefined; nothing was sent`));
    assert.throws(() => client.setCredentials(missing), InvalidArgumentError);
    assert.throws(() => new Client({ ...config, ...missing }), InvalidConfigError);
    assert.throws(() => Client.fromEnv(missing), InvalidConfigError);
  }
  assert.throws(() => client.setCredentials({}), InvalidArgumentError);
  for (const lost of [undefined, () => '7', Symbol('7')]) {
    for (const key of ['headers', 'extraFields']) {
      const error = await failure(client.createOrder(order, { [key]: { storeId: lost } }));
      assert.match(error.message, /`storeId` is (undefined|a function|a symbol); nothing was sent/);
    }
  }
  for (const lost of [() => '7', Symbol('7')]) {
    const error = await failure(client.createOrder(order, { timeoutMs: lost }));
    assert.match(error.message, /`timeoutMs` is a (function|symbol); nothing was sent/);
    for (const more of [{ journal: lost }, { tls: { caFile: lost } }, { checkoutHosts: [lost] }]) {
      assert.throws(() => new Client({ ...config, ...more }), InvalidConfigError);
    }
  }
  assert.ok(!requests().some((line) => line.includes(order.orderId)));
  const data = { orderId: 'O-1', amount: '1.00', transactionStatus: 'Completed' };
  for (const key of ['notBefore', 'transactionId']) {
    const expected = { orderId: 'O-1', amount: '1', [key]: undefined };
    const verify = () => payorder.verifyPayment(expected, { responseCode: '200', data });
    assert.throws(verify, payorder.UnusableTextError);
  }
});

test('an entry of the journal is a query and a sale, also a copy of it', async () => {
  const till = new payorder.Client({ ...config, journal: path.join(folder, 'orders.db') });
  await till.createOrder(newOrder());
  const [entry] = await till.journal.list();
  for (const one of [entry, { ...entry }, structuredClone(entry), JSON.parse(JSON.stringify(entry))]) {
    assert.equal((await till.getStatus(one)).orderId, entry.orderId);
    const { sales } = await till.recover([one]);
    assert.deepEqual([sales[0].orderId, sales[0].amount], [entry.orderId, entry.amount]);
    assert.equal((await till.recover(sales)).sales[0].orderId, entry.orderId);
  }
  // Not dropped silently.
  const dated = { orderId: entry.orderId, amount: entry.amount, notBefore: new Date() };
  assert.ok((await failure(till.recover([dated]))) instanceof payorder.InvalidRequestError);
  till.close();
});

test('a result that JavaScript cannot parse keeps its checkout URL', () => {
  const { errorFrom } = require('../src/errors.js');
  const parse = JSON.parse;
  JSON.parse = () => {
    throw new RangeError('out of memory');
  };
  try {
    const url = 'https://x.example/1';
    const raw = `{"data":{"url":"${url}"},"later":12345678901234567890.10}`;
    const checkout = payorder.Checkout.fromJson(raw);
    assert.deepEqual([checkout.url, checkout.raw], [url, raw]);
    const error = errorFrom(201, '{"error":{"name":"N","outcome":"unknown","message":"m"}}');
    assert.ok(error instanceof payorder.ConnectionLostError);
    assert.deepEqual([error.result, error.outcome, error.message], [201, 'unknown', 'm']);
  } finally {
    JSON.parse = parse;
  }
});

test('both kinds of modules export the same', async () => {
  const required = Object.keys(require('payorder')).sort();
  const imported = Object.keys(await import('payorder')).sort();
  assert.deepEqual(imported, required);
});
