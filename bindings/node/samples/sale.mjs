// A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
//
//     node sale.mjs ORDER_ID AMOUNT
//
// The exit status is 0 if the order is paid, otherwise 1.

import { Action, Client, NotSentError, PayorderError, RejectedError, verifyPayment } from 'payorder';
import { newOrder } from './till.mjs';

const [orderId, amount] = process.argv.slice(2);
const notBefore = new Date(); // when the sale began
const client = Client.fromEnv();
let checkout = null;
process.exitCode = 1;
try {
  checkout = await client.createOrder(newOrder(orderId, amount));
  console.log('send the customer to', checkout.url);

  const waited = await client.waitForPayment(orderId, { waitMs: 300000, intervalMs: 1000 });
  if (waited.status === null) {
    console.log('OPEN: no status was seen:', waited.error.message);
  } else {
    // A status alone does not prove a payment: compare it with what you expect.
    const { paid, reasons } = verifyPayment({ orderId, amount, notBefore }, waited.status);
    process.exitCode = paid ? 0 : 1;
    if (paid) console.log(`PAID: ${amount} for order ${orderId}`);
    else if (moved(waited.status)) console.log(`CHECK: show it to a person: order ${orderId}`);
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
  else if (error instanceof RejectedError) console.log('REJECTED:', error.message);
  else {
    console.log('OPEN:', error.action, error.message);
    await ask(error);
    const page = error.previous?.url ?? error.checkoutUrl;
    // What a person must look at may be the page of another sale.
    if (page && error.action !== Action.ASK_PERSON) {
      console.log('if it is not paid, the page is', page);
    }
  }
} finally {
  client.close();
}

// Whether money may have moved, also if the service writes its status in another way.
function moved(status) {
  return status.transactionStatus.trim().toLowerCase() === 'completed'
    || status.refundStatus + status.refundType !== ''
    || status.settlementStatus + status.settlementDate !== '';
}

// The answer to the order was lost. A query changes nothing.
async function ask(query) {
  try {
    const status = await client.getStatus(query);
    console.log(`the service has order ${status.orderId}: ${status.transactionStatus}`);
    // Without its checkout URL, and if it is not paid, a person decides whether to sell again.
  } catch (error) {
    if (!(error instanceof PayorderError)) throw error;
    // Even "no such order" proves nothing: the service may not know it yet.
    console.log('still not known, ask again later:', error.message);
  }
}
