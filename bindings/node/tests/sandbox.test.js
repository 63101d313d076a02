'use strict';
// The sandbox for the tests of a program.

const assert = require('node:assert/strict');
const net = require('node:net');
const { test } = require('node:test');
const { ConnectError, ConnectionLostError } = require('payorder');
const { Sandbox } = require('payorder/testing');
const { newOrder, run } = require('./support.js');

const START = `const { Sandbox } = require('payorder/testing');
  Sandbox.start().then(({ baseUrl }) => console.log(baseUrl), ({ message }) => console.log(message))`;

test('it pays, refunds, fails and forgets', async () => {
  const sandbox = await Sandbox.start();
  const client = sandbox.client();
  const id = 'O/1 ä';
  await client.createOrder(newOrder({ orderId: id }));
  assert.equal((await sandbox.pay(id)).state, 'Completed');
  assert.ok((await client.getStatus(id)).completed);
  assert.ok((await sandbox.refund(id)).refunded);
  await sandbox.fault('create:1:drop-after-commit');
  const lost = newOrder();
  await assert.rejects(client.createOrder(lost), ConnectionLostError);
  assert.equal((await sandbox.orders()).length, 2);
  assert.equal((await sandbox.cancel(lost.orderId)).state, 'Cancelled');
  const steps = (await sandbox.requests()).map(({ step }) => step);
  assert.deepEqual(steps, ['create', 'status', 'create']);
  await assert.rejects(sandbox.fail('none'), /none/);
  await sandbox.reset();
  assert.deepEqual(await sandbox.orders(), []);
  // A test of a service that goes away.
  await sandbox.close();
  await assert.rejects(client.createOrder(newOrder()), ConnectError);
  client.close();
  await sandbox.close();
});

test('it ends with its program, also with one that is killed, and keeps none alive', async () => {
  for (const end of ['', '.then(() => process.kill(process.pid, "SIGKILL"))']) {
    const { output, signal } = await run(START + end);
    assert.equal(signal, end === '' ? null : 'SIGKILL', output);
    await ended(output.trim());
  }
});

test('it says how to get one', async () => {
  const { output } = await run(`process.env.PAYORDER_SANDBOX = '/nowhere'; ${START}`);
  assert.match(output, /\/nowhere .*name it in PAYORDER_SANDBOX/);
  assert.match((await run(`process.env.PAYORDER_SANDBOX = '/bin/true'; ${START}`)).output, /did not/);
});

// Waits until nothing listens at a URL.
async function ended(url) {
  const { hostname, port } = new URL(url);
  const listens = () => new Promise((resolve) => {
    const socket = net.connect(port, hostname, () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
  for (let tries = 0; await listens(); tries += 1) {
    assert.ok(tries < 3000, 'it still listens');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
