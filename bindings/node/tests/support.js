'use strict';
// A sandbox for the tests of one file, and services that answer as a test says.

const { spawn } = require('node:child_process');
const http = require('node:http');
const readline = require('node:readline');
const { after } = require('node:test');

const CREDENTIALS = {
  accessToken: 'sandbox-access-token',
  clientKey: 'sandbox-client-key',
  clientId: 'sandbox-client-id',
  secretKey: 'sandbox-secret-key',
};

// A sandbox that runs as long as the tests of the file, and the configuration for it. `started` is
// a promise.
function sandbox() {
  const config = { baseUrl: undefined, proxy: 'none', ...CREDENTIALS };
  const program = spawn(process.env.PAYORDER_SANDBOX, ['--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => program.kill());
  const requests = [];
  const started = new Promise((resolve) => {
    readline.createInterface({ input: program.stdout }).on('line', (line) => {
      requests.push(line);
      const found = /listens at (\S+)/.exec(line);
      if (!found) return;
      config.baseUrl = found[1];
      resolve();
    });
  });
  return { config, started, requests };
}

// A service that answers each request with `answer(request, body, response)`, in the same form.
function service(answer) {
  const config = { baseUrl: undefined, proxy: 'none', ...CREDENTIALS };
  const server = http.createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    answer(request, Buffer.concat(pieces).toString('utf8'), response);
  });
  const started = new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      config.baseUrl = `http://127.0.0.1:${server.address().port}`;
      resolve();
    });
  });
  after(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return { config, started };
}

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

// Presses a button of the checkout page.
function press(checkoutUrl, button) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${checkoutUrl}/${button}`, { method: 'POST' }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.headers.location));
    });
    request.on('error', reject);
    request.end();
  });
}

// Waits until the condition is true, and gives its value.
async function until(condition) {
  for (let tries = 0; tries < 2000; tries += 1) {
    const value = await condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never true: ${condition}`);
}

module.exports = { CREDENTIALS, sandbox, service, newOrder, press, until };
