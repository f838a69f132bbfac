import { expect } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import type { Handler, TestServer } from '../support/server.js';

export const never: Handler = () => undefined;
/** Fields of the error of calls after `close()`. */
export const closed = {
  code: 'connection',
  message: expect.stringContaining('the client is closed'),
};

/** Creates a client that the test must close. */
export function createClient(server: TestServer, options: Partial<HostingClientOptions> = {}) {
  return new HostingClient({
    baseUrl: `${server.origin}/api/v3`,
    retry: { baseDelay: 0 },
    ...options,
  });
}
