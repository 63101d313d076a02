// A restart after a crash: the journal knows which orders may have been sent.
//
//     node restart.mjs JOURNAL ORDER_ID
//
// Run it, kill it while it waits for the service, and run it again: it does not send the order a
// second time, but asks for its status.

import { Action, Client, OutcomeUnknownError } from 'payorder';
import { newOrder } from './till.mjs';

const [journal, orderId] = process.argv.slice(2);
const client = Client.fromEnv({ journal });
try {
  // At each start, before the first sale: one verdict for each open order, and for each sale that the
  // till's own records do not call finished. The time limit of an order that a killed program was
  // sending must pass first.
  const { sales } = await client.recover([{ orderId, amount: '249.50' }], { waitMs: 10000 });
  for (const { orderId: open, verdict, transactionStatus, url } of sales) {
    console.log(`order ${open} is ${verdict}, the service says ${transactionStatus ?? 'nothing'}`);
    if (verdict === 'payable') console.log('  the customer pays at', url);
  }

  // This sale is the first. After any other verdict, the order may exist. After not_in_journal it
  // may, too, if this journal was restored, replaced or pruned.
  if (['not_in_journal', 'not_sent', 'refused'].includes(sales[0].verdict)) {
    const checkout = await client.createOrder(newOrder(orderId, '249.50'), { timeoutMs: 5000 });
    console.log('send the customer to', checkout.url);
  }
} catch (error) {
  // Also a DuplicateError: another program has sent it meanwhile.
  if (!(error instanceof OutcomeUnknownError)) throw error;
  if (error.action === Action.USE_PREVIOUS) {
    console.log('the customer pays at', error.previous.url);
  } else {
    console.log(`the order may exist: ${error.action}: ${error.message}`);
    // What a person must look at may be the page of another sale.
    const page = error.action === Action.ASK_PERSON ? undefined : error.checkoutUrl;
    if (page) console.log('if it is not paid, the page is', page);
  }
} finally {
  client.close();
}
