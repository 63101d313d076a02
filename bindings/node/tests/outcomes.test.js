'use strict';
// Each outcome is an error of its class, with everything that the library says.

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { newOrder, press, sandbox } = require('./support.js');

const { config, started } = sandbox();
let client;
before(async () => {
  await started;
  client = new payorder.Client(config);
});
after(() => client.close());

async function failure(promise) {
  return promise.then(
    (value) => assert.fail(`it succeeded: ${JSON.stringify(value)}`),
    (error) => error,
  );
}

test('a sale from the order to the verified payment', async () => {
  const order = newOrder();
  const checkout = await client.createOrder(order);
  assert.match(checkout.url, /\/checkout\/\d+$/);
  assert.equal(JSON.parse(checkout.raw).data.url, checkout.url);

  const pending = await client.getStatus(order.orderId);
  assert.equal(pending.transactionStatus, 'Pending');
  assert.equal(pending.completed, false);
  const { orderId } = order;
  assert.equal(payorder.verifyPayment({ orderId, amount: '100' }, pending).paid, false);

  const returned = payorder.parseReturnUrl(await press(checkout.url, 'pay'));
  const waited = await client.waitForPayment(returned);
  assert.deepEqual([waited.final, waited.timedOut, waited.error], [true, false, null]);
  assert.equal(waited.status.transactionId, returned.transactionId);
  assert.match(waited.status.transactionDate, /^\d{4}-\d\d-\d\dT/);
  assert.equal(payorder.verifyPayment({ orderId, amount: '100' }, waited.status).paid, true);
  const wrong = payorder.verifyPayment({ orderId, amount: '99' }, waited.status.raw);
  assert.equal(wrong.paid, false);
  assert.deepEqual(wrong.reasons, [{ check: 'amount', expected: '99', actual: '100.00' }]);
});

test('a wait that runs out of time says so', async () => {
  const order = newOrder();
  await client.createOrder(order);
  const waited = await client.waitForPayment(order.orderId, { waitMs: 100, intervalMs: 20 });
  assert.deepEqual([waited.final, waited.timedOut], [false, true]);
  assert.equal(waited.status.transactionStatus, 'Pending');

  const unknown = await client.waitForPayment('no such order', { waitMs: 100, intervalMs: 20 });
  assert.equal(unknown.status, null);
  assert.ok(unknown.error instanceof payorder.RejectedError);
});

const FAULTS = [
  ['drop-before', payorder.ConnectionLostError],
  ['drop-after-commit', payorder.ConnectionLostError],
  ['drop-mid-answer', payorder.ConnectionLostError],
  ['stall', payorder.ResponseTimeoutError],
  ['html-502', payorder.ServiceFailedError],
  ['service-error', payorder.ServiceFailedError],
  ['malformed-json', payorder.BadResponseError],
  ['no-url', payorder.BadResponseError],
  ['redirect', payorder.BadResponseError],
  ['too-large', payorder.BadResponseError],
];
for (const [fault, Class] of FAULTS) {
  test(`after ${fault} the order may exist`, async () => {
    const order = newOrder({ productInfo: `Tea sandbox:${fault}` });
    const timeoutMs = fault === 'stall' ? 500 : 30000;
    const error = await failure(client.createOrder(order, { timeoutMs }));
    assert.ok(error instanceof Class, error.stack);
    assert.ok(error instanceof payorder.OutcomeUnknownError);
    assert.equal(error.outcome, 'unknown');
    assert.equal(error.action, payorder.Action.ASK_STATUS);
    assert.deepEqual(error.statusQuery, { searchType: '1', orderId: order.orderId });
    if (fault !== 'drop-before') {
      assert.equal((await client.getStatus(error)).orderId, order.orderId);
    }
  });
}

test('a refusal has the reason of the service', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:reject' });
  const error = await failure(client.createOrder(order));
  assert.ok(error instanceof payorder.RejectedError);
  assert.equal(error.responseCode, '400');
  assert.ok(error.responseMessage.length > 0);
  assert.equal(error.result, payorder.Result.REJECTED);
  assert.equal(error.name, 'PAYORDER_REJECTED');
  assert.equal(error.operation, 'create_order');
  assert.equal(JSON.parse(error.raw).error.message, error.message);
});

test('a rate limit says how long to wait', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:rate-limit' });
  const error = await failure(client.createOrder(order));
  assert.ok(error instanceof payorder.RateLimitedError);
  assert.equal(error.retryAfterMs, 1000);
});

test('wrong credentials are refused', async () => {
  const error = await failure(client.createOrder(newOrder(), { accessToken: 'wrong' }));
  assert.ok(error instanceof payorder.UnauthorizedError);
  assert.equal(error.httpStatus, 401);
});

test('credentials can be replaced', async () => {
  const other = new payorder.Client({ ...config, accessToken: 'old' });
  await failure(other.createOrder(newOrder()));
  other.setCredentials({ accessToken: config.accessToken });
  assert.ok((await other.createOrder(newOrder())).url);
  assert.throws(() => other.setCredentials({ accessToken: '' }), payorder.InvalidConfigError);
  other.close();
});

test('all violations are listed, and nothing is sent', async () => {
  const order = newOrder({ amount: '0', payMode: 'cash', customerName: ' ', currencyCode: 7 });
  const error = await failure(client.createOrder(order));
  assert.ok(error instanceof payorder.InvalidRequestError);
  assert.ok(error instanceof payorder.NotSentError);
  const rules = Object.fromEntries(error.violations.map(({ field, rule }) => [field, rule]));
  assert.deepEqual(rules, {
    amount: 'minimum',
    payMode: 'allowed',
    customerName: 'blank',
    currencyCode: 'type',
  });
});

test('an amount that is a number is refused', async () => {
  const error = await failure(client.createOrder(newOrder({ amount: 100.1 })));
  assert.deepEqual(error.violations.map(({ field, rule }) => [field, rule]), [['amount', 'type']]);
});

test('a decimal object with toJSON is an amount', async () => {
  const decimal = { toJSON: () => '249.50' };
  const order = newOrder({ amount: decimal });
  await client.createOrder(order);
  assert.equal((await client.getStatus(order.orderId)).amount, '249.50');
});

test('errors before the first byte are "not sent"', async () => {
  const nowhere = new payorder.Client({ ...config, baseUrl: 'http://127.0.0.1:1' });
  const refused = await failure(nowhere.createOrder(newOrder()));
  nowhere.close();
  assert.ok(refused instanceof payorder.ConnectError, refused.stack);
  assert.equal(refused.cause, payorder.Cause.CONNECTION_REFUSED);

  const { baseUrl, proxy } = config;
  const poor = new payorder.Client({ baseUrl, proxy });
  const missing = await failure(poor.createOrder(newOrder()));
  poor.close();
  assert.ok(missing instanceof payorder.MissingCredentialsError);

  const option = await failure(client.createOrder(newOrder(), { timeoutMs: 0 }));
  assert.ok(option instanceof payorder.InvalidArgumentError);
  const absent = await failure(client.createOrder());
  assert.ok(absent instanceof payorder.InvalidArgumentError);
  assert.equal(absent.outcome, 'not_sent');
  const circular = {};
  circular.circular = circular;
  const unusable = await failure(client.createOrder(circular));
  assert.ok(unusable instanceof payorder.InvalidArgumentError);
});

test('an invalid configuration names the key', () => {
  const wrong = { ...config, timeoutms: 5 };
  assert.throws(
    () => new payorder.Client(wrong),
    (error) => error instanceof payorder.InvalidConfigError && /timeoutms/.test(error.message),
  );
});

test('functions without a network have an error of their own', () => {
  const unusable = (error) =>
    error instanceof payorder.UnusableTextError && !(error instanceof payorder.NotSentError);
  assert.throws(() => payorder.parseReturnUrl('https://shop.example.com/return'), unusable);
  assert.throws(() => payorder.parseReturnUrl('?txn=a\0b'), unusable);
  assert.throws(() => payorder.verifyPayment({ orderId: 'O' }, '{}'), unusable);
  assert.throws(() => payorder.verifyPayment({ orderId: 'O', amount: '1' }, 'null'), unusable);
  assert.throws(
    () => payorder.verifyPayment({ orderId: 'O', amount: '1' }, { data: { amount: 0.1 } }),
    unusable,
  );
  assert.throws(() => payorder.buildCreateOrder({}), unusable);
  assert.throws(() => payorder.buildGetStatus({}), unusable);
});

test('bodies are built without a network', () => {
  const order = newOrder();
  const body = JSON.parse(payorder.buildCreateOrder(order, { extraFields: { udf1: 'x' } }));
  assert.deepEqual(body, { ...order, udf1: 'x' });
  const query = JSON.parse(payorder.buildGetStatus({ transactionId: 'T' }));
  assert.equal(query.searchType, '2');
});

test('a status shows no personal data, but has it', async () => {
  const order = newOrder();
  await client.createOrder(order);
  const status = await client.getStatus(order.orderId);
  assert.equal(status.customerName, 'Asha Rao');
  assert.doesNotMatch(JSON.stringify(status), /Asha/);
  assert.doesNotMatch(require('node:util').inspect(status), /Asha/);
});
