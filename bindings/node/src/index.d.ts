// Types of the package. Fields have the names of the service's JSON.

/// <reference lib="esnext.disposable" />

import { Action, Cause, Outcome, Result } from './constants.js';

export { Action, Cause, Outcome, Result };

type ValueOf<T> = T[keyof T];
/** The list may grow with the library. */
type Open<T extends string> = T | (string & {});

export interface TlsConfig {
  roots?: 'bundled' | 'system';
  /** Certificate authorities that are trusted as well. Files are PEM and are read at once. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export interface Credentials {
  /** For Create Order. */
  accessToken?: string;
  /** For Get Status, together with `clientId` and `secretKey`. */
  clientKey?: string;
  clientId?: string;
  secretKey?: string;
}

export interface Config extends Credentials {
  /** The https URL of the service. */
  baseUrl: string;
  /** The time limit of a whole call, in milliseconds. Default 30000. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  createRetries?: number;
  statusRetries?: number;
  maxIdleMs?: number;
  maxResponseBytes?: number;
  /** The URL of a proxy, or "none". */
  proxy?: string;
  tls?: TlsConfig;
  allowInsecureHttp?: boolean;
  checkoutHosts?: readonly string[];
  returnUrlField?: string;
  userAgent?: string;
  /** The path of the journal. */
  journal?: string;
  /** Receives log events, on the main thread, while the call waits. */
  log?: (event: LogEvent) => void;
}

export interface LogEvent {
  event: Open<
    'attempt_started' | 'attempt_failed' | 'attempt_finished' | 'call_finished' | 'journal_failed'
  >;
  operation: string;
  elapsedMs: number;
  host: string;
  attempt?: number;
  result?: number;
  name?: string;
  cause?: string;
  httpStatus?: number;
  orderId?: string;
  transactionId?: string;
  transactionStatus?: string;
}

export interface Order {
  /** Decimal text such as "100.00", or an object whose `toJSON` gives such text. Not a number. */
  amount: string | { toJSON(): string };
  merchantTxnId: string;
  orderId: string;
  payMode: 'all' | 'cc' | 'dc' | 'upi' | 'nb';
  merchantId: string;
  productInfo: string;
  customerName: string;
  customerMobile: string;
  customerEmail: string;
  redirectionURL: string;
  currencyCode: string;
}

export interface StatusQuery {
  searchType?: '1' | '2';
  orderId?: string;
  transactionId?: string;
}

/** An order id, a query, or an object that has one: an error, a return URL, a journal entry. */
export type Query = string | StatusQuery | { statusQuery: StatusQuery };

export interface CallOptions extends Credentials {
  timeoutMs?: number;
  /** Cancels the call. The promise then settles with the library's result. */
  signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** Further fields of the request. */
  extraFields?: Readonly<Record<string, string>>;
  /** Send an order again that the journal has as unknown. */
  resend?: boolean;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait. Default 300000. */
  waitMs?: number;
  intervalMs?: number;
  maxIntervalMs?: number;
  /** Texts of `transactionStatus` that end the wait, in addition to "Completed". */
  final?: readonly string[];
}

export interface BatchOptions extends CallOptions {
  /** How many queries run at the same time. Default 8. */
  concurrency?: number;
  ratePerSecond?: number;
}

/** Only the library makes these: `raw` is its text. */
export class Checkout {
  protected constructor();
  /** Where the customer pays. */
  readonly url: string;
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly raw: string;
}

/** A status does not prove a payment: see `verifyPayment`. */
export class Status {
  protected constructor();
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly merchantRefId: string;
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: string;
  readonly customerName: string;
  readonly customerMobile: string;
  readonly customerEmail: string;
  readonly transactionStatus: string;
  readonly refundStatus: string;
  readonly refundType: string;
  readonly merchantName: string;
  readonly settlementStatus: string;
  readonly settlementDate: string;
  readonly payMode: string;
  /** The service's own text. */
  readonly transactionDateText: string;
  /** Such as "2026-11-21T14:05:06", without a time zone; null if the text is not a date. */
  readonly transactionDate: string | null;
  /** Whether `transactionStatus` is "Completed". */
  readonly completed: boolean;
  readonly raw: string;
}

export class Waited {
  protected constructor();
  readonly final: boolean;
  readonly timedOut: boolean;
  /** How many queries were sent. */
  readonly polls: number;
  /** The last status seen. */
  readonly status: Status | null;
  /** The error of the last query, if it failed. */
  readonly error: PayorderError | null;
  readonly raw: string;
}

export interface StatusResult<Q> {
  readonly index: number;
  readonly query: Q;
  readonly status: Status | null;
  readonly error: PayorderError | null;
}

export interface Summary {
  asked: number;
  ok: number;
  rejected: number;
  unknown: number;
  notSent: number;
  stopped: boolean;
  elapsedMs: number;
  transactionStatus: Record<string, number>;
}

export interface Statuses<Q> extends AsyncIterable<StatusResult<Q>> {
  /** Null until the results were read. */
  readonly summary: Summary | null;
}

export type EntryState = 'sending' | 'created' | 'rejected' | 'not_sent' | 'unknown' | 'settled';

export interface JournalEntry {
  entry: number;
  orderId: string;
  merchantTxnId: string;
  amount: string;
  currencyCode: string;
  state: Open<EntryState>;
  url: string | null;
  /** The `baseUrl` of the service that it belongs to. */
  service: string;
  result: number | null;
  transactionId: string | null;
  transactionStatus: string | null;
  startedAt: string;
  deadline: string;
  updatedAt: string;
  note?: string;
  /** What happened to it, oldest first; only with the option `events`. */
  events?: JournalEvent[];
  readonly statusQuery: StatusQuery;
}

/** Something that happened to an entry of the journal. */
export interface JournalEvent {
  number: number;
  at: string;
  event: Open<'sending' | 'attempt' | 'status' | 'settled'>;
  bodySha256?: string;
  bodyBytes?: number;
  attempt?: number;
  durationMs?: number;
  bytesSent?: number;
  httpStatus?: number;
  responseCode?: string;
  result?: number;
  cause?: string;
  transactionId?: string;
  transactionStatus?: string;
  amount?: string;
  refundStatus?: string;
  note?: string;
  host?: string;
  proxy?: boolean;
  tls?: boolean;
  certificateSha256?: string;
}

/** An order that the program believes open. */
export interface Sale {
  orderId: string;
  amount: Order['amount'];
}

/** What is known of an open sale, and so what to do. */
export type Verdict =
  | 'paid'
  | 'check'
  | 'payable'
  | 'url_lost'
  | 'unknown'
  | 'sending'
  | 'refused'
  | 'not_sent'
  | 'settled'
  | 'not_in_journal';

export interface RecoveredSale {
  orderId: string;
  verdict: Open<Verdict>;
  amount: string | null;
  url: string | null;
  statusQuery: StatusQuery;
  transactionStatus: string | null;
  reasons: Verification['reasons'];
  entry: number | null;
}

export interface Recovered {
  summary: Summary;
  /** How many open entries the journal has of other services. */
  otherServices: number;
  sales: RecoveredSale[];
}

export interface JournalOptions {
  signal?: AbortSignal;
}

export interface Journal {
  /** The entries, oldest first: at most `limit`, default 1000. `after` is for the next page. */
  list(
    options?: JournalOptions & {
      state?: EntryState | 'unresolved';
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

/** A client of one service. One is enough for a process. */
export class Client {
  constructor(config: Config);
  /** With the settings of the environment, for example PAYORDER_BASE_URL. `config` wins over them. */
  static fromEnv(config?: Partial<Config>): Client;
  /**
   * Creates an order. Rejects with a `NotSentError`, a `RejectedError` or an
   * `OutcomeUnknownError`. After the last one the order may exist.
   */
  createOrder(order: Order, options?: CreateOptions): Promise<Checkout>;
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

export interface Violation {
  field: string;
  rule: string;
  message: string;
}

export class PayorderError extends Error {
  protected constructor();
  readonly result: number;
  /** The name of the result, such as "PAYORDER_TIMEOUT". */
  readonly name: string;
  readonly outcome: Exclude<ValueOf<typeof Outcome>, 'done'>;
  /** What exactly happened. */
  readonly cause: Open<ValueOf<typeof Cause>>;
  /** What to do next. */
  readonly action: Open<ValueOf<typeof Action>>;
  readonly operation?: string;
  readonly attempts?: number;
  readonly elapsedMs?: number;
  readonly violations: Violation[];
  readonly httpStatus?: number;
  readonly responseCode?: string;
  readonly responseMessage?: string;
  readonly retryAfterMs?: number;
  /** What to give to `getStatus` next. */
  readonly statusQuery?: StatusQuery;
  /** The URL of a response that is not clear: the order may exist. */
  readonly checkoutUrl?: string;
  /** With `DuplicateError`: the journal's entry. */
  readonly previous?: Omit<JournalEntry, 'statusQuery'>;
  /** The last status that a failed wait saw. */
  readonly status?: Status;
  /** The library's error object as JSON text. */
  readonly raw: string;
}

/** Nothing of the request was sent. */
export class NotSentError extends PayorderError {}
export class InvalidArgumentError extends NotSentError {}
export class InvalidHandleError extends NotSentError {}
export class InvalidConfigError extends NotSentError {}
export class InvalidRequestError extends NotSentError {}
export class MissingCredentialsError extends NotSentError {}
export class ConnectError extends NotSentError {}
export class TlsError extends NotSentError {}
export class CancelledError extends NotSentError {}
export class JournalError extends NotSentError {}
export class InternalError extends NotSentError {}

/** The service refused the request. */
export class RejectedError extends PayorderError {}
export class UnauthorizedError extends RejectedError {}
export class RateLimitedError extends RejectedError {}

/** The order may exist: call `getStatus(error)` before anything else. */
export class OutcomeUnknownError extends PayorderError {}
export class ResponseTimeoutError extends OutcomeUnknownError {}
export class ConnectionLostError extends OutcomeUnknownError {}
export class BadResponseError extends OutcomeUnknownError {}
export class ServiceFailedError extends OutcomeUnknownError {}
export class CancelledInFlightError extends OutcomeUnknownError {}
export class InternalInFlightError extends OutcomeUnknownError {}
export class DuplicateError extends OutcomeUnknownError {}

/** From the functions that do not use the network. It says nothing about an order. */
export class UnusableTextError extends PayorderError {}

/** Checks an order, and gives the body that `createOrder` would send. */
export function buildCreateOrder(
  order: Order,
  options?: { returnUrlField?: string; extraFields?: Readonly<Record<string, string>> },
): string;
export function buildGetStatus(query: StatusQuery): string;

export interface ReturnUrl {
  readonly transactionId: string;
  readonly statusQuery: StatusQuery;
  readonly raw: string;
}
/** Reads the transaction from the URL on which the customer returned. It proves no payment. */
export function parseReturnUrl(url: string | URL): ReturnUrl;

export interface Verification {
  readonly paid: boolean;
  /** Every check that failed. */
  readonly reasons: { check: string; expected: string; actual: string }[];
  readonly unverifiable: string[];
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
