'use strict';
// How the library is found, and what it frees.

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');
const payorder = require('payorder');
const { config, newOrder } = require('./support.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payorder-'));
after(() => fs.rmSync(folder, { recursive: true }));

// Loads the package in another process.
function load(env, program) {
  return spawnSync(process.execPath, ['--expose-gc', '-e', program], {
    cwd: __dirname,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
}

test('without koffi, the first call is not sent', () => {
  const { stdout } = load({}, `
    const { Module } = require('node:module');
    const load = Module._load;
    Module._load = (name, ...more) => {
      if (name === 'koffi') throw new Error('koffi is for another system');
      return load(name, ...more);
    };
    const payorder = require('payorder');
    try {
      new payorder.Client({});
    } catch (error) {
      console.log(error instanceof payorder.NotSentError, error.code, error.message);
    }
  `);
  assert.match(stdout, /^true PAYORDER_INVALID_CONFIG .*koffi is for another system/s);
});

for (const [format, begin, banner] of [
  ['cjs', "const { Client } = require('payorder');", ''],
  [
    'esm',
    "import { Client } from 'payorder';",
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  ],
]) {
  test(`it works in a bundle: ${format}`, async () => {
    const esbuild = require.resolve('esbuild/bin/esbuild');
    const extension = { cjs: 'cjs', esm: 'mjs' }[format];
    const bundle = path.join(__dirname, '..', 'node_modules', `bundle.${extension}`);
    const program = `
      ${begin}
      const config = ${JSON.stringify(config)};
      const client = new Client({ ...config, log: ({ event }) => console.log(event) });
      const order = ${JSON.stringify(newOrder())};
      client.createOrder(order).then(({ url }) => console.log(url.length > 0));
    `;
    const options = ['--bundle', '--platform=node', `--format=${format}`, '--external:koffi'];
    options.push(`--outfile=${bundle}`, `--banner:js=${banner}`);
    execFileSync(esbuild, options, { cwd: __dirname, input: program, stdio: 'pipe' });
    // The library is in the system.
    fs.copyFileSync(process.env.PAYORDER_LIBRARY, path.join(folder, 'libpayorder.so.1'));
    const env = { ...process.env, PAYORDER_LIBRARY: '', LD_LIBRARY_PATH: folder };
    const { stdout, stderr } = spawnSync(process.execPath, [bundle], { env, encoding: 'utf8' });
    fs.rmSync(bundle);
    assert.match(stdout, /^attempt_started\nattempt_finished\ncall_finished\ntrue\n$/, stderr);
  });
}

test('a client that was forgotten is freed, and its call and log function go on', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:stall' });
  const program = `
    const payorder = require('payorder');
    const config = ${JSON.stringify(config)};
    let events = 0;
    function forget() {
      const client = new payorder.Client({ ...config, log: () => { events += 1; } });
      const call = client.createOrder(${JSON.stringify(order)}, { timeoutMs: 800 });
      return call.catch((error) => console.log(error.code, events));
    }
    async function collect(tries) {
      for (let n = 0; n < tries && payorder.liveCounters().clients > 0; n += 1) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    async function keep() {
      const { journal } = new payorder.Client(config);
      await collect(20);
      await journal.list().catch((error) => console.log(error.causeCode));
    }
    (async () => {
      const call = forget();
      await collect(20);
      await call;
      await keep();
      await collect(1000);
      console.log(JSON.stringify(payorder.liveCounters()));
    })();
  `;
  const { stdout, stderr } = load({}, program);
  const expected = ['PAYORDER_TIMEOUT 3', 'no_journal', '{"clients":0,"strings":0,"calls":0}', ''];
  assert.equal(stdout, expected.join('\n'), stderr);
});

test('a client can be disposed of', { skip: !Symbol.dispose }, () => {
  const client = new payorder.Client(config);
  client[Symbol.dispose]();
  assert.equal(payorder.liveCounters().clients, 0);
});
