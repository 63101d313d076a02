// A nightly reconciliation: compares a list of orders with the service.
//
//     node reconciliation.mjs ORDERS.csv > REPORT.csv
//
// Each line of the file is an order id and an amount. The exit status is 0 if all orders are paid
// as expected, 2 if there are no orders to ask for, and 6 otherwise.

import { readFileSync } from 'node:fs';
import { Client, UnusableTextError, verifyPayment } from 'payorder';

const text = readFileSync(process.argv[2], 'utf8').replace(/^\uFEFF/, ''); // a byte-order mark
const lines = text.split(/\r?\n/).filter((line) => line.trim());
if (lines.length === 0) {
  console.error('no orders in', process.argv[2]);
  process.exit(2);
}
const orders = lines.map((line) => {
  const [orderId, amount] = line.split(',');
  return { statusQuery: { orderId }, expected: { orderId, amount } };
});

// The verdict about one order.
function verdict({ query, status, error }) {
  // With wrong credentials, nothing is known about the order: ask again later.
  if (error) return error.code === 'PAYORDER_REJECTED' ? 'refused' : 'no_answer';
  try {
    const { paid, reasons } = verifyPayment(query.expected, status);
    return paid ? 'matched' : reasons.map(({ check }) => check).join(' ');
  } catch (problem) {
    if (!(problem instanceof UnusableTextError)) throw problem;
    return 'unusable_line';
  }
}

const client = Client.fromEnv();
const results = client.getStatuses(orders, { concurrency: 16, ratePerSecond: 200 });
for await (const result of results) {
  const found = verdict(result);
  console.log(`${result.query.expected.orderId},${result.query.expected.amount},${found}`);
  if (found !== 'matched') process.exitCode = 6;
}
console.error(`asked for ${results.summary.asked} orders`);
client.close();
