import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { type CacheStore, HostingClient, type HostingClientOptions } from '../../src/index.js';
import { type Seen, serve } from '../support/server.js';

/** A response. Defaults: status 200 and a digest of the body as the ETag. */
export type CannedResponse = { body: string; headers?: Record<string, string>; status?: number };

/**
 * Starts a server that responds with 304 to the current validator and counts all other responses
 * against a quota.
 */
export async function world(respond: (request: Seen) => CannedResponse) {
  const seen = { requested: 0, spent: 0, unchanged: 0, requests: [] as Seen[] };
  const server = await serve((request, response) => {
    seen.requested++;
    seen.requests.push(request);
    const { body, headers = {}, status = 200 } = respond(request);
    const etag = headers.etag ?? `"${createHash('sha256').update(body).digest('hex')}"`;
    const same = request.headers['if-none-match'] === etag;
    if (same) seen.unchanged++;
    else seen.spent++;
    const budget = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(5000 - seen.spent),
      'x-ratelimit-reset': '4102444800',
    };
    if (same) {
      response.writeHead(304, { ...budget, etag });
      return response.end();
    }
    response.writeHead(status, { 'content-type': 'application/json', ...budget, etag, ...headers });
    return response.end(body);
  });
  const open = (options: Partial<HostingClientOptions> = {}) => {
    const client = new HostingClient({ baseUrl: server.origin, cache: true, ...options });
    onTestFinished(() => client.close());
    return client;
  };
  return { server, seen, open };
}

/** Schema of the response bodies. */
export const Thing = z.object({ id: z.number() });
/** Requests a {@link Thing} and returns the thing and the response. */
export const get = (client: HostingClient, path = '/thing', options?: object) =>
  client.request(`GET ${path}`, {}, { schema: Thing, ...options }).withResponse();

/** A cache store whose entries a test can inspect. */
export class OpenStore implements CacheStore {
  readonly entries = new Map<string, string>();
  async get(key: string) {
    return this.entries.get(key);
  }
  async set(key: string, value: string) {
    this.entries.set(key, value);
  }
}
