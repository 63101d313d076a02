'use strict';
// The sandbox, orders for it, and programs of their own.

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');

// The configuration for the sandbox that the script test started.
const config = {
  baseUrl: process.env.PAYORDER_BASE_URL,
  proxy: 'none',
  accessToken: 'sandbox-access-token',
  clientKey: 'sandbox-client-key',
  clientId: 'sandbox-client-id',
  secretKey: 'sandbox-secret-key',
};

// The lines of the sandbox, one for each request.
const requests = () => fs.readFileSync(process.env.SANDBOX_OUTPUT, 'utf8').split('\n');

let orders = 0;

function newOrder(more = {}) {
  orders += 1;
  return {
    amount: '100.00',
    merchantTxnId: `MTX-${process.pid}-${orders}`,
    orderId: `ORD-${process.pid}-${orders}`,
    payMode: 'all',
    merchantId: 'M-1',
    productInfo: 'Tea',
    customerName: 'Asha Rao',
    customerMobile: '9000000001',
    customerEmail: 'asha@example.com',
    redirectionURL: 'https://shop.example.com/return',
    currencyCode: 'INR',
    ...more,
  };
}

// A service that creates each order after this time. Gives its configuration, the ids of the
// orders that it has received, and its server.
async function slowService(test, delayMs) {
  const received = [];
  const server = http.createServer(async (request, response) => {
    const { orderId } = JSON.parse(Buffer.concat(await request.toArray()));
    received.push(orderId);
    const data = { url: `https://pay.example.com/${orderId}` };
    const answer = JSON.stringify({ responseCode: '200', responseMessage: 'Created', data });
    setTimeout(() => response.end(answer), delayMs).unref();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  return { received, server, slow: { ...config, baseUrl } };
}

// Runs a program with these arguments, and gives its end.
function run(program, ...args) {
  const given = ['-e', program, ...args.map((one) => JSON.stringify(one))];
  const child = spawn(process.execPath, given, { cwd: __dirname, timeout: 30000 });
  const ended = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => (ended.output += text));
  }
  return new Promise((resolve) => {
    child.on('close', (status, signal) => resolve({ ...ended, status, signal }));
  });
}

module.exports = { config, newOrder, requests, run, slowService };
