// A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
//
//     node sale.mjs JOURNAL ORDER_ID AMOUNT
//
// If the answer is lost, or the program was killed while it sent the order and runs again, it does
// not send the order a second time: it asks for its status.

import { Client, NotSentError, PayorderError, RejectedError, verifyPayment } from 'payorder';

const [journal, orderId, amount] = process.argv.slice(2);
const client = Client.fromEnv({ journal });
// An order needs identifiers that were never used before.
const order = {
  amount, // text, never a number
  merchantTxnId: `T-${orderId}`,
  orderId,
  payMode: 'all',
  merchantId: 'M-1',
  productInfo: `Two coffees ${process.env.PAYORDER_SAMPLE_MARKER ?? ''}`, // for the sandbox
  customerName: 'Asha Rao',
  customerMobile: '9000000001',
  customerEmail: 'asha@example.com',
  redirectionURL: 'https://shop.example.com/return',
  currencyCode: 'INR',
};
let checkout = null;
try {
  // At each start, before the first sale: one verdict for each open order. The time limit of an
  // order that a killed program was sending must pass first.
  const { sales } = await client.recover(null, { waitMs: 10000 });
  for (const { orderId: open, verdict, transactionStatus } of sales) {
    console.log(`order ${open} is ${verdict}, the service says ${transactionStatus ?? 'nothing'}`);
  }
  checkout = await client.createOrder(order, { timeoutMs: 5000 });
  console.log('send the customer to', checkout.url);

  const waited = await client.waitForPayment(orderId, { waitMs: 300000, intervalMs: 1000 });
  if (waited.status === null) {
    console.log('OPEN: no status was seen:', waited.error.message);
  } else {
    // A status alone does not prove a payment: compare it with what you expect.
    const { paid, reasons } = verifyPayment({ orderId, amount }, waited.status);
    if (paid) console.log(`PAID: ${amount} for order ${orderId}`);
    else if (
      waited.status.completed ||
      waited.status.refundStatus ||
      waited.status.refundType
    )
      console.log(`CHECK: show it to a person: order ${orderId}`);
    else {
      // Also after "Failed" or "Cancelled": no status but "Completed" is known to be the end.
      const { transactionStatus } = waited.status;
      console.log(`OPEN: order ${orderId} is ${transactionStatus}, the customer may still pay`);
    }
    for (const { check, expected, actual } of reasons) {
      console.log(`  ${check}: expected ${expected}, got ${actual}`);
    }
  }
} catch (error) {
  if (!(error instanceof PayorderError)) throw error;
  // Once the order was created, an error of the wait leaves it open.
  if (checkout !== null) console.log('OPEN:', error.message);
  else if (error instanceof NotSentError) console.log('NOT SENT:', error.message);
  else if (error instanceof RejectedError) console.log('REJECTED:', error.responseMessage);
  else await ask(error);
  process.exitCode = 1;
} finally {
  client.close();
}

// The order may exist: what the journal and the service know of it.
async function ask(error) {
  console.log('the order may exist:', error.message);
  const { previous } = error;
  if (previous) console.log(`order ${previous.orderId} is in the journal as ${previous.state}`);
  try {
    const status = await client.getStatus(error);
    console.log(`the service has order ${status.orderId}: ${status.transactionStatus}`);
    // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
  } catch (failed) {
    if (!(failed instanceof PayorderError)) throw failed;
    // Even "no such order" proves nothing: the service may not know it yet.
    console.log('still not known, ask again later:', failed.message);
  }
}
