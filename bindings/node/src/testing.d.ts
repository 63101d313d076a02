import type { Client, Config } from './index.js';

/** An order as the service has it; the sandbox's documentation lists all keys. */
export interface SandboxOrder {
  readonly orderId: string;
  readonly state: 'Pending' | 'Completed' | 'Failed' | 'Cancelled';
  readonly refunded: boolean;
  readonly checkoutUrl: string;
  readonly [key: string]: unknown;
}

/**
 * A simulation of the payment service on this machine, for tests. No real money moves. It is a
 * process of its own on a free port, and ends with the program that started it, also if that one is
 * killed. What it refuses is an error with its own words.
 */
export class Sandbox {
  private constructor();
  /** Starts the program of PAYORDER_SANDBOX, or payorder-sandbox in PATH. */
  static start(): Promise<Sandbox>;
  /** The URL of the service. */
  readonly baseUrl: string;
  /** What a client needs: the URL, the credentials, and no proxy. */
  readonly config: Config;
  /** A new client of the sandbox. */
  client(more?: Partial<Config>): Client;
  /** The orders that the service has. */
  orders(): Promise<SandboxOrder[]>;
  /** The requests that the service got, with its responses. */
  requests(): Promise<{ readonly step: string; readonly [key: string]: any }[]>;
  /** The customer pays. It gives the order as it is then, as the next three do. */
  pay(orderId: string): Promise<SandboxOrder>;
  /** The payment fails. The customer can try again. */
  fail(orderId: string): Promise<SandboxOrder>;
  /** The customer cancels. */
  cancel(orderId: string): Promise<SandboxOrder>;
  /** The shop refunds the whole payment. */
  refund(orderId: string): Promise<SandboxOrder>;
  /** Lets requests go wrong, with a rule such as "create:1:drop-after-commit". */
  fault(rule: string): Promise<unknown>;
  /** Forgets all orders, requests and faults. */
  reset(): Promise<unknown>;
  /** Ends it. When the promise is resolved, nothing listens there any more. */
  close(): Promise<void>;
  [Symbol.dispose](): void;
}
