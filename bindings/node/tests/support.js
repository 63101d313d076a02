'use strict';
// The sandbox, and orders for it.

const fs = require('node:fs');

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

module.exports = { config, requests, newOrder };
