// Types of the package. Fields have the names of the service's JSON.

import { Action, Cause, Outcome, Result } from './constants.js';
import type { BatchOptions, CallError, CallOptions, CheckOptions, Checked } from './objects.js';
import type { CheckoutData, CreateOptions, Credentials, EntryData } from './objects.js';
import type { ErrorDetails, Expected, ListOptions, LogEvent, Order } from './objects.js';
import type { RecoverOptions, Recovered, Resolved, ReturnUrl, Sale, Settings } from './objects.js';
import type { StatusData, StatusQuery, Summary, Verification, WaitedFields } from './objects.js';
import type { WaitOptions } from './objects.js';

export { Action, Cause, Outcome, Result };
export * from './objects.js';

declare global {
  // As TypeScript 5.2 declares it: earlier versions do not know its library `esnext.disposable`.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

export interface Config extends Settings, Credentials {
  /** Receives log events while the call waits. Only on the main thread: not in a worker thread. */
  log?: ((event: LogEvent) => void) | undefined;
}

/** An order id, a query, or an object that has one: an error, a return URL, a journal entry. */
export type Query = string | StatusQuery | { readonly statusQuery?: StatusQuery | undefined };

/** An order that was created. */
export interface Checkout extends CheckoutData {}
export class Checkout {
  protected constructor();
  /** For tests: from the service's response, as text or as an object. */
  static fromJson(json: string | object): Checkout;
}

/**
 * What the service says about an order. It does not prove a payment: see `verifyPayment`. A text
 * that the service did not send is empty. The customer's data does not appear in `console.log` and
 * `JSON.stringify`.
 */
export interface Status extends StatusData {}
export class Status {
  protected constructor();
  /**
   * For tests: from the service's response, as text or as an object. Its date may also be in
   * `derived.transactionDate`, as in `2026-11-01T14:05:06`.
   */
  static fromJson(json: string | object): Status;
}

/** The end of a wait: with a status, or with the error that explains why there is none. */
export type Waited = WaitedFields &
  ({ readonly status: Status } | { readonly status: null; readonly error: CallError });
export const Waited: Function & {
  readonly prototype: Waited;
  /**
   * For tests: from `{ final, timedOut, polls, status, error }`, as text or as an object. `status`
   * is the service's response, and `error` has at least `result`.
   */
  fromJson(json: string | object): Waited;
};

/** The result of one of many queries: its status, or what `getStatus` would have thrown. */
export type StatusResult<Q> = {
  /** The index of the query. */
  readonly index: number;
  /** The query itself. */
  readonly query: Q;
} & ({ readonly status: Status; readonly error: null } | { readonly status: null; readonly error: CallError });

export interface Statuses<Q> extends AsyncIterable<StatusResult<Q>> {
  /** Null until the results were read. */
  readonly summary: Summary | null;
}

/** One sending of one order. */
export interface JournalEntry extends EntryData {
  /** What to give to `getStatus`. */
  readonly statusQuery: StatusQuery;
}

/** Of `list`, `settle` and `prune`, which block the event loop. */
export interface JournalOptions {
  /** Counts only if it has aborted before the call. */
  signal?: AbortSignal | undefined;
}

/** The record of each order that a client sends. Without `journal`, its methods reject. */
export interface Journal {
  /** The entries, oldest first: at most `limit`, default 1000. `after` is for the next page. */
  list(options?: ListOptions): Promise<JournalEntry[]>;
  /** Asks for the status of every open entry. `entries` are those that are still unresolved. */
  resolve(options?: BatchOptions): Promise<Resolved>;
  /** Closes an entry by hand. */
  settle(entry: number, options?: JournalOptions & { note?: string }): Promise<JournalEntry>;
  /** Removes old closed entries. Gives how many. */
  prune(options?: JournalOptions & { olderThanDays?: number }): Promise<number>;
}

/**
 * A client of one service. One is enough for a process. In tests, an object with the methods that
 * the program calls can replace it: `Pick<Client, 'createOrder' | 'getStatus'>`.
 */
export class Client {
  constructor(config: Config);
  /**
   * With the settings of the environment, for example PAYORDER_BASE_URL. `config` wins over them. A
   * credential that is `undefined` is refused, and so is a variable that is not the same in
   * `process.env` and in the process.
   */
  static fromEnv(config?: Partial<Config>): Client;
  /**
   * Creates an order. Rejects with a `NotSentError`, a `RejectedError` or an
   * `OutcomeUnknownError`. After the last one the order may exist.
   */
  createOrder(order: Order, options?: CreateOptions): Promise<Checkout>;
  /** Asks for the status of an order, also with an error: `getStatus(error)`. */
  getStatus(query: Query, options?: CallOptions): Promise<Status>;
  /** Asks until the payment is final or the time is up. Final does not mean paid. */
  waitForPayment(query: Query, options?: WaitOptions): Promise<Waited>;
  /** Asks for many statuses. Read the results with `for await`. */
  getStatuses<Q extends Query>(queries: Iterable<Q>, options?: BatchOptions): Statuses<Q>;
  /**
   * After a start: one verdict for each of `sales` and for each open entry of the journal. A sale may
   * be a journal entry. Other objects with more than a sale has are refused.
   */
  recover(sales?: readonly Sale[] | null, options?: RecoverOptions): Promise<Recovered>;
  /** Says step by step what works. It asks for one status, and creates no order. */
  check(options?: CheckOptions): Promise<Checked>;
  readonly journal: Journal;
  /** Replaces one or more credentials. Attempts that begin later use them. */
  setCredentials(credentials: Credentials): void;
  /** Ends all calls in flight, also those in the queue and after `close`, and refuses later ones. */
  stop(): void;
  /** Ends all calls in flight, also those in the queue. The client can be used again at once. */
  cancel(): void;
  /**
   * Refuses later calls. Those in flight finish, also those in the queue; then it is freed. A loop
   * over `getStatuses` sends no further query. Freeing one with a journal blocks the event loop while
   * the disk is slow.
   */
  close(): void;
  [Symbol.dispose](): void;
}

/** The base class of all errors. `name` is the class, and `code` the library's name. */
export interface PayorderError extends ErrorDetails {}
export class PayorderError extends Error {
  protected constructor();
  /**
   * For tests: from `{ error: { result, message, ... } }`, as text or as an object. `cause` and
   * `action` have a usual value for the result.
   */
  static fromJson(json: string | { error: { result: number; [key: string]: unknown } }): PayorderError;
  /** The `reason` of the signal that cancelled the call. */
  readonly cause?: unknown;
  /**
   * What `JSON.stringify` writes: `name`, `message` and the properties of `ErrorDetails`, but not
   * `raw` and `responseBody`.
   */
  toJSON(): object;
}

/** From the functions that do not use the network. It says nothing about an order. */
export class UnusableTextError extends PayorderError {}

/** Checks an order, and gives the body that `createOrder` would send. */
export function buildCreateOrder(
  order: Order,
  options?: { returnUrlField?: string; extraFields?: Readonly<Record<string, string>> },
): string;
export function buildGetStatus(query: StatusQuery): string;

/** Reads the transaction from the URL on which the customer returned. It proves no payment. */
export function parseReturnUrl(url: string | URL): ReturnUrl;

/**
 * Compares a status with what was expected. The status is a `Status`, its `raw`, or the service's
 * response as JSON text or parsed.
 */
export function verifyPayment(
  expected: Expected,
  status: Status | string | { readonly data: object },
): Verification;

/** The version of the C library. */
export function version(): string;
/** What the library has in use, to find leaks. */
export function liveCounters(): { clients: number; strings: number; calls: number };
