import { onTestFinished } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';

/** Creates a client that retries without delay. Closes the client when the test ends. */
export function createClient(
  server: { readonly origin: string },
  options: Partial<HostingClientOptions> = {},
): HostingClient {
  const client = new HostingClient({
    baseUrl: `${server.origin}/api/v3`,
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Returns a promise's rejection reason. Fails if the promise resolves. */
export async function rejectionOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection, but it resolved');
}

/**
 * Collects unhandled rejections until the test ends. The returned function waits for the event
 * loop and then returns the rejections.
 */
export function watchRejections(): () => Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown) => {
    seen.push(reason);
  };
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
  });
  return async () => {
    await turns(5);
    return seen;
  };
}

/** Collects the messages of process warnings until the test ends. Node.js doesn't print them. */
export function watchWarnings(): string[] {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  const printing = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', note);
  onTestFinished(() => {
    process.off('warning', note);
    for (const listener of printing) process.on('warning', listener);
  });
  return warnings;
}

/** Creates a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Waits for `count` turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Waits until a condition is true. After 60 s, fails with an error that names the condition. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}
