import { Client } from 'payorder';
import { newOrder } from './till.mjs';

const [count, prefix] = process.argv.slice(2);
const client = Client.fromEnv();
for (let number = 0; number < Number(count); number += 1) {
  const order = newOrder(`${prefix}-${number}`, '249.50', 'Two coffees');
  const checkout = await client.createOrder(order);
  if (!checkout.url) process.exit(1);
}
client.close();
