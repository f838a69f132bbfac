import { onTestFinished } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/index.js';
import { HostingClient } from '../../../src/index.js';

/**
 * Creates a client without a reachable server, so every sent request fails with a connection error.
 */
export function clientWith(auth: HostingAuth): HostingClient {
  const client = new HostingClient({
    baseUrl: 'http://127.0.0.1:1/api/v3',
    webUrl: 'https://code.example.com/',
    auth,
    retry: false,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A call that must be rejected before a request is sent. */
export type Refused = (client: HostingClient) => PromiseLike<unknown>;

/** A topic and a callback that `clientWith` accepts. */
export const topic = 'https://code.example.com/mona/sandbox/events/push';
export const callback = 'https://hooks.example.com';
