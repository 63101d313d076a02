'use strict';
// The sandbox, for the tests of a program.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createInterface } = require('node:readline');
const { Client } = require('./client.js');

const LINE = / (http\S+) with Authorization: (Bearer \S+)/;

class Sandbox {
  #process;
  #control;
  #secret;

  static async start() {
    const program = process.env.PAYORDER_SANDBOX || 'payorder-sandbox';
    const sandbox = new Sandbox();
    const child = spawn(program, ['--private'], { stdio: ['pipe', 'pipe', 'inherit'] });
    sandbox.#process = child;
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new Error(`${cause.message}. Unpack payorder-sandbox from an archive of a release, and `
        + 'put it into PATH or name it in PAYORDER_SANDBOX.', { cause });
    }
    const lines = [];
    for await (const line of createInterface(child.stdout)) {
      if (lines.push(line) === 2) break;
    }
    // Nobody reads its log.
    child.stdout.destroy();
    child.unref();
    child.stdin.unref();
    if (!LINE.test(lines[0])) throw new Error(`${program} did not start`);
    [, sandbox.#control, sandbox.#secret] = LINE.exec(lines[0]);
    const { baseUrl, credentials } = await sandbox.#ask('GET', '');
    sandbox.baseUrl = baseUrl;
    sandbox.config = { baseUrl, proxy: 'none', ...credentials };
    return sandbox;
  }

  client(more = {}) {
    return new Client({ ...this.config, ...more });
  }

  orders = async () => (await this.#ask('GET', '/orders')).orders;
  requests = async () => (await this.#ask('GET', '/requests')).requests;
  pay = (orderId) => this.#press(orderId, 'pay');
  fail = (orderId) => this.#press(orderId, 'fail');
  cancel = (orderId) => this.#press(orderId, 'cancel');
  refund = (orderId) => this.#press(orderId, 'refund');
  fault = (rule) => this.#ask('POST', '/faults', { rule });
  reset = () => this.#ask('POST', '/reset', {});

  async close() {
    const child = this.#process;
    child.stdin.destroy();
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      await once(child, 'exit');
    }
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }

  #press(orderId, button) {
    return this.#ask('POST', '/orders', { orderId, action: button });
  }

  async #ask(method, path, body) {
    const response = await fetch(`${this.#control}/sandbox${path}`, {
      method,
      headers: { Authorization: this.#secret, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }
}

module.exports = { Sandbox };
