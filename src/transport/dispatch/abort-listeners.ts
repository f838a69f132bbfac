interface Listeners {
  readonly callbacks: Set<() => void>;
  readonly onAbort: () => void;
}

/** One listener a signal for all calls that share it: Node warns of a leak from the eleventh on. */
const shared = new WeakMap<AbortSignal, Listeners>();

/** Calls back once the signal is aborted. @returns what takes the callback, and the last one's listener, back. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const listeners = shared.get(signal) ?? listen(signal);
  const { callbacks } = listeners;
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listeners.onAbort);
    shared.delete(signal);
  };
}

function listen(signal: AbortSignal): Listeners {
  const callbacks = new Set<() => void>();
  const listeners: Listeners = {
    callbacks,
    onAbort: () => {
      for (const callback of callbacks) callback();
    },
  };
  signal.addEventListener('abort', listeners.onAbort);
  shared.set(signal, listeners);
  return listeners;
}
