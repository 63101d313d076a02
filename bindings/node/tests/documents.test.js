'use strict';
// The snippets of the README run, and the types are right.

const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { press, sandbox } = require('./support.js');

const { config, started } = sandbox();
const home = path.resolve(__dirname, '..');
// In the package's folder, so that `payorder` is this package.
const folder = fs.mkdtempSync(path.join(home, 'tests', 'documents-'));
let env;
before(async () => {
  await started;
  env = {
    ...process.env,
    PAYORDER_BASE_URL: config.baseUrl,
    PAYORDER_ACCESS_TOKEN: config.accessToken,
    PAYORDER_CLIENT_KEY: config.clientKey,
    PAYORDER_CLIENT_ID: config.clientId,
    PAYORDER_SECRET_KEY: config.secretKey,
    no_proxy: '*',
  };
});
after(() => fs.rmSync(folder, { recursive: true }));

// Runs a program. `more.onLine` is called with each line that it prints.
async function run(args, { onLine = () => {} } = {}) {
  const program = spawn(process.execPath, args, { cwd: folder, env });
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    for (const line of text.split('\n')) onLine(line, program);
  });
  program.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const status = await new Promise((resolve) => program.on('close', resolve));
  return { status, output };
}

const readme = fs.readFileSync(path.join(home, 'README.md'), 'utf8');
const snippets = (language) =>
  readme
    .split('\n```')
    .filter((block) => block.startsWith(`${language}\n`))
    .map((block) => block.slice(language.length + 1))
    .join('\n');

// Compiles files of the folder.
function compile(names, ...more) {
  const tsc = require.resolve('typescript/lib/tsc.js');
  const options = [
    ...['--strict', '--exactOptionalPropertyTypes', '--noEmitOnError', '--types', 'node'],
    ...['--target', 'es2022', '--lib', 'es2022', '--module', 'node16', ...more],
  ];
  const files = names.map((name) => path.join(folder, name));
  try {
    execFileSync(process.execPath, [tsc, ...options, ...files], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout);
  }
}

test('the snippets of the README run', async () => {
  fs.writeFileSync(path.join(folder, 'readme.mts'), snippets('ts'));
  compile(['readme.mts'], '--rootDir', home);
  const file = path.join(folder, 'readme.mjs');
  let paid = false;
  const { status, output } = await run([file], {
    onLine(line) {
      const url = /send the customer to (\S+)/.exec(line)?.[1];
      if (url && !paid) press(url, 'pay');
      if (url) paid = true;
    },
  });
  assert.equal(status, 0, output);
  assert.match(output, /^paid$/m);
  assert.match(output, /the order may exist/);
});

test('the snippet for CommonJS runs', async () => {
  const file = path.join(folder, 'readme.cjs');
  fs.writeFileSync(file, snippets('javascript'));
  const { status, output } = await run([file]);
  assert.equal(status, 0, output);
  assert.match(output, /^\d+\.\d+\.\d+$/m);
});

test('both kinds of modules export the same', async () => {
  const required = Object.keys(require('payorder')).sort();
  const imported = Object.keys(await import('payorder')).sort();
  assert.deepEqual(imported, required);
});

test('the types are right, for both kinds of modules', () => {
  fs.copyFileSync(path.join(__dirname, 'types.ts'), path.join(folder, 'types.cts'));
  fs.copyFileSync(path.join(__dirname, 'types.ts'), path.join(folder, 'types.mts'));
  compile(['types.cts', 'types.mts'], '--noEmit');
});
