'use strict';
// Text is UTF-8 both ways, and nothing of a response is lost.

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const payorder = require('payorder');
const { newOrder, service } = require('./support.js');

const received = [];
let reply = () => '{}';
const { config, started } = service((request, body, response) => {
  received.push(JSON.parse(body));
  response.setHeader('Content-Type', 'application/json');
  response.end(reply(JSON.parse(body)));
});
let client;
before(async () => {
  await started;
  client = new payorder.Client(config);
});
after(() => client.close());

const created = (more = '') => () =>
  `{"responseCode":"200","responseMessage":"ok","data":{"url":"https://x.example/1"}${more}}`;

function status(data, more = '') {
  return (query) =>
    JSON.stringify({
      responseCode: '200',
      responseMessage: 'ok',
      data: { orderId: query.orderId, amount: '1.00', transactionStatus: 'Pending', ...data },
    }).replace(/}$/, `${more}}`);
}

const TEXTS = [
  'चाय और समोसा',
  '🍵 tea 👨‍👩‍👧',
  '"quotes" \\ and \'more\'',
  'trailing blanks   ',
  'null',
  'a\0b',
  'line\u2028line\n\tline',
];
for (const text of TEXTS) {
  test(`${JSON.stringify(text)} arrives unchanged, and comes back unchanged`, async () => {
    reply = created();
    await client.createOrder(newOrder({ productInfo: text }));
    assert.equal(received.at(-1).productInfo, text);
    reply = status({ merchantName: text });
    assert.equal((await client.getStatus('O-1')).merchantName, text);
  });
}

test('text that the library cannot take is refused before the call', async () => {
  const before_ = received.length;
  for (const text of ['\ud800', 'a\udc00b', '\\\\\ud83d']) {
    await assert.rejects(
      client.createOrder(newOrder({ productInfo: text })),
      (error) =>
        error instanceof payorder.InvalidArgumentError &&
        error.cause === payorder.Cause.NOT_UTF8 &&
        /nothing was sent/.test(error.message),
    );
  }
  assert.equal(received.length, before_);
});

test('an escape that is only text is not refused', async () => {
  reply = created();
  const text = 'a\\u0000b \\\\ud800';
  await client.createOrder(newOrder({ productInfo: text }));
  assert.equal(received.at(-1).productInfo, text);
});

test('null is not the text "null"', async () => {
  await assert.rejects(
    client.createOrder(newOrder({ productInfo: null })),
    payorder.InvalidRequestError,
  );
  reply = status({ transactionDate: 'null' });
  const found = await client.getStatus('null');
  assert.equal(received.at(-1).orderId, 'null');
  assert.equal(found.transactionDateText, 'null');
  assert.equal(found.transactionDate, null);
});

test('fields that this version does not know are in the raw text, digit by digit', async () => {
  const more = ',"later":{"n":12345678901234567890.10}';
  reply = created(more);
  const checkout = await client.createOrder(newOrder());
  assert.ok(checkout.raw.includes('12345678901234567890.10'), checkout.raw);
  reply = status({}, more);
  const found = await client.getStatus('O-1');
  assert.ok(found.raw.includes('12345678901234567890.10'), found.raw);
  const waited = await client.waitForPayment('O-1', { waitMs: 50, intervalMs: 20 });
  assert.ok(waited.status.raw.includes('12345678901234567890.10'), waited.status.raw);
});

test('a response of a megabyte arrives complete', async () => {
  reply = created(`,"padding":"${'प'.repeat(340000)}"`);
  const checkout = await client.createOrder(newOrder());
  assert.equal(JSON.parse(checkout.raw).padding.length, 340000);
});

test('a refusal with a URL keeps it', async () => {
  reply = () => created()().replace('200', '400');
  const error = await client.createOrder(newOrder()).catch((caught) => caught);
  assert.ok(error instanceof payorder.OutcomeUnknownError, error.stack);
  assert.equal(error.checkoutUrl, 'https://x.example/1');
});

test('a result that JavaScript cannot parse keeps its checkout URL', () => {
  const { Checkout } = require('../src/results.js');
  const parse = JSON.parse;
  JSON.parse = () => {
    throw new RangeError('out of memory');
  };
  try {
    assert.equal(new Checkout(created()()).url, 'https://x.example/1');
    const raw = JSON.stringify({
      error: { result: 201, name: 'PAYORDER_CONNECTION_LOST', outcome: 'unknown', message: 'm' },
    });
    const { errorFrom } = require('../src/errors.js');
    const error = errorFrom(201, raw);
    assert.ok(error instanceof payorder.ConnectionLostError);
    assert.deepEqual([error.result, error.outcome, error.message], [201, 'unknown', 'm']);
  } finally {
    JSON.parse = parse;
  }
});
