// A lost answer: the service gets the order, and the connection breaks before its response arrives.
// The order may exist, so the program asks for its status before it does anything else.
//
//     node lost_answer.mjs ORDER_ID

import { Client, OutcomeUnknownError, PayorderError } from 'payorder';
import { newOrder } from './till.mjs';

const [orderId] = process.argv.slice(2);
const client = Client.fromEnv();
// The sandbox keeps this order and cuts the connection.
const order = newOrder(orderId, '249.50', 'Two coffees sandbox:drop-after-commit');
try {
  await client.createOrder(order);
} catch (error) {
  if (!(error instanceof OutcomeUnknownError)) throw error;
  console.log('the order may exist:', error.action, error.message);
  await ask(error);
} finally {
  client.close();
}

async function ask(query) {
  try {
    const status = await client.getStatus(query);
    console.log(`the service has order ${status.orderId}: ${status.transactionStatus}`);
    // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
  } catch (error) {
    if (!(error instanceof PayorderError)) throw error;
    // Even "no such order" proves nothing: the service may not know it yet.
    console.log('still not known, ask again later:', error.message);
  }
}
