// Types of the package. Fields have the names of the service's JSON.

/// <reference lib="esnext.disposable" />

import { Action, Cause, Outcome, Result } from './constants.js';

export { Action, Cause, Outcome, Result };

type ValueOf<T> = T[keyof T];
/** The list may grow with the library. */
type Open<T extends string> = T | (string & {});

export interface TlsConfig {
  /** The certificate authorities that are trusted. Default "bundled". */
  roots?: 'bundled' | 'system' | undefined;
  /** Certificate authorities that are trusted as well. Files are PEM and are read at once. */
  caFile?: string | undefined;
  /** The client's certificate; needs `keyFile`. */
  certFile?: string | undefined;
  /** The private key of `certFile`. */
  keyFile?: string | undefined;
}

export interface Credentials {
  /** For Create Order. */
  accessToken?: string | undefined;
  /** For Get Status, together with `clientId` and `secretKey`. */
  clientKey?: string | undefined;
  /** For Get Status. */
  clientId?: string | undefined;
  /** For Get Status. */
  secretKey?: string | undefined;
}

/** A setting that is undefined has its default. Times are in milliseconds. */
export interface Config extends Credentials {
  /** The https URL of the service. */
  baseUrl: string | undefined;
  /** The time limit of a whole call: 1 to 600000, default 30000. */
  timeoutMs?: number | undefined;
  /** The time limit of one connection: 1 to 600000, default 10000. */
  connectTimeoutMs?: number | undefined;
  /** Further attempts, only if no connection was made: 0 to 10, default 1. */
  createRetries?: number | undefined;
  /** Further attempts at Get Status: 0 to 10, default 2. */
  statusRetries?: number | undefined;
  /** How long an idle connection is kept: 0 to 600000, default 2000. */
  maxIdleMs?: number | undefined;
  /** The largest response: 1024 to 16777216, default 1048576. */
  maxResponseBytes?: number | undefined;
  /** The URL of a proxy, or "none". Default: the environment variables, as for curl. */
  proxy?: string | undefined;
  /** Which certificates are trusted and sent. */
  tls?: TlsConfig | undefined;
  /** Allows http to any host, for tests only. */
  allowInsecureHttp?: boolean | undefined;
  /** The hosts that a checkout URL may have. Default: any. */
  checkoutHosts?: readonly string[] | undefined;
  /** The wire name of the return URL. Default "redirectionURL". */
  returnUrlField?: string | undefined;
  /** Put before payorder/VERSION in the header User-Agent. */
  userAgent?: string | undefined;
  /** The path of the journal. The file is created if it does not exist. */
  journal?: string | undefined;
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

/** An order. The service gets all fields unchanged. */
export interface Order {
  /** Decimal text such as "100.00", or an object whose `toJSON` gives such text. Not a number. */
  amount: string | { toJSON(): string };
  /** Your unique identifier of the transaction. */
  merchantTxnId: string;
  /** Your unique identifier of the order, by which `getStatus` finds it. */
  orderId: string;
  /** How the customer may pay. */
  payMode: 'all' | 'cc' | 'dc' | 'upi' | 'nb';
  /** Your identifier at the service. */
  merchantId: string;
  /** What is paid for. */
  productInfo: string;
  /** The customer's full name. */
  customerName: string;
  /** The customer's mobile number. */
  customerMobile: string;
  /** The customer's e-mail address. */
  customerEmail: string;
  /** Where the customer goes after the payment. */
  redirectionURL: string;
  /** Such as INR. */
  currencyCode: string;
}

export interface StatusQuery {
  /** "1" by order, "2" by transaction; needed only if both identifiers are given. */
  searchType?: '1' | '2' | undefined;
  /** The order's identifier. */
  orderId?: string | undefined;
  /** The service's identifier of the transaction, from the return URL. */
  transactionId?: string | undefined;
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
export class Status {
  protected constructor();
  /** For tests: from the service's response, as text or as an object. */
  static fromJson(json: string | object): Status;
  /** The status code of the call; 200 accompanies success. */
  readonly responseCode: string;
  /** The service's own text. */
  readonly responseMessage: string;
  /** The service's reference of the merchant's order. */
  readonly merchantRefId: string;
  /** The order's identifier. */
  readonly orderId: string;
  /** The service's identifier of the transaction. */
  readonly transactionId: string;
  /** The amount of the payment. */
  readonly amount: string;
  /** The customer's full name. */
  readonly customerName: string;
  /** The customer's mobile number. */
  readonly customerMobile: string;
  /** The customer's e-mail address. */
  readonly customerEmail: string;
  /** "Completed" for a finished payment; others are the service's own. */
  readonly transactionStatus: string;
  /** Not empty after a refund. */
  readonly refundStatus: string;
  /** The kind of refund. */
  readonly refundType: string;
  /** The merchant's name. */
  readonly merchantName: string;
  /** Whether the merchant got the money. */
  readonly settlementStatus: string;
  /** When the merchant got the money. */
  readonly settlementDate: string;
  /** How the customer paid. */
  readonly payMode: string;
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

/** How many of many queries had which result. */
export interface Summary {
  /** How many results there were: the sum of the next four. */
  asked: number;
  /** Queries that returned a status. */
  ok: number;
  /** Queries that the service refused. */
  rejected: number;
  /** Queries with an unknown outcome. */
  unknown: number;
  /** Queries that were not sent. */
  notSent: number;
  /** Not all queries were sent, or they were cancelled. */
  stopped: boolean;
  /** The duration of the call in milliseconds. */
  elapsedMs: number;
  /** How many statuses had each text of `transactionStatus`. */
  transactionStatus: Record<string, number>;
}

export interface Statuses<Q> extends AsyncIterable<StatusResult<Q>> {
  /** Null until the results were read. */
  readonly summary: Summary | null;
}

/** "sending" and "unknown" are unresolved. */
export type EntryState = 'sending' | 'created' | 'rejected' | 'not_sent' | 'unknown' | 'settled';

/** One sending of one order. */
export interface JournalEntry {
  /** Its number; later entries have higher ones. */
  entry: number;
  /** The order's identifier. */
  orderId: string;
  /** The identifier of the transaction. */
  merchantTxnId: string;
  /** The amount as it was sent. */
  amount: string;
  /** The currency as it was sent. */
  currencyCode: string;
  /** What is known of the order. */
  state: Open<EntryState>;
  /** The checkout URL. */
  url: string | null;
  /** The `baseUrl` of the service that it belongs to. */
  service: string;
  /** The result of the call. */
  result: number | null;
  /** From the last status of the order, or null. */
  transactionId: string | null;
  /** From the last status of the order, or null. */
  transactionStatus: string | null;
  /** When the call started. Times are like "2026-11-21T14:05:06.789Z". */
  startedAt: string;
  /** When the call ends at the latest. */
  deadline: string;
  /** When the entry was last written. */
  updatedAt: string;
  /** Why a person closed it. */
  note?: string;
  /** What happened to it, oldest first; only with the option `events`. */
  events?: JournalEvent[];
  /** What to give to `getStatus`. */
  readonly statusQuery: StatusQuery;
}

/** Something that happened to an entry of the journal. */
export interface JournalEvent {
  /** In the entry, from 1. Missing numbers are old statuses that were dropped. */
  number: number;
  /** When it happened, in UTC: "2026-11-21T14:05:06.789Z". */
  at: string;
  /** What happened. */
  event: Open<'sending' | 'attempt' | 'status' | 'settled'>;
  /** `sending`: the SHA-256 of the request's body, in hexadecimal digits. */
  bodySha256?: string;
  /** `sending`: the length of the request's body. */
  bodyBytes?: number;
  /** `attempt`: its number in the call, from 1. */
  attempt?: number;
  /** `attempt`: how long it took, in milliseconds. */
  durationMs?: number;
  /** `attempt`: bytes of the request that were sent; with TLS, of the records that carry it. */
  bytesSent?: number;
  /** `attempt`: the HTTP status of the response. */
  httpStatus?: number;
  /** `attempt`: the service's own code. */
  responseCode?: string;
  /** `attempt`: its result number. */
  result?: number;
  /** `attempt`: why it failed. */
  cause?: string;
  /** `status`: as the service sent it. */
  transactionId?: string;
  /** `status`: as the service sent it. */
  transactionStatus?: string;
  /** `status`: as the service sent it. */
  amount?: string;
  /** `status`: as the service sent it. */
  refundStatus?: string;
  /** `settled`: why. */
  note?: string;
  /** `attempt` and `status`: the service's host and port. */
  host?: string;
  /** `attempt` and `status`: whether the request went through a proxy. */
  proxy?: boolean;
  /** `attempt` and `status`: whether the connection to the service used TLS. */
  tls?: boolean;
  /**
   * `attempt` and `status`: the SHA-256 of the service's certificate (its DER form), in hexadecimal
   * digits.
   */
  certificateSha256?: string;
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

/** A field that breaks a rule of the service's interface. */
export interface Violation {
  /** The field's name. */
  field: string;
  /** Such as "required" or "decimal". */
  rule: string;
  /** A message for people. */
  message: string;
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

/** The service refused the request: of a query or a wait, that says nothing about the order. */
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
