'use strict';
// The sandbox, and services that answer as a test says.

const fs = require('node:fs');
const http = require('node:http');
const { after } = require('node:test');

const CREDENTIALS = {
  accessToken: 'sandbox-access-token',
  clientKey: 'sandbox-client-key',
  clientId: 'sandbox-client-id',
  secretKey: 'sandbox-secret-key',
};

// The configuration for the sandbox that the script test started.
const config = { baseUrl: process.env.PAYORDER_BASE_URL, proxy: 'none', ...CREDENTIALS };

// The lines of the sandbox, one for each request.
const requests = () => fs.readFileSync(process.env.SANDBOX_OUTPUT, 'utf8').split('\n');

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

module.exports = { config, requests, service, newOrder, press, until };
