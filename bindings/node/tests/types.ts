// Compiled by the tests with --strict, and not run. Each line marked as an error must be one.

import * as payorder from 'payorder';
import { Client, type Order, type PayorderError, type Status } from 'payorder';
import { Sandbox } from 'payorder/testing';

declare const order: Order;

export async function tested(): Promise<string> {
  using sandbox = await Sandbox.start();
  // @ts-expect-error: start makes one
  new Sandbox();
  await sandbox.client({ timeoutMs: 100 }).createOrder(order);
  return (await sandbox.pay(order.orderId)).state;
}

export async function uses(client: Client): Promise<string> {
  const controller = new AbortController();
  const checkout = await client.createOrder(order, { signal: controller.signal, resend: true });
  const status: Status = await client.getStatus({ orderId: 'O' });
  new Client({ baseUrl: process.env.URL, accessToken: process.env.TOKEN, timeoutMs: undefined });
  const fake: Pick<Client, 'getStatus'> = { getStatus: async () => payorder.Status.fromJson({}) };
  await fake.getStatus('O');
  const waited = await client.waitForPayment('O', { waitMs: 1, final: ['Failed'] });
  // @ts-expect-error: there may be no status
  waited.status.amount;
  if (waited.status === null) console.log(waited.error.message, waited instanceof payorder.Waited);
  // @ts-expect-error: there may be no error
  else waited.error.message;
  const rows = [{ statusQuery: { orderId: 'O' }, row: 1 }];
  for await (const { query, status, error } of client.getStatuses(rows, { concurrency: 2 })) {
    const row: number = query.row;
    const seen: string = error === null ? status.amount : error.outcome;
    // @ts-expect-error: there may be an error
    status.amount;
    if (error?.outcome === 'not_sent') notSent(error, seen);
    if (error instanceof payorder.RejectedError) console.log(row, error.responseMessage);
  }
  const [entry] = await client.journal.list({ state: 'unresolved' });
  await client.getStatus({ ...entry });
  await client.recover([entry]);
  const expected = { orderId: 'O', amount: '1', notBefore: new Date() };
  const { paid } = payorder.verifyPayment(expected, status);
  // @ts-expect-error: an amount is not a number
  payorder.verifyPayment({ orderId: 'O', amount: 1 }, status);
  payorder.verifyPayment(expected, { responseCode: '200', data: {} });
  // @ts-expect-error: the status is in it
  payorder.verifyPayment(expected, waited);
  // @ts-expect-error: a promise is no status
  payorder.verifyPayment(expected, client.getStatus('O'));
  // @ts-expect-error: fields are missing
  await client.createOrder({ amount: '1' });
  // @ts-expect-error: only the library makes a status
  new payorder.Status();
  return paid ? checkout.url : 'not paid';
}

export async function asked(client: Client, error: PayorderError): Promise<Status> {
  return client.getStatus(error);
}

function notSent(error: payorder.NotSentError, text: string): void {
  // @ts-expect-error: what was not sent does not exist
  const exists: payorder.OutcomeUnknownError = error;
  console.log(exists, text);
}

export function duplicate(error: payorder.DuplicateError): string {
  return error.previous.orderId;
}

export function told(error: unknown): string {
  if (error instanceof payorder.OutcomeUnknownError) return error.statusQuery?.orderId ?? '';
  const { result, causeCode, action } = error as PayorderError;
  if (result === payorder.Result.TIMEOUT && causeCode === payorder.Cause.RESPONSE_TIMED_OUT) return '';
  return action === payorder.Action.RETRY ? 'retry' : 'later';
}
