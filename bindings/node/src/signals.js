'use strict';
// The cancellation token of each AbortSignal. Calls with the same signal share it: Node.js takes
// more than ten listeners of a signal for a memory leak, and warns.

const { library } = require('./library.js');

const tokens = new WeakMap();

// The token of the signal, for one more call. `failed` makes an error of its own.
function useToken(signal, failed) {
  if (!tokens.has(signal)) {
    const made = [null];
    library().cancellation_new(made);
    const [token] = made;
    if (token === null) throw failed(new Error('no cancellation token'));
    const cancel = () => library().cancellation_cancel(token);
    try {
      signal.addEventListener('abort', cancel);
    } catch {
      library().cancellation_free(token);
      throw failed(new Error('the signal takes no listener'));
    }
    tokens.set(signal, { token, cancel, calls: 0 });
  }
  const used = tokens.get(signal);
  // Also if its listener has not run yet, or never will.
  if (signal.aborted) used.cancel();
  used.calls += 1;
  return used.token;
}

// A call with this signal has ended.
function releaseToken(signal) {
  const used = tokens.get(signal);
  used.calls -= 1;
  if (used.calls > 0) return;
  tokens.delete(signal);
  try {
    signal.removeEventListener('abort', used.cancel);
  } catch {
    // The call has its result. The listener does nothing any more.
  }
  library().cancellation_free(used.token);
}

module.exports = { useToken, releaseToken };
