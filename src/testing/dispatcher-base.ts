// Imports only the class, because importing all of undici would replace the global agent that `fetch` uses.
import type { Dispatcher } from 'undici';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';
import { type Handler, type Listening, listen } from './node-server.js';

/**
 * Dispatcher that forwards to another dispatcher. Has no `#private` fields, because `compose` wraps
 * the dispatcher in a `Proxy`, which can't access such fields.
 */
export class DispatcherBase extends DispatcherClass {
  private readonly servers: Listening[] = [];

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
    return settle(this.closeServers(this.owned?.close()), callback);
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
    return settle(this.closeServers(this.owned?.destroy(why)), done);
  }

  /** Starts a server that is closed together with this dispatcher. */
  protected async serve(respond: Handler, port: number): Promise<Listening> {
    const server = await listen(respond, port);
    this.servers.push(server);
    return server;
  }

  /** Closes the servers after the requests in progress have `ended`. */
  private async closeServers(ended: Promise<void> | undefined): Promise<void> {
    await ended;
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

function settle(ended: Promise<void>, callback?: () => void): Promise<void> | undefined {
  if (!callback) return ended;
  ended.then(callback, callback);
  return undefined;
}
