// Types of the package. Fields have the names of the service's JSON.

/// <reference lib="esnext.disposable" />

import { Action, Cause, Outcome, Result } from './constants.js';
import type { Credentials, EntryData, EntryState, Order, Settings } from './objects.js';
import type { StatusData, StatusQuery, Summary, Violation } from './objects.js';

export { Action, Cause, Outcome, Result };
export * from './objects.js';

type ValueOf<T> = T[keyof T];
/** The list may grow with the library. */
type Open<T extends string> = T | (string & {});

export interface Config extends Settings, Credentials {
  /** Receives log events, on the main thread, while the call waits. */
  log?: ((event: LogEvent) => void) | undefined;
}

/** An event of a call. It has no credential and no personal data. */
export interface LogEvent {
  /** What happened. */
  event: Open<
    'attempt_started' | 'attempt_failed' | 'attempt_finished' | 'call_finished' | 'journal_failed'
  >;
  /** Such as create_order. */
  operation: string;
  /** From the start of the call. */
  elapsedMs: number;
  /** The service's host and port. */
  host: string;
  /** The number of the attempt, from 1. */
  attempt?: number;
  /** The result's number. */
  result?: number;
  /** The result's name, such as PAYORDER_TIMEOUT. */
  name?: string;
  /** What exactly happened: one of `Cause`. */
  cause?: string;
  /** The HTTP status of the response. */
  httpStatus?: number;
  /** The order's identifier. */
  orderId?: string;
  /** The service's identifier of the transaction. */
  transactionId?: string;
  /** The service's own text. */
  transactionStatus?: string;
}

/** An order id, a query, or an object that has one: an error, a return URL, a journal entry. */
export type Query = string | StatusQuery | { readonly statusQuery?: StatusQuery | undefined };

export interface CallOptions extends Credentials {
  /** The time limit of the call; in calls that ask several times, of each query. */
  timeoutMs?: number | undefined;
  /** Cancels the call. The promise then settles with the library's result. */
  signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Further fields of the request, sent after the eleven of the order. */
  extraFields?: Readonly<Record<string, string>> | undefined;
  /** Sends an order again that the journal has as unknown. The customer may then have two. */
  resend?: boolean | undefined;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait: 1 to 86400000, default 300000. */
  waitMs?: number | undefined;
  /** The first pause, which grows by half: 10 to 600000, default 3000. */
  intervalMs?: number | undefined;
  /** The longest pause: 10 to 600000, default 15000. */
  maxIntervalMs?: number | undefined;
  /**
   * Texts of `transactionStatus` that end the wait, in addition to "Completed". The customer may
   * still be able to pay: this stops the wait, and not the order.
   */
  final?: readonly string[] | undefined;
}

export interface BatchOptions extends CallOptions {
  /** How many queries run at the same time: 1 to 64, default 8. */
  concurrency?: number | undefined;
  /** How many queries are sent per second, evenly spaced. Default: no limit. */
  ratePerSecond?: number | undefined;
}

/** An order that was created. */
export class Checkout {
  protected constructor();
  /** For tests: from the service's response, as text or as an object. */
  static fromJson(json: string | object): Checkout;
  /** Where the customer pays. */
  readonly url: string;
  /** The service's own code, "200". */
  readonly responseCode: string;
  /** The service's own text. */
  readonly responseMessage: string;
  /** The complete result as JSON text. */
  readonly raw: string;
}

/**
 * What the service says about an order. It does not prove a payment: see `verifyPayment`. A text
 * that the service did not send is empty. The customer's data does not appear in `console.log` and
 * `JSON.stringify`.
 */
export interface Status extends StatusData {}
export class Status {
  protected constructor();
  /** For tests: from the service's response, as text or as an object. */
  static fromJson(json: string | object): Status;
  /** The status code of the call; 200 accompanies success. */
  readonly responseCode: string;
  /** The service's own text. */
  readonly responseMessage: string;
  /** The service's own text. */
  readonly transactionDateText: string;
  /** Such as "2026-11-21T14:05:06", without a time zone; null if the text is not a date. */
  readonly transactionDate: string | null;
  /** Whether `transactionStatus` is "Completed". */
  readonly completed: boolean;
  /** The complete status as JSON text, with fields that this version does not know. */
  readonly raw: string;
}

interface WaitedFields {
  /** The status is final. This does not mean that the order is paid. */
  readonly final: boolean;
  /** The time ran out. */
  readonly timedOut: boolean;
  /** How many queries were sent. */
  readonly polls: number;
  /** The last status seen. */
  readonly status: Status | null;
  /** The error of the last query, if it failed. It is not null if no status was seen. */
  readonly error: PayorderError | null;
  /** The complete result as JSON text. */
  readonly raw: string;
}
/** The end of a wait: with a status, or with the error that explains why there is none. */
export type Waited = WaitedFields &
  ({ readonly status: Status } | { readonly status: null; readonly error: PayorderError });
export const Waited: Function & {
  readonly prototype: Waited;
  /**
   * For tests: from `{ final, timedOut, polls, status, error }`, as text or as an object. `status`
   * is the service's response, and `error` has at least `result`.
   */
  fromJson(json: string | object): Waited;
};

/** The result of one of many queries. */
export interface StatusResult<Q> {
  /** The index of the query. */
  readonly index: number;
  /** The query itself. */
  readonly query: Q;
  readonly status: Status | null;
  /** What `getStatus` would have thrown. */
  readonly error: PayorderError | null;
}

export interface Statuses<Q> extends AsyncIterable<StatusResult<Q>> {
  /** Null until the results were read. */
  readonly summary: Summary | null;
}

/** One sending of one order. */
export interface JournalEntry extends EntryData {
  /** What to give to `getStatus`. */
  readonly statusQuery: StatusQuery;
}

/** An order that the program believes open. */
export interface Sale {
  /** The order's identifier. */
  orderId: string;
  /** What the order costs. */
  amount: Order['amount'];
}

/** What is known of an open sale, and so what to do. */
export type Verdict =
  /** Paid as expected: complete the sale. */
  | 'paid'
  /** Money moved, but not as expected (see `reasons`): show it to a person. */
  | 'check'
  /** It exists and is not paid: the customer pays at `url`. Ask again later. */
  | 'payable'
  /** It exists and is not paid, and its URL was lost: a person decides whether to sell again. */
  | 'url_lost'
  /** It may exist: show it to a person, and ask again later. */
  | 'unknown'
  /** Another process is sending it, or was killed while it did: ask again, or use the option `waitMs`. */
  | 'sending'
  /** The service refused it, and has no such order: sell again if the customer still wants it. */
  | 'refused'
  /** It was not sent, and the service has no such order: the same. */
  | 'not_sent'
  /** A person closed it: do nothing, and show no URL. */
  | 'settled'
  /**
   * Neither the journal nor the service knows it. It was never sent, if this journal was in use
   * then, and was not restored or pruned since.
   */
  | 'not_in_journal';

/** What is known of one open sale. */
export interface RecoveredSale {
  /** The order's identifier. */
  orderId: string;
  /** What is known of it. */
  verdict: Open<Verdict>;
  /** The amount of the sale, or else of the entry. */
  amount: string | null;
  /** Where the customer can pay. */
  url: string | null;
  /** What to give to `getStatus` to ask again. */
  statusQuery: StatusQuery;
  /** What the service says, or else what the journal has; or null. */
  transactionStatus: string | null;
  /** Why the verdict is "check". */
  reasons: Verification['reasons'];
  /** The number of the journal's entry. */
  entry: number | null;
}

export interface Recovered {
  /** Of the queries. */
  summary: Summary;
  /** How many open entries the journal has of other services. */
  otherServices: number;
  /** Those that were given in their order, then those of the journal, oldest first. */
  sales: RecoveredSale[];
}

export interface JournalOptions {
  signal?: AbortSignal | undefined;
}

/** The record of each order that a client sends. Without `journal`, its methods reject. */
export interface Journal {
  /** The entries, oldest first: at most `limit`, default 1000. `after` is for the next page. */
  list(
    options?: JournalOptions & {
      state?: EntryState | 'unresolved' | 'open';
      orderId?: string;
      events?: boolean;
      limit?: number;
      after?: number;
    },
  ): Promise<JournalEntry[]>;
  /** Asks for the status of every open entry. `entries` are those that are still unresolved. */
  resolve(options?: BatchOptions): Promise<{ summary: Summary; entries: JournalEntry[] }>;
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
  /** With the settings of the environment, for example PAYORDER_BASE_URL. `config` wins over them. */
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
  /** After a start: one verdict for each of `sales` and for each open entry of the journal. */
  recover(
    sales?: readonly Sale[] | null,
    options?: BatchOptions & { waitMs?: number },
  ): Promise<Recovered>;
  readonly journal: Journal;
  /** Replaces credentials. Attempts that begin later use them. */
  setCredentials(credentials: Credentials): void;
  /** Ends all calls in flight, and refuses later ones. */
  stop(): void;
  /** Ends all calls in flight. The client can be used again at once. */
  cancel(): void;
  /** Frees the client. Calls in flight finish. */
  close(): void;
  [Symbol.dispose](): void;
}

/** The base class of all errors. `name` is the class, and `code` the library's name. */
export class PayorderError extends Error {
  protected constructor();
  /**
   * For tests: from `{ error: { result, message, ... } }`, as text or as an object. `cause` and
   * `action` have a usual value for the result.
   */
  static fromJson(json: string | { error: { result: number; [key: string]: unknown } }): PayorderError;
  /** One of `Result`. */
  readonly result: number;
  /** The result's name, such as "PAYORDER_TIMEOUT". */
  readonly code: string;
  /** What happened to the request. */
  readonly outcome: Exclude<ValueOf<typeof Outcome>, 'done'>;
  /** What exactly happened: one of `Cause`. */
  readonly causeCode: Open<ValueOf<typeof Cause>>;
  /** What to do next: one of `Action`. */
  readonly action: Open<ValueOf<typeof Action>>;
  /** The `reason` of the signal that cancelled the call. */
  readonly cause?: unknown;
  /** Such as "create_order". */
  readonly operation?: string;
  /** How many attempts the call made. */
  readonly attempts?: number;
  /** The duration of the call in milliseconds. */
  readonly elapsedMs?: number;
  /** All fields that break a rule. */
  readonly violations: Violation[];
  /** Of the service's response. */
  readonly httpStatus?: number;
  /** The service's own code. */
  readonly responseCode?: string;
  /** The service's own text. It is in `message` too. */
  readonly responseMessage?: string;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number;
  /**
   * What to give to `getStatus` next: of an order that may exist, and of a wait. `getStatus` takes
   * the error itself too. If that is the error of a query, it asks the same again.
   */
  readonly statusQuery?: StatusQuery;
  /** The URL of a response that is not clear: the order may exist. */
  readonly checkoutUrl?: string;
  /** With `DuplicateError`: the journal's entry. */
  readonly previous?: Omit<JournalEntry, 'statusQuery'>;
  /** The last status that a failed wait saw. */
  readonly status?: Status;
  /** The library's error object as JSON text. */
  readonly raw: string;
  /** What `JSON.stringify` writes: `name`, `message` and the properties above, without `raw`. */
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

/** What a return URL says. */
export interface ReturnUrl {
  /** The parameter `txn`, decoded. */
  readonly transactionId: string;
  /** What to give to `getStatus`. */
  readonly statusQuery: StatusQuery;
  /** The library's JSON text. */
  readonly raw: string;
}
/** Reads the transaction from the URL on which the customer returned. It proves no payment. */
export function parseReturnUrl(url: string | URL): ReturnUrl;

/** Whether an order is paid. */
export interface Verification {
  /** True only if every check passed. */
  readonly paid: boolean;
  /** Every check that failed. */
  readonly reasons: { check: string; expected: string; actual: string }[];
  /** Fields of the order that no status has. */
  readonly unverifiable: string[];
  /** The library's JSON text. */
  readonly raw: string;
}
/**
 * Compares a status with what was expected. The status is a `Status`, or the service's response as
 * JSON text or parsed.
 */
export function verifyPayment(
  expected: { orderId: string; amount: Order['amount']; transactionId?: string },
  status: Status | string | object,
): Verification;

/** The version of the C library. */
export function version(): string;
/** What the library has in use, to find leaks. */
export function liveCounters(): { clients: number; strings: number; calls: number };
