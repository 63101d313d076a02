// A restart after a crash: the journal knows which orders may have been sent.
//
//     node restart.mjs JOURNAL ORDER_ID
//
// Run it, kill it while it waits for the service, and run it again: it does not send the order a
// second time, but asks for its status.

import { DuplicateError } from 'payorder';
import { newOrder, openClient } from './till.mjs';

const [journal, orderId] = process.argv.slice(2);
const client = openClient({ journal });
try {
  // At each start: ask for every order whose outcome is not known.
  for (const entry of await client.journal.list({ state: 'unresolved' })) {
    console.log(`order ${entry.orderId} may have been sent`);
  }
  const { summary, entries } = await client.journal.resolve();
  const counts = `the service knows ${summary.ok}, ${entries.length} are still unresolved`;
  console.log(`asked for ${summary.asked} orders, ${counts}`);

  // The sandbox keeps this order and never answers.
  const order = newOrder(orderId, '249.50', 'Two coffees sandbox:stall');
  const checkout = await client.createOrder(order);
  console.log('send the customer to', checkout.url);
} catch (error) {
  if (!(error instanceof DuplicateError)) throw error;
  const { previous } = error;
  console.log(`order ${previous.orderId} is in the journal as ${previous.state}`);
  const status = await client.getStatus(error);
  console.log(`the service has order ${status.orderId}: ${status.transactionStatus}`);
} finally {
  client.close();
}
