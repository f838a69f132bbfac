import { onTestFinished } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/index.js';
import { HostingClient } from '../../../src/index.js';

/** A client to where nothing listens: whatever is sent fails otherwise than by being refused. */
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

/** A call that must be refused before it is sent. */
export type Refused = (client: HostingClient) => PromiseLike<unknown>;

/** What `clientWith` takes for a topic, and a place to send it to. */
export const topic = 'https://code.example.com/mona/sandbox/events/push';
export const callback = 'https://hooks.example.com';
