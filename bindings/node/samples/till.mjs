// What the samples share: the settings, and an order.

import { Client } from 'payorder';

export function openClient(more = {}) {
  const { env } = process;
  return new Client({
    baseUrl: env.PAYORDER_BASE_URL,
    accessToken: env.PAYORDER_ACCESS_TOKEN,
    clientKey: env.PAYORDER_CLIENT_KEY,
    clientId: env.PAYORDER_CLIENT_ID,
    secretKey: env.PAYORDER_SECRET_KEY,
    ...more,
  });
}

// An order needs identifiers that were never used before.
export function newOrder(orderId, amount, productInfo) {
  return {
    amount, // text, never a number
    merchantTxnId: `T-${orderId}`,
    orderId,
    payMode: 'all',
    merchantId: 'M-1',
    productInfo,
    customerName: 'Asha Rao',
    customerMobile: '9000000001',
    customerEmail: 'asha@example.com',
    redirectionURL: 'https://shop.example.com/return',
    currencyCode: 'INR',
  };
}
