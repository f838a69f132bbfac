// Imports only the class, because importing all of undici would replace the global agent that `fetch` uses.
import type { Dispatcher } from 'undici';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';

/**
 * Dispatcher that forwards to another dispatcher. Has no `#private` fields, because `compose` wraps
 * the dispatcher in a `Proxy`, which can't access such fields.
 */
export class DispatcherBase extends DispatcherClass {
  /** @param owned Dispatcher to close and destroy together with this one. */
  constructor(
    private readonly inner: Pick<Dispatcher, 'dispatch'>,
    private readonly owned: Pick<Dispatcher, 'close' | 'destroy'> | undefined,
  ) {
    super();
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    return this.inner.dispatch(options, handler);
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    return settle(this.owned?.close(), callback);
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(
    error?: Error | null | (() => void),
    callback?: () => void,
  ): Promise<void> | undefined {
    const [why, done] = typeof error === 'function' ? [null, error] : [error ?? null, callback];
    return settle(this.owned?.destroy(why), done);
  }
}

function settle(
  ended: Promise<void> = Promise.resolve(),
  callback?: () => void,
): Promise<void> | undefined {
  if (!callback) return ended;
  ended.then(callback, callback);
  return undefined;
}
