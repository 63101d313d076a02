// A right till in Node, without packages.
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');

const sale = process.env;
const end = Date.now() + Number(sale.SALE_SECONDS) * 750;
const ledger = path.join(sale.SALE_FOLDER, 'ledger.json');
const left = () => end - Date.now();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class NotSent extends Error {}

/** The HTTP status and the JSON of a response. It follows no redirect. */
function post(endpoint, body, headers) {
  return new Promise((resolve, reject) => {
    const url = new URL(`${sale.PAYORDER_BASE_URL}/api/v1/Gateway/${endpoint}`);
    const secure = url.protocol === 'https:';
    const text = JSON.stringify(body);
    let connected = false;
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: false,
      ca: sale.PAYORDER_CA_FILE ? fs.readFileSync(sale.PAYORDER_CA_FILE) : undefined,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        ...headers,
      },
    });
    const timer = setTimeout(
      () => request.destroy(new Error('no response in time')),
      Math.max(Math.min(left() - 200, Number(sale.SALE_SECONDS) * 350), 100),
    );
    request.on('socket', (socket) => {
      socket.on(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    const failed = (error) => {
      clearTimeout(timer);
      reject(connected ? error : new NotSent(error.message));
    };
    request.on('error', failed);
    request.on('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => {
        clearTimeout(timer);
        let answer = null;
        try {
          answer = JSON.parse(Buffer.concat(parts).toString());
        } catch {
          // A gateway's page, for example.
        }
        resolve({ status: response.statusCode, answer });
      });
    });
    request.end(text);
  });
}

function remember(known) {
  fs.writeFileSync(`${ledger}.new`, JSON.stringify(known), { flush: true });
  fs.renameSync(`${ledger}.new`, ledger);
  return known;
}

const REFUSALS = ['400', '401', '422', '429'];

async function create() {
  let response;
  try {
    response = await post(
      'CreateOrder',
      {
        amount: sale.SALE_AMOUNT,
        merchantTxnId: sale.SALE_ORDER_ID,
        orderId: sale.SALE_ORDER_ID,
        payMode: 'all',
        merchantId: sale.SALE_MERCHANT_ID,
        productInfo: sale.SALE_PRODUCT,
        customerName: sale.SALE_CUSTOMER_NAME,
        customerMobile: sale.SALE_CUSTOMER_MOBILE,
        customerEmail: sale.SALE_CUSTOMER_EMAIL,
        redirectionURL: sale.SALE_RETURN_URL,
        currencyCode: sale.SALE_CURRENCY,
      },
      { 'ACCESS-TOKEN': sale.PAYORDER_ACCESS_TOKEN },
    );
  } catch (error) {
    console.error(error.message);
    if (error instanceof NotSent) {
      fs.unlinkSync(ledger);
      return { state: 'not_sent' };
    }
    return { state: 'sending' };
  }
  const { status, answer } = response;
  const code = answer?.responseCode;
  const url = answer?.data?.url;
  if (status === 200 && code === '200' && /^https?:\/\/\S+$/.test(url ?? '')) {
    return remember({ state: 'created', url });
  }
  if (status === 409) {
    return remember({ state: "another till's" });
  }
  const refused = status === 200 || REFUSALS.includes(String(status));
  return refused && REFUSALS.includes(code) && !url
    ? remember({ state: 'rejected' })
    : { state: 'sending' };
}

async function isPaid() {
  let response;
  try {
    response = await post(
      'GetStatus',
      { searchType: '1', orderId: sale.SALE_ORDER_ID },
      {
        'X-CLIENT-KEY': sale.PAYORDER_CLIENT_KEY,
        'X-CLIENT-ID': sale.PAYORDER_CLIENT_ID,
        'X-SECRET-KEY': sale.PAYORDER_SECRET_KEY,
      },
    );
  } catch (error) {
    console.error(error.message);
    return false;
  }
  const { status, answer } = response;
  if (status === 429) {
    await sleep(1100);
  }
  const data = answer?.data;
  return (
    status === 200 &&
    answer?.responseCode === '200' &&
    data?.orderId === sale.SALE_ORDER_ID &&
    data.transactionStatus === 'Completed' &&
    data.amount === sale.SALE_AMOUNT &&
    !data.refundStatus &&
    !data.refundType
  );
}

async function sell() {
  let known;
  try {
    // Only one process creates the ledger, and so the order.
    fs.writeFileSync(ledger, '{"state":"sending"}', { flag: 'wx', flush: true });
    known = await create();
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    known = JSON.parse(fs.readFileSync(ledger, 'utf8'));
  }
  if (known.state === 'not_sent' || known.state === 'rejected') return known.state;
  if (known.state === "another till's") return 'open';
  if (known.url) console.log(`please pay at ${known.url}`);
  while (!(await isPaid())) {
    if (!known.url || left() < 1000) return 'open';
    await sleep(400);
  }
  return 'paid';
}

sell()
  .catch((error) => {
    console.error(error.message);
    return 'open';
  })
  .then((verdict) => {
    console.log(JSON.stringify({ verdict }));
    process.exitCode = 0;
  });
