'use strict';
// What the samples say of answers that bindings/installed does not give them.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { newOrder } = require('./support.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payorder-'));
after(() => fs.rmSync(folder, { recursive: true }));

const samples = path.join(__dirname, '..', 'samples');
const url = 'https://pay.example.com/1';
const created = [200, { responseCode: '200', responseMessage: 'Created', data: { url } }];
const found = (more) => (orderId) => {
  const data = { orderId, amount: '249.50', transactionStatus: 'Pending', ...more };
  return [200, { responseCode: '200', responseMessage: 'Success', data }];
};

const notFound = () => [404, { responseCode: '404', responseMessage: 'No such order' }];

// What the service answers: [HTTP status, body], a function of the order that makes them, or null
// for no answer.
let answers;
const server = http.createServer(async (request, response) => {
  const { orderId, amount } = JSON.parse(Buffer.concat(await request.toArray()));
  const answer = amount === undefined ? answers.status(orderId) : answers.create;
  if (answer === null) return request.socket.destroy();
  response.statusCode = answer[0];
  response.end(answer[1] === '' ? '' : JSON.stringify(answer[1]));
});
before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());

// Runs a sample with a service that gives these answers, and gives what the sample prints.
async function output(sample, args, { create = created, status = found({}), journal } = {}) {
  answers = { create, status };
  const env = { ...process.env, PAYORDER_BASE_URL: `http://127.0.0.1:${server.address().port}` };
  if (journal) env.PAYORDER_JOURNAL = journal;
  // A customer who does not pay in time.
  const program = fs.readFileSync(path.join(samples, sample), 'utf8').replace('300000', '300');
  const given = ['--input-type=module', '-e', program, sample, ...args];
  const child = spawn(process.execPath, given, { cwd: samples, env, timeout: 30000 });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  await new Promise((resolve) => child.on('close', resolve));
  return printed;
}
const sell = (more, { orderId } = newOrder()) => output('sale.mjs', [orderId, '249.50'], more);

test('the sale shows no page that may be another sale\'s', async () => {
  const printed = await sell({ create: [409, created[1]] });
  assert.match(printed, /^OPEN: ask_person/);
  assert.doesNotMatch(printed, /pay\.example\.com/);
});

test('the sale shows a person each status that may be a payment', async () => {
  const pending = await sell({});
  assert.match(pending, /^OPEN: order .* is Pending/m);
  const texts = ['COMPLETED', ' Completed '].map((transactionStatus) => ({ transactionStatus }));
  for (const more of [...texts, { settlementStatus: 'Settled' }, { refundStatus: 'Refunded' }]) {
    assert.match(await sell({ status: found(more) }), /^CHECK: /m);
  }
});

test('the sale says why it was refused, also without a text of the service', async () => {
  for (const code of [400, 401]) {
    assert.match(await sell({ create: [code, ''] }), new RegExp(`^REJECTED: .*${code}`));
  }
});

test('the sale shows the page of the same order before', async () => {
  const order = newOrder();
  const journal = path.join(folder, 'sale.db');
  await sell({ journal }, order);
  assert.match(await sell({ journal }, order), /^if it is not paid, the page is https:.*\/1$/m);
});

test('the restart shows the page of a sale that the customer can pay', async () => {
  const args = [path.join(folder, 'restart.db'), newOrder().orderId];
  await output('restart.mjs', args, { status: notFound });
  const printed = await output('restart.mjs', args);
  assert.match(printed, /is payable, the service says Pending\n {2}the customer pays at https:/);
});

test('the restart says that an order may exist', async () => {
  const args = [path.join(folder, 'lost.db'), newOrder().orderId];
  const printed = await output('restart.mjs', args, { create: null, status: notFound });
  assert.match(printed, /^the order may exist: ask_status: /m);
  assert.doesNotMatch(printed, /node:internal/);
});

test('the restart shows the page of an answer that does not say what happened', async () => {
  for (const [code, shown] of [[500, true], [409, false]]) {
    const create = [code, { ...created[1], responseCode: String(code) }];
    const args = [path.join(folder, `page-${code}.db`), newOrder().orderId];
    const printed = await output('restart.mjs', args, { create, status: notFound });
    assert.match(printed, /^the order may exist: /m);
    assert.equal(/^if it is not paid, the page is https:.*\/1$/m.test(printed), shown, printed);
  }
});

test('the reconciliation says that there are no orders', async () => {
  const file = path.join(folder, 'empty.csv');
  for (const text of ['', '\n \r\n']) {
    fs.writeFileSync(file, text);
    assert.equal(await output('reconciliation.mjs', [file]), `no orders in ${file}\n`);
  }
});

test('the reconciliation takes a file of Windows, and goes on after a bad line', async () => {
  const file = path.join(folder, 'orders.csv');
  fs.writeFileSync(file, 'O-1,249.50\r\n\r\nO-2\r\nO-3,x\r\nO-4,1.00\r\n');
  const printed = await output('reconciliation.mjs', [file], {
    status: found({ transactionStatus: 'Completed' }),
  });
  assert.deepEqual(printed.trim().split('\n').sort(), [
    'O-1,249.50,matched',
    'O-2,undefined,unusable_line',
    'O-3,x,unusable_line',
    'O-4,1.00,amount',
    'asked for 4 orders',
  ]);
});
