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
const modules = path.join(__dirname, '..', 'node_modules');
fs.mkdirSync(path.join(folder, 'node_modules'));
fs.symlinkSync(path.join(modules, 'koffi'), path.join(folder, 'node_modules', 'koffi'));
fs.symlinkSync(path.join(__dirname, '..'), path.join(folder, 'node_modules', 'payorder'));

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
  assert.match(stdout, /^true PAYORDER_INVALID_CONFIG .*koffi, .*: koffi is for another system\n/);
  assert.match(stdout, /Bundlers: keep `payorder` external/);
  assert.doesNotMatch(stdout, /PAYORDER_LIBRARY/);
});

// Of a worker, process.env can be a copy. The library reads the environment of the process.
for (const [what, make, env, expected] of [
  ['fromEnv', 'Client.fromEnv()', { PAYORDER_SECRET_KEY: 'of-the-worker' }, 'PAYORDER_SECRET_KEY'],
  ['fromEnv', 'Client.fromEnv()', { PAYORDER_JOURNAL: 'of-the-worker' }, 'PAYORDER_JOURNAL'],
  ['fromEnv', 'Client.fromEnv()', { PAYORDER_JOURNAL: '' }, ''],
  ['fromEnv', 'Client.fromEnv()', { NO_PROXY: 'of-the-worker' }, 'NO_PROXY'],
  ['new Client', 'new Client(config)', { https_proxy: 'of-the-worker' }, 'https_proxy'],
  ['new Client', 'new Client(config)', { PAYORDER_SECRET_KEY: 'of-the-worker' }, ''],
  ['proxy', "Client.fromEnv({ proxy: 'none' })", { https_proxy: 'of-the-worker' }, ''],
  ['given', "Client.fromEnv({ secretKey: 'own' })", { PAYORDER_SECRET_KEY: 'of-the-worker' }, ''],
  ['SHARE_ENV', 'Client.fromEnv()', null, ''],
]) {
  const name = `no setting is another one than in process.env: ${what}, ${JSON.stringify(env)}`;
  test(name, () => {
    const program = `
      const { Client } = require('payorder');
      const config = { baseUrl: 'https://pay.example.com' };
      try {
        ${make}.close();
        console.log('created');
      } catch (error) {
        console.log(error.name + ': ' + error.message);
      }
    `;
    const { stdout, stderr } = load({}, `
      const { SHARE_ENV, Worker } = require('node:worker_threads');
      process.env.PAYORDER_CLIENT_ID = 'of-the-program';
      const own = ${JSON.stringify(env)};
      const env = own ? { ...process.env, ...own } : SHARE_ENV;
      new Worker(${JSON.stringify(program)}, { eval: true, env });
    `);
    const refused = `InvalidConfigError: the library would not use the ${expected} of process.env, .*`;
    assert.match(stdout, new RegExp(`^${expected ? refused : 'created'}\n$`), stderr);
    assert.doesNotMatch(stdout, /of-the/);
  });
}

test("Electron's archive has no library, and a system may have none", () => {
  const installed = (place, ...more) =>
    path.join(folder, place, 'node_modules', 'payorder', ...more);
  const put = (system) => {
    const native = installed('app.asar.unpacked', 'native', system);
    fs.mkdirSync(native, { recursive: true });
    fs.copyFileSync(process.env.PAYORDER_LIBRARY, path.join(native, 'libpayorder.so'));
  };
  fs.cpSync(path.join(__dirname, '..', 'src'), installed('app.asar', 'src'), { recursive: true });
  const entry = JSON.stringify(installed('app.asar', 'src', 'index.js'));
  const program = `
    try {
      console.log(require(${entry}).version());
    } catch (error) {
      console.log(error.code, error.message);
    }
  `;
  put('other-system');
  const system = `${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-linux-gnu`;
  const missing = `: no library for ${system}; this package has other-system. It tried`;
  const { stdout, stderr } = load({ PAYORDER_LIBRARY: '' }, program);
  assert.ok(stdout.startsWith('PAYORDER_INVALID_CONFIG') && stdout.includes(missing), stdout + stderr);
  put(system);
  assert.match(load({ PAYORDER_LIBRARY: '' }, program).stdout, /^\d+\.\d+\.\d+\n$/);
});

// The package stays outside of the bundle, with koffi and its library.
const bundled = path.join(folder, 'bundle.mjs');
for (const [name, tool, ...options] of [
  ['esbuild', 'esbuild/bin/esbuild', '--bundle', '--platform=node', '--format=esm',
    '--external:payorder', `--outfile=${bundled}`],
  ['rollup', 'rollup/dist/bin/rollup', '--external', 'payorder', '--file', bundled],
  ['ncc', '@vercel/ncc/dist/ncc/cli.js', 'build', '--external', 'payorder', '--out', folder],
]) {
  test(`a program works in a bundle of ${name}`, () => {
    const program = path.join(modules, 'program.mjs');
    fs.writeFileSync(program, `
      import { Client } from 'payorder';
      const client = new Client(${JSON.stringify(config)});
      client.createOrder(${JSON.stringify(newOrder())}).then(({ url }) => console.log(url.length > 0));
    `);
    execFileSync(path.join(modules, tool), [...options, program], { stdio: 'pipe' });
    fs.rmSync(program);
    const made = name === 'ncc' ? path.join(folder, 'index.mjs') : bundled;
    const { stdout, stderr } = spawnSync(process.execPath, [made], { encoding: 'utf8' });
    assert.equal(stdout, 'true\n', stderr);
  });
}

test('a client that was forgotten is freed, and its call and log function go on', async () => {
  const order = newOrder({ productInfo: 'Tea sandbox:stall' });
  const program = `
    const payorder = require('payorder');
    const config = ${JSON.stringify(config)};
    let events = 0;
    function forget() {
      const log = () => { events += 1; return Object(client).nothing; };
      const client = new payorder.Client({ ...config, log });
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
