'use strict';
// Finds and loads the C library, and declares its functions.

const fs = require('node:fs');
const path = require('node:path');
// The real ones, also if a test replaces them later.
const { clearInterval, setImmediate, setInterval } = require('node:timers');
const { isMainThread } = require('node:worker_threads');
const { ABI_VERSION } = require('./constants.js');

// Loaded with the library, so that its absence is an error of the first call.
let koffi;

// How often results are looked for where the event loop cannot watch for them, in milliseconds.
const INTERVAL_MS = 10;

const names = {
  win32: { file: 'payorder.dll', system: 'payorder.dll' },
  darwin: { file: 'libpayorder.dylib', system: 'libpayorder.1.dylib' },
}[process.platform] ?? { file: 'libpayorder.so', system: 'libpayorder.so.1' };

// A bundle of ES modules has no `__dirname`.
const folder = path.resolve(typeof __dirname === 'undefined' ? '.' : __dirname, '..');
// Electron packs the package into app.asar, but not the libraries.
const native = path.join(folder, 'native').replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');

// Where the library may be, the preferred place first. If PAYORDER_LIBRARY is set, no other place
// is tried. In a checkout, the newest build is used, because that is the one that the developer has
// just made.
function candidates() {
  const chosen = process.env.PAYORDER_LIBRARY;
  if (chosen) return [path.resolve(chosen)];
  const found = [path.join(native, system(), names.file)];
  const checkout = path.resolve(folder, '..', '..');
  if (
    folder === path.join(checkout, 'bindings', 'node') &&
    fs.existsSync(path.join(checkout, 'Cargo.toml'))
  ) {
    const builds = ['release', 'debug']
      .map((build) => path.join(checkout, 'target', build, names.file))
      .filter((file) => fs.existsSync(file));
    found.push(...builds.sort((a, b) => buildTime(b) - buildTime(a)));
  }
  return [...found, names.system];
}

// This system's name in packaging/targets, which is also its folder's in native.
function system() {
  const processors = { x64: 'x86_64', ia32: 'i686', arm64: 'aarch64', arm: 'armv7' };
  const processor = processors[process.arch] ?? process.arch;
  if (process.platform === 'win32') return `${processor}-windows`;
  if (process.platform === 'darwin') return `${processor}-macos`;
  if (process.platform !== 'linux') return `${processor}-${process.platform}`;
  return `${processor}-linux-${usesMusl() ? 'musl' : processor === 'armv7' ? 'gnueabihf' : 'gnu'}`;
}

// Whether this process uses musl, as on Alpine, and not glibc.
function usesMusl() {
  try {
    return fs.readFileSync('/proc/self/maps', 'utf8').includes('/ld-musl-');
  } catch {
    return false;
  }
}

function buildTime(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function load() {
  // The errors need this file.
  const refused = (message) => {
    throw require('./errors.js').noLibrary(`${message} Nothing was sent.`);
  };
  try {
    koffi ??= require('koffi');
  } catch (error) {
    refused(
      `payorder needs koffi, which cannot be loaded: ${error.message}\n` +
        'Bundlers: keep `payorder` external. Otherwise, install payorder for this system.',
    );
  }
  const tried = [];
  for (const file of candidates()) {
    try {
      return open(file);
    } catch (error) {
      tried.push(`  ${file}: ${error.message}`);
    }
  }
  refused(
    `payorder found no shared library that it can use${notForThisSystem()}. It tried\n` +
      `${tried.join('\n')}\nSet PAYORDER_LIBRARY to the path of the library.`,
  );
}

function notForThisSystem() {
  if (!fs.existsSync(native) || fs.existsSync(path.join(native, system()))) return '';
  const has = fs.readdirSync(native).join(', ');
  return `: no library for ${system()}; this package has ${has}`;
}

function open(file) {
  const library = koffi.load(file);
  const version = library.func('uint32_t payorder_abi_version()')();
  if (version !== ABI_VERSION) {
    throw new Error(
      `it has version ${version} of the ABI, and this package needs version ${ABI_VERSION}`,
    );
  }
  return declare(library);
}

// A client is a key, not memory: it is declared as a number. A string that the library returns is
// declared as a pointer, because the pointer is needed to free it.
const CALL = ['uintptr_t', 'str', 'str'];
let LogFn;

function declare(library) {
  const out = koffi.out(koffi.pointer('void *'));
  const outNumber = koffi.out(koffi.pointer('uintptr_t'));
  const outInt = koffi.out(koffi.pointer('int32_t'));
  const pointerTo = (prototype) => koffi.pointer(koffi.proto(prototype));
  LogFn ??= pointerTo('void (const char *, uintptr_t)');
  const StatusFn = pointerTo('int32_t (size_t, int32_t, const char *, void *)');
  const result = (name, ...types) => library.func(`payorder_${name}`, 'int32_t', types);
  const count = (name) => library.func(`payorder_${name}`, 'size_t', []);
  // Declared only once: if a worker is terminated while koffi makes a function, the process ends.
  const hook = (what) => {
    if (isMainThread) return null;
    const types = ['void *', 'void *', 'uintptr_t'];
    return koffi.load(null).func(`napi_${what}_env_cleanup_hook`, 'int', types);
  };
  return {
    version: library.func('payorder_version', 'str', []),
    live_clients: count('live_clients'),
    live_strings: count('live_strings'),
    live_calls: count('live_calls'),
    string_free: library.func('payorder_string_free', 'void', ['void *']),
    variable: variable(),
    client_new: result('client_new', 'str', outNumber, out),
    client_from_env: result('client_from_env', 'str', outNumber, out),
    client_free: result('client_free', 'uintptr_t'),
    add_hook: hook('add'),
    remove_hook: hook('remove'),
    client_free_pointer: library.symbol('payorder_client_free'),
    client_cancel: result('client_cancel', 'uintptr_t'),
    client_stop: result('client_stop', 'uintptr_t'),
    client_set_credentials: result('client_set_credentials', 'uintptr_t', 'str', out),
    client_set_log: result('client_set_log', 'uintptr_t', LogFn, 'uintptr_t'),
    cancellation_new: result('cancellation_new', koffi.out(koffi.pointer('const char *'))),
    cancellation_cancel: result('cancellation_cancel', 'str'),
    cancellation_free: result('cancellation_free', 'str'),
    start: result('start', ...CALL, 'str', 'void *', 'uintptr_t', out),
    take_done: result('take_done', 'uintptr_t', 'uint32_t', outInt, outInt, out, outNumber),
    done_handle: library.func('payorder_done_handle', 'intptr_t', ['uintptr_t']),
    get_statuses: result('get_statuses', ...CALL, StatusFn, 'void *', out),
    journal_list: result('journal_list', 'uintptr_t', 'str', out),
    journal_settle: result('journal_settle', 'uintptr_t', 'str', out),
    journal_prune: result('journal_prune', 'uintptr_t', 'str', out),
    build_create_order: result('build_create_order', 'str', 'str', out),
    build_get_status: result('build_get_status', 'str', out),
    parse_return_url: result('parse_return_url', 'str', out),
    verify_payment: result('verify_payment', 'str', 'str', out),
    json_get: result('json_get', 'str', 'str', out),
  };
}

// Gives a variable of the process; empty if there is none.
function variable() {
  if (process.platform !== 'win32') {
    const getenv = koffi.load(null).func('getenv', 'str', ['str']);
    return (name) => getenv(name) ?? '';
  }
  const kernel = koffi.load('kernel32.dll');
  const types = ['str16', 'void *', 'uint32_t'];
  const get = kernel.func('__stdcall', 'GetEnvironmentVariableW', 'uint32_t', types);
  return (name) => {
    const value = Buffer.alloc(65536);
    return value.toString('utf16le', 0, 2 * get(name, value, 32768));
  };
}

let loaded;

// Loads the library when it is first needed.
function library() {
  return (loaded ??= load());
}

// Calls a function whose last argument is `char **`. Returns the result's number and the text, or
// null if there is none. If the text cannot be read (no memory), `problem` says so, because the
// number must not be lost.
function call(name, ...args) {
  const pointer = [null];
  const result = library()[name](...args, pointer);
  return { result, ...taken(pointer[0]) };
}

// Gives the text of a string of the library, and frees it.
function taken(pointer) {
  try {
    return { text: pointer === null ? null : koffi.decode.string(pointer) };
  } catch (error) {
    return { text: null, problem: error.message };
  } finally {
    library().string_free(pointer);
  }
}

// The first of these variables that is not the same in process.env and in the process, where the
// library reads it. An empty one counts as absent.
function differentVariable(names) {
  return names.find((name) => (ownVariable(name) ?? '') !== library().variable(name));
}

// In a worker on Windows, process.env heeds the case of a name.
function ownVariable(name) {
  if (process.platform !== 'win32') return process.env[name];
  const isIt = (one) => one.toUpperCase() === name.toUpperCase();
  return process.env[Object.keys(process.env).find(isIt)];
}

// payorder_client_new and payorder_client_from_env have two outputs.
function newClient(name, config) {
  const [client, pointer] = [[null], [null]];
  const result = library()[name](config, client, pointer);
  if (result === 0) atEndOfWorker('add', client[0]);
  return { result, client: client[0], ...taken(pointer[0]) };
}

function freeClient(client) {
  library().client_free(client);
  atEndOfWorker('remove', client);
}

// A worker can end without running any further JavaScript. Node.js then frees its clients, so that
// their queues send nothing more.
function atEndOfWorker(what, client) {
  if (isMainThread) return;
  library()[`${what}_hook`](koffi.node.env, library().client_free_pointer, client);
}

// Takes a result of a call that has ended, if there is one. Waits for it.
function takeDone(client, waitMs) {
  const [isTaken, result, pointer, number] = [[null], [null], [null], [null]];
  const returned = library().take_done(client, waitMs, isTaken, result, pointer, number);
  const read = taken(pointer[0]);
  if (returned !== 0) throw new Error(`the result of a call cannot be taken: ${read.text}`);
  if (isTaken[0] === 0) return null;
  return { number: Number(number[0]), result: result[0], ...read };
}

// Calls the function when there are results to take, and keeps the process alive.
function watch(client, ready) {
  const descriptor = Number(library().done_handle(client));
  // koffi ends the process if a worker ends while it watches, and in Bun, which cannot watch. In Deno
  // it often misses a result. Windows has no descriptors.
  const { bun, deno } = process.versions;
  const cannot = !isMainThread || process.platform === 'win32' || bun || deno;
  if (cannot || descriptor === -1) {
    const timer = setInterval(ready, INTERVAL_MS);
    return { close: () => clearInterval(timer) };
  }
  // What promises wait for does not run after a callback of koffi's, but after an immediate.
  return koffi.node.poll(descriptor, () => setImmediate(ready));
}

let logCallback;

// Gives the log events of calls that start from now on to the function, which is the same for all
// clients, with the number; false if it cannot. The library calls it on its own threads. These may
// outlive a worker, where a callback would end the process.
function setLog(client, log, number) {
  if (!isMainThread) {
    process.emitWarning('payorder: the log function is not called in a worker thread');
    return false;
  }
  logCallback ??= koffi.register(log, LogFn);
  library().client_set_log(client, logCallback, number);
  return true;
}

module.exports = {
  library, call, differentVariable, freeClient, newClient, setLog, takeDone, watch,
};
