'use strict';
// Runs in a thread of its own: makes one blocking call of the library at a time.

const { parentPort } = require('node:worker_threads');
const { call } = require('./library.js');
const { BEGUN, STOP, TAKEN, ENDED, AHEAD } = require('./shared.js');

// Passes the results of payorder_get_statuses to the main thread. If that is slow, this waits, so
// that results do not pile up.
function passOn(shared) {
  let passed = 0;
  return (index, result, text) => {
    if (Atomics.load(shared, STOP) === 1) return 0;
    parentPort.postMessage({ index: Number(index), result, text });
    passed += 1;
    for (;;) {
      const taken = Atomics.load(shared, TAKEN);
      if (Atomics.load(shared, STOP) === 1) return 0;
      if (passed - taken < AHEAD) return 1;
      Atomics.wait(shared, TAKEN, taken);
    }
  };
}

parentPort.on('message', ({ name, args, each, shared }) => {
  Atomics.store(shared, BEGUN, 1);
  const done = call(name, ...args, ...(each ? [passOn(shared), null] : []));
  Atomics.store(shared, ENDED, 1);
  Atomics.notify(shared, ENDED);
  parentPort.postMessage({ done });
});
